//! How deep two meshes overlap, region by region.
//!
//! In: two bodies whose surfaces cross, or one of which holds the other. Out: for each connected part of one that is inside the other its deepest vertex; and where edges cross
//! with no vertex inside, the two edges. Vertices inside are found from the triangles that cross: those next to them are asked, the others follow along edges that cross nothing. Only a
//! vertex that is inside by more than rounding is followed: whether triangles cross and whether a point is inside are each decided exactly, but for coordinates rounded in two frames.

use zerogap_core::math::unit_normal;
use zerogap_core::{Contact, ContactId, Feature, Pose, Vec3};

use super::body::MeshBody;
use super::contacts::edge_pair;
use super::crossing::{piercing_edges, triangles_cross};
use super::distance::MeshWork;
use super::error::{DEPTH, MeshError};
use super::heap::Pair;
use super::inside::NearestOnMesh;
use super::join::NO_EDGE;
use super::pairs::near_leaves;
use crate::convex::{Placement, slack};

/// A part of one mesh inside the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The deepest point: its gap is negative, or 0 where it touches.
    pub contact: Contact,
    /// How many vertices of the one are inside the other; 0 where two edges cross with none.
    pub vertices: u32,
}

/// A vertex of one mesh inside the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deep {
    pub(super) vertex: u32,
    pub(super) region: u32,
    /// In the other's frame.
    pub(super) point: Vec3,
    pub(super) nearest: NearestOnMesh,
    /// The separating direction, of unit length, in the other's frame.
    pub(super) outward: Vec3,
    /// Whether it lies on faces that both meshes share, which its depth leaves out.
    flush: bool,
}

/// A pair of triangles that cross, and which of their edges pierce the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) triangles: [u32; 2],
    pub(super) piercing: [u8; 2],
}

/// Marks on the vertices of a mesh that are forgotten at once.
#[derive(Debug, Default)]
struct Marks {
    round: u32,
    of: Vec<(u32, u32)>,
}

impl Marks {
    fn begin(&mut self, count: usize) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 || self.of.len() < count {
            self.of.clear();
            self.of.resize(count, (0, 0));
            self.round = 1;
        }
    }

    #[inline]
    fn get(&self, k: u32) -> Option<u32> {
        let (round, value) = self.of[k as usize];
        (round == self.round).then_some(value)
    }

    #[inline]
    fn set(&mut self, k: u32, value: u32) {
        self.of[k as usize] = (self.round, value);
    }
}

/// Memory of the search for overlaps.
#[derive(Debug, Default)]
pub(super) struct OverlapWork {
    pub(super) cuts: Vec<Cut>,
    /// Vertices of A inside B, and of B inside A, ascending.
    pub(super) deep: [Vec<Deep>; 2],
    /// Edges of A that pierce faces of B, and the other way round, ascending.
    pub(super) piercing: [Vec<u32>; 2],
    pub(super) edges: Vec<Contact>,
    /// Where edges of one mesh pierce faces of the other, as parts of their lengths.
    pub(super) pierced: Vec<(u32, f64)>,
    marks: Marks,
    parts: Marks,
    stack: Vec<u32>,
    /// Triangles around a vertex and their normals, in the other's frame.
    own: Vec<([Vec3; 3], Vec3)>,
}

/// How near the other's surface a vertex is neither inside nor outside [-], as a part of the largest coordinates of the pair: well above the rounding of two frames, which is
/// some 1e-15 of them, and well below any overlap that matters.
pub(super) const CLEAR: f64 = 1e-12;

/// How deep in both meshes the place between two edges that reach into each other lies, at least, as a part of their gap [-]; for edges of boxes it is a quarter. Pairs that fail
/// belong to an overlap that is shallower in another direction, as two edges far apart of boxes that only touch.
const BETWEEN: f64 = 0.01;

/// Cosine of the angle between the normals of two faces within which they face the same direction [-]: 1.4e-4 rad.
const SAME: f64 = 1.0 - 1e-8;

/// How far under a face a vertex's surroundings are asked, as a part of how far along it [-]: more than the angle of [`SAME`], less than any wedge worth the name.
const UNDER: f64 = 1e-3;

/// How far from the normal of a face the way to its nearest point ends, at most, as a part of the way [-].
const SQUARE: f64 = 1e-6;

