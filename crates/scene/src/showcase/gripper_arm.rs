//! An arm of four joints with a parallel gripper, a box, and the course by which the arm picks it, carries it around, shakes it and holds it.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write as _;

use zerogap_core::math::{acos, atan2, sin_cos};

use super::digits;

/// Height of the shoulder, lengths of the upper arm and the forearm, and from the wrist to the grip [m].
const SHOULDER: f64 = 0.4;
const UPPER: f64 = 0.4;
const FORE: f64 = 0.35;
const GRIP: f64 = 0.18;
/// Where the box stands, and the grip high above it and low at it: distance and heights [m].
const REACH: f64 = 0.5;
const HIGH: f64 = 0.25;
const LOW: f64 = 0.045;
/// Friction, mass of the box [kg] and gravity [m/s²]: the fingers push with twice what holds it.
const FRICTION: f64 = 0.8;
const MASS: f64 = 0.2;
const GRAVITY: f64 = 9.81;
const MARGIN: f64 = 2.0;
/// How far it carries the box around [rad], and how it shakes it: amplitude [m] and frequency [Hz].
const AROUND: f64 = 1.2;
const SHAKEN: f64 = 2e-3;
const RATE: f64 = 5.0;
/// Where the fingers are sent to close [m]; the force limit stops them at the box.
const CLOSED: f64 = 0.06;
/// Times at which it is down and closed, begins to go up, around, to shake and to hold, and the end and the interval of the course [s].
const DOWN: f64 = 1.0;
const UP: f64 = 1.5;
const TURN: f64 = 2.5;
const SHAKE: f64 = 4.5;
const HOLD: f64 = 6.5;
const END: f64 = 7.0;
const INTERVAL: f64 = 0.02;

/// From 0 to 1 with no speed and no acceleration at either end.
fn smooth(ratio: f64) -> f64 {
    let s = ratio.clamp(0.0, 1.0);
    s * s * s * (10.0 - s * (15.0 - 6.0 * s))
}

/// Angles of shoulder, elbow and wrist with which the grip is at a height [m] and points down.
fn angles(height: f64) -> [f64; 3] {
    let up = height + GRIP - SHOULDER;
    let far = REACH * REACH + up * up;
    let elbow = acos((far - UPPER * UPPER - FORE * FORE) / (2.0 * UPPER * FORE));
    let (sine, cosine) = sin_cos(elbow);
    let shoulder = -atan2(up, REACH) - atan2(FORE * sine, UPPER + FORE * cosine);
    [shoulder, elbow, FRAC_PI_2 - shoulder - elbow]
}

/// What the five actuators are sent to at a time [s]: yaw, shoulder, elbow, wrist and grip.
fn commanded(t: f64) -> [f64; 5] {
    let height = if t < UP {
        HIGH + (LOW - HIGH) * smooth(t / DOWN)
    } else {
        LOW + (HIGH - LOW) * smooth((t - UP) / (TURN - UP))
    };
    let is_shaken = (SHAKE..HOLD).contains(&t);
    let shaken = if is_shaken { SHAKEN * sin_cos(TAU * RATE * (t - SHAKE)).0 } else { 0.0 };
    let [shoulder, elbow, wrist] = angles(height + shaken);
    let yaw = AROUND * smooth((t - TURN) / (SHAKE - TURN));
    [yaw, shoulder, elbow, wrist, if t >= DOWN { CLOSED } else { 0.0 }]
}

/// The course as CSV.
pub(super) fn course() -> String {
    let mut text = "t, yaw, shoulder, elbow, wrist, grip\n".to_owned();
    for k in 0..=(END / INTERVAL).round() as u32 {
        let t = f64::from(k) * INTERVAL;
        let row: Vec<String> = std::iter::once(t).chain(commanded(t)).map(digits).collect();
        let _ = writeln!(text, "{}", row.join(", "));
    }
    text
}

/// The model as MJCF.
pub(super) fn model() -> String {
    let force = MARGIN * MASS * GRAVITY / FRICTION;
    let start = angles(HIGH).map(digits).join(" ");
    let (finger, force) = (digits(0.5 * force), digits(force));
    format!(
        r#"<mujoco model="gripper-arm">
  <!-- An arm of four joints with a parallel gripper, whose fingers push with {finger} N each, twice what friction needs to hold the box.
       Joints have the inertia of geared motors (armature): engines whose damping is implicit while their contacts are not lose the box without it. -->
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="implicitfast"/>
  <default>
    <geom density="1000" friction="{FRICTION} 0.005 0.0001"/>
    <joint damping="1" armature="1"/>
    <position kp="4000" kv="200"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="turret" pos="0 0 0.3">
      <joint name="yaw" axis="0 0 1"/>
      <geom type="cylinder" size="0.06 0.05" contype="0" conaffinity="0"/>
      <body name="upper" pos="0 0 0.1">
        <joint name="shoulder" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 {UPPER} 0 0" size="0.035" contype="0" conaffinity="0"/>
        <body name="fore" pos="{UPPER} 0 0">
          <joint name="elbow" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 {FORE} 0 0" size="0.03" contype="0" conaffinity="0"/>
          <body name="hand" pos="{FORE} 0 0">
            <joint name="wrist" axis="0 1 0"/>
            <geom type="box" pos="0.06 0 0" size="0.05 0.07 0.02" contype="0" conaffinity="0"/>
            <site name="grip" pos="{GRIP} 0 0"/>
            <body name="left" pos="0.17 0.07 0">
              <joint name="left" type="slide" axis="0 -1 0" range="0 0.06" armature="0.2"/>
              <geom name="left pad" type="box" size="0.03 0.01 0.015"/>
            </body>
            <body name="right" pos="0.17 -0.07 0">
              <joint name="right" type="slide" axis="0 1 0" range="0 0.06" armature="0.2"/>
              <geom name="right pad" type="box" size="0.03 0.01 0.015"/>
            </body>
          </body>
        </body>
      </body>
    </body>
    <body name="box" pos="{REACH} 0 0.04">
      <freejoint name="box"/>
      <geom name="box" type="box" size="0.025 0.025 0.04" mass="{MASS}"/>
    </body>
  </worldbody>
  <equality><joint joint1="right" joint2="left"/></equality>
  <actuator>
    <position name="yaw" joint="yaw"/>
    <position name="shoulder" joint="shoulder"/>
    <position name="elbow" joint="elbow"/>
    <position name="wrist" joint="wrist"/>
    <position name="grip" joint="left" kp="1000" kv="50" forcerange="-{force} {force}"/>
  </actuator>
  <sensor>
    <framepos name="hand" objtype="site" objname="grip"/>
  </sensor>
  <keyframe><key name="start" qpos="0 {start} 0 0 {REACH} 0 0.04 1 0 0 0" ctrl="0 {start} 0"/></keyframe>
</mujoco>
"#
    )
}
