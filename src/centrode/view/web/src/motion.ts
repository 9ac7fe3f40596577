// Where the bodies are: matrices of all bodies, filled from a recording at a time or from a live frame.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Recording } from "./frames";
import type { BodyEntry } from "./scene_data";

const KEPT = [
  [1, 2, 3],
  [0, 2, 3],
  [0, 1, 3],
  [0, 1, 2],
];

export class Motion {
  readonly matrices: Matrix4[];
  readonly velocities: Vector3[];
  readonly signals: Float64Array;
  readonly rolled: Float64Array; // way that each body went ahead, along its own x [m]
  private ways = new Map<number, Float64Array>();
  private before = new Quaternion();
  private after = new Quaternion();
  private place = new Vector3();
  private readonly one = new Vector3(1, 1, 1);

  constructor(readonly bodies: BodyEntry[], signalCount: number) {
    this.matrices = bodies.map(() => new Matrix4());
    this.velocities = bodies.map(() => new Vector3());
    this.signals = new Float64Array(signalCount);
    this.rolled = new Float64Array(bodies.length);
  }

  /** Work out the way ahead of a body over a whole recording: its wheels turn by it. */
  followWay(recording: Recording, k: number): void {
    const body = this.bodies[k];
    if (this.ways.has(k) || body.form === "planar") return;
    const way = new Float64Array(recording.count);
    const [x, y, z] = [0, 1, 2].map((axis) => recording.pose[body.column + axis]);
    const ahead = new Vector3();
    for (let i = 1; i < recording.count; i++) {
      if (body.form === "deformable") ahead.set(...([0, 3, 6].map((row) => recording.pose[body.column + 3 + row][i]) as [number, number, number])).normalize();
      else {
        this.read(recording, body.column + 3, i, this.before);
        ahead.set(1, 0, 0).applyQuaternion(this.before);
      }
      way[i] = way[i - 1] + (x[i] - x[i - 1]) * ahead.x + (y[i] - y[i - 1]) * ahead.y + (z[i] - z[i - 1]) * ahead.z;
    }
    this.ways.set(k, way);
  }

  /** Poses at a time of a recording, linear and spherical between frames. */
  fromRecording(recording: Recording, time: number): void {
    const { frame, share } = recording.locate(time);
    const next = Math.min(frame + 1, recording.count - 1);
    const first = Math.max(0, Math.min(frame, recording.count - 2));
    const span = recording.count > 1 ? recording.times[first + 1] - recording.times[first] : 1;
    const mix = (column: Float64Array) => column[frame] + share * (column[next] - column[frame]);
    this.bodies.forEach((body, k) => {
      const at = body.column;
      const pose = recording.pose;
      const deep = body.form === "planar" ? 0 : 1;
      this.place.set(mix(pose[at]), mix(pose[at + 1]), deep ? mix(pose[at + 2]) : 0);
      const rate = (c: Float64Array) => (recording.count > 1 ? (c[first + 1] - c[first]) / span : 0);
      this.velocities[k].set(rate(pose[at]), rate(pose[at + 1]), deep ? rate(pose[at + 2]) : 0);
      const matrix = this.matrices[k];
      if (body.form === "planar") {
        const angle = mix(pose[at + 2]);
        matrix.makeRotationZ(angle).setPosition(this.place);
      } else if (body.form === "deformable") {
        const e = (row: number, column: number) => mix(pose[at + 3 + 3 * row + column]);
        matrix.set(
          e(0, 0), e(0, 1), e(0, 2), this.place.x,
          e(1, 0), e(1, 1), e(1, 2), this.place.y,
          e(2, 0), e(2, 1), e(2, 2), this.place.z,
          0, 0, 0, 1,
        );
      } else {
        this.read(recording, at + 3, frame, this.before);
        if (share > 0) {
          this.read(recording, at + 3, next, this.after);
          this.before.slerp(this.after, share);
        }
        matrix.compose(this.place, this.before, this.one);
      }
    });
    recording.signals.forEach((column, k) => (this.signals[k] = mix(column)));
    for (const [k, way] of this.ways) this.rolled[k] = mix(way);
  }

  /** Poses of a live frame: per body 7 numbers (position, quaternion) or 3 in the plane. */
  fromNumbers(values: Float32Array, at: number): number {
    this.bodies.forEach((body, k) => {
      const matrix = this.matrices[k];
      const old = this.place.setFromMatrixPosition(matrix).clone();
      if (body.form === "planar") {
        matrix.makeRotationZ(values[at + 2]).setPosition(values[at], values[at + 1], 0);
        at += 3;
      } else if (body.form === "deformable") {
        const v = values;
        matrix.set(
          v[at + 3], v[at + 4], v[at + 5], v[at],
          v[at + 6], v[at + 7], v[at + 8], v[at + 1],
          v[at + 9], v[at + 10], v[at + 11], v[at + 2],
          0, 0, 0, 1,
        );
        at += 12;
      } else {
        this.before.set(values[at + 4], values[at + 5], values[at + 6], values[at + 3]);
        matrix.compose(this.place.set(values[at], values[at + 1], values[at + 2]), this.before, this.one);
        at += 7;
      }
      this.velocities[k].setFromMatrixPosition(matrix).sub(old);
      const step = this.velocities[k].dot(this.place.setFromMatrixColumn(matrix, 0).normalize());
      if (Math.abs(step) < 5) this.rolled[k] += step; // farther: a drive that began again
      this.velocities[k].multiplyScalar(60);
    });
    for (let k = 0; k < this.signals.length; k++) this.signals[k] = values[at + k];
    return at + this.signals.length;
  }

  private read(recording: Recording, at: number, frame: number, out: Quaternion): void {
    const dropped = Math.round(recording.pose[at + 3][frame]);
    const q = [0, 0, 0, 0];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const value = recording.pose[at + k][frame];
      q[KEPT[dropped][k]] = value;
      square += value * value;
    }
    q[dropped] = Math.sqrt(Math.max(0, 1 - square));
    out.set(q[1], q[2], q[3], q[0]).normalize();
  }
}
