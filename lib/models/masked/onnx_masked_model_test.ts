import assert from "node:assert/strict";
import { inFolder } from "../../files/testdata/folder.ts";
import { join } from "node:path";
import { sha256Hex, writeBytesAtomic } from "../../files/atomic.ts";
import { type OnnxEntry, openOnnxMaskedModel } from "./onnx_masked_model.ts";
import { tinyModelFiles } from "./testdata/tiny_model.ts";
import { holdsFile, onnxHashes } from "./transformers_package.ts";

/** The files but those left out, as a panel would name their folder; what opens them is `deno task bench masked`. */
function writeModel(folder: string, without: readonly string[] = []): OnnxEntry {
  for (const [name, content] of tinyModelFiles("wordpiece")) {
    if (!without.includes(name)) writeBytesAtomic(join(folder, name), content);
  }
  return { id: "tiny", path: folder, licence: "MIT" };
}

Deno.test("openOnnxMaskedModel() names the files that a folder lacks, and the command that installs transformers.js", () =>
  inFolder(async (folder) => {
    const open = (without: readonly string[]) =>
      openOnnxMaskedModel(writeModel(folder, without), { cacheDirectory: folder });
    const lacking = open(["tokenizer.json", "onnx/model.onnx"]);
    await assert.rejects(lacking, /masked model tiny: .* has no tokenizer.json, no onnx/);
    await assert.rejects(
      open([]),
      /Cannot open an ONNX model: .*`deno task bench masked --install`/,
    );
  }));

Deno.test("onnxHashes() tells weights that stand beside their network", () => {
  inFolder((folder) => {
    Deno.mkdirSync(join(folder, "onnx"));
    Deno.writeTextFileSync(join(folder, "onnx", "model_int8.onnx"), "network");
    Deno.writeTextFileSync(join(folder, "tokenizer.json"), "{}");
    const own = { fileSha256: sha256Hex("network"), tokeniserSha256: sha256Hex("{}") };
    assert.deepEqual(onnxHashes(folder, "onnx/model_int8.onnx"), own);
    Deno.writeTextFileSync(join(folder, "onnx", "model_int8.onnx_data"), "weights");
    assert.deepEqual(onnxHashes(folder, "onnx/model_int8.onnx"), {
      ...own,
      weightsSha256: sha256Hex("weights"),
    });
    assert.equal(holdsFile(folder, "onnx"), false);
  });
});
