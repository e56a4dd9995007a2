//! Eight volumes side by side, measured against one at once.

use super::volume::{BoundingVolume, Relative};

/// Volumes of a pack.
pub const WIDTH: usize = 8;

/// Volumes that are measured one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Few<V> {
    volumes: [V; WIDTH],
    count: u32,
}

impl<V: BoundingVolume> Few<V> {
    /// From one to eight volumes.
    pub(super) fn new(volumes: &[V]) -> Self {
        let last = volumes.len() - 1;
        Self { volumes: std::array::from_fn(|k| volumes[k.min(last)]), count: volumes.len() as u32 }
    }

    /// The separations of one volume from each [m].
    #[inline]
    pub(super) fn separations(&self, one: &V, at: &Relative, enough: f64, found: &mut [f64; WIDTH]) {
        for (volume, found) in self.volumes.iter().zip(found.iter_mut()).take(self.count as usize) {
            *found = one.separation(volume, at, enough);
        }
    }
}
