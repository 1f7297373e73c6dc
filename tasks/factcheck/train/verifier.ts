import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { FACTUALITY_PATHS } from "../../../lib/factuality/paths.ts";
import {
  countryGazetteer,
  type FactbookField,
  factbookFields,
} from "../../../lib/factuality/retrieval/factbook.ts";
import * as measures from "../../../lib/factuality/own/training/measures.ts";
import {
  fileCases,
  mixedWithOthers,
  silentCases,
} from "../../../lib/factuality/own/training/pairs.ts";
import type { TrainingCase } from "../../../lib/factuality/own/training/pairs.ts";
import { TRAINING_SEED } from "../../../lib/factuality/own/training/splits.ts";
import {
  answerRows,
  LABELLED,
  MEASURED_ALONE,
  sourceCounts,
  trainingResults,
  VERIFIER,
} from "../../../lib/factuality/own/training/results.ts";
import {
  type TrainingResult,
  VERIFIER_ANSWERS,
  VERIFIER_SOURCES,
  VERIFIER_TRAINING,
  type VerifierAnswer,
} from "../../../lib/factuality/own/training/tables.ts";
import * as fit from "../../../lib/factuality/own/training/verifier_fit.ts";
import type { VerdictLabel } from "../../../lib/factuality/types.ts";
import * as baselines from "../../../lib/factuality/verifiers/baselines.ts";
import { claimReader, HEAD_INPUTS, readAlone } from "../../../lib/factuality/verifiers/head.ts";
import { WINDOWS_VERSION } from "../../../lib/factuality/verifiers/cross_encoder.ts";
import { FEATURES_VERSION } from "../../../lib/factuality/features/features.ts";
import { caseAddress } from "../../../lib/factuality/own/ask_components.ts";
import { addressOf } from "../../../lib/files/asking.ts";
import { requireWritable, shownPath, writeTextAtomic } from "../../../lib/files/atomic.ts";
import { appendJsonLine, readJsonLines, writeJsonAtomic } from "../../../lib/files/json.ts";
import { openProgress } from "../../../lib/files/progress.ts";
import { openCrossEncoder } from "../../../lib/models/encoder/cross_encoder.ts";
import type { SentenceEncoder } from "../../../lib/models/encoder/network_encoder.ts";
import { loadMiniLm } from "../../../lib/models/encoder/minilm.ts";
import { joinNetwork } from "../../../lib/models/encoder/shipped_network.ts";
import { measureOfFields, shown } from "../../../lib/stats/measure.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { command, EXIT, int } from "../../command.ts";
import { CONFIGURATION, verifierLine } from "../opening.ts";
import { FACTBOOK_CLAIMS, PEOPLES_CLAIMS } from "../../open_studies.ts";

const CACHE = FACTUALITY_PATHS.cache;

