/** What masked language models in ONNX need, checked, and how the character model was chosen. */
import { join } from "node:path";
import { writeBytesAtomic, writeTextAtomic } from "../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { type RunProcess, runProcess } from "../../lib/files/pip.ts";
import type { FoldedSentence } from "../../lib/models/baselines.ts";
import { bidirectionalCharacterModel } from "../../lib/models/masked/bidirectional_character_model.ts";
import { openOnnxMaskedModel } from "../../lib/models/masked/onnx_masked_model.ts";
import {
  pseudoLikelihoodModel,
  type PseudoLikelihoodVariant,
} from "../../lib/models/masked/pseudo_likelihood.ts";
import {
  TINY_BY_HAND,
  TINY_TEXT,
  tinyModelFiles,
} from "../../lib/models/masked/testdata/tiny_model.ts";
import { transformersFolder } from "../../lib/models/masked/transformers_package.ts";
import { foldedLines, verseFolds } from "../../lib/sanskrit/baselines.ts";
import { VERSES } from "../../lib/sanskrit/verses.ts";
import { command, EXIT } from "../command.ts";
import { CACHE_DIRECTORY } from "./inputs.ts";

const LOCK = join(import.meta.dirname!, "transformers.lock.json");
/** Logits are float32: some 1e-7 of relative error a token. */
const SAME_WITHIN = 1e-5;

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
      const lock = await Deno.readTextFile(LOCK);
      await installTransformers({ folder, lock, deno: Deno.execPath(), run: runProcess });
    }
    const agrees = !check || reportAgreement(await checkTinyModel(CACHE_DIRECTORY));
    if (heldOut) await compareSettings();
    return agrees ? EXIT.done : EXIT.failed;
  },
);

function reportAgreement(agreements: readonly Agreement[]): boolean {
  const differences = agreements.map(({ tokeniser, variant, found, byHand }) => {
    const difference = Math.abs(found - byHand);
    console.log(
      `${tokeniser}, ${variant}: ${found.toFixed(9)} nats, by hand ${byHand.toFixed(9)}, ` +
        `difference ${difference.toExponential(1)}`,
    );
    return difference;
  });
  return differences.every((difference) => difference < SAME_WITHIN);
}

/** Four seconds a setting; rows of CSV. */
async function compareSettings(): Promise<void> {
  const verses = VERSES.read();
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

/** As the committed lock has it. */
const PACKAGE = { name: "@huggingface/transformers", version: "4.3.1" } as const;

/** What to install where, and by which Deno. */
interface Installation {
  readonly folder: string;
  /** The text of the lock: every package's version and checksum. */
  readonly lock: string;
  readonly deno: string;
  readonly run: RunProcess;
}

/**
 * Installs transformers.js into a folder of its own, exactly as locked and without install scripts:
 * one of them would fetch libraries for a graphics card.
 *
 * @throws {Error} where Deno cannot install it, with what Deno said.
 */
export async function installTransformers(
  { folder, lock, deno, run }: Installation,
): Promise<void> {
  writeJsonAtomic(join(folder, "deno.json"), { nodeModulesDir: "auto" });
  writeJsonAtomic(join(folder, "package.json"), {
    private: true,
    dependencies: { [PACKAGE.name]: PACKAGE.version },
  });
  writeTextAtomic(join(folder, "deno.lock"), lock);
  const result = await run(deno, ["install", "--frozen"], { cwd: folder, env: { NO_COLOR: "1" } });
  if (result.kind === "ended" && result.code === 0) return;
  const why = result.kind === "missing"
    ? "Deno may not be run; allow it with --allow-run"
    : `deno install ended with code ${result.code}:\n${result.output.trim()}`;
  throw new Error(`Cannot install ${PACKAGE.name} ${PACKAGE.version}: ${why}`);
}

/** One pseudo-log-likelihood through transformers.js beside the one worked out by hand, in nats. */
interface Agreement {
  readonly tokeniser: "wordpiece" | "sentencepiece";
  readonly variant: "original" | "within_word_l2r";
  readonly found: number;
  readonly byHand: number;
}

async function agreementsOf(
  tokeniser: Agreement["tokeniser"],
  cacheDirectory: string,
): Promise<readonly Agreement[]> {
  const path = join(cacheDirectory, "models", `tiny_masked_${tokeniser}`);
  for (const [name, content] of tinyModelFiles(tokeniser)) {
    writeBytesAtomic(join(path, name), content);
  }
  const entry = { id: `tiny ${tokeniser}`, path, licence: "MIT" };
  await using model = await openOnnxMaskedModel(entry, { cacheDirectory, threads: 1 });
  const agreements: Agreement[] = [];
  for (const variant of ["original", "within_word_l2r"] as const) {
    const [likelihood] = await pseudoLikelihoodModel(model, variant).score([TINY_TEXT]);
    const found = likelihood!.logProbability;
    agreements.push({ tokeniser, variant, found, byHand: TINY_BY_HAND[variant] });
  }
  return agreements;
}

/** Scores one text by a tiny model, made here, through transformers.js and ONNX Runtime. */
async function checkTinyModel(cacheDirectory: string): Promise<readonly Agreement[]> {
  return [
    ...await agreementsOf("wordpiece", cacheDirectory),
    ...await agreementsOf("sentencepiece", cacheDirectory),
  ];
}

/** How far the character model may look and how it may be smoothed, as it is compared here. */
interface HeldOutScore {
  readonly contextCharacters: number;
  readonly backOffWeight: number;
  /** Mean log P(character | what is not masked) in nats, over all characters of all folds. */
  readonly original: number;
  readonly withinWord: number;
}

const CONTEXTS = [4, 5, 6, 7];
const WEIGHTS = [1, 4, 5, 6];

/** Every pair of the settings that are compared; one factor and one context around each choice. */
const HELD_OUT_GRID = CONTEXTS.flatMap((contextCharacters) =>
  WEIGHTS.map((backOffWeight) => ({ contextCharacters, backOffWeight }))
);

/**
 * How well the character model predicts each sentence by those of all other folds.
 *
 * @param sentences no text of which stands in two folds, for what is held out is known by the text.
 */
export async function heldOutScore(
  sentences: readonly FoldedSentence[],
  options: Pick<HeldOutScore, "contextCharacters" | "backOffWeight">,
): Promise<HeldOutScore> {
  const folds = new Map(sentences.map(({ text, fold }) => [text, fold]));
  const model = bidirectionalCharacterModel(sentences, (text) => [folds.get(text)!], options);
  const mean = async (variant: PseudoLikelihoodVariant) => {
    const texts = sentences.map(({ text }) => text);
    const found = await pseudoLikelihoodModel(model, variant).score(texts);
    const total = found.reduce((sum, { logProbability }) => sum + logProbability, 0);
    return total / found.reduce((sum, { tokens }) => sum + tokens, 0);
  };
  return {
    ...options,
    original: await mean("original"),
    withinWord: await mean("within_word_l2r"),
  };
}
