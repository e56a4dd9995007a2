//! The replay: a recording as one HTML file that needs no network.
//!
//! In: a recording. Out: the page, with three.js, our own script and the numbers inside. What moves is base64 of little-endian arrays, in single precision from a point
//! amid the bodies; names and events are JSON. A long recording is thinned, and the page notes it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use zerogap_core::{Pose, Vec3};

use super::page::{self, THREE_VERSION};
use super::{center, single};
use crate::record::{Head, Recording};
use zerogap_simulation::world::{ContactForce, ContactPoint, Event, EventKind, Frame, PairId, ShapeId};

const PAGE: &str = include_str!("replay/page.html");

/// What the recording is to the modules of the page.
const DATA: &str = include_str!("replay/data.js");
/// Time, input and drawing of the replay.
const MAIN: &str = include_str!("replay/main.js");

/// Bytes of moving numbers that a page holds at most, before base64 [-]: browsers open it without a pause.
const MAX_BYTES: usize = 48 << 20;

/// Events that a page holds at most [-].
const MAX_EVENTS: usize = 20_000;

/// Bytes of a pose, of a frame without poses and contacts, and of a contact [-].
const POSE_BYTES: usize = 28;
const FRAME_BYTES: usize = 28;
const CONTACT_BYTES: usize = 52;

/// The replay of a recording as one HTML file.
///
/// It plays, scrubs, shows contacts, forces, events and plots, in any browser with WebGL, from a `file://` address too; a content-security policy inside it forbids
/// every load from elsewhere. After `#` the address may hold `t=0.5`, `play=1`, `theme=dark`, `speed=0.2`, `glass=1`, `follow=NAME` of a body, `zoom=2`, `look=1,-1,0.5`.
pub fn replay_html(recording: &Recording) -> String {
    let page = Page::new(recording);
    // The page is made of finite numbers and strings, which JSON can always say.
    let data = serde_json::to_string(&page).unwrap_or_default();
    // No text may end the script that it stands in; inside JSON strings this is the same letter.
    let data = data.replace('<', "\\u003c");
    let program = page::program(&[DATA], &[MAIN]);
    let title = escaped(&format!("{} – zerogap", recording.head.scene));
    filled(PAGE, |name| match name {
        "title" => &title,
        "style" => page::STYLE,
        "data" => &data,
        "three" => THREE_VERSION,
        "vendor" => page::THREE,
        "licence" => page::THREE_LICENCE,
        "program" => &program,
        _ => "",
    })
}

/// Substitutes values for `{{names}}`; substituted text is not expanded again.
fn filled<'a>(template: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut page = String::new();
    let mut parts = template.split("{{");
    page.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or(("", part));
        page.push_str(value(name));
        page.push_str(rest);
    }
    page
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Data of the page's script.
#[derive(Serialize)]
struct Page<'a> {
    scene: &'a str,
    source: &'a str,
    three: &'static str,
    every: f64,
    /// Every how many recorded frames there is one here.
    stride: usize,
    recorded: usize,
    gravity: [f64; 3],
    center: [f64; 3],
    bodies: &'a [String],
    shapes: Vec<PageShape<'a>>,
    /// Shapes of the pairs that were ever in contact.
    pairs: Vec<[u32; 2]>,
    /// Whether the contacts are points; a recording of version 1 has one resultant for each pair.
    has_points: bool,
    events: Vec<PageEvent>,
    event_count: usize,
    end: Option<PageEnd<'a>>,
    times: String,
    poses: String,
    energies: String,
    steps: String,
    contact_starts: String,
    contacts: String,
    contact_pairs: String,
    contact_ids: String,
    vertices: String,
    triangles: String,
}

#[derive(Serialize)]
struct PageShape<'a> {
    name: String,
    body: Option<u32>,
    material: &'a str,
    /// Start and end among all numbers of vertices.
    vertices: [usize; 2],
    /// Start and end among all corners of triangles.
    triangles: [usize; 2],
}

#[derive(Serialize)]
pub(super) struct PageEvent {
    t: f64,
    pub(super) kind: &'static str,
    text: String,
    /// The body that sleeps or wakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<usize>,
}

#[derive(Serialize)]
struct PageEnd<'a> {
    t: f64,
    steps: usize,
    rejected: usize,
    method: &'a [String],
    wall: f64,
    reason: &'a str,
    /// As text: a number of 64 bits does not fit into one of JavaScript.
    hash: String,
}

