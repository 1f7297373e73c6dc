import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import type { LabelledCase } from "../../lib/factuality/datasets/labelled_case.ts";
import { loadSharedSet, presentSets } from "../../lib/factuality/datasets/open_cases.ts";
import { decide } from "../../lib/factuality/decision.ts";
import { caseSha256, drawCases } from "../../lib/factuality/evaluate/ask_components.ts";
import { HUMAN_LABELLED } from "../../lib/factuality/evaluate/human_labelled.ts";
import { claimKey, judgedClaims } from "../../lib/factuality/generation/response_claims.ts";
import { openCountryLookup } from "../../lib/factuality/generation/response_claims.ts";
import { RESPONSE_CLAIM_LABELS, RESPONSE_CLAIMS } from "../../lib/factuality/generation/tables.ts";
import * as tuned from "../../lib/factuality/training/fine_tuning.ts";
import { KNOWLEDGE_SET } from "../../lib/factuality/training/knowledge_claims.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_claims.ts";
import type { JudgedCase, Reading } from "../../lib/factuality/training/measures.ts";
import { wordsOf } from "../../lib/factuality/training/splits.ts";
import { type FineTuningResult, testResults } from "../../lib/factuality/training/tables.ts";
import { VERDICT_LABELS } from "../../lib/factuality/types.ts";
import * as encoder from "../../lib/factuality/verifiers/cross_encoder.ts";
import { askMissing } from "../../lib/files/ask_missing.ts";
import { openAsking, openProgress } from "../../lib/files/progress.ts";
import { blankOr, number, table, text } from "../../lib/files/table.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** As tables name the claims that models made about held-out countries and a reader labelled. */
const MODEL_CLAIMS = "claims of models, labelled by a reader";

/** The claims with the passages that the verifier was given, looked up again. */
export async function modelClaimCases(cacheDirectory: string, threads: number) {
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const countries = new Map(RESPONSE_CLAIMS.read().map((row) => [claimKey(row), row.country]));
  const rows = RESPONSE_CLAIM_LABELS.read();
  using progress = openProgress("passages for claims of models", rows.length);
  const cases: LabelledCase[] = [];
  for (const row of rows) {
    const { claim, label, question_id: cluster } = row;
    const id = claimKey(row);
    const country = countries.get(id);
    if (country === undefined) {
      throw new RangeError(
        `Cannot measure on claims of models: ${id} is labelled and is no claim by now; run deno ` +
          "task respond and label it again",
      );
    }
    const passages = await lookup.forClaim(claim, country);
    cases.push({ id, claim, label, cluster, passages, set: MODEL_CLAIMS });
    progress.advance();
  }
  return cases;
}

type Readings = readonly Reading[];

/** Cases of one name, and the ways in which their labels are read. */
export interface MeasuredSet {
  readonly name: string;
  readonly cases: readonly LabelledCase[];
  readonly readings: Readings;
  /** Whether only the network that is used is asked; the others' worth shows on less. */
  readonly isThorough: boolean;
}

/** Sets that people labelled; the second reading of one of them is left out. */
const HUMAN_SETS = ["begin_wow", "halueval_qa", "factcheckgpt_stance"];

/** Claims of each such set that every network is asked about, half of them supported. */
const DRAWN = 200;
const TEST = `${KNOWLEDGE_SET}, test`;
const BOTH = ["three-way", "binary"] as const;

/** Held-out countries, claims of models about some of them, and what is there that people labelled. */
export function measuredSets(
  cases: readonly KnowledgeCase[],
  modelClaims: readonly LabelledCase[],
): readonly MeasuredSet[] {
  const test = cases.filter(({ split }) => split === "test");
  // Some few stand in the same words where something was learnt from.
  const known = new Set(
    cases.filter(({ split }) => split !== "test").map(({ claim }) => wordsOf(claim)),
  );
  const unseen = test.filter(({ claim }) => !known.has(wordsOf(claim)));
  const usual = (name: string, cases: readonly LabelledCase[]) => (
    { name, cases, readings: BOTH, isThorough: false }
  );
  return [
    usual(TEST, test),
    usual(`${TEST}, of words not learnt from`, unseen),
    usual(MODEL_CLAIMS, modelClaims),
    ...presentSets().filter(({ name }) => HUMAN_SETS.includes(name)).flatMap((set) => {
      const { name } = set;
      // All claims with a source, and a balanced draw of them.
      const all = loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0);
      const drawn = drawCases(all, DRAWN, randomSource(`fine-tuning/${name}`));
      const readings = ["binary"] as const;
      return [
        { name, cases: all, readings, isThorough: true },
        { name: `${name}, draw of ${drawn.length}`, cases: drawn, readings, isThorough: false },
      ];
    }),
  ];
}

