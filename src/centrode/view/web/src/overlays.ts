// Overlays: trails, velocity arrows, joint-force arrows, contact points, tyre marks, centrodes, labels.

import * as THREE from "three";
import { span } from "./builder";
import { arrowHead, strut } from "./geometry";
import type { Recording } from "./frames";
import { Marks } from "./marks";
import type { Motion } from "./motion";
import type { EventEntry, SceneData, Vec3 } from "./scene_data";
import type { Stage } from "./stage";

export type OverlayName = "trails" | "velocities" | "forces" | "contacts" | "marks" | "centrodes" | "labels";
export const OVERLAY_NAMES: OverlayName[] = ["trails", "velocities", "forces", "contacts", "marks", "centrodes", "labels"];

const MOST_TRAILS = 250;
const MOST_LABELS = 120;
const VELOCITY_COLOUR = 0x1f9d55;
const FORCE_COLOUR = 0xd7263d;

/** Arrows of one colour, drawn in two calls. */
class Arrows {
  readonly group = new THREE.Group();
  private shafts: THREE.InstancedMesh;
  private heads: THREE.InstancedMesh;
  private matrix = new THREE.Matrix4();
  private tip = new THREE.Vector3();
  private neck = new THREE.Vector3();

  constructor(private count: number, colour: number, private thickness: number) {
    const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, emissive: colour, emissiveIntensity: 0.25 });
    this.shafts = new THREE.InstancedMesh(strut(), material, Math.max(1, count));
    this.heads = new THREE.InstancedMesh(arrowHead(), material, Math.max(1, count));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.count = count;
      this.group.add(mesh);
    }
  }

  set(index: number, from: THREE.Vector3, along: THREE.Vector3): void {
    const length = along.length();
    const head = Math.min(5 * this.thickness, 0.5 * length);
    const width = length > 1e-9 ? Math.min(this.thickness, 0.2 * length) : 0;
    this.tip.copy(from).add(along);
    this.neck.copy(this.tip).addScaledVector(along, length > 1e-9 ? -head / length : 0);
    span(from, this.neck, width, width, 1, this.matrix);
    this.shafts.setMatrixAt(index, this.matrix);
    span(this.neck, this.tip, 2.4 * width, 2.4 * width, 1, this.matrix);
    this.heads.setMatrixAt(index, this.matrix);
  }

  done(): void {
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }
}

export class Overlays {
  readonly shown: Record<OverlayName, boolean> = {
    trails: false,
    velocities: false,
    forces: false,
    contacts: false,
    marks: false,
    centrodes: false,
    labels: false,
  };
  private trails: THREE.Line[] = [];
  private velocities?: Arrows;
  private forces?: Arrows;
  private labels: { element: HTMLElement; body: number; position: Vec3 }[] = [];
  private contacts?: THREE.InstancedMesh;
  marks?: Marks;
  private centrodes: { fixed: THREE.Line; moving: THREE.Line; body: number }[] = [];
  private speedScale = 1;
  private forceScale = 1;
  private readonly forced;
  private readonly touches: EventEntry[];

  constructor(private stage: Stage, private scene: SceneData, private recording: Recording | null, private host: HTMLElement) {
    this.touches = scene.events.filter((event) => event.point);
    this.forced = scene.joints.filter((joint) => joint.force >= 0);
    if (this.available("marks")) this.toggle("marks", true); // a mark belongs to the road: it is there unless taken away
  }

  available(name: OverlayName): boolean {
    if (name === "trails") return !!this.recording;
    if (name === "contacts") return this.touches.length > 0;
    if (name === "marks") return this.scene.marks.length > 0 || (this.scene.live?.rubs.length ?? 0) > 0;
    if (name === "centrodes") return !!this.recording && this.scene.bodies.some((body) => body.form === "planar");
    if (name === "forces") return !!this.recording && this.forced.length > 0;
    return true;
  }