export const TASK = command(
  "factcheck train verifier",
  "Fits the head over a fine-tuned network and the features, on labelled claims outside the network's " +
    "training data, without PyTorch, and measures it. Writes verifier_weights.json, verifier_answers.csv " +
    "(one row per claim), verifier_training.csv, verifier_sources.csv and the baselines' thresholds; " +
    "evaluation.yaml names the weights as { kind: trained, path: … }. With --config it calibrates the " +
    "language model that your configuration names as its verifier.",
  (c) =>
    c.option("--cases <file...>", "labelled claims: .jsonl, .jsonl.gz, .csv", [])
      .option("--config <file>", "calibrate its language model instead of fitting a head")
      .option(
        "--verifier <name>",
        "calibrate a server's model: its address, with --model, or groq:MODEL",
      )
      .option("--model <name>", "model on the server of --verifier")
      .option("--out <folder>", "for that calibration; .cache/verifiers/NAME by default")
      .option("--no-made", "exclude claims made from the factbook")
      .option(
        "--network <file>",
        "output of deno task factcheck train network",
        FACTUALITY_PATHS.verifierNetwork,
      )
      .option("--folder <folder>", "for the results", join(CACHE, "finetune"))
      .option(
        "--sets <folder>",
        "folder of the study's human-labelled sets, for measurement and never for the fit",
      )
      .option("--threads <n>", "of the network", int({ min: 1, max: 1024 }), 2),
  async (
    { cases: paths, made, network: path, folder: wanted, threads, config, out, sets, ...served },
    { signal },
  ) => {
    const verifier = verifierLine(served.verifier, served.model);
    if ((config ?? verifier) !== undefined) {
      const { calibratePrompted } = await import("./prompted_verifier.ts");
      const asked = { config: config ?? CONFIGURATION, verifier, out, paths, threads, signal };
      return await calibratePrompted(asked);
    }
    if (out !== undefined) {
      throw new RangeError("Cannot fit a head into --out: it goes with --config; use --folder.");
    }
    const folder = resolve(wanted);
    const given = fileCases(paths, "development", console.log);
    if (paths.length > 0 && given.length === 0) {
      throw new RangeError(
        `Cannot fit a head: ${paths.join(", ")} has no labelled claim with a source; ` +
          "docs/fact_checking_compare.md has the columns.",
      );
    }
    if (given.some(({ set }) => set === fit.SILENT)) {
      throw new RangeError(
        `Cannot fit a head: a set of ${paths.join(", ")} is called “${fit.SILENT}”, as are the ` +
          "claims that are shown with sources which are silent on them. Give it another name.",
      );
    }
    // Before minutes of work, so that obstacles are reported at once.
    for (const name of ["weights.json", "answers.csv", "training.csv", "sources.csv"]) {
      requireWritable(join(folder, `verifier_${name}`));
    }
    const joined = await joinNetwork(path, { cacheDirectory: CACHE });
    const fields = await factbookFields(CACHE);
    const factbookMaterial = made ? await factbookCases(fields) : NONE_MADE;
    await using encoder = await loadMiniLm({ cacheDirectory: CACHE, threads: 1 });
    const held = sets === undefined ? [] : await measuredAlone(sets, encoder);
    await using network = await openCrossEncoder(joined.path, { threads });
    const gazetteer = countryGazetteer(fields).map((one) => ({ ...one, also: [...one.also] }));
    const reader = claimReader(network, gazetteer);
    const readingCache = openReadings(join(CACHE, "verifier", "readings.jsonl"), joined.sha256);
    const inputsOf = (one: TrainingCase) =>
      readingCache(one, async () => {
        const reading = await reader(one.passages)(one.claim);
        return reading === undefined || "kind" in reading ? undefined : reading.inputs;
      });
    /**
     * @param isMeasured True to read each of several passages alone as well, as the verifier does.
     */
    const read = async (label: string, cases: readonly TrainingCase[], isMeasured = false) => {
      using progress = openProgress(label, cases.length);
      const rows: fit.ReadCase[] = [];
      for (const one of cases) {
        signal.throwIfAborted();
        const inputs = await inputsOf(one);
        const each = isMeasured
          ? await Array.fromAsync(
            readAlone(one.passages),
            (passage) => inputsOf({ ...one, passages: [passage] }),
          )
          : [];
        rows.push({ case: one, inputs, each });
        progress.advance();
      }
      return rows;
    };
    const human = await read("labelled claims", given);
    const among = await read(
      "a part of them among other evidence",
      sampled(hidden(given), AMONG_OTHERS, "among others"),
    );
    const silent = await read(
      "some of them with sources that are silent",
      silentCases(given, randomSource(`${TRAINING_SEED}/silent`)).slice(0, SILENT_CASES)
        .map((one) => ({ ...one, set: fit.SILENT, madeOf: one.set })),
    );
    const knowledge = await read("claims made of the factbook", [
      ...factbookMaterial.fitted,
      ...factbookMaterial.varied,
      ...factbookMaterial.written,
    ]);
    const alone = await read("sets that are only measured", held, true);
    const labelled = [...human, ...among, ...silent];
    const fitted = [...labelled, ...knowledge];
    const head = fit.fitHead(fitted);
    const onHuman = fit.heldOutVerdicts(labelled, knowledge, undefined, human);
    const onAlone = fit.headPredictions(alone, head)
      .map((verdict, i) => ({ ...verdict, source: alone[i]!.case.set }));
    const trust = fit.trustBands([...onHuman, ...onAlone]);
    const named = { path: relative(resolve(folder), resolve(path)), sha256: joined.sha256 };
    const weights = fit.weightsFile(fitted, head, { network: named, gazetteer, trust });
    const weightsPath = join(folder, "verifier_weights.json");
    // One line per list of numbers, so that a row of coefficients is readable.
    writeTextAtomic(weightsPath, `${JSON.stringify(weights)}\n`);
    console.log(`Wrote ${shownPath(weightsPath)}; it is measured now.`);
    const heldOut = await read("held-out countries", factbookMaterial.heldOut, true);
    const judged = headAnswers({ human, among, silent, knowledge, heldOut });
    const heads = judged.filter(({ step }) => step === "result").flatMap((one) => one.answers);
    const simple = await likenessOf([...human, ...alone].map((one) => one.case), encoder, signal);
    const fromBaselines = made ? await baselineAnswers(factbookMaterial, encoder, folder) : [];
    const answers = [
      ...heads,
      ...answerRows(MEASURED_ALONE, VERIFIER, onAlone),
      ...baselineSourceAnswers(human, alone, simple),
      ...fromBaselines,
    ];
    const sources: [string, readonly fit.ReadCase[]][] = [];
    for (const words of LONG) {
      const name = `evidence among ${words} words`;
      sources.push([name, await read(name, hidden(sampled(given, PER_LENGTH, name), [words]))]);
    }
    sources.push(["silent on the claim", silent]);
    const verdictsOn = (cases: readonly fit.ReadCase[]) =>
      fit.heldOutVerdicts(labelled, knowledge, undefined, cases);
    const besides = sources.flatMap(([source, cases]) =>
      answerRows(source, VERIFIER, verdictsOn(cases))
    );
    VERIFIER_ANSWERS.at(join(folder, "verifier_answers.csv")).write([...answers, ...besides]);
    const rows = [
      ...judged.flatMap((one) => trainingResults(one.answers, one.step)),
      ...trainingResults(answers.slice(heads.length)),
    ];
    VERIFIER_TRAINING.at(join(folder, "verifier_training.csv")).write(rows);
    VERIFIER_SOURCES.at(join(folder, "verifier_sources.csv"))
      .write(sourceCounts([...answers, ...besides]));
    for (const row of rows) {
      if (row.step === "ablation" || row.reading !== "binary") continue;
      const { verifier, set, n, balanced_accuracy: accuracy, low, high } = row;
      console.log(
        `${verifier} on ${set}: balanced accuracy ` +
          `${shown(measureOfFields({ estimate: accuracy, low, high }))}, n = ${n}`,
      );
    }
    console.log(fittedWords(weightsPath, paths.length === 0 ? undefined : given.length));
    return EXIT.done;
  },
);

