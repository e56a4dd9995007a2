//! The words the command understands, by what they are about.

mod bodies;
mod checks;
mod pairs;
mod runs;
mod settings;
mod values;

use clap::{Args, Parser, Subcommand};

pub(crate) use bodies::*;
pub(crate) use checks::*;
pub(crate) use pairs::*;
pub(crate) use runs::*;
pub(crate) use settings::Overrides;

const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  done, but the answer is no: a requirement is not met, or an error ended a run early
    2  the command line is wrong
    3  the input cannot be read or used
    4  the result cannot be written
  129  a run was ended by a closed terminal (SIGHUP); what is done is written
  130  a run was ended by Ctrl-C (SIGINT); what is done is written
  143  a run was ended by SIGTERM; what is done is written

With --json, which every command takes, errors are JSON too: one object a line on
standard error with kind, message, file, line, column and help.";

/// Collision detection and contact for physics simulation, with gaps one can trust.
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
    /// Signed distance of two bodies, by their hulls or as meshes, with normal, nearest points and certificate
    Distance(Distance),
    /// Where two bodies touch or nearly do, by their hulls or as meshes: contact points with gaps, normal and lasting names
    Contacts(Contacts),
    /// When two moving bodies first touch, or proof that they do not; how near they come
    Impact(Impact),
    /// Which boxes of a table overlap: who might touch, before any gap is asked for
    Pairs(Pairs),
    /// Generate a parametric part: gear, connecting rod, ...
    Part(Part),
    /// Cut the triangles of a mesh until no edge is longer than a length
    Refine(Refine),
    /// Simulate a scene: recording, summary and a replay to open in a browser
    Run(Run),
    /// What a recording of a run holds
    Info(Info),
    /// Make the replay page of a recording again
    Replay(Replay),
    /// Draw energies, gaps, forces or steps of a recording
    Plot(PlotRun),
    /// Write a recording for other programs: arrays, tables, an animation
    Export(Export),
    /// Check scene files, begin new ones, list the built-in ones
    Scene(Scene),
    /// Solve friction problems from files: impulses that obey Coulomb's law, with residual and time
    Solve(Solve),
    /// Measure this build against known answers, beside what others published
    Verify(Verify),
    /// Print a completion script for a shell
    Completions(Completions),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap completions bash > ~/.local/share/bash-completion/completions/zerogap
  zerogap completions zsh > ~/.zfunc/_zerogap
  zerogap completions fish > ~/.config/fish/completions/zerogap.fish")]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
    /// Print JSON, with the script as a text
    #[arg(long)]
    pub(crate) json: bool,
}
