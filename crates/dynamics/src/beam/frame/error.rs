//! What cannot be a frame in space, and what has no equilibrium.

/// Why there is no frame, or no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FrameError {
    /// A support that is no joint, of a frame in a world.
    #[error(
        "node {node} is held, but not as by a joint: in a world all displacements of a held node are, and three, two or no rotations"
    )]
    Held {
        /// Which node, from 0.
        node: usize,
    },
    /// Two joints at one node.
    #[error("node {node} is joined twice")]
    JoinedTwice {
        /// Which node, from 0.
        node: usize,
    },
    /// A file that is no line of points.
    #[error("{}{reason}", if *line > 0 { format!("line {line}: ") } else { String::new() })]
    Line {
        /// Which line of the file, from 1; 0 for the whole.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A hinge that an equilibrium cannot be found with.
    #[error("the hinge at node {node} lies along no axis of the frame: start it without settling")]
    SkewHinge {
        /// Which node, from 0.
        node: usize,
    },
    /// A node that is nowhere.
    #[error("node {node} is at ({x}, {y}, {z}): every coordinate must be a finite number")]
    Place {
        /// Which, from 0.
        node: usize,
        /// Its coordinates [m].
        x: f64,
        /// Its coordinates [m].
        y: f64,
        /// Its coordinates [m].
        z: f64,
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
    /// Measures of a cross-section that do not fit each other.
    #[error("a section of {what}: every measure must be positive, and walls must leave a hole")]
    Measures {
        /// The measures as given.
        what: String,
    },
    /// A text that is no section.
    #[error("section \"{text}\": {reason}")]
    SectionText {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A direction of the z axis of a section that is along the element, or none.
    #[error("`up` of element {element} is ({x}, {y}, {z}): it must be a direction across the element")]
    Up {
        /// Which element, from 0.
        element: usize,
        /// The direction given.
        x: f64,
        /// The direction given.
        y: f64,
        /// The direction given.
        z: f64,
    },
    /// A list that does not have one entry for each node or element.
    #[error("{what} has {given} entries: it must have {expected}, one for each {each}")]
    Count {
        /// Which list.
        what: &'static str,
        /// Node or element.
        each: &'static str,
        /// How many there must be [-].
        expected: usize,
        /// How many were given [-].
        given: usize,
    },
    /// A number that is none.
    #[error("{what} of {each} {index} is {value}: it must be a finite number")]
    NotFinite {
        /// Which quantity.
        what: &'static str,
        /// Node or element.
        each: &'static str,
        /// Which, from 0.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// A setting out of its range.
    #[error("{what} is {value}: it must be {range}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// The supports leave the frame free to move.
    #[error("the supports do not hold the frame: node {node} can move without bending anything")]
    Loose {
        /// A node that moves.
        node: usize,
    },
    /// Everything is fixed.
    #[error("every degree of freedom is fixed: nothing can move")]
    NothingFree,
    /// No equilibrium was found.
    #[error(
        "no equilibrium beyond {fraction} of the load change: the last correction was {correction} (relative to the size of the frame, or rad); the frame may buckle there"
    )]
    NoEquilibrium {
        /// Fraction of the change of the loads that was reached [-].
        fraction: f64,
        /// Largest correction of the last iteration [-].
        correction: f64,
    },
    /// A step of the motion was not solved, however short.
    #[error("no solution of the step at {time} s, down to {step} s: the last correction was {correction}")]
    NoStep {
        /// Time at the beginning of the step [s].
        time: f64,
        /// The shortest step tried [s].
        step: f64,
        /// Largest correction of the last iteration [-].
        correction: f64,
    },
}
