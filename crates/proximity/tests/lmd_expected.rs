//! Quasi-LMDs of configurations with known answers: how many, how far, which classes. Every query is checked against all pairs of faces too.

mod lmd_checks;

use std::path::Path;

use lmd_checks::{at, body, degrees, find, line, plane, shell, turned_to_height, with, within};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::complex::Treatment;
use zerogap_geometry::import::{ImportOptions, read_mesh};
use zerogap_geometry::{Complex, ComplexOptions};
use zerogap_proximity::lmd::{ComplexBody, Overlap, QuasiParams, QuasiStatus};
use zerogap_testkit::solids;

const HERE: fn() -> Pose = Pose::identity;

#[test]
fn a_cube_flat_above_a_plane_has_four_contacts() {
    let (cube, plane) = (body(solids::cube()), plane());
    let found = find(&cube, &at(0.0, 0.0, 0.6), &plane, &HERE(), &degrees(5.0));
    found.has_distances(&[0.1; 4], 1e-14);
    assert_eq!(found.of_classes(0, 6), 4);
    assert_eq!(found.status, QuasiStatus::Separated { base_distance: found.least() });
}

#[test]
fn a_tilted_cube_keeps_four_contacts_until_theta() {
    let (cube, plane) = (body(solids::cube()), plane());
    for tilt in [1e-9, 1e-3, 2.5, 4.99] {
        let pose = turned_to_height(&cube, [0.0, 1.0, 0.0], tilt, 0.1);
        let found = find(&cube, &pose, &plane, &HERE(), &degrees(5.0));
        let high = 0.1 + zerogap_core::math::sin(tilt.to_radians());
        found.has_distances(&[0.1, 0.1, high, high], 1e-14);
    }
    let pose = turned_to_height(&cube, [0.0, 1.0, 0.0], 4.99, 0.1);
    assert!((find(&cube, &pose, &plane, &HERE(), &degrees(5.0)).distances()[3] - 0.186_982).abs() < 5e-7);
    let pose = turned_to_height(&cube, [0.0, 1.0, 0.0], 5.01, 0.1);
    find(&cube, &pose, &plane, &HERE(), &degrees(5.0)).has_distances(&[0.1, 0.1], 1e-14);
}

#[test]
fn a_cube_tilted_over_its_diagonal_loses_corners_one_after_the_other() {
    let (cube, plane) = (body(solids::cube()), plane());
    let tilted = |tilt: f64| {
        let pose = turned_to_height(&cube, [1.0, 1.0, 0.0], tilt, 0.1);
        find(&cube, &pose, &plane, &HERE(), &degrees(5.0))
    };
    assert_eq!(tilted(4.99).count(), 4);
    tilted(6.0).has_distances(&[0.1, 0.173_913, 0.173_913], 5e-7);
    assert_eq!(tilted(7.2).count(), 1);
    // The middle corners go where sin(tilt) = sqrt(2) sin(the angular tolerance): 7.0801 degrees.
    assert_eq!((tilted(7.08).count(), tilted(7.081).count()), (3, 1));
}

#[test]
fn without_theta_a_flat_cube_has_four_contacts_and_a_tilted_one_two() {
    let (cube, plane) = (body(solids::cube()), plane());
    assert_eq!(find(&cube, &at(0.0, 0.0, 0.6), &plane, &HERE(), &degrees(0.0)).count(), 4);
    let pose = turned_to_height(&cube, [0.0, 1.0, 0.0], 1.0, 0.1);
    assert_eq!(find(&cube, &pose, &plane, &HERE(), &degrees(0.0)).count(), 2);
}

#[test]
fn aligned_cubes_meet_at_their_corners() {
    let cube = body(solids::cube());
    let found = find(&cube, &HERE(), &cube, &at(0.0, 0.0, 1.1), &degrees(5.0));
    found.has_distances(&[0.1; 4], 1e-14);
    assert_eq!((found.of_classes(0, 0), found.raw), (4, 44));
}

#[test]
fn cubes_turned_by_an_eighth_meet_at_eight_edge_crossings() {
    let cube = body(solids::cube());
    let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 1.1), Vec3::z(), 45_f64.to_radians()).unwrap();
    let found = find(&cube, &HERE(), &cube, &pose, &degrees(5.0));
    found.has_distances(&[0.1; 8], 1e-14);
    assert_eq!(found.of_classes(2, 2), 8);
}

