import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import type { LabelledCase } from "../../lib/factuality/datasets/labelled_case.ts";
import {
  loadSharedSet,
  presentSets,
  type SharedSet,
} from "../../lib/factuality/datasets/open_cases.ts";
import { decide } from "../../lib/factuality/decision.ts";
import { caseSha256, drawCases } from "../../lib/factuality/evaluate/ask_components.ts";
import {
  HUMAN_LABELLED,
  type HumanLabelledRow,
} from "../../lib/factuality/evaluate/human_labelled.ts";
import {
  claimKey,
  judgedClaims,
  openCountryLookup,
} from "../../lib/factuality/generation/response_claims.ts";
import { RESPONSE_CLAIM_LABELS, RESPONSE_CLAIMS } from "../../lib/factuality/generation/tables.ts";
import {
  networkResults,
  type Shown,
  shownPassages,
  type TrainingPair,
} from "../../lib/factuality/training/fine_tuning.ts";
import {
  KNOWLEDGE_SET,
  type KnowledgeCase,
} from "../../lib/factuality/training/knowledge_claims.ts";
import type { JudgedCase, Reading } from "../../lib/factuality/training/measures.ts";
import { wordsOf } from "../../lib/factuality/training/splits.ts";
import {
  type FineTuningResult,
  testResults,
  type TrainingResult,
} from "../../lib/factuality/training/tables.ts";
import { VERDICT_LABELS, type VerdictProbabilities } from "../../lib/factuality/types.ts";
import {
  crossEncoderProbabilities,
  packPair,
  sourceSentences,
} from "../../lib/factuality/verifiers/cross_encoder.ts";
import { askMissing } from "../../lib/files/ask_missing.ts";
import { openAsking, openProgress } from "../../lib/files/progress.ts";
import { blankOr, number, type RowOf, table, text } from "../../lib/files/table.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** As tables name the claims that models made about held-out countries and a reader labelled. */
const MODEL_CLAIMS = "claims of models, labelled by a reader";

/** The claims with the passages that the verifier was given, looked up again. */
export async function modelClaimCases(
  cacheDirectory: string,
  threads: number,
): Promise<readonly LabelledCase[]> {
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const countries = new Map(RESPONSE_CLAIMS.read().map((row) => [claimKey(row), row.country]));
  const rows = RESPONSE_CLAIM_LABELS.read();
  using progress = openProgress("passages for claims of models", rows.length);
  const cases: LabelledCase[] = [];
  for (const row of rows) {
    const { claim, label, question_id: cluster } = row;
    const country = countries.get(claimKey(row));
    if (country === undefined) {
      throw new RangeError(
        `Cannot measure on claims of models: ${
          claimKey(row)
        } is labelled and is no claim by now; ` +
          "run deno task respond and label it again",
      );
    }
    const passages = await lookup.forClaim(claim, country);
    cases.push({ id: claimKey(row), claim, label, cluster, passages, set: MODEL_CLAIMS });
    progress.advance();
  }
  return cases;
}

/** What the verifier that ships said of the same claims. */
function shippedModelClaims(): readonly FineTuningResult[] {
  const judged = judgedClaims(RESPONSE_CLAIM_LABELS.read(), RESPONSE_CLAIMS.read());
  return (["three-way", "binary"] as const).flatMap((reading) =>
    networkResults(
      { model: "trained head", set: MODEL_CLAIMS, reading },
      judged,
      randomSource(`trained head/${MODEL_CLAIMS}/${reading}`),
    )
  );
}

/** Cases of one name, and the ways in which their labels are read. */
export interface MeasuredSet {
  readonly name: string;
  readonly cases: readonly LabelledCase[];
  readonly readings: readonly Reading[];
  /** Whether only the network that is used is asked; the others' worth shows on less. */
  readonly isThorough: boolean;
}

/** Sets that people labelled; the second reading of one of them is left out. */
const HUMAN_SETS = ["begin_wow", "halueval_qa", "factcheckgpt_stance"];

/** Claims of each such set that every network is asked about, half of them supported. */
const DRAWN = 200;
const TEST = `${KNOWLEDGE_SET}, test`;
const BOTH = ["three-way", "binary"] as const;

/** Claims of held-out countries; some few stand in the same words where something was learnt from. */
function heldOutSets(cases: readonly KnowledgeCase[]): readonly MeasuredSet[] {
  const test = cases.filter(({ split }) => split === "test");
  const known = new Set(
    cases.filter(({ split }) => split !== "test").map(({ claim }) => wordsOf(claim)),
  );
  const unseen = test.filter(({ claim }) => !known.has(wordsOf(claim)));
  return [
    { name: TEST, cases: test, readings: BOTH, isThorough: false },
    { name: `${TEST}, of words not learnt from`, cases: unseen, readings: BOTH, isThorough: false },
  ];
}

