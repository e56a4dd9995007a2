//! Every row of docs/papers.md names something that exists: files, tests, scenes, commands with their options, Python names.

mod run;

use std::collections::BTreeMap;
use std::path::Path;

/// A row: the paper, and what the cell "here" names, each in its words; the remarks.
struct Row<'a> {
    paper: &'a str,
    what: &'a str,
    named: Vec<&'a str>,
    status: &'a str,
    remarks: &'a str,
}

/// Whether a row was there before, was added, or differs from the paper.
const STATUS: [&str; 3] = ["present", "added", "corrected"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let (mut rows, mut paper) = (Vec::new(), "");
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            paper = title;
        }
        let is_row = !paper.is_empty() && line.starts_with("| ") && !line.starts_with("| what |");
        let Some(line) = line.strip_prefix("| ").filter(|_| is_row) else { continue };
        let cells: Vec<&str> = line.trim_end().trim_end_matches('|').split(" |").map(str::trim).collect();
        let [what, here, status, remarks] = cells[..] else { panic!("not four cells: {line}") };
        let named = here.split('`').skip(1).step_by(2).collect();
        rows.push(Row { paper, what, named, status, remarks });
    }
    rows
}

/// Returns why a name stands for nothing, if it does.
fn missing(name: &str, stub: &str, scenes: &[&str], help: &mut BTreeMap<String, String>) -> Option<String> {
    if let Some(scene) = name.strip_prefix("scene ") {
        return (!scenes.contains(&scene)).then(|| format!("no scene is called {scene}"));
    }
    if let Some(python) = name.strip_prefix("zg.") {
        let known =
            stub.contains(&format!("\ndef {python}(")) || stub.contains(&format!("\nclass {python}:"));
        return (!known).then(|| format!("Python has no {python}"));
    }
    if let Some(command) = name.strip_prefix("zerogap ") {
        let words: Vec<&str> = command.split(' ').collect();
        let help = help.entry(words[0].to_owned()).or_insert_with(|| {
            let output = run::zerogap(&[words[0], "--help"]);
            assert!(output.status.success(), "zerogap {} is no command", words[0]);
            String::from_utf8(output.stdout).expect("text")
        });
        let has = |option: &&str| help.split([' ', ',', '\n', '=']).any(|word| word == *option);
        let option = words.iter().filter(|word| word.starts_with('-')).find(|option| !has(option));
        if let Some(option) = option {
            return Some(format!("zerogap {} has no option {option}", words[0]));
        }
        let is_run = words[0] == "run" && words.get(1).is_some_and(|scene| !scenes.contains(scene));
        return is_run.then(|| format!("no scene is called {}", words[1]));
    }
    let (path, item) = name.split_once("::").map_or((name, None), |(path, item)| (path, Some(item)));
    let path = root().join(path);
    if !path.exists() {
        return Some("no such file".to_owned());
    }
    let item = item?;
    let text = std::fs::read_to_string(&path).expect("a file of text");
    let is_there = [format!("fn {item}("), format!("def {item}(")].iter().any(|form| text.contains(form));
    (!is_there).then(|| format!("the file has no {item}"))
}

#[test]
fn every_row_names_something_that_exists() {
    let page = std::fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let stub = std::fs::read_to_string(root().join("apps/python/python/zerogap/_zerogap.pyi")).unwrap();
    let scenes: Vec<&str> = zerogap::scene::built_in().iter().map(|(name, _)| *name).collect();
    let (mut wrong, mut help) = (Vec::new(), BTreeMap::new());
    let rows = rows(&page);
    let mut papers: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut open = Vec::new();
    for row in &rows {
        let is_open = row.remarks.contains("not built");
        if row.named.is_empty() && !is_open {
            wrong.push(format!("{}: names nothing", row.what));
        }
        for name in &row.named {
            if let Some(why) = missing(name, &stub, &scenes, &mut help) {
                wrong.push(format!("{}: `{name}`: {why}", row.what));
            }
        }
        open.extend(is_open.then_some(row.what));
        match STATUS.iter().position(|status| *status == row.status) {
            Some(k) => papers.entry(row.paper).or_default()[k] += 1,
            None => wrong.push(format!("{}: the status '{}' is none of {STATUS:?}", row.what, row.status)),
        }
    }
    println!("rows of each paper, {STATUS:?}: {papers:#?}\nwith a part that is not built: {open:#?}");
    // The table at the top of the page counts them.
    for (paper, [present, added, corrected]) in &papers {
        let title = paper.split(':').next().unwrap_or(paper);
        let count = present + added + corrected;
        let line = format!("| {title} | {count} | {present} | {added} | {corrected} |");
        if !page.contains(&line) {
            wrong.push(format!("the table of rows has no line {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        papers.len() == 5 && papers.values().all(|count| count.iter().sum::<usize>() >= 10),
        "{papers:?}"
    );
}

#[test]
fn a_name_of_nothing_is_found() {
    let mut help = BTreeMap::new();
    let mut bad = |name: &str| missing(name, "\ndef mpr(", &["falling-parts"], &mut help).is_some();
    assert!(bad("scene none") && bad("zg.none") && bad("docs/none.md") && bad("docs/papers.md::none"));
    assert!(bad("zerogap run none") && bad("zerogap distance A B --none"));
    assert!(!bad("scene falling-parts") && !bad("zg.mpr") && !bad("docs/papers.md"));
    assert!(!bad("zerogap run falling-parts --method stepping"));
}
