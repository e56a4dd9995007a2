//! The distance of two meshes by branch and bound, interrupted at will.
//!
//! In: two bodies and their poses. Out: the nearest points, or bounds that hold them. One loop serves both orders of the paper: nearest first, from a heap, which closes the
//! lower bound as it goes; and depth first, nearest child first, from a stack, which costs less per step. Open pairs of nodes carry a lower bound that never falls from
//! parent to child, so the least of them is a lower bound of everything that is left, in any order.

use zerogap_core::{Contact, GapStatus, Manifold, NormalKind, Pose, Vec3};

use super::body::MeshBody;
use super::heap::{Pair, pop_least, sift_up};
use super::overlap::OverlapWork;
use super::question::{MeshDistance, MeshDistanceParams, Order};
use super::triangle::{TrianglePair, nearer_than, triangle_distance};
use crate::bvh::{BoundingVolume, Relative, WIDTH};
use crate::convex::Placement;
use crate::convex::slack;

/// Steps of a walk from mesh to mesh, at most [-], and the part of the distance that is left after one that is worth another [-].
const STEPS: usize = 8;
const WORTH: f64 = 0.999;

/// Memory of searches, used again: after the first queries nothing is allocated.
#[derive(Debug, Default)]
pub struct MeshWork {
    pub(super) open: Vec<Pair>,
    /// Places, in both trees, of the triangles that were nearest last.
    pub(super) last: Option<[u32; 2]>,
    pub(super) nodes: Vec<u32>,
    /// Of questions about points.
    pub(super) points: Vec<Pair>,
    pub(super) overlap: OverlapWork,
    pub(super) manifold: Manifold,
    pub(super) contacts: Vec<Contact>,
}

/// A search that can be continued: what [`MeshDistanceParams::budget`] interrupts.
pub struct MeshSearch<'m, V: BoundingVolume> {
    a: &'m MeshBody<V>,
    b: &'m MeshBody<V>,
    at: Placement,
    between: Relative,
    reversed: Relative,
    is_far: bool,
    room: f64,
    open: &'m mut Vec<Pair>,
    last: &'m mut Option<[u32; 2]>,
    points: &'m mut Vec<Pair>,
    order: Order,
    limit: f64,
    best: Option<(TrianglePair, [u32; 2])>,
    /// The least lower bound of pairs that were left because they are near enough to what was asked for [m].
    left: f64,
    pops: u64,
    measured: u64,
}

impl<'m, V: BoundingVolume> MeshSearch<'m, V> {
    /// Begins a search; `farther_than` of the parameters limits it from the start.
    pub fn new(
        a: &'m MeshBody<V>,
        pose_a: &Pose,
        b: &'m MeshBody<V>,
        pose_b: &Pose,
        params: &MeshDistanceParams,
        work: &'m mut MeshWork,
    ) -> Self {
        let at = Placement::new(pose_a, pose_b);
        let between = Relative::new(at.R_AB, &at.p_AB, a.tree().frame(), b.tree().frame());
        let room = slack(a.reach() + b.reach() + at.p_AB.norm());
        let MeshWork { open, last, points, .. } = work;
        open.clear();
        let primed = last.filter(|_| params.coherent);
        let limit = params.farther_than;
        let mut search = Self {
            a,
            b,
            at,
            between,
            reversed: between.reversed(),
            is_far: between.is_far(),
            room,
            open,
            last,
            points,
            order: params.order,
            limit,
            best: None,
            left: f64::INFINITY,
            pops: 0,
            measured: 0,
        };
        if let Some([pa, pb]) = primed
            && (pa as usize) < a.tree().order().len()
            && (pb as usize) < b.tree().order().len()
        {
            search.measure(pa, pb);
        }
        if params.order == Order::DepthFirst && primed.is_none() {
            let middle = search.at.to_a(&b.tree().frame().origin);
            search.walk(middle);
        }
        let key = a.tree().nodes()[0].volume.separation(
            &b.tree().nodes()[0].volume,
            &search.between,
            f64::INFINITY,
        );
        search.push(Pair { key, a: 0, b: 0 });
        search
    }

