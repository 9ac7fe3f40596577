// One panel of a figure page: draws curves on a canvas, zooms, and answers where the pointer is.

import { nameAndUnit, ticksOf, written, type CurveEntry, type PanelEntry } from "./figure_data";

const MARGIN = { left: 66, right: 14, top: 10, bottom: 40 };
const SHADES = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"].map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));

/** What is seen: ends of both axes, logarithms on logarithmic ones. */
export interface Window2 {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

export interface Curve extends CurveEntry {
  xs: Float64Array;
  ys: Float64Array;
  ts: Float64Array | null;
  tint: Float64Array | null;
  shown: boolean;
  rising: boolean; // x never falls: a point is found by halving
}

export interface Hit {
  curve: Curve;
  index: number;
  distance: number; // [pixels]
}

export class Panel {
  readonly box = document.createElement("section");
  readonly canvas = document.createElement("canvas");
  readonly legend = document.createElement("div");
  readonly curves: Curve[];
  home: Window2;
  view: Window2;
  cursor: number | null = null; // where the linked x (or time) is
  band: [number, number, number, number] | null = null; // rectangle that is being drawn [pixels]
  hit: Hit | null = null;
  private width = 0;
  private height = 0;

  constructor(readonly entry: PanelEntry, columns: Float64Array[]) {
    this.curves = entry.curves.map((curve) => {
      const xs = columns[curve.x];
      let rising = true;
      for (let i = 1; i < xs.length && rising; i++) rising = xs[i] >= xs[i - 1];
      return {
        ...curve,
        xs,
        ys: columns[curve.y],
        ts: curve.t >= 0 ? columns[curve.t] : null,
        tint: curve.shades !== undefined ? columns[curve.shades] : null,
        shown: true,
        rising,
      };
    });
    this.home = this.view = this.whole();
    this.box.className = "panel";
    this.box.style.gridRow = `${entry.place[0] + 1} / ${entry.place[1] + 1}`;
    this.box.style.gridColumn = `${entry.place[2] + 1} / ${entry.place[3] + 1}`;
    this.legend.className = "legend";
    const title = document.createElement("h2");
    title.textContent = entry.title;
    title.hidden = !entry.title;
    const plot = document.createElement("div");
    plot.className = "plot";
    plot.append(this.canvas);
    this.box.append(title, this.legend, plot);
  }

  get isPlane(): boolean {
    return this.entry.link === "";
  }

  /** Size of the drawing area [pixels]. */
  get area(): { left: number; top: number; width: number; height: number } {
    return { left: MARGIN.left, top: MARGIN.top, width: Math.max(10, this.width - MARGIN.left - MARGIN.right), height: Math.max(10, this.height - MARGIN.top - MARGIN.bottom) };
  }

  scaleX(value: number): number {
    return this.entry.x.log ? Math.log10(value) : value;
  }

  scaleY(value: number): number {
    return this.entry.y.log ? Math.log10(value) : value;
  }

  pixelX(value: number): number {
    const { left, width } = this.area;
    return left + ((this.scaleX(value) - this.view.x0) / (this.view.x1 - this.view.x0)) * width;
  }

  pixelY(value: number): number {
    const { top, height } = this.area;
    return top + height - ((this.scaleY(value) - this.view.y0) / (this.view.y1 - this.view.y0)) * height;
  }

  /** x and y (of the axes, logarithms on logarithmic ones) under a pixel. */
  under(px: number, py: number): [number, number] {
    const { left, top, width, height } = this.area;
    return [
      this.view.x0 + ((px - left) / width) * (this.view.x1 - this.view.x0),
      this.view.y0 + ((top + height - py) / height) * (this.view.y1 - this.view.y0),
    ];
  }

