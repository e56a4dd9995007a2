//! The trials of each cell, and their expected results: closed forms, statics and balances.

use super::Cell;
use super::arrangement::{
    FRICTION, RESTITUTION, SLOPE, SPEED, approaching, crowned, dropped, dropped_to_rest, fallen, pressed,
    rolling, standing, thrown, wedged,
};
use super::measured::{
    changed_bits, fastest, floor_force_error, gain, momentum_error, place, restitution, rolling_speed,
    run_to, way_through,
};
use super::method_and_law::Lack;
use super::trial::Trial;
use crate::Required;
use crate::worlds::G;

/// Speed below which a body is at rest [m/s].
const REST: f64 = 1e-6;

fn has_losses(cell: &Cell) -> bool {
    cell.method_and_law.has(Lack::Losses)
}

/// Whether friction brings a body to rest.
fn brakes(cell: &Cell) -> bool {
    has_losses(cell) && cell.method_and_law.has(Lack::Friction)
}

fn at_rest(_: &Cell) -> Required {
    Required::AtMost { at_most: REST }
}

/// Sets bodies down one on another and returns how fast they are after a second.
const fn stack(word: &'static str, name: &'static str) -> Trial {
    Trial {
        word,
        name,
        unit: "m/s",
        applies: |cell| cell.collider.has_flat_top && has_losses(cell),
        required: at_rest,
        build: |cell| standing(cell, 2, 0.0, 0.0),
        measure: |world| Ok(run_to(world, 1.0)?.then(|| fastest(world))),
    }
}

/// All trials.
pub(super) static TRIALS: [Trial; 15] = [
    Trial {
        word: "rest",
        name: "rest: speed after 1 s on the ground",
        unit: "m/s",
        applies: has_losses,
        required: at_rest,
        build: |cell| standing(cell, 1, 0.0, 0.0),
        measure: |world| Ok(run_to(world, 1.0)?.then(|| fastest(world))),
    },
    Trial {
        word: "drop",
        name: "drop: speed 2.5 s after the fall of a tilted body",
        unit: "m/s",
        applies: brakes,
        required: at_rest,
        build: dropped_to_rest,
        measure: |world| Ok(run_to(world, 2.5)?.then(|| fastest(world))),
    },
    Trial {
        word: "slide",
        name: "slide: distance to the stop from 1 m/s",
        unit: "m",
        applies: |cell| !cell.collider.is_ball && brakes(cell),
        required: |_| Required::Near { expected: SPEED * SPEED / (2.0 * FRICTION * G), tolerance: 2e-3 },
        build: |cell| standing(cell, 1, SPEED, 0.0),
        measure: |world| {
            let start = place(world);
            Ok(run_to(world, 0.5)?.then(|| (place(world) - start).norm()))
        },
    },
    Trial {
        word: "stick",
        name: "stick: creep down a slope of 15 degrees",
        unit: "m/s",
        applies: |cell| !cell.collider.is_ball && has_losses(cell) && cell.method_and_law.has(Lack::Sticking),
        required: |_| Required::AtMost { at_most: 1e-9 },
        build: |cell| standing(cell, 1, 0.0, SLOPE),
        measure: |world| {
            if !run_to(world, 1.0)? {
                return Ok(None);
            }
            let start = place(world);
            Ok(run_to(world, 1.5)?.then(|| (place(world) - start).norm() / 0.5))
        },
    },
    Trial {
        word: "bounce",
        name: "bounce: restitution from the height reached",
        unit: "",
        applies: |cell| cell.method_and_law.has(Lack::Restitution),
        required: |cell| {
            let tolerance = if cell.method_and_law.is_elastic() { 0.05 } else { 0.01 };
            Required::Near { expected: RESTITUTION, tolerance }
        },
        build: fallen,
        measure: restitution,
    },
    Trial {
        word: "roll",
        name: "roll: speed of what slid until it rolled, against that by its angular momentum",
        unit: "",
        applies: |cell| cell.collider.rolls && cell.method_and_law.has(Lack::Friction),
        required: |_| Required::Near { expected: 1.0, tolerance: 1e-2 },
        build: rolling,
        measure: rolling_speed,
    },
    stack("stack", "stack of two: speed after 1 s"),
    Trial {
        build: |cell| standing(cell, 3, 0.0, 0.0),
        ..stack("stack of three", "stack of three: speed after 1 s")
    },
    Trial { build: crowned, ..stack("round", "round: speed after 1 s under a cylinder") },
    Trial {
        word: "press",
        name: "press: error of the floor's force under a plate that presses with 2 kN",
        unit: "",
        applies: has_losses,
        required: |_| Required::AtMost { at_most: 1e-4 },
        build: pressed,
        measure: floor_force_error,
    },
    Trial {
        word: "wedge",
        name: "wedge: speed 6 s after the fall into a groove",
        unit: "m/s",
        applies: |cell| brakes(cell) && cell.method_and_law.has(Lack::Sticking),
        required: at_rest,
        build: wedged,
        measure: |world| Ok(run_to(world, 6.0)?.then(|| fastest(world))),
    },
    Trial {
        word: "plate",
        name: "thin plate: how far a body that is thrown at it comes through",
        unit: "m",
        applies: |_| true,
        required: |_| Required::AtMost { at_most: 0.0 },
        build: thrown,
        measure: way_through,
    },
    Trial {
        word: "energy",
        name: "energy: most gained in a tumble, against the height fallen",
        unit: "",
        applies: |_| true,
        required: |_| Required::AtMost { at_most: 1e-4 },
        build: |cell| dropped(cell, 0.0),
        measure: gain,
    },
    Trial {
        word: "momentum",
        name: "momentum: change of linear and angular momentum in a collision",
        unit: "",
        applies: |_| true,
        required: |cell| Required::AtMost { at_most: cell.method_and_law.momentum_error },
        build: approaching,
        measure: momentum_error,
    },
    Trial {
        word: "threads",
        name: "threads: whether one and three give different bits",
        unit: "",
        applies: |_| true,
        required: |_| Required::AtMost { at_most: 0.0 },
        build: approaching,
        measure: changed_bits,
    },
];
