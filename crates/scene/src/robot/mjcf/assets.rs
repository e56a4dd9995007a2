//! Meshes and height fields of a model: points in metres, hulls, and masses by each of the kinds that models ask for.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::import::read_heights;
use zerogap_geometry::shape::HeightField;
use zerogap_geometry::target::{ReadOptions, Target};
use zerogap_geometry::{MassProperties, Shape};
use zerogap_simulation::settings::hull;

use super::attributes::{Attributes, numbers};
use super::document::{Answer, Attr};
use super::expand::{Flat, Item};

/// Meshes and height fields by name. Files are read when they are asked for: what is only there to be seen may be missing.
pub(super) struct Assets<'a> {
    meshes: BTreeMap<&'a str, Mesh<'a>>,
    fields: BTreeMap<&'a str, &'a Item>,
}

/// A mesh.
pub(super) struct Mesh<'a> {
    item: &'a Item,
    read: OnceCell<Points>,
}

/// Points and triangles of a mesh [m].
#[derive(Debug, Clone)]
pub(super) struct Points {
    pub(super) vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    warnings: Vec<String>,
}

impl<'a> Assets<'a> {
    pub(super) fn new(flat: &'a Flat) -> Self {
        let (mut meshes, mut fields) = (BTreeMap::new(), BTreeMap::new());
        for item in flat.sections.get("asset").into_iter().flatten().map(|item| &flat.items[*item]) {
            match &*item.tag {
                "mesh" => {
                    meshes.insert(item.name(), Mesh { item, read: OnceCell::new() });
                }
                "hfield" => {
                    fields.insert(item.name(), item);
                }
                _ => {}
            }
        }
        Self { meshes, fields }
    }

    pub(super) fn count(&self) -> usize {
        self.meshes.len()
    }

    pub(super) fn mesh(&self, name: &Attr) -> Answer<&Mesh<'a>> {
        self.meshes
            .get(&*name.value)
            .ok_or_else(|| name.spot.wrong(format!("there is no mesh '{}' in <asset>", name.value)))
    }

    /// A height field.
    pub(super) fn field(&self, name: &Attr) -> Answer<Shape> {
        let item = *self
            .fields
            .get(&*name.value)
            .ok_or_else(|| name.spot.wrong(format!("there is no hfield '{}' in <asset>", name.value)))?;
        let Some([rx, ry, top, base]) = item.numbers::<4>("size")? else { return Err(item.missing("size")) };
        let (nodes, mut heights) = match (item.get("file"), item.number("nrow")?, item.number("ncol")?) {
            (Some(file), ..) => {
                let path = item.settings.asset(&file.value);
                let read = read_heights(&path).map_err(|error| file.spot.wrong(error.to_string()))?;
                (read.nodes, read.heights)
            }
            (None, Some(rows), Some(columns)) if rows >= 2.0 && columns >= 2.0 && rows * columns <= 1e8 => {
                let count = rows as usize * columns as usize;
                let heights = match item.get("elevation") {
                    None => vec![0.0; count],
                    Some(attr) => {
                        // Rows of the file go from the far side to the near one.
                        let given = numbers(attr)?;
                        if given.len() != count {
                            let message =
                                format!("'elevation' has {} numbers, but needs {count}", given.len());
                            return Err(attr.spot.wrong(message));
                        }
                        given.chunks(columns as usize).rev().flatten().copied().collect()
                    }
                };
                ([columns as usize, rows as usize], heights)
            }
            _ => return Err(item.wrong("<hfield> needs 'file', or 'nrow' and 'ncol' of 2 or more")),
        };
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for height in &mut heights {
            *height = if high > low { (*height - low) / (high - low) * top } else { 0.0 };
        }
        let spacing = [2.0 * rx / (nodes[0] - 1) as f64, 2.0 * ry / (nodes[1] - 1) as f64];
        let field = HeightField::new(nodes, spacing, heights, base.max(f64::MIN_POSITIVE));
        field.map(|field| Shape::HeightField(field.into())).map_err(|error| item.wrong(error.to_string()))
    }
}

