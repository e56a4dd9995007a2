//! A sphere with any chosen number of vertices.

use std::f64::consts::{PI, TAU};

use zerogap_core::{Vec3, math};

use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Convex tessellated sphere about the origin with exactly the given number of vertices, nearly evenly spread.
    Sphere named "sphere" {
        /// Radius [m].
        radius: f64 [Length] = 0.05,
        /// Number of vertices [-].
        vertices: usize [Count] = 500,
    }
}

/// Fewest points on a circle of latitude [-].
const MIN_POINTS: usize = 3;

impl Sphere {
    /// A convex polyhedron with `vertices` corners on the sphere and `2 vertices - 4` triangles.
    ///
    /// Circles of latitude at equal steps hold points in proportion to their length, neighbours are joined in the order of the
    /// directions their edges face, which is the hull of the two circles. Spiral points would be as even but need a hull of
    /// all points at once.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::positive(Self::NAME, "radius", self.radius)?;
        check::count(Self::NAME, "vertices", self.vertices, 4, check::MAX_COUNT)?;
        if self.vertices == 4 {
            return self.tetrahedron();
        }
        let counts = ring_counts(self.vertices);
        let rings = counts.len();
        // South pole, circles from south to north, north pole.
        let mut vertices = vec![Vec3::new(0.0, 0.0, -self.radius)];
        let mut starts = Vec::new();
        for (k, &count) in counts.iter().enumerate() {
            starts.push(vertices.len() as u32);
            let (s, c) = math::sin_cos(PI * (k + 1) as f64 / (rings + 1) as f64);
            for j in 0..count {
                let (sin, cos) = math::sin_cos(TAU * (j as f64 + phase(k)) / count as f64);
                vertices.push(self.radius * Vec3::new(s * cos, s * sin, -c));
            }
        }
        let north = vertices.len() as u32;
        vertices.push(Vec3::new(0.0, 0.0, self.radius));
        let mut triangles = Vec::new();
        let (first, last) = (counts[0] as u32, counts[rings - 1] as u32);
        for j in 0..first {
            triangles.push([0, starts[0] + (j + 1) % first, starts[0] + j]);
        }
        for k in 1..rings {
            join(&mut triangles, (starts[k - 1], counts[k - 1], k - 1), (starts[k], counts[k], k));
        }
        for j in 0..last {
            triangles.push([starts[rings - 1] + j, starts[rings - 1] + (j + 1) % last, north]);
        }
        check::surface(vertices, triangles)
    }

    fn tetrahedron(&self) -> Result<TriangleMesh, GeometryError> {
        let s = self.radius / 3.0_f64.sqrt();
        let corners = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
        let vertices = corners.iter().map(|c| s * Vec3::new(c[0], c[1], c[2])).collect();
        TriangleMesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }
}

/// Offset of a circle's first point, in steps [-]: every second circle is staggered, as in close packing.
fn phase(ring: usize) -> f64 {
    if ring.is_multiple_of(2) { 0.0 } else { 0.5 }
}

/// How many points each circle of latitude gets; the sum is `vertices - 2` and no circle has fewer than [`MIN_POINTS`].
fn ring_counts(vertices: usize) -> Vec<usize> {
    let inner = vertices - 2;
    // Rows of equilateral triangles whose corners each own an equal fraction of the sphere.
    let side = (4.0 * PI / vertices as f64 * 2.0 / 3.0_f64.sqrt()).sqrt();
    let ideal = (PI / (0.5 * 3.0_f64.sqrt() * side) - 1.0).round().max(1.0) as usize;
    let rings = ideal.clamp(1, (inner / MIN_POINTS).max(1));
    let sines: Vec<f64> = (0..rings).map(|k| math::sin(PI * (k + 1) as f64 / (rings + 1) as f64)).collect();
    let total: f64 = sines.iter().sum();
    // Every circle gets the minimum, the rest is distributed by length; rounding the running sum keeps the total exact.
    let wants: Vec<f64> =
        sines.iter().map(|s| (inner as f64 * s / total - MIN_POINTS as f64).max(1e-9)).collect();
    let wanted: f64 = wants.iter().sum();
    let spare = inner - MIN_POINTS * rings;
    let mut running = 0.0;
    let mut given = 0;
    let mut counts = Vec::with_capacity(rings);
    for (k, want) in wants.iter().enumerate() {
        running += want;
        let upto = if k + 1 == rings {
            spare
        } else {
            ((spare as f64 * running / wanted).round() as usize).min(spare)
        };
        counts.push(MIN_POINTS + upto - given);
        given = upto;
    }
    counts
}