  toggle(name: OverlayName, on = !this.shown[name]): void {
    this.shown[name] = on && this.available(name);
    if (name === "trails" && on && !this.trails.length) this.makeTrails();
    if (name === "velocities" && on && !this.velocities) this.makeVelocities();
    if (name === "forces" && this.shown.forces && !this.forces) this.makeForces();
    if (name === "contacts" && this.shown.contacts && !this.contacts) this.makeContacts();
    if (name === "marks" && this.shown.marks && !this.marks) this.stage.world.add((this.marks = new Marks(this.scene)).mesh);
    if (name === "centrodes" && this.shown.centrodes && !this.centrodes.length) this.makeCentrodes();
    if (name === "labels" && on && !this.labels.length) this.makeLabels();
    for (const line of this.trails) line.visible = this.shown.trails;
    if (this.velocities) this.velocities.group.visible = this.shown.velocities;
    if (this.forces) this.forces.group.visible = this.shown.forces;
    if (this.contacts) this.contacts.visible = this.shown.contacts;
    if (this.marks) this.marks.mesh.visible = this.shown.marks;
    for (const pair of this.centrodes) pair.fixed.visible = pair.moving.visible = this.shown.centrodes;
    for (const label of this.labels) label.element.hidden = !this.shown.labels;
  }

  update(motion: Motion, time: number): void {
    const at = new THREE.Vector3();
    const along = new THREE.Vector3();
    if (this.shown.trails && this.recording) {
      const { frame } = this.recording.locate(time);
      for (const line of this.trails) line.geometry.setDrawRange(0, frame + 1);
    }
    if (this.shown.contacts && this.contacts) {
      // A touch glows when it begins and stays as a small mark.
      this.touches.forEach((event, k) => {
        const age = time - event.time;
        const size = age < 0 ? 0 : this.scene.size * (0.035 + 0.07 * Math.exp(-6 * age));
        this.contacts!.setMatrixAt(k, new THREE.Matrix4().makeScale(size, size, size).setPosition(...event.point!));
      });
      this.contacts.instanceMatrix.needsUpdate = true;
    }
    if (this.shown.marks && this.recording) this.marks!.update(time);
    if (this.shown.centrodes) for (const pair of this.centrodes) pair.moving.matrix.copy(motion.matrices[pair.body]);
    if (this.shown.velocities && this.velocities) {
      motion.velocities.forEach((velocity, k) => {
        this.velocities!.set(k, at.setFromMatrixPosition(motion.matrices[k]), along.copy(velocity).multiplyScalar(this.speedScale));
      });
      this.velocities.done();
    }
    if (this.shown.forces && this.forces && this.recording) {
      const { frame, share } = this.recording.locate(time);
      const next = Math.min(frame + 1, this.recording.count - 1);
      this.forced.forEach((joint, k) => {
        const value = (axis: number) => {
          const column = this.recording!.arrows[joint.force + axis];
          return column[frame] + share * (column[next] - column[frame]);
        };
        at.set(...joint.position);
        if (joint.body >= 0) at.applyMatrix4(motion.matrices[joint.body]);
        this.forces!.set(k, at, along.set(value(0), value(1), value(2)).multiplyScalar(this.forceScale));
      });
      this.forces.done();
    }
  }

  /** Put labels over the picture; after the camera has moved. */
  place(motion: Motion): void {
    if (!this.shown.labels) return;
    const { clientWidth: width, clientHeight: height } = this.host;
    const at = new THREE.Vector3();
    for (const label of this.labels) {
      at.set(...label.position);
      if (label.body >= 0) at.applyMatrix4(motion.matrices[label.body]);
      at.applyQuaternion(this.stage.world.quaternion).project(this.stage.camera);
      label.element.hidden = at.z > 1 || Math.abs(at.x) > 1.05 || Math.abs(at.y) > 1.05;
      label.element.style.transform = `translate(${((at.x + 1) * width) / 2}px, ${((1 - at.y) * height) / 2}px)`;
    }
  }

