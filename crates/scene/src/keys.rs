//! What a scene file may contain: every table and key, with kind, unit and meaning.
//!
//! One list for everything that must agree: unknown keys are told by it, the reference page and the JSON schema are made from it.

use zerogap_core::units::Dimension;
use zerogap_dynamics::multibody::Interpolation;

use super::landing_keys::LANDING;
use zerogap_simulation::world::settings::{COLLISIONS, CONTACTS, IMPACTS, INTEGRATORS, METHODS};

/// A table of a scene file.
#[derive(Debug)]
pub struct Section {
    /// How it is written: `[world]`, `[[bodies]]`, or a key of another table.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it may contain.
    pub keys: &'static [Key],
}

impl Section {
    /// Returns the methods that use a key of the table, of [`METHODS`]; all where it has no such key.
    pub fn methods_of(&self, key: &str) -> &'static [&'static str] {
        self.keys.iter().find(|known| known.name == key).map_or(METHODS, |key| key.methods)
    }
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What stands behind it.
    pub kind: Kind,
    /// What it means, and what holds without it.
    pub description: &'static str,
    /// Whether a table without it is refused.
    pub is_needed: bool,
    /// The methods that use it, of [`METHODS`].
    pub methods: &'static [&'static str],
    /// The one word that the other methods accept, because it says what they do anyway.
    pub otherwise: Option<&'static str>,
}

