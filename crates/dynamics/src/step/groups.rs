//! Degrees of freedom that feel each other's forces through joints: a free body, a robot. Each is one group of a contact problem.

use zerogap_contact::cone::BodyProblem;
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;

use crate::multibody::{BodyId, Tree, Workspace};

/// No group: fixed in the world, or of prescribed motion.
const NONE: u32 = u32::MAX;

/// The groups of a tree, in the order of their first velocities.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Group of each body, or [`NONE`].
    of_body: Vec<u32>,
    /// Group and place in it of each velocity.
    of_velocity: Vec<(u32, u32)>,
    /// Velocities of each group, in ascending order, one group after another.
    members: Vec<usize>,
    /// Where each group begins among the members, and the end.
    starts: Vec<usize>,
    /// Where each mass matrix begins, and the end.
    mass_starts: Vec<usize>,
    masses: Vec<f64>,
    values: Vec<f64>,
    /// Whether all bodies move alone: in their coordinates masses are constant.
    is_constant: bool,
}

impl Groups {
    /// The groups of a tree; loops join what they connect.
    pub fn new(tree: &Tree) -> Self {
        // Bodies that hang on the same first moving body, or on ones that loops connect.
        let bodies = tree.bodies();
        let mut joined = DisjointSets::default();
        joined.reset(bodies);
        for ends in tree.loop_ends() {
            if let [Some(a), Some(b)] = ends.map(|end| end.filter(|body| !tree.is_driven(*body))) {
                joined.join(tree.root(a).index(), tree.root(b).index());
            }
        }
        let homes: Vec<usize> =
            (0..bodies).map(|body| joined.find(tree.root(BodyId(body as u32)).index())).collect();
        let root = |body: usize| homes[body];
        let mut roots: Vec<usize> =
            (0..bodies).filter(|body| !tree.is_driven(BodyId(*body as u32))).map(root).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut of_body = vec![NONE; bodies];
        let mut of_velocity = vec![(NONE, 0); tree.velocities()];
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); roots.len()];
        for (body, home) in of_body.iter_mut().enumerate() {
            if tree.is_driven(BodyId(body as u32)) {
                continue;
            }
            let Ok(group) = roots.binary_search(&root(body)) else { continue };
            *home = group as u32;
            lists[group].extend(tree.v_range(BodyId(body as u32)));
        }
        let (mut members, mut starts, mut mass_starts) = (Vec::new(), vec![0], vec![0]);
        for (group, list) in lists.iter_mut().enumerate() {
            list.sort_unstable();
            for (place, v) in list.iter().enumerate() {
                of_velocity[*v] = (group as u32, place as u32);
            }
            members.extend_from_slice(list);
            starts.push(members.len());
            mass_starts.push(mass_starts[group] + list.len() * list.len());
        }
        let mut masses = vec![0.0; mass_starts[roots.len()]];
        let is_constant =
            roots.len() == tree.body_ids().count() && tree.body_ids().all(|body| tree.moves_alone(body));
        if is_constant {
            for (body, mass) in tree.body_ids().zip(masses.chunks_exact_mut(36)) {
                let inertia = tree.inertia(body);
                for i in 0..3 {
                    mass[7 * i] = inertia.mass;
                    for j in 0..3 {
                        mass[6 * (3 + i) + 3 + j] = inertia.inertia[(i, j)];
                    }
                }
            }
        }
        Self {
            is_constant,
            of_body,
            of_velocity,
            values: vec![0.0; members.len()],
            members,
            starts,
            mass_starts,
            masses,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The group of a body; none where nothing in the state moves it.
    pub fn of(&self, body: Option<BodyId>) -> Option<usize> {
        let group = *self.of_body.get(body?.index())?;
        (group != NONE).then_some(group as usize)
    }

    /// Group and place in it of a velocity.
    pub fn place(&self, velocity: usize) -> (usize, usize) {
        let (group, place) = self.of_velocity[velocity];
        (group as usize, place as usize)
    }

    /// The number of velocities of a group.
    pub fn size(&self, group: usize) -> usize {
        self.starts[group + 1] - self.starts[group]
    }

    /// The velocities of a group, in its order.
    pub(super) fn members(&self, group: usize) -> &[usize] {
        &self.members[self.starts[group]..self.starts[group + 1]]
    }

    /// Puts all groups into a problem, which has them or is empty, with masses at the workspace and velocities without contacts.
    ///
    /// `added` is inertia that implicit joint forces add to the degrees of freedom.
    pub(super) fn fill(
        &mut self,
        tree: &Tree,
        ws: &mut Workspace,
        (free, added): (&[f64], Option<&[f64]>),
        problem: &mut BodyProblem,
    ) {
        if !self.is_constant {
            if let Some(added) = added {
                ws.added_mass.copy_from_slice(added);
            }
            self.weigh(tree, ws);
            ws.added_mass.fill(0.0);
        }
        problem.clear_blocks();
        let is_new = problem.groups().is_empty();
        for group in 0..self.len() {
            let range = self.starts[group]..self.starts[group + 1];
            for (value, v) in self.values[range.clone()].iter_mut().zip(&self.members[range.clone()]) {
                *value = free[*v];
            }
            let mass = &self.masses[self.mass_starts[group]..self.mass_starts[group + 1]];
            if is_new {
                problem.add_group(mass, &self.values[range]);
            } else {
                problem.set_group(group, mass, &self.values[range]);
            }
        }
    }

    /// Writes the mass matrices of all groups.
    fn weigh(&mut self, tree: &Tree, ws: &mut Workspace) {
        self.masses.fill(0.0);
        let Self { of_velocity, starts, mass_starts, masses, .. } = self;
        tree.each_mass(ws, |k, l, entry| {
            let ((group, row), (_, column)) = (of_velocity[k], of_velocity[l]);
            let (group, row, column) = (group as usize, row as usize, column as usize);
            let size = starts[group + 1] - starts[group];
            masses[mass_starts[group] + row * size + column] = entry;
            masses[mass_starts[group] + column * size + row] = entry;
        });
    }

    /// Velocities of the tree into the order of the groups.
    pub(super) fn gather(&self, v: &[f64], grouped: &mut [f64]) {
        for (place, v_index) in self.members.iter().enumerate() {
            grouped[place] = v[*v_index];
        }
    }

    /// Velocities in the order of the groups back into that of the tree.
    pub(super) fn scatter(&self, grouped: &[f64], v: &mut [f64]) {
        for (place, v_index) in self.members.iter().enumerate() {
            v[*v_index] = grouped[place];
        }
    }

    /// Writes rows along directions at a point of a body into the rows (row-major) of its group, times a factor.
    pub(super) fn point_rows(
        &self,
        tree: &Tree,
        ws: &Workspace,
        body: Option<BodyId>,
        point: Vec3,
        (directions, factor): (&[Vec3], f64),
        rows: &mut Vec<f64>,
    ) -> Option<usize> {
        let group = self.of(body)?;
        let size = self.size(group);
        rows.clear();
        rows.resize(directions.len() * size, 0.0);
        tree.each_point_velocity(ws, body, point, |k, velocity| {
            let place = self.of_velocity[k].1 as usize;
            for (row, direction) in directions.iter().enumerate() {
                rows[row * size + place] = factor * direction.dot(&velocity);
            }
        });
        Some(group)
    }

    /// Writes rows of the angular velocity of a body about axes into the rows (row-major) of its group, times a factor.
    pub(super) fn turning_rows(
        &self,
        tree: &Tree,
        ws: &Workspace,
        body: Option<BodyId>,
        (axes, factor): (&[Vec3], f64),
        rows: &mut Vec<f64>,
    ) -> Option<usize> {
        let group = self.of(body)?;
        let size = self.size(group);
        rows.clear();
        rows.resize(axes.len() * size, 0.0);
        tree.each_angular_velocity(ws, body, |k, turning| {
            let place = self.of_velocity[k].1 as usize;
            for (row, axis) in axes.iter().enumerate() {
                rows[row * size + place] = factor * axis.dot(&turning);
            }
        });
        Some(group)
    }
}
