//! Tables of a recording: a header line, a line for each row, commas between, the shortest digits that give the same bits back.

use std::io::{self, Write};

use zerogap_core::text::csv_cell;

use crate::record::encode::{event_name, event_pair};
use crate::record::{Head, Recording};
use zerogap_simulation::world::{EventKind, PairId, ShapeId};

/// Value of `body_a` and `body_b` for a shape that is fixed in the world, as in scene files.
const WORLD: &str = "world";

/// The columns of a pair: numbers of the shapes, names of the shapes, names of their bodies.
const PAIR_COLUMNS: &str = "a,b,shape_a,shape_b,body_a,body_b";

/// Where every body was, and how it moved: a row for each frame and body.
pub(super) fn bodies<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,body,name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz")?;
    for frame in &recording.frames {
        let moving = frame.poses.iter().zip(&frame.velocities).zip(&frame.angular_velocities);
        for (body, ((pose, velocity), angular)) in moving.enumerate() {
            let name = recording.head.bodies.get(body).map_or("", String::as_str);
            write!(out, "{:?},{body},{}", frame.t, csv_cell(name))?;
            let (at, q) = (pose.translation(), pose.quaternion_xyzw());
            let numbers = at.iter().chain(&q).chain(velocity.iter()).chain(angular.iter());
            end_row(out, numbers)?;
        }
    }
    Ok(())
}

/// Writes the contacts: a row for each frame and pair.
pub(super) fn contacts<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,{PAIR_COLUMNS},gap,nx,ny,nz,px,py,pz,normal_force,fx,fy,fz")?;
    for frame in &recording.frames {
        for contact in &frame.contacts {
            write!(out, "{:?},{},{:?}", frame.t, pair_cells(contact.pair, &recording.head), contact.gap)?;
            let force = [contact.normal_force];
            let numbers =
                contact.normal.iter().chain(&contact.point).chain(&force).chain(&contact.friction_force);
            end_row(out, numbers)?;
        }
    }
    Ok(())
}

/// Writes the contact points and their forces: a row for each frame and contact point.
pub(super) fn points<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "t,{PAIR_COLUMNS},feature_a,feature_b,gap,nx,ny,nz,px,py,pz,fx,fy,fz")?;
    for frame in &recording.frames {
        for point in &frame.points {
            let pair = pair_cells(point.pair, &recording.head);
            write!(out, "{:?},{pair},{},{},{:?}", frame.t, point.id.a, point.id.b, point.gap)?;
            end_row(out, point.normal.iter().chain(point.point.iter()).chain(point.force.iter()))?;
        }
    }
    Ok(())
}

/// The shapes with their bodies: a row for each.
pub(super) fn shapes<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(out, "shape,name,body,body_name,material")?;
    let head = &recording.head;
    for (number, drawn) in head.shapes.iter().enumerate() {
        let shape = ShapeId(number as u32);
        let body = drawn.body.map_or_else(String::new, |body| body.to_string());
        let [name, body_name] = shape_cells(shape, head);
        writeln!(out, "{number},{name},{body},{body_name},{}", csv_cell(&drawn.material))?;
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

/// Writes the events: a row for each event. Cells that do not apply are empty.
pub(super) fn events<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    writeln!(
        out,
        "t,event,{PAIR_COLUMNS},approach,contacts,impulse,loss,rest_from,limit,function,functions,surface_from,surface,body,start,cause"
    )?;
    for event in &recording.events {
        let pair = match event_pair(&event.what) {
            Some(pair) => pair_cells(pair, &recording.head),
            None => ",".repeat(PAIR_COLUMNS.matches(',').count()),
        };
        write!(out, "{:?},{},{pair}", event.t, event_name(&event.what))?;
        match event.what {
            EventKind::ContactBegin { approach, .. } => write!(out, ",{approach:?},,,,,,,"),
            EventKind::Impact { contacts, impulse, loss } => {
                write!(out, ",,{contacts},{impulse:?},{loss:?},,,,")
            }
            EventKind::Settled { limit, .. } => write!(out, ",,,,,{limit:?},,,"),
            EventKind::LimitReached { limit, approach } => write!(out, ",{approach:?},,,,,{limit},,"),
            EventKind::LimitLeft { limit } => write!(out, ",,,,,,{limit},,"),
            EventKind::Crossed { function } => write!(out, ",,,,,,,{function},"),
            EventKind::MoreFunctions { functions } => write!(out, ",,,,,,,,{functions}"),
            EventKind::Captured { .. }
            | EventKind::Scheduled
            | EventKind::Sleep { .. }
            | EventKind::Wake { .. }
            | EventKind::ContactEnd { .. }
            | EventKind::Stick { .. }
            | EventKind::Slip { .. }
            | EventKind::HandedOver { .. }
            | EventKind::Inconsistent { .. }
            | EventKind::Indeterminate { .. } => write!(out, ",,,,,,,,"),
        }?;
        match event.what {
            EventKind::HandedOver { surface_from, surface, .. } => {
                writeln!(out, ",{surface_from},{surface},,,")
            }
            EventKind::Sleep { body } | EventKind::Wake { body } => writeln!(out, ",,,{body},,"),
            EventKind::Captured { start, cause, .. } => writeln!(out, ",,,,{start:?},{}", cause.name()),
            _ => writeln!(out, ",,,,,"),
        }?;
    }
    Ok(())
}

/// A pair as the cells of [`PAIR_COLUMNS`].
fn pair_cells(PairId { a, b }: PairId, head: &Head) -> String {
    let [[shape_a, body_a], [shape_b, body_b]] = [a, b].map(|shape| shape_cells(shape, head));
    format!("{},{},{shape_a},{shape_b},{body_a},{body_b}", a.0, b.0)
}

/// The names of a shape and of its body, as cells.
fn shape_cells(shape: ShapeId, head: &Head) -> [String; 2] {
    [
        csv_cell(&head.shape_name(shape)).into_owned(),
        csv_cell(head.body_name(shape).unwrap_or(WORLD)).into_owned(),
    ]
}

/// Further cells of a row, and its end.
fn end_row<'a, W: Write>(out: &mut W, numbers: impl IntoIterator<Item = &'a f64>) -> io::Result<()> {
    for number in numbers {
        write!(out, ",{number:?}")?;
    }
    writeln!(out)
}