const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;
/// As near the other's surface as rounding can resolve.
const SURFACE: u32 = 2;
/// Regions are numbered from here.
const REGION: u32 = 3;

/// Finds the triangles that cross; into `work.overlap.cuts`, in ascending order.
pub(super) fn find_cuts(
    a: &MeshBody,
    b: &MeshBody,
    at: &Placement,
    open: &mut Vec<Pair>,
    cuts: &mut Vec<Cut>,
) {
    cuts.clear();
    near_leaves(a, b, at, 0.0, open, |pa, pb, x, y| {
        if triangles_cross(x, y) {
            let triangles = [a.triangle(pa), b.triangle(pb)];
            cuts.push(Cut { triangles, piercing: piercing_edges(x, y) });
        }
        false
    });
    cuts.sort_unstable_by_key(|cut| cut.triangles);
}

/// Finds everything about the overlap of two meshes into `work.overlap`, contacts of edges and deep vertices in A's frame or the other's as stated.
///
/// Fails: surfaces that cross, neither of them closed.
pub(super) fn find_overlap(
    a: &MeshBody,
    b: &MeshBody,
    at: &Placement,
    slope: f64,
    work: &mut MeshWork,
) -> Result<(), MeshError> {
    let MeshWork { open, points: nodes, overlap, .. } = work;
    find_cuts(a, b, at, open, &mut overlap.cuts);
    if !overlap.cuts.is_empty() && !a.is_closed() && !b.is_closed() {
        let Err(reason) = a.require_closed() else { return Ok(()) };
        return Err(MeshError::NotClosed { question: DEPTH, reason });
    }
    overlap.deep.iter_mut().for_each(Vec::clear);
    let extent = a.reach() + b.reach() + at.p_AB.norm();
    if b.is_closed() {
        sink(a, b, 0, extent, &|p| at.to_b(p), overlap, nodes);
    }
    if a.is_closed() {
        sink(b, a, 1, extent, &|p| at.to_a(p), overlap, nodes);
    }
    for side in 0..2 {
        let body = [a, b][side];
        let list = &mut overlap.piercing[side];
        list.clear();
        for cut in &overlap.cuts {
            let edges = body.joins().edges_of(cut.triangles[side]);
            list.extend(
                (0..3)
                    .filter(|k| {
                        cut.piercing[side] >> k & 1 == 1
                            && edges[*k] != NO_EDGE
                            && body.joins().is_sharp(edges[*k])
                    })
                    .map(|k| edges[k]),
            );
        }
        list.sort_unstable();
        list.dedup();
    }
    edge_contacts(a, b, at, slope, extent, overlap, nodes);
    Ok(())
}

