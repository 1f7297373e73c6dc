import type { OrderedChoice, PairwiseJudge } from "../pairwise/comparison.ts";
import {
  type LadderText,
  type OrderedPair,
  orderedPairs,
  type TextLadder,
} from "./orders_ladder.ts";
import { orderKey, type OrderRow, type OrderTable } from "./orders_rows.ts";
import { type ComponentScore, panelScores, type ScoringPanel } from "./panel/panel_scores.ts";

/** How asking goes on. */
export interface OrdersAsking {
  readonly table: OrderTable;
  /** Hash of whatever could change an answer. */
  readonly settingsSha256: string;
  readonly signal: AbortSignal;
  /** Told after each answer that is on disk. */
  readonly onAnswer: () => void;
}

/** A judge that compares, and how it draws its words. */
export interface ComparingRun {
  readonly judge: PairwiseJudge;
  /** Of the rows: the judge's name and how it was read. */
  readonly component: string;
  readonly run: number;
  readonly temperature: number;
}

/** Scores nearer than this many points are a tie; fixed beforehand. */
export const TIE_POINTS = 0.1;

/** Those of the pairs that the rows have no answer about. */
export function uncompared(
  pairs: readonly OrderedPair[],
  { component, run, temperature }: Omit<ComparingRun, "judge">,
  rows: readonly OrderRow[],
): readonly OrderedPair[] {
  const known = new Set(rows.map(orderKey));
  return pairs.filter((pair) =>
    !known.has(orderKey(frame(pair, { component, run, temperature }, "")))
  );
}

/** What of a row is known before the answer. */
function frame(
  { country, a, b, first }: OrderedPair,
  { component, run, temperature }: Omit<ComparingRun, "judge">,
  settings_sha256: string,
) {
  const pair = { country, errors_a: a.errors, errors_b: b.errors, first };
  return { ...pair, component, run, temperature, settings_sha256 };
}

/**
 * Asks a judge which of two texts is more accurate, each answer on disk as it comes.
 *
 * @returns whether all are answered; an abort ends it within or between two, and of the one that was
 * being asked nothing is kept.
 */
export async function askComparing(
  pairs: readonly OrderedPair[],
  asked: ComparingRun,
  { table, settingsSha256, signal, onAnswer }: OrdersAsking,
): Promise<boolean> {
  for (const pair of uncompared(pairs, asked, table.rows)) {
    if (signal.aborted) return false;
    const { a, b, first } = pair;
    const source = a.passages.map(({ text }) => text).join("\n");
    const [one, other] = first === "a" ? [a, b] : [b, a];
    const task = { source, question: "", first: one.text, second: other.text };
    const answer = await orAborted(asked.judge.compare(task, { signal }), signal);
    if (answer === undefined) return false;
    table.append({
      ...frame(pair, asked, settingsSha256),
      ...answer.kind === "answer"
        ? { status: "scored", winner: answer.winner }
        : { status: answer.reason, winner: "" },
      ...{ score_a: "", score_b: "" },
    });
    onAnswer();
  }
  return true;
}

/** The ladders that the panel has not scored in both directions. */
export function unscoredLadders(
  ladders: readonly TextLadder[],
  component: string,
  rows: readonly OrderRow[],
): readonly TextLadder[] {
  const pairs = ladders.flatMap(orderedPairs);
  const left = uncompared(pairs, { component, run: 0, temperature: 0 }, rows);
  const countries = new Set(left.map(({ country }) => country));
  return ladders.filter(({ country }) => countries.has(country));
}

/**
 * Lets components that score one text at a time order the texts of a ladder. They are asked twice, from
 * the text without errors on and the other way round: what one of them holds in its cache must not
 * change what it says. Rows of a ladder stand together, after both rounds.
 */
export async function askScoring(
  ladder: TextLadder,
  panel: ScoringPanel,
  { table, settingsSha256, signal, onAnswer }: OrdersAsking,
): Promise<boolean> {
  const round = async (texts: readonly LadderText[]) => {
    const scores = new Map<LadderText, readonly ComponentScore[]>();
    for (const text of texts) {
      const given = await orAborted(panelScores(panel, text, signal), signal);
      if (given === undefined) return undefined;
      scores.set(text, given);
    }
    return scores;
  };
  const forward = await round(ladder.texts);
  const backward = await round(ladder.texts.toReversed());
  if (forward === undefined || backward === undefined) return false;
  for (const pair of orderedPairs(ladder)) {
    const scores = pair.first === "a" ? forward : backward;
    for (const row of scoredRows(pair, scores, settingsSha256)) table.append(row);
  }
  onAnswer();
  return true;
}

function scoredRows(
  pair: OrderedPair,
  scores: ReadonlyMap<LadderText, readonly ComponentScore[]>,
  settingsSha256: string,
): readonly OrderRow[] {
  const [ofA, ofB] = [scores.get(pair.a)!, scores.get(pair.b)!];
  return ofA.map(({ component, status, score }, at): OrderRow => {
    const other = ofB[at]!;
    const known = frame(pair, { component, run: 0, temperature: 0 }, settingsSha256);
    if (score === undefined || other.score === undefined) {
      const why = score === undefined ? status : other.status;
      return { ...known, status: why, winner: "", score_a: "", score_b: "" };
    }
    return {
      ...{ ...known, status: "scored", winner: winnerOf(score, other.score, pair.first) },
      ...{ score_a: Number(score.toFixed(4)), score_b: Number(other.score.toFixed(4)) },
    };
  });
}

/** The place of the higher score. */
export function winnerOf(scoreA: number, scoreB: number, first: "a" | "b"): OrderedChoice {
  const difference = first === "a" ? scoreA - scoreB : scoreB - scoreA;
  if (Math.abs(difference) < TIE_POINTS) return "tie";
  return difference > 0 ? "first" : "second";
}

/** Undefined where the signal aborted what was being asked. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
