// Geometries of the shapes; unit sized where scaling does the rest, so that equal shapes are drawn in one call.

import * as THREE from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeEntry, Vec3 } from "./scene_data";

const cache = new Map<string, THREE.BufferGeometry>();

export interface Drawn {
  key: string;
  geometry: THREE.BufferGeometry;
  scale: Vec3;
  rubber?: boolean; // colours of its own
  painted?: boolean; // colours of its own, times the colour of the body
}

function cached(key: string, make: () => THREE.BufferGeometry): THREE.BufferGeometry {
  let found = cache.get(key);
  if (!found) {
    found = make();
    if (!found.index) found = mergeVertices(found, 1e-5); // corners that triangles share are worked out once
    cache.set(key, found);
  }
  return found;
}

/** How finely shapes are drawn: near the eye, some way off, and far away in a crowd. */
export type Grade = 0 | 1 | 2;

/** Geometry and scale of a shape that one body carries; null for shapes drawn otherwise. */
export function drawn(shape: ShapeEntry, fineness: Grade = 0): Drawn | null {
  const grade = ` ${fineness}`;
  const pick = (...values: [number, number, number]) => values[fineness];
  switch (shape.shape) {
    case "box":
      return { key: "box", geometry: cached("box", () => bevelledBox()), scale: shape.size };
    case "sphere":
      return { key: "sphere" + grade, geometry: unitSphere(fineness), scale: [shape.radius, shape.radius, shape.radius] };
    case "ellipsoid":
      return { key: "sphere" + grade, geometry: unitSphere(fineness), scale: shape.semi_axes };
    case "superellipsoid": {
      const key = `superellipsoid ${shape.squareness}${grade}`;
      return { key, geometry: cached(key, () => superellipsoid(shape.squareness, pick(12, 6, 3))), scale: shape.semi_axes };
    }
    case "cylinder": {
      const top = shape.top_radius ?? shape.radius;
      const ratio = shape.radius > 0 ? top / shape.radius : 1;
      const key = `cylinder ${ratio.toFixed(4)}`;
      const geometry = cached(key, () => new THREE.CylinderGeometry(ratio, 1, 1, 40).rotateX(Math.PI / 2));
      return { key, geometry, scale: [shape.radius, shape.radius, shape.length] };
    }
    case "capsule": {
      const [a, b] = [new THREE.Vector3(...(shape.start as Vec3)), new THREE.Vector3(...(shape.end as Vec3))];
      const key = `capsule ${shape.radius} ${shape.start} ${shape.end}`;
      return { key, geometry: cached(key, () => capsule(a, b, shape.radius)), scale: [1, 1, 1] };
    }
    case "wheel": {
      const key = `wheel ${(shape.width / shape.radius).toFixed(4)} ${shape.spoked}${grade}`;
      const geometry = cached(key, () => wheel(shape.width / shape.radius, shape.spoked, pick(28, 14, 8)));
      return { key, geometry, scale: [shape.radius, shape.radius, shape.radius], rubber: true };
    }
    case "car": {
      const [length, width, height] = shape.size as Vec3;
      const style = styles[shape.style as string] ?? styles.saloon;
      const key = `car ${shape.style} ${(width / length).toFixed(3)} ${(height / length).toFixed(3)}${grade}`;
      const geometry = cached(key, () => carBody(style, width / length, height / length, pick(24, 14, 7), pick(24, 16, 8)));
      return { key, geometry, scale: [length, length, length], painted: true };
    }
    case "propeller": {
      const key = `propeller ${shape.blades}`;
      return { key, geometry: cached(key, () => propeller(shape.blades)), scale: [shape.radius, shape.radius, shape.radius] };
    }
    case "fin": {
      const key = `fin ${shape.chord} ${shape.span} ${shape.tip_chord} ${shape.thickness}`;
      return { key, geometry: cached(key, () => fin(shape)), scale: [1, 1, 1] };
    }
    case "mesh": {
      const key = `mesh ${JSON.stringify(shape.vertices)} ${JSON.stringify(shape.faces)} ${shape.flat}`;
      return { key, geometry: cached(key, () => mesh(shape)), scale: [1, 1, 1] };
    }
    case "line": {
      const key = `line ${JSON.stringify(shape.points)} ${shape.radius} ${shape.closed}`;
      return { key, geometry: cached(key, () => tube(shape)), scale: [1, 1, 1] };
    }
    default:
      return null;
  }
}

