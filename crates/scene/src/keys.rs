//! The keys of scene files: their tables, made of the settings of worlds and of what only files have.
//!
//! Unknown keys are refused by these tables, and the reference page and the JSON schema are made from them. The keys of `[world]`, `[run]`, `[materials]` and `[[pairs]]`, and those of collisions, degrees of freedom, motors and servos,
//! which Python and the command have too, stand in [`zerogap_simulation::settings::tables`] (`crates/simulation/src/settings/tables.rs`).

use zerogap_core::units::Dimension as D;
use zerogap_dynamics::multibody::Interpolation;
use zerogap_simulation::settings::tables::{
    BUSHING_KEYS, COLLISION_KEYS, DOF_KEYS, FRAME_KEYS, MATERIAL, MOTOR, PAIR, RUN, SERVO_KEYS, SPRING_KEYS,
    WORLD,
};
use zerogap_simulation::settings::{
    DEFAULT_MATERIAL, DefaultValue, Key, Kind as K, Range, Section, key, needed,
};

use super::landing_keys::LANDING;

/// The zero vector.
const ORIGIN: &[f64] = &[0.0, 0.0, 0.0];

/// The whole file.
pub static SCENE: Section = Section {
    title: "a scene",
    description: "A scene: bodies, how they move, and how long to simulate.",
    groups: &[&[
        key("name", K::Text, "Name of the scene.").or_described("that of the file"),
        key("description", K::Text, "A line on what it shows."),
        key("world", K::Table(&WORLD), "Gravity, contact model and method."),
        key("run", K::Table(&RUN), "How long to run and how often to record."),
        key("materials", K::Named(&MATERIAL), "Materials beside the built-in ones, or in place of them."),
        key("pairs", K::Tables(&PAIR), "What two materials do to each other."),
        key("fixed", K::Tables(&FIXED), "Shapes that never move."),
        key("bodies", K::Tables(&BODY), "Bodies that move."),
        key("frames", K::Tables(&FRAMES), "Frames of flexible beams."),
        key("loops", K::Tables(&LOOP), "Joints that close loops."),
        key("springs", K::Tables(&SPRING), "Springs and dampers between points of bodies."),
        key("bushings", K::Tables(&BUSHING), "Springs and dampers between frames of bodies."),
        key("exclude", K::Tables(&EXCLUDE), "Bodies between which contact is disabled."),
        key("robot", K::Table(&ROBOT), "Bodies from a URDF or MJCF file, beside those of this one."),
        key(
            "robots",
            K::Tables(&ROBOT),
            "Several robots, each from a URDF or MJCF file, with a prefix for its names.",
        ),
        key("commands", K::Tables(&COMMAND), "Set points over time for motors of joints and actuators."),
        key("landing", K::Table(&LANDING), "A helicopter that lands on a deck, in place of bodies."),
    ]],
};

/// Position and rotation, wherever something has a pose.
const POSE: &[Key] = &[
    key("position", K::Vector(3, D::Length), "Its origin.").or_vector(ORIGIN),
    key("rotation", K::Rotation, "Its rotation.").or_described("none"),
];

/// The unit of a mesh, wherever shapes are.
const SCALE: Key = key("scale", K::Quantity(D::Length), "Length of one unit of a mesh file.")
    .positive()
    .or_described("1 m, with a warning where the size is unusual");

/// `[[fixed]]`.
pub static FIXED: Section = Section {
    title: "[[fixed]]",
    description: "A shape that never moves.",
    groups: &[
        &[
            key("name", K::Text, "Name in messages, plots and tables.").or_described("the word of `shape`"),
            needed(
                "shape",
                K::Text,
                "A shape in a word, such as box:2,2,0.1, a mesh file, part:NAME, or assembly:NAME.",
            ),
            key("material", K::Text, "Name of its material.").or_word(DEFAULT_MATERIAL),
        ],
        COLLISION_KEYS,
        &[SCALE],
        POSE,
    ],
};

