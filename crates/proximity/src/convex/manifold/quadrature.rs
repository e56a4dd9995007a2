//! A round cap on a face as a quadrature of its rim: points whose weights and places are continuous in the poses, for forces that must not jump.
//!
//! In: two patches of which one at least is a disc, the contact normal, and the radius within which points share one spring. Out: points of A with gaps, names and weights. The corners of the common part, which `overlay`
//! finds, are good for constraints: each is a point where the bodies touch. As springs they jump: a disc that is tilted by 1e-12 rad has one corner more than one that is not, and corners come and go where the rim crosses an edge.
//! Here eight points of the rim are always there. Where the other face ends, they lie on its border instead; the lowest point, corners and crossings join with a weight that grows from zero.

use zerogap_core::math::hypot;
use zerogap_core::{ContactId, Feature, Gap, Vec3};

use super::facing_round::{RIM, RIM_NAMES, first_arc};
use super::patch::{FACING, Patch};

/// Points of a rim that are always there [-].
const SAMPLES: usize = 8;

/// Corners and crossings have their full weight where they are this far from coming or going, against the radius of the rim [-].
const FADE: f64 = 0.1;

/// Sine of the angle at which two rims cross from which on the crossing has its full weight [-].
const CROSSING: f64 = 0.3;

/// Patches that lean lose their weight from this part of the way to the angle at which they are patches no more, as cosines [-]: from 7 degrees on.
const LEANING: f64 = 0.5;

/// The memory of a quadrature.
#[derive(Debug, Default)]
pub(super) struct Quadrature {
    /// Point of A, gap and name [m].
    pub(super) nodes: Vec<(Vec3, f64, ContactId)>,
    /// One for each node [-].
    pub(super) weights: Vec<f64>,
    /// Whether A is the caller's B.
    pub(super) is_swapped: bool,
    /// Corners of the other face in the plane of the cap [m].
    outline: Vec<[f64; 2]>,
}

/// A disc, and what it is laid on.
struct Cap<'a> {
    disc: &'a Patch,
    other: &'a Patch,
    is_a: bool,
    center: Vec3,
    radius: f64,
    /// The contact normal out of the disc [-].
    outward: Vec3,
}

/// Where the other face ends, in the plane of the cap.
#[derive(Debug, Clone, Copy)]
enum Border {
    /// Nowhere: a half-space.
    None,
    /// At its outline; 1 where that is counter-clockwise, -1 where it is not.
    Outline(f64),
    /// At its own rim: centre and radius [m].
    Rim([f64; 2], f64),
}

impl Quadrature {
    /// Fills in the nodes of two patches; false where neither is a disc that lies over a face or a line.
    ///
    /// Computes: nodes `x_k`, gaps and weights `w_k` such that `Σ w_k f(gap_k)` and its moments are continuous in the poses. Seen from a middle of the common part, eight points in fixed directions of the disc lie
    ///   on the rim, or on the border of the other face where that is nearer; the lowest point is the ninth. With `u` as its weight, the other eight lose `u D(φ - α_k) / 8`, where D is the Dirichlet kernel
    ///   `1 + 2 cos x + 2 cos 2x + 2 cos 3x`: this takes away exactly what the lowest point adds to all moments up to the third, so that it does not matter in a disc that is flat, where the lowest point is anywhere.
    ///   `u` is one for a whole disc. The points of one that is cut off by a border do not lie on a circle: there `u` grows from zero, flat, to one, where the middle carries nothing if much is cut off and sooner if little is. The weights sum to eight, or to less where the radius of the contact is larger than the distance between the points.
    /// Tolerance: gaps as those of corners; places of points on the rim of another disc to `r θ²/2` for a disc that leans by θ.
    /// Order: fixed by the disc. `size` [m] and `gap` are those of the pair.
    pub(super) fn fill(&mut self, patches: [&Patch; 2], normal: &Vec3, shared: f64, gap: &Gap) -> bool {
        self.nodes.clear();
        self.weights.clear();
        let [a, b] = patches;
        // Of two discs the smaller one, whose points are not spread over a small part of the other; of equal ones that of the caller's A: which shape comes first here depends on the poses.
        let is_face = |patch: &Patch| patch.is_polygon() || patch.is_plane() || patch.corners.len() == 2;
        let is_first = |a: f64, b: f64| if self.is_swapped { a < b } else { a <= b };
        let cap = match (a.rim, b.rim) {
            (Some((center, radius)), rim)
                if is_face(b) && rim.is_none_or(|(_, other)| is_first(radius, other)) =>
            {
                Cap { disc: a, other: b, is_a: true, center, radius, outward: *normal }
            }
            (_, Some((center, radius))) if is_face(a) => {
                Cap { disc: b, other: a, is_a: false, center, radius, outward: -normal }
            }
            _ => return false,
        };
        if cap.other.corners.len() == 2 {
            return self.lay_line(&cap, shared);
        }
        let is_filled = self.lay(&cap, shared);
        if is_filled {
            self.add_nearest(gap, ContactId { a: a.name, b: b.name });
        }
        is_filled
    }

