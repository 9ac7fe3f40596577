// What a figure page is given: the counterpart of centrode/plots/interactive.py.

export interface AxisEntry {
  label: string; // "speed [m/s]"
  log: boolean;
}

export interface CurveEntry {
  label: string;
  colour: string;
  width: number; // 0: points only
  dash: number[];
  marker: string;
  size: number;
  hollow: boolean;
  x: number; // columns of numbers
  y: number;
  t: number; // when each point was reached, or -1
  shades?: number; // column that colours the curve
}

export interface PanelEntry {
  place: [number, number, number, number]; // first row, row behind the last, columns likewise
  title: string;
  x: AxisEntry;
  y: AxisEntry;
  limits: [number, number, number, number];
  fixed: [boolean, boolean];
  equal: boolean;
  link: string; // panels with the same one share their x axis; "time" moves the points in planes as well
  coloured: string; // what the shades mean
  curves: CurveEntry[];
  marks: { axis: "x" | "y"; at: number; colour: string; width: number; dash: number[] }[];
  bands: { low: number; high: number; colour: string; opacity: number; label: string }[];
  texts: { x: number; y: number; text: string }[];
}

export interface FigureData {
  format: number;
  title: string;
  panels: PanelEntry[];
  columns: number[]; // lengths
  rows: number;
  across: number;
}

/** Columns of doubles from their bytes, which are stored plane by plane. */
export function unpackColumns(bytes: Uint8Array, lengths: number[]): Float64Array[] {
  let at = 0;
  return lengths.map((count) => {
    const raw = new Uint8Array(8 * count);
    for (let plane = 0; plane < 8; plane++) for (let i = 0; i < count; i++) raw[8 * i + plane] = bytes[at + plane * count + i];
    at += 8 * count;
    return new Float64Array(raw.buffer);
  });
}

/** Name and unit of a label: "speed [m/s]" -> ["speed", "m/s"]. */
export function nameAndUnit(label: string): [string, string] {
  const match = /^(.*?)\s*\[([^\]]*)\]$/.exec(label);
  return match ? [match[1], match[2]] : [label, ""];
}

/** A number for people: six digits that count. */
export function written(value: number): string {
  if (!Number.isFinite(value)) return "\u2013";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(4).replace("e+", "e");
  return String(Number(value.toPrecision(6)));
}

/** Round places for ticks, linear or by decades (then `low` and `high` are logarithms). */
export function ticksOf(low: number, high: number, wanted: number, log: boolean): { at: number; text: string }[] {
  const raw = (high - low) / Math.max(1, wanted);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  if (log && high - low > 0.9) {
    const step = Math.max(1, Math.ceil(raw));
    const found = [];
    if (high - low < 2.5) {
      // Few decades: 2 and 5 as well.
      for (let k = Math.floor(low); k <= high; k++)
        for (const digit of [1, 2, 5]) {
          const at = k + Math.log10(digit);
          if (at >= low - 1e-9 && at <= high + 1e-9) found.push({ at, text: digit === 1 ? decade(k) : written(digit * 10 ** k) });
        }
      return found;
    }
    for (let k = Math.ceil(low / step - 1e-9) * step; k <= high + 1e-9; k += step) found.push({ at: k, text: decade(k) });
    return found;
  }
  if (log) return ticksOf(10 ** low, 10 ** high, wanted, false).map((tick) => ({ at: Math.log10(tick.at), text: tick.text }));
  const base = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * base).find((m) => m >= raw * (1 - 1e-9))!;
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  const found = [];
  const large = Math.max(Math.abs(low), Math.abs(high)) >= 1e5;
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) {
    const clean = Math.abs(v) < 1e-9 * step ? 0 : v;
    found.push({ at: clean, text: large || step < 1e-4 ? written(clean) : clean.toFixed(digits) });
  }
  return found;
}

function decade(k: number): string {
  if (k >= 0 && k <= 4) return String(10 ** k);
  if (k < 0 && k >= -3) return (10 ** k).toFixed(-k);
  const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  return "10" + [...String(k)].map((c) => (c === "-" ? "\u207b" : digits[Number(c)])).join("");
}
