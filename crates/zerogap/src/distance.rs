//! Gaps of bodies that people name: words to convex bodies, and the answer as every interface hands it out.
//!
//! In: words, poses and what is asked. Out: a [`Measured`] gap that says what was measured, the same for the command (as a sheet or JSON)
//! and for Python. Many pairs of any shapes, half-spaces among them, go through [`distance_each`]; same bits for any number of threads.
//! [`Body`], [`ShapeQuery`] and [`each_pair`] serve [`crate::contacts`] as well.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use serde::Serialize;
use zerogap_core::{Gap, Pose};
use zerogap_geometry::{ConvexShape, Shape, TriangleMesh, convex_hull};
use zerogap_proximity::threads::in_pool;
use zerogap_proximity::{DistanceParams, ProximityError, distance};

use crate::target::{MeshWarning, ReadOptions, Target, TargetError};

pub use zerogap_proximity::convex::SHARE;

/// A body that has a gap to others: convex, or a half-space.
#[derive(Debug, Clone)]
pub struct Body {
    /// What is measured.
    pub shape: Shape,
    /// How it was read.
    pub read: Read,
}

/// How a body was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Read {
    /// The word it was asked for by.
    pub name: String,
    /// `hull` where the body is the convex hull of a mesh, else the kind of shape.
    pub kind: String,
    /// Format of the file it came from.
    pub format: Option<String>,
    /// Corners of the hull.
    pub vertices: Option<usize>,
    /// What the caller should know of the file it came from.
    #[serde(skip)]
    pub warnings: Vec<MeshWarning>,
}

zerogap_core::store_struct!(Read { name, kind, format, vertices } skip { warnings });

impl Body {
    /// The body that a word stands for: the shape that it names, or the convex hull of the mesh file or part.
    pub fn resolve(word: &str, options: &ReadOptions) -> Result<Self, TargetError> {
        match Target::resolve(word, options)? {
            Target::Shape(shape) => Ok(Self::of_shape(word, shape)),
            Target::Mesh { mesh, format, warnings } => {
                let hull = Self::of_hull(word, &mesh, format.map(|f| f.to_string()))?;
                Ok(Self { read: Read { warnings, ..hull.read }, ..hull })
            }
        }
    }

    /// A shape as it is.
    pub fn of_shape(name: &str, shape: Shape) -> Self {
        let read = Read::new(name, shape.kind());
        Self { shape, read }
    }

    /// The convex hull of a mesh.
    fn of_hull(name: &str, mesh: &TriangleMesh, format: Option<String>) -> Result<Self, TargetError> {
        let hull = convex_hull(&mesh.used_vertices())
            .map_err(|error| TargetError::Mesh { name: name.to_owned(), error })?;
        let vertices = Some(hull.vertices().len());
        let read = Read { format, vertices, ..Read::new(name, "hull") };
        Ok(Self { shape: ConvexShape::from(hull).into(), read })
    }
}

impl Read {
    /// A body of a kind, under a name, from no file.
    pub fn new(name: &str, kind: &str) -> Self {
        let (name, kind) = (name.to_owned(), kind.to_owned());
        Self { name, kind, format: None, vertices: None, warnings: Vec::new() }
    }
}

/// In a phrase: `hull of bolt.stl, 812 vertices`, or the word as it is.
impl std::fmt::Display for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.vertices {
            Some(1) => write!(f, "hull of {}, 1 vertex", self.name),
            Some(vertices) => write!(f, "hull of {}, {vertices} vertices", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A gap, and what it is the gap of. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Signed distance [m].
    pub gap: f64,
    /// The exact signed distance is no smaller [m].
    pub lower: f64,
    /// The exact signed distance is no larger [m].
    pub upper: f64,
    /// Unit vector from A to B [-].
    pub normal: [f64; 3],
    /// `unique` or `chosen`.
    pub normal_kind: &'static str,
    /// The point of A [m].
    pub point_a: [f64; 3],
    /// The point of B [m].
    pub point_b: [f64; 3],
    /// `exact`, `converged`, `farther` or `limited`.
    pub status: &'static str,
    /// Pairs of support points that were looked at; 0 for closed forms [-].
    pub iterations: u32,
    /// How A was read.
    pub a: Read,
    /// How B was read.
    pub b: Read,
}

/// Measures the gap of two bodies.
pub fn measure(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    params: &DistanceParams,
) -> Result<Measured, ProximityError> {
    let gap = distance(&a.shape, pose_a, &b.shape, pose_b, params)?;
    Ok(Measured {
        gap: gap.gap,
        lower: gap.lower,
        upper: gap.upper,
        normal: gap.normal.into(),
        normal_kind: gap.normal_kind.word(),
        point_a: gap.point_a.into(),
        point_b: gap.point_b.into(),
        status: gap.status.word(),
        iterations: gap.iterations,
        a: a.read.clone(),
        b: b.read.clone(),
    })
}

/// Two placed shapes of any kind that has a gap.
#[derive(Debug, Clone, Copy)]
pub struct ShapeQuery<'a> {
    /// Shape A.
    pub a: &'a Shape,
    /// Pose of A.
    pub pose_a: Pose,
    /// Shape B.
    pub b: &'a Shape,
    /// Pose of B.
    pub pose_b: Pose,
}

