//! What a scene file may contain: every table and key, with kind, unit and meaning.
//!
//! One list for everything that must agree: unknown keys are told by it, the reference page and the JSON schema are made from it.

use zerogap_core::units::Dimension;

/// A table of a scene file.
#[derive(Debug)]
pub struct Section {
    /// How it is written: `[world]`, `[[bodies]]`, or a key of another table.
    pub title: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it may contain.
    pub keys: &'static [Key],
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What stands behind it.
    pub kind: Kind,
    /// What it means, and what holds without it.
    pub about: &'static str,
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

const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, about }
}

use Dimension as D;
use Kind as K;

/// The whole file.
pub static SCENE: Section = Section {
    title: "top of the file",
    about: "A scene: what there is, how it moves, and how long to look.",
    keys: &[
        key("name", K::Text, "Name of the scene; without it that of the file."),
        key("about", K::Text, "A line on what it shows."),
        key("world", K::Table(&WORLD), "Gravity, contact model and integrator."),
        key("run", K::Table(&RUN), "How long to run and how often to record."),
        key("materials", K::Named(&MATERIAL), "Materials beside the built-in ones, or in place of them."),
        key("pairs", K::Tables(&PAIR), "What two materials do to each other."),
        key("fixed", K::Tables(&FIXED), "Shapes that never move."),
        key("bodies", K::Tables(&BODY), "Bodies that move."),
        key("loops", K::Tables(&LOOP), "Joints that close loops."),
        key("apart", K::Tables(&APART), "Bodies whose shapes never touch each other."),
        key("robot", K::Table(&ROBOT), "Bodies from a URDF or MJCF file, beside those of this one."),
    ],
};

/// `[world]`.
pub static WORLD: Section = Section {
    title: "[world]",
    about: "Gravity, contact model and integrator.",
    keys: &[
        key("gravity", K::Vector(3, D::Acceleration), "Acceleration of free fall; [0, 0, -9.81]."),
        key("contact", K::Word(CONTACTS), "How bodies that touch act on each other; hunt-crossley."),
        key("stiffness", K::Quantity(D::Stiffness), "Of each contact point, for linear and kelvin-voigt."),
        key("damping", K::Quantity(D::Damping), "Of each contact point, for kelvin-voigt."),
        key("damping_ratio", K::Quantity(D::Number), "Against critical damping, for linear; 1."),
        key("impact", K::Word(&["moreau", "poisson", "newton"]), "Impact law, for rigid; moreau."),
        key("method", K::Word(&["auto", "dop853", "radau"]), "Integrator; auto."),
        key("rtol", K::Quantity(D::Number), "Relative tolerance of a step; 1e-6."),
        key("atol", K::Quantity(D::Number), "Absolute tolerance of a step; 1e-3 of rtol."),
        key("max_step", K::Quantity(D::Time), "Longest step; 0.1 s."),
        key("zero_functions", K::CountOr(&["two"]), "How many functions watch pairs of shapes, or two; 20."),
        key("allow_overlap", K::Flag, "Whether shapes may overlap at the start; false."),
    ],
};

/// Contact models by name.
pub const CONTACTS: &[&str] = &["hunt-crossley", "hertz", "linear", "kelvin-voigt", "modia3d", "rigid"];

/// `[run]`.
pub static RUN: Section = Section {
    title: "[run]",
    about: "How long to run and how often to record.",
    keys: &[
        key("until", K::Quantity(D::Time), "Time to run to; 5 s."),
        key("every", K::Quantity(D::Time), "Time between recorded frames; 10 ms."),
    ],
};

/// `[materials.NAME]`.
pub static MATERIAL: Section = Section {
    title: "[materials.NAME]",
    about: "A material. steel, billiard-ball, dry-wood, rubber, ice, aluminium and concrete are built in.",
    keys: &[
        key("young_modulus", K::Quantity(D::Pressure), "Stiffness of the material; needed."),
        key("poisson_ratio", K::Quantity(D::Number), "Above -1, at most 0.5; 0.3."),
        key("density", K::Quantity(D::Density), "Needed."),
    ],
};