/// `[[bodies]]`.
pub static BODY: Section = Section {
    title: "[[bodies]]",
    description: "A body: one shape or several, mass, joint, and how it starts.",
    groups: &[
        &[
            needed("name", K::Text, "A name that no other body has."),
            key("shape", K::Text, "A shape in a word, a mesh file, part:NAME, or assembly:NAME."),
            key("shapes", K::Tables(&SHAPE), "Several shapes, in place of one."),
            key("material", K::Text, "Name of its material.").or_word(DEFAULT_MATERIAL),
        ],
        COLLISION_KEYS,
        &[
            SCALE,
            key("density", K::Quantity(D::Density), "Mass per volume.")
                .positive()
                .or_described("that of the material"),
            key("mass", K::Quantity(D::Mass), "Mass; inertia is scaled with it.")
                .positive()
                .or_described("that of the shapes"),
            key(
                "inertia",
                K::Vector(3, D::Inertia),
                "Moments xx, yy, zz about the centre of mass, in the body's axes, with mass.",
            )
            .or_described("that of the shapes"),
            key(
                "products",
                K::Vector(3, D::Inertia),
                "Entries xy, xz, yz of the inertia matrix, with inertia.",
            )
            .or_vector(ORIGIN),
            key("center", K::Vector(3, D::Length), "Centre of mass, with mass and inertia.")
                .or_vector(ORIGIN),
        ],
        POSE,
        &[
            key("velocity", K::Vector(3, D::Speed), "Velocity of a free body's origin at the start.")
                .or_vector(ORIGIN),
            key(
                "angular_velocity",
                K::Vector(3, D::AngularSpeed),
                "Angular velocity of a free body at the start, in world axes.",
            )
            .or_vector(ORIGIN),
            key("joint", K::WordOr(&["free", "fixed"], &JOINT), "Joint to the parent body.").or_word("free"),
            key("motion", K::Table(&MOTION), "Prescribed motion, in place of a joint."),
            key(
                "servo",
                K::Table(&SERVO),
                "Carries a free body along a motion with limited force and torque.",
            ),
        ],
    ],
};

/// `shapes` of a body.
pub static SHAPE: Section = Section {
    title: "bodies.shapes",
    description: "One of several shapes of a body.",
    groups: &[
        &[
            key("name", K::Text, "Name in messages, plots and tables.").or_described("that of the body"),
            needed("shape", K::Text, "A shape in a word, a mesh file, part:NAME, or assembly:NAME."),
            key("material", K::Text, "Name of its material.").or_described("that of the body"),
        ],
        COLLISION_KEYS,
        &[SCALE],
        POSE,
    ],
};

/// Joints by name.
pub const JOINTS: &[&str] =
    &["fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free"];

/// `joint` of a body.
pub static JOINT: Section = Section {
    title: "bodies.joint",
    description: "Joint to the parent body. At zero position the joint frames of both bodies coincide.",
    groups: &[
        &[
            needed("kind", K::Word(JOINTS), "Joint type."),
            key("parent", K::Text, "Name of the parent body.").or_described("the world"),
            key(
                "axis",
                K::Vector(3, D::Number),
                "Axis of revolute, prismatic and cylindrical, normal of planar, first axis of universal.",
            )
            .or_vector(&[0.0, 0.0, 1.0]),
            key("second_axis", K::Vector(3, D::Number), "Second axis of universal.")
                .or_vector(&[0.0, 1.0, 0.0]),
            key("parent_frame", K::Table(&FRAME), "The joint frame in the parent.")
                .or_described("at its origin"),
            key("child_frame", K::Table(&FRAME), "The joint frame in the body.")
                .or_described("at its origin"),
            key("position", K::Coordinate(D::Angle, D::Length), "Where a joint with one coordinate starts.")
                .or_number(0.0),
            key("speed", K::Coordinate(D::AngularSpeed, D::Speed), "How fast it starts.").or_number(0.0),
        ],
        DOF_KEYS,
        &[key("motor", K::Table(&MOTOR), "What drives it.")],
    ],
};

/// `parent_frame` and `child_frame` of a joint.
pub static FRAME: Section = Section {
    title: "bodies.joint.parent_frame",
    description: "A joint frame in the frame of a body.",
    groups: &[POSE],
};

/// `motion` of a body.
pub static MOTION: Section = Section {
    title: "bodies.motion",
    description: "A prescribed motion: oscillations about a mean pose, or a curve through points, here or in a file.",
    groups: &[
        POSE,
        &[
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
                "Interpolation between points: \"linear\" with constant velocities, \"monotone\" without overshoot, \"smooth\" with continuous accelerations.",
            )
            .or_word("monotone"),
            key("csv", K::Text, "A file with lines t, x, y, z and roll, pitch, yaw or a quaternion x, y, z, w."),
        ],
    ],
};

