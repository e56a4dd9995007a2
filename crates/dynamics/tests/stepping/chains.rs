//! Chains that swing: their energy, step by step and over long runs.

use crate::support::chain;

/// Largest rise of the energy in a step, and largest deviation from the start, both against the energy between highest and lowest position.
fn swing(links: usize, step: f64, time: f64) -> (f64, f64) {
    let length = 1.0 / links as f64;
    let mut world = chain(links, length);
    let start = world.energy();
    // From horizontal to hanging.
    let scale = 0.1 * links as f64 * 9.81 * 0.5;
    let (mut rise, mut off, mut last) = (0.0_f64, 0.0_f64, start);
    for _ in 0..(time / step).round() as usize {
        world.step(step);
        let now = world.energy();
        assert!(now.is_finite());
        rise = rise.max(now - last);
        off = off.max((now - start).abs());
        last = now;
    }
    (rise / scale, off / scale)
}

#[test]
fn the_energy_of_a_chain_stays() {
    for links in [1, 2, 5, 20, 50] {
        let (rise, off) = swing(links, 1e-3, 2.0);
        println!("{links} links: rise {rise:.2e}, off {off:.2e}");
        assert!(rise < 1e-3 && off < 1e-2, "{links} links: rise {rise:.2e}, off {off:.2e}");
    }
}

/// The position of the last link after half a second, by steps of a length.
fn swung(links: usize, step: f64) -> Vec<f64> {
    let mut world = chain(links, 1.0 / links as f64);
    for _ in 0..(0.5 / step).round() as usize {
        world.step(step);
    }
    world.q
}

#[test]
fn a_chain_converges_with_the_second_order_of_its_step() {
    for links in [2, 5] {
        let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let runs: Vec<Vec<f64>> = [4e-3, 2e-3, 1e-3, 5e-4].iter().map(|step| swung(links, *step)).collect();
        let errors: Vec<f64> = runs.windows(2).map(|pair| off(&pair[0], &pair[1])).collect();
        println!("{links} links: differences of halved steps {errors:?}");
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((1.8..2.4).contains(&order), "{links} links: order {order}, {errors:?}");
        }
    }
}

#[test]
fn a_chain_keeps_its_energy_for_a_million_steps() {
    // Minutes; a short run every time.
    let is_full = std::env::var_os("ZEROGAP_FULL").is_some();
    let (lengths, steps): (&[usize], usize) =
        if is_full { (&[20, 50, 100], 1_000_000) } else { (&[10], 10_000) };
    for &links in lengths {
        let mut world = chain(links, 1.0 / links as f64);
        let start = world.energy();
        let scale = 0.1 * links as f64 * 9.81 * 0.5;
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for step in 1..=steps {
            world.step(1e-3);
            if step % (steps / 1000) == 0 {
                let off = (world.energy() - start) / scale;
                (low, high) = (low.min(off), high.max(off));
            }
            if step % (steps / 10) == 0 {
                println!(
                    "{links} links, step {step}: energy from {low:.2e} to {high:.2e} of that at the start"
                );
            }
        }
        assert!(high < 1e-9, "{links} links gained energy: {high:e}");
        // Links of 2 cm and less whip faster than a step of 1 ms resolves, and lose energy in the long run (docs/stepping.md).
        assert!(links > 20 || low > -1e-9, "{links} links lost energy: {low:e}");
    }
}
