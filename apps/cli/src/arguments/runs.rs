//! Arguments of the commands on scenes and recordings.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use zerogap::picture::Plot;
use zerogap::scene;

use super::settings::Overrides;
use super::values::parse_pair;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap run falling-parts
  zerogap run box-tower --until 0.5 --out tower
  zerogap run box-tower --until 0.6 --out tower --overwrite
  zerogap run robot.urdf --base fixed --json
  zerogap run box-tower --gaps 'box 1,box 3' --gaps 'box 3,world'

The folder gets recording.zgr, overview.png, summary.json and replay.html, which opens in any browser.
Without --out every run gets its own folder: runs/NAME, runs/NAME-2, and so on.
Ctrl-C, SIGTERM and SIGHUP end a run and keep the partial result; a second one ends it at once.
Exit codes: see 'zerogap --help'.")]
pub(crate) struct Run {
    /// A scene (.toml), a robot (.urdf, .xml), or the name of a built-in scene: see 'zerogap scene list'
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// Output folder, which must not contain a result yet [default: a new folder runs/NAME]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the result in --out, once the new recording has its first frames
    #[arg(long, requires = "out")]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) settings: Overrides,
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// Write the gap between two bodies or shapes to gaps.csv, frame by frame; 'world' is all that is fixed. May be given several times
    #[arg(long, value_name = "A,B", value_parser = parse_pair)]
    pub(crate) gaps: Vec<(String, String)>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The page to write [default: replay.html beside the recording]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON: the files that were written
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap export runs/domino-row dominoes.npz     arrays for numpy
  zerogap export runs/domino-row dominoes.glb     an animation for Blender and others
  zerogap export runs/domino-row tables           bodies.csv, contacts.csv, points.csv, events.csv,
                                                  energy.csv, shapes.csv")]
pub(crate) struct Export {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// What to write: a .npz or .glb file, or a folder for tables
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// Print JSON: the files that were written
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlotRun {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The plot
    #[arg(value_name = "WHAT", default_value = "overview", value_parser = PossibleValuesParser::new(Plot::ALL.map(Plot::name)))]
    pub(crate) what: String,
    /// The file to write, .png or .svg [default: WHAT.png beside the recording]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON: the files that were written
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Scene {
    #[command(subcommand)]
    pub(crate) command: SceneCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SceneCommand {
    /// Read a scene and build its world; report the first error and its location
    Check(SceneCheck),
    /// Print a scene template, or write it to a file
    New(SceneNew),
    /// List the built-in scenes
    List(SceneList),
    /// Print the JSON schema of scene files, for editors
    Schema(SceneSchema),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap scene check falling.toml
  zerogap scene check box-tower
  zerogap scene check robot.urdf --base fixed
  zerogap scene check model.xml --json")]
pub(crate) struct SceneCheck {
    /// A scene (.toml), a robot (.urdf, .xml), or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

// How a robot that is run as it is (.urdf, .xml) is read; no doc comment, which would replace that of the command.
#[derive(Debug, Clone, Args)]
pub(crate) struct RobotArguments {
    /// Whether the root link is fixed or free; required for .urdf
    #[arg(long, value_name = "BASE")]
    pub(crate) base: Option<BaseChoice>,
    /// Folder of a package that a URDF names by package://, such as --package arm=folders/arm; may be given several times
    #[arg(long, value_name = "NAME=FOLDER", value_parser = package)]
    pub(crate) package: Vec<(String, PathBuf)>,
    /// Mend links of a URDF whose masses, inertias or sizes cannot be, and list what was changed
    #[arg(long)]
    pub(crate) repair: bool,
    /// Leave out physics that is not modelled here, with a warning for each
    #[arg(long)]
    pub(crate) leave_out: bool,
    /// Keyframe of an MJCF model to start from
    #[arg(long, value_name = "NAME")]
    pub(crate) keyframe: Option<String>,
    /// Disable contact of pairs of its shapes that overlap at the start, with a warning for each
    #[arg(long, value_name = "WHEN", value_parser = ["start"])]
    pub(crate) ignore_overlaps: Option<String>,
}

/// A package and its folder.
fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), folder.into()))
        }
        _ => Err("write the name of the package and its folder, such as my_robot=robots/my_robot".to_owned()),
    }
}

/// Base of a URDF robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BaseChoice {
    /// The root link is fixed to the world
    Fixed,
    /// The root link floats
    Free,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap scene new starter                        print a scene with comments
  zerogap scene new box-tower --out tower.toml     start from a built-in scene
  zerogap scene new gripper-arm.xml                print a robot as MJCF")]
pub(crate) struct SceneNew {
    /// Template: 'starter', the name of a built-in scene, or a file of a robot that is made here
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(scene::templates().into_iter().map(|(name, _)| name).chain(scene::showcase_files().into_iter().map(|(name, _)| name))))]
    pub(crate) name: String,
    /// The file to write, which must not exist yet
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON: the scene as a text, or the file that was written
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SceneSchema {
    /// Print JSON (a schema always is JSON)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SceneList {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
