//! Cross-sections and what they are made of.
//!
//! In: measures of a tube, a rod, a rectangle, a box or an I, or the numbers themselves. Out: area, second moments, torsion constant, shear areas. The x axis runs along the element, y across (width), z up (height).

use std::f64::consts::{FRAC_PI_4, PI};

use zerogap_core::units::parse_length;

use super::FrameError;

/// Poisson's ratio in the shear coefficients of round sections [-]: that of steel and aluminium.
const POISSON: f64 = 0.3;

/// Numbers of a round section agree to this fraction [-].
const ROUND: f64 = 1e-9;

/// What an element is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMaterial {
    /// Young's modulus [Pa].
    pub young_modulus: f64,
    /// Shear modulus [Pa].
    pub shear_modulus: f64,
    /// Mass per volume [kg/m³].
    pub density: f64,
}

zerogap_core::store_struct!(FrameMaterial { young_modulus, shear_modulus, density });

impl FrameMaterial {
    /// An isotropic material: Young's modulus [Pa], Poisson's ratio [-], density [kg/m³].
    pub fn isotropic(young_modulus: f64, poisson_ratio: f64, density: f64) -> Self {
        Self { young_modulus, shear_modulus: young_modulus / (2.0 * (1.0 + poisson_ratio)), density }
    }
}

/// A cross-section by its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossSection {
    /// Area [m²].
    pub area: f64,
    /// Second moment of area about y, `∫ z² dA`, for bending up and down [m⁴].
    pub second_moment_y: f64,
    /// Second moment of area about z, `∫ y² dA`, for bending sideways [m⁴].
    pub second_moment_z: f64,
    /// Torsion constant [m⁴].
    pub torsion_constant: f64,
    /// Area that carries shear along y [m²].
    pub shear_area_y: f64,
    /// Area that carries shear along z [m²].
    pub shear_area_z: f64,
}

zerogap_core::store_struct!(CrossSection {
    area,
    second_moment_y,
    second_moment_z,
    torsion_constant,
    shear_area_y,
    shear_area_z
});

fn check(what: impl FnOnce() -> String, measures: &[f64]) -> Result<(), FrameError> {
    if measures.iter().all(|x| *x > 0.0 && x.is_finite()) {
        Ok(())
    } else {
        Err(FrameError::Measures { what: what() })
    }
}

impl CrossSection {
    /// A round rod of a diameter [m].
    pub fn rod(diameter: f64) -> Result<Self, FrameError> {
        check(|| format!("a rod of diameter {diameter} m"), &[diameter])?;
        Ok(Self::ring(0.5 * diameter, 0.0))
    }

    /// A round tube of an outer diameter and a wall [m].
    pub fn tube(diameter: f64, wall: f64) -> Result<Self, FrameError> {
        let inner = 0.5 * diameter - wall;
        check(|| format!("a tube of diameter {diameter} m and wall {wall} m"), &[diameter, wall, inner])?;
        Ok(Self::ring(0.5 * diameter, inner))
    }

    /// Returns the outer radius of a rod or a round tube [m]; none of sections whose numbers are not those of a ring.
    pub fn round_radius(&self) -> Option<f64> {
        let second = self.second_moment_y;
        let is_near = |a: f64, b: f64| (a - b).abs() <= ROUND * b;
        let is_round = is_near(self.second_moment_z, second) && is_near(self.torsion_constant, 2.0 * second);
        // Sum and difference of the squares of both radii.
        let (sum, difference) = (4.0 * second / self.area, self.area / PI);
        (is_round && sum >= (1.0 - ROUND) * difference).then(|| (0.5 * (sum + difference)).sqrt())
    }

    /// Shear coefficient by Cowper 1966.
    fn ring(outer: f64, inner: f64) -> Self {
        let (o2, i2) = (outer * outer, inner * inner);
        let (area, second) = (PI * (o2 - i2), FRAC_PI_4 * (o2 * o2 - i2 * i2));
        let m2 = i2 / o2;
        let sum = (1.0 + m2) * (1.0 + m2);
        let coefficient =
            6.0 * (1.0 + POISSON) * sum / ((7.0 + 6.0 * POISSON) * sum + (20.0 + 12.0 * POISSON) * m2);
        Self {
            area,
            second_moment_y: second,
            second_moment_z: second,
            torsion_constant: 2.0 * second,
            shear_area_y: coefficient * area,
            shear_area_z: coefficient * area,
        }
    }

