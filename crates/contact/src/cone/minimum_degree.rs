//! An order of elimination with little fill: approximate minimum degree on a quotient graph.
//!
//! In: the neighbours of each node of a connected graph. Out: the nodes in the order in which to eliminate them. The order depends on the graph and the numbers of its nodes alone.

/// A node that there is not.
const NONE: u32 = u32::MAX;

/// Memory of the method, used again from graph to graph.
///
/// Nodes that are left are variables, nodes that are gone are elements: an element stands for the clique of the variables that its elimination joins. Variables that have the same neighbours are
/// merged and eliminated together.
#[derive(Debug, Clone, Default)]
pub(crate) struct MinimumDegree {
    /// Lists of neighbours; that of an element is appended when it appears.
    lists: Vec<u32>,
    /// Where the list of each node begins, how long it is, and how many of its first entries are elements.
    begin: Vec<u32>,
    len: Vec<u32>,
    elements: Vec<u32>,
    /// Nodes merged in a variable; zero where it is merged into another or gone, negative while it stands in the new element.
    weight: Vec<i32>,
    /// Of a variable an upper bound of its degree, of an element the weight of its list; in nodes.
    degree: Vec<u32>,
    /// Of an element: weight of its list outside the new element, plus `stamp`; zero where it is absorbed.
    outside: Vec<u32>,
    stamp: u32,
    /// Variables of each degree as lists that are linked both ways.
    head: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Nodes that are eliminated together, linked, and the last of each.
    follower: Vec<u32>,
    last: Vec<u32>,
    /// Variables of the new element in buckets by the hash of their lists.
    bucket: Vec<u32>,
    chain: Vec<u32>,
    hash: Vec<u32>,
    /// Nodes in the list of one variable.
    marks: Vec<u32>,
    mark: u32,
}

impl MinimumDegree {
    /// Appends the nodes of a graph to `order`, first eliminated first.
    ///
    /// The neighbours of node `i` are `neighbours[starts[i]..starts[i + 1]]`, both ways and without repetition; `offset` is taken from them, and added to nodes in the order.
    ///
    /// Method: Amestoy, Davis and Duff 1996, with aggressive absorption, mass elimination and merging of indistinguishable variables. Lists are not collected when elements are absorbed: they take as
    ///   much memory as the pattern of the factor by merged columns.
    /// Cost: near-linear in the edges for graphs in space; no allocation once memory has grown.
    /// Order: of variables with the same bound on the degree, the last changed first, then the first by number.
    pub(crate) fn order(&mut self, starts: &[u32], neighbours: &[u32], offset: u32, order: &mut Vec<u32>) {
        let count = starts.len() - 1;
        self.begin_with(starts, neighbours, offset);
        let (mut gone, mut lowest) = (0, 0);
        while gone < count {
            while self.head[lowest] == NONE {
                lowest += 1;
            }
            let pivot = self.head[lowest] as usize;
            let mut weight = self.weight[pivot] as u32;
            self.unlink(pivot);
            let first = self.lists.len();
            let mut clique = self.join(pivot);
            self.measure_outside(first);
            self.shorten(pivot, first, &mut weight, &mut clique);
            self.merge(first);
            gone += weight as usize;
            self.finish(pivot, first, clique, count - gone, &mut lowest);
            let mut at = pivot as u32;
            while at != NONE {
                order.push(at + offset);
                at = self.follower[at as usize];
            }
        }
    }

