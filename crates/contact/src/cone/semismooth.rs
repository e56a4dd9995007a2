//! Newton's method on the laws themselves, from impulses that are nearly right.
//!
//! In: an island and impulses. Out: better ones, mostly exact to rounding within a few steps where every block already does what it does in the end (opens, sticks, slides); else no worse ones, soon. Called first with the
//! impulses of the step before, and again where the interior point method has come near.

use super::Delassus as _;
use super::island::{Island, Misses, follows_any, set, three};
use super::linear::{NormalPush, allowed, linearise, linearise_moment};
use crate::problem::Block;
use zerogap_core::line_search::LineSearch;

/// Stiffness of blocks that hold, in units of one over their inverse mass [-]: redundant blocks share the load by it, and steps that follow make up for what it leaves. Where they are slow at it, as in tall towers, it grows
/// up to the second.
const STIFFNESS: f64 = 1e6;
const MAX_STIFFNESS: f64 = 1e10;
const STIFFEN: f64 = 100.0;
/// Fractions of a step that are tried.
const SEARCH: LineSearch = LineSearch { first: 1.0, shortening: 0.4, max_trials: 3 };
/// Least fraction of the squares that a full step must take away [-].
const MIN_GAIN: f64 = 0.1;
/// A step that leaves more than this fraction of the largest miss is slow [-], and so many of them are the end.
const SLOW: f64 = 0.3;
const MAX_SLOW: usize = 2;
/// A step with a factor kept that leaves more than this fraction of the largest miss is slow [-].
const KEPT: f64 = 0.1;

/// Memory of the method.
#[derive(Debug, Clone, Default)]
pub(super) struct Semismooth {
    change: Vec<f64>,
    tried: Vec<f64>,
    is_symmetric: bool,
}

impl Semismooth {
    /// Improves impulses until they miss no more than `tolerance`, with at most `max_steps` factorisations, and on towards `goal` with the factor that there is; returns what they miss then.
    ///
    /// Method: semismooth Newton on Alart and Curnier's function (1991), the step found in the velocities of groups.
    pub(super) fn solve(
        &mut self,
        island: &mut Island,
        impulses: &mut Vec<f64>,
        (goal, tolerance): (f64, f64),
        max_steps: usize,
    ) -> Misses {
        let mut found = island.follow(impulses);
        let (mut slow, mut factored) = (0, 0);
        let (mut is_factored, mut stiffness) = (false, STIFFNESS);
        while found.worst > goal && slow < MAX_SLOW {
            // What is solved goes on with the factor it has; so does what has the same one.
            let is_same = self.straighten(island, impulses, stiffness);
            let is_kept = is_factored && (is_same || found.worst <= tolerance);
            if !is_kept && factored == max_steps {
                break;
            }
            if !is_kept {
                factored += 1;
                is_factored = island.factor(self.is_symmetric);
                if !is_factored {
                    break;
                }
            }
            if !self.find_step(island) {
                break;
            }
            let mut reached = Misses::NOTHING;
            let searched = SEARCH.search(
                |fraction| {
                    reached = self.follow_part(island, impulses, fraction);
                    reached.sum
                },
                |fraction, sum| sum <= (1.0 - MIN_GAIN * fraction) * found.sum,
            );
            island.info.backtracks += searched.backtracks;
            if !searched.is_last {
                reached = self.follow_part(island, impulses, searched.fraction);
            }
            let is_better = reached.sum < found.sum;
            if !is_better {
                found = island.follow(impulses);
                break;
            }
            std::mem::swap(impulses, &mut self.tried);
            let left = reached.worst / found.worst;
            match (is_kept, left) {
                (false, _) => slow += usize::from(left > SLOW),
                (true, ..KEPT) => {}
                // What is solved is good enough.
                _ if reached.worst <= tolerance || stiffness >= MAX_STIFFNESS => slow = MAX_SLOW,
                _ => stiffness *= STIFFEN,
            }
            found = reached;
        }
        found
    }

    /// The laws near the impulses whose velocities are in the island; whether their slopes are what they were.
    fn straighten(&mut self, island: &mut Island, impulses: &[f64], stiffness: f64) -> bool {
        self.change.resize(impulses.len(), 0.0);
        let (mut is_symmetric, mut is_same) = (true, true);
        for block in 0..island.len() {
            let (rows, law) = island.rows_of(block);
            let (r, u) = (three(&impulses[rows.clone()]), three(&island.u[rows.clone()]));
            let rate = island.rates[block];
            let answer = if let Block::Moment { ratio, contact, .. } = law {
                // Its contact comes before it: what that one pushes is known.
                let normal = island.problem.first(contact);
                let aim = impulses[normal] - island.rates[contact] * island.u[normal];
                let next = impulses[normal] + self.change[normal];
                let push = NormalPush { aim, next, ratio };
                let (answer, follows) = linearise_moment(&law, r, u, rate, stiffness * rate, Some(push));
                is_symmetric &= !follows_any(follows);
                is_same &= island.follows[block].iter().eq(&follows);
                island.follows[block] = follows;
                answer
            } else {
                linearise(&law, r, u, rate, stiffness * rate).yielding(island.problem.compliance(block))
            };
            is_symmetric &= answer.is_symmetric;
            is_same &= island.slopes[block] == answer.slope;
            island.slopes[block] = answer.slope;
            set(&mut self.change, rows, answer.push);
        }
        self.is_symmetric = is_symmetric;
        is_same
    }

    /// The change of impulses by the factor that there is; false where it is not finite.
    fn find_step(&mut self, island: &mut Island) -> bool {
        island.info.iterations += 1;
        island.step.fill(0.0);
        for block in 0..island.len() {
            let (rows, _) = island.rows_of(block);
            island.push_step(block, three(&self.change[rows]));
        }
        island.solve_step();
        for block in 0..island.len() {
            let (rows, _) = island.rows_of(block);
            let du = island.along_step(block);
            for (row, slope) in rows.zip(&island.slopes[block]) {
                self.change[row] -= slope[0] * du[0] + slope[1] * du[1] + slope[2] * du[2];
                if !self.change[row].is_finite() {
                    return false;
                }
            }
        }
        island.follow_contacts(&mut self.change);
        true
    }

    fn follow_part(&mut self, island: &mut Island, impulses: &[f64], fraction: f64) -> Misses {
        self.tried.resize(impulses.len(), 0.0);
        for block in 0..island.len() {
            let (rows, law) = island.rows_of(block);
            let (r, change) = (three(&impulses[rows.clone()]), three(&self.change[rows.clone()]));
            let law = law.under(|contact| self.tried[island.problem.first(contact)]);
            set(&mut self.tried, rows, allowed(&law, [0, 1, 2].map(|k| r[k] + fraction * change[k])));
        }
        island.follow(&self.tried)
    }
}
