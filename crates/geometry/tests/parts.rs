//! Every generated part is a closed, outward, single body of the right genus, size and volume.

use std::f64::consts::{FRAC_PI_2, PI};

mod audit;

use audit::{audit, close, polygon_area};
use zerogap_core::Vec3;
use zerogap_geometry::GeometryError;
use zerogap_geometry::parts::{
    self, ConnectingRod, Crankshaft, CrossSection, Gear, HolePlate, Icosphere, Peg, Sphere, Torus,
};

#[test]
fn every_part_at_its_defaults_is_closed_with_the_genus_of_its_holes() {
    let euler = |name: &str| match name {
        "torus" | "gear" | "hole-plate" | "countersunk-plate" | "thread-nut" => 0,
        "connecting-rod" => -2,
        _ => 2,
    };
    for name in parts::names() {
        let mesh = parts::by_name(name, &[]).unwrap();
        assert_eq!(audit(name, &mesh).euler, euler(name), "{name}");
        // The same call gives the same bits.
        assert_eq!(mesh, parts::by_name(name, &[]).unwrap());
    }
}

#[test]
fn spheres_have_exactly_the_vertices_asked_for_and_are_convex_and_even() {
    for n in (4..130).chain([257, 500, 1000, 1001]) {
        let mesh = Sphere { radius: 2.0, vertices: n }.generate().unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (n, 2 * n - 4));
        assert_eq!(audit("sphere", &mesh).euler, 2);
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for [a, b, c] in mesh.corner_triples() {
            let normal = (b - a).cross(&(c - a)).normalize();
            let highest =
                mesh.vertices().iter().map(|p| normal.dot(&(p - a))).fold(f64::NEG_INFINITY, f64::max);
            assert!(highest < 1e-14 * 2.0, "{n} vertices: a corner is {highest} m above a face");
            for (p, q) in [(a, b), (b, c), (c, a)] {
                shortest = shortest.min((p - q).norm());
                longest = longest.max((p - q).norm());
            }
        }
        assert!(mesh.vertices().iter().all(|p| (p.norm() - 2.0).abs() < 1e-15 * 4.0));
        assert!(longest / shortest < 2.6, "{n} vertices: edges from {shortest} to {longest} m");
    }
}

#[test]
fn volumes_of_round_parts_converge_with_the_square_of_the_segments() {
    // Errors against the smooth body at n and 2n segments: the ratio tends to 4.
    let ratio = |volume: &dyn Fn(usize) -> f64, exact: f64| {
        let (coarse, fine) = (volume(64) - exact, volume(128) - exact);
        assert!((coarse / fine - 4.0).abs() < 0.05, "errors {coarse} and {fine}");
    };
    let torus = |n: usize| {
        let part = Torus { segments: n, tube_segments: n, ..Torus::default() };
        audit("torus", &part.generate().unwrap()).volume
    };
    ratio(&torus, 2.0 * PI * PI * 0.04 * 0.01 * 0.01);
    let uv = |n: usize| {
        audit("uv-sphere", &parts::UvSphere { radius: 1.0, segments: n, bands: n / 2 }.generate().unwrap())
            .volume
    };
    ratio(&uv, 4.0 / 3.0 * PI);
    let ico = |subdivisions: usize| {
        let mesh = Icosphere { radius: 1.0, subdivisions }.generate().unwrap();
        assert_eq!(mesh.vertices().len(), 10 * 4_usize.pow(subdivisions as u32) + 2);
        audit("icosphere", &mesh).volume - 4.0 / 3.0 * PI
    };
    assert!((ico(3) / ico(4) - 4.0).abs() < 0.05);
    // The many-vertex sphere: error falls with the number of vertices.
    let free = |n: usize| {
        audit("sphere", &Sphere { radius: 1.0, vertices: n }.generate().unwrap()).volume - 4.0 / 3.0 * PI
    };
    assert!((free(2000) / free(8000) - 4.0).abs() < 0.2);
}

