// Time plots below the scene, linked to its time: click or drag to go there.

import type { Recording } from "./frames";
import type { PlotEntry, SceneData } from "./scene_data";

const COLOURS = ["#1f77b4", "#d1495b", "#2a9d6f", "#b07d00", "#8e6c8a", "#444444"];
const MARGIN = { left: 62, right: 12, top: 20, bottom: 20 };

export class Plots {
  readonly element = document.createElement("section");
  private chooser = document.createElement("select");
  private panels: { entry: PlotEntry; canvas: HTMLCanvasElement; box: HTMLElement }[] = [];
  private time = 0;
  onSeek: (time: number) => void = () => {};
  onResize: () => void = () => {};

  constructor(private scene: SceneData, private recording: Recording) {
    this.element.className = "plots";
    this.element.hidden = true;
    this.chooser.title = "add a plot";
    this.chooser.setAttribute("aria-label", "add a plot");
    this.chooser.append(new Option("+ plot", ""));
    for (const entry of scene.plots) this.chooser.append(new Option(`${entry.name} [${entry.unit}]`, entry.name));
    this.chooser.addEventListener("change", () => {
      if (this.chooser.value) this.add(this.chooser.value);
      this.chooser.value = "";
      this.chooser.blur();
    });
    this.element.append(this.chooser);
  }

  get open(): string[] {
    return this.panels.map((panel) => panel.entry.name);
  }

  toggle(on = this.element.hidden): void {
    this.element.hidden = !on;
    if (on && !this.panels.length) for (const entry of this.scene.plots.slice(0, 2)) this.add(entry.name);
    this.onResize();
    this.draw(this.time);
  }

  add(name: string): void {
    const entry = this.scene.plots.find((item) => item.name === name);
    if (!entry || this.panels.some((panel) => panel.entry === entry)) return;
    const box = document.createElement("div");
    box.className = "panel";
    const canvas = document.createElement("canvas");
    const close = document.createElement("button");
    close.textContent = "\u00d7";
    close.title = "close this plot";
    close.addEventListener("click", () => {
      this.panels = this.panels.filter((panel) => panel.box !== box);
      box.remove();
      if (!this.panels.length) this.toggle(false);
      this.draw(this.time);
    });
    const seek = (event: PointerEvent) => {
      const area = canvas.getBoundingClientRect();
      const share = (event.clientX - area.left - MARGIN.left) / (area.width - MARGIN.left - MARGIN.right);
      this.onSeek(this.recording.start + Math.min(1, Math.max(0, share)) * (this.recording.end - this.recording.start));
    };
    canvas.addEventListener("pointerdown", (event) => (canvas.setPointerCapture(event.pointerId), seek(event)));
    canvas.addEventListener("pointermove", (event) => event.buttons && seek(event));
    box.append(canvas, close);
    this.element.insertBefore(box, this.chooser);
    this.panels.push({ entry, canvas, box });
    this.draw(this.time);
  }

  draw(time: number): void {
    this.time = time;
    if (this.element.hidden) return;
    for (const panel of this.panels) this.drawPanel(panel.entry, panel.canvas, time);
  }

  private drawPanel(entry: PlotEntry, canvas: HTMLCanvasElement, time: number): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const { times, count, start, end } = this.recording;
    const columns = entry.columns.map((column) => this.recording.plots[column]);
    let [low, high] = [Infinity, -Infinity];
    for (const column of columns) for (const value of column) (low = Math.min(low, value)), (high = Math.max(high, value));
    if (!(high > low)) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    const pad = 0.06 * (high - low);
    (low -= pad), (high += pad);
    const x = (t: number) => MARGIN.left + ((t - start) / (end - start || 1)) * (width - MARGIN.left - MARGIN.right);
    const y = (v: number) => height - MARGIN.bottom - ((v - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = "rgba(40,50,60,0.14)";
    pen.fillStyle = "#4a5560";
    pen.textAlign = "right";
    for (const tick of ticks(low, high, 4)) {
      line(pen, MARGIN.left, y(tick), width - MARGIN.right, y(tick));
      pen.fillText(short(tick), MARGIN.left - 6, y(tick) + 4);
    }
    pen.textAlign = "center";
    for (const tick of ticks(start, end, 8)) {
      line(pen, x(tick), MARGIN.top, x(tick), height - MARGIN.bottom);
      pen.fillText(short(tick), x(tick), height - 6);
    }
    pen.textAlign = "left";
    pen.fillText(`${entry.name} [${entry.unit}]`, MARGIN.left, 13);
    let legend = MARGIN.left + pen.measureText(`${entry.name} [${entry.unit}]`).width + 14;
    const step = Math.max(1, Math.floor(count / (2 * width)));
    const frame = this.recording.nearest(time);
    columns.forEach((column, k) => {
      pen.strokeStyle = pen.fillStyle = COLOURS[k % COLOURS.length];
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (let i = 0; i < count; i += step) i ? pen.lineTo(x(times[i]), y(column[i])) : pen.moveTo(x(times[i]), y(column[i]));
      pen.lineTo(x(times[count - 1]), y(column[count - 1]));
      pen.stroke();
      pen.beginPath();
      pen.arc(x(time), y(column[frame]), 3, 0, 7);
      pen.fill();
      const text = `${entry.labels[k] ? entry.labels[k] + " = " : ""}${short(column[frame])}`;
      pen.fillText(text, legend, 13);
      legend += pen.measureText(text).width + 14;
    });
    pen.lineWidth = 1;
    pen.strokeStyle = "#d7263d";
    line(pen, x(time), MARGIN.top, x(time), height - MARGIN.bottom);
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function ticks(low: number, high: number, wanted: number): number[] {
  const raw = (high - low) / wanted;
  if (!(raw > 0)) return [low];
  const base = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((m) => m * base).find((m) => m >= raw)!;
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) found.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return found;
}

export function short(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}
