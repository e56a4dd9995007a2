//! Shapes as triangles, to be drawn.
//!
//! In: the shapes of a world. Out: for each of them, in the order of their numbers, triangles for drawing: polyhedra exactly, curved shapes with chords below
//! 1 % of their radius inside it, half-spaces as a square patch. Nothing is computed with these triangles.

use std::f64::consts::PI;

use zerogap_core::math::{sin_cos, tangents};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::BodyId;
use zerogap_geometry::shape::{Cuboid, HalfSpace, SupportHint};
use zerogap_geometry::{Complex, Convex, ConvexShape, Polyhedron, Shape};

use super::{DrawnShape, Head};
use zerogap_simulation::world::World;
use zerogap_simulation::{Simulation, SimulationError};

/// Corners around a curved shape [-]: chords stay within 1 % of the radius.
const AROUND: usize = 24;

/// Steps from pole to pole of a ball [-].
const TO_POLE: usize = 16;

/// A rounded shape with more corners than this is sampled by directions [-]: a ball at each would be thousands of points.
const MAX_CORNERS: usize = 32;

/// Nodes of a height field that are drawn [-]; of larger ones every second, third or later node along each side.
const MAX_DRAWN: usize = 40_000;

/// Half the side of a half-space's patch, in radii of everything else [-].
const PATCH: f64 = 3.0;

/// Corners and the triangles between them.
pub(super) type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

impl Head {
    /// Returns the head of a simulation's recording, with the time between frames [s].
    pub fn of(simulation: &Simulation, scene: &str, every: f64) -> Result<Self, SimulationError> {
        match simulation {
            Simulation::World(world) => Ok(Self::of_world(world, scene, every)),
            Simulation::Landing(landing) => Ok(Self::of_landing(landing, scene, every)?),
        }
    }

    /// Returns the head of a world's recording: names of the bodies that there are, shapes to be drawn, gravity, and the time between frames [s]. Bodies are counted as they stand in frames; shapes that were removed keep their
    /// numbers, which contacts and events name, and are not drawn.
    pub fn of_world(world: &World, scene: &str, every: f64) -> Self {
        let row = |body: Option<BodyId>| world.bodies().binary_search(&body?).ok();
        let mut shapes: Vec<DrawnShape> = world
            .placed_shapes()
            .map(|(shape, body, at, material)| {
                let (vertices, triangles) = match shape {
                    Shape::Convex(convex) => triangles_of(convex),
                    Shape::Mesh(mesh) => (mesh.vertices().to_vec(), mesh.triangles().to_vec()),
                    Shape::HeightField(field) => {
                        let drawn = field.coarsened(MAX_DRAWN);
                        let drawn = drawn.patch(&drawn.cells());
                        (drawn.vertices().to_vec(), drawn.triangles().to_vec())
                    }
                    Shape::Complex(complex) => triangles_of_complex(complex.complex()),
                    // Compounds are placed piece by piece; patches follow when the rest is known.
                    Shape::Compound(_) | Shape::HalfSpace(_) => Triangles::default(),
                };
                let vertices = vertices.iter().map(|p| at.transform_point(p).into()).collect();
                let body = row(body).map(|row| row as u32);
                DrawnShape { name: String::new(), body, material: material.to_owned(), vertices, triangles }
            })
            .collect();

        // A patch is large enough for everything that there is.
        let poses: Vec<Pose> = world.body_states().into_iter().map(|(pose, ..)| pose).collect();
        let pose_of = |row: Option<usize>| row.map_or_else(Pose::identity, |row| poses[row]);
        let (middle, radius) = extent(&shapes, pose_of);
        for ((shape, body, at, _), drawn) in world.placed_shapes().zip(&mut shapes) {
            if let Shape::HalfSpace(half_space) = shape {
                let on_body = pose_of(row(body)) * *at;
                let (vertices, triangles) =
                    patch(half_space, &on_body.inverse_transform_point(&middle), PATCH * radius);
                drawn.vertices = vertices.iter().map(|p| at.transform_point(p).into()).collect();
                drawn.triangles = triangles;
            }
        }
        for (drawn, name) in shapes.iter_mut().zip(world.own_shape_names()) {
            name.clone_into(&mut drawn.name);
        }
        Self {
            scene: scene.to_owned(),
            source: String::new(),
            every,
            gravity: world.tree().gravity().into(),
            bodies: world.bodies().iter().map(|body| world.names()[body.index()].clone()).collect(),
            shapes,
        }
    }
}

