//! Putting a world together: bodies with joints, shapes and materials, checked as they come.
//!
//! In: definitions. Out: a [`World`]. What a world needs of its builder to take in more bodies while it runs, it keeps ([`super::composition`]).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use zerogap_contact::material::{Material, MaterialPair, MaterialTable, PairProperties};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopId, Tree, TreeBuilder, Wrench,
};
use zerogap_geometry::{MassProperties, Shape};

use super::boxes::ShapeBoxes;
use super::composition::FixedShapes;
use super::control::{Command, Labels};
use super::frames::name_of_shape;
use super::model::{Model, Scratch};
use super::pairs::broad_number;
use super::params::{PairTable, WorldParams};
use super::placed::{PlacedCollider, make_views, use_narrow_phase};
use super::servo::Servo;
use super::shapes::{Collision, PairId, ShapeId};
use super::start_overlaps::{Overlaps, StartOverlaps};
use super::stored::Said;
use super::summary::StageTimes;
use super::user::{EventFunction, ForceFunction};
use super::{MethodParams, StepForces, World, WorldError, method};

/// A joint that starts beyond a limit by no more than this, against one and the limit, starts at it [-]: positions of a joint at rest at its limit are rounded.
const AT_LIMIT: f64 = 1e-9;

/// Maximum number of materials of a world [-]: every two of them have properties, which takes 1.3 GB for so many.
const MAX_MATERIALS: usize = 4096;

/// A shape on a body.
#[derive(Debug, Clone)]
pub struct ShapeDef {
    /// Name for recordings and tables; empty gives that of the body, or `fixed shape 3`.
    pub name: String,
    /// Convex, a half-space, a mesh, or a compound of convex pieces, which never touch each other.
    pub shape: Shape,
    /// How it collides.
    pub collision: Collision,
    /// Where it is on the body.
    pub pose: Pose,
    /// Name of its material.
    pub material: String,
    /// Velocity of its surface against the body, as of a conveyor belt, in axes of the shape [m/s]. At a contact, the part across the normal counts; friction does the rest.
    pub surface_velocity: Vec3,
}

zerogap_core::store_struct!(ShapeDef { name, shape, collision, pose, material, surface_velocity });

impl ShapeDef {
    /// A shape at the origin of its body.
    pub fn new(shape: Shape, material: &str) -> Self {
        Self {
            name: String::new(),
            shape,
            collision: Collision::Exact,
            pose: Pose::identity(),
            material: material.to_owned(),
            surface_velocity: Vec3::zeros(),
        }
    }

    /// The same with a name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Returns the same with another collision.
    pub fn colliding(self, collision: Collision) -> Self {
        Self { collision, ..self }
    }

    /// The same elsewhere on the body.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The same with a surface that runs over the body, in axes of the shape [m/s].
    pub fn running(self, surface_velocity: Vec3) -> Self {
        Self { surface_velocity, ..self }
    }
}

/// A body: a joint, shapes, and how it starts.
#[derive(Debug, Clone)]
pub struct BodyDef {
    /// Name for messages and recordings; empty gives `body 3`.
    pub name: String,
    /// How it hangs on its parent.
    pub joint: Joint,
    /// Mass and inertia; none takes those of the shapes with the densities of their materials.
    pub inertia: Option<Inertia>,
    /// Its shapes.
    pub shapes: Vec<ShapeDef>,
    /// Positions of its joint at the start; none is where the joint frames coincide.
    pub positions: Option<Vec<f64>>,
    /// Velocities of its joint at the start; none is at rest.
    pub velocities: Option<Vec<f64>>,
    /// What acts on degrees of freedom of its joint.
    pub dofs: Vec<(usize, Dof)>,
}

zerogap_core::store_struct!(BodyDef { name, joint, inertia, shapes, positions, velocities, dofs });

impl BodyDef {
    /// A body on a joint.
    pub fn new(joint: Joint) -> Self {
        Self {
            name: String::new(),
            joint,
            inertia: None,
            shapes: Vec::new(),
            positions: None,
            velocities: None,
            dofs: Vec::new(),
        }
    }

