//! What the page is made of.
//!
//! In: a path. Out: one of a few files that are part of the program; nothing is read from disk.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use zerogap::picture::page;

const PAGE: &str = include_str!("../../page/page.html");
const STYLE: &str = include_str!("../../page/style.css");
const BOOT: &str = include_str!("../../page/boot.js");
const DATA: &str = include_str!("../../page/data.js");
const TOOLS: &str = include_str!("../../page/tools.js");
const HAND: &str = include_str!("../../page/hand.js");
const DEVICES: &str = include_str!("../../page/devices.js");
const MAIN: &str = include_str!("../../page/main.js");

/// Serves a file of the page.
pub(super) async fn serve(uri: Uri) -> Response {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const TEXT: &str = "text/plain; charset=utf-8";
    let (kind, body) = match uri.path() {
        "/" => ("text/html; charset=utf-8", PAGE.to_owned()),
        "/style.css" => ("text/css; charset=utf-8", format!("{}\n{STYLE}", page::STYLE)),
        "/boot.js" => (SCRIPT, BOOT.to_owned()),
        "/three.js" => (SCRIPT, page::THREE.to_owned()),
        "/program.js" => (SCRIPT, page::program(&[DATA], &[TOOLS, HAND, DEVICES, MAIN])),
        "/licence.txt" => (TEXT, page::THREE_LICENCE.to_owned()),
        _ => return (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    };
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}
