import assert from "node:assert/strict";
import { join } from "node:path";
import { namedPanel, parsePanel } from "../panel.ts";
import { ggufFacts } from "./gguf_model.ts";
import { loadLocalModel } from "./local_models.ts";
import { writeTinyQwen2 } from "./testdata/tiny_qwen2.ts";

/** A model file of this kind in a folder of its own. */
async function withModel(
  options: Parameters<typeof writeTinyQwen2>[1],
  work: (path: string, folder: string) => void | Promise<void>,
) {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "tiny.qwen2.gguf");
    writeTinyQwen2(path, options);
    await work(path, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const load = (path: string, cacheDirectory: string) => {
  const [entry] = namedPanel({ gguf: [path], precision: "shipped" }).models;
  assert.ok(entry?.kind === "gguf");
  return loadLocalModel(entry, { cacheDirectory, threads: 1 });
};

/** What transformers' Qwen2 gives the same weights: printed by testdata/tiny_qwen2.py. */
const PYTORCH = [
  ["the cat sat", 9, -43.6881],
  ["the cats sat on the mat.", 20, -98.3031],
  ["Ab?", 3, -15.0236],
] as const;

Deno.test("a Qwen2 model of one's own gives what PyTorch gives on the same weights, within 0.1 nats", () =>
  withModel({}, async (path, folder) => {
    await using model = await load(path, folder);
    const texts = PYTORCH.map(([text]) => text);
    const scores = await model.likelihood!.score(texts);
    for (const [at, [text, tokens, nats]] of PYTORCH.entries()) {
      assert.equal(scores[at]!.tokens, tokens, text);
      const off = Math.abs(scores[at]!.logProbability - nats);
      assert.ok(off < 0.01, `${text}: ${off} nats off`);
    }
    // It has no BOS: the separator of documents stands before the first token, which is scored too.
    assert.equal(model.likelihood!.settings["startTokenSource"], "end-of-text");
    // No byte of ä is in its vocabulary: left out, it would cost nothing.
    await assert.rejects(
      model.likelihood!.score(["the bär"]),
      /Cannot score "the bär": the model's vocabulary reads it as "the br"/,
    );
  }));

Deno.test("a vocabulary that puts a space before every text does not put two", () =>
  withModel({ pieces: true }, async (path, folder) => {
    await using model = await load(path, folder);
    const { score, settings } = model.likelihood!;
    assert.equal(settings["addsSpace"], true);
    const [alone, spaced, both] = await score(["a", " a", "a b"]);
    assert.deepEqual(alone!.tokens, 1);
    assert.equal(spaced!.logProbability, alone!.logProbability);
    assert.equal(both!.tokens, 2);
  }));

Deno.test("a panel takes a file in one line: what was taught to chat is asked, what was not is scored", async () => {
  const panel = (path: string) =>
    parsePanel(`name: one\nmodels: [{ path: ${path} }]\n`, "p.yaml", "/");
  await withModel({}, (path) => {
    const { models: [entry] } = panel(path);
    assert.ok(entry?.kind === "gguf" && entry.path === path);
    assert.deepEqual([entry.id, entry.roles, entry.licence], [
      ...["tiny.qwen2", ["likelihood"], "not stated"],
    ]);
  });
  const template = "{{ messages[0].content }}";
  await withModel({ template }, (path) => {
    assert.deepEqual(panel(path).models[0]?.roles, ["chat", "likelihood"]);
    assert.throws(() => panel(path.slice(0, -1)), /Cannot use .*qwen2\.ggu: there is no such file/);
    Deno.writeTextFileSync(path, "text");
    assert.throws(() => ggufFacts(path), /it is no GGUF file/);
  });
  const served = namedPanel({ server: "http://127.0.0.1:8000/v1", model: "m" });
  assert.deepEqual(served.models.map(({ id, roles }) => [id, roles]), [["m", [
    "chat",
    "likelihood",
  ]]]);
});
