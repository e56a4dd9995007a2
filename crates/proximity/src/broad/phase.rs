//! The broad phase as people use it.

use zerogap_core::{Aabb, Vec3};

use super::backend::{Backend, Change, PairKey, pair_key, slots};
use super::brute::Brute;
use super::candidates::{Candidates, differences};
use super::exclusions::Exclusions;
use super::fat::{fat_box, holds};
use super::filter::Filter;
use super::names::{BoxId, BoxPair, BroadError, BroadMethod, BroadParams};
use super::tree::Tree;

/// Where a fat box was made, and when: gives the speed of its box.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    center: Vec3,
    step: u64,
}

/// A half-space: it pairs with boxes that reach into it.
#[derive(Debug, Clone, Copy)]
struct Plane {
    slot: u32,
    normal: Vec3,
    offset: f64,
}

impl Plane {
    /// How far a box is above the plane; negative where it reaches in [m].
    fn height(&self, bounds: &Aabb) -> f64 {
        let deepest = Vec3::from_fn(|k, _| if self.normal[k] > 0.0 { bounds.min[k] } else { bounds.max[k] });
        self.normal.dot(&deepest) - self.offset
    }
}

/// Boxes that move, and which of them overlap.
///
/// ```
/// use zerogap_core::{Aabb, Vec3};
/// use zerogap_proximity::broad::{BroadParams, BroadPhase, Filter};
///
/// let cube = |x| Aabb::from_center_size(Vec3::new(x, 0.0, 0.0), Vec3::repeat(1.0));
/// let mut phase = BroadPhase::new(BroadParams::default());
/// let ids = [0.0, 0.8, 5.0].map(|x| phase.insert(cube(x), Filter::of_body(x as u32 + 10 * (x > 0.5) as u32)).unwrap());
/// assert_eq!(phase.update().len(), 1);
/// phase.set(ids[2], cube(1.7))?;
/// let pairs = phase.update();
/// assert_eq!(pairs.len(), 2);
/// assert_eq!((pairs[1].a, pairs[1].b), (ids[1], ids[2]));
/// assert_eq!(phase.began().len(), 1);
/// # Ok::<(), zerogap_proximity::broad::BroadError>(())
/// ```
#[derive(Debug)]
pub struct BroadPhase {
    params: BroadParams,
    backend: Box<dyn Backend>,
    /// The method in use; none before the first update.
    method: Option<Method>,
    /// Boxes as they were given, inflated by half the margin; empty for slots that are free.
    boxes: Vec<Aabb>,
    fat: Vec<Aabb>,
    filters: Vec<Filter>,
    anchors: Vec<Anchor>,
    free: Vec<u32>,
    /// Slots taken out since the last update: their pairs are still to end, so that they are not free yet.
    retired: Vec<u32>,
    planes: Vec<Plane>,
    /// Bodies that never pair.
    excluded: Exclusions,
    /// Slots whose fat box is to be made again, and whether a slot is among them.
    leaving: Vec<u32>,
    is_leaving: Vec<bool>,
    /// Whether the candidates must be found again: filters have changed.
    is_stale: bool,
    /// Whether any box has changed since the last update.
    has_moved: bool,
    candidates: Candidates,
    step: u64,
    keys: Vec<PairKey>,
    last_keys: Vec<PairKey>,
    pairs: Vec<BoxPair>,
    began: Vec<BoxPair>,
    ended: Vec<BoxPair>,
    memory: Scratch,
    /// Fraction of the boxes that left their fat boxes of late [-].
    bustle: f64,
    /// A tree of the boxes as they were given, for questions; of no use when it is stale.
    query_tree: Tree,
    is_query_stale: bool,
}

/// Lists that an update overwrites.
#[derive(Debug, Default)]
struct Scratch {
    changes: Vec<Change>,
    found: Vec<PairKey>,
    began: Vec<PairKey>,
    ended: Vec<PairKey>,
}

