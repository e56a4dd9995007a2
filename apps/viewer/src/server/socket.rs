//! The socket of a page.
//!
//! In: a token, then orders as JSON. Out: the scene as it is drawn, pictures, notices. A socket without the token is closed after [`PATIENCE`]; one that sends too much or too large messages is closed too.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, timeout};

use super::{Guests, Shared};
use crate::live::{Order, Stage};

/// How long a socket may take to send its token.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two signs of life; shorter than what a connection may be idle.
const BEAT: Duration = Duration::from_secs(2);
/// Sockets at a time, with token or without [-].
pub const MAX_CLIENTS: usize = 16;
/// Longest message of a client [B].
pub const MAX_MESSAGE: usize = 16 << 10;
/// Messages that a client may send in a second, and at once [-].
const MAX_RATE: f64 = 500.0;
const MAX_BURST: f64 = 1000.0;
/// Marks the geometry of a scene among binary messages [-].
const GEOMETRY: u32 = 0;

/// Upgrades a request of the page to a socket.
pub(super) async fn open(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // A browser says where a socket comes from; the guard has compared it with the host.
    if !headers.contains_key(header::ORIGIN) {
        return (StatusCode::FORBIDDEN, "a socket comes from a page: it names its origin\n").into_response();
    }
    if shared.sockets.fetch_add(1, Ordering::SeqCst) >= MAX_CLIENTS {
        shared.sockets.fetch_sub(1, Ordering::SeqCst);
        shared.refusals.note("too many pages are open");
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n").into_response();
    }
    let place = Place(Arc::clone(&shared));
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(move |socket| async move {
        let _place = place;
        attend(socket, &shared).await;
    })
}

/// Counts a socket until it is gone, also where it never came to be.
struct Place(Arc<Shared>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Counts a client until it is gone.
struct Guest<'a>(&'a Guests);

impl<'a> Guest<'a> {
    fn new(guests: &'a Guests) -> Self {
        guests.now.fetch_add(1, Ordering::SeqCst);
        Self(guests)
    }
}

impl Drop for Guest<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
        *self.0.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

/// The first message of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knock {
    token: String,
}

/// Orders about the socket itself.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Own {
    /// Takes the hand from whoever has it.
    TakeHand,
}

/// How much a client may still send.
struct Rate {
    left: f64,
    last: Instant,
}

impl Rate {
    fn take(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + MAX_RATE * (now - self.last).as_secs_f64()).min(MAX_BURST);
        self.last = now;
        self.left -= 1.0;
        self.left >= 0.0
    }
}

/// Lets a client in, and goes on until either side closes.
async fn attend(mut socket: WebSocket, shared: &Shared) {
    let first = timeout(PATIENCE, socket.recv()).await;
    let knock = match first {
        Ok(Some(Ok(Message::Text(text)))) => serde_json::from_str::<Knock>(&text).ok(),
        _ => None,
    };
    if !knock.is_some_and(|knock| shared.token.is(&knock.token)) {
        const WRONG: &str = "the token is missing or wrong";
        shared.refusals.note(WRONG);
        return close(socket, close_code::POLICY, WRONG).await;
    }
    let number = shared.guests.ever.fetch_add(1, Ordering::SeqCst) + 1;
    let _guest = Guest::new(&shared.guests);
    // The first one has the hand.
    let _ = shared.holder.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
    let why = talk(&mut socket, shared, number).await;
    let _ = shared.holder.compare_exchange(number, 0, Ordering::SeqCst, Ordering::SeqCst);
    if shared.holder.load(Ordering::SeqCst) == 0 {
        // Nobody is left who could let go.
        order(shared, Order::Hand(crate::session::Input::Release));
    }
    if let Some((code, why)) = why {
        if [close_code::POLICY, close_code::UNSUPPORTED].contains(&code) {
            shared.refusals.note(why);
        }
        close(socket, code, why).await;
    }
}

