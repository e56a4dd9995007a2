//! Robots that are made here, as MJCF files that other programs load too: an arm with a parallel gripper and the course by which it picks a box, and a walker on uneven ground.
//!
//! In: nothing. Out: names and texts of files; those in `scenes/robots` are these (a test compares them).

mod gripper_arm;
mod quadruped;

/// Returns the files of the robots that are made here: name and text of each.
pub fn showcase_files() -> Vec<(&'static str, String)> {
    vec![
        ("gripper-arm.xml", gripper_arm::model()),
        ("picks-box.csv", gripper_arm::course()),
        ("quadruped.xml", quadruped::model()),
    ]
}

/// A number as a file has it: seven digits, without zeros at the end.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    // No negative zero.
    format!("{}", rounded + 0.0)
}
