//! Disjoint sets that are merged pair by pair (union-find): islands of contacts, shells of triangles.
//!
//! In: how many members there are, and which belong together. Out: the set of a member, named by its smallest member. The name depends on the sets alone, never on the order in which they
//! were merged, so whoever numbers things by it gets the same numbers every time.

/// A partition of the numbers below a count.
///
/// ```
/// use zerogap_core::disjoint_sets::DisjointSets;
///
/// let mut sets = DisjointSets::new(5);
/// sets.join(4, 1);
/// sets.join(3, 4);
/// assert_eq!(sets.find(3), 1);
/// assert_eq!(sets.groups(), [vec![0], vec![1, 3, 4], vec![2]]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DisjointSets {
    /// A smaller member of the same set, or the member itself where it is the smallest.
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Makes `count` sets of one member each.
    pub fn new(count: usize) -> Self {
        let mut sets = Self::default();
        sets.reset(count);
        sets
    }

    /// Makes them `count` sets of one member each again, in the same memory.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    /// Adds a set of one member, which gets the next number.
    pub fn push(&mut self) {
        self.parent.push(self.parent.len() as u32);
    }

    /// Merges the sets of two members.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.parent[one.max(other)] = one.min(other) as u32;
    }

    /// Returns the smallest member of the set that a member belongs to.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member;
        while self.parent[at] as usize != at {
            // Every other link is shortened (path halving), so that paths stay short.
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at
    }

    /// Returns the sets in the order of their smallest members, each ascending.
    pub fn groups(&mut self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.parent.len()];
        for member in 0..self.parent.len() {
            groups[self.find(member)].push(member);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::DisjointSets;
    use crate::random::Random;

    #[test]
    fn sets_are_those_of_a_search_through_all_links_and_named_by_their_smallest_member() {
        let mut random = Random::new(7);
        for count in [1, 2, 9, 60] {
            let links: Vec<[usize; 2]> = (0..count / 2)
                .map(|_| [0, 1].map(|_| random.range(0.0, count as f64) as usize % count))
                .collect();
            let mut sets = DisjointSets::new(0);
            (0..count).for_each(|_| sets.push());
            for [one, other] in &links {
                sets.join(*one, *other);
            }
            // Names spread along the links until nothing changes.
            let mut names: Vec<usize> = (0..count).collect();
            for _ in 0..count {
                for &[one, other] in &links {
                    let name = names[one].min(names[other]);
                    (names[one], names[other]) = (name, name);
                }
            }
            let found: Vec<usize> = (0..count).map(|member| sets.find(member)).collect();
            assert_eq!(found, names);
            assert!(sets.groups().iter().all(|group| group.iter().all(|k| names[*k] == group[0])));
            sets.reset(count);
            assert_eq!(sets, DisjointSets::new(count));
        }
    }
}
