//! One contact for each place: the same two points often have several pairs of faces that support them.
//!
//! In: contacts of faces in any order. Out: a mark on those to keep: of contacts whose points agree the one with the lowest classes, then with the lowest
//! features. The marks do not depend on the order of the input.

use zerogap_core::Vec3;

/// A contact of two faces in the frame of A, before equal ones are merged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    /// Faces of A and B.
    pub(super) faces: [u32; 2],
    /// Classes of the two faces.
    pub(super) classes: [u8; 2],
    /// Points of A and B [m].
    pub(super) points: [Vec3; 2],
    /// Distance of the two points [m].
    pub(super) distance: f64,
    /// See `leaf::Nearest::side`.
    pub(super) side: f64,
}

impl Raw {
    /// Which of two equal contacts is kept: the smaller. It hardly changes when A and B are swapped.
    fn rank(&self) -> (u8, u32, u32, u32) {
        let [a, b] = self.faces;
        (self.classes[0] + self.classes[1], a.min(b), a.max(b), a)
    }
}

/// Scratch of merging.
#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    /// Contacts by the first coordinate of A's point.
    by_place: Vec<u32>,
    /// Contacts by rank.
    by_rank: Vec<u32>,
    kept: Vec<bool>,
}

impl Merge {
    /// Drops all but one of the contacts whose points both agree within `delta` [m], and sorts by faces.
    pub(super) fn run(&mut self, raw: &mut Vec<Raw>, delta: f64) {
        let first = |k: &u32| raw[*k as usize].points[0].x;
        self.by_place.clear();
        self.by_place.extend(0..raw.len() as u32);
        self.by_place.sort_unstable_by(|i, j| first(i).total_cmp(&first(j)).then(i.cmp(j)));
        self.by_rank.clear();
        self.by_rank.extend(0..raw.len() as u32);
        self.by_rank.sort_unstable_by_key(|&k| raw[k as usize].rank());
        self.kept.clear();
        self.kept.resize(raw.len(), false);
        for &k in &self.by_rank {
            let this = &raw[k as usize];
            let x = this.points[0].x;
            let from = self.by_place.partition_point(|j| first(j) < x - delta);
            let mut near = self.by_place[from..].iter().take_while(|j| first(j) <= x + delta);
            let repeats = near.any(|&j| {
                let other = &raw[j as usize];
                self.kept[j as usize]
                    && (0..2)
                        .all(|side| (other.points[side] - this.points[side]).norm_squared() <= delta * delta)
            });
            self.kept[k as usize] = !repeats;
        }
        let mut kept = self.kept.iter();
        raw.retain(|_| kept.next().copied().unwrap_or(true));
        raw.sort_unstable_by_key(|contact| contact.faces);
    }
}
