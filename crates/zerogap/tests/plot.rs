//! Plots: there is one for every recording, it shows the numbers of that recording, and its bytes repeat.

mod recorded;

use std::path::Path;

use zerogap::picture::{Plot, PlotError, PlotSize, plot_png, plot_svg};
use zerogap::record::{End, Head, Recording};
use zerogap::scene::Scene;
use zerogap::world::{ContactForce, Event, EventKind, PairId, ShapeId};

/// The smallest size that is allowed.
const SMALL: PlotSize = PlotSize { width: 240, height: 240 };

/// Two balls of rubber that bounce beside each other.
const ELASTIC: &str = r#"
name = "rubber ball"
[run]
until = "0.5 s"
every = "1 ms"
[[fixed]]
name = "anvil"
shape = "box:4,4,0.2"
position = [0, 0, -0.1]
[[bodies]]
name = "ball"
shape = "sphere:0.1"
material = "rubber"
position = [0, 0, 0.15]
[[bodies]]
name = "large"
shape = "sphere:0.2"
material = "rubber"
position = [1, 0, 0.25]
"#;

/// The run of a scene.
fn run(scene: Scene) -> Recording {
    let mut world = scene.builder.build().unwrap();
    let head = Head::of_world(&world, &scene.name, scene.every);
    let frames = world.record_to(scene.until, scene.every).unwrap();
    let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() };
    Recording { head, frames, events: world.events().to_vec(), end: Some(end), left_out: 0 }
}

/// Puts pictures where `ZEROGAP_PLOTS` says, for those who want to look at them.
fn keep(name: &str, recording: &Recording) {
    let Ok(folder) = std::env::var("ZEROGAP_PLOTS") else { return };
    for what in Plot::ALL {
        let path = Path::new(&folder).join(format!("{name}-{}", what.name()));
        std::fs::write(path.with_extension("svg"), plot_svg(recording, what, what.size()).unwrap()).unwrap();
        let small = format!("{name}-{}-small.png", what.name());
        std::fs::write(Path::new(&folder).join(small), plot_png(recording, what, SMALL).unwrap()).unwrap();
        std::fs::write(path.with_extension("png"), plot_png(recording, what, what.size()).unwrap()).unwrap();
    }
}

/// Every plot of a recording, looked at from outside: returns the texts of the overview.
fn drawn(name: &str, recording: &Recording) -> Vec<String> {
    keep(name, recording);
    for what in Plot::ALL {
        for size in [SMALL, what.size()] {
            let png = plot_png(recording, what, size).unwrap();
            // Width and height stand at a fixed place of the file.
            assert_eq!(png[..8], [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a]);
            assert_eq!(png[16..20], size.width.to_be_bytes());
            assert_eq!(png[20..24], size.height.to_be_bytes());
            let svg = plot_svg(recording, what, size).unwrap();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {what:?}");
            assert!(
                !svg.contains("<script") && !svg.contains("<b ") && !svg.contains("<!--"),
                "{name}: {what:?}"
            );
        }
    }
    texts(&plot_svg(recording, Plot::Overview, Plot::Overview.size()).unwrap())
}

/// The texts of an SVG, in order.
fn texts(svg: &str) -> Vec<String> {
    let inside = svg.split("<text ").skip(1).filter_map(|text| text.split_once(">\n"));
    inside.filter_map(|(_, text)| text.split_once("\n</text>")).map(|(text, _)| text.to_owned()).collect()
}

/// The strokes of a colour: the points of each [tenths of px].
fn strokes(svg: &str, color: &str) -> Vec<Vec<[f64; 2]>> {
    let of_color =
        |line: &&str| line.starts_with("<polyline") && line.contains(&format!("stroke=\"{color}\""));
    let points = |line: &str| -> Vec<[f64; 2]> {
        let (_, points) = line.split_once("points=\"").unwrap();
        let points = points.split_once('"').unwrap().0.split_whitespace();
        points
            .map(|p| p.split_once(',').unwrap())
            .map(|(x, y)| [x.parse().unwrap(), y.parse().unwrap()])
            .collect()
    };
    svg.lines().filter(of_color).map(points).collect()
}