    fn lay(&mut self, cap: &Cap<'_>, shared: f64) -> bool {
        let border = self.border(cap);
        let Some(middle) = self.middle(cap, border) else { return false };
        let clipped = |q: &Self, direction: (f64, f64)| {
            let end = [cap.radius * direction.0, cap.radius * direction.1];
            let part = q.part(middle, end, border);
            cap.point([0, 1].map(|k| middle[k] + part * (end[k] - middle[k])))
        };
        // The lowest point, and how much of it: all on a whole disc; on one that is cut off nothing where the face is flat, and all where the middle carries no load.
        let descent = cap.descent();
        let tilt = hypot(descent.0, descent.1);
        let lowest = (tilt > 0.0).then(|| (descent.0 / tilt, descent.1 / tilt));
        let low = lowest.map(|direction| (direction, clipped(self, direction)));
        let directions = (0..SAMPLES).map(|k| RIM[k * (RIM_NAMES / SAMPLES)]);
        let cut = directions.map(|(x, y)| 1.0 - self.part(middle, [cap.radius * x, cap.radius * y], border));
        let cut = smooth((cut.fold(0.0, f64::max) + hypot(middle[0], middle[1]) / cap.radius) / FADE);
        let part = low.map_or(0.0, |(_, point)| {
            let (depth, of_middle) = (-cap.gap(&point), -cap.gap(&cap.point(middle)));
            if cut > 0.0 && depth > 0.0 { smooth((depth - of_middle) / (cut * depth)) } else { 1.0 }
        });

        // Corners and crossings first: they take their part of the sum.
        self.add_corners(cap, border);
        let extra: f64 = self.weights.iter().sum();
        let count = SAMPLES as f64;
        let upright = cap.uprightness();
        let each = upright * spring_fraction(cap.radius, shared) * count / (count + extra);
        self.weights.iter_mut().for_each(|weight| *weight *= each);
        for k in 0..SAMPLES {
            let name = k * (RIM_NAMES / SAMPLES);
            let direction = RIM[name];
            let taken = lowest.map_or(0.0, |low| {
                let c = low.0 * direction.0 + low.1 * direction.1;
                ((8.0 * c + 4.0) * c - 4.0) * c - 1.0
            });
            let vertex = Feature::Vertex((cap.index() * RIM_NAMES + name) as u32);
            let point = clipped(self, direction);
            self.push(cap, point, vertex, cap.other.name, each * (1.0 - part * taken / count));
        }
        if let Some((_, point)) = low {
            // What leans so much that it is a patch no more is its lowest point alone.
            let rim = Feature::Edge(cap.index() as u32);
            self.push(cap, point, rim, cap.other.name, part * (each + (1.0 - upright)));
        }
        true
    }

