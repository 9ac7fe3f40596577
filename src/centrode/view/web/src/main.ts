// Starts the viewer on the element with the id "centrode": replay when the page carries frames, driving when it is live.

import { addReplayControls } from "./controls";
import { Recording } from "./frames";
import { inflate } from "./inflate";
import { Live } from "./live";
import type { SceneData } from "./scene_data";
import "./style.css";
import { Viewer } from "./viewer";

declare global {
  interface Window {
    centrode: any;
  }
}

async function start(): Promise<void> {
  const root = document.getElementById("centrode");
  if (!root) return;
  root.classList.add("centrode-viewer");
  try {
    const scene: SceneData = JSON.parse(document.getElementById("centrode-scene")!.textContent!);
    const host = document.createElement("div");
    host.className = "stage";
    root.append(host);
    if (!document.createElement("canvas").getContext("webgl2"))
      throw new Error("this browser shows no 3D pictures (WebGL 2 is off)");
    if (scene.live) {
      const viewer = new Viewer(host, scene, null);
      expose(viewer, { live: new Live(root, viewer) });
      return;
    }
    const text = document.getElementById("centrode-frames")!.textContent!.trim();
    const recording = new Recording(scene, await inflate(text));
    const viewer = new Viewer(host, scene, recording);
    const plots = addReplayControls(root, viewer);
    expose(viewer, { plots, recording });
    viewer.draw();
    if (new URLSearchParams(location.hash.slice(1)).has("play") || root.dataset.autoplay) viewer.play(true);
  } catch (error) {
    const message = document.createElement("p");
    message.className = "failure";
    message.textContent = `The scene cannot be shown: ${(error as Error).message}`;
    root.append(message);
    window.centrode = { ready: true, failure: String(error) };
  }
}

/** What tests and the picture maker use. */
function expose(viewer: Viewer, more: object): void {
  window.centrode = {
    ready: true,
    viewer,
    ...more,
    bodies: viewer.scene.bodies.map((body) => body.name),
    setTime: (time: number) => viewer.setTime(time),
    setFrame: (frame: number) => viewer.setFrame(frame),
    camera: (name: any) => viewer.camera(name),
    still: (from: any, look: any, zoom: number) => viewer.still(from, look, zoom),
    overlay: (name: any, on?: boolean) => viewer.overlay(name, on),
    focus: (name: string) => viewer.focus(viewer.scene.bodies.findIndex((body) => body.name === name)),
    pixels: () => viewer.pixels(),
    /** Matrix of a body as it is shown, column by column, in the world frame of the recording. */
    matrix: (name: string) => viewer.motion.matrices[viewer.scene.bodies.findIndex((body) => body.name === name)].toArray(),
    /** Only the picture, without buttons. */
    bare: (on = true) => (document.body.classList.toggle("bare", on), viewer.resize()),
  };
}

void start();