    /// Walks to near points: from a point, given in A's frame, to the nearest of A, from there to the nearest of B, and so on, as long as that brings them nearer by a part worth
    /// the way. The nearer the points that are known, the less there is to search.
    fn walk(&mut self, from: Vec3) {
        let mut from = from;
        let mut before = self.upper();
        for _ in 0..STEPS {
            let limit = if self.best.is_some() { before } else { f64::INFINITY };
            let Some(of_a) = self.a.nearest_place(&from, limit, self.points) else { return };
            let Some(of_b) = self.b.nearest_place(&self.at.to_b(&of_a.point), limit, self.points) else {
                return;
            };
            self.measure(of_a.triangle, of_b.triangle);
            from = self.at.to_a(&of_b.point);
            let upper = self.upper();
            if upper > WORTH * before {
                return;
            }
            before = upper;
        }
    }

    /// The distance that a pair must stay below to be of interest [m].
    #[inline]
    fn upper(&self) -> f64 {
        self.best.as_ref().map_or(self.limit, |(pair, _)| pair.distance)
    }

    #[inline]
    fn push(&mut self, pair: Pair) {
        self.open.push(pair);
        if self.order == Order::BestFirst {
            sift_up(self.open);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Pair> {
        match self.order {
            Order::DepthFirst => self.open.pop(),
            Order::BestFirst => pop_least(self.open),
        }
    }

    /// Measures the triangles at two places of the trees' orders.
    #[inline]
    fn measure(&mut self, pa: u32, pb: u32) {
        let b = self.b.at(pb as usize).map(|p| self.at.to_a(&p));
        self.measure_placed(pa, pb, &b);
    }

    #[inline]
    fn measure_placed(&mut self, pa: u32, pb: u32, b: &[Vec3; 3]) {
        let a = self.a.at(pa as usize);
        let upper = self.upper();
        if surely_apart(a, b, upper) {
            return;
        }
        self.measured += 1;
        if let Some(pair) = nearer_than(a, b, upper)
            && pair.distance < upper
        {
            self.best = Some((pair, [pa, pb]));
        }
    }

    /// Evaluates one pair of nodes: measures its triangles or opens its children.
    #[inline]
    fn step(&mut self, pair: Pair) {
        self.pops += 1;
        let (nodes_a, nodes_b) = (self.a.tree().nodes(), self.b.tree().nodes());
        let (a, b) = (&nodes_a[pair.a as usize], &nodes_b[pair.b as usize]);
        if a.is_leaf() && b.is_leaf() {
            for pb in b.first..b.first + b.count {
                let placed = self.b.at(pb as usize).map(|p| self.at.to_a(&p));
                for pa in a.first..a.first + a.count {
                    self.measure_placed(pa, pb, &placed);
                }
            }
            return;
        }
        // The larger one is opened.
        let open_a = b.is_leaf()
            || (!a.is_leaf()
                && a.volume.size() * self.between.unit_a >= b.volume.size() * self.between.unit_b);
        let upper = self.upper();
        let (tree, fixed) = if open_a { (self.a.tree(), &b.volume) } else { (self.b.tree(), &a.volume) };
        let Some(wide) = tree.wide(if open_a { pair.a } else { pair.b }) else { return };
        let mut keys = [0.0; WIDTH];
        let at = if open_a { &self.reversed } else { &self.between };
        if self.is_far {
            for (key, &node) in keys.iter_mut().zip(&wide.nodes).take(wide.count as usize) {
                *key = fixed.separation(&tree.nodes()[node as usize].volume, at, upper);
            }
        } else {
            fixed.separations(&wide.pack, at, upper, &mut keys);
        }
        // Those that can hold the answer, farthest first, so that the stack gives the nearest; a key never falls below its parent's where that says more.
        let mut sorted = [Pair { key: 0.0, a: 0, b: 0 }; WIDTH];
        let mut count = 0;
        for (&key, &node) in keys.iter().zip(&wide.nodes).take(wide.count as usize) {
            if key >= upper {
                continue;
            }
            let child =
                if open_a { Pair { key, a: node, b: pair.b } } else { Pair { key, a: pair.a, b: node } };
            let mut k = count;
            while k > 0 && sorted[k - 1].key < key {
                sorted[k] = sorted[k - 1];
                k -= 1;
            }
            sorted[k] = child;
            count += 1;
        }
        for mut child in sorted.into_iter().take(count) {
            if pair.key > 0.0 {
                child.key = child.key.max(pair.key);
            }
            self.push(child);
        }
    }

    /// The least lower bound of all open pairs [m]; infinite where none is left.
    fn open_bound(&self) -> f64 {
        match self.order {
            Order::BestFirst => self.open.first().map_or(f64::INFINITY, |pair| pair.key.max(0.0)),
            Order::DepthFirst => self.open.iter().map(|pair| pair.key.max(0.0)).fold(f64::INFINITY, f64::min),
        }
    }

    /// Goes on until a rule of the parameters ends it, with `budget` more pairs of nodes at most.
    pub fn run(&mut self, params: &MeshDistanceParams) -> MeshDistance {
        let last = self.pops.saturating_add(params.budget);
        // Only the heap knows the lower bound at every step; the stack is asked at the end.
        let is_bounded = self.order == Order::BestFirst && (params.absolute > 0.0 || params.relative > 0.0);
        let mut status = GapStatus::Exact;
        loop {
            let upper = self.upper();
            if upper < params.nearer_than {
                status = GapStatus::Converged;
                break;
            }
            if upper <= 0.0 {
                self.open.clear();
                break;
            }
            if is_bounded {
                let lower = self.open_bound().min(upper);
                if upper - lower <= params.absolute || upper <= (1.0 + params.relative) * lower {
                    status = GapStatus::Converged;
                    break;
                }
            }
            if self.pops >= last {
                status = GapStatus::Limited;
                break;
            }
            let Some(pair) = self.pop() else { break };
            let wanted = if self.order == Order::DepthFirst {
                (upper - params.absolute).min(upper / (1.0 + params.relative))
            } else {
                upper
            };
            // Nothing in it can be the answer, to what was asked for.
            if pair.key >= wanted {
                if self.order == Order::BestFirst {
                    self.open.clear();
                } else if pair.key < upper {
                    self.left = self.left.min(pair.key);
                }
                continue;
            }
            self.step(pair);
            // Triangles that are nearer may lie beside others that are nearer still.
            if self.order == Order::DepthFirst
                && let Some((found, _)) = &self.best
                && found.distance < WORTH * upper
                && found.distance > 0.0
            {
                self.walk(found.point_b);
            }
        }
        self.answer(status)
    }

    /// What is known now.
    fn answer(&mut self, status: GapStatus) -> MeshDistance {
        if self.best.is_none() && !self.open.is_empty() {
            // Interrupted before the first triangles: any two bound the distance from above.
            self.measure(0, 0);
        }
        let limit = self.limit;
        let farther = self.best.is_none();
        let (pair, places) = self.best.unwrap_or_else(|| {
            let b = self.b.at(0).map(|p| self.at.to_a(&p));
            (triangle_distance(self.a.at(0), &b), [0, 0])
        });
        *self.last = Some(places);
        let bound = self.open_bound().min(self.left);
        let lower = if farther { bound.min(limit) } else { bound.min(pair.distance) };
        let status = match status {
            GapStatus::Exact if farther => GapStatus::Farther,
            GapStatus::Exact if lower < pair.distance => GapStatus::Converged,
            other => other,
        };
        let upper = pair.distance + self.room;
        let lower = if pair.distance > 0.0 { (lower - self.room).max(0.0) } else { 0.0 };
        let triangles = [self.a.triangle(places[0]), self.b.triangle(places[1])];
        let (normal, normal_kind) = self.normal(&pair, places);
        let point_a = self.at.to_world_point(&pair.point_a);
        MeshDistance {
            gap: if farther { lower } else { pair.distance },
            lower,
            upper,
            normal: self.at.turn_to_world(&normal),
            normal_kind,
            point_a,
            // From the other point, so that the gap lies between them to the last digit that the world leaves.
            point_b: point_a + self.at.turn_to_world(&(pair.point_b - pair.point_a)),
            triangles,
            held: [pair.held_a, pair.held_b],
            status,
            pops: self.pops,
            measured: self.measured,
        }
    }

    /// The unit vector from A to B, in A's frame; at no distance that of the triangle of A, then of B, then any.
    fn normal(&self, pair: &TrianglePair, places: [u32; 2]) -> (Vec3, NormalKind) {
        let offset = pair.point_b - pair.point_a;
        if pair.distance > self.room && offset.norm() > 0.0 {
            return (offset / offset.norm(), NormalKind::Unique);
        }
        let unit = |[a, b, c]: &[Vec3; 3]| {
            let n = (b - a).cross(&(c - a));
            let length = n.norm();
            (length > 0.0).then(|| n / length)
        };
        let of_b = unit(self.b.at(places[1] as usize)).map(|n| -(self.at.R_AB * n));
        let normal = unit(self.a.at(places[0] as usize)).or(of_b).unwrap_or_else(Vec3::z);
        // On the side of the offset, as far as that says anything.
        (if normal.dot(&offset) < 0.0 { -normal } else { normal }, NormalKind::Chosen)
    }
}

/// What a search has found, apart from its open pairs: these stay in the [`MeshWork`] that it began with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suspended {
    best: Option<(TrianglePair, [u32; 2])>,
    left: f64,
    pops: u64,
    measured: u64,
}

impl<'m, V: BoundingVolume> MeshSearch<'m, V> {
    /// Leaves off, to be resumed with the same memory.
    pub(super) fn suspend(self) -> Suspended {
        Suspended { best: self.best, left: self.left, pops: self.pops, measured: self.measured }
    }