/**
 * Cache of the network's outputs for claims. An interrupted run continues, and another head over
 * the same network reads nothing again. Four decimals, on which all processors agree.
 */
function openReadings(path: string, networkSha256: string) {
  const versions = [networkSha256, WINDOWS_VERSION, FEATURES_VERSION, HEAD_INPUTS];
  const keyOf = (one: TrainingCase) => addressOf([versions, caseAddress(one)]);
  const row = z.object({ key: z.string(), inputs: z.array(z.number()).nullable() });
  const rows = existsSync(path) ? readJsonLines(path, (value) => row.parse(value)).rows : [];
  const known = new Map(rows.map(({ key, inputs }) => [key, inputs]));
  return async (one: TrainingCase, read: () => Promise<readonly number[] | undefined>) => {
    const key = keyOf(one);
    if (!known.has(key)) {
      const inputs = (await read())?.map((value) => Number(value.toFixed(4))) ?? null;
      appendJsonLine(path, { key, inputs });
      known.set(key, inputs);
    }
    return known.get(key) ?? undefined;
  };
}

/**
 * Claims of human-labelled sets, of models and by hand, outside all fits. Inputs were selected on
 * them.
 */
async function measuredAlone(folder: string, encoder: SentenceEncoder) {
  const { drawnEvenly, measurementClaims } = await PEOPLES_CLAIMS();
  const cases = await measurementClaims(folder, { encoder, cacheDirectory: CACHE });
  const drawn = drawnEvenly(cases, MOST_OF_SET, `${TRAINING_SEED}/measured`);
  return drawn.map((one): TrainingCase => ({ ...one, split: "test" }));
}

/** Maximum number of claims of each set that is only measured. */
const MOST_OF_SET = 400;

/** Number of claims with sources that do not decide them. */
const SILENT_CASES = 200;

/** Number of claims whose evidence is mixed with other evidence, for the fit. */
const AMONG_OTHERS = 600;

