//! Cost of frames in space: linear in the elements.
#![cfg(target_os = "linux")]

use zerogap_core::Vec3;
use zerogap_dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameLoads, FrameMaterial, FrameMotion, MotionParams,
};

/// A swinging cantilever of tubes of 0.1 m each.
fn swinging(count: usize) -> (FrameMotion, FrameLoads) {
    let section = CrossSection::tube(0.05, 0.003).unwrap();
    let material = FrameMaterial::isotropic(2.1e11, 0.3, 7850.0);
    let element = FrameElement { nodes: [0, 1], section, material, up: None, shear: true };
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * 0.1 * count as f64], count, element).unwrap();
    frame.clamp(0).unwrap();
    let mut loads = FrameLoads::none(&frame);
    loads.gravity = Vec3::new(0.0, 0.0, -9.81);
    let rest = frame.rest();
    (FrameMotion::new(frame, rest, &loads, MotionParams::default()).unwrap(), loads)
}

/// Time that this thread has run [s], whatever else the machine does.
fn own_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}

/// The mean times of an iteration and of a step of 1 ms [s], over as many steps as take tens of ticks of the clock.
fn cost(count: usize) -> [f64; 2] {
    let (mut motion, loads) = swinging(count);
    motion.step(&loads, 1e-3).unwrap();
    let steps = 30_000 / count;
    let (before, start) = (motion.iterations(), own_time());
    (0..steps).for_each(|_| motion.step(&loads, 1e-3).unwrap());
    let time = own_time() - start;
    [time / (motion.iterations() - before) as f64, time / steps as f64]
}

#[test]
fn a_step_of_1000_elements_costs_ten_times_that_of_100() {
    let times: Vec<[f64; 2]> = [100, 200, 300, 1000]
        .into_iter()
        .map(|count| {
            let [iteration, step] = cost(count);
            let (each, step_ms) = (1e6 * iteration / count as f64, 1e3 * step);
            println!(
                "{count} elements: {each:.2} us an element and iteration, {step_ms:.3} ms a step of 1 ms"
            );
            [iteration, step]
        })
        .collect();
    // A dense solution would take 1,000 times as long.
    let ratio = times[3][0] / times[0][0];
    assert!(ratio < 20.0, "{ratio}");
}
