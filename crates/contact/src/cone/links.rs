//! A group of velocities as a tree of links: what its joints do to each other without the matrix of all pairs.
//!
//! In: for every link its parent, where its pivot lies, its inertia and the axes of its joint. Out: what impulses on one link do to all velocities, in time that grows with the number of links and not with its cube.
//! `tree_factor` uses the same links for matrices with contacts.
//!
//! Motions are six numbers: the velocity of the pivot of a link, then its angular velocity, both in the axes of the world. Loads are force and torque about the pivot.

#![expect(clippy::needless_range_loop, reason = "indices of small matrices, as the formulas have them")]

/// A motion or a load of a link.
pub(super) type Spatial = [f64; 6];
/// What takes a motion to a load.
pub(super) type Spatial6 = [Spatial; 6];
/// Several loads or motions side by side: one number of each.
pub(super) type Lanes = [f64; LANES];
/// So many.
pub(super) const LANES: usize = 4;

/// No load on any lane.
const NO_LANES: [Lanes; 6] = [[0.0; 4]; 6];

/// A pivot at or below this fraction of the mass of its velocity carries no mass of its own [-].
const MASSLESS: f64 = 1e-14;

/// A body of a tree, with the joint that it hangs on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) parent: Option<u32>,
    /// First velocity of its joint in the group, and how many there are.
    pub(super) first: u32,
    pub(super) count: u32,
    /// From the pivot of the parent to its own [m].
    pub(super) arm: [f64; 3],
    /// About the pivot [kg, kg m, kg m²].
    pub(super) inertia: Spatial6,
}

/// The links of a group, parents first.
#[derive(Debug, Clone, Default)]
pub struct LinkTree {
    pub(super) links: Vec<Link>,
    /// By velocity of the group: the motion of the link for one unit of it, and what is added to its inertia.
    pub(super) axes: Vec<Spatial>,
    pub(super) own: Vec<f64>,
    /// By velocity: rows of `L` of the inertia of the joint, the diagonal inverted, and of `L^-1 S^T I`.
    lower: Vec<Spatial>,
    taken: Vec<Spatial>,
    /// By link: articulated inertias.
    inertias: Vec<Spatial6>,
}

/// Memory for solutions.
#[derive(Debug, Clone, Default)]
pub(super) struct LinkWork {
    numbers: Vec<Lanes>,
    loads: Vec<[Lanes; 6]>,
    motions: Vec<[Lanes; 6]>,
}

impl LinkTree {
    /// Forgets all links but keeps their memory, for a group of so many velocities.
    pub fn clear(&mut self, velocities: usize) {
        self.links.clear();
        self.axes.clear();
        self.axes.resize(velocities, [0.0; 6]);
        self.own.clear();
        self.own.resize(velocities, 0.0);
    }

    /// Adds a link after its parent, at `arm` [m] from the pivot of that; `inertia` is about its own pivot, with the force first. Its joint has `count` velocities from `first` on. Returns its number.
    pub fn push_link(
        &mut self,
        parent: Option<usize>,
        arm: [f64; 3],
        inertia: [[f64; 6]; 6],
        (first, count): (usize, usize),
    ) -> usize {
        debug_assert!(
            parent.is_none_or(|parent| parent < self.links.len()),
            "parents come before their children"
        );
        let parent = parent.map(|parent| parent as u32);
        self.links.push(Link { parent, first: first as u32, count: count as u32, arm, inertia });
        self.links.len() - 1
    }

    /// Gives a velocity its axis: the motion of the link at its pivot for one unit of it; and what is added to its inertia.
    pub fn set_axis(&mut self, velocity: usize, axis: [f64; 6], own: f64) {
        self.axes[velocity] = axis;
        self.own[velocity] = own;
    }

    /// Takes over the links of another one; factors are to be found anew.
    pub(super) fn copy_links(&mut self, other: &Self) {
        let Self { links, axes, own, lower: _, taken: _, inertias: _ } = self;
        links.clone_from(&other.links);
        axes.clone_from(&other.axes);
        own.clone_from(&other.own);
    }

