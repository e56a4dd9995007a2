//! From triangles as they come to triangles that form a complex: welded, without flat or repeated ones, split into parts, each with its side.
//!
//! In: vertices and triangles. Out: the same with what was changed, by number. A clean mesh passes unchanged, numbers included.

use zerogap_core::Vec3;

use super::report::{ComplexReport, PartKind, PartReport};
use super::{ComplexError, ComplexOptions, Treatment};
use crate::TriangleMesh;
use crate::mesh::edges::{Edges, is_collapsed, shells};
use crate::mesh::orient::orient;
use crate::mesh::topology::is_degenerate;
use crate::mesh::weld;

/// Rounds of mending triangles without area: one flipped edge may flatten the next triangle.
const MENDING_ROUNDS: usize = 8;

/// Triangles fit for a complex.
pub(super) struct Prepared {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The number that the caller gave each triangle.
    pub(super) sources: Vec<u32>,
    /// The part that each triangle belongs to.
    pub(super) part_of: Vec<u32>,
    /// Welded vertex of each vertex that the caller gave.
    pub(super) welded: Vec<u32>,
}

/// Welds, mends, drops, turns and sorts into parts; `report` takes what was done.
pub(super) fn prepare(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    options: &ComplexOptions,
    report: &mut ComplexReport,
) -> Result<Prepared, ComplexError> {
    let weld = weld::exact(vertices);
    report.welded_vertices = vertices.len() - weld.kept.len();
    let points: Vec<Vec3> = weld.kept.iter().map(|&v| vertices[v as usize]).collect();
    let mut faces: Vec<([u32; 3], u32)> = Vec::with_capacity(triangles.len());
    for (source, &corners) in triangles.iter().enumerate() {
        let corners = weld.triangle(corners);
        if is_collapsed(corners) {
            report.collapsed.push(source as u32);
        } else {
            faces.push((corners, source as u32));
        }
    }
    if options.refuse_degenerate {
        refuse_degenerate(&points, &faces, report)?;
    }
    mend(&points, &mut faces, report);
    drop_repeated(&mut faces, report);

    let mut mesh = TriangleMesh::from_parts(points, faces.iter().map(|(corners, _)| *corners).collect());
    if options.treatment != Treatment::Shell && !faces.is_empty() {
        report.turned = orient(&mut mesh).flipped;
    }
    let sources: Vec<u32> = faces.iter().map(|(_, source)| *source).collect();
    let part_of = sort_into_parts(&mesh, &sources, options, report)?;
    let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    Ok(Prepared { vertices, triangles, sources, part_of, welded: weld.of_vertex })
}

/// The corner positions of a triangle.
fn corners(points: &[Vec3], triangle: [u32; 3]) -> [Vec3; 3] {
    triangle.map(|v| points[v as usize])
}

/// Fails at the first triangle without area.
fn refuse_degenerate(
    points: &[Vec3],
    faces: &[([u32; 3], u32)],
    report: &ComplexReport,
) -> Result<(), ComplexError> {
    let mut flat: Vec<u32> = faces
        .iter()
        .filter(|(triangle, _)| is_degenerate(&corners(points, *triangle)))
        .map(|(_, source)| *source)
        .chain(report.collapsed.iter().copied())
        .collect();
    flat.sort_unstable();
    match flat.first() {
        Some(&triangle) => Err(ComplexError::DegenerateTriangle { triangle, count: flat.len() }),
        None => Ok(()),
    }
}

/// Mends triangles whose middle corner lies on their longest side: that side is flipped, and the neighbour gets the corner.
///
/// Dropping such a triangle would open a crack between its neighbours. What cannot be mended is dropped.
fn mend(points: &[Vec3], faces: &mut Vec<([u32; 3], u32)>, report: &mut ComplexReport) {
    for _ in 0..MENDING_ROUNDS {
        let flat: Vec<usize> =
            (0..faces.len()).filter(|&t| is_degenerate(&corners(points, faces[t].0))).collect();
        if flat.is_empty() {
            break;
        }
        let triangles: Vec<[u32; 3]> = faces.iter().map(|(triangle, _)| *triangle).collect();
        let edges = Edges::new(&triangles);
        let mut sides: Vec<(u64, u32)> = Vec::new();
        for run in edges.iter() {
            sides.extend(run.iter().map(|side| (key(side.points()), side.triangle)));
        }
        let mut touched = vec![false; faces.len()];
        let mut mended = false;
        for &t in &flat {
            if touched[t] {
                continue;
            }
            let Some((other, pair)) = turned_edge(points, &triangles, &sides, t) else { continue };
            if touched[other] {
                continue;
            }
            [faces[t].0, faces[other].0] = pair;
            (touched[t], touched[other], mended) = (true, true, true);
            report.mended.push(faces[t].1);
        }
        if !mended {
            break;
        }
    }
    let dropped = &mut report.dropped;
    faces.retain(|(triangle, source)| {
        let flat = is_degenerate(&corners(points, *triangle));
        if flat {
            dropped.push(*source);
        }
        !flat
    });
    // A triangle whose side was flipped and that was then dropped is not mended.
    let dropped = &report.dropped;
    report.mended.sort_unstable();
    report.mended.dedup();
    report.mended.retain(|source| !dropped.contains(source));
}