#[test]
fn prisms_boxes_and_cylinders_have_the_volume_of_their_polygon() {
    for sides in [3, 4, 5, 6, 17, 100] {
        let part = parts::Prism { sides, radius: 0.3, height: 0.7 };
        let mesh = part.generate().unwrap();
        close(audit("prism", &mesh).volume, polygon_area(sides) * 0.09 * 0.7, 1e-13);
        let cylinder = parts::Cylinder { radius: 0.3, length: 0.7, segments: sides }.generate().unwrap();
        assert_eq!(mesh, cylinder);
    }
    let mesh = parts::Cuboid { width: 1.0, depth: 2.0, height: 3.0 }.generate().unwrap();
    close(audit("box", &mesh).volume, 6.0, 1e-15);
    assert_eq!(mesh.bounding_box().size(), Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn pegs_keep_the_stated_clearance_in_their_plates() {
    for segments in [7, 12, 48] {
        let clearance = 1e-4;
        let peg = Peg { segments, ..Peg::default() }.generate().unwrap();
        let plate =
            HolePlate { segments: segments + 3, clearance, ..HolePlate::default() }.generate().unwrap();
        assert_eq!(audit("plate", &plate).euler, 0);
        let reach = peg.vertices().iter().map(|p| p.xy().norm()).fold(0.0, f64::max);
        close(reach, 0.01, 1e-14);
        // Walls of the hole: triangles that face the axis; their plane's distance from it is the free radius.
        let mut walls = 0;
        for [a, b, c] in plate.corner_triples() {
            let n = (b - a).cross(&(c - a)).normalize();
            let middle = (a + b + c) / 3.0;
            if n.z.abs() < 1e-12 && n.dot(&middle) < 0.0 {
                close(-n.dot(&a), 0.01 + clearance, 1e-12);
                walls += 1;
            }
        }
        assert_eq!(walls, 2 * (segments + 3));
    }
    let peg = Peg { section: CrossSection::Rectangular, depth: 0.03, ..Peg::default() };
    let mesh = peg.generate().unwrap();
    // Box less the chamfer: a frustum replaces the lowest millimetre.
    let (a, b) = (0.02 * 0.03, 0.018 * 0.028);
    let middle = 0.019 * 0.029;
    let expected = a * 0.059 + 1e-3 / 6.0 * (a + b + 4.0 * middle);
    close(audit("peg", &mesh).volume, expected, 1e-12);
    let plate = HolePlate { section: CrossSection::Rectangular, clearance: 0.0, ..HolePlate::default() };
    close(audit("plate", &plate.generate().unwrap()).volume, (0.06 * 0.06 - 0.02 * 0.02) * 0.02, 1e-13);
    let blunt = Peg { chamfer: 0.0, ..Peg::default() }.generate().unwrap();
    close(audit("peg", &blunt).volume, polygon_area(48) * 1e-4 * 0.06, 1e-12);
}

#[test]
fn the_rod_has_the_area_of_its_eyes_and_shank() {
    let area = |segments: usize| {
        let rod = ConnectingRod { segments, thickness: 1.0, ..ConnectingRod::default() };
        let mesh = rod.generate().unwrap();
        let found = audit("connecting-rod", &mesh);
        assert_eq!(found.euler, -2);
        let size = mesh.bounding_box();
        assert!(size.max.x <= 0.168 && size.max.x > 0.1679 && size.min.x < -0.0359, "{size:?}");
        found.volume
    };
    let rod = ConnectingRod::default();
    // Each eye: the circle less the segment that the shank replaces; the shank: a trapezoid; the bores go away.
    let eye = |r: f64, w: f64, bore: f64| {
        let half = zerogap_core::math::asin(0.5 * w / r);
        let cap = r * r * half - 0.5 * w * r * zerogap_core::math::cos(half);
        (PI * r * r - cap - PI * bore * bore, r * zerogap_core::math::cos(half))
    };
    let (big, from) = eye(rod.big_radius, rod.big_width, rod.big_bore);
    let (small, to) = eye(rod.small_radius, rod.small_width, rod.small_bore);
    let shank = 0.5 * (rod.big_width + rod.small_width) * (rod.length - from - to);
    let exact = big + small + shank;
    let (coarse, fine) = (area(128) - exact, area(512) - exact);
    assert!((coarse / fine - 16.0).abs() < 1.5, "errors {coarse} and {fine}");
}

#[test]
fn the_crank_has_the_volume_of_its_cylinders_and_webs() {
    let exact = |crank: &Crankshaft| {
        // The web: two circles' sectors and the kite between the tangents.
        let (a, b, d) = (crank.web_radius, crank.web_pin_radius, crank.radius);
        let touch = zerogap_core::math::acos((a - b) / d);
        let tangent = (d * d - (a - b) * (a - b)).sqrt();
        let web = (PI - touch) * a * a + touch * b * b + (a + b) * tangent;
        let n = crank.throws as f64;
        PI * crank.journal_radius.powi(2) * crank.journal_length * (n + 1.0)
            + n * (PI * crank.pin_radius.powi(2) * crank.pin_length + 2.0 * web * crank.web_thickness)
    };
    for throws in [1, 2, 4] {
        let volume = |segments: usize| {
            let crank = Crankshaft { throws, segments, phase: FRAC_PI_2, ..Crankshaft::default() };
            let found = audit("crankshaft", &crank.generate().unwrap());
            assert_eq!(found.euler, 2);
            found.volume - exact(&crank)
        };
        let (coarse, fine) = (volume(64), volume(256));
        assert!((coarse / fine - 16.0).abs() < 2.0, "errors {coarse} and {fine}");
    }
}

#[test]
fn gears_over_a_sweep_are_closed_and_reach_from_root_to_tip() {
    for teeth in [8, 12, 17, 20, 41, 60] {
        for degrees in [14.5_f64, 20.0, 25.0] {
            for (land, flank, bore) in [(1, 1, 0.0), (2, 8, 4e-3), (3, 5, 4e-3)] {
                let gear = Gear {
                    teeth,
                    pressure_angle: degrees.to_radians(),
                    land_segments: land,
                    flank_segments: flank,
                    bore,
                    ..Gear::default()
                };
                let mesh = match gear.generate() {
                    Ok(mesh) => mesh,
                    Err(error) => panic!("{gear:?}: {error}"),
                };
                assert_eq!(audit("gear", &mesh).euler, if bore > 0.0 { 0 } else { 2 });
                let radii = mesh.vertices().iter().map(|p| p.xy().norm());
                let (low, high) = radii.fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(r), h.max(r)));
                close(high, gear.tip_radius(), 1e-14);
                close(low, if bore > 0.0 { 2e-3 } else { gear.root_radius() }, 1e-14);
            }
        }
    }
}

