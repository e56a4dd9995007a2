//! Motions that are given, in a scene file.

use std::path::Path;
use std::sync::Arc;

use zerogap_core::files;
use zerogap_dynamics::multibody::{
    Harmonic, HarmonicMotion, Interpolation, Motion, MotionError, SplineMotion,
};

use super::error::SceneError;
use super::reader::Table;
use zerogap_simulation::settings::{Source, read_servo};
use zerogap_simulation::world::Servo;

/// The servo of a table.
pub(super) fn servo(table: &Table<'_>, folder: &Path) -> Result<Servo, SceneError> {
    let path = table.table("motion")?.ok_or_else(|| table.missing("motion"))?;
    let servo = read_servo(table, motion(&path, folder)?)?;
    table.finish("a servo")?;
    Ok(servo)
}

/// The motion of a table.
pub(super) fn motion(table: &Table<'_>, folder: &Path) -> Result<Arc<dyn Motion>, SceneError> {
    let parts = ["surge", "sway", "heave", "roll", "pitch", "yaw"];
    if let Some(file) = table.text("csv")? {
        if let Some(other) = parts.into_iter().find(|key| table.has(key)) {
            let message = format!(
                "a motion is either from a file or of oscillations, and this one has 'csv' and '{other}'"
            );
            return Err(table.wrong(other, message).with_help("leave one of them out"));
        }
        let path = folder.join(file.text);
        let text = files::read_text(&path, files::MAX_TABLE).map_err(|error| {
            SceneError::at(file.span.clone(), format!("{} cannot be read: {error}", path.display()))
                .with_help("file names are relative to the folder of the scene file")
        })?;
        let spline = SplineMotion::from_csv(&text, interpolation(table)?)
            .map_err(|error| SceneError::at(file.span, format!("{}: {error}", path.display())))?;
        table.finish("a motion from a file")?;
        return Ok(Arc::new(spline));
    }
    let points = table.tables("points")?;
    if table.has("points") {
        if let Some(other) = parts.into_iter().find(|key| table.has(key)) {
            let message = format!(
                "a motion has either points or oscillations, and this one has 'points' and '{other}'"
            );
            return Err(table.wrong(other, message).with_help("leave one of them out"));
        }
        let (mut times, mut poses) = (Vec::new(), Vec::new());
        for point in &points {
            times.push(point.needed("t")?);
            poses.push(point.pose("position", "rotation")?);
            point.finish("a point of a motion")?;
        }
        let spline = SplineMotion::from_poses(&times, &poses, interpolation(table)?)
            .map_err(|error| table.wrong("points", format!("no motion through these points: {error}")))?;
        table.finish("a motion through points")?;
        return Ok(Arc::new(spline));
    }
    let mut swings = [Harmonic::default(); 6];
    for (swing, key) in swings.iter_mut().zip(parts) {
        if let Some(part) = table.table(key)? {
            let amplitude = part.needed("amplitude")?;
            let period = part.needed("period")?;
            let phase = part.quantity("phase")?.unwrap_or(0.0);
            *swing = Harmonic { amplitude, frequency: 1.0 / period, phase };
        }
    }
    let [x, y, z, roll, pitch, yaw] = swings;
    let mean = table.pose("position", "rotation")?;
    let motion = HarmonicMotion::new(mean, [x, y, z], [roll, pitch, yaw])
        .map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
    Ok(Arc::new(motion))
}

/// Interpolation of a motion between its samples.
fn interpolation(table: &Table<'_>) -> Result<Interpolation, SceneError> {
    let Some(word) = table.word("interpolation")? else { return Ok(Interpolation::default()) };
    word.parse().map_err(|error: MotionError| table.wrong("interpolation", error.to_string()))
}
