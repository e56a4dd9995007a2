//! Attributes of elements as numbers, words and orientations.

use zerogap_core::{Pose, Vec3};

use super::document::{Answer, Attr, Spot};
use super::settings::Settings;
use crate::error::SceneError;
use crate::robot::orientation;

/// Attributes that give an orientation; an element has one of them.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// An element whose attributes may come from its class.
pub(super) trait Attributes {
    fn list(&self) -> &[Attr];
    fn spot(&self) -> &Spot;
    fn tag(&self) -> &str;

    fn get(&self, name: &str) -> Option<&Attr> {
        self.list().iter().find(|attr| &*attr.name == name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(|attr| &*attr.value)
    }

    fn name(&self) -> &str {
        self.text("name").unwrap_or_default()
    }

    fn wrong(&self, message: impl Into<String>) -> SceneError
    where
        Self: Sized,
    {
        self.spot().wrong(message)
    }

    fn missing(&self, name: &str) -> SceneError {
        let tag = self.tag();
        let error = self.spot().wrong(format!("<{tag}> needs '{name}'"));
        error.with_help(format!("write <{tag} {name}=\"...\" ...>"))
    }

    fn needed(&self, name: &str) -> Answer<&Attr> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    fn number(&self, name: &str) -> Answer<Option<f64>> {
        self.get(name).map(|attr| exactly::<1>(attr).map(|[x]| x)).transpose()
    }

    fn numbers<const N: usize>(&self, name: &str) -> Answer<Option<[f64; N]>> {
        self.get(name).map(exactly::<N>).transpose()
    }

    /// Numbers of which those at the end may be left out: these keep their defaults.
    fn up_to<const N: usize>(&self, name: &str, mut usual: [f64; N]) -> Answer<[f64; N]> {
        if let Some(attr) = self.get(name) {
            let given = numbers(attr)?;
            if given.len() > N {
                let message = format!("'{}' has {} numbers, but takes {N} at most", attr.name, given.len());
                return Err(attr.spot.wrong(message));
            }
            usual[..given.len()].copy_from_slice(&given);
        }
        Ok(usual)
    }

    fn truth(&self, name: &str) -> Answer<Option<bool>> {
        self.get(name).map(truth).transpose()
    }

    /// Whether limits hold: as `limited` says, and where it says nothing as there is a range.
    fn is_limited(&self, limited: &str, range: &str, settings: &Settings) -> Answer<bool> {
        match self.get(limited) {
            Some(attr) if &*attr.value != "auto" => truth(attr),
            _ => Ok(self.get(range).is_some() && settings.autolimits),
        }
    }

    /// A range that holds.
    fn range(&self, limited: &str, range: &str, settings: &Settings) -> Answer<Option<[f64; 2]>> {
        if !self.is_limited(limited, range, settings)? {
            return Ok(None);
        }
        exactly::<2>(self.needed(range)?).map(Some)
    }

    /// `pos` and an orientation.
    fn pose(&self, settings: &Settings) -> Answer<Pose>
    where
        Self: Sized,
    {
        let place = Vec3::from(self.numbers::<3>("pos")?.unwrap_or_default());
        let mut given = ORIENTATIONS.into_iter().filter_map(|name| self.get(name));
        let Some(way) = given.next() else {
            return Pose::from_translation(place).map_err(|error| self.wrong(error.to_string()));
        };
        if let Some(second) = given.next() {
            let message = format!("'{}' and '{}' both give its orientation", way.name, second.name);
            return Err(second.spot.wrong(message).with_help("leave one of them out"));
        }
        let quaternion = orientation_of(way, settings)?;
        Pose::new(place, quaternion).map_err(|_| no_orientation(way))
    }
}

fn no_orientation(way: &Attr) -> SceneError {
    way.spot.wrong(format!("'{}' is no orientation", way.name))
}

/// The quaternion `(x, y, z, w)` of an attribute.
pub(super) fn orientation_of(way: &Attr, settings: &Settings) -> Answer<[f64; 4]> {
    let quaternion = match &*way.name {
        "axisangle" => {
            let [x, y, z, angle] = exactly(way)?;
            orientation::about(Vec3::new(x, y, z), angle * settings.angle)
        }
        "euler" => {
            Some(euler(exactly::<3>(way)?, settings).map_err(|error| way.spot.wrong(error.to_string()))?)
        }
        "xyaxes" => {
            let [a, b, c, d, e, f] = exactly(way)?;
            orientation::from_x_and_y(Vec3::new(a, b, c), Vec3::new(d, e, f))
        }
        "zaxis" => orientation::from_z(Vec3::from(exactly::<3>(way)?)),
        _ => exactly::<4>(way).map(|[w, x, y, z]| Some([x, y, z, w]))?,
    };
    quaternion.ok_or_else(|| no_orientation(way))
}

/// The quaternion of angles in the model's unit about the model's axes.
pub(super) fn euler(angles: [f64; 3], settings: &Settings) -> Result<[f64; 4], zerogap_core::InputError> {
    let mut turns = Vec::new();
    // A turn about an axis that stands still comes before all others.
    for ((axis, is_inner), angle) in settings.euler.iter().zip(angles) {
        let at = if *is_inner { turns.len() } else { 0 };
        turns.insert(at, (*axis, angle * settings.angle));
    }
    orientation::turned(Vec3::zeros(), &turns).map(|pose| pose.quaternion_xyzw())
}

/// The numbers of an attribute.
pub(super) fn numbers(attr: &Attr) -> Answer<Vec<f64>> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    attr.value.split_whitespace().map(number).collect::<Option<_>>().ok_or_else(|| {
        let message = format!("'{}' must be numbers with blanks between them", attr.name);
        attr.spot.wrong(message).with_help(format!("write {}=\"0 0 1\"", attr.name))
    })
}

/// Exactly so many numbers.
pub(super) fn exactly<const N: usize>(attr: &Attr) -> Answer<[f64; N]> {
    let list = numbers(attr)?;
    let count = list.len();
    list.try_into()
        .map_err(|_| attr.spot.wrong(format!("'{}' has {count} numbers, but needs {N}", attr.name)))
}

/// Whether an attribute says yes.
pub(super) fn truth(attr: &Attr) -> Answer<bool> {
    match &*attr.value {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let message = format!("'{}' must be \"true\" or \"false\", not \"{other}\"", attr.name);
            Err(attr.spot.wrong(message))
        }
    }
}
