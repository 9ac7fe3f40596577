// A figure to explore: panels that share their time, zoom by pointer and wheel, values under the pointer, curves on and off.

import "./figure.css";
import { unpackColumns, type FigureData } from "./figure_data";
import { Panel, type Window2 } from "./figure_panel";
import { inflate } from "./inflate";

declare global {
  interface Window {
    centrodeFigure: any;
  }
}

const SHORTEST = 4; // [pixels] that count as a drag

class FigurePage {
  readonly panels: Panel[];
  private readonly tip = document.createElement("aside");

  constructor(readonly root: HTMLElement, readonly data: FigureData, columns: Float64Array[]) {
    const title = document.createElement("h1");
    title.textContent = data.title;
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Drag: zoom to a range or box. Wheel: zoom. Shift and drag: move. Double-click: all. Click a name: curve off and on.";
    const grid = document.createElement("div");
    grid.className = "grid";
    grid.style.gridTemplateColumns = `repeat(${data.across}, minmax(0, 1fr))`;
    grid.style.gridTemplateRows = `repeat(${data.rows}, minmax(${data.rows > 1 ? 190 : 420}px, 1fr))`;
    this.panels = data.panels.map((entry) => new Panel(entry, columns));
    grid.append(...this.panels.map((panel) => panel.box));
    this.tip.className = "tip";
    this.tip.hidden = true;
    root.append(title, hint, grid, this.tip);
    for (const panel of this.panels) {
      this.addLegend(panel);
      this.listen(panel);
    }
    new ResizeObserver(() => this.resize()).observe(grid);
    this.resize();
  }

  resize(): void {
    for (const panel of this.panels) panel.resize();
    this.draw();
  }

  draw(): void {
    for (const panel of this.panels) panel.draw();
  }

  /** Show or hide all curves of a name, in every panel. */
  toggle(label: string, shown?: boolean): void {
    for (const panel of this.panels) {
      for (const curve of panel.curves) if (curve.label === label) curve.shown = shown ?? !curve.shown;
      for (const button of panel.legend.querySelectorAll("button"))
        if (button.dataset.label === label) button.classList.toggle("off", !panel.curves.some((curve) => curve.label === label && curve.shown));
    }
    this.draw();
  }

  /** Put the cursor of all panels that share this axis; null takes it away. */
  point(link: string, value: number | null): void {
    for (const panel of this.panels) {
      const follows = panel.entry.link === link || (link === "time" && panel.isPlane && panel.curves.some((curve) => curve.ts));
      panel.cursor = follows ? value : null;
    }
  }

  /** Look at a window of a panel; panels that share its x axis follow. */
  zoom(panel: Panel, view: Window2): void {
    if (!(view.x1 > view.x0) || !(view.y1 > view.y0) || ![view.x0, view.x1, view.y0, view.y1].every(Number.isFinite)) return;
    panel.view = panel.fitted({ ...view });
    for (const other of this.panels)
      if (other !== panel && panel.entry.link && other.entry.link === panel.entry.link) other.view = { ...other.view, x0: view.x0, x1: view.x1 };
    this.draw();
  }

  reset(panel: Panel): void {
    for (const other of this.panels) if (other === panel || (panel.entry.link && other.entry.link === panel.entry.link)) other.view = other.home;
    this.draw();
  }

  private addLegend(panel: Panel): void {
    const known = new Set<string>();
    for (const curve of panel.curves) {
      if (!curve.label || known.has(curve.label)) continue;
      known.add(curve.label);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.label = curve.label;
      button.title = "show or hide";
      const swatch = document.createElement("i");
      swatch.style.background = curve.colour;
      button.append(swatch, curve.label);
      button.addEventListener("click", () => (this.toggle(curve.label), button.blur()));
      panel.legend.append(button);
    }
    for (const band of panel.entry.bands) {
      if (!band.label || known.has(band.label)) continue;
      known.add(band.label);
      panel.legend.append(note(band.label));
    }
    if (panel.entry.coloured) panel.legend.append(note(`colour: ${panel.entry.coloured}`));
  }

