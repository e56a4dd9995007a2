//! Bodies and fixed shapes that are added and removed while a world runs.
//!
//! In: a world at any time, and a definition or a number. Out: the same world at the same time with one body or fixed shape more or less. The model is put together anew with what is left, and
//! coordinates, contacts and forces are carried over by number; then the method takes the new model up ([`super::method::Method::recompose`]). A change that is refused leaves the world as it was.
//!
//! Numbers last: what was removed leaves its place in the lists of bodies and shapes, and nothing gets its number again. So pairs, events and contact points mean the same before and after.

use zerogap_core::Pose;
use zerogap_dynamics::multibody::{BodyId, Tree, TreeBuilder, Wrench};
use zerogap_geometry::shape::Point;
use zerogap_geometry::{ConvexShape, Shape};

use super::build::Assembled;
use super::model::Model;
use super::placed::PlacedCollider;
use super::shapes::ShapeId;
use super::start_overlaps::Overlaps;
use super::stored::Said;
use super::{BodyDef, ShapeDef, World, WorldBuilder, WorldError};

/// The shapes of one call of [`WorldBuilder::fixed`]: a compound has as many as it has pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct FixedShapes {
    pub(super) first: ShapeId,
    pub(super) count: usize,
    pub(super) is_removed: bool,
}

impl World {
    /// Adds a body while the world runs, and returns its number, which no body had before.
    ///
    /// It starts with the positions and velocities of its definition at the time reached; a prescribed motion is that of the world's time. What it touches is in contact from now on: event location
    /// reports `contact_begin` at this time, steps of one length report it with their next step. An overlap is refused as by [`WorldBuilder::build`], unless [`WorldBuilder::set_overlaps`] excludes or allows it; bodies are moved apart at the start alone.
    /// All other bodies keep their numbers, contacts and friction. States that were saved before cannot be restored any more.
    ///
    /// Cost: in proportion to all bodies and shapes of the world, as if it were built anew without its contacts: 3 ms to 4 ms among 1,000 balls, by every method.
    /// Fails: where [`WorldBuilder::body`] or [`WorldBuilder::build`] would; the world is then as it was.
    pub fn add_body(&mut self, def: BodyDef) -> Result<BodyId, WorldError> {
        let mut builder = self.to_builder();
        let body = builder.body(def)?;
        self.recompose(builder)?;
        Ok(body)
    }

    /// Adds a shape that is fixed in the world while the world runs, and returns its number. Everything said of [`World::add_body`] holds.
    pub fn add_fixed(&mut self, shape: ShapeDef) -> Result<ShapeId, WorldError> {
        let mut builder = self.to_builder();
        let first = builder.fixed(shape)?;
        self.recompose(builder)?;
        Ok(first)
    }

    /// Removes a body with its joint, its shapes, and what acts on it: motors, springs and limits of its joint, forces, force functions, a servo, exclusions of contact.
    ///
    /// Its contacts end now, with a `contact_end` each, and what lay on it falls. Its number is not given again; asking for it is an error from now on. All other bodies keep their numbers, contacts and
    /// friction. States that were saved before cannot be restored any more. A function of the user that asks its view for the body panics: such functions are code and cannot be inspected.
    ///
    /// Cost: in proportion to all bodies and shapes of the world. The place that the body leaves costs every step 6 ns and every later change half a microsecond.
    /// Fails: where there is no such body, and where another body hangs on it by a joint, a loop or a force element; the world is then as it was.
    pub fn remove_body(&mut self, body: BodyId) -> Result<(), WorldError> {
        self.check_body(body)?;
        let tree = &self.model.tree;
        let children = tree.children(body).map(|child| format!("'{}'", self.model.names[child.index()]));
        let element = tree.is_acted_on(body).then(|| "a spring, bushing or other force element".to_owned());
        let loops = tree.loops_of(body).map(|closure| format!("loop {}", closure.0));
        let by: Vec<String> = children.chain(loops).chain(element).collect();
        if !by.is_empty() {
            let body = format!("'{}'", self.model.names[body.index()]);
            return Err(WorldError::BodyInUse { body, by });
        }
        let mut builder = self.to_builder();
        builder.remove_body(body, self.time())?;
        self.recompose(builder)
    }

    /// Removes what one call of [`WorldBuilder::fixed`] or [`World::add_fixed`] added, by the number that it returned: all pieces of a compound. Everything said of [`World::remove_body`] holds.
    pub fn remove_fixed(&mut self, shape: ShapeId) -> Result<(), WorldError> {
        let mut builder = self.to_builder();
        builder.remove_fixed(shape)?;
        self.recompose(builder)
    }

    /// Returns the bodies that there are, ascending: those of the rows of [`World::body_states`].
    pub fn bodies(&self) -> &[BodyId] {
        &self.model.bodies
    }

    /// Returns an error where there is no such body, which says if it was removed and when.
    pub fn check_body(&self, body: BodyId) -> Result<(), WorldError> {
        self.model.check_body(body)
    }

