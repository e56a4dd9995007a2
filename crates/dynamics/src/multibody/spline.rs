//! Motions through samples: a straight, monotone or smooth curve through measured or planned poses, from arrays or from text.

use zerogap_core::error::check_coordinates;
use zerogap_core::math::atan2;
use zerogap_core::pose::quaternion_of_roll_pitch_yaw;
use zerogap_core::{InputError, Pose, Vec3};

use super::error::MotionError;
use super::hermite::{HermiteKnot, hermite, monotone};
use super::interpolation::Interpolation;
use super::linear::LinearCurve;
use super::motion::{Motion, MotionData, Moving};

/// Numbers of a pose: position and quaternion `(x, y, z, w)`.
pub(super) type Parts = nalgebra::SVector<f64, 7>;

/// Neighbouring samples may be rotated against each other by this angle at most [rad]: beyond it the straight line between their quaternions
/// comes near zero, where a rotation has no direction.
const MAX_TURN: f64 = 2.0;

/// The squared length that the quaternion of the curve must keep [-]; straight lines between samples `MAX_TURN` apart keep 0.77.
const LEAST_SQUARE: f64 = 0.25;

/// Places within each interval where that is evaluated [-].
const LOOKS: usize = 8;

/// One knot: value and second derivative of all parts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    t: f64,
    value: Parts,
    second: Parts,
}

zerogap_core::store_struct!(Knot { t, value, second });

/// A motion through samples of position and orientation.
///
/// Computes: a curve that meets the samples to rounding; outside the sampled time the pose of the first or last sample is held. Between them, by [`Interpolation`]:
/// - linear: constant velocity and angular velocity;
/// - monotone: cubics for the position, none of whose coordinates leaves the range of its two samples, and for the four numbers of the quaternion, which is then normalised;
/// - smooth: cubic splines for the same numbers, with continuous accelerations. The motion begins and ends at rest, with neither velocity nor acceleration: one more knot in the middle of the first and last interval makes
///   room for that (Biagiotti and Melchiorri 2008, section 4.4). What is sampled from the middle of a motion therefore swings in its first interval; begin sampling earlier than needed.
///
/// Cost: O(log samples) for one time, no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct SplineMotion {
    curve: Curve,
}

/// What runs through the samples.
#[derive(Debug, Clone, PartialEq)]
enum Curve {
    Linear(LinearCurve),
    Monotone(Vec<HermiteKnot>),
    Smooth(Vec<Knot>),
}

zerogap_core::store_struct!(SplineMotion { curve } check Self::check_stored);
zerogap_core::store_enum!(Curve { 0 => Linear(curve), 1 => Monotone(knots), 2 => Smooth(knots) });

impl SplineMotion {
    /// Through poses at increasing times [s].
    pub fn from_poses(
        times: &[f64],
        poses: &[Pose],
        interpolation: Interpolation,
    ) -> Result<Self, MotionError> {
        check_lengths(times.len(), poses.len())?;
        let samples =
            times.iter().zip(poses).map(|(t, pose)| (*t, pose.translation(), pose.quaternion_xyzw()));
        Self::new(samples.enumerate().map(|(i, sample)| (format!("sample {i}"), sample)), interpolation)
    }

    /// Through positions [m] and angles (roll, pitch, yaw) [rad] with `R = Rz(yaw) Ry(pitch) Rx(roll)`, at increasing times [s].
    pub fn from_roll_pitch_yaw(
        times: &[f64],
        positions: &[Vec3],
        angles: &[[f64; 3]],
        interpolation: Interpolation,
    ) -> Result<Self, MotionError> {
        check_lengths(times.len(), positions.len())?;
        check_lengths(times.len(), angles.len())?;
        let samples =
            times.iter().zip(positions).zip(angles).map(|((t, p), [roll, pitch, yaw])| {
                (*t, *p, quaternion_of_roll_pitch_yaw(*roll, *pitch, *yaw))
            });
        Self::new(samples.enumerate().map(|(i, sample)| (format!("sample {i}"), sample)), interpolation)
    }

