//! What cannot be a beam, and what has no solution.

/// Why there is no beam, or no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BeamError {
    /// A node that is nowhere.
    #[error("node {node} is at ({x}, {y}): every coordinate must be a finite number")]
    Place {
        /// Which, from 0.
        node: usize,
        /// Its coordinates [m].
        x: f64,
        /// Its coordinates [m].
        y: f64,
    },
    /// A number of a node that is none.
    #[error("there is no node {node}: there are {nodes}, from 0")]
    NoNode {
        /// The number given.
        node: usize,
        /// How many nodes there are [-].
        nodes: usize,
    },
    /// An element between two nodes at one place.
    #[error("element {element} has length {length} m: its nodes must be apart")]
    NoLength {
        /// Which, from 0.
        element: usize,
        /// Its length [m].
        length: f64,
    },
    /// A property that cannot be used.
    #[error("the {what} of element {element} is {value}: it must be positive and finite")]
    Section {
        /// Which element, from 0.
        element: usize,
        /// Which property.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// Loads that do not fit the degrees of freedom.
    #[error("there are {expected} degrees of freedom, three for each node, but {given} numbers were given")]
    Count {
        /// How many there are [-].
        expected: usize,
        /// How many were given [-].
        given: usize,
    },
    /// A load that is no number.
    #[error("load {index} is {value}: every load must be a finite number")]
    Load {
        /// Which, from 0.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// The supports leave the frame free to move.
    #[error("the supports do not hold the frame: it can move without bending")]
    Loose,
    /// Everything is fixed.
    #[error("every degree of freedom is fixed: nothing can move")]
    NothingFree,
}
