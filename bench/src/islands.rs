//! Contact problems taken apart into islands: groups that blocks connect.

use zerogap::contact::cone::{BodyProblem, CapturedProblem, Delassus};

/// The islands of a problem, by their first block, each with the rows that it has of the whole; groups that no block acts on are left out.
pub fn islands(captured: &CapturedProblem) -> Vec<(CapturedProblem, Vec<usize>)> {
    let problem = &captured.problem;
    // A group that does not move connects nothing.
    let mut root: Vec<usize> = (0..problem.groups().len()).collect();
    fn find(root: &mut [usize], mut group: usize) -> usize {
        while root[group] != group {
            root[group] = root[root[group]];
            group = root[group];
        }
        group
    }
    let movable = |block: usize| {
        let groups = problem.sides(block).into_iter().flatten().map(|side| side.group);
        groups.filter(|group| problem.is_movable(*group)).collect::<Vec<_>>()
    };
    for block in 0..problem.blocks().len() {
        if let [one, other] = movable(block)[..] {
            let (one, other) = (find(&mut root, one), find(&mut root, other));
            root[one.max(other)] = one.min(other);
        }
    }
    let mut found: Vec<(usize, CapturedProblem, Vec<usize>)> = Vec::new();
    let mut places: Vec<Vec<Option<usize>>> = Vec::new();
    for (block, law) in problem.blocks().iter().enumerate() {
        let Some(first) = movable(block).first().copied() else { continue };
        let island = find(&mut root, first);
        let at = found.iter().position(|(root, ..)| *root == island).unwrap_or_else(|| {
            let own = CapturedProblem {
                problem: BodyProblem::default(),
                impulses: Vec::new(),
                label: captured.label.clone(),
                tolerance: captured.tolerance,
                found: Vec::new(),
            };
            found.push((island, own, Vec::new()));
            places.push(vec![None; problem.groups().len()]);
            found.len() - 1
        });
        let (_, own, rows) = &mut found[at];
        let range = problem.first(block)..problem.first(block) + law.rows();
        own.problem.add_block(*law, &problem.bias()[range.clone()]);
        own.impulses.extend_from_slice(&captured.impulses[range.clone()]);
        rows.extend(range);
        for side in problem.sides(block).into_iter().flatten() {
            let group = problem.groups()[side.group];
            let place = *places[at][side.group].get_or_insert_with(|| {
                let free = &problem.free()[group.start..group.start + group.len];
                own.problem.add_group(problem.mass(side.group), free)
            });
            own.problem.add_side(place, problem.rows_of(block, side));
        }
    }
    found.into_iter().map(|(_, own, rows)| (own, rows)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::check;
    use zerogap::contact::cone::{StepSolver, read_body_problem, write_body_problem};

    #[test]
    fn problems_of_the_sample_are_solved_whole_and_by_islands() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample");
        let mut count = 0;
        for entry in std::fs::read_dir(sample).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            count += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            let captured = read_body_problem(&text).unwrap();
            assert_eq!(write_body_problem(&captured), text, "{}", path.display());
            let parts = islands(&captured);
            let rows: usize = parts.iter().map(|(_, rows)| rows.len()).sum();
            assert_eq!(rows, captured.problem.rows());
            let mut all = vec![0.0; rows];
            for (part, rows) in &parts {
                let (mut impulses, mut state) = (part.impulses.clone(), Vec::new());
                StepSolver::default().solve(&part.problem, &mut impulses, &mut state, (1e-8, 1e-6));
                rows.iter().zip(impulses).for_each(|(row, impulse)| all[*row] = impulse);
            }
            let (mut whole, mut state) = (captured.impulses.clone(), Vec::new());
            StepSolver::default().solve(&captured.problem, &mut whole, &mut state, (1e-8, 1e-6));
            for impulses in [&all, &whole] {
                let worst = check(&captured.problem, impulses, 1e-3).worst;
                assert!(worst.natural <= 1.001e-6, "{}: {worst:?}", path.display());
            }
        }
        assert!(count >= 3);
    }
}