#[test]
fn shifted_cubes_meet_at_the_corners_of_their_overlap() {
    let cube = body(solids::cube());
    let found = find(&cube, &HERE(), &cube, &at(0.3, 0.2, 1.1), &degrees(5.0));
    found.has_distances(&[0.1; 4], 1e-14);
    assert_eq!((found.of_classes(0, 6), found.of_classes(6, 0), found.of_classes(2, 2)), (1, 1, 2));
}

/// A square bar of side 0.2 and length 2 along x.
fn bar() -> ComplexBody {
    body(solids::cuboid([-1.0, -0.1, -0.1], [1.0, 0.1, 0.1]))
}

/// Turned about its own axis by an eighth, so that an edge points down, then about z.
fn on_edge(about_z: f64, p: Vec3) -> Pose {
    let own = Pose::from_axis_angle(Vec3::zeros(), Vec3::x(), 45_f64.to_radians()).unwrap();
    Pose::from_axis_angle(p, Vec3::z(), about_z.to_radians()).unwrap() * own
}

#[test]
fn bars_crossing_edge_on_edge_have_one_contact() {
    let bar = bar();
    let height = 0.2 + 2.0 * 0.1 * 2.0_f64.sqrt();
    let found =
        find(&bar, &on_edge(0.0, Vec3::zeros()), &bar, &on_edge(90.0, Vec3::z() * height), &degrees(5.0));
    found.has_distances(&[0.2], 1e-14);
    assert_eq!(found.of_classes(2, 2), 1);
}

#[test]
fn bars_crossing_flat_have_four_contacts() {
    let bar = bar();
    let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.3), Vec3::z(), 90_f64.to_radians()).unwrap();
    let found = find(&bar, &HERE(), &bar, &pose, &degrees(5.0));
    found.has_distances(&[0.1; 4], 1e-14);
    assert_eq!(found.of_classes(2, 2), 4);
}

#[test]
fn bars_with_parallel_edges_meet_at_the_ends_of_their_overlap() {
    let bar = bar();
    let height = 0.1 + 2.0 * 0.1 * 2.0_f64.sqrt();
    let pose = on_edge(0.0, Vec3::new(0.5, 0.0, height));
    let found = find(&bar, &on_edge(0.0, Vec3::zeros()), &bar, &pose, &degrees(5.0));
    found.has_distances(&[0.1; 2], 1e-14);
    assert_eq!((found.of_classes(0, 2), found.of_classes(2, 0)), (1, 1));
}

#[test]
fn an_octahedron_stands_on_one_two_or_three_points() {
    let (octahedron, plane) = (body(solids::octahedron()), plane());
    let face = zerogap_core::math::acos(1.0 / 3.0_f64.sqrt()).to_degrees();
    for (axis, tilt, count) in
        [([0.0, 1.0, 0.0], 0.0, 1), ([0.0, 1.0, 0.0], 45.0, 2), ([1.0, -1.0, 0.0], face, 3)]
    {
        let pose = turned_to_height(&octahedron, axis, tilt, 0.1);
        let found = find(&octahedron, &pose, &plane, &HERE(), &degrees(5.0));
        found.has_distances(&vec![0.1; count], 1e-13);
    }
}

#[test]
fn a_tessellated_ball_on_a_plane_has_more_contacts_with_a_wider_theta() {
    let (ball, plane) = (body(solids::icosphere(2)), plane());
    for (angular_tolerance, count) in [(0.0, 1), (2.0, 1), (5.0, 1), (10.0, 7), (20.0, 11)] {
        let found = find(&ball, &at(0.0, 0.0, 1.1), &plane, &HERE(), &degrees(angular_tolerance));
        assert_eq!(found.count(), count, "{angular_tolerance}");
    }
    let ball = body(solids::icosphere(3));
    let found = find(&ball, &at(0.0, 0.0, 1.1), &plane, &HERE(), &degrees(5.0));
    let (near, far) = ([0.109_561; 2], [0.112_312; 4]);
    found.has_distances(&[&[0.1][..], &near, &far].concat(), 5e-7);
}