impl Mesh<'_> {
    /// How its mass is found: `legacy`, `exact`, `convex` or `shell`.
    pub(super) fn kind(&self) -> &str {
        self.item.text("inertia").unwrap_or("legacy")
    }

    /// Its points and triangles.
    pub(super) fn points(&self) -> Answer<&Points> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let read = self.read_points()?;
        Ok(self.read.get_or_init(|| read))
    }

    fn read_points(&self) -> Answer<Points> {
        let item = self.item;
        let scale = Vec3::from(item.numbers::<3>("scale")?.unwrap_or([1.0; 3]));
        let (mut points, mut triangles, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        match (item.get("vertex"), item.get("file")) {
            (Some(attr), _) => {
                points.extend(numbers(attr)?.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])));
                if let Some(attr) = item.get("face") {
                    let whole = |x: &f64| *x >= 0.0 && x.fract() == 0.0 && *x < points.len() as f64;
                    let corners = numbers(attr)?;
                    if !corners.iter().all(whole) || corners.len() % 3 != 0 {
                        return Err(attr.spot.wrong("'face' must be numbers of vertices, three a triangle"));
                    }
                    triangles
                        .extend(corners.chunks_exact(3).map(|t| [t[0] as u32, t[1] as u32, t[2] as u32]));
                }
            }
            (None, Some(file)) => {
                let path = item.settings.asset(&file.value);
                let options = ReadOptions { unit: Some(1.0), repair: false, ..ReadOptions::default() };
                let wrong = |message: String| {
                    let help = "a mesh is an .stl, .obj or .ply file in the folder that 'meshdir' of <compiler> says";
                    file.spot.wrong(message).with_help(help)
                };
                let target = Target::read(&path, &options).map_err(|error| wrong(error.to_string()))?;
                let Target::Mesh { mesh, warnings: odd, .. } = target else {
                    return Err(wrong("this is no mesh".to_owned()));
                };
                points.extend(mesh.vertices());
                triangles.extend(mesh.triangles());
                warnings.extend(odd.iter().map(ToString::to_string));
            }
            (None, None) => return Err(item.missing("file")),
        }
        let refpos = Vec3::from(item.numbers::<3>("refpos")?.unwrap_or_default());
        let turned = item.numbers::<4>("refquat")?.map(|[w, x, y, z]| Pose::new(Vec3::zeros(), [x, y, z, w]));
        let turned = turned.transpose().map_err(|error| item.wrong(error.to_string()))?.unwrap_or_default();
        for point in &mut points {
            *point = turned.inverse_transform_vector(&(*point - refpos)).component_mul(&scale);
        }
        // A scale that turns the mesh inside out turns its triangles too.
        if scale.product() < 0.0 {
            for triangle in &mut triangles {
                triangle.swap(1, 2);
            }
        }
        Ok(Points { vertices: points, triangles, warnings })
    }
}

/// Mass, and its first and second moments about a point, for a density of 1.
struct Sums {
    mass: f64,
    first: Vec3,
    second: Mat3,
}

impl Sums {
    /// Of tetrahedra from a point to triangles, or of the triangles where these are a shell.
    fn of(triangles: &[[Vec3; 3]], point: Vec3, kind: &str) -> Self {
        let mut sums = Self { mass: 0.0, first: Vec3::zeros(), second: Mat3::zeros() };
        for t in triangles {
            let [a, b, c] = t.map(|p| p - point);
            let sum = a + b + c;
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            if kind == "shell" {
                let m = 0.5 * (b - a).cross(&(c - a)).norm();
                sums.mass += m;
                sums.first += sum * (m / 3.0);
                sums.second += (squares + sum * sum.transpose()) * (m / 12.0);
            } else {
                let signed = a.dot(&b.cross(&c)) / 6.0;
                let m = if kind == "legacy" { signed.abs() } else { signed };
                sums.mass += m;
                sums.first += sum * (m / 4.0);
                sums.second += (squares + sum * sum.transpose()) * (m / 20.0);
            }
        }
        sums
    }
}

impl Points {
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Its convex hull.
    pub(super) fn hull(&self) -> Result<Shape, String> {
        hull(&self.vertices).map_err(|error| error.to_string())
    }

    /// Mass and inertia for a density of 1 kg/m³, or for 1 kg/m² of a shell.
    ///
    /// Method: signed tetrahedra from the mean of the surface; `legacy` takes them all as positive, as `MuJoCo` does where a model does not say.
    pub(super) fn mass(&self, kind: &str) -> Result<MassProperties, String> {
        if kind == "convex" || self.triangles.is_empty() {
            return self.hull()?.mass_properties(1.0).map_err(|error| error.to_string());
        }
        let corners = |t: &[u32; 3]| t.map(|k| self.vertices[k as usize]);
        let area = |[a, b, c]: &[Vec3; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
        let (mut total, mut middle) = (0.0, Vec3::zeros());
        for t in self.triangles.iter().map(corners) {
            let area = area(&t);
            total += area;
            middle += (t[0] + t[1] + t[2]) * (area / 3.0);
        }
        if total <= 0.0 || total.is_nan() {
            return Err("it has no area".to_owned());
        }
        middle /= total;
        let triangles: Vec<[Vec3; 3]> = self.triangles.iter().map(corners).collect();
        let mut sums = Sums::of(&triangles, middle, kind);
        // Where tetrahedra overlap, their sum depends on the point that they meet in: that is the centre of mass of a first sum.
        if kind == "legacy" && sums.mass > 0.0 {
            middle += sums.first / sums.mass;
            sums = Sums { first: Vec3::zeros(), ..Sums::of(&triangles, middle, kind) };
        }
        let Sums { mass, first, second } = sums;
        if mass <= 0.0 || mass.is_nan() {
            return Err("it encloses no volume".to_owned());
        }
        let center = first / mass;
        let moment = second - center * center.transpose() * mass;
        let inertia = Mat3::identity() * moment.trace() - moment;
        Ok(MassProperties { mass, center: middle + center, inertia })
    }
}