    /// A line on the disc: the ends of what lies on it, each half a spring where they are in one place.
    fn lay_line(&mut self, cap: &Cap<'_>, shared: f64) -> bool {
        let [from, to] = [cap.other.corners[0], cap.other.corners[1]];
        let (start, end) = (cap.place(&from.point), cap.place(&to.point));
        let way = [end[0] - start[0], end[1] - start[1]];
        let (squared, along) = (dot(way, way), dot(start, way));
        let root = along * along - squared * (dot(start, start) - cap.radius * cap.radius);
        if !(squared > 0.0 && root > 0.0) {
            return false;
        }
        let (first, last) = ((-along - root.sqrt()) / squared, (root.sqrt() - along) / squared);
        let (first, last) = (first.max(0.0), last.min(1.0));
        if first > last {
            return false;
        }
        let names = |part: f64, corner: Feature, at: &Vec3| {
            let is_end = part <= 0.0 || part >= 1.0;
            if is_end { (cap.disc.name, corner) } else { (cap.arc(cap.place(at)), from.side) }
        };
        let points = [(first, from.name), (last, to.name)].map(|(part, name)| {
            let point = from.point + (to.point - from.point) * part;
            (point, names(part, name, &point))
        });
        let nearness = (1.0 - (points[1].0 - points[0].0).norm_squared() / (shared * shared)).max(0.0);
        for (point, (of_disc, of_line)) in points {
            let gap = 0.0 - cap.disc.rise(&point, &cap.outward);
            let (point_a, id) = if cap.is_a {
                (point - cap.outward * gap, ContactId { a: of_disc, b: of_line })
            } else {
                (point, ContactId { a: of_line, b: of_disc })
            };
            self.nodes.push((point_a, gap, id));
            self.weights.push(1.0 / (1.0 + nearness * nearness));
        }
        true
    }

    /// Fills in the outline of the other face, and says where it ends.
    fn border(&mut self, cap: &Cap<'_>) -> Border {
        self.outline.clear();
        if let Some((center, radius)) = cap.other.rim {
            return Border::Rim(cap.place(&center), radius);
        }
        if cap.other.is_plane() {
            return Border::None;
        }
        self.outline.extend(cap.other.corners.iter().map(|corner| cap.place(&corner.point)));
        let [x, y] = cap.disc.rim_axes;
        // Corners are in order about the normal from A to B.
        let about = if cap.is_a { cap.outward } else { -cap.outward };
        Border::Outline(if x.cross(&y).dot(&about) > 0.0 { 1.0 } else { -1.0 })
    }

    /// A point inside the common part: the middle of what disc and face have of the line through their centres. None where they have nothing of it.
    fn middle(&self, cap: &Cap<'_>, border: Border) -> Option<[f64; 2]> {
        let (center, sense) = match border {
            Border::None => return Some([0.0, 0.0]),
            Border::Rim(center, _) => (center, 0.0),
            Border::Outline(sense) => {
                let sum = self.outline.iter().fold([0.0, 0.0], |[x, y], at| [x + at[0], y + at[1]]);
                (sum.map(|x| x / self.outline.len() as f64), sense)
            }
        };
        let distance = hypot(center[0], center[1]);
        let along = if distance > 0.0 { center.map(|x| x / distance) } else { [1.0, 0.0] };
        let (mut from, mut to) = (-cap.radius, cap.radius);
        if let Border::Rim(_, radius) = border {
            (from, to) = (from.max(distance - radius), to.min(distance + radius));
        }
        for (p, q) in self.sides() {
            // Inside where height + slope * place is not below zero.
            let height = sense * inside(p, q, [0.0, 0.0]);
            let slope = sense * inside(p, q, along) - height;
            if slope > 0.0 {
                from = from.max(-height / slope);
            } else if slope < 0.0 {
                to = to.min(-height / slope);
            }
        }
        (from < to).then(|| along.map(|x| 0.5 * (from + to) * x))
    }