/// Finds the vertices of `inner` that are inside `outer`, their regions and their nearest surface points.
///
/// Method: vertices of triangles that cross are asked; from those inside, the others follow along edges that cross nothing. Next to a vertex that lies on the surface but for
///   rounding nothing follows: its neighbours are asked as well. A corner in the plane of a face that faces the same direction as one of its own, with the inside of both under it, is measured
///   to the rest of the surface: flush sides do not separate.
/// Tolerance: a vertex farther from the surface than [`CLEAR`] of `extent` [m] is on the side that it is said to be on, so that an overlap of rounding size has no deep vertex.
fn sink(
    inner: &MeshBody,
    outer: &MeshBody,
    side: usize,
    extent: f64,
    to_outer: &dyn Fn(&Vec3) -> Vec3,
    work: &mut OverlapWork,
    nodes: &mut Vec<Pair>,
) {
    let (joins, mesh) = (inner.joins(), inner.mesh());
    let OverlapWork { cuts, deep, marks, parts, stack, own, .. } = work;
    let deep = &mut deep[side];
    let clear = CLEAR * extent;
    marks.begin(mesh.vertices().len());
    parts.begin(joins.parts().len());
    stack.clear();
    let mut ask = |v: u32, marks: &mut Marks, stack: &mut Vec<u32>| {
        if marks.get(v).is_none() {
            let point = to_outer(&mesh.vertices()[v as usize]);
            let mark = if outer.nearest_with(&point, clear, nodes).is_some() {
                SURFACE
            } else if outer.contains_with(&point, nodes) {
                INSIDE
            } else {
                OUTSIDE
            };
            marks.set(v, mark);
            if mark != OUTSIDE {
                stack.push(v);
            }
        }
    };
    // Vertices of triangles that cross are asked one by one.
    for cut in cuts.iter() {
        for v in mesh.triangles()[cut.triangles[side] as usize] {
            let v = joins.vertex(v);
            if let Some(part) = joins.part(v) {
                parts.set(part, 1);
            }
            ask(v, marks, stack);
        }
    }
    // A part that crosses nothing is inside as a whole or not at all.
    for (part, &v) in joins.parts().iter().enumerate() {
        if parts.get(part as u32).is_none() {
            ask(v, marks, stack);
        }
    }
    // From a vertex inside to neighbours that no crossing triangle has: nothing lies between. From one on the surface nothing follows.
    let mut count = 0;
    while count < stack.len() {
        let v = stack[count];
        count += 1;
        for &w in joins.neighbours(v) {
            if marks.get(v) == Some(SURFACE) {
                ask(w, marks, stack);
            } else if marks.get(w).is_none() {
                marks.set(w, INSIDE);
                stack.push(w);
            }
        }
    }
    stack.sort_unstable();
    let solid = inner.is_closed();
    for &v in stack.iter() {
        let point = to_outer(&mesh.vertices()[v as usize]);
        let Some(mut nearest) = outer.nearest_with(&point, f64::INFINITY, nodes) else { continue };
        let mut flush = false;
        // On the surface, faces that it shares with the other are no way out.
        if nearest.distance <= clear && solid && joins.is_corner(v) {
            own.clear();
            own.extend(joins.around(v).iter().filter_map(|&t| {
                let corners = mesh.corners(t as usize).map(|p| to_outer(&p));
                unit_normal(&corners).map(|normal| (corners, normal))
            }));
            let unshared = |face: &[Vec3; 3]| !is_shared(face, &point, own, clear);
            let beyond = outer.nearest_among(&point, nodes, unshared);
            flush = beyond.is_some_and(|beyond| {
                beyond.distance > clear && lies_under(&point, own, beyond.distance, outer, nodes)
            });
            nearest = beyond.filter(|beyond| flush || beyond.distance <= clear).unwrap_or(nearest);
        }
        // What lies on the surface has no depth: which side rounding puts it on says nothing.
        let counts = flush || marks.get(v) == Some(INSIDE);
        marks.set(v, if counts { INSIDE } else { OUTSIDE });
        if counts {
            let outward = way_out(&point, &nearest, outer, slack(extent));
            deep.push(Deep { vertex: v, region: 0, point, nearest, outward, flush });
        }
    }
    // Regions, numbered by their lowest vertices.
    let mut region = REGION;
    let mut ways = std::mem::take(stack);
    for entry in deep.iter_mut() {
        if marks.get(entry.vertex) == Some(INSIDE) {
            ways.clear();
            ways.push(entry.vertex);
            marks.set(entry.vertex, region);
            while let Some(v) = ways.pop() {
                for &w in joins.neighbours(v) {
                    if marks.get(w) == Some(INSIDE) {
                        marks.set(w, region);
                        ways.push(w);
                    }
                }
            }
            region += 1;
        }
        entry.region = marks.get(entry.vertex).unwrap_or(REGION) - REGION;
    }
    *stack = ways;
    leave_out_deeper_flush(deep, region - REGION, clear);
}

/// Leaves out vertices on shared faces that are deeper than every vertex of their region that is clear of all faces: where there are such, they know how deep the region is.
fn leave_out_deeper_flush(deep: &mut Vec<Deep>, regions: u32, clear: f64) {
    if !deep.iter().any(|entry| entry.flush) {
        return;
    }
    for region in 0..regions {
        let own = |entry: &&Deep| entry.region == region && !entry.flush && entry.nearest.distance > clear;
        let known = deep.iter().filter(own).map(|entry| entry.nearest.distance).reduce(f64::max);
        if let Some(known) = known {
            deep.retain(|entry| {
                entry.region != region || !entry.flush || entry.nearest.distance <= known + clear
            });
        }
    }
}

/// Whether a face of the outer mesh holds a point in its plane, within `clear` [m], and faces the direction that one of the point's own faces does: then both bodies lie on one side of it, and
/// leaving through it separates nothing. Faces without area lie in others.
fn is_shared(face: &[Vec3; 3], point: &Vec3, own: &[([Vec3; 3], Vec3)], clear: f64) -> bool {
    let Some(normal) = unit_normal(face) else { return true };
    normal.dot(&(point - face[0])).abs() <= clear && own.iter().any(|(_, n)| n.dot(&normal) > SAME)
}

