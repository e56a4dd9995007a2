//! Tree-structured systems of rigid bodies in minimal coordinates, with loops closed by constraints.