function unitSphere(grade: Grade): THREE.BufferGeometry {
  const [round, high] = [[36, 20], [18, 12], [10, 6]][grade];
  return cached(`sphere ${grade}`, () => new THREE.SphereGeometry(1, round, high));
}

/** Unit box whose faces keep flat normals. */
function bevelledBox(): THREE.BufferGeometry {
  return new THREE.BoxGeometry(1, 1, 1);
}

function power(base: number, exponent: number): number {
  return Math.sign(base) * Math.pow(Math.abs(base), exponent);
}

/** sum |x_i|^p = 1 with p = 2 / squareness; points on rays of a cube, normals from the gradient. */
function superellipsoid(squareness: number, pieces: number): THREE.BufferGeometry {
  const p = 2 / squareness;
  const geometry = new THREE.BoxGeometry(2, 2, 2, pieces, pieces, pieces);
  const position = geometry.attributes.position;
  const normal = geometry.attributes.normal;
  for (let i = 0; i < position.count; i++) {
    // Denser towards the edges, where the surface turns.
    const v = [position.getX(i), position.getY(i), position.getZ(i)].map((x) => Math.sin((x * Math.PI) / 2) * 0.6 + x * 0.4);
    const size = Math.pow(v.reduce((sum, x) => sum + Math.pow(Math.abs(x), p), 0), 1 / p);
    const w = v.map((x) => x / size);
    position.setXYZ(i, w[0], w[1], w[2]);
    const g = w.map((x) => power(x, p - 1));
    const length = Math.hypot(...g) || 1;
    normal.setXYZ(i, g[0] / length, g[1] / length, g[2] / length);
  }
  return geometry;
}

function capsule(a: THREE.Vector3, b: THREE.Vector3, radius: number): THREE.BufferGeometry {
  const along = b.clone().sub(a);
  const geometry = new THREE.CapsuleGeometry(radius, along.length(), 10, 24);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return geometry.applyQuaternion(turn).translate((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
}

function coloured(geometry: THREE.BufferGeometry, colour: number): THREE.BufferGeometry {
  const c = new THREE.Color(colour);
  const count = geometry.attributes.position.count;
  const values = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) values.set([c.r, c.g, c.b], 3 * i);
  geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
  return geometry.index ? geometry.toNonIndexed() : geometry;
}

/** Wheel of radius 1 about y: a tyre with round shoulders, a rim and spokes. */
function wheel(width: number, spoked: boolean, round: number): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [];
  if (!spoked && round < 10) parts.push(coloured(new THREE.CylinderGeometry(1, 1, width, round), 0x26292d)); // far away: a drum
  else if (!spoked && round < 20) {
    // In a crowd: a tyre and two discs.
    parts.push(coloured(new THREE.CylinderGeometry(1, 1, width, round, 1, true), 0x1b1d20));
    for (const side of [1, -1]) {
      parts.push(coloured(new THREE.RingGeometry(0.62, 1, round).rotateX((-side * Math.PI) / 2).translate(0, (side * width) / 2, 0), 0x1b1d20));
      parts.push(coloured(new THREE.CircleGeometry(0.62, round).rotateX((-side * Math.PI) / 2).translate(0, (side * width) / 2, 0), 0x9aa2aa));
    }
  } else if (spoked) {
    const tyre = new THREE.TorusGeometry(1 - width / 2, width / 2, 12, round + 12).rotateX(Math.PI / 2);
    parts.push(coloured(tyre, 0x17191c));
    parts.push(coloured(new THREE.CylinderGeometry(0.06, 0.06, 3 * width, 16), 0xb9c0c8));
    for (let k = 0; k < 18; k++) {
      const spoke = new THREE.CylinderGeometry(0.006, 0.006, 1 - width, 6).translate(0, (1 - width) / 2, 0);
      parts.push(coloured(spoke.rotateX(Math.PI / 2).rotateY((2 * Math.PI * k) / 18), 0xb9c0c8));
    }
  } else {
    const h = width / 2;
    const profile: [number, number][] = [
      [0.64, -h], [0.88, -h], [0.97, -0.8 * h], [1, -0.35 * h],
      [1, 0.35 * h], [0.97, 0.8 * h], [0.88, h], [0.64, h],
    ];
    const points = profile.map(([r, y]) => new THREE.Vector2(r, y));
    parts.push(coloured(new THREE.LatheGeometry(points, round), 0x1b1d20));
    const rim = [[0.0, 0.5 * h], [0.5, 0.62 * h], [0.6, 0.9 * h], [0.66, h]].map(([r, y]) => new THREE.Vector2(r, y));
    const back = [[0.66, -h], [0.6, -0.9 * h], [0.5, -0.62 * h], [0.0, -0.5 * h]].map(([r, y]) => new THREE.Vector2(r, y));
    parts.push(coloured(new THREE.LatheGeometry(rim.reverse(), round), 0x6f7880));
    parts.push(coloured(new THREE.LatheGeometry(back.reverse(), round), 0x6f7880));
    for (let k = 0; k < 5; k++) {
      const spoke = new THREE.BoxGeometry(0.13, 1.98 * h, 0.5).translate(0, 0, 0.34);
      parts.push(coloured(spoke.rotateY((2 * Math.PI * k) / 5), 0xc6ccd2));
    }
    parts.push(coloured(new THREE.CylinderGeometry(0.12, 0.12, 2.05 * h, 12), 0xc6ccd2));
  }
  return mergeGeometries(parts.map((part) => { part.deleteAttribute("uv"); return part; }))!;
}