  /** Everything that is shown, with a margin; where the figure has limits of its own, those. */
  private whole(): Window2 {
    const range = (log: boolean, column: (curve: Curve) => Float64Array) => {
      let [low, high] = [Infinity, -Infinity];
      for (const curve of this.curves) {
        for (const raw of column(curve)) {
          const value = log ? (raw > 0 ? Math.log10(raw) : NaN) : raw;
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
      if (!(high > low)) {
        const middle = Number.isFinite(low) ? low : 0;
        const half = 0.5 * (Math.abs(middle) || 1);
        return [middle - half, middle + half];
      }
      return [low, high];
    };
    let [x0, x1] = range(this.entry.x.log, (curve) => curve.xs);
    let [y0, y1] = range(this.entry.y.log, (curve) => curve.ys);
    const [padX, padY] = [this.entry.link === "time" ? 0 : 0.04 * (x1 - x0), 0.06 * (y1 - y0)];
    [x0, x1, y0, y1] = [x0 - padX, x1 + padX, y0 - padY, y1 + padY];
    const [a, b, c, d] = this.entry.limits;
    if (this.entry.fixed[0]) [x0, x1] = [this.scaleX(a), this.scaleX(b)];
    if (this.entry.fixed[1]) [y0, y1] = [this.scaleY(c), this.scaleY(d)];
    return { x0, x1, y0, y1 };
  }

  /** Take the size of the page; equal scales are kept. */
  resize(): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const area = this.canvas.getBoundingClientRect();
    this.width = area.width;
    this.height = area.height;
    this.canvas.width = Math.round(area.width * ratio);
    this.canvas.height = Math.round(area.height * ratio);
    const untouched = this.view === this.home;
    if (untouched) this.view = this.home = this.fitted(this.whole());
    else this.view = this.fitted(this.view);
  }

  /** The window, widened on one side where both scales have to be equal. */
  fitted(view: Window2): Window2 {
    if (!this.entry.equal || !this.width) return view;
    const { width, height } = this.area;
    const scale = Math.max((view.x1 - view.x0) / width, (view.y1 - view.y0) / height);
    const [cx, cy] = [0.5 * (view.x0 + view.x1), 0.5 * (view.y0 + view.y1)];
    return { x0: cx - 0.5 * scale * width, x1: cx + 0.5 * scale * width, y0: cy - 0.5 * scale * height, y1: cy + 0.5 * scale * height };
  }

  /** The index of a curve nearest to an x or, in a plane, to a time. */
  indexAt(curve: Curve, value: number): number {
    const column = this.isPlane && curve.ts ? curve.ts : curve.xs;
    let [low, high] = [0, column.length - 1];
    if (!curve.rising && !(this.isPlane && curve.ts)) return -1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (column[middle] <= value) low = middle;
      else high = middle;
    }
    return Math.abs(column[high] - value) < Math.abs(column[low] - value) ? high : low;
  }

  /** The recorded place on the x axis that is nearest to a value; the value itself where nothing is recorded. */
  snapped(value: number): number {
    for (const curve of this.curves) {
      if (!curve.shown || !curve.rising || curve.xs.length < 2) continue;
      return curve.xs[this.indexAt(curve, value)];
    }
    return value;
  }

  /** The point of a curve that is nearest to a pixel. */
  nearest(px: number, py: number): Hit | null {
    let best: Hit | null = null;
    for (const curve of this.curves) {
      if (!curve.shown) continue;
      for (let i = 0; i < curve.xs.length; i++) {
        const distance = Math.hypot(this.pixelX(curve.xs[i]) - px, this.pixelY(curve.ys[i]) - py);
        if (!best || distance < best.distance) best = { curve, index: i, distance };
      }
    }
    return best;
  }

  draw(): void {
    const ratio = this.canvas.width / Math.max(1, this.width);
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    if (!(this.width > 40)) return;
    this.drawAxes(pen);
    const { left, top, width, height } = this.area;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    for (const band of this.entry.bands) {
      pen.globalAlpha = band.opacity;
      pen.fillStyle = band.colour;
      pen.fillRect(this.pixelX(band.low), top, this.pixelX(band.high) - this.pixelX(band.low), height);
    }
    pen.globalAlpha = 1;
    for (const mark of this.entry.marks) {
      stroke(pen, mark.colour, mark.width, mark.dash);
      pen.beginPath();
      if (mark.axis === "x") line(pen, this.pixelX(mark.at), top, this.pixelX(mark.at), top + height);
      else line(pen, left, this.pixelY(mark.at), left + width, this.pixelY(mark.at));
    }
    for (const curve of this.curves) if (curve.shown) this.drawCurve(pen, curve);
    pen.setLineDash([]);
    pen.fillStyle = "#4a5560";
    pen.textAlign = "center";
    for (const text of this.entry.texts)
      text.text.split("\n").forEach((row, k) => pen.fillText(row, this.pixelX(text.x), this.pixelY(text.y) - 8 + 13 * k));
    this.drawCursor(pen);
    pen.restore();
    if (this.band) {
      const [x, y, w, h] = this.band;
      pen.fillStyle = "rgba(0,114,178,.12)";
      pen.strokeStyle = "#0072b2";
      pen.lineWidth = 1;
      pen.fillRect(x, y, w, h);
      pen.strokeRect(x, y, w, h);
    }
  }