#[test]
fn gear_flanks_are_involutes_of_the_base_circle() {
    for teeth in [10, 20, 60] {
        let gear = Gear { teeth, ..Gear::default() };
        let base = gear.base_radius();
        let mut checked = 0;
        for tooth in gear.outline().unwrap().chunks(gear.outline().unwrap().len() / teeth).take(3) {
            let middle = tooth.iter().fold(Vec3::zeros(), |m, p| m + Vec3::new(p[0], p[1], 0.0)).normalize();
            let mut starts: Vec<f64> = Vec::new();
            for p in tooth {
                let radius = zerogap_core::math::hypot(p[0], p[1]);
                let on_flank = radius > base.max(gear.root_radius()) * (1.0 + 1e-9)
                    && radius < gear.tip_radius() * (1.0 - 1e-9);
                // Only the flank before the middle of the tooth: the other one mirrors it.
                if on_flank && middle.x * p[1] - middle.y * p[0] < 0.0 {
                    // A taut string of length L from the point touches the base circle; its foot has unwound the arc L.
                    let string = (radius * radius - base * base).sqrt();
                    let foot =
                        zerogap_core::math::atan2(p[1], p[0]) + zerogap_core::math::atan2(string, base);
                    starts.push(foot - string / base);
                }
            }
            assert!(starts.len() >= gear.flank_segments - 1);
            for start in &starts {
                assert!((start - starts[0]).abs() < 1e-13, "the string leaves the involute: {starts:?}");
            }
            checked += starts.len();
        }
        assert!(checked > 15);
    }
}

