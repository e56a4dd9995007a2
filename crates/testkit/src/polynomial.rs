//! Polynomials with whole coefficients, and the signs that they have at each other's roots: no rounding anywhere.
//!
//! In: coefficients. Out: the roots between 0 and 1, each alone in an interval with ends that are multiples of a power of two, and exact
//! signs at such roots. Serves [`crate::exact_motion`].

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};

/// Coefficients from the constant one up; none for zero, and the last one is not zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<IBig>);

/// A number `numerator / 2^bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dyadic {
    pub(crate) numerator: IBig,
    pub(crate) bits: usize,
}

impl Dyadic {
    pub(crate) fn whole(x: i64) -> Self {
        Self { numerator: IBig::from(x), bits: 0 }
    }

    fn middle(&self, other: &Self) -> Self {
        let bits = self.bits.max(other.bits);
        let sum =
            (self.numerator.clone() << (bits - self.bits)) + (other.numerator.clone() << (bits - other.bits));
        Self { numerator: sum, bits: bits + 1 }
    }

    /// The number rounded to f64, for numbers from 0 to 1.
    pub(crate) fn round(&self) -> f64 {
        let long = self.numerator.clone().unsigned_abs().bit_len();
        let cut = long.saturating_sub(60);
        let leading = i64::try_from(self.numerator.clone() >> cut).unwrap_or(0) as f64;
        crate::exact::scale(leading, cut.cast_signed() as i64 - self.bits.cast_signed() as i64)
    }
}

/// A root of a polynomial without double roots: known exactly, or the only one between two numbers that are not roots.
#[derive(Debug, Clone)]
pub(crate) enum Root {
    Exact(Dyadic),
    Between { of: Polynomial, low: Dyadic, high: Dyadic },
}

impl Polynomial {
    pub(crate) fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(|c| *c == IBig::ZERO) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let at = |p: &Self, k: usize| p.0.get(k).cloned().unwrap_or(IBig::ZERO);
        Self::new((0..self.0.len().max(other.0.len())).map(|k| at(self, k) + at(other, k)).collect())
    }

    pub(crate) fn negated(&self) -> Self {
        Self(self.0.iter().map(|c| -c.clone()).collect())
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, x) in self.0.iter().enumerate() {
            for (j, y) in other.0.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        Self::new(product)
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(k, c)| c * IBig::from(k)).collect())
    }

    /// Divided by the greatest common divisor of its coefficients.
    fn primitive(self) -> Self {
        let mut divisor = IBig::ZERO;
        for c in self.0.iter().filter(|c| **c != IBig::ZERO) {
            divisor = if divisor == IBig::ZERO { c.clone() } else { IBig::from((&divisor).gcd(c)) };
        }
        let divisor = IBig::from(divisor.unsigned_abs());
        if divisor == IBig::ZERO || divisor == IBig::ONE {
            return self;
        }
        Self(self.0.into_iter().map(|c| c / &divisor).collect())
    }

    /// The remainder of a division, times a positive number.
    fn remainder(&self, by: &Self) -> Self {
        let mut rest = self.clone();
        let lead = by.0[by.degree()].clone();
        let factor = IBig::from(lead.clone().unsigned_abs());
        while !rest.is_zero() && rest.degree() >= by.degree() {
            let shift = rest.degree() - by.degree();
            // |lead| rest - (sign(lead) rest's lead) x^shift by
            let top = rest.0[rest.degree()].clone();
            let top = if lead < IBig::ZERO { -top } else { top };
            let mut next: Vec<IBig> = rest.0.iter().map(|c| c * &factor).collect();
            for (k, c) in by.0.iter().enumerate() {
                next[k + shift] -= c * &top;
            }
            rest = Self::new(next);
        }
        rest.primitive()
    }

    fn common(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone().primitive(), other.clone().primitive());
        while !b.is_zero() {
            (a, b) = (b.clone(), a.remainder(&b));
        }
        a
    }

    /// The quotient of a division that leaves nothing, times a number.
    fn quotient(&self, by: &Self) -> Self {
        let mut rest = self.clone();
        let lead = by.0[by.degree()].clone();
        let mut quotient = vec![IBig::ZERO; self.0.len()];
        while !rest.is_zero() && rest.degree() >= by.degree() {
            let shift = rest.degree() - by.degree();
            let top = rest.0[rest.degree()].clone();
            for c in &mut quotient {
                *c *= &lead;
            }
            quotient[shift] += &top;
            let mut next: Vec<IBig> = rest.0.iter().map(|c| c * &lead).collect();
            for (k, c) in by.0.iter().enumerate() {
                next[k + shift] -= c * &top;
            }
            rest = Self::new(next);
        }
        Self::new(quotient).primitive()
    }

    /// The same roots, each once.
    fn without_doubles(&self) -> Self {
        let common = self.common(&self.derivative());
        if common.degree() == 0 { self.clone().primitive() } else { self.quotient(&common) }
    }

    /// The sign at a number.
    pub(crate) fn sign_at(&self, x: &Dyadic) -> Ordering {
        let mut value = IBig::ZERO;
        let mut shift = 0;
        for c in self.0.iter().rev() {
            value = value * &x.numerator + (c.clone() << shift);
            shift += x.bits;
        }
        value.cmp(&IBig::ZERO)
    }

    fn sturm(&self) -> Vec<Self> {
        let mut chain = vec![self.clone(), self.derivative()];
        while let [.., a, b] = chain.as_slice() {
            if b.is_zero() {
                chain.pop();
                break;
            }
            let next = a.remainder(b).negated();
            if next.is_zero() {
                break;
            }
            chain.push(next);
        }
        chain
    }

    /// The roots from 0 to 1; none for zero.
    pub(crate) fn roots(&self) -> Vec<Root> {
        let mut found = Vec::new();
        if self.degree() == 0 {
            return found;
        }
        let simple = self.without_doubles();
        let chain = simple.sturm();
        let (zero, one) = (Dyadic::whole(0), Dyadic::whole(1));
        for end in [&zero, &one] {
            if simple.sign_at(end).is_eq() {
                found.push(Root::Exact(end.clone()));
            }
        }
        let mut open = vec![(zero, one)];
        while let Some((low, high)) = open.pop() {
            let (at_low, at_high) = (simple.sign_at(&low), simple.sign_at(&high));
            let inside = variations(&chain, &low) - variations(&chain, &high) - usize::from(at_high.is_eq());
            if inside == 0 {
                continue;
            }
            if inside == 1 && at_low.is_ne() && at_high.is_ne() {
                found.push(Root::Between { of: simple.clone(), low, high });
                continue;
            }
            let middle = low.middle(&high);
            if simple.sign_at(&middle).is_eq() {
                found.push(Root::Exact(middle.clone()));
            }
            open.push((low, middle.clone()));
            open.push((middle, high));
        }
        found
    }
}

