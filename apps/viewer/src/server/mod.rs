//! The page on this machine, and who may use it.
//!
//! In: a scene and an address. Out: a [`Viewer`]: a server on the loopback interface that shows the scene to whoever has the token. Requests must name a host that is allowed, sockets come from the page alone, and send the token as
//! their first message. One client has the hand, others watch.

mod assets;
mod guard;
mod limit;
mod opened;
mod socket;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::routing::get;
use axum::{Router, middleware};
use tokio::sync::oneshot;
use zerogap::Vec3;
use zerogap::world::{WorldBuilder, WorldParams};

use crate::live::{Clearance, Clock, Feeds, Live, OpenScene, Order, Records, SceneChoice};
use crate::session::{Session, SessionError};

pub use opened::open_in_browser;
pub use socket::{MAX_CLIENTS, MAX_MESSAGE, PATIENCE};

use guard::{Refusals, Token};
use limit::Limited;

/// How long a page may be away, such as while it is loaded again.
const AWAY: Duration = Duration::from_secs(5);

/// Where the page is served, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The address to listen at.
    pub listen: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Names of hosts that requests may be addressed to, beside `localhost`, `127.0.0.1` and `[::1]`.
    pub hosts: Vec<String>,
}

impl Default for Access {
    fn default() -> Self {
        Self { listen: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, hosts: Vec::new() }
    }
}

/// Why a viewer cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The scene has no world.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The address cannot be listened at.
    #[error("{address} cannot be listened at: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The system gives no random numbers for the token.
    #[error("the system gives no random numbers for the access token: {0}")]
    Random(String),
    /// The threads of the server cannot start.
    #[error("the server cannot start: {0}")]
    Start(io::Error),
}

/// What a viewer shows first.
pub struct Show {
    /// Name of the scene and its world; none where the page asks which one.
    pub first: Option<(String, WorldBuilder)>,
    /// Time of the scene that passes in a second [-].
    pub speed: f64,
    /// Whether time stands until somebody lets it pass.
    pub is_paused: bool,
    /// The folder that recordings go to.
    pub out: PathBuf,
    /// The scenes that can be opened on the page.
    pub scenes: Vec<SceneChoice>,
    /// Opens one of them.
    pub open: Box<OpenScene>,
}

/// A server that shows a scene. It ends when it is dropped.
pub struct Viewer {
    address: SocketAddr,
    token: Token,
    refusals: Arc<Refusals>,
    guests: Arc<Guests>,
    end: Option<oneshot::Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

/// What all requests share.
pub(crate) struct Shared {
    access: Access,
    token: Token,
    feeds: Feeds,
    orders: Mutex<mpsc::Sender<Order>>,
    scenes: Vec<SceneChoice>,
    /// Sockets that are open, with token or without [-].
    sockets: AtomicUsize,
    /// The number of the client that has the hand; 0 is none.
    holder: AtomicU64,
    guests: Arc<Guests>,
    refusals: Arc<Refusals>,
}

/// Clients with the token.
#[derive(Debug, Default)]
pub(crate) struct Guests {
    /// How many are there [-].
    pub(crate) now: AtomicUsize,
    /// How many have been there so far; their numbers count from 1 [-].
    pub(crate) ever: AtomicU64,
    /// When the last one went.
    pub(crate) left: Mutex<Option<Instant>>,
}

impl Viewer {
    /// Starts the threads of a scene and its server.
    pub fn start(show: Show, access: Access) -> Result<Self, ViewError> {
        let is_choosing = show.first.is_none();
        // Until a scene is chosen there is an empty world.
        let (name, builder) =
            show.first.unwrap_or_else(|| (String::new(), WorldBuilder::new(WorldParams::default())));
        let session = Session::new(&name, builder)?;
        let feeds = Feeds::new();
        let (orders, taken) = mpsc::channel();
        let mut viewer = Self::serve(access, show.scenes, feeds.clone(), orders)?;
        let live = Live {
            clock: Clock::new(session.world().time(), show.speed, show.is_paused || is_choosing),
            session,
            orders: taken,
            feeds,
            open: show.open,
            out: show.out,
            is_choosing,
            records: Records::default(),
            center: Vec3::zeros(),
            clearance: Clearance::default(),
        };
        let physics = thread::Builder::new().name("physics".to_owned());
        viewer.threads.push(physics.spawn(move || live.run()).map_err(ViewError::Start)?);
        Ok(viewer)
    }

    /// Starts the server alone: it shows what comes from the feeds, and sends on what clients order.
    pub(crate) fn serve(
        access: Access,
        scenes: Vec<SceneChoice>,
        feeds: Feeds,
        orders: mpsc::Sender<Order>,
    ) -> Result<Self, ViewError> {
        let token = Token::new()?;
        let address = SocketAddr::new(access.listen, access.port);
        let refuse = |error| ViewError::Listen { address, error };
        let listener = TcpListener::bind(address).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        let (refusals, guests) = (Arc::new(Refusals::default()), Arc::new(Guests::default()));
        let shared = Arc::new(Shared {
            access,
            token: token.clone(),
            feeds,
            orders: Mutex::new(orders),
            scenes,
            sockets: AtomicUsize::new(0),
            holder: AtomicU64::new(0),
            guests: Arc::clone(&guests),
            refusals: Arc::clone(&refusals),
        });
        let (end, ended) = oneshot::channel();
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ViewError::Start)?;
        let server = thread::Builder::new().name("viewer".to_owned());
        let server = server.spawn(move || runtime.block_on(serve(listener, shared, ended)));
        let threads = vec![server.map_err(ViewError::Start)?];
        Ok(Self { address, token, refusals, guests, end: Some(end), threads })
    }

    /// The address that is listened at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The secret that clients must know.
    pub fn token(&self) -> &str {
        self.token.text()
    }

    /// The address of the page, with the token in its fragment, which browsers send nowhere.
    pub fn url(&self) -> String {
        format!("http://{}/#token={}", self.address, self.token.text())
    }

    /// Pages that are open now, and that have been open so far [-].
    pub fn pages(&self) -> (usize, u64) {
        (self.guests.now.load(Ordering::SeqCst), self.guests.ever.load(Ordering::SeqCst))
    }

    /// Whether pages have been open, and none has been for some seconds: nobody looks any more.
    pub fn is_left(&self) -> bool {
        let left = *self.guests.left.lock().unwrap_or_else(PoisonError::into_inner);
        self.pages().0 == 0 && left.is_some_and(|left| left.elapsed() > AWAY)
    }

    /// Every kind of refusal that has happened, in words, each once.
    pub fn refusals(&self) -> Vec<String> {
        self.refusals.list()
    }

    /// Whether the server still runs.
    pub fn is_running(&self) -> bool {
        self.threads.iter().all(|thread| !thread.is_finished())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        // The server ends, with it the last sender of orders, and with that the physics.
        drop(self.end.take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Serves until the viewer is dropped.
async fn serve(listener: TcpListener, shared: Arc<Shared>, ended: oneshot::Receiver<()>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let router = Router::new()
        .route("/socket", get(socket::open))
        .fallback(assets::serve)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::check))
        .with_state(shared);
    tokio::select! {
        _ = axum::serve(Limited::new(listener), router) => {}
        // The sender is dropped, never used.
        _ = ended => {}
    }
}
