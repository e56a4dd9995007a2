//! `[landing]` and the tables in it: what a landing may be told.

use zerogap_core::units::Dimension as D;

use super::keys::{Kind as K, MOTION, Section, key, needed};

/// `[landing]`.
pub static LANDING: Section = Section {
    title: "[landing]",
    description: "A helicopter with skids that lands on a deck, in place of bodies; everything moves in the plane of y (across the ship) and z (up). [world] gives gravity, method, rtol, atol and max_step.",
    keys: &[
        needed("deck", K::Table(&DECK), "The deck."),
        key("craft", K::Table(&CRAFT), "The aircraft; a light helicopter of 1.5 t."),
        key("start", K::Table(&START), "Where it starts."),
        key("lift", K::Table(&LIFT), "What its rotor carries."),
        key("contact", K::Table(&CONTACT), "What happens between skids and deck."),
        key("ties", K::Tables(&TIE), "Ropes that are made fast at a given time."),
        key("pull", K::Table(&PULL), "A pull along the deck."),
    ],
};

/// `deck` of a landing.
pub static DECK: Section = Section {
    title: "landing.deck",
    description: "A plate; its upper side is at its position, and hits from any side count.",
    keys: &[
        needed("width", K::Quantity(D::Length), "Across the ship."),
        needed("thickness", K::Quantity(D::Length), "How thick it is."),
        key(
            "motion",
            K::Table(&MOTION),
            "How the middle of its upper side moves; of it y, z and the turn about x count. Without it, it stands still.",
        ),
    ],
};

/// `craft` of a landing.
pub static CRAFT: Section = Section {
    title: "landing.craft",
    description: "A rigid body on a gear of five tubes between six nodes. The third and fourth node are bolted to the body; the first and last, the skids, can hit the deck.",
    keys: &[
        key("mass", K::Quantity(D::Mass), "Of the body without its gear; 1500 kg."),
        key("inertia", K::Quantity(D::Inertia), "Of the body about its roll axis; 900 kg m^2."),
        key(
            "across",
            K::Vector(6, D::Length),
            "Where the nodes are along y, from the body's centre of mass.",
        ),
        key("up", K::Vector(6, D::Length), "Where the nodes are along z."),
        key("diameter", K::Quantity(D::Length), "Of the tubes; 80 mm."),
        key("wall", K::Quantity(D::Length), "Of the tubes; 10 mm."),
        key("young_modulus", K::Quantity(D::Pressure), "Of the tubes; 71 GPa."),
        key("density", K::Quantity(D::Density), "Of the tubes; 2800 kg/m^3."),
        key("skid_mass", K::Quantity(D::Mass), "Of each skid, at its node; 18 kg."),
        key("damping_by_mass", K::Quantity(D::Frequency), "Of the gear against the body, Rayleigh's; 0."),
        key("damping_by_stiffness", K::Quantity(D::Time), "Of the gear, Rayleigh's; 1 ms."),
    ],
};

/// `start` of a landing.
pub static START: Section = Section {
    title: "landing.start",
    description: "Where the body is at time zero and how it moves.",
    keys: &[
        key("position", K::Vector(2, D::Length), "Its centre of mass, along y and z; [0, 3.6]."),
        key("roll", K::Quantity(D::Angle), "Its roll; 0."),
        key("velocity", K::Vector(2, D::Speed), "Along y and z; [0, -1]."),
        key("roll_rate", K::Quantity(D::AngularSpeed), "How fast it rolls; 0."),
    ],
};

/// `lift` of a landing.
pub static LIFT: Section = Section {
    title: "landing.lift",
    description: "A force upward on the body, until a skid touches; then it fades.",
    keys: &[
        key("share", K::Quantity(D::Number), "Of the weight; 1."),
        key("fade", K::Quantity(D::Time), "Time from the first touch until it is gone; 1.5 s."),
    ],
};

/// `contact` of a landing.
pub static CONTACT: Section = Section {
    title: "landing.contact",
    description: "Springs and dampers along the normal of the surface that was hit and along it; never pulls.",
    keys: &[
        key("stiffness", K::Quantity(D::Stiffness), "Along the normal; 2e6 N/m."),
        key("damping", K::Quantity(D::Damping), "Along the normal; 1e4 N s/m."),
        key("friction", K::Quantity(D::Number), "Coefficient of sliding friction; 0.6."),
        key(
            "static_friction",
            K::Quantity(D::Number),
            "Before sliding starts, not below friction; the same where friction is given, else 0.7.",
        ),
        key("grip_stiffness", K::Quantity(D::Stiffness), "Along the surface, while sticking; 1e6 N/m."),
        key("grip_damping", K::Quantity(D::Damping), "Along the surface, while sticking; 5e3 N s/m."),
    ],
};

/// `ties` of a landing.
pub static TIE: Section = Section {
    title: "landing.ties",
    description: "A rope between body and deck: it pulls and never pushes.",
    keys: &[
        needed("at", K::Quantity(D::Time), "When it is made fast."),
        needed("body", K::Vector(2, D::Length), "Where on the body, along y and z from its centre of mass."),
        needed(
            "deck",
            K::Vector(2, D::Length),
            "Where on the deck, along y and z from the middle of its upper side.",
        ),
        needed("stiffness", K::Quantity(D::Stiffness), "Of the rope."),
        key("damping", K::Quantity(D::Damping), "Of the rope; 0."),
        key("tension", K::Quantity(D::Force), "How hard it pulls when it is made fast; 0."),
    ],
};

/// `pull` of a landing.
pub static PULL: Section = Section {
    title: "landing.pull",
    description: "A force on the body along the deck, as of a winch.",
    keys: &[
        needed("from", K::Quantity(D::Time), "When it begins."),
        needed("until", K::Quantity(D::Time), "When it ends."),
        needed("force", K::Quantity(D::Force), "Its size, positive to +y of the deck."),
        key("ramp", K::Quantity(D::Time), "Time in which it grows, and in which it goes again; 0.5 s."),
        key(
            "body",
            K::Vector(2, D::Length),
            "Where on the body, along y and z from its centre of mass; [0, 0].",
        ),
    ],
};