    /// From text: one sample a line, `t, x, y, z, qx, qy, qz, qw` or `t, x, y, z, roll, pitch, yaw`, in seconds, metres and radians.
    ///
    /// Numbers are separated by commas, semicolons or blanks. Empty lines and lines that begin with `#` are skipped, and so is the first
    /// other line where it does not begin with a number.
    pub fn from_csv(text: &str, interpolation: Interpolation) -> Result<Self, MotionError> {
        let mut samples = Vec::new();
        let mut columns = None;
        let mut header_allowed = true;
        for (i, line) in text.lines().enumerate() {
            let line_number = i + 1;
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> =
                line.split([',', ';']).flat_map(|part| blank_separated(part.trim())).collect();
            let is_header = header_allowed && fields.first().is_some_and(|f| f.parse::<f64>().is_err());
            header_allowed = false;
            if is_header {
                continue;
            }
            // Of a file that has no sample so far and none here, nothing is quoted: it is no table of samples.
            if samples.is_empty() && fields.iter().all(|field| field.parse::<f64>().is_err()) {
                let reason = "neither a header nor a sample: there is no number in it".to_owned();
                return Err(MotionError::Text { line: line_number, reason });
            }
            let numbers = read_numbers(line_number, &fields)?;
            if *columns.get_or_insert(numbers.len()) != numbers.len() {
                let reason =
                    format!("{} numbers, but {} in the lines before", numbers.len(), columns.unwrap_or(0));
                return Err(MotionError::Text { line: line_number, reason });
            }
            samples.push((format!("line {line_number}"), read_sample(line_number, &numbers)?));
        }
        Self::new(samples.into_iter(), interpolation)
    }

    /// Time of the first sample [s].
    pub fn start(&self) -> f64 {
        self.span().0
    }

    /// Time of the last sample [s].
    pub fn end(&self) -> f64 {
        self.span().1
    }

    /// Times of the first and the last sample, of which there are two at least [s].
    fn span(&self) -> (f64, f64) {
        match &self.curve {
            Curve::Linear(curve) => (curve.times()[0], curve.times()[curve.times().len() - 1]),
            Curve::Monotone(knots) => (knots[0].t, knots[knots.len() - 1].t),
            Curve::Smooth(knots) => (knots[0].t, knots[knots.len() - 1].t),
        }
    }

    /// Checks samples as they come, and lays the curve through them.
    fn new(
        samples: impl Iterator<Item = (String, (f64, Vec3, [f64; 4]))>,
        interpolation: Interpolation,
    ) -> Result<Self, MotionError> {
        let mut places = Vec::new();
        let mut rows: Vec<(f64, Parts)> = Vec::new();
        for (place, (t, p, q)) in samples {
            let before = rows.last().map_or(f64::NEG_INFINITY, |row| row.0);
            if !(t.is_finite() && t > before) {
                return Err(MotionError::Order { place, time: t, before });
            }
            let refuse = |source: InputError| MotionError::Sample { place: place.clone(), source };
            check_coordinates("position", p).map_err(refuse)?;
            let [x, y, z, w] = Pose::new(p, q).map_err(refuse)?.quaternion_xyzw();
            let mut row = Parts::from([p.x, p.y, p.z, x, y, z, w]);
            if let Some((_, last)) = rows.last() {
                follow(&place, last, &mut row)?;
            }
            rows.push((t, row));
            places.push(place);
        }
        if rows.len() < 2 {
            return Err(MotionError::TooFew { count: rows.len() });
        }
        let curve = match interpolation {
            Interpolation::Linear => Curve::Linear(LinearCurve::new(&rows)),
            Interpolation::Monotone => Curve::Monotone(monotone(&rows)),
            Interpolation::Smooth => Curve::Smooth(interpolate(&rows)),
        };
        let motion = Self { curve };
        motion.check_curve(&rows, &places)?;
        Ok(motion)
    }

    /// Refuses a stored curve that no samples would have made.
    fn check_stored(&self) -> Result<(), MotionError> {
        let knots: Vec<(f64, Parts)> = match &self.curve {
            Curve::Linear(curve) => curve.rows().to_vec(),
            Curve::Monotone(knots) => knots.iter().map(HermiteKnot::row).collect(),
            Curve::Smooth(knots) => knots.iter().map(|knot| (knot.t, knot.value)).collect(),
        };
        if knots.len() < 2 {
            return Err(MotionError::TooFew { count: knots.len() });
        }
        let places: Vec<String> = (0..knots.len()).map(|k| format!("knot {k}")).collect();
        check_order(knots.iter().map(|knot| knot.0), &places)?;
        self.check_curve(&knots, &places)
    }

    /// Refuses curves whose numbers overflow, and those that leave their samples so far that the rotation between them is lost.
    fn check_curve(&self, rows: &[(f64, Parts)], places: &[String]) -> Result<(), MotionError> {
        for (i, pair) in rows.windows(2).enumerate() {
            let (from, to) = (pair[0].0, pair[1].0);
            for k in 0..=LOOKS {
                let t = from + (to - from) * (k as f64 / LOOKS as f64);
                let parts = self.parts(t);
                let place = places[i + 1].clone();
                if !parts.iter().all(|part| part.iter().all(|x| x.is_finite())) {
                    return Err(MotionError::Order { place, time: to, before: from });
                }
                if quaternion(&parts[0]).norm_squared() < LEAST_SQUARE {
                    let angle = turn_between(&pair[0].1, &pair[1].1);
                    return Err(MotionError::Turn { place, angle, max: MAX_TURN });
                }
            }
        }
        Ok(())
    }

