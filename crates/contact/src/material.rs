//! What bodies are made of, and what two materials do in contact.
//!
//! In: numbers in SI units, checked here; strings with units are read elsewhere. Out: a [`MaterialTable`] that knows materials by name and
//! answers for any two of them, in either order, with one [`MaterialPair`]. Ids count up in the order of insertion; nothing depends on hashing.

use std::collections::BTreeMap;

use zerogap_core::Vec3;

mod builtin;

/// Largest modulus, density, coefficient or length accepted [SI]: a thousand times the stiffest matter there is, and far from overflow.
const LARGEST: f64 = 1e15;

/// What a body is made of, as far as contacts and mass ask for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus E [Pa].
    pub young_modulus: f64,
    /// Poisson's ratio ν, above -1 and at most 0.5 [-].
    pub poisson_ratio: f64,
    /// Density ρ [kg/m³].
    pub density: f64,
}

zerogap_core::store_struct!(Material { young_modulus, poisson_ratio, density });

impl Material {
    /// The plane strain modulus `E / (1 - ν²)`, which is what a Hertzian contact feels of one side [Pa].
    pub fn plane_modulus(&self) -> f64 {
        self.young_modulus / (1.0 - self.poisson_ratio * self.poisson_ratio)
    }

    /// The shear modulus `E / (2 (1 + ν))` [Pa].
    pub fn shear_modulus(&self) -> f64 {
        self.young_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }

    /// Passes the material through if its numbers can be used; `name` stands in the error.
    pub fn checked(self, name: &str) -> Result<Self, MaterialError> {
        let owner = || format!("material \"{name}\"");
        check(owner, "young_modulus", self.young_modulus, "above 0 Pa", |x| x > 0.0)?;
        check(owner, "poisson_ratio", self.poisson_ratio, "above -1 and at most 0.5", |x| {
            x > -1.0 && x <= 0.5
        })?;
        check(owner, "density", self.density, "above 0 kg/m³", |x| x > 0.0)?;
        Ok(self)
    }
}

/// Friction across a direction on the surface of one of two bodies, where it differs from that along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectedFriction {
    /// Coefficient of sliding friction across the direction [-].
    pub across: f64,
    /// The direction along which `friction` counts, in the axes of the shape; of any length above zero [-].
    pub direction: Vec3,
    /// Whether it is that of the shape of the second material; of two shapes of one material, the one of the smaller id counts as the first.
    pub is_of_second: bool,
}

zerogap_core::store_struct!(DirectedFriction { across, direction, is_of_second });

/// How two materials bounce, slide and roll on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairProperties {
    /// Speed after a head-on impact against the speed before it, 0 to 1 [-].
    pub restitution: f64,
    /// Coefficient of sliding friction [-].
    pub friction: f64,
    /// Coefficient of friction before sliding starts, not below `friction`; `None`: the same [-].
    pub static_friction: Option<f64>,
    /// Friction across a direction, where it differs; time stepping alone knows it.
    pub directed: Option<DirectedFriction>,
    /// Rolling resistance [-]: the torque against rolling is this, times the effective radius, times the normal force.
    pub rolling: f64,
    /// Rolling resistance, as a length [m]: the torque against rolling is this times the normal force, beside that of `rolling`.
    pub rolling_length: f64,
    /// Spinning resistance, as a length [m]: friction resists a spin about the normal as if it acted this much farther from the centre of
    /// pressure. A contact in a point has no other resistance to spin.
    pub spinning: f64,
    /// Effective radius of contacts that have no curvature of their own, such as a box on a box [m].
    pub contact_radius: Option<f64>,
    /// Tangential stiffness against the normal stiffness [-]; `None`: what the theory of Cattaneo and Mindlin gives, see [`grip_of`].
    pub grip: Option<f64>,
}

zerogap_core::store_struct!(PairProperties {
    restitution,
    friction,
    static_friction,
    directed,
    rolling,
    rolling_length,
    spinning,
    contact_radius,
    grip
});

/// Defaults: restitution 0.5, friction 0.5, no rolling or spinning resistance.
impl Default for PairProperties {
    fn default() -> Self {
        Self {
            restitution: 0.5,
            friction: 0.5,
            static_friction: None,
            directed: None,
            rolling: 0.0,
            rolling_length: 0.0,
            spinning: 0.0,
            contact_radius: None,
            grip: None,
        }
    }
}

impl PairProperties {
    /// Coefficient of friction before sliding starts [-].
    pub fn static_friction(&self) -> f64 {
        self.static_friction.unwrap_or(self.friction)
    }

    /// Whether a torque acts against rolling.
    pub fn resists_rolling(&self) -> bool {
        self.rolling > 0.0 || self.rolling_length > 0.0
    }

