//! A box slides over the edge of a table and tips: how many contacts there are at each step, and which names they keep.
//!
//! Run with `cargo run --release --example contacts`.

use zerogap::{
    Collider, ColliderCache, ColliderError, ColliderPair, ContactId, ContactParams, ContactSet, Pose, Shape,
    Vec3, contacts_into,
};

/// How far the edge of the table is from its middle [m].
const EDGE: f64 = 0.5;

/// Half a side of the box [m].
const HALF: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The top of the table is at z = 0, and the box stands on it.
    let table = Collider::from(Shape::cuboid(Vec3::new(2.0 * EDGE, 2.0 * EDGE, 0.1))?);
    let cup = Collider::from(Shape::cuboid(Vec3::repeat(2.0 * HALF))?);
    let under = Pose::from_translation(Vec3::new(0.0, 0.0, -0.05))?;

    // One cache and one contact set per pair; the names of the last step identify the contacts that persist.
    let params = ContactParams::within(1e-3);
    let (mut cache, mut set) = (ColliderCache::for_pair(), ContactSet::default());
    let mut last: Vec<ContactId> = Vec::new();
    let mut update = |pose: &Pose| {
        contacts_into(&ColliderPair::new(&table, under, &cup, *pose), &params, &mut cache, &mut set)?;
        let now: Vec<ContactId> = set.manifold.contacts.iter().map(|contact| contact.id).collect();
        let kept = now.iter().filter(|id| last.contains(id)).count();
        let names: Vec<String> = now.iter().map(ToString::to_string).collect();
        println!("{} contacts, {kept} kept: {}", now.len(), names.join(", "));
        last = now;
        Ok::<_, ColliderError>(set.manifold.gap.gap)
    };

    println!("sliding:");
    for step in 0..=7 {
        let x = EDGE - 0.07 + 0.01 * f64::from(step);
        print!("  middle {:4.0} mm from the edge: ", 1e3 * (EDGE - x));
        update(&Pose::from_translation(Vec3::new(x, 0.0, HALF))?)?;
    }

    // Half of the box is past the edge now. It turns about the edge, and touches it along a line.
    println!("tipping:");
    for step in 1..=6 {
        let angle = 4.0 * f64::from(step);
        let about_edge = Pose::from_axis_angle(Vec3::new(EDGE, 0.0, 0.0), Vec3::y(), angle.to_radians())?;
        print!("  by {angle:2.0} degrees: ");
        let gap = update(&(about_edge * Pose::from_translation(Vec3::new(0.0, 0.0, HALF))?))?;
        assert!(gap.abs() < 1e-15, "the box stays on the edge");
    }
    Ok(())
}
