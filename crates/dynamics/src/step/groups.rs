//! Degrees of freedom that feel each other's forces through joints and beams: a free body, a robot, a frame. Each is one group of a contact problem.

use zerogap_contact::cone::{BodyProblem, LinkTree};
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;

use super::beams::Beams;
use crate::beam::frame::reverse_cuthill_mckee;
use crate::multibody::{BodyId, Tree, Workspace};

/// No group: fixed in the world, or of prescribed motion.
const NONE: u32 = u32::MAX;

/// Velocities from which on joined bodies are given to a problem as links: fewer are quicker as a whole.
const MIN_TREE: usize = 7;

/// Joined bodies of a group that no loop closes.
#[derive(Debug, Clone)]
struct GroupTree {
    /// Parents first; each with the number of its parent among them.
    bodies: Vec<(BodyId, Option<usize>)>,
    links: LinkTree,
}

/// The groups of a tree, in the order of their first velocities.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Group of each body, or [`NONE`].
    of_body: Vec<u32>,
    /// Group and place in it of each velocity.
    of_velocity: Vec<(u32, u32)>,
    /// Velocities of each group, in ascending order unless beams join it, one group after another.
    members: Vec<usize>,
    /// Where each group begins among the members, and the end.
    starts: Vec<usize>,
    /// Where each mass matrix begins, and the end.
    mass_starts: Vec<usize>,
    masses: Vec<f64>,
    values: Vec<f64>,
    /// Whether all bodies move alone: in their coordinates masses are constant.
    is_constant: bool,
    /// By group: whether beams join its bodies.
    is_bent: Vec<bool>,
    /// By group: its bodies as links, where it has many velocities and no loops; by body, its number among them.
    trees: Vec<Option<Box<GroupTree>>>,
    link_of_body: Vec<u32>,
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
        for beam in tree.beams() {
            let mut ends = tree.beam_bodies(beam);
            if let [Some(a), Some(b)] = [ends.next(), ends.next()] {
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
            order_along_beams(tree, list);
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
        let mut is_bent = vec![false; roots.len()];
        for body in tree.beams().iter().flat_map(|beam| [beam.a.body, beam.b.body]).flatten() {
            if let Some(is_bent) = is_bent.get_mut(of_body[body.index()] as usize) {
                *is_bent = true;
            }
        }
        let mut link_of_body = vec![NONE; bodies];
        let trees = (0..roots.len())
            .map(|group| {
                let is_closed = |ends: [Option<BodyId>; 2]| {
                    ends.into_iter().flatten().any(|body| of_body[body.index()] == group as u32)
                };
                if starts[group + 1] - starts[group] < MIN_TREE
                    || tree.loop_ends().any(is_closed)
                    || is_bent[group]
                {
                    return None;
                }
                let mut own = Vec::new();
                for body in tree.body_ids().filter(|body| of_body[body.index()] == group as u32) {
                    link_of_body[body.index()] = own.len() as u32;
                    let parent = tree.parent(body).map(|parent| link_of_body[parent.index()]);
                    let parent = parent.filter(|parent| *parent != NONE).map(|parent| parent as usize);
                    own.push((body, parent));
                }
                Some(Box::new(GroupTree { bodies: own, links: LinkTree::default() }))
            })
            .collect();
        Self {
            is_constant,
            is_bent,
            trees,
            link_of_body,
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
    /// `added` is inertia that implicit joint forces add to the degrees of freedom, `beams` add theirs.
    pub(super) fn fill(
        &mut self,
        tree: &Tree,
        ws: &mut Workspace,
        (free, added): (&[f64], Option<&[f64]>),
        beams: Option<&Beams>,
        problem: &mut BodyProblem,
    ) {
        if !self.is_constant {
            if let Some(added) = added {
                ws.added_mass.copy_from_slice(added);
            }
            self.weigh(tree, ws);
            if let Some(beams) = beams {
                self.add_beams(beams);
            }
            self.list_links(tree, ws);
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
            if is_new && self.is_bent[group] {
                problem.add_sparse_group(mass, &self.values[range.clone()]);
            } else if is_new {
                problem.add_group(mass, &self.values[range.clone()]);
            }
            match &self.trees[group] {
                Some(tree) => problem.set_tree(group, mass, &self.values[range], &tree.links),
                None if is_new => {}
                None => problem.set_group(group, mass, &self.values[range]),
            }
        }
    }

    /// Writes the links of all groups that are trees.
    fn list_links(&mut self, tree: &Tree, ws: &Workspace) {
        for (group, own) in self.trees.iter_mut().enumerate() {
            let Some(own) = own else { continue };
            let GroupTree { bodies, links } = own.as_mut();
            links.clear(self.starts[group + 1] - self.starts[group]);
            for (body, parent) in bodies.iter() {
                let velocities = tree.v_range(*body);
                // Velocities of a body stand together in the tree, and so they do in the group.
                let first =
                    velocities.clone().next().map_or(0, |velocity| self.of_velocity[velocity].1 as usize);
                let inertia = tree.link_inertia(ws, *body);
                links.push_link(*parent, ws.arm(*body).into(), inertia, (first, velocities.len()));
                for velocity in velocities {
                    let added = tree.armature(velocity) + ws.added_mass[velocity];
                    let place = self.of_velocity[velocity].1 as usize;
                    links.set_axis(place, tree.link_axis(ws, velocity), added);
                }
            }
        }
    }

    /// Adds what beams do against velocities over the step to the mass matrices.
    fn add_beams(&mut self, beams: &Beams) {
        for group in 0..self.len() {
            let size = self.size(group);
            let masses = &mut self.masses[self.mass_starts[group]..self.mass_starts[group + 1]];
            beams.each_coupling(group, |row, column, value| {
                masses[row * size + column] += value;
                if row != column {
                    masses[column * size + row] += value;
                }
            });
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

    /// Adds a side to the last block of a problem: velocities of a point of a body along directions, times a factor. Bodies stand where the masses of the problem were taken, or else, as `is_elsewhere` says.
    pub(super) fn add_point(
        &self,
        tree: &Tree,
        (ws, is_elsewhere): (&Workspace, bool),
        (body, point): (Option<BodyId>, Vec3),
        (directions, factor): (&[Vec3], f64),
        (rows, problem): (&mut Vec<f64>, &mut BodyProblem),
    ) {
        let Some(group) = self.point_rows(tree, ws, body, point, (directions, factor), rows) else { return };
        let Some(body) = body.filter(|_| problem.is_tree(group) && !is_elsewhere) else {
            problem.add_side(group, rows);
            return;
        };
        let arm = point - ws.pivot(body);
        let mut motions = [[0.0; 6]; 3];
        for (motion, direction) in motions.iter_mut().zip(directions) {
            let (linear, angular) = (direction * factor, arm.cross(direction) * factor);
            *motion = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        }
        let link = self.link_of_body[body.index()] as usize;
        problem.add_link_side(group, rows, link, &motions[..directions.len()]);
    }

    /// Adds a side to the last block of a problem: angular velocities of a body about axes, times a factor; places as above.
    pub(super) fn add_turning(
        &self,
        tree: &Tree,
        (ws, is_elsewhere): (&Workspace, bool),
        body: Option<BodyId>,
        (axes, factor): (&[Vec3], f64),
        (rows, problem): (&mut Vec<f64>, &mut BodyProblem),
    ) {
        let Some(group) = self.turning_rows(tree, ws, body, (axes, factor), rows) else { return };
        let Some(body) = body.filter(|_| problem.is_tree(group) && !is_elsewhere) else {
            problem.add_side(group, rows);
            return;
        };
        let mut motions = [[0.0; 6]; 3];
        for (motion, axis) in motions.iter_mut().zip(axes) {
            let axis = axis * factor;
            *motion = [0.0, 0.0, 0.0, axis.x, axis.y, axis.z];
        }
        let link = self.link_of_body[body.index()] as usize;
        problem.add_link_side(group, rows, link, &motions[..axes.len()]);
    }

    /// Writes rows along directions at a point of a body into the rows (row-major) of its group, times a factor.
    fn point_rows(
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
    fn turning_rows(
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

/// Puts velocities that beams couple near to each other: bodies with all that hangs on them in reversed Cuthill-McKee order of the graph of beams, so that matrices have short rows. Others stay as they are.
fn order_along_beams(tree: &Tree, list: &mut Vec<usize>) {
    if tree.beams().is_empty() {
        return;
    }
    let roots: Vec<Option<BodyId>> =
        list.iter().map(|v| tree.body_of_velocity(*v).map(|body| tree.root(body))).collect();
    let mut known: Vec<BodyId> = roots.iter().copied().flatten().collect();
    known.sort_unstable();
    known.dedup();
    let number = |body: BodyId| known.binary_search(&tree.root(body)).ok();
    let pairs: Vec<[usize; 2]> = tree
        .beams()
        .iter()
        .filter_map(|beam| {
            let mut ends = tree.beam_bodies(beam).filter_map(number);
            Some([ends.next()?, ends.next()?])
        })
        .filter(|[a, b]| a != b)
        .collect();
    if pairs.is_empty() {
        return;
    }
    let order = reverse_cuthill_mckee(known.len(), pairs.into_iter());
    let mut place = vec![0; known.len()];
    for (k, root) in order.into_iter().enumerate() {
        place[root] = k;
    }
    let of = |root: Option<BodyId>| root.and_then(number).map_or(usize::MAX, |root| place[root]);
    let mut ordered: Vec<(usize, usize)> =
        roots.iter().map(|root| of(*root)).zip(list.iter().copied()).collect();
    ordered.sort_unstable();
    *list = ordered.into_iter().map(|(_, v)| v).collect();
}