    /// From the order of two materials to that of their ids, or back.
    fn in_order(mut self, a: MaterialId, b: MaterialId) -> Self {
        if let Some(directed) = self.directed.as_mut().filter(|_| a > b) {
            directed.is_of_second = !directed.is_of_second;
        }
        self
    }

    /// Passes the properties through if they can be used; the names of the two materials stand in the error.
    pub fn checked(self, a: &str, b: &str) -> Result<Self, MaterialError> {
        let owner = || format!("pair \"{a}\" and \"{b}\"");
        let at_least_0 = |x: f64| x >= 0.0;
        check(owner, "restitution", self.restitution, "from 0 to 1", |x| (0.0..=1.0).contains(&x))?;
        check(owner, "friction", self.friction, "at least 0", at_least_0)?;
        check(owner, "rolling", self.rolling, "at least 0", at_least_0)?;
        check(owner, "rolling_length", self.rolling_length, "at least 0 m", at_least_0)?;
        check(owner, "spinning", self.spinning, "at least 0 m", at_least_0)?;
        if let Some(radius) = self.contact_radius {
            check(owner, "contact_radius", radius, "above 0 m", |x| x > 0.0)?;
        }
        if let Some(grip) = self.grip {
            check(owner, "grip", grip, "above 0", |x| x > 0.0)?;
        }
        if let Some(DirectedFriction { across, direction, .. }) = self.directed {
            check(owner, "friction_across", across, "at least 0", at_least_0)?;
            let length = direction.norm();
            check(owner, "length of friction_direction", length, "above 0", |x| x > 0.0)?;
        }
        if let Some(value) = self.static_friction {
            let friction = self.friction;
            let is_usable = value >= friction && value <= LARGEST;
            if !is_usable {
                return Err(MaterialError::StaticFriction { owner: owner(), value, friction });
            }
        }
        Ok(self)
    }

    /// What two different materials do to each other, from what each does to itself: the smaller restitution (the duller of the two decides
    /// how much of an impact is lost), the geometric mean of friction (nothing on ice is as rough as itself), the larger of the resistances and radii,
    /// and a grip only where both give one. A direction of friction belongs to a pair that is given as such.
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        let mean = |a: f64, b: f64| (a * b).sqrt();
        let friction = mean(self.friction, other.friction);
        let has_static = self.static_friction.is_some() || other.static_friction.is_some();
        let at_rest = mean(self.static_friction(), other.static_friction()).max(friction);
        Self {
            restitution: self.restitution.min(other.restitution),
            friction,
            static_friction: has_static.then_some(at_rest),
            directed: None,
            rolling: self.rolling.max(other.rolling),
            rolling_length: self.rolling_length.max(other.rolling_length),
            spinning: self.spinning.max(other.spinning),
            contact_radius: match (self.contact_radius, other.contact_radius) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            },
            grip: self.grip.zip(other.grip).map(|(a, b)| mean(a, b)),
        }
    }
}

/// A number or name that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// A number is not finite or out of range.
    #[error(
        "{owner}: {what} is {value}: it must be {allowed}, and a number of magnitude at most {LARGEST:e}"
    )]
    OutOfRange {
        /// The material or the pair, in words.
        owner: String,
        /// Which number.
        what: &'static str,
        /// The value given [SI].
        value: f64,
        /// What is accepted, in words.
        allowed: &'static str,
    },
    /// Friction at rest below friction in motion.
    #[error(
        "{owner}: static_friction is {value}: it must be at least friction, which is {friction}, and finite"
    )]
    StaticFriction {
        /// The pair, in words.
        owner: String,
        /// The value given [-].
        value: f64,
        /// The coefficient of sliding friction [-].
        friction: f64,
    },
    /// A name that no material has.
    #[error("no material is called \"{name}\"; there are: {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// All names there are, in order of insertion, with commas.
        known: String,
    },
    /// A material without a name.
    #[error("a material needs a name")]
    NoName,
}

/// Refuses a number that is not finite, too large or outside of what is allowed.
fn check(
    owner: impl Fn() -> String,
    what: &'static str,
    value: f64,
    allowed: &'static str,
    is_allowed: impl Fn(f64) -> bool,
) -> Result<(), MaterialError> {
    // NaN fails the comparison.
    if value.abs() <= LARGEST && is_allowed(value) {
        Ok(())
    } else {
        Err(MaterialError::OutOfRange { owner: owner(), what, value, allowed })
    }
}

/// A material of a table, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(u32);

impl MaterialId {
    /// Place in the table, from 0 in order of insertion [-].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a contact of two materials needs to know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialPair {
    /// Modulus of the two sides in series, `c1 c2 / (c1 + c2)` of the plane moduli [Pa].
    pub modulus: f64,
    /// Tangential stiffness against the normal stiffness [-].
    pub grip: f64,
    /// Bounce, friction and resistance.
    pub properties: PairProperties,
}

