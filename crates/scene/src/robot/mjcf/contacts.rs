//! Stage 5: what touches what, and how it rubs.
//!
//! Two geoms touch where the bits of one meet the mask of the other, unless their bodies are welded together, hang on each other (but for what is fixed in the world), or are excluded; pairs that are named touch whatever their bits say.

use std::collections::BTreeMap;

use zerogap_simulation::world::ShapeDef;

use super::Shapes;
use super::attributes::Attributes;
use super::bodies::Tables;
use super::document::Answer;
use super::expand::{Flat, Item};
use super::geoms::Rubbing;
use super::report::Report;
use crate::robot::xml::Named;
use crate::robot::{Context, NamedPair, Robot, ShapeBits, merged, pair_material};

/// Reads `<contact>`: exclusions and pairs. Returns how many of each there are: pairs, exclusions.
pub(super) fn read(
    flat: &Flat,
    tables: &Tables,
    report: &mut Report,
    robot: &mut Robot,
) -> Answer<(usize, usize)> {
    let (mut pairs, mut excludes) = (0, 0);
    for item in flat.sections.get("contact").into_iter().flatten().map(|item| &flat.items[*item]) {
        match &*item.tag {
            "exclude" => {
                excludes += 1;
                let body = |name: &str| -> Answer<usize> {
                    let attr = item.needed(name)?;
                    let found = tables.body_names.get(&*attr.value).copied();
                    found.ok_or_else(|| attr.spot.wrong(format!("there is no body '{}'", attr.value)))
                };
                let (a, b) = (body("body1")?, body("body2")?);
                robot.apart.push((tables.bodies[a].link, tables.bodies[b].link));
            }
            "pair" => {
                pairs += 1;
                robot.pairs.push(pair(item, tables)?);
            }
            other => report.unread(format!("<{other}>"), &item.spot, ""),
        }
    }
    Ok((pairs, excludes))
}

/// A `<pair>`: names of the materials of its geoms, and what they do to each other.
fn pair(item: &Item, tables: &Tables) -> Answer<NamedPair> {
    let geom = |name: &str| {
        let attr = item.needed(name)?;
        let found = tables.geom_names.get(&*attr.value);
        let (body, number) =
            *found.ok_or_else(|| attr.spot.wrong(format!("there is no geom '{}'", attr.value)))?;
        Ok((attr.value.to_string(), tables.bodies[body].geoms[number].rubbing))
    };
    let ((a, of_a), (b, of_b)) = (geom("geom1")?, geom("geom2")?);
    let usual = merged(&of_a, &of_b);
    let [s1, s2, spin, r1, r2] = item.up_to(
        "friction",
        [usual.friction[0], usual.friction[0], usual.friction[1], usual.friction[2], usual.friction[2]],
    )?;
    let directions = item.number("condim")?.unwrap_or(usual.directions);
    let rubbing = Rubbing { friction: [0.5 * (s1 + s2), spin, 0.5 * (r1 + r2)], directions, priority: 0.0 };
    Ok(NamedPair { geoms: [a, b], rubbing })
}

/// Puts the shapes of geoms onto links and into the world, with their materials and bits, and keeps apart what never touches.
pub(super) fn place_shapes(tables: &mut Tables, context: &Context<'_>, robot: &mut Robot) {
    let mut masks = Shapes::default();
    for body in 0..tables.bodies.len() {
        let link = tables.bodies[body].link;
        let geoms = std::mem::take(&mut tables.bodies[body].geoms);
        for geom in geoms {
            if robot.without.contacts {
                continue;
            }
            let Some(shape) = geom.shape else { continue };
            let material = match context.options.material.as_deref() {
                Some(material) => material.to_owned(),
                None if tables.paired.contains(&geom.name) => {
                    let name = pair_material(&geom.name);
                    robot.materials.push((name.clone(), geom.rubbing));
                    name
                }
                None => robot.material_of(geom.rubbing),
            };
            let touched = ShapeBits {
                bits: geom.masks,
                pairs: (0..robot.pairs.len())
                    .filter(|k| robot.pairs[*k].geoms.contains(&geom.name))
                    .collect(),
            };
            let def = ShapeDef::new(shape, &material).at(geom.pose).named(&geom.name);
            if let Some(link) = link {
                tables.links[link].shapes.push(def);
                masks.of_links.entry(link).or_default().push(touched);
            } else {
                let name = if geom.name.is_empty() { "geom of the world".to_owned() } else { geom.name };
                robot.fixed.push((Named { name, spot: geom.spot }, def));
                masks.fixed.push(touched);
            }
        }
    }
    robot.shapes = masks;
    // Groups of bodies that move as one, and what each hangs on.
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, body) in tables.bodies.iter().enumerate().skip(1) {
        if let Some(welded) = body.welded {
            groups.entry(welded).or_default().push(number);
        }
    }
    for (root, members) in &groups {
        let above = tables.bodies[*root].parent.and_then(|parent| tables.bodies[parent].welded);
        let above = above.and_then(|above| groups.get(&above));
        for (k, a) in members.iter().enumerate() {
            let others = members[k + 1..].iter().chain(above.into_iter().flatten());
            for b in others {
                robot.apart.push((tables.bodies[*a].link, tables.bodies[*b].link));
            }
        }
    }
}
