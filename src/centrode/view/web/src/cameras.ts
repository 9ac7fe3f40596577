// Cameras: orbit (free), follow (moves along with a body), driver (from its seat) and top.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { quaternion } from "./builder";
import type { Motion } from "./motion";
import type { SceneData, ShapeEntry, Vec3 } from "./scene_data";
import type { Stage } from "./stage";

export type CameraName = "orbit" | "follow" | "driver" | "top";
export const CAMERA_NAMES: CameraName[] = ["orbit", "follow", "driver", "top"];

export type StillName = "front" | "rear" | "left" | "right" | "side" | "chase";
/** Where a still is taken from, in the axes of the body (ahead, left, up), in its sizes. */
const STILLS: Record<StillName, Vec3> = {
  front: [1.9, 0, 0.55],
  rear: [-1.9, 0, 0.55],
  left: [0, 1.9, 0.55],
  right: [0, -1.9, 0.55],
  side: [0, 1.9, 0.55],
  chase: [-1.9, 0.75, 0.8],
};

const FILL = 0.86; // share of the picture that all motion takes

const ASIDE = 0.38; // a vehicle is seen from behind and a little from its left [rad]

export class Cameras {
  readonly controls: OrbitControls;
  name: CameraName = "orbit";
  body = 0;
  private home = { centre: new THREE.Vector3(), radius: 1, half: new THREE.Vector3(1, 1, 1) };
  private last = new THREE.Vector3();
  private yaw = 0;
  private eyes = new Map<number, ShapeEntry>();
  private extents = new Map<number, number>();
  private readonly plane: boolean;

