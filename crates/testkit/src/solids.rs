//! Small meshes with known faces, as plain arrays: vertices and triangles, counter-clockwise seen from outside.

use zerogap_core::Vec3;

/// Vertices and triangles.
pub type Arrays = (Vec<Vec3>, Vec<[u32; 3]>);

/// A box between two corners: 12 triangles.
pub fn cuboid(low: [f64; 3], high: [f64; 3]) -> Arrays {
    let pick = |k: usize, axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
    let vertices = (0..8).map(|k| Vec3::new(pick(k, 0), pick(k, 1), pick(k, 2))).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (vertices, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

/// The cube of side 1 about the origin.
pub fn cube() -> Arrays {
    cuboid([-0.5; 3], [0.5; 3])
}

/// The octahedron with its corners on the axes at 1.
pub fn octahedron() -> Arrays {
    let vertices = (0..6).map(|k| Vec3::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).collect();
    let triangles = (0..8_u32)
        .map(|k| {
            let [x, y, z] = [k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2 & 1)];
            if k.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] }
        })
        .collect();
    (vertices, triangles)
}

/// A sphere of radius 1: the icosahedron with corners at (0, ±1, ±φ) and so on, every triangle split into four `levels` times.
pub fn icosphere(levels: u32) -> Arrays {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut vertices = Vec::new();
    for axis in 0..3 {
        for (one, two) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
            let mut p = Vec3::zeros();
            (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (one, two);
            vertices.push(p.normalize());
        }
    }
    // Corners that are nearest neighbours make the faces.
    let side = (vertices[0] - vertices[1]).norm() * 1.001;
    let near = |i: usize, j: usize| (vertices[i] - vertices[j]).norm() < side;
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let outward =
                        (vertices[j] - vertices[i]).cross(&(vertices[k] - vertices[i])).dot(&vertices[i]);
                    let [i, j, k] = [i, j, k].map(|c| c as u32);
                    triangles.push(if outward > 0.0 { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..levels {
        let mut middles: Vec<([u32; 2], u32)> = Vec::new();
        let mut middle = |a: u32, b: u32| {
            let key = [a.min(b), a.max(b)];
            if let Some((_, m)) = middles.iter().rev().find(|(k, _)| *k == key) {
                return *m;
            }
            vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
            middles.push((key, vertices.len() as u32 - 1));
            vertices.len() as u32 - 1
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    (vertices, triangles)
}

/// A flat open rectangle about the origin, `n` by `m` cells of two triangles, facing +z.
pub fn grid(width: f64, height: f64, n: u32, m: u32) -> Arrays {
    let mut vertices = Vec::new();
    for j in 0..=m {
        for i in 0..=n {
            let (x, y) = (f64::from(i) / f64::from(n) - 0.5, f64::from(j) / f64::from(m) - 0.5);
            vertices.push(Vec3::new(width * x, height * y, 0.0));
        }
    }
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let mut triangles = Vec::new();
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// A prism with an L for its section: the square between 0 and 2 without that between 1 and 2, from z = 0 to `height`. 20 triangles.
pub fn l_prism(height: f64) -> Arrays {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let vertices =
        [0.0, height].iter().flat_map(|&z| outline.iter().map(move |&[x, y]| Vec3::new(x, y, z))).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.push([a, c, b]);
        triangles.push([a + 6, b + 6, c + 6]);
    }
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    (vertices, triangles)
}

/// A block of half-width `outer` from z = 0 to `height` with a square hole of half-width `inner`, down to `floor`; through where there is none.
pub fn block_with_hole(outer: f64, inner: f64, height: f64, floor: Option<f64>) -> Arrays {
    let ring = |half: f64, z: f64| {
        [[-half, -half], [half, -half], [half, half], [-half, half]].map(|[x, y]| Vec3::new(x, y, z))
    };
    let bottom = floor.unwrap_or(0.0);
    let vertices = [ring(outer, 0.0), ring(outer, height), ring(inner, bottom), ring(inner, height)].concat();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let mut quad = |a: u32, b: u32, c: u32, d: u32| triangles.extend([[a, b, c], [a, c, d]]);
    for k in 0..4 {
        let next = (k + 1) % 4;
        quad(k, next, next + 4, k + 4);
        quad(k + 4, next + 4, next + 12, k + 12);
        quad(next + 8, k + 8, k + 12, next + 12);
        if floor.is_none() {
            quad(k + 8, next + 8, next, k);
        }
    }
    if floor.is_some() {
        quad(3, 2, 1, 0);
        quad(8, 9, 10, 11);
    }
    (vertices, triangles)
}
