//! Materials that are there without being described.
//!
//! Steel, billiard balls and dry wood are those of the program `Modia3D`, so that its examples can be repeated. The others are typical values, good to the
//! first digit: real ones vary with alloy, moisture, temperature and finish, and a study should give its own.

use super::{Material, MaterialTable, PairProperties};

/// Name, Young's modulus [Pa], Poisson's ratio [-], density [kg/m³].
const MATERIALS: [(&str, f64, f64, f64); 7] = [
    ("steel", 2e11, 0.3, 8000.0),
    ("billiard-ball", 5.4e9, 0.34, 1768.0),
    ("dry-wood", 1.1e10, 0.4, 700.0),
    ("rubber", 1e7, 0.49, 1100.0),
    ("ice", 9e9, 0.33, 917.0),
    ("aluminium", 7e10, 0.33, 2700.0),
    ("concrete", 3e10, 0.2, 2400.0),
];

/// Two names, then restitution, sliding friction and rolling resistance [-]. Dry wood is also the billiard table.
const PAIRS: [(&str, &str, f64, f64, f64); 8] = [
    ("steel", "steel", 0.7, 0.5, 0.001),
    ("billiard-ball", "billiard-ball", 1.0, 0.0, 0.0),
    ("dry-wood", "dry-wood", 0.6, 0.3, 0.001),
    ("billiard-ball", "dry-wood", 0.0, 0.8, 0.01),
    ("rubber", "rubber", 0.8, 1.0, 0.02),
    ("ice", "ice", 0.3, 0.03, 0.0),
    ("aluminium", "aluminium", 0.6, 0.4, 0.001),
    ("concrete", "concrete", 0.4, 0.7, 0.005),
];

impl MaterialTable {
    /// A table with steel, billiard-ball, dry-wood, rubber, ice, aluminium and concrete.
    pub fn builtin() -> Self {
        let mut table = Self::empty();
        for (name, young_modulus, poisson_ratio, density) in MATERIALS {
            let added = table.insert(name, Material { young_modulus, poisson_ratio, density });
            debug_assert!(added.is_ok(), "built-in numbers are in range: {added:?}");
        }
        for (a, b, restitution, friction, rolling) in PAIRS {
            let properties = PairProperties { restitution, friction, rolling, ..PairProperties::default() };
            let added = table.insert_pair(a, b, properties);
            debug_assert!(added.is_ok(), "built-in pairs name built-in materials: {added:?}");
        }
        table
    }
}
