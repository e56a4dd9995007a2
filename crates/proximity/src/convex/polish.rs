//! The last digits of a separating translation of a smooth difference: down the slope of its support function.

use super::body::Body;
use super::difference::Difference;
use super::grow::SeparatingTranslation;

/// Steps at most [-]; smooth pairs take about ten.
const MAX_STEPS: u32 = 40;

/// A slope below this part of the extent is none [-]: the corner then lies over the foot of the origin to as many digits.
const LEVEL: f64 = 1e-13;

/// Turns the separating translation toward the nearest minimum of its length.
///
/// Method: gradient steps on the unit sphere with the step length of Barzilai and Borwein 1988. The supporting corner's place beside the
///   foot of the origin is the slope, so that the points gain the digits that the length no longer shows.
/// Cost: one corner per step. Where the surface has edges the slope does not vanish, and the translation is unchanged.
pub(crate) fn polish<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    translation: &mut SeparatingTranslation,
    extent: f64,
) {
    let mut outward = translation.outward;
    let mut tip = difference.support(&outward);
    let mut reach = outward.dot(&tip.w);
    let mut slope = tip.w - outward * reach;
    let mut step = extent.recip();
    for _ in 0..MAX_STEPS {
        if slope.norm_squared() <= (LEVEL * extent) * (LEVEL * extent) {
            break;
        }
        let rotated = outward - slope * step;
        let rotated = rotated / rotated.norm();
        let corner = difference.support(&rotated);
        let rotated_reach = rotated.dot(&corner.w);
        let rotated_slope = corner.w - rotated * rotated_reach;
        // Neither shorter nor more level: too far.
        if rotated_reach >= reach && rotated_slope.norm_squared() >= slope.norm_squared() {
            step *= 0.25;
            continue;
        }
        let (moved, bent) = (rotated - outward, rotated_slope - slope);
        let along = moved.dot(&bent);
        if along > 0.0 {
            step = moved.norm_squared() / along;
        } else {
            step *= 4.0;
        }
        (outward, tip, reach, slope) = (rotated, corner, rotated_reach, rotated_slope);
    }
    if reach <= translation.reach {
        (translation.outward, translation.tip, translation.reach) = (outward, tip, reach);
    }
}
