//! `[landing]` and the tables in it: the settings of a landing.

use zerogap_core::units::Dimension as D;

use super::keys::MOTION;
use zerogap_simulation::settings::{Kind as K, Section, key, needed};

/// Diameter of the tubes of a gear, where a scene does not say [m].
pub(super) const DIAMETER: f64 = 0.08;

/// Thickness of their wall [m].
pub(super) const WALL: f64 = 0.01;

/// Time in which a pull grows, where a scene does not say [s].
pub(super) const RAMP: f64 = 0.5;

/// `[landing]`.
pub static LANDING: Section = Section {
    title: "[landing]",
    description: "A helicopter with skids that lands on a deck, in place of bodies; everything moves in the plane of y (across the ship) and z (up). [world] gives gravity, method, integrator, rtol, atol and max_step.",
    groups: &[&[
        needed("deck", K::Table(&DECK), "The deck."),
        key("craft", K::Table(&CRAFT), "The aircraft.").or_described("a light helicopter of 1.5 t"),
        key("start", K::Table(&START), "Where it starts."),
        key("lift", K::Table(&LIFT), "What its rotor carries."),
        key("contact", K::Table(&CONTACT), "Contact of skids and deck."),
        key("ties", K::Tables(&TIE), "Ropes that are made fast at a given time."),
        key("pull", K::Table(&PULL), "A pull along the deck."),
    ]],
};

/// `deck` of a landing.
pub static DECK: Section = Section {
    title: "landing.deck",
    description: "A plate; its upper side is at its position, and hits from any side count.",
    groups: &[&[
        needed("width", K::Quantity(D::Length), "Width across the ship.").positive(),
        needed("thickness", K::Quantity(D::Length), "Thickness.").positive(),
        key(
            "motion",
            K::Table(&MOTION),
            "Motion of the middle of its upper side; only y, z and the rotation about x are used.",
        )
        .or_described("at rest"),
    ]],
};

/// `craft` of a landing.
pub static CRAFT: Section = Section {
    title: "landing.craft",
    description: "A rigid body on a gear of five tubes between six nodes. The third and fourth node are bolted to the body; the first and last, the skids, can hit the deck.",
    groups: &[&[
        key("mass", K::Quantity(D::Mass), "Mass of the body without its gear.").positive().or_number(1500.0),
        key("inertia", K::Quantity(D::Inertia), "Moment of inertia of the body about its roll axis.")
            .positive()
            .or_number(900.0),
        key(
            "across",
            K::Vector(6, D::Length),
            "Where the nodes are along y, from the body's centre of mass.",
        ),
        key("up", K::Vector(6, D::Length), "Where the nodes are along z."),
        key("diameter", K::Quantity(D::Length), "Diameter of the tubes.").positive().or_number(DIAMETER),
        key("wall", K::Quantity(D::Length), "Wall thickness of the tubes.").positive().or_number(WALL),
        key("young_modulus", K::Quantity(D::Pressure), "Young's modulus of the tubes.")
            .positive()
            .or_number(7.1e10),
        key("density", K::Quantity(D::Density), "Density of the tubes.").positive().or_number(2800.0),
        key("skid_mass", K::Quantity(D::Mass), "Mass of each skid, at its node.")
            .not_negative()
            .or_number(18.0),
        key(
            "damping_by_mass",
            K::Quantity(D::Frequency),
            "Rayleigh damping of the gear by mass, against the body.",
        )
        .not_negative()
        .or_number(0.0),
        key("damping_by_stiffness", K::Quantity(D::Time), "Rayleigh damping of the gear by stiffness.")
            .not_negative()
            .or_number(1e-3),
    ]],
};

/// `start` of a landing.
pub static START: Section = Section {
    title: "landing.start",
    description: "Where the body is at time zero and how it moves.",
    groups: &[&[
        key("position", K::Vector(2, D::Length), "Its centre of mass, along y and z.").or_vector(&[0.0, 3.6]),
        key("roll", K::Quantity(D::Angle), "Its roll.").or_number(0.0),
        key("velocity", K::Vector(2, D::Speed), "Its velocity along y and z.").or_vector(&[0.0, -1.0]),
        key("roll_rate", K::Quantity(D::AngularSpeed), "Its roll rate.").or_number(0.0),
    ]],
};

/// `lift` of a landing.
pub static LIFT: Section = Section {
    title: "landing.lift",
    description: "A force upward on the body, until a skid touches; then it fades.",
    groups: &[&[
        key("fraction", K::Quantity(D::Number), "Fraction of the weight.").not_negative().or_number(1.0),
        key("fade", K::Quantity(D::Time), "Time from the first touch until it is zero.")
            .positive()
            .or_number(1.5),
    ]],
};

/// `contact` of a landing.
pub static CONTACT: Section = Section {
    title: "landing.contact",
    description: "Springs and dampers along the normal of the surface that was hit and along it; never pulls.",
    groups: &[&[
        key("stiffness", K::Quantity(D::Stiffness), "Stiffness along the normal.").positive().or_number(2e6),
        key("damping", K::Quantity(D::Damping), "Damping along the normal.").not_negative().or_number(1e4),
        key("friction", K::Quantity(D::Number), "Coefficient of sliding friction.")
            .not_negative()
            .or_number(0.6),
        key(
            "static_friction",
            K::Quantity(D::Number),
            "Coefficient of friction before sliding starts, not below friction.",
        )
        .not_negative()
        .or_described("as friction where that is given, else 0.7"),
        key("grip_stiffness", K::Quantity(D::Stiffness), "Stiffness along the surface, while sticking.")
            .positive()
            .or_number(1e6),
        key("grip_damping", K::Quantity(D::Damping), "Damping along the surface, while sticking.")
            .not_negative()
            .or_number(5e3),
    ]],
};

/// `ties` of a landing.
pub static TIE: Section = Section {
    title: "landing.ties",
    description: "A rope between body and deck: it pulls and never pushes.",
    groups: &[&[
        needed("at", K::Quantity(D::Time), "When it is made fast.").not_negative(),
        needed("body", K::Vector(2, D::Length), "Where on the body, along y and z from its centre of mass."),
        needed(
            "deck",
            K::Vector(2, D::Length),
            "Where on the deck, along y and z from the middle of its upper side.",
        ),
        needed("stiffness", K::Quantity(D::Stiffness), "Stiffness of the rope.").positive(),
        key("damping", K::Quantity(D::Damping), "Damping of the rope.").not_negative().or_number(0.0),
        key("tension", K::Quantity(D::Force), "Force with which it pulls when it is made fast.")
            .not_negative()
            .or_number(0.0),
    ]],
};

/// `pull` of a landing.
pub static PULL: Section = Section {
    title: "landing.pull",
    description: "A force on the body along the deck, as of a winch.",
    groups: &[&[
        needed("from", K::Quantity(D::Time), "When it begins.").not_negative(),
        needed("until", K::Quantity(D::Time), "When it ends.").positive(),
        needed("force", K::Quantity(D::Force), "Its size, positive to +y of the deck."),
        key("ramp", K::Quantity(D::Time), "Time in which it rises, and in which it falls again.")
            .positive()
            .or_number(RAMP),
        key("body", K::Vector(2, D::Length), "Where on the body, along y and z from its centre of mass.")
            .or_vector(&[0.0, 0.0]),
    ]],
};
