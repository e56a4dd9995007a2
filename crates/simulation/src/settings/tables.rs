//! Every setting of worlds, once: name, unit, default, range, help, and what uses it.
//!
//! A new setting is an entry here and the place that uses it. The defaults here are documentation: the help, the reference page and the JSON schema show them. A setting that is left out takes the `Default` of its type, and tests
//! (`tests.rs`) check that both agree.

use zerogap_contact::solve::MAX_DIRECTIONS;
use zerogap_core::units::Dimension as D;
use zerogap_proximity::oriented::SurfaceRule;

use super::collision::{COLLISIONS, MAX_DEPTH, SIDES};
use super::schema::{DefaultValue, Key, Kind as K, Range, Section, Use, key, needed};
use super::words::{IMPACTS, INTEGRATORS, METHODS, NARROW_PHASES, SOLVERS};
use crate::world::OVERLAPS;

/// Methods that locate events.
const LOCATED: &[&str] = &["events", "auto"];

/// For located events.
const EVENTS: Use = method(LOCATED);

/// For steps of one length.
const STEPS: Use = method(&["stepping", "silvia"]);

/// For steps of one length with friction cones.
const STEPPING: Use = method(&["stepping"]);

/// Wherever there are friction and restitution.
const FRICTIONAL: Use = method(&["events", "auto", "stepping"]);

/// For some methods.
const fn method(words: &'static [&'static str]) -> Use {
    Use { selector: "method", words, given: None }
}

/// For some contact models, where they are chosen: those of steps are what they are.
const fn contact(words: &'static [&'static str]) -> Use {
    Use { selector: "contact", words, given: Some(("method", LOCATED)) }
}

/// For some collisions.
const fn collision(words: &'static [&'static str]) -> Use {
    Use { selector: "collision", words, given: None }
}

/// For some sides.
const fn sides(words: &'static [&'static str]) -> Use {
    Use { selector: "sides", words, given: None }
}

/// Contact models by name; the first is the default.
pub const CONTACTS: &[&str] = &["hunt-crossley", "hertz", "linear", "kelvin-voigt", "modia3d", "rigid"];

/// Those of them whose points stick: `Modia3D` has a smooth friction law instead.
const STICKING: &[&str] = &["hunt-crossley", "hertz", "linear", "kelvin-voigt"];

/// Those that resist spin: all but `Modia3D`.
const SPINNING: &[&str] = &["hunt-crossley", "hertz", "linear", "kelvin-voigt", "rigid"];

/// Contact models that deliver the restitution of a pair; the damping of the others says what is lost.
const RESTITUTING: &[&str] = &["hunt-crossley", "modia3d", "rigid"];

/// Maximum number of midpoint iterations of a step [-]; two or three are enough.
pub(crate) const MAX_MIDPOINT_ITERATIONS: usize = 1000;

/// Largest number of zero-crossing functions of pairs [-]; they take memory and time in every step.
pub(crate) const MAX_FUNCTIONS: usize = 1_000_000;