/// Sends pictures and takes orders; returns why the server closes, or none where the client did.
async fn talk(socket: &mut WebSocket, shared: &Shared, number: u64) -> Option<(u16, &'static str)> {
    let mut pictures = shared.feeds.picture.subscribe();
    let mut stages = shared.feeds.stage.subscribe();
    let mut notices = shared.feeds.notices.subscribe();
    let mut rate = Rate { left: MAX_BURST, last: Instant::now() };
    let mut beat = interval(BEAT);
    let mut shown = None;
    stages.mark_changed();
    loop {
        tokio::select! {
            message = socket.recv() => {
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Binary(_))) => return Some((close_code::UNSUPPORTED, "orders are text")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Utf8Bytes::default(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                };
                if !rate.take() {
                    return Some((close_code::POLICY, "too many messages"));
                }
                let answer = if text.is_empty() { None } else { obey(&text, shared, number) };
                if let Some(answer) = answer
                    && socket.send(Message::Text(answer.into())).await.is_err()
                {
                    return None;
                }
            }
            Ok(()) = stages.changed() => {
                let stage = stages.borrow_and_update().clone();
                if shown.is_some() && shown != Some(stage.number) {
                    // The page starts anew with the other scene.
                    return Some((close_code::RESTART, "another scene was opened"));
                }
                if stage.head.is_some() {
                    shown = Some(stage.number);
                    if send_stage(socket, shared, &stage, number).await.is_err() {
                        return None;
                    }
                }
            }
            Ok(()) = pictures.changed(), if shown.is_some() => {
                let bytes = pictures.borrow_and_update().clone();
                if !bytes.is_empty() && socket.send(Message::Binary(bytes.to_vec().into())).await.is_err() {
                    return None;
                }
            }
            // What passes keeps the connection, also where a program makes no pictures for a while.
            _ = beat.tick() => if socket.send(Message::Ping(Bytes::new())).await.is_err() { return None },
            notice = notices.recv() => match notice {
                Ok(text) => if socket.send(Message::Text(text.into())).await.is_err() { return None },
                // Some were missed; the next ones come.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Some((close_code::AWAY, "the viewer ends")),
            },
        }
    }
}

/// Carries out an order; returns what to answer.
fn obey(text: &str, shared: &Shared, number: u64) -> Option<String> {
    if let Ok(Own::TakeHand) = serde_json::from_str(text) {
        shared.holder.store(number, Ordering::SeqCst);
        let _ =
            shared.feeds.notices.send(serde_json::json!({ "say": "holder", "client": number }).to_string());
        return None;
    }
    let refuse = |text: String| Some(serde_json::json!({ "say": "refused", "text": text }).to_string());
    match serde_json::from_str::<Order>(text) {
        Err(error) => refuse(format!("this order is not understood: {error}")),
        Ok(_) if shared.holder.load(Ordering::SeqCst) != number => {
            refuse("another page has the hand; take it first".to_owned())
        }
        Ok(asked) => {
            order(shared, asked);
            None
        }
    }
}

fn order(shared: &Shared, order: Order) {
    // Where the physics has ended there is nobody to obey.
    let _ = shared.orders.lock().map(|orders| orders.send(order));
}

/// Sends what a page needs to draw: names and places of shapes as text, then vertices and triangles as bytes.
async fn send_stage(
    socket: &mut WebSocket,
    shared: &Shared,
    stage: &Stage,
    number: u64,
) -> Result<(), axum::Error> {
    let Some(head) = &stage.head else { return Ok(()) };
    let (mut vertices, mut triangles, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for (k, shape) in head.shapes.iter().enumerate() {
        // What is fixed is given from the centre, as everything that moves.
        let origin = if shape.body.is_none() { stage.center } else { [0.0; 3] };
        let (first_vertex, first_corner) = (vertices.len() / 4, triangles.len() / 4);
        for point in &shape.vertices {
            let from_origin = point.iter().zip(origin).map(|(x, o)| (x - o) as f32);
            vertices.extend(from_origin.flat_map(f32::to_le_bytes));
        }
        triangles.extend(shape.triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()));
        shapes.push(serde_json::json!({
            "name": head.shape_name(zerogap::world::ShapeId(k as u32)),
            "body": shape.body,
            "vertices": [first_vertex, vertices.len() / 4],
            "triangles": [first_corner, triangles.len() / 4],
        }));
    }
    let hello = serde_json::json!({
        "say": "hello",
        "version": env!("CARGO_PKG_VERSION"),
        "client": number,
        "holder": shared.holder.load(Ordering::SeqCst),
        "scene": head.scene,
        "scenes": shared.scenes,
        "choose": stage.is_choosing,
        "speed": stage.speed,
        "past": stage.has_past,
        "tick": stage.tick,
        "gravity": head.gravity,
        "center": stage.center,
        "bodies": head.bodies,
        "shapes": shapes,
    });
    let mut bytes = Vec::with_capacity(12 + vertices.len() + triangles.len());
    for count in [GEOMETRY, vertices.len() as u32, triangles.len() as u32] {
        bytes.extend(count.to_le_bytes());
    }
    bytes.extend(vertices);
    bytes.extend(triangles);
    socket.send(Message::Text(hello.to_string().into())).await?;
    socket.send(Message::Binary(bytes.into())).await
}

async fn close(mut socket: WebSocket, code: u16, why: &'static str) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(why) };
    // The client may be gone already, or never answer.
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
}
