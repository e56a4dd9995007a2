//! What is written is read back with the same bits, whatever the numbers are.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use zerogap::dynamics::multibody::{BodyId, Energy};
use zerogap::record::{DrawnShape, End, Head, Recording};
use zerogap::world::{
    ContactForce, ContactPoint, CrowdCause, Event, EventKind, Frame, PairId, QuasiInfo, ShapeId, SolveCount,
    StepTimes, WorldInfo,
};
use zerogap::{ContactId, Pose, Vec3};

use crate::support::{assert_same, write};

/// Any number but none, the odd ones often.
fn number() -> impl Strategy<Value = f64> {
    let odd = [0.0, -0.0, 5e-324, -2.2e-308, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1.0];
    prop_oneof![
        prop::sample::select(odd.to_vec()),
        any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |x| !x.is_nan()),
    ]
}

/// Any number that stands for something that is not infinite.
fn finite() -> impl Strategy<Value = f64> {
    number().prop_map(|x| if x.is_finite() { x } else { -0.0 })
}

fn three<S: Strategy<Value = f64>>(number: fn() -> S) -> impl Strategy<Value = [f64; 3]> {
    [number(), number(), number()]
}

fn pose() -> impl Strategy<Value = Pose> {
    let coordinate = || finite().prop_map(|x| if x.abs() <= 1e60 { x } else { 1e60 });
    let at = [coordinate(), coordinate(), coordinate()];
    let quaternion = [-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0];
    (at, quaternion).prop_map(|(at, q)| Pose::new(Vec3::from(at), q).unwrap())
}

fn pair() -> impl Strategy<Value = PairId> {
    (any::<u32>(), any::<u32>()).prop_map(|(a, b)| PairId::new(ShapeId(a), ShapeId(b)))
}

fn contact() -> impl Strategy<Value = ContactForce> {
    (pair(), number(), three(number), three(number), number(), three(number)).prop_map(
        |(pair, gap, normal, point, normal_force, friction_force)| ContactForce {
            pair,
            gap,
            normal,
            point,
            normal_force,
            friction_force,
        },
    )
}

fn point() -> impl Strategy<Value = ContactPoint> {
    (pair(), any::<u64>(), number(), three(number), three(number), three(number)).prop_map(
        |(pair, id, gap, normal, point, force)| ContactPoint {
            pair,
            id: ContactId::unpacked(id),
            gap,
            normal: Vec3::from(normal),
            point: Vec3::from(point),
            force: Vec3::from(force),
        },
    )
}