/// Radius of drawn lines and points, against the diagonal of what they belong to [-].
const DRAWN_LINE: f64 = 0.004;

/// The triangles of a complex, its lines as rods of three sides, its points as octahedra.
fn triangles_of_complex(complex: &Complex) -> Triangles {
    let (mut vertices, mut triangles) = (complex.vertices().to_vec(), complex.triangles().to_vec());
    let radius = DRAWN_LINE * complex.bounding_box().diagonal();
    for ends in complex.wires() {
        let [a, b] = ends.map(|v| complex.vertices()[v as usize]);
        let along = (b - a).normalize();
        let (across, other) = tangents(&along);
        let first = vertices.len() as u32;
        for end in [a, b] {
            for (x, y) in [(1.0, 0.0), (-0.5, 0.866), (-0.5, -0.866)] {
                vertices.push(end + (across * x + other * y) * radius);
            }
        }
        let rod = [[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];
        triangles.extend(rod.map(|t: [u32; 3]| t.map(|k| first + k)));
    }
    for point in complex.lone_points() {
        let (center, first) = (complex.vertices()[point as usize], vertices.len() as u32);
        // A point alone has no diagonal to go by.
        let radius = if radius > 0.0 { radius } else { 1e-3 };
        for axis in 0..3 {
            vertices.extend([1.0, -1.0].map(|side| center + Vec3::ith(axis, side * radius)));
        }
        let sides = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        triangles.extend(sides.map(|t: [u32; 3]| t.map(|k| first + k)));
    }
    (vertices, triangles)
}

/// Middle and radius of all that is drawn, where it is now [m].
fn extent(shapes: &[DrawnShape], pose_of: impl Fn(Option<usize>) -> Pose) -> (Vec3, f64) {
    let mut low = Vec3::repeat(f64::INFINITY);
    let mut high = Vec3::repeat(f64::NEG_INFINITY);
    for shape in shapes {
        let pose = pose_of(shape.body.map(|body| body as usize));
        for vertex in &shape.vertices {
            let p = pose.transform_point(&Vec3::from(*vertex));
            (low, high) = (low.inf(&p), high.sup(&p));
        }
    }
    if low <= high { ((low + high) / 2.0, (high - low).norm() / 2.0) } else { (Vec3::zeros(), 1.0) }
}

/// The surface of a convex shape; points and segments have none.
pub(super) fn triangles_of(shape: &ConvexShape) -> Triangles {
    match shape {
        ConvexShape::Point(_) | ConvexShape::Segment(_) => Triangles::default(),
        ConvexShape::Triangle(shape) => both_sides(&shape.corners()),
        ConvexShape::Polygon(shape) => both_sides(shape.corners()),
        ConvexShape::Sphere(shape) => ellipsoid(&Vec3::repeat(shape.radius())),
        ConvexShape::Ellipsoid(shape) => ellipsoid(&shape.radii()),
        ConvexShape::Cuboid(shape) => cuboid(shape),
        ConvexShape::Capsule(shape) => {
            let (r, half) = (shape.radius(), shape.length() / 2.0);
            let arc = quarter_arcs().map(|(s, c)| (r * s, r * c + if c < 0.0 { -half } else { half }));
            // The middle of the arc is there twice: at both ends of the straight part.
            let mut profile: Vec<(f64, f64)> = arc.collect();
            profile.insert(TO_POLE / 2, (r, -half));
            revolved(&profile)
        }
        ConvexShape::Cylinder(shape) => frustum(shape.radius(), shape.radius(), shape.length()),
        ConvexShape::Frustum(shape) => frustum(shape.radius0(), shape.radius1(), shape.length()),
        ConvexShape::Polyhedron(shape) => of_polyhedron(shape),
        ConvexShape::Rounded(rounded) => match rounded.core().corners() {
            Some(corners) if corners.len() <= MAX_CORNERS => hull_of(&inflated(&corners, rounded.radius())),
            _ => hull_of(&sampled(shape)),
        },
        ConvexShape::User(_) => hull_of(&sampled(shape)),
    }
}

/// Sine and cosine from the lower pole to the upper: distance from the axis and height on a unit ball.
fn quarter_arcs() -> impl Iterator<Item = (f64, f64)> {
    (0..=TO_POLE).map(|k| match k {
        0 => (0.0, -1.0),
        TO_POLE => (0.0, 1.0),
        _ if 2 * k == TO_POLE => (1.0, 0.0),
        _ => {
            let (s, c) = sin_cos(PI * k as f64 / TO_POLE as f64);
            (s, -c)
        }
    })
}

/// A line of (radius, height), from bottom to top, revolved about z.
fn revolved(profile: &[(f64, f64)]) -> Triangles {
    let mut vertices = Vec::with_capacity(profile.len() * AROUND);
    for (radius, height) in profile {
        for k in 0..AROUND {
            let (s, c) = sin_cos(2.0 * PI * k as f64 / AROUND as f64);
            vertices.push(Vec3::new(radius * c, radius * s, *height));
        }
    }
    let mut triangles = Vec::new();
    for (ring, ends) in profile.windows(2).enumerate() {
        for k in 0..AROUND {
            let [a, b] = [k, (k + 1) % AROUND].map(|k| (ring * AROUND + k) as u32);
            let (c, d) = (a + AROUND as u32, b + AROUND as u32);
            // At the axis one of the two has no area.
            if ends[0].0 > 0.0 {
                triangles.push([a, b, d]);
            }
            if ends[1].0 > 0.0 {
                triangles.push([a, d, c]);
            }
        }
    }
    (vertices, triangles)
}

fn ellipsoid(radii: &Vec3) -> Triangles {
    let (mut vertices, triangles) = revolved(&quarter_arcs().collect::<Vec<_>>());
    for vertex in &mut vertices {
        vertex.component_mul_assign(radii);
    }
    (vertices, triangles)
}

fn frustum(radius0: f64, radius1: f64, length: f64) -> Triangles {
    let half = length / 2.0;
    let mut profile = vec![(0.0, -half), (radius0, -half), (radius1, half), (0.0, half)];
    // A tip has no lid, and no lid has an area of zero.
    profile.dedup();
    revolved(&profile)
}

fn cuboid(shape: &Cuboid) -> Triangles {
    let h = shape.half_size();
    let vertices: Vec<Vec3> = (0..8)
        .map(|k| {
            let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
            Vec3::new(sign(1) * h.x, sign(2) * h.y, sign(4) * h.z)
        })
        .collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (vertices, faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect())
}

/// A flat face, visible from both sides.
fn both_sides(corners: &[Vec3]) -> Triangles {
    let count = corners.len() as u32;
    let front = (1..count.saturating_sub(1)).map(|k| [0, k, k + 1]);
    let back = front.clone().map(|[a, b, c]| [a + count, c + count, b + count]);
    ([corners, corners].concat(), front.chain(back).collect())
}

fn of_polyhedron(shape: &Polyhedron) -> Triangles {
    (shape.vertices().to_vec(), shape.triangles().collect())
}

/// The hull of points, or nothing where they are flat.
fn hull_of(points: &[Vec3]) -> Triangles {
    Polyhedron::from_points(points).map_or_else(|_| Triangles::default(), |hull| of_polyhedron(&hull))
}

/// A ball of points at every corner.
fn inflated(corners: &[Vec3], radius: f64) -> Vec<Vec3> {
    let (ball, _) = ellipsoid(&Vec3::repeat(radius));
    corners.iter().flat_map(|corner| ball.iter().map(move |p| corner + p)).collect()
}

/// The farthest points of a shape in many directions.
fn sampled(shape: &ConvexShape) -> Vec<Vec3> {
    let (directions, _) = ellipsoid(&Vec3::repeat(1.0));
    let mut hint = SupportHint::default();
    directions.iter().map(|direction| shape.support(direction, &mut hint)).collect()
}

/// A square of a plane around the foot of a point.
fn patch(half_space: &HalfSpace, middle: &Vec3, half: f64) -> Triangles {
    let normal = half_space.normal();
    let foot = middle - normal * (normal.dot(middle) - half_space.offset());
    let (u, v) = tangents(&normal);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(a, b)| foot + u * (a * half) + v * (b * half));
    (corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
}
