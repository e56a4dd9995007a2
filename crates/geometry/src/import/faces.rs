//! Polygons that wait for their vertices: files may name vertices before they give them.

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::polygon::triangulate;

/// Maximum number of corners of one polygon; cutting a polygon that bends inward at every second corner costs the square of this.
const MAX_CORNERS: usize = 10_000;

/// Polygons by their corners.
#[derive(Default)]
pub(super) struct Faces {
    corners: Vec<u32>,
    /// First corner and place in the file of each polygon.
    starts: Vec<(usize, usize)>,
    /// Names, each with the number of the first polygon it covers.
    names: Vec<(usize, String)>,
}

impl Faces {
    /// A polygon that stands at `offset` follows; its corners come by [`Faces::corner`].
    pub(super) fn start(&mut self, offset: usize) {
        self.starts.push((self.corners.len(), offset));
    }

    /// The next corner of the last polygon.
    pub(super) fn corner(&mut self, vertex: u32) {
        self.corners.push(vertex);
    }

    /// Polygons from here on have this name.
    pub(super) fn name(&mut self, name: String) {
        self.names.push((self.starts.len(), name));
    }

    /// Cuts all polygons into triangles. `base` is the number of the first vertex in this format, `location` returns the place of the k-th corner of the polygon at an offset.
    pub(super) fn build(
        self,
        builder: &mut Builder,
        base: u64,
        location: impl Fn(usize, usize) -> ReaderPlace,
    ) -> Parsed<()> {
        let vertices = builder.vertices.len();
        let mut names = self.names.into_iter().peekable();
        let mut positions = Vec::new();
        for (f, &(start, offset)) in self.starts.iter().enumerate() {
            while let Some((_, name)) = names.next_if(|(first, _)| *first <= f) {
                builder.start_group(name);
            }
            let end = self.starts.get(f + 1).map_or(self.corners.len(), |next| next.0);
            let corners = &self.corners[start..end];
            if corners.len() > MAX_CORNERS {
                let message =
                    format!("the polygon has {} corners: at most {MAX_CORNERS} are taken", corners.len());
                return Err(Fault::new(Kind::TooLarge, location(offset, 0), message));
            }
            if let Some(k) = corners.iter().position(|&v| v as usize >= vertices) {
                let message = format!(
                    "corner {} of the face is vertex {}, but the file has {vertices} vertices, counted from {base}",
                    k + 1,
                    u64::from(corners[k]) + base
                );
                return Err(Fault::new(Kind::Index, location(offset, k), message));
            }
            if let &[a, b, c] = corners {
                builder.triangle([a, b, c])?;
                continue;
            }
            positions.clear();
            positions.extend(corners.iter().map(|&v| builder.vertices[v as usize]));
            let mut result = Ok(());
            triangulate(&positions, |t| {
                if result.is_ok() {
                    result = builder.triangle(t.map(|k| corners[k]));
                }
            });
            result?;
        }
        Ok(())
    }
}
