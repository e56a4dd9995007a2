//! Closest features by V-Clip, against exact distances.

mod vclip_checks;
use vclip_checks::*;
use zerogap_core::*;
use zerogap_geometry::*;
use zerogap_proximity::convex::*;
use zerogap_testkit::random::Random;

#[test]
fn explore() {
    let mut random = Random::new(1);
    for (name, stretch) in [
        ("round", Vec3::new(1.0, 1.0, 1.0)),
        ("thin", Vec3::new(1.0, 1.0, 1e-6)),
        ("needle", Vec3::new(1.0, 1e-3, 1e-3)),
    ] {
        for n in [4, 8, 20, 50, 200] {
            let (mut fallback, mut overlap, mut total, mut steps, mut most) = (0, 0, 0, 0, 0);
            for _ in 0..300 {
                let a = stone(&mut random, n, &stretch);
                let b = stone(&mut random, n, &stretch);
                let mut pair =
                    Pair::new(&a, random_pose(&mut random, 1.5), &b, random_pose(&mut random, 1.5));
                if random.index(2) == 0 {
                    let gap = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3][random.index(6)];
                    pair = set_apart(&pair, &random.direction(), gap);
                }
                let exact = pair.exact();
                for k in 0..5 {
                    let start = if k == 0 { None } else { Some(pair.random_start(&mut random)) };
                    let near = pair.query(start);
                    check_against(name, &pair, &near, exact);
                    total += 1;
                    fallback += usize::from(!near.by_walk);
                    overlap += usize::from(near.status == ClosestStatus::Overlap);
                    steps += near.steps;
                    most = most.max(near.steps);
                }
            }
            println!(
                "{name} {n}: total {total} overlap {overlap} fallback {fallback} mean steps {} most {most}",
                steps as f64 / total as f64
            );
        }
    }
}