/// The method with its numbers, and what becomes of overlaps: what `zerogap run` and `zg.simulate` can override.
pub static METHOD_KEYS: &[Key] = &[
        key(
            "method",
            K::Word(METHODS),
            "Time-integration method: an integrator with located events, and time stepping for phases in which events of rigid contacts crowd, such as piles (auto), the same without such phases (events), or steps of one length (stepping; silvia, which has neither friction nor restitution).",
        )
        .or_word(METHODS[0])
,
        key(
            "integrator",
            K::Word(INTEGRATORS),
            "Integrator: explicit of order 8 (dop853), implicit of order 5 (radau), or whichever is cheaper (auto).",
        )
        .or_word(INTEGRATORS[0])
        .with(&[EVENTS])
,
        key(
            "step",
            K::Quantity(D::Time),
            "Length of a step of stepping and silvia, and what World.step() advances by in every method; events are located within it.",
        )
        .positive()
        .or_number(1e-3)
    ,
        key("tolerance", K::Quantity(D::Speed), "Largest residual of the contact laws in a step.")
            .positive()
            .or_number(1e-9)
            .with(&[STEPS])
    ,
        key(
            "patch_points",
            K::CountOr(&["auto", "all"]),
            "Contact points per patch of one normal that a step is solved with at first; those left out that it violates come back. \"auto\": four for pairs of convex shapes, eight for others.",
        )
        .within(Range::from(1.0))
        .or_word("auto")
        .with(&[STEPPING])
    ,
        key(
            "solver",
            K::Word(SOLVERS),
            "How the contacts of a step are solved: exact round cones of friction (cones), or pyramids as one linear complementarity problem by Lemke's method (lcp), for comparison.",
        )
        .or_word(SOLVERS[0])
        .with(&[STEPPING])
    ,
        key("cone_sides", K::Count, "Sides of the friction pyramids of solver = \"lcp\".")
            .within(Range::from(3.0).up_to(MAX_DIRECTIONS as f64))
            .or_described("8")
            .with(&[STEPPING])
    ,
        key(
            "midpoint_iterations",
            K::Count,
            "How often contacts of curved surfaces that last are searched for halfway through a step; two keep the energy of bodies that roll on curved ground.",
        )
        .within(Range::NOT_NEGATIVE.up_to(MAX_MIDPOINT_ITERATIONS as f64))
        .or(DefaultValue::Count(0))
        .with(&[STEPPING])
    ,
        key(
            "sleep",
            K::Quantity(D::Time),
            "Time at rest after which bodies sleep: they are frozen, with all that they touch, until something moves them. Infinity for never.",
        )
        .within(Range::POSITIVE.up_to(f64::INFINITY))
        .or_described("never")
        .with(&[STEPPING])
    ,
        key(
            "sleep_speed",
            K::Quantity(D::Speed),
            "Largest speed of any point of a body that is at rest; only with sleep.",
        )
        .positive()
        .or_described("1 mm/s")
        .with(&[STEPPING])
    ,
        key(
            "rtol",
            K::Quantity(D::Number),
            "Relative tolerance. With events, of a step. With stepping, in place of step: the length of steps follows an estimate of their error, in positions relative to the size of each body.",
        )
        .within(Range::POSITIVE.below(1.0))
        .or_described("1e-6 with events; none with stepping")
        .with(&[FRICTIONAL])
    ,
        key("atol", K::Quantity(D::Number), "Absolute tolerance of a step.")
            .positive()
            .or_described("1e-3 of rtol")
            .with(&[EVENTS])
    ,
        key("max_step", K::Quantity(D::Time), "Longest step; with stepping only where rtol is given.")
            .positive()
            .or_described("0.1 s")
            .with(&[FRICTIONAL])
    ,
        key(
            "zero_functions",
            K::CountOr(&["two"]),
            "Number of zero-crossing functions for pairs of shapes at the start; \"two\": one for all separated pairs, one for all pairs in contact.",
        )
        .within(Range::from(1.0).up_to(MAX_FUNCTIONS as f64))
        .or(DefaultValue::Count(20))
        .with(&[EVENTS])
,
        key(
            "narrow_phase",
            K::Word(NARROW_PHASES),
            "What finds the gaps of bounded convex shapes: the exact kernels (exact), or for comparison Minkowski portal refinement with one contact point of a pair (mpr; for compliant contacts), or V-Clip for polyhedra that are apart (v-clip).",
        )
        .or_word(NARROW_PHASES[0])
,
        key(
            "overlaps",
            K::Word(OVERLAPS),
            "What becomes of shapes that overlap at the start: an error (refuse), bodies moved apart before the run (separate), or pairs that never touch (exclude).",
        )
        .or_word(OVERLAPS[0])
,
];

/// The method, as options of `zerogap run` and keywords of `simulate` in Python.
pub static METHOD: Section =
    Section { title: "a run", description: "How a world advances in time.", groups: &[METHOD_KEYS] };

/// `[world]`, and the keywords of `World` in Python.
pub static WORLD: Section = Section {
    title: "[world]",
    description: "Gravity, contact model and method.",
    groups: &[
        &[
            key("gravity", K::Vector(3, D::Acceleration), "Acceleration of free fall.")
                .or_vector(&[0.0, 0.0, -9.81]),
            key(
                "contact",
                K::Word(CONTACTS),
                "How bodies that touch act on each other. Contacts of stepping and silvia are rigid.",
            )
            .or_word(CONTACTS[0])
            .with(&[EVENTS])
            .otherwise("rigid"),
            key(
                "stiffness",
                K::Quantity(D::Stiffness),
                "Stiffness of each contact point; linear and kelvin-voigt need it.",
            )
            .positive()
            .with(&[EVENTS, contact(&["linear", "kelvin-voigt"])]),
            key("damping", K::Quantity(D::Damping), "Damping of each contact point; kelvin-voigt needs it.")
                .not_negative()
                .with(&[EVENTS, contact(&["kelvin-voigt"])]),
            key("damping_ratio", K::Quantity(D::Number), "Damping against critical damping.")
                .not_negative()
                .or_number(super::DAMPING_RATIO)
                .with(&[EVENTS, contact(&["linear"])]),
            key("impact", K::Word(IMPACTS), "Impact law.")
                .or_word(IMPACTS[0])
                .with(&[EVENTS, contact(&["rigid"])]),
        ],
        METHOD_KEYS,
        &[key("assemble", K::Flag, "Whether bodies may move by any distance to close loops at the start.")
            .or(DefaultValue::Flag(false))],
    ],
};

