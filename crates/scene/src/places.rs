//! Where the things of a world come from, so that errors can name them and their place.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use zerogap_core::units::shortest;
use zerogap_dynamics::multibody::TreeError;

use super::error::SceneError;
use zerogap_simulation::world::{PairId, ShapeId, WorldError};

/// A file that is named by another.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) file: PathBuf,
    pub(crate) text: String,
}

/// Where something stands.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    /// None: the scene file itself.
    pub(crate) origin: Option<Arc<Origin>>,
}

/// Names and places of all bodies, shapes and loops of a scene, in the order of adding.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub(crate) bodies: Vec<Place>,
    pub(crate) shapes: Vec<Place>,
    pub(crate) loops: Vec<Place>,
    pub(crate) source: Option<Arc<Origin>>,
}

impl Places {
    /// How many convex shapes and half-spaces there are [-].
    pub fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// The name of the body, or of the fixed shape, that a shape belongs to.
    pub fn shape_name(&self, shape: ShapeId) -> &str {
        self.shapes.get(shape.0 as usize).map_or("a shape", |place| &place.name)
    }

    /// As `'ball' and 'floor'`.
    pub fn pair_name(&self, pair: PairId) -> String {
        format!("'{}' and '{}'", self.shape_name(pair.a), self.shape_name(pair.b))
    }

    /// What is wrong with a world, with names in place of numbers, and where it stands in the file.
    pub fn explain(&self, error: &WorldError) -> SceneError {
        match error {
            WorldError::Overlap { pair, overlap } => {
                let message =
                    format!("{} overlap by {} at the start", self.pair_name(*pair), length(*overlap));
                let error = self.at(self.shapes.get(pair.b.0 as usize), message);
                error.with_help("move them apart, or set overlaps = \"separate\" or \"exclude\" in [world]")
            }
            WorldError::Oriented { shape, by, why } => {
                let name = self.shape_name(*shape);
                let what = match by {
                    Some(by) => format!("be hit by the corners of '{}'", self.shape_name(*by)),
                    None => "collide by oriented collision".to_owned(),
                };
                let error =
                    self.at(self.shapes.get(shape.0 as usize), format!("'{name}' cannot {what}: {why}"));
                error.with_help("change that, or leave collision = \"oriented\" out")
            }
            WorldError::SurfaceVelocity { shape } => {
                let message = format!(
                    "'{}' has a surface velocity, which acts by friction, but SiLVIA has no friction",
                    self.shape_name(*shape)
                );
                let error = self.at(self.shapes.get(shape.0 as usize), message);
                error.with_help(
                    "take method = \"stepping\" or \"auto\" in [world], or leave surface_velocity out",
                )
            }
            WorldError::Inconsistent { t, pair } => {
                let message = format!(
                    "at t = {t} s no contact force between {} obeys Coulomb's law (Painlevé's paradox)",
                    self.pair_name(*pair)
                );
                let error = self.at(self.shapes.get(pair.b.0 as usize), message);
                error.with_help("take less friction in [[pairs]], or an elastic contact model such as contact = \"hunt-crossley\" in [world]")
            }
            WorldError::Intersecting { t, pair } => {
                let message = format!(
                    "at t = {t} s {} overlap by more than both dilations, so that quasi-LMDs find no contacts between them",
                    self.pair_name(*pair)
                );
                let error = self.at(self.shapes.get(pair.b.0 as usize), message);
                error.with_help("take a larger dilation, a stiffer contact law, or method = \"stepping\" in [world], which prevents the intersection")
            }
            WorldError::NoContactRadius { t, pair } => {
                let message = format!(
                    "at t = {t} s {} touch, and neither has a size from which a radius of the contact could follow",
                    self.pair_name(*pair)
                );
                let error = self.at(self.shapes.get(pair.b.0 as usize), message);
                error.with_help("give their materials a contact_radius in [[pairs]], or take contact = \"linear\" in [world]")
            }
            WorldError::TooManyParts { t, pair, parts } => {
                let message = format!(
                    "the step from t = {t} s needs more than {parts} substeps to prevent intersection of {}",
                    self.pair_name(*pair)
                );
                let error = self.at(self.shapes.get(pair.b.0 as usize), message);
                error.with_help("they move by more than their dilations in each: take a larger dilation or a shorter step")
            }
            WorldError::NarrowPhase { t, pair, error } => {
                let message = format!(
                    "at t = {t} s the narrow phase has no answer for {}: {error}",
                    self.pair_name(*pair)
                );
                self.at(self.shapes.get(pair.b.0 as usize), message)
            }
            WorldError::Unanswered { pair, error } => {
                let message = format!("{} cannot collide: {error}", self.pair_name(*pair));
                self.at(self.shapes.get(pair.b.0 as usize), message)
            }
            WorldError::CannotCollide { shape, .. } => {
                let error = self.at(self.shapes.get(shape.0 as usize), error.to_string());
                error.with_help("collision = \"hull\" takes its hull, and \"quasi-lmd\" a complex of it")
            }
            WorldError::BoundingBox { shape, error } => {
                let name = self.shape_name(*shape);
                let message = format!("'{name}' has no finite bounding box at the start: {error}");
                self.at(self.shapes.get(shape.0 as usize), message)
            }
            WorldError::Complex { shape: Some(shape), .. } => {
                let message = error.with_names(|shape| self.shape_name(shape).to_owned());
                self.at(self.shapes.get(shape.0 as usize), message)
            }
            WorldError::NoMass { body }
            | WorldError::HalfSpaceOnBody { body }
            | WorldError::JointFriction { body }
            | WorldError::Assembly { body, .. }
            | WorldError::Start { body, .. }
            | WorldError::BeyondLimits { body, .. }
            | WorldError::BeyondBound { body, .. }
            | WorldError::NotFinite { body, .. } => {
                self.at(self.bodies.iter().find(|place| place.name == *body), error.to_string())
            }
            WorldError::Tree(tree) => self.explain_tree(tree),
            other => self.at(None, other.to_string()),
        }
    }

