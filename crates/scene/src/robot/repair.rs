//! Links of a URDF that cannot be: refused with their names, or mended and listed.

use roxmltree::Node;
use zerogap_core::Mat3;
use zerogap_dynamics::multibody::{Inertia, JointKind};

use super::orientation::principal;
use super::xml::{Answer, Notes, attribute, numbers, wrong};
use super::{Context, Robot};

/// By how much a moment of inertia may exceed the sum of the others before no body has it [-]: numbers of files are rounded.
const ROUNDING: f64 = 1e-9;

/// How to have a file mended.
const HELP: &str = "correct the file, or load it with --repair (repair = true in [robot]), which mends it and lists what it changed";

/// Whether a shape has no size and is left out.
pub(super) fn has_no_size(
    geometry: &Node<'_, '_>,
    link: &str,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Answer<bool> {
    let kind = geometry.tag_name().name();
    let sizes: &[&str] = match kind {
        "sphere" => &["radius"],
        "cylinder" | "capsule" => &["radius", "length"],
        "box" => &["size"],
        _ => &[],
    };
    let mut is_flat = false;
    for attr in sizes.iter().filter_map(|name| attribute(geometry, name)) {
        is_flat |= numbers(&attr)?.iter().any(|x| *x <= 0.0);
    }
    if !is_flat {
        return Ok(false);
    }
    let message = format!("the {kind} of link '{link}' has no size");
    if !context.options.repair {
        return Err(wrong(geometry, message).with_help(HELP));
    }
    notes.say(format!("repaired: {message} and is left out"));
    Ok(true)
}

/// The inertia of a link, mended where no body has it.
pub(super) fn inertia(
    given: Inertia,
    link: &str,
    (node, notes): (&Node<'_, '_>, &mut Notes<'_>),
    context: &Context<'_>,
) -> Answer<Inertia> {
    let (axes, mut moments) = principal(&given.inertia);
    let scale = moments.amax();
    let (sum, largest) = (moments.sum(), moments.max());
    let why = if given.mass < 0.0 {
        "a negative mass"
    } else if moments.min() < -ROUNDING * scale {
        "a negative moment of inertia"
    } else if 2.0 * largest - sum > ROUNDING * scale {
        "a moment of inertia that is larger than the sum of the other two"
    } else {
        return Ok(given);
    };
    let message = format!("link '{link}' has {why}, which no body has");
    if !context.options.repair {
        return Err(wrong(node, message).with_help(HELP));
    }
    moments = moments.map(|moment| moment.max(0.0));
    let missing = 2.0 * moments.max() - moments.sum();
    let top = moments.imax();
    if missing > 0.0 {
        for k in (0..3).filter(|k| *k != top) {
            moments[k] += 0.5 * missing;
        }
    }
    notes.say(format!(
        "repaired: {message}; its moments are now {:.6e}, {:.6e}, {:.6e} kg m²",
        moments[0], moments[1], moments[2]
    ));
    let inertia = axes * Mat3::from_diagonal(&moments) * axes.transpose();
    Ok(Inertia { mass: given.mass.max(0.0), inertia, ..given })
}

/// Refuses joints that move no mass, or fixes them.
pub(super) fn weights(robot: &mut Robot, may_repair: bool) -> Answer<()> {
    // What hangs on each link, and can turn with it; children come after their parents.
    let mut carried: Vec<(f64, f64)> =
        robot.links.iter().map(|link| (link.inertia.mass, link.inertia.inertia.trace())).collect();
    for number in (0..robot.links.len()).rev() {
        if let Some(parent) = robot.links[number].parent {
            let own = carried[number];
            carried[parent].0 += own.0;
            carried[parent].1 += own.1;
        }
    }
    for (link, (mass, inertia)) in robot.links.iter_mut().zip(carried) {
        let moves = !matches!(link.kind, JointKind::Fixed);
        if !moves || mass > 0.0 || inertia > 0.0 {
            continue;
        }
        let message =
            format!("link '{}' moves but has no mass, and nothing with mass hangs on it", link.name);
        if !may_repair {
            return Err(link.spot.wrong(message).with_help(HELP));
        }
        robot.warnings.push(format!("repaired: {message}; its joint is fixed"));
        (link.kind, link.dofs, link.positions) = (JointKind::Fixed, Vec::new(), None);
    }
    Ok(())
}
