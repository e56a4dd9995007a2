//! `zerogap pairs` as people and programs use it.

mod run;

use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use run::{good, json as parsed, refused, text, zerogap, zerogap_in};

const SHELF: &str = "\
# a shelf
name,min_x,min_y,min_z,max_x,max_y,max_z
board,0,0,0,1,0.3,20mm
book,0.1,0.05,0.02,0.13,0.25,0.3

vase,0.5,0.1,0.025,0.6,0.2,0.3
lamp,3,0,0,3.2,0.2,0.5
";

/// Runs the command on a table.
fn pairs(table: &[u8], arguments: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("boxes.csv"), table).unwrap();
    zerogap_in(folder.path(), &[&["pairs", "boxes.csv"], arguments].concat())
}

#[test]
fn pairs_are_counted_and_listed_with_their_names() {
    let shown = good(&pairs(SHELF.as_bytes(), &[]));
    let wanted = "\
1 pair that overlaps or touches among 4 boxes

A  B  name of A  name of B
─  ─  ─────────  ─────────
0  1  board      book
";
    assert_eq!(shown, wanted);
    let near = good(&pairs(SHELF.as_bytes(), &["--margin", "6mm"]));
    assert!(near.starts_with("2 pairs within 6 mm on every axis among 4 boxes\n"), "{near}");
    assert!(near.contains("\n0  2  board      vase\n"), "{near}");
    assert_eq!(good(&pairs(b"0,0,0,1,1,1\n", &[])), "0 pairs that overlap or touch among 1 box\n");
}

#[test]
fn json_has_all_pairs_for_every_method() {
    // A row of boxes, each of which touches the next.
    let row: Vec<String> = (0..200).map(|k| format!("{k},0,0,{},1,1", k + 1)).collect();
    let row = row.join("\n");
    let wanted: Vec<Value> = (0..199).map(|k| json!({"a": k, "b": k + 1})).collect();
    for method in ["auto", "grid", "sweep", "tree"] {
        let report = parsed(&pairs(row.as_bytes(), &["--json", "--method", method]));
        assert_eq!(report, json!({"boxes": 200, "margin": 0.0, "pairs": wanted}), "{method}");
    }
    let shown = good(&pairs(row.as_bytes(), &[]));
    assert!(shown.starts_with("199 pairs that overlap or touch among 200 boxes\n"), "{shown}");
    assert!(shown.contains("\n49  50\n") && !shown.contains("\n50  51\n"), "{shown}");
    assert!(shown.ends_with("\nand 149 more: --json has all of them\n"), "{shown}");
    let named = parsed(&pairs(SHELF.as_bytes(), &["--json"]));
    assert_eq!(named["pairs"], json!([{"a": 0, "b": 1, "name_a": "board", "name_b": "book"}]));
}

#[test]
fn a_line_that_is_no_box_is_underlined() {
    for (table, place, message) in [
        (&b"0,0,0,1,1,1\n\n0,0,zero,1,1,1\n"[..], "boxes.csv:3:5", "min_z: 'zero' is not a length"),
        (b"0,0,nan,1,1,1\n", "boxes.csv:1:5", "min_z is nan"),
        (b"0,0,0,1,1,-inf\n", "boxes.csv:1:11", "max_z is -inf"),
        (b"0,0,0,1,1,1\n5,0,0,1,1,1\n", "boxes.csv:2:1", "min_x is 5 m, beyond max_x at 1 m"),
        (b"0,0,0,1,1\n", "boxes.csv:1:1", "6 numbers are needed, and there are 5 values"),
        (b"0,0,0,1,1,\n", "boxes.csv:1:10", "max_z is missing"),
        (b"0,0,0,1,1,1\n0,\xff,0,1,1,1\n", "boxes.csv:2:3", "this is not text"),
    ] {
        let error = refused(&pairs(table, &[]), 3);
        assert!(error.contains("'boxes.csv' cannot be read") && error.contains("a line is min_x"), "{error}");
        assert!(error.contains(place) && error.contains(message), "{error}");
    }
}

#[test]
fn files_and_words_that_cannot_be_used_are_refused() {
    let missing = refused(&zerogap(&["pairs", "nothing.csv"]), 3);
    assert!(missing.contains("'nothing.csv'"), "{missing}");
    for (wrong, message) in [
        (["--margin", "-1mm"], "a limit must not be negative"),
        (["--margin", "nan"], "not finite"),
        (["--margin", "1e200"], "margin is 1e200: it must be a length from 0 to 1e60 m"),
        (["--method", "octree"], "auto, grid, sweep, tree"),
    ] {
        let output = pairs(b"0,0,0,1,1,1\n", &wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(text(&output.stderr).contains(message), "{wrong:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let page = include_str!("../../../docs/broad.md");
    let start = page.find("name,min_x").unwrap();
    let table = &page[start..start + page[start..].find("```").unwrap()];
    assert!(page.contains("\nzerogap pairs shelf.csv --margin 6mm\n"));
    let shown = good(&pairs(table.as_bytes(), &["--margin", "6mm"]));
    assert!(page.contains(&format!("```text\n{shown}```\n")), "{shown}");
}
