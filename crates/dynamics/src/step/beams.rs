//! Beams between bodies over a step, implicit in the velocities at its end.
//!
//! In: bodies at the start of a step, their velocities after it without beams. Out: the velocities with beams, and for contacts the matrix that beams add to the masses: whatever changes a velocity at the end of the step also feels what
//! beams do against it, so that stiff ones do not set the step.
//!
//! Method: the theta rule, as for springs of joints ([`super::joint_forces`]), with forces at the state a part `theta` of the step into it, `theta = 1 / (1 + r)`: a vibration that the step does not resolve keeps a part `r` of itself per
//! step (the spectral radius), one of frequency `w` that it resolves decays with a damping ratio of `(theta - 1/2) h w`. Positions follow the same mean of velocities. Newton's method with one matrix per step,
//! `M + h (theta² h K + theta D)`, of which `K` leaves out what is unsymmetric or negative; it starts from the linear problem at the start of the step. What contacts change afterwards is taken as linear.
//! All beams of a world have the largest `theta` of them, and one in steps in which a contact stops them, since positions follow the velocity at the end then. Systems are solved within their envelopes ([`Skyline`]), in time linear in the bodies of long frames.

use zerogap_core::skyline::Skyline;

use super::free::Start;
use super::groups::Groups;
use super::joint_forces::JointForces;
use crate::beam::frame::element::Matrix12;
use crate::multibody::{BodyId, Tree, Workspace};

/// Corrections at most [-]: the matrix is that of the first one, so that each gains a factor of about the rotation of the bodies in a step.
const MAX_CORRECTIONS: usize = 6;
/// Velocities that change by less than this fraction of the largest are found [-].
const FOUND: f64 = 1e-9;

/// The velocities that move an end of a beam: place in the group, velocity and angular velocity of the end for one unit.
type Columns = Vec<(usize, [f64; 6])>;

/// Bodies that beams join.
#[derive(Debug, Clone)]
struct BeamGroup {
    /// Which group of the contact problem they are.
    group: usize,
    /// Numbers of its beams.
    beams: Vec<usize>,
    matrix: Skyline,
    /// Its mass matrix and what beams add to it, as entries of the lower or the upper triangle: places in the group.
    masses: Vec<(usize, usize, f64)>,
    couplings: Vec<(usize, usize, f64)>,
    residual: Vec<f64>,
}

/// All beams of a tree.
#[derive(Debug, Clone)]
pub(super) struct Beams {
    groups: Vec<BeamGroup>,
    /// The number here of each group of the contact problem.
    number_of: Vec<Option<usize>>,
    /// By how much the weight of the velocity at the end exceeds one half [-].
    lead: f64,
    ws: Workspace,
    q: Vec<f64>,
    /// Mean velocities, and displacements by them.
    mean: Vec<f64>,
    shift: Vec<f64>,
    work: Vec<f64>,
    columns: [Columns; 2],
}

