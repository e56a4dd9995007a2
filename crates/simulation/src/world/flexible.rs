//! Frames of flexible beams as members of a world.
//!
//! In: a [`Frame`] of beam elements, where it stands, what its nodes are joined to, how it touches. Out: bodies of the builder, one for each node, with the beams between them as force elements. So contacts, joints, sensors and
//! recordings need to know nothing of frames. The mass of the elements is at the nodes ([`Frame::lumped`]).

use zerogap_core::math::tangents;
use zerogap_core::nalgebra::UnitQuaternion;
use zerogap_core::pose::rotation_vector;
use zerogap_core::{InputError, Mat3, Pose, Vec3};
use zerogap_dynamics::beam::frame::{Frame, FrameError, FrameLoads, FrameState, NODE_FREEDOMS, SettleParams};
use zerogap_dynamics::multibody::{Beam, BodyId, Forces, Inertia, Joint, JointKind, Site};
use zerogap_geometry::{GeometryError, Shape};

use super::{BodyDef, ShapeDef, WorldBuilder, WorldError};

/// What stepping leaves per step of a vibration that it does not resolve, where a caller does not say [-].
pub const FRAME_SPECTRAL_RADIUS: f64 = 0.5;

/// Rounds in which the moments of the weights follow the rotations of the nodes [-]: each gains a factor of about the bend of an element.
const WEIGHT_ROUNDS: usize = 6;

/// How a node is joined to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrameJointKind {
    /// Rigidly.
    Fixed,
    /// By a hinge about an axis in axes of the frame.
    Hinge {
        /// The axis [-].
        axis: Vec3,
    },
    /// By a ball joint.
    Ball,
}

/// A node that is joined to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameJoint {
    /// Number of the node.
    pub node: usize,
    /// The body; none: the world.
    pub body: Option<BodyId>,
    /// How.
    pub kind: FrameJointKind,
}

/// What of a frame touches others. Its own parts never touch each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameSurface {
    /// Capsules along the elements, half of each on either node.
    Capsules,
    /// Spheres at the nodes.
    Spheres,
}

/// How a frame touches.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameContact {
    /// What touches.
    pub surface: FrameSurface,
    /// Its radius [m], by element; a sphere has the largest of the elements at its node.
    pub radius: Vec<f64>,
    /// Name of the material.
    pub material: String,
}

/// A frame in a world.
#[derive(Debug, Clone)]
pub struct FrameDef {
    /// Its name; nodes are `NAME.0`, `NAME.1` and so on.
    pub name: String,
    /// Nodes and elements. Its supports ([`Frame::clamp`], [`Frame::pin`]) are joints to the world.
    pub frame: Frame,
    /// Where it stands.
    pub pose: Pose,
    /// Velocity of all nodes that are joined to nothing [m/s].
    pub velocity: Vec3,
    /// What its nodes are joined to.
    pub joints: Vec<FrameJoint>,
    /// Masses at nodes beyond those of the elements [kg].
    pub masses: Vec<(usize, f64)>,
    /// How it touches; none where it touches nothing.
    pub contact: Option<FrameContact>,
    /// Whether it starts in the equilibrium under its weight, as if what it is joined to were held.
    pub settle: bool,
    /// What time stepping leaves per step of a vibration that it does not resolve, 0 to 1 [-].
    pub spectral_radius: f64,
}

impl FrameDef {
    /// A frame at the origin that is joined to nothing and touches nothing.
    pub fn new(name: &str, frame: Frame) -> Self {
        Self {
            name: name.to_owned(),
            frame,
            pose: Pose::identity(),
            velocity: Vec3::zeros(),
            joints: Vec::new(),
            masses: Vec::new(),
            contact: None,
            settle: false,
            spectral_radius: FRAME_SPECTRAL_RADIUS,
        }
    }

    /// The same with a node joined to a body, or to the world.
    #[must_use]
    pub fn joined(mut self, node: usize, body: Option<BodyId>, kind: FrameJointKind) -> Self {
        self.joints.push(FrameJoint { node, body, kind });
        self
    }
}

/// What a frame has become in a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameParts {
    /// The bodies of the nodes, in their order.
    pub nodes: Vec<BodyId>,
    /// The number of the first of its beams among those of the world, which follow in the order of the elements.
    pub first_beam: usize,
}

impl WorldBuilder {
    /// Adds a frame. What it is joined to must have been added before. One that is refused leaves everything as it was.
    pub fn frame(&mut self, def: &FrameDef) -> Result<FrameParts, WorldError> {
        let before = self.clone();
        let added = self.add_frame(def);
        if added.is_err() {
            *self = before;
        }
        added
    }

