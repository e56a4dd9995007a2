//! The outer form of a recording: a preamble, then chunks with a kind, a length and checksums.
//!
//! In: payloads, or the bytes of a file. Out: whole chunks in their order, and where they end. `encode` and `decode` define their content. A file grows by whole chunks
//! and nothing in it is changed later, so a process that dies leaves a file of whole chunks and at most one torn one.

use crc32fast::hash as crc32;

use super::error::{Fault, Flaw, Unfit};

/// The first bytes of every recording. The first is no text, and the line ends show whether a transfer took the file for text.
pub(super) const MAGIC: [u8; 8] = *b"\x89ZGR\r\n\x1a\n";

/// The version that is written, and the newest that is read. Version 1 had no contact points and no names of shapes.
pub(super) const VERSION: u32 = 2;

/// Length of the preamble: magic, version and their checksum [B].
pub(super) const PREAMBLE: usize = 16;

/// Length of the header of each payload: kind, length, checksum of the payload, checksum of these twelve bytes [B].
pub(super) const HEADER: usize = 16;

/// What was simulated, as text.
pub(super) const HEAD: [u8; 4] = *b"HEAD";
/// Triangles of the shapes.
pub(super) const GEOMETRY: [u8; 4] = *b"GEOM";
/// Frames, several at a time.
pub(super) const FRAMES: [u8; 4] = *b"FRAM";
/// Events, several at a time.
pub(super) const EVENTS: [u8; 4] = *b"EVNT";
/// How the run ended.
pub(super) const END: [u8; 4] = *b"DONE";

/// Magic bytes of a recording.
pub(super) fn preamble() -> [u8; PREAMBLE] {
    let mut bytes = [0; PREAMBLE];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let sum = crc32(&bytes[..12]);
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Reserves the header of a chunk; data appended from here on is its payload.
pub(super) fn begin(out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.resize(start + HEADER, 0);
    start
}

/// Fills the header of the chunk that began there, with all bytes after it as payload.
pub(super) fn close(out: &mut [u8], start: usize, kind: [u8; 4]) -> Result<(), Unfit> {
    let (header, payload) = out[start..].split_at_mut(HEADER);
    let max = u32::MAX as usize;
    let length = u32::try_from(payload.len()).map_err(|_| Unfit::TooLong { bytes: payload.len(), max })?;
    header[..4].copy_from_slice(&kind);
    header[4..8].copy_from_slice(&length.to_le_bytes());
    header[8..12].copy_from_slice(&crc32(payload).to_le_bytes());
    let sum = crc32(&header[..12]);
    header[12..].copy_from_slice(&sum.to_le_bytes());
    Ok(())
}

/// A whole chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) kind: [u8; 4],
    /// Where its header begins in the file [B].
    pub(super) at: usize,
    pub(super) payload: &'a [u8],
}

/// Next item of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next<'a> {
    Chunk(Chunk<'a>),
    /// Nothing that is whole: so many bytes are left [B].
    Tail(usize),
}

/// Checks the preamble; returns the version.
pub(super) fn check_preamble(bytes: &[u8]) -> Result<u32, Flaw> {
    let flaw = |offset, fault| Err(Flaw { offset, fault });
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] || bytes.is_empty() {
        return flaw(0, Fault::NotARecording);
    }
    let Some(preamble) = bytes.first_chunk::<PREAMBLE>() else { return flaw(bytes.len(), Fault::NoHead) };
    let [version, sum] = [word(preamble, 8), word(preamble, 12)];
    if crc32(&preamble[..12]) != sum {
        return flaw(8, Fault::Damaged);
    }
    if version > VERSION {
        return flaw(8, Fault::Newer { version, known: VERSION });
    }
    if version == 0 {
        return flaw(8, Fault::Version { version });
    }
    Ok(version)
}

/// The chunk that begins there, or what is left where no whole one does.
pub(super) fn next(bytes: &[u8], at: usize) -> Result<Next<'_>, Flaw> {
    let rest = bytes.get(at..).unwrap_or_default();
    let Some((header, body)) = rest.split_first_chunk::<HEADER>() else { return Ok(Next::Tail(rest.len())) };
    if is_header(header) {
        // A whole header is correct: the file was truncated if its payload extends beyond the end.
        let Some(payload) = body.get(..word(header, 4) as usize) else { return Ok(Next::Tail(rest.len())) };
        if crc32(payload) == word(header, 8) {
            let kind = [header[0], header[1], header[2], header[3]];
            return Ok(Next::Chunk(Chunk { kind, at, payload }));
        }
    }
    // The last chunk may be torn. With another one after it, something was changed that had been whole.
    let is_last = !rest[1..].windows(HEADER).any(|window| window.first_chunk().is_some_and(is_header));
    if is_last { Ok(Next::Tail(rest.len())) } else { Err(Flaw { offset: at, fault: Fault::Damaged }) }
}

/// Whether these are a kind, a length and a checksum as they were written.
fn is_header(header: &[u8; HEADER]) -> bool {
    header[..4].iter().all(u8::is_ascii_alphabetic) && crc32(&header[..12]) == word(header, 12)
}

fn word(bytes: &[u8; 16], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