/// Changes of sign along a chain at a number.
fn variations(chain: &[Polynomial], x: &Dyadic) -> usize {
    let signs: Vec<Ordering> = chain.iter().map(|p| p.sign_at(x)).filter(|s| s.is_ne()).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

impl Root {
    /// The sign of a polynomial at the root; narrows the interval.
    pub(crate) fn sign_of(&mut self, q: &Polynomial) -> Ordering {
        if q.is_zero() {
            return Ordering::Equal;
        }
        let (of, low, high) = match self {
            Self::Exact(x) => return q.sign_at(x),
            Self::Between { of, low, high } => (of, low, high),
        };
        if q.degree() == 0 {
            return q.sign_at(low);
        }
        // A common factor with a root here has this one.
        let common = of.common(q);
        if common.degree() > 0 && common.sign_at(low) != common.sign_at(high) {
            return Ordering::Equal;
        }
        let simple = q.without_doubles();
        let chain = simple.sturm();
        while variations(&chain, low) != variations(&chain, high) || simple.sign_at(low).is_eq() {
            let middle = low.middle(high);
            let at_middle = of.sign_at(&middle);
            if at_middle.is_eq() {
                return q.sign_at(&middle);
            }
            if at_middle == of.sign_at(low) { *low = middle } else { *high = middle }
        }
        q.sign_at(low)
    }

    /// Two numbers from 0 to 1 that have the root between them, apart by rounding; the same where it is one.
    pub(crate) fn bracket(&mut self) -> (f64, f64) {
        let around = |low: f64, high: f64| {
            ((low * (1.0 - 1e-15)).max(0.0), (high * (1.0 + 1e-15) + f64::MIN_POSITIVE).min(1.0))
        };
        let exact = |x: &Dyadic| {
            let odd = x.numerator.trailing_zeros().unwrap_or(0);
            let bits = x.numerator.clone().unsigned_abs().bit_len() - odd;
            if bits <= 53 { (x.round(), x.round()) } else { around(x.round(), x.round()) }
        };
        match self {
            Self::Exact(x) => exact(x),
            Self::Between { of, low, high } => {
                for _ in 0..64 {
                    let middle = low.middle(high);
                    let sign = of.sign_at(&middle);
                    if sign.is_eq() {
                        return exact(&middle);
                    }
                    if sign == of.sign_at(low) { *low = middle } else { *high = middle }
                }
                around(low.round(), high.round())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect())
    }

    #[test]
    fn roots_are_found_once_whether_single_double_or_at_the_ends() {
        // t (2t - 1)^2 (t - 1) and (3t - 1)(3t - 2)(t + 5)
        let first = polynomial(&[0, 1])
            .times(&polynomial(&[-1, 2]))
            .times(&polynomial(&[-1, 2]))
            .times(&polynomial(&[-1, 1]));
        let mut roots: Vec<f64> = first.roots().iter_mut().map(|root| root.bracket().0).collect();
        roots.sort_by(f64::total_cmp);
        assert_eq!(roots, [0.0, 0.5, 1.0]);
        let second = polynomial(&[-1, 3]).times(&polynomial(&[-2, 3])).times(&polynomial(&[5, 1]));
        let mut roots = second.roots();
        assert_eq!(roots.len(), 2);
        for root in &mut roots {
            let (low, high) = root.bracket();
            assert!([1.0 / 3.0, 2.0 / 3.0].iter().any(|x| low <= *x && *x <= high && high - low < 1e-14));
        }
    }

    #[test]
    fn signs_at_irrational_roots_are_exact() {
        // At t = 1/√2: 2t² - 1 is 0, 2t³ - t is 0, 1000 t - 707 is positive, 1000 t - 708 is negative.
        let mut root = polynomial(&[-1, 0, 2]).roots().remove(0);
        assert_eq!(root.sign_of(&polynomial(&[-3, 0, 6])), Ordering::Equal);
        assert_eq!(root.sign_of(&polynomial(&[0, -1, 0, 2])), Ordering::Equal);
        assert_eq!(root.sign_of(&polynomial(&[-707, 1000])), Ordering::Greater);
        assert_eq!(root.sign_of(&polynomial(&[-708, 1000])), Ordering::Less);
        assert_eq!(root.sign_of(&polynomial(&[7])), Ordering::Greater);
    }
}
