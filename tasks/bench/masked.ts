/** What masked language models in ONNX need, checked, and how the character model was chosen. */
import { join } from "node:path";
import { writeBytesAtomic, writeTextAtomic } from "../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { type RunProcess, runProcess } from "../../lib/files/pip.ts";
import type { FoldedSentence } from "../../lib/models/baselines.ts";
import { bidirectionalCharacterModel } from "../../lib/models/masked/bidirectional_character_model.ts";
import { openOnnxMaskedModel } from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModel } from "../../lib/models/masked/pseudo_likelihood.ts";
import {
  TINY_BY_HAND,
  TINY_TEXT,
  tinyModelFiles,
} from "../../lib/models/masked/testdata/tiny_model.ts";
import { transformersFolder } from "../../lib/models/masked/transformers_package.ts";
import { foldedLines, verseFolds } from "../../lib/sanskrit/baselines.ts";
import { VERSES } from "../../lib/sanskrit/verses.ts";
import { command, EXIT } from "../command.ts";
import { besides, CACHE_DIRECTORY } from "./harness.ts";

const VARIANTS = ["original", "within_word_l2r"] as const;
/** As the committed lock has it. */
const PACKAGE = { name: "@huggingface/transformers", version: "4.3.1" } as const;
/** The version that deno.json pins: one process can hold one ONNX Runtime only. */
const RUNTIME = { "onnxruntime-node": "1.25.1" } as const;

export const TASK = command(
  "masked",
  "What masked language models in ONNX need, which nothing else of the project does, and how the " +
    "character model was chosen; several are done in this order",
  (c) =>
    c.option("--install", "transformers.js, as locked, into .cache/transformers (0.5 GB)")
      .option("--check", "a tiny model through it, beside pseudo-likelihoods worked out by hand")
      .option("--held-out", "how well each setting predicts verses it has not learned"),
  async ({ install, check, heldOut }) => {
    if (!install && !check && !heldOut) {
      throw new SyntaxError("Cannot tell what to do: name --install, --check or --held-out.");
    }
    if (install) {
      const folder = transformersFolder(CACHE_DIRECTORY);
      console.log(`Installing transformers.js into ${folder} …`);
      const lock = await Deno.readTextFile(besides("transformers.lock.json"));
      await installTransformers(folder, lock, runProcess);
    }
    const agrees = !check || await checkTinyModels();
    if (heldOut) await compareSettings();
    return agrees ? EXIT.done : EXIT.failed;
  },
);

/**
 * Installs transformers.js into a folder of its own, exactly as locked and without install scripts:
 * one of them would fetch libraries for a graphics card.
 *
 * @param lock Its text: every package's version and checksum.
 * @throws {Error} where Deno cannot install it, with what Deno said.
 */
export async function installTransformers(
  folder: string,
  lock: string,
  run: RunProcess,
): Promise<void> {
  writeJsonAtomic(join(folder, "deno.json"), { nodeModulesDir: "auto" });
  const dependencies = { [PACKAGE.name]: PACKAGE.version };
  writeJsonAtomic(join(folder, "package.json"), {
    private: true,
    dependencies,
    overrides: RUNTIME,
  });
  writeTextAtomic(join(folder, "deno.lock"), lock);
  const options = { cwd: folder, env: { NO_COLOR: "1" } };
  const result = await run(Deno.execPath(), ["install", "--frozen"], options);
  if (result.kind === "ended" && result.code === 0) return;
  const why = result.kind === "missing"
    ? "Deno may not be run; allow it with --allow-run"
    : `deno install ended with code ${result.code}:\n${result.output.trim()}`;
  throw new Error(`Cannot install ${PACKAGE.name} ${PACKAGE.version}: ${why}`);
}

/** Scores one text by tiny models, made here, through transformers.js and ONNX Runtime. */
async function checkTinyModels(): Promise<boolean> {
  let agrees = true;
  for (const tokeniser of ["wordpiece", "sentencepiece"] as const) {
    const path = join(CACHE_DIRECTORY, "models", `tiny_masked_${tokeniser}`);
    for (const [name, content] of tinyModelFiles(tokeniser)) {
      writeBytesAtomic(join(path, name), content);
    }
    const options = { cacheDirectory: CACHE_DIRECTORY, threads: 1 };
    const entry = { id: `tiny ${tokeniser}`, path, licence: "MIT" };
    await using model = await openOnnxMaskedModel(entry, options);
    for (const variant of VARIANTS) {
      const [likelihood] = await pseudoLikelihoodModel(model, variant).score([TINY_TEXT]);
      const [found, byHand] = [likelihood!.logProbability, TINY_BY_HAND[variant]];
      const difference = Math.abs(found - byHand);
      agrees &&= difference < 1e-5; // Logits are float32: some 1e-7 of relative error a token.
      console.log(
        `${tokeniser}, ${variant}: ${found.toFixed(9)} nats, by hand ${byHand.toFixed(9)}, ` +
          `difference ${difference.toExponential(1)}`,
      );
    }
  }
  return agrees;
}

/** One factor and one context around each choice; four seconds a setting, rows of CSV. */
async function compareSettings(): Promise<void> {
  const verses = VERSES.read();
  const sentences = foldedLines(verses, verseFolds(verses));
  console.log(`nats a character, ${sentences.length} lines, fold of verses held out`);
  console.log(`context_characters,back_off_weight,${VARIANTS.join()}`);
  for (const contextCharacters of [4, 5, 6, 7]) {
    for (const backOffWeight of [1, 4, 5, 6]) {
      const means = await heldOutScores(sentences, { contextCharacters, backOffWeight });
      const shown = means.map((mean) => mean.toFixed(4));
      console.log([contextCharacters, backOffWeight, ...shown].join());
    }
  }
}

/**
 * How well the character model predicts each sentence by those of all other folds: mean
 * log P(character | what is not masked) in nats, over all characters, masked in either way.
 *
 * @param sentences no text of which stands in two folds, for what is held out is known by the text.
 */
export async function heldOutScores(
  sentences: readonly FoldedSentence[],
  setting: Readonly<{ contextCharacters: number; backOffWeight: number }>,
) {
  const folds = new Map(sentences.map(({ text, fold }) => [text, fold]));
  const model = bidirectionalCharacterModel(sentences, (text) => [folds.get(text)!], setting);
  return await Array.fromAsync(VARIANTS, async (variant) => {
    const texts = sentences.map(({ text }) => text);
    const found = await pseudoLikelihoodModel(model, variant).score(texts);
    const total = found.reduce((sum, { logProbability }) => sum + logProbability, 0);
    return total / found.reduce((sum, { tokens }) => sum + tokens, 0);
  });
}
