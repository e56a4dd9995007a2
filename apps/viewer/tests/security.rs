//! Who may use the server, and what floods and rubbish do to it: nothing.

mod client;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;

use client::{PATIENCE, asked, client, get, is_well, socket, viewer, viewer_at};

/// The variable that says how long rubbish is sent [s].
const FUZZ: &str = "ZEROGAP_FUZZ_SECONDS";

#[test]
fn a_wrong_token_is_refused_and_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let right = viewer.token().to_owned();
    for token in ["", "0", &right[1..], &format!("{right}0"), &right.to_uppercase(), "\u{0}"] {
        let mut knocking = socket(&viewer, |_| {}).unwrap();
        knocking.send(&json!({ "token": token }));
        assert_eq!(
            knocking.closed(),
            (CloseCode::Policy, "the token is missing or wrong".to_owned()),
            "{token}"
        );
    }
    for first in
        [json!({}), json!({ "token": [right.clone()] }), json!({ "token": right, "more": 1 }), json!([])]
    {
        let mut knocking = socket(&viewer, |_| {}).unwrap();
        knocking.send(&first);
        assert_eq!(knocking.closed().0, CloseCode::Policy, "{first}");
    }
    assert_eq!(viewer.refusals(), ["the token is missing or wrong"]);
    is_well(&viewer);
}

#[test]
fn a_socket_without_token_is_closed_after_two_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let mut late = socket(&viewer, |_| {}).unwrap();
    let start = Instant::now();
    assert_eq!(late.closed().0, CloseCode::Policy);
    let waited = start.elapsed();
    assert!(waited > Duration::from_millis(1900) && waited < Duration::from_secs(20), "{waited:?}");
    is_well(&viewer);
}

#[test]
fn the_token_is_in_no_page_and_no_header() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    assert!(viewer.url().ends_with(&format!("/#token={}", viewer.token())));
    for path in ["/", "/boot.js", "/program.js", "/style.css", "/three.js", "/licence.txt"] {
        let answer = get(&viewer, path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", &answer[..60]);
        assert!(!answer.contains(viewer.token()), "{path}");
        // Nothing is loaded from elsewhere, kept or passed on.
        let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
        for line in [
            "script-src 'self'",
            "default-src 'none'",
            "frame-ancestors 'none'",
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "x-content-type-options: nosniff",
        ] {
            assert!(head.contains(line), "{path} has no {line}: {head}");
        }
    }
    assert!(!get(&viewer, "/").contains("<script>"), "no script stands in the page");
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let port = viewer.address().port();
    let status = |host: &str, more: &str| {
        let answer =
            asked(&viewer, &format!("GET / HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"));
        answer.get(9..12).unwrap_or_default().to_owned()
    };
    // Any port: a tunnel has another.
    for host in ["localhost", "localhost:1", "127.0.0.1:65535", "[::1]:8000", &format!("127.0.0.1:{port}")] {
        assert_eq!(status(host, ""), "200", "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.2",
        "0.0.0.0",
        "127.0.0.1.nip.io",
        "localhost:80@evil.example",
        "",
    ] {
        assert_ne!(status(host, ""), "200", "{host}");
    }
    assert_ne!(status("localhost", "Host: evil.example\r\n"), "200");
    for origin in [
        "http://evil.example",
        "https://localhost",
        "http://localhost:1",
        "null",
        "http://localhost.evil.example",
    ] {
        assert_eq!(status("localhost", &format!("Origin: {origin}\r\n")), "403", "{origin}");
    }
    assert_eq!(status("localhost", "Origin: http://localhost\r\n"), "200");

    // The same for sockets, which moreover come from a page.
    let set = |name: &'static str, value: &str| {
        let value = HeaderValue::from_str(value).unwrap();
        move |request: &mut tungstenite::handshake::client::Request| {
            request.headers_mut().insert(name, value);
        }
    };
    assert_eq!(socket(&viewer, set("origin", "http://evil.example")).err(), Some(403));
    assert_eq!(socket(&viewer, set("host", "evil.example")).err(), Some(403));
    assert_eq!(socket(&viewer, |request| drop(request.headers_mut().remove("origin"))).err(), Some(403));
    is_well(&viewer);
}

