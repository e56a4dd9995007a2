//! Time of the ordering, the sparse factorisation and the solve of pile-like graphs of free bodies.
//!
//! `cargo run --release -p zerogap-contact --example factor_cost [-- --long]`, which adds 8,000 bodies. Values are random with a heavy diagonal; each time is the smallest and the median of many. Work is counted in operations of
//! the blocks that the pattern has: 432 for a product of two of 6 x 6.

#![allow(dead_code, reason = "the modules have more than is measured here")]

#[path = "../src/cone/block_factor.rs"]
mod block_factor;
#[path = "../src/cone/elimination.rs"]
mod elimination;
#[path = "../src/cone/minimum_degree.rs"]
mod minimum_degree;

use block_factor::BlockFactor;
use elimination::Elimination;
use std::hint::black_box;
use std::time::Instant;
use zerogap_core::random::Random;

/// Velocities of a body.
const SIZE: usize = 6;

fn main() {
    println!(
        "{:<8}{:>8}{:>8}{:>9}{:>10}  {:>19}  {:>10}{:>10}{:>9}  {:>10}{:>10}",
        "graph",
        "edges",
        "blocks",
        "products",
        "fill",
        "order us",
        "",
        "factor us",
        "Gflop/s",
        "solve us",
        "GB/s"
    );
    // All feel each other; each feels the next alone.
    let all: Vec<[u32; 2]> = (0..64).flat_map(|a| (a + 1..64).map(move |b| [a, b])).collect();
    report("all 64", &[all.clone(), all[1..].to_vec()], 64);
    let chain: Vec<[u32; 2]> = (0..99).map(|a| [a, a + 1]).collect();
    report("chain", &[chain.clone(), chain[1..].to_vec()], 100);
    let is_long = std::env::args().any(|argument| argument == "--long");
    let sides = [("27", 3), ("125", 5), ("1000", 10), ("8000", 20)];
    for (name, side) in sides.into_iter().take(if is_long { 4 } else { 3 }) {
        report(name, &[pile(side, 1), pile(side, 2)], side.pow(3));
    }
}

/// Contacts of bodies that fill a cube: most touch their neighbours along the axes, some those across an edge.
fn pile(side: usize, seed: u64) -> Vec<[u32; 2]> {
    const STEPS: [[isize; 3]; 9] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 0],
        [1, 0, 1],
        [0, 1, 1],
        [1, -1, 0],
        [1, 0, -1],
        [0, 1, -1],
    ];
    let mut random = Random::new(seed);
    let mut edges = Vec::new();
    let number = |[x, y, z]: [usize; 3]| ((z * side + y) * side + x) as u32;
    for body in 0..side.pow(3) {
        let own = [body % side, body / side % side, body / (side * side)];
        for step in STEPS {
            let other = [0, 1, 2].map(|k| own[k].wrapping_add_signed(step[k]));
            let likely = if step.iter().filter(|k| **k != 0).count() == 1 { 0.85 } else { 0.2 };
            if random.range(0.0, 1.0) < likely && other.iter().all(|k| *k < side) {
                let (a, b) = (number(own), number(other));
                edges.push([a.min(b), a.max(b)]);
            }
        }
    }
    edges
}

/// Smallest and median time of a call [us].
fn time(times: usize, mut call: impl FnMut() -> f64) -> (f64, f64) {
    let mut taken: Vec<f64> = (0..times).map(|_| call() * 1e6).collect();
    taken.sort_by(f64::total_cmp);
    (taken[0], taken[times / 2])
}

fn report(name: &str, graphs: &[Vec<[u32; 2]>; 2], bodies: usize) {
    let times = (20_000_000 / bodies.pow(2)).clamp(5, 400);
    let mut plan = Elimination::default();
    let prepare = |plan: &mut Elimination, graph: &[[u32; 2]]| {
        let begin = Instant::now();
        plan.prepare(bodies, |lens, edges| {
            lens.fill(SIZE);
            edges.extend_from_slice(graph);
        });
        begin.elapsed().as_secs_f64()
    };
    let mut turn = 0;
    let order = time(times, || {
        turn += 1;
        prepare(&mut plan, &graphs[turn % 2])
    });
    prepare(&mut plan, &graphs[0]);
    let mut factor = BlockFactor::default();
    factor.prepare(&plan);
    let counts = plan.starts.windows(2).map(|pair| pair[1] - pair[0]);
    let products: usize = counts.map(|m| m * (m + 1) / 2).sum();
    let mut random = Random::new(7);
    let blocks = plan.rows.len();
    let (mut diagonal, mut lower, mut upper) =
        (factor.diagonal.clone(), factor.lower.clone(), factor.upper.clone());
    for x in diagonal.iter_mut().chain(&mut lower).chain(&mut upper) {
        *x = random.range(-1.0, 1.0);
    }
    for block in diagonal.chunks_exact_mut(SIZE * SIZE) {
        for i in 0..SIZE {
            for j in 0..i {
                block[i * SIZE + j] = block[j * SIZE + i];
            }
            block[i * (SIZE + 1)] += 1000.0;
        }
    }
    let rhs: Vec<f64> = (0..SIZE * bodies).map(|_| random.range(-1.0, 1.0)).collect();
    for is_symmetric in [true, false] {
        let factored = time(times, || {
            factor.diagonal.copy_from_slice(&diagonal);
            factor.lower.copy_from_slice(&lower);
            factor.upper.copy_from_slice(&upper);
            let begin = Instant::now();
            for island in &plan.islands {
                assert!(factor.factor(&plan, island, is_symmetric, |_| true));
            }
            begin.elapsed().as_secs_f64()
        });
        let mut x = rhs.clone();
        let solved = time(times, || {
            x.copy_from_slice(&rhs);
            let begin = Instant::now();
            for island in &plan.islands {
                factor.solve(&plan, island, is_symmetric, |_| true, |k| SIZE * k, &mut x);
            }
            black_box(&x);
            begin.elapsed().as_secs_f64()
        });
        let flops = 432.0 * products as f64 * if is_symmetric { 1.0 } else { 2.0 };
        println!(
            "{name:<8}{:>8}{blocks:>8}{products:>9}{:>10.2}  {:>9.1} {:>9.1}  {:>10}{:>10.1} {:>9.1} {:>8.2}  {:>9.2} {:>9.2} {:>8.1}",
            graphs[0].len(),
            blocks as f64 / graphs[0].len() as f64,
            order.0,
            order.1,
            if is_symmetric { "Cholesky" } else { "LU" },
            factored.0,
            factored.1,
            flops / factored.0 * 1e-3,
            solved.0,
            solved.1,
            2.0 * 288.0 * blocks as f64 / solved.0 * 1e-3,
        );
    }
}