/// `points` of a motion.
pub static POINT: Section = Section {
    title: "bodies.motion.points",
    description: "Pose of a body at a time; `interpolation` selects the interpolation between points.",
    groups: &[&[needed("t", K::Quantity(D::Time), "The time; each later than the one before.")], POSE],
};

/// `servo` of a body.
pub static SERVO: Section = Section {
    title: "bodies.servo",
    description: "A servo that carries a free body along a motion with limited force and torque. It always carries the weight of the body. Its path is a motion.",
    groups: &[SERVO_KEYS, &[needed("motion", K::Table(&MOTION), "Where the body is to be.")]],
};

/// An oscillation of a length or an angle.
const fn oscillation(amplitude: D) -> [Key; 3] {
    [
        needed("amplitude", K::Quantity(amplitude), "Amplitude."),
        needed("period", K::Quantity(D::Time), "Time for one oscillation.").positive(),
        key("phase", K::Quantity(D::Angle), "Phase at the start.").or_number(0.0),
    ]
}

/// An oscillation of a place.
pub static SWING: Section = Section {
    title: "bodies.motion.heave",
    description: "amplitude sin(2π t / period + phase).",
    groups: &[&oscillation(D::Length)],
};

/// An oscillation of an angle.
pub static TURN: Section = Section {
    title: "bodies.motion.roll",
    description: "amplitude sin(2π t / period + phase).",
    groups: &[&oscillation(D::Angle)],
};

/// `[[loops]]`.
pub static LOOP: Section = Section {
    title: "[[loops]]",
    description: "A joint that closes a loop between two bodies.",
    groups: &[&[
        key("a", K::Text, "Name of one body.").or_described("the world"),
        key("b", K::Text, "Name of the other.").or_described("the world"),
        key("at_a", K::Vector(3, D::Length), "The joint on a.").or_vector(ORIGIN),
        key("at_b", K::Vector(3, D::Length), "The joint on b.").or_vector(ORIGIN),
        key("kind", K::Word(&["point", "revolute", "fixed", "distance"]), "What it holds.").or_word("point"),
        key("axis", K::Vector(3, D::Number), "Axis of revolute, in a.").or_vector(&[0.0, 0.0, 1.0]),
        key("length", K::Quantity(D::Length), "Length of distance, which needs it.").positive(),
    ]],
};

/// What elements are made of, for a frame or one of its members.
const ELEMENTS: [Key; 4] = [
    key(
        "section",
        K::Text,
        "Cross-section: rod:DIAMETER, tube:DIAMETER,WALL, rectangle:WIDTH,HEIGHT, box:WIDTH,HEIGHT,WALL or i:WIDTH,HEIGHT,FLANGE,WEB.",
    ),
    key("young_modulus", K::Quantity(D::Pressure), "Young's modulus.").positive(),
    key("poisson_ratio", K::Quantity(D::Number), "Poisson's ratio.").within(Range::from(-0.999).up_to(0.5)),
    key("density", K::Quantity(D::Density), "Mass per volume.").positive(),
];

/// `[[frames]]`.
pub static FRAMES: Section = Section {
    title: "[[frames]]",
    description: "A frame of flexible beams. Its nodes are bodies with the names NAME.0, NAME.1 and so on, in the order in which members name them.",
    groups: &[
        &[
            needed("name", K::Text, "A name that no other frame has."),
            key("members", K::Tables(&MEMBER), "Its beams; ends at one place are joined rigidly."),
        ],
        &ELEMENTS,
        &[
            key(
                "damping",
                K::Vector(2, D::Number),
                "Rayleigh damping: factor of the mass [1/s], factor of the stiffness [s].",
            )
            .or_vector(&[0.0, 0.0]),
            key("joints", K::Tables(&FRAME_JOINT), "What its nodes are joined to."),
            key("masses", K::Tables(&FRAME_MASS), "Masses at nodes."),
        ],
        POSE,
        &[key("velocity", K::Vector(3, D::Speed), "Velocity at the start.").or_vector(ORIGIN)],
        FRAME_KEYS,
    ],
};

