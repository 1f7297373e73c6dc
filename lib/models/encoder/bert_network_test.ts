import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readGguf } from "../llama/weights.ts";
import { openBert } from "./bert_network.ts";
import { tinyCrossEncoder } from "./testdata/tiny_cross_encoder.ts";

const lacks = (what: string) => new SyntaxError(`tiny: ${what}`);
const tiny = () => readGguf("tiny", tinyCrossEncoder(["yes", "no"]));

Deno.test("openBert(): no sequence sees another, and what is missing is named", async () => {
  const file = tiny();
  await using network = await openBert({ ...file, lacks }, { threads: 1, gelu: "Gelu" });
  const [one, other] = [[2, 4, 4, 3], [2, 5, 3]];
  const alone = [...await network.run([one]), ...await network.run([other])];
  const together = await network.run([one, other]);
  assert.equal(together.length, 7 * network.dimensions);
  alone.forEach((value, at) => assert.ok(Math.abs(value - together[at]!) < 1e-5));
  assert.ok(alone.some((value) => Math.abs(value) > 0.5));
  const tensors = new Map([...file.tensors].filter(([name]) => name !== "blk.0.attn_v.weight"));
  const torn = openBert({ ...file, tensors, lacks }, { threads: 1, gelu: "Gelu" });
  await assert.rejects(torn, /tiny: it has no tensor blk\.0\.attn_v\.weight/);
});

Deno.test("the pinned onnxruntime reports nothing: later versions keep a store of events for their maker", () => {
  const main = createRequire(import.meta.url).resolve("onnxruntime-node");
  const place = join(dirname(main), "..", "bin");
  const libraries = filesIn(place).filter((path) => /onnxruntime\.(?:so|dll|dylib|\d)/.test(path));
  assert.ok(libraries.length >= 3);
  for (const path of libraries.filter((one) => one.includes(`${Deno.build.os}/`))) {
    const text = new TextDecoder("latin1").decode(Deno.readFileSync(path));
    assert.ok(!text.includes("ORT_DISABLE_TELEMETRY"), path);
  }
});

const filesIn = (folder: string): string[] =>
  [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(join(folder, name)) : [join(folder, name)]
  );
