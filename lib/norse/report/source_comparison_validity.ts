import { markdownTable, tally } from "../../figures/markdown_table.ts";
import { percentWithInterval } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import type { Interval } from "../../stats/intervals.ts";
import { wilsonInterval } from "../../stats/intervals.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { PHENOMENA } from "../candidate.ts";
import type { Verdict } from "../proposals/verify.ts";
import { GROUP_NAMES } from "./evidence.ts";

/** How many of a model's proposals the rules confirm. */
export interface Validity {
  /** A phenomenon or ALL. */
  readonly phenomenon: string;
  /** Questions answered, `none` among them. */
  readonly answers: number;
  /** Answers that proposed a change. */
  readonly proposed: number;
  readonly confirmed: number;
  /** Confirmed / proposed with its Wilson interval at 95 %; proposals taken as independent. */
  readonly share: Interval | Unavailable;
}

/** Over all proposals, then by phenomenon. */
export function validityOf(verdicts: readonly Verdict[]): readonly Validity[] {
  return [ALL, ...PHENOMENA].map((phenomenon) => {
    const own = verdicts.filter(({ record }) =>
      phenomenon === ALL || record.phenomenon === phenomenon
    );
    const confirmed = own.filter(({ kind }) => kind === "confirmed").length;
    const proposed = own.filter((verdict) => verdict.kind === "confirmed" || verdict.proposed);
    return {
      ...{ phenomenon, confirmed, answers: own.length, proposed: proposed.length },
      share: wilsonInterval(confirmed, proposed.length, 0.95),
    };
  });
}

/** The same as a table, shares in per cent. */
export function validityTable(verdicts: readonly Verdict[]): string {
  return markdownTable(
    ["phenomenon", "answers", "proposals", "confirmed", "share, %"],
    validityOf(verdicts).map(({ phenomenon, answers, proposed, confirmed, share }) => [
      ...[GROUP_NAMES[phenomenon] ?? phenomenon, answers, proposed, confirmed],
      percentWithInterval(share),
    ]),
  );
}

/** Reasons of which the words are worth reading: what the tables lack. */
const LACKING = /_unknown_to_the_lexicon$|^verb_not_in_table$|^stem_not_in_table$/;

/** The words that proposals name and the tables lack, with the reason, most frequent first. */
export function lackingWords(
  verdicts: readonly Verdict[],
): readonly (readonly [word: string, reason: string, count: number])[] {
  const named = verdicts.flatMap((verdict) => {
    if (verdict.kind !== "rejected" || !LACKING.test(verdict.rejection.reason)) return [];
    const { candidate, reason } = verdict.rejection;
    return [`${candidate.toLowerCase()} ${reason}`];
  });
  return tally(named).map(([name, count]) => {
    const [word = "", reason = ""] = name.split(" ");
    return [word, reason, count];
  });
}
