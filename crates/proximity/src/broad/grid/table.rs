//! The boxes of each cell, found by hash.
//!
//! In: slots with the cell that they are in. Out: the slots of cells. One word marks which cells of a block are occupied, so that searching many empty cells
//! costs one access; the boxes of a cell are a list through the slots. Different blocks may share a word: then the boxes of one are seen from the other,
//! and the caller must distinguish them. Nothing is allocated but for more slots.

use zerogap_core::Aabb;

use super::cells::{Cell, bit, block, hash};

/// No slot.
const NONE: u32 = u32::MAX;

/// At most 2^this many words, so that the address of a cell fits 32 bits.
const MAX_WORD_BITS: u32 = 26;

/// 2^this many lists for each word: few cells share a list.
const HEADS_PER_WORD_BITS: u32 = 2;

/// A slot in the list of its cell; as large as a cache line, so that reading a box costs one access.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Node {
    /// The word and the bit of the cell; distinguishes cells that share a list.
    address: u32,
    next: u32,
    previous: u32,
    /// The level of the box.
    level: i32,
    aabb: Aabb,
}

/// The level of a slot in no cell.
const OUTSIDE: i32 = i32::MIN;

impl Node {
    /// A slot in no cell.
    fn outside() -> Self {
        Self { address: 0, next: NONE, previous: NONE, level: OUTSIDE, aabb: Aabb::empty() }
    }
}

/// The boxes of each cell.
#[derive(Debug)]
pub(super) struct Table {
    /// The occupied cells of the blocks with this hash.
    words: Vec<u64>,
    /// The first slot of each list.
    heads: Vec<u32>,
    nodes: Vec<Node>,
    word_shift: u32,
    head_shift: u32,
}

impl Default for Table {
    fn default() -> Self {
        let mut table =
            Self { words: Vec::new(), heads: Vec::new(), nodes: Vec::new(), word_shift: 0, head_shift: 0 };
        table.reset(0, 0);
        table
    }
}

impl Table {
    /// Empties it and makes room for so many boxes in so many slots.
    pub(super) fn reset(&mut self, boxes: usize, slots: usize) {
        let word_bits = boxes.max(64).next_power_of_two().trailing_zeros().min(MAX_WORD_BITS);
        self.words.clear();
        self.words.resize(1 << word_bits, 0);
        self.heads.clear();
        let head_bits = word_bits + HEADS_PER_WORD_BITS;
        self.heads.resize(1 << head_bits, NONE);
        self.nodes.clear();
        self.nodes.resize(slots, Node::outside());
        self.word_shift = 64 - word_bits;
        self.head_shift = 32 - head_bits;
    }

    /// How many boxes it has room for.
    pub(super) fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Makes room for more slots.
    pub(super) fn grow(&mut self, slots: usize) {
        if slots > self.nodes.len() {
            self.nodes.resize(slots, Node::outside());
        }
    }

    /// The word of a block.
    #[inline]
    pub(super) fn word(&self, level: i32, block: Cell) -> u32 {
        (hash(level, block) >> self.word_shift) as u32
    }

    /// The occupied cells of the blocks with a word.
    #[inline]
    pub(super) fn occupied(&self, word: u32) -> u64 {
        self.words[word as usize]
    }

    /// The address of a cell.
    #[inline]
    fn address(&self, level: i32, cell: Cell) -> u32 {
        self.word(level, block(cell)) << 6 | bit(cell)
    }

    /// The list that a cell is in.
    #[inline]
    fn list(&self, address: u32) -> usize {
        (address.wrapping_mul(0x9e37_79b1) >> self.head_shift) as usize
    }

    /// The level that a slot is on; none when it is in no cell.
    #[inline]
    pub(super) fn level(&self, slot: u32) -> Option<i32> {
        self.nodes.get(slot as usize).filter(|node| node.level != OUTSIDE).map(|node| node.level)
    }