impl Beams {
    pub(super) fn new(tree: &Tree, groups: &Groups) -> Self {
        let mut number_of = vec![None; groups.len()];
        let mut lists: Vec<(usize, Vec<usize>)> = Vec::new();
        for (beam, one) in tree.beams().iter().enumerate() {
            let Some(group) = tree.beam_bodies(one).find_map(|body| groups.of(Some(body))) else { continue };
            let number = *number_of[group].get_or_insert(lists.len());
            if number == lists.len() {
                lists.push((group, Vec::new()));
            }
            lists[number].1.push(beam);
        }
        let lead =
            tree.beams().iter().map(|beam| 1.0 / (1.0 + beam.spectral_radius) - 0.5).fold(0.0, f64::max);
        Self {
            groups: lists
                .into_iter()
                .map(|(group, beams)| BeamGroup::new(tree, groups, group, beams))
                .collect(),
            number_of,
            lead,
            ws: tree.workspace(),
            q: vec![0.0; tree.positions()],
            mean: vec![0.0; tree.velocities()],
            shift: vec![0.0; tree.velocities()],
            work: Vec::new(),
            columns: [Vec::new(), Vec::new()],
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether beams join bodies of a group.
    pub(super) fn has(&self, group: usize) -> bool {
        self.number_of[group].is_some()
    }

    /// By how much the weight of the velocity at the end exceeds one half in a group with beams [-].
    pub(super) fn lead(&self) -> f64 {
        self.lead
    }

    /// Calls `visit(row, column, value)` for what beams add to the mass matrix of a group, once for each of a pair of mirrored entries.
    pub(super) fn each_coupling(&self, group: usize, mut visit: impl FnMut(usize, usize, f64)) {
        let Some(number) = self.number_of[group] else { return };
        for (row, column, value) in &self.groups[number].couplings {
            visit(*row, *column, *value);
        }
    }

    /// Takes the velocities after the step without beams, and gives those with them. Masses are those in the workspace.
    pub(super) fn act(
        &mut self,
        tree: &Tree,
        (groups, joints): (&Groups, &JointForces),
        start: &Start<'_>,
        masses: &mut Workspace,
        free: &mut [f64],
    ) {
        if self.is_empty() {
            return;
        }
        self.take_masses(tree, groups, masses);
        let Start { t, step, q, v, .. } = *start;
        let mut next = free.to_vec();
        // From mean velocities of zero: the first correction solves the linear problem at the start.
        for own in &self.groups {
            let theta = joints.group_theta(own.group);
            for k in groups.members(own.group) {
                next[*k] = -(1.0 - theta) / theta * v[*k];
            }
        }
        let latest = self.groups.iter().map(|own| joints.group_theta(own.group)).fold(0.5, f64::max);
        let largest = v.iter().chain(free.iter()).fold(0.0_f64, |most, v| most.max(v.abs()));
        let mut last = f64::INFINITY;
        for correction in 0..MAX_CORRECTIONS {
            self.mean.fill(0.0);
            for own in &self.groups {
                let theta = joints.group_theta(own.group);
                for k in groups.members(own.group) {
                    self.mean[*k] = (1.0 - theta) * v[*k] + theta * next[*k];
                    self.shift[*k] = theta * step * self.mean[*k];
                }
            }
            self.q.copy_from_slice(q);
            tree.displace(&mut self.q, &self.shift);
            tree.normalise(&mut self.q);
            tree.update_motion(t + latest * step, &self.q, &self.mean, &mut self.ws);
            let mut change = 0.0_f64;
            for own in &mut self.groups {
                let theta = joints.group_theta(own.group);
                own.sum_forces(tree, (groups, &self.ws), (theta, step), correction == 0, &mut self.columns);
                // What is missing of the momentum.
                let members = groups.members(own.group);
                for &(row, column, mass) in &own.masses {
                    let gained = |place: usize| next[members[place]] - free[members[place]];
                    own.residual[row] -= mass * gained(column);
                    if row != column {
                        own.residual[column] -= mass * gained(row);
                    }
                }
                if correction == 0 {
                    own.factor();
                }
                own.matrix.solve(&mut own.residual, &mut self.work);
                change = own.residual.iter().fold(change, |most, x| most.max(x.abs()));
            }
            // Going astray: what was found before is kept.
            let falls = change < last;
            if correction > 1 && !falls {
                break;
            }
            for own in &self.groups {
                for (k, change) in groups.members(own.group).iter().zip(&own.residual) {
                    next[*k] += change;
                }
            }
            if change <= FOUND * largest {
                break;
            }
            last = change;
        }
        free.copy_from_slice(&next);
    }

    /// Writes the masses of all groups with beams.
    fn take_masses(&mut self, tree: &Tree, groups: &Groups, ws: &mut Workspace) {
        for own in &mut self.groups {
            own.masses.clear();
        }
        let (number_of, own) = (&self.number_of, &mut self.groups);
        // Entries come in an order of the tree; those of a pair that is visited twice would count twice.
        tree.each_mass(ws, |k, l, entry| {
            let ((group, row), (_, column)) = (groups.place(k), groups.place(l));
            if let Some(number) = number_of[group]
                && l <= k
                && entry != 0.0
            {
                own[number].masses.push((row, column, entry));
            }
        });
    }
}

impl BeamGroup {
    fn new(tree: &Tree, groups: &Groups, group: usize, beams: Vec<usize>) -> Self {
        // The group has its velocities in the order of elimination. What hangs on one first moving body is coupled by masses, first moving bodies by beams.
        let members = groups.members(group);
        let root_of = |v: usize| tree.body_of_velocity(v).map(|body| tree.root(body));
        let mut coupled = Vec::new();
        let mut of_root: Vec<(Option<BodyId>, Vec<usize>)> = Vec::new();
        for (place, v) in members.iter().enumerate() {
            let root = root_of(*v);
            match of_root.last_mut().filter(|(last, _)| *last == root) {
                Some((_, places)) => places.push(place),
                None => of_root.push((root, vec![place])),
            }
        }
        let places = |body: BodyId| {
            let root = Some(tree.root(body));
            of_root.iter().find(|(other, _)| *other == root).map_or(&[][..], |(_, places)| places.as_slice())
        };
        for (_, own) in &of_root {
            coupled.extend(own.iter().map(|place| [own[0], *place]));
        }
        for beam in &beams {
            let ends: Vec<BodyId> = tree.beam_bodies(&tree.beams()[*beam]).collect();
            if let [a, b] = ends[..] {
                for (one, other) in [(places(a), places(b)), (places(b), places(a))] {
                    coupled.extend(one.first().into_iter().flat_map(|a| other.iter().map(|b| [*a, *b])));
                }
            }
        }
        let order: Vec<usize> = (0..members.len()).collect();
        Self {
            group,
            beams,
            matrix: Skyline::new(&order, coupled.into_iter()),
            masses: Vec::new(),
            couplings: Vec::new(),
            residual: vec![0.0; order.len()],
        }
    }

    /// Sums the impulses of all beams, and what they add to the masses where that is asked for.
    fn sum_forces(
        &mut self,
        tree: &Tree,
        (groups, ws): (&Groups, &Workspace),
        (theta, step): (f64, f64),
        has_couplings: bool,
        columns: &mut [Columns; 2],
    ) {
        self.residual.fill(0.0);
        if has_couplings {
            self.couplings.clear();
        }
        for number in &self.beams {
            let beam = &tree.beams()[*number];
            for (columns, site) in columns.iter_mut().zip([&beam.a, &beam.b]) {
                columns.clear();
                if site.body.is_some_and(|body| groups.of(Some(body)) == Some(self.group)) {
                    tree.site_rows(ws, site, |k, row| columns.push((groups.place(k).1, row.into())));
                }
            }
            let loads = if has_couplings {
                let response = tree.beam_response(ws, beam);
                let falls = (response.stiffness * (theta * step) + response.damping) * (theta * step);
                couple(&falls, columns, &mut self.couplings);
                response.loads
            } else {
                tree.beam_loads(ws, beam)
            };
            for (end, columns) in columns.iter().enumerate() {
                for (place, row) in columns {
                    let sum: f64 = row.iter().zip(&loads.as_slice()[6 * end..]).map(|(a, b)| a * b).sum();
                    self.residual[*place] += step * sum;
                }
            }
        }
    }

    fn factor(&mut self) {
        self.matrix.clear();
        for &(row, column, value) in self.masses.iter().chain(&self.couplings) {
            self.matrix.add(row, column, value);
        }
        self.matrix.factor();
    }
}

/// Adds a matrix over the motions of both ends of a beam.
fn couple(matrix: &Matrix12, columns: &[Columns; 2], couplings: &mut Vec<(usize, usize, f64)>) {
    let mut moved = Vec::with_capacity(12);
    for (end, own) in columns.iter().enumerate() {
        for (place, row) in own {
            let mut load = [0.0; 12];
            for (k, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                for (load, entry) in load.iter_mut().zip(matrix.column(6 * end + k).iter()) {
                    *load += x * entry;
                }
            }
            moved.push((end, *place, *row, load));
        }
    }
    for (i, (_, place, _, load)) in moved.iter().enumerate() {
        for (j, (end, other, row, _)) in moved[..=i].iter().enumerate() {
            let value: f64 = row.iter().zip(&load[6 * end..]).map(|(a, b)| a * b).sum();
            // Two ends that one joint moves: both mirrored products belong to one entry of the diagonal.
            let factor = if place == other && i != j { 2.0 } else { 1.0 };
            couplings.push((*place, *other, factor * value));
        }
    }
}
