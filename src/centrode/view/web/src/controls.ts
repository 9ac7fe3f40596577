// Buttons, slider and keys of the replay.

import { CAMERA_NAMES } from "./cameras";
import { OVERLAY_NAMES } from "./overlays";
import { Plots } from "./plots";
import type { Viewer } from "./viewer";

const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["\u2190 \u2192", "one frame back, on (with shift: ten)"],
  ["Home End", "first, last frame"],
  ["+ \u2212", "faster, slower"],
  ["1 2 3 4", "orbit, follow, driver, top camera"],
  ["B", "next body to follow"],
  ["T V F N", "trails, velocities, forces, names"],
  ["K M O", "contact points, tyre marks, centrodes (plane systems)"],
  ["P", "plots"],
  ["L", "loop"],
  ["R", "reset the camera"],
  ["H", "this help"],
];

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, name = "", text = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = element("button", "", text);
  made.title = title;
  made.type = "button";
  made.addEventListener("click", () => (act(), made.blur()));
  return made;
}

/** Title, cameras and overlays: for replay and live driving. */
export function addLookPanel(root: HTMLElement, viewer: Viewer): { refresh: () => void } {
  const head = element("header", "title");
  head.append(element("strong", "", viewer.scene.title));
  if (viewer.scene.status && viewer.scene.status !== "completed") head.append(element("span", "status", viewer.scene.status));
  for (const remark of viewer.scene.remarks ?? []) head.append(element("span", "status", remark));
  const panel = element("nav", "look");
  const cameras = CAMERA_NAMES.map((name, k) => button(name, `camera: ${name} (${k + 1})`, () => viewer.camera(name)));
  const bodies = element("select");
  bodies.title = "body to follow (double-click a body)";
  bodies.setAttribute("aria-label", "body to follow");
  viewer.scene.bodies.forEach((body, k) => bodies.append(new Option(body.name, String(k))));
  bodies.addEventListener("change", () => (viewer.focus(Number(bodies.value)), bodies.blur()));
  const overlays = OVERLAY_NAMES.filter((name) => viewer.overlays.available(name)).map((name) => ({
    name,
    made: button(name, `show ${name}`, () => viewer.overlay(name)),
  }));
  panel.append(...cameras, bodies, ...overlays.map((item) => item.made));
  root.append(head, panel);
  return {
    refresh: () => {
      cameras.forEach((made, k) => made.classList.toggle("on", viewer.cameras.name === CAMERA_NAMES[k]));
      overlays.forEach((item) => item.made.classList.toggle("on", viewer.overlays.shown[item.name]));
      if (bodies.value !== String(viewer.cameras.body)) bodies.value = String(viewer.cameras.body);
    },
  };
}

/** The bar with play, slider, speed and loop, the plots, and the keys. */
export function addReplayControls(root: HTMLElement, viewer: Viewer): Plots {
  const recording = viewer.recording!;
  const look = addLookPanel(root, viewer);
  const plots = new Plots(viewer.scene, recording);
  const bar = element("footer", "bar");
  const play = button("\u25b6", "play, pause (space)", () => viewer.play());
  const slider = element("input");
  Object.assign(slider, { type: "range", min: "0", max: String(recording.count - 1), step: "any", value: "0", className: "time" });
  slider.setAttribute("aria-label", "time");
  slider.addEventListener("input", () => {
    viewer.playing = false;
    viewer.hurry();
    const at = Number(slider.value);
    const frame = Math.min(recording.count - 1, Math.floor(at));
    const next = Math.min(recording.count - 1, frame + 1);
    viewer.setTime(recording.times[frame] + (at - frame) * (recording.times[next] - recording.times[frame]));
  });
  const track = element("div", "track");
  const marks = element("div", "marks");
  track.append(slider, marks);
  for (const event of viewer.scene.events) {
    if (event.time < recording.start || event.time > recording.end) continue;
    const mark = button("", `${event.time.toFixed(4)} s: ${event.kind} ${event.subject}`, () => viewer.setTime(event.time));
    mark.className = "mark";
    const { frame, share } = recording.locate(event.time);
    mark.style.left = `${(100 * (frame + share)) / Math.max(1, recording.count - 1)}%`;
    marks.append(mark);
  }
  const clock = element("output", "clock");
  const speed = element("select");
  speed.title = "speed (+ -)";
  speed.setAttribute("aria-label", "speed");
  for (const value of SPEEDS) speed.append(new Option(`${value}\u00d7`, String(value)));
  speed.value = "1";
  speed.addEventListener("change", () => ((viewer.speed = Number(speed.value)), speed.blur()));
  const loop = button("\u21bb", "loop (L)", () => ((viewer.loop = !viewer.loop), refresh()));
  const showPlots = button("plots", "time plots (P)", () => plots.toggle());
  const help = element("aside", "help");
  help.hidden = true;
  for (const [keys, text] of KEYS) help.append(element("kbd", "", keys), element("span", "", text));
  bar.append(
    play,
    button("\u25c2", "one frame back", () => viewer.step(-1)),
    button("\u25b8", "one frame on", () => viewer.step(1)),
    track,
    clock,
    speed,
    loop,
    showPlots,
    button("?", "keys (H)", () => (help.hidden = !help.hidden)),
  );
  root.append(help, plots.element, bar);
  plots.onSeek = (time) => ((viewer.playing = false), viewer.setTime(time));
  plots.onResize = () => viewer.resize();

  function refresh(): void {
    const { frame, share } = recording.locate(viewer.time);
    slider.value = String(frame + share);
    clock.textContent = `${viewer.time.toFixed(3)} s`;
    play.textContent = viewer.playing ? "\u275a\u275a" : "\u25b6";
    loop.classList.toggle("on", viewer.loop);
    showPlots.classList.toggle("on", !plots.element.hidden);
    speed.value = String(viewer.speed);
    look.refresh();
    plots.draw(viewer.time);
  }
  viewer.onChange = refresh;
  refresh();

  const faster = (by: number) => {
    const at = SPEEDS.findIndex((value) => value >= viewer.speed);
    viewer.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
    refresh();
  };
  const actions: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => viewer.play(),
    ArrowLeft: (event) => viewer.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => viewer.step(event.shiftKey ? 10 : 1),
    Home: () => viewer.setFrame(0),
    End: () => viewer.setFrame(recording.count - 1),
    "+": () => faster(1),
    "-": () => faster(-1),
    l: () => ((viewer.loop = !viewer.loop), refresh()),
    p: () => plots.toggle(),
    h: () => (help.hidden = !help.hidden),
    "?": () => (help.hidden = !help.hidden),
    ...lookKeys(viewer),
  };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.tagName === "SELECT" || (target.tagName === "INPUT" && event.key.startsWith("Arrow"))) return;
    const act = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act(event);
    }
  });
  return plots;
}

/** Keys for cameras and overlays. */
export function lookKeys(viewer: Viewer): Record<string, () => void> {
  const found: Record<string, () => void> = {
    t: () => viewer.overlay("trails"),
    v: () => viewer.overlay("velocities"),
    f: () => viewer.overlay("forces"),
    n: () => viewer.overlay("labels"),
    k: () => viewer.overlay("contacts"),
    m: () => viewer.overlay("marks"),
    o: () => viewer.overlay("centrodes"),
    r: () => viewer.camera(viewer.cameras.name),
    b: () => viewer.focus((viewer.cameras.body + 1) % viewer.scene.bodies.length),
  };
  CAMERA_NAMES.forEach((name, k) => (found[String(k + 1)] = () => viewer.camera(name)));
  return found;
}