#[test]
fn no_path_leads_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/./boot.js/../../Cargo.toml",
        "/boot.js%00",
        "/..\\..\\windows",
        "/page.html",
        "/socket/../",
        "/?file=/etc/passwd#x",
    ] {
        let answer = get(&viewer, path);
        assert!(!answer.contains("[package]") && !answer.contains("root:"), "{path}: {answer}");
        assert!(answer.starts_with("HTTP/1.1 4") || path.starts_with("/?"), "{path}: {answer}");
    }
    // Scenes have numbers.
    let mut client = client(&viewer);
    for scene in [json!("../../etc/passwd"), json!(-1), json!(1e99), json!(7)] {
        client.send(&json!({ "do": "open", "scene": scene }));
        client.said("refused");
    }
    // And the server chooses the names of files.
    client.send(&json!({ "do": "save", "file": "/tmp/elsewhere" }));
    let said = loop {
        let message = client.next().unwrap();
        if let Message::Text(text) = message
            && (text.contains("saved") || text.contains("refused"))
        {
            break text.to_string();
        }
    };
    assert!(!said.contains("elsewhere"), "{said}");
    is_well(&viewer);
}

#[test]
fn long_messages_and_rubbish_close_their_own_socket_alone() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let mut good = client(&viewer);
    good.said("hello");
    // Too long, with the token and before it.
    let mut long = client(&viewer);
    long.said("hello");
    let _ = long.0.send(Message::text("x".repeat(1 << 20)));
    while long.next().is_ok() {}
    let mut first = socket(&viewer, |_| {}).unwrap();
    let _ = first.0.send(Message::text("x".repeat(1 << 20)));
    while first.next().is_ok() {}
    // Bytes are no orders.
    let mut bytes = client(&viewer);
    bytes.0.send(Message::binary(vec![0_u8; 64])).unwrap();
    assert_eq!(bytes.closed().0, CloseCode::Unsupported);
    // A flood of orders.
    let mut flood = client(&viewer);
    for _ in 0..3000 {
        if flood.0.send(Message::text("{\"do\":\"pause\"}")).is_err() {
            break;
        }
    }
    // What was still on its way may cost it the reason; the server has noted it.
    while flood.next().is_ok() {}
    assert!(viewer.refusals().contains(&"too many messages".to_owned()), "{:?}", viewer.refusals());
    good.picture(|_| true);
    is_well(&viewer);
}

#[test]
fn a_thousand_connections_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let mut good = client(&viewer);
    good.said("hello");
    let mut held: Vec<TcpStream> = Vec::new();
    for _ in 0..1000 {
        let mut stream = TcpStream::connect(viewer.address()).unwrap();
        // Half a request, never ended.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: local");
        held.push(stream);
    }
    let start = good.picture(|_| true).tick;
    good.picture(|picture| picture.tick > start + 50);
    // Beyond the limit they are closed at once; the others when nothing has come for a while.
    let patience = Instant::now();
    for mut stream in held {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut buffer = [0; 1024];
        while matches!(stream.read(&mut buffer), Ok(1..)) {}
    }
    assert!(patience.elapsed() < Duration::from_secs(40), "{:?}", patience.elapsed());
    is_well(&viewer);
}

#[test]
fn pages_beyond_the_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let open: Vec<_> = (0..zerogap_viewer::server::MAX_CLIENTS).map(|_| client(&viewer)).collect();
    assert_eq!(socket(&viewer, |_| {}).err(), Some(503));
    drop(open);
    let start = Instant::now();
    while socket(&viewer, |_| {}).is_err() {
        assert!(start.elapsed() < PATIENCE, "places are not given back");
        std::thread::sleep(Duration::from_millis(50));
    }
    is_well(&viewer);
}

