import { aggregate } from "../judges/aggregate.ts";
import type { Judge, Judgement } from "../judges/judgement.ts";
import { randomSource } from "../../stats/random.ts";
import type { LadderText, TextLadder } from "./orders_ladder.ts";
import {
  type ComponentScore,
  judgedWhole,
  judgeName,
  panelScores,
  scoreOf,
  type ScoringPanel,
} from "./panel/panel_scores.ts";
import type { RepetitionRow, RepetitionTable } from "./repetition_rows.ts";

/** A text that is evaluated over and over. */
export interface RepeatedText {
  readonly country: string;
  readonly text: LadderText;
}

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export function repeatedTexts(ladders: readonly TextLadder[]): readonly RepeatedText[] {
  return ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));
}

/** All judges with one that writes among them. */
export const ENSEMBLE_WITH_WRITER = "ensemble with a writing judge";

/** What evaluates, and how it is kept. */
export interface Repeating {
  readonly panel: ScoringPanel;
  /** A judge whose words are drawn, with this repetition's seed. */
  readonly writer: Judge;
  readonly repetition: number;
  readonly table: RepetitionTable;
  readonly settingsSha256: string;
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
}

/** The texts that lack an evaluation of this repetition. */
export function unrepeated(
  texts: readonly RepeatedText[],
  repetition: number,
  rows: readonly RepetitionRow[],
): readonly RepeatedText[] {
  const done = new Set(
    rows.filter((row) => row.repetition === repetition && row.component === ENSEMBLE_WITH_WRITER)
      .map(({ country, errors }) => `${country}/${errors}`),
  );
  return texts.filter(({ country, text }) => !done.has(`${country}/${text.errors}`));
}

/**
 * Evaluates the texts once more, in another order each time, so that what a component keeps of the
 * text before cannot pass for steadiness. Every text's rows are on disk before the next is read.
 *
 * @returns whether all are answered.
 */
export async function repeatScores(
  texts: readonly RepeatedText[],
  repeating: Repeating,
): Promise<boolean> {
  const { repetition, table, signal, settingsSha256, onAnswer } = repeating;
  const order = randomSource(`repetitions/${repetition}`).shuffle(texts);
  for (const { country, text } of unrepeated(order, repetition, table.rows)) {
    if (signal.aborted) return false;
    const scores = await evaluated(text, repeating).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (scores === undefined) return false;
    // A run that was killed between two rows has left some of them.
    const known = new Set(
      table.rows.filter((row) =>
        row.country === country && row.errors === text.errors && row.repetition === repetition
      ).map(({ component }) => component),
    );
    for (const { component, status, score } of scores) {
      if (known.has(component)) continue;
      table.append({
        ...{ country, errors: text.errors, repetition, component, status },
        score: score === undefined ? "" : Number(score.toFixed(4)),
        settings_sha256: settingsSha256,
      });
    }
    onAnswer();
  }
  return true;
}

async function evaluated(
  text: LadderText,
  { panel, writer, signal }: Repeating,
): Promise<readonly ComponentScore[]> {
  const scores = await panelScores(panel, text, signal);
  const written = await judgedWhole(writer, text, signal);
  return [
    ...scores,
    scoreOf(judgeName(writer), written),
    withWriter(panel, scores, writer, written),
  ];
}

/** The configured ensemble with the writing judge as one more. */
function withWriter(
  { judges, aggregation, lowConfidenceVariance }: ScoringPanel,
  scores: readonly ComponentScore[],
  writer: Judge,
  written: Judgement,
): ComponentScore {
  const others = judges.map((judge): Judgement => {
    const found = scores.find(({ component }) => component === judgeName(judge))!;
    return judgementOf(found, written.provenance);
  });
  const weights = [...judges, writer].map(({ weight }) => weight);
  const together = [...others, written];
  const score = aggregate(together, aggregation, weights, lowConfidenceVariance);
  return scoreOf(ENSEMBLE_WITH_WRITER, score);
}

function judgementOf(
  { component, status, score }: ComponentScore,
  like: Judgement["provenance"],
): Judgement {
  const provenance = { ...like, producedBy: component };
  if (score !== undefined) {
    const read = { reasoning: "", flagged: [], parse: "not parsed" } as const;
    return { kind: "scored", score, ...read, provenance };
  }
  const reason = status === "scored" ? "failure" : status;
  return { kind: "unscored", reason, message: reason, partialText: undefined, provenance };
}
