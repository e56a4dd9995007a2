//! Gauss-Seidel: the loop over blocks that all sweeps of this crate share.
//!
//! In: something whose blocks can be solved one at a time, given all others ([`Relaxation`]). Out: that, relaxed. Used with the exact solution of one contact (`cone::gauss_seidel`), with a projected step for the normal
//! force and then friction (`solve::gauss_seidel`), and with a projected step for one distance (`solve::fischer`).

/// A problem that is relaxed block by block.
pub(crate) trait Relaxation {
    /// Number of blocks.
    fn blocks(&self) -> usize;

    /// Solves one block given what all others do; returns how much that changed it.
    fn relax(&mut self, block: usize) -> f64;

    /// Called after every sweep with the number of sweeps so far and the largest change in the last one; returns whether to stop.
    fn is_done(&mut self, sweeps: usize, moved: f64) -> bool;
}

/// Order in which blocks are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// From the first to the last, in every sweep.
    Forward,
    /// Forth and back in turn: what one end of a stack learns reaches the other in one sweep.
    Alternating,
}

/// Sweeps over all blocks until the problem is done, `max_sweeps` times at most; returns the number of sweeps made.
pub(crate) fn sweep(problem: &mut impl Relaxation, order: Order, max_sweeps: usize) -> usize {
    let blocks = problem.blocks();
    for sweeps in 0..max_sweeps {
        let is_back = order == Order::Alternating && sweeps % 2 == 1;
        let mut moved = 0.0_f64;
        for k in 0..blocks {
            moved = moved.max(problem.relax(if is_back { blocks - 1 - k } else { k }));
        }
        if problem.is_done(sweeps + 1, moved) {
            return sweeps + 1;
        }
    }
    max_sweeps
}

/// Returns whether every value is within a limit and a number: others mean that sweeps diverge.
pub(crate) fn is_within(values: &[f64], limit: f64) -> bool {
    values.iter().all(|x| x.abs() <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down who is visited.
    struct Log(Vec<usize>);

    impl Relaxation for Log {
        fn blocks(&self) -> usize {
            3
        }

        fn relax(&mut self, block: usize) -> f64 {
            self.0.push(block);
            block as f64
        }

        fn is_done(&mut self, sweeps: usize, moved: f64) -> bool {
            assert!(moved.total_cmp(&2.0).is_eq());
            sweeps == 3
        }
    }

    #[test]
    fn blocks_are_visited_in_order_until_the_problem_is_done() {
        let mut log = Log(Vec::new());
        assert_eq!(sweep(&mut log, Order::Forward, 2), 2);
        assert_eq!(log.0, [0, 1, 2, 0, 1, 2]);
        log.0.clear();
        assert_eq!(sweep(&mut log, Order::Alternating, 9), 3);
        assert_eq!(log.0, [0, 1, 2, 2, 1, 0, 0, 1, 2]);
    }
}