/// `members` of a frame.
pub static MEMBER: Section = Section {
    title: "frames.members",
    description: "Beams from one point to another, or along the points of a file, in axes of the frame. What is left out is that of the frame.",
    groups: &[
        &[
            key("from", K::Vector(3, D::Length), "Where it begins."),
            key("to", K::Vector(3, D::Length), "Where it ends."),
            key("file", K::Text, "Points of a line in place of both: CSV with x, y, z in metres, or OBJ."),
            key("elements", K::Count, "Elements between two points.")
                .within(Range::from(1.0))
                .or(DefaultValue::Count(1)),
            key("up", K::Vector(3, D::Number), "Direction of the height of the section.")
                .or_described("z of the frame, and x for upright elements"),
            key("shear", K::Flag, "Timoshenko's beam in place of Euler and Bernoulli's.")
                .or(DefaultValue::Flag(false)),
        ],
        &ELEMENTS,
    ],
};

/// `joints` of a frame.
pub static FRAME_JOINT: Section = Section {
    title: "frames.joints",
    description: "Joins a node to a body, or to the world.",
    groups: &[&[
        needed("at", K::Vector(3, D::Length), "Where the node is, in axes of the frame."),
        key("body", K::Text, "Name of the body.").or_described("the world"),
        key("kind", K::Word(&["fixed", "hinge", "ball"]), "How.").or_word("fixed"),
        key("axis", K::Vector(3, D::Number), "Axis of a hinge, in axes of the frame.")
            .or_vector(&[0.0, 1.0, 0.0]),
    ]],
};

/// `masses` of a frame.
pub static FRAME_MASS: Section = Section {
    title: "frames.masses",
    description: "A mass at a node, beyond that of the elements.",
    groups: &[&[
        needed("at", K::Vector(3, D::Length), "Where the node is, in axes of the frame."),
        needed("mass", K::Quantity(D::Mass), "The mass.").not_negative(),
    ]],
};

/// The two bodies that a force element acts on.
const ENDS: &[Key] = &[
    key("a", K::Text, "Name of one body.").or_described("the world"),
    key("b", K::Text, "Name of the other.").or_described("the world"),
];

/// `[[springs]]`.
pub static SPRING: Section = Section {
    title: "[[springs]]",
    description: "A spring and a damper between two points of bodies.",
    groups: &[
        ENDS,
        &[
            key("at_a", K::Vector(3, D::Length), "The point on a.").or_vector(ORIGIN),
            key("at_b", K::Vector(3, D::Length), "The point on b.").or_vector(ORIGIN),
        ],
        SPRING_KEYS,
    ],
};

/// `[[bushings]]`.
pub static BUSHING: Section = Section {
    title: "[[bushings]]",
    description: "Springs and dampers between two frames of bodies, along and about the axes of the first. They are relaxed where the frames coincide.",
    groups: &[
        ENDS,
        &[
            key("frame_a", K::Table(&FRAME), "The frame on a.").or_described("at its origin"),
            key("frame_b", K::Table(&FRAME), "The frame on b.").or_described("at its origin"),
        ],
        BUSHING_KEYS,
    ],
};

/// `[[exclude]]`.
pub static EXCLUDE: Section = Section {
    title: "[[exclude]]",
    description: "Disables contact between bodies. Contact between bodies connected by a joint is disabled as well.",
    groups: &[&[needed(
        "bodies",
        K::Texts,
        "Names of two bodies or more; `world` stands for all fixed shapes.",
    )]],
};

/// `[robot]`.
pub static ROBOT: Section = Section {
    title: "[robot]",
    description: "Bodies from a URDF (.urdf) or MJCF (.xml) file; [[robots]] are several of them.",
    groups: &[
        &[
            needed("file", K::Text, "The file."),
            key(
                "base",
                K::Word(&["fixed", "free"]),
                "Whether the root of a URDF is fixed or free; needed for URDF.",
            ),
        ],
        POSE,
        &[
            key(
                "material",
                K::Text,
                "Material of its shapes; without it the friction of the file counts, and nothing bounces.",
            ),
            key("keyframe", K::Text, "Keyframe of an MJCF model to start from."),
            key("packages", K::Texts, "Folders of packages for `package://` in a URDF, as `NAME=FOLDER`."),
            key(
                "leave_out",
                K::Flag,
                "Leave out physics that is not modelled here, with a warning for each, in place of an error.",
            ),
            key(
                "repair",
                K::Flag,
                "Mend links of a URDF whose masses, inertias or sizes cannot be, with a warning for each.",
            ),
            key(
                "prefix",
                K::Text,
                "What the names of its bodies, joints, sites, actuators and sensors begin with, such as `left/`.",
            ),
            key("start", K::Tables(&ROBOT_START), "How its joints start, after the keyframe."),
            key("self_collision", K::Flag, "Whether its bodies touch each other.").or_described("true"),
            key(
                "ignore_overlaps",
                K::Word(&["start"]),
                "Disable contact of pairs with its shapes that overlap at the start, and list them.",
            ),
        ],
    ],
};