    /// A body that moves freely, from a pose.
    pub fn free(pose: Pose) -> Self {
        let p = pose.translation();
        let positions = [p.x, p.y, p.z].into_iter().chain(pose.quaternion_xyzw()).collect();
        Self { positions: Some(positions), ..Self::new(Joint::new(None, JointKind::Free)) }
    }

    /// The same with a name.
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The same with one shape more, at the origin of the body.
    pub fn with(mut self, shape: Shape, material: &str) -> Self {
        self.shapes.push(ShapeDef::new(shape, material));
        self
    }

    /// The same with one shape more.
    pub fn with_shape(mut self, shape: ShapeDef) -> Self {
        self.shapes.push(shape);
        self
    }

    /// The same with mass and inertia of its own.
    pub fn with_inertia(self, inertia: Inertia) -> Self {
        Self { inertia: Some(inertia), ..self }
    }

    /// The same with velocities of its joint at the start. Those of a free body: of its origin [m/s], then its angular velocity in its own axes [rad/s].
    pub fn moving(self, velocities: &[f64]) -> Self {
        Self { velocities: Some(velocities.to_vec()), ..self }
    }

    /// The same with positions of its joint at the start.
    pub fn starting(self, positions: &[f64]) -> Self {
        Self { positions: Some(positions.to_vec()), ..self }
    }

    /// The same with limits, springs, dampers and a motor at a degree of freedom of its joint.
    pub fn with_dof(mut self, index: usize, dof: Dof) -> Self {
        self.dofs.push((index, dof));
        self
    }
}

/// How a joint starts, where that is given.
#[derive(Debug, Clone)]
struct Start {
    body: BodyId,
    positions: Option<Vec<f64>>,
    velocities: Option<Vec<f64>>,
}

/// A world without contacts and without a method.
pub(super) struct Assembled {
    pub(super) model: Model,
    /// Positions and velocities at the start.
    pub(super) y: Vec<f64>,
    /// What a running world needs of its builder: settings, materials, exclusions and calls.
    pub(super) recipe: WorldBuilder,
}

/// Collects what a world is made of.
#[derive(Debug, Clone)]
pub struct WorldBuilder {
    params: WorldParams,
    pub(super) tree: TreeBuilder,
    materials: MaterialTable,
    pub(super) names: Vec<String>,
    pub(super) shapes: Vec<PlacedCollider>,
    starts: Vec<Start>,
    pub(super) apart: Vec<(Option<BodyId>, Option<BodyId>)>,
    pub(super) apart_groups: Vec<Vec<Option<BodyId>>>,
    pub(super) users: Vec<EventFunction>,
    pub(super) user_forces: Vec<ForceFunction>,
    pub(super) servos: Vec<(BodyId, Servo)>,
    pub(super) overlaps: Overlaps,
    pub(super) may_assemble: bool,
    pub(super) is_friction_optional: bool,
    /// Names of what robots have beside bodies.
    pub(super) labels: Labels,
    /// Bodies whose overlaps at the start are excluded.
    pub(super) overlapping_bodies: BTreeSet<BodyId>,
    /// What follows courses over time.
    pub(super) commands: Vec<Command>,
    /// Pairs of shapes that never touch since they overlapped.
    pub(super) excluded_pairs: Vec<PairId>,
    /// The shapes that are fixed in the world, call by call.
    pub(super) fixed: Vec<FixedShapes>,
    /// When bodies were removed that are there no more [s].
    pub(super) removed: BTreeMap<BodyId, f64>,
    /// Everything that was said, in order, so that it can be said again.
    pub(super) said: Vec<Said>,
}

impl WorldBuilder {
    /// An empty world.
    pub fn new(params: WorldParams) -> Self {
        Self {
            tree: TreeBuilder::new(params.gravity),
            params,
            materials: MaterialTable::builtin(),
            names: Vec::new(),
            shapes: Vec::new(),
            starts: Vec::new(),
            apart: Vec::new(),
            apart_groups: Vec::new(),
            users: Vec::new(),
            user_forces: Vec::new(),
            servos: Vec::new(),
            overlaps: Overlaps::default(),
            may_assemble: false,
            is_friction_optional: false,
            labels: Labels::default(),
            commands: Vec::new(),
            overlapping_bodies: BTreeSet::new(),
            excluded_pairs: Vec::new(),
            fixed: Vec::new(),
            removed: BTreeMap::new(),
            said: Vec::new(),
        }
    }