impl<'a> Page<'a> {
    fn new(recording: &'a Recording) -> Self {
        let Recording { head, frames: recorded, events, end, .. } = recording;
        let center = center(recording);
        let stride = stride(recorded, MAX_BYTES);
        let frames: Vec<&Frame> = recorded.iter().step_by(stride).collect();

        // Contacts of all frames in one row, with pairs and features by number.
        let has_points = frames.iter().any(|frame| !frame.points.is_empty());
        let shown: Vec<Vec<PageContact>> =
            frames.iter().map(|frame| shown_contacts(frame, has_points)).collect();
        let numbers_of = |key: fn(&PageContact) -> u64| {
            let mut all: Vec<u64> = shown.iter().flatten().map(key).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let (pairs, ids) = (numbers_of(PageContact::pair_number), numbers_of(|contact| contact.id));
        let number = |of: &[u64], key: u64| of.binary_search(&key).unwrap_or_default() as u32;
        let mut starts = vec![0_u32];
        let (mut contacts, mut contact_pairs, mut contact_ids) = (Vec::new(), Vec::new(), Vec::new());
        for of_frame in &shown {
            for contact in of_frame {
                let ContactForce { point, normal, gap, normal_force, friction_force, .. } = contact.force;
                contacts.extend((Vec3::from(point) - center).iter().chain(&normal));
                contacts.extend([gap, normal_force].iter().chain(&friction_force));
                contact_pairs.push(number(&pairs, contact.pair_number()));
                contact_ids.push(number(&ids, contact.id));
            }
            starts.push(contact_pairs.len() as u32);
        }

        // Shapes; fixed ones from the centre as well.
        let (mut vertices, mut triangles, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
        for shape in &head.shapes {
            let (first_vertex, first_corner) = (vertices.len(), triangles.len());
            let origin = if shape.body.is_none() { center } else { Vec3::zeros() };
            vertices.extend(shape.vertices.iter().flat_map(|p| <[f64; 3]>::from(Vec3::from(*p) - origin)));
            triangles.extend(shape.triangles.iter().flatten().copied());
            shapes.push(PageShape {
                name: head.shape_name(ShapeId(shapes.len() as u32)),
                body: shape.body,
                material: &shape.material,
                vertices: [first_vertex, vertices.len()],
                triangles: [first_corner, triangles.len()],
            });
        }

        let energies = frames.iter().flat_map(|f| [f.energy.kinetic, f.energy.gravity, f.energy.springs]);
        Self {
            scene: &head.scene,
            source: &head.source,
            three: THREE_VERSION,
            every: head.every,
            stride,
            recorded: recorded.len(),
            gravity: head.gravity,
            center: center.into(),
            bodies: &head.bodies,
            shapes,
            pairs: pairs.iter().map(|pair| [(pair >> 32) as u32, *pair as u32]).collect(),
            has_points,
            events: events.iter().take(MAX_EVENTS).map(|event| page_event(event, head)).collect(),
            event_count: events.len(),
            end: end.as_ref().map(|end| PageEnd {
                t: end.t,
                steps: end.info.steps,
                rejected: end.info.rejected,
                method: &end.info.method,
                wall: end.info.wall,
                reason: &end.reason,
                hash: format!("{:016x}", end.hash),
            }),
            times: BASE64_STANDARD.encode(frames.iter().flat_map(|f| f.t.to_le_bytes()).collect::<Vec<u8>>()),
            poses: BASE64_STANDARD
                .encode(single(frames.iter().flat_map(|f| &f.poses).flat_map(|p| numbers(p, &center)))),
            energies: BASE64_STANDARD.encode(single(energies)),
            steps: BASE64_STANDARD.encode(single(frames.iter().map(|f| f.step))),
            contact_starts: whole(&starts),
            contacts: BASE64_STANDARD.encode(single(contacts)),
            contact_pairs: whole(&contact_pairs),
            contact_ids: whole(&contact_ids),
            vertices: BASE64_STANDARD.encode(single(vertices)),
            triangles: whole(&triangles),
        }
    }
}

/// A contact as the page shows it: a point, or the resultant of a pair in a recording without points.
struct PageContact {
    force: ContactForce,
    /// Features that touch; 0 for a resultant.
    id: u64,
}

impl PageContact {
    /// In the order of pairs.
    fn pair_number(&self) -> u64 {
        u64::from(self.force.pair.a.0) << 32 | u64::from(self.force.pair.b.0)
    }
}

/// The contacts of a frame.
fn shown_contacts(frame: &Frame, has_points: bool) -> Vec<PageContact> {
    if !has_points {
        return frame.contacts.iter().map(|force| PageContact { force: *force, id: 0 }).collect();
    }
    let of_point = |contact: &ContactPoint| {
        let normal_force = contact.normal.dot(&contact.force);
        let force = ContactForce {
            pair: contact.pair,
            gap: contact.gap,
            normal: contact.normal.into(),
            point: contact.point.into(),
            normal_force,
            friction_force: (contact.force - contact.normal * normal_force).into(),
        };
        PageContact { force, id: contact.id.packed() }
    };
    frame.points.iter().map(of_point).collect()
}

fn whole(numbers: &[u32]) -> String {
    BASE64_STANDARD.encode(numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>())
}

/// Position from the centre, then the quaternion.
fn numbers(pose: &Pose, center: &Vec3) -> [f64; 7] {
    let p = pose.translation() - center;
    let [x, y, z, w] = pose.quaternion_xyzw();
    [p.x, p.y, p.z, x, y, z, w]
}

/// Stride of the frames that limits the page to the given number of bytes.
fn stride(frames: &[Frame], max_bytes: usize) -> usize {
    let bytes: usize = frames
        .iter()
        .map(|f| {
            FRAME_BYTES + POSE_BYTES * f.poses.len() + CONTACT_BYTES * f.points.len().max(f.contacts.len())
        })
        .sum();
    bytes.div_ceil(max_bytes).max(1)
}

/// Describes an event for the page.
pub(super) fn page_event(event: &Event, head: &Head) -> PageEvent {
    let pair = |pair: &PairId| format!("{} and {}", name(pair.a, head), name(pair.b, head));
    let (kind, text) = match &event.what {
        EventKind::ContactBegin { pair: p, approach } => {
            ("contact_begin", format!("{} touched at {} m/s", pair(p), short(*approach)))
        }
        EventKind::ContactEnd { pair: p } => ("contact_end", format!("{} parted", pair(p))),
        EventKind::Impact { contacts, impulse, loss } => {
            let (impulse, loss) = (short(*impulse), short(*loss));
            ("impact", format!("impact at {contacts} contacts: {impulse} N s, {loss} J lost"))
        }
        EventKind::Settled { pair: p, limit } => {
            ("settled", format!("{} came to rest on each other, bounces would end at {limit:.6} s", pair(p)))
        }
        EventKind::Stick { pair: p } => ("stick", format!("{} stick", pair(p))),
        EventKind::Slip { pair: p } => ("slip", format!("{} slide", pair(p))),
        EventKind::LimitReached { limit, approach } => {
            ("limit", format!("limit {limit} reached at {} m/s or rad/s", short(*approach)))
        }
        EventKind::LimitLeft { limit } => ("limit", format!("limit {limit} left")),
        EventKind::Inconsistent { pair: p } => {
            ("other", format!("{}: no contact force prevents penetration (Painlevé paradox)", pair(p)))
        }
        EventKind::Indeterminate { pair: p } => {
            ("other", format!("{}: the sliding contact may carry or separate; it separates", pair(p)))
        }
        EventKind::MoreFunctions { functions } => {
            ("other", format!("step made again with {functions} zero-crossing functions"))
        }
        EventKind::Crossed { function } => ("other", format!("function {function} crossed zero")),
        EventKind::Captured { start, cause, pair: p } => {
            let last = p.map_or(String::new(), |p| format!(", the last one between {}", pair(&p)));
            let passed = 1e3 * (event.t - start);
            (
                "captured",
                format!("{passed:.3} ms passed by non-smooth steps: {} crowded{last}", cause.words()),
            )
        }
        EventKind::HandedOver { pair: p, surface_from: from, surface: to } => {
            ("other", format!("{} stay in contact, from surface {from} to surface {to}", pair(p)))
        }
        EventKind::Scheduled => ("other", "scheduled time".to_owned()),
        EventKind::Sleep { body } => ("sleep", format!("{} sleeps", name_of_body(*body, head))),
        EventKind::Wake { body } => ("wake", format!("{} wakes", name_of_body(*body, head))),
    };
    let body = match event.what {
        EventKind::Sleep { body } | EventKind::Wake { body } => Some(body),
        _ => None,
    };
    PageEvent { t: event.t, kind, text, body }
}

/// A shape by the name of its body, or by its own where it is fixed in the world.
pub(super) fn name(shape: ShapeId, head: &Head) -> String {
    head.body_name(shape).map_or_else(|| head.shape_name(shape), str::to_owned)
}

/// A body by its name, or by its number where it has none.
fn name_of_body(body: usize, head: &Head) -> String {
    match head.bodies.get(body).map(String::as_str) {
        None | Some("") => format!("body {body}"),
        Some(name) => name.to_owned(),
    }
}

/// A number with three or four digits.
fn short(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:.2e}") } else { format!("{x:.3}") }
}

#[cfg(test)]
mod tests {
    use super::{FRAME_BYTES, Frame, filled, stride};
    use zerogap_dynamics::multibody::Energy;

    #[test]
    fn long_recordings_are_thinned() {
        let frame = |k: u32| Frame {
            t: f64::from(k),
            bodies: std::sync::Arc::new([]),
            poses: Vec::new(),
            velocities: Vec::new(),
            angular_velocities: Vec::new(),
            energy: Energy { kinetic: 0.0, gravity: 0.0, springs: 0.0 },
            step: 1.0,
            contacts: Vec::new(),
            points: Vec::new(),
        };
        let frames: Vec<Frame> = (0..100).map(frame).collect();
        assert_eq!(stride(&frames, 100 * FRAME_BYTES), 1);
        assert_eq!(stride(&frames, 40 * FRAME_BYTES), 3);
        assert_eq!(stride(&[], 1), 1);
    }

    #[test]
    fn what_is_put_into_a_template_is_not_looked_through_again() {
        let page = filled("a {{x}} b {{y}} c", |name| if name == "x" { "{{y}}" } else { "1" });
        assert_eq!(page, "a {{y}} b 1 c");
    }
}
