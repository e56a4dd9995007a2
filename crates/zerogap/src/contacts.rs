//! Contacts of bodies given by name, as every interface reports them.
//!
//! In: two [`Body`]s, poses and parameters. Out: a [`ContactReport`] with the contact points, the same for the command (as a
//! sheet or JSON) and for Python. Many pairs are [`zerogap_proximity::collider::contacts_many`]'s; same bits for any number
//! of threads.

use serde::Serialize;
use zerogap_core::{Contact, ContactId, Feature, Pose, Vec3};
use zerogap_proximity::ContactParams;
use zerogap_proximity::collider::{ColliderError, ContactSet, contacts};
use zerogap_proximity::convex::{CandidateNormal, ContactPlane, TranslationKind, minimum_translation};
use zerogap_proximity::kinematics::gap_row;

use crate::distance::{Body, Read};

/// The contacts of two bodies. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContactReport {
    /// Signed distance of the bodies [m]: the smallest of all contacts.
    pub gap: f64,
    /// Lower bound of the exact signed distance [m].
    pub lower: f64,
    /// Upper bound of the exact signed distance [m].
    pub upper: f64,
    /// Unit vector from A to B, that of all contacts [-].
    pub normal: [f64; 3],
    /// `unique` or `chosen`.
    pub normal_kind: &'static str,
    /// Features that determine the direction where two polytopes overlap: `face of A`, `face of B` or `edges`; none for others.
    pub kind: Option<&'static str>,
    /// `exact`, `converged`, `farther` or `limited`.
    pub status: &'static str,
    /// The most general features in contact; none where there are no contacts.
    pub features: Option<Features>,
    /// The contacts in order around the contact region; none where the bodies are farther apart than the requested distance.
    pub contacts: Vec<ContactPoint>,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
}

/// The features of two bodies in contact, such as `face 5` and `edge 2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Features {
    /// The feature of A.
    pub a: String,
    /// The feature of B.
    pub b: String,
}

zerogap_core::store_struct!(Features { a, b });

/// One contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContactPoint {
    /// Signed distance of the two surfaces here, along the normal [m].
    pub gap: f64,
    /// Unit vector from A to B, the same for all contacts [-].
    pub normal: [f64; 3],
    /// The point of A [m].
    pub point_a: [f64; 3],
    /// The point of B [m].
    pub point_b: [f64; 3],
    /// Persistent name of the contact: `vertex 3 on face 0`.
    pub id: String,
    /// The same name as the one number that Rust and Python have for it ([`ContactId::packed`]), in decimal digits. Text, for it has 64 bits,
    /// and many readers of JSON keep only 53 of a number.
    pub key: String,
    /// The feature of A.
    pub feature_a: String,
    /// The feature of B.
    pub feature_b: String,
    /// Numbers of the pieces of A and B that it is between; none where neither is made of pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<[u32; 2]>,
}

impl ContactPoint {
    /// The row of the contact in the equations of motion: see [`gap_row`].
    pub fn row(&self, origin_a: &Vec3, origin_b: &Vec3) -> [f64; 12] {
        let id = ContactId { a: Feature::Surface(0), b: Feature::Surface(0) };
        let [normal, point_a, point_b] = [self.normal, self.point_a, self.point_b].map(Vec3::from);
        gap_row(&Contact { gap: self.gap, normal, point_a, point_b, id }, origin_a, origin_b)
    }
}

/// The contact plane of two convex bodies. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaneReport {
    /// Unit vector from A to B [-].
    pub normal: [f64; 3],
    /// The plane is `normal · x = offset` [m].
    pub offset: f64,
    /// Every direction that would do as the normal, the best first.
    pub candidates: Vec<CandidateReport>,
}

/// A direction that would do as the normal of a contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateReport {
    /// Unit vector from A to B [-].
    pub normal: [f64; 3],
    /// How far the bodies are apart along it [m].
    pub separation: f64,
    /// `face of A`, `face of B` or `edges`; none for the direction of the nearest points.
    pub kind: Option<&'static str>,
}

impl From<&ContactPlane> for PlaneReport {
    fn from(plane: &ContactPlane) -> Self {
        let candidate = |candidate: &CandidateNormal| CandidateReport {
            normal: candidate.normal.into(),
            separation: candidate.separation,
            kind: candidate.kind.map(TranslationKind::word),
        };
        let candidates = plane.candidates.iter().map(candidate).collect();
        Self { normal: plane.normal.into(), offset: plane.offset, candidates }
    }
}

impl From<ContactId> for Features {
    fn from(id: ContactId) -> Self {
        Self { a: id.a.to_string(), b: id.b.to_string() }
    }
}

impl From<&Contact> for ContactPoint {
    fn from(contact: &Contact) -> Self {
        let Features { a: feature_a, b: feature_b } = contact.id.into();
        Self {
            gap: contact.gap,
            normal: contact.normal.into(),
            point_a: contact.point_a.into(),
            point_b: contact.point_b.into(),
            id: contact.id.to_string(),
            key: contact.id.packed().to_string(),
            feature_a,
            feature_b,
            pieces: None,
        }
    }
}