/// `[run]`.
pub static RUN: Section = Section {
    title: "[run]",
    description: "How long to run, how often to record, and how much effort a run may take.",
    groups: &[&[
        key("until", K::Quantity(D::Time), "Time to run to.").positive().or_number(super::UNTIL),
        key("every", K::Quantity(D::Time), "Time between recorded frames.")
            .positive()
            .or_number(super::FRAME_INTERVAL),
        key("max_wall", K::Quantity(D::Time), "Wall time after which the run ends with an error that says how far it got; not for landings.")
            .positive()
            .or_described("no limit"),
        key("max_events", K::Count, "Instants with events after which the run ends with an error that says what crowded; not for landings.")
            .or_described("no limit"),
    ]],
};

/// `[materials.NAME]`, and the arguments of `World.material` in Python.
pub static MATERIAL: Section = Section {
    title: "[materials.NAME]",
    description: "A material. steel, billiard-ball, dry-wood, rubber, ice, aluminium and concrete are built in.",
    groups: &[&[
        needed("young_modulus", K::Quantity(D::Pressure), "Stiffness of the material.").positive(),
        key("poisson_ratio", K::Quantity(D::Number), "Poisson's ratio; most metals have 0.3.")
            .within(Range { min: -1.0, is_above_min: true, max: 0.5, is_below_max: false })
            .or_number(super::POISSON_RATIO),
        needed("density", K::Quantity(D::Density), "Mass per volume.").positive(),
    ]],
};

/// Settings of a pair of materials.
pub static PAIR_KEYS: &[Key] = &[
    key("restitution", K::Quantity(D::Number), "Speed after a head-on impact against before.")
        .fraction()
        .or_number(0.5)
        .with(&[FRICTIONAL, contact(RESTITUTING)]),
    key("friction", K::Quantity(D::Number), "Coefficient of sliding friction.")
        .not_negative()
        .or_number(0.5)
        .with(&[FRICTIONAL]),
    key(
        "static_friction",
        K::Quantity(D::Number),
        "Coefficient of friction before sliding starts, not below friction.",
    )
    .not_negative()
    .or_described("as friction")
    .with(&[FRICTIONAL, contact(STICKING)]),
    key(
        "friction_across",
        K::Quantity(D::Number),
        "Coefficient of sliding friction across friction_direction, along which it is friction; between them an ellipse.",
    )
    .not_negative()
    .with(&[STEPPING]),
    key(
        "friction_direction",
        K::Vector(3, D::Number),
        "Direction on the surface of the first of the two materials, in axes of its shape; needed with friction_across.",
    )
    .with(&[STEPPING]),
    key(
        "rolling",
        K::Quantity(D::Number),
        "Rolling resistance: the torque against rolling over normal force and effective radius.",
    )
    .not_negative()
    .or_number(0.0)
    .with(&[FRICTIONAL]),
    key(
        "spinning",
        K::Quantity(D::Length),
        "Spinning resistance: the torque against spin over the friction force.",
    )
    .not_negative()
    .or_number(0.0)
    .with(&[FRICTIONAL, contact(SPINNING)]),
    key("contact_radius", K::Quantity(D::Length), "Effective radius of contacts without curvature.")
        .positive()
        .or_described("5 % of the smaller shape")
        .with(&[FRICTIONAL]),
    key("grip", K::Quantity(D::Number), "Tangential over normal stiffness.")
        .positive()
        .or_described("by Cattaneo and Mindlin")
        .with(&[EVENTS, contact(STICKING)]),
];

/// A pair of materials, as keywords of `World.pair` in Python.
pub static PAIR_PROPERTIES: Section =
    Section { title: "a pair", description: "What two materials do to each other.", groups: &[PAIR_KEYS] };

/// `[[pairs]]`.
pub static PAIR: Section = Section {
    title: "[[pairs]]",
    description: "What two materials do to each other.",
    groups: &[&[needed("materials", K::Texts, "Names of the two.")], PAIR_KEYS],
};