    /// Takes over the links of another one with other units of the velocities; factors are copied too.
    pub(super) fn copy_scaled(&mut self, other: &Self, scales: &[f64]) {
        self.links.clone_from(&other.links);
        self.axes.clear();
        self.own.clear();
        self.lower.clear();
        for (k, scale) in scales.iter().enumerate() {
            self.axes.push(other.axes[k].map(|x| x * scale));
            self.own.push(other.own[k] * scale * scale);
            // The diagonal alone is read there.
            self.lower.push(other.lower[k].map(|x| x / scale));
        }
    }

    /// What is left of the inertia of a velocity when all beyond it move freely: `D` of the articulated-body algorithm.
    pub(super) fn pivot(&self, link: &Link, row: usize) -> f64 {
        let inverse = self.lower[link.first as usize + row][row];
        1.0 / (inverse * inverse)
    }

    /// Finds the articulated inertias; false where a velocity carries no mass, by the diagonal of the mass matrix (`mass` has as many rows as there are velocities).
    ///
    /// Method: Featherstone 1983 in the square-root form `Y = L^-1 S^T I` with `L L^T = S^T I S`.
    pub(super) fn factor(&mut self, mass: &[f64]) -> bool {
        let columns = self.axes.len();
        self.inertias.clear();
        self.inertias.extend(self.links.iter().map(|link| link.inertia));
        for all in [&mut self.lower, &mut self.taken] {
            all.clear();
            all.resize(columns, [0.0; 6]);
        }
        for i in (0..self.links.len()).rev() {
            let link = self.links[i];
            let first = link.first as usize;
            let mut inertia = self.inertias[i];
            for r in 0..link.count as usize {
                let k = first + r;
                let axis = self.axes[k];
                let mut y = times(&inertia, &axis);
                let mut pivot = dot(&axis, &y) + self.own[k];
                let mut row = [0.0; 6];
                for (s, entry) in row.iter_mut().enumerate().take(r) {
                    let other = &self.taken[first + s];
                    *entry = dot(&axis, other);
                    pivot -= *entry * *entry;
                    for (y, other) in y.iter_mut().zip(other) {
                        *y -= other * *entry;
                    }
                }
                let is_heavy = pivot > MASSLESS * mass[k * (columns + 1)];
                if !is_heavy {
                    return false;
                }
                row[r] = 1.0 / pivot.sqrt();
                self.lower[k] = row;
                self.taken[k] = y.map(|y| y * row[r]);
            }
            let Some(parent) = link.parent else { continue };
            for y in &self.taken[first..first + link.count as usize] {
                subtract_outer(&mut inertia, y, y);
            }
            shift_both(&mut inertia, &link.arm);
            add(&mut self.inertias[parent as usize], &inertia);
        }
        true
    }

    /// What loads on a link, one for each lane, do to all velocities: `visit(velocity, change)`. Returns the motions of the link.
    ///
    /// Cost: in proportion to the number of links.
    pub(super) fn respond(
        &self,
        link: usize,
        loads: [Lanes; 6],
        work: &mut LinkWork,
        visit: &mut dyn FnMut(usize, Lanes),
    ) -> [Lanes; 6] {
        work.numbers.clear();
        work.numbers.resize(self.axes.len(), [0.0; 4]);
        self.pass_down(Some(link as u32), loads, work);
        self.follow(work, visit);
        work.motions[link]
    }

