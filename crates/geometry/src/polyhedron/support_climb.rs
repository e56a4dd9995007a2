//! The farthest vertex by walking uphill along edges.

use zerogap_core::Vec3;

use super::topology::Rows;
use crate::hull::sign_along;

/// Vertices that tie for the farthest are walked one by one up to this many [-]; beyond it, scanning all vertices is no slower.
const MAX_PLATEAU: usize = 32;

/// Walks from `start` to the farthest vertex.
///
/// Computes: of the vertices with the exactly largest dot product the one with the smallest index, whatever the start.
/// Method: steepest neighbour, as long as one is clearly higher; then the sign of each step is decided exactly. `neighbors` are the
///   edges of the triangulated exact hull, where a vertex without a higher neighbour is a highest one; on merged faces, or
///   with rounded signs, the walk could end in a dent.
/// Cost: O(steps × degree); each step is strictly higher, so that it ends.
pub(super) fn climb(vertices: &[Vec3], neighbors: &Rows, direction: &Vec3, start: u32) -> u32 {
    // Within this part of its terms a computed sum does not determine the sign: five roundings and some room.
    const UNSURE: f64 = 4.0 * f64::EPSILON;
    let at = |index: u32| &vertices[index as usize];
    let mut here = start;
    loop {
        let base = *at(here);
        let (mut next, mut gain, mut close) = (here, 0.0, false);
        for &neighbor in neighbors.row(here as usize) {
            let terms = (at(neighbor) - base).component_mul(direction);
            let rise = terms.x + terms.y + terms.z;
            let unsure = UNSURE * (terms.x.abs() + terms.y.abs() + terms.z.abs());
            close |= rise.abs() <= unsure;
            if rise > unsure && rise > gain {
                (next, gain) = (neighbor, rise);
            }
        }
        if next == here {
            if !close {
                return here;
            }
            // No clear ascent: the exact signs of the close ones decide.
            let row = neighbors.row(here as usize).iter();
            let higher = row.copied().find(|&neighbor| sign_along(direction, at(neighbor), &base) > 0);
            let Some(higher) = higher else { return first_of_plateau(vertices, neighbors, direction, here) };
            next = higher;
        }
        here = next;
    }
}

/// The smallest index among the vertices that are exactly as high as a highest one; they are joined by edges among themselves.
fn first_of_plateau(vertices: &[Vec3], neighbors: &Rows, direction: &Vec3, top: u32) -> u32 {
    let height = &vertices[top as usize];
    let level = |index: u32| sign_along(direction, &vertices[index as usize], height) == 0;
    let mut plateau = [top; MAX_PLATEAU];
    let (mut count, mut next) = (1, 0);
    while next < count {
        for &neighbor in neighbors.row(plateau[next] as usize) {
            if !plateau[..count].contains(&neighbor) && level(neighbor) {
                if count == MAX_PLATEAU {
                    return (0..vertices.len() as u32).find(|&index| level(index)).unwrap_or(top);
                }
                plateau[count] = neighbor;
                count += 1;
            }
        }
        next += 1;
    }
    plateau[..count].iter().copied().min().unwrap_or(top)
}