/** Baselines that ignore meaning: a verifier may have learnt no more than one of them. */
const SIMPLE = ["word overlap", "sentence cosine", "claim length"] as const;
type Simple = Readonly<Record<typeof SIMPLE[number], number>>;

async function likenessOf(
  cases: readonly TrainingCase[],
  encoder: SentenceEncoder,
  signal: AbortSignal,
): Promise<readonly Simple[]> {
  using progress = openProgress("baselines on labelled claims", cases.length);
  const rows: Simple[] = [];
  for (const { claim, passages } of cases) {
    signal.throwIfAborted();
    const [cosine] = await baselines.cosineLikeness([claim], passages, encoder);
    rows.push({
      "word overlap": baselines.overlapLikeness(passages)(claim)?.score ?? 0,
      "sentence cosine": cosine?.score ?? 0,
      "claim length": -Math.log(claim.length),
    });
    progress.advance();
  }
  return rows;
}

/** Predictions of each baseline for a source, by a fit to the others. */
function baselineSourceAnswers(
  human: readonly fit.ReadCase[],
  alone: readonly fit.ReadCase[],
  scores: readonly Simple[],
): readonly VerifierAnswer[] {
  return SIMPLE.flatMap((name) => {
    const scored = [...human, ...alone].map((one, i) => ({ ...one, score: scores[i]![name] }));
    const [ofHuman, ofAlone] = [scored.slice(0, human.length), scored.slice(human.length)];
    return [
      ...answerRows(LABELLED, name, fit.lineVerdicts(ofHuman)),
      ...answerRows(
        MEASURED_ALONE,
        name,
        fit.lineVerdicts(ofHuman, ofAlone)
          .map((verdict, i) => ({ ...verdict, source: ofAlone[i]!.case.set })),
      ),
    ];
  });
}

/** Lengths in words of sources in which evidence is hidden. */
const LONG = [300, 1500];
const PER_LENGTH = 300;

/** Cases with evidence mixed among others, where there is any. */
const hidden = (cases: readonly TrainingCase[], lengths?: readonly number[]) =>
  mixedWithOthers(cases, randomSource(`${TRAINING_SEED}/among others`), lengths)
    .filter((one) => one !== undefined);

/** Number of labelled claims below which the output warns that they are few. */
const FEW_CASES = 300;

/** Advice on a head fitted to few user-labelled claims. */
export function fittedWords(path: string, given: number | undefined): string {
  const wrote =
    `Wrote ${shownPath(path)}, with its measurements in the same folder. In a configuration:\n` +
    `verifier: { kind: trained, path: ${JSON.stringify(path)} }`;
  if (given === undefined || given >= FEW_CASES) return wrote;
  return `${wrote}\n${given} labelled claims are few for ${HEAD_INPUTS.length} inputs: compare the ` +
    "head with the default one on claims of yours outside the fit: " +
    "deno task factcheck compare --cases FILE";
}

/** Name of the rows on claims about test countries. */
const HELD_OUT = "factbook claims, test";

/** Claims made from the factbook. Those on development countries fit the head, by kind. */
async function factbookCases(fields: readonly FactbookField[]) {
  const { defaultKnowledgeClaims, writtenCases } = await FACTBOOK_CLAIMS.stated();
  const { countryVariants } = await FACTBOOK_CLAIMS.varied();
  const cases = await defaultKnowledgeClaims();
  const development = cases.filter(({ split }) => split === "development");
  const varied = [...countryVariants(fields)].filter(({ split }) => split === "development");
  return {
    development,
    fitted: sampled(development, MADE_BY_RULE, "made by rule"),
    heldOut: cases.filter(({ split }) => split === "test"),
    varied: [...Map.groupBy(varied, ({ set, label }) => `${set}/${label}`)]
      .flatMap(([name, groupCases]) => sampled(groupCases, PER_KIND, name)),
    // Training data of the network do not show how reliable it is.
    written: writtenCases(fields).filter(({ split }) => split === "development"),
  };
}
const NONE_MADE = { development: [], fitted: [], heldOut: [], varied: [], written: [] };

/** Maximum number of changed statements of development countries per kind. */
const PER_KIND = 15;

/** Maximum number of other rule-made claims. */
const MADE_BY_RULE = 300;

/**
 * Draws `most` cases at random, or returns all where there are fewer. The draw's name is its seed.
 */