/// Whether just under one of the faces around a vertex the outer mesh has its inside, so that the two overlap there. Nothing but shared faces is within `beyond` [m] of it.
fn lies_under(
    point: &Vec3,
    own: &[([Vec3; 3], Vec3)],
    beyond: f64,
    outer: &MeshBody,
    nodes: &mut Vec<Pair>,
) -> bool {
    own.iter().any(|(corners, normal)| {
        let into = (corners[0] + corners[1] + corners[2]) / 3.0 - point;
        let length = into.norm();
        let step = (0.25 * beyond).min(length);
        let under = point + into * (step / length) - normal * (UNDER * step);
        outer.contains_with(&under, nodes)
    })
}

/// The unit direction from a point inside a mesh to the nearest of its surface. Where that is no farther than `room` [m], the line between them is rounding: the face says it.
fn way_out(point: &Vec3, nearest: &NearestOnMesh, outer: &MeshBody, room: f64) -> Vec3 {
    let face = || unit_normal(&outer.mesh().corners(nearest.triangle as usize));
    if nearest.distance > room {
        (nearest.point - point) / nearest.distance
    } else {
        face().unwrap_or_else(Vec3::z)
    }
}

impl Deep {
    /// Returns the vertex measured to the nearest face out of which it leads its own mesh; none where there is no such face. The nearest face of all is none where the two bodies have sides that are
    /// nearly flush: moved out of that side, the vertex would take its own body deeper.
    pub(super) fn through_leading_face(
        &self,
        inner: &MeshBody,
        outer: &MeshBody,
        to_inner: impl Fn(&Vec3) -> Vec3,
        slope: f64,
        nodes: &mut Vec<Pair>,
    ) -> Option<Self> {
        let leads = |out: &Vec3| {
            inner.joins().vertex_leads(inner.mesh().vertices(), self.vertex, &-to_inner(out), slope)
        };
        let nearest = outer
            .nearest_among(&self.point, nodes, |face| unit_normal(face).is_some_and(|out| leads(&out)))?;
        let outward = unit_normal(&outer.mesh().corners(nearest.triangle as usize))?;
        // A foot beside the face is on an edge, out of which nothing is known to lead; on a side that is flush to rounding it is both.
        let room = SQUARE * nearest.distance + 2.0 * CLEAR * (inner.reach() + outer.reach());
        let is_square = (nearest.point - self.point - outward * nearest.distance).norm() <= room;
        is_square.then_some(Self { nearest, outward, ..*self })
    }
}

/// The contact of a deep vertex, in the frame of the mesh that it is inside of, with its own mesh as A.
pub(super) fn deep_contact(deep: &Deep, inner: &MeshBody, outer: &MeshBody) -> Contact {
    let NearestOnMesh { point, distance, triangle, held } = deep.nearest;
    let id = ContactId {
        a: Feature::Vertex(inner.joins().vertex(deep.vertex)),
        b: outer.joins().settled(outer.joins().feature(outer.mesh(), triangle, held)),
    };
    Contact { gap: -distance, normal: -deep.outward, point_a: deep.point, point_b: point, id }
}

