/**
 * Components asked about the same labelled claims (requirement 13). Each answer is a row keyed by
 * the case and the component's settings, so that another run asks only what is missing.
 */
import { addressOf } from "../../files/asking.ts";
import { withoutFormulas } from "../../files/csv.ts";
import type { RandomSource } from "../../stats/random.ts";
import { claimKind } from "../claims/sentences.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { ensembleOf } from "../judges/ensemble.ts";
import { isTransient } from "../types.ts";
import type { AggregationStrategy, Judge, Judgement } from "../types.ts";
import type { Verdict, Verifier } from "../types.ts";
import { askRound, type Round } from "./ask_round.ts";
import { answerOf } from "./compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "./compare_components.ts";
import { claimTask } from "../check/judge.ts";
import { unscored } from "../decision.ts";
import { type AnswerRow, type ComponentSettings } from "./component_answers.ts";
import type { Table } from "../../files/table.ts";

/** A component that can be asked about a claim and its passages. */
export interface ComparedComponent {
  /** Name in the table's rows. */
  readonly name: string;
  readonly settings: ComponentSettings;
  /** Answers a case. @throws the signal's reason when it aborts. */
  answer(one: LabelledCase, signal?: AbortSignal): Promise<ComponentAnswer>;
}

function comparedComponent(
  name: string,
  settings: ComponentSettings,
  ask: (one: LabelledCase, signal?: AbortSignal) => Promise<Verdict | Judgement>,
): ComparedComponent {
  return {
    name,
    settings,
    async answer(one, signal) {
      const begun = performance.now();
      return answerOf(await ask(one, signal), performance.now() - begun);
    },
  };
}

/**
 * Wraps a verifier for one claim at a time, to measure time per claim. @param settings Settings
 * outside the verifier's, such as the hash of a prompt.
 */
export const comparedVerifier = (
  verifier: Verifier,
  name = verifier.name,
  settings: ComponentSettings = {},
) =>
  comparedComponent(
    name,
    { ...verifier.settings, ...settings },
    async ({ claim, passages }, signal) => {
      const [verdict] = await verifier.verify([claim], passages, { signal });
      return verdict!;
    },
  );

/** Wraps a judge, which sees claim and passages and never a verdict. @param settings As above. */
export const comparedJudge = (judge: Judge, name: string, settings: ComponentSettings) =>
  comparedComponent(
    name,
    { ...judge.settings, ...settings },
    ({ claim, passages }, signal) => judge.judge(claimTask(claim, passages, ""), { signal }),
  );

/** Key of a case: its claim and source, not its label. */
export const caseAddress = ({ claim, passages }: Pick<LabelledCase, "claim" | "passages">) =>
  addressOf([claim, passages.map(({ title, section, text }) => [title, section, text])]);

/** Converts an answer to a row. A long reasoning is truncated with "…". */
function answerRow(
  { name, settings }: ComparedComponent,
  one: LabelledCase,
  { supported, unscored, reason, milliseconds }: ComponentAnswer,
): AnswerRow {
  const safeReason = withoutFormulas(reason);
  return {
    set: one.set,
    case_id: one.id,
    case_sha256: caseAddress(one),
    cluster: one.cluster,
    claim_kind: claimKind(one.claim),
    label: one.label,
    component: name,
    status: unscored ?? "scored",
    supported: supported === undefined ? "" : Number(supported.toFixed(6)),
    reason: safeReason.length > 400 ? `${safeReason.slice(0, 400).toWellFormed()}…` : safeReason,
    milliseconds: Number(milliseconds.toFixed(2)),
    settings_sha256: addressOf(settings),
  };
}

/** Converts a row back to an answer. */
export function answerOfRow(
  { status, supported, reason, milliseconds }: AnswerRow,
): ComponentAnswer {
  return {
    supported: supported === "" ? undefined : supported,
    unscored: status === "scored" ? undefined : status,
    reason,
    milliseconds,
  };
}

/** Collects each component's answers to the current cases, in order of the table. */
export function componentRuns(
  rows: readonly AnswerRow[],
  cases: readonly LabelledCase[],
): readonly ComponentRun[] {
  const current = Map.groupBy(rows.filter(isCurrentFor(cases)), ({ component }) => component);
  return [...current].map(([component, rows]) => ({
    component,
    answers: new Map(rows.map((row) => [row.case_id, answerOfRow(row)])),
  }));
}

/** Returns a test for rows about one of the current cases. */
function isCurrentFor(cases: readonly LabelledCase[]): (row: AnswerRow) => boolean {
  const known = new Map(
    cases.map((
      one,
    ) => [JSON.stringify([one.set, one.id]), [caseAddress(one), one.label].join(" ")]),
  );
  return ({ set, case_id, case_sha256, label }) =>
    known.get(JSON.stringify([set, case_id])) === `${case_sha256} ${label}`;
}

/** Components with answers to the maximal number of cases. */
export function completeRuns(runs: readonly ComponentRun[]): readonly ComponentRun[] {
  const most = Math.max(0, ...runs.map(({ answers }) => answers.size));
  return runs.filter(({ answers }) => answers.size === most);
}

/** Judges to combine, the strategy, and the variance threshold in points². */
interface ComparedJudges {
  readonly members: readonly { readonly component: ComparedComponent; readonly weight: number }[];
  readonly strategy: AggregationStrategy;
  readonly lowConfidenceVariance: number;
}

/** Components in memory together; the judges of one group form the ensemble. */
export interface OpenGroup extends AsyncDisposable {
  readonly components: readonly ComparedComponent[];
  readonly ensemble?: ComparedJudges;
}

/** Options for opening groups; `tell` receives one line of progress. */
export interface GroupOptions {
  readonly threads: number;
  readonly tell: (words: string) => void;
}