/// `start` of a robot.
pub static ROBOT_START: Section = Section {
    title: "robot.start",
    description: "How a hinge or a slide of a robot starts.",
    groups: &[&[
        needed("joint", K::Text, "Its name in the file of the robot."),
        key("position", K::Coordinate(D::Angle, D::Length), "Its position, counted as in the file."),
        key("speed", K::Coordinate(D::AngularSpeed, D::Speed), "Its speed."),
    ]],
};

/// `[[commands]]`.
pub static COMMAND: Section = Section {
    title: "[[commands]]",
    description: "Set points over time: for motors of joints, or for actuators of robots. They are held over each length of a step.",
    groups: &[&[
        key(
            "joints",
            K::Texts,
            "Joints, by their names or those of the bodies on them; all follow the same course, or a column of a file each.",
        ),
        key("actuators", K::Texts, "Actuators by name, in place of joints: the course is their control."),
        key("drive", K::Word(&["position", "speed", "effort"]), "What of the joints follows.")
            .or_word("position"),
        key("gain", K::Coordinate(D::AngularDamping, D::Damping), "Velocity gain; needed with speed.")
            .not_negative(),
        key(
            "stiffness",
            K::Coordinate(D::AngularStiffness, D::Stiffness),
            "Position gain; needed with position.",
        )
        .not_negative(),
        key("damping", K::Coordinate(D::AngularDamping, D::Damping), "Effort per speed, with position.")
            .not_negative(),
        key("limit", K::Coordinate(D::Torque, D::Force), "Largest effort.").not_negative(),
        key(
            "csv",
            K::Text,
            "A file of set points: a line for each time, `t` and one value for all or one for each.",
        ),
        key("points", K::Tables(&COMMAND_POINT), "Set points, in place of a file."),
        key("interpolation", K::Word(&["linear", "hold"]), "Between set points.").or_word("linear"),
        key("sine", K::Table(&COMMAND_SINE), "A sine, in place of set points."),
        key("ramp", K::Table(&COMMAND_RAMP), "A ramp, in place of set points."),
    ]],
};

/// `points` of a command.
pub static COMMAND_POINT: Section = Section {
    title: "commands.points",
    description: "A set point. A joint that rotates takes angles, one that slides lengths.",
    groups: &[&[
        needed("t", K::Quantity(D::Time), "When."),
        needed(
            "value",
            K::Quantity(D::Number),
            "Value in SI: rad or m, rad/s or m/s, N m or N, or the control.",
        ),
    ]],
};

/// `sine` of a command.
pub static COMMAND_SINE: Section = Section {
    title: "commands.sine",
    description: "mean + amplitude sin(2 pi t / period + phase), in SI.",
    groups: &[&[
        key("mean", K::Quantity(D::Number), "Value around which it swings.").or_number(0.0),
        needed("amplitude", K::Quantity(D::Number), "How far it swings."),
        needed("period", K::Quantity(D::Time), "Period.").positive(),
        key("phase", K::Quantity(D::Angle), "Phase at time zero.").or_number(0.0),
    ]],
};

/// `ramp` of a command.
pub static COMMAND_RAMP: Section = Section {
    title: "commands.ramp",
    description: "From one value to another, in SI, and held before and after.",
    groups: &[&[
        key("from", K::Quantity(D::Number), "Value until the start.").or_number(0.0),
        needed("to", K::Quantity(D::Number), "Value from the end on."),
        key("start", K::Quantity(D::Time), "Where it begins to change.").or_number(0.0),
        needed("end", K::Quantity(D::Time), "Where it ends."),
    ]],
};

/// A rotation as a table.
pub static ROTATION: Section = Section {
    title: "rotation",
    description: "A rotation about an axis. A list of four numbers in its place is a quaternion [x, y, z, w].",
    groups: &[&[
        needed("axis", K::Vector(3, D::Number), "Direction of the axis."),
        needed("angle", K::Quantity(D::Angle), "Angle of the rotation."),
    ]],
};
