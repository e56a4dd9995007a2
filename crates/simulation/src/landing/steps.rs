//! The same landing by steps of one length, without location: for comparison.
//!
//! Each step is a classical Runge-Kutta step. Its stages evaluate the detector against the reference, and the reference changes after the step alone. What changes within a step is seen at
//! its end, so that the error falls with the first power of the step. The rule of the minimum translation can take the place of history.

use zerogap_core::Vec3;
use zerogap_proximity::oriented::{Configuration, local_point};

use super::contact::skid_points;
use super::model::{DEFLECTION, Model, STATES, Touching};
use super::{LandingError, LandingParams, SKIDS};

/// How the surface of a skid that is inside the deck is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The surface that it came in through.
    History,
    /// The nearest surface at every instant, as the minimum translation has it.
    Nearest,
}

/// Result of a landing by steps.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// The state at the end: coordinates, rates, bristle deflections.
    pub state: Vec<f64>,
    /// For each skid when its surface changed [s] and to what.
    pub surfaces: [Vec<(f64, Option<usize>)>; SKIDS.len()],
    /// Lowest height of a skid above the upper side of the deck, in its frame [m].
    pub lowest: f64,
    /// Largest force along a normal [N].
    pub largest_force: f64,
}

/// Runs a landing to a time [s] by steps of one length [s].
pub fn run_by_steps(
    params: LandingParams,
    until: f64,
    step: f64,
    rule: Rule,
) -> Result<StepOutcome, LandingError> {
    if !(step > 0.0 && step.is_finite()) {
        return Err(LandingError::Value { what: "the step", value: step, must: "above zero" });
    }
    let (mut model, mut y) = Model::new(params)?;
    // These steps end nowhere but at their length: what jumps within one is seen at its stages.
    model.jumps.pass(f64::INFINITY);
    let mut outcome = StepOutcome {
        state: Vec::new(),
        surfaces: [Vec::new(), Vec::new()],
        lowest: f64::INFINITY,
        largest_force: 0.0,
    };
    let mut trial = Configuration::new();
    let count = (until / step).ceil() as usize;
    for k in 0..count {
        let (t, next) = (step * k as f64, (step * (k + 1) as f64).min(until));
        model.due(t, &y);
        advance(&model, t, next - t, rule, &mut y, &mut trial);
        apply_changes(&mut model, next, rule, &mut y, &mut outcome)?;
    }
    outcome.state = y;
    Ok(outcome)
}

/// One step.
fn advance(model: &Model, t: f64, h: f64, rule: Rule, y: &mut [f64], trial: &mut Configuration) {
    let mut rates = [[0.0; STATES]; 4];
    let mut at = [0.0; STATES];
    for (k, fraction) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
        at.copy_from_slice(y);
        if k > 0 {
            at.iter_mut().zip(rates[k - 1]).for_each(|(x, rate)| *x += fraction * h * rate);
        }
        let (deck, placed) = (model.deck(t + fraction * h), model.frame.placed(&at));
        let touching = touching(model, rule, &deck.pose, &skid_points(&placed.nodes), trial);
        model.rates(t + fraction * h, &at, &placed, &deck, &touching, &mut rates[k]);
    }
    for (k, x) in y.iter_mut().enumerate() {
        *x += h / 6.0 * (rates[0][k] + 2.0 * rates[1][k] + 2.0 * rates[2][k] + rates[3][k]);
    }
}

/// Who is on which surface, at a trial.
fn touching(
    model: &Model,
    rule: Rule,
    pose: &zerogap_core::Pose,
    points: &[Vec3; SKIDS.len()],
    trial: &mut Configuration,
) -> Touching {
    let oriented = &model.touch.oriented;
    match rule {
        Rule::Nearest => points.map(|point| {
            let local = local_point(pose, &point);
            Some(oriented.targets()[0].nearest(&local)).filter(|(_, separation)| *separation <= 0.0)
        }),
        Rule::History => {
            // A state that is not finite touches nothing and shows itself at the end.
            let evaluated = oriented.evaluate(&[*pose], points, trial);
            std::array::from_fn(|skid| {
                let touch = trial.touch(0, skid).filter(|_| evaluated.is_ok())?;
                Some((touch.surface as usize, touch.gap))
            })
        }
    }
}

/// Applies the changes of contact at the end of a step.
fn apply_changes(
    model: &mut Model,
    t: f64,
    rule: Rule,
    y: &mut [f64],
    outcome: &mut StepOutcome,
) -> Result<(), LandingError> {
    let (deck, placed) = (model.deck(t), model.frame.placed(y));
    let points = skid_points(&placed.nodes);
    let mut now = [None; SKIDS.len()];
    match rule {
        Rule::History => {
            model.change(t, y, &[])?;
            now = std::array::from_fn(|skid| {
                model.touch.contact_of(skid).map(|touch| (touch.surface as usize, touch.gap))
            });
        }
        Rule::Nearest => {
            let found = touching(model, rule, &deck.pose, &points, &mut Configuration::new());
            for (skid, at) in found.into_iter().enumerate() {
                let was = outcome.surfaces[skid].last().and_then(|last| last.1);
                if let (Some(at), true) = (at, was.is_none()) {
                    let node = &placed.nodes[SKIDS[skid]];
                    let on = model.touch.force_on(skid, at, &deck, node, 0.0);
                    model.touch.begin(skid, on.sliding);
                    y[DEFLECTION + skid] = 0.0;
                    model.touchdown.get_or_insert(t);
                }
                now[skid] = at;
            }
        }
    }
    for skid in 0..SKIDS.len() {
        let surface = now[skid].map(|at| at.0);
        if outcome.surfaces[skid].last().map_or(Some(None), |last| Some(last.1)) != Some(surface) {
            outcome.surfaces[skid].push((t, surface));
        }
        outcome.lowest = outcome.lowest.min(local_point(&deck.pose, &points[skid]).y);
        let Some(at) = now[skid] else { continue };
        let on = model.touch.force_on(skid, at, &deck, &placed.nodes[SKIDS[skid]], y[DEFLECTION + skid]);
        outcome.largest_force = outcome.largest_force.max(on.force.normal_force);
        // Stick and slip change where their functions have become negative.
        if model.friction_function(skid, &on) < 0.0 {
            y[DEFLECTION + skid] = model.touch.switch(skid, &on);
        }
    }
    Ok(())
}
