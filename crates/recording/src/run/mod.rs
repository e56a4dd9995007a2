//! The main job: a scene is run, recorded and made into pictures, in one folder.
//!
//! In: a simulation and the folder to write to. Out: `recording.zgr`, `replay.html`, `overview.png`, `summary.json`. The recording is written during the run and is readable up to its last
//! flush whatever happens; the other files are made from it at the end, also where the run ended early. An earlier result is replaced only on request, and not before the new recording has
//! its first frames.

mod folder;
mod gaps;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;
use zerogap_core::files;

use crate::picture::{Plot, PlotError, plot_png, replay_html};
use crate::record::{End, Head, RecordError, Recording, RecordingWriter};
use zerogap_simulation::world::{Event, Frame, WorldInfo};
use zerogap_simulation::{Simulation, SimulationError};

use gaps::GapTable;

pub use folder::{GAPS, OVERVIEW, OutputFolder, RECORDING, REPLAY, RunFolder, SUMMARY, folder_name};

/// Parameters of a recorded run.
#[derive(Debug, Clone)]
pub struct RunParams {
    /// Name of the scene.
    pub scene: String,
    /// The text that it was read from; empty where there is none.
    pub source: String,
    /// Warnings about ignored content of the scene files.
    pub warnings: Vec<String>,
    /// Time to run to [s].
    pub until: f64,
    /// Time between frames [s].
    pub every: f64,
    /// The folder to write to.
    pub folder: OutputFolder,
    /// Pairs of bodies or shapes, by name, whose gaps are written to a table frame by frame.
    pub gaps: Vec<(String, String)>,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time reached [s].
    pub t: f64,
    /// Length of the last step [s].
    pub step: f64,
    /// Pairs in contact [-].
    pub contacts: usize,
    /// Events so far [-].
    pub events: usize,
}

/// Summary of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Time reached [s].
    pub t: f64,
    /// Reason for an early end; empty if there is none.
    pub reason: String,
    /// The error that ended it, where one did.
    #[serde(skip)]
    pub error: Option<SimulationError>,
    /// Frames recorded [-].
    pub frames: usize,
    /// Number of events [-].
    pub event_count: usize,
    /// Energy of bodies and joints at the start and at the end [J].
    pub energy: [f64; 2],
    /// Smallest gap of any pair in any frame [m]: below zero is the deepest overlap; none where nothing touched.
    pub smallest_gap: Option<f64>,
    /// Hash of the final state, in hexadecimal.
    pub hash: String,
    /// Steps, solves and times.
    pub info: WorldInfo,
    /// Warnings about ignored content of the scene files.
    pub warnings: Vec<String>,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

/// Errors of a recorded run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be written.
    #[error("{file} cannot be written: {error}", file = file.display())]
    Write {
        /// Which.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The folder holds the result of an earlier run.
    #[error("{} holds the result of an earlier run: {} exists", folder_of(file).display(), file.display())]
    Exists {
        /// A file of that result.
        file: PathBuf,
    },
    /// Another run writes to the folder.
    #[error("another run writes to {}: {}", folder.display(), process_words(*process))]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// The process that has it, if known.
        process: Option<u32>,
    },
    /// Gaps were asked of a landing.
    #[error("a landing has no gaps between bodies: run it without --gaps")]
    NoGaps,
    /// The recording could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A plot could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// The simulation could not start.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// Runs a simulation and writes its recording, summary and pictures. An error of the run ends it early and is part of the summary; `progress` may end it too.
pub fn run(
    world: &mut Simulation,
    params: &RunParams,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Summary, RunError> {
    world.check_run(params.until, params.every)?;
    let mut head = Head::of(world, &params.scene, params.every)?;
    head.source.clone_from(&params.source);
    let mut gaps = GapTable::new(world, &params.gaps)?;
    let folder = RunFolder::open(&params.folder, &params.scene)?;
    let file = folder.path().join(RECORDING);
    let mut writer = RecordingWriter::create(&file, &head)?;
    let mut has_derived = true;
    let start = world.energy().total();

    // Frames are written as they come.
    let (mut failure, mut smallest, mut frames) = (None, None::<f64>, 0);
    let outcome = world.stream_to(params.until, params.every, &mut |frame: Frame, events: &[Event]| {
        if failure.is_some() {
            return ControlFlow::Break(());
        }
        frames += 1;
        for contact in &frame.contacts {
            smallest = Some(smallest.map_or(contact.gap, |smallest: f64| smallest.min(contact.gap)));
        }
        let reached =
            Progress { t: frame.t, step: frame.step, contacts: frame.contacts.len(), events: events.len() };
        let mut written = writer.frame(&frame).and_then(|()| writer.events(events)).map_err(RunError::from);
        if let (Some(gaps), Ok(())) = (&mut gaps, &written) {
            written = gaps.add(&frame);
        }
        // From the first flush on the recording is of this run, and pictures of an earlier one have no place beside it.
        if has_derived && written.is_ok() && writer.is_published() {
            has_derived = false;
            written = folder.remove_derived();
        }
        match written {
            Ok(()) => progress(reached),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    writer.events(world.events())?;
    let end = End {
        t: world.time(),
        info: world.info(),
        hash: world.hash(),
        reason: reason(&outcome, world, params),
    };
    writer.finish(&end)?;
    if has_derived {
        folder.remove_derived()?;
    }

    // Pictures are made from the file: they show what was recorded.
    let recording = Recording::open(&file)?;
    let mut files = vec![file];
    let replay = folder.path().join(REPLAY);
    write(&replay, replay_html(&recording).as_bytes())?;
    files.push(replay);
    let plot = folder.path().join(OVERVIEW);
    write(&plot, &plot_png(&recording, Plot::Overview, Plot::Overview.size())?)?;
    files.push(plot);
    if let Some(gaps) = gaps {
        let table = folder.path().join(GAPS);
        write(&table, gaps.text().as_bytes())?;
        files.push(table);
    }
    let summary_file = folder.path().join(SUMMARY);
    files.push(summary_file.clone());
    let summary = Summary {
        scene: params.scene.clone(),
        t: end.t,
        reason: end.reason.clone(),
        error: outcome.err(),
        frames,
        event_count: recording.events.len(),
        energy: [start, world.energy().total()],
        smallest_gap: smallest,
        hash: format!("{:016x}", end.hash),
        info: end.info,
        warnings: params.warnings.clone(),
        files,
    };
    let text = serde_json::to_string_pretty(&summary).unwrap_or_default();
    write(&summary_file, text.as_bytes())?;
    Ok(summary)
}

/// Why a run ended before its time.
fn reason(outcome: &Result<(), SimulationError>, world: &Simulation, params: &RunParams) -> String {
    match outcome {
        Err(error) => world.explain(error),
        Ok(()) if world.time() >= params.until => String::new(),
        Ok(()) => "stopped by the user".to_owned(),
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), RunError> {
    files::replace(file, bytes).map_err(|error| RunError::Write { file: file.to_owned(), error })
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(file)
}

fn process_words(process: Option<u32>) -> String {
    process.map_or("its process is not known".to_owned(), |process| format!("process {process}"))
}
