//! A listener that keeps the number of connections within a limit.
//!
//! In: a listener. Out: connections; those beyond the limit are closed at once, and so are those on which nothing passes for [`MAX_IDLE`], so that a flood costs neither memory nor the clients that are there. (Pages that are
//! open get pictures all the time.)

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at a time [-].
pub(super) const MAX_CONNECTIONS: usize = 64;

/// Longest time in which nothing passes on a connection.
pub(super) const MAX_IDLE: Duration = Duration::from_secs(5);

/// How long to wait where the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// A listener with a limit.
pub(super) struct Limited {
    listener: TcpListener,
    permits: Arc<Semaphore>,
}

impl Limited {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, permits: Arc::new(Semaphore::new(MAX_CONNECTIONS)) }
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Small messages go out at once.
                    let _ = stream.set_nodelay(true);
                    if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
                        return (
                            Connection { stream, idle: Box::pin(sleep(MAX_IDLE)), _permit: permit },
                            address,
                        );
                    }
                }
                Err(_) => sleep(NO_ROOM).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection that counts until it is closed.
pub(super) struct Connection {
    stream: TcpStream,
    /// Ends where nothing has passed for too long.
    idle: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// What came of an operation: where it passed, time begins anew, where it waits for too long, it fails.
    fn within_time<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.idle.as_mut().reset(Instant::now() + MAX_IDLE);
        } else if self.idle.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        outcome
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.within_time(cx, outcome)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.within_time(cx, outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
