//! What crowds events, or used to: dominoes, cylinders on their rim and on their side, and impacts that accumulate within captured intervals.

use zerogap_core::math::{asin, cos, sin};

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{
    BLOCK, DOMINO, G, TippingCylinder, dominoes, incline, low_ball, rocking_block, rolling_cylinder,
    tipping_cylinder,
};
use super::impacts::last_impact;
use zerogap_simulation::world::{EventKind, WorldError};

pub(super) const DOMINOES: Case = Case {
    description: "three dominoes, rigid: 20 mm x 100 mm x 200 mm, 100 mm from one to the next, friction 0.4, restitution 0, the first turns about its edge with 1.5 rad/s",
    run: domino_rows,
};

pub(super) const CYLINDERS: Case = Case {
    description: "solid cylinder, rigid: rolls down an incline on its side, and tips over from its rim onto its side",
    run: cylinder_rows,
};

pub(super) const CAPTURED: Case = Case {
    description: "crowded impacts, rigid, rtol 1e-3: a ball at restitution 0.99, and a block that rocks to rest at restitution 0.3",
    run: captured_rows,
};

/// Panels of Simpson's rule for times of motion [-]: its error is some 1e-13 of them.
const PANELS: usize = 2000;

/// Time in which a body turns about an edge at rest, from an angle to another [s]; `rate` is its angular velocity at an angle.
fn turning_time(from: f64, to: f64, rate: impl Fn(f64) -> f64) -> f64 {
    let width = (to - from) / (2 * PANELS) as f64;
    let weight = |k: usize| match k {
        0 => 1.0,
        k if k == 2 * PANELS => 1.0,
        k if k % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=2 * PANELS).map(|k| weight(k) / rate(from + width * k as f64)).sum::<f64>() * width / 3.0
}

/// When the first domino hits the next [s].
pub(super) fn first_hit() -> f64 {
    let (thickness, height) = (DOMINO.size.x, DOMINO.size.z);
    let end = asin((DOMINO.spacing - thickness) / height);
    // About the edge: m (a² + b²) / 3; the centre rises first and falls then.
    let inertia = (thickness * thickness + height * height) / 3.0;
    let lift = |angle: f64| 0.5 * (height * (cos(angle) - 1.0) + thickness * sin(angle));
    turning_time(0.0, end, |angle| (DOMINO.rate * DOMINO.rate - 2.0 * G * lift(angle) / inertia).sqrt())
}

/// When a cylinder that tips about its rim comes to lie on its side [s].
pub(super) fn lies_flat(cylinder: TippingCylinder) -> f64 {
    let TippingCylinder { radius, length, tilt, rate } = cylinder;
    let inertia = 0.25 * radius * radius + length * length / 12.0 + radius * radius + 0.25 * length * length;
    let height = |angle: f64| 0.5 * length * cos(angle) + radius * sin(angle);
    let fallen = |angle: f64| height(tilt) - height(angle);
    turning_time(tilt, 0.5 * std::f64::consts::PI, |angle| {
        (rate * rate + 2.0 * G * fallen(angle) / inertia).sqrt()
    })
}

fn domino_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const COUNT: usize = 3;
    let mut scene = dominoes(COUNT)?;
    let start = scene.world.energy().total();
    scene.world.advance_to(2.0)?;
    let hit = scene.world.events().iter().find(|event| {
        let between = |pair: zerogap_simulation::world::PairId| {
            scene.world.body_of(pair.a).is_some() && scene.world.body_of(pair.b).is_some()
        };
        matches!(event.what, EventKind::ContactBegin { pair, .. } if between(pair))
    });
    sheet.near("the first hits the second", "s", hit.map_or(f64::NAN, |event| event.t), (first_hit(), 1e-7));
    let aside = (0..COUNT).map(|k| scene.place(k).y.abs()).fold(0.0, f64::max);
    sheet.reported("farthest that one has moved to the side at 2 s", "m", aside);
    let upright = (0..COUNT).map(|k| scene.axis(k).z).fold(f64::NEG_INFINITY, f64::max);
    sheet.at_most("largest cosine of an inclination at 2 s", "", upright, 0.6);
    sheet.at_most("energy gained", "J", scene.world.energy().total() - start, 0.0);
    Ok(())
}

fn cylinder_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const TIME: f64 = 2.0;
    for tangent in [0.1, 0.5] {
        let mut scene = rolling_cylinder(tangent)?;
        scene.world.advance_to(TIME)?;
        // The moment of inertia about the line of contact is 3/2 m r².
        let acceleration = 2.0 / 3.0 * G * incline(tangent).0;
        let name = format!("way at {TIME} s, tangent {tangent}");
        sheet.near(&name, "m", scene.place(0).x, (0.5 * acceleration * TIME * TIME, 1e-8));
    }
    let cylinder = TippingCylinder { radius: 0.05, length: 0.3, tilt: 0.5, rate: 0.5 };
    let mut scene = tipping_cylinder(cylinder)?;
    scene.world.advance_to(TIME)?;
    let flat = scene.world.events().iter().find(|event| matches!(event.what, EventKind::Impact { .. }));
    let flat = flat.map_or(f64::NAN, |event| event.t);
    sheet.near("lies on its side", "s", flat, (lies_flat(cylinder), 1e-7));
    sheet.near("height of the centre at 2 s", "m", scene.place(0).z, (cylinder.radius, 1e-9));
    Ok(())
}

fn captured_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    const GAP: f64 = 2e-4;
    const E: f64 = 0.99;
    let mut scene = low_ball(GAP, E)?;
    let resting = scene.place(0).z - GAP;
    scene.world.advance_to(last_impact(GAP, E) + 0.5)?;
    sheet.reported("ball: captured intervals", "", scene.world.info().captured as f64);
    sheet.near("ball: gap 0.5 s after its last impact", "m", scene.place(0).z - resting, (0.0, 1e-12));
    sheet.near("ball: velocity then", "m/s", scene.velocity(0).norm(), (0.0, 1e-12));

    let mut scene = rocking_block()?;
    scene.world.advance_to(3.0)?;
    sheet.reported("block: captured intervals", "", scene.world.info().captured as f64);
    sheet.near("block: height of its centre at 3 s", "m", scene.place(0).z, (0.5 * BLOCK.z, 1e-12));
    sheet.near("block: inclination at 3 s", "rad", scene.axis(0).xy().norm(), (0.0, 1e-12));
    sheet.near("block: velocity at 3 s", "m/s", scene.velocity(0).norm(), (0.0, 1e-12));
    sheet.near("block: angular velocity at 3 s", "rad/s", scene.spin(0).norm(), (0.0, 1e-12));
    Ok(())
}
