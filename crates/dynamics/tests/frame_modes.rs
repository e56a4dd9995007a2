//! Natural frequencies of frames in space against theory.

use std::f64::consts::{PI, TAU};

use zerogap_core::Vec3;
use zerogap_core::math::{cos, sin_cos};
use zerogap_dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameLoads, FrameMaterial, FrameModes, Plane, SettleParams,
};

const LENGTH: f64 = 1.5;
const YOUNG: f64 = 2.1e11;
const DENSITY: f64 = 7850.0;

fn element(section: CrossSection) -> FrameElement {
    let material = FrameMaterial::isotropic(YOUNG, 0.3, DENSITY);
    FrameElement { nodes: [0, 1], section, material, up: None, shear: false }
}

fn strip() -> CrossSection {
    CrossSection::rectangle(0.02, 0.01).unwrap()
}

fn modes(frame: &Frame, count: usize) -> FrameModes {
    frame.modes(&frame.rest(), &FrameLoads::none(frame), count).unwrap()
}

fn within(found: f64, expected: f64, relative: f64, what: &str) {
    let error = found / expected - 1.0;
    println!("{what}: {found} rad/s, theory {expected}, {:+.5} %", 100.0 * error);
    assert!(error.abs() <= relative, "{what}: {found} is not {expected}");
}

/// Angular frequency of a uniform beam from a root `b L` of its frequency equation.
fn of_root(root: f64, length: f64, second: f64, section: &CrossSection) -> f64 {
    root * root * (YOUNG * second / (DENSITY * section.area)).sqrt() / (length * length)
}

#[test]
fn a_cantilever_of_20_elements_has_the_frequencies_of_euler_and_bernoulli_in_both_planes() {
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, element(strip())).unwrap();
    frame.clamp(0).unwrap();
    let found = modes(&frame, 6).angular_frequencies;
    let roots = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467];
    let (weak, strong) = (strip().second_moment_y, strip().second_moment_z);
    let mut expected: Vec<f64> = [weak, strong]
        .iter()
        .flat_map(|second| roots.map(|root| of_root(root, LENGTH, *second, &strip())))
        .collect();
    expected.sort_by(f64::total_cmp);
    for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
        within(*found, *expected, 1e-4, &format!("cantilever, mode {}", k + 1));
    }
}

#[test]
fn torsion_and_tension_waves_have_their_frequencies() {
    let section = CrossSection::rod(0.02).unwrap();
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * 0.1], 40, element(section)).unwrap();
    frame.clamp(0).unwrap();
    let found = modes(&frame, 12).angular_frequencies;
    let shear = YOUNG / 2.6;
    for (what, speed) in [("torsion", (shear / DENSITY).sqrt()), ("axial", (YOUNG / DENSITY).sqrt())] {
        let expected = 0.5 * PI * speed / 0.1;
        let nearest =
            found.iter().copied().min_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs()));
        within(nearest.unwrap(), expected, 1e-3, what);
    }
}

#[test]
fn a_free_beam_has_six_motions_without_strain_and_then_the_frequencies_of_a_free_beam() {
    let frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, element(strip())).unwrap();
    let found = modes(&frame, 9);
    for value in &found.eigenvalues[..6] {
        assert!(value.abs() < 1e-4 * found.eigenvalues[6], "{:?}", found.eigenvalues);
    }
    let roots = [4.730_040_744_862_704, 7.853_204_624_095_838];
    within(
        found.angular_frequencies[6],
        of_root(roots[0], LENGTH, strip().second_moment_y, &strip()),
        1e-4,
        "free beam",
    );
    within(
        found.angular_frequencies[7],
        of_root(roots[0], LENGTH, strip().second_moment_z, &strip()),
        1e-4,
        "free beam, strong",
    );
    within(
        found.angular_frequencies[8],
        of_root(roots[1], LENGTH, strip().second_moment_y, &strip()),
        1e-4,
        "free beam, second",
    );
}