/** Of the sorted values the one in the middle, the upper of two. */
const upperMedian = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Figures of one network on every set; undefined where Ctrl-C ended it. */
export async function measureNetwork(
  { name: model, shown, isUsed }: NetworkKind,
  network: CrossEncoder,
  sets: readonly MeasuredSet[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly FineTuningResult[] | undefined> {
  const rows: FineTuningResult[] = [];
  const path = join(folder, "answers.csv");
  for (const { name: set, cases, readings, isThorough } of sets) {
    if (isThorough && !isUsed) continue;
    const answers = await askNetwork(cases, network, shown, path, `${model}, ${set}`, signal);
    if (answers === undefined) return undefined;
    const judged = cases.map(({ label, cluster }, i): JudgedCase => {
      const { supported, refuted, not_enough_info } = answers[i]!;
      const isRead = supported !== "" && refuted !== "" && not_enough_info !== "";
      const probabilities = isRead
        ? { supported, refuted, "not enough info": not_enough_info }
        : undefined;
      return { label, cluster, probabilities };
    });
    const milliseconds = answers.map((row) => row.processor_milliseconds);
    const common = { model, set, labels: "", n: cases.length, clusters: 0, low: "", high: "" };
    const metric = "milliseconds of processor time a claim";
    const estimate = Number(upperMedian(milliseconds).toFixed(1));
    const note = "median; on a busy machine more than on an idle one";
    rows.push(...resultsOf(model, set, readings, judged));
    rows.push({ ...common, metric, estimate, note } as FineTuningResult);
  }
  return rows;
}

const resultsOf = (model: string, set: string, readings: Readings, judged: readonly JudgedCase[]) =>
  readings.flatMap((reading) =>
    tuned.networkResults(
      { model, set, reading },
      judged,
      randomSource(`${model}/${set}/${reading}`),
    )
  );

/** Calibrated probabilities; empty for a claim that could not be read. */
const SHARE = blankOr(number("0–1", { min: 0, max: 1 }));

/** What networks said of cases, in the folder that they are kept in. */
const NETWORK_ANSWERS = table({
  path: "/answers.csv",
  about: "answers of fine-tuned networks",
  maker: "deno task train network",
  columns: {
    model_sha256: text("of the network"),
    set: text("of cases"),
    case_id: text("of the case"),
    case_sha256: text("of claim, label and source"),
    supported: SHARE,
    refuted: SHARE,
    not_enough_info: SHARE,
    processor_milliseconds: number("of this process on all its threads"),
  },
  key: ["model_sha256", "set", "case_id", "case_sha256"],
});

/** Asks what the table lacks, each answer on disk as it comes; undefined where a signal ended it. */
async function askNetwork(
  cases: readonly LabelledCase[],
  network: CrossEncoder,
  shown: tuned.Shown,
  path: string,
  label: string,
  signal: AbortSignal,
) {
  using answers = NETWORK_ANSWERS.at(path).open();
  const model_sha256 = String(network.settings["weightsSha256"]);
  const known = (one: LabelledCase) => (
    { model_sha256, set: one.set, case_id: one.id, case_sha256: caseSha256(one) }
  );
  const keyOf = (one: LabelledCase) => JSON.stringify(Object.values(known(one)));
  const tokenise = (text: string) => network.tokenise(text);
  using progress = openAsking(label);
  const { missing } = await askMissing({
    questions: cases,
    keyOf,
    table: answers,
    async ask(one) {
      const begun = processorMilliseconds();
      const sentences = encoder.sourceSentences(tuned.shownPassages(one.passages, shown), tokenise);
      const pair = encoder.packPair(one.claim, sentences, tokenise, network);
      const said = pair &&
        encoder.crossEncoderProbabilities(await network.logits(pair.ids), network.temperature);
      return {
        ...known(one),
        supported: said?.supported ?? "",
        refuted: said?.refuted ?? "",
        not_enough_info: said?.["not enough info"] ?? "",
        processor_milliseconds: processorMilliseconds() - begun,
      } as const;
    },
    signal,
    onProgress: progress.show,
  });
  return missing > 0 ? undefined : cases.map((one) => answers.rows.get(keyOf(one))!);
}

/** Milliseconds that this process has computed, on all its threads. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Greatest difference of a probability from PyTorch with GELU rounded as llama.cpp rounds it. */
export const AGREEMENT_BAR = 1e-3;
const LOGITS = z.array(z.number()).length(VERDICT_LABELS.length);
const ANSWER = z.object({ plain: LOGITS, rounded: LOGITS });

/** How far this process and PyTorch differ on the same tokens, in probability before the temperature. */
export interface Agreement {
  readonly pairs: number;
  /** Greatest and median of a pair's greatest difference; PyTorch as it is. */
  readonly greatest: number;
  readonly median: number;
  /** The greatest where PyTorch rounds GELU to 16 bits as llama.cpp does: what conversion costs. */
  readonly greatestRounded: number;
  /** Pairs with the same verdict. */
  readonly sameVerdict: number;
}

const probabilitiesOf = (logits: readonly number[]) => encoder.crossEncoderProbabilities(logits, 1);

/** Greatest difference of a probability. */
export function greatestDifference(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [probabilitiesOf(one), probabilitiesOf(other)];
  return Math.max(...VERDICT_LABELS.map((label) => Math.abs(first[label] - second[label])));
}

/**
 * Compares this process with PyTorch.
 * @param pairs The first rows of the file that the script reads.
 * @param predict The script and its arguments, but for the number of pairs.
 * @throws {RangeError} where the converted network is over {@link AGREEMENT_BAR} away.
 */
export async function agreementWithPyTorch(
  network: CrossEncoder,
  pairs: readonly tuned.TrainingPair[],
  python: string,
  predict: readonly string[],
): Promise<Agreement> {
  const args = [...predict, String(pairs.length)];
  const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) {
    throw new Error(`Cannot compare with PyTorch: ${new TextDecoder().decode(stderr)}`);
  }
  const theirs = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => ANSWER.parse(JSON.parse(line)));
  const found = [];
  for (const [index, { ids }] of pairs.entries()) {
    const [ours, { plain, rounded }] = [await network.logits(ids), theirs[index]!];
    found.push({
      plain: greatestDifference(ours, plain),
      rounded: greatestDifference(ours, rounded),
      same: decide(probabilitiesOf(ours)) === decide(probabilitiesOf(plain)),
    });
  }
  const differences = found.map(({ plain }) => plain);
  const greatestRounded = Math.max(...found.map(({ rounded }) => rounded));
  if (greatestRounded > AGREEMENT_BAR) {
    throw new RangeError(
      `Cannot use the converted network: its probabilities are up to ${greatestRounded} away from ` +
        `PyTorch's, over ${AGREEMENT_BAR}`,
    );
  }
  return {
    pairs: pairs.length,
    greatest: Math.max(...differences),
    greatestRounded,
    median: upperMedian(differences),
    sameVerdict: found.filter(({ same }) => same).length,
  };
}