/// What may stand behind a key.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Yes or no.
    Flag,
    /// A whole number, zero or more.
    Count,
    /// A number with or without a unit.
    Quantity(Dimension),
    /// A number of a joint, with or without a unit: of an angle if the joint turns, of a length if it slides.
    Coordinate(Dimension, Dimension),
    /// Some numbers, each with or without a unit.
    Vector(usize, Dimension),
    /// A list of texts.
    Texts,
    /// A whole number or one of some words.
    CountOr(&'static [&'static str]),
    /// A table.
    Table(&'static Section),
    /// A list of tables.
    Tables(&'static Section),
    /// A table whose keys are names.
    Named(&'static Section),
    /// A rotation: four numbers of a quaternion, or a table.
    Rotation,
    /// A word or a table.
    WordOr(&'static [&'static str], &'static Section),
}

impl Key {
    /// What to write, and what it means.
    pub(crate) fn advice(&self) -> String {
        let unit = |dimension: Dimension| match dimension.si() {
            "" => "0.5".to_owned(),
            si => format!("\"1 {si}\""),
        };
        let example = match self.kind {
            Kind::Text => "\"...\"".to_owned(),
            Kind::Word(words) | Kind::CountOr(words) | Kind::WordOr(words, _) => {
                format!("\"{}\"", words.first().unwrap_or(&""))
            }
            Kind::Flag => "true".to_owned(),
            Kind::Count => "8".to_owned(),
            Kind::Quantity(dimension) | Kind::Coordinate(dimension, _) => unit(dimension),
            Kind::Vector(..) => "[0, 0, 1]".to_owned(),
            Kind::Texts => "[\"one\", \"another\"]".to_owned(),
            Kind::Table(_) | Kind::Tables(_) | Kind::Named(_) | Kind::Rotation => "{ ... }".to_owned(),
        };
        format!("write {} = {example}: {}", self.name, self.description)
    }
}

pub(super) const fn key(name: &'static str, kind: Kind, description: &'static str) -> Key {
    Key { name, kind, description, is_needed: false, methods: METHODS, otherwise: None }
}

pub(super) const fn needed(name: &'static str, kind: Kind, description: &'static str) -> Key {
    Key { is_needed: true, ..key(name, kind, description) }
}

impl Key {
    /// The same for some methods only.
    const fn by(self, methods: &'static [&'static str]) -> Self {
        Self { methods, ..self }
    }

    /// The same with a word that the other methods accept, because it says what they do anyway.
    const fn or_else(self, word: &'static str) -> Self {
        Self { otherwise: Some(word), ..self }
    }
}

/// For integrators with located events.
const EVENTS: &[&str] = &["events"];

/// For steps of one length.
const STEPS: &[&str] = &["stepping", "silvia"];

/// Wherever contacts rub and bounce.
const RUBBING: &[&str] = &["events", "stepping"];

use Dimension as D;
use Kind as K;

/// The whole file.
pub static SCENE: Section = Section {
    title: "a scene",
    description: "A scene: what there is, how it moves, and how long to look.",
    keys: &[
        key("name", K::Text, "Name of the scene; without it that of the file."),
        key("description", K::Text, "A line on what it shows."),
        key("world", K::Table(&WORLD), "Gravity, contact model and method."),
        key("run", K::Table(&RUN), "How long to run and how often to record."),
        key("materials", K::Named(&MATERIAL), "Materials beside the built-in ones, or in place of them."),
        key("pairs", K::Tables(&PAIR), "What two materials do to each other."),
        key("fixed", K::Tables(&FIXED), "Shapes that never move."),
        key("bodies", K::Tables(&BODY), "Bodies that move."),
        key("loops", K::Tables(&LOOP), "Joints that close loops."),
        key("exclude", K::Tables(&EXCLUDE), "Bodies whose shapes never touch each other."),
        key("robot", K::Table(&ROBOT), "Bodies from a URDF or MJCF file, beside those of this one."),
        key("landing", K::Table(&LANDING), "A helicopter that lands on a deck, in place of bodies."),
    ],
};

/// `[world]`.
pub static WORLD: Section = Section {
    title: "[world]",
    description: "Gravity, contact model and method.",
    keys: &[
        key("gravity", K::Vector(3, D::Acceleration), "Acceleration of free fall; [0, 0, -9.81]."),
        key("contact", K::Word(CONTACTS), "How bodies that touch act on each other; hunt-crossley. Contacts of stepping and silvia are rigid.")
            .by(EVENTS)
            .or_else("rigid"),
        key(
            "stiffness",
            K::Quantity(D::Stiffness),
            "Of each contact point, needed for linear and kelvin-voigt.",
        )
        .by(EVENTS),
        key("damping", K::Quantity(D::Damping), "Of each contact point, needed for kelvin-voigt.").by(EVENTS),
        key("damping_ratio", K::Quantity(D::Number), "Against critical damping, for linear; 1.").by(EVENTS),
        key("impact", K::Word(IMPACTS), "Impact law, for rigid; moreau.").by(EVENTS),
        key(
            "method",
            K::Word(METHODS),
            "Time-integration method: an integrator with located events, or steps of one length (stepping; silvia, which has neither friction nor restitution); events.",
        ),
        key(
            "integrator",
            K::Word(INTEGRATORS),
            "Integrator: explicit of order 8 (dop853), implicit of order 5 (radau), or whichever is cheaper (auto); auto.",
        )
        .by(EVENTS),
        key("step", K::Quantity(D::Time), "Length of a step; 1 ms.").by(STEPS),
        key(
            "tolerance",
            K::Quantity(D::Speed),
            "Largest miss of the contact laws in a step; 1e-9 m/s.",
        )
        .by(STEPS),
        key("rtol", K::Quantity(D::Number), "Relative tolerance of a step; 1e-6.").by(EVENTS),
        key("atol", K::Quantity(D::Number), "Absolute tolerance of a step; 1e-3 of rtol.").by(EVENTS),
        key("max_step", K::Quantity(D::Time), "Longest step; 0.1 s.").by(EVENTS),
        key(
            "zero_functions",
            K::CountOr(&["two"]),
            "How many functions watch pairs of shapes, 1000000 at most, or two; 20.",
        )
        .by(EVENTS),
        key("allow_overlap", K::Flag, "Whether shapes may overlap at the start; false."),
    ],
};

/// `[run]`.
pub static RUN: Section = Section {
    title: "[run]",
    description: "How long to run and how often to record.",
    keys: &[
        key("until", K::Quantity(D::Time), "Time to run to; 5 s."),
        key("every", K::Quantity(D::Time), "Time between recorded frames; 10 ms."),
    ],
};

/// `[materials.NAME]`.
pub static MATERIAL: Section = Section {
    title: "[materials.NAME]",
    description: "A material. steel, billiard-ball, dry-wood, rubber, ice, aluminium and concrete are built in.",
    keys: &[
        needed("young_modulus", K::Quantity(D::Pressure), "Stiffness of the material."),
        key("poisson_ratio", K::Quantity(D::Number), "Above -1, at most 0.5; 0.3."),
        needed("density", K::Quantity(D::Density), "Mass per volume."),
    ],
};

/// `[[pairs]]`.
pub static PAIR: Section = Section {
    title: "[[pairs]]",
    description: "What two materials do to each other; what is not said is as for two hard things of which nothing is known.",
    keys: &[
        needed("materials", K::Texts, "Names of the two."),
        key(
            "restitution",
            K::Quantity(D::Number),
            "Speed after a head-on impact against before, 0 to 1; 0.5.",
        )
        .by(RUBBING),
        key("friction", K::Quantity(D::Number), "Coefficient of sliding friction; 0.5.").by(RUBBING),
        key(
            "static_friction",
            K::Quantity(D::Number),
            "Before sliding starts, not below friction; the same.",
        )
        .by(EVENTS),
        key("rolling", K::Quantity(D::Number), "Rolling resistance; 0.").by(EVENTS),
        key("spinning", K::Quantity(D::Length), "Spinning resistance; 0.").by(EVENTS),
        key(
            "contact_radius",
            K::Quantity(D::Length),
            "Of contacts without curvature; 5 % of the smaller shape.",
        )
        .by(EVENTS),
    ],
};

/// `[[fixed]]`.
pub static FIXED: Section = Section {
    title: "[[fixed]]",
    description: "A shape that never moves.",
    keys: &[
        key("name", K::Text, "Name in messages, plots and tables; the word of `shape`."),
        needed(
            "shape",
            K::Text,
            "A shape in a word, such as box:2,2,0.1, a mesh file, part:NAME, or assembly:NAME.",
        ),
        key("material", K::Text, "Name of its material; steel."),
        key(
            "collision",
            K::Word(COLLISIONS),
            "How it collides; \"auto\": a mesh by its hull, a shape as what it is. \"quasi-lmd\" and \"oriented\" (by the surface that each corner came in through) are for both.",
        ),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key(
            "angular_tolerance",
            K::Quantity(D::Angle),
            "How far bodies may turn from a contact, for quasi-lmd; 5 deg.",
        ),
        key("dilation", K::Quantity(D::Length), "How far it is inflated, for quasi-lmd; 20 um."),
        key(
            "inflate",
            K::Flag,
            "Whether the dilation makes the body larger; without it the surface is first moved inward by as much; false.",
        ),
        key("scale", K::Quantity(D::Length), "How long one unit of a mesh file is; 1 m."),
        SURFACE_VELOCITY,
        key("position", K::Vector(3, D::Length), "Where it is; [0, 0, 0]."),
        key("rotation", K::Rotation, "How it is turned; not at all."),
    ],
};

/// `surface_velocity` of a shape, wherever shapes are.
const SURFACE_VELOCITY: Key = key(
    "surface_velocity",
    K::Vector(3, D::Speed),
    "Velocity of the surface against the body, as of a conveyor belt, in axes of the shape; [0, 0, 0].",
)
.by(RUBBING);

/// `[[bodies]]`.
pub static BODY: Section = Section {
    title: "[[bodies]]",
    description: "A body: one shape or several, mass, joint, and how it starts.",
    keys: &[
        needed("name", K::Text, "A name that no other body has."),
        key("shape", K::Text, "A shape in a word, a mesh file, part:NAME, or assembly:NAME."),
        key("shapes", K::Tables(&SHAPE), "Several shapes, in place of one."),
        key("material", K::Text, "Name of its material; steel."),
        key(
            "collision",
            K::Word(COLLISIONS),
            "How it collides; \"auto\": a mesh by its hull, a shape as what it is. \"quasi-lmd\" and \"oriented\" (by the surface that each corner came in through) are for both.",
        ),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key(
            "angular_tolerance",
            K::Quantity(D::Angle),
            "How far bodies may turn from a contact, for quasi-lmd; 5 deg.",
        ),
        key("dilation", K::Quantity(D::Length), "How far it is inflated, for quasi-lmd; 20 um."),
        key(
            "inflate",
            K::Flag,
            "Whether the dilation makes the body larger; without it the surface is first moved inward by as much; false.",
        ),
        key("scale", K::Quantity(D::Length), "How long one unit of a mesh file is; 1 m."),
        SURFACE_VELOCITY,
        key("density", K::Quantity(D::Density), "In place of that of the material."),
        key("mass", K::Quantity(D::Mass), "In place of that of the shapes; inertia is scaled with it."),
        key(
            "inertia",
            K::Vector(3, D::Inertia),
            "Moments xx, yy, zz about the centre of mass, in the body's axes, with mass.",
        ),
        key(
            "products",
            K::Vector(3, D::Inertia),
            "Entries xy, xz, yz of the inertia matrix, with inertia; [0, 0, 0].",
        ),
        key("center", K::Vector(3, D::Length), "Centre of mass, with mass and inertia; the origin."),
        key("position", K::Vector(3, D::Length), "Where a free body starts; [0, 0, 0]."),
        key("rotation", K::Rotation, "How a free body is turned at the start."),
        key("velocity", K::Vector(3, D::Speed), "Of a free body's origin at the start; at rest."),
        key("angular_velocity", K::Vector(3, D::AngularSpeed), "Of a free body at the start, in world axes."),
        key("joint", K::WordOr(&["free", "fixed"], &JOINT), "What it hangs on; free."),
        key("motion", K::Table(&MOTION), "Prescribed motion, in place of a joint."),
        key("servo", K::Table(&SERVO), "Carries a free body along a motion, and yields to what it meets."),
    ],
};

/// `shapes` of a body.
pub static SHAPE: Section = Section {
    title: "bodies.shapes",
    description: "One of several shapes of a body.",
    keys: &[
        key("name", K::Text, "Name in messages, plots and tables; that of the body."),
        needed("shape", K::Text, "A shape in a word, a mesh file, part:NAME, or assembly:NAME."),
        key("material", K::Text, "Name of its material; that of the body."),
        key(
            "collision",
            K::Word(COLLISIONS),
            "How it collides; \"auto\": a mesh by its hull, a shape as what it is. \"quasi-lmd\" and \"oriented\" (by the surface that each corner came in through) are for both.",
        ),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key(
            "angular_tolerance",
            K::Quantity(D::Angle),
            "How far bodies may turn from a contact, for quasi-lmd; 5 deg.",
        ),
        key("dilation", K::Quantity(D::Length), "How far it is inflated, for quasi-lmd; 20 um."),
        key(
            "inflate",
            K::Flag,
            "Whether the dilation makes the body larger; without it the surface is first moved inward by as much; false.",
        ),
        key("scale", K::Quantity(D::Length), "How long one unit of a mesh file is; 1 m."),
        SURFACE_VELOCITY,
        key("position", K::Vector(3, D::Length), "Where it is on the body; [0, 0, 0]."),
        key("rotation", K::Rotation, "How it is turned on the body."),
    ],
};

/// Joints by name.
pub const JOINTS: &[&str] =
    &["fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free"];

/// `joint` of a body.
pub static JOINT: Section = Section {
    title: "bodies.joint",
    description: "What a body hangs on. At zero position the joint frames of both bodies coincide.",
    keys: &[
        needed("kind", K::Word(JOINTS), "What it lets the body do."),
        key("parent", K::Text, "Name of the body it hangs on; the world."),
        key(
            "axis",
            K::Vector(3, D::Number),
            "Axis of revolute, prismatic and cylindrical, normal of planar, first axis of universal; [0, 0, 1].",
        ),
        key("second_axis", K::Vector(3, D::Number), "Second axis of universal; [0, 1, 0]."),
        key("parent_frame", K::Table(&FRAME), "The joint frame in the parent; at its origin."),
        key("child_frame", K::Table(&FRAME), "The joint frame in the body; at its origin."),
        key("position", K::Coordinate(D::Angle, D::Length), "Where a joint with one coordinate starts; 0."),
        key("speed", K::Coordinate(D::AngularSpeed, D::Speed), "How fast it starts; 0."),
        key("lower", K::Coordinate(D::Angle, D::Length), "Lower limit; none."),
        key("upper", K::Coordinate(D::Angle, D::Length), "Upper limit; none."),
        key("restitution", K::Quantity(D::Number), "Speed after against before hitting a limit, 0 to 1; 0."),
        key("stiffness", K::Coordinate(D::AngularStiffness, D::Stiffness), "Of a spring; 0."),
        key("spring_reference", K::Coordinate(D::Angle, D::Length), "Where the spring is relaxed; 0."),
        key("damping", K::Coordinate(D::AngularDamping, D::Damping), "Of a damper; 0."),
        key("motor", K::Table(&MOTOR), "What drives it; nothing."),
    ],
};

/// `parent_frame` and `child_frame` of a joint.
pub static FRAME: Section = Section {
    title: "bodies.joint.parent_frame",
    description: "A joint frame in the frame of a body.",
    keys: &[
        key("position", K::Vector(3, D::Length), "Its origin; [0, 0, 0]."),
        key("rotation", K::Rotation, "Its rotation; none."),
    ],
};

/// `motor` of a joint.
pub static MOTOR: Section = Section {
    title: "bodies.joint.motor",
    description: "What drives a joint with one coordinate.",
    keys: &[
        key("effort", K::Coordinate(D::Torque, D::Force), "A constant torque or force."),
        key("speed", K::Coordinate(D::AngularSpeed, D::Speed), "A speed to hold, with gain."),
        key(
            "position",
            K::Coordinate(D::Angle, D::Length),
            "A position to hold, with stiffness and damping.",
        ),
        key(
            "gain",
            K::Coordinate(D::AngularDamping, D::Damping),
            "Effort per speed missing; needed with speed.",
        ),
        key(
            "stiffness",
            K::Coordinate(D::AngularStiffness, D::Stiffness),
            "Effort per distance missing; needed with position.",
        ),
        key("damping", K::Coordinate(D::AngularDamping, D::Damping), "Effort per speed, with position; 0."),
        key("limit", K::Coordinate(D::Torque, D::Force), "Largest effort, with speed or position; none."),
    ],
};

/// `motion` of a body.
pub static MOTION: Section = Section {
    title: "bodies.motion",
    description: "A prescribed motion: oscillations about a mean pose, or a curve through points, here or in a file.",
    keys: &[
        key("position", K::Vector(3, D::Length), "Mean place; [0, 0, 0]."),
        key("rotation", K::Rotation, "Mean orientation."),
        key("surge", K::Table(&SWING), "Along x."),
        key("sway", K::Table(&SWING), "Along y."),
        key("heave", K::Table(&SWING), "Along z."),
        key("roll", K::Table(&TURN), "About x."),
        key("pitch", K::Table(&TURN), "About y."),
        key("yaw", K::Table(&TURN), "About z."),
        key(
            "points",
            K::Tables(&POINT),
            "Where it is at some times, in place of oscillations; at rest before the first and after the last.",
        ),
        key(
            "interpolation",
            K::Word(&Interpolation::WORDS),
            "How it passes from point to point: \"linear\" with constant velocities, \"monotone\" without overshoot, \"smooth\" with continuous accelerations; monotone.",
        ),
        key("csv", K::Text, "A file with lines t, x, y, z and roll, pitch, yaw or a quaternion x, y, z, w."),
    ],
};

/// `points` of a motion.
pub static POINT: Section = Section {
    title: "bodies.motion.points",
    description: "Where a body is at a time; `interpolation` says how it moves in between.",
    keys: &[
        needed("t", K::Quantity(D::Time), "The time; each later than the one before."),
        key("position", K::Vector(3, D::Length), "Where it is; [0, 0, 0]."),
        key("rotation", K::Rotation, "How it is turned; not at all."),
    ],
};

/// `servo` of a body.
pub static SERVO: Section = Section {
    title: "bodies.servo",
    description: "A servo that carries a free body along a motion as far as its strength goes. It always carries the weight of the body. Its path is that of a motion.",
    keys: &[
        needed("force", K::Quantity(D::Force), "Largest force besides the weight."),
        needed("torque", K::Quantity(D::Torque), "Largest torque."),
        key("response", K::Quantity(D::Time), "Time in which a place that is missed is made up; 50 ms."),
        needed("motion", K::Table(&MOTION), "Where the body is to be."),
    ],
};

/// An oscillation of a place.
pub static SWING: Section = Section {
    title: "bodies.motion.heave",
    description: "amplitude sin(2π t / period + phase).",
    keys: &[
        needed("amplitude", K::Quantity(D::Length), "How far it goes either way."),
        needed("period", K::Quantity(D::Time), "Time for one oscillation."),
        key("phase", K::Quantity(D::Angle), "Where it is in its oscillation at the start; 0."),
    ],
};

/// An oscillation of an angle.
pub static TURN: Section = Section {
    title: "bodies.motion.roll",
    description: "amplitude sin(2π t / period + phase).",
    keys: &[
        needed("amplitude", K::Quantity(D::Angle), "How far it turns either way."),
        needed("period", K::Quantity(D::Time), "Time for one oscillation."),
        key("phase", K::Quantity(D::Angle), "Where it is in its oscillation at the start; 0."),
    ],
};

/// `[[loops]]`.
pub static LOOP: Section = Section {
    title: "[[loops]]",
    description: "A joint that closes a loop between two bodies.",
    keys: &[
        key("a", K::Text, "Name of one body; the world."),
        key("b", K::Text, "Name of the other; the world."),
        key("at_a", K::Vector(3, D::Length), "The joint on a; [0, 0, 0]."),
        key("at_b", K::Vector(3, D::Length), "The joint on b; [0, 0, 0]."),
        key("kind", K::Word(&["point", "revolute", "fixed", "distance"]), "What it holds; point."),
        key("axis", K::Vector(3, D::Number), "Axis of revolute, in a; [0, 0, 1]."),
        key("length", K::Quantity(D::Length), "Of distance."),
    ],
};

/// `[[exclude]]`.
pub static EXCLUDE: Section = Section {
    title: "[[exclude]]",
    description: "Two bodies whose shapes never touch each other. Bodies that a joint joins never do.",
    keys: &[needed("bodies", K::Texts, "Their names; `world` is what is fixed.")],
};

/// `[robot]`.
pub static ROBOT: Section = Section {
    title: "[robot]",
    description: "Bodies from a URDF (.urdf) or MJCF (.xml) file.",
    keys: &[
        needed("file", K::Text, "The file."),
        key(
            "base",
            K::Word(&["fixed", "free"]),
            "Whether the root of a URDF is fixed or free; needed for URDF.",
        ),
        key("position", K::Vector(3, D::Length), "Where its base is; [0, 0, 0]."),
        key("rotation", K::Rotation, "How its base is turned."),
        key("material", K::Text, "Material of its shapes; steel."),
    ],
};

/// A rotation as a table.
pub static ROTATION: Section = Section {
    title: "rotation",
    description: "A turn about an axis. A list of four numbers in its place is a quaternion [x, y, z, w].",
    keys: &[
        needed("axis", K::Vector(3, D::Number), "Direction of the axis."),
        needed("angle", K::Quantity(D::Angle), "How far it is turned."),
    ],
};
