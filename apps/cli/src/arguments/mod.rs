//! The arguments of the command, by subject.

mod bodies;
mod checks;
mod pairs;
mod runs;
mod settings;
mod values;
#[cfg(feature = "viewer")]
mod view;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use bodies::*;
pub(crate) use checks::*;
pub(crate) use pairs::*;
pub(crate) use runs::*;
pub(crate) use settings::Overrides;
#[cfg(feature = "viewer")]
pub(crate) use view::*;

const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  done, but a requirement failed, or an error ended a run early
    2  the command line is invalid
    3  the input cannot be read or is invalid
    4  the result cannot be written
  129  the terminal was closed during a run (SIGHUP); the partial result is written
  130  a run was interrupted by Ctrl-C (SIGINT); the partial result is written
  143  a run was terminated by SIGTERM; the partial result is written

Every command accepts --json. Errors are then JSON as well: one object per line on
standard error with kind, message, file, line, column and help.";

/// Collision detection and contact for physics simulation, with certified gaps.
#[derive(Debug, Parser)]
#[command(name = "zerogap", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Topology, extents, volume, mass and inertia of meshes, parts and shapes
    Inspect(Inspect),
    /// Convex hull of a mesh or part
    Hull(Hull),
    /// Convex pieces that together cover a closed mesh or part
    Decompose(Decompose),
    /// Signed distance of two bodies, by their hulls or as meshes, with normal, witness points and certificate
    Distance(Distance),
    /// Contact points of two bodies, by their hulls or as meshes: gaps, normals and persistent feature names
    Contacts(Contacts),
    /// Time of impact of two moving bodies, or proof that there is none; minimum clearance
    Impact(Impact),
    /// Overlapping pairs of a table of boxes (broad phase)
    Pairs(Pairs),
    /// Generate a parametric part: gear, connecting rod, ...
    Part(PartArguments),
    /// Refine a mesh until no edge is longer than a given length
    Refine(Refine),
    /// Simulate a scene; write a recording, a summary and a replay page for the browser
    Run(Run),
    /// Show a scene as it runs, in the browser: take hold of bodies, go back in time, record
    #[cfg(feature = "viewer")]
    View(View),
    /// Print the contents of a recording
    Info(Info),
    /// Write the replay page of a recording
    Replay(Replay),
    /// Plot energies, gaps, forces or steps of a recording
    Plot(PlotRun),
    /// Export a recording to other formats: arrays, tables, an animation
    Export(Export),
    /// Check scene files, create new ones, list the built-in ones
    Scene(Scene),
    /// Solve Coulomb friction problems from files: impulses, residual and time
    Solve(Solve),
    /// Verify this build against known solutions and published results
    Verify(Verify),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page, or write those of all commands to a folder
    Man(Man),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap completions bash > ~/.local/share/bash-completion/completions/zerogap
  zerogap completions zsh > ~/.zfunc/_zerogap
  zerogap completions fish > ~/.config/fish/completions/zerogap.fish")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
    /// Print JSON, with the script as a text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap man | man -l -                              read the manual page
  zerogap man --out ~/.local/share/man/man1           install those of all commands")]
pub(crate) struct Man {
    /// Write zerogap.1, zerogap-run.1, ... to this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON: the page as a text, or the files that were written
    #[arg(long)]
    pub(crate) json: bool,
}