/// An edge as one number that sorts as the pair does.
fn key([a, b]: [u32; 2]) -> u64 {
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

/// The neighbour across the longest side of a flat triangle, and both triangles after that side was flipped; none where that does not help.
fn turned_edge(
    points: &[Vec3],
    triangles: &[[u32; 3]],
    sides: &[(u64, u32)],
    t: usize,
) -> Option<(usize, [[u32; 3]; 2])> {
    let triangle = triangles[t];
    let length =
        |k: usize| (points[triangle[(k + 1) % 3] as usize] - points[triangle[k] as usize]).norm_squared();
    let longest = (0..3).rfold(2, |best, k| if length(k) >= length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(longest + k) % 3]);
    let on = |edge: [u32; 2]| {
        let key = key(edge);
        let from = sides.partition_point(|side| side.0 < key);
        sides[from..].iter().take_while(move |side| side.0 == key).map(|side| side.1 as usize)
    };
    let mut others = on([a, b]).filter(|&other| other != t);
    let (other, more) = (others.next()?, others.next());
    let neighbour = triangles[other];
    let d = neighbour.into_iter().find(|&v| v != a && v != b)?;
    // The neighbour must run through the side in the opposite direction, and the new edge must be new.
    let opposite = (0..3).any(|k| neighbour[k] == b && neighbour[(k + 1) % 3] == a);
    if more.is_some() || !opposite || d == c || on([c, d]).next().is_some() {
        return None;
    }
    let pair = [[a, d, c], [d, b, c]];
    let good = pair.into_iter().all(|new| !is_degenerate(&corners(points, new)));
    good.then_some((other, pair))
}

/// Drops triangles with the same corners as an earlier one, whatever their orientation: a complex has each simplex once.
fn drop_repeated(faces: &mut Vec<([u32; 3], u32)>, report: &mut ComplexReport) {
    let mut order: Vec<([u32; 3], usize)> = faces
        .iter()
        .enumerate()
        .map(|(t, (triangle, _))| {
            let mut sorted = *triangle;
            sorted.sort_unstable();
            (sorted, t)
        })
        .collect();
    order.sort_unstable();
    let mut keep = vec![true; faces.len()];
    for pair in order.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        keep[pair[1].1] = false;
    }
    report.duplicates = faces.iter().zip(&keep).filter(|(_, keep)| !**keep).map(|(face, _)| face.1).collect();
    let mut kept = keep.iter();
    faces.retain(|_| kept.next().copied().unwrap_or(true));
}

/// Numbers the parts and decides what each of them is.
fn sort_into_parts(
    mesh: &TriangleMesh,
    sources: &[u32],
    options: &ComplexOptions,
    report: &mut ComplexReport,
) -> Result<Vec<u32>, ComplexError> {
    let edges = Edges::new(mesh.triangles());
    let parts = shells(mesh.triangles(), &edges);
    let part_of: Vec<u32> = parts.of_triangle.iter().map(|part| part.unwrap_or(0)).collect();
    report.parts = (0..parts.count)
        .map(|_| PartReport {
            kind: PartKind::Shell,
            triangles: 0,
            first_triangle: u32::MAX,
            boundary_edges: 0,
            crowded_edges: 0,
            conflicting_edges: 0,
            volume: 0.0,
            forced: options.treatment == Treatment::Shell,
        })
        .collect();
    // Volumes from the middle of everything, so that parts far from the origin keep their digits.
    let middle = if sources.is_empty() { Vec3::zeros() } else { mesh.bounding_box().center() };
    for (t, [a, b, c]) in mesh.corner_triples().enumerate() {
        let part = &mut report.parts[part_of[t] as usize];
        part.triangles += 1;
        part.first_triangle = part.first_triangle.min(sources[t]);
        part.volume += (a - middle).dot(&(b - middle).cross(&(c - middle))) / 6.0;
    }
    for sides in edges.iter() {
        let part = &mut report.parts[part_of[sides[0].triangle as usize] as usize];
        match sides {
            [_] => part.boundary_edges += 1,
            [first, second] => part.conflicting_edges += usize::from(first.forward == second.forward),
            _ => part.crowded_edges += 1,
        }
    }
    for part in &mut report.parts {
        let closed = part.boundary_edges + part.crowded_edges + part.conflicting_edges == 0;
        if closed && !part.forced && part.volume != 0.0 {
            part.kind = if part.volume > 0.0 { PartKind::Volume } else { PartKind::Cavity };
        }
        if options.treatment == Treatment::Volume && part.kind == PartKind::Shell {
            return Err(ComplexError::NotAVolume { part: part.to_string() });
        }
    }
    Ok(part_of)
}
