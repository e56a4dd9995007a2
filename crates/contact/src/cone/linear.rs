//! The law of a block, straightened: how its impulse changes with its velocity near where they are.
//!
//! In: impulse `r` and velocity `u` of a block. Out: `c` and `G` such that the impulse changes by `c - G du` when the velocity changes by `du`. Normal first, then friction within its bound (Alart and Curnier 1991): what a
//! block does (open, stick, slide) follows from `r - rate u`. Blocks that hold do so with a stiffness that is large but finite, so that redundant blocks share the load; steps that follow make up for it.

use crate::problem::Block;

/// `c` and `G`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Linear {
    pub(crate) push: [f64; 3],
    pub(crate) slope: [[f64; 3]; 3],
    pub(crate) is_symmetric: bool,
}

/// Impulses that the law allows, near `y`: no pulling, then friction within its bound.
pub(crate) fn allowed(law: &Block, y: [f64; 3]) -> [f64; 3] {
    match *law {
        Block::Bilateral => y,
        Block::Unilateral => [y[0].max(0.0), 0.0, 0.0],
        Block::Bounded { lower, upper } => [y[0].max(lower).min(upper), 0.0, 0.0],
        Block::Contact { friction, .. } => {
            let n = y[0].max(0.0);
            let length = (y[1] * y[1] + y[2] * y[2]).sqrt();
            let fraction = if length > friction * n { friction * n / length } else { 1.0 };
            [n, fraction * y[1], fraction * y[2]]
        }
    }
}

/// The law near `r` and `u`; `rate` is impulse per velocity, `stiffness` the same for what holds.
pub(crate) fn linearise(law: &Block, r: [f64; 3], u: [f64; 3], rate: f64, stiffness: f64) -> Linear {
    let k = stiffness;
    let open = Linear { push: r.map(|x| -x), slope: [[0.0; 3]; 3], is_symmetric: true };
    if rate <= 0.0 {
        return Linear { push: [0.0; 3], ..open };
    }
    let y = [0, 1, 2].map(|i: usize| r[i] - rate * u[i]);
    let constrained_row = |push: f64| Linear {
        push: [push, 0.0, 0.0],
        slope: [[k, 0.0, 0.0], [0.0; 3], [0.0; 3]],
        is_symmetric: true,
    };
    match *law {
        Block::Bilateral => constrained_row(-k * u[0]),
        Block::Unilateral => {
            if y[0] >= 0.0 {
                constrained_row(-k * u[0])
            } else {
                open
            }
        }
        Block::Bounded { lower, upper } => {
            let inside = y[0].max(lower).min(upper);
            if lower < upper && y[0] >= lower && y[0] <= upper {
                constrained_row(-k * u[0])
            } else {
                Linear { push: [inside - r[0], 0.0, 0.0], ..open }
            }
        }
        Block::Contact { friction: mu, .. } => {
            if y[0] < 0.0 {
                return open;
            }
            let length = (y[1] * y[1] + y[2] * y[2]).sqrt();
            if length <= mu * y[0] && mu > 0.0 {
                return Linear {
                    push: u.map(|x| -k * x),
                    slope: [[k, 0.0, 0.0], [0.0, k, 0.0], [0.0, 0.0, k]],
                    is_symmetric: true,
                };
            }
            // Along the friction it follows the normal impulse; across it turns with the velocity, stiffer the nearer to sticking.
            let d = if length > 0.0 { [y[1] / length, y[2] / length] } else { [0.0; 2] };
            let q = [-d[1], d[0]];
            let fraction = if length > 0.0 { (mu * y[0] / length).min(1.0) } else { 0.0 };
            let turn = rate / (1.0 - fraction + rate / k);
            let along = mu * (r[0] - k * u[0]) - (d[0] * r[1] + d[1] * r[2]);
            let across =
                if mu > 0.0 { -turn * (q[0] * u[1] + q[1] * u[2]) } else { -(q[0] * r[1] + q[1] * r[2]) };
            let c = turn * fraction;
            Linear {
                push: [-k * u[0], d[0] * along + q[0] * across, d[1] * along + q[1] * across],
                slope: [
                    [k, 0.0, 0.0],
                    [mu * k * d[0], c * q[0] * q[0], c * q[0] * q[1]],
                    [mu * k * d[1], c * q[0] * q[1], c * q[1] * q[1]],
                ],
                is_symmetric: mu == 0.0,
            }
        }
    }
}

impl Linear {
    /// The same where a row yields to its own impulse: `du` is then that of the groups alone.
    pub(crate) fn yielding(self, compliance: f64) -> Self {
        if compliance <= 0.0 {
            return self;
        }
        let less = 1.0 / (1.0 + self.slope[0][0] * compliance);
        Self {
            push: self.push.map(|x| less * x),
            slope: self.slope.map(|row| row.map(|x| less * x)),
            is_symmetric: self.is_symmetric,
        }
    }
}

/// The derivative of [`allowed`], and whether it is symmetric.
pub(crate) fn allowed_slope(law: &Block, y: [f64; 3]) -> ([[f64; 3]; 3], bool) {
    let mut slope = [[0.0; 3]; 3];
    match *law {
        Block::Bilateral => slope[0][0] = 1.0,
        Block::Unilateral => slope[0][0] = f64::from(u8::from(y[0] > 0.0)),
        Block::Bounded { lower, upper } => {
            slope[0][0] = f64::from(u8::from(y[0] > lower && y[0] < upper));
        }
        Block::Contact { friction: mu, .. } => {
            if y[0] <= 0.0 {
                return (slope, true);
            }
            slope[0][0] = 1.0;
            let length = (y[1] * y[1] + y[2] * y[2]).sqrt();
            if length <= mu * y[0] {
                slope[1][1] = 1.0;
                slope[2][2] = 1.0;
                return (slope, true);
            }
            // Friction has the length mu n: it follows the normal impulse, and turns.
            let d = [y[1] / length, y[2] / length];
            let turn = mu * y[0] / length;
            for i in 0..2 {
                slope[1 + i][0] = mu * d[i];
                for j in 0..2 {
                    slope[1 + i][1 + j] = turn * (f64::from(u8::from(i == j)) - d[i] * d[j]);
                }
            }
            return (slope, mu == 0.0);
        }
    }
    (slope, true)
}
