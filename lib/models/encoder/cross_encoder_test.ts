import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { ffiObstacle } from "../llama/open_engine.ts";
import {
  CROSS_ENCODER_KEYS,
  type CrossEncoder,
  crossEncoderMetadata,
  openCrossEncoder,
} from "./cross_encoder.ts";
import { tinyCrossEncoder, tinyFirstVector } from "./testdata/tiny_cross_encoder.ts";

const ignore = ffiObstacle() !== undefined;
const LABELS = ["supported", "refuted", "not enough info"];

function withFile(bytes: Uint8Array, work: (path: string) => Promise<void>): Promise<void> {
  return inFolder((folder) => {
    const path = join(folder, "tiny.gguf");
    Deno.writeFileSync(path, bytes);
    return work(path);
  });
}

function withNetwork(work: (network: CrossEncoder) => Promise<void>): Promise<void> {
  return withFile(tinyCrossEncoder(LABELS), async (path) => {
    await using network = await openCrossEncoder(path, { threads: 1 });
    await work(network);
  });
}

function normalised(row: readonly number[]): readonly number[] {
  const mean = row.reduce((a, b) => a + b, 0) / row.length;
  const deviation = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length);
  return row.map((x) => (x - mean) / deviation);
}

Deno.test({
  name: "openCrossEncoder() gives the logits that were worked out by hand",
  ignore,
  fn: () =>
    withNetwork(async (network) => {
      const { first, separator } = network;
      const ids = [first, ...network.tokenise("tells tells"), separator, separator];
      const vector = normalised(
        tinyFirstVector(["[CLS]", "tells", "tells", "[SEP]", "[SEP]"]),
      );
      const expected = [Math.tanh(vector[2]!), Math.tanh(vector[3]!), 0];
      const logits = await network.logits(ids);
      logits.forEach((logit, at) => assert.ok(Math.abs(logit - expected[at]!) < 1e-3));
      const denied = [first, ...network.tokenise("denies denies"), separator, separator];
      const [tells, denies] = await network.logits(denied);
      assert.ok(Math.abs(tells! - logits[1]!) < 1e-6 && Math.abs(denies! - logits[0]!) < 1e-6);
    }),
});

Deno.test({
  name: "openCrossEncoder() reads labels, special tokens, length and temperature from the file",
  ignore,
  fn: () =>
    withNetwork((network) => {
      const { labels, first, separator, longest, temperature } = network;
      assert.deepEqual({ labels, first, separator, longest, temperature }, {
        labels: LABELS,
        first: 2,
        separator: 3,
        longest: 40,
        temperature: 0.5,
      });
      assert.match(String(network.settings["weightsSha256"]), /^[0-9a-f]{64}$/);
      return Promise.resolve();
    }),
});

Deno.test({
  name: "openCrossEncoder() refuses more tokens than it reads, and answers calls made at once",
  ignore,
  fn: () =>
    withNetwork(async (network) => {
      await assert.rejects(network.logits(Array(41).fill(4)), /41 tokens: .* reads at most 40/);
      const rows = [[2, 4, 3], [2, 5, 3], [2, 4, 3]];
      const [one, other, again] = await Promise.all(rows.map((ids) => network.logits(ids)));
      assert.deepEqual(one, again);
      assert.notDeepEqual(one, other);
    }),
});

Deno.test({
  name: "openCrossEncoder() names the setting that a file lacks",
  ignore,
  fn: () =>
    withFile(tinyCrossEncoder(LABELS, [CROSS_ENCODER_KEYS.temperature]), async (path) => {
      const opening = openCrossEncoder(path, { threads: 1 });
      await assert.rejects(
        opening,
        /temperature is missing or not over 0.*deno task train network/,
      );
    }),
});

const CONTENT = { name: "net", labels: ["yes", "no"], longest: 96, temperature: 1.0625 };

Deno.test("crossEncoderMetadata() states head, special tokens, length and temperature", () => {
  const metadata = crossEncoderMetadata(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat"], CONTENT);
  assert.deepEqual(metadata["bert.pooling_type"], { type: "u32", value: 4 });
  assert.deepEqual(metadata["bert.classifier.output_labels"]?.value, ["yes", "no"]);
  assert.equal(metadata["tokenizer.ggml.bos_token_id"]?.value, 2);
  assert.equal(metadata["tokenizer.ggml.seperator_token_id"]?.value, 3);
  assert.equal(metadata["touchstone.cross_encoder.temperature"]?.value, "1.0625");
  assert.equal(metadata["touchstone.cross_encoder.longest"]?.value, 96);
});
