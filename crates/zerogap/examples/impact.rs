//! Times of impact: a bullet and a sheet of paper, a spinning blade, a peg inserted into a hole, and single features.
//!
//! `cargo run --release --example impact`

use std::error::Error;

use zerogap::geometry::parts;
use zerogap::impact::{Form, Mover, first_impact, nearest_pass};
use zerogap::motion::{
    ClearanceParams, Impact, ImpactParams, ImpactWork, Motion, Path, SweepParams, safe_time, step_collisions,
    time_of_impact, vertex_face,
};
use zerogap::proximity::mesh::MeshBody;
use zerogap::target::ReadOptions;
use zerogap::{Pose, Shape, Vec3};

fn main() -> Result<(), Box<dyn Error>> {
    let (params, still) = (ImpactParams::default(), Motion::fixed(Pose::identity()));

    // A 1 mm ball at 1000 m/s moves 10 m in the step; the sheet is 0.1 mm thick.
    let (sheet, ball) = (Shape::cuboid(Vec3::new(1.0, 1.0, 1e-4))?, Shape::sphere(0.5e-3)?);
    let above = Pose::from_translation(Vec3::new(0.0, 0.0, 5.0))?;
    let shot = Motion::new(above, Vec3::new(0.0, 0.0, -1000.0), Vec3::zeros())?;
    if let Impact::At(contact) = time_of_impact(&sheet, &still, &ball, &shot, 1e-2, &params)? {
        println!("the sheet is hit at {:.9} s, known to {:.0e} s", contact.t, contact.t_upper - contact.t);
    }
    println!("by the speeds alone it was safe for {:.6} s", safe_time(&sheet, &still, &ball, &shot)?);

    // A blade at 10 000 rad/s and a ball that comes in from the side.
    let blade = Shape::cuboid(Vec3::new(1.0, 0.02, 0.002))?;
    let spinning = Motion::new(Pose::identity(), Vec3::zeros(), Vec3::new(0.0, 0.0, 1e4))?;
    let coming = Motion::new(
        Pose::from_translation(Vec3::new(0.6, 0.0, 0.0))?,
        Vec3::new(-20.0, 0.0, 0.0),
        Vec3::zeros(),
    )?;
    if let Impact::At(contact) =
        time_of_impact(&blade, &spinning, &Shape::sphere(0.01)?, &coming, 1e-2, &params)?
    {
        println!("the blade hits after {:.3} turns", contact.t * 1e4 / std::f64::consts::TAU);
    }

    // Meshes as they are, along a path with two motions.
    let read = |word: &str| Mover::resolve(word, &ReadOptions::default(), Form::Mesh);
    let (plate, peg) = (read("part:hole-plate")?, read("part:peg")?);
    let at = |x: f64, z: f64| Pose::from_translation(Vec3::new(x, 0.0, z));
    let path = Path::through(at(0.02, 0.2)?, &[(1.0, at(0.0, 0.2)?), (2.0, at(0.0, 0.0)?)])?;
    let fixed = Path::fixed(Pose::identity());
    let found = first_impact(&plate, &fixed, &peg, &path, &params)?;
    let near = ClearanceParams { tolerance: 1e-5, ..ClearanceParams::default() };
    let clearance = nearest_pass(&plate, &fixed, &peg, &path, &near)?;
    println!(
        "the peg fits: {}, with {:.2} to {:.2} mm to spare",
        found.status,
        1e3 * clearance.lower,
        1e3 * clearance.upper
    );

    // Every collision of a step, feature by feature.
    let cube = MeshBody::new(parts::by_name("box", &[])?);
    let tipped = Pose::new(Vec3::new(0.3, 0.2, 3.0), [0.3, 0.1, 0.2, 0.9])?;
    let falling = Motion::new(tipped, Vec3::new(0.0, 0.0, -3.0), Vec3::zeros())?;
    let mut work = ImpactWork::default();
    for contact in step_collisions(&mut work, &cube, &still, &cube, &falling, 1.0, &params)?.iter().take(3) {
        let features = contact.features.map_or(String::new(), |id| id.to_string());
        println!("{:.6} s: {features}", contact.t);
    }

    // A vertex against a face, both moving on straight lines: proof or a time.
    let face = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
    let sweep = vertex_face(&Vec3::y(), &-Vec3::y(), &face, &face, &SweepParams::default())?;
    println!("the vertex hits the face between {} and {}", sweep.t_lower, sweep.t_upper);
    Ok(())
}