/// Numbers at the left of a plot and where they stand: value, height from the top [tenths of px].
fn scale(svg: &str) -> Vec<[f64; 2]> {
    let ticks = svg.split("<text ").skip(1).filter(|text| text.contains("text-anchor=\"end\""));
    ticks
        .filter_map(|text| {
            let y = text.split_once(" y=\"")?.1.split_once('"')?.0.parse().ok()?;
            let value = text.split_once(">\n")?.1.split_once('\n')?.0.replace('−', "-").parse().ok()?;
            Some([value, y])
        })
        .collect()
}

/// The recording with only some frames, and no events.
fn cut(recording: &Recording, frames: usize) -> Recording {
    Recording { frames: recording.frames[..frames].to_vec(), events: Vec::new(), ..recording.clone() }
}

#[test]
fn a_rigid_and_an_elastic_scene_are_plotted_with_names_and_units() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let ball = run(Scene::read(&scenes.join("bouncing-ball.toml")).unwrap());
    let shown = drawn("ball", &ball);
    for text in [
        "bouncing-ball",
        "Energy [J]",
        "kinetic",
        "gravity",
        "total",
        "Step size [s]",
        "time [s]",
        "1 settled",
    ] {
        assert!(shown.iter().any(|shown| shown == text), "{text}: {shown:?}");
    }
    assert!(!shown.iter().any(|text| text == "springs"), "there is no spring");
    let elastic = run(Scene::parse(ELASTIC, "elastic", Path::new("")).unwrap());
    let shown = drawn("elastic", &elastic);
    for text in ["rubber ball", "ball – anvil", "large – anvil"] {
        assert!(shown.iter().any(|shown| shown == text), "{text}: {shown:?}");
    }
    drawn("slide", &recorded::recording());
}

#[test]
fn the_curve_of_the_energy_has_the_recorded_energies() {
    let recording = recorded::recording();
    let svg = plot_svg(&recording, Plot::Energy, Plot::Energy.size()).unwrap();
    let total = strokes(&svg, "#24282E");
    assert_eq!(total.len(), 1);
    assert_eq!(total[0].len(), recording.frames.len());
    // From the numbers at the axis: joules for a tenth of a pixel.
    let scale = scale(&svg);
    let (first, last) = (scale[0], scale[scale.len() - 1]);
    assert!(scale.len() >= 4, "{scale:?}");
    let per_part = (last[0] - first[0]) / (first[1] - last[1]);
    let start = recording.frames[0].energy.total();
    for (frame, point) in recording.frames.iter().zip(&total[0]) {
        let read = start + (total[0][0][1] - point[1]) * per_part;
        assert!((read - frame.energy.total()).abs() < 3.0 * per_part, "{} s: {read}", frame.t);
    }
    // Even times are at even places.
    let (left, right) = (total[0][0][0], total[0][80][0]);
    for (k, point) in total[0].iter().enumerate() {
        assert!((point[0] - left - (right - left) * k as f64 / 80.0).abs() <= 1.0);
    }
}

#[test]
fn the_same_recording_gives_the_same_bytes() {
    let (one, other) = (recorded::recording(), recorded::recording());
    for what in Plot::ALL {
        assert_eq!(plot_svg(&one, what, what.size()), plot_svg(&other, what, what.size()));
        assert_eq!(plot_png(&one, what, what.size()), plot_png(&other, what, what.size()));
    }
}

