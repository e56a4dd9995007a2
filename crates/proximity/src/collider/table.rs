//! Who answers which question about which pair, how exactly, or why not.
//!
//! One row for each unordered pair of kinds and question. The refusals of [`super::gap()`], [`super::contacts_into`] and [`super::first_touch`] are these, the page `docs/colliders.md`
//! prints them ([`markdown`]), and a test asks every cell.

use std::fmt::{self, Write as _};

use super::error::ColliderError;
use super::kind::ColliderKind;

/// What can be asked about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// How far apart they are, signed.
    Gap,
    /// Where they touch or nearly do.
    Contacts,
    /// When they first touch along a motion.
    FirstTouch,
}

impl Question {
    /// Every question, in order.
    pub const ALL: [Self; 3] = [Self::Gap, Self::Contacts, Self::FirstTouch];
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gap => "gap",
            Self::Contacts => "contacts",
            Self::FirstTouch => "first touch",
        })
    }
}

/// How true an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accuracy {
    /// Bounds that hold the exact value, and meet to rounding or to the tolerance of curved shapes.
    Certified,
    /// Bounds that hold the exact value; in overlap they may stay apart.
    CertifiedApart,
    /// Right for overlaps that are small against the parts of the bodies.
    Local,
    /// As true as those of the pieces.
    Pieces,
    /// Stable under small rotations: minima of the distance up to the angular tolerance.
    Quasi,
    /// Exact for the surfaces that the history of the pair names.
    History,
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certified => "certified",
            Self::CertifiedApart => "certified apart, a bound in overlap",
            Self::Local => "exact apart, local depth in overlap",
            Self::Pieces => "as those of the pieces",
            Self::Quasi => "exact apart, up to the angular tolerance",
            Self::History => "exact, with the history of the pair",
        })
    }
}

/// What becomes of a question about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// It is answered.
    Answered {
        /// By which algorithm.
        algorithm: &'static str,
        /// How exactly.
        accuracy: Accuracy,
    },
    /// It is refused.
    Refused {
        /// Why, and what to ask instead.
        reason: &'static str,
    },
}

const BOTH_UNBOUNDED: Cell = Cell::Refused { reason: "one of the two must be bounded" };
const TWO_TERRAINS: Cell = Cell::Refused {
    reason: "a height field meets bounded bodies: half-spaces and other height fields are terrain themselves",
};
const MAKE_ORIENTED: Cell = Cell::Refused { reason: "make the other one an oriented shape too" };
const ORIENTED_MOTION: Cell = Cell::Refused {
    reason: "corners first touch where their history says; ask about the shapes that they belong to",
};
/// Why a pair that is answered with its history has no answer without.
pub(super) const NO_HISTORY: &str =
    "which surface a corner came in through depends on the history of the pair; begin one, and ask with it";
const MAKE_COMPLEX: Cell = Cell::Refused {
    reason: "make the other one a complex too, or ask about the shape that the complex was made of",
};
const COMPLEX_MOTION: Cell = Cell::Refused {
    reason: "quasi-LMDs have no first touch; ask about the shape that the complex was made of",
};
const OPEN_MESH: Cell = Cell::Refused {
    reason: "a mesh with holes or with triangles that face inward has no inside and outside; close it, or take its hull or a complex of it",
};

