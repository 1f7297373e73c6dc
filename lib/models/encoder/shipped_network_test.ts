import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { type GgufTensor, type GgufValue, readGguf, writeGguf } from "../llama/weights.ts";
import { openCrossEncoder } from "./cross_encoder.ts";
import { isEmbeddingTensor } from "./minilm.ts";
import { joinNetwork, splitNetwork, wholeNetwork } from "./shipped_network.ts";
import { tinyNetwork } from "./testdata/tiny_cross_encoder.ts";

function tensor(name: string, shape: readonly number[], weights: readonly number[]): GgufTensor {
  return { name, type: "F32", shape, bytes: new Uint8Array(Float32Array.from(weights).buffer) };
}

const row = (...weights: readonly number[]) =>
  Array.from({ length: 32 }, (_, at) => weights[at] ?? 0);

const TOKENS: Readonly<Record<string, GgufValue>> = {
  "tokenizer.ggml.tokens": { type: "texts", value: ["▁cat", "s"] },
};
const WORDS = tensor("token_embd.weight", [2, 1], [0.5, -0]);
const TYPES = tensor("token_types.weight", [1, 1], [3]);
const MATRIX = "blk.0.ffn_up.weight";
const ODD = tensor("blk.0.attn_k.weight", [1, 3], [1, 2, 3]);
const PUBLISHED = [WORDS, TYPES, tensor(MATRIX, [1, 32], row(0, 1, 1, 1)), ODD];
/**
 * Weights at most 127/2048 from the published ones, so that the scale is 1/2048; [1] differs by 1.4
 * of it.
 */
const TRAINED = [
  tensor("token_embd.weight", [2, 1], [0.5, 0]),
  TYPES,
  tensor(MATRIX, [1, 32], row(-127 / 2048, 1 + 1.4 / 2048, 1 + 3 / 2048, 1 - 2 / 2048)),
  tensor("blk.0.ffn_up.bias", [1], [0.1]),
  tensor("cls.weight", [1, 1], [1 + 1 / 4096]),
];

/** Runs work in a folder where the trained weights are split from the published ones. */
const withFiles = (work: (layers: string, published: string, folder: string) => unknown) =>
  inFolder(async (folder) => {
    const [layers, published] = ["layers", "published"].map((name) => join(folder, `${name}.gguf`));
    Deno.mkdirSync(join(folder, "models"));
    writeGguf(published!, TOKENS, PUBLISHED);
    splitNetwork(layers!, { metadata: TOKENS, tensors: TRAINED }, published!);
    await work(layers!, published!, folder);
  });

const joined = (folder: string, sha256?: string) =>
  joinNetwork(join(folder, "layers.gguf"), {
    cacheDirectory: folder,
    published: () => Promise.resolve(join(folder, "published.gguf")),
    ...sha256 && { sha256 },
  });

const read = (path: string) => readGguf(path, Deno.readFileSync(path));

Deno.test("splitNetwork() writes a scale and 32 steps from what was published, and no embeddings", () =>
  withFiles((layers) => {
    const { metadata, tensors } = read(layers);
    assert.deepEqual([...tensors.values()].map(({ name, type }) => [name, type]), [
      [MATRIX, "Q8_0"],
      ["blk.0.ffn_up.bias", "F32"],
      ["cls.weight", "F16"],
    ]);
    // 2^-11 as a 16-bit float, then -127, 1.4, 3 and -2 of it.
    const steps = row(-127, 1, 3, -2).map((step) => step & 255);
    assert.deepEqual([...tensors.get(MATRIX)!.bytes], [0x00, 0x10, ...steps]);
    assert.equal(metadata["tokenizer.ggml.tokens"], undefined);
  }));

Deno.test("joinNetwork() adds the steps to what was published and rounds once, to even", () =>
  withFiles(async (_layers, _published, folder) => {
    const { metadata, tensors } = read((await joined(folder)).path);
    const halves = (name: string) => [...new Uint16Array(tensors.get(name)!.bytes.slice().buffer)];
    // 1 + 1/2048 and 1 + 3/2048 lie halfway between two 16-bit floats.
    assert.deepEqual(halves(MATRIX), row(0xabf0, 0x3c00, 0x3c02, 0x3bfe));
    assert.deepEqual(halves("token_embd.weight"), [0x3800, 0x8000]);
    assert.deepEqual(halves("cls.weight"), [0x3c00]);
    assert.deepEqual(tensors.get("token_types.weight"), TYPES);
    assert.deepEqual(metadata["tokenizer.ggml.tokens"], TOKENS["tokenizer.ggml.tokens"]);
  }));

