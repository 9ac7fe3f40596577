// Driving: frames come over a socket, commands go back. Keys, or a gamepad when one is connected.

import { Vector3 } from "three";
import { addLookPanel, element, lookKeys } from "./controls";
import type { InputEntry } from "./scene_data";
import type { Viewer } from "./viewer";

const SEND_EVERY = 1000 / 40; // [ms]; the server lets go of the controls when it hears nothing
const DEAD_ZONE = 0.08;
const SHORTEST_MARK = 0.08; // [m]

/** One control: where it is and where the hands want it. */
class Hand {
  value: number;
  constructor(readonly input: InputEntry) {
    this.value = input.rest;
  }

  /** Move towards what is held; rest when nothing is. */
  move(held: Set<string>, pad: Gamepad | null, elapsed: number): void {
    const { low, high, rest, keys, axis, rise } = this.input;
    const up = keys[0] !== "" && held.has(keys[0]);
    const down = keys[1] !== "" && held.has(keys[1]);
    let target = rest;
    if (up && !down) target = high;
    if (down && !up) target = low;
    if (pad && axis >= 0 && axis < pad.axes.length && Math.abs(pad.axes[axis]) > DEAD_ZONE) {
      const push = -pad.axes[axis]; // left and forward are negative on a pad, positive here
      this.value = push > 0 ? rest + push * (high - rest) : rest + push * (rest - low);
      return;
    }
    const reach = (Math.max(high - rest, rest - low) / Math.max(rise, 1e-3)) * elapsed * (target === rest ? 2 : 1);
    this.value += Math.max(-reach, Math.min(reach, target - this.value));
  }
}

export class Live {
  readonly hands: Hand[];
  readonly held = new Set<string>();
  frames = 0;
  speed = 0;
  status: any = {};
  connected = false;
  private socket: WebSocket | null = null;
  private notice = element("div", "notice");
  private before = performance.now();
  private sent = 0;
  private wishes: { do: string; mark: number }[] = [];
  private mark = 0;
  private tries = 0;
  private clock = 0;
  private tracks: ({ place: Vector3; dark: number } | undefined)[] = [];

  constructor(root: HTMLElement, private viewer: Viewer) {
    const live = viewer.scene.live!;
    this.hands = live.inputs.map((input) => new Hand(input));
    const look = addLookPanel(root, viewer);
    const hud = element("div", "hud");
    const speed = element("div", "speed", "0");
    const clock = element("div", "", "");
    hud.append(speed, clock);
    const needles = this.hands.map((hand) => {
      const gauge = element("div", "gauge");
      const needle = element("div", "needle");
      gauge.append(needle);
      hud.append(element("span", "", `${hand.input.name}  ${keyNames(hand.input)}`), gauge);
      return needle;
    });
    hud.append(element("span", "", "C pause   X reset"));
    this.notice.hidden = true;
    root.append(hud, this.notice);
    viewer.onChange = () => {
      look.refresh();
      speed.textContent = `${(this.speed * 3.6).toFixed(0)} km/h`;
      clock.textContent = `${viewer.time.toFixed(2)} s${this.status.slipped > 0.5 ? `  (${this.status.slipped.toFixed(1)} s behind)` : ""}`;
      this.hands.forEach((hand, k) => {
        const { low, high, rest } = hand.input;
        const mirrored = hand.input.keys[0] === "ArrowLeft"; // positive to the left: the needle goes that way
        const share = (v: number) => (100 * (mirrored ? high - v : v - low)) / (high - low);
        const [a, b] = [share(rest), share(hand.value)].sort((x, y) => x - y);
        needles[k].style.left = `${a}%`;
        needles[k].style.width = `${Math.max(1, b - a)}%`;
      });
    };
    this.listen();
    this.connect();
    requestAnimationFrame(() => this.tick());
  }

  /** Ask for something: said again whenever the line was cut, until the server has heard its mark. */
  do(what: string): void {
    this.mark = Math.max(Date.now(), this.mark + 1);
    this.wishes.push({ do: what, mark: this.mark });
    this.send({ do: what, mark: this.mark, inputs: this.commands() });
  }