#[test]
fn another_address_of_this_machine_is_served_under_its_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer_at(2, folder.path());
    assert!(viewer.url().starts_with("http://127.0.0.2:"));
    is_well(&viewer);
    let mut wrong = socket(&viewer, |_| {}).unwrap();
    wrong.send(&json!({ "token": "no" }));
    assert_eq!(wrong.closed().0, CloseCode::Policy);
    for _ in 0..3 {
        assert!(asked(&viewer, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains(" 403 "));
    }
    assert_eq!(viewer.refusals().len(), 2, "{:?}", viewer.refusals());
    is_well(&viewer);
}

#[test]
fn one_client_controls_and_others_watch() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let mut first = client(&viewer);
    let number = first.said("hello")["client"].clone();
    let mut second = client(&viewer);
    let hello = second.said("hello");
    assert_eq!(hello["holder"], number);
    second.send(&json!({ "do": "pause" }));
    assert!(second.said("refused")["text"].as_str().unwrap().contains("another page"));
    assert!(!second.picture(|_| true).is_paused);
    second.send(&json!({ "do": "take_hand" }));
    assert_eq!(first.said("holder")["client"], hello["client"]);
    second.send(&json!({ "do": "pause" }));
    first.picture(|picture| picture.is_paused);
    // Whoever holds something and goes lets go.
    second.send(&json!({ "do": "hand", "input": "pull", "body": 0, "at": [0, 0, 0], "to": [0.1, 0, 0] }));
    second.send(&json!({ "do": "play" }));
    first.picture(|picture| picture.is_held);
    drop(second);
    first.picture(|picture| !picture.is_held);
}

/// Letters that stand in orders.
const PIECES: &[u8] = b"0919-e.\"[]{},:";

/// Numbers that look random, the same in every run (xorshift).
struct Random(u32);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % end
    }
}

/// Rubbish, and orders that were changed in places, for some seconds: the server never falls, and obeys afterwards.
#[test]
fn malformed_messages_do_no_harm() {
    let seconds: u64 = std::env::var(FUZZ).ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let folder = tempfile::tempdir().unwrap();
    let viewer = viewer(folder.path());
    let mut random = Random(2_463_534_242);
    let seeds = [
        r#"{"do":"hand","input":"pull","body":0,"at":[0,0,0],"to":[0.1,0,0],"strength":1}"#,
        r#"{"do":"hand","input":"turn","body":0,"to":[0,0,0,1]}"#,
        r#"{"do":"hand","input":"carry","body":0,"to":[0,0,0,0,0,0,1]}"#,
        r#"{"do":"hand","input":"release"}"#,
        r#"{"do":"rewind","tick":3}"#,
        r#"{"do":"step","count":2}"#,
        r#"{"do":"speed","value":2}"#,
        r#"{"do":"open","scene":0}"#,
        r#"{"do":"take_hand"}"#,
        r#"{"do":"play"}"#,
    ];
    let start = Instant::now();
    let mut sent = 0_u32;
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut rude = client(&viewer);
        for _ in 0..200 {
            let mut bytes = seeds[random.below(seeds.len())].as_bytes().to_vec();
            for _ in 0..random.below(4) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.below(128) as u8,
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, PIECES[random.below(PIECES.len())]),
                    _ => bytes.extend_from_within(at..),
                }
                if bytes.is_empty() {
                    bytes.push(b'{');
                }
            }
            if rude.0.send(Message::text(String::from_utf8_lossy(&bytes).into_owned())).is_err() {
                break;
            }
            sent += 1;
        }
        // Until all of it was read, or another scene has ended the socket: what is left unread when a client goes is lost.
        let mark = format!("mark {sent}");
        let _ = rude.0.send(Message::text(json!({ "do": mark }).to_string()));
        while let Ok(message) = rude.next() {
            if matches!(&message, Message::Text(text) if text.contains(&mark)) {
                break;
            }
        }
        assert!(viewer.is_running(), "after {sent} messages");
    }
    eprintln!("{sent} messages in {seconds} s");
    let mut last = client(&viewer);
    last.said("hello");
    last.send(&json!({ "do": "take_hand" }));
    last.send(&json!({ "do": "open", "scene": 0 }));
    // Pages start anew with another scene.
    assert_eq!(last.closed().0, CloseCode::Restart);
    is_well(&viewer);
}
