//! Axes: the span of values, a unit that suits it, and ticks at round numbers.
//!
//! In: the smallest and largest value of some curves. Out: an [`Axis`] that maps values to 0..1, with the positions and labels of its ticks. Powers of ten are made and taken apart
//! as decimal text, so that ticks do not depend on the rounding of a logarithm.

use zerogap_core::math;

/// Room above and below the curves, against the span [-].
const ROOM: f64 = 0.06;

/// Largest value that is plotted; more is cut off, so that differences stay finite.
const LARGEST: f64 = 1e300;

/// Smallest value that is plotted; less is zero, and not on a logarithmic axis.
const SMALLEST: f64 = 1e-300;

/// Times shown in seconds [s]: kiloseconds are not customary.
const SECONDS: std::ops::Range<f64> = 0.1..1e6;

/// Logarithms between which tick labels have no powers of ten [-].
const PLAIN: std::ops::RangeInclusive<f64> = -3.0..=4.0;

/// Prefixes of units by the power of ten.
const PREFIXES: [(i32, &str); 9] =
    [(9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n"), (-12, "p"), (-15, "f")];

/// A tick: where on the axis from 0 to 1, and its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) text: String,
}

/// An axis.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// Ends, of the logarithm where it is logarithmic.
    low: f64,
    high: f64,
    pub(super) is_log: bool,
    /// Power of ten of the unit that is shown.
    power: i32,
}

impl Axis {
    /// An axis with equal distances for values of which the span is at least `min_span`; 0 to 1 where there are none.
    pub(super) fn linear(values: impl Iterator<Item = f64>, min_span: f64) -> Self {
        let (mut low, mut high) = span(values.filter_map(tamed)).unwrap_or((0.0, 1.0));
        let largest = low.abs().max(high.abs());
        // Digits beyond the sixth are not visible in a curve.
        let min_span = min_span.max(largest * 1e-6);
        if high - low < min_span {
            let middle = low + (high - low) / 2.0;
            (low, high) = (middle - min_span / 2.0, middle + min_span / 2.0);
        }
        // Nothing but zeros has no size of its own.
        if high <= low {
            high = low + 1.0;
        }
        let room = ROOM * (high - low);
        // An axis of what is never negative begins at zero.
        let low = if low >= 0.0 && low < 0.2 * high { 0.0 } else { low - room };
        let high = if high <= 0.0 && high > 0.2 * low { 0.0 } else { high + room };
        Self { low, high, is_log: false, power: unit_power(low.abs().max(high.abs())) }
    }

    /// The axis of time: from the first to the last, without room.
    pub(super) fn time(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = span(values.filter_map(tamed)).unwrap_or((0.0, 1.0));
        // A single time becomes the start of one second, or of the smallest resolvable span.
        let min_span = 1e-9 * low.abs().max(high.abs());
        let high = if high > low { high.max(low + min_span) } else { low + min_span.max(1.0) };
        let largest = low.abs().max(high.abs());
        let power = if SECONDS.contains(&largest) { 0 } else { unit_power(largest) };
        Self { low, high, is_log: false, power }
    }

    /// A logarithmic axis for positive values, no more than `decades` down from the largest; 0.001 to 1 where there are none.
    pub(super) fn logarithmic(values: impl Iterator<Item = f64>, decades: f64) -> Self {
        let (low, high) = span(values.filter_map(log10)).unwrap_or((-3.0, 0.0));
        let low = low.max(high - decades);
        let short = (1.0 - (high - low)).max(0.0) / 2.0;
        let room = (ROOM * (high - low)).max(short);
        Self { low: low - room, high: high + room, is_log: true, power: 0 }
    }

    /// Returns the position of a value, from 0 to 1; none where it cannot be shown.
    pub(super) fn at(&self, x: f64) -> Option<f64> {
        let x = if self.is_log { log10(x)? } else { x };
        x.is_finite().then(|| ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    /// The unit that the texts of ticks are in.
    pub(super) fn unit(&self, unit: &str) -> String {
        match PREFIXES.iter().find(|(power, _)| *power == self.power) {
            Some((_, prefix)) => format!("{prefix}{unit}"),
            None => format!("10{} {unit}", raised(self.power)),
        }
    }

    /// About `count` ticks.
    pub(super) fn ticks(&self, count: usize) -> Vec<Tick> {
        if self.is_log { self.decades(count) } else { self.even(count) }
    }

    fn even(&self, count: usize) -> Vec<Tick> {
        let scale = ten_to(self.power);
        let (low, high) = (self.low / scale, self.high / scale);
        let (digit, power) = round_step((high - low) / count.max(1) as f64);
        let step = f64::from(digit) * ten_to(power);
        let decimals = usize::try_from(-power).unwrap_or(0);
        let first = (low / step - 1e-9).ceil();
        // The number of ticks follows from the step; the bound is for ends that doubles cannot resolve.
        let number = (((high / step + 1e-9).floor() - first).max(0.0) as usize).min(4 * count.max(1));
        let of = |k: usize| {
            let x = (first + k as f64) * step;
            let at = ((x - low) / (high - low)).clamp(0.0, 1.0);
            // Zero has no sign.
            Tick {
                at,
                text: with_minus(&format!("{:.decimals$}", if x.abs() < step / 2.0 { 0.0 } else { x })),
            }
        };
        (0..=number).map(of).collect()
    }

    fn decades(&self, count: usize) -> Vec<Tick> {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let whole = (self.high.floor() - self.low.ceil()) as i32 + 1;
        let count = i32::try_from(count.max(1)).unwrap_or(i32::MAX);
        let stride = 1 + (whole.max(1) - 1) / count;
        // Where there is room, twos and fives stand between the powers of ten.
        let digits: &[u8] = if whole * 3 <= count.max(3) { &[1, 2, 5] } else { &[1] };
        let is_plain = PLAIN.contains(&self.low) && PLAIN.contains(&self.high);
        let mut ticks = Vec::new();
        for power in (first..=last).filter(|power| power.rem_euclid(stride) == 0) {
            for &digit in digits {
                let x = f64::from(power) + log10(f64::from(digit)).unwrap_or(0.0);
                if (self.low..=self.high).contains(&x) {
                    ticks.push(Tick {
                        at: (x - self.low) / (self.high - self.low),
                        text: power_text(digit, power, is_plain),
                    });
                }
            }
        }
        ticks
    }
}

/// A value between the largest and the smallest that is plotted; none where it is not finite.
fn tamed(x: f64) -> Option<f64> {
    x.is_finite().then(|| if x.abs() < SMALLEST { 0.0 } else { x.clamp(-LARGEST, LARGEST) })
}

/// Smallest and largest.
fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |span, x| {
        let (low, high) = span.unwrap_or((x, x));
        Some((x.min(low), x.max(high)))
    })
}

