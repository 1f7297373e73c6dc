import { join, relative, resolve } from "node:path";
import { FACTUALITY_PATHS } from "../../../lib/factuality/paths.ts";
import {
  countryGazetteer,
  type FactbookField,
  factbookFields,
} from "../../../lib/factuality/retrieval/factbook.ts";
import * as measures from "../../../lib/factuality/own/training/measures.ts";
import { amongOthers, fileCases, silentCases } from "../../../lib/factuality/own/training/pairs.ts";
import type { TrainingCase } from "../../../lib/factuality/own/training/pairs.ts";
import { TRAINING_SEED } from "../../../lib/factuality/own/training/splits.ts";
import {
  answerRows,
  LABELLED,
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
import { claimReader, HEAD_INPUTS } from "../../../lib/factuality/verifiers/head.ts";
import { requireWritable, shownPath, writeTextAtomic } from "../../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../../lib/files/json.ts";
import { openProgress } from "../../../lib/files/progress.ts";
import { openCrossEncoder } from "../../../lib/models/encoder/cross_encoder.ts";
import { loadMiniLm } from "../../../lib/models/encoder/minilm.ts";
import { joinNetwork } from "../../../lib/models/encoder/shipped_network.ts";
import { measureOfFields, shown } from "../../../lib/stats/measure.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { command, EXIT, int } from "../../command.ts";
import { CONFIGURATION, verifierLine } from "../opening.ts";
import { FACTBOOK_CLAIMS } from "../../open_studies.ts";

const CACHE = FACTUALITY_PATHS.cache;

export const TASK = command(
  "factcheck train verifier",
  "Fits the head over a fine-tuned network and the readable features on labelled claims that the " +
    "network did not learn from, without PyTorch, and measures it. Writes verifier_weights.json, " +
    "verifier_answers.csv, a row a claim, verifier_training.csv, verifier_sources.csv and thresholds of the " +
    "baselines; evaluation.yaml " +
    "takes the weights as { kind: trained, path: … }. With --config it calibrates the language model that a configuration of yours names as its verifier.",
  (c) =>
    c.option("--cases <file...>", "labelled claims: .jsonl, .jsonl.gz, .csv", [])
      .option("--config <file>", "calibrate its language model instead of fitting a head")
      .option(
        "--verifier <name>",
        "the same of a server's model: its address, with --model, or groq:MODEL",
      )
      .option("--model <name>", "that the server of --verifier runs")
      .option("--out <folder>", "for that calibration; .cache/verifiers/NAME by default")
      .option("--no-made", "without claims made of the factbook")
      .option(
        "--network <file>",
        "of deno task factcheck train network",
        FACTUALITY_PATHS.verifierNetwork,
      )
      .option("--folder <folder>", "for what is made", join(CACHE, "finetune"))
      .option("--threads <n>", "of the network", int({ min: 1, max: 1024 }), 2),
  async (
    { cases: paths, made, network: path, folder: wanted, threads, config, out, ...served },
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
          "docs/fact_checking.md tells the columns.",
      );
    }
    if (given.some(({ set }) => set === fit.SILENT)) {
      throw new RangeError(
        `Cannot fit a head: a set of ${paths.join(", ")} is called “${fit.SILENT}”, as are the ` +
          "claims that are shown with sources which are silent on them. Give it another name.",
      );
    }
    // Before minutes of work: what is in the way is told at once.
    for (const name of ["weights.json", "answers.csv", "training.csv", "sources.csv"]) {
      requireWritable(join(folder, `verifier_${name}`));
    }
    const joined = await joinNetwork(path, { cacheDirectory: CACHE });
    const fields = await factbookFields(CACHE);
    const own = made ? await factbookCases(fields) : NONE_MADE;
    await using network = await openCrossEncoder(joined.path, { threads });
    const gazetteer = countryGazetteer(fields).map((one) => ({ ...one, also: [...one.also] }));
    const reader = claimReader(network, gazetteer);
    const read = async (label: string, cases: readonly TrainingCase[]) => {
      using progress = openProgress(label, cases.length);
      const rows: fit.ReadCase[] = [];
      for (const one of cases) {
        signal.throwIfAborted();
        const reading = await reader(one.passages)(one.claim);
        const inputs = reading === undefined || "kind" in reading ? undefined : reading.inputs;
        rows.push({ case: one, inputs });
        progress.advance();
      }
      return rows;
    };
    const human = await read("labelled claims", given);
    const among = await read("the same among other evidence", hidden(given));
    const silent = await read(
      "a fifth of them with sources that are silent",
      silentCases(given, randomSource(`${TRAINING_SEED}/silent`))
        .map((one) => ({ ...one, set: fit.SILENT })),
    );
    const knowledge = await read("claims made of the factbook", [
      ...own.fitted,
      ...own.varied,
      ...own.written,
    ]);
    const heldOut = await read("held-out countries", own.heldOut);
    const labelled = [...human, ...among, ...silent];
    const fitted = [...labelled, ...knowledge];
    const head = fit.fitHead(fitted);
    const named = { path: relative(resolve(folder), resolve(path)), sha256: joined.sha256 };
    const weights = fit.weightsFile(fitted, head, { network: named, gazetteer });
    const weightsPath = join(folder, "verifier_weights.json");
    // One line a list of numbers: a row of coefficients is read as a row.
    writeTextAtomic(weightsPath, `${JSON.stringify(weights)}\n`);
    const judged = headAnswers({ human, among, silent, knowledge, heldOut });
    const heads = judged.filter(({ step }) => step === "result").flatMap((one) => one.answers);
    const fromBaselines = made ? await baselineAnswers(own, folder) : [];
    const answers = [...heads, ...fromBaselines];
    const sources: [string, readonly fit.ReadCase[]][] = [];
    for (const words of LONG) {
      const name = `evidence among ${words} words`;
      sources.push([name, await read(name, hidden(sampled(given, PER_LENGTH, name), [words]))]);
    }
    sources.push(["silent on the claim", silent]);
    const verdictsOn = (cases: readonly fit.ReadCase[]) =>
      fit.crossFitted(labelled, knowledge, undefined, cases);
    const besides = sources.flatMap(([source, cases]) =>
      answerRows(source, VERIFIER, verdictsOn(cases))
    );
    VERIFIER_ANSWERS.at(join(folder, "verifier_answers.csv")).write([...answers, ...besides]);
    const rows = [
      ...judged.flatMap((one) => trainingResults(one.answers, one.step)),
      ...trainingResults(fromBaselines),
    ];
    VERIFIER_TRAINING.at(join(folder, "verifier_training.csv")).write(rows);
    VERIFIER_SOURCES.at(join(folder, "verifier_sources.csv"))
      .write(sourceCounts([...answers, ...besides]));
    for (const row of rows) {
      if (row.step !== "result" || row.reading !== "binary") continue;
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

/** Words of the sources in which evidence is hidden to count what still passes, and claims of each. */
const LONG = [300, 1500];
const PER_LENGTH = 600;

/** The cases among other evidence, those for which there is any. */
const hidden = (cases: readonly TrainingCase[], lengths?: readonly number[]) =>
  amongOthers(cases, randomSource(`${TRAINING_SEED}/among others`), lengths)
    .filter((one) => one !== undefined);

/** Fewer labelled claims than this leave a head to those made of the factbook. */
const FEW_CASES = 300;

/** What to do with a head that was fitted to so many labelled claims of a user's, if to any. */
export function fittedWords(path: string, given: number | undefined): string {
  const wrote = `Wrote ${shownPath(path)}, and what was measured beside it. In a configuration:\n` +
    `verifier: { kind: trained, path: ${JSON.stringify(path)} }`;
  if (given === undefined || given >= FEW_CASES) return wrote;
  return `${wrote}\n${given} labelled claims are few for ${HEAD_INPUTS.length} inputs: compare the ` +
    "head with the one that ships on claims of yours that it has not seen: " +
    "deno task factcheck compare --cases FILE";
}

/** Name of the rows on claims about the test countries. */
const HELD_OUT = "factbook claims, test";

/** Claims made of the factbook: about development countries those that the head is fitted on, by kind. */
async function factbookCases(fields: readonly FactbookField[]) {
  const { usualKnowledgeClaims, writtenCases } = await FACTBOOK_CLAIMS.stated();
  const { countryVariants } = await FACTBOOK_CLAIMS.varied();
  const cases = await usualKnowledgeClaims();
  const varied = [...countryVariants(fields)].filter(({ split }) => split === "development");
  return {
    fitted: cases.filter(({ split }) => split === "development"),
    heldOut: cases.filter(({ split }) => split === "test"),
    varied: [...Map.groupBy(varied, ({ set, label }) => `${set}/${label}`)]
      .flatMap(([name, own]) => sampled(own, PER_KIND, name)),
    // What the network learnt from says nothing of how far it is to be believed.
    written: writtenCases(fields).filter(({ split }) => split === "development"),
  };
}
const NONE_MADE = { fitted: [], heldOut: [], varied: [], written: [] };

/** Statements of the development countries with one change: so many of each kind are enough. */
const PER_KIND = 60;

/** So many by lot, or all where there are fewer; which ones goes by the name of the draw. */
function sampled(cases: readonly TrainingCase[], most: number, name: string) {
  return randomSource(`${TRAINING_SEED}/${name}`).sample(cases, Math.min(most, cases.length));
}

/**
 * Answers of the head, the network alone, and ablations: cross-fitted on claims (as they are, among other
 * evidence and with silent sources, all in one fold), and on held-out ones.
 */
function headAnswers(
  { human, among, silent, knowledge, heldOut }: Readonly<
    Record<"human" | "among" | "silent" | "knowledge" | "heldOut", readonly fit.ReadCase[]>
  >,
) {
  const labelled = [...human, ...among, ...silent];
  const others = fit.INPUT_GROUPS.filter((one) => one !== "network");
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
      fit.crossFitted(labelled, knowledge, groups),
      fit.judgedBy(heldOut, fit.fitHead([...labelled, ...knowledge], groups)),
    );
  return [
    fitted("result", VERIFIER),
    answered(
      "result",
      "network alone",
      fit.judgedByNetwork(labelled),
      fit.judgedByNetwork(heldOut),
    ),
    fitted("result", "features alone", others),
    ...others.map((group) => {
      const rest = fit.INPUT_GROUPS.filter((other) => other !== group);
      return fitted("ablation", `${VERIFIER} without ${group}`, rest);
    }),
  ];
}

/** Thresholds of the baselines from the development countries, and what they do on the others. */
async function baselineAnswers(
  { fitted, heldOut }: Awaited<ReturnType<typeof factbookCases>>,
  folder: string,
): Promise<readonly VerifierAnswer[]> {
  await using encoder = await loadMiniLm({ cacheDirectory: CACHE, threads: 1 });
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
      heldOut.map((one) => ({ ...one, probabilities: settings.majority })),
    ),
  ];
}
