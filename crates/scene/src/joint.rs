//! Joints of a scene: `joint` and `motor` of a body.

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Dof, Joint, JointKind, Motor};

use super::error::SceneError;
use super::reader::Table;
use super::values::Text;
use zerogap_simulation::settings::{Source, read_dof, read_motor};

/// A joint and how it starts.
pub(super) struct Jointed {
    pub(super) joint: Joint,
    pub(super) positions: Option<Vec<f64>>,
    pub(super) velocities: Option<Vec<f64>>,
    pub(super) dof: Option<Dof>,
}

impl Jointed {
    pub(super) fn of(joint: Joint) -> Self {
        Self { joint, positions: None, velocities: None, dof: None }
    }
}

/// The joint of a table; `body` finds bodies by name.
pub(super) fn jointed<'a>(
    table: &Table<'a>,
    body: impl Fn(&Text<'a>) -> Result<Option<BodyId>, SceneError>,
) -> Result<Jointed, SceneError> {
    let axis = |key: &str, usual: Vec3| Ok::<_, SceneError>(table.direction(key)?.unwrap_or(usual));
    let word = table.word("kind")?.ok_or_else(|| table.missing("kind"))?;
    let kind = match word {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute { axis: axis("axis", Vec3::z())? },
        "prismatic" => JointKind::Prismatic { axis: axis("axis", Vec3::z())? },
        "cylindrical" => JointKind::Cylindrical { axis: axis("axis", Vec3::z())? },
        "universal" => {
            let (first, second) = (axis("axis", Vec3::z())?, axis("second_axis", Vec3::y())?);
            JointKind::Universal { first, second }
        }
        "spherical" => JointKind::Spherical,
        "planar" => JointKind::Planar { normal: axis("axis", Vec3::z())? },
        _ => JointKind::Free,
    };
    let turns = match kind {
        JointKind::Revolute { .. } => Some(true),
        JointKind::Prismatic { .. } => Some(false),
        _ => None,
    };
    let parent = table.text("parent")?.map_or(Ok(None), |name| body(&name))?;
    let frame = |key: &str| match table.table(key)? {
        Some(frame) => frame.pose("position", "rotation"),
        None => Ok(Pose::identity()),
    };
    let joint =
        Joint::new(parent, kind).parent_frame(frame("parent_frame")?).child_frame(frame("child_frame")?);
    let Some(turns) = turns else {
        table.finish(&format!("a joint of kind \"{word}\""))?;
        return Ok(Jointed::of(joint));
    };
    let dof = dof(table, turns)?;
    let jointed = Jointed {
        joint,
        positions: table.coordinate("position", turns)?.map(|start| vec![start]),
        velocities: table.coordinate("speed", turns)?.map(|speed| vec![speed]),
        dof: Some(dof),
    };
    table.finish(&format!("a joint of kind \"{word}\""))?;
    Ok(jointed)
}

/// Limits, spring, damper and motor of a joint with one coordinate.
fn dof(table: &Table<'_>, turns: bool) -> Result<Dof, SceneError> {
    let motor = table.table("motor")?.map_or(Ok(Motor::Off), |table| motor(&table, turns))?;
    let dof = read_dof(table, turns, &Dof { motor, ..Dof::default() })?;
    let start = table.coordinate("position", turns)?.unwrap_or(0.0);
    for (key, is_beyond) in [
        ("lower", dof.lower.is_some_and(|lower| start < lower)),
        ("upper", dof.upper.is_some_and(|upper| start > upper)),
    ] {
        if is_beyond {
            let place = if table.has("position") { "position" } else { key };
            let error = table.wrong(place, format!("the joint starts beyond its limit '{key}'"));
            return Err(
                error.with_help("write a 'position' between 'lower' and 'upper'; without one it starts at 0")
            );
        }
    }
    Ok(dof)
}

/// The motor of a table, which says what to drive.
fn motor(table: &Table<'_>, turns: bool) -> Result<Motor, SceneError> {
    match read_motor(table, turns)? {
        Motor::Off => {
            let message = "a motor has one of 'effort', 'speed' and 'position'";
            let help = "write { effort = 2 }, { speed = 3, gain = 10 } or { position = 1, stiffness = 100, damping = 10 }";
            Err(SceneError::at(table.span.clone(), message).with_help(help))
        }
        motor => Ok(motor),
    }
}
