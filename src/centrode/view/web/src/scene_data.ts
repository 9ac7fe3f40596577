// What the page is given: the counterpart of centrode/view/scene.py.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export interface BodyEntry {
  name: string;
  form: "rigid" | "planar" | "deformable";
  column: number;
  colour: string;
}

/** A shape of centrode/parts/visual.py; further fields depend on `shape`. */
export interface ShapeEntry {
  shape: string;
  body: number; // -1: ground
  position: Vec3;
  rotation: Quat;
  colour: string;
  owner: string;
  [field: string]: any;
}

export interface JointEntry {
  name: string;
  kind: string;
  body: number;
  position: Vec3;
  force: number; // first of three columns in the block "arrows", or -1
}

export interface PlotEntry {
  name: string;
  unit: string;
  columns: number[];
  labels: string[];
}

export interface EventEntry {
  time: number;
  kind: string;
  subject: string;
  point?: Vec3; // where two bodies touch
}

/** Where a tyre slid: a strip of `width` through points of the road, `dark` from 0 to 1. */
export interface MarkEntry {
  width: number;
  points: Vec3[];
  times: number[];
  dark: number[];
}

/** A side of a body that was pushed in, at stations along it; of centrode/view/dents.py. */
export interface DentEntry {
  body: number;
  axis: number; // of the body: along which it is pushed in
  way: number; // 1 or -1: on which side of the body it is
  across: number; // axis along which its stations lie, from low to high [m]
  low: number;
  high: number;
  belt: number; // height of belt line and roof [m]
  top: number;
  start: number[]; // where the whole side stands at each station, along the axis [m]
  column: number; // first column in the block "dents"
}

export interface BlockHeader {
  offset: number;
  first: number[];
  steps: number[];
  planes: number[];
}

export interface InputEntry {
  name: string;
  low: number;
  high: number;
  rest: number;
  unit: string;
  keys: [string, string]; // key that raises, key that lowers
  axis: number; // of a gamepad, or -1
  rise: number; // time from rest to the end while a key is held [s]
}

export interface SceneData {
  format: number;
  title: string;
  plane: boolean;
  up: Vec3;
  sea: boolean;
  size: number;
  status: string;
  remarks: string[];
  bodies: BodyEntry[];
  shapes: ShapeEntry[];
  joints: JointEntry[];
  signals: string[];
  plots: PlotEntry[];
  marks: MarkEntry[];
  dents?: DentEntry[];
  events: EventEntry[];
  frames?: {
    count: number;
    time: { start: number; step: number } | { list: number[] };
    blocks: Record<string, BlockHeader>;
  };
  live?: { rate: number; body: number; inputs: InputEntry[]; rubs: number[] }; // rubs: widths of the wheels that can leave marks [m]
}
