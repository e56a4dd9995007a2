//! As what a shape collides: as it is, or as the kind that it or its partner asks for.
//!
//! Quasi-LMDs need two complexes, and oriented collision needs two shapes with corners or surfaces. A shape for which neither was asked still collides with such partners, and is then one of them. As what two
//! shapes collide follows from what was asked for each of them ([`ColliderViews::of_pair`]) and from nothing else, so that every question about the pair is asked of the same two colliders.

use super::kind::{Collider, ColliderKind};

/// A shape as its partners see it.
#[derive(Debug, Clone)]
pub struct ColliderViews {
    /// None: as it is.
    asked: Option<ColliderKind>,
    exact: Collider,
    /// As other kinds, each once.
    made: Vec<Collider>,
}

impl ColliderViews {
    /// Makes the view of a shape as it is.
    pub fn new(exact: impl Into<Collider>) -> Self {
        Self { asked: None, exact: exact.into(), made: Vec::new() }
    }

    /// Asks for a collider: it collides with every partner as that kind, unless it asked for a later one of [`ColliderKind::ALL`].
    pub fn ask(&mut self, collider: Collider) {
        self.asked = Some(collider.kind());
        self.insert(collider);
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
        let made = view.and_then(|kind| self.made.iter().find(|made| made.kind() == kind));
        made.unwrap_or(&self.exact)
    }

    /// Returns as what two shapes collide: the later of the kinds that were asked for, or none where none was.
    pub fn of_pair(a: &Self, b: &Self) -> Option<ColliderKind> {
        a.asked.max(b.asked)
    }
}
