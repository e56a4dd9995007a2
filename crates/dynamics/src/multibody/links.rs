//! Bodies as links of a tree: what a solver needs that eliminates joints itself.

use zerogap_core::Vec3;

use super::joint::BodyId;
use super::spatial::SpatialInertia;
use super::tree::Tree;
use super::workspace::Workspace;

impl Workspace {
    /// The pivot of a body, the origin of its joint frame, in the world [m].
    pub(crate) fn pivot(&self, body: BodyId) -> Vec3 {
        self.bodies[body.index()].pivot_at
    }

    /// From the pivot of the parent of a body to its own, world axes [m].
    pub(crate) fn arm(&self, body: BodyId) -> Vec3 {
        self.bodies[body.index()].arm
    }
}

impl Tree {
    /// Returns the inertia of a body about its pivot: force, then torque, that it takes to accelerate the pivot and to turn the body.
    pub(crate) fn link_inertia(&self, ws: &Workspace, body: BodyId) -> [[f64; 6]; 6] {
        let state = &ws.bodies[body.index()];
        let mass = self.links[body.index()].inertia.mass;
        let SpatialInertia { rotation, coupling, translation } =
            SpatialInertia::rigid(mass, &state.center, &state.inertia);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i < 3, j < 3) {
                (true, true) => translation[(i, j)],
                (true, false) => coupling[(j - 3, i)],
                (false, true) => coupling[(i - 3, j)],
                (false, false) => rotation[(i - 3, j - 3)],
            })
        })
    }

    /// Returns the motion of a body for one unit of a velocity of its joint: velocity of the pivot, then angular velocity, world axes.
    pub(crate) fn link_axis(&self, ws: &Workspace, v_index: usize) -> [f64; 6] {
        let [x, y, z] = ws.axes[v_index].into();
        if self.rotates[v_index] { [0.0, 0.0, 0.0, x, y, z] } else { [x, y, z, 0.0, 0.0, 0.0] }
    }
}