    fn explain_tree(&self, error: &TreeError) -> SceneError {
        let index = match error {
            TreeError::Loop { index, .. } => {
                let place = self.loops.get(*index as usize);
                let name = place.map_or("", |place| &place.name);
                return self.at(place, error.to_string().replace(&format!("loop {index}"), name));
            }
            TreeError::Input { body, .. }
            | TreeError::Mass { body, .. }
            | TreeError::Inertia { body, .. }
            | TreeError::UnknownBody { body, .. }
            | TreeError::ParallelAxes { body, .. }
            | TreeError::NoSuchDof { body, .. }
            | TreeError::Limits { body, .. }
            | TreeError::DofValue { body, .. }
            | TreeError::NoCoordinate { body, .. }
            | TreeError::Singular { body, .. }
            | TreeError::Motion { body } => *body,
            TreeError::Gravity { .. } | TreeError::InUse { .. } | TreeError::Force { .. } => {
                return self.at(None, error.to_string());
            }
        };
        let place = self.bodies.get(index as usize);
        let name = place.map_or("this body".to_owned(), |place| format!("'{}'", place.name));
        // A joint with more than one coordinate has no limits here, so the number of the coordinate says nothing.
        let message = error
            .to_string()
            .replace(&format!("degree of freedom 0 of body {index}"), &format!("the joint of {name}"));
        self.at(place, message.replace(&format!("body {index}"), &name))
    }

    /// An error at a place, or about the whole.
    pub(crate) fn at(&self, place: Option<&Place>, message: String) -> SceneError {
        let error = match place {
            Some(place) => SceneError::at(place.span.clone(), message),
            None => SceneError::whole(message),
        };
        match place.and_then(|place| place.origin.as_ref()).or(self.source.as_ref()) {
            Some(origin) => {
                let file = (!origin.file.as_os_str().is_empty()).then_some(origin.file.as_path());
                error.within(file, &origin.text)
            }
            None => error,
        }
    }
}

/// A length with three digits, in the unit that people would use for it.
fn length(x: f64) -> String {
    let (unit, size) = match x.abs() {
        size if size >= 0.1 => ("m", 1.0),
        size if size >= 1e-4 => ("mm", 1e3),
        _ => ("µm", 1e6),
    };
    let rounded: f64 = format!("{:.2e}", x * size).parse().unwrap_or(x * size);
    format!("{} {unit}", shortest(rounded))
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_are_told_in_a_handy_unit() {
        for (x, shown) in [(0.003, "3 mm"), (1.234_567, "1.23 m"), (2.5e-6, "2.5 µm"), (0.099_99, "100 mm")]
        {
            assert_eq!(length(x), shown);
        }
    }
}
