//! Classes and polar cones of all faces.
//!
//! In: vertices, edges, triangles and which parts are volumes. Out: one [`Face`] each. Where triangles bound a volume, the cone that their
//! edges leave open counts only if it lies outside.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use zerogap_core::Vec3;
use zerogap_core::math::{angle_between, sin};

use super::build::Rows;
use super::polar::{Cone, Scratch, edge_cone, vertex_cone};
use super::report::PartKind;
use super::{Complex, Face};

/// How far the corner angles round a vertex may be from a full turn in a flat region [rad].
const FULL_TURN: f64 = 1e-4;

/// Rays closer to a constraint than this lie on it [-].
const ON_CONSTRAINT: f64 = 1e-9;

/// What the faces are judged from.
struct Judge<'a> {
    vertices: &'a [Vec3],
    edges: &'a [[u32; 2]],
    triangles: &'a [[u32; 3]],
    normals: Vec<Vec3>,
    /// Whether each triangle bounds a volume.
    solid: Vec<bool>,
    edge_triangles: Rows,
    vertex_triangles: Rows,
    flat: f64,
    extreme_only: bool,
    scratch: Scratch,
    /// Unit vectors of the current face.
    around: Vec<Vec3>,
    /// Fan of each triangle around the current vertex.
    fans: Vec<usize>,
}

/// Judges every face and marks what is used.
pub(super) fn classify(complex: &mut Complex, points: &[u32], flat: f64, extreme_only: bool) {
    let Complex { vertices, edges, triangles, part_of, report, .. } = complex;
    let (v, e) = (vertices.len(), edges.len());
    let sides = |t: usize| {
        let [a, b, c] = triangles[t];
        [(a, b), (b, c), (c, a)].map(|(p, q)| [p.min(q), p.max(q)])
    };
    let side_edges: Vec<[u32; 3]> = (0..triangles.len())
        .map(|t| sides(t).map(|side| edges.partition_point(|edge| *edge < side) as u32))
        .collect();
    let edge_triangles = Rows::new(
        e,
        side_edges.iter().enumerate().flat_map(|(t, row)| row.iter().map(move |&edge| (edge, t as u32))),
    );
    let vertex_triangles = Rows::new(
        v,
        triangles.iter().enumerate().flat_map(|(t, row)| row.iter().map(move |&p| (p, t as u32))),
    );
    let vertex_edges =
        Rows::new(v, edges.iter().enumerate().flat_map(|(k, row)| row.iter().map(move |&p| (p, k as u32))));
    let normals = triangles
        .iter()
        .map(|row| {
            let [a, b, c] = row.map(|k| vertices[k as usize]);
            (b - a).cross(&(c - a)).normalize()
        })
        .collect();
    let solid = part_of.iter().map(|&part| report.parts[part as usize].kind != PartKind::Shell).collect();
    let mut judge = Judge {
        vertices,
        edges,
        triangles,
        normals,
        solid,
        edge_triangles,
        vertex_triangles,
        flat,
        extreme_only,
        scratch: Scratch::default(),
        around: Vec::new(),
        fans: Vec::new(),
    };
    let mut faces = Vec::with_capacity(v + e + triangles.len());
    let mut directions = Vec::new();
    let mut used = vec![false; v];
    for &point in points {
        used[point as usize] = true;
    }
    for (vertex, used) in used.iter_mut().enumerate() {
        *used |= !vertex_edges.row(vertex).is_empty();
        let face = if *used { judge.vertex(vertex, vertex_edges.row(vertex)) } else { UNUSED };
        judge.keep(face, &mut faces, &mut directions);
    }
    let mut wires = Vec::with_capacity(e);
    for edge in 0..e {
        let face = judge.edge(edge);
        judge.keep(face, &mut faces, &mut directions);
        wires.push(judge.edge_triangles.row(edge).is_empty());
    }
    for t in 0..triangles.len() {
        judge.around.clear();
        let cone = if judge.solid[t] { Cone::round(1, judge.normals[t], 0.0) } else { Cone::whole(1) };
        if judge.solid[t] {
            judge.around.push(-judge.normals[t]);
        }
        judge.keep((6, cone), &mut faces, &mut directions);
    }
    for (k, face) in faces.iter().enumerate() {
        report.classes[usize::from(face.class)] += usize::from(k >= v || used[k]);
    }
    (complex.faces, complex.directions) = (faces, directions);
    (complex.wires, complex.used) = (wires, used);
}

