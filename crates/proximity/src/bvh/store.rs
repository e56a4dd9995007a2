//! A hierarchy as bytes, and back.
//!
//! In: a [`Bvh`]. Out: bytes with a head, numbers in little-endian order and a checksum at the end; the same on every machine. Reading trusts nothing: lengths, links, numbers and the checksum are
//! checked before anything is built from them.

use super::tree::{Bvh, Node};
use super::volume::{BoundingVolume, Frame};
use zerogap_core::Vec3;

/// First bytes, and the version of what follows.
const MAGIC: [u8; 4] = *b"ZGBV";
const VERSION: u32 = 1;

/// Errors of reading a stored hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The bytes are not a hierarchy.
    #[error("these bytes are no stored hierarchy: they do not begin with {:?}", std::str::from_utf8(&MAGIC).unwrap_or_default())]
    NoHierarchy,
    /// Unknown version.
    #[error("the stored hierarchy has version {found}, and this program reads version {VERSION}")]
    Version {
        /// The version found.
        found: u32,
    },
    /// Another kind of volume.
    #[error("the stored hierarchy has volumes of {found} numbers, but {name} needs {wanted}")]
    Volume {
        /// Numbers of each volume found.
        found: u32,
        /// Numbers of each volume that was requested.
        wanted: u32,
        /// Name of the requested volume.
        name: &'static str,
    },
    /// Too few or too many bytes.
    #[error("the stored hierarchy has {found} bytes where {wanted} belong")]
    Length {
        /// How many there are.
        found: usize,
        /// Expected number.
        wanted: usize,
    },
    /// The bytes are damaged.
    #[error("the stored hierarchy is damaged: {what}")]
    Damaged {
        /// The failed check.
        what: &'static str,
    },
}

/// A checksum of bytes: FNV-1a with 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Bytes of the head: magic, version, numbers of a volume, nodes, triangles, frame.
const HEAD: usize = 5 * 4 + 4 * 8;

impl<V: BoundingVolume> Bvh<V> {
    /// The hierarchy as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            Vec::with_capacity(HEAD + self.nodes.len() * (4 * V::NUMBERS + 8) + 4 * self.order.len() + 8);
        bytes.extend(MAGIC);
        for number in [VERSION, V::NUMBERS as u32, self.nodes.len() as u32, self.order.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        let Frame { origin, unit } = self.frame;
        for number in [origin.x, origin.y, origin.z, unit] {
            bytes.extend(number.to_le_bytes());
        }
        let mut numbers = Vec::with_capacity(V::NUMBERS);
        for node in &self.nodes {
            numbers.clear();
            node.volume.write(&mut numbers);
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(node.first.to_le_bytes());
            bytes.extend(node.count.to_le_bytes());
        }
        bytes.extend(self.order.iter().flat_map(|triangle| triangle.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The hierarchy of bytes that [`Bvh::to_bytes`] made. Whether it belongs to a mesh: [`Bvh::holds`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        if bytes.get(..4) != Some(&MAGIC[..]) {
            return Err(StoreError::NoHierarchy);
        }
        let length = |wanted: usize| StoreError::Length { found: bytes.len(), wanted };
        let word = |at: usize| -> Result<u32, StoreError> {
            let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
            four.map(u32::from_le_bytes).ok_or(length(at + 4))
        };
        let long = |at: usize| -> Result<u64, StoreError> {
            let eight = bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok());
            eight.map(u64::from_le_bytes).ok_or(length(at + 8))
        };
        let (version, numbers) = (word(4)?, word(8)?);
        if version != VERSION {
            return Err(StoreError::Version { found: version });
        }
        if numbers as usize != V::NUMBERS {
            return Err(StoreError::Volume { found: numbers, wanted: V::NUMBERS as u32, name: V::NAME });
        }
        let (nodes, triangles) = (word(12)? as usize, word(16)? as usize);
        let each = 4 * V::NUMBERS + 8;
        let end = HEAD + nodes * each + 4 * triangles;
        if bytes.len() != end + 8 {
            return Err(length(end + 8));
        }
        if long(end)? != checksum(&bytes[..end]) {
            return Err(StoreError::Damaged { what: "its checksum is another" });
        }
        let real = |at: usize| long(at).map(f64::from_bits);
        let frame = Frame { origin: Vec3::new(real(20)?, real(28)?, real(36)?), unit: real(44)? };
        if !(frame.origin.iter().all(|x| x.is_finite()) && frame.unit > 0.0 && frame.unit.is_finite()) {
            return Err(StoreError::Damaged { what: "its frame is none" });
        }
        let mut list = Vec::with_capacity(nodes);
        let mut values = Vec::with_capacity(V::NUMBERS);
        for index in 0..nodes {
            let at = HEAD + index * each;
            values.clear();
            for k in 0..V::NUMBERS {
                values.push(f32::from_bits(word(at + 4 * k)?));
            }
            let volume =
                V::read(&values).ok_or(StoreError::Damaged { what: "numbers that make no volume" })?;
            let node = Node { volume, first: word(at + each - 8)?, count: word(at + each - 4)? };
            let (first, count) = (node.first as usize, node.count as usize);
            let fits =
                if node.is_leaf() { first + count <= triangles } else { first > index && first + 1 < nodes };
            if !fits {
                return Err(StoreError::Damaged { what: "a link that leads nowhere" });
            }
            list.push(node);
        }
        if list.is_empty() {
            return Err(StoreError::Damaged { what: "no root" });
        }
        let start = HEAD + nodes * each;
        let order = (0..triangles).map(|k| word(start + 4 * k)).collect::<Result<Vec<u32>, _>>()?;
        if order.iter().any(|triangle| *triangle as usize >= triangles) {
            return Err(StoreError::Damaged { what: "a triangle that is not there" });
        }
        // Every node has one parent, or a traversal would visit it twice.
        let mut parents = vec![false; nodes];
        for node in list.iter().filter(|node| !node.is_leaf()) {
            for child in [node.first as usize, node.first as usize + 1] {
                if std::mem::replace(&mut parents[child], true) {
                    return Err(StoreError::Damaged { what: "a node with two parents" });
                }
            }
        }
        Ok(Self::packed(frame, list, order))
    }
}
