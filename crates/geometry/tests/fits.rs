//! Parts that go into each other keep the clearance they state, cross nothing, and do not cross themselves.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

mod audit;

use audit::{audit, close, polygon_area};
use zerogap_core::{Vec3, math};
use zerogap_geometry::parts::{
    self, CountersunkBolt, CountersunkPlate, CrossheadDriver, CrossheadScrew, HolePlate, LPrism, Peg,
    ThreadBolt, ThreadNut,
};
use zerogap_geometry::{GeometryError, TriangleMesh};
use zerogap_testkit::brute::triangle_pair_distance;

/// Triangles with their boxes.
fn boxed(mesh: &TriangleMesh, turn: f64, shift: Vec3) -> Vec<([Vec3; 3], Vec3, Vec3)> {
    let (s, c) = math::sin_cos(turn);
    let place = |p: Vec3| Vec3::new(c * p.x - s * p.y, s * p.x + c * p.y, p.z) + shift;
    let corners = mesh.corner_triples().map(|t| t.map(place));
    corners.map(|t| (t, t[0].inf(&t[1]).inf(&t[2]), t[0].sup(&t[1]).sup(&t[2]))).collect()
}

/// The least distance of two surfaces [m], every pair of triangles whose boxes are nearer than the best so far tried; b is rotated about z, then shifted.
fn distance(a: &TriangleMesh, b: &TriangleMesh, turn: f64, shift: Vec3) -> f64 {
    let (a, b) = (boxed(a, 0.0, Vec3::zeros()), boxed(b, turn, shift));
    let mut smallest = f64::INFINITY;
    for (s, low_s, high_s) in &a {
        for (t, low_t, high_t) in &b {
            let apart = (low_s - high_t).sup(&(low_t - high_s)).sup(&Vec3::zeros());
            if apart.norm() < smallest {
                smallest = smallest.min(triangle_pair_distance(s, t));
            }
        }
    }
    smallest
}

/// Panics where two triangles without a common corner touch.
fn assert_simple(name: &str, mesh: &TriangleMesh) {
    let triangles = boxed(mesh, 0.0, Vec3::zeros());
    let size = mesh.bounding_box().diagonal();
    for (i, (s, low_s, high_s)) in triangles.iter().enumerate() {
        for (j, (t, low_t, high_t)) in triangles[..i].iter().enumerate() {
            let shared = mesh.triangles()[i].iter().any(|v| mesh.triangles()[j].contains(v));
            let apart = (low_s - high_t).sup(&(low_t - high_s)).max();
            if !shared && apart <= 1e-6 * size {
                let gap = triangle_pair_distance(s, t);
                assert!(gap > 1e-6 * size, "{name}: triangles {i} and {j} are {gap} m apart");
            }
        }
    }
}

const DOWN: Vec3 = Vec3::new(0.0, 0.0, -1.0);

#[test]
fn no_part_that_fits_another_crosses_itself() {
    for (name, settings) in [
        ("l-prism", vec![]),
        ("countersunk-bolt", vec![("segments", "16")]),
        ("countersunk-bolt", vec![("segments", "16"), ("socket", "5 mm")]),
        ("countersunk-plate", vec![("segments", "16")]),
        ("crosshead-screw", vec![]),
        ("crosshead-screw", vec![("wing_diameter", "3 mm")]),
        ("crosshead-driver", vec![]),
        ("crosshead-driver", vec![("clearance", "0.2 mm")]),
        ("crosshead-driver", vec![("clearance", "0")]),
        ("thread-bolt", vec![("segments", "16"), ("turns", "3")]),
        ("thread-bolt", vec![("segments", "16"), ("turns", "2"), ("head_width", "0")]),
        ("thread-nut", vec![("segments", "16"), ("turns", "2")]),
        ("hole-plate", vec![("floor", "5 mm"), ("segments", "16")]),
    ] {
        let mesh = parts::by_name(name, &settings).unwrap();
        audit(name, &mesh);
        assert_simple(name, &mesh);
    }
}