    /// Every node is a variable.
    fn begin_with(&mut self, starts: &[u32], neighbours: &[u32], offset: u32) {
        let count = starts.len() - 1;
        self.lists.clear();
        self.lists.extend(neighbours[starts[0] as usize..starts[count] as usize].iter().map(|i| i - offset));
        self.begin.clear();
        self.begin.extend(starts[..count].iter().map(|start| start - starts[0]));
        self.len.clear();
        self.len.extend(starts.windows(2).map(|pair| pair[1] - pair[0]));
        self.degree.clear();
        self.degree.extend_from_slice(&self.len);
        for (all, value) in [
            (&mut self.elements, 0),
            (&mut self.outside, 1),
            (&mut self.head, NONE),
            (&mut self.next, NONE),
            (&mut self.previous, NONE),
            (&mut self.follower, NONE),
            (&mut self.chain, NONE),
            (&mut self.hash, NONE),
            (&mut self.marks, 0),
        ] {
            all.clear();
            all.resize(count, value);
        }
        self.bucket.clear();
        self.bucket.resize(count.next_power_of_two(), NONE);
        self.mark = 0;
        self.weight.clear();
        self.weight.resize(count, 1);
        self.last.clear();
        self.last.extend(0..count as u32);
        self.stamp = 2;
        for node in (0..count).rev() {
            self.link(node);
        }
    }

    /// Puts a variable at the head of those of its degree.
    fn link(&mut self, node: usize) {
        let head = &mut self.head[self.degree[node] as usize];
        self.next[node] = *head;
        self.previous[node] = NONE;
        if *head != NONE {
            self.previous[*head as usize] = node as u32;
        }
        *head = node as u32;
    }

    fn unlink(&mut self, node: usize) {
        let (next, previous) = (self.next[node], self.previous[node]);
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        if previous == NONE {
            self.head[self.degree[node] as usize] = next;
        } else {
            self.next[previous as usize] = next;
        }
    }

    /// Appends the list of the element that a pivot becomes; its elements are absorbed. Returns the weight.
    fn join(&mut self, pivot: usize) -> u32 {
        let mut clique = 0;
        let (begin, len) = (self.begin[pivot] as usize, self.len[pivot] as usize);
        let elements = self.elements[pivot] as usize;
        self.weight[pivot] = 0;
        for at in begin..begin + elements {
            let element = self.lists[at] as usize;
            let list = self.begin[element] as usize..(self.begin[element] + self.len[element]) as usize;
            self.outside[element] = 0;
            for at in list {
                self.take(at, &mut clique);
            }
        }
        for at in begin + elements..begin + len {
            self.take(at, &mut clique);
        }
        clique
    }

    /// Takes the variable in a list into the new element, where it is not there yet.
    fn take(&mut self, at: usize, clique: &mut u32) {
        let node = self.lists[at] as usize;
        let weight = self.weight[node];
        if weight > 0 {
            *clique += weight as u32;
            self.weight[node] = -weight;
            self.lists.push(node as u32);
            self.unlink(node);
        }
    }

    /// How much of every element that the new one touches lies outside it.
    fn measure_outside(&mut self, first: usize) {
        for at in first..self.lists.len() {
            let node = self.lists[at] as usize;
            let weight = self.weight[node].unsigned_abs();
            let begin = self.begin[node] as usize;
            for at in begin..begin + self.elements[node] as usize {
                let element = self.lists[at] as usize;
                let outside = self.outside[element];
                if outside >= self.stamp {
                    self.outside[element] = outside - weight;
                } else if outside != 0 {
                    self.outside[element] = self.degree[element] + self.stamp - weight;
                }
            }
        }
    }

