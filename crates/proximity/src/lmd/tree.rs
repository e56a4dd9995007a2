//! Building the hierarchy of a complex, from the top down.
//!
//! In: a complex. Out: nodes in depth-first order. Splits are at the median, ties by face number, so the tree is the same for any number of threads.

use std::f64::consts::PI;

use zerogap_core::math::{angle_between, sin_cos};
use zerogap_core::{Mat3, Vec3};
use zerogap_geometry::Complex;
use zerogap_geometry::complex::Simplex;

use super::ball::{ball_center, simplex_center};
use super::node::{Node, WHOLE};
use zerogap_core::threads::in_pool;

/// Directions that vary by less than this are not worth a split [rad].
const GAUSS_SPREAD: f64 = 2.0 * PI / 180.0;

/// Below this many faces a subtree is built by one thread.
const ONE_THREAD: usize = 8192;

/// Rounding up of radii [-] and half-angles [rad] in the conversion to f32.
const OUTWARD: f64 = 1e-6;

/// Rule for splitting the faces of a complex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Splitting {
    /// By position alone: nothing but balls grow smaller on purpose.
    Position,
    /// By position and by direction in turn, as published.
    Alternate,
    /// First corners apart from creases and from flat faces, which cannot collide with each other; then by position and by direction in turn.
    #[default]
    ByClass,
}

/// A hierarchy with the ball that its numbers are relative to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Centre of a ball around the body [m].
    pub(super) center: Vec3,
    /// Radius of that ball, positive [m].
    pub(super) scale: f64,
}

/// One face during construction.
#[derive(Clone, Copy)]
struct Item {
    position: Vec3,
    axis: Vec3,
    face: u32,
}

/// A cone in full precision with the classes in it.
#[derive(Clone, Copy)]
struct Cover {
    axis: Vec3,
    half: f64,
    mask: u8,
}

/// Which groups of classes come apart first: those that collide with everything, with creases, with corners only.
fn group(class: u8) -> u8 {
    match class {
        0 => 0,
        1..=3 => 1,
        _ => 2,
    }
}

impl Tree {
    /// The hierarchy of all faces that can be in contact.
    pub(super) fn new(complex: &Complex, splitting: Splitting) -> Self {
        let mut items: Vec<Item> = (0..complex.face_count() as u32)
            .filter(|&face| complex.class(face) != 7)
            .map(|face| {
                let simplex = complex.simplex(face);
                let points = simplex.points();
                let position = points.iter().sum::<Vec3>() / points.len() as f64;
                Item { position, axis: complex.face(face).axis, face }
            })
            .collect();
        let (center, scale) = body_ball(complex, &items);
        let mut nodes = vec![Node::EMPTY; (2 * items.len()).saturating_sub(1)];
        let build = Build { complex, center, scale, splitting };
        if !items.is_empty() {
            if splitting == Splitting::ByClass {
                items.sort_by_key(|item| (group(complex.class(item.face)), item.face));
                build.groups(&mut items, &mut nodes, 0);
            } else {
                build.subtree(&mut items, &mut nodes, 0, 0);
            }
        }
        Self { nodes, center, scale }
    }
}

/// A ball around all faces, with a positive radius.
fn body_ball(complex: &Complex, items: &[Item]) -> (Vec3, f64) {
    let mut points: Vec<Vec3> = Vec::new();
    for item in items {
        if let Simplex::Point([p]) = complex.simplex(item.face) {
            points.push(p);
        }
    }
    // Corners that cannot be touched belong to it too: edges and triangles reach there.
    let bounds = complex.bounding_box();
    let center = if points.is_empty() { bounds.center() } else { ball_center(&points) };
    let reach = |p: &Vec3| (p - center).norm();
    let all = items.iter().flat_map(|item| complex.simplex(item.face).points().to_vec());
    let scale = all.map(|p| reach(&p)).fold(0.0, f64::max) * (1.0 + OUTWARD);
    // A single point has no size: any length will do.
    (center, if scale > 0.0 { scale } else { 1.0 })
}

struct Build<'a> {
    complex: &'a Complex,
    center: Vec3,
    scale: f64,
    splitting: Splitting,
}

