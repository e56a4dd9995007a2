//! Contacts of meshes: local minima of the distance, and local depths where they overlap.
//!
//! In: two bodies, at least one a mesh, and how near is near. Out: contacts in the world, each with its own normal, in ascending order of their ids. The same features give
//! the same id from step to step.

use zerogap_core::math::unit_normal;
use zerogap_core::{Contact, ContactId, Feature, Pose, Vec3};

use super::body::MeshBody;
use super::convex::convex_contacts;
use super::distance::{MeshWork, surface_distance};
use super::error::MeshError;
use super::half_space::half_space_contacts;
use super::heap::Pair;
use super::join::{Joins, NO_EDGE};
use super::operand::MeshOperand;
use super::overlap::{Deep, OverlapWork, find_overlap, placed_deep, to_world};
use super::pairs::near_leaves;
use super::question::MeshDistanceParams;
use super::triangle::{TrianglePair, nearer_than};
use crate::ProximityError;
use crate::convex::{Placement, nearest_on_segments, slack};
use zerogap_geometry::nearest::on_triangle;

/// Sine of the usual angle by which a surface may rise beside a contact [-].
pub(super) const DEFAULT_SLOPE: f64 = 0.02;

/// Sine of the angle below which two edges are as good as parallel: their ends make the contacts [-].
const PARALLEL: f64 = 0.02;

/// Cosine of the angle to a face's normal within which a contact is square to it [-]: rounding of near points, no more.
const SQUARE: f64 = 1.0 - 1e-8;

/// What is asked of the contacts of meshes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshContactParams {
    /// Contacts up to this gap count [m].
    pub within: f64,
    /// Sine of the angle by which a surface may rise towards the other beside a contact [-]: 0 for local minima alone; a little keeps the contacts of a face that tilts.
    pub slope: f64,
}

impl Default for MeshContactParams {
    fn default() -> Self {
        Self { within: 1e-3, slope: DEFAULT_SLOPE }
    }
}

impl MeshContactParams {
    /// The usual settings, with contacts up to this gap [m].
    pub fn within(within: f64) -> Self {
        Self { within, ..Self::default() }
    }
}

/// Where two bodies touch, nearly do or overlap; at least one of them is a mesh.
///
/// Computes: every pair of features (corner on face, edge or corner; edge across edge) whose distance is a local minimum and at most `within`; where closed meshes
///   overlap, the corners inside the other that lead into it, the deepest of each region, and edges that reach into each other, with negative gaps. Always
///   `point_b - point_a = gap * normal`; each contact has a normal of its own.
/// Frames: poses and answer in the world.
/// Method: triangles within reach from the hierarchy; a feature counts where its surface falls away from the other along the normal. Corners inside flat parts and straight
///   edges are left out: the corners of the part stand for them.
/// Tolerance: gaps to 1e-14 of the extent. A depth is the distance to the nearest point of the other's surface: right for overlaps that are small against the parts of the mesh.
/// Cost: in proportion to the triangles within reach; nothing is allocated after the first queries.
/// Fails: `NotClosed` where surfaces cross and neither is closed; `BothUnbounded`, `NotConvex` where neither is a mesh.
/// Order: ascending ids; `contacts` is filled anew. Where anything is within reach there is at least one contact.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::parts;
/// use zerogap_proximity::mesh::{MeshBody, MeshContactParams, MeshWork, mesh_contacts_into};
///
/// let cube = MeshBody::new(parts::by_name("box", &[("width", "1 m"), ("depth", "1 m"), ("height", "1 m")])?);
/// let (mut work, mut contacts) = (MeshWork::default(), Vec::new());
/// // One cube on another, 1 mm too deep: four corners, each that deep.
/// let above = Pose::from_translation(Vec3::new(0.2, 0.1, 0.999))?;
/// let here = Pose::identity();
/// mesh_contacts_into((&cube).into(), &here, (&cube).into(), &above, &MeshContactParams::default(), &mut work, &mut contacts)?;
/// assert!(contacts.len() >= 4);
/// assert!(contacts.iter().all(|contact| (contact.gap + 0.001).abs() < 1e-12 && contact.normal.z > 0.99));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mesh_contacts_into(
    a: MeshOperand<'_>,
    pose_a: &Pose,
    b: MeshOperand<'_>,
    pose_b: &Pose,
    params: &MeshContactParams,
    work: &mut MeshWork,
    contacts: &mut Vec<Contact>,
) -> Result<(), MeshError> {
    contacts.clear();
    let how = (params.within, params.slope);
    match (a, b) {
        (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) => {
            mesh_mesh(a, pose_a, b, pose_b, params, work, contacts)?;
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Mesh(b)) => {
            half_space_contacts(a, pose_a, b, pose_b, how, work, contacts);
        }
        (MeshOperand::Mesh(a), MeshOperand::HalfSpace(b)) => {
            half_space_contacts(b, pose_b, a, pose_a, how, work, contacts);
            swap(contacts);
        }
        (MeshOperand::Mesh(a), MeshOperand::Convex(b)) => {
            convex_contacts(a, pose_a, b, pose_b, how, work, contacts);
        }
        (MeshOperand::Convex(a), MeshOperand::Mesh(b)) => {
            convex_contacts(b, pose_b, a, pose_a, how, work, contacts);
            swap(contacts);
            contacts.sort_unstable_by_key(|contact| contact.id);
        }
        (MeshOperand::HalfSpace(_), MeshOperand::HalfSpace(_)) => {
            return Err(ProximityError::BothUnbounded.into());
        }
        _ => return Err(ProximityError::NoMesh.into()),
    }
    Ok(())
}

