//! What a block pushes when it is let to yield a little, and how that changes with its velocity.
//!
//! In: `y = r - R u`, the impulse before and the velocity after times a stiffness. Out: the impulse nearest to `y` that the law allows, and its derivative. Where `r` stays, `u` obeys the law exactly.
//! Two laws for contacts: [`Form::Convex`], the projection onto the cone (with De Saxcé's term held fixed in `y`: what it belongs to is a minimum, and can always be found), and [`Form::Exact`],
//! normal first and then friction within its bound (Alart and Curnier 1991), which needs no such term but has an unsymmetric derivative.

use super::onto_cone;
use crate::problem::Block;

/// Which law of friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Convex,
    Exact,
}

/// How impulses follow `y`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Slope {
    /// Not at all: open.
    Open,
    /// One to one: held.
    Held,
    /// Sliding: rows by columns of the derivative.
    Sliding([[f64; 3]; 3]),
}

/// The impulse.
pub(crate) fn impulse(form: Form, law: &Block, y: [f64; 3]) -> [f64; 3] {
    match *law {
        Block::Bilateral => y,
        Block::Unilateral => [y[0].max(0.0), 0.0, 0.0],
        Block::Contact { friction, .. } => match form {
            Form::Convex => onto_cone(y, friction),
            Form::Exact => {
                let n = y[0].max(0.0);
                let length = (y[1] * y[1] + y[2] * y[2]).sqrt();
                let share = if length > friction * n { friction * n / length } else { 1.0 };
                [n, share * y[1], share * y[2]]
            }
        },
    }
}

/// Its derivative; one of them at kinks, the stiffest.
pub(crate) fn slope(form: Form, law: &Block, y: [f64; 3]) -> Slope {
    match *law {
        Block::Bilateral => Slope::Held,
        Block::Unilateral => {
            if y[0] >= 0.0 {
                Slope::Held
            } else {
                Slope::Open
            }
        }
        Block::Contact { friction: mu, .. } => {
            let length = (y[1] * y[1] + y[2] * y[2]).sqrt();
            if length <= mu * y[0] && (mu > 0.0 || y[0] >= 0.0 && length == 0.0) {
                return Slope::Held;
            }
            let d = if length > 0.0 { [y[1] / length, y[2] / length] } else { [0.0; 2] };
            match form {
                Form::Convex => {
                    let height = (y[0] + mu * length) / (1.0 + mu * mu);
                    if height < 0.0 {
                        return Slope::Open;
                    }
                    // Along the mantle one to one, around it by the share of the radii.
                    let along = 1.0 / (1.0 + mu * mu);
                    let around = if length > 0.0 { mu * height / length } else { 0.0 };
                    let e = [1.0, mu * d[0], mu * d[1]];
                    let side = [0.0, -d[1], d[0]];
                    Slope::Sliding(
                        [0, 1, 2]
                            .map(|i| [0, 1, 2].map(|j| along * e[i] * e[j] + around * side[i] * side[j])),
                    )
                }
                Form::Exact => {
                    if y[0] < 0.0 {
                        return Slope::Open;
                    }
                    let around = if length > 0.0 { mu * y[0] / length } else { 0.0 };
                    Slope::Sliding([
                        [1.0, 0.0, 0.0],
                        [mu * d[0], around * d[1] * d[1], -around * d[0] * d[1]],
                        [mu * d[1], -around * d[0] * d[1], around * d[0] * d[0]],
                    ])
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn slopes_are_the_derivatives_of_impulses() {
        let mut random = Random::new(3);
        for k in 0..3000 {
            let form = [Form::Convex, Form::Exact][k % 2];
            let law = Block::Contact { friction: [0.0, 0.3, 1.0, 3.0][k / 2 % 4], slip: None };
            let y = [0, 1, 2].map(|_| random.range(-1.0, 1.0));
            let h = [0, 1, 2].map(|_| random.range(-1e-6, 1e-6));
            let at = |s: f64| impulse(form, &law, [0, 1, 2].map(|i| y[i] + s * h[i]));
            let (p, m) = (at(1.0), at(-1.0));
            let expected = [0, 1, 2].map(|i| 0.5 * (p[i] - m[i]));
            let found = match slope(form, &law, y) {
                Slope::Open => [0.0; 3],
                Slope::Held => h,
                Slope::Sliding(d) => d.map(|row| row[0] * h[0] + row[1] * h[1] + row[2] * h[2]),
            };
            // Kinks within the difference are rare and not compared.
            let kinds = [1.0, -1.0]
                .map(|s| std::mem::discriminant(&slope(form, &law, [0, 1, 2].map(|i| y[i] + s * h[i]))));
            if kinds[0] == kinds[1] {
                for i in 0..3 {
                    assert!(
                        (expected[i] - found[i]).abs() < 1e-9,
                        "{form:?} {law:?} {y:?}: {expected:?} {found:?}"
                    );
                }
            }
        }
    }
}