fn frame(bodies: usize) -> impl Strategy<Value = Frame> {
    let body = (pose(), three(number), three(number));
    let moving = prop::collection::vec(body, bodies);
    let contacts = prop::collection::vec(contact(), 0..4);
    let points = prop::collection::vec(point(), 0..6);
    (number(), number(), three(number), moving, contacts, points).prop_map(
        |(t, step, [kinetic, gravity, springs], moving, contacts, points)| Frame {
            t,
            bodies: (0..moving.len() as u32).map(BodyId).collect(),
            poses: moving.iter().map(|body| body.0).collect(),
            velocities: moving.iter().map(|body| Vec3::from(body.1)).collect(),
            angular_velocities: moving.iter().map(|body| Vec3::from(body.2)).collect(),
            energy: Energy { kinetic, gravity, springs },
            step,
            contacts,
            points,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let what = prop_oneof![
        (pair(), number()).prop_map(|(pair, approach)| EventKind::ContactBegin { pair, approach }),
        (pair(), number()).prop_map(|(pair, limit)| EventKind::Settled { pair, limit }),
        (any::<usize>(), number(), number()).prop_map(|(contacts, impulse, loss)| EventKind::Impact {
            contacts,
            impulse,
            loss
        }),
        (any::<usize>(), number()).prop_map(|(limit, approach)| EventKind::LimitReached { limit, approach }),
        (pair(), any::<usize>(), 0..13).prop_map(|(pair, count, kind)| match kind {
            0 => EventKind::ContactEnd { pair },
            1 => EventKind::Stick { pair },
            2 => EventKind::Slip { pair },
            3 => EventKind::Inconsistent { pair },
            4 => EventKind::Indeterminate { pair },
            5 => EventKind::LimitLeft { limit: count },
            6 => EventKind::MoreFunctions { functions: count },
            7 => EventKind::Crossed { function: count },
            8 => EventKind::HandedOver { pair, surface_from: count as u32, surface: 3 },
            9 => EventKind::Sleep { body: count },
            10 => EventKind::Wake { body: count },
            11 => EventKind::Captured {
                start: 0.5,
                cause: CrowdCause::ALL[count % CrowdCause::ALL.len()],
                pair: (count % 2 == 0).then_some(pair),
            },
            _ => EventKind::Scheduled,
        }),
    ];
    (number(), what).prop_map(|(t, what)| Event { t, what })
}

fn shape(bodies: usize) -> impl Strategy<Value = DrawnShape> {
    let vertices = prop::collection::vec(three(finite), 3..6);
    let triangles = prop::collection::vec([0..3_u32, 0..3, 0..3], 0..4);
    (any::<String>(), prop::option::of(0..bodies.max(1) as u32), any::<String>(), vertices, triangles)
        .prop_map(move |(name, body, material, vertices, triangles)| DrawnShape {
            name,
            body: body.filter(|_| bodies > 0),
            material,
            vertices,
            triangles,
        })
}

fn end() -> impl Strategy<Value = End> {
    let counts = prop::collection::vec(any::<usize>(), 11);
    let time_fractions = prop::collection::vec((any::<String>(), finite()), 0..3);
    let method = prop::collection::vec(any::<String>(), 0..3);
    let residual = prop::option::of(finite());
    (finite(), finite(), counts, residual, time_fractions, method, any::<u64>(), any::<String>()).prop_map(
        |(t, wall, counts, residual, time_fractions, method, hash, reason)| {
            let contacts = residual.map(|residual| SolveCount {
                solves: counts[7],
                unconverged: counts[8],
                sweeps: counts[9],
                newton: counts[10],
                residual,
            });
            let info = WorldInfo {
                method,
                steps: counts[0],
                rejected: counts[1],
                redone: counts[2],
                events: counts[3],
                evaluations: counts[4],
                functions: counts[5],
                captured: 2,
                captured_time: 0.25,
                gaps: counts[6],
                start_gaps: 0,
                narrow_phase_calls: None,
                step_times: contacts.map(|_| StepTimes { first: 2e-3, slowest: 1e-3, slowest_at: 0.5 }),
                contacts,
                sleeping: contacts.map(|count| count.solves),
                unresolved: contacts.map(|count| count.newton),
                quasi_lmds: contacts
                    .map(|count| QuasiInfo { shapes: count.sweeps, dilation: 1e-4, angular_tolerance: 0.1 })
                    .into_iter()
                    .collect(),
                wall,
                time_fractions,
            };
            End { t, info, hash, reason }
        },
    )
}

fn recording() -> impl Strategy<Value = Recording> {
    (0..4_usize).prop_flat_map(|bodies| {
        let names = prop::collection::vec(any::<String>(), bodies);
        let shapes = prop::collection::vec(shape(bodies), 0..3);
        let head = (any::<String>(), any::<String>(), finite(), three(finite), names, shapes).prop_map(
            |(scene, source, every, gravity, bodies, shapes)| Head {
                scene,
                source,
                every,
                gravity,
                bodies,
                shapes,
            },
        );
        let frames = prop::collection::vec(frame(bodies), 0..6);
        let events = prop::collection::vec(event(), 0..6);
        (head, frames, events, prop::option::of(end())).prop_map(|(head, frames, events, end)| Recording {
            head,
            frames,
            events,
            end,
            left_out: 0,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: zerogap_testkit::count(200, 20_000) as u32,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_recording_is_read_back_with_the_same_bits(recording in recording(), flush_every in 1..4_usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.zgr");
        write(&recording, &path, flush_every);
        assert_same(&Recording::open(&path).unwrap(), &recording);
    }

    #[test]
    fn events_are_the_same_after_json(event in event()) {
        // JSON has no infinities.
        let text = serde_json::to_string(&event).unwrap();
        if !text.contains("null") {
            let read: Event = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(format!("{:?}", read), format!("{event:?}"));
        }
    }
}
