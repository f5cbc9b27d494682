// node check.mjs FILE.usda POINTS TRIANGLES [TEXT...]: exit 0 where tinyusdz reads the file as a
// stage whose first mesh has so many points and, cut into triangles, so many faces (0 0: no mesh),
// and where every TEXT, blanks aside, is in what it prints of what it has read; 1 where not.
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
const mesh = loader.numMeshes() > 0 ? loader.getMesh(0) : { points: [], faceVertexIndices: [] };
const found = [mesh.points.length / 3, mesh.faceVertexIndices.length / 3];
const expected = node.argv.slice(3, 5).map(Number);
console.log("points and triangles:", found, "expected:", expected);
const squeezed = (text) => text.replace(/\s+/g, "");
const printed = layer.layerToString();
const missing = node.argv.slice(5).filter((text) => !squeezed(printed).includes(squeezed(text)));
if (missing.length > 0) console.error("not read:", missing, "in:\n" + printed);
const right = found[0] === expected[0] && found[1] === expected[1] && missing.length === 0;
node.exit(right ? 0 : 1);
