//! `zerogap run`: a scene is simulated, recorded and made into a replay; `zerogap info`, `zerogap replay`,
//! `zerogap plot` and `zerogap export` read a recording.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use zerogap::core::text::printable;
use zerogap::picture::{Plot, glb, plot_png, plot_svg, replay_html};
use zerogap::record::{RecordError, Recording};
use zerogap::run::{OutputFolder, RECORDING, REPLAY, RunError, RunParams, Summary, run as run_world};
use zerogap::scene::Scene;
use zerogap::settings::tables::{METHOD, RUN};
use zerogap::settings::{Source, read_broad_phase, read_landing, read_level, read_method, read_overlaps};
use zerogap::world::{MIN_CONTROLLED_STEP, StepTimes};

use super::scene::{failure, load};
use crate::arguments::{Export, Info, Overrides, PlotRun, Replay, Run};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_files, emit_json, number, sheet, write_bytes, wrote};
use crate::progress::Progress;
use crate::signals;

/// Default folder of runs.
const RUNS: &str = "runs";

/// Parts of the progress bar [-].
const PARTS: u64 = 1000;

pub(crate) fn run(arguments: &Run) -> Result<Exit, Failure> {
    // Before anything starts a thread.
    let request = signals::listen();
    let mut scene = load(&arguments.scene, &arguments.robot)?;
    override_settings(&mut scene, &arguments.settings)?;
    let until = scene.until;
    let mut params = RunParams {
        scene: scene.name.clone(),
        source: scene.source.clone(),
        warnings: scene.warnings.clone(),
        until,
        every: scene.every,
        folder: match arguments.out.clone() {
            Some(path) => OutputFolder::At { path, overwrite: arguments.overwrite },
            None => OutputFolder::NewIn(PathBuf::from(RUNS)),
        },
        gaps: arguments.gaps.clone(),
    };
    let mut world = scene.simulation().map_err(|error| failure(&error))?;
    params.warnings.extend(world.overlap_warnings());

    // The first signal ends the run with what is done; the recording is whole.
    request.begin_run();
    let asked = Arc::clone(&request);
    world.interrupt_with(
        move || {
            if asked.is_made() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );

    let mut bar = Progress::new(PARTS, "{bar:32} {msg} ({elapsed})");
    bar.appear_in_time();
    let start = Instant::now();
    let outcome = run_world(&mut world, &params, &mut |at| {
        let part = (at.t / until * PARTS as f64) as u64;
        let message = format!(
            "t = {:.3} s of {until} s, {} s of the scene per second, step {:.1e} s, {} in contact, {} events",
            at.t,
            number(at.t / start.elapsed().as_secs_f64()),
            at.step,
            at.contacts,
            at.events
        );
        bar.update(part, message);
        if request.is_made() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(bar);
    let summary = outcome.map_err(|error| write_failure(&error))?;
    if arguments.json {
        emit_json(&summary)?;
    } else {
        emit(&shown(&summary))?;
    }
    let outcome = if summary.error.is_some() { Exit::Unmet } else { Exit::Good };
    Ok(request.exit().unwrap_or(outcome))
}

/// Why a run could not be written, and what to do about it.
fn write_failure(error: &RunError) -> Failure {
    // Those of a scene were checked as it was read: times that cannot be run come from the command line.
    if let RunError::Simulation(error) = error {
        return Failure::command(error.to_string());
    }
    if let RunError::NoGaps = error {
        return Failure::command(error.to_string());
    }
    let failure = Failure::write(error.to_string());
    match error {
        RunError::Exists { file } => {
            let help = "add --overwrite to replace it, give another --out, or omit --out for a new folder";
            failure.in_file(file).with_help(Some(help.to_owned()))
        }
        RunError::Busy { folder, .. } => {
            let help = "wait until it ends, or give another --out";
            failure.in_file(folder).with_help(Some(help.to_owned()))
        }
        RunError::Write { file, .. } => failure.in_file(file),
        _ => failure,
    }
}

/// Applies the options of the command that override the scene.
fn override_settings(scene: &mut Scene, options: &Overrides) -> Result<(), Failure> {
    let run = options.of(&RUN);
    scene.until = run.quantity("until")?.unwrap_or(scene.until);
    scene.every = run.quantity("every")?.unwrap_or(scene.every);
    scene.effort.max_wall = run.quantity("max_wall")?.or(scene.effort.max_wall);
    scene.effort.max_events = run.whole("max_events")?.or(scene.effort.max_events);
    override_method(scene, options)
}

/// Applies the options that override how time advances.
pub(crate) fn override_method(scene: &mut Scene, options: &Overrides) -> Result<(), Failure> {
    let method = options.of(&METHOD);
    if let Some(landing) = &mut scene.landing {
        read_landing(&method, landing)?;
    } else {
        scene.builder.set_method(read_method(&method, &scene.builder.params().method)?);
        scene.builder.set_overlaps(read_overlaps(&method, scene.builder.overlaps())?);
        scene.builder.set_level(read_level(&method, scene.builder.level())?);
        scene.builder.set_broad_phase(read_broad_phase(&method, scene.builder.broad_phase())?);
    }
    // What the scene says for its own method may be nothing to this one.
    if let Some(word) = method.word("method")? {
        scene.warnings.extend(scene.unused_warning(word));
    }
    Ok(())
}

fn shown(summary: &Summary) -> String {
    let info = &summary.info;
    let [start, end] = summary.energy;
    let mut rows = vec![
        ("time reached", format!("{} s", number(summary.t))),
        ("frames", summary.frames.to_string()),
        ("steps", format!("{} accepted, {} rejected", info.steps, info.rejected)),
        ("events", format!("{}; {} steps shortened at events", summary.event_count, info.events)),
        ("energy", format!("{} J at the start, {} J at the end", number(start), number(end))),
    ];
    if info.captured > 0 {
        let intervals = if info.captured == 1 { "interval" } else { "intervals" };
        let text = format!(
            "{} {intervals}, {} s, passed by non-smooth steps",
            info.captured,
            number(info.captured_time)
        );
        rows.push(("captured", text));
    }
    if let Some(contacts) = &info.contacts {
        let solved = contacts.solves - contacts.unconverged;
        let rest = if contacts.unconverged > 0 {
            format!(", {} did not converge", contacts.unconverged)
        } else {
            String::new()
        };
        rows.push((
            "contact problems",
            format!("{solved} solved{rest}, largest residual {} m/s", number(contacts.residual)),
        ));
    }
    if let Some(unresolved) = info.unresolved.filter(|count| *count > 0) {
        let shortest = number(MIN_CONTROLLED_STEP);
        rows.push((
            "unresolved",
            format!("{unresolved} steps of {shortest} s, the shortest, had larger errors than rtol allows"),
        ));
    }
    if let Some(sleeping) = info.sleeping {
        rows.push(("asleep", format!("{sleeping} bodies at the end")));
    }
    for quasi in &info.quasi_lmds {
        let shapes = if quasi.shapes == 1 { "shape" } else { "shapes" };
        let (dilation, tolerance) =
            (number(1e3 * quasi.dilation), number(quasi.angular_tolerance.to_degrees()));
        let text =
            format!("{} {shapes}: dilation {dilation} mm, angular tolerance {tolerance} deg", quasi.shapes);
        rows.push(("quasi-LMDs", text));
    }
    if let Some(gap) = summary.smallest_gap {
        rows.push(("smallest gap", format!("{} m", number(gap))));
    }
    rows.push(("wall time", wall_time(summary.t, info.wall)));
    if let Some(StepTimes { first, slowest, slowest_at }) = info.step_times {
        let text = format!(
            "{:.3} ms the first, {:.3} ms the slowest of the others, at {} s",
            1e3 * first,
            1e3 * slowest,
            number(slowest_at)
        );
        rows.push(("steps took", text));
    }
    let fractions: Vec<String> = info
        .time_fractions
        .iter()
        .filter(|(_, fraction)| *fraction >= 0.005)
        .map(|(name, fraction)| format!("{name} {:.0} %", 100.0 * fraction))
        .collect();
    if !fractions.is_empty() {
        rows.push(("of which", fractions.join(", ")));
    }
    rows.push(("state hash", summary.hash.clone()));
    let title = if summary.reason.is_empty() {
        summary.scene.clone()
    } else {
        format!("{}: ended early: {}", summary.scene, summary.reason)
    };
    let mut lines = vec![sheet(&title, &rows)];
    lines.extend(summary.warnings.iter().map(|warning| format!("warning: {}\n", printable(warning))));
    lines.extend(summary.files.iter().map(|file| wrote(file)));
    lines.concat()
}

/// How long a run took, and the time that it reached in a second of that.
fn wall_time(reached: f64, wall: f64) -> String {
    if reached > 0.0 && wall > 0.0 {
        format!("{wall:.2} s, {} s of the scene per second", number(reached / wall))
    } else {
        format!("{wall:.2} s")
    }
}

/// The recording of a run, by its file or its folder.
fn recording_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(RECORDING) } else { path.to_owned() }
}

fn open(path: &Path) -> Result<Recording, Failure> {
    let file = recording_file(path);
    Recording::open(&file).map_err(|error| Failure::input(error.to_string()).in_file(&file))
}

pub(crate) fn replay(arguments: &Replay) -> Result<Exit, Failure> {
    let recording = open(&arguments.run)?;
    let out = arguments.out.clone().unwrap_or_else(|| recording_file(&arguments.run).with_file_name(REPLAY));
    write_bytes(&out, replay_html(&recording).as_bytes())?;
    emit_files(&[out], arguments.json)?;
    Ok(Exit::Good)
}

pub(crate) fn plot(arguments: &PlotRun) -> Result<Exit, Failure> {
    let recording = open(&arguments.run)?;
    let what = Plot::ALL.into_iter().find(|plot| plot.name() == arguments.what).unwrap_or(Plot::Overview);
    let named = || recording_file(&arguments.run).with_file_name(format!("{}.png", what.name()));
    let out = arguments.out.clone().unwrap_or_else(named);
    let bytes = match out.extension().and_then(|extension| extension.to_str()) {
        Some("png") => plot_png(&recording, what, what.size()),
        Some("svg") => plot_svg(&recording, what, what.size()).map(String::into_bytes),
        _ => {
            let failure = Failure::command(format!("{}: a plot is a .png or a .svg file", out.display()));
            return Err(failure);
        }
    };
    let bytes = bytes.map_err(|error| Failure::input(error.to_string()))?;
    write_bytes(&out, &bytes)?;
    emit_files(&[out], arguments.json)?;
    Ok(Exit::Good)
}

/// Writes a recording for other programs: by its ending an animation, arrays, or a folder of tables.
pub(crate) fn export(arguments: &Export) -> Result<Exit, Failure> {
    let recording = open(&arguments.run)?;
    let out = &arguments.out;
    let failed = |error: RecordError| Failure::write(error.to_string()).in_file(out);
    let files = match out.extension().and_then(|extension| extension.to_str()) {
        Some("glb") => write_bytes(out, &glb(&recording)).map(|()| vec![out.clone()])?,
        Some("npz") => recording.write_npz(out).map(|()| vec![out.clone()]).map_err(failed)?,
        Some(other) => {
            let failure =
                Failure::command(format!("{}: a recording is not exported as .{other}", out.display()));
            return Err(failure
                .with_help(Some("write .npz, .glb, or a folder, which gets tables as .csv".to_owned())));
        }
        None => recording.write_csv(out).map_err(failed)?,
    };
    emit_files(&files, arguments.json)?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct RunHead<'a> {
    scene: &'a str,
    bodies: &'a [String],
    shapes: usize,
    frames: usize,
    from: f64,
    to: f64,
    events: usize,
    is_whole: bool,
    hash: String,
}

pub(crate) fn info(arguments: &Info) -> Result<Exit, Failure> {
    let recording = open(&arguments.run)?;
    let end = |frame: Option<&zerogap::world::Frame>| frame.map_or(0.0, |frame| frame.t);
    let head = RunHead {
        scene: &recording.head.scene,
        bodies: &recording.head.bodies,
        shapes: recording.head.shapes.len(),
        frames: recording.frames.len(),
        from: end(recording.frames.first()),
        to: end(recording.frames.last()),
        events: recording.events.len(),
        is_whole: recording.end.is_some(),
        hash: format!("{:016x}", recording.hash_of_frames()),
    };
    if arguments.json {
        emit_json(&head)?;
        return Ok(Exit::Good);
    }
    let rows = [
        ("bodies", head.bodies.join(", ")),
        ("shapes", head.shapes.to_string()),
        ("frames", format!("{} from {} s to {} s", head.frames, number(head.from), number(head.to))),
        ("events", head.events.to_string()),
        ("whole", if head.is_whole { "yes" } else { "no: the run was cut off" }.to_owned()),
        ("hash of the frames", head.hash.clone()),
    ];
    emit(&sheet(head.scene, &rows))?;
    Ok(Exit::Good)
}