/// Returns the contacts of two bodies.
pub fn touch(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    params: &ContactParams,
) -> Result<ContactReport, ColliderError> {
    let (collider_a, collider_b) = (a.collider(), b.collider());
    let set = contacts(&collider_a, pose_a, &collider_b, pose_b, params)?;
    let ContactSet { manifold, pieces, .. } = &set;
    let gap = &manifold.gap;
    // Bodies that may just touch overlap in no direction.
    let translation = match (a.shape.as_convex(), b.shape.as_convex()) {
        (Some(a), Some(b)) if gap.upper < 0.0 => minimum_translation(a, pose_a, b, pose_b),
        _ => None,
    };
    Ok(ContactReport {
        gap: gap.gap,
        lower: gap.lower,
        upper: gap.upper,
        normal: manifold.normal.into(),
        normal_kind: manifold.normal_kind.word(),
        kind: translation.map(|translation| translation.kind.word()),
        status: gap.status.word(),
        features: manifold.features.map(Into::into),
        contacts: manifold
            .contacts
            .iter()
            .enumerate()
            .map(|(k, contact)| ContactPoint { pieces: pieces.get(k).copied(), ..contact.into() })
            .collect(),
        a: a.read.clone(),
        b: b.read.clone(),
    })
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::target::ReadOptions;
    use zerogap_proximity::collider::{ColliderCache, ColliderPair, contacts_into, contacts_many};

    use super::*;

    fn body(word: &str) -> Body {
        Body::resolve(word, &ReadOptions::default()).unwrap()
    }

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z)).unwrap()
    }

    #[test]
    fn a_box_on_a_box_touches_in_four_named_points() {
        let cube = body("box:1,1,1");
        let touched =
            touch(&cube, &Pose::identity(), &cube, &at(0.5, 0.0, 1.0), &ContactParams::default()).unwrap();
        assert_eq!(touched.features, Some(Features { a: "face 5".to_owned(), b: "face 4".to_owned() }));
        assert_eq!(touched.contacts.len(), 4);
        let mut names: Vec<&str> = touched.contacts.iter().map(|contact| contact.id.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 4, "names are unique");
        for contact in &touched.contacts {
            assert_eq!(contact.id, format!("{} on {}", contact.feature_a, contact.feature_b));
            let key = ContactId::unpacked(contact.key.parse().unwrap());
            assert_eq!(key.to_string(), contact.id, "key and name are one");
        }
    }

    #[test]
    fn what_gives_the_direction_is_told_where_polytopes_overlap() {
        let kind = |a: &str, b: &str, pose: &Pose| {
            touch(&body(a), &Pose::identity(), &body(b), pose, &ContactParams::default()).unwrap().kind
        };
        assert_eq!(kind("box:4,4,1", "box:1,1,1", &at(0.0, 0.0, 0.9)), Some("face of A"));
        // Just touching, apart, or curved: no answer.
        assert_eq!(kind("box:4,4,1", "box:1,1,1", &at(0.0, 0.0, 1.0)), None);
        assert_eq!(kind("box:4,4,1", "box:1,1,1", &at(0.0, 0.0, 2.0)), None);
        assert_eq!(kind("box:4,4,1", "sphere:0.5", &at(0.0, 0.0, 0.9)), None);
        assert_eq!(kind("halfspace:0,0,1,0", "box:1,1,1", &at(0.0, 0.0, 0.4)), None);
    }

    #[test]
    fn bodies_farther_apart_than_asked_have_neither_contacts_nor_features() {
        let cube = body("box:1,1,1");
        let there = at(0.0, 0.0, 1.002);
        let near = touch(&cube, &Pose::identity(), &cube, &there, &ContactParams::within(3e-3)).unwrap();
        assert_eq!(near.contacts.len(), 4);
        let far = touch(&cube, &Pose::identity(), &cube, &there, &ContactParams::within(1e-3)).unwrap();
        assert_eq!((far.contacts.len(), far.features, far.status), (0, None, "farther"));
        assert!(far.lower > 1e-3);
    }

    #[test]
    fn many_manifolds_have_the_bits_of_each_alone_for_any_number_of_threads() {
        let words = ["box:1,2,3", "halfspace:1,2,3,0.5", "assembly:connecting-rod", "cylinder:0.5,1"];
        let colliders = words.map(|word| body(word).collider());
        // A half-space can only be paired with the other shapes.
        let query = |k: usize| {
            let (a, b) = (&colliders[k % 4], &colliders[[0, 2, 3][(k / 4) % 3]]);
            ColliderPair::new(a, Pose::identity(), b, at(2e-3 * k as f64, 0.5, -2e-3 * k as f64))
        };
        let params = ContactParams::within(0.1);
        let alone = |k: usize| {
            let mut set = ContactSet::default();
            let cache = &mut ColliderCache::default();
            contacts_into(&query(k), &params, cache, &mut set).unwrap();
            set
        };
        let alone: Vec<ContactSet> = (0..600).map(alone).collect();
        assert!(alone.iter().filter(|set| set.manifold.contacts.len() > 1).count() > 100);
        let pairs: Vec<ColliderPair<'_>> = (0..600).map(query).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut answers = vec![ContactSet::default(); 600];
            pool.install(|| contacts_many(&pairs, &params, &mut answers)).unwrap();
            assert_eq!(answers, alone, "{threads} threads");
        }
    }

    #[test]
    fn the_first_pair_without_contacts_to_find_is_named() {
        let shapes = ["box:1,1,1", "halfspace:0,0,1,0"].map(|word| body(word).collider());
        let floor = |k: usize| {
            ColliderPair::new(&shapes[usize::from(k >= 7)], Pose::identity(), &shapes[1], Pose::identity())
        };
        let mut answers = vec![ContactSet::default(); 20];
        let pairs: Vec<ColliderPair<'_>> = (0..20).map(floor).collect();
        let refused = contacts_many(&pairs, &ContactParams::default(), &mut answers);
        let (first, refused) = refused.unwrap_err();
        assert_eq!(first, 7);
        assert!(refused.to_string().starts_with("two half-spaces have no contacts"), "{refused}");
    }
}
