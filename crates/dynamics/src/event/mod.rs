//! Events: functions of the state whose zeros are located in time, and the driver that stops at them.

mod locate;

pub use locate::{Direction, LocateParams, LocateWork, Located, first_crossing};