    /// A solid rectangle: width along y, height along z [m].
    ///
    /// Torsion constant to 0.5 % (Roark, table 10.7), shear coefficient 5/6.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, FrameError> {
        check(|| format!("a rectangle of {width} m by {height} m"), &[width, height])?;
        let (a, b) = (width.max(height), width.min(height));
        let ratio = b / a;
        let torsion_constant =
            a * b * b * b * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio * ratio * ratio * ratio / 12.0));
        let area = width * height;
        Ok(Self {
            area,
            second_moment_y: area * height * height / 12.0,
            second_moment_z: area * width * width / 12.0,
            torsion_constant,
            shear_area_y: area * 5.0 / 6.0,
            shear_area_z: area * 5.0 / 6.0,
        })
    }

    /// A hollow box with walls of one thickness: width along y, height along z [m].
    ///
    /// Torsion by Bredt's formula for thin walls; shear is carried by the walls along it.
    pub fn hollow_box(width: f64, height: f64, wall: f64) -> Result<Self, FrameError> {
        let [w, h] = [width - 2.0 * wall, height - 2.0 * wall];
        check(
            || format!("a box of {width} m by {height} m and wall {wall} m"),
            &[width, height, wall, w, h],
        )?;
        let [wm, hm] = [width - wall, height - wall];
        Ok(Self {
            area: width * height - w * h,
            second_moment_y: (width * height.powi(3) - w * h.powi(3)) / 12.0,
            second_moment_z: (height * width.powi(3) - h * w.powi(3)) / 12.0,
            torsion_constant: 2.0 * wall * wm * wm * hm * hm / (wm + hm),
            shear_area_y: 2.0 * wall * wm,
            shear_area_z: 2.0 * wall * hm,
        })
    }

    /// A doubly symmetric I: width of the flanges along y, whole height along z, thickness of flanges and of the web [m].
    ///
    /// Torsion as of thin strips, without warping; shear along z is carried by the web, along y by the flanges.
    pub fn i_section(width: f64, height: f64, flange: f64, web: f64) -> Result<Self, FrameError> {
        let clear = height - 2.0 * flange;
        check(
            || format!("an I of {width} m by {height} m, flanges {flange} m and web {web} m"),
            &[width, height, flange, web, clear, width - web],
        )?;
        Ok(Self {
            area: 2.0 * width * flange + clear * web,
            second_moment_y: (width * height.powi(3) - (width - web) * clear.powi(3)) / 12.0,
            second_moment_z: (2.0 * flange * width.powi(3) + clear * web.powi(3)) / 12.0,
            torsion_constant: (2.0 * width * flange.powi(3) + clear * web.powi(3)) / 3.0,
            shear_area_y: 2.0 * width * flange * 5.0 / 6.0,
            shear_area_z: (height - flange) * web,
        })
    }
}

/// Words for sections, with lengths in metres or with a unit: `tube:DIAMETER,WALL`, `rod:DIAMETER`, `rectangle:WIDTH,HEIGHT`, `box:WIDTH,HEIGHT,WALL`, `i:WIDTH,HEIGHT,FLANGE,WEB`.
impl std::str::FromStr for CrossSection {
    type Err = FrameError;

    fn from_str(text: &str) -> Result<Self, FrameError> {
        let refused = |reason: String| FrameError::SectionText { text: text.to_owned(), reason };
        let (kind, measures) = text.split_once(':').unwrap_or((text, ""));
        let measures: Vec<f64> = measures
            .split(',')
            .filter(|measure| !measure.trim().is_empty())
            .map(|measure| parse_length(measure.trim()).map_err(|error| refused(error.to_string())))
            .collect::<Result<_, _>>()?;
        match (kind.trim(), measures.as_slice()) {
            ("rod", &[diameter]) => Self::rod(diameter),
            ("tube", &[diameter, wall]) => Self::tube(diameter, wall),
            ("rectangle", &[width, height]) => Self::rectangle(width, height),
            ("box", &[width, height, wall]) => Self::hollow_box(width, height, wall),
            ("i", &[width, height, flange, web]) => Self::i_section(width, height, flange, web),
            _ => Err(refused(
                "it must be rod:DIAMETER, tube:DIAMETER,WALL, rectangle:WIDTH,HEIGHT, box:WIDTH,HEIGHT,WALL or i:WIDTH,HEIGHT,FLANGE,WEB".to_owned(),
            )),
        }
    }
}
