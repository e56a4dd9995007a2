//! Conforming contact is calm.

use zerogap::geometry::TriangleMesh;
use zerogap::geometry::parts::{Cuboid, Gear, LPrism};
use zerogap::{Shape, Vec3};
use zerogap_testkit::count;

use super::{TOLERANCE, at, body, by_steps, quasi};

/// A cube, an L and a gear, each with its height.
fn parts() -> Vec<(&'static str, TriangleMesh)> {
    let cube = Cuboid { width: 0.1, depth: 0.1, height: 0.1 }.generate().unwrap();
    let prism = LPrism::default();
    vec![("cube", cube), ("L", prism.generate().unwrap()), ("gear", Gear::default().generate().unwrap())]
}

#[test]
fn parts_that_lie_flat_keep_their_contacts_and_their_place() {
    let seconds = count(2, 10) as f64;
    for (name, mesh) in parts() {
        for step in [1e-3, 1e-2] {
            let mut builder = by_steps(step, 0.3);
            builder.fixed(quasi(Shape::half_space(Vec3::z(), 0.0).unwrap())).unwrap();
            let low = mesh.bounding_box().min.z;
            let part = body(&mut builder, mesh.clone(), at(0.0, 0.0, 1e-3 - low));
            let mut world = builder.build().unwrap();
            // It falls by a millimetre and settles.
            world.advance_to(0.5).unwrap();
            let (settled, contact_points) = (world.pose(part).translation(), world.contact_points());
            assert!(contact_points.len() >= 3, "{name}: {} contacts", contact_points.len());
            let energy = world.energy().total();
            let mut t = 0.5;
            while t < 0.5 + seconds {
                t += 0.1;
                world.advance_to(t).unwrap();
                let now = world.contact_points();
                assert!(
                    now.iter().map(|contact| contact.id).eq(contact_points.iter().map(|contact| contact.id)),
                    "{name} at {t} s: {} contacts, {} before",
                    now.len(),
                    contact_points.len()
                );
            }
            let drift = world.pose(part).translation() - settled;
            assert!(drift.xy().norm() < 1e-9, "{name}, steps of {step} s: drift {drift:?}");
            assert!(drift.z.abs() < 1e-9, "{name}, steps of {step} s: drift {drift:?}");
            // No more than the weight lifted by what steps may miss.
            let weight = 9.81 * world.tree().inertia(part).mass;
            let gained = world.energy().total() - energy;
            assert!(gained <= weight * TOLERANCE * seconds, "{name}: energy grew by {gained} J");
            assert!(world.energy().kinetic < 1e-18, "{name}: {} J of motion", world.energy().kinetic);
        }
    }
}