Deno.test("joinNetwork() makes the whole network once, and anew where it is not the one that is named", () =>
  withFiles(async (_, published, folder) => {
    const { path, sha256 } = await joined(folder);
    const bytes = Deno.readFileSync(path);
    // Published weights that do not fit would be refused: they are not looked at.
    writeGguf(published, TOKENS, []);
    assert.equal((await joined(folder, sha256)).path, path);
    const older = JSON.parse(Deno.readTextFileSync(`${path}.json`));
    Deno.writeTextFileSync(`${path}.json`, JSON.stringify({ ...older, sha256: "0".repeat(64) }));
    writeGguf(published, TOKENS, PUBLISHED);
    await joined(folder, sha256);
    assert.deepEqual(Deno.readFileSync(path), bytes);
  }));

Deno.test("joinNetwork() says which file is torn, missing, another or not the one named, and leaves nothing", () =>
  withFiles(async (layers, published, folder) => {
    const whole = Deno.readFileSync(layers);
    await assert.rejects(
      joined(folder, "0".repeat(64)),
      /join .*layers\.gguf: .*verifier-\w{12}\.gguf, would have SHA-256 \w{64}, not 0{64}; restore/,
    );
    const nine = tensor(MATRIX, [1, 32], row(9));
    const damages: readonly (readonly [() => void, RegExp])[] = [
      [() => writeGguf(published, TOKENS, [WORDS, TYPES, nine]), /published\.gguf: another/],
      [() => writeGguf(published, TOKENS, PUBLISHED.slice(0, 2)), /published\.gguf: another/],
      [
        () => Deno.writeFileSync(layers, whole.subarray(0, whole.length / 2)),
        /read .*layers\.gguf: .*cut short/,
      ],
      [() => writeGguf(layers, TOKENS, PUBLISHED), /layers\.gguf: it is no file of layers alone/],
      [() => Deno.removeSync(layers), /^NotFound: Cannot join .*layers\.gguf/],
    ];
    for (const [damage, problem] of damages) {
      damage();
      await assert.rejects(joined(folder), problem);
    }
    const made = [...Deno.readDirSync(join(folder, "models"))].map(({ name }) => name);
    assert.deepEqual(made.filter((name) => !name.endsWith(".json")), []);
  }));

Deno.test("splitNetwork() refuses embeddings that were trained, weights that are no numbers, rows of another length", () =>
  withFiles((layers, published) => {
    const cases = [
      [tensor("token_embd.weight", [2, 1], [0.5, 1]), /others than those in .*published\.gguf; tr/],
      [tensor(MATRIX, [1, 32], row(NaN)), /blk\.0\.ffn_up\.weight at 8 bits: a weight is not a/],
      [ODD, /attn_k\.weight at 8 bits: its rows of 3 are no whole blocks/],
    ] as const;
    for (const [one, problem] of cases) {
      const network = { metadata: TOKENS, tensors: [one] };
      assert.throws(() => splitNetwork(layers, network, published), problem);
    }
  }));

Deno.test("a tiny network that was split and joined answers as the whole one", () =>
  inFolder(async (folder) => {
    const whole = tinyNetwork(["supported", "refuted", "not enough info"]);
    const [layers, path, published] = ["layers", "whole", "published"]
      .map((name) => join(folder, `${name}.gguf`)) as [string, string, string];
    writeGguf(path, whole.metadata, whole.tensors);
    // Published layers are half of what was trained.
    const before = whole.tensors.filter(({ name }) => !name.startsWith("cls")).map((tensor) => {
      const weights = new Float32Array(tensor.bytes.slice().buffer).map((weight) => weight / 2);
      return isEmbeddingTensor(tensor)
        ? tensor
        : { ...tensor, bytes: new Uint8Array(weights.buffer) };
    });
    writeGguf(published, whole.metadata, before);
    splitNetwork(layers, whole, published);
    const { path: made } = await joined(folder);
    const wholePaths = [layers, path].map((one) => wholeNetwork(one, { cacheDirectory: folder }));
    assert.deepEqual(await Promise.all(wholePaths), [made, path]);
    await using expected = await openCrossEncoder(path, { threads: 1 });
    await using found = await openCrossEncoder(made, { threads: 1 });
    const { first, separator, tokenise } = found;
    const ids = [first, ...tokenise("tells claim"), separator, ...tokenise("denies"), separator];
    const logits = await expected.logits(ids);
    assert.ok(logits.some((logit) => Math.abs(logit) > 0.1));
    for (const [at, logit] of (await found.logits(ids)).entries()) {
      assert.ok(Math.abs(logit - logits[at]!) < 2e-3, `${logit}, not ${logits[at]}`);
    }
  }));