#[test]
fn a_tooth_is_half_a_pitch_thick_less_the_backlash() {
    for backlash in [0.0, 1e-4] {
        let gear = Gear { flank_segments: 400, backlash, ..Gear::default() };
        let pitch = gear.pitch_radius();
        // Where the outline crosses the pitch circle on both sides of the first tooth.
        let outline = gear.outline().unwrap();
        let mut crossings = Vec::new();
        for edge in outline[..outline.len() / gear.teeth].windows(2) {
            let r = |p: [f64; 2]| zerogap_core::math::hypot(p[0], p[1]) - pitch;
            let (r0, r1) = (r(edge[0]), r(edge[1]));
            if (r0 < 0.0) != (r1 < 0.0) {
                let t = r0 / (r0 - r1);
                let x = [0, 1].map(|k| edge[0][k] + t * (edge[1][k] - edge[0][k]));
                crossings.push(zerogap_core::math::atan2(x[1], x[0]));
            }
        }
        assert_eq!(crossings.len(), 2);
        let thickness = (crossings[1] - crossings[0]) * pitch;
        // Two such teeth, one from each gear, fill a pitch up to the backlash of both. The chords cut off up to s²/8R on each
        // flank: 400 segments of 12 µm on an involute that bends with R = 6.8 mm here.
        let chord = 2.0 * 12e-6 * 12e-6 / (8.0 * 6.8e-3);
        assert!((thickness - (FRAC_PI_2 * gear.module - backlash)).abs() < chord, "{thickness}");
    }
}

