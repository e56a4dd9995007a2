//! Everything worth knowing about a body before simulating it: how its surface joins, how large and how heavy it is.
//!
//! In: a [`Target`] and a density. Out: an [`Inspection`], the same for the command line (as a table or JSON) and for Python.

use serde::Serialize;
use zerogap_core::{Aabb, Mat3, Vec3};
use zerogap_geometry::mesh::TopologyReport;
use zerogap_geometry::{GeometryError, MassProperties};

use zerogap_geometry::target::Target;

/// Properties of a body. Fields that do not apply are `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The target string.
    pub name: String,
    /// `mesh`, or the kind of shape.
    pub kind: String,
    /// Format of the file it came from.
    pub format: Option<String>,
    /// Topology.
    pub topology: Option<Topology>,
    /// Smallest coordinates [m]; none for unbounded shapes.
    pub min: Option<[f64; 3]>,
    /// Largest coordinates [m].
    pub max: Option<[f64; 3]>,
    /// Size along the axes [m].
    pub extent: Option<[f64; 3]>,
    /// Density [kg/m³], or per area [kg/m²] or length [kg/m] for flat and thin shapes.
    pub density: f64,
    /// Volume [m³].
    pub volume: Option<f64>,
    /// Mass [kg].
    pub mass: Option<f64>,
    /// Centre of mass [m].
    pub center: Option<[f64; 3]>,
    /// Inertia about the centre of mass, row by row [kg m²].
    pub inertia: Option<[[f64; 3]; 3]>,
    /// Principal moments in ascending order [kg m²].
    pub principal_moments: Option<[f64; 3]>,
    /// Reason why there is no mass.
    pub mass_error: Option<String>,
}

zerogap_core::store_struct!(Inspection {
    name,
    kind,
    format,
    topology,
    min,
    max,
    extent,
    density,
    volume,
    mass,
    center,
    inertia,
    principal_moments,
    mass_error
});

/// Topology of a mesh after welding exactly equal positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Topology {
    /// Short description: `closed manifold`, `72 boundary edges`.
    pub summary: String,
    /// Triangles as given.
    pub triangles: usize,
    /// Vertices as given.
    pub vertices: usize,
    /// Distinct positions.
    pub welded_vertices: usize,
    /// Components connected through common points.
    pub components: usize,
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with three or more triangles.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles have opposite orientations.
    pub orientation_conflicts: usize,
    /// Triangles without area.
    pub degenerate_triangles: usize,
    /// Triangles that repeat an earlier one.
    pub duplicate_triangles: usize,
    /// Whether every edge has two triangles that agree.
    pub watertight: bool,
    /// Points minus edges plus triangles [-].
    pub euler_characteristic: i64,
    /// Signed volume [m³]; not meaningful for an open mesh.
    pub signed_volume: f64,
    /// Area of all triangles [m²].
    pub area: f64,
}

zerogap_core::store_struct!(Topology {
    summary,
    triangles,
    vertices,
    welded_vertices,
    components,
    boundary_edges,
    non_manifold_edges,
    orientation_conflicts,
    degenerate_triangles,
    duplicate_triangles,
    watertight,
    euler_characteristic,
    signed_volume,
    area
});

/// Inspects a body under its target string.
pub fn inspect(name: &str, target: &Target, density: f64) -> Inspection {
    let mut inspection = Inspection {
        name: name.to_owned(),
        kind: String::new(),
        format: None,
        topology: None,
        min: None,
        max: None,
        extent: None,
        density,
        volume: None,
        mass: None,
        center: None,
        inertia: None,
        principal_moments: None,
        mass_error: None,
    };
    match target {
        Target::Mesh { mesh, format, .. } => {
            "mesh".clone_into(&mut inspection.kind);
            inspection.format = format.map(|f| f.to_string());
            inspection.set_bounds(Some(mesh.bounding_box()));
            let report = mesh.topology();
            inspection.volume = report.is_closed().then_some(report.signed_volume);
            inspection.topology = Some(Topology::from(&report));
            inspection.set_mass(mesh.mass_properties(density));
        }
        Target::Complex { complex, format, .. } => {
            "complex".clone_into(&mut inspection.kind);
            inspection.format = Some(format.to_string());
            inspection.set_bounds(Some(complex.complex().bounding_box()));
            inspection.set_mass(complex.mass_properties(density, 0.0));
        }
        Target::Shape(shape) => {
            shape.kind().clone_into(&mut inspection.kind);
            inspection.set_bounds(shape.bounding_box().ok());
            inspection.volume = shape.volume().ok();
            inspection.set_mass(shape.mass_properties(density));
        }
    }
    inspection
}

impl Inspection {
    fn set_bounds(&mut self, bounds: Option<Aabb>) {
        self.min = bounds.map(|b| b.min.into());
        self.max = bounds.map(|b| b.max.into());
        self.extent = bounds.map(|b| b.size().into());
    }

    fn set_mass(&mut self, mass: Result<MassProperties, GeometryError>) {
        match mass {
            Ok(properties) => {
                self.mass = Some(properties.mass);
                self.center = Some(properties.center.into());
                self.inertia = Some(rows(&properties.inertia));
                self.principal_moments = Some(properties.principal_moments().into());
            }
            Err(error) => self.mass_error = Some(error.to_string()),
        }
    }
}

impl From<&TopologyReport> for Topology {
    fn from(report: &TopologyReport) -> Self {
        Self {
            summary: report.summary(),
            triangles: report.triangles,
            vertices: report.vertices,
            welded_vertices: report.welded_vertices,
            components: report.components,
            boundary_edges: report.boundary_edges,
            non_manifold_edges: report.non_manifold_edges,
            orientation_conflicts: report.orientation_conflicts,
            degenerate_triangles: report.degenerate_triangles,
            duplicate_triangles: report.duplicate_triangles,
            watertight: report.watertight,
            euler_characteristic: report.euler_characteristic,
            signed_volume: report.signed_volume,
            area: report.area,
        }
    }
}

/// A matrix row by row.
fn rows(m: &Mat3) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| Vec3::from(m.row(i).transpose()).into())
}
