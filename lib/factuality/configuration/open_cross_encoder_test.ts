import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tinyCrossEncoder } from "../../models/encoder/testdata/tiny_cross_encoder.ts";
import { ffiObstacle } from "../../models/llama/open_engine.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { ComponentsError } from "./assemble_components.ts";
import { openComponents } from "./open_components.ts";

const ignore = ffiObstacle() !== undefined;
const PROMPTS = fileURLToPath(new URL("../../../data/factuality/prompts.yaml", import.meta.url));

async function withConfiguration(
  verifier: string,
  work: (path: string, cacheDirectory: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "evaluation.yaml");
    const prompts = JSON.stringify(PROMPTS);
    await Deno.writeTextFile(path, `name: made\nprompts: ${prompts}\nverifier: ${verifier}\n`);
    await Deno.writeFile(join(folder, "tiny.gguf"), tinyCrossEncoder(VERDICT_LABELS));
    await work(path, join(folder, "cache"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "Requirement 12.3: openComponents() opens a fine-tuned cross-encoder by its file",
  ignore,
  fn: () =>
    withConfiguration("{ kind: cross-encoder, path: tiny.gguf }", async (path, cacheDirectory) => {
      await using components = await openComponents(path, { cacheDirectory, threads: 1 });
      const { verifier } = components;
      const verdicts = await verifier.verify(["Claim."], [sourcePassage("Tells tells tells.")]);
      const [verdict] = verdicts;
      assert.ok(verdict?.kind === "scored");
      const { supported, refuted } = verdict.probabilities;
      assert.ok(supported > refuted);
      assert.match(String(verifier.settings["weightsSha256"]), /^[0-9a-f]{64}$/);
    }),
});

Deno.test({
  name: "openComponents() refuses a cross-encoder whose file is another than the one named",
  ignore,
  fn: () =>
    withConfiguration(
      `{ kind: cross-encoder, path: tiny.gguf, sha256: ${"a".repeat(64)} }`,
      async (path, cacheDirectory) => {
        await assert.rejects(
          openComponents(path, { cacheDirectory, threads: 1 }),
          (error) =>
            error instanceof ComponentsError && /SHA-256 is another/.test(error.problems.join()),
        );
      },
    ),
});
