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
        Block::Moment { ratio, .. } => {
            let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
            let fraction = if length > ratio { ratio / length } else { 1.0 };
            [fraction * y[0], fraction * y[1], 0.0]
        }
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
        Block::Moment { .. } => linearise_moment(law, r, u, rate, k, None).0,
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

/// What a moment needs to know of its contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NormalPush {
    /// The normal impulse that the contact aims at: how hard it pushes, by what its velocity asks for.
    pub(crate) aim: f64,
    /// The normal impulse after a step in which no velocity changes.
    pub(crate) next: f64,
    /// Largest moment over it.
    pub(crate) ratio: f64,
}

/// The law of a moment near `r` and `u`, and how much it changes with the normal impulse of its contact; without one the bound is the ratio.
pub(crate) fn linearise_moment(
    law: &Block,
    r: [f64; 3],
    u: [f64; 3],
    rate: f64,
    stiffness: f64,
    normal: Option<NormalPush>,
) -> (Linear, [f64; 2]) {
    let k = stiffness;
    let none = Linear { push: r.map(|x| -x), slope: [[0.0; 3]; 3], is_symmetric: true };
    let Block::Moment { axes, ratio, .. } = *law else { return (none, [0.0; 2]) };
    let (bound, next) =
        normal.map_or((ratio, ratio), |n| (n.ratio * n.aim.max(0.0), n.ratio * n.next.max(0.0)));
    if rate <= 0.0 {
        return (Linear { push: [0.0; 3], ..none }, [0.0; 2]);
    }
    if bound <= 0.0 {
        return (none, [0.0; 2]);
    }
    let y = [r[0] - rate * u[0], r[1] - rate * u[1]];
    let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
    if length <= bound {
        let mut slope = [[0.0; 3]; 3];
        (0..axes).for_each(|i| slope[i][i] = k);
        return (Linear { push: u.map(|x| -k * x), slope, is_symmetric: true }, [0.0; 2]);
    }
    // As friction does: along, it follows the normal impulse; across, it turns with the velocity.
    let d = [y[0] / length, y[1] / length];
    let q = [-d[1], d[0]];
    let fraction = (bound / length).min(1.0);
    let turn = rate / (1.0 - fraction + rate / k);
    let along = next - (d[0] * r[0] + d[1] * r[1]);
    let across = -turn * (q[0] * u[0] + q[1] * u[1]);
    let c = if axes == 2 { turn * fraction } else { 0.0 };
    let across = if axes == 2 { across } else { 0.0 };
    let linear = Linear {
        push: [d[0] * along + q[0] * across, d[1] * along + q[1] * across, 0.0],
        slope: [[c * q[0] * q[0], c * q[0] * q[1], 0.0], [c * q[0] * q[1], c * q[1] * q[1], 0.0], [0.0; 3]],
        is_symmetric: true,
    };
    let follows = normal.map_or(0.0, |n| n.ratio);
    (linear, d.map(|d| follows * d))
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

/// How much a moment that its law allows changes with the normal impulse of its contact; `law` is under that impulse, `ratio` what it is of it.
pub(crate) fn allowed_follows(law: &Block, y: [f64; 3], ratio: f64) -> [f64; 2] {
    let Block::Moment { ratio: bound, .. } = *law else { return [0.0; 2] };
    let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
    if length > bound { [ratio * y[0] / length, ratio * y[1] / length] } else { [0.0; 2] }
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
        Block::Moment { axes, ratio, .. } => {
            let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
            let is_inside = length <= ratio;
            let d = if is_inside { [0.0; 2] } else { [y[0] / length, y[1] / length] };
            let turn = if is_inside { 1.0 } else { ratio / length };
            for i in 0..axes {
                for j in 0..axes {
                    slope[i][j] = turn * (f64::from(u8::from(i == j)) - d[i] * d[j]);
                }
            }
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
