//! Who may use the server: tokens, hosts and origins.
//!
//! In: a request. Out: the request, or a refusal in words. A page of another site can make a browser send requests here; it cannot choose the host that they name, nor read the token.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Shared, ViewError};

/// Bytes of a token [-].
const TOKEN_BYTES: usize = 24;

/// Headers of every answer: what the page may load, and that nothing of it is kept or passed on.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// A secret of this server.
#[derive(Debug, Clone)]
pub(super) struct Token(String);

impl Token {
    /// A new one, from the random numbers of the system.
    pub(super) fn new() -> Result<Self, ViewError> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| ViewError::Random(error.to_string()))?;
        let mut text = String::new();
        for byte in bytes {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, in a time that does not depend on how much of it is right.
    pub(super) fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let difference = own.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == other.len() && std::hint::black_box(difference) == 0
    }
}

/// Kinds of refusals that have happened, each once: a flood of requests makes no flood of warnings.
#[derive(Debug, Default)]
pub(super) struct Refusals(Mutex<Vec<String>>);

impl Refusals {
    /// Notes why something was refused.
    pub(super) fn note(&self, why: &str) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let why = why.trim_end();
        if !kinds.iter().any(|kind| kind == why) {
            kinds.push(why.to_owned());
        }
    }

    pub(super) fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Refuses requests to other hosts and from other sites; adds the headers of every answer.
pub(super) async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut answer = match refusal(&shared, request.headers()) {
        Some(why) => {
            shared.refusals.note(why);
            (StatusCode::FORBIDDEN, why).into_response()
        }
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Why a request is refused.
fn refusal(shared: &Shared, headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) else {
        return Some("a request names one host\n");
    };
    if !is_allowed(shared, host) {
        return Some("this server does not answer to that host name: allow it with --allow-host\n");
    }
    match headers.get(header::ORIGIN).map(HeaderValue::to_str) {
        None => None,
        Some(Ok(origin)) if origin.strip_prefix("http://") == Some(host) => None,
        Some(_) => Some("requests from other sites are refused\n"),
    }
}

/// Whether requests may name a host: the loopback's names with any port, the address that is listened at, and those that were allowed.
fn is_allowed(shared: &Shared, host: &str) -> bool {
    let Some(name) = host_name(host) else { return false };
    let own = shared.access.listen.to_string();
    let is_own = !shared.access.listen.is_unspecified() && name == own;
    ["localhost", "127.0.0.1", "::1"].contains(&name)
        || is_own
        || shared.access.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
}

/// The name in a host header, without port and brackets.
fn host_name(host: &str) -> Option<&str> {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit());
    if let Some(rest) = host.strip_prefix('[') {
        let (name, rest) = rest.split_once(']')?;
        return (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)).then_some(name);
    }
    match host.split_once(':') {
        None => Some(host),
        Some((name, port)) => is_port(port).then_some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, host_name};

    #[test]
    fn a_token_is_itself_alone() {
        let token = Token::new().unwrap();
        assert!(token.is(token.text()));
        assert!(!token.is(""));
        assert!(!token.is(&token.text()[1..]));
        assert!(!token.is(&format!("{}0", token.text())));
        assert!(!token.is(Token::new().unwrap().text()));
        assert_eq!(token.text().len(), 48);
    }

    #[test]
    fn host_names_have_no_port_and_no_brackets() {
        assert_eq!(host_name("localhost:8000"), Some("localhost"));
        assert_eq!(host_name("127.0.0.1"), Some("127.0.0.1"));
        assert_eq!(host_name("[::1]:9"), Some("::1"));
        assert_eq!(host_name("[::1]"), Some("::1"));
        for bad in ["localhost:", "localhost:8a", "[::1", "[::1]x", "a:1:2", "localhost:80@evil.example"] {
            assert_eq!(host_name(bad), None, "{bad}");
        }
    }
}
