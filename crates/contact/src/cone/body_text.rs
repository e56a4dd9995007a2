//! Contact problems of time stepping as text, with the impulses that a solve starts from.
//!
//! In: a [`CapturedProblem`], or text. Out: the other one, with every number exact; an error names the line and what was expected there. The friction problem format of [`super::text`] holds the matrix `W`;
//! this one holds what `W` is made of:
//!
//! ```text
//! contact-problem 1
//! label step
//! tolerance 1e-6
//! groups 2
//! 6  <36 entries of the mass matrix>  <6 velocities without contacts>
//! 1  <1 entry>  <1 velocity>
//! blocks 2
//! contact 0.5  <3 biases>  <3 impulses>  2  0 <18 entries of the Jacobian on group 0>  1 <3 entries on group 1>
//! unilateral  <1 bias>  <1 impulse>  1  1 <1 entry>
//! moment 2 0.01 0  <2 biases>  <2 impulses>  1  0 <12 entries>
//! bounded -1.5 inf compliance 0.25  <1 bias>  <1 impulse>  1  1 <1 entry>
//! ```
//!
//! A block begins with the word of its law and the numbers of that law, and, where it yields by itself, the word `compliance` and how much; then come biases, impulses, the number of groups it acts on, and for each the group and its rows of the Jacobian. Matrices are row-major. Line
//! breaks are ordinary blanks to the reader; the writer gives each group and each block a line.

use std::fmt::Write as _;

use super::text::{TextError, Words};
use super::{BodyProblem, Delassus};
use crate::problem::Block;

/// The version that is written, and the only one that is read.
const VERSION: usize = 1;
/// Groups that a block acts on at most.
const MAX_SIDES: usize = 2;

/// A contact problem as a solver was given it.
#[derive(Debug, Clone, Default)]
pub struct CapturedProblem {
    /// What kind of solve it belongs to, in a word without blanks: `step` for the contacts of a time step.
    pub label: String,
    /// The problem.
    pub problem: BodyProblem,
    /// Impulses that the solve started from [N s and the like].
    pub impulses: Vec<f64>,
    /// Tolerance of the solve [units of the bias].
    pub tolerance: f64,
    /// Impulses that the solve ended with; empty where they are not known, as in text.
    pub found: Vec<f64>,
}

impl CapturedProblem {
    /// Keeps a problem, in the room that there is.
    pub fn keep(&mut self, label: &str, problem: &BodyProblem, impulses: &[f64], tolerance: f64) {
        self.label.clear();
        self.label.push_str(label);
        self.problem.clone_from(problem);
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.tolerance = tolerance;
        self.found.clear();
    }
}

/// Writes a problem; reading it again gives the same bits.
pub fn write_body_problem(captured: &CapturedProblem) -> String {
    let CapturedProblem { label, problem, impulses, tolerance, .. } = captured;
    let word: String = label.chars().map(|c| if c.is_whitespace() { '-' } else { c }).collect();
    let label = if word.is_empty() { "-" } else { &word };
    let mut text = format!("contact-problem {VERSION}\nlabel {label}\ntolerance {tolerance:?}\n");
    // Writing to a string does not fail.
    let _ = writeln!(text, "groups {}", problem.groups().len());
    for (number, group) in problem.groups().iter().enumerate() {
        let _ = write!(text, "{}", group.len);
        push_numbers(&mut text, problem.mass(number));
        push_numbers(&mut text, &problem.free()[group.start..group.start + group.len]);
        text.push('\n');
    }
    let _ = writeln!(text, "blocks {}", problem.blocks().len());
    for (block, law) in problem.blocks().iter().enumerate() {
        push_law(&mut text, law);
        if problem.compliance(block) > 0.0 {
            let _ = write!(text, " compliance {:?}", problem.compliance(block));
        }
        let first = problem.first(block);
        let rows = first..first + law.rows();
        push_numbers(&mut text, &problem.bias()[rows.clone()]);
        for row in rows {
            push_numbers(&mut text, &[impulses.get(row).copied().unwrap_or_default()]);
        }
        let sides = problem.sides(block);
        let _ = write!(text, " {}", sides.iter().flatten().count());
        for side in sides.into_iter().flatten() {
            let _ = write!(text, " {}", side.group);
            push_numbers(&mut text, problem.rows_of(block, side));
        }
        text.push('\n');
    }
    text
}

