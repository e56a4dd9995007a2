//! A first look at a body: its surface, its mass, its convex pieces, and where it is nearest.
//!
//! Run with `cargo run --release --example first_look`.

use zerogap::geometry::decompose::{DecomposeParams, decompose};
use zerogap::geometry::parts::ConnectingRod;
use zerogap::{Shape, Vec3};

fn main() -> Result<(), zerogap::GeometryError> {
    // A generated part; `zerogap::geometry::import::read_mesh` reads files instead.
    let rod = ConnectingRod { length: 0.18, ..ConnectingRod::default() }.generate()?;
    println!("connecting rod: {}, {} triangles", rod.topology().summary(), rod.triangles().len());

    let steel = rod.mass_properties(7850.0)?;
    println!("  mass {:.4} kg, centre at x = {:.2} mm", steel.mass, 1e3 * steel.center.x);

    // Convex pieces that protrude by at most 2 mm.
    let pieces = decompose(&rod, &DecomposeParams::new(2e-3))?;
    println!("  {} convex pieces, sticking out by {:.2} mm", pieces.pieces.len(), 1e3 * pieces.concavity);

    // A shape with a closed form answers exactly: how far is a point from a rounded box?
    let pad = Shape::cuboid(Vec3::new(0.1, 0.1, 0.02))?.rounded(5e-3)?;
    let nearest = pad.closest_point(&Vec3::new(0.08, 0.0, 0.03))?;
    println!(
        "rounded pad: gap {:.6} m along ({:.3}, {:.3}, {:.3})",
        nearest.gap, nearest.normal.x, nearest.normal.y, nearest.normal.z
    );
    Ok(())
}
