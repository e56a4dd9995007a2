//! Recordings: written, read back with the same bits, damaged, exported.

mod damage;
mod export;
mod points;
mod roundtrip;
mod support;
mod writing;