  commands(): Record<string, number> {
    return Object.fromEntries(this.hands.map((hand) => [hand.input.name, hand.value]));
  }

  private listen(): void {
    const actions: Record<string, () => void> = { ...lookKeys(this.viewer), c: () => this.do("pause"), x: () => this.do("reset") };
    const mine = new Set(this.hands.flatMap((hand) => hand.input.keys.filter((key) => key)));
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (mine.has(event.key)) {
        this.held.add(event.key);
        event.preventDefault();
      } else if (!event.repeat) actions[event.key.toLowerCase()]?.();
    });
    window.addEventListener("keyup", (event) => this.held.delete(event.key));
    // Hands off when the window is left: a key that is released elsewhere is never heard of.
    for (const name of ["blur", "pagehide"]) window.addEventListener(name, () => this.held.clear());
    document.addEventListener("visibilitychange", () => document.hidden && this.held.clear());
  }

  private connect(): void {
    const token = new URLSearchParams(location.search).get("token") ?? "";
    const socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.connected = true;
      this.tries = 0;
      this.say("");
      for (const wish of this.wishes) this.send({ ...wish, inputs: this.commands() });
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => {
      this.connected = false;
      if (event.code === 4409) return this.say("Somebody else is driving now.");
      this.tries++;
      this.say(this.tries > 20 ? "The drive has ended." : "Connecting ...");
      if (this.tries <= 20) window.setTimeout(() => this.connect(), Math.min(2000, 200 * this.tries));
    };
    this.socket = socket;
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data === "string") {
      this.status = JSON.parse(data);
      this.wishes = this.wishes.filter((wish) => wish.mark > this.status.heard);
      this.say(this.status.stopped ? `Stopped: ${this.status.stopped} (X: again)` : this.status.paused ? "Paused (C: go on)" : "");
      return;
    }
    const values = new Float32Array(data);
    this.viewer.time = values[0];
    this.speed = values[1];
    this.rub(values, this.viewer.motion.fromNumbers(values, 2));
    this.viewer.firstFrame();
    this.frames++;
    this.viewer.wake();
  }

  /** Lay marks where wheels slide: place and darkness of every wheel stand behind the signals of a frame. */
  private rub(values: Float32Array, at: number): void {
    const marks = this.viewer.overlays.marks;
    if (!marks) return;
    if (values[0] < this.clock) this.tracks.length = 0, marks.clear(); // the drive began again
    this.clock = values[0];
    this.viewer.scene.live!.rubs.forEach((width, k) => {
      const [x, y, z, dark] = values.subarray(at + 4 * k, at + 4 * k + 4);
      const before = this.tracks[k];
      if (!(dark > 0)) return void delete this.tracks[k];
      const here = { place: new Vector3(x, y, z), dark };
      if (!before) return void (this.tracks[k] = here);
      if (before.place.distanceTo(here.place) < SHORTEST_MARK) return;
      marks.lay(before.place, here.place, width, [before.dark, dark]);
      this.tracks[k] = here;
    });
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private say(text: string): void {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  private tick(): void {
    const now = performance.now();
    const pad = navigator.getGamepads?.().find((item) => item) ?? null;
    for (const hand of this.hands) hand.move(this.held, pad, (now - this.before) / 1000);
    this.before = now;
    if (now - this.sent >= SEND_EVERY && !document.hidden) {
      this.sent = now;
      this.send({ inputs: this.commands() });
    }
    requestAnimationFrame(() => this.tick());
  }
}

function keyNames(input: InputEntry): string {
  const names: Record<string, string> = { ArrowLeft: "\u2190", ArrowRight: "\u2192", ArrowUp: "\u2191", ArrowDown: "\u2193", " ": "space" };
  return input.keys.filter((key) => key).map((key) => names[key] ?? key.toUpperCase()).join(" ");
}