    fn add_frame(&mut self, def: &FrameDef) -> Result<FrameParts, WorldError> {
        let frame = &def.frame;
        let nodes = frame.nodes().len();
        let wrong = |error: FrameError| WorldError::Frame { name: def.name.clone(), error: Box::new(error) };
        let joints = all_joints(def).map_err(wrong)?;
        for node in joints.iter().map(|joint| joint.node).chain(def.masses.iter().map(|(node, _)| *node)) {
            if node >= nodes {
                return Err(wrong(FrameError::NoNode { node, nodes }));
            }
        }
        let mut inertias = frame.lumped();
        for (node, mass) in &def.masses {
            if !(*mass >= 0.0 && mass.is_finite()) {
                let (what, range) = ("a mass at a node", "zero or positive");
                return Err(wrong(FrameError::Setting { what, value: *mass, range }));
            }
            // A point at the node moves the centre towards it.
            let own = &mut inertias[*node];
            let sum = own.mass + mass;
            if sum > 0.0 {
                let (own_center, center) = (own.center, own.center * (own.mass / sum));
                let spread = |arm: Vec3, mass: f64| {
                    (Mat3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose()) * mass
                };
                own.inertia += spread(own_center - center, own.mass) + spread(center, *mass);
                (own.mass, own.center) = (sum, center);
            }
        }
        let state =
            if def.settle { self.settled(def, &joints, &inertias).map_err(wrong)? } else { frame.rest() };
        let is_on_body = joints.iter().any(|joint| joint.body.is_some());
        let places = if is_on_body { self.start_poses()? } else { Vec::new() };
        let mut bodies = Vec::with_capacity(nodes);
        for (node, inertia) in inertias.into_iter().enumerate() {
            let (place, turned) = (state.places[node], state.rotations[node]);
            let no_place = |_| wrong(FrameError::Place { node, x: place.x, y: place.y, z: place.z });
            let at = def.pose * placed(place, turned).map_err(no_place)?;
            let joint = joints.iter().find(|joint| joint.node == node);
            let mut body = match joint {
                None => {
                    let v = def.velocity;
                    BodyDef::free(at).moving(&[v.x, v.y, v.z, 0.0, 0.0, 0.0])
                }
                Some(joint) => {
                    let parent = joint.body.map_or(Pose::identity(), |body| {
                        places.get(body.index()).copied().unwrap_or_default()
                    });
                    let kind = match joint.kind {
                        FrameJointKind::Fixed => JointKind::Fixed,
                        FrameJointKind::Hinge { axis } => JointKind::Revolute { axis },
                        FrameJointKind::Ball => JointKind::Spherical,
                    };
                    // Joint frames coincide at zero position: the node at rest in the frame; a settled one starts turned.
                    let rest = def.pose * Pose::from_translation(place).map_err(no_place)?;
                    let on = Joint::new(joint.body, kind).parent_frame(parent.inverse() * rest);
                    match joint.kind {
                        FrameJointKind::Fixed => BodyDef::new(on),
                        FrameJointKind::Hinge { axis } => {
                            let along = rotation_vector(&turned).dot(&axis) / axis.norm();
                            BodyDef::new(on).starting(&[along])
                        }
                        FrameJointKind::Ball => {
                            BodyDef::new(on).starting(&[turned.i, turned.j, turned.k, turned.w])
                        }
                    }
                }
            };
            body = body.with_inertia(inertia).named(&format!("{}.{node}", def.name));
            for shape in shapes_of(def, node).map_err(WorldError::Shape)? {
                body = body.with_shape(shape);
            }
            bodies.push(self.body(body)?);
        }
        self.exclude_group(&bodies.iter().copied().map(Some).collect::<Vec<_>>());
        // The elements next to a joint lie where the body is.
        for joint in joints.iter().filter(|joint| joint.body.is_some()) {
            for element in frame.elements().iter().filter(|element| element.nodes.contains(&joint.node)) {
                for node in element.nodes {
                    self.exclude(joint.body, Some(bodies[node]));
                }
            }
        }
        let first_beam = self.tree.forces_added().beams.len();
        let site = |node: usize, axes: UnitQuaternion<f64>| Site {
            body: Some(bodies[node]),
            pose: placed(Vec3::zeros(), axes).unwrap_or_default(),
        };
        let damping = frame.damping();
        let beams = frame
            .elements()
            .iter()
            .enumerate()
            .map(|(number, element)| {
                let (length, axes) = (frame.length(number), frame.axes(number));
                let half = 0.5 * element.material.density * element.section.area * length;
                let [a, b] = element.nodes.map(|node| site(node, axes));
                Beam {
                    a,
                    b,
                    length,
                    section: element.section,
                    material: element.material,
                    shear: element.shear,
                    damping: damping.stiffness,
                    drag: damping.mass * half,
                    spectral_radius: def.spectral_radius,
                }
            })
            .collect();
        self.forces(Forces { beams, ..Forces::default() })?;
        Ok(FrameParts { nodes: bodies, first_beam })
    }

