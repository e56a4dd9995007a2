//! Conservative advancement: the one loop behind every time of impact.
//!
//! In: an [`Approach`], which samples a pair at a time and proves for how long it stays apart from there, and a span of time. Out: where the advance ended.
//! `advance` asks it about rigid motions, with tight proofs; `gap_path` about gap functions along any path, with a bound on the speed.

/// A moving pair, as conservative advancement sees it.
pub(super) trait Approach {
    /// What is known of the pair at one time.
    type Sample;
    /// Why a sample could not be taken.
    type Error;

    /// Samples the pair at a time [s].
    fn sample(&mut self, t: f64) -> Result<Self::Sample, Self::Error>;

    /// Says whether the advance ends with a sample.
    fn verdict(&self, t: f64, sample: &Self::Sample) -> Verdict;

    /// Returns a length of time from `t` on for which the pair need not be sampled [s].
    fn free_step(&mut self, t: f64, sample: &Self::Sample) -> f64;
}

/// Whether an advance ends with a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The pair is apart: the advance continues.
    Apart,
    /// The pair touches, or nearly.
    Near,
    /// The pair has separated by the requested distance.
    Released,
}

/// How an advance ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Advanced<S> {
    /// Free to the end of the span.
    Clear,
    /// Free before `t`, where the sample shows that the pair is near, or time has no digits left for a step.
    Near {
        /// Time [s].
        t: f64,
        /// The time of the sample before; `t` at the start [s].
        before: f64,
        /// What was found at `t`.
        sample: S,
    },
    /// Free before `t`, where the pair has separated.
    Released {
        /// Time [s].
        t: f64,
    },
    /// The samples ran out; free before `t`.
    Limited {
        /// Time [s].
        t: f64,
        /// What was found at `t`.
        sample: S,
    },
}

/// Advances from `from` until a sample ends it, up to but not including `to` [s]; counts its samples.
///
/// Method: Mirtich 1996: sample, step by what is proven free, repeat. No allocation.
/// Cost: at most `max_steps` + 1 samples.
pub(super) fn advance_freely<P: Approach>(
    pair: &mut P,
    (from, to): (f64, f64),
    max_steps: u32,
    samples: &mut u32,
) -> Result<Advanced<P::Sample>, P::Error> {
    let (mut t, mut before, mut taken) = (from, from, 0);
    while t < to {
        let sample = pair.sample(t)?;
        *samples += 1;
        taken += 1;
        match pair.verdict(t, &sample) {
            Verdict::Apart => {}
            Verdict::Near => return Ok(Advanced::Near { t, before, sample }),
            Verdict::Released => return Ok(Advanced::Released { t }),
        }
        if taken > max_steps {
            return Ok(Advanced::Limited { t, sample });
        }
        let step = pair.free_step(t, &sample);
        // So fast that time has no digits left for the next step: as accurate as possible.
        if t + step <= t {
            return Ok(Advanced::Near { t, before, sample });
        }
        before = t;
        t += step;
    }
    Ok(Advanced::Clear)
}
