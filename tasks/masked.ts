/**
 * What masked language models in ONNX need, which nothing else of the project does, and how the
 * character model was chosen.
 *
 *     deno task masked --install   transformers.js, as locked, into .cache/transformers (0.5 GB)
 *     deno task masked --check     a tiny model through it, beside values worked out by hand
 *     deno task masked --held-out  how well each setting of the character model predicts new verses
 */
import { join } from "node:path";
import { runProcess } from "../lib/files/process.ts";
import { transformersFolder } from "../lib/models/masked/transformers_package.ts";
import { foldedLines, verseFolds } from "../lib/sanskrit/evaluation/folds.ts";
import { SANSKRIT_PATHS } from "../lib/sanskrit/paths.ts";
import { readVerses } from "../lib/sanskrit/verses_file.ts";
import { runCommand } from "./command.ts";
import { type Agreement, checkTinyModel } from "./masked/check.ts";
import { HELD_OUT_GRID, heldOutScore } from "./masked/held_out.ts";
import { installTransformers } from "./masked/install.ts";
import { MASKED_USAGE, readMaskedOptions } from "./masked/options.ts";

const CACHE_DIRECTORY = ".cache";
const LOCK = join(import.meta.dirname!, "masked", "transformers.lock.json");

/** Logits are float32: some 1e-7 of relative error a token. */
const SAME_WITHIN = 1e-5;

function report(agreements: readonly Agreement[]): number {
  const differences = agreements.map(({ tokeniser, variant, found, byHand }) => {
    const difference = Math.abs(found - byHand);
    console.log(
      `${tokeniser}, ${variant}: ${found.toFixed(9)} nats, by hand ${byHand.toFixed(9)}, ` +
        `difference ${difference.toExponential(1)}`,
    );
    return difference;
  });
  return differences.every((difference) => difference < SAME_WITHIN) ? 0 : 1;
}

async function install(): Promise<void> {
  const folder = transformersFolder(CACHE_DIRECTORY);
  console.log(`Installing transformers.js into ${folder} …`);
  const lock = await Deno.readTextFile(LOCK);
  await installTransformers({ folder, lock, deno: Deno.execPath(), run: runProcess });
}

/** Four seconds a setting; rows of CSV. */
async function compareSettings(): Promise<void> {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  const sentences = foldedLines(verses, verseFolds(verses));
  console.log(`nats a character, ${sentences.length} lines, fold of verses held out`);
  console.log("context_characters,back_off_weight,original,within_word_l2r");
  for (const setting of HELD_OUT_GRID) {
    const { original, withinWord } = await heldOutScore(sentences, setting);
    const { contextCharacters, backOffWeight } = setting;
    const means = [original, withinWord].map((mean) => mean.toFixed(4));
    console.log([contextCharacters, backOffWeight, ...means].join());
  }
}

async function masked(args: readonly string[]): Promise<number> {
  const options = readMaskedOptions(args);
  if (options.install) await install();
  const code = options.check ? report(await checkTinyModel(CACHE_DIRECTORY)) : 0;
  if (options.heldOut) await compareSettings();
  return code;
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, MASKED_USAGE, () => masked(Deno.args)));
}