#[test]
fn the_documented_numbers_of_triangles_are_those_at_the_defaults() {
    let count = |name: &str| parts::by_name(name, &[]).unwrap().triangles().len();
    assert_eq!(["countersunk-bolt", "countersunk-plate"].map(count), [252, 208]);
    assert_eq!(["crosshead-screw", "crosshead-driver", "l-prism"].map(count), [206, 174, 20]);
    assert_eq!(["thread-bolt", "thread-nut"].map(count), [4236, 1424]);
}

#[test]
fn the_l_has_six_corners_and_the_area_of_its_legs() {
    let mesh = LPrism { width: 3.0, depth: 4.0, height: 2.0, leg: 1.0 }.generate().unwrap();
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (12, 20));
    close(audit("l-prism", &mesh).volume, 12.0, 1e-14);
    assert_eq!(mesh.bounding_box().size(), Vec3::new(3.0, 4.0, 2.0));
    assert!(mesh.vertices().contains(&Vec3::new(-0.5, -1.0, 1.0)));
}

#[test]
fn a_peg_stands_on_the_floor_of_its_hole() {
    for section in ["round", "rectangular"] {
        let peg = parts::by_name("peg", &[("section", section)]).unwrap();
        let plate = parts::by_name("hole-plate", &[("section", section), ("floor", "5 mm")]).unwrap();
        let through = parts::by_name("hole-plate", &[("section", section)]).unwrap();
        assert_eq!(audit("plate", &plate).euler, 2);
        let floor = if section == "round" {
            math::tan(PI / 48.0) * 48.0 * 0.0101_f64.powi(2)
        } else {
            0.0202_f64.powi(2)
        };
        close(audit("plate", &plate).volume, audit("plate", &through).volume + 5e-3 * floor, 1e-12);
        // The floor is 5 mm above the plate's underside at -10 mm, the peg's end 30 mm below its origin.
        let gap = distance(&plate, &peg, 0.0, Vec3::new(0.0, 0.0, 0.025 + 5e-5));
        assert!((gap - 5e-5).abs() < 1e-12, "{section}: {gap}");
        let gap = distance(&plate, &peg, 0.0, Vec3::new(0.0, 0.0, 0.026));
        assert!((gap - 1e-4).abs() < 1e-12, "{section}: {gap}");
    }
    let square = Peg { section: parts::CrossSection::Rectangular, ..Peg::default() };
    assert!(
        square.generate().is_ok() && HolePlate { floor: 0.02, ..HolePlate::default() }.generate().is_err()
    );
}

#[test]
fn the_bolt_and_its_plate_have_the_volume_of_cylinder_and_cone() {
    let bolt = CountersunkBolt::default();
    let area = polygon_area(bolt.segments);
    let frustum = |r: f64, s: f64, height: f64| (r * r + r * s + s * s) / 3.0 * height;
    let shank = frustum(3e-3, 4e-3, 1e-3) + 16e-6 * 0.025;
    let solid = area * (shank + frustum(4e-3, 8e-3, 4e-3));
    let mesh = bolt.generate().unwrap();
    let found = audit("countersunk-bolt", &mesh);
    assert_eq!(found.euler, 2);
    close(found.volume, solid, 1e-12);
    assert_eq!((mesh.bounding_box().min.z, mesh.bounding_box().max.z), (-0.03, 0.0));
    // A socket takes its hexagon away: 2√3 times the square of half its width across flats.
    let socket = CountersunkBolt { socket: 5e-3, ..bolt }.generate().unwrap();
    let hexagon = 2.0 * 3.0_f64.sqrt() * 2.5e-3 * 2.5e-3;
    close(audit("socket", &socket).volume, solid - hexagon * 3e-3, 1e-12);
    let plate = CountersunkPlate::default();
    let found = audit("countersunk-plate", &plate.generate().unwrap());
    assert_eq!(found.euler, 0);
    // The hole's polygon stands around its circle.
    let around = 32.0 * math::tan(PI / 32.0);
    let hole = around * (4.1e-3 * 4.1e-3 * 8e-3 + frustum(4.1e-3, 8.1e-3, 4e-3));
    close(found.volume, 0.04 * 0.04 * 0.012 - hole, 1e-12);
}