/// `[[pairs]]`.
pub static PAIR: Section = Section {
    title: "[[pairs]]",
    about: "What two materials do to each other; what is not said is as for two hard things of which nothing is known.",
    keys: &[
        key("materials", K::Texts, "Names of the two; needed."),
        key(
            "restitution",
            K::Quantity(D::Number),
            "Speed after a head-on impact against before, 0 to 1; 0.5.",
        ),
        key("friction", K::Quantity(D::Number), "Coefficient of sliding friction; 0.5."),
        key(
            "static_friction",
            K::Quantity(D::Number),
            "Before sliding starts, not below friction; the same.",
        ),
        key("rolling", K::Quantity(D::Number), "Rolling resistance; 0."),
        key("spinning", K::Quantity(D::Length), "Spinning resistance; 0."),
        key(
            "contact_radius",
            K::Quantity(D::Length),
            "Of contacts without curvature; 5 % of the smaller shape.",
        ),
    ],
};

/// `[[fixed]]`.
pub static FIXED: Section = Section {
    title: "[[fixed]]",
    about: "A shape that never moves.",
    keys: &[
        key("name", K::Text, "For messages."),
        key("shape", K::Text, "A shape in a word, such as box:2,2,0.1, a mesh file, or part:NAME; needed."),
        key("material", K::Text, "Name of its material; steel."),
        key("collision", K::Word(COLLISIONS), "How a mesh collides; hull."),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key("scale", K::Quantity(D::Number), "Size of the unit of a mesh file [m]; 1."),
        key("position", K::Vector(3, D::Length), "Where it is; [0, 0, 0]."),
        key("rotation", K::Rotation, "How it is turned; not at all."),
    ],
};

/// Ways in which a mesh collides.
pub const COLLISIONS: &[&str] = &["hull", "pieces"];

/// `[[bodies]]`.
pub static BODY: Section = Section {
    title: "[[bodies]]",
    about: "A body: one shape or several, mass, joint, and how it starts.",
    keys: &[
        key("name", K::Text, "Name; needed."),
        key("shape", K::Text, "A shape in a word, a mesh file, or part:NAME."),
        key("shapes", K::Tables(&SHAPE), "Several shapes, in place of one."),
        key("material", K::Text, "Name of its material; steel."),
        key("collision", K::Word(COLLISIONS), "How a mesh collides; hull."),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key("scale", K::Quantity(D::Number), "Size of the unit of a mesh file [m]; 1."),
        key("density", K::Quantity(D::Density), "In place of that of the material."),
        key("mass", K::Quantity(D::Mass), "In place of that of the shapes; inertia is scaled with it."),
        key(
            "inertia",
            K::Vector(3, D::Number),
            "Principal moments about the centre, in the body's axes [kg m²], with mass.",
        ),
        key("center", K::Vector(3, D::Length), "Centre of mass, with mass and inertia; the origin."),
        key("position", K::Vector(3, D::Length), "Where a free body starts; [0, 0, 0]."),
        key("rotation", K::Rotation, "How a free body is turned at the start."),
        key("velocity", K::Vector(3, D::Speed), "Of a free body's origin at the start; at rest."),
        key("angular_velocity", K::Vector(3, D::AngularSpeed), "Of a free body at the start, in world axes."),
        key("joint", K::WordOr(&["free", "fixed"], &JOINT), "What it hangs on; free."),
        key("motion", K::Table(&MOTION), "Moves as told, in place of a joint."),
    ],
};

