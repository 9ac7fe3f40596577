// Tyre marks: dark strips on the road, laid piece by piece as time goes on.

import * as THREE from "three";
import type { MarkEntry, SceneData, Vec3 } from "./scene_data";

const LIFT = 0.018; // above the road and its lines [m]
const MOST_LIVE = 6000; // pieces of a live drive; the oldest give way

export class Marks {
  readonly mesh: THREE.Mesh;
  readonly ends: Float64Array; // time at which each piece is complete, rising
  private readonly up: THREE.Vector3;
  private readonly position: THREE.BufferAttribute;
  private readonly colour: THREE.BufferAttribute;
  private laid = 0;

  constructor(scene: SceneData) {
    this.up = new THREE.Vector3(...scene.up);
    const pieces = scene.marks.flatMap((mark) => mark.times.slice(1).map((end, k) => ({ mark, k, end })));
    pieces.sort((a, b) => a.end - b.end);
    const count = scene.live ? MOST_LIVE : pieces.length;
    this.ends = new Float64Array(pieces.map((piece) => piece.end));
    this.position = new THREE.BufferAttribute(new Float32Array(12 * count), 3);
    this.colour = new THREE.BufferAttribute(new Float32Array(16 * count), 4);
    const index = new Uint32Array(6 * count);
    for (let i = 0; i < count; i++) index.set([0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner), 6 * i);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.colour);
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    geometry.setDrawRange(0, 0);
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide });
    // In front of the road it lies on, at any distance.
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4 });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    pieces.forEach(({ mark, k }, at) => {
      const sides = this.across(mark, k).concat(this.across(mark, k + 1));
      sides.forEach((corner, c) => this.put(at, c, corner, mark.dark[c < 2 ? k : k + 1]));
    });
  }

  /** Show what has been laid up to a time. */
  update(time: number): void {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] <= time) low = middle + 1;
      else high = middle;
    }
    this.mesh.geometry.setDrawRange(0, 6 * low);
  }

  /** Lay one piece more, while somebody drives. */
  lay(from: THREE.Vector3, to: THREE.Vector3, width: number, dark: [number, number]): void {
    const at = this.laid % MOST_LIVE;
    const side = this.side(from, to, width);
    [from, from, to, to].forEach((point, c) => this.put(at, c, point.clone().addScaledVector(side, c % 2 ? 1 : -1).addScaledVector(this.up, LIFT), dark[c < 2 ? 0 : 1]));
    this.laid++;
    this.position.needsUpdate = this.colour.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, 6 * Math.min(this.laid, MOST_LIVE));
  }

  /** A drive begins again: the road is clean. */
  clear(): void {
    this.laid = 0;
    this.mesh.geometry.setDrawRange(0, 0);
  }

  /** Both edges of a mark at one of its points; neighbours share them, so that no gap opens in a bend. */
  private across(mark: MarkEntry, k: number): THREE.Vector3[] {
    const at = (i: number) => new THREE.Vector3(...(mark.points[Math.min(mark.points.length - 1, Math.max(0, i))] as Vec3));
    const side = this.side(at(k - 1), at(k + 1), mark.width);
    return [-1, 1].map((sign) => at(k).addScaledVector(side, sign).addScaledVector(this.up, LIFT));
  }

  private side(from: THREE.Vector3, to: THREE.Vector3, width: number): THREE.Vector3 {
    const along = to.clone().sub(from);
    const side = new THREE.Vector3().crossVectors(this.up, along);
    if (side.lengthSq() < 1e-12) side.set(0, 1, 0);
    return side.normalize().multiplyScalar(0.5 * width);
  }

  private put(piece: number, corner: number, point: THREE.Vector3, dark: number): void {
    this.position.setXYZ(4 * piece + corner, point.x, point.y, point.z);
    this.colour.setXYZW(4 * piece + corner, 0.008, 0.008, 0.01, 0.82 * dark);
  }
}