/// Returns what becomes of a question about two kinds, in either order.
pub fn cell(a: ColliderKind, b: ColliderKind, question: Question) -> Cell {
    use ColliderKind as K;
    let answered = |algorithm, accuracy| Cell::Answered { algorithm, accuracy };
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    match (a, b, question) {
        (K::HalfSpace, K::HalfSpace, _) => BOTH_UNBOUNDED,
        (K::HalfSpace | K::HeightField, K::HeightField, _) => TWO_TERRAINS,

        (K::Oriented, K::Oriented, Question::Gap) => answered("that of the shapes", Accuracy::Certified),
        (K::Oriented, K::Oriented, Question::Contacts) => {
            answered("corners against the surfaces that they came in through", Accuracy::History)
        }
        (K::Oriented, K::Oriented, Question::FirstTouch) => ORIENTED_MOTION,
        (_, K::Oriented, _) => MAKE_ORIENTED,

        (_, K::Complex, Question::FirstTouch) => COMPLEX_MOTION,
        (K::Complex | K::HalfSpace, K::Complex, _) => answered("quasi-LMDs", Accuracy::Quasi),
        (_, K::Complex, _) => MAKE_COMPLEX,

        (K::OpenMesh, _, Question::Contacts) | (_, K::OpenMesh, Question::Contacts) => OPEN_MESH,
        (_, K::HeightField, Question::Gap) => {
            answered("that of the patch below it, a closed mesh", Accuracy::CertifiedApart)
        }
        (_, K::HeightField, Question::Contacts) => {
            answered("those of the patch below it, a closed mesh", Accuracy::Local)
        }
        (_, K::HeightField, Question::FirstTouch) => {
            answered("that of the patch along the motion, a closed mesh", Accuracy::Certified)
        }
        (K::Compound, _, Question::FirstTouch) | (_, K::Compound, Question::FirstTouch) => {
            answered("the first of all pairs of pieces", Accuracy::Pieces)
        }
        (K::Compound, _, Question::Gap) | (_, K::Compound, Question::Gap) => {
            answered("the least of all pairs of pieces", Accuracy::CertifiedApart)
        }
        (K::Compound, _, Question::Contacts) | (_, K::Compound, Question::Contacts) => {
            answered("those of all pairs of pieces", Accuracy::Pieces)
        }

        (K::HalfSpace, K::Mesh | K::OpenMesh, Question::Gap) => {
            answered("deepest vertex by the hierarchy", Accuracy::Certified)
        }
        (_, K::Mesh | K::OpenMesh, Question::Gap) => {
            answered("branch and bound over hierarchies", Accuracy::CertifiedApart)
        }
        (_, K::Mesh, Question::Contacts) => {
            answered("local minima of the distance, local depths", Accuracy::Local)
        }
        (_, K::Mesh | K::OpenMesh, Question::FirstTouch) => {
            answered("conservative advancement over hierarchies", Accuracy::Certified)
        }

        (K::Convex, K::HalfSpace, Question::Gap) => answered("support point", Accuracy::Certified),
        (_, _, Question::Gap) => {
            answered("separating axes, closed forms or GJK and EPA", Accuracy::Certified)
        }
        (_, _, Question::Contacts) => answered("overlay of the facing features", Accuracy::Certified),
        (_, _, Question::FirstTouch) => answered("conservative advancement", Accuracy::Certified),
    }
}

/// Returns why a kind has no answer to a question whatever its partner is; none where there is a partner with which it has one.
pub fn refused_by_all(kind: ColliderKind, question: Question) -> Option<&'static str> {
    let cells = ColliderKind::ALL.map(|other| (other, cell(kind, other, question)));
    let is_answered = |(_, cell): &(ColliderKind, Cell)| matches!(cell, Cell::Answered { .. });
    if cells.iter().any(is_answered) {
        return None;
    }
    // What it lacks itself, not what a partner lacks.
    cells.iter().find_map(|(other, cell)| match cell {
        Cell::Refused { reason } if *other == kind => Some(*reason),
        _ => None,
    })
}

/// Returns the refusal of a question about two kinds; none where it is answered.
pub fn refusal(a: ColliderKind, b: ColliderKind, question: Question) -> Option<ColliderError> {
    match cell(a, b, question) {
        Cell::Answered { .. } => None,
        Cell::Refused { reason } => Some(ColliderError::Refused { question, a, b, reason }),
    }
}

/// Returns the table as a page shows it: one row for each pair of kinds that is asked about, and the reasons of the refusals below.
pub fn markdown() -> String {
    let mut reasons: Vec<&str> = Vec::new();
    let mut page = String::from("| pair | gap | contacts | first touch |\n|---|---|---|---|\n");
    for (index, &a) in ColliderKind::ALL.iter().enumerate() {
        for &b in &ColliderKind::ALL[index..] {
            let [gap, contacts, touch] = Question::ALL.map(|question| match cell(a, b, question) {
                Cell::Answered { algorithm, accuracy } => format!("{algorithm}; {accuracy}"),
                Cell::Refused { reason } => {
                    let known = reasons.iter().position(|one| *one == reason);
                    let number = known.unwrap_or_else(|| {
                        reasons.push(reason);
                        reasons.len() - 1
                    });
                    format!("refused ({})", number + 1)
                }
            });
            let _ = writeln!(page, "| {a}, {b} | {gap} | {contacts} | {touch} |");
        }
    }
    page.push_str("\nRefusals:\n\n");
    for (number, reason) in (1..).zip(reasons) {
        let _ = writeln!(page, "{number}. {reason}");
    }
    page
}