/// The gaps of as many pairs as there are places for answers, each pair made when its turn comes.
///
/// [`zerogap_proximity::convex::distance_many`] for shapes that may be half-spaces: each answer has the bits of [`distance`] for that pair
/// alone, for any number of threads. Fails with the first pair that has no gap, and why.
pub fn distance_each<'a>(
    query: impl Fn(usize) -> ShapeQuery<'a> + Sync,
    params: &DistanceParams,
    answers: &mut [Gap],
) -> Result<(), (usize, ProximityError)> {
    each_pair(query, answers, |ShapeQuery { a, pose_a, b, pose_b }, answer| {
        *answer = distance(a, pose_a, b, pose_b, params)?;
        Ok(())
    })
}

/// Asks a question of as many pairs as there are places for answers, on all cores, each pair made when its turn comes.
///
/// Each answer is written over the last one in its place, so that memory is used again, and depends on its pair alone. Fails with the first pair that is refused, and why; the others are answered all the same.
pub fn each_pair<'a, T: Send>(
    query: impl Fn(usize) -> ShapeQuery<'a> + Sync,
    answers: &mut [T],
    ask: impl Fn(&ShapeQuery<'a>, &mut T) -> Result<(), ProximityError> + Sync,
) -> Result<(), (usize, ProximityError)> {
    let answer_one =
        |(index, answer): (usize, &mut T)| ask(&query(index), answer).err().map(|error| (index, error));
    let pairs = answers.par_iter_mut().enumerate().with_min_len(SHARE);
    let refused = in_pool(|| pairs.filter_map(answer_one).min_by_key(|(index, _)| *index));
    refused.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;

    use super::*;

    fn body(word: &str) -> Body {
        Body::resolve(word, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn parts_are_read_as_their_hulls_and_shapes_as_they_are() {
        let plate = body("part:hole-plate,section=rectangular");
        assert_eq!(plate.read.to_string(), "hull of part:hole-plate,section=rectangular, 8 vertices");
        assert_eq!(plate.read.kind, "hull");
        let ball = body("sphere:1");
        assert_eq!((ball.read.to_string().as_str(), ball.read.vertices), ("sphere:1", None));
        let here = Pose::identity();
        let measured = measure(&plate, &here, &ball, &here, &DistanceParams::default()).unwrap();
        assert!(measured.gap < -1.0 && measured.lower <= measured.gap && measured.gap <= measured.upper);
        assert_eq!((measured.a, measured.b), (plate.read, ball.read));
    }

    #[test]
    fn many_shapes_have_the_bits_of_each_alone_and_the_first_without_a_gap_is_named() {
        let words = ["box:1,2,3", "halfspace:1,2,3,0.5", "capsule:0.3,1", "cone:0.5,1"];
        let shapes = words.map(|word| body(word).shape);
        let place =
            |k: usize| Pose::from_translation(Vec3::new(0.01 * k as f64, 0.5, -0.002 * k as f64)).unwrap();
        let query = |k: usize| {
            let (a, b) = (&shapes[k % 4], &shapes[(k / 4) % 4]);
            ShapeQuery { a, pose_a: Pose::identity(), b, pose_b: place(k) }
        };
        let params = DistanceParams::default();
        let dummy = distance(&shapes[0], &place(0), &shapes[2], &place(1), &params).unwrap();
        // Pair 5 is that of two half-spaces.
        let mut answers = vec![dummy; 1000];
        assert_eq!(distance_each(query, &params, &mut answers), Err((5, ProximityError::BothUnbounded)));
        for (k, answer) in answers.iter().enumerate().filter(|(k, _)| k % 16 != 5) {
            let ShapeQuery { a, pose_a, b, pose_b } = query(k);
            assert_eq!(*answer, distance(a, &pose_a, b, &pose_b, &params).unwrap(), "pair {k}");
        }
        assert_eq!(distance_each(query, &params, &mut answers[..5]), Ok(()));
    }
}
