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
