import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { countryGazetteer, factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import { KNOWLEDGE_SET, knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { type MeasuredVerdicts, measureVerdicts } from "../../lib/factuality/training/measures.ts";
import { SPLITS } from "../../lib/factuality/training/splits.ts";
import { type TrainingResult, VERIFIER_TRAINING } from "../../lib/factuality/training/tables.ts";
import { vectorReader } from "../../lib/factuality/training/vectors.ts";
import * as fit from "../../lib/factuality/training/verifier_fit.ts";
import { writeBaselineSettings } from "../../lib/factuality/verifiers/baselines.ts";
import type { BaselineSettings } from "../../lib/factuality/verifiers/baselines.ts";
import { type Head, headVerdict } from "../../lib/factuality/verifiers/head.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";

export const TASK = command(
  "train verifier",
  "Trains the verifier on claims made out of the factbook, and measures it. Writes weights, the " +
    "baselines' thresholds and the table of results into data/factuality.",
  (c) =>
    c.option(
      "--seed <n>",
      "other countries held out, other claims",
      int({ min: 0 }),
      KNOWLEDGE_SEED,
    )
      .option("--cases <n>", "sentences a country, and half as many values", int({ min: 1 }), 4)
      .option("--threads <n>", "of the encoder", int({ min: 1 }), 1),
  async ({ seed, cases: perCountry, threads }) => {
    const cacheDirectory = FACTUALITY_PATHS.cache;
    const fields = await factbookFields(cacheDirectory);
    const cases = await knowledgeClaims(fields, {
      seed,
      prosePerCountry: perCountry,
      factsPerCountry: Math.ceil(perCountry / 2),
      splitter: ruleSplitter(),
    });
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const gazetteer = countryGazetteer(fields).map((one) => ({ ...one, also: [...one.also] }));
    const tools = { cacheDirectory, gazetteer, encoder, wordnet: await readWordNet() };
    const rows: fit.VectorCase[] = [];
    for (const split of SPLITS) {
      const own = cases.filter((one) => one.split === split);
      const read = vectorReader(split === "train" ? "features" : "baselines", tools);
      const vectors = await read(split, own);
      rows.push(...own.map((one, i) => ({ case: one, vector: vectors[i] })));
    }
    const run = fit.runTraining(rows);
    const baselines = fit.fitBaselines(rows);
    const weights = fit.weightsFile(rows, run, { seed, encoder: encoder.name, gazetteer });
    // One line a list of numbers: a row of coefficients is read as a row.
    writeTextAtomic(FACTUALITY_PATHS.verifierWeights, `${JSON.stringify(weights)}\n`);
    writeBaselineSettings(baselines);
    VERIFIER_TRAINING.write([
      ...trainingResults(rows, run),
      ...heldOutResults(rows, run.head, baselines),
    ]);
    return EXIT.done;
  },
);

/** The penalties tried and the groups left out, on the development split. */
function trainingResults(cases: readonly fit.VectorCase[], run: fit.TrainingRun): TrainingResult[] {
  const development = fit.ofSplit(cases, "development");
  const set = `${KNOWLEDGE_SET}, development`;
  return [
    ...run.trials.map(({ l2 }) => {
      const verifier = `trained verifier, l2 ${l2}${l2 === run.l2 ? ", chosen" : ""}`;
      const head = fit.fitHead(cases, l2, fit.FEATURE_GROUPS);
      return rowOf("penalty", set, verifier, fit.measuredHead(development, head, "binary"));
    }),
    ...run.ablations.map(({ group, measured }) =>
      rowOf("ablation", set, `trained verifier without ${group}`, measured)
    ),
  ];
}

/** Every verifier on the splits that it was not fitted on, both ways. */
function heldOutResults(cases: readonly fit.VectorCase[], head: Head, baselines: BaselineSettings) {
  const verifiers = ["trained verifier", "word overlap", "sentence cosine", "majority"] as const;
  return (["development", "test"] as const).flatMap((split) => {
    const set = `${KNOWLEDGE_SET}, ${split}`;
    const judged = fit.ofSplit(cases, split).map(({ case: { label, cluster }, vector }) => {
      const trained = vector && { "trained verifier": headVerdict(vector, head) };
      const said = vector && { ...trained!, ...fit.baselineProbabilities(vector, baselines) };
      return { label, cluster, said };
    });
    return (["three-way", "binary"] as const).flatMap((reading) =>
      verifiers.map((verifier) => {
        const own = judged.map(({ said, ...one }) => ({ ...one, probabilities: said?.[verifier] }));
        const random = randomSource(`${set}/${verifier}/${reading}`);
        return rowOf("result", set, verifier, measureVerdicts(own, reading, random));
      })
    );
  });
}

/** A row of the table, four decimals. @throws {RangeError} where a figure cannot be had. */
function rowOf(
  step: TrainingResult["step"],
  set: string,
  verifier: string,
  { reading, n, unscored, clusters, ...measured }: MeasuredVerdicts,
): TrainingResult {
  const shown = (name: keyof typeof measured) => {
    const value = measured[name];
    if (typeof value === "number") return Number(value.toFixed(4));
    throw new RangeError(`Cannot measure ${verifier} on ${set}: ${value.reason}.`);
  };
  const counted = { step, set, verifier, reading, n, unscored, clusters };
  return {
    ...counted,
    accuracy: shown("accuracy"),
    balanced_accuracy: shown("balancedAccuracy"),
    low: shown("low"),
    high: shown("high"),
    macro_f1: shown("macroF1"),
    calibration_error: shown("calibrationError"),
    brier: shown("brier"),
  };
}
