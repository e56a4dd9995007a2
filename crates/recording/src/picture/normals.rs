//! Normals for drawing: smooth where the surface is curved, sharp at creases.

use std::collections::BTreeMap;

use zerogap_core::Vec3;

use crate::record::DrawnShape;

/// Cosine of 22°: faces with a smaller dihedral angle belong to one curved surface [-]. The replay page uses the same angle.
const CREASE: f64 = 0.927;

/// Three corners for each triangle that has an area, one after the other: position [m] and unit normal [-].
pub(super) fn corners(shape: &DrawnShape) -> Vec<(Vec3, Vec3)> {
    let point = |v: u32| shape.vertices.get(v as usize).map_or_else(Vec3::zeros, |p| Vec3::from(*p));
    let faces: Vec<([Vec3; 3], Vec3, f64)> = shape
        .triangles
        .iter()
        .filter_map(|triangle| {
            let [a, b, c] = triangle.map(point);
            let twice = (b - a).cross(&(c - a));
            let area = twice.norm();
            (area > 0.0).then(|| ([a, b, c], twice / area, area))
        })
        .collect();

    // Faces around each place; corners with the same coordinates are one.
    let key = |p: &Vec3| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
    let mut around: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
    for (f, (points, ..)) in faces.iter().enumerate() {
        for p in points {
            around.entry(key(p)).or_default().push(f);
        }
    }

    // Mean over the faces that are nearly parallel, by area.
    let mut corners = Vec::with_capacity(3 * faces.len());
    for (points, normal, _) in &faces {
        for p in points {
            let near = around.get(&key(p)).into_iter().flatten().map(|f| &faces[*f]);
            let sum: Vec3 =
                near.filter(|(_, n, _)| n.dot(normal) >= CREASE).map(|(_, n, area)| n * *area).sum();
            corners.push((*p, sum.try_normalize(0.0).unwrap_or(*normal)));
        }
    }
    corners
}
