// Decodes the frames of a page: the counterpart of centrode/view/frames.py.

import type { BlockHeader, SceneData } from "./scene_data";

/** Columns of one block, each as an array over the frames. */
export function decodeBlock(bytes: Uint8Array, header: BlockHeader, frames: number): Float64Array[] {
  let at = header.offset;
  return header.planes.map((planes, k) => {
    const column = new Float64Array(frames);
    let slope = 0;
    let value = 0;
    for (let i = 0; i < frames; i++) {
      let z = 0;
      for (let p = planes - 1; p >= 0; p--) z = z * 256 + bytes[at + p * frames + i];
      slope += z % 2 === 0 ? z / 2 : -(z + 1) / 2;
      value += slope;
      column[i] = header.first[k] + header.steps[k] * value;
    }
    at += planes * frames;
    return column;
  });
}

/** The motion of a recording: times, poses, signals, arrows and plotted columns. */
export class Recording {
  readonly count: number;
  readonly times: Float64Array;
  readonly pose: Float64Array[];
  readonly signals: Float64Array[];
  readonly arrows: Float64Array[];
  readonly plots: Float64Array[];
  readonly dents: Float64Array[]; // how far stations of sides are pushed in [m]

  constructor(scene: SceneData, bytes: Uint8Array) {
    const frames = scene.frames!;
    this.count = frames.count;
    this.times = new Float64Array(this.count);
    const time = frames.time;
    for (let i = 0; i < this.count; i++) this.times[i] = "list" in time ? time.list[i] : time.start + i * time.step;
    const columns = (name: string) => decodeBlock(bytes, frames.blocks[name], this.count);
    this.pose = columns("pose");
    this.signals = columns("signals");
    this.arrows = columns("arrows");
    this.plots = columns("plots");
    this.dents = "dents" in frames.blocks ? columns("dents") : [];
  }

  get start(): number {
    return this.times[0];
  }

  get end(): number {
    return this.times[this.count - 1];
  }

  /** Frame before a time and the share of the way to the next one. */
  locate(time: number): { frame: number; share: number } {
    if (this.count < 2 || time <= this.times[0]) return { frame: 0, share: 0 };
    if (time >= this.end) return { frame: this.count - 1, share: 0 };
    let low = 0;
    let high = this.count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return { frame: low, share: (time - this.times[low]) / (this.times[high] - this.times[low]) };
  }

  /** The frame nearest to a time. */
  nearest(time: number): number {
    const { frame, share } = this.locate(time);
    return share > 0.5 ? frame + 1 : frame;
  }
}
