import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { holdsFile, onnxHashes } from "./transformers_package.ts";

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
