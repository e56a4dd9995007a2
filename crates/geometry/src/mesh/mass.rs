//! How heavy the solid inside a mesh is.

use zerogap_core::Vec3;

use super::{TopologyReport, TriangleMesh};
use crate::mass::check_density;
use crate::mass::surface::solid_of_triangles;
use crate::{GeometryError, MassProperties};

/// A volume below this times the surface's area and extent is rounding, not a solid [-].
///
/// The sums carry about 1e-16 of area times extent; real plates are thicker than 1e-13 of their length.
const FLAT_RATIO: f64 = 1e-13;

impl TriangleMesh {
    /// Signed volume [m³] of the cone from the middle of the bounding box to the surface: of a closed mesh, its volume.
    pub fn signed_volume(&self) -> f64 {
        self.volume_about(&self.bounding_box().center())
    }

    /// Signed volume of the cone from `reference` to the surface [m³].
    fn volume_about(&self, reference: &Vec3) -> f64 {
        // Plain determinants: the mass routine would carry twelve more sums along.
        self.corner_triples()
            .map(|[a, b, c]| (a - reference).dot(&(b - reference).cross(&(c - reference))))
            .sum::<f64>()
            / 6.0
    }

    /// The topology of a mesh that encloses a volume; `NotClosed`, with the counts and the first place, for one that does not.
    pub fn require_closed(&self) -> Result<TopologyReport, GeometryError> {
        let report = self.topology();
        if report.is_closed() {
            return Ok(report);
        }
        // A mesh whose triangles all collapsed has no edge to point at: its first corner stands in.
        let p = report.first_defect.unwrap_or_else(|| self.vertices[self.triangles[0][0] as usize]);
        Err(GeometryError::NotClosed {
            boundary_edges: report.boundary_edges,
            non_manifold_edges: report.non_manifold_edges,
            orientation_conflicts: report.orientation_conflicts,
            x: p.x,
            y: p.y,
            z: p.z,
        })
    }

    /// Mass properties of the solid inside the mesh for a density [kg/m³].
    ///
    /// The mesh must enclose a volume: after welding equal positions every edge is run through equally often in both directions.
    /// Triangles that collapse on welding add no edges and no volume, so slivers do no harm. Solids that touch along an edge are
    /// fine, cavities that face inward count as empty, and where solids overlap the common part counts twice.
    /// Tolerance: that of [`solid_of_triangles`], about the middle of the bounding box.
    /// Fails: `Density`; `NotClosed` with the counts and the first place; `InsideOut`; `NoMeasure` for a closed but flat mesh; `MassRange`.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let density = check_density(density)?;
        let report = self.require_closed()?;
        let bounds = self.bounding_box();
        if report.signed_volume.abs() <= FLAT_RATIO * report.area * bounds.diagonal() {
            return Err(GeometryError::NoMeasure { shape: "flat mesh" });
        }
        if report.signed_volume < 0.0 {
            return Err(GeometryError::InsideOut { volume: report.signed_volume });
        }
        solid_of_triangles(self.corner_triples(), bounds.center(), density).in_range(density)
    }
}
