//! A browser without a screen, driven over its debugging protocol.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Longest wait for anything; a busy machine takes seconds.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    number: u64,
    /// What went wrong in the page, in words.
    pub(crate) faults: Vec<String>,
    folder: PathBuf,
}

impl Browser {
    /// Starts a browser with an empty page of a size [px]; none where `ZEROGAP_BROWSER` names none.
    pub(crate) fn start(name: &str, (width, height): (u32, u32)) -> Option<Self> {
        let Ok(program) = std::env::var("ZEROGAP_BROWSER") else {
            eprintln!("skipped: ZEROGAP_BROWSER names no Chromium; `cargo xtask test` looks for one");
            return None;
        };
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("view-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let child = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu-sandbox", "--disable-dev-shm-usage"])
            .args([
                "--use-gl=angle",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--hide-scrollbars",
            ])
            .args(["--remote-debugging-port=0", &format!("--window-size={width},{height}")])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.join("messages.txt")).unwrap())
            .spawn()
            .unwrap();
        let port = waited("the port of the browser", || {
            let text = fs::read_to_string(folder.join("DevToolsActivePort")).ok()?;
            text.lines().next()?.parse::<u16>().ok()
        });
        let address = waited("the page of the browser", || {
            let pages: Value = serde_json::from_str(&get(port, "/json/list")?).ok()?;
            let page = pages.as_array()?.iter().find(|page| page["type"] == "page")?;
            Some(page["webSocketDebuggerUrl"].as_str()?.to_owned())
        });
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(address, stream).unwrap();
        let mut browser = Self { child, socket, number: 0, faults: Vec::new(), folder };
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.resize((width, height));
        Some(browser)
    }

    /// Sends a command and returns its result; events that tell of faults are kept.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.tried(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same where the browser may refuse.
    fn tried(&mut self, method: &str, parameters: &Value) -> Result<Value, Value> {
        self.number += 1;
        let message = json!({ "id": self.number, "method": method, "params": parameters });
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.number {
                let error = answer["error"].take();
                return if error.is_null() { Ok(answer["result"].take()) } else { Err(error) };
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        let fault = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => Some(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled")
                if ["error", "warning", "assert"].iter().any(|kind| parameters["type"] == *kind) =>
            {
                Some(parameters["args"].to_string())
            }
            Some("Log.entryAdded")
                if ["error", "warning"].iter().any(|level| parameters["entry"]["level"] == *level) =>
            {
                Some(parameters["entry"].to_string())
            }
            _ => None,
        };
        // A driver that tells how fast it is is no fault of the page.
        self.faults.extend(fault.filter(|text| !text.contains("GL Driver Message")));
    }

    pub(crate) fn resize(&mut self, (width, height): (u32, u32)) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Opens an address.
    pub(crate) fn open(&mut self, url: &str) {
        self.call("Page.navigate", &json!({ "url": url }));
    }

    /// The value of an expression, or of what it promises.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.tried_value(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same where the page may be loaded again meanwhile.
    fn tried_value(&mut self, expression: &str) -> Result<Value, Value> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.tried("Runtime.evaluate", &asked)?;
        let exception = answer["exceptionDetails"].take();
        if exception.is_null() { Ok(answer["result"]["value"].take()) } else { Err(exception) }
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        loop {
            let found = self.tried_value(expression);
            if found == Ok(Value::Bool(true)) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let state = self.tried_value("window.zerogap?.state?.()");
                panic!("never: {expression}: {found:?}; {state:?}; {:?}", self.faults);
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// An event of the left button of the mouse at a place [px].
    pub(crate) fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let buttons = u32::from(kind != "mouseReleased");
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// A key that is pressed and let go.
    pub(crate) fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", &json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// Writes a picture of the page, where `ZEROGAP_SHOTS` names a folder.
    pub(crate) fn shot(&mut self, name: &str) {
        let Ok(folder) = std::env::var("ZEROGAP_SHOTS") else { return };
        let answer = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let bytes = BASE64_STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What is there at last.
fn waited<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "no {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The body of an answer of the browser.
fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_millis(500))).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = Vec::new();
    // The browser may keep the connection: what has come until then is the answer.
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8(answer).ok()?;
    text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())
}
