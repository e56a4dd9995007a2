//! Gaps of bodies given by target strings, and the report that every interface returns.
//!
//! In: target strings, poses and parameters. Out: a [`DistanceReport`], the same for the command (as a sheet or JSON)
//! and for Python. [`Body`] serves [`crate::contacts`] as well; many pairs are [`zerogap_proximity::collider::distance_many`]'s.

use serde::Serialize;
use zerogap_core::{Gap, GapStatus, NormalKind, Pose};
use zerogap_geometry::{Convex, ConvexShape, Shape, TriangleMesh, convex_hull};
use zerogap_proximity::collider::{Collider, ColliderError, ColliderPair, distance};
use zerogap_proximity::convex::{MprGap, MprParams, mpr};
use zerogap_proximity::{DistanceParams, ProximityError};

use zerogap_geometry::target::{MeshWarning, ReadOptions, Target, TargetError};

/// A body that has a gap to others: convex, a half-space, or made of convex pieces.
#[derive(Debug, Clone)]
pub struct Body {
    /// Collision geometry.
    pub shape: Shape,
    /// Source of the body.
    pub read: Read,
}

/// Source of a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Read {
    /// The target string.
    pub name: String,
    /// `hull` where the body is the convex hull of a mesh, else the kind of shape.
    pub kind: String,
    /// Format of the file it came from.
    pub format: Option<String>,
    /// Corners of the hull.
    pub vertices: Option<usize>,
    /// Warnings about the file.
    #[serde(skip)]
    pub warnings: Vec<MeshWarning>,
}

zerogap_core::store_struct!(Read { name, kind, format, vertices } skip { warnings });

impl Body {
    /// Returns the collider of the body.
    pub fn collider(&self) -> Collider {
        Collider::from_shape(self.shape.clone())
    }

    /// Resolves a target to a convex body: a shape, or the convex hull of a mesh file or part.
    pub fn resolve(word: &str, options: &ReadOptions) -> Result<Self, TargetError> {
        match Target::resolve(word, options)? {
            Target::Shape(shape) => Ok(Self::of_shape(word, shape)),
            Target::Complex { complex, .. } => Ok(Self::of_shape(word, Shape::Complex(complex))),
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
    /// Returns a body of a kind, under a name, without a file.
    pub fn new(name: &str, kind: &str) -> Self {
        let (name, kind) = (name.to_owned(), kind.to_owned());
        Self { name, kind, format: None, vertices: None, warnings: Vec::new() }
    }
}

/// Short description: `hull of bolt.stl, 812 vertices`, or the target string as it is.
impl std::fmt::Display for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.vertices {
            Some(1) => write!(f, "hull of {}, 1 vertex", self.name),
            Some(vertices) => write!(f, "hull of {}, {vertices} vertices", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The gap of two named bodies. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DistanceReport {
    /// Signed distance [m].
    pub gap: f64,
    /// Lower bound of the exact signed distance [m].
    pub lower: f64,
    /// Upper bound of the exact signed distance [m].
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
    /// Pairs of support points evaluated; 0 for closed forms [-].
    pub iterations: u32,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
}

/// Returns the gap of two bodies.
pub fn measure(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    params: &DistanceParams,
) -> Result<DistanceReport, ColliderError> {
    let (collider_a, collider_b) = (a.collider(), b.collider());
    let gap = distance(&collider_a, pose_a, &collider_b, pose_b, params)?;
    Ok(report(&gap, a, b))
}

/// Returns the gap of two bounded convex bodies by Minkowski portal refinement.
pub fn measure_by_mpr(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    params: &MprParams,
) -> Result<DistanceReport, ColliderError> {
    let (collider_a, collider_b) = (a.collider(), b.collider());
    let gap = mpr_gap(&ColliderPair::new(&collider_a, *pose_a, &collider_b, *pose_b), params)?;
    Ok(report(&gap, a, b))
}

/// Returns the gap of two bounded convex colliders by Minkowski portal refinement ([`mpr`]) with its bounds; the status is `Converged` where these agree to the tolerance times the size of the pair.
///
/// Fails: colliders that are not convex, whose hulls the caller takes.
pub fn mpr_gap(pair: &ColliderPair<'_>, params: &MprParams) -> Result<Gap, ColliderError> {
    let convex = |collider: &'_ Collider| match collider {
        Collider::Convex(shape) => Ok(shape.clone()),
        other => Err(ProximityError::NotConvex { shape: other.kind().word() }),
    };
    let (a, b) = (convex(pair.a)?, convex(pair.b)?);
    let MprGap { gap, lower, upper, normal, point_a, point_b, iterations, .. } =
        mpr(&a, &pair.pose_a, &b, &pair.pose_b, params);
    let size = 2.0 * (a.bounding_sphere().radius + b.bounding_sphere().radius);
    let is_close = upper - lower <= params.tolerance * size;
    let status = if is_close { GapStatus::Converged } else { GapStatus::Limited };
    let normal_kind = NormalKind::Chosen;
    Ok(Gap { gap, lower, upper, normal, normal_kind, point_a, point_b, status, iterations })
}

fn report(gap: &Gap, a: &Body, b: &Body) -> DistanceReport {
    DistanceReport {
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
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;
    use zerogap_proximity::collider::{ColliderCache, distance_many, gap};

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
        let words = ["box:1,2,3", "halfspace:1,2,3,0.5", "assembly:connecting-rod", "cone:0.5,1"];
        let mut colliders = words.map(|word| body(word).collider()).to_vec();
        colliders.push(Collider::from_mesh(zerogap_geometry::parts::by_name("torus", &[]).unwrap()));
        let place =
            |k: usize| Pose::from_translation(Vec3::new(0.01 * k as f64, 0.5, -0.002 * k as f64)).unwrap();
        let query = |k: usize| {
            let (a, b) = (&colliders[k % 5], &colliders[(k / 5) % 5]);
            ColliderPair::new(a, Pose::identity(), b, place(k))
        };
        let (params, pairs) = (DistanceParams::default(), (0..1000).map(query).collect::<Vec<_>>());
        // Pair 6 is that of two half-spaces.
        let mut answers = vec![Gap::farthest(); 1000];
        let (first, refused) = distance_many(&pairs, &params, &mut answers).unwrap_err();
        assert_eq!(first, 6);
        assert!(refused.to_string().starts_with("two half-spaces have no gap"), "{refused}");
        for (k, answer) in answers.iter().enumerate().filter(|(k, _)| k % 25 != 6) {
            let alone = gap(&query(k), &params, &mut ColliderCache::default()).unwrap();
            assert_eq!(*answer, alone, "pair {k}");
        }
        assert_eq!(distance_many(&pairs, &params, &mut answers[..6]), Ok(()));
    }
}
