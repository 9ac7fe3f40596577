// The viewer: stage, model, motion, cameras and overlays, and the clock that drives them.

import * as THREE from "three";
import { Model } from "./builder";
import { Cameras, CAMERA_NAMES, type CameraName, type StillName } from "./cameras";
import type { Recording } from "./frames";
import { Motion } from "./motion";
import { Overlays, type OverlayName } from "./overlays";
import type { SceneData, Vec3 } from "./scene_data";
import { Stage } from "./stage";

const GROUND = ["#4a4e54", "#9a9a96", "#6b7a63"]; // surface of a road and slopes beside it, not its lines and not what lies beyond its ends
const SLOW = 70; // [ms] between pictures, from which on quality gives way to motion
const SLOW_SOFTWARE = 40; // the same without a graphics card, where it surely helps
const FAR = 8; // radius of all motion, in sizes of a body, from which on the camera follows instead of looking at all of it
const BEFORE_TOUCH = 0.4; // [s]
const HURRY = 250; // [ms] after the last touch of camera or slider, in which speed goes before quality

export class Viewer {
  readonly stage: Stage;
  readonly motion: Motion;
  readonly model: Model;
  readonly cameras: Cameras;
  readonly overlays: Overlays;
  time: number;
  playing = false;
  loop = true;
  speed = 1;
  rendered = 0;
  drawTimes: number[] = [];
  onChange: () => void = () => {};
  private dirty = true;
  private before = 0;
  private begun = false;
  private pace = 0; // mean time between pictures while moving [ms]
  private busyUntil = 0;
  private held = false;

  constructor(readonly host: HTMLElement, readonly scene: SceneData, readonly recording: Recording | null) {
    this.stage = new Stage(host, scene, {
      shadows: true,
      sea: scene.sea,
      country: scene.shapes.some((shape) => shape.shape === "ribbon"),
    });
    this.motion = new Motion(scene.bodies, scene.signals.length);
    this.time = recording ? recording.start : 0;
    if (recording) for (const shape of scene.shapes) if (shape.rolls) this.motion.followWay(recording, shape.body);
    if (recording) this.motion.fromRecording(recording, this.time);
    this.model = new Model(scene, this.motion, true);
    this.stage.world.add(this.model.group);
    this.cameras = new Cameras(this.stage, scene, (body) => this.model.extentOf(body, scene.bodies, this.motion));
    this.overlays = new Overlays(this.stage, scene, recording, host);
    this.resize();
    if (recording) this.lookAround();
    else this.stage.fit(7 * scene.size, 0);
    this.cameras.controls.addEventListener("change", () => (this.dirty = true));
    for (const name of ["start", "end"] as const) this.cameras.controls.addEventListener(name, () => ((this.held = name === "start"), this.hurry()));
    new ResizeObserver(() => this.resize()).observe(host);
    this.pickBodies();
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Go to a time; shown at once. */
  setTime(time: number): void {
    if (!this.recording) return;
    this.time = Math.min(this.recording.end, Math.max(this.recording.start, time));
    this.motion.fromRecording(this.recording, this.time);
    this.draw();
  }

  setFrame(frame: number): void {
    const recording = this.recording;
    if (recording) this.setTime(recording.times[Math.min(recording.count - 1, Math.max(0, Math.round(frame)))]);
  }

  step(frames: number): void {
    this.playing = false;
    if (this.recording) this.setFrame(this.recording.nearest(this.time) + frames);
  }

  play(on = !this.playing): void {
    this.playing = on && !!this.recording;
    if (this.playing && this.time >= this.recording!.end) this.time = this.recording!.start;
    this.onChange();
  }

  camera(name: CameraName): void {
    if (!CAMERA_NAMES.includes(name)) return;
    this.cameras.choose(name, this.motion);
    this.draw();
  }

  /** A still: from a side of the followed body, or from a place to a place (world of the recording); then closer. */
  still(from: StillName | Vec3 | null, look: Vec3 | null, zoom: number): void {
    this.cameras.still(from, look, zoom, this.motion);
    this.draw();
  }

  focus(body: number): void {
    this.cameras.focus(body, this.motion);
    this.draw();
  }

  overlay(name: OverlayName, on?: boolean): void {
    this.overlays.toggle(name, on);
    this.draw();
  }

  resize(): void {
    this.stage.resize();
    this.dirty = true;
  }

  /** Somebody turns the camera or drags the slider. */
  hurry(): void {
    this.busyUntil = performance.now() + HURRY;
  }

  /** Draw with the next picture. */
  wake(): void {
    this.dirty = true;
  }

  /** The first live frame has come: now it is known where to look. */
  firstFrame(): void {
    if (this.begun) return;
    this.begun = true;
    this.lookAround();
    this.cameras.body = this.scene.live?.body ?? this.cameras.body;
    this.cameras.choose("follow", this.motion);
  }

  /** Draw now. */
  draw(): void {
    const began = performance.now();
    this.cameras.update(this.motion);
    this.stage.follow(this.cameras.controls.target);
    if (this.recording) this.model.dent(this.recording, this.time);
    this.model.update(this.motion, this.time, this.stage.sight());
    this.overlays.update(this.motion, this.time);
    this.stage.render();
    this.overlays.place(this.motion);
    this.rendered++;
    this.dirty = false;
    this.drawTimes.push(performance.now() - began);
    if (this.drawTimes.length > 400) this.drawTimes.shift();
    this.onChange();
  }

  /** Mean and standard deviation of the picture's brightness and its number of colours: a blank picture has one. */
  pixels(): { mean: number; deviation: number; colours: number } {
    this.draw();
    const gl = this.stage.renderer.getContext();
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    const data = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let [sum, square] = [0, 0];
    const colours = new Set<number>();
    for (let i = 0; i < data.length; i += 4) {
      const value = (data[i] + data[i + 1] + data[i + 2]) / 3;
      sum += value;
      square += value * value;
      colours.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
    }
    const count = width * height;
    return { mean: sum / count, deviation: Math.sqrt(Math.max(0, square / count - (sum / count) ** 2)), colours: colours.size };
  }

  /** Radius and centre of all motion, in the axes of the stage. */
  private lookAround(): void {
    const box = new THREE.Box3();
    const world = this.stage.world.quaternion;
    const at = new THREE.Vector3();
    const reach = new THREE.Vector3().setScalar(0.6 * this.scene.size);
    const add = (point: THREE.Vector3) => box.union(new THREE.Box3(point.clone().sub(reach), point.clone().add(reach)));
    const recording = this.recording;
    // A collision is looked at, not the long way to it.
    const touch = this.scene.events.find((event) => event.point);
    const first = recording && touch ? recording.nearest(touch.time - BEFORE_TOUCH) : 0;
    let lowest = Infinity;
    // With wheels the ground is where they stand, whatever else falls over.
    const wheels = new Set(this.scene.shapes.filter((shape) => shape.shape === "wheel").map((shape) => shape.body));
    const rolls = wheels.size > 0;
    this.scene.bodies.forEach((body, k) => {
      if (!recording) {
        add(at.setFromMatrixPosition(this.motion.matrices[k]).applyQuaternion(world));
        if (!rolls || wheels.has(k)) lowest = Math.min(lowest, at.z);
        return;
      }
      const stride = Math.max(1, Math.floor(recording.count / 200));
      for (let i = stride * Math.floor(first / stride); i < recording.count; i += stride) {
        const [x, y] = [recording.pose[body.column][i], recording.pose[body.column + 1][i]];
        at.set(x, y, body.form === "planar" ? 0 : recording.pose[body.column + 2][i]).applyQuaternion(world);
        add(at);
        if (!rolls || wheels.has(k)) lowest = Math.min(lowest, at.z);
      }
    });
    for (const joint of this.scene.joints)
      if (joint.body < 0) add(at.set(...(joint.position as Vec3)).applyQuaternion(world));
    for (const shape of this.scene.shapes)
      if (shape.shape === "link")
        for (const [body, point] of [[shape.body, shape.position], [shape.other, shape.end]] as [number, Vec3][])
          if (body < 0) add(at.set(...point).applyQuaternion(world));
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const hasRoad = this.scene.shapes.some((shape) => shape.shape === "ribbon");
    const bottom = box.min.z;
    const level = hasRoad ? Math.min(0, ...roadLows(this.scene)) - 0.02 : lowest > (rolls ? -0.1 : 0.02) * this.scene.size ? 0 : bottom - 0.25 * this.scene.size;
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length() * 0.92, 0.8 * this.scene.size, 1e-3);
    // A long journey is not looked at from afar: the camera starts with the first body.
    if (radius > FAR * this.scene.size && this.scene.bodies.length && (this.cameras.seats || radius > 2.5 * this.presentRadius())) {
      this.stage.fit(7 * this.scene.size, level);
      this.cameras.setHome(this.cameras.position(this.motion), 7 * this.scene.size);
      this.cameras.choose("follow", this.motion);
    } else {
      this.stage.fit(radius, level);
      this.cameras.setHome(centre, radius, box.getSize(new THREE.Vector3()).multiplyScalar(0.5));
    }
  }