#[test]
fn a_small_plate_over_a_shell_has_four_contacts_from_either_side() {
    let options = ComplexOptions { dilation: 0.02, ..ComplexOptions::default() };
    let (small, large) =
        (with(solids::grid(0.4, 0.2, 1, 1), &options), with(solids::grid(1.0, 1.0, 1, 1), &options));
    for height in [0.15, -0.15] {
        let found = find(&small, &at(0.05, 0.02, height), &large, &HERE(), &degrees(5.0));
        found.has_distances(&[0.15; 4], 1e-14);
        assert!(found.contacts.iter().all(|c| (c.contact.gap - 0.11).abs() < 1e-14));
    }
}

#[test]
fn refinement_of_a_plate_adds_no_contacts() {
    let (small, large) = (shell(solids::grid(0.4, 0.2, 4, 4)), shell(solids::grid(1.0, 1.0, 5, 5)));
    let found = find(&small, &at(0.05, 0.02, 0.15), &large, &HERE(), &degrees(5.0));
    found.has_distances(&[0.15; 4], 1e-14);
}

#[test]
fn plates_turned_by_an_eighth_meet_at_eight_border_crossings() {
    let plate = shell(solids::grid(1.0, 1.0, 1, 1));
    let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.1), Vec3::z(), 45_f64.to_radians()).unwrap();
    let found = find(&plate, &HERE(), &plate, &pose, &degrees(5.0));
    found.has_distances(&[0.1; 8], 1e-14);
    assert_eq!(found.of_classes(2, 2), 8);
}

#[test]
fn a_straight_line_across_a_box_meets_its_two_edges() {
    let (wire, cube) = (line(&[[-1.0, 0.1, 0.6], [0.0, 0.1, 0.6], [1.0, 0.1, 0.6]]), body(solids::cube()));
    let found = find(&wire, &HERE(), &cube, &HERE(), &degrees(5.0));
    found.has_distances(&[0.1; 2], 1e-14);
    assert_eq!(found.of_classes(2, 2), 2);
}

#[test]
fn a_bent_line_across_a_box_meets_its_edges_when_theta_allows_the_slope() {
    // A slope of 11.31 degrees, 0.1 above the box at the bend.
    let rise = 0.2;
    let (wire, cube) =
        (line(&[[-1.0, 0.1, 0.6 + rise], [0.0, 0.1, 0.6], [1.0, 0.1, 0.6 + rise]]), body(solids::cube()));
    find(&wire, &HERE(), &cube, &HERE(), &degrees(5.0)).has_distances(&[0.1], 1e-14);
    let slope = zerogap_core::math::atan(rise);
    let (s, c) = zerogap_core::math::sin_cos(slope);
    let arm = 0.1 * c + 0.5 * s;
    find(&wire, &HERE(), &cube, &HERE(), &degrees(12.0)).has_distances(&[0.1, arm, arm], 1e-14);
}

#[test]
fn a_short_line_over_a_face_meets_it_with_its_ends() {
    let (wire, cube) = (line(&[[-0.2, 0.1, 0.6], [0.0, 0.1, 0.6], [0.3, 0.1, 0.6]]), body(solids::cube()));
    let found = find(&wire, &HERE(), &cube, &HERE(), &degrees(5.0));
    found.has_distances(&[0.1; 2], 1e-14);
    assert_eq!(found.of_classes(0, 6), 2);
}

#[test]
fn a_point_over_a_face_and_over_its_diagonal_has_one_contact() {
    let cube = body(solids::cube());
    for (place, raw) in [([0.1, 0.2, 0.85], 1), ([0.2, 0.2, 0.85], 3)] {
        let found = find(&line(&[place]), &HERE(), &cube, &HERE(), &degrees(5.0));
        found.has_distances(&[0.35], 1e-14);
        assert_eq!(found.raw, raw);
    }
}

