// Dents: vertices of a shape are pushed in as far as the sides of its body are, which centrode/view/dents.py tells.

import * as THREE from "three";
import type { DentEntry } from "./scene_data";
import type { Recording } from "./frames";

const ABOVE = 0.35; // share of a dent that reaches the roof: what is above the belt line follows less

/** A shape of a body that gives way, with a geometry of its own. */
export class Dented {
  private readonly rest: Float32Array; // vertices in the body's axes
  private readonly back: THREE.Matrix4;
  private readonly point = new THREE.Vector3();
  private last = "";

  constructor(readonly geometry: THREE.BufferGeometry, local: THREE.Matrix4, private sides: DentEntry[]) {
    const position = geometry.attributes.position;
    this.rest = new Float32Array(3 * position.count);
    this.back = local.clone().invert();
    for (let i = 0; i < position.count; i++) {
      this.point.fromBufferAttribute(position as THREE.BufferAttribute, i).applyMatrix4(local);
      this.rest.set([this.point.x, this.point.y, this.point.z], 3 * i);
    }
  }

  /** The shape at a time of a recording; true when it changed. */
  update(recording: Recording, time: number): boolean {
    const now = depthsAt(this.sides, recording, time);
    const key = now.map((depths) => depths.map((d) => d.toFixed(3)).join()).join(";");
    if (key === this.last) return false;
    this.last = key;
    const position = this.geometry.attributes.position as THREE.BufferAttribute;
    const v = [0, 0, 0];
    for (let i = 0; i < position.count; i++) {
      for (let c = 0; c < 3; c++) v[c] = this.rest[3 * i + c];
      this.sides.forEach((side, s) => {
        const at = ((v[side.across] - side.low) / (side.high - side.low)) * side.start.length - 0.5;
        const depth = between(now[s], at);
        if (!(depth > 0)) return;
        const high = side.axis === 2 ? 0 : Math.min(1, Math.max(0, (v[2] - side.belt) / (side.top - side.belt)));
        const limit = side.way * between(side.start, at) - depth * (1 - high * (1 - ABOVE));
        v[side.axis] = side.way * Math.min(side.way * v[side.axis], limit);
      });
      this.point.set(v[0], v[1], v[2]).applyMatrix4(this.back);
      position.setXYZ(i, this.point.x, this.point.y, this.point.z);
    }
    position.needsUpdate = true;
    this.geometry.computeVertexNormals();
    return true;
  }
}

/** A wheel of a body that gives way: what is pushed in takes it along. */
export class PushedWheel {
  readonly shift = new THREE.Vector3();

  constructor(private place: THREE.Vector3, private radius: number, private width: number, private sides: DentEntry[]) {}

  /** How far it stands from its place at a time of a recording. */
  update(recording: Recording, time: number): void {
    const now = depthsAt(this.sides, recording, time);
    this.shift.set(0, 0, 0);
    this.sides.forEach((side, s) => {
      if (side.axis === 2) return;
      const half = side.axis === 0 ? this.radius : 0.5 * this.width;
      const at = ((this.place.getComponent(side.across) - side.low) / (side.high - side.low)) * side.start.length - 0.5;
      const depth = between(now[s], at);
      if (!(depth > 0)) return;
      const left = side.way * between(side.start, at) - depth - half - side.way * this.place.getComponent(side.axis);
      if (left < 0) this.shift.setComponent(side.axis, side.way * left);
    });
  }
}

/** How far the stations of sides are pushed in at a time of a recording [m]. */
function depthsAt(sides: DentEntry[], recording: Recording, time: number): number[][] {
  const { frame, share } = recording.locate(time);
  const next = Math.min(frame + 1, recording.count - 1);
  return sides.map((side) =>
    side.start.map((_, k) => {
      const column = recording.dents[side.column + k];
      return column[frame] + share * (column[next] - column[frame]);
    }),
  );
}

/** A row of values at a place between them; the ends go on. */
function between(values: number[], at: number): number {
  const k = Math.min(Math.max(Math.floor(at), 0), values.length - 2);
  const share = Math.min(Math.max(at - k, 0), 1);
  return values[k] + share * (values[k + 1] - values[k]);
}
