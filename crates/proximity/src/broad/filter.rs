//! Which boxes may pair at all.

/// Owner of a box, and the groups that it pairs with.
///
/// Two boxes pair unless they belong to one body, both are fixed, their bodies are joined ([`super::BroadPhase::join`]), or one of them is in no group that the
/// other one's mask names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The body it belongs to; boxes of one body never pair.
    pub body: u32,
    /// The groups it is in, one bit each.
    pub groups: u32,
    /// The groups it pairs with, one bit each.
    pub mask: u32,
    /// Whether nothing can push it, since it stands still or follows a prescribed motion: such boxes never pair with each other.
    pub is_fixed: bool,
}

impl Filter {
    /// A moving box of a body, in all groups, that pairs with all.
    pub fn of_body(body: u32) -> Self {
        Self { body, groups: u32::MAX, mask: u32::MAX, is_fixed: false }
    }

    /// The same of a body that nothing can push.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// Whether two boxes may pair, by their own filters.
    #[inline]
    pub(super) fn admits(&self, other: &Self) -> bool {
        self.body != other.body
            && !(self.is_fixed && other.is_fixed)
            && self.groups & other.mask != 0
            && other.groups & self.mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_pair_when_both_want_to() {
        let a = Filter { groups: 0b01, mask: 0b10, ..Filter::of_body(1) };
        let b = Filter { groups: 0b10, mask: 0b01, ..Filter::of_body(2) };
        assert!(a.admits(&b) && b.admits(&a));
        let c = Filter { mask: 0b100, ..b };
        assert!(!a.admits(&c) && !c.admits(&a));
        assert!(!a.admits(&Filter { body: 1, ..b }));
        assert!(a.fixed().admits(&b) && !a.fixed().admits(&b.fixed()));
    }
}
