//! The detector: targets, the reference, and the four calls of an integrator.
//!
//! Initialise ([`Oriented::new`], [`Oriented::reset`]), evaluate during a step without touching the reference ([`Oriented::evaluate`]), commit after an accepted step
//! ([`Oriented::commit`]), and root functions to stop at contact ([`Oriented::roots`]). What each does with 64 initiators is in `reference.rs`.

use zerogap_core::error::check_coordinates;
use zerogap_core::{Pose, Vec3};

use super::configuration::{ActiveContact, Configuration};
use super::finish::touch;
use super::hand_over::depth;
use super::reference::{Witnesses, evaluate_target};
use super::target::Entering;
use super::{OrientedError, ROOTS, Target, local_point};

/// How the collision configuration is computed; both forms always agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// By conditions, one initiator and one surface at a time (Algorithm 1 of the paper).
    Conditional,
    /// By guards, as bit operations over 64 initiators at once (Algorithm 2).
    #[default]
    Guards,
}

/// Which surface an initiator that is inside a target is in contact with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum SurfaceRule {
    /// The one that it came in through.
    #[default]
    History,
    /// The nearest one, whatever came before: the rule of the minimum translation, for comparison.
    Nearest,
}

impl SurfaceRule {
    /// The rules by name; the first is the default.
    pub const WORDS: &'static [&'static str] = &["history", "nearest"];

    /// The rule as a lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Nearest => "nearest",
        }
    }

    /// The rule of a word; none for other words.
    pub fn by_word(word: &str) -> Option<Self> {
        [Self::History, Self::Nearest].into_iter().find(|rule| rule.word() == word)
    }
}

/// How to compute. Neither the form nor culling changes a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrientedParams {
    /// Which form.
    pub form: Form,
    /// Whether free initiators are passed over that the same surface separated before and separates now.
    pub culling: bool,
    /// Whether an initiator that is outside before and after a step has hit a target that lies across the straight path between. To be switched off where every step is known to end at
    /// the first entry: a curved path around a corner is then not mistaken for a straight one through it, and of several surfaces lost in a step the one with the smallest depth is the last.
    pub clipping: bool,
    /// Which surface counts.
    pub rule: SurfaceRule,
}

impl Default for OrientedParams {
    fn default() -> Self {
        Self { form: Form::Guards, culling: true, clipping: true, rule: SurfaceRule::History }
    }
}

/// Points against convex targets, with the history of which surface each has hit.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_proximity::oriented::{Configuration, Oriented, OrientedParams, Target};
///
/// // A plate of 20 mm and a point above it, in the x-y plane; surfaces: top, right, bottom, left.
/// let plate = Target::polygon(&[[0.0, 0.02], [1.0, 0.02], [1.0, 0.0], [0.0, 0.0]])?;
/// let at = |y: f64| [Vec3::new(0.5, y, 0.0)];
/// let still = [Pose::identity()];
/// let mut oriented = Oriented::new(vec![plate], &still, &at(0.03), OrientedParams::default())?;
///
/// // A trial changes nothing: after it the point is still above.
/// let mut trial = Configuration::new();
/// oriented.evaluate(&still, &at(0.005), &mut trial)?;
/// assert_eq!(trial.surface(0, 0), Some(0));
/// assert!(oriented.reference().touches().is_empty());
///
/// // Three quarters of the way through, the nearest surface is the bottom; the one that was hit is the top.
/// oriented.commit(&still, &at(0.005))?;
/// let touch = oriented.reference().touches()[0];
/// assert_eq!((touch.surface, oriented.targets()[0].nearest(&at(0.005)[0]).0), (0, 2));
/// assert!((touch.gap + 0.015).abs() < 1e-15);
/// # Ok::<(), zerogap_proximity::oriented::OrientedError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Oriented {
    targets: Vec<Target>,
    initiators: usize,
    params: OrientedParams,
    reference: Configuration,
    /// For each target and free initiator a surface that separates it.
    witnesses: Vec<Witnesses>,
    /// The configuration before the last, as memory for the next.
    spare: Configuration,
}

impl Oriented {
    /// Targets at their poses and initiators at their points [m], without history: who is inside takes the nearest surface, marked as a guess.
    pub fn new(
        targets: Vec<Target>,
        poses: &[Pose],
        points: &[Vec3],
        params: OrientedParams,
    ) -> Result<Self, OrientedError> {
        let mut made = Self {
            targets,
            initiators: points.len(),
            params,
            reference: Configuration::new(),
            witnesses: Vec::new(),
            spare: Configuration::new(),
        };
        made.reset(poses, points)?;
        Ok(made)
    }

    /// Forgets all history and starts anew.
    pub fn reset(&mut self, poses: &[Pose], points: &[Vec3]) -> Result<(), OrientedError> {
        self.check(poses, points)?;
        self.reference = Configuration::new();
        self.witnesses = vec![Witnesses::none(self.initiators); self.targets.len()];
        self.advance(poses, points);
        Ok(())
    }

    /// The configuration of a trial against the reference, which stays as it is.
    ///
    /// Computes: for each target and initiator the collision surface by the rules of docs/oriented.md, with its gap.
    /// Tolerance: separations are rounded as [`Target::separation`] rounds them, and every decision is made on these numbers.
    /// Cost: O(initiators × surfaces), or O(initiators) where they are culled; no allocation after warm-up.
    /// Fails: on a wrong number of poses or points and on points that are not finite.
    pub fn evaluate(
        &self,
        poses: &[Pose],
        points: &[Vec3],
        into: &mut Configuration,
    ) -> Result<(), OrientedError> {
        self.check(poses, points)?;
        self.configure(poses, points, into);
        Ok(())
    }

