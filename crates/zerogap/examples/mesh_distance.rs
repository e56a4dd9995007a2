//! Meshes as they are: the distance of a bolt and its nut, bounds that close over time, and contacts with local depths.
//!
//! Run with `cargo run --release --example mesh_distance`.

use zerogap::geometry::parts::by_name;
use zerogap::proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshSearch, MeshWork, Order, mesh_contacts_into,
};
use zerogap::{GapStatus, Pose, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A peg in the hole of a plate: their hulls overlap by centimetres, the parts do not.
    let plate = MeshBody::new(by_name("hole-plate", &[])?);
    let peg = MeshBody::new(by_name("peg", &[])?);
    let here = Pose::identity();
    let aside = Pose::from_translation(Vec3::new(4e-5, 0.0, 0.0))?;

    // Interrupted again and again: the bounds only improve, and hold the truth at any time.
    let mut work = MeshWork::default();
    let params = MeshDistanceParams { order: Order::BestFirst, budget: 50, ..MeshDistanceParams::default() };
    let mut search = MeshSearch::new(&plate, &here, &peg, &aside, &params, &mut work);
    loop {
        let now = search.run(&params);
        println!("{:5} pairs: between {:8.3} and {:8.3} µm", now.pops, 1e6 * now.lower, 1e6 * now.upper);
        if now.status != GapStatus::Limited {
            break;
        }
    }

    // Pushed into the wall: how deep, and where.
    let pushed = Pose::from_translation(Vec3::new(1.5e-4, 0.0, 0.0))?;
    let mut contacts = Vec::new();
    let within = MeshContactParams::within(1e-5);
    mesh_contacts_into((&plate).into(), &here, (&peg).into(), &pushed, &within, &mut work, &mut contacts)?;
    let deepest = contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    println!("{} contacts, the deepest {:.1} µm", contacts.len(), -1e6 * deepest);
    for contact in contacts.iter().take(3) {
        println!("  {} at {:.1} µm", contact.id, 1e6 * contact.gap);
    }
    Ok(())
}