  private drawAxes(pen: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.area;
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = "#4a5560";
    stroke(pen, "rgba(40,50,60,.13)", 1, []);
    pen.textAlign = "right";
    for (const tick of ticksOf(this.view.y0, this.view.y1, height / 42, this.entry.y.log)) {
      const y = top + height - ((tick.at - this.view.y0) / (this.view.y1 - this.view.y0)) * height;
      line(pen, left, y, left + width, y);
      pen.fillText(tick.text, left - 6, y + 4);
    }
    pen.textAlign = "center";
    for (const tick of ticksOf(this.view.x0, this.view.x1, width / 90, this.entry.x.log)) {
      const x = left + ((tick.at - this.view.x0) / (this.view.x1 - this.view.x0)) * width;
      line(pen, x, top, x, top + height);
      pen.fillText(tick.text, x, top + height + 15);
    }
    stroke(pen, "#4a5560", 1, []);
    line(pen, left, top + height, left + width, top + height);
    line(pen, left, top, left, top + height);
    pen.fillStyle = "#1d252c";
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(this.entry.x.label, left + 0.5 * width, top + height + 32);
    pen.save();
    pen.translate(13, top + 0.5 * height);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.entry.y.label, 0, 0);
    pen.restore();
    pen.font = "11px system-ui, sans-serif";
  }

  private drawCurve(pen: CanvasRenderingContext2D, curve: Curve): void {
    const { xs, ys } = curve;
    let [first, last] = [0, xs.length - 1];
    if (curve.rising && xs.length > 500) {
      // Only what is seen, with one point beyond each end.
      const [low, high] = this.entry.x.log ? [10 ** this.view.x0, 10 ** this.view.x1] : [this.view.x0, this.view.x1];
      first = Math.max(0, bisect(xs, low) - 1);
      last = Math.min(xs.length - 1, bisect(xs, high) + 1);
    }
    if (curve.width > 0) {
      stroke(pen, curve.colour, curve.width, curve.dash);
      if (curve.tint) this.drawTinted(pen, curve);
      else if (curve.rising && last - first > 4 * this.area.width) this.drawDense(pen, curve, first, last);
      else {
        pen.beginPath();
        let open = false;
        for (let i = first; i <= last; i++) {
          const [x, y] = [this.pixelX(xs[i]), this.pixelY(ys[i])];
          if (!Number.isFinite(x) || !Number.isFinite(y)) open = false;
          else if (open) pen.lineTo(x, y);
          else pen.moveTo(x, y), (open = true);
        }
        pen.stroke();
      }
    }
    if (curve.marker) for (let i = first; i <= last; i++) this.drawMarker(pen, curve, this.pixelX(xs[i]), this.pixelY(ys[i]));
  }

  /** More points than pixels: lowest and highest of every column of pixels, so that no peak is lost. */
  private drawDense(pen: CanvasRenderingContext2D, curve: Curve, first: number, last: number): void {
    pen.beginPath();
    let column = -1;
    let [low, high, at] = [Infinity, -Infinity, 0];
    const flush = () => {
      if (high >= low) pen.lineTo(at, high), pen.lineTo(at, low);
    };
    for (let i = first; i <= last; i++) {
      const [x, y] = [this.pixelX(curve.xs[i]), this.pixelY(curve.ys[i])];
      if (!Number.isFinite(y)) continue;
      if (Math.floor(x) !== column) {
        flush();
        [column, low, high, at] = [Math.floor(x), y, y, x];
      } else (low = Math.min(low, y)), (high = Math.max(high, y));
    }
    flush();
    pen.stroke();
  }

  private drawTinted(pen: CanvasRenderingContext2D, curve: Curve): void {
    const tint = curve.tint!;
    let [low, high] = [Infinity, -Infinity];
    for (const value of tint) (low = Math.min(low, value)), (high = Math.max(high, value));
    const pieces = 64; // as many strokes, each with one colour
    for (let k = 0; k < pieces; k++) {
      const [from, to] = [Math.floor((k * (tint.length - 1)) / pieces), Math.floor(((k + 1) * (tint.length - 1)) / pieces)];
      if (to <= from) continue;
      pen.strokeStyle = shade((tint[from] - low) / (high - low || 1));
      pen.beginPath();
      for (let i = from; i <= to; i++) pen.lineTo(this.pixelX(curve.xs[i]), this.pixelY(curve.ys[i]));
      pen.stroke();
    }
  }

