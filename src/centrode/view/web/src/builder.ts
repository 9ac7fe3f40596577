// Turns the shapes of a scene into meshes. Equal geometries are drawn in one call, whatever bodies carry them.

import * as THREE from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { Dented, PushedWheel } from "./dents";
import type { Recording } from "./frames";
import { coil, drawn, ribbons, strut, type Grade } from "./geometry";
import type { Motion } from "./motion";
import type { Quat, SceneData, ShapeEntry, Vec3 } from "./scene_data";
import { Sweep } from "./sweep";

const ROPE_PIECES = 12;
const CROWD = 40; // bodies from which on shapes far away are drawn with fewer triangles, and those out of sight not at all
const GRADES: [Grade, number][] = [[0, 4.5], [1, 10], [2, Infinity]]; // up to this distance, in sizes of a body

/** A three.js quaternion from (w, x, y, z). */
export function quaternion(q: Quat): THREE.Quaternion {
  return new THREE.Quaternion(q[1], q[2], q[3], q[0]);
}

interface Instance {
  body: number;
  local: THREE.Matrix4;
  shape: ShapeEntry;
  spin: number; // index of the signal, -1 for none
  steer: number;
  travel: number;
  turn: number;
  rate: number;
  angle: number;
  reach: number; // radius of the sphere about its place that holds it [m]
  extent: number; // half its longest edge [m]
  colour: THREE.Color;
  pushed: PushedWheel | null; // where a crash puts a wheel
}

interface Batch {
  mesh: THREE.InstancedMesh;
  instances: Instance[];
  moving: boolean;
  levels: Level[]; // of a crowd; empty otherwise
}

/** The instances of a batch at one range of distances. */
interface Level {
  mesh: THREE.InstancedMesh;
  limit: number; // [m]
  shown: Instance[];
}

/** From where the model is seen, in the world of the scene. */
export interface Sight {
  eye: THREE.Vector3;
  frustum: THREE.Frustum;
}

interface LinkBatch {
  mesh: THREE.InstancedMesh;
  shapes: ShapeEntry[];
  pieces: number;
  designLength: number[];
}

export class Model {
  readonly group = new THREE.Group();
  private batches: Batch[] = [];
  private links: LinkBatch[] = [];
  private sweeps: Sweep[] = [];
  private dented: Dented[] = [];
  private lastTime = NaN;
  private matrix = new THREE.Matrix4();
  private extra = new THREE.Matrix4();
  private a = new THREE.Vector3();
  private b = new THREE.Vector3();
  private down: THREE.Vector3;
  private readonly fixed = new THREE.Matrix4();
  private readonly sphere = new THREE.Sphere();
  private readonly crowd: boolean;
  private readonly size: number;