    /// Goes on where a search of the same bodies left off, with its memory.
    pub(super) fn resume(
        [a, b]: [&'m MeshBody<V>; 2],
        [pose_a, pose_b]: [&Pose; 2],
        params: &MeshDistanceParams,
        found: Suspended,
        work: &'m mut MeshWork,
    ) -> Self {
        let at = Placement::new(pose_a, pose_b);
        let between = Relative::new(at.R_AB, &at.p_AB, a.tree().frame(), b.tree().frame());
        let MeshWork { open, last, points, .. } = work;
        Self {
            a,
            b,
            between,
            reversed: between.reversed(),
            is_far: between.is_far(),
            room: slack(a.reach() + b.reach() + at.p_AB.norm()),
            at,
            open,
            last,
            points,
            order: params.order,
            limit: params.farther_than,
            best: found.best,
            left: found.left,
            pops: found.pops,
            measured: found.measured,
        }
    }
}

/// Whether the line between the middles of two triangles shows them to be farther apart than `limit` [m].
#[inline]
fn surely_apart(a: &[Vec3; 3], b: &[Vec3; 3], limit: f64) -> bool {
    let u = (b[0] + b[1] + b[2]) - (a[0] + a[1] + a[2]);
    let far = u.dot(&a[0]).max(u.dot(&a[1])).max(u.dot(&a[2]));
    let near = u.dot(&b[0]).min(u.dot(&b[1])).min(u.dot(&b[2]));
    let length = u.norm();
    // Rounding of the products, with room.
    let room = 8.0
        * f64::EPSILON
        * length
        * (far.abs().max(near.abs()) / length.max(f64::MIN_POSITIVE) + length + a[0].amax() + b[0].amax());
    near - far - room > limit * length
}

/// The distance of two meshes as surfaces, with any bounding volume; see [`super::mesh_distance`].
pub fn surface_distance<V: BoundingVolume>(
    a: &MeshBody<V>,
    pose_a: &Pose,
    b: &MeshBody<V>,
    pose_b: &Pose,
    params: &MeshDistanceParams,
    work: &mut MeshWork,
) -> MeshDistance {
    MeshSearch::new(a, pose_a, b, pose_b, params, work).run(params)
}
