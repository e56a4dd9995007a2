//! Reads the scene file that every engine is given. `bench/narrow/README.md` states the format; `bench/narrow/scene.hpp` is its C++ twin.

use std::fs;
use std::io;
use std::path::Path;

/// The first bytes of a scene file.
const MAGIC: &[u8] = b"ZGNARROW";

/// Bytes of a group's name, zero-padded.
const NAME_BYTES: usize = 56;

/// Shapes, and pairs of them in groups that are timed together.
#[derive(Debug)]
pub struct Scene {
    /// All shapes.
    pub shapes: Vec<SceneShape>,
    /// Runs of pairs under one name.
    pub groups: Vec<Group>,
    /// All pairs.
    pub pairs: Vec<Pair>,
}

/// A shape in its own frame; axes of revolution are z, the origin is the middle.
#[derive(Debug, Clone)]
pub enum SceneShape {
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A cylinder with half a ball at each end.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half the length of the straight part [m].
        half_length: f64,
    },
    /// A box.
    Cuboid {
        /// Half the side lengths [m].
        half_size: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half the height [m].
        half_length: f64,
    },
    /// A cone with its apex at +z.
    Cone {
        /// Radius of the base [m].
        radius: f64,
        /// Half the height [m].
        half_length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Radii along x, y, z [m].
        radii: [f64; 3],
    },
    /// A convex polyhedron.
    Convex {
        /// Vertices [m].
        vertices: Vec<[f64; 3]>,
        /// Outward triangles.
        triangles: Vec<[u32; 3]>,
    },
}

/// Consecutive pairs under one name.
#[derive(Debug)]
pub struct Group {
    /// Name, `workload/what/regime`.
    pub name: String,
    /// Index of the first pair.
    pub first: usize,
    /// Number of pairs.
    pub count: usize,
}

/// Where a shape stands.
#[derive(Debug, Clone, Copy)]
pub struct ScenePose {
    /// Unit quaternion, w first.
    pub quaternion_wxyz: [f64; 4],
    /// Translation [m].
    pub translation: [f64; 3],
}

/// One query.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Index of shape A.
    pub a: usize,
    /// Index of shape B.
    pub b: usize,
    /// Pose of A.
    pub pose_a: ScenePose,
    /// Pose of B.
    pub pose_b: ScenePose,
}

impl Scene {
    /// Reads a scene file.
    pub fn load(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let mut reader = Reader { bytes: &bytes };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(invalid("not a scene file"));
        }
        let _version = reader.u32()?;
        let [shapes, groups, pairs] = [reader.u32()?, reader.u32()?, reader.u32()?];
        Ok(Self {
            shapes: (0..shapes).map(|_| reader.shape()).collect::<io::Result<_>>()?,
            groups: (0..groups).map(|_| reader.group()).collect::<io::Result<_>>()?,
            pairs: (0..pairs).map(|_| reader.pair()).collect::<io::Result<_>>()?,
        })
    }
}

/// What is left of the file.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (head, tail) =
            self.bytes.split_at_checked(count).ok_or_else(|| invalid("the scene file ends early"))?;
        self.bytes = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn numbers<const N: usize>(&mut self) -> io::Result<[f64; N]> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = f64::from_le_bytes(self.array()?);
        }
        Ok(numbers)
    }

    fn shape(&mut self) -> io::Result<SceneShape> {
        let [kind, vertices, triangles, _unused] = [self.u32()?, self.u32()?, self.u32()?, self.u32()?];
        let sizes: [f64; 3] = self.numbers()?;
        let vertices = (0..vertices).map(|_| self.numbers()).collect::<io::Result<_>>()?;
        let triangles =
            (0..triangles).map(|_| Ok([self.u32()?, self.u32()?, self.u32()?])).collect::<io::Result<_>>()?;
        let [radius, half_length, _] = sizes;
        Ok(match kind {
            0 => SceneShape::Sphere { radius },
            1 => SceneShape::Capsule { radius, half_length },
            2 => SceneShape::Cuboid { half_size: sizes },
            3 => SceneShape::Cylinder { radius, half_length },
            4 => SceneShape::Cone { radius, half_length },
            5 => SceneShape::Ellipsoid { radii: sizes },
            6 => SceneShape::Convex { vertices, triangles },
            _ => return Err(invalid("unknown kind of shape")),
        })
    }

    fn group(&mut self) -> io::Result<Group> {
        let name = self.take(NAME_BYTES)?;
        let length = name.iter().position(|byte| *byte == 0).unwrap_or(NAME_BYTES);
        let name = String::from_utf8_lossy(&name[..length]).into_owned();
        Ok(Group { name, first: self.u32()? as usize, count: self.u32()? as usize })
    }

    fn pair(&mut self) -> io::Result<Pair> {
        let [a, b] = [self.u32()? as usize, self.u32()? as usize];
        Ok(Pair { a, b, pose_a: self.pose()?, pose_b: self.pose()? })
    }

    fn pose(&mut self) -> io::Result<ScenePose> {
        Ok(ScenePose { quaternion_wxyz: self.numbers()?, translation: self.numbers()? })
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
