//! A complex as a shape: points, lines, surfaces and volumes over common vertices, before they are inflated.

use zerogap_core::Vec3;

use super::{Complex, ComplexError, ComplexOptions, Simplices};
use crate::{GeometryError, MassProperties};

/// Simplices of mixed dimension that make one shape: sheets, wires and solids with common joints.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_geometry::complex::{ComplexShape, Simplices};
///
/// // A flag: a triangle on a pole of two pieces.
/// let at = |x: f64, z: f64| Vec3::new(x, 0.0, z);
/// let vertices = vec![at(0.0, 0.0), at(0.0, 1.0), at(0.0, 2.0), at(1.0, 1.5)];
/// let edges = vec![[0, 1], [1, 2]];
/// let flag = ComplexShape::new(Simplices { vertices, edges, triangles: vec![[1, 3, 2]], ..Simplices::default() })?;
/// let mass = flag.mass_properties(1000.0, 1e-3)?.mass;
/// // Half a square metre, 2 mm thick, and one metre of wire that bounds no triangle.
/// assert!((mass - (1.0 + 1e-3 * std::f64::consts::PI)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ComplexShape {
    simplices: Simplices,
    /// The complex as it is, not inflated.
    complex: Complex,
}

impl PartialEq for ComplexShape {
    fn eq(&self, other: &Self) -> bool {
        self.simplices == other.simplices
    }
}

impl ComplexShape {
    /// Checks the simplices and joins them.
    ///
    /// Fails: unusable numbers, indices of no vertex, edges without length, tetrahedra without volume, nothing at all.
    pub fn new(simplices: Simplices) -> Result<Self, ComplexError> {
        let complex = Complex::new(&simplices, &ComplexOptions::default())?;
        Ok(Self { simplices, complex })
    }

    /// Returns what it is made of, as it was given.
    pub fn simplices(&self) -> &Simplices {
        &self.simplices
    }

    /// Returns the complex, not inflated.
    pub fn complex(&self) -> &Complex {
        &self.complex
    }

    /// Returns the complex made with options.
    pub fn with_options(&self, options: &ComplexOptions) -> Result<Complex, ComplexError> {
        Complex::new(&self.simplices, options)
    }

    /// Mass properties at a density [kg/m³] and a dilation [m]; see [`Complex::mass_properties`].
    pub fn mass_properties(&self, density: f64, dilation: f64) -> Result<MassProperties, GeometryError> {
        self.complex.mass_properties(density, dilation)
    }

    /// Returns the vertices that some simplex uses [m].
    pub fn used_vertices(&self) -> Vec<Vec3> {
        let vertices = self.complex.vertices().iter().enumerate();
        vertices.filter(|(index, _)| self.complex.is_used(*index)).map(|(_, p)| *p).collect()
    }
}

impl zerogap_core::store::Store for ComplexShape {
    fn put(&self, out: &mut zerogap_core::store::Writer) {
        self.simplices.put(out);
    }

    fn take(from: &mut zerogap_core::store::Reader<'_>) -> Result<Self, zerogap_core::store::StoreError> {
        let simplices = zerogap_core::store::Store::take(from)?;
        Self::new(simplices).map_err(|error| from.invalid("ComplexShape", &error))
    }
}