#[test]
fn a_short_beam_with_shear_has_the_frequencies_of_timoshenko() {
    // Simply supported: w² from the quadratic equation of Timoshenko 1921, exact for these supports.
    let section = CrossSection::rectangle(0.02, 0.1).unwrap();
    let length = 0.8;
    let with = FrameElement { shear: true, ..element(section) };
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * length], 40, with).unwrap();
    frame.hold(0, [true, true, true, true, false, true]).unwrap();
    frame.hold(40, [false, true, true, false, false, true]).unwrap();
    frame.set_plane(Plane::Zx);
    let found = modes(&frame, 4).angular_frequencies;
    let (g, area, second) = (YOUNG / 2.6, section.area, section.second_moment_y);
    for (n, at) in [(1.0, 0), (2.0, 1)] {
        let k = n * PI / length;
        let (r2, s2) = (second / area, YOUNG * second / (g * section.shear_area_z));
        // E I k⁴ - w² ρ A (1 + k² (r² + s²)) + w⁴ ρ² r² A / (k G) = 0.
        let (a, b, c) = (
            DENSITY * DENSITY * second * area / (g * section.shear_area_z),
            DENSITY * area * (1.0 + k * k * (r2 + s2)),
            YOUNG * second * k.powi(4),
        );
        let expected = ((b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)).sqrt();
        within(found[at], expected, 1e-3, &format!("Timoshenko, mode {n}"));
        assert!(expected < 0.98 * of_root(n * PI, length, second, &section), "shear counts here");
    }
}

#[test]
fn a_ring_has_the_frequencies_of_its_theory_in_its_plane_and_out_of_it() {
    let (count, radius) = (90, 0.5);
    let section = CrossSection::rod(0.01).unwrap();
    let nodes = (0..count)
        .map(|k| {
            let (s, c) = sin_cos(TAU * f64::from(k) / f64::from(count));
            Vec3::new(radius * c, radius * s, 0.0)
        })
        .collect();
    let frame = Frame::polyline(nodes, true, element(section)).unwrap();
    let found = modes(&frame, 14);
    let unit = (YOUNG * section.second_moment_y / (DENSITY * section.area * f64::powi(radius, 4))).sqrt();
    // In the plane (Hoppe 1871): w² = n² (n² - 1)² / (n² + 1); out of it, with torsion (Michell 1890): n² (n² - 1)² / (n² + 1 + ν) for round sections.
    let mut expected = Vec::new();
    for n in [2.0, 3.0] {
        let top: f64 = n * (n * n - 1.0);
        for bottom in [n * n + 1.0, n * n + 1.0 + 0.3] {
            expected.extend([top / f64::sqrt(bottom); 2]);
        }
    }
    expected.sort_by(f64::total_cmp);
    assert!(found.eigenvalues[..6].iter().all(|value| value.abs() < 1e-3 * found.eigenvalues[6]));
    for (k, expected) in expected.iter().enumerate() {
        within(found.angular_frequencies[6 + k], expected * unit, 1e-3, &format!("ring, mode {}", k + 1));
    }
}

/// The lowest two roots of the frequency equation of a portal frame with clamped feet and three equal members that do not stretch: sway (antisymmetric) and symmetric, as `b L`.
///
/// Slope deflection with the dynamic stiffness of Euler-Bernoulli members: joint rotation and sway of each symmetry, roots of the determinant by bisection.
fn portal_roots() -> [f64; 2] {
    // Dynamic stiffness functions for a member of unit length and E I = 1 (Kolousek).
    let functions = |b: f64| {
        let ((s, c), e, i) = (sin_cos(b), zerogap_core::math::exp(b), zerogap_core::math::exp(-b));
        let (sh, ch) = (0.5 * (e - i), 0.5 * (e + i));
        let d = 1.0 - c * ch;
        let near = b * (ch * s - sh * c) / d;
        let far = b * (sh - s) / d;
        let moment_of_shift = b * b * sh * s / d;
        let force_of_shift = b.powi(3) * (ch * s + sh * c) / d;
        (near, far, moment_of_shift, force_of_shift)
    };
    let sway = |b: f64| {
        let (near, far, moment, force) = functions(b);
        // Both joints rotate alike and shift alike; half of the beam moves with each column.
        let rotation = near + near + far;
        let shift = force - 0.5 * b.powi(4);
        rotation * shift - moment * moment
    };
    let symmetric = |b: f64| {
        let (near, far, ..) = functions(b);
        near + near - far
    };
    let bisect = |of: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
        assert!(of(low) * of(high) < 0.0);
        for _ in 0..60 {
            let mid = 0.5 * (low + high);
            if of(low) * of(mid) <= 0.0 { high = mid } else { low = mid }
        }
        low
    };
    [bisect(&sway, 1.0, 2.5), bisect(&symmetric, 2.5, 4.5)]
}

