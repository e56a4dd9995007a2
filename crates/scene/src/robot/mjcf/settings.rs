//! What `<compiler>` says of how a model is written, and `<option>` of the world.

use std::path::{Path, PathBuf};

use zerogap_core::Vec3;

use super::attributes::{exactly, truth};
use super::document::{Answer, Document};

/// Degrees, the unit of angles where a model does not say [rad].
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// What `<compiler>` says.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the file, by their names")]
pub(super) struct Settings {
    /// Size of the unit of angles [rad].
    pub(super) angle: f64,
    /// Axes of Euler angles, and whether each turn is in the frame that the ones before have made.
    pub(super) euler: Vec<(Vec3, bool)>,
    pub(super) autolimits: bool,
    /// Whether geoms give the inertia even where there is an `<inertial>`; never; or only where there is none.
    pub(super) inertia_from_geoms: Option<bool>,
    /// Groups of geoms that have mass.
    pub(super) inertia_groups: [f64; 2],
    pub(super) total_mass: Option<f64>,
    pub(super) balance_inertia: bool,
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    pub(super) fit_boxes: bool,
    strip_path: bool,
    folder: PathBuf,
    meshes: PathBuf,
}

impl Settings {
    /// Reads all `<compiler>` of a model; later ones override earlier ones.
    pub(super) fn read(document: &Document) -> Answer<Self> {
        let euler = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| (axis, true)).to_vec();
        let mut settings = Self {
            angle: DEGREE,
            euler,
            autolimits: true,
            inertia_from_geoms: None,
            inertia_groups: [0.0, 5.0],
            total_mass: None,
            balance_inertia: false,
            bound_mass: 0.0,
            bound_inertia: 0.0,
            fit_boxes: false,
            strip_path: false,
            folder: document.folder.clone(),
            meshes: PathBuf::new(),
        };
        // The folder of meshes overrides that of all assets, wherever it stands.
        let named = |name| document.sections("compiler").filter_map(|node| node.attr(name)).last();
        if let Some(folder) = named("meshdir").or(named("assetdir")) {
            settings.meshes = PathBuf::from(&*folder.value);
        }
        for attr in document.sections("compiler").flat_map(|node| &node.attrs) {
            let wrong = |help: &str| {
                let message = format!("'{}' cannot be \"{}\"", attr.name, attr.value);
                Err(attr.spot.wrong(message).with_help(format!("write {help}")))
            };
            let number = || exactly::<1>(attr).map(|[x]| x);
            match (&*attr.name, &*attr.value) {
                ("angle", "degree") => settings.angle = DEGREE,
                ("angle", "radian") => settings.angle = 1.0,
                ("angle", _) => return wrong("degree or radian"),
                ("coordinate", "local") => {}
                ("coordinate", _) => {
                    return wrong(
                        "local: places are those in the body around them; MuJoCo saves a model that way",
                    );
                }
                ("eulerseq", letters) => match letters.chars().map(euler_axis).collect::<Option<Vec<_>>>() {
                    Some(axes) if axes.len() == 3 => settings.euler = axes,
                    _ => return wrong("three letters of x, y, z, X, Y, Z"),
                },
                ("autolimits", _) => settings.autolimits = truth(attr)?,
                ("inertiafromgeom", "auto") => settings.inertia_from_geoms = None,
                ("inertiafromgeom", _) => settings.inertia_from_geoms = Some(truth(attr)?),
                ("inertiagrouprange", _) => settings.inertia_groups = exactly(attr)?,
                ("settotalmass", _) => settings.total_mass = Some(number()?).filter(|mass| *mass > 0.0),
                ("balanceinertia", _) => settings.balance_inertia = truth(attr)?,
                ("boundmass", _) => settings.bound_mass = number()?,
                ("boundinertia", _) => settings.bound_inertia = number()?,
                ("fitaabb", _) => settings.fit_boxes = truth(attr)?,
                ("strippath", _) => settings.strip_path = truth(attr)?,
                _ => {}
            }
        }
        Ok(settings)
    }

    /// Where the file of a mesh or a height field is.
    pub(super) fn asset(&self, name: &str) -> PathBuf {
        let path = Path::new(name);
        let path = if self.strip_path { path.file_name().map_or(path, Path::new) } else { path };
        self.folder.join(&self.meshes).join(path)
    }
}

/// The axis of a letter of `eulerseq`: small letters turn with the body, capitals stand still.
fn euler_axis(letter: char) -> Option<(Vec3, bool)> {
    let axis = match letter.to_ascii_lowercase() {
        'x' => Vec3::x(),
        'y' => Vec3::y(),
        'z' => Vec3::z(),
        _ => return None,
    };
    Some((axis, letter.is_lowercase()))
}