    /// Adds a material, or replaces one.
    pub fn material(&mut self, name: &str, material: Material) -> Result<(), WorldError> {
        self.materials.insert(name, material)?;
        self.said.push(Said::Material(name.to_owned(), material));
        Ok(())
    }

    /// Says what two materials do to each other.
    pub fn pair(&mut self, a: &str, b: &str, properties: PairProperties) -> Result<(), WorldError> {
        self.materials.insert_pair(a, b, properties)?;
        self.said.push(Said::Pair(a.to_owned(), b.to_owned(), properties));
        Ok(())
    }

    /// Names of all materials.
    pub fn material_names(&self) -> Vec<&str> {
        self.materials.names().collect()
    }

    /// The density of a material [kg/m³].
    pub fn density(&self, material: &str) -> Result<f64, WorldError> {
        Ok(self.materials.material_named(material)?.density)
    }

    /// Returns the name of a shape: its own, or that of its body, or `fixed shape 3`.
    pub fn shape_name(&self, shape: ShapeId) -> String {
        let placed = self.shapes.get(shape.0 as usize);
        let body = placed.and_then(|placed| placed.body).and_then(|body| self.names.get(body.0 as usize));
        name_of_shape(shape, placed.map_or("", |placed| &placed.name), body.map(String::as_str))
    }

    /// The settings.
    pub fn params(&self) -> &WorldParams {
        &self.params
    }

    /// Replaces the method by which the world advances: [`EventLocation`](super::EventLocation), [`Stepping`](super::Stepping) or [`MethodParams`].
    pub fn set_method(&mut self, method: impl Into<MethodParams>) {
        self.params.method = method.into();
    }

    /// Sets whether bodies may move by any distance to close loops; by more than 1e-3 rad, or 1e-3 of the extent of all bodies, is an error of [`WorldBuilder::build`] without it. How far they moved is in [`World::assembly`].
    pub fn set_assemble(&mut self, may_assemble: bool) {
        self.may_assemble = may_assemble;
        self.said.push(Said::Assemble(may_assemble));
    }

    /// Sets what becomes of shapes that overlap at the start; they are an error of [`WorldBuilder::build`] without it. What was done is in [`World::start_overlaps`].
    pub fn set_overlaps(&mut self, overlaps: Overlaps) {
        self.overlaps = overlaps;
        self.said.push(Said::Overlaps(overlaps));
    }

    /// Returns what becomes of shapes that overlap at the start.
    pub fn overlaps(&self) -> Overlaps {
        self.overlaps
    }

    /// Keeps pairs of shapes from ever touching.
    pub(super) fn exclude_pairs(&mut self, pairs: Vec<PairId>) {
        if !pairs.is_empty() {
            self.excluded_pairs.extend(&pairs);
            self.said.push(Said::ExcludePairs(pairs));
        }
    }

    /// Adds a shape that is fixed in the world.
    pub fn fixed(&mut self, shape: ShapeDef) -> Result<ShapeId, WorldError> {
        let (first, mut placed) = (ShapeId(self.shapes.len() as u32), Vec::new());
        self.prepare(None, &shape, &mut placed)?;
        self.fixed.push(FixedShapes { first, count: placed.len(), is_removed: false });
        self.shapes.append(&mut placed);
        self.said.push(Said::Fixed(shape));
        Ok(first)
    }