/// The same contacts seen from B.
fn swap(contacts: &mut [Contact]) {
    for contact in contacts {
        *contact = contact.swapped();
    }
}

fn mesh_mesh(
    a: &MeshBody,
    pose_a: &Pose,
    b: &MeshBody,
    pose_b: &Pose,
    params: &MeshContactParams,
    work: &mut MeshWork,
    contacts: &mut Vec<Contact>,
) -> Result<(), MeshError> {
    let at = Placement::new(pose_a, pose_b);
    let room = slack(a.reach() + b.reach() + at.p_AB.norm());
    find_overlap(a, b, &at, params.slope, work)?;
    let MeshWork { open, points: nodes, overlap, .. } = work;
    // Pairs of features of triangles within reach.
    let mut near = false;
    near_leaves(a, b, &at, params.within, open, |pa, pb, x, y| {
        let found = nearer_than(x, y, params.within).filter(|found| found.distance <= params.within);
        if let Some(TrianglePair { distance, .. }) = found {
            near = true;
            let pair = Features { a, b, at: &at, triangles: [a.triangle(pa), b.triangle(pb)], params, room };
            pair.offer(x, y, distance, contacts);
        }
        false
    });
    // A vertex inside the other has a depth and no distance.
    let deep = |side: usize, feature: Feature| match feature {
        Feature::Vertex(v) => overlap.deep[side]
            .binary_search_by_key(&v, |d| d.vertex)
            .is_ok_and(|k| overlap.deep[side][k].nearest.distance > room),
        _ => false,
    };
    contacts.retain(|contact| !deep(0, contact.id.a) && !deep(1, contact.id.b));
    for contact in contacts.iter_mut() {
        *contact = to_world(*contact, &at);
    }
    for side in 0..2 {
        let (inner, outer, deep) = ([a, b][side], [b, a][side], &overlap.deep[side]);
        // From the frame of the mesh that a vertex is inside of to that of its own.
        let to_inner = |v: &Vec3| if side == 0 { at.R_AB * v } else { at.R_AB.tr_mul(v) };
        let joins = inner.joins();
        for (k, entry) in deep.iter().enumerate() {
            let leads = |entry: &Deep| {
                joins.vertex_leads(
                    inner.mesh().vertices(),
                    entry.vertex,
                    &-to_inner(&entry.outward),
                    params.slope,
                )
            };
            let is_corner = joins.is_corner(entry.vertex);
            // The end of a notch leads nowhere that the corners around it do not: it has no other way out than the nearest. A face that the two surfaces do not cross in is of another place, however far away.
            let is_crossed =
                |triangle: u32| overlap.cuts.iter().any(|cut| cut.triangles[1 - side] == triangle);
            let through = if is_corner && !leads(entry) && joins.is_convex_at(inner.mesh(), entry.vertex) {
                let through = entry.through_leading_face(inner, outer, to_inner, params.slope, nodes);
                through.filter(|deep| is_crossed(deep.nearest.triangle))
            } else {
                None
            };
            if is_corner && leads(entry) || through.is_some() || is_deepest(deep, k) {
                contacts.push(placed_deep(through.as_ref().unwrap_or(entry), a, b, side, &at));
            }
        }
    }
    contacts.extend(overlap.edges.iter().map(|contact| to_world(*contact, &at)));
    if contacts.is_empty() && !overlap.cuts.is_empty() {
        contacts.push(to_world(last_resort(a, b, &at, overlap, nodes), &at));
    } else if contacts.is_empty() && near {
        // Within reach, but no feature led: the nearest points are a contact all the same.
        let found = surface_distance(a, pose_a, b, pose_b, &MeshDistanceParams::default(), work);
        let id = ContactId {
            a: a.joins().settled(a.joins().feature(a.mesh(), found.triangles[0], found.held[0])),
            b: b.joins().settled(b.joins().feature(b.mesh(), found.triangles[1], found.held[1])),
        };
        let point_b = found.point_a + found.normal * found.gap;
        contacts.push(Contact { gap: found.gap, normal: found.normal, point_a: found.point_a, point_b, id });
    }
    contacts.sort_unstable_by(|x, y| x.id.cmp(&y.id).then(x.gap.total_cmp(&y.gap)));
    contacts.dedup_by_key(|contact| contact.id);
    Ok(())
}

