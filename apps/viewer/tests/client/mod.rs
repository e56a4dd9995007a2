//! A viewer of a small scene, and clients that talk to it as a page does, or as an attacker would.

#![allow(dead_code, reason = "every test uses a part of this")]

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, HandshakeError, Message, WebSocket};
use zerogap::world::{BodyDef, Stepping, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_viewer::live::SceneChoice;
use zerogap_viewer::{Access, Show, Viewer};

/// Longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A thin plate of steel that floats.
pub(crate) fn floating() -> WorldBuilder {
    let params = WorldParams {
        gravity: Vec3::zeros(),
        ..WorldParams::new(Stepping { step: 1e-3, ..Stepping::default() })
    };
    let mut builder = WorldBuilder::new(params);
    let plate = Shape::cuboid(Vec3::new(0.1, 0.001, 0.1)).unwrap();
    builder.body(BodyDef::free(Pose::identity()).named("plate").with(plate, "steel")).unwrap();
    builder
}

pub(crate) fn show(name: &str, builder: WorldBuilder, out: &Path) -> Show {
    let choice = SceneChoice { name: "another".to_owned(), description: "the same".to_owned() };
    Show {
        first: Some((name.to_owned(), builder)),
        speed: 1.0,
        is_paused: false,
        out: out.to_owned(),
        scenes: vec![choice],
        open: Box::new(|number| match number {
            0 => Ok(("another".to_owned(), floating())),
            _ => Err(format!("there is no scene {number}")),
        }),
    }
}

/// A viewer of the floating plate.
pub(crate) fn viewer(out: &Path) -> Viewer {
    Viewer::start(show("floating", floating(), out), Access::default()).unwrap()
}

/// A viewer at another address of the loopback.
pub(crate) fn viewer_at(last: u8, out: &Path) -> Viewer {
    let access = Access { listen: IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), ..Access::default() };
    Viewer::start(show("floating", floating(), out), access).unwrap()
}

/// A socket of a client.
pub(crate) struct Client(pub(crate) WebSocket<TcpStream>);

/// What became of an attempt to open a socket: the socket, or the status that refused it.
pub(crate) fn socket(viewer: &Viewer, edit: impl FnOnce(&mut Request)) -> Result<Client, u16> {
    let address = viewer.address();
    let mut request = format!("ws://{address}/socket").into_client_request().unwrap();
    request.headers_mut().insert("origin", HeaderValue::from_str(&format!("http://{address}")).unwrap());
    edit(&mut request);
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(Client(socket)),
        Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

/// A client with the token.
pub(crate) fn client(viewer: &Viewer) -> Client {
    let mut client = socket(viewer, |_| {}).unwrap();
    client.send(&json!({ "token": viewer.token() }));
    client
}

/// A client with the token that has been let in.
pub(crate) fn hello(viewer: &Viewer) -> Client {
    let mut client = client(viewer);
    client.said("hello");
    client
}

/// A picture, as far as tests need it.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) tick: u64,
    pub(crate) is_paused: bool,
    pub(crate) is_held: bool,
    pub(crate) poses: Vec<[f32; 7]>,
}

impl Client {
    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// The next message that is not a ping.
    pub(crate) fn next(&mut self) -> Result<Message, Error> {
        loop {
            let message = self.0.read()?;
            if !matches!(message, Message::Ping(_) | Message::Pong(_)) {
                return Ok(message);
            }
        }
    }

    /// The code and the reason with which the server closes; everything before is skipped.
    pub(crate) fn closed(&mut self) -> (CloseCode, String) {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "the server does not close");
            match self.next() {
                Ok(Message::Close(Some(frame))) => return (frame.code, frame.reason.to_string()),
                Ok(_) => {}
                Err(error) => panic!("closed without a reason: {error}"),
            }
        }
    }

    /// The next text that says something of a kind.
    pub(crate) fn said(&mut self, kind: &str) -> Value {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "nothing is said of {kind}");
            if let Message::Text(text) = self.next().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value["say"] == kind {
                    return value;
                }
            }
        }
    }

    /// The next picture that fits.
    pub(crate) fn picture(&mut self, fits: impl Fn(&Picture) -> bool) -> Picture {
        let start = Instant::now();
        let mut last = None;
        loop {
            assert!(start.elapsed() < PATIENCE, "no picture fits, the last one is {last:?}");
            if let Message::Binary(bytes) = self.next().unwrap()
                && let Some(picture) = picture(&bytes)
            {
                if fits(&picture) {
                    return picture;
                }
                last = Some(picture);
            }
        }
    }
}

/// A picture from its bytes; none where they are the shapes of a scene.
fn picture(bytes: &[u8]) -> Option<Picture> {
    const STATE: usize = 15;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let single = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    if word(0) != 1 {
        return None;
    }
    let (bodies, flags) = (word(20) as usize, word(28));
    let pose = |body: usize| std::array::from_fn(|k| single(32 + 4 * (STATE + 7 * body + k)));
    Some(Picture {
        tick: f64::from_le_bytes(bytes[4..12].try_into().unwrap()) as u64,
        is_paused: flags & 1 != 0,
        is_held: flags & 4 != 0,
        poses: (0..bodies).map(pose).collect(),
    })
}

/// The answer to a request in plain text: head and body.
pub(crate) fn asked(viewer: &Viewer, request: &str) -> String {
    let mut stream = TcpStream::connect(viewer.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A server that closes in the middle has answered all the same.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The answer to a request for a path.
pub(crate) fn get(viewer: &Viewer, path: &str) -> String {
    asked(viewer, &format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", viewer.address()))
}

/// Whether the server still serves the page and pictures.
pub(crate) fn is_well(viewer: &Viewer) {
    assert!(viewer.is_running());
    assert!(get(viewer, "/").starts_with("HTTP/1.1 200"));
    let mut client = client(viewer);
    assert_eq!(client.said("hello")["bodies"][0], "plate");
    client.picture(|_| true);
}
