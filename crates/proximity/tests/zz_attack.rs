#![allow(warnings, clippy::all, clippy::pedantic)]
use std::collections::BTreeMap;
use std::sync::Arc;
use zerogap_core::{Aabb, Mat3, Pose, Vec3};
use zerogap_geometry::shape::*;
use zerogap_geometry::*;
use zerogap_testkit::random::Random;

type R = Random;
#[derive(Default)]
struct Report {
    rows: BTreeMap<String, (f64, usize, String)>,
}
impl Report {
    /// err as ratio to tolerance; >1 is a failure
    fn add(&mut self, key: &str, ratio: f64, what: impl Fn() -> String) {
        let row = self.rows.entry(key.to_owned()).or_insert((-1.0, 0, String::new()));
        let bad = !(ratio <= 1.0);
        if bad {
            row.1 += 1;
        }
        if !(ratio <= row.0) && !row.0.is_nan() {
            row.0 = ratio;
            if bad {
                row.2 = what();
            }
        }
    }
    fn print(&self, title: &str, total: usize) {
        println!("=== {title}: {total} shapes");
        for (k, (r, n, w)) in &self.rows {
            if *n > 0 {
                println!("FAIL {k}: worst {r:.2e}, {n} times\n      {}", &w[..w.len().min(900)]);
            }
        }
        let mut ok: Vec<String> =
            self.rows.iter().filter(|x| x.1.1 == 0).map(|(k, x)| format!("{k} {:.1e}", x.0)).collect();
        println!("ok: {}", ok.join("; "));
    }
}
fn fin(v: &Vec3) -> bool {
    v.iter().all(|x| x.is_finite())
}
fn sup(s: &ConvexShape, d: &Vec3) -> Vec3 {
    s.support(d, &mut SupportHint::default())
}
fn unit(v: Vec3) -> Vec3 {
    let v = v / v.amax();
    v / v.norm()
}

struct Spec {
    exact: f64,
    flat: bool,
    ray: bool,
}