/// A place between two edges that reach into each other, in A's frame: the middle, moved along each edge into the other's body by up to a quarter of the gap, as faces along the
/// normal have the middle on them.
fn between_edges(a: &MeshBody, b: &MeshBody, at: &Placement, contact: &Contact) -> Vec3 {
    let middle = 0.5 * (contact.point_a + contact.point_b);
    let (Feature::Edge(e), Feature::Edge(f)) = (contact.id.a, contact.id.b) else { return middle };
    let in_a = |v: u32| a.mesh().vertices()[v as usize];
    let of_b = |v: u32| at.to_a(&b.mesh().vertices()[v as usize]);
    let along = |[p, q]: [Vec3; 2]| (q - p).normalize();
    let (along_a, along_b) = (along(a.joins().edge(e).map(in_a)), along(b.joins().edge(f).map(of_b)));
    // The sum of the unit ways from an edge into its faces, square to it.
    let into = |ways: &mut dyn Iterator<Item = Vec3>, along: &Vec3| {
        ways.map(|way| (way - along * way.dot(along)).try_normalize(0.0).unwrap_or_else(Vec3::zeros))
            .fold(Vec3::zeros(), |sum, way| sum + way)
    };
    let into_a =
        into(&mut a.joins().opposite(e).iter().map(|v| in_a(*v) - in_a(a.joins().edge(e)[0])), &along_a);
    let into_b =
        into(&mut b.joins().opposite(f).iter().map(|v| of_b(*v) - of_b(b.joins().edge(f)[0])), &along_b);
    // Along the other's edge nothing changes for the other; edges that pair up are not parallel.
    let move_in = |into: &Vec3, own: &Vec3, other: &Vec3| {
        let square = other - own * other.dot(own);
        other * (0.5 * into.dot(&square) / square.norm_squared())
    };
    let moved = move_in(&into_a, &along_a, &along_b) + move_in(&into_b, &along_b, &along_a);
    middle + moved * (0.5 * contact.gap.abs())
}

/// Pairs of edges that reach into each other: each pierces a face of the other mesh, both surfaces fall away, and what lies between them is inside of both. Of several
/// in one place the shallowest.
fn edge_contacts(
    a: &MeshBody,
    b: &MeshBody,
    at: &Placement,
    slope: f64,
    extent: f64,
    work: &mut OverlapWork,
    nodes: &mut Vec<Pair>,
) {
    let OverlapWork { cuts, piercing, edges, .. } = work;
    edges.clear();
    let mut between = |contact: &Contact| {
        let middle = between_edges(a, b, at, contact);
        let far = BETWEEN * contact.gap.abs();
        let mut inside = |body: &MeshBody, p: &Vec3| {
            !body.is_closed() || (body.nearest_with(p, far, nodes).is_none() && body.contains_with(p, nodes))
        };
        contact.gap.abs() <= slack(extent) || (inside(a, &middle) && inside(b, &at.to_b(&middle)))
    };
    for cut in cuts.iter() {
        // Beside the end of an edge the other pierces the next triangle of the same face.
        let piercing = &*piercing;
        let [of_a, of_b] = [(a, 0), (b, 1)].map(|(body, side): (&MeshBody, usize)| {
            let edges = body.joins().edges_of_face(cut.triangles[side]);
            edges.filter(move |e| piercing[side].binary_search(e).is_ok())
        });
        for e in of_a {
            for f in of_b.clone() {
                edges.extend(edge_pair(a, e, b, f, at, true, slope).filter(&mut between));
            }
        }
    }
    edges.sort_unstable_by(|x, y| x.id.cmp(&y.id).then(y.gap.total_cmp(&x.gap)));
    edges.dedup_by_key(|contact| contact.id);
    keep_shallowest_of_near(edges);
}

/// Leaves out pairs of edges that share an edge with a shallower pair, when the two places are nearer to each other than the deeper one is deep: both are one place in which the bodies overlap,
/// and the shallower pair is the way out. Places farther apart stay, however many pairs an edge is in, so that the contacts are those of the touching bodies.
fn keep_shallowest_of_near(edges: &mut Vec<Contact>) {
    let middle = |contact: &Contact| 0.5 * (contact.point_a + contact.point_b);
    edges.sort_unstable_by(|x, y| y.gap.total_cmp(&x.gap).then(x.id.cmp(&y.id)));
    let mut kept = 0;
    for k in 0..edges.len() {
        let own = edges[k];
        let is_near = |other: &Contact| {
            (other.id.a == own.id.a || other.id.b == own.id.b)
                && (middle(other) - middle(&own)).norm() <= own.gap.abs()
        };
        if !edges[..kept].iter().any(is_near) {
            edges[kept] = own;
            kept += 1;
        }
    }
    edges.truncate(kept);
}

/// Leaves the shallowest pair of each edge: of edges that reach into each other one pair stands for a region.
fn keep_one_of_each_edge(edges: &mut Vec<Contact>) {
    let by = |key: fn(&Contact) -> Feature| {
        move |x: &Contact, y: &Contact| {
            key(x).cmp(&key(y)).then(y.gap.total_cmp(&x.gap)).then(x.id.cmp(&y.id))
        }
    };
    edges.sort_unstable_by(by(|contact| contact.id.a));
    edges.dedup_by_key(|contact| contact.id.a);
    edges.sort_unstable_by(by(|contact| contact.id.b));
    edges.dedup_by_key(|contact| contact.id.b);
}

