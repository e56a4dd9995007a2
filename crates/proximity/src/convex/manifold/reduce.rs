//! Four contacts that stand for many.
//!
//! In: the contacts of a manifold in order around it. Out: at most four of them, in the same order, with their ids: the deepest one and those that
//! span the largest area with it. For solvers that want few unknowns; a manifold of more corners loses a part of its border.

use zerogap_core::Contact;

/// Keeps at most four contacts.
pub(super) fn reduce_to_four(contacts: &mut Vec<Contact>) {
    if contacts.len() <= 4 {
        return;
    }
    let normal = contacts[0].normal;
    let at = |k: usize| contacts[k].point_a;
    // The deepest, for no overlap may be lost; the first of equals.
    let deepest = best(contacts.len(), |k| -contacts[k].gap);
    let farthest = best(contacts.len(), |k| (at(k) - at(deepest)).norm_squared());
    // On both sides of the line between these two, the one that adds most area.
    let across = normal.cross(&(at(farthest) - at(deepest)));
    let side = |k: usize| across.dot(&(at(k) - at(deepest)));
    let (left, right) = (best(contacts.len(), side), best(contacts.len(), |k| -side(k)));
    let kept = [deepest, farthest, left, right];
    let mut place = 0;
    contacts.retain(|_| {
        place += 1;
        kept.contains(&(place - 1))
    });
}

/// The first index with the largest value.
fn best(count: usize, value: impl Fn(usize) -> f64) -> usize {
    (1..count).fold(0, |best, k| if value(k) > value(best) { k } else { best })
}