  constructor(private stage: Stage, private scene: SceneData, private extentOf: (body: number) => number) {
    this.controls = new OrbitControls(stage.camera, stage.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = Math.PI;
    this.plane = scene.plane;
    for (const shape of scene.shapes) if (shape.shape === "eye") this.eyes.set(shape.body, shape);
    if (this.eyes.size) this.body = [...this.eyes.keys()][0];
  }

  /** How many bodies have a driver's seat. */
  get seats(): number {
    return this.eyes.size;
  }

  /** Where to look at the beginning: centre and radius of what happens (stage axes). */
  setHome(centre: THREE.Vector3, radius: number, half = new THREE.Vector3(0.6, 0.6, 0.4).multiplyScalar(radius)): void {
    this.home = { centre, radius, half };
    this.reset();
  }

  reset(): void {
    const { centre, half } = this.home;
    const from = (this.plane ? new THREE.Vector3(0.12, -1, 0.16) : new THREE.Vector3(-0.45, -0.9, 0.3)).normalize();
    const distance = this.fitting(from, half);
    this.controls.target.copy(centre);
    this.stage.camera.up.set(0, 0, 1);
    this.stage.camera.position.copy(centre).addScaledVector(from, distance);
    this.controls.update();
  }

  /** Distance at which a box fits the picture, seen along a direction: every corner inside, with a margin. */
  private fitting(from: THREE.Vector3, half: THREE.Vector3): number {
    const camera = this.stage.camera;
    const right = new THREE.Vector3(0, 0, 1).cross(from).normalize();
    const up = from.clone().cross(right);
    const tall = FILL * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
    const wide = tall * (camera.aspect || 1.6);
    let distance = 1e-3;
    for (const x of [-1, 1])
      for (const y of [-1, 1])
        for (const z of [-1, 1]) {
          const corner = new THREE.Vector3(x * half.x, y * half.y, z * half.z);
          const near = corner.dot(from);
          distance = Math.max(distance, near + Math.abs(corner.dot(right)) / wide, near + Math.abs(corner.dot(up)) / tall);
        }
    return distance;
  }

  choose(name: CameraName, motion: Motion): void {
    this.name = name;
    this.controls.enabled = name !== "driver";
    this.controls.enableRotate = name !== "top";
    this.stage.camera.up.set(0, 0, 1);
    if (name === "orbit") return this.reset();
    this.last.copy(this.position(motion));
    this.yaw = this.heading(motion);
    const reach = this.bodyReach();
    if (name === "follow") {
      const back = this.axis(motion, [-1, 0, 0]).setZ(0);
      if (this.plane || back.lengthSq() < 1e-3) back.set(this.plane ? 0.1 : -0.6, -1, 0);
      else if (!this.scene.live) back.applyAxisAngle(new THREE.Vector3(0, 0, 1), ASIDE);
      const offset = back.normalize().multiplyScalar(3.2 * reach).add(new THREE.Vector3(0, 0, this.plane ? 0.5 * reach : 0.95 * reach));
      this.controls.target.copy(this.last).setZ(this.last.z + (this.plane ? 0 : 0.3 * reach)); // the road ahead is seen as well
      this.stage.camera.position.copy(this.last).add(offset);
    } else if (name === "top") {
      const height = Math.max(12 * reach, 0.5 * this.home.radius);
      this.controls.target.copy(this.last);
      this.stage.camera.up.set(0, 1, 0);
      this.stage.camera.position.copy(this.last).add(new THREE.Vector3(0, -1e-3 * height, height));
    }
    this.update(motion);
  }

  still(from: StillName | Vec3 | null, look: Vec3 | null, zoom: number, motion: Motion): void {
    const world = this.stage.world.quaternion;
    const { camera } = this.stage;
    if (from !== null) {
      this.name = "orbit";
      this.controls.enabled = true;
      camera.up.set(0, 0, 1);
    }
    if (look !== null) this.controls.target.set(...look).applyQuaternion(world);
    else if (from !== null) this.controls.target.copy(this.position(motion));
    if (Array.isArray(from)) camera.position.set(...from).applyQuaternion(world);
    else if (from !== null) {
      const [ahead, left, up] = STILLS[from];
      const x = this.axis(motion, [1, 0, 0]).setZ(0).normalize();
      const y = new THREE.Vector3(-x.y, x.x, 0);
      const reach = this.bodyReach();
      camera.position.copy(this.controls.target).addScaledVector(x, ahead * reach).addScaledVector(y, left * reach);
      camera.position.z += up * reach;
    }
    camera.position.sub(this.controls.target).divideScalar(zoom).add(this.controls.target);
    this.controls.update();
  }

  focus(body: number, motion: Motion): void {
    this.body = body;
    if (this.name !== "orbit") this.choose(this.name, motion);
  }

  update(motion: Motion): void {
    const camera = this.stage.camera;
    if (this.name === "driver") {
      const eye = this.eyes.get(this.body);
      const place = eye ? eye.position : ([0, 0, 0.8 * this.bodyReach()] as Vec3);
      const turn = eye ? quaternion(eye.rotation) : new THREE.Quaternion();
      const matrix = motion.matrices[this.body];
      const world = this.stage.world.quaternion;
      const up = new THREE.Vector3(...this.scene.up).z < 0 ? -1 : 1;
      camera.position.set(...place).applyMatrix4(matrix).applyQuaternion(world);
      const ahead = new THREE.Vector3(1, 0, 0).applyQuaternion(turn).transformDirection(matrix).applyQuaternion(world);
      camera.up.copy(new THREE.Vector3(0, 0, this.plane ? 0 : up).setY(this.plane ? 1 : 0).applyQuaternion(turn).transformDirection(matrix).applyQuaternion(world));
      camera.lookAt(ahead.add(camera.position));
      this.controls.target.copy(camera.position).addScaledVector(camera.getWorldDirection(new THREE.Vector3()), 4 * this.bodyReach());
      return;
    }
    if (this.name !== "orbit") {
      const now = this.position(motion);
      if (this.name === "follow" && this.chases()) this.turnAlong(motion);
      camera.position.add(now).sub(this.last);
      this.controls.target.add(now).sub(this.last);
      this.last.copy(now);
    }
    this.controls.update();
  }

  /** A vehicle is followed from behind: the camera turns with its heading. A spinning part is not. */
  private chases(): boolean {
    return !this.plane && (this.eyes.has(this.body) || !!this.scene.live);
  }

  private heading(motion: Motion): number {
    const ahead = this.axis(motion, [1, 0, 0]);
    return Math.hypot(ahead.x, ahead.y) > 0.2 ? Math.atan2(ahead.y, ahead.x) : this.yaw;
  }

  private turnAlong(motion: Motion): void {
    let turn = this.heading(motion) - this.yaw;
    turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    if (this.scene.live) turn *= 0.12; // the eye lags a little behind, as it should
    this.yaw += turn;
    const offset = this.stage.camera.position.clone().sub(this.last);
    this.stage.camera.position.copy(this.last).add(offset.applyAxisAngle(new THREE.Vector3(0, 0, 1), turn));
    const aim = this.controls.target.clone().sub(this.last);
    this.controls.target.copy(this.last).add(aim.applyAxisAngle(new THREE.Vector3(0, 0, 1), turn));
  }

  position(motion: Motion): THREE.Vector3 {
    return new THREE.Vector3().setFromMatrixPosition(motion.matrices[this.body]).applyQuaternion(this.stage.world.quaternion);
  }

  private axis(motion: Motion, local: Vec3): THREE.Vector3 {
    return new THREE.Vector3(...local).transformDirection(motion.matrices[this.body]).applyQuaternion(this.stage.world.quaternion);
  }

  /** How large the followed body is; of a vehicle the whole of it counts, with rider and wheels. */
  private bodyReach(): number {
    const known = this.extents.get(this.body) ?? this.extentOf(this.body);
    this.extents.set(this.body, known);
    return Math.max(this.scene.size, known, 1e-3);
  }
}