  private drawMarker(pen: CanvasRenderingContext2D, curve: Curve, x: number, y: number): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const r = Math.max(1.5, 0.6 * curve.size);
    pen.setLineDash([]);
    pen.lineWidth = 1.2;
    pen.strokeStyle = pen.fillStyle = curve.colour;
    pen.beginPath();
    if (curve.marker === "|") pen.moveTo(x, y - r), pen.lineTo(x, y + r);
    else if (curve.marker === "s" || curve.marker === "D") pen.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
    else if ("^v<>".includes(curve.marker)) {
      const turn = { "^": -90, v: 90, "<": 180, ">": 0 }[curve.marker as "^"]! * (Math.PI / 180);
      for (const k of [0, 1, 2]) pen.lineTo(x + 1.2 * r * Math.cos(turn + 2.0944 * k), y + 1.2 * r * Math.sin(turn + 2.0944 * k));
      pen.closePath();
    } else pen.arc(x, y, curve.marker === "." ? Math.max(1.7, 0.5 * r) : r, 0, 7);
    if (curve.hollow || curve.marker === "|") pen.stroke();
    else pen.fill();
  }

  private drawCursor(pen: CanvasRenderingContext2D): void {
    const dot = (curve: Curve, index: number) => {
      const [x, y] = [this.pixelX(curve.xs[index]), this.pixelY(curve.ys[index])];
      if (!Number.isFinite(x) || !Number.isFinite(y)) return;
      pen.beginPath();
      pen.arc(x, y, 4, 0, 7);
      pen.fillStyle = curve.tint ? "#d7263d" : curve.colour;
      pen.fill();
      stroke(pen, "#fff", 1.5, []);
      pen.stroke();
    };
    if (this.cursor !== null) {
      const { top, height } = this.area;
      if (!this.isPlane) {
        stroke(pen, "#d7263d", 1, []);
        line(pen, this.pixelX(this.cursor), top, this.pixelX(this.cursor), top + height);
      }
      for (const curve of this.curves) {
        if (!curve.shown || curve.xs.length < 2 || (this.isPlane && !curve.ts)) continue;
        const index = this.indexAt(curve, this.cursor);
        if (index >= 0) dot(curve, index);
      }
    }
    if (this.hit) dot(this.hit.curve, this.hit.index);
  }

  /** Lines of the box beside the pointer: what, how much, in which unit. */
  told(): { colour: string; text: string }[] {
    const [xName, xUnit] = nameAndUnit(this.entry.x.label);
    const [yName, yUnit] = nameAndUnit(this.entry.y.label);
    const unit = (text: string) => (text ? ` ${text}` : "");
    if (this.hit) {
      const { curve, index } = this.hit;
      const rows = [];
      if (curve.label) rows.push({ colour: curve.colour, text: curve.label });
      rows.push({ colour: "", text: `${xName} = ${written(curve.xs[index])}${unit(xUnit)}` });
      rows.push({ colour: "", text: `${yName} = ${written(curve.ys[index])}${unit(yUnit)}` });
      if (curve.ts) rows.push({ colour: "", text: `time = ${written(curve.ts[index])} s` });
      return rows;
    }
    if (this.cursor === null || this.isPlane) return [];
    const rows = [{ colour: "", text: `${xName} = ${written(this.cursor)}${unit(xUnit)}` }];
    for (const curve of this.curves) {
      if (!curve.shown || curve.xs.length < 2) continue;
      const index = this.indexAt(curve, this.cursor);
      if (index >= 0) rows.push({ colour: curve.colour, text: `${curve.label || yName} = ${written(curve.ys[index])}${unit(yUnit)}` });
    }
    return rows;
  }
}

function bisect(column: Float64Array, value: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stroke(pen: CanvasRenderingContext2D, colour: string, width: number, dash: number[]): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.setLineDash(dash);
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function shade(share: number): string {
  const at = Math.min(0.9999, Math.max(0, share)) * (SHADES.length - 1);
  const [a, b] = [SHADES[Math.floor(at)], SHADES[Math.floor(at) + 1]];
  return `rgb(${a.map((value, k) => Math.round(value + (at % 1) * (b[k] - value))).join(",")})`;
}