    /// The builder of the world as it is now.
    fn to_builder(&self) -> WorldBuilder {
        let mut builder = self.recipe.clone();
        builder.tree = TreeBuilder::resume(&self.model.tree);
        builder.names.clone_from(&self.model.names);
        builder.shapes.clone_from(&self.model.shapes);
        builder.users.clone_from(&self.model.users);
        builder.user_forces.clone_from(&self.model.user_forces);
        builder.servos.clone_from(&self.model.servos);
        builder.removed.clone_from(&self.model.removed);
        builder
    }

    /// Continues with the bodies and shapes of a builder. An error leaves the world as it was.
    fn recompose(&mut self, builder: WorldBuilder) -> Result<(), WorldError> {
        // A step ends here, unless the change is refused.
        let before = self.method.is_inside_step().then(|| self.save());
        let ended = self.method.make_boundary(&mut self.model);
        let outcome = ended.and_then(|()| self.recompose_here(builder));
        if let (Err(_), Some(before)) = (&outcome, before) {
            self.restore(&before)?;
        }
        outcome
    }

    fn recompose_here(&mut self, builder: WorldBuilder) -> Result<(), WorldError> {
        let Assembled { mut model, mut y, mut recipe } = builder.assemble()?;
        let (t, from) = (self.time(), &self.model);
        model.carry(from, self.method.current_state(), &mut y);
        // A jump at this time that was not passed is passed by the next step.
        model.tree.set_next_jump(from.tree.next_jump().min(t.next_up()));

        // What the new shapes touch.
        let is_new = |shape: ShapeId| shape.0 as usize >= from.shapes.len();
        let mut near = model.near_pairs(t, &y)?;
        near.retain(|pair| is_new(pair.a) || is_new(pair.b));
        let mut excluded = Vec::new();
        match recipe.overlaps {
            Overlaps::Refuse | Overlaps::Separate => model.refuse_overlaps(t, &y, &near)?,
            Overlaps::Exclude => {
                excluded = model.overlapping(t, &y, &near)?;
                recipe.exclude_pairs(excluded.iter().map(|(pair, _)| *pair).collect());
                model.exclude_pairs(recipe.excluded_pairs.iter().copied());
                near.retain(|pair| !model.boxes.is_excluded(*pair));
            }
            Overlaps::Allow => {}
        }
        self.method.recompose(from, &mut model, y, &near)?;

        let mut begun = std::mem::take(&mut model.events);
        model.events = std::mem::take(&mut self.model.events);
        model.events.append(&mut begun);
        (self.model, self.recipe) = (model, recipe);
        self.start_overlaps.excluded.append(&mut excluded);
        Ok(())
    }
}

impl WorldBuilder {
    /// Returns an error where a body was removed.
    pub(super) fn refuse_removed(&self, body: BodyId) -> Result<(), WorldError> {
        let Some(t) = self.removed.get(&body) else { return Ok(()) };
        Err(WorldError::RemovedBody { body: body.0, name: self.names[body.index()].clone(), t: *t })
    }

    /// Removes a body on which nothing hangs, with what acts on it alone, at a time [s].
    fn remove_body(&mut self, body: BodyId, t: f64) -> Result<(), WorldError> {
        let limits = self.tree.limits_of(body);
        self.tree.remove(body)?;
        let mut shapes = Vec::new();
        for placed in self.shapes.iter_mut().filter(|placed| placed.body == Some(body)) {
            *placed = PlacedCollider::removed(&placed.name, placed.body);
            shapes.push(placed.name.clone());
        }
        self.servos.retain(|(servo_body, _)| *servo_body != body);
        self.user_forces.retain(|force| !force.bodies.contains(&body));
        self.apart.retain(|(a, b)| *a != Some(body) && *b != Some(body));
        for group in &mut self.apart_groups {
            group.retain(|member| *member != Some(body));
        }
        self.removed.insert(body, t);

        // The calls that would make the world as it is.
        let name = self.names[body.index()].clone();
        let is_body = |said: &&mut Said| matches!(said, Said::Body(_) | Said::RemovedBody(..));
        if let Some(said) = self.said.iter_mut().filter(is_body).nth(body.index()) {
            *said = Said::RemovedBody(name, shapes, limits, t);
        }
        self.said.retain_mut(|said| match said {
            Said::Dof(of, ..) | Said::Servo(of, _) => *of != body,
            Said::KeepApart(a, b) => *a != Some(body) && *b != Some(body),
            Said::KeepGroupApart(group) => {
                group.retain(|member| *member != Some(body));
                true
            }
            _ => true,
        });
        Ok(())
    }