const MODEL = "trained head";
const VERIFIER = "trained verifier";

/**
 * The verifier that ships, on the sets that the networks were measured on: held-out claims as `deno task
 * train verifier` measured it, claims of models, and human-labelled ones as `deno task study compare
 * --human` did.
 */
export function shippedResults(sets: readonly string[]): readonly FineTuningResult[] {
  const none = { low: "", high: "" } as const;
  const onTest = testResults().filter(({ verifier }) => verifier === VERIFIER).flatMap((row) => {
    const { set, reading: labels, n, clusters, accuracy, low, high } = row;
    const common = { model: MODEL, set, labels, n, clusters, note: "verifier_training.csv" };
    return [
      { ...common, metric: "accuracy", estimate: accuracy, ...none },
      { ...common, metric: "balanced accuracy", estimate: row.balanced_accuracy, low, high },
      { ...common, metric: "calibration error", estimate: row.calibration_error, ...none },
      { ...common, metric: "Brier score", estimate: row.brier, ...none },
    ];
  });
  const judged = judgedClaims(RESPONSE_CLAIM_LABELS.read(), RESPONSE_CLAIMS.read());
  const byPeople = HUMAN_LABELLED.read().filter(({ set, cases, component }) =>
    component === VERIFIER && cases === "all" && sets.includes(set)
  ).flatMap((row) => {
    const { set, n, clusters } = row;
    const labels = "binary" as const;
    const common = { model: MODEL, set, labels, n, clusters, note: "human_labelled.csv" };
    const names = ["accuracy", "balanced_accuracy", "precision", "recall"] as const;
    return [
      ...names.map((name) => ({
        ...common,
        metric: name.replace("_", " "),
        estimate: row[name],
        low: row[`${name}_low`],
        high: row[`${name}_high`],
      })),
      { ...common, metric: "calibration error", estimate: row.calibration_error, ...none },
    ];
  });
  return [...onTest, ...resultsOf(MODEL, MODEL_CLAIMS, BOTH, judged), ...byPeople];
}

/** One of the networks that are trained and compared. */
export interface NetworkKind {
  /** As tables name it. */
  readonly name: string;
  /** Folder and file below the task's own. */
  readonly file: string;
  readonly shown: tuned.Shown;
  /** Whether only the head learns: the figures before fine-tuning. */
  readonly frozen: boolean;
  /** Whether it is the one that evaluations use. */
  readonly isUsed: boolean;
}