    /// Whether a slot is where it would be put.
    #[inline]
    pub(super) fn is_at(&self, slot: u32, level: i32, cell: Cell) -> bool {
        let node = &self.nodes[slot as usize];
        node.level == level && node.address == self.address(level, cell)
    }

    /// Puts a slot that is in no cell into one.
    #[inline]
    pub(super) fn insert(&mut self, slot: u32, aabb: &Aabb, level: i32, cell: Cell) {
        let address = self.address(level, cell);
        let list = self.list(address);
        let next = std::mem::replace(&mut self.heads[list], slot);
        if next != NONE {
            self.nodes[next as usize].previous = slot;
        }
        debug_assert!(self.nodes[slot as usize].level == OUTSIDE, "a box is in one cell at most");
        self.nodes[slot as usize] = Node { address, next, previous: NONE, level, aabb: *aabb };
        self.words[(address >> 6) as usize] |= 1 << (address & 63);
    }

    /// Changes the box of a slot that stays in its cell.
    #[inline]
    pub(super) fn change(&mut self, slot: u32, aabb: &Aabb) {
        self.nodes[slot as usize].aabb = *aabb;
    }

    /// Takes a slot out of its cell.
    pub(super) fn remove(&mut self, slot: u32) {
        let node = std::mem::replace(&mut self.nodes[slot as usize], Node::outside());
        debug_assert!(node.level != OUTSIDE, "what is taken out is in");
        let list = self.list(node.address);
        if node.previous == NONE {
            self.heads[list] = node.next;
        } else {
            self.nodes[node.previous as usize].next = node.next;
        }
        if node.next != NONE {
            self.nodes[node.next as usize].previous = node.previous;
        }
        // The cell is free when it was the last one.
        if self.members((node.address >> 6, node.address & 63)).next().is_none() {
            self.words[(node.address >> 6) as usize] &= !(1 << (node.address & 63));
        }
    }

    /// The slots of a cell by its word and bit, and of those that share both, with their levels and boxes.
    #[inline]
    pub(super) fn members(&self, (word, bit): (u32, u32)) -> impl Iterator<Item = (u32, i32, &Aabb)> {
        let address = word << 6 | bit;
        let mut at = self.heads[self.list(address)];
        std::iter::from_fn(move || {
            while at != NONE {
                let node = &self.nodes[at as usize];
                let slot = std::mem::replace(&mut at, node.next);
                if node.address == address {
                    return Some((slot, node.level, &node.aabb));
                }
            }
            None
        })
    }

    /// Whether lists, words and cells agree; what is wrong otherwise.
    pub(super) fn check(&self, boxes: &[Aabb]) -> Result<(), String> {
        // Every slot is reached once, from the list of its cell.
        let mut reached = vec![false; self.nodes.len()];
        for (list, &head) in self.heads.iter().enumerate() {
            let (mut at, mut previous) = (head, NONE);
            while at != NONE {
                let node =
                    self.nodes.get(at as usize).ok_or(format!("slot {at} of list {list} does not exist"))?;
                let expected =
                    node.previous == previous && self.list(node.address) == list && node.level != OUTSIDE;
                if !expected || std::mem::replace(&mut reached[at as usize], true) {
                    return Err(format!("slot {at} is not rightly in list {list}"));
                }
                (previous, at) = (at, node.next);
            }
        }
        let mut words = vec![0_u64; self.words.len()];
        for (slot, node) in self.nodes.iter().enumerate() {
            if reached[slot] != (node.level != OUTSIDE) {
                return Err(format!("slot {slot} is lost"));
            }
            if reached[slot] {
                if boxes.get(slot) != Some(&node.aabb) {
                    return Err(format!("slot {slot} has another box"));
                }
                words[(node.address >> 6) as usize] |= 1 << (node.address & 63);
            }
        }
        if words == self.words {
            Ok(())
        } else {
            Err("the occupied cells are not those with boxes".to_owned())
        }
    }

    /// Returns the memory in use [B].
    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
            + self.heads.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Node>()
    }
}
