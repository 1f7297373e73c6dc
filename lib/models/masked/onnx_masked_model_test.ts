import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex, writeBytesAtomic } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { Tokenizer } from "@huggingface/tokenizers";
import {
  type OnnxEntry,
  openOnnxMaskedModel,
  pretokenIndexes,
  wordIndexes,
} from "./onnx_masked_model.ts";
import { holdsFile, onnxHashes } from "../encoder/onnx_folder.ts";
import { pseudoLikelihoodModel } from "./pseudo_likelihood.ts";
import { TINY_BY_HAND, TINY_TEXT, tinyModelFiles } from "./testdata/tiny_model.ts";

/**
 * Writes a tiny model's files, with replacements or (null) omissions, as a panel would name their
 * folder.
 */
function writeModel(
  folder: string,
  kind: "wordpiece" | "sentencepiece",
  instead: Readonly<Record<string, string | null>> = {},
): OnnxEntry {
  for (const [name, content] of tinyModelFiles(kind)) {
    const given = instead[name];
    const bytes = typeof given === "string" ? new TextEncoder().encode(given) : content;
    if (given !== null) writeBytesAtomic(join(folder, name), bytes);
  }
  return { id: "tiny", path: folder, licence: "MIT" };
}

Deno.test("openOnnxMaskedModel() names the files that a folder lacks, and says what is no masked model", () =>
  inFolder(async (folder) => {
    const cases = [
      [{ "tokenizer.json": null, "onnx/model.onnx": null }, /has no tokenizer.json, no onnx/],
      [{ "config.json": `{"model_type":"bert"}` }, /^TypeError: .*model tiny: .*vocab_size/],
      [{ "onnx/model.onnx": "no network" }, /^TypeError: Cannot open masked model tiny: /],
      [{ "tokenizer.json": "{" }, /tokenizer\.json is no JSON/],
    ] as const;
    for (const [at, [instead, problem]] of cases.entries()) {
      const entry = writeModel(join(folder, String(at)), "wordpiece", instead);
      await assert.rejects(openOnnxMaskedModel(entry, { threads: 1 }), problem);
    }
  }));

Deno.test("Requirement 4: pseudo-likelihoods of an ONNX model are those worked out by hand, either tokeniser", () =>
  inFolder(async (folder) => {
    for (const kind of ["wordpiece", "sentencepiece"] as const) {
      const entry = writeModel(join(folder, kind), kind);
      await using model = await openOnnxMaskedModel(entry, { threads: 1 });
      for (const variant of ["original", "within_word_l2r"] as const) {
        const [likelihood] = await pseudoLikelihoodModel(model, variant).score([TINY_TEXT]);
        assert.deepEqual([likelihood!.tokens, likelihood!.bytes], [3, 4]);
        // Logits are float32: some 1e-7 of relative error a token.
        assert.ok(Math.abs(likelihood!.logProbability - TINY_BY_HAND[variant]) < 1e-5, kind);
      }
      assert.match(String(model.settings["engine"]), /^onnxruntime /);
      const refused = [
        ["b ".repeat(15), /^RangeError: Cannot score a text of 17 tokens: the model takes 16$/],
        ["ab c", /^RangeError: Cannot score "ab c": the model's vocabulary lacks a part of it/],
      ] as const;
      for (const [text, problem] of refused) {
        assert.throws(() => model.tokenise(text.trim()), problem);
      }
    }
  }));

Deno.test("onnxHashes() includes weights next to their network", () =>
  inFolder((folder) => {
    const write = (name: string, text: string) =>
      writeBytesAtomic(join(folder, name), new TextEncoder().encode(text));
    write("onnx/model_int8.onnx", "network");
    write("tokenizer.json", "{}");
    const own = { fileSha256: sha256Hex("network"), tokeniserSha256: sha256Hex("{}") };
    assert.deepEqual(onnxHashes(folder, "onnx/model_int8.onnx"), own);
    write("onnx/model_int8.onnx_data", "weights");
    const both = { ...own, weightsSha256: sha256Hex("weights") };
    assert.deepEqual(onnxHashes(folder, "onnx/model_int8.onnx"), both);
    assert.equal(holdsFile(folder, "onnx"), false);
  }));

/** Numbers of pieces, so that equal pieces are equal tokens. */
function encoding(split: (text: string) => readonly string[]) {
  const numbers = new Map<string, number>();
  return (text: string) =>
    split(text).map((piece) => {
      numbers.set(piece, numbers.get(piece) ?? numbers.size);
      return numbers.get(piece)!;
    });
}

Deno.test("wordIndexes() separates words by what a longer text adds, whatever sign joins their pieces", () => {
  const marked = encoding((text) => text.match(/(?<=\S)\S|\S/g) ?? []);
  assert.deepEqual(wordIndexes("ab b  abc", marked), [0, 0, 1, 2, 2, 2]);
  // Tokens for spaces: white space at the end is a word of its own.
  const spaced = encoding((text) => text.match(/\s*\S|\s+/g) ?? []);
  const found = ["ab b ", " ", ""].map((text) => wordIndexes(text, spaced));
  assert.deepEqual(found, [[0, 0, 1, 2], [0], []]);
  const reaching = encoding((text) => text.match(/b c|./g) ?? []);
  const problem =
    /^RangeError: Cannot separate the words of "ab cd": a token reaches over the end of ab$/;
  assert.throws(() => wordIndexes("ab cd", reaching), problem);
});

Deno.test("pretokenIndexes() counts words as the tokeniser separates them: a full stop is one", () => {
  const vocab = { "[UNK]": 0, "un": 1, "##done": 2, "it": 3, ".": 4 };
  const model = { type: "WordPiece", vocab, unk_token: "[UNK]", continuing_subword_prefix: "##" };
  const description = {
    model,
    normalizer: null,
    post_processor: null,
    decoder: null,
    added_tokens: [],
  };
  const bert = new Tokenizer({ ...description, pre_tokenizer: { type: "BertPreTokenizer" } }, {});
  assert.deepEqual(pretokenIndexes("it undone.", bert, 4), [0, 1, 1, 2]);
  // Special tokens between the text's own, or no pre-tokenisation: not known.
  assert.equal(pretokenIndexes("it undone.", bert, 5), undefined);
  const plain = new Tokenizer({ ...description, pre_tokenizer: null }, {});
  assert.equal(pretokenIndexes("it", plain, 1), undefined);
});