#[test]
fn a_point_inside_a_volume_says_so_and_inside_a_shell_meets_every_wall() {
    let boxed = solids::cuboid([-0.15, -0.4, -0.8], [0.35, 0.6, 1.2]);
    let point = line(&[[0.0; 3]]);
    let found = find(&point, &HERE(), &body(boxed.clone()), &HERE(), &degrees(5.0));
    assert_eq!((found.count(), found.status), (0, QuasiStatus::BaseIntersecting));
    assert!(matches!(found.work.overlaps(), [Overlap::AInsideB(_)]));
    let found = find(&point, &HERE(), &shell(boxed), &HERE(), &degrees(5.0));
    found.has_distances(&[0.15, 0.35, 0.4, 0.6, 0.8, 1.2], 1e-14);
    assert_eq!(found.status, QuasiStatus::Separated { base_distance: found.least() });
}

#[test]
fn a_cube_in_a_groove_has_four_contacts_on_each_wall() {
    // The notch of the L is the quadrant beyond (1, 1).
    let (groove, cube) = (body(solids::l_prism(2.0)), body(solids::cuboid([0.0; 3], [0.6; 3])));
    let found = find(&cube, &at(1.1, 1.1, 0.7), &groove, &HERE(), &within(0.5));
    found.has_distances(&[0.1; 8], 1e-14);
    assert_eq!(found.of_classes(0, 6), 8);
}

/// A peg of half-width 0.9 and length 4 about the origin.
fn peg() -> ComplexBody {
    body(solids::cuboid([-0.9, -0.9, -2.0], [0.9, 0.9, 2.0]))
}

#[test]
fn a_square_peg_in_a_through_hole_has_four_contacts_on_each_wall() {
    let block = body(solids::block_with_hole(2.0, 1.0, 2.0, None));
    let found = find(&peg(), &at(0.0, 0.0, 3.0), &block, &HERE(), &within(0.5));
    found.has_distances(&[0.1; 16], 1e-14);
    assert_eq!((found.of_classes(0, 6), found.of_classes(2, 2)), (8, 8));
}

#[test]
fn a_tilted_peg_keeps_its_contacts() {
    let block = body(solids::block_with_hole(2.0, 1.0, 2.0, None));
    let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 3.0), Vec3::y(), 2_f64.to_radians()).unwrap();
    let found = find(&peg(), &pose, &block, &HERE(), &within(0.5));
    assert_eq!(found.count(), 16);
    assert!((found.least() - 0.030_749).abs() < 5e-7, "{:?}", found.distances());
}

#[test]
fn a_peg_over_the_floor_of_a_blind_hole_meets_walls_and_floor() {
    let block = body(solids::block_with_hole(2.0, 1.0, 2.0, Some(0.5)));
    let found = find(&peg(), &at(0.0, 0.0, 2.7), &block, &HERE(), &within(0.5));
    assert_eq!((found.count(), found.raw), (20, 24));
    found.has_distances(&[[0.1; 16].as_slice(), &[0.2; 4]].concat(), 1e-14);
}

#[test]
fn a_real_peg_in_a_real_hole_has_sixteen_contacts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    if !folder.join("README.md").is_file() {
        println!("skipped: ../shared/data/meshes is not here; the generated peg and hole stand in for them");
        return;
    }
    let read = |name: &str, treatment: Treatment| {
        let mesh =
            read_mesh(folder.join(name), &ImportOptions::default()).unwrap().mesh.scaled(1000.0).unwrap();
        let options = ComplexOptions { treatment, flat_angle: 1e-6, ..ComplexOptions::default() };
        ComplexBody::new(Complex::from_mesh(&mesh, &options).unwrap())
    };
    let (peg, hole) = (read("peg_rect_8mm.obj", Treatment::Auto), read("hole_rect_8mm.obj", Treatment::Auto));
    assert!(hole.complex().unwrap().report().has_shell() && !peg.complex().unwrap().report().has_shell());
    let params = QuasiParams { within: 1.0, ..QuasiParams::default() };
    let found = find(&peg, &at(0.0, 0.0, 5.0), &hole, &HERE(), &params);
    assert_eq!((found.count(), found.of_classes(0, 6), found.of_classes(2, 2)), (16, 8, 8));
    assert!((found.least() - 0.067).abs() < 5e-5, "{}", found.least());
    let tilted = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 5.0), Vec3::y(), 0.2_f64.to_radians()).unwrap();
    let found = find(&peg, &tilted, &hole, &HERE(), &params);
    assert_eq!(found.count(), 16);
    assert!((found.least() - 0.058_040_5).abs() < 5e-7, "{}", found.least());
}