/// Whether a deep vertex is the deepest of its region, the first of several.
fn is_deepest(all: &[Deep], k: usize) -> bool {
    let own = &all[k];
    all.iter().enumerate().all(|(j, other)| {
        other.region != own.region
            || other.nearest.distance < own.nearest.distance
            || (other.nearest.distance <= own.nearest.distance && k <= j)
    })
}

/// Two triangles within reach, whose features are evaluated.
struct Features<'f> {
    a: &'f MeshBody,
    b: &'f MeshBody,
    at: &'f Placement,
    triangles: [u32; 2],
    params: &'f MeshContactParams,
    room: f64,
}

impl Features<'_> {
    /// Adds the features of two triangles, given in A's frame and so far apart [m], that are local minima, in A's frame.
    ///
    /// All triangles on an edge or around a corner are as near as it is: the first of them stands for it. Where triangles touch, each has its own say about the normal.
    fn offer(&self, x: &[Vec3; 3], y: &[Vec3; 3], distance: f64, contacts: &mut Vec<Contact>) {
        let (ja, jb) = (self.a.joins(), self.b.joins());
        let mask = |held: [bool; 3]| (0..3).map(|k| u8::from(held[k]) << k).sum::<u8>();
        let [of_a, of_b] = self.triangles;
        let (is_near, touch) = (|gap: f64| gap <= self.params.within, distance <= self.room);
        for k in 0..3 {
            let corner = ja.vertex(self.a.mesh().triangles()[of_a as usize][k]);
            if ja.is_corner(corner) && (touch || ja.first_triangle_around(corner) == of_a) {
                let on = on_triangle(y, &x[k]);
                if is_near((on.point - x[k]).norm()) {
                    let other = jb.settled(jb.feature(self.b.mesh(), of_b, mask(on.held_by)));
                    self.judge(Feature::Vertex(corner), x[k], other, on.point, (x, y), contacts);
                }
            }
            let corner = jb.vertex(self.b.mesh().triangles()[of_b as usize][k]);
            if jb.is_corner(corner) && (touch || jb.first_triangle_around(corner) == of_b) {
                let on = on_triangle(x, &y[k]);
                if is_near((on.point - y[k]).norm()) {
                    let other = ja.settled(ja.feature(self.a.mesh(), of_a, mask(on.held_by)));
                    self.judge(other, on.point, Feature::Vertex(corner), y[k], (x, y), contacts);
                }
            }
        }
        let own = |joins: &Joins, e: u32, t: u32| {
            e != NO_EDGE && joins.is_sharp(e) && joins.first_triangle_on(e) == t
        };
        for e in ja.edges_of(of_a).into_iter().filter(|e| own(ja, *e, of_a)) {
            for f in jb.edges_of(of_b).into_iter().filter(|f| own(jb, *f, of_b)) {
                let found = edge_pair(self.a, e, self.b, f, self.at, false, self.params.slope);
                contacts.extend(found.filter(|contact| is_near(contact.gap)));
            }
        }
    }

    /// Adds a corner against a feature where both surfaces fall away from each other.
    fn judge(
        &self,
        a: Feature,
        p: Vec3,
        b: Feature,
        q: Vec3,
        (x, y): (&[Vec3; 3], &[Vec3; 3]),
        contacts: &mut Vec<Contact>,
    ) {
        let (way, gap) = (q - p, (q - p).norm());
        let (of_a, of_b) = (unit_normal(x), unit_normal(y));
        // Where they touch, the line between them says nothing: the faces do.
        let normals: [Option<Vec3>; 3] = if gap > self.room {
            [Some(way / gap), None, None]
        } else if matches!(b, Feature::Face(_)) {
            [of_b.map(|n| -n), of_a, None]
        } else {
            [of_a, of_b.map(|n| -n), None]
        };
        for n in normals.into_iter().flatten() {
            // From inside a closed mesh its surface is reached along its normal: that is a depth, and none of ours.
            // And a face is met square to it; beside it, another feature is.
            let outside = |face: Option<Vec3>, closed: bool, n: &Vec3| {
                face.is_none_or(|f| f.dot(n).abs() > SQUARE && (!closed || f.dot(n) < 0.0))
            };
            let fair_b = !matches!(b, Feature::Face(_)) || outside(of_b, self.b.is_closed(), &n);
            let fair_a = !matches!(a, Feature::Face(_)) || outside(of_a, self.a.is_closed(), &-n);
            let slope = self.params.slope;
            let in_b = self.at.R_AB.tr_mul(&n);
            if fair_a
                && fair_b
                && self.a.joins().leads(self.a.mesh().vertices(), a, &n, slope)
                && self.b.joins().leads(self.b.mesh().vertices(), b, &-in_b, slope)
            {
                contacts.push(Contact { gap, normal: n, point_a: p, point_b: q, id: ContactId { a, b } });
                return;
            }
        }
    }
}

