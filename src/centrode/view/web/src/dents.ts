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
    const { frame, share } = recording.locate(time);
    const next = Math.min(frame + 1, recording.count - 1);
    const now = this.sides.map((side) =>
      side.start.map((_, k) => {
        const column = recording.dents[side.column + k];
        return column[frame] + share * (column[next] - column[frame]);
      }),
    );
    const key = now.map((depths) => depths.map((d) => d.toFixed(3)).join()).join(";");
    if (key === this.last) return false;
    this.last = key;
    const position = this.geometry.attributes.position as THREE.BufferAttribute;
    const v = [0, 0, 0];
    for (let i = 0; i < position.count; i++) {
      for (let c = 0; c < 3; c++) v[c] = this.rest[3 * i + c];
      this.sides.forEach((side, s) => {
        const at = ((this.rest[3 * i + side.across] - side.low) / (side.high - side.low)) * side.start.length - 0.5;
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

/** A row of values at a place between them; the ends go on. */
function between(values: number[], at: number): number {
  const k = Math.min(Math.max(Math.floor(at), 0), values.length - 2);
  const share = Math.min(Math.max(at - k, 0), 1);
  return values[k] + share * (values[k + 1] - values[k]);
}