/// How a shape collides, wherever shapes are.
pub static COLLISION_KEYS: &[Key] = &[
    key(
        "collision",
        K::Word(COLLISIONS),
        "How it collides. \"auto\": a mesh by its hull, a shape as what it is. \"hull\", \"pieces\" and \"mesh\" are for meshes; \"quasi-lmd\" and \"oriented\" (by the surface that each corner came in through) are for both.",
    )
    .or_word(COLLISIONS[0]),
    key("pieces", K::Count, "Maximum number of convex pieces.")
        .within(Range::from(1.0))
        .or(DefaultValue::Count(super::PIECES))
        .with(&[collision(&["pieces"])]),
    key(
        "sides",
        K::Word(SIDES),
        "What is solid of a mesh. \"closed\": what it encloses. For open meshes \"one\": what is below, along z of the mesh, as of terrain; \"two\": a sheet with a thickness.",
    )
    .or_word(SIDES[0])
    .with(&[collision(&["mesh", "quasi-lmd"])]),
    key("max_depth", K::Quantity(D::Length), "How far the ground reaches below the lowest vertex.")
        .positive()
        .or_number(MAX_DEPTH)
        .with(&[sides(&["one"])]),
    key("thickness", K::Quantity(D::Length), "Thickness of the sheet, half of it to each side.")
        .positive()
        .with(&[sides(&["two"])]),
    key("angular_tolerance", K::Quantity(D::Angle), "Angle by which bodies may rotate from a contact before it is lost.")
        .within(Range::NOT_NEGATIVE.up_to(std::f64::consts::FRAC_PI_2))
        .or_described("5 deg")
        .with(&[collision(&["quasi-lmd"])]),
    key("dilation", K::Quantity(D::Length), "Radius by which it is inflated.")
        .not_negative()
        .or_described("a 500th of its smallest extent; 0.00002 m for what has no volume")
        .with(&[collision(&["quasi-lmd"])]),
    key("inflate", K::Flag, "Whether the dilation makes it larger, in place of its inside smaller.")
        .or(DefaultValue::Flag(false))
        .with(&[collision(&["quasi-lmd"])]),
    key(
        "rule",
        K::Word(SurfaceRule::WORDS),
        "Which surface pushes a corner: the one that it came in through (history), or the nearest one at each accepted step, as the minimum translation has it (nearest), for comparison.",
    )
    .or_word(SurfaceRule::WORDS[0])
    .with(&[collision(&["oriented"])]),
    key(
        "surface_velocity",
        K::Vector(3, D::Speed),
        "Velocity of the surface against the body, as of a conveyor belt, in axes of the shape.",
    )
    .or_vector(&[0.0, 0.0, 0.0])
    .with(&[FRICTIONAL]),
];

/// How a shape collides, as keywords of `World.fixed` and `World.body` in Python.
pub static COLLISION: Section =
    Section { title: "a shape", description: "How a shape collides.", groups: &[COLLISION_KEYS] };

/// Limits, spring and damper of a degree of freedom.
pub static DOF_KEYS: &[Key] = &[
    key("lower", K::Coordinate(D::Angle, D::Length), "Lower limit.").within(Range::UNBOUNDED),
    key("upper", K::Coordinate(D::Angle, D::Length), "Upper limit.").within(Range::UNBOUNDED),
    key("restitution", K::Quantity(D::Number), "Speed after against before hitting a limit.")
        .fraction()
        .or_number(0.0),
    key("stiffness", K::Coordinate(D::AngularStiffness, D::Stiffness), "Stiffness of a spring.")
        .not_negative()
        .or_number(0.0),
    key("spring_reference", K::Coordinate(D::Angle, D::Length), "Position where the spring is relaxed.")
        .or_number(0.0),
    key("damping", K::Coordinate(D::AngularDamping, D::Damping), "Damping of a damper.")
        .not_negative()
        .or_number(0.0),
    key(
        "armature",
        K::Coordinate(D::Inertia, D::Mass),
        "Inertia that moves with the joint alone, as a geared rotor's.",
    )
    .not_negative()
    .or_number(0.0),
    key("friction", K::Coordinate(D::Torque, D::Force), "Dry friction of the joint; time stepping only.")
        .not_negative()
        .or_number(0.0),
];

/// What acts on a degree of freedom, as keywords of `World.dof` in Python.
pub static DOF: Section = Section {
    title: "a degree of freedom",
    description: "Limits, spring and damper of a degree of freedom.",
    groups: &[DOF_KEYS],
};