/// `shapes` of a body.
pub static SHAPE: Section = Section {
    title: "bodies.shapes",
    about: "One of several shapes of a body.",
    keys: &[
        key("shape", K::Text, "A shape in a word, a mesh file, or part:NAME; needed."),
        key("material", K::Text, "Name of its material; that of the body."),
        key("collision", K::Word(COLLISIONS), "How a mesh collides; hull."),
        key("pieces", K::Count, "Most convex pieces, for collision = \"pieces\"; 16."),
        key("scale", K::Quantity(D::Number), "Size of the unit of a mesh file [m]; 1."),
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
    about: "What a body hangs on. At zero position the joint frames of both bodies coincide.",
    keys: &[
        key("kind", K::Word(JOINTS), "What it lets the body do; needed."),
        key("parent", K::Text, "Name of the body it hangs on; the world."),
        key(
            "axis",
            K::Vector(3, D::Number),
            "Axis of revolute, prismatic and cylindrical, normal of planar, first axis of universal; [0, 0, 1].",
        ),
        key("second_axis", K::Vector(3, D::Number), "Second axis of universal; [0, 1, 0]."),
        key("at", K::Vector(3, D::Length), "The joint in the parent; [0, 0, 0]."),
        key("turned", K::Rotation, "How the joint is turned in the parent."),
        key("on", K::Vector(3, D::Length), "The joint on the body; [0, 0, 0]."),
        key("position", K::Quantity(D::Number), "Where a joint with one coordinate starts [m or rad]; 0."),
        key("angle", K::Quantity(D::Angle), "The same for angles, with a unit."),
        key("speed", K::Quantity(D::Number), "How fast it starts [m/s or rad/s]; 0."),
        key("lower", K::Quantity(D::Number), "Lower limit [m or rad]; none."),
        key("upper", K::Quantity(D::Number), "Upper limit [m or rad]; none."),
        key("restitution", K::Quantity(D::Number), "At limits; 0."),
        key("stiffness", K::Quantity(D::Number), "Of a spring [N/m or N m]; 0."),
        key("rest", K::Quantity(D::Number), "Where the spring is relaxed [m or rad]; 0."),
        key("damping", K::Quantity(D::Number), "Of a damper [N s/m or N m s]; 0."),
        key("motor", K::Table(&MOTOR), "What drives it; nothing."),
    ],
};

/// `motor` of a joint.
pub static MOTOR: Section = Section {
    title: "bodies.joint.motor",
    about: "What drives a joint with one coordinate.",
    keys: &[
        key("effort", K::Quantity(D::Number), "A constant force or torque [N or N m]."),
        key("speed", K::Quantity(D::Number), "A speed to hold [m/s or rad/s], with gain."),
        key("position", K::Quantity(D::Number), "A position to hold [m or rad], with stiffness and damping."),
        key("gain", K::Quantity(D::Number), "Effort per speed missing [N s/m or N m s]."),
        key("stiffness", K::Quantity(D::Number), "Effort per distance missing [N/m or N m]."),
        key("damping", K::Quantity(D::Number), "Effort per speed [N s/m or N m s]; 0."),
        key("limit", K::Quantity(D::Number), "Largest effort [N or N m]; none."),
    ],
};

/// `motion` of a body.
pub static MOTION: Section = Section {
    title: "bodies.motion",
    about: "A motion that is given: oscillations about a mean pose, or a smooth curve through samples of a file.",
    keys: &[
        key("position", K::Vector(3, D::Length), "Mean place; [0, 0, 0]."),
        key("rotation", K::Rotation, "Mean orientation."),
        key("surge", K::Table(&SWING), "Along x."),
        key("sway", K::Table(&SWING), "Along y."),
        key("heave", K::Table(&SWING), "Along z."),
        key("roll", K::Table(&TURN), "About x."),
        key("pitch", K::Table(&TURN), "About y."),
        key("yaw", K::Table(&TURN), "About z."),
        key("csv", K::Text, "A file with lines t, x, y, z and roll, pitch, yaw or a quaternion x, y, z, w."),
    ],
};

/// An oscillation of a place.
pub static SWING: Section = Section {
    title: "bodies.motion.heave",
    about: "amplitude sin(2π t / period + phase).",
    keys: &[
        key("amplitude", K::Quantity(D::Length), "Needed."),
        key("period", K::Quantity(D::Time), "Needed."),
        key("phase", K::Quantity(D::Angle), "0."),
    ],
};

/// An oscillation of an angle.
pub static TURN: Section = Section {
    title: "bodies.motion.roll",
    about: "amplitude sin(2π t / period + phase).",
    keys: &[
        key("amplitude", K::Quantity(D::Angle), "Needed."),
        key("period", K::Quantity(D::Time), "Needed."),
        key("phase", K::Quantity(D::Angle), "0."),
    ],
};

/// `[[loops]]`.
pub static LOOP: Section = Section {
    title: "[[loops]]",
    about: "A joint that closes a loop between two bodies.",
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

/// `[[apart]]`.
pub static APART: Section = Section {
    title: "[[apart]]",
    about: "Two bodies whose shapes never touch each other. Bodies that a joint joins never do.",
    keys: &[key("bodies", K::Texts, "Their names; `world` is what is fixed. Needed.")],
};

/// `[robot]`.
pub static ROBOT: Section = Section {
    title: "[robot]",
    about: "Bodies from a URDF (.urdf) or MJCF (.xml) file.",
    keys: &[
        key("file", K::Text, "The file; needed."),
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
