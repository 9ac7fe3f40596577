// A section swept through bodies: a beam that bends. The centre line is a cubic between the nodes, along their x axes.

import * as THREE from "three";
import type { Motion } from "./motion";
import type { ShapeEntry } from "./scene_data";

const PIECES = 4; // between two nodes
const ROUND = 16; // corners of a round section

export class Sweep {
  readonly mesh: THREE.Mesh;
  private readonly bodies: number[];
  private readonly outline: [number, number][] = []; // y, z of the section; corners of a rectangle twice, for sharp edges
  private readonly rings: number;
  private readonly positions: Float32Array;
  private readonly fixed = new THREE.Matrix4();

  constructor(shape: ShapeEntry, material: THREE.Material) {
    this.bodies = [shape.body, ...(shape.through as number[])];
    const [y, z] = shape.reach as [number, number];
    if (shape.round)
      for (let k = 0; k < ROUND; k++)
        this.outline.push([y * Math.cos((2 * Math.PI * k) / ROUND), z * Math.sin((2 * Math.PI * k) / ROUND)]);
    else this.outline.push([y, -z], [y, z], [y, z], [-y, z], [-y, z], [-y, -z], [-y, -z], [y, -z]);
    this.rings = PIECES * (this.bodies.length - 1) + 1;
    const [size, count] = [this.outline.length, this.rings];
    this.positions = new Float32Array(3 * size * (count + 2)); // two rings more for the ends, which have edges
    const faces: number[] = [];
    const step = shape.round ? 1 : 2;
    for (let ring = 0; ring + 1 < count; ring++)
      for (let k = 0; k < size; k += step) {
        const [a, b] = [ring * size + k, ring * size + ((k + 1) % size)];
        faces.push(a, b, a + size, b, b + size, a + size);
      }
    for (let k = 1; k + 1 < size; k++) {
      const [first, last] = [count * size, (count + 1) * size];
      faces.push(first, first + k + 1, first + k, last, last + k, last + k + 1);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
    geometry.setIndex(faces);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** Lay the section through the bodies as they stand. */
  update(motion: Motion): void {
    const nodes = this.bodies.map((body) => {
      const [place, turn, scale] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
      (body < 0 ? this.fixed : motion.matrices[body]).decompose(place, turn, scale);
      return { place, turn };
    });
    const size = this.outline.length;
    const [along, place, corner, turn] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Quaternion()];
    const lay = (ring: number) =>
      this.outline.forEach(([y, z], k) => {
        corner.set(0, y, z).applyQuaternion(turn).add(place);
        corner.toArray(this.positions, 3 * (ring * size + k));
      });
    for (let ring = 0; ring < this.rings; ring++) {
      const k = Math.min(Math.floor(ring / PIECES), nodes.length - 2);
      const [a, b, t] = [nodes[k], nodes[k + 1], ring / PIECES - k];
      const length = a.place.distanceTo(b.place);
      place.copy(a.place).multiplyScalar((1 + 2 * t) * (1 - t) ** 2).addScaledVector(b.place, t * t * (3 - 2 * t));
      place.addScaledVector(along.set(length, 0, 0).applyQuaternion(a.turn), t * (1 - t) ** 2);
      place.addScaledVector(along.set(length, 0, 0).applyQuaternion(b.turn), t * t * (t - 1));
      turn.slerpQuaternions(a.turn, b.turn, t);
      lay(ring);
      if (ring === 0) lay(this.rings);
      if (ring === this.rings - 1) lay(this.rings + 1);
    }
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
  }
}