#[test]
fn a_flush_bolt_keeps_the_clearance_to_its_plate_and_sinks_by_it() {
    for (segments, hole) in [(16, 16), (32, 32), (24, 17)] {
        for clearance in [2e-5, 1e-4] {
            let bolt = CountersunkBolt { segments, ..CountersunkBolt::default() }.generate().unwrap();
            let plate = CountersunkPlate { segments: hole, clearance, ..CountersunkPlate::default() };
            let plate = plate.generate().unwrap();
            // Square to the cone, the clearance is seen under 45°; the plane face of the cone's tessellation leans a little less.
            for turn in [0.0, 0.1, PI / 16.0] {
                let gap = distance(&plate, &bolt, turn, Vec3::zeros());
                let smallest = clearance * 0.5_f64.sqrt();
                assert!(gap > smallest * (1.0 - 1e-9), "{segments}/{hole} at {turn}: {gap} m");
                let corners = 8e-3 * (1.0 / math::cos(PI / hole as f64) - 1.0);
                assert!(gap < smallest + corners, "{segments}/{hole} at {turn}: {gap} m");
            }
            // Corners of the bolt over the middle of the hole's faces: it touches after the clearance, not before.
            let sunk = |by: f64| distance(&plate, &bolt, 0.0, DOWN * by);
            assert!(sunk(0.999 * clearance) > 0.0 && sunk(1.001 * clearance) == 0.0);
        }
    }
}

#[test]
fn the_cross_recess_has_the_sizes_of_the_standard() {
    let screw = CrossheadScrew::default();
    let mesh = screw.generate().unwrap();
    assert_eq!(mesh.triangles().len(), 206);
    assert_eq!(audit("crosshead-screw", &mesh).euler, 2);
    // t1 = 0.61 mm below the level of g, which the taper of 26.5° puts (4.4 - 2.29) / 2 / tan 26.5° under the top.
    let start = 1.055e-3 / math::tan(26.5_f64.to_radians());
    close(screw.recess_depth() - start, 0.609e-3, 1e-3);
    let at = |z: f64| mesh.vertices().iter().filter(move |p| (p.z + z).abs() < 1e-12 && p.xy().norm() < 3e-3);
    let reach = |z: f64| at(z).map(|p| p.x).fold(0.0, f64::max);
    close(2.0 * reach(0.0), 4.4e-3, 1e-12);
    close(2.0 * reach(start), 2.29e-3, 1e-12);
    assert_eq!((at(0.0).count(), at(start).count()), (20, 20));
    // Opposite inner corners at the level of g, on the diagonal: b = 1.47 mm; the wings there: f between 0.66 and 0.74 mm.
    let inner = at(start).filter(|p| (p.x - p.y).abs() < 1e-15 && p.x > 0.0).map(|p| p.xy().norm());
    close(2.0 * inner.fold(0.0, f64::max), 1.47e-3, 1e-12);
    let wing = at(start).filter(|p| p.x > 1.1e-3).map(|p| p.y).fold(0.0, f64::max);
    assert!((0.66e-3..0.74e-3).contains(&(2.0 * wing)), "{wing}");
    // The volume: polygons of 16 corners less the recess, a frustum of sections with straight walls and a pyramid.
    let section = |z: f64| {
        let ring: Vec<Vec3> = at(z).copied().collect();
        0.5 * (0..20)
            .map(|k| ring[k].x * ring[(k + 1) % 20].y - ring[k].y * ring[(k + 1) % 20].x)
            .sum::<f64>()
    };
    let solid = polygon_area(16) * (4e-6 * 0.012 + 16e-6 * 3.1e-3);
    let (top, low) = (section(0.0), section(start));
    // Between the areas' mean and the wider one's half the volume of the walls lies; the pyramid is exact.
    let pyramid = low * (screw.recess_depth() - start) / 3.0;
    let found = solid - audit("crosshead-screw", &mesh).volume - pyramid;
    assert!(found > low * start && found < 0.5 * (top + low) * start, "{found}");
}