/// A vertex that no simplex uses.
const UNUSED: (u8, Cone) = (7, Cone { dimension: 0, axis: Vec3::new(0.0, 0.0, 0.0), half: 0.0, line: None });

impl Judge<'_> {
    /// Stores a face with the current directions; a face that is never in contact needs none.
    fn keep(&mut self, (class, cone): (u8, Cone), faces: &mut Vec<Face>, directions: &mut Vec<Vec3>) {
        let first = directions.len() as u32;
        // A fan of more than 65535 edges keeps all that fit; such a vertex is judged by its round cone as well.
        let count = if class == 7 { 0 } else { self.around.len().min(usize::from(u16::MAX)) };
        directions.extend_from_slice(&self.around[..count]);
        faces.push(Face { axis: cone.axis, half: cone.half, first, count: count as u16, class });
        self.around.clear();
    }

    /// The unit vector of a triangle's plane that leads from one of its sides inward.
    fn inward(&self, t: u32, [a, b]: [u32; 2]) -> Vec3 {
        let apex = self.triangles[t as usize].into_iter().find(|&k| k != a && k != b).unwrap_or(a);
        let (p, q) = (self.vertices[a as usize], self.vertices[b as usize]);
        let along = (q - p).normalize();
        let rough = self.vertices[apex as usize] - p;
        let across = rough - along * along.dot(&rough);
        (across - along * along.dot(&across)).normalize()
    }

    fn edge(&mut self, edge: usize) -> (u8, Cone) {
        let ends = self.edges[edge];
        let triangles = self.edge_triangles.row(edge);
        self.around.clear();
        for &t in triangles {
            let inward = self.inward(t, ends);
            self.around.push(inward);
        }
        if let &[s, t] = triangles
            && self.solid[s as usize]
        {
            let (n1, n2) = (self.normals[s as usize], self.normals[t as usize]);
            return self.solid_edge(&n1, &n2);
        }
        let [p, q] = ends.map(|k| self.vertices[k as usize]);
        let cone = edge_cone(&(q - p).normalize(), &self.around, self.flat, &mut self.scratch);
        (class_of_edge(cone.dimension), cone)
    }

    /// The edge between two triangles of a volume, by their outward normals.
    fn solid_edge(&mut self, n1: &Vec3, n2: &Vec3) -> (u8, Cone) {
        let (u1, u2) = (self.around[0], self.around[1]);
        let bend = n1.dot(&u2);
        let flat = bend.abs() <= sin(self.flat);
        if flat && u1.dot(&u2) > 0.0 {
            // Folded onto itself: a knife's edge where the sum of the normals points away from the triangles, else a slit.
            let out = -(u1 + u2).normalize();
            let knife = out.dot(&(n1 + n2)) > 0.0;
            return if knife { (2, Cone::round(2, out, FRAC_PI_2)) } else { (7, Cone::none()) };
        }
        if bend > 0.0 && !flat {
            return (7, Cone::none());
        }
        let axis = (n1 + n2).normalize();
        let cone = Cone::round(if flat { 1 } else { 2 }, axis, 0.5 * angle_between(n1, n2));
        if flat {
            self.around.push(-axis);
        }
        (class_of_edge(cone.dimension), cone)
    }

    fn vertex(&mut self, vertex: usize, edges: &[u32]) -> (u8, Cone) {
        let here = self.vertices[vertex];
        self.around.clear();
        for &edge in edges {
            let [a, b] = self.edges[edge as usize];
            let other = if a as usize == vertex { b } else { a };
            self.around.push((self.vertices[other as usize] - here).normalize());
        }
        // The sum of the normals, weighted by corner angle: it points to the outer side of a volume.
        let mut weighted = Vec3::zeros();
        let mut turn = 0.0;
        let mut any_solid = false;
        for &t in self.vertex_triangles.row(vertex) {
            let angle = self.corner_angle(t, vertex);
            weighted += self.normals[t as usize] * angle;
            turn += angle;
            any_solid |= self.solid[t as usize];
        }
        let guess = (weighted.norm() > 1.0).then(|| weighted.normalize());
        let mut cone = vertex_cone(&self.around, guess.as_ref(), self.flat, &mut self.scratch);
        if any_solid && cone.dimension > 0 {
            let sample = cone.line.unwrap_or(cone.axis);
            // A line has one end outside: turn it there.
            let sample = if cone.line.is_some() && sample.dot(&weighted) < 0.0 { -sample } else { sample };
            if !self.is_outside(vertex, &sample) {
                return (7, Cone::none());
            }
            if cone.line.is_some() {
                self.around.push(-sample);
                cone = Cone::round(1, sample, cone.half);
            }
        } else if cone.line.is_some() {
            cone.half = PI;
        }
        if self.extreme_only && cone.dimension == 3 && self.scratch.rays().len() >= 3 {
            let rays = self.scratch.rays();
            self.around.retain(|u| rays.iter().filter(|ray| u.dot(ray).abs() <= ON_CONSTRAINT).count() >= 2);
        }
        let class = match cone.dimension {
            3 => 0,
            2 => 1,
            1 => 3 + u8::from(self.is_flat_star(vertex, &cone, turn)),
            _ => 7,
        };
        (class, cone)
    }

    /// The angle of a triangle at one of its corners [rad].
    fn corner_angle(&self, t: u32, vertex: usize) -> f64 {
        let corners = self.triangles[t as usize];
        let k = corners.iter().position(|&c| c as usize == vertex).unwrap_or(0);
        let [p, q, r] = [0, 1, 2].map(|j| self.vertices[corners[(k + j) % 3] as usize]);
        angle_between(&(q - p), &(r - p))
    }

    /// Whether a direction leads out of every volume at a vertex: checks each fan of triangles that share edges there.
    fn is_outside(&mut self, vertex: usize, z: &Vec3) -> bool {
        let row = self.vertex_triangles.row(vertex);
        self.fans.clear();
        self.fans.extend(0..row.len());
        for i in 0..row.len() {
            for j in 0..i {
                let (s, t) = (self.triangles[row[i] as usize], self.triangles[row[j] as usize]);
                let common = s.iter().filter(|k| t.contains(k)).count();
                let (low, high) = (self.fans[i].min(self.fans[j]), self.fans[i].max(self.fans[j]));
                if common >= 2 && low != high {
                    for fan in &mut self.fans {
                        *fan = if *fan == high { low } else { *fan };
                    }
                }
            }
        }
        (0..row.len()).filter(|&k| self.fans[k] == k).all(|fan| {
            let members = (0..row.len()).filter(|&k| self.fans[k] == fan);
            let solid = self.solid[row[fan] as usize];
            let sum: Vec3 =
                members.map(|k| self.normals[row[k] as usize] * self.corner_angle(row[k], vertex)).sum();
            !solid || sum.dot(z) > 0.0
        })
    }

    /// Whether the triangles round a vertex fill a plane.
    fn is_flat_star(&self, vertex: usize, cone: &Cone, turn: f64) -> bool {
        let Some(along) = cone.line.or((cone.half < PI).then_some(cone.axis)) else { return false };
        let row = self.vertex_triangles.row(vertex);
        // A thin cone that the flat angle let pass has its axis off the normals by as much.
        let largest = sin(self.flat + cone.half.min(self.flat));
        (turn - TAU).abs() <= FULL_TURN
            && row.iter().all(|&t| self.normals[t as usize].cross(&along).norm() <= largest)
    }
}

/// The class of an edge, by the dimension of its polar cone.
fn class_of_edge(dimension: u8) -> u8 {
    match dimension {
        2 => 2,
        1 => 5,
        _ => 7,
    }
}