  private makeTrails(): void {
    const recording = this.recording!;
    this.scene.bodies.slice(0, MOST_TRAILS).forEach((body, k) => {
      const points = new Float32Array(3 * recording.count);
      for (let i = 0; i < recording.count; i++) {
        points[3 * i] = recording.pose[body.column][i];
        points[3 * i + 1] = recording.pose[body.column + 1][i];
        points[3 * i + 2] = body.form === "planar" ? 0 : recording.pose[body.column + 2][i];
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: body.colour }));
      line.frustumCulled = false;
      this.trails.push(line);
      this.stage.world.add(line);
    });
  }

  private makeVelocities(): void {
    let largest = 1e-9;
    const recording = this.recording;
    if (recording)
      for (const body of this.scene.bodies) {
        const axes = body.form === "planar" ? 2 : 3;
        for (let i = 1; i < recording.count; i += Math.max(1, Math.floor(recording.count / 400))) {
          let square = 0;
          for (let a = 0; a < axes; a++) {
            const column = recording.pose[body.column + a];
            square += ((column[i] - column[i - 1]) / (recording.times[i] - recording.times[i - 1])) ** 2;
          }
          largest = Math.max(largest, Math.sqrt(square));
        }
      }
    else largest = 20;
    this.speedScale = (1.2 * this.scene.size) / largest;
    this.velocities = new Arrows(this.scene.bodies.length, VELOCITY_COLOUR, 0.022 * this.scene.size);
    this.stage.world.add(this.velocities.group);
  }

  private makeForces(): void {
    const sizes: number[] = [];
    for (const joint of this.forced) {
      const [x, y, z] = [0, 1, 2].map((axis) => this.recording!.arrows[joint.force + axis]);
      for (let i = 0; i < x.length; i += Math.max(1, Math.floor(x.length / 200))) sizes.push(Math.hypot(x[i], y[i], z[i]));
    }
    sizes.sort((a, b) => a - b);
    const typical = sizes[Math.floor(0.9 * (sizes.length - 1))] || 1;
    this.forceScale = (1.0 * this.scene.size) / typical;
    this.forces = new Arrows(this.forced.length, FORCE_COLOUR, 0.022 * this.scene.size);
    this.stage.world.add(this.forces.group);
  }

  private makeContacts(): void {
    const material = new THREE.MeshStandardMaterial({ color: 0xffc400, emissive: 0xff7a00, emissiveIntensity: 0.7 });
    this.contacts = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), material, this.touches.length);
    this.contacts.frustumCulled = false;
    this.stage.world.add(this.contacts);
  }

  /** Centrodes of plane bodies: the path of the instantaneous centre of rotation, in the world and in the body. */
  private makeCentrodes(): void {
    const recording = this.recording!;
    const limit = 8 * this.scene.size; // the centre goes to infinity where the body only slides
    this.scene.bodies.forEach((body, k) => {
      if (body.form !== "planar") return;
      const [x, y, angle] = [0, 1, 2].map((axis) => recording.pose[body.column + axis]);
      const world: number[] = [];
      const own: number[] = [];
      let last: number[] | null = null;
      for (let i = 1; i + 1 < recording.count; i++) {
        const span = recording.times[i + 1] - recording.times[i - 1];
        const turn = (angle[i + 1] - angle[i - 1]) / span;
        const gap = Math.abs(turn) < 1e-6;
        const dx = -(y[i + 1] - y[i - 1]) / span / turn;
        const dy = (x[i + 1] - x[i - 1]) / span / turn;
        if (gap || Math.hypot(dx, dy) > limit) {
          last = null; // the curve is broken here, not bridged
          continue;
        }
        const [c, s] = [Math.cos(angle[i]), Math.sin(angle[i])];
        const now = [x[i] + dx, y[i] + dy, 0, c * dx + s * dy, -s * dx + c * dy, 0];
        if (last && Math.hypot(now[0] - last[0], now[1] - last[1]) < limit) {
          world.push(...last.slice(0, 3), ...now.slice(0, 3));
          own.push(...last.slice(3), ...now.slice(3));
        }
        last = now;
      }
      const line = (points: number[], dashed: boolean) => {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
        const made = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: body.colour, transparent: dashed, opacity: dashed ? 0.55 : 1 }));
        made.frustumCulled = false;
        this.stage.world.add(made);
        return made;
      };
      const pair = { fixed: line(world, false), moving: line(own, true), body: k };
      pair.moving.matrixAutoUpdate = false;
      this.centrodes.push(pair);
    });
  }

  private makeLabels(): void {
    const add = (text: string, body: number, position: Vec3, kind: string) => {
      if (this.labels.length >= MOST_LABELS) return;
      const element = document.createElement("div");
      element.className = `label ${kind}`;
      element.textContent = text;
      this.host.appendChild(element);
      this.labels.push({ element, body, position });
    };
    for (const joint of this.scene.joints) add(joint.name, joint.body, joint.position, "joint");
    this.scene.bodies.forEach((body, k) => add(body.name, k, [0, 0, 0], "body"));
  }
}
