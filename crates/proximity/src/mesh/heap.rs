//! Pairs of nodes by how near they are: the open ends of a search.

/// Two nodes whose parts may hold the nearest points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Their distance is no less [m]; negative where they overlap.
    pub(super) key: f64,
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Moves the last of a heap to its place: least key first, then by nodes, so that ties have an order.
pub(super) fn sift_up(heap: &mut [Pair]) {
    let mut k = heap.len() - 1;
    while k > 0 {
        let parent = (k - 1) / 2;
        if !comes_first(&heap[k], &heap[parent]) {
            break;
        }
        heap.swap(k, parent);
        k = parent;
    }
}

/// Takes the least of a heap.
pub(super) fn pop_least(heap: &mut Vec<Pair>) -> Option<Pair> {
    let last = heap.len().checked_sub(1)?;
    heap.swap(0, last);
    let least = heap.pop();
    let mut k = 0;
    loop {
        let child = 2 * k + 1;
        let Some(left) = heap.get(child) else { break };
        let nearer = match heap.get(child + 1) {
            Some(right) if comes_first(right, left) => child + 1,
            _ => child,
        };
        if !comes_first(&heap[nearer], &heap[k]) {
            break;
        }
        heap.swap(k, nearer);
        k = nearer;
    }
    least
}

#[inline]
fn comes_first(x: &Pair, y: &Pair) -> bool {
    x.key < y.key || (x.key <= y.key && (x.a, x.b) < (y.a, y.b))
}
