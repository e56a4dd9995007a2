//! As what a shape collides: as it is, or as the kind that it or its partner asks for.
//!
//! Quasi-LMDs need two complexes, and oriented collision needs two shapes with corners or surfaces. A shape for which neither was asked still collides with such partners, and is then one of them. As what two
//! shapes collide follows from what was asked for each of them ([`ColliderViews::of_pair`]) and from nothing else, so that every question about the pair is asked of the same two colliders.
//!
//! Some curved shapes cannot be complexes. Then both collide as they are: the shape that the complex was made of has the same surface, unless the complex is thicker ([`ColliderViews::thicken`]).

use super::kind::{Collider, ColliderKind};

/// A shape as its partners see it.
#[derive(Debug, Clone)]
pub struct ColliderViews {
    /// None: as it is.
    asked: Option<ColliderKind>,
    exact: Collider,
    /// What curved shapes meet in place of it, where its complex reaches beyond it.
    thick: Option<Collider>,
    /// As other kinds, each once.
    made: Vec<Collider>,
}

impl ColliderViews {
    /// Makes the view of a shape as it is.
    pub fn new(exact: impl Into<Collider>) -> Self {
        Self { asked: None, exact: exact.into(), thick: None, made: Vec::new() }
    }

    /// Asks for a collider: it collides with every partner as that kind, unless it asked for a later one of [`ColliderKind::ALL`].
    pub fn ask(&mut self, collider: Collider) {
        self.asked = Some(collider.kind());
        self.insert(collider);
    }

    /// Has shapes that cannot be complexes meet another collider in place of the shape as it is: one that reaches as far as its complex.
    pub fn thicken(&mut self, collider: Collider) {
        self.thick = Some(collider);
    }

    /// Adds the collider for partners that ask for its kind, in place of one of that kind.
    pub fn insert(&mut self, collider: Collider) {
        self.made.retain(|made| made.kind() != collider.kind());
        self.made.push(collider);
    }

    /// Returns the kind that was asked for; none: as it is.
    pub fn asked(&self) -> Option<ColliderKind> {
        self.asked
    }

    /// Returns whether a collider of a kind was made.
    pub fn has(&self, kind: ColliderKind) -> bool {
        self.made.iter().any(|made| made.kind() == kind)
    }

    /// Returns the shape as it is.
    pub fn exact(&self) -> &Collider {
        &self.exact
    }

    /// Returns the shape as a kind, or as it is; where none of that kind was made it is as it is, which the table then refuses.
    pub fn get(&self, view: Option<ColliderKind>) -> &Collider {
        let Some(kind) = view else { return self.thick.as_ref().unwrap_or(&self.exact) };
        self.made.iter().find(|made| made.kind() == kind).unwrap_or(&self.exact)
    }

    /// Returns as what two shapes collide: the later of the kinds that were asked for; none, which is as they are, where none was, and where one of them cannot be a complex.
    pub fn of_pair(a: &Self, b: &Self) -> Option<ColliderKind> {
        let is_complex = |views: &Self| views.has(ColliderKind::Complex);
        a.asked.max(b.asked).filter(|kind| *kind != ColliderKind::Complex || (is_complex(a) && is_complex(b)))
    }
}