  /** Half the diagonal of the box that holds all bodies now: a long chain is large, but it makes no journey. */
  private presentRadius(): number {
    const box = new THREE.Box3();
    for (const matrix of this.motion.matrices) box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(matrix));
    return 0.5 * box.getSize(new THREE.Vector3()).length() + 0.6 * this.scene.size;
  }

  private tick(now: number): void {
    const elapsed = Math.min(0.25, (now - this.before) / 1000);
    if (this.held) this.hurry();
    const moving = this.playing || now < this.busyUntil || (!this.recording && this.dirty);
    this.pace = moving ? 0.8 * this.pace + 0.2 * (now - this.before) : 0;
    if (moving && this.pace > (this.stage.software ? SLOW_SOFTWARE : SLOW)) this.stage.setQuality(false);
    if (!moving && this.recording && !this.stage.high) {
      this.stage.setQuality(true);
      this.dirty = true;
    }
    this.before = now;
    const recording = this.recording;
    if (this.playing && recording) {
      let time = this.time + elapsed * this.speed;
      if (time > recording.end) {
        if (this.loop) time = recording.start + ((time - recording.start) % Math.max(recording.end - recording.start, 1e-9));
        else (time = recording.end), (this.playing = false);
      }
      this.setTime(time);
    } else if (this.dirty) this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  private pickBodies(): void {
    const canvas = this.stage.renderer.domElement;
    let down = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("dblclick", (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const area = canvas.getBoundingClientRect();
      const point = new THREE.Vector2(((event.clientX - area.left) / area.width) * 2 - 1, 1 - ((event.clientY - area.top) / area.height) * 2);
      const ray = new THREE.Raycaster();
      ray.setFromCamera(point, this.stage.camera);
      const body = this.model.pick(ray);
      if (body >= 0) {
        this.focus(body);
        if (this.cameras.name === "orbit") this.camera("follow");
      }
    });
  }
}

function roadLows(scene: SceneData): number[] {
  let lowest = Infinity;
  for (const shape of scene.shapes)
    if (shape.shape === "ribbon" && GROUND.includes(shape.colour as string)) for (const edge of [shape.right, shape.left]) for (const point of edge as Vec3[]) lowest = Math.min(lowest, point[2]);
  return Number.isFinite(lowest) ? [lowest] : [];
}