/** Value of a broken line at x, smoothed over its corners by averaging around x. */
function profile(points: [number, number][], x: number, soft: number): number {
  const at = (u: number) => {
    let k = 1;
    while (k < points.length - 1 && u > points[k][0]) k++;
    const [[x0, y0], [x1, y1]] = [points[k - 1], points[k]];
    return y0 + (y1 - y0) * Math.min(1, Math.max(0, (u - x0) / (x1 - x0)));
  };
  let sum = 0;
  for (let k = -2; k <= 2; k++) sum += at(x + (k * soft) / 2);
  return sum / 5;
}

/** Shares of length and height: line of bonnet and boot, of the roof, glazed part; half width and lean of the cabin. */
interface CarStyle {
  belt: [number, number][];
  roof: [number, number][];
  cabin: [number, number];
  top: [number, number];
  glazed: number;
}

const styles: Record<string, CarStyle> = {
  saloon: {
    belt: [[-0.5, 0.02], [-0.47, 0.1], [-0.3, 0.14], [0.18, 0.12], [0.42, 0.04], [0.5, -0.1]],
    roof: [[-0.42, 0.1], [-0.28, 0.46], [-0.16, 0.5], [0.04, 0.49], [0.24, 0.1]],
    cabin: [0.43, 0.2], top: [-0.27, 0.06], glazed: -0.5,
  },
  hatchback: {
    belt: [[-0.5, 0.04], [-0.48, 0.12], [-0.3, 0.13], [0.2, 0.11], [0.42, 0.03], [0.5, -0.1]],
    roof: [[-0.48, 0.1], [-0.4, 0.46], [-0.22, 0.5], [0.02, 0.49], [0.24, 0.1]],
    cabin: [0.44, 0.18], top: [-0.39, 0.05], glazed: -0.5,
  },
  suv: {
    belt: [[-0.5, 0.06], [-0.485, 0.12], [-0.3, 0.12], [0.2, 0.11], [0.43, 0.06], [0.5, -0.06]],
    roof: [[-0.49, 0.1], [-0.45, 0.47], [-0.3, 0.5], [0.06, 0.49], [0.22, 0.1]],
    cabin: [0.46, 0.13], top: [-0.44, 0.07], glazed: -0.5,
  },
  van: {
    belt: [[-0.5, 0.1], [-0.49, 0.12], [0.3, 0.08], [0.4, -0.02], [0.48, -0.14], [0.5, -0.24]],
    roof: [[-0.495, 0.2], [-0.485, 0.48], [-0.3, 0.5], [0.22, 0.49], [0.36, 0.06]],
    cabin: [0.485, 0.06], top: [-0.49, 0.23], glazed: 0.14,
  },
};