    /// The equilibrium of a frame under the weights of its nodes.
    fn settled(
        &self,
        def: &FrameDef,
        joints: &[FrameJoint],
        inertias: &[Inertia],
    ) -> Result<FrameState, FrameError> {
        let mut frame = def.frame.clone();
        for joint in joints {
            match joint.kind {
                FrameJointKind::Fixed => frame.clamp(joint.node)?,
                FrameJointKind::Ball => frame.pin(joint.node)?,
                FrameJointKind::Hinge { axis } => {
                    let along = axis.abs() / axis.norm();
                    let free = [0, 1, 2].map(|k| along[k] > 1.0 - 1e-9);
                    if free == [false; 3] {
                        return Err(FrameError::SkewHinge { node: joint.node });
                    }
                    frame.hold(joint.node, [true, true, true, !free[0], !free[1], !free[2]])?;
                }
            }
        }
        let gravity = def.pose.inverse_transform_vector(&self.params().gravity);
        let mut state = frame.rest();
        for _ in 0..WEIGHT_ROUNDS {
            let mut loads = FrameLoads::none(&frame);
            for (node, inertia) in inertias.iter().enumerate() {
                let weight = gravity * inertia.mass;
                let moment = (state.rotations[node] * inertia.center).cross(&weight);
                let load: [f64; NODE_FREEDOMS] = [weight.x, weight.y, weight.z, moment.x, moment.y, moment.z];
                loads.nodal[node] = load;
            }
            state = frame.settle(&state, &loads, &SettleParams::default())?.state;
        }
        Ok(state)
    }
}

/// The joints of a frame, its supports among them.
fn all_joints(def: &FrameDef) -> Result<Vec<FrameJoint>, FrameError> {
    let mut joints = def.joints.clone();
    for (node, held) in def.frame.held().iter().enumerate() {
        let kind = match held {
            [false, false, false, false, false, false] => continue,
            [true, true, true, true, true, true] => FrameJointKind::Fixed,
            [true, true, true, false, false, false] => FrameJointKind::Ball,
            [true, true, true, false, true, true] => FrameJointKind::Hinge { axis: Vec3::x() },
            [true, true, true, true, false, true] => FrameJointKind::Hinge { axis: Vec3::y() },
            [true, true, true, true, true, false] => FrameJointKind::Hinge { axis: Vec3::z() },
            _ => return Err(FrameError::Held { node }),
        };
        joints.push(FrameJoint { node, body: None, kind });
    }
    for (k, joint) in joints.iter().enumerate() {
        if joints[..k].iter().any(|other| other.node == joint.node) {
            return Err(FrameError::JoinedTwice { node: joint.node });
        }
    }
    Ok(joints)
}

/// A pose from its parts.
fn placed(place: Vec3, rotation: UnitQuaternion<f64>) -> Result<Pose, InputError> {
    Pose::new(place, [rotation.i, rotation.j, rotation.k, rotation.w])
}

/// The shapes of a node.
fn shapes_of(def: &FrameDef, node: usize) -> Result<Vec<ShapeDef>, GeometryError> {
    let Some(contact) = &def.contact else { return Ok(Vec::new()) };
    let frame = &def.frame;
    let own = frame.elements().iter().enumerate().filter(|(_, element)| element.nodes.contains(&node));
    let radius =
        |number: usize| contact.radius.get(number).or(contact.radius.last()).copied().unwrap_or_default();
    if contact.surface == FrameSurface::Spheres {
        let largest = own.map(|(number, _)| radius(number)).fold(0.0, f64::max);
        return Ok(vec![ShapeDef::new(Shape::sphere(largest)?, &contact.material)]);
    }
    own.map(|(number, element)| -> Result<ShapeDef, GeometryError> {
        let half = 0.5 * frame.length(number);
        let along = frame.axes(number) * Vec3::x() * if element.nodes[0] == node { 1.0 } else { -1.0 };
        // Capsules lie along z.
        let (x, y) = tangents(&along);
        let at = Pose::from_rotation_matrix(along * (0.5 * half), &Mat3::from_columns(&[x, y, along]))?;
        Ok(ShapeDef::new(Shape::capsule(radius(number), half)?, &contact.material).at(at))
    })
    .collect()
}