/// `motor` of a joint, and the keywords of `World.set_motor` in Python.
pub static MOTOR: Section = Section {
    title: "bodies.joint.motor",
    description: "What drives a joint with one coordinate: one of effort, speed and position.",
    groups: &[&[
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
            "Velocity gain: effort per velocity error; needed with speed.",
        )
        .not_negative()
        .with(&[motor(&["speed"])]),
        key(
            "stiffness",
            K::Coordinate(D::AngularStiffness, D::Stiffness),
            "Position gain: effort per position error; needed with position.",
        )
        .not_negative()
        .with(&[motor(&["position"])]),
        key("damping", K::Coordinate(D::AngularDamping, D::Damping), "Effort per speed.")
            .not_negative()
            .or_number(0.0)
            .with(&[motor(&["position"])]),
        key("limit", K::Coordinate(D::Torque, D::Force), "Largest effort.")
            .within(Range::NOT_NEGATIVE.up_to(f64::INFINITY))
            .with(&[motor(&["speed", "position"])]),
    ]],
};

/// For motors that hold something.
const fn motor(words: &'static [&'static str]) -> Use {
    Use { selector: "motor", words, given: None }
}

/// Strength and response of a servo.
pub static SERVO_KEYS: &[Key] = &[
    needed("force", K::Quantity(D::Force), "Largest force besides the weight.").positive(),
    needed("torque", K::Quantity(D::Torque), "Largest torque.").positive(),
    key("response", K::Quantity(D::Time), "Time in which a position error is corrected.")
        .positive()
        .or_number(super::SERVO_RESPONSE),
];

/// A servo, as keywords of `World.servo` in Python.
pub static SERVO: Section = Section {
    title: "a servo",
    description: "A compliant servo that carries a free body along a motion.",
    groups: &[SERVO_KEYS],
};

/// Stiffness, damping and length of a spring between two points.
pub static SPRING_KEYS: &[Key] = &[
    key("stiffness", K::Quantity(D::Stiffness), "Force per elongation.").not_negative().or_number(0.0),
    key("damping", K::Quantity(D::Damping), "Force per speed of elongation.").not_negative().or_number(0.0),
    key(
        "length",
        K::Quantity(D::Length),
        "Distance of the points at which it is relaxed; needed with a stiffness.",
    )
    .not_negative(),
];

/// A spring, as keywords of `World.spring` in Python.
pub static SPRING: Section = Section {
    title: "a spring",
    description: "A spring and a damper between two points.",
    groups: &[SPRING_KEYS],
};

/// The zero vector, for what has an axis each.
const NONE_ALONG: &[f64] = &[0.0, 0.0, 0.0];

/// Stiffness and damping of a bushing between two frames.
pub static BUSHING_KEYS: &[Key] = &[
    key(
        "stiffness",
        K::Vector(3, D::Stiffness),
        "Force per displacement along each axis of the first frame.",
    )
    .or_vector(NONE_ALONG),
    key("damping", K::Vector(3, D::Damping), "Force per speed along each axis.").or_vector(NONE_ALONG),
    key(
        "angular_stiffness",
        K::Vector(3, D::AngularStiffness),
        "Torque per component of the rotation vector from the first frame to the second.",
    )
    .or_vector(NONE_ALONG),
    key("angular_damping", K::Vector(3, D::AngularDamping), "Torque per angular velocity about each axis.")
        .or_vector(NONE_ALONG),
];

/// A bushing, as keywords of `World.bushing` in Python.
pub static BUSHING: Section = Section {
    title: "a bushing",
    description: "Springs and dampers between two frames, along and about the axes of the first.",
    groups: &[BUSHING_KEYS],
};

/// How a frame of beams touches and starts.
pub static FRAME_KEYS: &[Key] = &[
    key(
        "contact",
        K::Word(super::FRAME_CONTACTS),
        "What touches: capsules along the elements, spheres at the nodes, or nothing.",
    )
    .or_word("capsules"),
    key("radius", K::Quantity(D::Length), "Radius of what touches.")
        .positive()
        .or_described("that of a rod or tube; other sections need it"),
    key("material", K::Text, "Name of the material of what touches.").or_word(super::DEFAULT_MATERIAL),
    key(
        "settle",
        K::Flag,
        "Whether it starts in the equilibrium under its weight, as if what it is joined to were held.",
    )
    .or(DefaultValue::Flag(false)),
    key(
        "spectral_radius",
        K::Quantity(D::Number),
        "What a step of stepping leaves of a vibration that it does not resolve: 1 for all, which suits small vibrations alone.",
    )
    .within(Range::NOT_NEGATIVE.up_to(1.0))
    .or_number(crate::world::FRAME_SPECTRAL_RADIUS),
];

/// A frame, as keywords of `World.frame` in Python.
pub static FRAME: Section = Section {
    title: "a frame",
    description: "How a frame of flexible beams touches and starts.",
    groups: &[FRAME_KEYS],
};
