//! Groups that touch, directly or through others: they must move by the same rule.

use zerogap_contact::cone::{BodyProblem, Delassus};

/// Sets of groups, each named by its smallest.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    parent: Vec<u32>,
}

impl Islands {
    /// Joins the groups of every block that is `active`.
    pub(super) fn find(&mut self, problem: &BodyProblem, mut active: impl FnMut(usize) -> bool) {
        self.part(problem.groups().len());
        for block in 0..problem.blocks().len() {
            if let [Some(one), Some(other)] = problem.sides(block)
                && active(block)
            {
                self.join(one.group, other.group);
            }
        }
    }

    /// Makes every group an island.
    pub(super) fn part(&mut self, groups: usize) {
        self.parent.clear();
        self.parent.extend(0..groups as u32);
    }

    /// Joins the islands of two groups.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.parent[one.max(other)] = one.min(other) as u32;
    }

    /// The island of a group.
    pub(super) fn of(&mut self, group: usize) -> usize {
        let mut at = group;
        while self.parent[at] as usize != at {
            // Every other link is cut short, so that ways stay short.
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at
    }
}