/// Methods as they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Brute,
    Grid,
    Sweep,
    Tree,
}

/// Up to this many boxes all pairs are checked [-].
const FEW: usize = 32;

/// Fraction of boxes that leave their fat boxes in a step from which on motion is fast [-].
const BUSY: f64 = 0.5;

/// Weight of the last step in the running fraction [-].
const BUSTLE_MEMORY: f64 = 0.25;

/// Part of the boxes beyond which a rebuild is quicker than following changes [-].
const BULK: usize = 4;

impl BroadPhase {
    /// Without boxes; a margin that is not a positive finite number counts as none.
    pub fn new(params: BroadParams) -> Self {
        let margin = if params.margin > 0.0 && params.margin.is_finite() { params.margin } else { 0.0 };
        Self {
            params: BroadParams { margin, ..params },
            backend: Box::new(Brute),
            method: None,
            boxes: Vec::new(),
            fat: Vec::new(),
            filters: Vec::new(),
            anchors: Vec::new(),
            free: Vec::new(),
            retired: Vec::new(),
            planes: Vec::new(),
            excluded: Exclusions::default(),
            leaving: Vec::new(),
            is_leaving: Vec::new(),
            is_stale: false,
            has_moved: false,
            candidates: Candidates::default(),
            step: 0,
            keys: Vec::new(),
            last_keys: Vec::new(),
            pairs: Vec::new(),
            began: Vec::new(),
            ended: Vec::new(),
            memory: Scratch::default(),
            bustle: 0.0,
            query_tree: Tree::default(),
            is_query_stale: true,
        }
    }

    /// Puts in a box, which may be flat or a point.
    pub fn insert(&mut self, bounds: Aabb, filter: Filter) -> Result<BoxId, BroadError> {
        let id = self.next_id();
        let inflated = self.inflated(id, &bounds)?;
        self.take_slot(id, filter);
        let slot = id.0 as usize;
        self.boxes[slot] = inflated;
        self.anchors[slot] = Anchor { center: inflated.center(), step: self.step };
        self.mark(id.0);
        Ok(id)
    }

    /// Puts in a half-space, all points with `normal · x <= offset`: it pairs with the boxes that reach into it. Never with another half-space.
    pub fn insert_half_space(
        &mut self,
        normal: Vec3,
        offset: f64,
        filter: Filter,
    ) -> Result<BoxId, BroadError> {
        let id = self.next_id();
        let length = normal.norm();
        if !(length > 0.0 && length.is_finite() && offset.is_finite()) {
            return Err(BroadError::NotAPlane { id: id.0, normal, offset });
        }
        self.take_slot(id, filter);
        self.planes.push(Plane { slot: id.0, normal: normal / length, offset: offset / length });
        self.planes.sort_unstable_by_key(|plane| plane.slot);
        self.has_moved = true;
        Ok(id)
    }

    /// Takes out a box or half-space; its pairs end with the next update.
    pub fn remove(&mut self, id: BoxId) -> Result<(), BroadError> {
        self.check_known(id)?;
        let slot = id.0 as usize;
        if let Some(plane) = self.planes.iter().position(|plane| plane.slot == id.0) {
            self.planes.remove(plane);
        } else {
            self.boxes[slot] = Aabb::empty();
            self.mark(id.0);
        }
        self.has_moved = true;
        self.retired.push(id.0);
        Ok(())
    }

    /// Moves a box. Half-spaces do not move: remove and insert them again.
    pub fn set(&mut self, id: BoxId, bounds: Aabb) -> Result<(), BroadError> {
        if self.boxes.get(id.0 as usize).is_none_or(Aabb::is_empty) {
            return Err(BroadError::Unknown { id: id.0 });
        }
        let inflated = self.inflated(id, &bounds)?;
        let slot = id.0 as usize;
        if self.boxes[slot] != inflated {
            self.boxes[slot] = inflated;
            (self.has_moved, self.is_query_stale) = (true, true);
            if !holds(&self.fat[slot], &inflated) {
                self.mark(id.0);
            }
        }
        Ok(())
    }