    /// How much of the way from a point of the common part to another one lies on the other face [-].
    fn part(&self, from: [f64; 2], to: [f64; 2], border: Border) -> f64 {
        match border {
            Border::None => 1.0,
            Border::Rim(center, radius) => {
                let (start, way) =
                    ([from[0] - center[0], from[1] - center[1]], [to[0] - from[0], to[1] - from[1]]);
                let (squared, along) = (dot(way, way), dot(start, way));
                let left = (radius * radius - dot(start, start)).max(0.0);
                if squared <= 0.0 {
                    return 0.0;
                }
                let root = (along * along + squared * left).sqrt();
                // The larger root, without cancellation.
                let part = if along > 0.0 { left / (along + root) } else { (root - along) / squared };
                part.min(1.0)
            }
            Border::Outline(sense) => self.sides().fold(1.0, |part: f64, (p, q)| {
                let (start, end) = ((sense * inside(p, q, from)).max(0.0), sense * inside(p, q, to));
                if end < 0.0 { part.min(start / (start - end)) } else { part }
            }),
        }
    }

    /// Adds the corners of the other face below the disc, and the points where its border crosses the rim.
    fn add_corners(&mut self, cap: &Cap<'_>, border: Border) {
        let (radius, fade) = (cap.radius, FADE * cap.radius);
        let count = self.outline.len();
        for k in 0..count {
            let (from, to) = (self.outline[k], self.outline[(k + 1) % count]);
            let corner = &cap.other.corners[k];
            let depth = radius - hypot(from[0], from[1]);
            if depth > 0.0 {
                self.push(cap, cap.point(from), cap.disc.name, corner.name, smooth(depth / fade));
            }
            // Where the line of the side crosses the rim, and how far each crossing is from the end of the side beyond it.
            let along = [to[0] - from[0], to[1] - from[1]];
            let length = hypot(along[0], along[1]);
            if length <= 0.0 {
                continue;
            }
            let along = along.map(|x| x / length);
            let (foot, offset) = (-dot(from, along), from[0] * along[1] - from[1] * along[0]);
            let squared = radius * radius - offset * offset;
            if squared <= 0.0 {
                continue;
            }
            let half = squared.sqrt();
            // How much of the side lies in the disc: a crossing that comes to a corner, or to the other one, has no weight left.
            let within = (foot + half).min(length) - (foot - half).max(0.0);
            for (place, left) in [(foot - half, foot - half), (foot + half, length - (foot + half))] {
                if left > 0.0 && place > 0.0 && place < length {
                    let at = [from[0] + place * along[0], from[1] + place * along[1]];
                    let weight = smooth(0.5 * within / fade) * smooth(left / fade);
                    self.push(cap, cap.point(at), cap.arc(at), corner.side, weight);
                }
            }
        }
        // The tips of the lens of two discs.
        if let Border::Rim(center, other) = border {
            let distance = hypot(center[0], center[1]);
            let foot = 0.5 * (distance + (radius - other) * ((radius + other) / distance));
            let squared = radius * radius - foot * foot;
            if !(distance > 0.0 && squared > 0.0) {
                return;
            }
            let half = squared.sqrt();
            // Sine of the angle between the two rims, by the triangle of centres and crossing.
            let sine = distance * half / (radius * other);
            let weight = smooth(sine / CROSSING) * smooth(half / fade);
            let along = center.map(|x| x / distance);
            for side in [half, -half] {
                let at = [along[0] * foot - along[1] * side, along[1] * foot + along[0] * side];
                self.push(cap, cap.point(at), cap.arc(at), cap.other.name, weight);
            }
        }
    }

    /// Adds the nearest points of the shapes where no node is nearly as deep: on a part that is narrower than what fades.
    fn add_nearest(&mut self, gap: &Gap, id: ContactId) {
        let depth = -gap.gap;
        if depth <= 0.0 {
            return;
        }
        let covered =
            self.nodes.iter().zip(&self.weights).map(|((_, gap, _), weight)| -gap * weight.min(1.0));
        let covered = covered.fold(0.0, f64::max) / depth;
        let weight = smooth(1.0 - 2.0 * covered);
        if weight > 0.0 {
            self.nodes.push((gap.point_a, gap.gap, id));
            self.weights.push(weight);
        }
    }