    /// The configuration after an accepted step: it becomes the reference.
    pub fn commit(&mut self, poses: &[Pose], points: &[Vec3]) -> Result<&Configuration, OrientedError> {
        self.check(poses, points)?;
        self.advance(poses, points);
        Ok(&self.reference)
    }

    /// The configuration of the last commit.
    pub fn reference(&self) -> &Configuration {
        &self.reference
    }

    /// The targets.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// How many initiators there are [-].
    pub fn initiators(&self) -> usize {
        self.initiators
    }

    /// How many root functions there are [-]: [`ROOTS`] for each initiator and target.
    pub fn root_count(&self) -> usize {
        ROOTS * self.initiators * self.targets.len()
    }

    /// Writes the root functions: each falls through zero where the configuration of the reference ends.
    ///
    /// Computes: for a free initiator the largest separation over all surfaces [m], which becomes negative where contact begins, and 1; for one in contact minus the separation
    ///   from its surface, which becomes negative where contact ends, and how far it is within the span, which becomes negative where another surface takes over or contact ends.
    /// Order: by target, then initiator, two each.
    pub fn roots(&self, poses: &[Pose], points: &[Vec3], into: &mut [f64]) -> Result<(), OrientedError> {
        self.check(poses, points)?;
        if into.len() != self.root_count() {
            let (expected, given) = (self.root_count(), into.len());
            return Err(OrientedError::Count { what: "root functions", expected, given });
        }
        let mut places = into.chunks_exact_mut(ROOTS);
        for ((target, set), pose) in self.targets.iter().zip(&self.reference.sets).zip(poses) {
            let entering = Entering::new(pose);
            let mut held = set.active.iter().peekable();
            for ((j, point), place) in points.iter().enumerate().zip(&mut places) {
                let surface =
                    held.next_if(|held| held.initiator as usize == j).map(|held| held.surface as usize);
                place.copy_from_slice(&target.roots(surface, &entering.point(point)));
            }
        }
        Ok(())
    }

    /// The root functions of one initiator against one target, as [`Oriented::roots`] writes them.
    pub fn roots_of(&self, target: usize, initiator: usize, pose: &Pose, point: &Vec3) -> [f64; ROOTS] {
        self.targets[target].roots(self.reference.surface(target, initiator), &local_point(pose, point))
    }

    /// Lets an initiator that is in contact in the reference be assigned to another surface of the target, for callers that know that the surface continues in another one.
    pub fn take_surface(&mut self, target: usize, initiator: usize, surface: usize, pose: &Pose) {
        let Configuration { sets, touches, .. } = &mut self.reference;
        let set = &mut sets[target];
        let Ok(at) = set.active.binary_search_by_key(&initiator, |held| held.initiator as usize) else {
            return;
        };
        set.active[at] = ActiveContact { surface: surface as u32, carry: None, ..set.active[at] };
        let (now, held) = (set.point(initiator), set.active[at]);
        let (number, place) = (target as u32, (target as u32, initiator as u32));
        for old in touches.iter_mut().filter(|old| (old.target, old.initiator) == place) {
            *old = touch((number, &self.targets[target], pose), &held, &now, (old.kind, old.is_inside));
        }
    }

    /// Where an initiator was at the last commit, in the frame of a target [m].
    pub fn reference_point(&self, target: usize, initiator: usize) -> Vec3 {
        self.reference.sets[target].point(initiator)
    }

    /// The gap of an initiator that is in contact in the reference, at a trial point, without checking for changes of surface [m]; none where it is free.
    pub fn active_gap(&self, target: usize, initiator: usize, pose: &Pose, point: &Vec3) -> Option<f64> {
        let set = self.reference.sets.get(target)?;
        let at = set.active.binary_search_by_key(&initiator, |held| held.initiator as usize).ok()?;
        let (held, local) = (set.active[at], local_point(pose, point));
        Some(-depth(&self.targets[target], held.surface as usize, &local, held.carry.as_ref()))
    }

    fn check(&self, poses: &[Pose], points: &[Vec3]) -> Result<(), OrientedError> {
        let count = |what, expected, given| {
            if expected == given { Ok(()) } else { Err(OrientedError::Count { what, expected, given }) }
        };
        count("targets", self.targets.len(), poses.len())?;
        count("initiators", self.initiators, points.len())?;
        for (initiator, p) in points.iter().enumerate() {
            if check_coordinates("an initiator", *p).is_err() {
                return Err(OrientedError::NotFinite { initiator, x: p.x, y: p.y, z: p.z });
            }
        }
        Ok(())
    }

    fn configure(&self, poses: &[Pose], points: &[Vec3], into: &mut Configuration) {
        into.sets.resize_with(self.targets.len(), Default::default);
        into.touches.clear();
        into.releases.clear();
        into.tests = 0;
        for (number, (target, pose)) in self.targets.iter().zip(poses).enumerate() {
            let reference = self.reference.sets.get(number);
            evaluate_target(
                number,
                target,
                pose,
                points,
                (self.params, &self.witnesses[number]),
                reference,
                into,
            );
        }
    }

    /// Evaluates into the spare configuration and takes it as the reference.
    fn advance(&mut self, poses: &[Pose], points: &[Vec3]) {
        let mut spare = std::mem::take(&mut self.spare);
        self.configure(poses, points, &mut spare);
        self.spare = std::mem::replace(&mut self.reference, spare);
        if self.params.culling {
            for ((target, set), witnesses) in
                self.targets.iter().zip(&self.reference.sets).zip(&mut self.witnesses)
            {
                witnesses.update(target, set, self.params.form);
            }
        }
    }
}
