//! Reference runs of the program `Modia3D`: its contact law against its results, and the results of the default law for the same scenes.

use zerogap_contact::law::NormalLaw;

use super::super::case::Case;
use super::super::sheet::Sheet;
use super::super::worlds::{Scene, bouncing_ellipsoid, bouncing_sphere, newtons_cradle};
use zerogap_simulation::world::WorldError;

pub(super) const BOUNCING_SPHERE: Case = Case {
    description: "Modia3D BouncingSphere, t = 2.2 s: required is what an independent integration of its law gave",
    run: bouncing_sphere_rows,
};

pub(super) const NEWTONS_CRADLE: Case = Case {
    description: "Modia3D NewtonsCradle, t = 5 s: required is what Modia3D gave",
    run: newtons_cradle_rows,
};

pub(super) const BOUNCING_ELLIPSOID: Case = Case {
    description: "Modia3D BouncingEllipsoidOnSphere, t = 2 s: required is what Modia3D gave",
    run: bouncing_ellipsoid_rows,
};

/// A quantity of a run: name, unit, requirement with `Modia3D`'s law, and the value of `Modia3D`.
struct Quantity {
    name: &'static str,
    unit: &'static str,
    required: Option<(f64, f64)>,
    published: f64,
    value: fn(&Scene) -> f64,
}

/// Runs a scene with both laws; only `Modia3D`'s is judged.
fn compare(
    sheet: &mut Sheet,
    until: f64,
    scene: fn(NormalLaw) -> Result<Scene, WorldError>,
    quantities: &[Quantity],
) -> Result<(), WorldError> {
    for (law, of) in [(NormalLaw::Modia3d, "Modia3D's law"), (NormalLaw::default(), "default law")] {
        let mut scene = scene(law)?;
        scene.world.advance_to(until)?;
        for quantity in quantities {
            let (name, value) = (format!("{}, {of}", quantity.name), (quantity.value)(&scene));
            match quantity.required.filter(|_| law == NormalLaw::Modia3d) {
                Some(required) => sheet.near(&name, quantity.unit, value, required),
                None => sheet.reported(&name, quantity.unit, value),
            }
            if law == NormalLaw::Modia3d {
                sheet.published(&[("Modia3D", quantity.published)]);
            }
        }
    }
    Ok(())
}

fn bouncing_sphere_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let quantities = [
        Quantity {
            name: "velocity",
            unit: "m/s",
            required: Some((-0.441_811_9, 2e-5)),
            published: -0.441_798_3,
            value: |scene| scene.world.velocities()[0],
        },
        Quantity {
            name: "gap",
            unit: "m",
            required: Some((3.862_68e-4, 1e-6)),
            published: 3.869_218e-4,
            value: |scene| scene.world.positions()[0],
        },
    ];
    compare(sheet, 2.2, bouncing_sphere, &quantities)
}

fn newtons_cradle_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let quantity = |name, unit, published, value| Quantity {
        name,
        unit,
        required: Some((published, 1e-3)),
        published,
        value,
    };
    let quantities = [
        quantity("angular velocity of ball 1", "rad/s", -1.180_79, |scene| scene.world.velocities()[0]),
        quantity("angle of ball 1", "rad", -1.033_93, |scene| scene.world.positions()[0]),
        quantity("angular velocity of ball 5", "rad/s", 0.049_875_6, |scene| scene.world.velocities()[4]),
        quantity("angle of ball 5", "rad", 0.018_481_5, |scene| scene.world.positions()[4]),
    ];
    compare(sheet, 5.0, newtons_cradle, &quantities)
}

fn bouncing_ellipsoid_rows(sheet: &mut Sheet) -> Result<(), WorldError> {
    let judged = |name, published, value| Quantity {
        name,
        unit: "m",
        required: Some((published, 1e-3)),
        published,
        value,
    };
    let reported = |name, unit, published, value| Quantity { name, unit, required: None, published, value };
    let quantities = [
        judged("x", 1.869_998_9, |scene| scene.place(0).x),
        judged("y", -5.222_327_8, |scene| scene.place(0).y),
        judged("z", -0.615_434_4, |scene| scene.place(0).z),
        reported("velocity along x", "m/s", 1.361_643_5, |scene| scene.velocity(0).x),
        reported("velocity along y", "m/s", -10.681_396_5, |scene| scene.velocity(0).y),
        reported("velocity along z", "m/s", -0.334_848_9, |scene| scene.velocity(0).z),
        reported("angular velocity about x", "rad/s", 10.930_247_1, |scene| scene.spin(0).x),
        reported("angular velocity about y", "rad/s", -5.829_926_5, |scene| scene.spin(0).y),
        reported("angular velocity about z", "rad/s", -7.212_001_3, |scene| scene.spin(0).z),
    ];
    compare(sheet, 2.0, bouncing_ellipsoid, &quantities)
}
