//! Solids of open surfaces: a sheet of a thickness, and terrain down to a base.
//!
//! In: a mesh with borders, whose triangles face one side. Out: a closed mesh that faces outward: the surface, moved by half a thickness or as it is; the same surface facing the other way on the other
//! side; and walls along all borders, those of holes included. The triangles of the surface come first and keep their numbers.

use zerogap_core::Vec3;
use zerogap_core::error::check_positive_length;
use zerogap_core::math::unit_normal;

use super::TriangleMesh;
use crate::GeometryError;

/// Cosine of the angle between the normal of a vertex and that of a face around it below which a sheet is not thickened there [-]: the corner of a cube has 0.58.
const SHARPEST: f64 = 0.5;

impl TriangleMesh {
    /// Returns the closed solid of an open surface that has a thickness [m], half of it to each side.
    ///
    /// Method: every vertex is moved along the mean normal of its faces, weighed by their angles, by as much as the face needs that is most inclined to it: the sheet is nowhere thinner, and beside bends
    ///   a little thicker. Cost: O(n log n).
    /// Fails: `NotSheet` for a closed surface and for one with edges of more than two triangles or triangles that face different sides; `SharpSheet` where it bends by more than the corner of a box, or where a
    ///   triangle is so small against the thickness that it would turn over.
    ///
    /// ```
    /// use zerogap_core::Vec3;
    /// use zerogap_geometry::TriangleMesh;
    ///
    /// let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let sheet = TriangleMesh::new(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let solid = sheet.thickened(0.01)?;
    /// assert!(solid.topology().is_closed());
    /// assert!((solid.signed_volume() - 0.01).abs() < 1e-15);
    /// # Ok::<(), zerogap_geometry::GeometryError>(())
    /// ```
    pub fn thickened(&self, thickness: f64) -> Result<Self, GeometryError> {
        check_positive_length("the thickness of a sheet", thickness)?;
        let sheet = Sheet::of(self)?;
        let offsets = sheet.offsets(0.5 * thickness)?;
        let moved = |sign: f64| sheet.vertices.iter().zip(&offsets).map(move |(p, offset)| p + offset * sign);
        let solid = sheet.between(moved(1.0).collect(), moved(-1.0).collect())?;
        // A triangle smaller than the thickness may turn over where the sheet is bent.
        for (t, own) in sheet.triangles.iter().enumerate() {
            let Some(normal) = unit_normal(&own.map(|v| sheet.vertices[v as usize])) else { continue };
            let upper = unit_normal(&solid.corners(t));
            let lower = unit_normal(&solid.corners(t + sheet.triangles.len()));
            if upper.is_none_or(|n| n.dot(&normal) <= 0.0) || lower.is_none_or(|n| n.dot(&normal) >= 0.0) {
                return Err(sheet.sharp(own[0], thickness));
            }
        }
        Ok(solid)
    }

    /// Returns the closed solid below an open surface: terrain, down to a flat base that lies `max_depth` [m] below its lowest vertex. Up is z.
    ///
    /// Method: the surface once more in the plane of the base, and walls along the borders. Under what overhangs is air. Cost: O(n log n).
    /// Fails: `NotSheet` as [`TriangleMesh::thickened`]; `FacesDown` where more of the surface faces down than up.
    pub fn grounded(&self, max_depth: f64) -> Result<Self, GeometryError> {
        check_positive_length("the depth of terrain", max_depth)?;
        let sheet = Sheet::of(self)?;
        let base = self.bounding_box().min.z - max_depth;
        let lower = sheet.vertices.iter().map(|p| Vec3::new(p.x, p.y, base)).collect();
        let solid = sheet.between(sheet.vertices.clone(), lower)?;
        if solid.signed_volume() > 0.0 { Ok(solid) } else { Err(GeometryError::FacesDown) }
    }
}

/// An open surface whose vertices at equal positions are one.
struct Sheet {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Sides of triangles that have no neighbour, in the sense of their triangle.
    borders: Vec<[u32; 2]>,
}

