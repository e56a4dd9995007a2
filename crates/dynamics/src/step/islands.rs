//! Groups that touch, directly or through others: they must move by the same rule.

use zerogap_contact::cone::{BodyProblem, Delassus};
use zerogap_core::disjoint_sets::DisjointSets;

/// Joins the groups of every block that is `active`; islands are named by their smallest group.
pub(super) fn find_islands(
    islands: &mut DisjointSets,
    problem: &BodyProblem,
    mut active: impl FnMut(usize) -> bool,
) {
    islands.reset(problem.groups().len());
    for block in 0..problem.blocks().len() {
        if let [Some(one), Some(other)] = problem.sides(block)
            && active(block)
        {
            islands.join(one.group, other.group);
        }
    }
}
