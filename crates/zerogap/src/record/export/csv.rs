//! Tables of a recording: a header line, a line for each row, commas between, the shortest digits that give the same bits back.

use std::io::{self, Write};

use crate::record::Recording;
use crate::record::encode::event_name;
use crate::world::{Happening, PairId};

/// Where every body was, and how it moved: a row for each frame and body.
pub(super) fn bodies<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz")?;
    for frame in &recording.frames {
        let moving = frame.poses.iter().zip(&frame.velocities).zip(&frame.angular_velocities);
        for (body, ((pose, velocity), angular)) in moving.enumerate() {
            let name = recording.head.bodies.get(body).map_or("", String::as_str);
            write!(out, "{:?},{body},{}", frame.t, quoted(name))?;
            let (at, q) = (pose.translation(), pose.quaternion_xyzw());
            let numbers = at.iter().chain(&q).chain(velocity.iter()).chain(angular.iter());
            end_row(out, numbers)?;
        }
    }
    Ok(())
}

/// What every pair in contact did: a row for each frame and pair.
pub(super) fn contacts<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,a,b,gap,nx,ny,nz,px,py,pz,normal_force,fx,fy,fz")?;
    for frame in &recording.frames {
        for contact in &frame.contacts {
            let PairId { a, b } = contact.pair;
            write!(out, "{:?},{},{},{:?}", frame.t, a.0, b.0, contact.gap)?;
            let force = [contact.normal_force];
            let numbers =
                contact.normal.iter().chain(&contact.point).chain(&force).chain(&contact.friction_force);
            end_row(out, numbers)?;
        }
    }
    Ok(())
}

/// Energies and step lengths: a row for each frame.
pub(super) fn energy<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,step,kinetic,gravity,springs,total")?;
    for frame in &recording.frames {
        let energy = frame.energy;
        write!(out, "{:?}", frame.t)?;
        end_row(out, &[frame.step, energy.kinetic, energy.gravity, energy.springs, energy.total()])?;
    }
    Ok(())
}

/// What happened: a row for each event. A cell is empty where the event has nothing to put in it.
pub(super) fn events<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(
        out,
        "t,event,a,b,approach,contacts,impulse,loss,rest_from,limit,function,functions,surface_from,surface"
    )?;
    for event in &recording.events {
        write!(out, "{:?},{},", event.t, event_name(&event.what))?;
        match event.what {
            Happening::Touched { pair, approach } => write!(out, "{},{approach:?},,,,,,,", both(pair)),
            Happening::Impact { contacts, impulse, loss } => {
                write!(out, ",,,{contacts},{impulse:?},{loss:?},,,,")
            }
            Happening::Settled { pair, limit } => write!(out, "{},,,,,{limit:?},,,", both(pair)),
            Happening::LimitReached { limit, approach } => write!(out, ",,{approach:?},,,,,{limit},,"),
            Happening::LimitLeft { limit } => write!(out, ",,,,,,,{limit},,"),
            Happening::Crossed { function } => write!(out, ",,,,,,,,{function},"),
            Happening::MoreFunctions { functions } => write!(out, ",,,,,,,,,{functions}"),
            Happening::Scheduled => write!(out, ",,,,,,,,,"),
            Happening::Parted { pair }
            | Happening::Stuck { pair }
            | Happening::Slid { pair }
            | Happening::HandedOver { pair, .. }
            | Happening::Inconsistent { pair }
            | Happening::Indeterminate { pair } => write!(out, "{},,,,,,,,", both(pair)),
        }?;
        match event.what {
            Happening::HandedOver { surface_from, surface, .. } => {
                writeln!(out, ",{surface_from},{surface}")
            }
            _ => writeln!(out, ",,"),
        }?;
    }
    Ok(())
}

/// The shapes of a pair as two cells.
fn both(pair: PairId) -> String {
    format!("{},{}", pair.a.0, pair.b.0)
}

/// Further cells of a row, and its end.
fn end_row<'a, W: Write>(out: &mut W, numbers: impl IntoIterator<Item = &'a f64>) -> io::Result<()> {
    for number in numbers {
        write!(out, ",{number:?}")?;
    }
    writeln!(out)
}

/// A name as one cell: in quotes where it would be taken for something else.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