#[test]
fn the_driver_keeps_its_clearance_in_the_seat_and_wedges_when_pushed_on() {
    for wing_diameter in [3.0e-3, 4.4e-3, 5.0e-3] {
        let screw = CrossheadScrew { wing_diameter, head_height: 3.5e-3, ..CrossheadScrew::default() };
        let screw = screw.generate().unwrap();
        for clearance in [1e-5, 5e-5, 1e-4] {
            let driver = CrossheadDriver {
                wing_diameter,
                clearance,
                shaft_diameter: 7e-3,
                ..CrossheadDriver::default()
            };
            let mesh = driver.generate().unwrap();
            assert_eq!(audit("crosshead-driver", &mesh).euler, 2);
            assert_eq!(mesh.triangles().len(), 174);
            for quarter in 0..4 {
                let gap = distance(&screw, &mesh, f64::from(quarter) * FRAC_PI_2, Vec3::zeros());
                assert!((gap / clearance - 1.0).abs() < 1e-6, "quarter {quarter}: {gap} of {clearance} m");
            }
            // It sinks until the ends of the wings touch; an eighth of a turn away it does not go in at all.
            let sunk = |by: f64| distance(&screw, &mesh, 0.0, DOWN * by);
            assert!(sunk(0.999 * driver.play()) > 0.0 && sunk(1.001 * driver.play()) == 0.0);
            assert!(distance(&screw, &mesh, 0.5 * FRAC_PI_2, Vec3::zeros()) == 0.0);
        }
    }
}

#[test]
fn threads_have_the_volume_of_their_profile() {
    let exact = |crest: f64, root: f64, length: f64| {
        let flank = (crest * crest + crest * root + root * root) / 3.0;
        PI * length * (crest * crest / 8.0 + root * root / 4.0 + 0.625 * flank)
    };
    let volume = |segments: usize| {
        let bolt = ThreadBolt { segments, head_width: 0.0, turns: 4, ..ThreadBolt::default() };
        let root = bolt.root_radius();
        // The minor diameter of M8: 6.647 mm.
        assert!((2.0 * root - 6.647e-3).abs() < 5e-7, "{root}");
        let found = audit("thread-bolt", &bolt.generate().unwrap());
        assert_eq!(found.euler, 2);
        1.0 - found.volume / exact(4e-3, root, 5e-3)
    };
    let (coarse, fine) = (volume(16), volume(64));
    assert!(
        coarse > 0.0 && fine > 0.0 && fine < 0.01 && coarse < 0.05 && coarse > 6.0 * fine,
        "{coarse} {fine}"
    );
    let nut = ThreadNut { segments: 64, ..ThreadNut::default() };
    let found = audit("thread-nut", &nut.generate().unwrap());
    assert_eq!(found.euler, 0);
    let outer = 2.0 * 3.0_f64.sqrt() * 6.5e-3 * 6.5e-3 * 6.25e-3;
    let hole = exact(4.1e-3, ThreadBolt::default().root_radius() + 1e-4, 6.25e-3);
    let missing = (outer - found.volume) / hole - 1.0;
    assert!(missing > 0.0 && missing < 0.01, "{missing}");
    // A head adds its hexagon.
    let bare = ThreadBolt { head_width: 0.0, ..ThreadBolt::default() }.generate().unwrap();
    let whole = ThreadBolt::default().generate().unwrap();
    let head = audit("thread-bolt", &whole).volume - audit("thread-bolt", &bare).volume;
    close(head, 2.0 * 3.0_f64.sqrt() * 6.5e-3 * 6.5e-3 * 5.3e-3, 1e-10);
}

