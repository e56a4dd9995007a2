//! A helicopter comes down on a deck that heaves and rolls: how hard it lands, by where the deck is in its heave when it comes.
//!
//! `cargo run --release --example touchdown_phase > docs/images/touchdown.csv` writes a row for each phase: when the first skid touches, its impact speed on the deck, the largest force on a skid, how
//! often skids touch in the first three seconds, and the part of them for which a skid was off the top of the deck and below it, which is none.

use std::f64::consts::TAU;
use std::ops::ControlFlow;
use std::sync::Arc;

use zerogap::Pose;
use zerogap::dynamics::multibody::{Harmonic, HarmonicMotion};
use zerogap::landing::{Landing, LandingParams};
use zerogap::world::EventKind;

/// Phases over one heave [-].
const PHASES: u32 = 24;

/// Time simulated after the first touch [s].
const AFTER: f64 = 3.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("phase_deg,touchdown_s,approach_m_s,largest_force_kN,touches,off_top");
    for k in 0..PHASES {
        let phase = TAU * f64::from(k) / f64::from(PHASES);
        let swing = |amplitude, period: f64, phase| Harmonic { amplitude, frequency: 1.0 / period, phase };
        let still = Harmonic::default();
        let heave = [still, still, swing(0.6, 7.0, phase)];
        let roll = [swing(0.07, 9.0, 0.6), still, still];
        let mut params = LandingParams::default();
        params.deck.motion = Arc::new(HarmonicMotion::new(Pose::identity(), heave, roll)?);
        params.contact.damping = 2e4;
        params.craft.damping.stiffness = 2e-3;

        let mut landing = Landing::new(params)?;
        let (mut largest, mut off_top, mut stop) = (0.0_f64, 0, f64::INFINITY);
        let _ = landing.stream_to(10.0, 1e-3, &mut |frame, events| {
            stop = events.first().map_or(stop, |first| first.t + AFTER);
            for contact in &frame.contacts {
                largest = largest.max(contact.normal_force);
                off_top += usize::from(contact.pair.a.0 != 0);
            }
            if frame.t >= stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let touched = |what: &EventKind| match what {
            EventKind::ContactBegin { approach, .. } => Some(*approach),
            _ => None,
        };
        let touches: Vec<(f64, f64)> = landing
            .events()
            .iter()
            .filter(|event| event.t <= stop)
            .filter_map(|event| Some((event.t, touched(&event.what)?)))
            .collect();
        let (t, approach) = touches.first().copied().unwrap_or((f64::NAN, f64::NAN));
        let (degrees, force) = (phase.to_degrees(), largest / 1e3);
        println!("{degrees:.0},{t:.4},{approach:.4},{force:.2},{},{off_top}", touches.len());
    }
    Ok(())
}