    /// The same for an effort at one velocity on each lane.
    pub(super) fn respond_joints(
        &self,
        efforts: &[(usize, f64)],
        work: &mut LinkWork,
        visit: &mut dyn FnMut(usize, Lanes),
    ) {
        work.numbers.clear();
        work.numbers.resize(self.axes.len(), [0.0; 4]);
        for (lane, (velocity, effort)) in efforts.iter().enumerate() {
            work.numbers[*velocity][lane] = *effort;
        }
        work.loads.clear();
        work.loads.resize(self.links.len(), NO_LANES);
        // From the tips to the root: all joints at once, each with its own effort and what comes from beyond it.
        for i in (0..self.links.len()).rev() {
            let Link { parent, first, count, arm, .. } = &self.links[i];
            let (first, count) = (*first as usize, *count as usize);
            let loads = work.loads[i];
            let mut passed = loads;
            for r in 0..count {
                let mut u = lanes_along(&self.axes[first + r], &loads);
                for (u, effort) in u.iter_mut().zip(work.numbers[first + r]) {
                    *u += effort;
                }
                for s in 0..r {
                    subtract_lanes(&mut u, self.lower[first + r][s], &work.numbers[first + s]);
                }
                let u = u.map(|u| u * self.lower[first + r][r]);
                for (passed, taken) in passed.iter_mut().zip(&self.taken[first + r]) {
                    subtract_lanes(passed, *taken, &u);
                }
                work.numbers[first + r] = u;
            }
            let Some(parent) = parent else { continue };
            shift_loads(&mut passed, arm);
            for (sum, passed) in work.loads[*parent as usize].iter_mut().zip(&passed) {
                for (sum, passed) in sum.iter_mut().zip(passed) {
                    *sum += passed;
                }
            }
        }
        self.follow(work, visit);
    }

    /// Takes loads on a link to the root.
    fn pass_down(&self, link: Option<u32>, mut loads: [Lanes; 6], work: &mut LinkWork) {
        // From the link to the root: what each joint cannot take goes on to the parent.
        let mut at = link;
        while let Some(i) = at {
            let Link { parent, first, count, arm, .. } = &self.links[i as usize];
            let (first, count) = (*first as usize, *count as usize);
            let mut passed = loads;
            for r in 0..count {
                let mut u = lanes_along(&self.axes[first + r], &loads);
                for s in 0..r {
                    subtract_lanes(&mut u, self.lower[first + r][s], &work.numbers[first + s]);
                }
                let u = u.map(|u| u * self.lower[first + r][r]);
                for (passed, taken) in passed.iter_mut().zip(&self.taken[first + r]) {
                    subtract_lanes(passed, *taken, &u);
                }
                work.numbers[first + r] = u;
            }
            loads = passed;
            shift_loads(&mut loads, arm);
            at = *parent;
        }
    }

    /// Finds the motions that follow from what joints took.
    fn follow(&self, work: &mut LinkWork, visit: &mut dyn FnMut(usize, Lanes)) {
        work.motions.resize(self.links.len(), NO_LANES);
        // From the root: each joint adds its own motion to the parent's.
        for (i, link) in self.links.iter().enumerate() {
            let (first, count) = (link.first as usize, link.count as usize);
            let mut motion = link.parent.map_or(NO_LANES, |parent| {
                let mut motion = work.motions[parent as usize];
                shift_motions(&mut motion, &link.arm);
                motion
            });
            for r in 0..count {
                let along = lanes_along(&self.taken[first + r], &motion);
                for (number, along) in work.numbers[first + r].iter_mut().zip(along) {
                    *number -= along;
                }
            }
            for r in (0..count).rev() {
                let mut x = work.numbers[first + r];
                for s in r + 1..count {
                    let later = work.numbers[first + s];
                    subtract_lanes(&mut x, self.lower[first + s][r], &later);
                }
                let x = x.map(|x| x * self.lower[first + r][r]);
                work.numbers[first + r] = x;
                for (motion, axis) in motion.iter_mut().zip(&self.axes[first + r]) {
                    subtract_lanes(motion, -axis, &x);
                }
                visit(first + r, x);
            }
            work.motions[i] = motion;
        }
    }
}

/// One number of each lane: a row times lanes.
fn lanes_along(row: &Spatial, lanes: &[Lanes; 6]) -> Lanes {
    let mut sum = [0.0; 4];
    for (x, lanes) in row.iter().zip(lanes) {
        for (sum, lane) in sum.iter_mut().zip(lanes) {
            *sum += x * lane;
        }
    }
    sum
}

