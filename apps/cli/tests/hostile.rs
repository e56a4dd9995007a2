//! Files and settings that nobody means well with: refused soon, with the reason, and without a trace on the terminal.

mod run;

use std::fs::File;
use std::path::Path;

use tempfile::TempDir;

use run::{good, refused, text, zerogap_in, zerogap_soon};

const BALL: &str = "[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 1]\n";

fn scene(folder: &Path, text: &str) {
    std::fs::write(folder.join("scene.toml"), text).unwrap();
}

#[test]
fn settings_that_cannot_make_progress_are_refused_with_the_reason() {
    let folder = TempDir::new().unwrap();
    for (settings, key, reason) in [
        ("[world]\nmethod = \"stepping\"\nstep = 1e-300\n", "step = 1e-300", "time does not advance"),
        ("[world]\nmethod = \"silvia\"\nstep = \"1e-290 ms\"\n", "1e-290 ms", "time does not advance"),
        ("[world]\nmax_step = 1e-300\n", "max_step = 1e-300", "time does not advance"),
        // Too short only for the end of the run.
        (
            "[world]\nmethod = \"stepping\"\nstep = 1e-12\n[run]\nuntil = 1e6\nevery = 1e3\n",
            "scene.toml:3:",
            "time does not advance",
        ),
        (
            "[world]\nmax_step = 1e-12\n[run]\nuntil = 1e6\nevery = 1e3\n",
            "scene.toml:2:",
            "time does not advance",
        ),
        ("[run]\nuntil = 1e15\nevery = 1e10\n", "scene.toml:2:", "time does not advance"),
        (
            "[world]\nmethod = \"silvia\"\n[run]\nuntil = 1e15\nevery = 1e10\n",
            "scene.toml:4:",
            "time does not advance",
        ),
        ("[run]\nevery = 1e-300\n", "every = 1e-300", "frames"),
        ("[run]\nuntil = 1e300\nevery = 1\n", "every = 1", "frames"),
    ] {
        scene(folder.path(), &format!("{settings}{BALL}"));
        for command in ["scene check scene.toml", "run scene.toml --out out"] {
            let words: Vec<&str> = command.split(' ').collect();
            let said = refused(&zerogap_soon(folder.path(), &words), 3);
            assert!(said.contains(key) && said.contains(reason), "{settings}: {said}");
        }
    }
    scene(folder.path(), BALL);
    for (options, reason) in [
        (&["--every", "1e-300"][..], "frames"),
        (&["--method", "stepping", "--step", "1e-300"], "time does not advance"),
        (&["--until", "1e300", "--every", "1e299"], "time does not advance"),
    ] {
        let all = [&["run", "scene.toml", "--out", "out"], options].concat();
        let output = zerogap_soon(folder.path(), &all);
        assert!(matches!(output.status.code(), Some(2 | 3)), "{options:?}: {output:?}");
        let said = refused(&output, output.status.code().unwrap());
        assert!(said.contains(reason), "{options:?}: {said}");
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_roll_of_millions_of_turns_is_refused() {
    let folder = TempDir::new().unwrap();
    let landing = good(&zerogap_in(folder.path(), &["scene", "new", "skid-landing"]));
    let wild = landing.replace("roll = \"1 deg\"", "roll = \"1e9 deg\"");
    assert_ne!(wild, landing);
    scene(folder.path(), &wild);
    let said = refused(&zerogap_soon(folder.path(), &["run", "scene.toml", "--out", "out"]), 3);
    assert!(said.contains("roll") && said.contains("pi"), "{said}");
    let deck = "[[bodies]]\nname = \"deck\"\nshape = \"box:2,2,0.1\"\n[bodies.motion]\nroll = { amplitude = \"1e9 deg\", period = \"5 s\" }\n";
    scene(folder.path(), deck);
    let said = refused(&zerogap_soon(folder.path(), &["run", "scene.toml", "--out", "out"]), 3);
    assert!(said.contains("amplitude") && said.contains("revolutions"), "{said}");
}

#[cfg(unix)]
#[test]
fn devices_without_an_end_and_huge_files_are_refused_soon() {
    let folder = TempDir::new().unwrap();
    let huge = |name: &str| File::create(folder.path().join(name)).unwrap().set_len(1 << 40).unwrap();
    for name in ["huge.toml", "huge.urdf", "huge.csv", "huge.txt"] {
        huge(name);
    }
    let commands: [&[&str]; 12] = [
        &["run", "/dev/zero"],
        &["run", "/dev/urandom"],
        &["scene", "check", "/dev/zero"],
        &["scene", "check", "huge.toml"],
        &["scene", "check", "huge.urdf", "--base", "fixed"],
        &["pairs", "/dev/zero"],
        &["pairs", "huge.csv"],
        &["solve", "/dev/zero"],
        &["solve", "huge.txt"],
        &["info", "/dev/zero"],
        &["info", "huge.txt"],
        &["inspect", "/dev/zero"],
    ];
    for command in commands {
        let said = refused(&zerogap_soon(folder.path(), command), 3);
        let file = command.iter().find(|word| word.contains("huge") || word.contains("/dev")).unwrap();
        assert!(said.contains(file), "{command:?}: {said}");
    }
    for named in ["/dev/zero", "huge.csv"] {
        scene(folder.path(), &format!("{BALL}[bodies.motion]\ncsv = \"{named}\"\n"));
        let said = refused(&zerogap_soon(folder.path(), &["scene", "check", "scene.toml"]), 3);
        assert!(said.contains(named), "{said}");
        scene(folder.path(), &format!("[robot]\nfile = \"{named}\"\nbase = \"fixed\"\n"));
        let said = refused(&zerogap_soon(folder.path(), &["scene", "check", "scene.toml"]), 3);
        assert!(said.contains(named), "{said}");
    }
    let said = refused(&zerogap_soon(folder.path(), &["scene", "check", "."]), 3);
    assert!(said.contains("folder"), "{said}");
}

#[test]
fn control_characters_of_files_are_escaped_when_printed() {
    let folder = TempDir::new().unwrap();
    let escape = "\\u001b[31mred\\u0007\\nwrote /etc/passwd\\u009b";
    let ball = BALL.replace("\"ball\"", &format!("\"{escape}\""));
    scene(folder.path(), &format!("name = \"{escape}\"\ndescription = \"{escape}\"\n{ball}"));
    let check = |bytes: &[u8]| {
        let shown = text(bytes);
        let is_plain = !shown.contains(|c: char| c.is_control() && c != '\n');
        assert!(is_plain && !shown.contains("\nwrote /etc"), "{shown:?}");
    };
    let run = zerogap_in(folder.path(), &["run", "scene.toml", "--until", "0.05", "--out", "out"]);
    assert!(good(&run).contains("red"));
    for command in [
        &["run", "scene.toml", "--until", "0.05", "--out", "out"][..],
        &["run", "scene.toml", "--until", "0.05", "--out", "out", "--overwrite"],
        &["scene", "check", "scene.toml"],
        &["info", "out"],
    ] {
        let output = zerogap_in(folder.path(), command);
        check(&output.stdout);
        check(&output.stderr);
    }
    // In errors, too: names in messages, and the line that is quoted.
    for wrong in [
        format!("{ball}material = \"{escape}\"\n"),
        "[world]\nrtol = \"\u{1b}[31m\"\n".replace('\u{1b}', "\\u001b"),
        format!("{BALL}{}", ball.replace("[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n", "")),
    ] {
        scene(folder.path(), &wrong);
        let output = zerogap_in(folder.path(), &["scene", "check", "scene.toml"]);
        check(&output.stderr);
        check(&output.stdout);
    }
    std::fs::write(folder.path().join("boxes.csv"), "\u{1b}[31mred,0,0,0,1,1,1\n\u{1b}[2J,0,0,0,1,1,1\n")
        .unwrap();
    check(&zerogap_in(folder.path(), &["pairs", "boxes.csv"]).stdout);
    std::fs::write(folder.path().join("boxes.csv"), "a,0,0,0,1,1,1\nb,0,0,0,1,\u{1b}[2J,1\n").unwrap();
    let output = zerogap_in(folder.path(), &["pairs", "boxes.csv"]);
    assert_eq!(output.status.code(), Some(3));
    check(&output.stderr);
}

#[test]
fn lines_of_files_that_are_not_scenes_are_not_quoted() {
    let folder = TempDir::new().unwrap();
    let secret = "hunter2";
    for (name, content) in [
        ("passwd", format!("root:{secret}:0:0:root:/root:/bin/sh\ndaemon:{secret}:1:1::/:/bin/sh\n")),
        ("token.toml", format!("token = \"{secret}\"\n")),
        ("cloud.toml", format!("[default]\npassword = \"{secret}\"\n{secret} {secret}\n")),
        ("page.xml", format!("<page><{secret}></page>\n")),
        ("arm.urdf", format!("{secret}\n{secret}\n")),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
        let mut commands = vec![
            vec!["run", name],
            vec!["scene", "check", name, "--json"],
            vec!["pairs", name],
            vec!["solve", name],
            vec!["info", name],
            vec!["inspect", name],
        ];
        if name.ends_with("urdf") {
            commands.push(vec!["scene", "check", name, "--base", "fixed"]);
        }
        for command in commands {
            let output = zerogap_in(folder.path(), &command);
            let shown = text(&output.stdout) + &text(&output.stderr);
            assert!(!shown.contains(secret), "{command:?}: {shown}");
            let said = shown.replace('\n', " ");
            assert!(said.contains(name), "{command:?}: {shown}");
        }
        for scene_text in [
            format!("{BALL}[bodies.motion]\ncsv = \"{name}\"\n"),
            format!("[robot]\nfile = \"{name}\"\nbase = \"fixed\"\n"),
        ] {
            scene(folder.path(), &scene_text);
            let output = zerogap_in(folder.path(), &["scene", "check", "scene.toml"]);
            assert_eq!(output.status.code(), Some(3), "{scene_text}");
            assert!(!text(&output.stderr).contains(secret), "{}", text(&output.stderr));
        }
    }
    // A scene with a mistake is quoted, whatever it is called.
    std::fs::write(folder.path().join("mine.txt"), "[wrold]\nrtol = 1e-6\n").unwrap();
    let said = refused(&zerogap_in(folder.path(), &["scene", "check", "mine.txt"]), 3);
    assert!(said.contains("[wrold]") && said.contains("did you mean 'world'"), "{said}");
}
