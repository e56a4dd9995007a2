//! All pairs of faces, one by one: the oracle of the hierarchy.

use zerogap_core::Pose;

use super::body::ComplexBody;
use super::query::{QuasiContact, QuasiParams, between, finished, judged};

/// The quasi-LMDs of two complexes without a hierarchy, in the same order and with the same bits as with one. Nothing is said about overlaps.
///
/// Cost: O(n m) for n and m faces. A half-space has no faces to try: the answer is then empty.
pub fn quasi_contacts_brute(
    a: &ComplexBody,
    pose_a: &Pose,
    b: &ComplexBody,
    pose_b: &Pose,
    params: &QuasiParams,
) -> Vec<QuasiContact> {
    let (Some(one), Some(two)) = (a.complex(), b.complex()) else { return Vec::new() };
    let relative = between(pose_a, pose_b);
    let cutoff = params.within + a.dilation() + b.dilation();
    let (mut raw, mut overlaps) = (Vec::new(), Vec::new());
    for face_a in 0..one.face_count() as u32 {
        for face_b in 0..two.face_count() as u32 {
            judged((one, face_a), (two, face_b), &relative, params, cutoff, &mut raw, &mut overlaps);
        }
    }
    finished(a, b, pose_a, params, raw)
}