fn attack(rep: &mut Report, key: &str, s: &ConvexShape, r: &mut R, queries: usize, tol_rel: f64) {
    let b = s.bounding_box();
    let size = {
        let d = b.size();
        let m = d.amax();
        if m > 0.0 { (d / m).norm() * m } else { 0.0 }
    };
    let place = b.min.amax().max(b.max.amax());
    let base = size + place;
    let t0 = tol_rel * base + 1e-320;
    let k = |c: &str| format!("{key}/{c}");
    let show = || {
        let t = format!("{s:?}");
        t[..t.len().min(400)].to_owned()
    };
    rep.add(&k("box finite"), if fin(&b.min) && fin(&b.max) { 0.0 } else { 9.0 }, || show());
    let ball = s.bounding_sphere();
    rep.add(&k("ball finite"), if fin(&ball.center) && ball.radius.is_finite() { 0.0 } else { 9.0 }, || {
        show()
    });
    let flat = s.volume() == 0.0 && !matches!(s, ConvexShape::User(_));
    // supports
    let mut pts = vec![];
    for i in 0..queries {
        let mut d = r.direction();
        if i % 4 == 1 {
            let kk = r.index(3);
            let e = 10f64.powf(r.range(-320.0, 0.0));
            d = d * e;
            d[kk] = 1.0;
        }
        if i % 4 == 2 {
            let kk = r.index(3);
            d[kk] = 0.0;
        }
        let d = unit(d);
        let p = sup(s, &d);
        rep.add(&k("support finite"), if fin(&p) { 0.0 } else { 9.0 }, || format!("{d:?} {}", show()));
        for h in [1u32, 7, u32::MAX, r.bits() as u32] {
            let p2 = s.support(&d, &mut SupportHint(h));
            rep.add(&k("hint"), if p2 == p { 0.0 } else { 9.0 }, || format!("{d:?} {}", show()));
        }
        for l in [1e-300, 1e300, 1e-310, 1e-100, 1e100] {
            let p2 = sup(s, &(d * l));
            let tol = if l < 1e-305 { 1e-11 } else { 1e-14 };
            rep.add(&k("dir length"), d.dot(&(p2 - p)).abs() / (tol * base + 1e-320), || {
                format!("{l} {d:?} {p:?} {p2:?} {}", show())
            });
        }
        let g = s.closest_point(&p);
        rep.add(&k("support in shape"), g.gap / t0, || format!("{d:?} {p:?} {g:?} {}", show()));
        rep.add(
            &k("box holds"),
            (0..3).map(|k| (p[k] - b.max[k]).max(b.min[k] - p[k])).fold(0.0, f64::max)
                / (1e-15 * base + 1e-320),
            || show(),
        );
        let off = p - ball.center;
        let m = off.amax();
        let len = if m > 0.0 { (off / m).norm() * m } else { 0.0 };
        rep.add(&k("ball holds"), (len - ball.radius) / (2e-15 * base + 1e-320), || {
            format!("{ball:?} {p:?} {}", show())
        });
        pts.push((d, p));
    }
    for i in 0..pts.len() {
        for j in 0..pts.len().min(30) {
            let (d, p) = pts[i];
            let q = pts[(i + j) % pts.len()].1;
            rep.add(&k("support max"), d.dot(&(q - p)) / (2e-15 * base + 1e-320), || {
                format!("{d:?} {p:?} {q:?} {}", show())
            });
        }
    }
    for kk in 0..3 {
        let mut a = Vec3::zeros();
        a[kk] = 1.0;
        rep.add(
            &k("box tight"),
            ((b.max[kk] - sup(s, &a)[kk]).abs().max((b.min[kk] - sup(s, &-a)[kk]).abs()))
                / (2e-15 * base + 1e-320),
            || show(),
        );
    }
    let c = s.interior_point();
    let cg = s.closest_point(&c);
    rep.add(&k("interior inside"), cg.gap / (if flat { t0 } else { 4e-16 * base }), || {
        format!("{c:?} {cg:?} {}", show())
    });
    let z = sup(s, &Vec3::zeros());
    rep.add(&k("zero dir"), if fin(&z) { s.closest_point(&z).gap / t0 } else { 9.0 }, || show());
    // queries
    let mut qs = vec![c, Vec3::zeros()];
    for i in 0..queries {
        let (_, p) = pts[r.index(pts.len())];
        let (_, p2) = pts[r.index(pts.len())];
        let m = p + (p2 - p) * r.unit();
        let mag = 10f64.powf(r.range(-18.0, 3.0)) * size.max(1e-300);
        let mag2 = 10f64.powf(r.range(-18.0, 3.0)) * base;
        qs.extend([
            p,
            m,
            p + r.direction() * mag,
            m + r.direction() * mag,
            c + r.direction() * mag,
            r.in_cube(2.0) * base,
            p + r.direction() * mag2,
            c + (p - c) * r.range(0.0, 1.0),
        ]);
        if let Some(cs) = s.corners() {
            if cs.len() > 1 {
                let (a, b2) = (cs[r.index(cs.len())], cs[r.index(cs.len())]);
                let e = a + (b2 - a) * r.unit();
                qs.extend([e, e + r.direction() * mag, a + r.direction() * mag]);
            }
        }
    }
    for q in &qs {
        let near = s.closest_point(q);
        let ctx = || format!("q {q:?} near {near:?} {}", show());
        if !(fin(&near.point) && fin(&near.normal) && near.gap.is_finite()) {
            rep.add(&k("closest finite"), 9.0, ctx);
            continue;
        } else {
            rep.add(&k("closest finite"), 0.0, ctx);
        }
        let reach = base + q.amax();
        let t = tol_rel * reach + 1e-320;
        rep.add(&k("unit normal"), (near.normal.norm() - 1.0).abs() / 1e-14, ctx);
        rep.add(
            &k("q-s=gap n"),
            (q - near.point - near.normal * near.gap).amax() / (1e-14 * reach + 1e-320),
            ctx,
        );
        let at = near.normal.dot(&(q - sup(s, &near.normal)));
        rep.add(&k("attained"), (near.gap - at).abs() / t, || format!("proved {at} {}", ctx()));
        let again = s.closest_point(&near.point);
        rep.add(&k("s on surface"), again.gap.abs() / (2.0 * t), || format!("again {again:?} {}", ctx()));
        for i in 0..8 {
            let st = if i % 2 == 0 { 10.0 } else { 10f64.powf(r.range(-8.0, 0.0)) };
            let n = unit(near.normal + r.direction() * st);
            let o = n.dot(&(q - sup(s, &n)));
            rep.add(&k("beaten"), (o - near.gap) / t, || format!("{n:?} proves {o} {}", ctx()));
        }
        let inside = s.contains(q);
        rep.add(&k("contains"), if inside == (near.gap <= 0.0) { 0.0 } else { 9.0 }, ctx);
    }
    // far
    for l in [1e-320, 1e-300, 1e-200, 1e-100, 1e70, 1e99, 1e101, 1e150, 1e160, 1e200, 1e300, f64::MAX] {
        let d = r.direction();
        let q = d * l;
        let near = s.closest_point(&q);
        let ok = fin(&near.point)
            && fin(&near.normal)
            && near.gap.is_finite()
            && (near.normal.norm() - 1.0).abs() < 1e-14;
        rep.add(&k("far finite"), if ok { 0.0 } else { 9.0 }, || format!("{q:?} {near:?} {}", show()));
        if l > 1e80 && l < 1e307 {
            rep.add(&k("far gap"), (near.gap / l - 1.0).abs() / 1e-12, || {
                format!("{q:?} {near:?} {}", show())
            });
        }
        let hit = s.cast_ray(&Ray { origin: q, direction: -d });
        rep.add(
            &k("far ray"),
            if hit.is_none_or(|h| h.distance.is_finite() && fin(&h.normal)) { 0.0 } else { 9.0 },
            || format!("{q:?} {hit:?} {}", show()),
        );
    }
    // rays
    for i in 0..queries {
        let (_, p) = pts[r.index(pts.len())];
        let o = c + r.direction()
            * size.max(place * 1e-3)
            * 10f64.powf(r.range(-1.0, if tol_rel < 1e-12 { 1.5 } else { 0.7 }));
        let aim = match i % 3 {
            0 => c,
            1 => p,
            _ => p + r.direction() * size * 0.2,
        };
        let Ok(ray) = Ray::new(o, aim - o) else { continue };
        let hit = s.cast_ray(&ray);
        let dist = {
            let v = aim - o;
            let m = v.amax();
            (v / m).norm() * m
        };
        let reach = base + o.amax();
        let deep = -cg.gap;
        let ctx = || format!("{ray:?} {hit:?} {}", show());
        match hit {
            None => {
                if i % 3 == 0 {
                    let f = deep > 100.0 * tol_rel * reach;
                    rep.add(&k("ray to centre hits"), if f { 9.0 } else { 0.0 }, ctx);
                }
            }
            Some(h) => {
                rep.add(
                    &k("hit finite"),
                    if h.distance.is_finite() && h.distance >= 0.0 && (h.normal.norm() - 1.0).abs() < 1e-14 {
                        0.0
                    } else {
                        9.0
                    },
                    ctx,
                );
                let x = ray.at(h.distance);
                let g = s.closest_point(&x).gap;
                if h.distance == 0.0 {
                    rep.add(&k("hit0"), g / (10.0 * tol_rel * reach + 1e-320), ctx);
                } else {
                    rep.add(&k("hit on surface"), g.abs() / (10.0 * tol_rel * reach + 1e-320), || {
                        format!("gap {g} {}", ctx())
                    });
                    rep.add(
                        &k("hit normal faces"),
                        if h.normal.dot(&ray.direction) < 1e-12 { 0.0 } else { 9.0 },
                        ctx,
                    );
                }
            }
        }
    }
    // mass
    let v = s.volume();
    rep.add(&k("volume finite"), if v.is_finite() && v >= 0.0 { 0.0 } else { 9.0 }, || {
        format!("{v} {}", show())
    });
    for rho in [1.0, 1e-200, 1e300, 7800.0] {
        match s.mass_properties(rho) {
            Err(_) => {}
            Ok(m) => {
                rep.add(
                    &k("mass finite"),
                    if m.mass.is_finite() && fin(&m.center) && m.inertia.iter().all(|x| x.is_finite()) {
                        0.0
                    } else {
                        9.0
                    },
                    || format!("{rho} {m:?} {}", show()),
                );
                if rho == 1.0 && v > 0.0 {
                    rep.add(&k("mass=volume"), (m.mass / v - 1.0).abs() / 1e-10, || {
                        format!("{m:?} {v} {}", show())
                    });
                    if v > 1e-4 * size.powi(3) {
                        rep.add(&k("center in box"), s.closest_point(&m.center).gap / t0, || {
                            format!("{m:?} {}", show())
                        });
                    }
                    let i = m.inertia;
                    let tr = i.trace();
                    if tr > 1e-290 {
                        let n = i / tr;
                        let e = n.symmetric_eigenvalues();
                        let (mn, mx) = (e.min(), e.max());
                        rep.add(&k("inertia ok"), ((-mn).max(mx - 0.5)) / 1e-12, || {
                            format!("{m:?} {}", show())
                        });
                        rep.add(&k("inertia sym"), (n - n.transpose()).amax() / 1e-14, || format!("{m:?}"));
                    }
                }
            }
        }
    }
}
fn lg(r: &mut R, a: f64, b: f64) -> f64 {
    10f64.powf(r.range(a, b))
}
/// random sizes: base scale times moderate or wild aspect
fn simple_shapes(r: &mut R, e0: f64, e1: f64, asp: f64) -> Vec<(String, ConvexShape)> {
    let s = lg(r, e0, e1);
    let cl = |x: f64| x.clamp(1e-60, 1e60);
    let mut l = |r: &mut R| cl(s * lg(r, -asp, 0.0));
    let pl = |r: &mut R, l: f64| {
        let v = r.in_cube(1.0) * l;
        v
    };
    let mut out: Vec<(String, ConvexShape)> = vec![];
    let a = [l(r), l(r), l(r), l(r)];
    out.push(("sphere".into(), Sphere::new(a[0]).unwrap().into()));
    out.push(("ellipsoid".into(), Ellipsoid::new(Vec3::new(a[0], a[1], a[2])).unwrap().into()));
    out.push(("box".into(), Cuboid::new(Vec3::new(a[0], a[1], a[2])).unwrap().into()));
    out.push(("capsule".into(), Capsule::new(a[0], if r.unit() < 0.2 { 0.0 } else { a[1] }).unwrap().into()));
    out.push(("cylinder".into(), Cylinder::new(a[0], a[1]).unwrap().into()));
    out.push(("frustum".into(), Frustum::new(a[0], a[2], a[1]).unwrap().into()));
    out.push(("cone".into(), Frustum::cone(a[0], a[1]).unwrap().into()));
    out.push(("funnel".into(), Frustum::new(0.0, a[0], a[1]).unwrap().into()));
    out.push(("point".into(), Point::new(pl(r, a[0])).unwrap().into()));
    let fs = if r.unit() < 0.5 { 0.0 } else { lg(r, 0.0, 3.0) };
    let far = pl(r, s * fs).map(|x| x.clamp(-3e59, 3e59));
    let u = r.direction();
    let v = r.direction();
    out.push(("segment".into(), Segment::new(far, far + u * a[0] * 0.1).unwrap().into()));
    let pa = far;
    let pb = far + u * (s * 0.2).min(3e59);
    for (nm, pc) in [
        ("triangle", far + r.direction() * (s * 0.2).min(3e59)),
        (
            "needle triangle",
            far + u * (s * r.range(-0.2, 0.4)).clamp(-3e59, 3e59) + v * a[1].min(1e59) * lg(r, -12.0, -1.0),
        ),
        ("collinear triangle", far + u * (s * 0.1).min(3e59)),
    ] {
        let mut t = [pa, pb, pc];
        let k = r.index(3);
        t.rotate_left(k);
        out.push((nm.into(), Triangle::new(t[0], t[1], t[2]).unwrap().into()));
    }
    let n = 3 + r.index(9);
    let mut angs: Vec<f64> = (0..n).map(|_| r.range(0.0, 6.28)).collect();
    angs.sort_by(f64::total_cmp);
    let w = lg(r, -asp.min(11.0), 0.0);
    let v2 = unit(u.cross(&v));
    let u2 = v2.cross(&u);
    let corners: Vec<Vec3> =
        angs.iter().map(|t| far + (u * t.cos() + u2 * (t.sin() * w)) * s.min(3e59)).collect();
    if let Ok(p) = Polygon::new(&corners) {
        out.push(("polygon".into(), p.into()));
    }
    let m = out.len();
    for i in 0..m {
        let rr = l(r);
        if let Ok(x) = Rounded::new(out[i].1.clone(), rr) {
            out.push((format!("R {}", out[i].0), x.into()));
        }
    }
    out
}
fn n(def: usize) -> usize {
    std::env::var("N").ok().and_then(|s| s.parse().ok()).unwrap_or(def)
}
fn seed() -> u64 {
    std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

fn run_simple(title: &str, e0: f64, e1: f64, asp: f64) {
    let mut r = R::new(seed());
    let mut rep = Report::default();
    let mut total = 0;
    for _ in 0..n(200) {
        for (k, s) in simple_shapes(&mut r, e0, e1, asp) {
            attack(&mut rep, &k, &s, &mut r, 12, 1e-14);
            total += 1;
        }
    }
    rep.print(title, total);
}
#[test]
fn simple_normal() {
    run_simple("simple, scale 1e-9..1e9 aspect 1e2", -9.0, 9.0, 2.0);
}
#[test]
fn simple_thin() {
    run_simple("simple, aspect 1e12", -3.0, 3.0, 12.0);
}
#[test]
fn simple_extreme() {
    run_simple("simple, scale 1e-60..1e60 aspect 1e60", -50.0, 60.0, 60.0);
}
#[test]
fn simple_small() {
    run_simple("simple, 1e-60..1e-50", -59.0, -50.0, 1.0);
}
#[test]
fn simple_big() {
    run_simple("simple, 1e55..1e60", 55.0, 60.0, 5.0);
}

fn nasty(r: &mut R) -> (String, Vec<Vec3>) {
    let k = r.index(11);
    let nn = [4, 5, 6, 8, 12, 30, 80, 150][r.index(8)];
    let q = Pose::new(Vec3::zeros(), r.quaternion_xyzw()).unwrap();
    let tur = |v: Vec<Vec3>| -> Vec<Vec3> { v.iter().map(|p| q.transform_vector(p)).collect() };
    let name;
    let mut p: Vec<Vec3> = match k {
        0 => {
            name = "ball";
            (0..nn).map(|_| r.in_ball()).collect()
        }
        1 => {
            name = "coplanar-ish";
            let e = lg(r, -13.0, -2.0);
            tur((0..nn)
                .map(|_| {
                    let v = r.in_ball();
                    Vec3::new(v.x, v.y, v.z * e)
                })
                .collect())
        }
        2 => {
            name = "collinear-ish";
            let (e, f) = (lg(r, -13.0, -1.0), lg(r, -13.0, -1.0));
            tur((0..nn)
                .map(|_| {
                    let v = r.in_ball();
                    Vec3::new(v.x, v.y * f, v.z * e)
                })
                .collect())
        }
        3 => {
            name = "clusters";
            let cs: Vec<Vec3> = (0..5).map(|_| r.in_ball()).collect();
            (0..nn + 4)
                .map(|i| {
                    let e = lg(r, -16.0, 0.0);
                    cs[i % 5] + r.in_ball() * e
                })
                .collect()
        }
        4 => {
            name = "duplicated";
            let b: Vec<Vec3> = (0..nn).map(|_| r.in_ball()).collect();
            let mut v = b.clone();
            v.extend(b.iter().map(|p| p + r.in_cube(3e-16)));
            v.extend(b);
            v
        }
        5 => {
            name = "grid";
            let m = 2 + r.index(4);
            let sz = Vec3::from_fn(|_, _| lg(r, -3.0, 0.0));
            let mut v = vec![];
            for i in 0..m {
                for j in 0..m {
                    for l in 0..m {
                        v.push(Vec3::new(i as f64, j as f64, l as f64).component_mul(&sz));
                    }
                }
            }
            tur(v)
        }
        6 => {
            name = "grid noisy";
            let m = 2 + r.index(4);
            let e = lg(r, -16.0, -8.0);
            let mut v = vec![];
            for i in 0..m {
                for j in 0..m {
                    for l in 0..m {
                        v.push(Vec3::new(i as f64, j as f64, l as f64) + r.in_cube(e));
                    }
                }
            }
            tur(v)
        }
        7 => {
            name = "sphere";
            (0..nn).map(|_| r.direction()).collect()
        }
        8 => {
            name = "prism";
            let m = 3 + r.index(60);
            tur((0..2 * m)
                .map(|i| {
                    let a = 6.283185307179586 * (i / 2) as f64 / m as f64;
                    Vec3::new(a.cos(), a.sin(), (i % 2) as f64)
                })
                .collect())
        }
        9 => {
            name = "origin cluster";
            let mut v: Vec<Vec3> = (0..nn)
                .map(|_| {
                    let e = lg(r, -200.0, 0.0);
                    r.in_ball() * e
                })
                .collect();
            v.extend((0..4).map(|_| r.direction()));
            v
        }
        _ => {
            name = "thin box";
            let sz = Vec3::new(1.0, lg(r, -12.0, 0.0), lg(r, -12.0, 0.0));
            tur((0..8)
                .map(|i| {
                    Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64).component_mul(&sz)
                })
                .collect())
        }
    };
    (name.into(), p)
}
fn run_poly(title: &str, scale: (f64, f64), far: Option<(f64, f64)>, tol: f64) {
    let mut r = R::new(seed() + 100);
    let mut rep = Report::default();
    let mut total = 0;
    let mut flat = 0;
    for _ in 0..n(2000) {
        let (nm, p) = nasty(&mut r);
        let s = lg(&mut r, scale.0, scale.1);
        let off = far.map_or(Vec3::zeros(), |(a, b)| {
            let l = lg(&mut r, a, b);
            r.direction() * l
        });
        let p: Vec<Vec3> = p.iter().map(|x| x * s + off).collect();
        let Ok(h) = convex_hull(&p) else {
            flat += 1;
            continue;
        };
        let b = Aabb::from_points(&p);
        let size = b.diagonal();
        let shape: ConvexShape = h.into();
        for x in &p {
            let g = shape.closest_point(x).gap;
            rep.add(&format!("{nm}/input within 1e-12"), g / (1e-12 * size + 4e-16 * (off.norm())), || {
                format!("{x:?} {g} of {size} {}", shape.kind())
            });
        }
        if let ConvexShape::Polyhedron(ph) = &shape {
            let (v, e, f) = (ph.vertices().len(), ph.edge_count(), ph.face_count());
            rep.add(&format!("{nm}/euler"), if v + f == e + 2 { 0.0 } else { 9.0 }, || String::new());
            for i in 0..f {
                rep.add(&format!("{nm}/face normal"), (ph.normal(i).norm() - 1.0).abs() / 1e-15, || {
                    format!("{:?}", ph.normal(i))
                });
                for x in ph.vertices() {
                    rep.add(&format!("{nm}/plane outward"), ph.height(i, x) / (1e-13 * size), || {
                        String::new()
                    });
                }
            }
        }
        let kind = shape.kind();
        attack(&mut rep, &format!("{nm} {kind}"), &shape, &mut r, 8, tol);
        let rr = s * lg(&mut r, -6.0, 0.5);
        if let Ok(x) = Rounded::new(shape.clone(), rr) {
            attack(&mut rep, &format!("R {nm} {kind}"), &x.into(), &mut r, 6, tol);
            total += 1;
        }
        total += 1;
    }
    println!("{flat} refused");
    rep.print(title, total);
}
#[test]
fn poly_unit() {
    run_poly("poly unit", (0.0, 0.0), None, 1e-14);
}
#[test]
fn poly_far() {
    run_poly("poly far", (0.0, 0.0), Some((3.0, 9.0)), 1e-14);
}
#[test]
fn poly_tiny() {
    run_poly("poly tiny", (-58.0, -50.0), None, 1e-14);
}
#[test]
fn poly_huge() {
    run_poly("poly huge", (50.0, 59.0), None, 1e-14);
}