  private listen(panel: Panel): void {
    const canvas = panel.canvas;
    const place = (event: MouseEvent): [number, number] => {
      const area = canvas.getBoundingClientRect();
      return [event.clientX - area.left, event.clientY - area.top];
    };
    let from: { px: number; py: number; moves: boolean; view: Window2 } | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [px, py] = place(event);
      from = { px, py, moves: event.shiftKey, view: panel.view };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [px, py] = place(event);
      if (from) {
        this.tip.hidden = true;
        if (from.moves) this.move(panel, from.view, px - from.px, py - from.py);
        else this.drag(panel, from.px, from.py, px, py);
        return;
      }
      this.hover(panel, px, py, event);
    });
    canvas.addEventListener("pointerup", () => {
      const band = panel.band;
      panel.band = null;
      if (from && !from.moves && band && (band[2] > SHORTEST || band[3] > SHORTEST)) {
        const [x0, y1] = panel.under(band[0], band[1]);
        const [x1, y0] = panel.under(band[0] + band[2], band[1] + band[3]);
        this.zoom(panel, { x0, x1, y0, y1 });
      } else this.draw();
      from = null;
    });
    canvas.addEventListener("pointerleave", () => {
      if (from) return;
      this.tip.hidden = true;
      panel.hit = null;
      this.point(panel.entry.link || "time", null);
      this.draw();
    });
    canvas.addEventListener("dblclick", () => this.reset(panel));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const [x, y] = panel.under(...place(event));
        const by = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300)));
        const { x0, x1, y0, y1 } = panel.view;
        const tall = panel.isPlane || event.shiftKey;
        this.zoom(panel, {
          x0: x + (x0 - x) * by,
          x1: x + (x1 - x) * by,
          y0: tall ? y + (y0 - y) * by : y0,
          y1: tall ? y + (y1 - y) * by : y1,
        });
      },
      { passive: false },
    );
  }

  private drag(panel: Panel, ax: number, ay: number, bx: number, by: number): void {
    const { left, top, width, height } = panel.area;
    const clip = (value: number, low: number, size: number) => Math.min(low + size, Math.max(low, value));
    const [x0, x1] = [ax, bx].map((x) => clip(x, left, width)).sort((a, b) => a - b);
    let [y0, y1] = [ay, by].map((y) => clip(y, top, height)).sort((a, b) => a - b);
    if (!panel.isPlane && y1 - y0 < 0.15 * height) [y0, y1] = [top, top + height]; // a range of the x axis
    panel.band = [x0, y0, x1 - x0, y1 - y0];
    panel.draw();
  }

  private move(panel: Panel, view: Window2, dx: number, dy: number): void {
    const { width, height } = panel.area;
    const [sx, sy] = [((view.x1 - view.x0) * dx) / width, ((view.y1 - view.y0) * dy) / height];
    this.zoom(panel, { x0: view.x0 - sx, x1: view.x1 - sx, y0: view.y0 + sy, y1: view.y1 + sy });
  }

  private hover(panel: Panel, px: number, py: number, event: MouseEvent): void {
    panel.hit = null;
    if (panel.isPlane) {
      const hit = panel.nearest(px, py);
      panel.hit = hit && hit.distance < 40 ? hit : null;
      const curve = panel.hit?.curve;
      this.point("time", curve?.ts ? curve.ts[panel.hit!.index] : null);
    } else {
      const [x] = panel.under(px, py);
      this.point(panel.entry.link, panel.snapped(panel.entry.x.log ? 10 ** x : x));
    }
    const rows = panel.told();
    this.tip.replaceChildren(
      ...rows.map((row) => {
        const line = document.createElement("div");
        if (row.colour) {
          const swatch = document.createElement("i");
          swatch.style.background = row.colour;
          line.append(swatch);
        }
        line.append(row.text);
        return line;
      }),
    );
    this.tip.hidden = !rows.length;
    const { innerWidth, innerHeight } = window;
    const area = this.tip.getBoundingClientRect();
    const [x, y] = [event.clientX + 16, event.clientY + 14];
    this.tip.style.left = `${x + area.width > innerWidth ? event.clientX - area.width - 12 : x}px`;
    this.tip.style.top = `${y + area.height > innerHeight ? Math.max(0, innerHeight - area.height - 4) : y}px`;
    this.draw();
  }
}

function note(text: string): HTMLElement {
  const made = document.createElement("span");
  made.textContent = text;
  return made;
}

async function start(): Promise<void> {
  const root = document.getElementById("centrode-figure");
  if (!root) return;
  try {
    const data: FigureData = JSON.parse(document.getElementById("centrode-figure-data")!.textContent!);
    const bytes = await inflate(document.getElementById("centrode-figure-numbers")!.textContent!.trim());
    if (bytes.length !== 8 * data.columns.reduce((sum, n) => sum + n, 0)) throw new Error("the numbers of the page are cut short");
    const page = new FigurePage(root, data, unpackColumns(bytes, data.columns));
    window.centrodeFigure = { ready: true, page };
  } catch (error) {
    const message = document.createElement("p");
    message.className = "failure";
    message.textContent = `The figure cannot be shown: ${(error as Error).message}`;
    root.append(message);
    window.centrodeFigure = { ready: true, failure: String(error) };
  }
}

void start();
