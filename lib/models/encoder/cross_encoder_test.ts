import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { crossEncoderTensors } from "./cross_encoder.ts";
import { openCrossEncoder, trainedTensors } from "./cross_encoder.ts";
import { tinyCrossEncoder, tinyFirstVector } from "./testdata/tiny_cross_encoder.ts";

const LABELS = ["supported", "refuted", "not enough info"];

const withFile = (bytes: Uint8Array, work: (path: string) => Promise<void>) =>
  inFolder((folder) => {
    const path = join(folder, "tiny.gguf");
    Deno.writeFileSync(path, bytes);
    return work(path);
  });

function normalised(row: readonly number[]): readonly number[] {
  const mean = row.reduce((a, b) => a + b, 0) / row.length;
  const deviation = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length);
  return row.map((x) => (x - mean) / deviation);
}

Deno.test("openCrossEncoder() gives the logits that were worked out by hand, and refuses more tokens than it reads", () =>
  withFile(tinyCrossEncoder(LABELS), async (path) => {
    await using network = await openCrossEncoder(path, { threads: 1 });
    const { labels, first, separator, longest, temperature } = network;
    assert.deepEqual({ labels, first, separator, longest, temperature }, {
      labels: LABELS,
      first: 2,
      separator: 3,
      longest: 40,
      temperature: 0.5,
    });
    assert.match(String(network.settings["weightsSha256"]), /^[0-9a-f]{64}$/);
    const ids = [first, ...network.tokenise("tells tells"), separator, separator];
    const vector = normalised(tinyFirstVector(["[CLS]", "tells", "tells", "[SEP]", "[SEP]"]));
    const expected = [Math.tanh(vector[2]!), Math.tanh(vector[3]!), 0];
    const denied = [first, ...network.tokenise("denies denies"), separator, separator];
    const asked = [ids, denied, ids].map((ids) => network.logits(ids));
    const [logits, [tells, denies] = [], again] = await Promise.all(asked);
    logits!.forEach((logit, at) => assert.ok(Math.abs(logit - expected[at]!) < 1e-3));
    assert.ok(Math.abs(tells! - logits![1]!) < 1e-6 && Math.abs(denies! - logits![0]!) < 1e-6);
    assert.deepEqual(again, logits);
    await assert.rejects(network.logits(Array(41).fill(4)), /41 tokens: .* reads at most 40/);
  }));

Deno.test("trainedTensors() names layers and head again as crossEncoderTensors() was given them", () => {
  const one = { type: "F32", shape: [1], bytes: new Uint8Array(4) } as const;
  const asked: string[] = [];
  const every = { get: (name: string) => (asked.push(name), { name, ...one }) };
  const tensors = crossEncoderTensors(
    every as unknown as ReadonlyMap<string, typeof one & { name: string }>,
  );
  const back = trainedTensors("net.gguf", new Map(tensors.map((tensor) => [tensor.name, tensor])));
  const ofLayers = asked.filter((name) => !name.startsWith("bert.embeddings."));
  assert.deepEqual(back.map(({ name }) => name), ofLayers);
  // Six blocks of sixteen, and the head's four.
  assert.equal(back.length, 6 * 16 + 4);
  assert.throws(() => trainedTensors("net.gguf", new Map()), /net\.gguf: it has no tensor blk/);
});
