// The stage: renderer, sky, ground, light and shadow. Its own axes are z up; the scene's world hangs below `world`.

import * as THREE from "three";
import type { SceneData } from "./scene_data";

export interface StageOptions {
  shadows: boolean;
  sea: boolean;
  country: boolean; // beside a road, not in a laboratory
}

const DAY = { top: 0x3f86c9, horizon: 0xe3edf4, ground: 0xc9cdc6 };
const COUNTRY = { ...DAY, ground: 0xa9b592 };
const SEA = { top: 0x3f93b5, horizon: 0x174f69, ground: 0x205a70 };

/** Whether pictures are drawn by the processor, without a graphics card. */
function drawsInSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Soft edges of shadows from two filtered samples instead of five that are spread by sines: half the time of a picture. */
function cheapenShadows(): void {
  const samples = /shadow = \(\s*texture\( shadowMap[\s\S]*?\) \* 0\.2;/;
  THREE.ShaderChunk.shadowmap_pars_fragment = THREE.ShaderChunk.shadowmap_pars_fragment.replace(
    samples,
    `vec2 off = 0.4 * radius;
     shadow = 0.5 * ( texture( shadowMap, vec3( shadowCoord.xy + off, shadowCoord.z ) ) + texture( shadowMap, vec3( shadowCoord.xy - off, shadowCoord.z ) ) );`,
  );
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly software: boolean;
  readonly scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera;
  readonly world = new THREE.Group();
  private sun = new THREE.DirectionalLight(0xfff1dc, 2.7);
  private sky: THREE.Mesh;
  private ground: THREE.Mesh;
  private cell = { value: 1 }; // edge of a square of the ground [m]
  high = true;
  private widest = 1; // half the side of the square that shadows may cover [m]

  constructor(readonly host: HTMLElement, data: SceneData, readonly options: StageOptions) {
    const colours = options.sea ? SEA : options.country ? COUNTRY : DAY;
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.software = drawsInSoftware(this.renderer);
    if (this.software) cheapenShadows();
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = options.shadows;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    host.appendChild(this.renderer.domElement);
    this.camera = new THREE.PerspectiveCamera(42, 1, 0.01, 5000);
    this.camera.up.set(0, 0, 1);
    this.world.quaternion.setFromUnitVectors(new THREE.Vector3(...data.up), new THREE.Vector3(0, 0, 1));
    if (data.up[2] === -1) this.world.quaternion.setFromAxisAngle(new THREE.Vector3(1, 0, 0), Math.PI); // x stays forward
    this.scene.add(this.world);
    this.scene.add(new THREE.HemisphereLight(options.sea ? 0x9fd4e6 : 0xdcebf7, options.sea ? 0x0d3347 : 0x8d8a80, options.sea ? 1.6 : 2.1));
    this.sun.castShadow = options.shadows;
    this.sun.shadow.mapSize.setScalar(this.software ? 1280 : 2048);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target);
    this.sky = this.makeSky(colours);
    this.ground = this.makeGround(colours);
    this.scene.add(this.sky, this.ground);
    this.scene.fog = new THREE.Fog(colours.horizon, 1, 1000);
  }

  /** Fit near, far, fog, ground cells and shadows to what is looked at [m]. */
  fit(radius: number, groundLevel: number): void {
    const far = this.options.sea ? 25 * radius : 60 * radius;
    this.camera.near = radius / 400;
    this.camera.far = 3 * far;
    this.camera.updateProjectionMatrix();
    const fog = this.scene.fog as THREE.Fog;
    fog.near = this.options.sea ? 2 * radius : 8 * radius;
    fog.far = far;
    this.sky.scale.setScalar(1.4 * far);
    this.cell.value = Math.pow(10, Math.round(Math.log10(radius * 0.6)));
    this.ground.position.z = groundLevel;
    this.ground.scale.set(1.5 * far, 1.5 * far, 1);
    const shadow = this.sun.shadow.camera;
    const reach = (this.widest = 1.6 * radius);
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius });
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.0025 * reach; // in metres: a small scene needs a small one
    this.sun.userData.distance = 6 * radius;
  }

  /** Move sky, ground and light along with the point looked at (stage axes). */
  follow(target: THREE.Vector3): void {
    this.sky.position.copy(this.camera.position);
    this.ground.position.x = this.camera.position.x;
    this.ground.position.y = this.camera.position.y;
    this.sun.target.position.copy(target);
    // Shadows cover what the camera is near to: the nearer, the sharper.
    const reach = Math.min(this.widest, 1.3 * this.camera.position.distanceTo(target));
    const shadow = this.sun.shadow.camera;
    if (Math.abs(reach / shadow.right - 1) > 0.15) {
      Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach });
      shadow.updateProjectionMatrix();
      this.sun.shadow.normalBias = 0.0025 * reach;
    }
    const away = new THREE.Vector3(-0.42, -0.5, 0.85).normalize().multiplyScalar(this.sun.userData.distance ?? 10);
    this.sun.position.copy(target).add(away);
  }

  /** Fewer pixels while a weak machine moves; all of them when it stands still. */
  setQuality(high: boolean): void {
    if (high === this.high) return;
    this.high = high;
    this.renderer.setPixelRatio(high ? Math.min(window.devicePixelRatio, 2) : 0.6 * Math.min(window.devicePixelRatio, 1.5));
    this.resize();
  }

  /** Eye and field of view in the world of the scene: to leave out what nobody sees. */
  sight(): { eye: THREE.Vector3; frustum: THREE.Frustum } {
    this.camera.updateMatrixWorld();
    this.world.updateMatrixWorld();
    const back = this.world.matrixWorld.clone().invert();
    const view = new THREE.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).multiply(this.world.matrixWorld);
    return { eye: this.camera.position.clone().applyMatrix4(back), frustum: new THREE.Frustum().setFromProjectionMatrix(view) };
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  private makeSky(colours: typeof DAY): THREE.Mesh {
    const geometry = new THREE.SphereGeometry(1, 32, 24);
    const [top, horizon, ground] = [colours.top, colours.horizon, colours.ground].map((c) => new THREE.Color(c));
    const position = geometry.attributes.position;
    const values = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; i++) {
      const height = position.getY(i);
      const c = height >= 0 ? horizon.clone().lerp(top, Math.pow(height, 0.55)) : horizon.clone().lerp(ground, Math.min(1, -6 * height) * 0);
      values.set([c.r, c.g, c.b], 3 * i);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
    geometry.rotateX(Math.PI / 2);
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false, toneMapped: false });
    const sky = new THREE.Mesh(geometry, material);
    sky.renderOrder = 2; // after all that stands before it, so that each pixel is drawn once
    sky.frustumCulled = false;
    return sky;
  }

  /** A plane with a grid that the shader draws: cheap in software, sharp near and quiet far away. */
  private makeGround(colours: typeof DAY): THREE.Mesh {
    const material = new THREE.MeshLambertMaterial({ color: colours.ground });
    const line = new THREE.Color(this.options.sea ? 0x6fb3c4 : 0x3c4850);
    material.onBeforeCompile = (shader) => {
      shader.uniforms.cell = this.cell;
      shader.uniforms.lineColour = { value: line };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGround = (modelMatrix * vec4(position, 1.0)).xy;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>
          varying vec2 vGround;
          uniform float cell;
          uniform vec3 lineColour;
          float lines(float size, float width) {
            vec2 p = vGround / size;
            vec2 d = max(fwidth(p), 1e-6);
            vec2 g = 0.5 - abs(fract(p) - 0.5);
            vec2 cover = clamp((0.5 * width - g) / d + 0.5, 0.0, 1.0) * min(vec2(1.0), width / d * 2.0);
            return max(cover.x, cover.y);
          }`)
        .replace("#include <color_fragment>", `#include <color_fragment>
          diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, max(0.22 * lines(cell, 0.022), 0.42 * lines(10.0 * cell, 0.003)));`);
    };
    // Always behind the road that lies in it.
    material.polygonOffset = true;
    material.polygonOffsetFactor = 2;
    material.polygonOffsetUnits = 4;
    const ground = new THREE.Mesh(disc(), material);
    ground.receiveShadow = true;
    ground.renderOrder = 1; // after the bodies that hide it
    return ground;
  }
}

/**
 * Level disc of radius 1 in rings that grow outward, fine below the eye. Two triangles from horizon to horizon would do,
 * but depth is interpolated over a triangle in single precision, and the error of a large one hides the road that lies on it.
 */
function disc(): THREE.BufferGeometry {
  const [rings, round] = [28, 40];
  const position = [0, 0, 0];
  const index: number[] = [];
  for (let ring = 1; ring <= rings; ring++)
    for (let k = 0; k < round; k++) {
      const angle = (2 * Math.PI * k) / round;
      const radius = (ring / rings) ** 4;
      position.push(radius * Math.cos(angle), radius * Math.sin(angle), 0);
      const next = (k + 1) % round;
      const [outer, inner] = [1 + (ring - 1) * round, 1 + (ring - 2) * round];
      if (ring === 1) index.push(0, outer + k, outer + next);
      else index.push(inner + k, outer + k, outer + next, inner + k, outer + next, inner + next);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}
