//! Arguments of the commands that solve and verify.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use zerogap::contact::solve::MAX_DIRECTIONS;
use zerogap::verification;

use super::values::parse_tolerance;

const SOLVE_HELP: &str = "\
A file holds  3 CONTACTS, the number of entries of W, that many lines
`row column value` counted from 0, then q and the friction of each contact.
Exits with 1 if a problem does not converge to the tolerance or has no solution.";

#[derive(Debug, Args)]
#[command(after_help = SOLVE_HELP)]
pub(crate) struct Solve {
    /// Friction problems, text files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Tolerance on the residual
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// Friction pyramids of N sides by Lemke's method in place of round cones, for comparison; residuals are those of round cones
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(3..=MAX_DIRECTIONS as u64))]
    pub(crate) cone_sides: Option<usize>,
    /// Write the impulses and velocities of all contacts to a CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON, with the impulses and velocities of all contacts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Groups:\n{}\n
Exits with 1 if a requirement fails.\n
Examples:
  zerogap verify
  zerogap verify tables --count 1000
  zerogap verify --json", group_lines()))]
pub(crate) struct Verify {
    /// Group to run [default: all groups]
    #[arg(value_name = "GROUP", value_parser = PossibleValuesParser::new(verification::names()))]
    pub(crate) group: Option<String>,
    /// Number of random cases, for groups that use them [default: depends on the group]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) count: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The groups and what they measure, one on each line.
fn group_lines() -> String {
    let cases = |count: Option<usize>| count.map_or(String::new(), |count| format!(" ({count} cases)"));
    let line = |group: &verification::Group| {
        format!("  {}  {}{}", group.name, group.description, cases(group.count))
    };
    verification::groups().iter().map(line).collect::<Vec<String>>().join("\n")
}
