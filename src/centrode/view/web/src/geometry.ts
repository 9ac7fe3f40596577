// Geometries of the shapes; unit sized where scaling does the rest, so that equal shapes are drawn in one call.

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeEntry, Vec3 } from "./scene_data";

const cache = new Map<string, THREE.BufferGeometry>();

export interface Drawn {
  key: string;
  geometry: THREE.BufferGeometry;
  scale: Vec3;
  rubber?: boolean;
}

function cached(key: string, make: () => THREE.BufferGeometry): THREE.BufferGeometry {
  let found = cache.get(key);
  if (!found) cache.set(key, (found = make()));
  return found;
}

/** Geometry and scale of a shape that one body carries; null for shapes drawn otherwise. */
export function drawn(shape: ShapeEntry, fine = true): Drawn | null {
  const grade = fine ? "" : " coarse"; // crowds are drawn with fewer triangles
  switch (shape.shape) {
    case "box":
      return { key: "box", geometry: cached("box", () => bevelledBox()), scale: shape.size };
    case "sphere":
      return { key: "sphere" + grade, geometry: unitSphere(fine), scale: [shape.radius, shape.radius, shape.radius] };
    case "ellipsoid":
      return { key: "sphere" + grade, geometry: unitSphere(fine), scale: shape.semi_axes };
    case "superellipsoid": {
      const key = `superellipsoid ${shape.squareness}${grade}`;
      return { key, geometry: cached(key, () => superellipsoid(shape.squareness, fine ? 18 : 8)), scale: shape.semi_axes };
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
      const geometry = cached(key, () => wheel(shape.width / shape.radius, shape.spoked, fine ? 44 : 18));
      return { key, geometry, scale: [shape.radius, shape.radius, shape.radius], rubber: true };
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

function unitSphere(fine: boolean): THREE.BufferGeometry {
  return cached(`sphere ${fine}`, () => new THREE.SphereGeometry(1, fine ? 40 : 18, fine ? 24 : 12));
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
  if (spoked) {
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
      [0.64, -h], [0.86, -h], [0.95, -0.88 * h], [0.99, -0.66 * h], [1, -0.3 * h],
      [1, 0.3 * h], [0.99, 0.66 * h], [0.95, 0.88 * h], [0.86, h], [0.64, h],
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
    parts.push(coloured(new THREE.CylinderGeometry(0.12, 0.12, 2.05 * h, 20), 0xc6ccd2));
  }
  return mergeGeometries(parts.map((part) => { part.deleteAttribute("uv"); return part; }))!;
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