#[test]
fn a_pair_of_gears_rolls_with_flanks_that_touch_and_do_not_overlap() {
    // Conjugate action: in the mid-plane, roll both gears by equal arcs; the flanks' smallest distance stays zero to tessellation.
    let (one, two) = (
        Gear { teeth: 18, flank_segments: 200, ..Gear::default() },
        Gear { teeth: 31, flank_segments: 200, ..Gear::default() },
    );
    let centre = one.pitch_radius() + two.pitch_radius();
    let inside = |gear: &Gear, x: f64, y: f64| -> f64 {
        // Signed distance along the pitch direction to the nearest flank: positive inside a tooth.
        let r = zerogap_core::math::hypot(x, y);
        if r >= gear.tip_radius() || r <= gear.base_radius().max(gear.root_radius()) {
            return f64::NEG_INFINITY;
        }
        let pitch = 2.0 * PI / gear.teeth as f64;
        let angle = zerogap_core::math::atan2(y, x);
        let off = (angle / pitch - (angle / pitch).round()) * pitch;
        (gear.half_tooth_angle(r) - off.abs()) * r
    };
    let (line_one, line_two) = (one.outline().unwrap(), two.outline().unwrap());
    for step in 0..12 {
        let turn_one = 2.0 * PI / 18.0 * f64::from(step) / 12.0;
        // Equal arcs in opposite senses; a gap of gear two faces the tooth of gear one.
        let turn_two = PI - PI / 31.0 - turn_one * 18.0 / 31.0;
        let deepest = |points: &[[f64; 2]], from: (f64, f64), onto: &Gear, to: (f64, f64)| {
            points
                .iter()
                .map(|p| {
                    let (s, c) = zerogap_core::math::sin_cos(from.0);
                    let (x, y) = (c * p[0] - s * p[1] + from.1 - to.1, s * p[0] + c * p[1]);
                    let (s, c) = zerogap_core::math::sin_cos(-to.0);
                    inside(onto, c * x - s * y, s * x + c * y)
                })
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let (a, b) = ((turn_one, 0.0), (turn_two, centre));
        let overlap = deepest(&line_one, a, &two, b).max(deepest(&line_two, b, &one, a));
        assert!(overlap < 1e-12, "step {step}: flanks overlap by {overlap} m");
        assert!(overlap > -2e-6, "step {step}: flanks stand {} m apart", -overlap);
    }
}

#[test]
fn parameters_out_of_reach_are_refused_with_their_values() {
    for (name, settings, word) in [
        ("gear", vec![("teeth", "2")], "teeth"),
        ("gear", vec![("module", "-1 mm")], "-0.001"),
        ("gear", vec![("bore", "1 m")], "root diameter"),
        ("gear", vec![("addendum", "1.9")], "point"),
        ("gear", vec![("pressure_angle", "0")], "pressure_angle"),
        ("torus", vec![("minor", "50 mm")], "0.05"),
        ("sphere", vec![("vertices", "3")], "is 3"),
        ("icosphere", vec![("subdivisions", "40")], "40"),
        ("connecting-rod", vec![("length", "40 mm")], "shank"),
        ("connecting-rod", vec![("big_bore", "36 mm")], "0.036"),
        ("crankshaft", vec![("journal_radius", "45 mm")], "0.045"),
        ("crankshaft", vec![("radius", "5 mm")], "0.005"),
        ("peg", vec![("chamfer", "10 mm")], "0.01"),
        ("hole-plate", vec![("peg_width", "60 mm")], "0.06"),
        ("box", vec![("width", "0")], "is 0"),
        ("prism", vec![("sides", "2")], "is 2"),
        ("prism", vec![("sides", "six")], "six"),
        ("peg", vec![("section", "oval")], "oval"),
        ("box", vec![("width", "3 kg")], "3 kg"),
    ] {
        let error = parts::by_name(name, &settings).unwrap_err();
        assert!(matches!(error, GeometryError::Part(_)), "{error:?}");
        assert!(error.to_string().contains(word), "{name} {settings:?}: {error}");
    }
    let nan = parts::Cuboid { width: f64::NAN, ..parts::Cuboid::default() }.generate().unwrap_err();
    assert!(nan.to_string().contains("NaN"), "{nan}");
}

#[test]
fn unknown_names_are_answered_with_those_that_exist() {
    let part = parts::by_name("gera", &[]).unwrap_err().to_string();
    assert!(part.contains("did you mean 'gear'") && part.contains("hole-plate"), "{part}");
    let parameter = parts::by_name("gear", &[("modul", "2 mm")]).unwrap_err().to_string();
    assert!(parameter.contains("did you mean 'module'") && parameter.contains("face_width"), "{parameter}");
    let wild = parts::by_name("xylophone", &[]).unwrap_err().to_string();
    assert!(!wild.contains("did you mean") && wild.contains("torus"), "{wild}");
}

#[test]
fn texts_with_units_set_parameters_and_the_listing_reads_back() {
    let mesh =
        parts::by_name("gear", &[("teeth", "31"), ("module", "3mm"), ("pressure_angle", "25 deg")]).unwrap();
    let gear = Gear { teeth: 31, module: 3.0 * 1e-3, pressure_angle: 25.0 * (PI / 180.0), ..Gear::default() };
    assert_eq!(mesh, gear.generate().unwrap());
    for name in parts::names() {
        let info = parts::describe(name).unwrap();
        assert!(!info.summary.is_empty());
        let settings: Vec<(&str, &str)> =
            info.parameters.iter().map(|p| (p.name, p.default.as_str())).collect();
        assert_eq!(parts::by_name(name, &settings).unwrap(), parts::by_name(name, &[]).unwrap(), "{name}");
        assert!(info.parameters.iter().all(|p| !p.doc.is_empty()));
    }
}

#[test]
fn tiny_and_huge_parts_are_as_sound_as_those_of_common_size() {
    for scale in [1e-9, 1e9] {
        let ring = Torus { major: 4.0 * scale, minor: scale, ..Torus::default() }.generate().unwrap();
        audit("torus", &ring);
        let gear = Gear { module: scale, face_width: scale, bore: scale, ..Gear::default() };
        audit("gear", &gear.generate().unwrap());
    }
}

#[test]
fn lengths_too_different_for_sound_triangles_are_refused() {
    for (name, settings) in [
        ("box", vec![("depth", "9.6e-12")]),
        ("torus", vec![("minor", "5e-32")]),
        ("torus", vec![("major", "7e8")]),
        ("cylinder", vec![("length", "5e13")]),
        ("connecting-rod", vec![("small_bore", "2e-26"), ("segments", "10")]),
        ("peg", vec![("chamfer", "4e-27")]),
    ] {
        let error = parts::by_name(name, &settings).unwrap_err().to_string();
        assert!(error.contains("too thin") || error.contains("too small"), "{name} {settings:?}: {error}");
    }
}

#[test]
fn counts_that_would_eat_memory_or_hours_are_refused_with_the_most_that_is_taken() {
    for (name, settings, largest) in [
        ("gear", vec![("teeth", "10000"), ("flank_segments", "1000")], "at most 124"),
        ("connecting-rod", vec![("segments", "250000")], "to 10000"),
        ("hole-plate", vec![("segments", "500000")], "to 10000"),
        ("crankshaft", vec![("segments", "10000")], "to 2000"),
        ("torus", vec![("segments", "1000000")], "with 1000000 segments it must be from 3 to 4"),
        ("torus", vec![("segments", "4000000")], "to 1333333"),
        ("uv-sphere", vec![("segments", "2000000"), ("bands", "3")], "from 2 to 2"),
        ("sphere", vec![("vertices", "18446744073709551615")], "to 4000000"),
    ] {
        let error = parts::by_name(name, &settings).unwrap_err().to_string();
        assert!(error.contains(largest), "{name} {settings:?}: {error}");
    }
}
