//! Parts put together from convex pieces as they are, so that their counts never depend on a decomposition.
//!
//! In: a name. Out: a compound shape of that many pieces: a connecting rod of 70, a throw of a crankshaft of six. Lengths follow the defaults of
//! [`crate::parts`]. As strings: `assembly:connecting-rod`, `assembly:crank-throw`.

use std::f64::consts::{PI, TAU};

use crate::parts::{ConnectingRod, Crankshaft};
use crate::shape::{Compound, Cylinder};
use crate::{ConvexShape, GeometryError, Polyhedron, Shape};
use zerogap_core::{Pose, Vec3, math};

/// How an assembly is made.
type Make = fn() -> Result<Shape, GeometryError>;

/// Name of every assembly, and how it is made.
const ASSEMBLIES: [(&str, Make); 2] =
    [("connecting-rod", connecting_rod as Make), ("crank-throw", crank_throw as Make)];

/// The names of all assemblies.
pub fn names() -> impl Iterator<Item = &'static str> {
    ASSEMBLIES.iter().map(|(name, _)| *name)
}

/// Makes an assembly by name; none where there is no such assembly.
pub fn make(name: &str) -> Option<Result<Shape, GeometryError>> {
    ASSEMBLIES.iter().find(|(known, _)| *known == name).map(|(_, make)| make())
}

/// Pieces of the ring around the big bore, and around the small one [-].
const RINGS: [usize; 2] = [36, 24];

/// Pieces of the shank along it, each a web between two flanges [-].
const SHANK: usize = 3;

/// The big eye is wider than the rest by this factor, as those of real rods are [-]; the rod lies on it and on the small one.
const BIG_EYE: f64 = 1.25;

/// The shank is narrower than the eyes by this factor, and its web by this one [-].
const FLANGES: f64 = 0.8;
const WEB: f64 = 0.4;

/// Fraction of the width of the shank that each flange has [-].
const FLANGE_WIDTH: f64 = 0.25;

/// Segments of a full circle of a web of the crankshaft [-].
const WEB_SEGMENTS: usize = 24;

/// A connecting rod of 70 convex pieces: two rings, a shank of I section in three parts, and the boss for the bolts of the big eye.
pub fn connecting_rod() -> Result<Shape, GeometryError> {
    let rod = ConnectingRod::default();
    let half = 0.5 * rod.thickness;
    let mut pieces = Vec::new();
    let mut add = |points: &[Vec3]| -> Result<(), GeometryError> {
        pieces.push((Pose::identity(), ConvexShape::from(Polyhedron::from_points(points)?)));
        Ok(())
    };

    // The eyes.
    for (center, bore, radius, half, count) in [
        (0.0, rod.big_bore, rod.big_radius, BIG_EYE * half, RINGS[0]),
        (rod.length, rod.small_bore, rod.small_radius, half, RINGS[1]),
    ] {
        for k in 0..count {
            let corner = |k: usize, radius: f64| {
                let (s, c) = math::sin_cos(TAU * k as f64 / count as f64);
                [center + radius * c, radius * s]
            };
            add(&prism(
                &[corner(k, bore), corner(k, radius), corner(k + 1, radius), corner(k + 1, bore)],
                half,
            ))?;
        }
    }

    // The shank, from eye to eye.
    let (from, to) = (0.95 * rod.big_radius, rod.length - 0.95 * rod.small_radius);
    let at = |k: usize| from + (to - from) * k as f64 / SHANK as f64;
    let width = |k: usize| {
        let part = k as f64 / SHANK as f64;
        0.5 * (rod.big_width * (1.0 - part) + rod.small_width * part)
    };
    for k in 0..SHANK {
        let (inner, outer) = (1.0 - 2.0 * FLANGE_WIDTH, 1.0);
        let strip = |low: f64, high: f64| {
            [
                [at(k), low * width(k)],
                [at(k + 1), low * width(k + 1)],
                [at(k + 1), high * width(k + 1)],
                [at(k), high * width(k)],
            ]
        };
        add(&prism(&strip(-outer, -inner), FLANGES * half))?;
        add(&prism(&strip(-inner, inner), WEB * half))?;
        add(&prism(&strip(inner, outer), FLANGES * half))?;
    }

    // The boss.
    let (near, far, wide) = (-0.97 * rod.big_radius, -1.2 * rod.big_radius, 0.3 * rod.big_radius);
    add(&prism(&[[far, -wide], [near, -wide], [near, wide], [far, wide]], FLANGES * half))?;
    Ok(Compound::new(pieces)?.into())
}

/// A throw of a crankshaft of six convex pieces: journal, web, pin, web, journal and flange, along z with the middle of the pin at z = 0.
pub fn crank_throw() -> Result<Shape, GeometryError> {
    let crank = Crankshaft::default();
    let mut pieces = Vec::new();
    let web = web(&crank);
    let web_at = 0.5 * (crank.pin_length + crank.web_thickness);
    let journal_at = web_at + 0.5 * (crank.web_thickness + crank.journal_length);
    let flange_length = 0.3 * crank.journal_length;
    let flange_at = journal_at + 0.5 * (crank.journal_length + flange_length);
    let mut cylinder = |radius: f64, length: f64, x: f64, z: f64| -> Result<(), GeometryError> {
        let pose = Pose::from_translation(Vec3::new(x, 0.0, z)).map_err(GeometryError::from)?;
        pieces.push((pose, ConvexShape::from(Cylinder::new(radius, length)?)));
        Ok(())
    };
    cylinder(crank.journal_radius, crank.journal_length, 0.0, -journal_at)?;
    cylinder(crank.pin_radius, crank.pin_length, crank.radius, 0.0)?;
    cylinder(crank.journal_radius, crank.journal_length, 0.0, journal_at)?;
    cylinder(1.2 * crank.journal_radius, flange_length, 0.0, flange_at)?;
    for z in [-web_at, web_at] {
        let points: Vec<Vec3> =
            prism(&web, 0.5 * crank.web_thickness).iter().map(|p| p + Vec3::new(0.0, 0.0, z)).collect();
        pieces.push((Pose::identity(), ConvexShape::from(Polyhedron::from_points(&points)?)));
    }
    Ok(Compound::new(pieces)?.into())
}

/// The outline of a web: around the axis and around the pin.
fn web(crank: &Crankshaft) -> Vec<[f64; 2]> {
    (0..WEB_SEGMENTS)
        .flat_map(|k| {
            let (s, c) = math::sin_cos(PI * (2 * k + 1) as f64 / WEB_SEGMENTS as f64);
            let about = |x: f64, radius: f64| [x + radius * c, radius * s];
            [about(0.0, crank.web_radius), about(crank.radius, crank.web_pin_radius)]
        })
        .collect()
}

/// The corners of an outline at both heights [m].
fn prism(outline: &[[f64; 2]], half: f64) -> Vec<Vec3> {
    outline.iter().flat_map(|&[x, y]| [-half, half].map(|z| Vec3::new(x, y, z))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_so_many_pieces() {
        let pieces = |name: &str| match make(name) {
            Some(Ok(Shape::Compound(compound))) => compound.pieces().len(),
            other => panic!("{name}: {other:?}"),
        };
        let counts: Vec<_> = names().map(|name| (name, pieces(name))).collect();
        assert_eq!(counts, [("connecting-rod", 70), ("crank-throw", 6)]);
        assert!(make("gearbox").is_none());
    }
}