  constructor(scene: SceneData, motion: Motion, private shadows: boolean) {
    this.down = new THREE.Vector3(...scene.up).negate();
    this.crowd = scene.bodies.length > CROWD;
    this.size = scene.size;
    const signal = (name: string) => (name ? scene.signals.indexOf(name) : -1);
    const batches = new Map<string, { geometry: THREE.BufferGeometry; instances: Instance[]; vertexColours: boolean; painted: boolean }>();
    const flat = new Map<string, ShapeEntry[]>();
    const links = new Map<string, ShapeEntry[]>();
    for (const shape of scene.shapes) {
      if (shape.shape === "ribbon") {
        flat.set(shape.colour, [...(flat.get(shape.colour) ?? []), shape]);
        continue;
      }
      if (shape.shape === "link") {
        const key = `${shape.style} ${shape.radius.toPrecision(3)}`;
        links.set(key, [...(links.get(key) ?? []), shape]);
        continue;
      }
      if (shape.shape === "sweep") {
        this.addSweep(shape, motion);
        continue;
      }
      const found = drawn(shape);
      if (!found) continue;
      const sides = (scene.dents ?? []).filter((side) => side.body === shape.body);
      const own = sides.length > 0 && !this.crowd && !found.rubber ? `dented ${shape.body} ${batches.size} ` : "";
      const ground = shape.body < 0 ? "still " : own;
      const entry = batches.get(ground + found.key) ?? {
        geometry: own ? fine(found.geometry) : found.geometry,
        instances: [],
        vertexColours: !!found.rubber || !!found.painted,
        painted: !found.rubber,
      };
      const local = new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position),
        quaternion(shape.rotation),
        new THREE.Vector3(...found.scale),
      );
      entry.instances.push({
        body: shape.body,
        local,
        shape,
        spin: signal(shape.spin_channel),
        steer: signal(shape.steer_channel),
        travel: signal(shape.travel_channel),
        turn: signal(shape.turn_channel),
        rate: signal(shape.rate_channel),
        angle: 0,
        reach: reachOf(found.geometry, local),
        extent: extentOf(found.geometry, found.scale),
        colour: new THREE.Color(shape.colour || "#8d99a6"),
        pushed:
          sides.length > 0 && shape.shape === "wheel"
            ? new PushedWheel(new THREE.Vector3(...shape.position), shape.radius, shape.width, sides)
            : null,
      });
      batches.set(ground + found.key, entry);
      if (own) this.dented.push(new Dented(entry.geometry, local, sides));
    }
    for (const entry of batches.values()) this.addBatch(entry.geometry, entry.instances, entry.vertexColours, entry.painted);
    for (const [colour, shapes] of flat) this.addRibbons(colour, shapes);
    for (const shapes of links.values()) this.addLinks(shapes, motion);
  }

  /** Put every shape where its body is; of a crowd only what is in sight. */
  update(motion: Motion, time: number, sight: Sight): void {
    const elapsed = Number.isFinite(this.lastTime) ? time - this.lastTime : 0;
    this.lastTime = time;
    for (const batch of this.batches) {
      if (!batch.moving) continue;
      if (batch.levels.length) {
        this.updateCrowd(batch, motion, elapsed, sight);
        continue;
      }
      batch.instances.forEach((item, k) => {
        this.matrix.multiplyMatrices(motion.matrices[item.body], this.localMatrix(item, motion, elapsed));
        batch.mesh.setMatrixAt(k, this.matrix);
      });
      batch.mesh.instanceMatrix.needsUpdate = true;
    }
    for (const batch of this.links) this.updateLinks(batch, motion);
    for (const sweep of this.sweeps) sweep.update(motion);
  }

  /** Push in what gave way at a time of a recording. */
  dent(recording: Recording, time: number): void {
    for (const shape of this.dented) shape.update(recording, time);
    for (const batch of this.batches) for (const item of batch.instances) item.pushed?.update(recording, time);
  }

  private updateCrowd(batch: Batch, motion: Motion, elapsed: number, sight: Sight): void {
    for (const level of batch.levels) level.shown.length = 0;
    for (const item of batch.instances) {
      this.matrix.multiplyMatrices(motion.matrices[item.body], this.localMatrix(item, motion, elapsed));
      this.sphere.center.setFromMatrixPosition(this.matrix);
      this.sphere.radius = 3 * item.reach; // its shadow may be in sight when it is not
      if (!sight.frustum.intersectsSphere(this.sphere)) continue;
      const distance = this.sphere.center.distanceTo(sight.eye);
      const level = batch.levels.find((one) => distance < one.limit)!;
      level.mesh.setMatrixAt(level.shown.length, this.matrix);
      if (level.mesh.instanceColor) level.mesh.setColorAt(level.shown.length, item.colour);
      level.shown.push(item);
    }
    for (const { mesh, shown } of batch.levels) {
      mesh.count = shown.length;
      mesh.visible = shown.length > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** Longest edge of the box that holds all shapes of a vehicle ("car.wheel" and "car.body" are one) [m]. */
  extentOf(body: number, bodies: { name: string }[], motion: Motion): number {
    const owner = (k: number) => bodies[k].name.split(".")[0];
    const vehicle = bodies[body].name.includes(".");
    const box = new THREE.Box3();
    const reach = new THREE.Vector3();
    for (const batch of this.batches)
      for (const item of batch.instances) {
        if (item.body < 0 || (vehicle ? owner(item.body) !== owner(body) : item.body !== body)) continue;
        this.matrix.multiplyMatrices(motion.matrices[item.body], item.local);
        this.a.setFromMatrixPosition(this.matrix);
        reach.setScalar(item.extent);
        box.union(new THREE.Box3(this.a.clone().sub(reach), this.a.clone().add(reach)));
      }
    const size = box.isEmpty() ? new THREE.Vector3() : box.getSize(new THREE.Vector3());
    return Math.max(size.x, size.y, size.z);
  }

  /** Body under a ray, or -1. */
  pick(ray: THREE.Raycaster): number {
    const known = new Map<THREE.Object3D, Instance[]>();
    for (const batch of this.batches.filter((one) => one.moving)) {
      if (!batch.levels.length) known.set(batch.mesh, batch.instances);
      for (const level of batch.levels) if (level.shown.length) known.set(level.mesh, level.shown);
    }
    for (const mesh of known.keys()) (mesh as THREE.InstancedMesh).computeBoundingSphere();
    const hit = ray.intersectObjects([...known.keys()], false)[0];
    if (!hit || hit.instanceId === undefined) return -1;
    return known.get(hit.object)![hit.instanceId].body;
  }

  private localMatrix(item: Instance, motion: Motion, elapsed: number): THREE.Matrix4 {
    const rolls = item.shape.rolls && item.spin < 0;
    if (!rolls && item.spin < 0 && item.steer < 0 && item.travel < 0 && item.turn < 0 && item.rate < 0) return item.local;
    const value = (index: number) => (index < 0 ? 0 : motion.signals[index]);
    const place = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const scale = new THREE.Vector3();
    item.local.decompose(place, turn, scale);
    if (item.pushed) place.add(item.pushed.shift);
    const step = (axis: Vec3, angle: number) =>
      turn.multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(...axis), angle));
    if (item.travel >= 0) place.add(new THREE.Vector3(0, 0, value(item.travel)).applyQuaternion(turn));
    if (item.shape.shape === "wheel") {
      step([0, 0, 1], value(item.steer));
      step([0, 1, 0], rolls ? motion.rolled[item.body] / item.shape.radius : value(item.spin));
    } else if (item.shape.shape === "mesh") {
      step(item.shape.turn_axis, value(item.turn));
    } else if (item.shape.shape === "fin") {
      step([0, 0, 1], value(item.turn));
    } else {
      if (item.rate >= 0) item.angle += value(item.rate) * (item.shape.rate_scale ?? 1) * elapsed;
      step([1, 0, 0], item.spin >= 0 ? value(item.spin) : item.angle);
    }
    return this.extra.compose(place, turn, scale);
  }

  private material(colour: string, vertexColours = false): THREE.MeshStandardMaterial {
    return new THREE.MeshStandardMaterial({
      color: vertexColours ? 0xffffff : colour || 0xffffff,
      vertexColors: vertexColours,
      roughness: vertexColours ? 0.75 : 0.45,
      metalness: vertexColours ? 0.1 : 0.15,
    });
  }

  private addBatch(geometry: THREE.BufferGeometry, instances: Instance[], vertexColours: boolean, painted: boolean): void {
    const material = this.material("", vertexColours);
    if (vertexColours && painted) Object.assign(material, { roughness: 0.28, metalness: 0.1 });
    const moving = instances[0].body >= 0;
    const make = (form: THREE.BufferGeometry, casts: boolean) => {
      const mesh = new THREE.InstancedMesh(form, material, instances.length);
      mesh.frustumCulled = false;
      mesh.castShadow = this.shadows && casts;
      mesh.receiveShadow = this.shadows;
      instances.forEach((item, k) => {
        mesh.setMatrixAt(k, item.local);
        if (painted) mesh.setColorAt(k, item.colour);
      });
      this.group.add(mesh);
      return mesh;
    };
    // Wheels are below their cars, in whose shadow they are; a few cars are looked at more closely.
    const wheels = vertexColours && !painted && instances.length > 12;
    if (!this.crowd || !moving) {
      this.batches.push({ mesh: make(geometry, !wheels), instances, moving, levels: [] });
      return;
    }
    const levels = GRADES.map(([grade, limit]) => ({
      mesh: make(drawn(instances[0].shape, grade)!.geometry, !wheels && grade < 2),
      limit: limit * this.size,
      shown: [] as Instance[],
    }));
    this.batches.push({ mesh: levels[0].mesh, instances, moving, levels });
  }

  private addRibbons(colour: string, shapes: ShapeEntry[]): void {
    const material = this.material(colour);
    material.roughness = 0.95;
    material.metalness = 0;
    material.side = THREE.DoubleSide;
    const mesh = new THREE.Mesh(ribbons(shapes), material);
    mesh.receiveShadow = this.shadows;
    mesh.castShadow = this.shadows; // a road on a slope keeps the sun from the ground below it
    material.shadowSide = THREE.DoubleSide;
    this.group.add(mesh);
  }

  private addSweep(shape: ShapeEntry, motion: Motion): void {
    const sweep = new Sweep(shape, this.material(shape.colour || "#8d99a6"));
    sweep.mesh.castShadow = sweep.mesh.receiveShadow = this.shadows;
    sweep.update(motion);
    this.group.add(sweep.mesh);
    this.sweeps.push(sweep);
  }

  private ends(shape: ShapeEntry, motion: Motion): number {
    this.a.set(...(shape.position as Vec3)).applyMatrix4(shape.body < 0 ? this.fixed : motion.matrices[shape.body]);
    this.b.set(...(shape.end as Vec3)).applyMatrix4(shape.other < 0 ? this.fixed : motion.matrices[shape.other]);
    return this.a.distanceTo(this.b);
  }

  private addLinks(shapes: ShapeEntry[], motion: Motion): void {
    const style = shapes[0].style as string;
    const lengths = shapes.map((shape) => (shape.length as number) || this.ends(shape, motion) || 10 * shape.radius);
    const groups: [THREE.BufferGeometry, ShapeEntry[], number[]][] = [];
    if (style === "coil") {
      shapes.forEach((shape, k) => {
        const height = Math.max(2, Math.round((2 * lengths[k]) / shape.radius) / 2);
        const turns = Math.min(26, Math.max(5, Math.round(height / 1.3)));
        groups.push([coil(turns, height), [shape], [height]]);
      });
    } else groups.push([strut(), shapes, lengths]);
    for (const [geometry, some, designLength] of groups) {
      const pieces = style === "rope" ? ROPE_PIECES : 1;
      const mesh = new THREE.InstancedMesh(geometry, this.material(some[0].colour || "#c9a66b"), pieces * some.length);
      if (style === "coil") (mesh.material as THREE.MeshStandardMaterial).metalness = 0.5;
      mesh.frustumCulled = false;
      mesh.castShadow = this.shadows;
      this.group.add(mesh);
      this.links.push({ mesh, shapes: some, pieces, designLength });
    }
  }

  private updateLinks(batch: LinkBatch, motion: Motion): void {
    batch.shapes.forEach((shape, k) => {
      const distance = this.ends(shape, motion);
      const r = shape.radius as number;
      if (shape.style === "rope") {
        const slack = Math.max(0, ((shape.length as number) || 0) - distance);
        const sag = Math.sqrt((3 * distance * slack) / 8); // parabola: arc = d + 8 h^2 / (3 d)
        const point = (t: number) =>
          this.a.clone().lerp(this.b, t).addScaledVector(this.down, 4 * sag * t * (1 - t));
        for (let p = 0; p < batch.pieces; p++)
          span(point(p / batch.pieces), point((p + 1) / batch.pieces), r, r, 1, this.matrix), batch.mesh.setMatrixAt(k * batch.pieces + p, this.matrix);
      } else {
        const height = shape.style === "coil" ? batch.designLength[k] : 1;
        span(this.a, this.b, r, r, height, this.matrix);
        batch.mesh.setMatrixAt(k, this.matrix);
      }
    });
    batch.mesh.instanceMatrix.needsUpdate = true;
  }
}

