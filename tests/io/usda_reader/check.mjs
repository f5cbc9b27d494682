// node check.mjs FILE.usda POINTS TRIANGLES: exit 0 where tinyusdz reads the file as a stage whose
// first mesh has so many points and, cut into triangles, so many faces; 1 where it refuses.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The package is built for browsers: give it what it looks for, and hide Node from it.
globalThis.window = globalThis;
globalThis.document = { currentScript: null, addEventListener() {}, createElement: () => ({}) };
const wasmFile = fileURLToPath(new URL("node_modules/tinyusdz/tinyusdz.wasm", import.meta.url));
const node = globalThis.process;
const wasmBinary = readFileSync(wasmFile);
const source = readFileSync(node.argv[2]);
const { default: init } = await import("tinyusdz");
globalThis.process = undefined;
const module = await init({ wasmBinary });
globalThis.process = node;

const loader = new module.TinyUSDZLoaderNative();
const layer = new module.TinyUSDZLoaderNative();
const bytes = new Uint8Array(source);
const parsed = layer.loadAsLayerFromBinary(bytes, "file.usda");
const staged = loader.loadFromBinary(bytes, "file.usda");
const error = (layer.error?.() ?? "") + (loader.error?.() ?? "");
if (!parsed || !staged || error) {
    console.error("refused:", { parsed, staged, error });
    node.exit(1);
}
console.log("meshes:", loader.numMeshes(), "root nodes:", loader.numRootNodes());
if (loader.numMeshes() < 1) {
    console.error("refused: no mesh");
    node.exit(1);
}
const mesh = loader.getMesh(0);
const found = [mesh.points.length / 3, mesh.faceVertexIndices.length / 3];
const expected = node.argv.slice(3).map(Number);
console.log("points and triangles:", found, "expected:", expected);
node.exit(found[0] === expected[0] && found[1] === expected[1] ? 0 : 1);
