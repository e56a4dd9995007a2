//! MJCF, in stages: files to elements ([`document`]), classes, frames, replicas and attached models away ([`expand`]), bodies to links ([`bodies`]), what acts on them ([`forces`]) and what touches ([`contacts`]).

mod assets;
mod attributes;
mod bodies;
mod classes;
mod contacts;
pub(super) mod document;
mod expand;
mod forces;
mod geoms;
mod options;
pub(super) mod report;
mod sensors;
mod settings;

use std::path::Path;

use attributes::Attributes;
use document::Answer;
use expand::Flat;
pub(super) use geoms::Rubbing;
use report::Report;

use super::description::{BodyFacts, Keyframe, RobotDescription};
use super::{Context, Robot, Shapes};

/// Reads a model.
pub(super) fn read(path: &Path, text: &str, context: &Context<'_>, robot: &mut Robot) -> Answer<()> {
    let file = path.file_name().map_or("robot".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut report = Report::new(file);
    let flat = expand::expand(path, text, 0)?;
    let mut without = context.options.without;
    let options = options::Options::read(&flat, &mut without, &mut report)?;
    let assets = assets::Assets::new(&flat);
    let mut tables = bodies::Tables::read(&flat, &assets, &context.pose, without, &mut report)?;
    let acting = forces::read(&flat, &tables, &context.pose, &options, without, &mut report)?;
    let (pairs, excludes) = contacts::read(&flat, &tables, &mut report, robot)?;
    if let Some(item) = flat.sections.get("deformable").into_iter().flatten().next() {
        return Err(flat.items[*item].wrong("flexible bodies and skins are not modelled here"));
    }

    robot.gravity = Some(options.gravity);
    robot.timestep = options.timestep;
    robot.without = without;
    robot.description = describe(&flat, &tables, &acting, [assets.count(), pairs, excludes])?;
    robot.labels = sensors::labels(&flat, &tables, &acting, &options, &mut report)?;
    robot.joint_links = tables.joints.iter().map(|joint| joint.link).collect();
    contacts::place_shapes(&mut tables, context, robot);
    robot.links = tables.links;
    robot.forces = acting.forces;
    robot.couplings = acting.couplings;
    robot.loops = acting.loops;
    robot.report = report;
    Ok(())
}

/// What a model is said to have.
fn describe(
    flat: &Flat,
    tables: &bodies::Tables,
    acting: &forces::Acting,
    [meshes, pairs, excludes]: [usize; 3],
) -> Answer<RobotDescription> {
    let section = |name: &str| flat.sections.get(name).into_iter().flatten().map(|item| &flat.items[*item]);
    let mut keyframes = Vec::new();
    for key in section("keyframe") {
        let list =
            |name: &str| key.get(name).map(attributes::numbers).transpose().map(Option::unwrap_or_default);
        keyframes.push(Keyframe {
            name: key.name().to_owned(),
            positions: list("qpos")?,
            velocities: list("qvel")?,
            controls: list("ctrl")?,
            activations: list("act")?,
        });
    }
    let coordinates = |kind: &str| match kind {
        "free" => (7, 6),
        "ball" => (4, 3),
        _ => (1, 1),
    };
    let mut description = RobotDescription {
        meshes,
        pairs,
        excludes,
        equalities: acting.equalities,
        activations: acting.activations,
        actuators: acting.actuator_names.clone(),
        tendons: acting.tendon_names.clone(),
        sensors: section("sensor").map(|item| (item.name().to_owned(), item.tag.to_string())).collect(),
        keyframes,
        ..RobotDescription::default()
    };
    for joint in &tables.joints {
        let (positions, velocities) = coordinates(joint.kind);
        description.positions += positions;
        description.velocities += velocities;
        description.joints.push((joint.name.clone(), joint.kind.to_owned()));
        description.references.push(joint.reference);
    }
    for (number, body) in tables.bodies.iter().enumerate() {
        description.geoms += body.geoms.len();
        for geom in body.geoms.iter().filter(|geom| geom.masks != [0, 0]) {
            *description.collision_geoms.entry(geom.kind.clone()).or_default() += 1;
        }
        if number > 0 {
            description.mocap_bodies += usize::from(body.is_mocap);
            description.bodies.push(BodyFacts {
                name: body.name.clone(),
                parent: body.parent.unwrap_or(0),
                mass: body.inertia.mass,
                center: body.inertia.center,
                inertia: body.inertia.inertia,
            });
        }
    }
    Ok(description)
}
