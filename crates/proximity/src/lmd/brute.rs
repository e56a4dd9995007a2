//! All pairs of faces, one by one: the oracle of the hierarchy.

use zerogap_core::Pose;

use super::body::{ComplexBody, Form};
use super::query::{QuasiContact, QuasiParams, between, finished};
use super::search::{Body, FaceContacts, Question};

/// The quasi-LMDs of two complexes without a hierarchy, in the same order and with the same bits as with one. Overlaps are not reported.
///
/// Cost: O(n m) for n and m faces. A half-space has no faces to try: the answer is then empty.
pub fn quasi_contacts_brute(
    a: &ComplexBody,
    pose_a: &Pose,
    b: &ComplexBody,
    pose_b: &Pose,
    params: &QuasiParams,
) -> Vec<QuasiContact> {
    let (Form::Bounded { complex: one, tree: tree_a, .. }, Form::Bounded { complex: two, tree: tree_b, .. }) =
        (&a.form, &b.form)
    else {
        return Vec::new();
    };
    let relative = between(pose_a, pose_b);
    let cutoff = params.within + a.dilation() + b.dilation();
    let (body_a, body_b) = (Body { complex: one, tree: tree_a }, Body { complex: two, tree: tree_b });
    let ask = Question { a: body_a, b: body_b, relative: &relative, params, cutoff };
    let mut found = FaceContacts::default();
    for face_a in 0..one.face_count() as u32 {
        for face_b in 0..two.face_count() as u32 {
            ask.judge(face_a, face_b, &mut found);
        }
    }
    finished(a, b, pose_a, params, found)
}