/** All claims with a source, and a balanced draw of them. */
function humanSets(set: SharedSet): readonly MeasuredSet[] {
  const { name } = set;
  const all = loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0);
  const drawn = drawCases(all, DRAWN, randomSource(`fine-tuning/${name}`));
  return [
    { name, cases: all, readings: ["binary"], isThorough: true },
    {
      name: `${name}, draw of ${drawn.length}`,
      cases: drawn,
      readings: ["binary"],
      isThorough: false,
    },
  ];
}

/** Held-out countries, claims of models about some of them, and what is there that people labelled. */
export function measuredSets(
  cases: readonly KnowledgeCase[],
  modelClaims: readonly LabelledCase[],
): readonly MeasuredSet[] {
  const human = presentSets().filter(({ name }) => HUMAN_SETS.includes(name));
  return [
    ...heldOutSets(cases),
    { name: MODEL_CLAIMS, cases: modelClaims, readings: BOTH, isThorough: false },
    ...human.flatMap(humanSets),
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Figures of one network on every set; undefined where Ctrl-C ended it. */
export async function measureNetwork(
  { name, shown, isUsed }: NetworkKind,
  network: CrossEncoder,
  sets: readonly MeasuredSet[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly FineTuningResult[] | undefined> {
  const rows: FineTuningResult[] = [];
  for (
    const { name: set, cases, readings } of sets.filter(({ isThorough }) => isUsed || !isThorough)
  ) {
    const asking = { network, shown, label: `${name}, ${set}`, signal };
    const asked = await askNetwork(cases, { ...asking, path: join(folder, "answers.csv") });
    if (asked === undefined) return undefined;
    rows.push(...readings.flatMap((reading) =>
      networkResults(
        { model: name, set, reading },
        asked.judged,
        randomSource(`${name}/${set}/${reading}`),
      )
    ));
    rows.push({
      model: name,
      set,
      labels: "",
      metric: "milliseconds of processor time a claim",
      n: cases.length,
      clusters: 0,
      low: "",
      high: "",
      estimate: Number(median(asked.milliseconds).toFixed(1)),
      note: "median; on a busy machine more than on an idle one",
    });
  }
  return rows;
}

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
type NetworkAnswer = RowOf<typeof NETWORK_ANSWERS>;

/** Whom to ask, what it sees, and where answers are kept. */
interface Asking {
  readonly network: CrossEncoder;
  readonly shown: Shown;
  /** A table of the cache: answers of earlier runs are read from it. */
  readonly path: string;
  readonly label: string;
  readonly signal: AbortSignal;
}

/** Asks what the table lacks, each answer on disk as it comes; undefined where a signal ended it. */
async function askNetwork(
  cases: readonly LabelledCase[],
  { network, shown, path, label, signal }: Asking,
): Promise<
  { readonly judged: readonly JudgedCase[]; readonly milliseconds: readonly number[] } | undefined
> {
  using answers = NETWORK_ANSWERS.at(path).open();
  const model = String(network.settings["weightsSha256"]);
  const keyOf = (one: LabelledCase) => JSON.stringify([model, one.set, one.id, caseSha256(one)]);
  using progress = openAsking(label);
  const { missing } = await askMissing({
    questions: cases,
    keyOf,
    table: answers,
    ask: (one) => answerOf(network, one, shown),
    signal,
    onProgress: progress.show,
  });
  if (missing > 0) return undefined;
  const all = cases.map((one) => answers.rows.get(keyOf(one))!);
  return {
    judged: cases.map(({ label, cluster }, i) => ({
      label,
      cluster,
      probabilities: probabilitiesOfRow(all[i]!),
    })),
    milliseconds: all.map((row) => row.processor_milliseconds),
  };
}

function probabilitiesOfRow(
  { supported, refuted, not_enough_info }: NetworkAnswer,
): VerdictProbabilities | undefined {
  if (supported === "" || refuted === "" || not_enough_info === "") return undefined;
  return { supported, refuted, "not enough info": not_enough_info };
}

async function answerOf(
  network: CrossEncoder,
  one: LabelledCase,
  shown: Shown,
): Promise<NetworkAnswer> {
  const begun = processorMilliseconds();
  const tokenise = (text: string) => network.tokenise(text);
  const sentences = sourceSentences(shownPassages(one.passages, shown), tokenise);
  const pair = packPair(one.claim, sentences, tokenise, network);
  const said = pair &&
    crossEncoderProbabilities(await network.logits(pair.ids), network.temperature);
  return {
    model_sha256: String(network.settings["weightsSha256"]),
    set: one.set,
    case_id: one.id,
    case_sha256: caseSha256(one),
    supported: said?.supported ?? "",
    refuted: said?.refuted ?? "",
    not_enough_info: said?.["not enough info"] ?? "",
    processor_milliseconds: processorMilliseconds() - begun,
  };
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

/** The weights as PyTorch evaluates them. */
interface Reference {
  readonly python: string;
  readonly script: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly weights: string;
  readonly pairsPath: string;
}

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

async function referenceAnswers(
  { python, script, model, weights, pairsPath }: Reference,
  count: number,
): Promise<readonly z.infer<typeof ANSWER>[]> {
  const args = [script, model, weights, pairsPath, String(count)];
  const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) {
    throw new Error(`Cannot compare with PyTorch: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => ANSWER.parse(JSON.parse(line)));
}

const probabilitiesOf = (logits: readonly number[]) => crossEncoderProbabilities(logits, 1);

/** Greatest difference of a probability. */
export function greatestDifference(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [probabilitiesOf(one), probabilitiesOf(other)];
  return Math.max(...VERDICT_LABELS.map((label) => Math.abs(first[label] - second[label])));
}

/**
 * Compares this process with PyTorch.
 *
 * @param pairs The first rows of the reference's file.
 * @throws {RangeError} where the converted network is over {@link AGREEMENT_BAR} away.
 */
export async function agreementWithPyTorch(
  network: CrossEncoder,
  pairs: readonly TrainingPair[],
  reference: Reference,
): Promise<Agreement> {
  const theirs = await referenceAnswers(reference, pairs.length);
  const found = [];
  for (const [index, { ids }] of pairs.entries()) {
    const [ours, { plain, rounded }] = [await network.logits(ids), theirs[index]!];
    found.push({
      plain: greatestDifference(ours, plain),
      rounded: greatestDifference(ours, rounded),
      same: decide(probabilitiesOf(ours)) === decide(probabilitiesOf(plain)),
    });
  }
  const sorted = found.map(({ plain }) => plain).toSorted((a, b) => a - b);
  const greatestRounded = Math.max(...found.map(({ rounded }) => rounded));
  if (greatestRounded > AGREEMENT_BAR) {
    throw new RangeError(
      `Cannot use the converted network: its probabilities are up to ${greatestRounded} away from ` +
        `PyTorch's, over ${AGREEMENT_BAR}`,
    );
  }
  return {
    pairs: pairs.length,
    greatest: sorted.at(-1)!,
    greatestRounded,
    median: sorted[Math.floor(sorted.length / 2)]!,
    sameVerdict: found.filter(({ same }) => same).length,
  };
}

/** The verifier that ships, on the sets that the networks were measured on. */
export function shippedResults(sets: readonly string[]): readonly FineTuningResult[] {
  return [
    ...shippedTestResults(testResults()),
    ...shippedModelClaims(),
    ...shippedHumanResults(HUMAN_LABELLED.read(), sets),
  ];
}

const MODEL = "trained head";
const VERIFIER = "trained verifier";

/** The verifier that ships on the same held-out claims, as `deno task train verifier` measured it. */
function shippedTestResults(
  results: readonly TrainingResult[],
): readonly FineTuningResult[] {
  return results.filter(({ verifier }) => verifier === VERIFIER).flatMap((row) => {
    const { set, reading: labels, n, clusters } = row;
    const common = { model: MODEL, set, labels, n, clusters, note: "verifier_training.csv" };
    return [
      { ...common, metric: "accuracy", estimate: row.accuracy, low: "", high: "" },
      {
        ...common,
        metric: "balanced accuracy",
        estimate: row.balanced_accuracy,
        low: row.low,
        high: row.high,
      },
      { ...common, metric: "calibration error", ...point(row.calibration_error) },
      { ...common, metric: "Brier score", ...point(row.brier) },
    ] as const;
  });
}

function point(estimate: number) {
  return { estimate, low: "", high: "" } as const;
}

/** The verifier that ships on the human-labelled claims, as `deno task study compare --human` measured it. */
function shippedHumanResults(
  results: readonly HumanLabelledRow[],
  sets: readonly string[],
): readonly FineTuningResult[] {
  const own = results.filter(({ set, cases, component }) =>
    component === VERIFIER && cases === "all" && sets.includes(set)
  );
  return own.flatMap((row): readonly FineTuningResult[] => {
    const { set, n, clusters } = row;
    const common = { model: MODEL, set, labels: "binary", n, clusters } as const;
    const note = "human_labelled.csv";
    const bounds = (name: "accuracy" | "balanced_accuracy" | "precision" | "recall") => ({
      ...common,
      metric: name.replace("_", " "),
      estimate: row[name],
      note,
      low: row[`${name}_low`],
      high: row[`${name}_high`],
    });
    return [
      ...(["accuracy", "balanced_accuracy", "precision", "recall"] as const).map(bounds),
      {
        ...common,
        metric: "calibration error",
        note,
        estimate: row.calibration_error,
        low: "",
        high: "",
      },
    ];
  });
}

/** One of the networks that are trained and compared. */
export interface NetworkKind {
  /** As tables name it. */
  readonly name: string;
  /** Folder and file below the task's own. */
  readonly file: string;
  readonly shown: Shown;
  /** Whether only the head learns: the figures before fine-tuning. */
  readonly frozen: boolean;
  /** Whether it is the one that evaluations use. */
  readonly isUsed: boolean;
}