/// The band between two circles, each `(first vertex, points, index)`: edges of both in the order of the direction they face.
fn join(triangles: &mut Vec<[u32; 3]>, low: (u32, usize, usize), high: (u32, usize, usize)) {
    let faces =
        |(_, count, ring): (u32, usize, usize), j: usize| (j as f64 + phase(ring) + 0.5) / count as f64;
    let at = |(start, count, _): (u32, usize, usize), j: usize| start + (j % count) as u32;
    let (mut i, mut j) = (0, 0);
    while i < low.1 || j < high.1 {
        let take_low = j == high.1 || (i < low.1 && faces(low, i) <= faces(high, j));
        if take_low {
            triangles.push([at(low, i), at(low, i + 1), at(high, j)]);
            i += 1;
        } else {
            triangles.push([at(low, i), at(high, j + 1), at(high, j)]);
            j += 1;
        }
    }
}

part! {
    /// Sphere about the origin by repeated quartering of an icosahedron's faces, corners on the true surface.
    Icosphere named "icosphere" {
        /// Radius [m].
        radius: f64 [Length] = 0.05,
        /// How many times the 20 faces are quartered [-].
        subdivisions: usize [Count] = 3,
    }
}

impl Icosphere {
    /// `10 * 4^s + 2` vertices and `20 * 4^s` triangles for s subdivisions.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::positive(Self::NAME, "radius", self.radius)?;
        check::count(Self::NAME, "subdivisions", self.subdivisions, 0, 9)?;
        let (mut points, mut triangles) = icosahedron();
        for _ in 0..self.subdivisions {
            let mut middles = std::collections::BTreeMap::new();
            let mut finer = Vec::with_capacity(4 * triangles.len());
            for [a, b, c] in triangles {
                let mut middle = |i: u32, j: u32| {
                    *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                        points.push((points[i as usize] + points[j as usize]).normalize());
                        points.len() as u32 - 1
                    })
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
            triangles = finer;
        }
        TriangleMesh::new(points.into_iter().map(|p| self.radius * p).collect(), triangles)
    }
}

/// The unit icosahedron: poles on z, two staggered circles of five.
fn icosahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (z, r) = (1.0 / 5.0_f64.sqrt(), 2.0 / 5.0_f64.sqrt());
    let mut points = vec![-Vec3::z()];
    for (height, shift) in [(-z, 0.0), (z, 0.5)] {
        for k in 0..5 {
            let (s, c) = math::sin_cos(TAU * (f64::from(k) + shift) / 5.0);
            points.push(Vec3::new(r * c, r * s, height));
        }
    }
    points.push(Vec3::z());
    let mut triangles = Vec::new();
    for k in 0..5 {
        let (l, h) = (1 + k, 6 + k);
        let (l1, h1) = (1 + (k + 1) % 5, 6 + (k + 1) % 5);
        triangles.extend([[0, l1, l], [l, l1, h], [l1, h1, h], [h, h1, 11]]);
    }
    (points, triangles)
}

part! {
    /// Sphere about the origin as a grid of longitude and latitude, corners on the true surface.
    UvSphere named "uv-sphere" {
        /// Radius [m].
        radius: f64 [Length] = 0.05,
        /// Segments around the axis [-].
        segments: usize [Count] = 32,
        /// Bands from pole to pole [-].
        bands: usize [Count] = 16,
    }
}

impl UvSphere {
    /// `segments * (bands - 1) + 2` vertices.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::positive(Self::NAME, "radius", self.radius)?;
        check::count(Self::NAME, "segments", self.segments, 3, check::MAX_COUNT / 2)?;
        check::count_times(Self::NAME, ("bands", self.bands), 2, ("segments", self.segments))?;
        let profile: Vec<[f64; 2]> = (0..=self.bands)
            .map(|k| {
                let (s, c) = math::sin_cos(PI * k as f64 / self.bands as f64);
                let pole = k == 0 || k == self.bands;
                [if pole { 0.0 } else { self.radius * s }, -self.radius * c]
            })
            .collect();
        super::revolve::revolve(&profile, super::revolve::Profile::Body, self.segments)
    }
}