fn push_numbers(text: &mut String, numbers: &[f64]) {
    for number in numbers {
        let _ = write!(text, " {number:?}");
    }
}

/// The word of a law and its numbers.
fn push_law(text: &mut String, law: &Block) {
    let _ = match law {
        Block::Bilateral => write!(text, "bilateral"),
        Block::Unilateral => write!(text, "unilateral"),
        Block::Bounded { lower, upper } => write!(text, "bounded {lower:?} {upper:?}"),
        Block::Moment { axes, ratio, contact } => write!(text, "moment {axes} {ratio:?} {contact}"),
        Block::Contact { friction, slip: None } => write!(text, "contact {friction:?}"),
        Block::Contact { friction, slip: Some([x, y]) } => write!(text, "sliding {friction:?} {x:?} {y:?}"),
    };
}

/// Reads the word of a law and its numbers.
fn read_law(words: &mut Words<'_>, of: &str, before: &[Block]) -> Result<Block, TextError> {
    let known = ["bilateral", "unilateral", "bounded", "moment", "contact", "sliding"];
    let expected = || format!("the law of {of} ({})", known.join(", "));
    let word = words.next(expected, |word| known.iter().position(|known| *known == word))?;
    let not_negative = |word: &str| word.parse().ok().filter(|mu: &f64| *mu >= 0.0);
    let friction = |words: &mut Words<'_>| {
        words.next(|| format!("the friction of {of} (zero or more, or inf)"), not_negative)
    };
    Ok(match word {
        0 => Block::Bilateral,
        1 => Block::Unilateral,
        2 => {
            let bound = |word: &str| word.parse().ok().filter(|bound: &f64| !bound.is_nan());
            let lower = words.next(|| format!("the lower bound of {of} (a number or -inf)"), bound)?;
            let above = |word: &str| bound(word).filter(|upper| *upper >= lower);
            let upper = words.next(|| format!("the upper bound of {of} (from {lower:?}, or inf)"), above)?;
            Block::Bounded { lower, upper }
        }
        3 => {
            let few = |word: &str| word.parse().ok().filter(|axes| (1..=2).contains(axes));
            let axes = words.next(|| format!("the rows of {of} (1 or 2)"), few)?;
            let ratio = words.next(|| format!("the ratio of {of} (zero or more)"), not_negative)?;
            let is_contact = |number: &usize| matches!(before.get(*number), Some(Block::Contact { .. }));
            let one = |word: &str| word.parse().ok().filter(is_contact);
            let contact = words.next(|| format!("the contact of {of} (a block before it)"), one)?;
            Block::Moment { axes, ratio, contact }
        }
        4 => Block::Contact { friction: friction(words)?, slip: None },
        _ => {
            let friction = friction(words)?;
            let along = || format!("the direction of sliding of {of}");
            Block::Contact { friction, slip: Some([words.number(along)?, words.number(along)?]) }
        }
    })
}