/// The logarithm of a positive number to the base of ten.
fn log10(x: f64) -> Option<f64> {
    (x.is_finite() && x > 0.0).then(|| math::ln(x.clamp(SMALLEST, LARGEST)) / std::f64::consts::LN_10)
}

/// The power of ten of a number's first digit; 0 for 0.
fn exponent(x: f64) -> i32 {
    let text = format!("{x:e}");
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

/// A power of ten, rounded right.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(1.0)
}

/// The power of ten of the unit in which a number has one to three digits before the point.
fn unit_power(largest: f64) -> i32 {
    if largest > 0.0 { exponent(largest).div_euclid(3) * 3 } else { 0 }
}

/// 1, 2 or 5 times a power of ten, whichever is nearest by ratio.
fn round_step(about: f64) -> (u8, i32) {
    if !(about > 0.0 && about.is_finite()) {
        return (1, 0);
    }
    let power = exponent(about);
    // Between the roots of 1·2, 2·5 and 5·10.
    match about / ten_to(power) {
        x if x < 1.414 => (1, power),
        x if x < 3.162 => (2, power),
        x if x < 7.071 => (5, power),
        _ => (1, power + 1),
    }
}

/// As `0.02` and `500` where it is plain, otherwise as `10⁶` and `2×10⁻⁵`.
fn power_text(digit: u8, power: i32, is_plain: bool) -> String {
    match (digit, is_plain) {
        (_, true) => {
            format!("{:.*}", usize::try_from(-power).unwrap_or(0), f64::from(digit) * ten_to(power))
        }
        (1, _) => format!("10{}", raised(power)),
        _ => format!("{digit}×10{}", raised(power)),
    }
}

/// A whole number in raised digits.
fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    power.to_string().chars().map(digit).collect()
}

/// With the sign that is as wide as a plus.
fn with_minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::{Axis, Tick};

    fn texts(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_axis() {
        let axis = Axis::time([0.0, 10.0].into_iter());
        assert_eq!(texts(&axis.ticks(5)), ["0", "2", "4", "6", "8", "10"]);
        let axis = Axis::linear([-0.3, 0.7].into_iter(), 0.0);
        assert_eq!(axis.unit("J"), "mJ");
        assert_eq!(texts(&axis.ticks(5)), ["−200", "0", "200", "400", "600"]);
    }

    #[test]
    fn units_fit_the_values() {
        let unit = |x: f64| Axis::linear([x].into_iter(), 0.0).unit("m");
        assert_eq!([unit(3e-6), unit(999.0), unit(1e3), unit(0.0)], ["µm", "m", "km", "m"]);
        assert_eq!(unit(2e37), "10³⁶ m");
    }

    #[test]
    fn logarithmic_ticks_thin_out() {
        let narrow = Axis::logarithmic([0.01, 0.012].into_iter(), 12.0);
        assert_eq!(texts(&narrow.ticks(6)), ["0.005", "0.01", "0.02"]);
        let wide = Axis::logarithmic([1e-9, 1.0].into_iter(), 12.0);
        assert_eq!(texts(&wide.ticks(5)), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
    }

    #[test]
    fn wild_values_give_finite_ticks() {
        let wild = [f64::NAN, f64::INFINITY, -f64::MAX, f64::MAX, 0.0, f64::MIN_POSITIVE];
        for k in 0..wild.len() {
            let some = || wild[k..].iter().copied();
            let axes = [Axis::linear(some(), 0.0), Axis::time(some()), Axis::logarithmic(some(), 12.0)];
            for axis in axes {
                for count in [0, 1, 5, 50] {
                    let ticks = axis.ticks(count);
                    assert!(ticks.len() <= 4 * count.max(3), "{axis:?}: {}", ticks.len());
                    assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.at)), "{axis:?}: {ticks:?}");
                }
                assert!(some().filter_map(|x| axis.at(x)).all(|at| (0.0..=1.0).contains(&at)), "{axis:?}");
            }
        }
    }
}