/// Modulus of two sides in series, `c1 c2 / (c1 + c2)`, from their plane moduli [Pa].
pub fn modulus_of(a: &Material, b: &Material) -> f64 {
    let (c1, c2) = (a.plane_modulus(), b.plane_modulus());
    // In this order no product overflows.
    c1 / (1.0 + c1 / c2)
}

/// Tangential stiffness of two bodies in contact that do not slide, against their normal stiffness [-].
///
/// Computes: `4 G* / E*` with `1 / G* = (2 - ν1) / G1 + (2 - ν2) / G2` and E* as in [`modulus_of`]; for equal materials this is `2 (1 - ν) / (2 - ν)`.
/// Method: Cattaneo 1938, Mindlin 1949: `8 a G*` along the surface of a round contact of radius a, against Hertz' `2 a E*` along the normal.
pub fn grip_of(a: &Material, b: &Material) -> f64 {
    let give = |m: &Material| (2.0 - m.poisson_ratio) / m.shear_modulus();
    4.0 / ((give(a) + give(b)) * modulus_of(a, b))
}

/// Materials by name, and what pairs of them do.
///
/// Order: ids and names come in the order of insertion. A pair is the same whichever material is named first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MaterialTable {
    materials: Vec<(String, Material)>,
    names: BTreeMap<String, MaterialId>,
    pairs: BTreeMap<(MaterialId, MaterialId), PairProperties>,
}

impl MaterialTable {
    /// A table without any material.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Adds a material, or replaces the one of this name, which keeps its id and its pairs.
    pub fn insert(&mut self, name: &str, material: Material) -> Result<MaterialId, MaterialError> {
        if name.is_empty() {
            return Err(MaterialError::NoName);
        }
        let material = material.checked(name)?;
        if let Some(&id) = self.names.get(name) {
            self.materials[id.index()].1 = material;
            return Ok(id);
        }
        let id = MaterialId(self.materials.len() as u32);
        self.materials.push((name.to_owned(), material));
        self.names.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Says what two materials do to each other, or one to itself; replaces what was said before.
    pub fn insert_pair(&mut self, a: &str, b: &str, properties: PairProperties) -> Result<(), MaterialError> {
        let (first, second) = (self.id(a)?, self.id(b)?);
        let properties = properties.checked(a, b)?.in_order(first, second);
        self.pairs.insert((first.min(second), first.max(second)), properties);
        Ok(())
    }

    /// The id of a name.
    pub fn id(&self, name: &str) -> Result<MaterialId, MaterialError> {
        self.names.get(name).copied().ok_or_else(|| MaterialError::Unknown {
            name: name.to_owned(),
            known: self.names().collect::<Vec<_>>().join(", "),
        })
    }

    /// The material of an id; `None` for an id of another table that is beyond this one.
    pub fn material(&self, id: MaterialId) -> Option<&Material> {
        self.materials.get(id.index()).map(|(_, material)| material)
    }

    /// The material of a name.
    pub fn material_named(&self, name: &str) -> Result<&Material, MaterialError> {
        self.id(name).map(|id| &self.materials[id.index()].1)
    }

    /// All names in order of insertion.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.materials.iter().map(|(name, _)| name.as_str())
    }

    /// What was said about two materials, in the order of their ids; `None` where nothing was.
    pub fn given_pair(&self, a: MaterialId, b: MaterialId) -> Option<&PairProperties> {
        self.pairs.get(&(a.min(b), a.max(b)))
    }

    /// What two materials do to each other: as was said; else [`PairProperties::combined`] from what each does to itself, where a
    /// material of which that was not said either has [`PairProperties::default`].
    pub fn properties(&self, a: MaterialId, b: MaterialId) -> PairProperties {
        let alone = |id: MaterialId| self.given_pair(id, id).copied().unwrap_or_default();
        let of_both = || alone(a.min(b)).combined(&alone(a.max(b)));
        self.given_pair(a, b).copied().unwrap_or_else(of_both).in_order(a, b)
    }

    /// Everything a contact of two materials needs to know; `None` for an id of another table that is beyond this one.
    pub fn pair(&self, a: MaterialId, b: MaterialId) -> Option<MaterialPair> {
        // The same bits in either order.
        let (first, second) = (self.material(a.min(b))?, self.material(a.max(b))?);
        let properties = self.properties(a, b);
        let grip = properties.grip.unwrap_or_else(|| grip_of(first, second));
        Some(MaterialPair { modulus: modulus_of(first, second), grip, properties })
    }
}

#[cfg(test)]
mod tests;
