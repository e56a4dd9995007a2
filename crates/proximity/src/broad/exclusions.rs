//! Which bodies never pair with each other, two by two or as groups.
//!
//! In: pairs and groups of bodies, by their numbers. Out: whether two bodies are excluded, in time that grows with the logarithm of how many there are. A group of `n` bodies takes memory for `n`,
//! not for its pairs.

use std::collections::{BTreeMap, BTreeSet};

/// Pairs and groups of bodies that never pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Exclusions {
    /// The smaller number first.
    pairs: BTreeSet<(u32, u32)>,
    /// The groups that each body is in, rising.
    groups: BTreeMap<u32, Vec<u32>>,
    group_count: u32,
}

fn ordered(body: u32, other: u32) -> (u32, u32) {
    (body.min(other), body.max(other))
}

impl Exclusions {
    /// Excludes two bodies; whether that is new.
    pub(super) fn insert(&mut self, body: u32, other: u32) -> bool {
        self.pairs.insert(ordered(body, other))
    }

    /// Undoes [`Exclusions::insert`]; whether there was anything to undo.
    pub(super) fn remove(&mut self, body: u32, other: u32) -> bool {
        self.pairs.remove(&ordered(body, other))
    }

    /// Excludes every two of a group of bodies.
    pub(super) fn insert_group(&mut self, bodies: &[u32]) {
        for body in bodies {
            let groups = self.groups.entry(*body).or_default();
            // A body that is named twice is in the group once.
            if groups.last() != Some(&self.group_count) {
                groups.push(self.group_count);
            }
        }
        self.group_count += 1;
    }

    /// Whether two bodies never pair.
    pub(super) fn contains(&self, body: u32, other: u32) -> bool {
        if self.pairs.contains(&ordered(body, other)) {
            return true;
        }
        match (self.groups.get(&body), self.groups.get(&other)) {
            (Some(of_one), Some(of_other)) => {
                of_one.iter().any(|group| of_other.binary_search(group).is_ok())
            }
            _ => false,
        }
    }

    /// Whether no bodies are excluded.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.groups.is_empty()
    }

    /// The pairs that were excluded two by two, the smaller number first, rising.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pairs.iter().copied()
    }

    /// The groups that a body is in, rising.
    pub(super) fn groups_of(&self, body: u32) -> &[u32] {
        self.groups.get(&body).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_excludes_every_two_of_its_bodies_and_nobody_else() {
        let mut exclusions = Exclusions::default();
        exclusions.insert_group(&[3, 1, 7, 3]);
        exclusions.insert_group(&[7, 9]);
        for (body, other) in [(1, 3), (7, 1), (3, 7), (9, 7)] {
            assert!(exclusions.contains(body, other) && exclusions.contains(other, body));
        }
        assert!(!exclusions.contains(1, 9) && !exclusions.contains(1, 2));
        assert!(exclusions.insert(9, 1) && !exclusions.insert(1, 9) && exclusions.contains(1, 9));
        assert!(exclusions.remove(1, 9) && !exclusions.contains(9, 1));
    }
}