/// `a -= factor b`.
fn subtract_lanes(a: &mut Lanes, factor: f64, b: &Lanes) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= factor * b;
    }
}

/// Loads about a pivot become those about the one from which it is seen at `arm`.
fn shift_loads(loads: &mut [Lanes; 6], arm: &[f64; 3]) {
    for (a, b, c) in [(3, 1, 2), (4, 2, 0), (5, 0, 1)] {
        for lane in 0..4 {
            loads[a][lane] += arm[b] * loads[c][lane] - arm[c] * loads[b][lane];
        }
    }
}

/// Motions at a pivot become those at the one `arm` further on.
fn shift_motions(motions: &mut [Lanes; 6], arm: &[f64; 3]) {
    for (a, b, c) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        for lane in 0..4 {
            motions[a][lane] += motions[3 + b][lane] * arm[c] - motions[3 + c][lane] * arm[b];
        }
    }
}

/// Returns the load about a pivot as one about the pivot from which it is seen at `arm`.
#[inline]
pub(super) fn shifted_load(load: &Spatial, arm: &[f64; 3]) -> Spatial {
    let [fx, fy, fz, tx, ty, tz] = *load;
    let [ax, ay, az] = *arm;
    [fx, fy, fz, tx + (ay * fz - az * fy), ty + (az * fx - ax * fz), tz + (ax * fy - ay * fx)]
}

/// Returns the motion at a pivot as one at the pivot `arm` further on.
#[inline]
pub(super) fn shifted_motion(motion: &Spatial, arm: &[f64; 3]) -> Spatial {
    let [vx, vy, vz, wx, wy, wz] = *motion;
    let [ax, ay, az] = *arm;
    [vx + (wy * az - wz * ay), vy + (wz * ax - wx * az), vz + (wx * ay - wy * ax), wx, wy, wz]
}

/// `H X`, where `X` takes a motion at a pivot to one `arm` further on.
#[inline]
pub(super) fn shift_columns(h: &mut Spatial6, arm: &[f64; 3]) {
    for row in h {
        *row = shifted_load(row, arm);
    }
}

/// `X^T H`.
#[inline]
pub(super) fn shift_rows(h: &mut Spatial6, arm: &[f64; 3]) {
    let [ax, ay, az] = *arm;
    let (forces, torques) = h.split_at_mut(3);
    for j in 0..6 {
        let (fx, fy, fz) = (forces[0][j], forces[1][j], forces[2][j]);
        torques[0][j] += ay * fz - az * fy;
        torques[1][j] += az * fx - ax * fz;
        torques[2][j] += ax * fy - ay * fx;
    }
}

/// `X^T H X`.
#[inline]
pub(super) fn shift_both(h: &mut Spatial6, arm: &[f64; 3]) {
    shift_columns(h, arm);
    shift_rows(h, arm);
}

#[inline]
pub(super) fn dot(a: &Spatial, b: &Spatial) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
}

/// `H x`.
#[inline]
pub(super) fn times(h: &Spatial6, x: &Spatial) -> Spatial {
    std::array::from_fn(|i| dot(&h[i], x))
}

/// `H += G`.
#[inline]
pub(super) fn add(h: &mut Spatial6, g: &Spatial6) {
    for (h, g) in h.iter_mut().flatten().zip(g.iter().flatten()) {
        *h += g;
    }
}

/// `H -= a b^T`.
#[inline]
pub(super) fn subtract_outer(h: &mut Spatial6, a: &Spatial, b: &Spatial) {
    for (row, a) in h.iter_mut().zip(a) {
        for (h, b) in row.iter_mut().zip(b) {
            *h -= a * b;
        }
    }
}

#[inline]
pub(super) fn transposed(h: &Spatial6) -> Spatial6 {
    std::array::from_fn(|i| std::array::from_fn(|j| h[j][i]))
}