#[derive(Debug)]
struct U {
    pts: Vec<Vec3>,
    radii: Option<Vec3>,
    noise: f64,
    c: Vec3,
}
impl SupportFunction for U {
    fn support(&self, d: &Vec3) -> Vec3 {
        let p = if let Some(e) = self.radii {
            let g = d.component_mul(&e);
            let m = g.amax();
            if m == 0.0 {
                self.c
            } else {
                let g = g / m;
                self.c + (g / g.norm()).component_mul(&e)
            }
        } else {
            let mut b = self.pts[0];
            for p in &self.pts {
                if d.dot(&(p - b)) > 0.0 {
                    b = *p;
                }
            }
            b
        };
        if self.noise > 0.0 {
            let h = (d.x.to_bits() ^ d.y.to_bits().rotate_left(17) ^ d.z.to_bits().rotate_left(31));
            let mut r = R::new(h);
            p + r.in_cube(self.noise)
        } else {
            p
        }
    }
    fn interior_point(&self) -> Vec3 {
        self.c
    }
}
fn run_user(title: &str, e0: f64, e1: f64) {
    let mut r = R::new(seed() + 7);
    let mut rep = Report::default();
    let mut total = 0;
    for _ in 0..n(100) {
        let s = lg(&mut r, e0, e1);
        for k in 0..8 {
            let noise = if k == 6 { 1e-13 * s } else { 0.0 };
            let asp = lg(&mut r, -4.0, 0.0);
            let c = if k == 4 { Vec3::zeros() } else { r.in_cube(1.0) * s };
            let mk = |v: Vec<Vec3>, r: &mut R| -> (Vec<Vec3>, Vec3) {
                let v: Vec<Vec3> = v.iter().map(|x| x * s + c).collect();
                let m = v.iter().sum::<Vec3>() / v.len() as f64;
                (v, m)
            };
            let (nm, u) = match k {
                0 => {
                    let q = Pose::new(Vec3::zeros(), r.quaternion_xyzw()).unwrap();
                    let (v, m) = mk(
                        (0..8)
                            .map(|i| {
                                q.transform_vector(&Vec3::new(
                                    (i & 1) as f64,
                                    (i >> 1 & 1) as f64 * asp,
                                    (i >> 2 & 1) as f64,
                                ))
                            })
                            .collect(),
                        &mut r,
                    );
                    ("ucube", U { pts: v, radii: None, noise, c: m })
                }
                1 => {
                    let (v, m) = mk(vec![r.in_ball(), r.in_ball()], &mut r);
                    ("usegment", U { pts: v, radii: None, noise, c: m })
                }
                2 => ("upoint", U { pts: vec![c], radii: None, noise, c }),
                3 | 6 => (
                    if k == 3 { "uellipsoid" } else { "unoisy ellipsoid" },
                    U { pts: vec![], radii: Some(Vec3::new(s, s * asp.max(0.05), s * 0.7)), noise, c },
                ),
                4 => ("uball", U { pts: vec![], radii: Some(Vec3::repeat(s)), noise, c }),
                5 => {
                    let (v, m) = mk((0..20).map(|_| r.in_ball()).collect(), &mut r);
                    ("ucloud", U { pts: v, radii: None, noise, c: m })
                }
                _ => {
                    let (v, m) = mk(vec![Vec3::zeros(), r.direction(), r.direction()], &mut r);
                    ("utriangle", U { pts: v, radii: None, noise, c: m })
                }
            };
            let u: ConvexShape = UserShape::new(Arc::new(u)).into();
            attack(&mut rep, nm, &u, &mut r, 6, 3e-11);
            if let Ok(x) = Rounded::new(u, s * 0.3) {
                attack(&mut rep, &format!("R {nm}"), &x.into(), &mut r, 6, 3e-11);
            }
            total += 2;
        }
    }
    rep.print(title, total);
}
#[test]
fn user_unit() {
    run_user("user", -3.0, 3.0);
}
#[test]
fn user_extreme() {
    run_user("user tiny", -59.0, -40.0);
    run_user("user huge", 40.0, 59.0);
}
#[test]
fn ball_depth() {
    let mut r = R::new(5);
    let mut w: f64 = 0.0;
    let mut ws: f64 = 0.0;
    for i in 0..n(20000) {
        let asp = 1.0 - if i % 2 == 0 { 0.0 } else { lg(&mut r, -8.0, -1.0) };
        let e = Ellipsoid::new(Vec3::new(1.0, asp, 1.0 - (1.0 - asp) * r.unit())).unwrap();
        let u =
            UserShape::new(Arc::new(U { pts: vec![], radii: Some(e.radii()), noise: 0.0, c: Vec3::zeros() }));
        let l = lg(&mut r, -8.0, 0.0);
        let q = r.direction() * l;
        let (a, b) = (u.closest_point(&q), e.closest_point(&q));
        if b.gap < 0.0 {
            let d = (b.gap - a.gap) / 3f64.sqrt() / 2.0;
            if d > w {
                w = d;
            }
            ws = ws.min(d);
        }
    }
    println!("depth too large by {w:e}, too small by {ws:e} of the size");
}