#[test]
fn a_portal_frame_sways_and_bends_at_the_frequencies_of_its_theory() {
    // Legs and beam of 1 m, thin so that stretching does not count.
    let section = CrossSection::rectangle(0.02, 0.004).unwrap();
    let mut nodes = Vec::new();
    for k in 0..=10 {
        nodes.push(Vec3::new(0.0, 0.0, f64::from(k) / 10.0));
    }
    (1..=10).for_each(|k| nodes.push(Vec3::new(f64::from(k) / 10.0, 0.0, 1.0)));
    (1..=10).for_each(|k| nodes.push(Vec3::new(1.0, 0.0, 1.0 - f64::from(k) / 10.0)));
    let mut frame = Frame::polyline(nodes, false, element(section)).unwrap();
    frame.clamp(0).unwrap();
    frame.clamp(30).unwrap();
    frame.set_plane(Plane::Zx);
    // Uprights have x as their z axis and bend in the plane about the same weak axis as the beam.
    let found = modes(&frame, 2).angular_frequencies;
    for (k, root) in portal_roots().into_iter().enumerate() {
        let expected = of_root(root, 1.0, section.second_moment_y, &section);
        within(found[k], expected, 1e-3, &format!("portal frame, b L = {root}"));
    }
}

#[test]
fn tension_raises_and_compression_lowers_the_frequency_of_a_pinned_beam_as_theory_says() {
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, element(strip())).unwrap();
    frame.hold(0, [true, true, true, true, false, false]).unwrap();
    frame.hold(20, [false, true, true, false, false, false]).unwrap();
    let ei = YOUNG * strip().second_moment_y;
    let euler = PI * PI * ei / (LENGTH * LENGTH);
    let alone = of_root(PI, LENGTH, strip().second_moment_y, &strip());
    for ratio in [-0.5, -0.9, 1.0, 5.0] {
        let mut loads = FrameLoads::none(&frame);
        loads.nodal[20][0] = ratio * euler;
        let state = frame.settle(&frame.rest(), &loads, &SettleParams::default()).unwrap().state;
        let found = frame.modes(&state, &loads, 1).unwrap().angular_frequencies[0];
        within(found, alone * f64::sqrt(1.0 + ratio), 1e-3, &format!("force {ratio} of Euler's"));
    }
}

#[test]
fn shapes_have_unit_modal_mass_and_are_those_of_theory() {
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, element(strip())).unwrap();
    frame.hold(0, [true, true, true, true, false, false]).unwrap();
    frame.hold(20, [false, true, true, false, false, false]).unwrap();
    let found = modes(&frame, 1);
    let amplitude = (2.0 / (DENSITY * strip().area * LENGTH)).sqrt();
    for (k, node) in found.shapes[0].iter().enumerate() {
        let expected = amplitude * cos(PI * (k as f64 / 20.0 - 0.5));
        // The largest entry of all may be a rotation of either sign.
        assert!((node[2].abs() - expected).abs() < 1e-5 * amplitude, "{k}: {node:?}");
    }
}

#[test]
fn a_thousand_elements_keep_the_digits_of_their_lowest_modes() {
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 1000, element(strip())).unwrap();
    frame.clamp(0).unwrap();
    let found = modes(&frame, 2).angular_frequencies;
    within(
        found[0],
        of_root(1.875_104_068_711_961, LENGTH, strip().second_moment_y, &strip()),
        1e-4,
        "1,000 elements",
    );
}