/// The regions in which two meshes overlap, each with its deepest point; none where they are apart. In ascending order of their ids; `overlaps` is filled anew.
///
/// Computes: for each connected set of vertices of one mesh inside the other, the deepest: its gap is less the distance to the nearest point of the other's surface, and the normal
///   is from A to B there. Where edges cross and no vertex of the triangles around is inside, the two edges. It is a local depth, not the shortest separating translation of the whole overlap.
/// Frames: poses and answer in the world.
///   Faces that both share, in one plane within 1e-12 of the extent and facing the same direction, are left out.
/// Tolerance: gaps to 1e-14 of the extent. A region without vertices inside whose edges do not pair up is measured by the middle of an edge's part inside.
/// Fails: `NotClosed` where the surfaces cross and neither is closed. Of one closed and one open mesh, the open one's vertices are measured.
pub fn mesh_overlaps_into(
    a: &MeshBody,
    pose_a: &Pose,
    b: &MeshBody,
    pose_b: &Pose,
    work: &mut MeshWork,
    overlaps: &mut Vec<Overlap>,
) -> Result<(), MeshError> {
    overlaps.clear();
    let at = Placement::new(pose_a, pose_b);
    find_overlap(a, b, &at, super::contacts::DEFAULT_SLOPE, work)?;
    let overlap = &mut work.overlap;
    for side in 0..2 {
        let deep = &overlap.deep[side];
        let regions = deep.iter().map(|d| d.region + 1).max().unwrap_or(0);
        for region in 0..regions {
            let mut members = deep.iter().filter(|d| d.region == region);
            let vertices = members.clone().count() as u32;
            let Some(first) = members.next() else { continue };
            let deepest = members
                .fold(first, |best, d| if d.nearest.distance > best.nearest.distance { d } else { best });
            let contact = placed_deep(deepest, a, b, side, &at);
            overlaps.push(Overlap { contact, vertices });
        }
    }
    // Edges whose surroundings are in no region.
    let near_region = |contact: &Contact| {
        let inside = |side: usize, feature: Feature| {
            let body = [a, b][side];
            let Feature::Edge(e) = feature else { return false };
            let ends = body.joins().edge(e);
            let around = ends.into_iter().chain(body.joins().opposite(e).iter().copied());
            around.into_iter().any(|v| overlap.deep[side].binary_search_by_key(&v, |d| d.vertex).is_ok())
        };
        inside(0, contact.id.a) || inside(1, contact.id.b)
    };
    let mut lone: Vec<Contact> =
        overlap.edges.iter().filter(|contact| !near_region(contact)).copied().collect();
    keep_one_of_each_edge(&mut lone);
    overlaps.extend(lone.into_iter().map(|contact| Overlap { contact: to_world(contact, &at), vertices: 0 }));
    if overlaps.is_empty() && !overlap.cuts.is_empty() {
        let contact = super::contacts::last_resort(a, b, &at, overlap, &mut work.points);
        overlaps.push(Overlap { contact: to_world(contact, &at), vertices: 0 });
    }
    overlaps.sort_unstable_by(|x, y| {
        x.contact.id.cmp(&y.contact.id).then(x.contact.gap.total_cmp(&y.contact.gap))
    });
    Ok(())
}

/// A deep vertex as a contact of A and B in the world.
pub(super) fn placed_deep(deep: &Deep, a: &MeshBody, b: &MeshBody, side: usize, at: &Placement) -> Contact {
    if side == 0 {
        let contact = deep_contact(deep, a, b);
        let turned = Contact {
            normal: at.R_AB * contact.normal,
            point_a: at.to_a(&contact.point_a),
            point_b: at.to_a(&contact.point_b),
            ..contact
        };
        to_world(turned, at)
    } else {
        to_world(deep_contact(deep, b, a).swapped(), at)
    }
}

/// A contact in A's frame, in the world.
pub(super) fn to_world(contact: Contact, at: &Placement) -> Contact {
    let normal = at.turn_to_world(&contact.normal);
    let point_a = at.to_world_point(&contact.point_a);
    Contact { normal, point_a, point_b: point_a + normal * contact.gap, ..contact }
}
