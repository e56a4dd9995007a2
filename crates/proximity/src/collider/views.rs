//! As what a shape collides: as it is, or as the kind that it or its partner asks for.
//!
//! Quasi-LMDs need two complexes, and oriented collision needs two shapes with corners or surfaces. A shape for which neither was asked still meets such partners, and is then one of them. Which view
//! a pair takes follows from what was asked for each of the two ([`ColliderViews::of_pair`]) and from nothing else, so that every question about the pair is asked of the same two colliders.

use std::sync::Arc;

use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::{ComplexOptions, Shape};

use super::kind::{Collider, ColliderKind, ComplexCollider};
use crate::oriented::OrientedCollider;

/// As what a shape collides. Of two shapes the later one in this list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum View {
    /// As it is.
    #[default]
    Exact,
    /// As a dilated simplicial complex, by quasi-LMDs.
    Complex,
    /// By corners and surfaces, with the history of the pair.
    Oriented,
}

/// A shape as its partners see it.
#[derive(Debug, Clone)]
pub struct ColliderViews {
    asked: View,
    exact: Collider,
    complex: Option<Box<Collider>>,
    oriented: Option<Box<Collider>>,
}

impl ColliderViews {
    /// Makes the view of a shape as it is.
    pub fn new(shape: Shape) -> Self {
        Self { asked: View::Exact, exact: shape.into(), complex: None, oriented: None }
    }

    /// Asks for a view, in which every partner meets the shape unless it asked for a later one.
    pub fn ask(&mut self, view: View) {
        self.asked = view;
    }

    /// Returns what was asked for.
    pub fn asked(&self) -> View {
        self.asked
    }

    /// Returns whether there is a collider for a view.
    pub fn has(&self, view: View) -> bool {
        match view {
            View::Exact => true,
            View::Complex => self.complex.is_some(),
            View::Oriented => self.oriented.is_some(),
        }
    }

    /// Makes the complex of a shape.
    ///
    /// Fails: shapes without flat faces.
    pub fn make_complex(
        &mut self,
        shape: &Shape,
        options: &ComplexOptions,
        angular_tolerance: f64,
    ) -> Result<(), ComplexError> {
        let complex = ComplexCollider::of_shape(shape, options, angular_tolerance)?;
        self.complex = complex.map(|complex| Box::new(Collider::Complex(complex)));
        Ok(())
    }

    /// Makes the corners and surfaces of a shape.
    pub fn make_oriented(&mut self, shape: &Shape) {
        let is_asked = self.asked == View::Oriented;
        let oriented = OrientedCollider::with_collider(shape, self.exact.clone(), is_asked);
        self.oriented = Some(Box::new(Collider::Oriented(Arc::new(oriented))));
    }

    /// Returns the collider of a view; the shape as it is where none was made, which the table then refuses.
    pub fn get(&self, view: View) -> &Collider {
        let made = match view {
            View::Exact => None,
            View::Complex => self.complex.as_deref(),
            View::Oriented => self.oriented.as_deref(),
        };
        made.unwrap_or(&self.exact)
    }

    /// Returns the view in which two shapes meet: the later one of those asked for.
    pub fn of_pair(a: &Self, b: &Self) -> View {
        a.asked.max(b.asked)
    }

    /// Returns the kind of its collider in a view.
    pub fn kind(&self, view: View) -> ColliderKind {
        self.get(view).kind()
    }
}