    /// Adds a body. One that is refused leaves everything as it was.
    pub fn body(&mut self, def: BodyDef) -> Result<BodyId, WorldError> {
        let said = def.clone();
        let name = if def.name.is_empty() { format!("body {}", self.names.len()) } else { def.name.clone() };
        let is_driven = matches!(def.joint.kind, JointKind::Prescribed(_) | JointKind::Fixed);
        let parent = def.joint.parent;

        // Everything that can be wrong, before anything changes.
        if let Some(parent) = parent {
            self.refuse_removed(parent)?;
        }
        for shape in &def.shapes {
            self.materials.id(&shape.material)?;
            match shape.shape {
                Shape::HalfSpace(_) if !is_driven => return Err(WorldError::HalfSpaceOnBody { body: name }),
                _ => {}
            }
        }
        let mut placed = Vec::new();
        for shape in &def.shapes {
            self.prepare(Some(&name), shape, &mut placed)?;
        }
        let inertia = match def.inertia {
            Some(inertia) => inertia,
            None => self.inertia_of(&name, &def)?,
        };
        let body = self.tree.body_with(inertia, def.joint, &def.dofs)?;
        self.shapes.extend(placed.into_iter().map(|placed| PlacedCollider { body: Some(body), ..placed }));
        // Parts that a joint holds together meet there; that is no contact.
        if parent.is_some() {
            self.apart.push((parent, Some(body)));
        }
        self.names.push(name);
        self.starts.push(Start { body, positions: def.positions, velocities: def.velocities });
        self.said.push(Said::Body(Box::new(said)));
        Ok(body)
    }

    /// Sets limits, spring, damper and motor of a degree of freedom of a body's joint; a second call replaces the first.
    pub fn dof(&mut self, body: BodyId, index: usize, dof: Dof) -> Result<(), WorldError> {
        self.tree.dof(body, index, dof)?;
        self.said.push(Said::Dof(body, index, dof));
        Ok(())
    }

    /// Returns what acts on a degree of freedom of a body's joint so far.
    pub fn dof_now(&self, body: BodyId, index: usize) -> Result<Dof, WorldError> {
        Ok(self.tree.dof_now(body, index)?)
    }

    /// Returns whether a degree of freedom of a body's joint is an angle; the others are lengths.
    pub fn is_rotation(&self, body: BodyId, index: usize) -> Result<bool, WorldError> {
        Ok(self.tree.is_rotation(body, index)?)
    }

    /// Closes a loop between two bodies.
    pub fn close(&mut self, closure: Loop) -> Result<LoopId, WorldError> {
        let id = self.tree.close(closure)?;
        self.apart.push((closure.a, closure.b));
        self.said.push(Said::Close(closure));
        Ok(id)
    }

    /// Says that the shapes of two bodies never touch; none is what is fixed in the world.
    pub fn exclude(&mut self, a: Option<BodyId>, b: Option<BodyId>) {
        self.apart.push((a, b));
        self.said.push(Said::KeepApart(a, b));
    }

    /// Disables contact between every two of a group of bodies; none is what is fixed in the world. Time and memory grow with the bodies, not with their pairs.
    pub fn exclude_group(&mut self, bodies: &[Option<BodyId>]) {
        self.apart_groups.push(bodies.to_vec());
        self.said.push(Said::KeepGroupApart(bodies.to_vec()));
    }

    /// Puts a servo to a free body: it is carried along a motion with limited force and torque.
    pub fn servo(&mut self, body: BodyId, servo: Servo) -> Result<(), WorldError> {
        servo.check()?;
        self.said.push(Said::Servo(body, servo.clone()));
        self.servos.push((body, servo));
        Ok(())
    }

    /// Refuses a body that was not added.
    pub(super) fn known_body(&self, body: BodyId) -> Result<(), WorldError> {
        if body.index() < self.names.len() {
            return Ok(());
        }
        let known = self.names.len();
        Err(zerogap_dynamics::multibody::TreeError::UnknownBody { body: body.0, other: body.0, known }.into())
    }

    /// Sets how the joint of a body that was added starts, in place of what its definition says: positions, velocities or both.
    pub fn start(&mut self, body: BodyId, positions: Option<Vec<f64>>, velocities: Option<Vec<f64>>) {
        self.said.push(Said::Start(body, positions.clone(), velocities.clone()));
        self.starts.push(Start { body, positions, velocities });
    }

