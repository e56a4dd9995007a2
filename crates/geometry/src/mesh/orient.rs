//! Consistent orientation of the triangles of a mesh.
//!
//! In: triangles over welded points. Out: the same triangles, some reversed. Patches (triangles connected through
//! edges with exactly two triangles) are handled in order of their first triangle.

use super::TriangleMesh;
use super::edges::{Edges, Parts, patches};
use super::nesting::{Piece, depths};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Orientation {
    /// Triangles reversed.
    pub(crate) flipped: usize,
    /// Patches that have no consistent orientation, such as a Möbius band.
    pub(crate) one_sided: usize,
}

/// Turns triangles so that each patch is consistent, and closed ones face outward, or inward when they bound a cavity.
pub(crate) fn orient(mesh: &mut TriangleMesh) -> Orientation {
    let edges = Edges::new(&mesh.triangles);
    let Parts { of_triangle: number, count } = patches(&mesh.triangles, &edges);
    let mut members = vec![Vec::new(); count];
    for (t, n) in number.iter().enumerate() {
        if let Some(n) = n {
            members[*n as usize].push(t as u32);
        }
    }
    let (mut turned, one_sided) = consistent_turns(mesh, &edges);

    // Fewest changes first: where more than half of a patch would turn, turn the others.
    for piece in &members {
        let turns = piece.iter().filter(|&&t| turned[t as usize]).count();
        if 2 * turns > piece.len() {
            for &t in piece {
                turned[t as usize] = !turned[t as usize];
            }
        }
    }
    for (corners, _) in mesh.triangles.iter_mut().zip(&turned).filter(|(_, turn)| **turn) {
        corners.swap(1, 2);
    }

    // Closed patches have an outside; the number of others around them decides whether they bound matter or a cavity.
    let closed = closed_patches(mesh, &number, count);
    let pieces: Vec<Option<Piece>> =
        members.iter().zip(&closed).map(|(piece, closed)| closed.then(|| Piece::new(mesh, piece))).collect();
    for (n, depth) in depths(&pieces).into_iter().enumerate() {
        let Some(piece) = &pieces[n] else { continue };
        let outward = depth % 2 == 0;
        if (piece.volume < 0.0) == outward && piece.volume != 0.0 {
            for &t in &members[n] {
                mesh.triangles[t as usize].swap(1, 2);
                turned[t as usize] = !turned[t as usize];
            }
        }
    }
    let one_sided = {
        let mut bad: Vec<u32> = one_sided.iter().filter_map(|&t| number[t as usize]).collect();
        bad.sort_unstable();
        bad.dedup();
        bad.len()
    };
    Orientation { flipped: turned.iter().filter(|&&turn| turn).count(), one_sided }
}

/// Which triangles to turn so that neighbours across edges with two triangles agree, and triangles where that is impossible.
///
/// Edges with three or more triangles do not define an orientation and are not crossed.
fn consistent_turns(mesh: &TriangleMesh, edges: &Edges) -> (Vec<bool>, Vec<u32>) {
    // Neighbours across two-sided edges: (triangle, neighbour, whether their turns must differ), sorted by triangle.
    let mut links = Vec::new();
    for sides in edges.iter() {
        if let [s, t] = sides {
            let differ = s.forward == t.forward;
            links.push((s.triangle, t.triangle, differ));
            links.push((t.triangle, s.triangle, differ));
        }
    }
    links.sort_unstable();
    let mut turned: Vec<Option<bool>> = vec![None; mesh.triangles.len()];
    let mut contradictions = Vec::new();
    let mut stack = Vec::new();
    for start in 0..mesh.triangles.len() as u32 {
        if turned[start as usize].is_some() {
            continue;
        }
        turned[start as usize] = Some(false);
        stack.push(start);
        while let Some(t) = stack.pop() {
            let turn = turned[t as usize] == Some(true);
            let from = links.partition_point(|link| link.0 < t);
            for &(_, neighbour, differ) in links[from..].iter().take_while(|link| link.0 == t) {
                match turned[neighbour as usize] {
                    None => {
                        turned[neighbour as usize] = Some(turn != differ);
                        stack.push(neighbour);
                    }
                    Some(other) if other != (turn != differ) => contradictions.push(t),
                    Some(_) => {}
                }
            }
        }
    }
    (turned.iter().map(|turn| *turn == Some(true)).collect(), contradictions)
}

/// Whether each patch's edges are all run through equally often in both directions.
fn closed_patches(mesh: &TriangleMesh, number: &[Option<u32>], count: usize) -> Vec<bool> {
    let mut closed = vec![true; count];
    let mut here: Vec<(u32, bool)> = Vec::new();
    for sides in Edges::new(&mesh.triangles).iter() {
        here.clear();
        here.extend(
            sides.iter().filter_map(|side| number[side.triangle as usize].map(|n| (n, side.forward))),
        );
        here.sort_unstable();
        for run in here.chunk_by(|a, b| a.0 == b.0) {
            let forward = run.iter().filter(|(_, forward)| *forward).count();
            closed[run[0].0 as usize] &= 2 * forward == run.len();
        }
    }
    closed
}
