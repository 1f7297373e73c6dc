import assert from "node:assert/strict";
import { inFolder } from "../../files/testdata/folder.ts";
import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { type OnnxEntry, openOnnxMaskedModel } from "./onnx_masked_model.ts";
import { pseudoLikelihoodModel } from "./pseudo_likelihood.ts";
import { TINY_BY_HAND, TINY_TEXT, tinyModelFiles } from "./testdata/tiny_model.ts";
import { transformersFolder } from "./transformers_package.ts";

const CACHE = join(import.meta.dirname!, "..", "..", "..", ".cache");

function isInstalled(): boolean {
  try {
    return Deno.statSync(join(transformersFolder(CACHE), "node_modules")).isDirectory;
  } catch {
    return false;
  }
}

const installed = isInstalled();
const reason = installed ? "" : " [not run: `deno task bench masked --install` was not]";

/** The files, some of them changed or (undefined) left out, as a panel would name their folder. */
function writeModel(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  changes: Readonly<Record<string, string | undefined>> = {},
): OnnxEntry {
  for (const [name, content] of files) {
    const changed = name in changes ? changes[name] : content;
    if (changed === undefined) continue;
    const bytes = typeof changed === "string" ? new TextEncoder().encode(changed) : changed;
    writeBytesAtomic(join(folder, name), bytes);
  }
  return { id: "tiny", path: folder, licence: "MIT" };
}

for (const tokeniser of ["wordpiece", "sentencepiece"] as const) {
  Deno.test({
    name: `openOnnxMaskedModel() gives what was worked out by hand, ${tokeniser}${reason}`,
    ignore: !installed,
    fn: () =>
      inFolder(async (folder) => {
        const entry = writeModel(folder, tinyModelFiles(tokeniser));
        await using model = await openOnnxMaskedModel(entry, { cacheDirectory: CACHE, threads: 1 });
        for (const variant of ["original", "within_word_l2r"] as const) {
          const [found] = await pseudoLikelihoodModel(model, variant).score([TINY_TEXT]);
          const difference = Math.abs(found!.logProbability - TINY_BY_HAND[variant]);
          assert.ok(difference < 1e-5, `${variant}: ${difference}`);
          assert.equal(found!.tokens, 3);
        }
        assert.equal(model.settings["precision"], "F32");
        assert.equal(String(model.settings["fileSha256"]).length, 64);
      }),
  });
}

Deno.test({
  name: `openOnnxMaskedModel() refuses no mask, no ONNX and no predictions${reason}`,
  ignore: !installed,
  fn: () =>
    inFolder(async (folder) => {
      const files = tinyModelFiles("wordpiece");
      const open = (changes: Record<string, string>) =>
        openOnnxMaskedModel(writeModel(folder, files, changes), { cacheDirectory: CACHE });
      const config = '{ "tokenizer_class": "PreTrainedTokenizerFast" }';
      await assert.rejects(
        open({ "tokenizer_config.json": config }),
        /tiny: its .* no mask token$/,
      );
      await assert.rejects(open({ "onnx/model.onnx": "no model" }), /Protobuf parsing failed/);
      const entry = writeModel(folder, tinyModelFiles("wordpiece", "last_hidden_state"));
      await using model = await openOnnxMaskedModel(entry, { cacheDirectory: CACHE });
      const scored = pseudoLikelihoodModel(model, "original").score([TINY_TEXT]);
      await assert.rejects(scored, /^TypeError: .* it has no float32 logits$/);
    }),
});

Deno.test("openOnnxMaskedModel() names the files that a folder lacks", () =>
  inFolder(async (folder) => {
    const entry = writeModel(folder, tinyModelFiles("wordpiece"), {
      "tokenizer.json": undefined,
      "onnx/model.onnx": undefined,
    });
    await assert.rejects(openOnnxMaskedModel(entry, { cacheDirectory: CACHE }), (error) => {
      assert.ok(error instanceof Deno.errors.NotFound);
      assert.match(
        error.message,
        /^Cannot open masked model tiny: .* has no tokenizer.json, no onnx/,
      );
      return true;
    });
  }));

Deno.test("openOnnxMaskedModel() without transformers.js says which command installs it", () =>
  inFolder(async (folder) => {
    const entry = writeModel(folder, tinyModelFiles("wordpiece"));
    await assert.rejects(
      openOnnxMaskedModel(entry, { cacheDirectory: folder }),
      /Cannot open an ONNX model: .*`deno task bench masked --install`/,
    );
  }));