impl Build<'_> {
    /// The top of a tree whose items are sorted by group: a chain of one subtree for each group.
    fn groups(&self, items: &mut [Item], nodes: &mut [Node], first: u32) -> Cover {
        let lead = group(self.complex.class(items[0].face));
        let here = items.partition_point(|item| group(self.complex.class(item.face)) == lead);
        if here == items.len() {
            return self.subtree(items, nodes, first, 0);
        }
        let node = self.ball(items);
        let (left, right) = items.split_at_mut(here);
        let (own, rest) = nodes.split_at_mut(1);
        let (left_nodes, right_nodes) = rest.split_at_mut(2 * here - 1);
        let right_first = first + 2 * here as u32;
        let one = self.subtree(left, left_nodes, first + 1, 0);
        let two = self.groups(right, right_nodes, right_first);
        self.finish(&mut own[0], node, &one, &two, right_first)
    }

    /// The subtree of some items in nodes that begin at `first`.
    fn subtree(&self, items: &mut [Item], nodes: &mut [Node], first: u32, depth: u32) -> Cover {
        if let [item] = items {
            return self.leaf(item, &mut nodes[0]);
        }
        let node = self.ball(items);
        self.halve(items, depth);
        let half = items.len() / 2;
        let (left, right) = items.split_at_mut(half);
        let (own, rest) = nodes.split_at_mut(1);
        let (left_nodes, right_nodes) = rest.split_at_mut(2 * half - 1);
        let right_first = first + 2 * half as u32;
        let mut one = || self.subtree(left, left_nodes, first + 1, depth + 1);
        let mut two = || self.subtree(right, right_nodes, right_first, depth + 1);
        let (one, two) = if half >= ONE_THREAD { in_pool(|| rayon::join(one, two)) } else { (one(), two()) };
        self.finish(&mut own[0], node, &one, &two, right_first)
    }

    /// Puts the lower half of the items first, along the direction in which they vary most.
    fn halve(&self, items: &mut [Item], depth: u32) {
        let by_axis = self.splitting != Splitting::Position && depth % 2 == 1;
        let direction = by_axis
            .then(|| main_direction(items, |item| item.axis))
            .filter(|(_, variance)| *variance >= GAUSS_SPREAD * GAUSS_SPREAD);
        if let Some((along, _)) = direction {
            cut(items, |item| item.axis.dot(&along));
        } else {
            let (along, _) = main_direction(items, |item| item.position);
            cut(items, |item| item.position.dot(&along));
        }
    }

    /// Writes a node from its ball and its children.
    fn finish(&self, own: &mut Node, ball: Node, one: &Cover, two: &Cover, right: u32) -> Cover {
        let cover = united(one, two);
        *own = Node { mask: cover.mask, ..ball };
        self.set_cone(own, &cover);
        own.set_right(right);
        cover
    }

    fn leaf(&self, item: &Item, node: &mut Node) -> Cover {
        let face = self.complex.face(item.face);
        let cover = Cover { axis: face.axis, half: face.half, mask: 1 << face.class };
        let simplex = self.complex.simplex(item.face);
        *node = Node { mask: cover.mask, ..self.ball_at(simplex_center(&simplex), simplex.points()) };
        self.set_cone(node, &cover);
        node.set_face(item.face);
        cover
    }

    #[expect(clippy::unused_self, reason = "reads as a step of the build")]
    fn set_cone(&self, node: &mut Node, cover: &Cover) {
        if cover.half + OUTWARD >= f64::from(WHOLE) {
            (node.axis, node.half) = ([0.0; 3], WHOLE);
        } else {
            node.axis = [cover.axis.x as f32, cover.axis.y as f32, cover.axis.z as f32];
            node.half = (cover.half + OUTWARD) as f32;
        }
    }

    /// A ball around the corners of items.
    fn ball(&self, items: &[Item]) -> Node {
        let mut points = Vec::with_capacity(3 * items.len());
        for item in items {
            points.extend_from_slice(self.complex.simplex(item.face).points());
        }
        self.ball_at(ball_center(&points), &points)
    }

    /// A ball around points with its centre as near to a place as f32 allows.
    fn ball_at(&self, center: Vec3, points: &[Vec3]) -> Node {
        let stored = ((center - self.center) / self.scale).map(|x| x as f32);
        let center = self.center + stored.map(f64::from) * self.scale;
        let reach = points.iter().map(|p| (p - center).norm_squared()).fold(0.0, f64::max).sqrt();
        let radius = ((reach / self.scale) * (1.0 + OUTWARD)) as f32;
        // A radius that rounds to nothing while its ball has a size is the smallest there is.
        let radius = if reach > 0.0 { radius.max(f32::MIN_POSITIVE) } else { radius };
        Node { center: stored.into(), radius, ..Node::EMPTY }
    }
}

/// Puts the half with the lower keys first; equal keys by face.
fn cut(items: &mut [Item], key: impl Fn(&Item) -> f64) {
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |p, q| key(p).total_cmp(&key(q)).then(p.face.cmp(&q.face)));
}

/// The direction in which keys vary most, and the variance along it.
fn main_direction(items: &[Item], key: impl Fn(&Item) -> Vec3) -> (Vec3, f64) {
    let count = items.len() as f64;
    let mean = items.iter().map(&key).sum::<Vec3>() / count;
    let mut covariance = Mat3::zeros();
    for item in items {
        let d = key(item) - mean;
        covariance += d * d.transpose();
    }
    covariance /= count;
    let trace = covariance.trace();
    if trace <= 0.0 || trace.is_nan() {
        return (Vec3::x(), 0.0);
    }
    // Squaring ten times leaves the largest eigenvalue alone, or a mix of those that are as good as equal.
    let mut power = covariance / trace;
    for _ in 0..10 {
        power *= power;
        power /= power.trace();
    }
    let column = (0..3).rfold(0, |best, k| {
        if power.column(k).norm_squared() >= power.column(best).norm_squared() { k } else { best }
    });
    let axis = power.column(column).normalize();
    (axis, axis.dot(&(covariance * axis)))
}

/// The smallest round cone about two.
fn united(one: &Cover, two: &Cover) -> Cover {
    let mask = one.mask | two.mask;
    let whole = Cover { axis: Vec3::zeros(), half: PI, mask };
    if one.half >= PI || two.half >= PI {
        return whole;
    }
    let angle = angle_between(&one.axis, &two.axis);
    if angle + two.half <= one.half {
        return Cover { mask, ..*one };
    }
    if angle + one.half <= two.half {
        return Cover { mask, ..*two };
    }
    let half = 0.5 * (angle + one.half + two.half);
    let across = two.axis - one.axis * one.axis.dot(&two.axis);
    let length = across.norm();
    // Opposite axes have no plane in common.
    if half >= PI || (length <= OUTWARD && angle > 1.0) {
        return whole;
    }
    if length == 0.0 {
        return Cover { axis: one.axis, half: half + OUTWARD, mask };
    }
    let (s, c) = sin_cos(half - one.half);
    let axis = (one.axis * c + across * (s / length)).normalize();
    // Rounding of the axis: nested cones add up, each by far less than this.
    Cover { axis, half: half + 1e-12, mask }
}
