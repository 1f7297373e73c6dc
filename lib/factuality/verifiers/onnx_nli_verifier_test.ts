import assert from "node:assert/strict";
import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { transformersFolder } from "../../models/masked/transformers_package.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { openOnnxNliVerifier } from "./onnx_nli_verifier.ts";
import { TINY_LABELS, tinyNliFiles } from "./testdata/tiny_nli_model.ts";

const CACHE = join(import.meta.dirname!, "..", "..", "..", ".cache");

function isInstalled(): boolean {
  try {
    return Deno.statSync(join(transformersFolder(CACHE), "node_modules")).isDirectory;
  } catch {
    return false;
  }
}

const installed = isInstalled();
const reason = installed ? "" : " [not run: `deno task masked --install` was not]";
const OPTIONS = { cacheDirectory: CACHE, threads: 1 };

type Files = ReadonlyMap<string, Uint8Array>;
type Quantisation = "none" | "8-bit";

async function withModel(
  files: Files,
  work: (
    entry: (quantisation?: Quantisation) => Parameters<typeof openOnnxNliVerifier>[0],
  ) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    for (const [name, content] of files) writeBytesAtomic(join(path, name), content);
    await work((quantisation = "none") => ({ id: "tiny", path, licence: "MIT", quantisation }));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

/** Two stretches: with a claim of 3 tokens there are 6 left. */
const SOURCE = "tells tells tells tells. denies denies denies denies.";

Deno.test({
  name: `openOnnxNliVerifier() gives what was worked out by hand${reason}`,
  ignore: !installed,
  fn: () =>
    withModel(tinyNliFiles(), async (entry) => {
      await using verifier = await openOnnxNliVerifier(entry(), OPTIONS);
      const [one, both] = [
        (await verifier.verify(["denies denies."], [sourcePassage("tells")]))[0]!,
        (await verifier.verify(["tells tells."], [sourcePassage(SOURCE)]))[0]!,
      ];
      assert.ok(one.kind === "scored" && both.kind === "scored");
      // The premise alone counts: logits 0, 2, 0.
      assert.ok(Math.abs(one.probabilities.supported - Math.E ** 2 / (Math.E ** 2 + 2)) < 1e-6);
      assert.equal(one.label, "supported");
      // Four times "tells" is 8 for entailment, e^8/(e^8 + 2); four times "denies" 12 against.
      const supported = Math.E ** 8 / (Math.E ** 8 + 2);
      assert.ok(Math.abs(both.probabilities.supported - supported) < 1e-6);
      assert.equal(both.evidence[0]?.text, "tells tells tells tells.");
      assert.equal(String(both.provenance.modelSha256).length, 64);
      assert.equal(verifier.settings["precision"], "fp32");
    }),
});

Deno.test({
  name: `Requirement 1.3: openOnnxNliVerifier() compares an int8 file with float32${reason}`,
  ignore: !installed,
  fn: async () => {
    await withModel(tinyNliFiles(), async (entry) => {
      await using verifier = await openOnnxNliVerifier(entry("8-bit"), OPTIONS);
      assert.equal(verifier.settings["precision"], "q8");
      assert.equal(verifier.settings["comparedWithFloat32"], true);
    });
  },
});

Deno.test({
  name: `Requirement 1.4: openOnnxNliVerifier() says which model failed, and why${reason}`,
  ignore: !installed,
  fn: async () => {
    await withModel(tinyNliFiles({ 0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2" }), async (entry) => {
      await assert.rejects(
        openOnnxNliVerifier(entry(), OPTIONS),
        /^TypeError: Cannot open the NLI model tiny: the labels of its config\.json \(0: LABEL_0/,
      );
    });
    const broken = new Map([...tinyNliFiles(TINY_LABELS), ["onnx/model.onnx", new Uint8Array(9)]]);
    await withModel(broken as Files, async (entry) => {
      await assert.rejects(
        openOnnxNliVerifier(entry(), OPTIONS),
        /^TypeError: Cannot open the NLI model tiny: /,
      );
    });
  },
});

Deno.test("openOnnxNliVerifier() refuses another file than the one named", () =>
  withModel(tinyNliFiles(), async (entry) => {
    await assert.rejects(
      openOnnxNliVerifier({ ...entry(), sha256: "a".repeat(64) }, OPTIONS),
      /^TypeError: Cannot open the NLI model tiny: the SHA-256 of onnx\/model\.onnx is [0-9a-f]{64}/,
    );
  }));

Deno.test("openOnnxNliVerifier() names the files that a folder lacks", async () => {
  const files = [...tinyNliFiles()].filter(([name]) => !/model_q|tokenizer\.json/.test(name));
  await withModel(new Map(files), async (entry) => {
    await assert.rejects(
      openOnnxNliVerifier(entry("8-bit"), OPTIONS),
      /tiny: .* has no tokenizer\.json, no onnx\/model_int8\.onnx or onnx\/model_quantized\.onnx;/,
    );
  });
});
