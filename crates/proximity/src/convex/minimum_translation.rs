//! The shortest translation that separates two polytopes, and the features that determine its direction.

use zerogap_core::{ContactId, Feature, Gap, Pose};
use zerogap_geometry::ConvexShape;

use super::manifold::{ContactParams, contacts, is_sharp};

/// The features that determine the direction of the shortest translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranslationKind {
    /// A face of A: the direction is its normal.
    FaceOfA,
    /// A face of B: the direction is opposite to its normal.
    FaceOfB,
    /// An edge of each: the direction is perpendicular to both.
    Edges,
}

impl TranslationKind {
    /// Returns the kind in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::FaceOfA => "face of A",
            Self::FaceOfB => "face of B",
            Self::Edges => "edges",
        }
    }
}

/// The shortest translation that separates two polytopes in overlap: B by `-gap.gap * gap.normal`, or A in the opposite direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinimumTranslation {
    /// The gap, not above zero, with its certificate; `normal_kind` states whether another direction is as short.
    pub gap: Gap,
    /// The features that determine the direction; a face of A where faces of both do.
    pub kind: TranslationKind,
    /// The features that touch after the translation, the most general ones.
    pub features: ContactId,
}

/// The shortest translation that separates two polytopes; none where they are apart or one of them is curved.
///
/// Computes: gap and direction as [`super::distance`], with the features that give the direction.
/// Tolerance: 1e-14 of the extent; 2.7e-15 at most for boxes of size 2, as exact as all separating axes.
/// Cost: that of [`super::contacts`]; the paper's sum over all pairs of edges is an oracle of the tests.
/// Fails: never.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::convex::{TranslationKind, minimum_translation};
///
/// let (shelf, book) = (Cuboid::new(Vec3::new(4.0, 4.0, 1.0))?.into(), Cuboid::new(Vec3::repeat(1.0))?.into());
/// let sunk = Pose::from_axis_angle(Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 1.0, 0.0), 0.5)?;
/// let translation = minimum_translation(&shelf, &Pose::identity(), &book, &sunk).expect("they overlap");
/// assert_eq!(translation.kind, TranslationKind::FaceOfA);
/// assert_eq!(translation.gap.normal, Vec3::z());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn minimum_translation(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
) -> Option<MinimumTranslation> {
    if !is_sharp(a) || !is_sharp(b) {
        return None;
    }
    // Contacts at depth, where touching counts as overlap.
    let manifold = contacts(a, pose_a, b, pose_b, &ContactParams::within(0.0));
    let features = manifold.features.filter(|_| manifold.gap.gap <= 0.0)?;
    let kind = match features {
        ContactId { a: Feature::Face(_), .. } => TranslationKind::FaceOfA,
        ContactId { b: Feature::Face(_), .. } => TranslationKind::FaceOfB,
        _ => TranslationKind::Edges,
    };
    // The direction that the features determine: bodies that just touch may be apart as far along another.
    let (gap, normal, normal_kind) = (manifold.gap, manifold.normal, manifold.normal_kind);
    let gap = Gap { normal, normal_kind, point_b: gap.point_a + normal * gap.gap, ..gap };
    Some(MinimumTranslation { gap, kind, features })
}