    /// Returns where the bodies that were added start.
    pub(super) fn start_poses(&self) -> Result<Vec<Pose>, WorldError> {
        let tree = self.tree.clone().build()?;
        let y = initial_state(&tree, &self.names, self.starts.clone())?;
        let mut ws = tree.workspace();
        let (q, v) = y.split_at(tree.positions());
        tree.update_places(0.0, q, v, &mut ws);
        Ok((0..tree.bodies() as u32).map(|body| *ws.pose(BodyId(body))).collect())
    }

    /// Adds a function whose zeros are events.
    pub fn add_event(&mut self, function: EventFunction) {
        self.users.push(function);
    }

    /// Adds a force that is a function of time and state, on bodies that were added before.
    pub fn add_force(&mut self, force: ForceFunction) -> Result<(), WorldError> {
        for body in &force.bodies {
            self.known_body(*body)?;
            self.refuse_removed(*body)?;
        }
        self.user_forces.push(force);
        Ok(())
    }

    /// The finished world at time zero. What touches at the start is in contact from the start.
    pub fn build(self) -> Result<World, WorldError> {
        let Assembled { mut model, mut y, mut recipe } = self.assemble()?;
        let assembly = model.close_loops(&mut y, recipe.may_assemble)?;
        let mut done =
            StartOverlaps { excluded: recipe.exclude_known_overlaps(&mut model, &y)?, ..Default::default() };
        if recipe.overlaps == Overlaps::Separate {
            done.moved = model.separate(0.0, &mut y)?;
        }
        let mut near = model.near_pairs(0.0, &y)?;
        model.refuse_oriented(0.0, &y)?;
        match recipe.overlaps {
            Overlaps::Refuse | Overlaps::Separate => model.refuse_overlaps(0.0, &y, &near)?,
            Overlaps::Exclude => {
                let found = model.overlapping(0.0, &y, &near)?;
                recipe.exclude_pairs(found.iter().map(|(pair, _)| *pair).collect());
                done.excluded.extend(found);
                model.exclude_pairs(recipe.excluded_pairs.iter().copied());
                near.retain(|pair| !model.boxes.is_excluded(*pair));
            }
            Overlaps::Allow => {}
        }
        let method = method::make(&recipe.params.method, &mut model, y, &near)?;
        Ok(World { start_overlaps: done, assembly, ..World::new(model, method, recipe) })
    }

    /// The world at the start of its bodies with nothing in contact, to be given a state.
    pub(super) fn build_at_rest(self) -> Result<World, WorldError> {
        let Assembled { mut model, y, recipe } = self.assemble()?;
        // Boxes of what is fixed, and corners.
        model.near_pairs(0.0, &y)?;
        model.refuse_oriented(0.0, &y)?;
        let method = method::make(&recipe.params.method, &mut model, y, &[])?;
        Ok(World::new(model, method, recipe))
    }