    /// Values and their first two derivatives at a time between the first sample and the last.
    fn parts(&self, t: f64) -> [Parts; 3] {
        match &self.curve {
            Curve::Linear(curve) => curve.parts(t),
            Curve::Monotone(knots) => hermite(knots, t),
            Curve::Smooth(knots) => smooth(knots, t),
        }
    }
}

/// The motion of a curve of positions and quaternions of any length, from values and their first two derivatives.
fn moving([value, first, second]: [Parts; 3]) -> Moving {
    let vector = |x: &Parts| Vec3::new(x[0], x[1], x[2]);
    let (q, dq, ddq) = (quaternion(&value), quaternion(&first), quaternion(&second));
    // With s = |s| q: 2 s' s* / |s|² is the angular velocity (its scalar part only says how |s| changes), and once more for its rate.
    let square = q.norm_squared();
    let spin = (dq * q.conjugate()).imag() * (2.0 / square);
    let stretch = 2.0 * q.dot(&dq) / square;
    let rate = (ddq * q.conjugate()).imag() * (2.0 / square) - spin * stretch;
    Moving {
        pose: Pose::new(vector(&value), [q.i, q.j, q.k, q.w]).unwrap_or_default(),
        velocity: vector(&first),
        acceleration: vector(&second),
        angular_velocity: spin,
        angular_acceleration: rate,
    }
}

/// Refuses times that are not finite and increasing.
fn check_order(times: impl Iterator<Item = f64>, places: &[String]) -> Result<(), MotionError> {
    let mut before = f64::NEG_INFINITY;
    for (time, place) in times.zip(places) {
        if !(time.is_finite() && time > before) {
            return Err(MotionError::Order { place: place.clone(), time, before });
        }
        before = time;
    }
    Ok(())
}

/// The two neighbours of a time between the first and the last.
pub(super) fn interval<T>(list: &[T], time: impl Fn(&T) -> f64, t: f64) -> (&T, &T) {
    let next = list.partition_point(|one| time(one) <= t).clamp(1, list.len() - 1);
    (&list[next - 1], &list[next])
}

/// The spline with continuous second derivatives, with its derivatives.
fn smooth(knots: &[Knot], t: f64) -> [Parts; 3] {
    let (a, b) = interval(knots, |knot| knot.t, t);
    let h = b.t - a.t;
    let (u, w) = ((b.t - t) / h, (t - a.t) / h);
    let (ma, mb) = (&a.second, &b.second);
    [
        a.value * u + b.value * w + (ma * (u * u * u - u) + mb * (w * w * w - w)) * (h * h / 6.0),
        (b.value - a.value) / h + (mb * (3.0 * w * w - 1.0) - ma * (3.0 * u * u - 1.0)) * (h / 6.0),
        ma * u + mb * w,
    ]
}

impl Motion for SplineMotion {
    fn as_data(&self) -> Option<MotionData> {
        Some(MotionData::Spline(self.clone()))
    }

    fn at(&self, t: f64) -> Moving {
        // A time that is no number gives numbers that are none, which the tree reports.
        let t = if t.is_nan() { return not_a_number() } else { t };
        let (start, end) = self.span();
        if let Curve::Linear(curve) = &self.curve {
            return curve.at(t);
        }
        // Held outside.
        let [value, first, second] = self.parts(t.clamp(start, end));
        let zero = Parts::zeros();
        moving(if t > start && t < end { [value, first, second] } else { [value, zero, zero] })
    }

    fn jumps(&self) -> &[f64] {
        match &self.curve {
            Curve::Linear(curve) => curve.times(),
            Curve::Monotone(_) | Curve::Smooth(_) => &[],
        }
    }
}

fn not_a_number() -> Moving {
    Moving { velocity: Vec3::from_element(f64::NAN), ..Moving::still(Pose::identity()) }
}

pub(super) fn quaternion(parts: &Parts) -> nalgebra::Quaternion<f64> {
    nalgebra::Quaternion::new(parts[6], parts[3], parts[4], parts[5])
}

fn check_lengths(times: usize, samples: usize) -> Result<(), MotionError> {
    if times == samples { Ok(()) } else { Err(MotionError::Lengths { times, samples }) }
}