#[test]
fn recordings_with_little_in_them_still_give_pictures() {
    let whole = recorded::recording();
    let nothing = drawn("nothing", &cut(&whole, 0));
    assert!(nothing.iter().any(|text| text == "no frames were recorded"), "{nothing:?}");
    assert!(nothing.iter().any(|text| text == "no pair was in contact in any frame"), "{nothing:?}");
    let one = drawn("one", &cut(&whole, 1));
    assert!(!one.iter().any(|text| text.starts_with("no ")), "{one:?}");
    let mut apart = whole.clone();
    apart.frames.iter_mut().for_each(|frame| frame.contacts.clear());
    let apart = drawn("apart", &apart);
    assert_eq!(apart.iter().filter(|text| *text == "no pair was in contact in any frame").count(), 2);
    let mut unnamed = cut(&whole, 2);
    unnamed.head.scene = String::new();
    assert_eq!(drawn("unnamed", &unnamed)[0], "unnamed scene");
}

#[test]
fn wild_numbers_and_names_still_give_pictures() {
    let mut wild = recorded::recording();
    wild.head.scene = format!("{}\u{1}\u{ffff}{}", recorded::WILD_NAME, "long ".repeat(200));
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, 5e-324, 0.0];
    for (k, frame) in wild.frames.iter_mut().enumerate() {
        let number = numbers[k % numbers.len()];
        frame.energy.kinetic = number;
        frame.step = number;
        if k % 5 == 0 {
            frame.t = number;
        }
        for contact in &mut frame.contacts {
            (contact.gap, contact.normal_force) = (number, number);
        }
    }
    wild.events.push(Event { t: f64::NAN, what: EventKind::Scheduled });
    wild.events.push(Event { t: f64::MAX, what: EventKind::Scheduled });
    drawn("wild", &wild);
    for number in numbers {
        wild.frames.iter_mut().for_each(|frame| (frame.t, frame.energy.gravity) = (number, number));
        plot_svg(&wild, Plot::Overview, SMALL).unwrap();
    }
}

#[test]
fn the_eight_pairs_that_carry_most_are_plotted() {
    let mut many = recorded::recording();
    for frame in &mut many.frames {
        let contact = frame.contacts[0];
        // The third carries least.
        let of = |k: u32| ContactForce {
            pair: PairId::new(ShapeId(0), ShapeId(10 + k)),
            normal_force: if k == 2 { 1.0 } else { f64::from(10 * (k + 1)) },
            ..contact
        };
        frame.contacts = (0..9).map(of).collect();
    }
    let shown = drawn("many", &many);
    assert_eq!(shown.iter().filter(|text| *text == "8 of 9 pairs, by load").count(), 2);
    assert!(shown.iter().any(|text| text.starts_with("fixed shape 11 ")));
    assert!(!shown.iter().any(|text| text.starts_with("fixed shape 12 ")));
}

#[test]
fn a_curve_has_a_hole_where_its_pair_is_apart() {
    let mut holed = recorded::recording();
    holed.frames[30..40].iter_mut().for_each(|frame| frame.contacts.clear());
    let svg = plot_svg(&holed, Plot::Forces, Plot::Forces.size()).unwrap();
    let sliding = strokes(&svg, "#2D6E8E");
    assert_eq!(sliding.iter().map(Vec::len).collect::<Vec<_>>(), [30, 41]);
}

#[test]
fn long_recordings_give_small_files() {
    let mut long = recorded::recording();
    let frame = long.frames[0].clone();
    long.frames = (0..200_000_u32)
        .map(|k| {
            let mut frame = frame.clone();
            frame.t = f64::from(k) * 1e-4;
            frame.energy.kinetic = f64::from(k % 17);
            frame
        })
        .collect();
    let svg = plot_svg(&long, Plot::Energy, Plot::Energy.size()).unwrap();
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
}

#[test]
fn sizes_out_of_bounds_are_errors() {
    let recording = cut(&recorded::recording(), 1);
    for (width, height) in [(0, 0), (239, 500), (500, 8193), (u32::MAX, u32::MAX)] {
        let size = PlotSize { width, height };
        assert_eq!(plot_svg(&recording, Plot::Energy, size), Err(PlotError::Size { width, height }));
        assert_eq!(plot_png(&recording, Plot::Energy, size), Err(PlotError::Size { width, height }));
    }
}