const Z = new THREE.Vector3(0, 0, 1);
const direction = new THREE.Vector3();
const turned = new THREE.Quaternion();

/** Matrix that lays a geometry, which stands on the origin along z with the given height, between two points. */
export function span(a: THREE.Vector3, b: THREE.Vector3, rx: number, ry: number, height: number, out: THREE.Matrix4): void {
  direction.subVectors(b, a);
  const length = direction.length();
  turned.setFromUnitVectors(Z, length > 0 ? direction.divideScalar(length) : Z);
  out.compose(a, turned, new THREE.Vector3(rx, ry, Math.max(length, 1e-9) / height));
}

/** Radius of the sphere about the body's place that holds a geometry with its local matrix. */
function reachOf(geometry: THREE.BufferGeometry, local: THREE.Matrix4): number {
  if (!geometry.boundingSphere) geometry.computeBoundingSphere();
  const sphere = geometry.boundingSphere!;
  return (sphere.radius + sphere.center.length()) * local.getMaxScaleOnAxis();
}

/** A copy of a geometry with small triangles, of which a dent can be made: each in four, twice. */
function fine(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  let made = geometry.index ? geometry.toNonIndexed() : geometry.clone();
  for (let round = 0; round < (made.attributes.position.count < 6000 ? 2 : 1); round++) {
    const split = new THREE.BufferGeometry();
    for (const [name, source] of Object.entries(made.attributes)) {
      const from = source as THREE.BufferAttribute;
      const size = from.itemSize;
      const values = new Float32Array(4 * from.count * size);
      const get = (i: number) => Array.from({ length: size }, (_, c) => from.getComponent(i, c));
      const mid = (a: number[], b: number[]) => a.map((x, c) => 0.5 * (x + b[c]));
      for (let i = 0; i < from.count; i += 3) {
        const [a, b, c] = [get(i), get(i + 1), get(i + 2)];
        const [ab, bc, ca] = [mid(a, b), mid(b, c), mid(c, a)];
        values.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca].flat(), 4 * i * size);
      }
      split.setAttribute(name, new THREE.BufferAttribute(values, size));
    }
    made = split;
  }
  return mergeVertices(made, 1e-5);
}

/** Half the longest edge of a geometry about its own origin. */
function extentOf(geometry: THREE.BufferGeometry, scale: Vec3): number {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox!;
  return Math.max(...[0, 1, 2].map((k) => scale[k] * Math.max(Math.abs(min.getComponent(k)), Math.abs(max.getComponent(k)))));
}