/** A named group of components. */
export interface ComponentGroup {
  readonly names: readonly string[];
  open(options: GroupOptions): Promise<OpenGroup>;
}

/** Name of the configured judges' ensemble. */
export const ENSEMBLE = "ensemble of judges";

/** Options of a run: cases, components and the table of answers. */
export interface AskGroupsOptions extends GroupOptions {
  readonly table: Table<AnswerRow>;
  /** All current cases. Answers to other cases are deleted at the end. */
  readonly known: readonly LabelledCase[];
  /** Returns the cases for a component. */
  readonly casesOf: (component: string) => readonly LabelledCase[];
  readonly groups: readonly ComponentGroup[];
  /** Substring of the names of components to ask; empty for all. */
  readonly only: string;
  readonly signal: AbortSignal;
}

/** Asks each group in turn for missing answers. @returns true where none is left. */
export async function askGroups(run: AskGroupsOptions): Promise<boolean> {
  for (const group of run.groups) {
    const wanted = group.names.filter((name) => name.includes(run.only));
    if (wanted.length === 0) continue;
    if (run.signal.aborted) return false;
    await using opened = await group.open(run);
    for (const component of opened.components) {
      if (wanted.includes(component.name) && !await ask(component, run)) return false;
    }
    if (opened.ensemble === undefined || !wanted.includes(ENSEMBLE)) continue;
    const runs = componentRuns(run.table.read(), run.known);
    if (!await ask(comparedEnsemble(runs, opened.ensemble), run)) return false;
  }
  return true;
}

async function ask(component: ComparedComponent, run: AskGroupsOptions): Promise<boolean> {
  const cases = run.casesOf(component.name);
  return await askRound(componentRound(component, cases, run.known), run);
}

/** Returns the round that asks one component about cases. */
export const componentRound = (
  component: ComparedComponent,
  cases: readonly LabelledCase[],
  /** All current cases. Answers to other cases are deleted at the end. */
  known: readonly LabelledCase[],
): Round<AnswerRow> => ({
  label: component.name,
  items: cases.map((one) => ({
    known: { set: one.set, case_id: one.id, case_sha256: caseAddress(one) },
    // A changed label does not change the answer.
    noted: { label: one.label },
    async ask(signal) {
      const answer = await component.answer(one, signal);
      // A server's failure says nothing about its model: it is asked again.
      const isLost = component.settings["host"] !== undefined && isTransient(answer.unscored);
      return [{ ...answerRow(component, one, answer), lost: isLost ? answer.reason : undefined }];
    },
  })),
  components: [component.name],
  settings: component.settings,
  isOfRun: (name) => name === component.name,
  keeps: isCurrentFor(known),
});

/**
 * Returns the ensemble, computed from its members' stored answers.
 * @throws {Error} where an answer is missing.
 */
function comparedEnsemble(
  runs: readonly ComponentRun[],
  { members, strategy, lowConfidenceVariance }: ComparedJudges,
): ComparedComponent {
  const weights = members.map(({ weight }) => weight);
  const settings = Object.fromEntries(
    members.flatMap(({ component: { name, settings }, weight }) => [
      [`${name}.weight`, weight],
      [`${name}.settings`, addressOf(settings)],
    ]),
  );
  return {
    name: ENSEMBLE,
    settings: { strategy, lowConfidenceVariance, ...settings },
    answer({ id }) {
      const answers = members.map(({ component: { name } }) => {
        const answer = runs.find(({ component }) => component === name)?.answers.get(id);
        if (answer !== undefined) return { name, ...answer };
        throw new RangeError(`Cannot put judges together on ${id}: ${name} has no answer; ask it`);
      });
      const milliseconds = answers.reduce((sum, answer) => sum + answer.milliseconds, 0);
      const judged = answers.map((answer, at) => {
        return { weight: weights[at]!, judgement: judgementOf(answer) };
      });
      const score = ensembleOf(judged, { aggregation: strategy, lowConfidenceVariance });
      if (score.kind === "unscored") {
        const { reason: unscored, message: reason } = score;
        return Promise.resolve({ supported: undefined, unscored, reason, milliseconds });
      }
      const doubts = score.lowConfidence ? `; low confidence: ${score.reasons.join("; ")}` : "";
      const reason = `${score.strategy} of ${score.scored} of ${score.asked} judges${doubts}`;
      const supported = score.score / 100;
      return Promise.resolve({ supported, unscored: undefined, reason, milliseconds });
    },
  };
}

function judgementOf(
  { name, supported, unscored: why, reason }: ComponentAnswer & { readonly name: string },
): Judgement {
  const none = unscored(name, why ?? "failure", reason);
  if (supported === undefined) return none;
  const { provenance } = none;
  const rest = { reasoning: reason, flagged: [], parse: "not parsed", provenance } as const;
  return { kind: "scored", score: 100 * supported, ...rest };
}

/**
 * Draws `count` cases (an even number) at random, alternating supported and others. Every prefix is
 * balanced.
 */
export function drawCases<Case extends LabelledCase>(
  cases: readonly Case[],
  count: number,
  random: RandomSource,
): readonly Case[] {
  const byLabel = Map.groupBy(cases, ({ label }) => label);
  const labels = [...byLabel.keys()].filter((label) => label !== "supported").sort();
  const others = interleave(labels.map((label) => random.shuffle(byLabel.get(label)!)));
  const supported = random.shuffle(byLabel.get("supported") ?? []);
  const most = Math.min(supported.length, others.length);
  return interleave([supported.slice(0, most), others.slice(0, most)]).slice(0, count);
}

/** Interleaves lists until all are exhausted. */
function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return [...Array(longest).keys()].flatMap((i) => lists.flatMap((list) => list.slice(i, i + 1)));
}