/// The angle between the orientations of two samples [rad].
fn turn_between(a: &Parts, b: &Parts) -> f64 {
    let step = quaternion(a).conjugate() * quaternion(b);
    2.0 * atan2(step.imag().norm(), step.w.abs())
}

/// Of the two quaternions of a rotation, takes the one nearer to the sample before.
fn follow(place: &str, last: &Parts, row: &mut Parts) -> Result<(), MotionError> {
    let angle = turn_between(last, row);
    if angle > MAX_TURN {
        return Err(MotionError::Turn { place: place.to_owned(), angle, max: MAX_TURN });
    }
    if quaternion(last).dot(&quaternion(row)) < 0.0 {
        for k in 3..7 {
            row[k] = -row[k];
        }
    }
    Ok(())
}

/// Knots of the spline that begins and ends at rest, for at least two rows at increasing times.
///
/// The value of an added knot follows from its second derivative `M`: from rest, `y0 + M h² / 6`. That keeps the system tridiagonal, and
/// its diagonal dominant.
fn interpolate(rows: &[(f64, Parts)]) -> Vec<Knot> {
    let last = rows.len() - 1;
    // With two samples both knots are added in the same interval, at its thirds.
    let fraction = if last == 1 { 1.0 / 3.0 } else { 0.5 };
    let (t_first, t_last) = (rows[0].0, rows[last].0);
    let early = t_first + (rows[1].0 - t_first) * fraction;
    let late = t_last - (t_last - rows[last - 1].0) * fraction;
    let knot = |t, value| Knot { t, value, second: Parts::zeros() };
    let mut knots = vec![knot(t_first, rows[0].1), knot(early, rows[0].1)];
    knots.extend(rows[1..last].iter().map(|(t, value)| knot(*t, *value)));
    knots.extend([knot(late, rows[last].1), knot(t_last, rows[last].1)]);

    // Elimination from the first inner knot to the last; `above` and `right` are what remains of each row.
    let end = knots.len() - 1;
    let added = |j: usize| -> f64 {
        let h = if j == 1 {
            knots[1].t - knots[0].t
        } else if j == end - 1 {
            knots[end].t - knots[end - 1].t
        } else {
            0.0
        };
        h * h / 6.0
    };
    let mut above = vec![0.0; end];
    let mut right = vec![Parts::zeros(); end];
    for i in 1..end {
        let (before, after) = (knots[i].t - knots[i - 1].t, knots[i + 1].t - knots[i].t);
        let sub = before - 6.0 * added(i - 1) / before;
        let diagonal =
            2.0 * (before + after) + 6.0 * added(i) * (1.0 / before + 1.0 / after) - sub * above[i - 1];
        above[i] = (after - 6.0 * added(i + 1) / after) / diagonal;
        let slopes =
            (knots[i + 1].value - knots[i].value) / after - (knots[i].value - knots[i - 1].value) / before;
        right[i] = (slopes * 6.0 - right[i - 1] * sub) / diagonal;
    }
    for i in (1..end).rev() {
        knots[i].second = right[i] - knots[i + 1].second * above[i];
    }
    // Now the added knots get their values.
    for i in [1, end - 1] {
        let h = if i == 1 { knots[1].t - knots[0].t } else { knots[end].t - knots[i].t };
        let rise = knots[i].second * (h * h / 6.0);
        knots[i].value += rise;
    }
    knots
}

fn blank_separated(part: &str) -> Vec<&str> {
    // An empty field between two commas stays visible as such.
    if part.is_empty() { vec![""] } else { part.split_whitespace().collect() }
}

fn read_numbers(line: usize, fields: &[&str]) -> Result<Vec<f64>, MotionError> {
    let read = |field: &&str| {
        field
            .parse::<f64>()
            .map_err(|_| MotionError::Text { line, reason: format!("'{field}' is not a number") })
    };
    fields.iter().map(read).collect()
}

fn read_sample(line: usize, numbers: &[f64]) -> Result<(f64, Vec3, [f64; 4]), MotionError> {
    match *numbers {
        [t, x, y, z, roll, pitch, yaw] => {
            Ok((t, Vec3::new(x, y, z), quaternion_of_roll_pitch_yaw(roll, pitch, yaw)))
        }
        [t, x, y, z, qx, qy, qz, qw] => Ok((t, Vec3::new(x, y, z), [qx, qy, qz, qw])),
        _ => {
            let reason = format!(
                "{} numbers; a sample is t, x, y, z, qx, qy, qz, qw or t, x, y, z, roll, pitch, yaw",
                numbers.len()
            );
            Err(MotionError::Text { line, reason })
        }
    }
}