impl Sheet {
    fn of(mesh: &TriangleMesh) -> Result<Self, GeometryError> {
        let first = mesh.first_at_position();
        // Vertices that triangles with three different corners use, in order.
        let mut number = vec![u32::MAX; mesh.vertices().len()];
        let mut vertices = Vec::new();
        let mut triangles = Vec::with_capacity(mesh.triangles().len());
        for corners in mesh.triangles() {
            let [a, b, c] = corners.map(|v| first[v as usize]);
            if a == b || b == c || c == a {
                continue;
            }
            triangles.push([a, b, c].map(|v| {
                let own = &mut number[v as usize];
                if *own == u32::MAX {
                    *own = vertices.len() as u32;
                    vertices.push(mesh.vertices()[v as usize]);
                }
                *own
            }));
        }
        if triangles.is_empty() {
            return Err(GeometryError::Empty { what: "the surface" });
        }
        // Sides in the order of their two vertices.
        let mut sides: Vec<([u32; 2], bool)> = triangles
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]])
            .map(|[from, to]| ([from.min(to), from.max(to)], from < to))
            .collect();
        sides.sort_unstable();
        let (mut borders, mut crowded, mut conflicts, mut place) = (Vec::new(), 0, 0, None);
        for run in sides.chunk_by(|x, y| x.0 == y.0) {
            let ([low, high], is_forward) = run[0];
            let wrong = match run {
                [_] => {
                    borders.push(if is_forward { [low, high] } else { [high, low] });
                    false
                }
                [one, other] => {
                    conflicts += usize::from(one.1 == other.1);
                    one.1 == other.1
                }
                _ => {
                    crowded += 1;
                    true
                }
            };
            if wrong {
                place.get_or_insert(0.5 * (vertices[low as usize] + vertices[high as usize]));
            }
        }
        if place.is_some() || borders.is_empty() {
            let p: Vec3 = place.unwrap_or(vertices[0]);
            return Err(GeometryError::NotSheet {
                non_manifold_edges: crowded,
                orientation_conflicts: conflicts,
                x: p.x,
                y: p.y,
                z: p.z,
            });
        }
        Ok(Self { vertices, triangles, borders })
    }

    /// How far each vertex moves, so that no face around it moves by less than `half` [m].
    fn offsets(&self, half: f64) -> Result<Vec<Vec3>, GeometryError> {
        let corners = |t: &[u32; 3]| t.map(|v| self.vertices[v as usize]);
        let mut sums = vec![Vec3::zeros(); self.vertices.len()];
        for t in &self.triangles {
            let at = corners(t);
            let Some(normal) = unit_normal(&at) else { continue };
            for k in 0..3 {
                let (one, other) = (at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]);
                sums[t[k] as usize] +=
                    normal * zerogap_core::math::atan2(one.cross(&other).norm(), one.dot(&other));
            }
        }
        let mut least = vec![1.0_f64; self.vertices.len()];
        for t in &self.triangles {
            let Some(normal) = unit_normal(&corners(t)) else { continue };
            for v in t {
                let along = sums[*v as usize].try_normalize(0.0).map_or(0.0, |n| n.dot(&normal));
                least[*v as usize] = least[*v as usize].min(along);
            }
        }
        let offset = |(v, (sum, least)): (usize, (&Vec3, &f64))| match sum.try_normalize(0.0) {
            Some(normal) if *least >= SHARPEST => Ok(normal * (half / least)),
            _ => Err(self.sharp(v as u32, 2.0 * half)),
        };
        sums.iter().zip(&least).enumerate().map(offset).collect()
    }

    fn sharp(&self, vertex: u32, thickness: f64) -> GeometryError {
        let p = self.vertices[vertex as usize];
        GeometryError::SharpSheet { thickness, x: p.x, y: p.y, z: p.z }
    }

    /// The solid between the surface at two places.
    fn between(&self, upper: Vec<Vec3>, lower: Vec<Vec3>) -> Result<TriangleMesh, GeometryError> {
        let count = self.vertices.len() as u32;
        let mut vertices = upper;
        vertices.extend(lower);
        let mut triangles = self.triangles.clone();
        triangles.extend(self.triangles.iter().map(|[a, b, c]| [a + count, c + count, b + count]));
        for &[from, to] in &self.borders {
            triangles.extend([[to, from, from + count], [to, from + count, to + count]]);
        }
        TriangleMesh::new(vertices, triangles)
    }
}
