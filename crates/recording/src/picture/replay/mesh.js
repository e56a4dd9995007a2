// Triangles made ready to be drawn: smooth where the surface is, sharp at creases, with lines along them.

/** Faces that meet at a smaller angle than this belong to one curved surface [rad]. */
const CREASE = 22 * Math.PI / 180;

/** A geometry with normals by crease angle, and the lines along its creases. */
function creased(points, corners) {
  const faces = corners.length / 3;
  const at = v => [points[3 * v], points[3 * v + 1], points[3 * v + 2]];

  // Corners at the same place are one.
  const welded = new Map(), place = new Uint32Array(points.length / 3);
  for (let v = 0; v < place.length; v++) {
    const key = at(v).join();
    if (!welded.has(key)) welded.set(key, v);
    place[v] = welded.get(key);
  }

  // Unit normals of faces; those without area have none.
  const normals = [], around = new Map(), edges = new Map();
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [0, 1, 2].map(k => at(corners[3 * f + k]));
    const u = [0, 1, 2].map(k => b[k] - a[k]), w = [0, 1, 2].map(k => c[k] - a[k]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const area = Math.hypot(...n);
    normals.push(area > 0 ? n.map(x => x / area) : null);
    if (!area) continue;
    for (let k = 0; k < 3; k++) {
      const p = place[corners[3 * f + k]], q = place[corners[3 * f + (k + 1) % 3]];
      if (!around.has(p)) around.set(p, []);
      around.get(p).push([f, area]);
      const key = p < q ? `${p} ${q}` : `${q} ${p}`;
      if (!edges.has(key)) edges.set(key, []);
      edges.get(key).push(f);
    }
  }

  // A corner of a face takes the mean of the faces around it that are nearly parallel to it.
  const minCosine = Math.cos(CREASE);
  const dot = (n, m) => n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
  const position = new Float32Array(9 * faces), normal = new Float32Array(9 * faces);
  for (let f = 0; f < faces; f++) {
    for (let k = 0; k < 3; k++) {
      const v = corners[3 * f + k], sum = [0, 0, 0];
      for (const [g, area] of normals[f] ? around.get(place[v]) : []) {
        if (dot(normals[f], normals[g]) >= minCosine) normals[g].forEach((x, i) => { sum[i] += x * area; });
      }
      const length = Math.hypot(...sum) || 1;
      position.set(at(v), 9 * f + 3 * k);
      normal.set(sum.map(x => x / length), 9 * f + 3 * k);
    }
  }
  const solid = new THREE.BufferGeometry();
  solid.setAttribute('position', new THREE.BufferAttribute(position, 3));
  solid.setAttribute('normal', new THREE.BufferAttribute(normal, 3));

  // An edge is a crease where two faces turn, and where there is only one.
  const lines = [];
  for (const [key, [f, g]] of edges) {
    if (g !== undefined && dot(normals[f], normals[g]) >= minCosine) continue;
    for (const v of key.split(' ')) lines.push(...at(+v));
  }
  const crease = new THREE.BufferGeometry();
  crease.setAttribute('position', new THREE.BufferAttribute(new Float32Array(lines), 3));
  return { solid, crease };
}

/** Two triangles that share their plane are a patch of a half-space. */
function patchOf(points, corners) {
  if (points.length !== 12 || corners.length !== 6) return null;
  const at = k => new THREE.Vector3().fromArray(points, 3 * k);
  const across = at(corners[1]).sub(at(corners[0])), other = at(corners[2]).sub(at(corners[0]));
  const normal = across.clone().cross(other).normalize();
  const middle = at(0).add(at(1)).add(at(2)).add(at(3)).multiplyScalar(0.25);
  const heights = [0, 1, 2, 3].map(k => Math.abs(at(k).sub(middle).dot(normal)));
  const size = across.length();
  if (!(size > 0) || Math.max(...heights) > 1e-5 * size) return null;
  return { normal, middle, along: across.normalize(), half: size / 2 };
}

/** Lines of a grid in the plane of x and y that fade with the distance from the middle; every fifth is stronger. */
function gridLines(spacing, radius, color, shift) {
  const positions = [], colors = [];
  const count = Math.floor(radius / spacing);
  const parts = 24;
  const push = (x, y, strength) => {
    const far = Math.min(1, Math.hypot(x, y) / radius);
    positions.push(x, y, 0);
    colors.push(color.r, color.g, color.b, strength * (1 - far) ** 1.5);
  };
  for (let k = -count; k <= count; k++) {
    for (const swapped of [false, true]) {
      const fixed = k * spacing - (swapped ? shift.y : shift.x);
      const number = Math.round((fixed + (swapped ? shift.y : shift.x)) / spacing);
      const strength = number % 5 === 0 ? 0.6 : 0.26;
      if (Math.abs(fixed) >= radius) continue;
      const reach = Math.sqrt(radius * radius - fixed * fixed);
      for (let i = 0; i < parts; i++) {
        for (const j of [i, i + 1]) {
          const along = reach * (2 * j / parts - 1);
          if (swapped) push(along, fixed, strength); else push(fixed, along, strength);
        }
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colors), 4));
  const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
  return new THREE.LineSegments(geometry, material);
}