    /// Puts everything together but the contacts; what is not in the model stays in the recipe.
    pub(super) fn assemble(mut self) -> Result<Assembled, WorldError> {
        let params = self.params;
        params.check()?;
        let mut shapes = std::mem::take(&mut self.shapes);
        let (names, starts) = (std::mem::take(&mut self.names), std::mem::take(&mut self.starts));
        let (users, servos) = (std::mem::take(&mut self.users), std::mem::take(&mut self.servos));
        let user_forces = std::mem::take(&mut self.user_forces);
        let removed = std::mem::take(&mut self.removed);
        let mut tree = std::mem::replace(&mut self.tree, TreeBuilder::new(params.gravity)).build()?;
        use_narrow_phase(&mut shapes, params.method.narrow_phase());
        make_views(&mut shapes)?;
        for (body, servo) in &servos {
            tree.add_jumps(servo.motion.as_ref());
            let is_there = (body.0 as usize) < tree.bodies();
            if !is_there || !tree.moves_freely(*body) {
                let name = names.get(body.0 as usize).cloned().unwrap_or_default();
                return Err(WorldError::HandOnJoint { body: name });
            }
        }

        let is_silvia =
            params.method.stepping().is_some_and(|stepping| stepping.forces == StepForces::Silvia);
        let has_pyramids = params.method.stepping().is_some_and(|stepping| stepping.cone_sides.is_some());
        if has_pyramids || is_silvia || params.method.stepping().is_none() {
            let rubs = |body: &BodyId| {
                let dofs = 0..tree.v_range(*body).len();
                dofs.into_iter().any(|dof| tree.dof(*body, dof).is_ok_and(|dof| dof.friction > 0.0))
            };
            if self.is_friction_optional {
                tree.leave_out_friction();
            } else if let Some(body) = tree.body_ids().find(rubs) {
                if has_pyramids {
                    return Err(WorldError::Pyramids { what: "dry friction of joints" });
                }
                let body = names.get(body.0 as usize).cloned().unwrap_or_default();
                return Err(WorldError::JointFriction { body });
            }
        }
        if is_silvia && !tree.beams().is_empty() {
            return Err(WorldError::FramesBySilvia);
        }
        // Without friction a surface that runs carries nothing.
        let runs = |placed: &PlacedCollider| placed.surface_velocity != Vec3::zeros();
        if let Some(index) = shapes.iter().position(runs).filter(|_| is_silvia) {
            return Err(WorldError::SurfaceVelocity { shape: ShapeId(index as u32) });
        }

        let y = initial_state(&tree, &names, starts)?;
        let mut boxes = ShapeBoxes::new(&shapes, &tree)?;
        for (a, b) in &self.apart {
            boxes.broad.join(broad_number(*a), broad_number(*b));
        }
        for group in &self.apart_groups {
            boxes.broad.join_group(&group.iter().copied().map(broad_number).collect::<Vec<_>>());
        }
        let pairs = pair_table(&self.materials, &shapes)?;
        if has_pyramids {
            let of = |a: &PlacedCollider, b: &PlacedCollider| pairs.of(a.material, b.material).properties;
            let mut all = shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b)));
            if all.any(|(a, b)| of(a, b).rolling > 0.0 || of(a, b).spinning > 0.0) {
                return Err(WorldError::Pyramids { what: "resistance to rolling and spinning" });
            }
        }
        let mut model = Model {
            bodies: tree.body_ids().collect::<Arc<[BodyId]>>(),
            removed,
            applied: vec![Wrench::default(); tree.bodies()],
            scratch: Scratch::new(&tree).into(),
            gap_cache: RefCell::default(),
            times: StageTimes::default().into(),
            tree,
            names,
            shapes,
            pairs,
            start_gaps: 0,
            contact: params.method.contact(),
            boxes,
            gaps: 0,
            users,
            user_forces,
            infinite_force: Cell::default(),
            servos,
            scheduled: Vec::new(),
            tick: f64::INFINITY,
            events: Vec::new(),
            recorder: None,
        };
        model.refuse_unanswered()?;
        model.list_half_space_pairs();
        model.exclude_pairs(self.excluded_pairs.iter().copied());
        Ok(Assembled { model, y, recipe: self })
    }

    /// Makes a shape ready to be placed, as often as it has pieces; nothing of the builder changes.
    fn prepare(
        &self,
        body: Option<&str>,
        def: &ShapeDef,
        placed: &mut Vec<PlacedCollider>,
    ) -> Result<(), WorldError> {
        let material = self.materials.id(&def.material)?.index();
        let first = placed.len();
        match &def.shape {
            Shape::Compound(compound) => {
                for (pose, piece) in compound.pieces() {
                    let shape = Shape::Convex(piece.clone());
                    placed.push(PlacedCollider::new(shape, None, def.pose * *pose, material));
                }
            }
            shape => placed.push(PlacedCollider::new(shape.clone(), None, def.pose, material)),
        }
        if let Some(value) = def.surface_velocity.iter().find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "surface velocity", value: *value });
        }
        for (index, one) in placed.iter_mut().enumerate().skip(first) {
            one.name.clone_from(&def.name);
            let in_body = def.pose.transform_vector(&def.surface_velocity);
            one.surface_velocity = one.at.inverse_transform_vector(&in_body);
            let number = ShapeId((self.shapes.len() + index) as u32);
            one.collide_by(def.collision, number, || name_of_shape(number, &def.name, body))?;
        }
        Ok(())
    }

    fn inertia_of(&self, name: &str, def: &BodyDef) -> Result<Inertia, WorldError> {
        let mut all = MassProperties::zero();
        for shape in &def.shapes {
            let density = self.materials.material_named(&shape.material)?.density;
            if !matches!(shape.shape, Shape::HalfSpace(_)) {
                let own = shape.collision.mass_properties(&shape.shape, density)?;
                all = all.combined(&own.transformed(&shape.pose));
            }
        }
        let is_driven = matches!(def.joint.kind, JointKind::Prescribed(_) | JointKind::Fixed);
        if all.mass == 0.0 && !is_driven {
            return Err(WorldError::NoMass { body: name.to_owned() });
        }
        Ok(Inertia { mass: all.mass, center: all.center, inertia: all.inertia })
    }
}