function sampled(cases: readonly TrainingCase[], most: number, name: string) {
  return randomSource(`${TRAINING_SEED}/${name}`).sample(cases, Math.min(most, cases.length));
}

/**
 * Predictions of the head, of the network alone and of the ablations. Development claims, alone and
 * among other evidence, are scored by heads fitted without their source; held-out claims follow.
 */
function headAnswers(
  { human, among, silent, knowledge, heldOut }: Readonly<
    Record<"human" | "among" | "silent" | "knowledge" | "heldOut", readonly fit.ReadCase[]>
  >,
) {
  const labelled = [...human, ...among, ...silent];
  const others = fit.INPUT_GROUPS.filter((one) => one !== "network");
  const features = others.filter((one) => one !== "sentences");
  const answered = (
    step: TrainingResult["step"],
    verifier: string,
    ofLabelled: readonly fit.NamedVerdict[],
    ofHeldOut: readonly fit.NamedVerdict[],
  ) => ({
    step,
    answers: ([
      [LABELLED, ofLabelled.slice(0, human.length)],
      [
        LABELLED.replace(",", " among other evidence,"),
        ofLabelled.slice(human.length, human.length + among.length),
      ],
      [HELD_OUT, ofHeldOut],
    ] as const).flatMap(([set, verdicts]) => answerRows(set, verifier, verdicts)),
  });
  const fitted = (step: TrainingResult["step"], verifier: string, groups?: readonly string[]) =>
    answered(
      step,
      verifier,
      fit.heldOutVerdicts(labelled, knowledge, groups),
      fit.headPredictions(heldOut, fit.fitHead([...labelled, ...knowledge], groups)),
    );
  return [
    fitted("result", VERIFIER),
    answered(
      "result",
      "network alone",
      fit.networkPredictions(labelled),
      fit.networkPredictions(heldOut),
    ),
    fitted("result", "features alone", features),
    ...others.map((group) => {
      const rest = fit.INPUT_GROUPS.filter((other) => other !== group);
      return fitted("ablation", `${VERIFIER} without ${group}`, rest);
    }),
  ];
}

/**
 * Fits the baselines' thresholds on development countries and returns their predictions on the
 * others.
 */
async function baselineAnswers(
  { development: fitted, heldOut }: Awaited<ReturnType<typeof factbookCases>>,
  encoder: SentenceEncoder,
  folder: string,
): Promise<readonly VerifierAnswer[]> {
  const scores = {
    overlap: (one: TrainingCase) => baselines.overlapLikeness(one.passages)(one.claim)?.score,
    cosine: async (one: TrainingCase) =>
      (await baselines.cosineLikeness([one.claim], one.passages, encoder))[0]?.score,
  };
  const scored = async (kind: keyof typeof scores, cases: readonly TrainingCase[]) => {
    using progress = openProgress(`baseline ${kind}`, cases.length);
    const rows = [];
    for (const one of cases) {
      rows.push({ ...one, score: await scores[kind](one) });
      progress.advance();
    }
    return rows;
  };
  const calibration = async (kind: keyof typeof scores) =>
    measures.fitScoreCalibration(
      (await scored(kind, fitted)).flatMap(({ score, label }) =>
        score === undefined ? [] : [{ score, label }]
      ),
    );
  const share = (wanted: VerdictLabel) =>
    fitted.filter(({ label }) => label === wanted).length / fitted.length;
  const settings: baselines.BaselineSettings = {
    majority: {
      "supported": share("supported"),
      "refuted": share("refuted"),
      "not enough info": share("not enough info"),
    },
    overlap: await calibration("overlap"),
    cosine: await calibration("cosine"),
  };
  writeJsonAtomic(join(folder, "verifier_baselines.json"), settings);
  const judged = async (kind: keyof typeof scores) =>
    (await scored(kind, heldOut)).map(({ score, ...one }) => ({
      ...one,
      source: fit.familyOf(one),
      probabilities: score === undefined
        ? undefined
        : baselines.scoreProbabilities(score, settings[kind]),
    }));
  return [
    ...answerRows(HELD_OUT, "word overlap", await judged("overlap")),
    ...answerRows(HELD_OUT, "sentence cosine", await judged("cosine")),
    ...answerRows(
      HELD_OUT,
      "majority",
      heldOut.map((one) => (
        { ...one, source: fit.familyOf(one), probabilities: settings.majority }
      )),
    ),
  ];
}