/// Reads a problem.
pub fn read_body_problem(text: &str) -> Result<CapturedProblem, TextError> {
    let mut words = Words::new(text);
    let mut captured = CapturedProblem::default();
    words.word("contact-problem")?;
    let is_known = |word: &str| word.parse().ok().filter(|version: &usize| *version == VERSION);
    words.next(|| format!("version {VERSION} of the format"), is_known)?;
    words.word("label")?;
    captured.label = words.next(|| "a label".into(), |word| Some(word.to_owned()))?;
    words.word("tolerance")?;
    captured.tolerance = words.number(|| "the tolerance".into())?;
    words.word("groups")?;
    let groups = words.count("the number of groups")?;
    let (mut mass, mut free) = (Vec::new(), Vec::new());
    for group in 0..groups {
        let len = words.count(&format!("the number of velocities of group {group}"))?;
        // Counts are what a file says, not what it holds: memory grows with what is read.
        let entries = len.saturating_mul(len);
        read_numbers(&mut words, entries, &mut mass, || format!("the mass matrix of group {group}"))?;
        read_numbers(&mut words, len, &mut free, || format!("the velocities of group {group}"))?;
        captured.problem.add_group(&mass, &free);
    }
    words.word("blocks")?;
    let blocks = words.count("the number of blocks")?;
    let mut numbers = Vec::new();
    for block in 0..blocks {
        let of = format!("block {block}");
        let law = read_law(&mut words, &of, captured.problem.blocks())?;
        let not_negative = |word: &str| word.parse().ok().filter(|value: &f64| *value >= 0.0);
        let compliance = if law.rows() == 1 && words.skip("compliance") {
            words.next(|| format!("the compliance of {of} (zero or more)"), not_negative)?
        } else {
            0.0
        };
        read_numbers(&mut words, law.rows(), &mut numbers, || format!("the bias of {of}"))?;
        captured.problem.add_block(law, &numbers);
        if compliance > 0.0 {
            captured.problem.set_compliance(block, compliance);
        }
        read_numbers(&mut words, law.rows(), &mut numbers, || format!("the impulse of {of}"))?;
        captured.impulses.extend_from_slice(&numbers);
        let is_count = |word: &str| word.parse().ok().filter(|count: &usize| *count <= MAX_SIDES);
        let sides = words.next(|| format!("the number of groups of {of} ({MAX_SIDES} at most)"), is_count)?;
        let mut other = None;
        for _ in 0..sides {
            let is_shared = |group: usize| match law {
                Block::Moment { contact, .. } => {
                    captured.problem.sides(contact).iter().flatten().any(|side| side.group == group)
                }
                _ => true,
            };
            let is_group = |word: &str| {
                let is_another = |group: &usize| *group < groups && other != Some(*group);
                word.parse().ok().filter(|group| is_another(group) && is_shared(*group))
            };
            let expected = || format!("a group of {of} (another one, below {groups})");
            let group = words.next(expected, is_group)?;
            other = Some(group);
            let len = captured.problem.groups()[group].len;
            let what = || format!("the Jacobian of {of} on group {group}");
            read_numbers(&mut words, law.rows() * len, &mut numbers, what)?;
            captured.problem.add_side(group, &numbers);
        }
    }
    words.end()?;
    Ok(captured)
}