#[test]
fn a_nut_fits_its_bolt_wherever_it_is_screwed_to() {
    for (segments, nut_segments, clearance) in
        [(16, 16, 2e-5), (32, 32, 1e-4), (32, 48, 2e-5), (64, 16, 2e-5)]
    {
        let bolt = ThreadBolt { segments, turns: 4, head_width: 0.0, ..ThreadBolt::default() };
        let nut = ThreadNut { segments: nut_segments, turns: 2, clearance, ..ThreadNut::default() };
        let (bolt, nut) = (bolt.generate().unwrap(), nut.generate().unwrap());
        let at = |z: f64, turn: f64| distance(&bolt, &nut, turn, Vec3::new(0.0, 0.0, z));
        for z in [-1.6e-3, 0.0, 0.4e-3, 1.25e-3, 1.7e-3, 3.1e-3] {
            let gap = at(z, TAU * z / 1.25e-3);
            // Half the clearance square to the flanks, a little less for their lead, which is steepest at the roots; more where tessellation
            // adds to it. Chords of the nut's end faces take a trifle.
            let lead = 1.25e-3 / (TAU * ThreadBolt::default().root_radius());
            let square = clearance / (4.0 + 3.0 * lead * lead).sqrt();
            let trifle = 6e-4 * 1.25e-3 * (16.0 / nut_segments as f64).powi(2);
            assert!(gap > square - trifle, "{segments}/{nut_segments} at {z} m: {gap}");
            let sagitta =
                4e-3 * (1.0 / math::cos(PI / nut_segments as f64) - math::cos(PI / segments as f64));
            assert!(gap < 0.5 * (clearance + sagitta), "{segments}/{nut_segments} at {z} m: {gap}");
        }
        // Along the axis it has the clearance times tan 30° to both sides, less the trifle.
        let play = 0.92 * clearance / 3.0_f64.sqrt();
        assert!(at(play, 0.0) > 0.0 && at(-play, 0.0) > 0.0, "{segments}/{nut_segments}");
        // Turned the wrong way or not at all, the threads cross.
        assert!(at(0.4e-3, -TAU * 0.4 / 1.25) == 0.0 && at(0.4e-3, 0.0) == 0.0);
    }
}

#[test]
fn sizes_that_fit_nothing_are_refused_with_their_values() {
    for (name, settings, word) in [
        ("l-prism", vec![("leg", "60 mm")], "0.06"),
        ("l-prism", vec![("height", "-1 mm")], "-0.001"),
        ("hole-plate", vec![("floor", "20 mm")], "thickness"),
        ("hole-plate", vec![("floor", "-1 mm")], "-0.001"),
        ("countersunk-bolt", vec![("head_diameter", "8 mm")], "0.008"),
        ("countersunk-bolt", vec![("length", "5 mm")], "0.005"),
        ("countersunk-bolt", vec![("chamfer", "4 mm")], "half the diameter"),
        ("countersunk-bolt", vec![("socket", "7 mm")], "shank"),
        ("countersunk-bolt", vec![("socket", "5 mm"), ("socket_depth", "29 mm")], "shank"),
        ("countersunk-bolt", vec![("segments", "2")], "is 2"),
        ("countersunk-plate", vec![("thickness", "4 mm")], "height of the head"),
        ("countersunk-plate", vec![("width", "16.2 mm")], "mouth"),
        ("countersunk-plate", vec![("clearance", "-1 um")], "clearance"),
        ("crosshead-screw", vec![("wing_diameter", "2 mm")], "size 2"),
        ("crosshead-screw", vec![("head_height", "2.7 mm")], "depth of the recess"),
        ("crosshead-screw", vec![("head_diameter", "4.5 mm")], "recess"),
        ("crosshead-screw", vec![("diameter", "8 mm")], "shank"),
        ("crosshead-driver", vec![("clearance", "0.3 mm")], "third"),
        ("crosshead-driver", vec![("shaft_diameter", "5 mm")], "wings"),
        ("crosshead-driver", vec![("length", "1 mm")], "wing_height"),
        ("crosshead-driver", vec![("wing_diameter", "2.5 mm"), ("clearance", "0.1 mm")], "above"),
        ("thread-bolt", vec![("segments", "20")], "multiple of 16"),
        ("thread-bolt", vec![("segments", "8")], "is 8"),
        ("thread-bolt", vec![("turns", "0")], "is 0"),
        ("thread-bolt", vec![("turns", "100000")], "at most 4000000"),
        ("thread-bolt", vec![("pitch", "6 mm")], "0.006"),
        ("thread-bolt", vec![("head_width", "8 mm")], "no head"),
        ("thread-nut", vec![("width", "8.2 mm")], "hole"),
        ("thread-nut", vec![("clearance", "-1 um")], "clearance"),
    ] {
        let error = parts::by_name(name, &settings).unwrap_err();
        assert!(matches!(error, GeometryError::Part(_)), "{error:?}");
        assert!(error.to_string().contains(word), "{name} {settings:?}: {error}");
    }
}