    /// Changes with whom a box pairs.
    pub fn set_filter(&mut self, id: BoxId, filter: Filter) -> Result<(), BroadError> {
        self.check_known(id)?;
        self.filters[id.0 as usize] = filter;
        self.is_stale = true;
        Ok(())
    }

    /// Makes two bodies never pair, for example because a joint holds them together.
    pub fn join(&mut self, body: u32, other: u32) {
        self.is_stale |= self.excluded.insert(body, other);
    }

    /// Makes no two of a group of bodies ever pair; memory and time grow with the bodies, not with their pairs.
    pub fn join_group(&mut self, bodies: &[u32]) {
        self.excluded.insert_group(bodies);
        self.is_stale = true;
    }

    /// Whether two bodies never pair, because of [`BroadPhase::join`] or [`BroadPhase::join_group`].
    pub fn are_joined(&self, body: u32, other: u32) -> bool {
        self.excluded.contains(body, other)
    }

    /// The pairs of [`BroadPhase::join`], the smaller number first, rising.
    pub fn joined_pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.excluded.pairs()
    }

    /// The groups of [`BroadPhase::join_group`] that a body is in, by the order in which they were made.
    pub fn groups_of(&self, body: u32) -> &[u32] {
        self.excluded.groups_of(body)
    }

    /// Undoes [`BroadPhase::join`]; bodies of a group stay joined.
    pub fn part(&mut self, body: u32, other: u32) {
        self.is_stale |= self.excluded.remove(body, other);
    }

    /// Returns the number of boxes and half-spaces.
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.retired.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Brings the pairs up to date: all pairs of boxes that intersect, touching included, sorted by names, each once.
    ///
    /// Cost: in proportion to the boxes that have left the room they had, and to the pairs; once the lists have grown nothing is allocated but what threads
    ///   gather their parts in, where there are more than 16,384 pairs to check.
    /// Order: the same pairs in the same order for every method, any number of threads and any history of the boxes.
    pub fn update(&mut self) -> &[BoxPair] {
        self.step += 1;
        self.choose_method();
        if self.is_stale || !self.leaving.is_empty() {
            self.find_candidates();
        }
        if self.has_moved || self.is_stale {
            std::mem::swap(&mut self.keys, &mut self.last_keys);
            self.candidates.overlapping(&self.boxes, &mut self.keys);
            self.add_half_spaces();
            let Scratch { began, ended, .. } = &mut self.memory;
            differences(&self.last_keys, &self.keys, began, ended);
            let listed = |keys: &[PairKey], list: &mut Vec<BoxPair>| {
                list.clear();
                list.extend(keys.iter().map(|&key| BoxPair::from(key)));
            };
            listed(began, &mut self.began);
            listed(ended, &mut self.ended);
            listed(&self.keys, &mut self.pairs);
        } else {
            self.began.clear();
            self.ended.clear();
        }
        (self.has_moved, self.is_stale) = (false, false);
        self.free.append(&mut self.retired);
        &self.pairs
    }

    /// The pairs of the last update.
    pub fn pairs(&self) -> &[BoxPair] {
        &self.pairs
    }

    /// Pairs of the last update that were none in the one before, sorted.
    pub fn began(&self) -> &[BoxPair] {
        &self.began
    }

    /// Pairs of the update before the last that are none any more, sorted; a box that was removed ends all its pairs.
    pub fn ended(&self) -> &[BoxPair] {
        &self.ended
    }

    /// Returns the approximate memory in use [B].
    pub fn memory(&self) -> usize {
        let per_slot = 2 * size_of::<Aabb>() + size_of::<Filter>() + size_of::<Anchor>() + 1;
        self.boxes.capacity() * per_slot
            + self.candidates.memory()
            + self.backend.memory()
            + (self.keys.capacity() + self.last_keys.capacity() + self.pairs.capacity())
                * size_of::<PairKey>()
    }

    /// Whether all structures agree with the boxes; what is wrong otherwise. For tests: checks everything.
    pub fn check(&self) -> Result<(), String> {
        self.backend.check(&self.fat)?;
        for (slot, (own, fat)) in self.boxes.iter().zip(&self.fat).enumerate() {
            if !own.is_empty() && !self.is_leaving[slot] && !holds(fat, own) {
                return Err(format!("box {slot} has left its fat box unnoticed"));
            }
        }
        Ok(())
    }

    /// Distance of what is in a pair [m], by its boxes as they were given; 0 where these intersect.
    pub(super) fn distance(&self, pair: BoxPair) -> f64 {
        let own = |id: BoxId| self.boxes[id.0 as usize].expanded(-0.5 * self.params.margin);
        let plane = |id: BoxId| self.planes.iter().find(|plane| plane.slot == id.0);
        match (plane(pair.a), plane(pair.b)) {
            (Some(plane), _) => plane.height(&own(pair.b)).max(0.0),
            (_, Some(plane)) => plane.height(&own(pair.a)).max(0.0),
            _ => own(pair.a).distance(&own(pair.b)),
        }
    }

    /// A tree of the boxes as they were given.
    pub(super) fn query_tree(&mut self) -> &Tree {
        if self.is_query_stale {
            let half = 0.5 * self.params.margin;
            let own = |bounds: &Aabb| if bounds.is_empty() { *bounds } else { bounds.expanded(-half) };
            let boxes: Vec<Aabb> = self.boxes.iter().map(own).collect();
            self.query_tree.build(&boxes);
            self.is_query_stale = false;
        }
        &self.query_tree
    }

    fn next_id(&self) -> BoxId {
        BoxId(self.free.last().copied().unwrap_or(self.boxes.len() as u32))
    }

    /// Gives a name to what is inserted.
    fn take_slot(&mut self, id: BoxId, filter: Filter) {
        let slot = id.0 as usize;
        if self.free.pop().is_none() {
            self.boxes.push(Aabb::empty());
            self.fat.push(Aabb::empty());
            self.filters.push(filter);
            self.anchors.push(Anchor { center: Vec3::zeros(), step: 0 });
            self.is_leaving.push(false);
        }
        self.filters[slot] = filter;
    }

    /// The box with half the margin around it, where it is a box.
    fn inflated(&self, id: BoxId, bounds: &Aabb) -> Result<Aabb, BroadError> {
        let inflated =
            if self.params.margin > 0.0 { bounds.expanded(0.5 * self.params.margin) } else { *bounds };
        let is_finite = inflated.min.iter().chain(inflated.max.iter()).all(|x| x.is_finite());
        if is_finite && !bounds.is_empty() {
            return Ok(inflated);
        }
        Err(BroadError::NotABox { id: id.0, min: bounds.min, max: bounds.max })
    }

    fn check_known(&self, id: BoxId) -> Result<(), BroadError> {
        let is_box = self.boxes.get(id.0 as usize).is_some_and(|bounds| !bounds.is_empty());
        let is_known = is_box || self.planes.iter().any(|plane| plane.slot == id.0);
        if is_known { Ok(()) } else { Err(BroadError::Unknown { id: id.0 }) }
    }

    /// Notes that a slot needs a fat box of its own time.
    fn mark(&mut self, slot: u32) {
        (self.has_moved, self.is_query_stale) = (true, true);
        if !std::mem::replace(&mut self.is_leaving[slot as usize], true) {
            self.leaving.push(slot);
        }
    }

    /// Whether two boxes may pair.
    fn may_pair(&self, key: PairKey) -> bool {
        let (p, q) = slots(key);
        let (p, q) = (&self.filters[p as usize], &self.filters[q as usize]);
        p.admits(q) && (self.excluded.is_empty() || !self.excluded.contains(p.body, q.body))
    }

    /// The method for the boxes there are; a new one starts from all of them.
    fn choose_method(&mut self) {
        let left = self.leaving.len() as f64 / self.len().max(1) as f64;
        self.bustle += BUSTLE_MEMORY * (left - self.bustle);
        let wanted = match self.params.method {
            BroadMethod::Auto => self.measured_best(),
            BroadMethod::Grid => Method::Grid,
            BroadMethod::Sweep => Method::Sweep,
            BroadMethod::Tree => Method::Tree,
        };
        if self.method != Some(wanted) {
            self.backend = wanted.backend();
            self.method = Some(wanted);
            self.is_stale = true;
        }
    }

    /// The quickest method, as `bench/results/<machine>/broad.csv` has it: for few boxes all pairs, in fast motion the sweep, else the tree.
    ///
    /// A method in use stays a little beyond its borders, for a change costs as much as it gains in some steps.
    fn measured_best(&self) -> Method {
        let few = if self.method == Some(Method::Brute) { 2 * FEW } else { FEW };
        let busy = if self.method == Some(Method::Sweep) { 0.5 * BUSY } else { BUSY };
        match (self.len() <= few, self.bustle > busy) {
            (true, _) => Method::Brute,
            (_, true) => Method::Sweep,
            _ => Method::Tree,
        }
    }

    /// Makes fat boxes for those that left theirs, and finds who is near them.
    fn find_candidates(&mut self) {
        let Scratch { mut changes, mut found, began, ended } = std::mem::take(&mut self.memory);
        changes.clear();
        found.clear();
        self.leaving.sort_unstable();
        for &slot in &self.leaving {
            let k = slot as usize;
            let (own, before) = (self.boxes[k], self.fat[k]);
            let after = if own.is_empty() {
                own
            } else {
                let center = own.center();
                let steps = (self.step - self.anchors[k].step).max(1) as f64;
                let moved = (center - self.anchors[k].center) / steps;
                self.anchors[k] = Anchor { center, step: self.step };
                fat_box(&own, &moved, slot)
            };
            self.fat[k] = after;
            let listed = |bounds: Aabb| (!bounds.is_empty()).then_some(bounds);
            changes.push(Change { slot, before: listed(before), after: listed(after) });
        }
        if self.is_stale || changes.len() * BULK > self.len() {
            self.backend.rebuild(&self.fat, &mut found);
            found.retain(|&key| self.may_pair(key));
            self.candidates.replace(&mut found);
        } else {
            self.backend.update(&self.fat, &changes, &mut found);
            found.retain(|&key| self.may_pair(key));
            let mut candidates = std::mem::take(&mut self.candidates);
            candidates.renew(&mut found, |key| {
                let (p, q) = slots(key);
                let has_changed = self.is_leaving[p as usize] || self.is_leaving[q as usize];
                !has_changed || self.fat[p as usize].overlaps(&self.fat[q as usize])
            });
            self.candidates = candidates;
        }
        for slot in self.leaving.drain(..) {
            self.is_leaving[slot as usize] = false;
        }
        self.memory = Scratch { changes, found, began, ended };
    }

    /// Adds the pairs of half-spaces to the keys.
    fn add_half_spaces(&mut self) {
        let count = self.keys.len();
        for plane in &self.planes {
            for (slot, bounds) in self.boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty()) {
                let key = pair_key(plane.slot, slot as u32);
                if plane.height(bounds) <= 0.5 * self.params.margin && self.may_pair(key) {
                    self.keys.push(key);
                }
            }
        }
        if self.keys.len() > count {
            self.keys.sort_unstable();
        }
    }
}

impl Method {
    fn backend(self) -> Box<dyn Backend> {
        match self {
            Self::Brute => Box::new(Brute),
            Self::Grid => Box::new(super::grid::Grid::default()),
            Self::Sweep => Box::new(super::sweep::Sweep::default()),
            Self::Tree => Box::new(super::tree::Tree::default()),
        }
    }
}
