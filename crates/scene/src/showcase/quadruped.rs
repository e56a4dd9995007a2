//! A four-legged walker of twelve joints that stands under PD control, on ground of slabs of different heights.

use std::fmt::Write as _;

use super::digits;

/// Slabs along each side, and half the width of one [m].
const SLABS: i32 = 7;
const HALF: f64 = 0.1;
/// How far down the slabs reach [m], and the least height of their tops below zero and the steps between them [m].
const DEPTH: f64 = 0.2;
const HIGHEST: f64 = 0.04;
const RISE: f64 = 0.005;
/// Where the walker stands, and how it bends its hips and knees [rad].
const HEIGHT: f64 = 0.42;
const HIP: f64 = 0.8;
const KNEE: f64 = -1.6;
/// Legs, with the signs of where they are: forward and to the left.
const LEGS: [(&str, f64, f64); 4] = [
    ("front left", 1.0, 1.0),
    ("front right", 1.0, -1.0),
    ("hind left", -1.0, 1.0),
    ("hind right", -1.0, -1.0),
];
/// Joints of a leg.
const JOINTS: [&str; 3] = ["abduction", "hip", "knee"];

/// How many rises a slab is below the highest: no pattern to the eye, the same every time.
fn fall(i: i32, j: i32) -> i32 {
    (i * i * 3 + j * j * j * 2 + i * j + 11 * i + 5 * j).rem_euclid(5)
}

fn leg(name: &str, forward: f64, left: f64) -> String {
    let (x, y) = (digits(0.2 * forward), digits(0.1 * left));
    let (beside, thigh) = (digits(0.04 * left), digits(0.05 * left));
    format!(
        r#"      <body name="{name} hip" pos="{x} {y} 0">
        <joint name="{name} abduction" axis="1 0 0" range="-0.8 0.8"/>
        <geom type="capsule" fromto="0 0 0 0 {beside} 0" size="0.03" mass="0.6" contype="0" conaffinity="0"/>
        <body name="{name} thigh" pos="0 {thigh} 0">
          <joint name="{name} hip" axis="0 1 0" range="-1 2.5"/>
          <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.02" mass="0.8" contype="0" conaffinity="0"/>
          <body name="{name} shank" pos="0 0 -0.2">
            <joint name="{name} knee" axis="0 1 0" range="-2.6 -0.4"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.19" size="0.015" mass="0.2" contype="0" conaffinity="0"/>
            <geom name="{name} foot" type="sphere" size="0.022" pos="0 0 -0.2" mass="0.05"/>
            <site name="{name} sole" type="sphere" size="0.03" pos="0 0 -0.2"/>
          </body>
        </body>
      </body>
"#
    )
}

/// The model as MJCF.
pub(super) fn model() -> String {
    let mut slabs = String::new();
    let middle = (SLABS - 1) / 2;
    for i in 0..SLABS {
        for j in 0..SLABS {
            let place = |k: i32| digits(f64::from(k - middle) * 2.0 * HALF);
            let top = HIGHEST - RISE * f64::from(fall(i, j));
            let (at, half) = (digits(0.5 * (top - DEPTH)), digits(0.5 * (top + DEPTH)));
            let _ = writeln!(
                slabs,
                "    <geom class=\"slab\" name=\"slab {}\" pos=\"{} {} {at}\" size=\"{HALF} {HALF} {half}\"/>",
                i * SLABS + j,
                place(i),
                place(j)
            );
        }
    }
    let legs: String = LEGS.iter().map(|(name, forward, left)| leg(name, *forward, *left)).collect();
    let names = || LEGS.iter().flat_map(|(leg, ..)| JOINTS.iter().map(move |joint| format!("{leg} {joint}")));
    let actuators: String = names()
        .map(|name| format!("    <position name=\"{name}\" joint=\"{name}\"/>\n"))
        .collect::<Vec<String>>()
        .concat();
    let feet: String = LEGS
        .iter()
        .map(|(name, ..)| format!("    <touch name=\"{name} foot\" site=\"{name} sole\"/>\n"))
        .collect::<Vec<String>>()
        .concat();
    let bent = LEGS.map(|_| format!("0 {HIP} {KNEE}")).join(" ");
    format!(
        r#"<mujoco model="quadruped">
  <!-- A four-legged walker of 12 joints that stands under PD control on uneven ground. -->
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="implicitfast"/>
  <default>
    <geom friction="0.8 0.005 0.0001" density="600"/>
    <joint damping="0.5" armature="0.005"/>
    <position kp="150" kv="5" forcerange="-40 40"/>
    <default class="slab"><geom type="box" contype="1" conaffinity="1"/></default>
  </default>
  <worldbody>
{slabs}    <body name="trunk" pos="0 0 {HEIGHT}">
      <freejoint name="root"/>
      <geom type="box" size="0.22 0.1 0.05" mass="8"/>
      <site name="imu"/>
{legs}    </body>
  </worldbody>
  <actuator>
{actuators}  </actuator>
  <sensor>
    <accelerometer name="accelerometer" site="imu"/>
    <gyro name="gyro" site="imu"/>
    <framequat name="attitude" objtype="site" objname="imu"/>
{feet}  </sensor>
  <keyframe><key name="stand" qpos="0 0 {HEIGHT} 1 0 0 0 {bent}" ctrl="{bent}"/></keyframe>
</mujoco>
"#
    )
}