/// The contact of an edge of A and one of B that pass each other, in A's frame, where both surfaces fall away from it; `inside` for edges that reach into each other.
pub(super) fn edge_pair(
    a: &MeshBody,
    e: u32,
    b: &MeshBody,
    f: u32,
    at: &Placement,
    inside: bool,
    slope: f64,
) -> Option<Contact> {
    if e == NO_EDGE || f == NO_EDGE {
        return None;
    }
    let p = a.joins().edge(e).map(|v| a.mesh().vertices()[v as usize]);
    let q = b.joins().edge(f).map(|v| at.to_a(&b.mesh().vertices()[v as usize]));
    let (along_a, along_b) = (p[1] - p[0], q[1] - q[0]);
    let across = along_a.cross(&along_b);
    let crossed = across.norm() > PARALLEL * along_a.norm() * along_b.norm();
    if !crossed {
        return None;
    }
    // Most pairs of edges do not lead out of both surfaces along either direction across them; that is quickly found.
    let across = across / across.norm();
    let leads = |n: Vec3| {
        a.joins().edge_leads(a.mesh().vertices(), e, &n, slope)
            && b.joins().edge_leads(b.mesh().vertices(), f, &-at.R_AB.tr_mul(&n), slope)
    };
    let (along, against) = (leads(across), leads(-across));
    if !along && !against {
        return None;
    }
    let near = nearest_on_segments(&p, &q);
    let between = |point: &Vec3, ends: &[Vec3; 2]| *point != ends[0] && *point != ends[1];
    if !between(&near.point_a, &p) || !between(&near.point_b, &q) {
        return None;
    }
    // From A to B: along the way apart, against it inside. Where they touch, both are tried.
    let is_along = (across.dot(&(near.point_b - near.point_a)) >= 0.0) != inside;
    let touch = near.gap <= slack(a.reach() + b.reach() + at.p_AB.norm());
    let normal = match (along && (is_along || touch), against && (!is_along || touch)) {
        (true, true) => across * if is_along { 1.0 } else { -1.0 },
        (true, false) => across,
        (false, true) => -across,
        (false, false) => return None,
    };
    let gap = if inside { -near.gap } else { near.gap };
    let id = ContactId { a: Feature::Edge(e), b: Feature::Edge(f) };
    Some(Contact { gap, normal, point_a: near.point_a, point_b: near.point_a + normal * gap, id })
}