/** Car of length 1: a hull and a cabin, each lofted through round cross sections; front is +x. */
function carBody(style: CarStyle, width: number, height: number, pieces: number, round: number): THREE.BufferGeometry {
  const h = height;
  const sill = -0.5 * h;
  const belt = style.belt.map(([x, z]): [number, number] => [x, z * h]);
  const waist: [number, number][] = [[-0.5, 0.8], [-0.44, 0.94], [-0.1, 1], [0.3, 0.98], [0.44, 0.9], [0.5, 0.72]];
  const roof = style.roof.map(([x, z]): [number, number] => [x, z * h]);
  const [half, lean] = style.cabin;
  const [from, to] = [style.roof[0][0], style.roof[style.roof.length - 1][0]];
  const hull = loft(-0.5, 0.5, pieces, round, (x) => ({ low: sill, high: profile(belt, x, 0.03), half: 0.5 * width * profile(waist, x, 0.02), square: 4.5 }));
  const cabin = loft(from, to, pieces, round, (x) => ({ low: 0.06 * h, high: Math.max(0.08 * h, profile(roof, x, 0.035)), half: half * width * profile(waist, x, 0.02), square: lean < 0.1 ? 6 : 3.2, lean }));
  const paint = (geometry: THREE.BufferGeometry, colour: (x: number, y: number, z: number, nz: number) => number) => {
    const position = geometry.attributes.position;
    const normal = geometry.attributes.normal;
    const values = new Float32Array(3 * position.count);
    const c = new THREE.Color();
    for (let i = 0; i < position.count; i++) {
      c.set(colour(position.getX(i), position.getY(i), position.getZ(i), normal.getZ(i)));
      values.set([c.r, c.g, c.b], 3 * i);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
    return geometry;
  };
  paint(hull, (x, y, z) => (z < sill + 0.1 * h ? 0x1a1c1f : 0xffffff));
  paint(cabin, (x, y, z, nz) => ((nz > 0.8 && x > style.top[0] && x < style.top[1]) || x < style.glazed ? 0xffffff : 0x10151b));
  const lights: THREE.BufferGeometry[] = [];
  for (const side of round > 12 ? [-1, 1] : []) {
    const front = new THREE.SphereGeometry(1, 12, 8).scale(0.02, 0.1 * width, 0.05 * h).translate(0.487, side * 0.31 * width, -0.1 * h);
    const back = new THREE.SphereGeometry(1, 12, 8).scale(0.02, 0.1 * width, 0.05 * h).translate(-0.49, side * 0.31 * width, -0.03 * h);
    lights.push(paint(front, () => 0xfff6dd), paint(back, () => 0xc01515));
  }
  const parts = [hull, cabin, ...lights].map((part) => (part.index ? part.toNonIndexed() : part));
  return mergeGeometries(parts.map((part) => { part.deleteAttribute("uv"); return part; }))!;
}

/** Surface through cross sections along x, each a rounded rectangle; closed at both ends. */
function loft(
  from: number,
  to: number,
  pieces: number,
  round: number,
  section: (x: number) => { low: number; high: number; half: number; square: number; lean?: number },
): THREE.BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (let i = 0; i <= pieces; i++) {
    const x = from + ((to - from) * i) / pieces;
    const { low, high, half, square, lean = 0 } = section(x);
    for (let k = 0; k < round; k++) {
      const angle = (2 * Math.PI * k) / round;
      const y = power(Math.cos(angle), 2 / square);
      const z = power(Math.sin(angle), 2 / square);
      const narrow = 1 - lean * Math.max(0, 0.5 + 0.5 * z);
      position.push(x, half * narrow * y, 0.5 * (low + high) + 0.5 * (high - low) * z);
    }
    if (i > 0)
      for (let k = 0; k < round; k++) {
        const [a, b] = [(i - 1) * round + k, (i - 1) * round + ((k + 1) % round)];
        index.push(a, b, a + round, b, b + round, a + round);
      }
  }
  for (const [ring, flip] of [[0, false], [pieces, true]] as [number, boolean][]) {
    const centre = position.length / 3;
    let z = 0;
    for (let k = 0; k < round; k++) z += position[3 * (ring * round + k) + 2] / round;
    position.push(position[3 * ring * round], 0, z);
    for (let k = 0; k < round; k++) {
      const [a, b] = [ring * round + k, ring * round + ((k + 1) % round)];
      index.push(centre, flip ? a : b, flip ? b : a);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

function propeller(blades: number): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [
    new THREE.CylinderGeometry(0.16, 0.2, 0.36, 20).rotateZ(Math.PI / 2).toNonIndexed(),
  ];
  for (let k = 0; k < blades; k++) {
    const blade = new THREE.SphereGeometry(0.5, 20, 12).scale(0.09, 0.4, 1).translate(0, 0, 0.52);
    parts.push(blade.rotateZ(0.0).applyMatrix4(new THREE.Matrix4().makeRotationZ(0.5)).rotateX((2 * Math.PI * k) / blades).toNonIndexed());
  }
  return mergeGeometries(parts.map((part) => { part.deleteAttribute("uv"); return part; }))!;
}

function fin(shape: ShapeEntry): THREE.BufferGeometry {
  const tip = shape.tip_chord ?? 0.6 * shape.chord;
  const outline = new THREE.Shape();
  outline.moveTo(0.5 * shape.chord, 0);
  outline.lineTo(-0.5 * shape.chord + tip * 0.9, shape.span);
  outline.lineTo(-0.5 * shape.chord - tip * 0.1, shape.span);
  outline.lineTo(-0.5 * shape.chord, 0);
  outline.closePath();
  const t = shape.thickness;
  const geometry = new THREE.ExtrudeGeometry(outline, { depth: t, bevelEnabled: true, bevelSize: 0.3 * t, bevelThickness: 0.3 * t, bevelSegments: 2 });
  return geometry.translate(0, 0, -t / 2).rotateX(Math.PI / 2);
}

function mesh(shape: ShapeEntry): THREE.BufferGeometry {
  let geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute((shape.vertices as number[][]).flat(), 3));
  geometry.setIndex((shape.faces as number[][]).flat());
  if (shape.flat) geometry = geometry.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

function tube(shape: ShapeEntry): THREE.BufferGeometry {
  const points = (shape.points as Vec3[]).map((p) => new THREE.Vector3(...p));
  const curve = new THREE.CurvePath<THREE.Vector3>();
  const last = shape.closed ? points.length : points.length - 1;
  for (let k = 0; k < last; k++) curve.add(new THREE.LineCurve3(points[k], points[(k + 1) % points.length]));
  return new THREE.TubeGeometry(curve as any, Math.max(2, 2 * last), shape.radius, 10, shape.closed);
}

/** All ribbons of one colour as one surface. */
export function ribbons(shapes: ShapeEntry[]): THREE.BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (const shape of shapes) {
    const first = position.length / 3;
    const [right, left] = [shape.right as Vec3[], shape.left as Vec3[]];
    right.forEach((point, k) => position.push(...point, ...left[k]));
    for (let k = 0; k + 1 < right.length; k++) {
      const a = first + 2 * k;
      index.push(a, a + 2, a + 1, a + 1, a + 2, a + 3);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

/** Coil of radius 1 and height `height` along z from the origin, straight at its ends. */
export function coil(turns: number, height: number): THREE.BufferGeometry {
  return cached(`coil ${turns} ${height}`, () => {
    class Helix extends THREE.Curve<THREE.Vector3> {
      getPoint(t: number, target = new THREE.Vector3()): THREE.Vector3 {
        const ends = 0.1;
        const s = Math.min(1, Math.max(0, Math.min(t, 1 - t) / ends));
        const radius = s * s * (3 - 2 * s);
        const angle = 2 * Math.PI * turns * t;
        return target.set(radius * Math.cos(angle), radius * Math.sin(angle), height * t);
      }
    }
    return new THREE.TubeGeometry(new Helix(), turns * 24, 0.13, 8);
  });
}

/** Cylinder of length 1 from the origin along z with radius 1. */
export function strut(): THREE.BufferGeometry {
  return cached("strut", () => new THREE.CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5));
}

/** Arrow head of length 1, base radius 1, tip at the origin's far end along z. */
export function arrowHead(): THREE.BufferGeometry {
  return cached("head", () => new THREE.ConeGeometry(1, 1, 18).rotateX(Math.PI / 2).translate(0, 0, 0.5));
}