/// Positions and velocities at time zero: those given, and the usual ones of the others.
fn initial_state(tree: &Tree, names: &[String], starts: Vec<Start>) -> Result<Vec<f64>, WorldError> {
    let mut y = tree.initial_positions();
    y.resize(tree.positions() + tree.velocities(), 0.0);
    for Start { body, positions, velocities } in starts {
        let (q, v) = (tree.q_range(body), tree.v_range(body));
        let v = v.start + tree.positions()..v.end + tree.positions();
        for (given, range, what) in [(positions, q, "positions"), (velocities, v, "velocities")] {
            let Some(given) = given else { continue };
            let body = names[body.0 as usize].clone();
            if given.len() != range.len() {
                return Err(WorldError::Start { body, what, given: given.len(), needed: range.len() });
            }
            if let Some(value) = given.iter().find(|x| !x.is_finite()) {
                return Err(WorldError::NotFinite { body, what, value: *value });
            }
            y[range].copy_from_slice(&given);
        }
    }
    refuse_beyond_limits(tree, names, &y)?;
    let positions = tree.positions();
    tree.normalise(&mut y[..positions]);
    Ok(y)
}

/// Refuses joint positions outside their limits: a run would move them to the limit without a word.
pub(super) fn refuse_beyond_limits(tree: &Tree, names: &[String], q: &[f64]) -> Result<(), WorldError> {
    let beyond = tree.limits().iter().find(|limit| limit.value(q) < -AT_LIMIT * (1.0 + limit.bound.abs()));
    let Some(limit) = beyond else { return Ok(()) };
    let index = limit.v_index - tree.v_range(limit.body).start;
    let dof = tree.dof(limit.body, index)?;
    Err(WorldError::BeyondLimits {
        body: names[limit.body.0 as usize].clone(),
        index,
        position: q[limit.q_index],
        lower: dof.lower.unwrap_or(f64::NEG_INFINITY),
        upper: dof.upper.unwrap_or(f64::INFINITY),
    })
}

/// What every two materials in use do to each other.
fn pair_table(materials: &MaterialTable, shapes: &[PlacedCollider]) -> Result<PairTable, WorldError> {
    let names: Vec<&str> = materials.names().collect();
    if names.len() > MAX_MATERIALS {
        return Err(WorldError::TooMany { what: "materials", given: names.len(), limit: MAX_MATERIALS });
    }
    let ids: Vec<_> = names.iter().filter_map(|name| materials.id(name).ok()).collect();
    let pairs: Vec<MaterialPair> =
        ids.iter().flat_map(|a| ids.iter().filter_map(|b| materials.pair(*a, *b))).collect();
    debug_assert_eq!(pairs.len(), ids.len() * ids.len(), "every two materials have properties");
    debug_assert!(shapes.iter().all(|placed| placed.material < ids.len()));
    let names = names.into_iter().map(str::to_owned).collect();
    Ok(PairTable { materials: ids.len(), names, pairs, with_half_spaces: Vec::new() })
}