    fn push(&mut self, cap: &Cap<'_>, point: Vec3, of_disc: Feature, of_other: Feature, weight: f64) {
        let gap = cap.gap(&point);
        let (point_a, id) = if cap.is_a {
            (point, ContactId { a: of_disc, b: of_other })
        } else {
            (point + cap.outward * gap, ContactId { a: of_other, b: of_disc })
        };
        self.nodes.push((point_a, gap, id));
        self.weights.push(weight);
    }

    /// The sides of the outline by their ends.
    fn sides(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        self.outline.iter().copied().zip(self.outline.iter().copied().cycle().skip(1))
    }
}

impl Cap<'_> {
    /// The point of the disc's plane at a place.
    fn point(&self, [x, y]: [f64; 2]) -> Vec3 {
        self.center + self.disc.rim_axes[0] * x + self.disc.rim_axes[1] * y
    }

    /// Where a point is seen in the disc's plane along the normal.
    fn place(&self, point: &Vec3) -> [f64; 2] {
        let normal = &self.disc.normal;
        let between = point - self.center;
        let seen = between - self.outward * (normal.dot(&between) / normal.dot(&self.outward));
        self.disc.rim_axes.map(|axis| axis.dot(&seen))
    }

    /// How far the other face lies above a point of the disc, along the normal [m].
    fn gap(&self, point: &Vec3) -> f64 {
        0.0 - self.other.rise(point, &-self.outward)
    }

    /// The direction in the disc's plane in which its gap falls, as long as the sine of the angle between the faces.
    fn descent(&self) -> (f64, f64) {
        let other = &self.other.normal;
        let [x, y] = self.disc.rim_axes.map(|axis| -axis.dot(other));
        (x, y)
    }

    /// One while both faces are nearly across the normal, and zero where one is so no more [-].
    fn uprightness(&self) -> f64 {
        let of = |cosine: f64| smooth((cosine - FACING) / ((1.0 - FACING) * LEANING));
        of(self.disc.normal.dot(&self.outward)) * of(-self.other.normal.dot(&self.outward))
    }

    /// Which of the two caps of its body it is.
    fn index(&self) -> usize {
        usize::from(self.disc.name == Feature::Face(1))
    }

    /// The name of the arc that a place of the rim lies on.
    fn arc(&self, at: [f64; 2]) -> Feature {
        let step = RIM_NAMES / SAMPLES;
        let middle = |k: usize| RIM[k * step + step / 2];
        let along = |k: &usize| middle(*k).0 * at[0] + middle(*k).1 * at[1];
        let arc = (0..SAMPLES).max_by(|p, q| along(p).total_cmp(&along(q))).unwrap_or(0);
        Feature::Edge((first_arc(self.index()) + arc * step) as u32)
    }
}

/// The part of a spring that each of the eight points of a rim has where those within a radius of each other share one [-].
fn spring_fraction(radius: f64, shared: f64) -> f64 {
    let crowd: f64 = (0..SAMPLES)
        .map(|k| {
            let squared = 2.0 * radius * radius * (1.0 - RIM[k * (RIM_NAMES / SAMPLES)].0);
            let nearness = (1.0 - squared / (shared * shared)).max(0.0);
            nearness * nearness
        })
        .sum();
    1.0 / crowd.max(1.0)
}

/// Rises from 0 at 0 to 1 at 1, with a continuous derivative.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

fn dot(p: [f64; 2], q: [f64; 2]) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

/// How far a place lies to the left of a side, times the length of the side [m²].
fn inside(from: [f64; 2], to: [f64; 2], at: [f64; 2]) -> f64 {
    (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
}
