//! Scenes as models of MuJoCo: the same geometry, masses, joints and start; all else by its defaults.

use std::fmt::Write as _;

use super::{Body, Drive, Form, Integrator, Joint, Piece, Scene};
use zerogap::{Pose, Vec3};

/// The model of a scene; body `k` is named `b<k>`, and its first key is the start.
pub fn write(scene: &Scene) -> String {
    let mut assets = String::new();
    let mut world = String::new();
    for piece in &scene.fixed {
        write_geom(piece, &mut world, &mut assets);
    }
    for (k, body) in scene.bodies.iter().enumerate() {
        if body.parent.is_none() {
            write_body(scene, k, &mut world, &mut assets);
        }
    }
    let (mut qvel, mut motors, mut commands) = (String::new(), String::new(), String::new());
    // MuJoCo counts bodies down each branch, which is the order of the scene where children follow their parents.
    for (k, body) in scene.bodies.iter().enumerate() {
        match body.joint {
            Joint::Free => push(&mut qvel, &body.velocity),
            Joint::Ball { .. } => push(&mut qvel, &[0.0; 3]),
            Joint::Hinge { drive, .. } => {
                push(&mut qvel, &[0.0]);
                let _ = match drive {
                    Drive::Torque(_) => write!(motors, "<motor joint=\"j{k}\"/>"),
                    Drive::Servo { stiffness, damping, .. } => {
                        write!(motors, "<position joint=\"j{k}\" kp=\"{stiffness:?}\" kv=\"{damping:?}\"/>")
                    }
                };
                push(&mut commands, &[drive.command(0.0)]);
            }
        }
    }
    let (mut equality, mut excluded) = (String::new(), String::new());
    for closure in &scene.closures {
        let ([a, b], at) = (closure.bodies, numbers(closure.points[0].as_slice()));
        let _ = write!(equality, "<connect body1=\"b{a}\" body2=\"b{b}\" anchor=\"{at}\"/>");
        let _ = write!(excluded, "<exclude body1=\"b{a}\" body2=\"b{b}\"/>");
    }
    let ctrl = if commands.is_empty() { String::new() } else { format!(" ctrl=\"{}\"", commands.trim()) };
    let (step, integrator) = (
        scene.step,
        match scene.integrator {
            Integrator::Euler => "Euler",
            Integrator::ImplicitFast => "implicitfast",
        },
    );
    format!(
        "<mujoco><compiler angle=\"radian\"/><option timestep=\"{step}\" integrator=\"{integrator}\" gravity=\"0 0 -9.81\"/><size memory=\"2G\"/>\
         <default><geom friction=\"{} 0.005 0.0001\"/></default><asset>{assets}</asset><worldbody>{world}</worldbody>\
         <contact>{excluded}</contact><equality>{equality}</equality><actuator>{motors}</actuator>\
         <keyframe><key qvel=\"{}\"{ctrl}/></keyframe></mujoco>",
        scene.friction,
        qvel.trim(),
    )
}

fn write_body(scene: &Scene, number: usize, text: &mut String, assets: &mut String) {
    let Body { joint, pose, pieces, inertia, .. } = &scene.bodies[number];
    let _ = write!(text, "<body name=\"b{number}\" {}>", place(pose));
    let _ = match joint {
        Joint::Free => write!(text, "<freejoint/>"),
        Joint::Ball { damping } => write!(text, "<joint type=\"ball\" damping=\"{damping}\"/>"),
        Joint::Hinge { axis, range, damping, .. } => write!(
            text,
            "<joint name=\"j{number}\" type=\"hinge\" axis=\"{}\" limited=\"true\" range=\"{}\" damping=\"{damping}\"/>",
            numbers(axis.as_slice()),
            numbers(range),
        ),
    };
    let i = &inertia.inertia;
    let full = [i.m11, i.m22, i.m33, i.m12, i.m13, i.m23];
    let (center, mass) = (numbers(inertia.center.as_slice()), inertia.mass);
    let _ = write!(text, "<inertial pos=\"{center}\" mass=\"{mass:?}\" fullinertia=\"{}\"/>", numbers(&full));
    for piece in pieces {
        write_geom(piece, text, assets);
    }
    for (child, body) in scene.bodies.iter().enumerate() {
        if body.parent == Some(number) {
            write_body(scene, child, text, assets);
        }
    }
    text.push_str("</body>");
}

fn write_geom(piece: &Piece, text: &mut String, assets: &mut String) {
    let (kind, size) = match &piece.form {
        Form::Box(size) => ("box", numbers((0.5 * size).as_slice())),
        Form::Sphere(radius) => ("sphere", numbers(&[*radius])),
        Form::Capsule(radius, length) => ("capsule", numbers(&[*radius, 0.5 * length])),
        Form::Cylinder(radius, length) => ("cylinder", numbers(&[*radius, 0.5 * length])),
        Form::Ellipsoid(radii) => ("ellipsoid", numbers(radii.as_slice())),
        Form::Floor => ("plane", "50 50 1".to_owned()),
        Form::Hull(points) => {
            // A mesh collides by its hull; where it stands is kept though its frame moves to its centre of mass.
            let name = format!("m{}", assets.matches("<mesh").count());
            let all: Vec<f64> = points.iter().flat_map(|p: &Vec3| [p.x, p.y, p.z]).collect();
            let _ = write!(assets, "<mesh name=\"{name}\" vertex=\"{}\"/>", numbers(&all));
            let _ = write!(text, "<geom type=\"mesh\" mesh=\"{name}\" {}/>", place(&piece.pose));
            return;
        }
    };
    let _ = write!(text, "<geom type=\"{kind}\" size=\"{size}\" {}/>", place(&piece.pose));
}

fn place(pose: &Pose) -> String {
    let [x, y, z, w] = pose.quaternion_xyzw();
    format!("pos=\"{}\" quat=\"{}\"", numbers(pose.translation().as_slice()), numbers(&[w, x, y, z]))
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" ")
}

fn push(text: &mut String, values: &[f64]) {
    let _ = write!(text, " {}", numbers(values));
}