    /// Removes the shapes of one call of [`WorldBuilder::fixed`].
    fn remove_fixed(&mut self, shape: ShapeId) -> Result<(), WorldError> {
        let call = self.fixed.iter().position(|fixed| fixed.first == shape && !fixed.is_removed);
        let call = call.ok_or(WorldError::NoFixedShape { shape: shape.0 })?;
        let fixed = &mut self.fixed[call];
        fixed.is_removed = true;
        let first = fixed.first.0 as usize;
        let mut shapes = Vec::new();
        for placed in &mut self.shapes[first..first + fixed.count] {
            *placed = PlacedCollider::removed(&placed.name, None);
            shapes.push(placed.name.clone());
        }
        let is_fixed = |said: &&mut Said| matches!(said, Said::Fixed(_) | Said::RemovedFixed(_));
        if let Some(said) = self.said.iter_mut().filter(is_fixed).nth(call) {
            *said = Said::RemovedFixed(shapes);
        }
        Ok(())
    }

    /// Adds the place of a body that was removed with shapes of these names and so many limits of its joint, at a time [s].
    pub(super) fn push_removed_body(&mut self, name: String, shapes: Vec<String>, limits: usize, t: f64) {
        let body = self.tree.push_removed(limits);
        self.shapes.extend(shapes.iter().map(|name| PlacedCollider::removed(name, Some(body))));
        self.removed.insert(body, t);
        self.names.push(name.clone());
        self.said.push(Said::RemovedBody(name, shapes, limits, t));
    }

    /// Adds the place of fixed shapes of these names that were removed.
    pub(super) fn push_removed_fixed(&mut self, shapes: Vec<String>) {
        let first = ShapeId(self.shapes.len() as u32);
        self.fixed.push(FixedShapes { first, count: shapes.len(), is_removed: true });
        self.shapes.extend(shapes.iter().map(|name| PlacedCollider::removed(name, None)));
        self.said.push(Said::RemovedFixed(shapes));
    }
}

impl PlacedCollider {
    /// The place of a shape that was removed: its number and its name last, and it touches nothing.
    fn removed(name: &str, body: Option<BodyId>) -> Self {
        let point = Shape::Convex(ConvexShape::Point(Point::origin()));
        let placed = Self::new(point, body, Pose::identity(), 0);
        Self { is_removed: true, name: name.to_owned(), bounds: None, thickness: f64::INFINITY, ..placed }
    }
}

impl Model {
    /// Returns an error where there is no such body.
    pub(crate) fn check_body(&self, body: BodyId) -> Result<(), WorldError> {
        match (self.names.get(body.index()), self.removed.get(&body)) {
            (None, _) => Err(WorldError::NoBody { body: body.0 }),
            (Some(name), Some(t)) => Err(WorldError::RemovedBody { body: body.0, name: name.clone(), t: *t }),
            (Some(_), None) => Ok(()),
        }
    }

    /// Panics where there is no such body.
    pub(crate) fn require_body(&self, body: BodyId) {
        let missing = self.check_body(body).err();
        assert!(missing.is_none(), "{}", missing.map_or_else(String::new, |error| error.to_string()));
    }

    /// Takes over from a model with other bodies what is no matter of the method: the coordinates `y` of bodies that are in both, forces, the schedule and counts.
    fn carry(&mut self, from: &Self, state: &[f64], y: &mut [f64]) {
        let bodies = self.bodies.iter().copied().filter(|body| body.index() < from.tree.bodies());
        let velocities = |tree: &Tree, body: BodyId| {
            let (range, first) = (tree.v_range(body), tree.positions());
            range.start + first..range.end + first
        };
        for body in bodies {
            y[self.tree.q_range(body)].copy_from_slice(&state[from.tree.q_range(body)]);
            y[velocities(&self.tree, body)].copy_from_slice(&state[velocities(&from.tree, body)]);
        }
        self.applied[..from.applied.len()].copy_from_slice(&from.applied);
        for body in self.removed.keys() {
            self.applied[body.index()] = Wrench::default();
        }
        self.scheduled.clone_from(&from.scheduled);
        (self.gaps, self.start_gaps) = (from.gaps, from.start_gaps);
        *self.times.get_mut() = *from.times.borrow();
    }

    /// Takes something that each limit of a joint has over from a model with other bodies; limits that are new have the usual.
    pub(crate) fn carry_limits<T: Copy>(&self, from: &Self, values: &[T], usual: T) -> Vec<T> {
        let place = |number| from.tree.limits().binary_search_by_key(&number, |limit| limit.number).ok();
        let value = |place: usize| values.get(place).copied();
        let limits = self.tree.limits().iter();
        limits.map(|limit| place(limit.number).and_then(value).unwrap_or(usual)).collect()
    }

    /// Whether forces on bodies that another model has too may jump with the change from it: something was removed, or hangs on them now.
    pub(crate) fn disturbs(&self, from: &Self) -> bool {
        let mut added = self.bodies.iter().filter(|body| body.index() >= from.tree.bodies());
        self.removed_count() > from.removed_count() || added.any(|body| self.tree.parent(*body).is_some())
    }

    /// How many bodies and shapes were removed [-].
    pub(crate) fn removed_count(&self) -> usize {
        self.removed.len() + self.shapes.iter().filter(|placed| placed.is_removed).count()
    }
}
