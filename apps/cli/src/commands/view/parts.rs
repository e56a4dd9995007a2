//! Mesh files and parts on the command line, made into a scene to put together by hand.
//!
//! In: words. Out: the text of a scene in which the first one is fixed and the others are free, where their files have them, without weight.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::diagnostic::Failure;

/// Extensions of meshes.
const MESHES: [&str; 5] = ["stl", "obj", "ply", "gltf", "glb"];
/// Extensions of files that hold exact geometry, which is not read here.
const EXACT: [&str; 7] = ["step", "stp", "iges", "igs", "brep", "x_t", "sldprt"];
/// Extensions of meshes whose numbers are metres by their standard.
const METRES: [&str; 2] = ["gltf", "glb"];

fn extension(word: &Path) -> String {
    word.extension().map_or_else(String::new, |end| end.to_string_lossy().to_lowercase())
}

/// Refuses a file with exact geometry, and says what to do.
pub(super) fn check(word: &Path) -> Result<(), Failure> {
    let end = extension(word);
    if !EXACT.contains(&end.as_str()) {
        return Ok(());
    }
    let message = format!("{}: .{end} files hold exact surfaces, which are not read here", word.display());
    let help = "export a mesh from the CAD program: STL or OBJ with a deviation well below the clearances of the parts, \
                then give its unit, such as --unit mm";
    Err(Failure::input(message).in_file(word).with_help(Some(help.to_owned())))
}

/// Whether a word names a mesh file, a part or a shape, not a scene.
pub(super) fn is_part(word: &Path) -> bool {
    MESHES.contains(&extension(word).as_str()) || (!word.exists() && word.to_string_lossy().contains(':'))
}

/// The text of a scene with these parts; a length in metres is one unit of the mesh files.
pub(super) fn scene(words: &[PathBuf], unit: Option<f64>) -> Result<String, Failure> {
    let mut text = String::from(
        "description = \"Parts to put together by hand: the first one is fixed, the others are free and have no weight.\"\n\n\
         [world]\ngravity = [0, 0, 0]\nmethod = \"stepping\"\n",
    );
    let mut names: Vec<String> = Vec::new();
    for (k, word) in words.iter().enumerate() {
        let is_mesh = MESHES.contains(&extension(word).as_str());
        let scale = match unit {
            _ if !is_mesh => String::new(),
            Some(unit) => format!("scale = {unit:?}\n"),
            None if METRES.contains(&extension(word).as_str()) => String::new(),
            None => {
                let message = format!("{} does not say the unit of its numbers", word.display());
                let help = "add --unit mm, or --unit m where these are metres".to_owned();
                return Err(Failure::command(message).in_file(word).with_help(Some(help)));
            }
        };
        let kind = if k == 0 { "fixed" } else { "bodies" };
        let name = free_name(word, &names);
        let shape = quoted(&word.to_string_lossy());
        // Meshes collide as they are: parts that fit into each other are concave.
        let collision = if is_mesh || word.to_string_lossy().starts_with("part:") {
            "collision = \"quasi-lmd\"\n"
        } else {
            ""
        };
        // Writing to a string does not fail.
        let _ = write!(text, "\n[[{kind}]]\nname = {}\nshape = {shape}\n{scale}{collision}", quoted(&name));
        names.push(name);
    }
    Ok(text)
}

/// The name of a file or a part, with a number where it is taken.
fn free_name(word: &Path, taken: &[String]) -> String {
    let text = word.to_string_lossy();
    let own = if word.exists() {
        word.file_stem().map_or(text.to_string(), |stem| stem.to_string_lossy().into_owned())
    } else {
        text.split(',').next().unwrap_or(&text).trim_start_matches("part:").to_owned()
    };
    let numbered = (2..).map(|number| format!("{own} {number}"));
    std::iter::once(own.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(own)
}

/// A text in quotes, as TOML has it; the escapes of JSON are among its own.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{check, is_part, scene};

    #[test]
    fn parts_make_a_scene_that_is_read() {
        let words: Vec<PathBuf> = ["part:hole-plate", "part:peg", "part:peg"].map(PathBuf::from).to_vec();
        let text = scene(&words, None).unwrap();
        for name in ["hole-plate", "peg", "peg 2"] {
            assert!(text.contains(&format!("name = \"{name}\"")), "{text}");
        }
        let scene = zerogap::scene::Scene::parse(&text, "parts", Path::new("")).unwrap();
        assert_eq!(scene.builder.params().gravity.norm().to_bits(), 0);
    }

    #[test]
    fn a_mesh_without_a_unit_is_refused_and_gltf_is_in_metres() {
        let words = |name: &str| vec![PathBuf::from(name)];
        assert!(scene(&words("a.stl"), None).is_err());
        assert!(scene(&words("a.stl"), Some(1e-3)).unwrap().contains("scale = 0.001"));
        assert!(!scene(&words("a.glb"), None).unwrap().contains("scale"));
        assert!(scene(&words("odd \"name\".stl"), Some(1.0)).unwrap().contains(r#""odd \"name\".stl""#));
    }

    #[test]
    fn words_are_told_apart() {
        for word in ["a.stl", "A.STL", "part:gear", "box:1,1,1"] {
            assert!(is_part(Path::new(word)), "{word}");
        }
        for word in ["a.toml", "box-tower", "robot.urdf", "model.xml"] {
            assert!(!is_part(Path::new(word)), "{word}");
        }
        assert!(check(Path::new("a.STEP")).is_err() && check(Path::new("a.stl")).is_ok());
    }
}
