//! Worlds that go by steps: closed forms, energy and momenta, joints, the same bits every time, and what has no right answer but must not fail.

mod chains;
mod conveyor;
mod degenerate;
mod energy;
mod joints;
mod motion;
mod overlaps;
mod patches;
mod prescribed;
mod rough;
mod same;
mod scenes;
mod sleep;
mod sleep_joints;
mod turning;
