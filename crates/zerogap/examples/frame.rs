//! A street lamp: how far wind and weight bend it, how it swings, and what its foot carries.

use zerogap::Vec3;
use zerogap::dynamics::beam::Rayleigh;
use zerogap::dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameLoads, FrameMaterial, FrameMotion, MotionParams, SettleParams,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let material = FrameMaterial::isotropic(2.1e11, 0.3, 7850.0);
    let tube = |diameter| -> Result<FrameElement, Box<dyn std::error::Error>> {
        let section = CrossSection::tube(diameter, 0.003)?;
        Ok(FrameElement { nodes: [0, 1], section, material, up: None, shear: true })
    };
    let (mast, arm) = (tube(0.1)?, tube(0.05)?);

    // Nodes 0 to 12 are the mast of 6 m, 13 to 16 the arm of 2 m.
    let mut nodes: Vec<Vec3> = (0..=12).map(|k| Vec3::new(0.0, 0.0, 0.5 * f64::from(k))).collect();
    nodes.extend((1..=4).map(|k| Vec3::new(0.5 * f64::from(k), 0.0, 6.0)));
    let mut elements: Vec<_> = (0..12).map(|k| FrameElement { nodes: [k, k + 1], ..mast }).collect();
    elements.extend((12..16).map(|k| FrameElement { nodes: [k, k + 1], ..arm }));
    let mut frame = Frame::new(nodes, elements)?;
    frame.clamp(0)?;
    frame.set_damping(Rayleigh { mass: 0.2, stiffness: 1e-3 })?;

    // Weight, a lamp of 12 kg at the end of the arm, wind along y on the mast.
    let mut loads = FrameLoads::none(&frame);
    loads.gravity = Vec3::new(0.0, 0.0, -9.81);
    loads.nodal[16][2] = -12.0 * 9.81;
    loads.line[..12].fill(Vec3::new(0.0, 80.0, 0.0));
    let still = frame.settle(&frame.rest(), &loads, &SettleParams::default())?;
    let lamp = still.state.places[16];
    println!("the lamp hangs at ({:.4}, {:.4}, {:.4}) m", lamp.x, lamp.y, lamp.z);
    let foot = frame.reactions(&still.state, &loads)?[0];
    println!("the foot carries {:.1} N and moments of {:.1} and {:.1} N m", foot[2], foot[3], foot[4]);

    let modes = frame.modes(&still.state, &loads, 3)?;
    let hertz = modes.angular_frequencies.iter().map(|w| w / std::f64::consts::TAU);
    println!("it swings at {} Hz", hertz.map(|f| format!("{f:.3}")).collect::<Vec<_>>().join(", "));

    // The wind stops.
    loads.line[..12].fill(Vec3::zeros());
    let mut motion = FrameMotion::new(frame, still.state, &loads, MotionParams::default())?;
    for _ in 0..200 {
        motion.step(&loads, 0.005)?;
    }
    println!("a second after the wind the lamp is at y = {:.4} m", motion.state().places[16].y);
    Ok(())
}
