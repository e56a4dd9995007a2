//! Control of a world by a program: its coordinates as one vector, the equations of motion as matrices, names of what robots have, commands of actuators, sensors, and a clock that calls a controller at exact times.
//!
//! In: a world at any time, in any method. Out: numbers, or the same world with other coordinates or commands. Queries read the time reached and change nothing; what is changed makes that time the end of a step.
//!
//! Coordinates stand joint after joint in the order of the bodies. A hinge has an angle [rad], a slide a shift [m], a ball joint the quaternion `x y z w`, a free joint `x y z qx qy qz qw`. Velocities have one number for each degree of freedom:
//! of a free joint the velocity of its origin in axes of the parent's joint frame (the world's, as a rule) [m/s], then the angular velocity in the body's axes [rad/s]; of a ball joint the latter alone.

mod actuators;
mod clock;
mod commands;
mod coordinates;
mod equations;
mod file_order;
mod labels;
mod sensor_values;
mod sensors;

pub use clock::{Controller, ControllerFunction};
pub use commands::{Command, Commanded, Course};
pub use labels::{JointInfo, JointLabel, Labels, SiteLabel};
pub use sensors::{FrameQuantity, Sensor, SensorKind, Zone};

pub(super) use clock::ControlClock;