/// Surfaces that cross, with no vertex inside and no edges that pair up, as those of a rod through a plate: the middle of the part of an edge that is inside, where it is deepest,
/// measured to the other's surface; in A's frame.
pub(super) fn last_resort(
    a: &MeshBody,
    b: &MeshBody,
    at: &Placement,
    work: &mut OverlapWork,
    nodes: &mut Vec<Pair>,
) -> Contact {
    let cut = &work.cuts[0];
    let (x, y) = (
        a.mesh().corners(cut.triangles[0] as usize),
        b.mesh().corners(cut.triangles[1] as usize).map(|p| at.to_a(&p)),
    );
    let normal = unit_normal(&y).map(|n| -n).or_else(|| unit_normal(&x)).unwrap_or_else(Vec3::z);
    let touch = nearer_than(&x, &y, f64::INFINITY).map_or(x[0], |pair| pair.point_a);
    let id = ContactId { a: Feature::Face(cut.triangles[0]), b: Feature::Face(cut.triangles[1]) };
    let mut best = Contact { gap: 0.0, normal, point_a: touch, point_b: touch, id };
    for side in 0..2 {
        let (inner, outer) = ([a, b][side], [b, a][side]);
        if !outer.is_closed() {
            continue;
        }
        let ends_of = |e: u32| {
            let ends = inner.joins().edge(e).map(|v| inner.mesh().vertices()[v as usize]);
            ends.map(|p| if side == 0 { at.to_b(&p) } else { at.to_a(&p) })
        };
        list_pierced(work, side, inner, outer, &ends_of);
        for pair in work.pierced.windows(2) {
            let ((e, from), (f, to)) = (pair[0], pair[1]);
            if e != f {
                continue;
            }
            let ends = ends_of(e);
            let there = ends[0] + (ends[1] - ends[0]) * (0.5 * (from + to));
            if !outer.contains_with(&there, nodes) {
                continue;
            }
            let Some(found) = outer.nearest_with(&there, f64::INFINITY, nodes) else { continue };
            if found.distance > -best.gap {
                let feature = outer.joins().feature(outer.mesh(), found.triangle, found.held);
                let own = Contact {
                    gap: -found.distance,
                    normal: (there - found.point) / found.distance,
                    point_a: there,
                    point_b: found.point,
                    id: ContactId { a: Feature::Edge(e), b: outer.joins().settled(feature) },
                };
                best = if side == 0 {
                    Contact {
                        normal: at.R_AB * own.normal,
                        point_a: at.to_a(&own.point_a),
                        point_b: at.to_a(&own.point_b),
                        ..own
                    }
                } else {
                    own.swapped()
                };
            }
        }
    }
    best
}

/// Lists where the sharp edges of one mesh pierce faces of the other, with both ends of each, edge by edge and in order along it.
fn list_pierced(
    work: &mut OverlapWork,
    side: usize,
    inner: &MeshBody,
    outer: &MeshBody,
    ends_of: &impl Fn(u32) -> [Vec3; 2],
) {
    let OverlapWork { cuts, piercing, pierced, .. } = work;
    pierced.clear();
    pierced.extend(piercing[side].iter().flat_map(|&e| [(e, 0.0), (e, 1.0)]));
    for cut in cuts.iter() {
        let edges = inner.joins().edges_of(cut.triangles[side]);
        let face = outer.mesh().corners(cut.triangles[1 - side] as usize);
        let Some(normal) = unit_normal(&face) else { continue };
        for (k, &e) in edges.iter().enumerate() {
            if cut.piercing[side] >> k & 1 == 0 || piercing[side].binary_search(&e).is_err() {
                continue;
            }
            let [from, to] = ends_of(e).map(|p| normal.dot(&(p - face[0])));
            let part = from / (from - to);
            if part > 0.0 && part < 1.0 {
                pierced.push((e, part));
            }
        }
    }
    pierced.sort_unstable_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)));
    pierced.dedup();
}