    /// Drops from the lists of the variables of the new element what the element covers; bounds their degrees outside it, and eliminates those that have nothing left.
    fn shorten(&mut self, pivot: usize, first: usize, weight: &mut u32, clique: &mut u32) {
        let mask = self.bucket.len() as u32 - 1;
        for at in first..self.lists.len() {
            let node = self.lists[at] as usize;
            let own = self.weight[node].unsigned_abs();
            let (begin, len) = (self.begin[node] as usize, self.len[node] as usize);
            let elements = self.elements[node] as usize;
            let (mut degree, mut hash, mut to) = (0, 0_u32, begin);
            for from in begin..begin + elements {
                let element = self.lists[from];
                let outside = self.outside[element as usize];
                if outside > self.stamp {
                    degree += outside - self.stamp;
                    hash = hash.wrapping_add(element);
                    self.lists[to] = element;
                    to += 1;
                } else if outside == self.stamp {
                    // Nothing of it lies outside: the new element stands for it.
                    self.outside[element as usize] = 0;
                }
            }
            let kept = to - begin;
            for from in begin + elements..begin + len {
                let other = self.lists[from];
                let weight = self.weight[other as usize];
                if weight > 0 {
                    degree += weight as u32;
                    hash = hash.wrapping_add(other);
                    self.lists[to] = other;
                    to += 1;
                }
            }
            if degree == 0 {
                // It feels nobody else: it is eliminated with the pivot at no fill.
                self.weight[node] = 0;
                self.hash[node] = NONE;
                *weight += own;
                *clique -= own;
                self.follow(pivot, node);
                continue;
            }
            self.degree[node] = self.degree[node].min(degree);
            // The new element comes first. At least one entry was dropped: an element that it absorbed, or the pivot.
            self.lists[to] = self.lists[begin + kept];
            self.lists[begin + kept] = self.lists[begin];
            self.lists[begin] = pivot as u32;
            self.elements[node] = kept as u32 + 1;
            self.len[node] = (to + 1 - begin) as u32;
            let bucket = hash & mask;
            self.hash[node] = bucket;
            self.chain[node] = std::mem::replace(&mut self.bucket[bucket as usize], node as u32);
        }
    }

    /// Eliminates `other` right after `node` and what follows it.
    fn follow(&mut self, node: usize, other: usize) {
        self.follower[self.last[node] as usize] = other as u32;
        self.last[node] = self.last[other];
    }

    /// Merges variables of the new element that have the same neighbours.
    fn merge(&mut self, first: usize) {
        for at in first..self.lists.len() {
            let bucket = self.hash[self.lists[at] as usize];
            if bucket == NONE || self.bucket[bucket as usize] == NONE {
                continue;
            }
            let mut node = std::mem::replace(&mut self.bucket[bucket as usize], NONE);
            while node != NONE && self.chain[node as usize] != NONE {
                self.merge_into(node as usize);
                node = self.chain[node as usize];
            }
        }
    }

    /// Merges those that come after a variable in its bucket and have its neighbours into it.
    fn merge_into(&mut self, node: usize) {
        let (len, elements) = (self.len[node], self.elements[node]);
        let list = |all: &Self, node: usize| all.begin[node] as usize..(all.begin[node] + len) as usize;
        let mut is_marked = false;
        let (mut before, mut other) = (node, self.chain[node]);
        while other != NONE {
            let at = other as usize;
            other = self.chain[at];
            let is_like = self.len[at] == len && self.elements[at] == elements;
            if is_like && !is_marked {
                is_marked = true;
                self.mark += 1;
                for at in list(self, node) {
                    self.marks[self.lists[at] as usize] = self.mark;
                }
            }
            if is_like && list(self, at).all(|at| self.marks[self.lists[at] as usize] == self.mark) {
                self.weight[node] += self.weight[at];
                self.weight[at] = 0;
                self.follow(node, at);
                self.chain[before] = other;
            } else {
                before = at;
            }
        }
    }

    /// The pivot is an element now; the degrees of its variables are bounded anew.
    fn finish(&mut self, pivot: usize, first: usize, clique: u32, left: usize, lowest: &mut usize) {
        let mut to = first;
        for at in first..self.lists.len() {
            let node = self.lists[at] as usize;
            let weight = self.weight[node].unsigned_abs();
            if weight == 0 {
                continue;
            }
            self.weight[node] = weight.cast_signed();
            self.degree[node] = (self.degree[node] + clique).min(left as u32) - weight;
            *lowest = (*lowest).min(self.degree[node] as usize);
            self.link(node);
            self.lists[to] = node as u32;
            to += 1;
        }
        self.lists.truncate(to);
        self.begin[pivot] = first as u32;
        self.len[pivot] = (to - first) as u32;
        self.degree[pivot] = clique;
        self.outside[pivot] = 1;
        // Beyond whatever was written into `outside`.
        self.stamp += self.begin.len() as u32 + 1;
        if self.stamp > u32::MAX / 2 {
            self.outside.iter_mut().for_each(|outside| *outside = (*outside).min(1));
            self.stamp = 2;
        }
    }
}
