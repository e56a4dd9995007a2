//! Loads on a frame.

use zerogap_core::Vec3;

use super::{Frame, FrameError, NODE_FREEDOMS};

/// Forces on a frame, all of which keep their directions in space.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameLoads {
    /// Force and moment at each node [N, N m]. A moment keeps its axis in space.
    pub nodal: Vec<[f64; NODE_FREEDOMS]>,
    /// Force per length at rest of each element [N/m].
    pub line: Vec<Vec3>,
    /// Acceleration of free fall [m/s²].
    pub gravity: Vec3,
}

impl FrameLoads {
    /// No loads on a frame.
    pub fn none(frame: &Frame) -> Self {
        Self {
            nodal: vec![[0.0; NODE_FREEDOMS]; frame.nodes().len()],
            line: vec![Vec3::zeros(); frame.elements().len()],
            gravity: Vec3::zeros(),
        }
    }

    /// All loads times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            nodal: self.nodal.iter().map(|load| load.map(|x| factor * x)).collect(),
            line: self.line.iter().map(|load| factor * load).collect(),
            gravity: factor * self.gravity,
        }
    }

    pub(super) fn check(&self, frame: &Frame) -> Result<(), FrameError> {
        let (nodes, elements) = (frame.nodes().len(), frame.elements().len());
        if self.nodal.len() != nodes {
            let (expected, given) = (nodes, self.nodal.len());
            return Err(FrameError::Count { what: "nodal loads", each: "node", expected, given });
        }
        if self.line.len() != elements {
            let (expected, given) = (elements, self.line.len());
            return Err(FrameError::Count { what: "line loads", each: "element", expected, given });
        }
        check_numbers("load", "node", self.nodal.iter().map(<[f64; NODE_FREEDOMS]>::as_slice))?;
        check_numbers("line load", "element", self.line.iter().map(Vec3::as_slice))?;
        check_numbers("gravity", "load case", std::iter::once(self.gravity.as_slice()))
    }
}

/// Refuses what is no number.
pub(super) fn check_numbers<'a>(
    what: &'static str,
    each: &'static str,
    rows: impl Iterator<Item = &'a [f64]>,
) -> Result<(), FrameError> {
    for (index, row) in rows.enumerate() {
        if let Some(value) = row.iter().find(|x| !x.is_finite()) {
            return Err(FrameError::NotFinite { what, each, index, value: *value });
        }
    }
    Ok(())
}