fn read_numbers(
    words: &mut Words<'_>,
    count: usize,
    out: &mut Vec<f64>,
    what: impl Fn() -> String,
) -> Result<(), TextError> {
    out.clear();
    for _ in 0..count {
        out.push(words.number(&what)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A robot of two velocities with a limit and a loop, and a body that touches it and the ground.
    fn sample() -> CapturedProblem {
        let mut problem = BodyProblem::default();
        let robot = problem.add_group(&[2.0, 0.3, 0.3, 1.0 / 3.0], &[-0.0, 1e-310]);
        let mut mass = [0.0; 36];
        mass.iter_mut().step_by(7).enumerate().for_each(|(k, m)| *m = 0.1 + k as f64);
        let body = problem.add_group(&mass, &[0.1, 0.2, -0.3, 1e300, 1.0 / 7.0, -5e-324]);
        problem.add_block(Block::Bilateral, &[0.25]);
        problem.add_side(robot, &[1.0, -1.0]);
        problem.add_block(Block::Unilateral, &[-0.0]);
        problem.add_side(robot, &[0.0, 1.0]);
        for (bounds, compliance) in
            [([-1.0 / 3.0, 2.0], 0.0), ([f64::NEG_INFINITY, 0.5], 0.1), ([0.0, f64::INFINITY], 1e300)]
        {
            let block = problem.add_block(Block::Bounded { lower: bounds[0], upper: bounds[1] }, &[0.1]);
            problem.add_side(robot, &[1.0, 0.5]);
            problem.set_compliance(block, compliance);
        }
        for friction in [0.5, f64::INFINITY, 0.0] {
            problem.add_block(Block::Contact { friction, slip: None }, &[0.1, 0.2, 1.0 / 3.0]);
            let rows: Vec<f64> = (0..18).map(|k| 1.0 / (1.0 + f64::from(k))).collect();
            problem.add_side(body, &rows);
            problem.add_side(robot, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        }
        for (axes, ratio) in [(1, 0.1), (2, f64::INFINITY)] {
            problem.add_block(Block::Moment { axes, ratio, contact: 6 }, &vec![0.5; axes]);
            problem.add_side(robot, &vec![0.25; 2 * axes]);
        }
        problem.add_block(Block::Contact { friction: 0.3, slip: Some([0.6, 0.8]) }, &[0.0; 3]);
        let impulses = (0..problem.rows()).map(|k| (k as f64).sqrt()).collect();
        CapturedProblem { label: "step".into(), problem, impulses, tolerance: 1e-9, found: Vec::new() }
    }

    #[test]
    fn a_problem_is_read_and_written_without_a_bit_lost() {
        let first = sample();
        let text = write_body_problem(&first);
        let second = read_body_problem(&text).unwrap();
        // `Debug` shows every field and distinguishes the zeros.
        assert_eq!(format!("{first:?}"), format!("{second:?}"));
        assert_eq!(write_body_problem(&second), text);
        // Line breaks carry no meaning.
        assert_eq!(write_body_problem(&read_body_problem(&text.replace('\n', " ")).unwrap()), text);
        let empty = CapturedProblem::default();
        assert_eq!(read_body_problem(&write_body_problem(&empty)).unwrap().problem.rows(), 0);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let text = "contact-problem 1\nlabel step\ntolerance 1e-6\ngroups 1\n1 2.0 -1.0\nblocks 1\nunilateral 0.0 0.5 1 0 1.0\n";
        assert!(read_body_problem(text).is_ok());
        let said =
            |from: &str, to: &str| read_body_problem(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert_eq!(said("problem 1", "problem 7"), "line 1: expected version 1 of the format, found `7`");
        assert_eq!(said("label", "lable"), "line 2: expected `label`, found `lable`");
        assert_eq!(
            said("2.0", "inf"),
            "line 5: expected the mass matrix of group 0 (a finite number), found `inf`"
        );
        assert_eq!(
            said("unilateral", "sticky"),
            "line 7: expected the law of block 0 (bilateral, unilateral, bounded, moment, contact, sliding), found `sticky`"
        );
        assert_eq!(
            said("unilateral", "moment 1 0.5 0"),
            "line 7: expected the contact of block 0 (a block before it), found `0`"
        );
        assert_eq!(
            said("unilateral", "bounded 2 1"),
            "line 7: expected the upper bound of block 0 (from 2.0, or inf), found `1`"
        );
        assert_eq!(
            said("unilateral", "unilateral compliance -1"),
            "line 7: expected the compliance of block 0 (zero or more), found `-1`"
        );
        assert_eq!(
            said("unilateral", "contact -1"),
            "line 7: expected the friction of block 0 (zero or more, or inf), found `-1`"
        );
        assert_eq!(
            said("1 0 1.0", "3 0 1.0"),
            "line 7: expected the number of groups of block 0 (2 at most), found `3`"
        );
        assert_eq!(
            said("1 0 1.0", "2 0 1.0 0"),
            "line 7: expected a group of block 0 (another one, below 1), found `0`"
        );
        assert_eq!(
            said("0 1.0\n", "0\n"),
            "line 7: the text ends where the Jacobian of block 0 on group 0 (a finite number) is expected"
        );
        assert_eq!(said("0 1.0\n", "0 1.0\n7"), "line 8: `7` stands behind the end of the problem");
        // Counts that nothing could hold end in an error, not in memory.
        assert!(said("1 2.0", &format!("{} 2.0", usize::MAX)).contains("line 6"));
    }
}
