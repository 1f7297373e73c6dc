import { sum } from "simple-statistics";
import { formatCsv } from "../../files/csv.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import type { RepeatedEffect } from "../simulation/repeated_sessions.ts";
import { tidy } from "./long_rows.ts";
import { shownNumber } from "./shown.ts";

const COLUMNS = [
  "rater",
  "effect",
  "planted",
  "found",
  "standard_error",
  "covered",
  "sessions",
] as const;

/** `repeated_sessions.csv`. */
export function repeatedSessionsCsv(effects: readonly RepeatedEffect[]): string {
  return formatCsv(
    COLUMNS,
    effects.map(({ planted, found, standardError = "", ...row }) => ({
      ...row,
      planted: tidy(planted),
      found: tidy(found),
      standard_error: tidy(standardError),
    })),
  );
}

/** Planted and found over many sessions, a row an effect and rater. */
export function repeatedTable(effects: readonly RepeatedEffect[]): string {
  return markdownTable(
    ["rater", "effect", "planted", "mean found ± standard error", "intervals that hold it"],
    effects.map((row) => [
      row.rater,
      row.effect,
      shownPlanted(row),
      shownFound(row),
      `${row.covered} of ${row.sessions}`,
    ]),
  );
}

/** Shares need a third place: their standard errors are in the thousandths. */
const digitsOf = (effect: string) => effect.startsWith("share") ? 3 : 2;

const shownPlanted = ({ effect, planted }: RepeatedEffect) =>
  shownNumber(planted, digitsOf(effect));

function shownFound({ effect, found, standardError }: RepeatedEffect): string {
  const mean = shownNumber(found, digitsOf(effect));
  return standardError === undefined
    ? mean
    : `${mean} ± ${shownNumber(standardError, digitsOf(effect))}`;
}

/** Share of normal deviates within two standard errors. */
const WITHIN_TWO = 0.9545;

/** Which means are off by more than their own error lets expect, in a sentence. */
export function biasSentence(effects: readonly RepeatedEffect[]): string {
  const judged = effects.filter(({ standardError }) => standardError !== undefined);
  const off = judged.filter(({ planted, found, standardError }) =>
    Math.abs(found - planted) > 2 * standardError!
  );
  const named = off.map((row) =>
    `${row.effect} of ${row.rater} (${shownFound(row)}, planted ${shownPlanted(row)})`
  );
  return `Of ${judged.length} means ${judged.length - off.length} lie within two standard errors ` +
    `of what was planted, where chance alone would leave about ` +
    `${Math.round(WITHIN_TWO * judged.length)}` +
    `${named.length === 0 ? "" : `; further off are ${named.join(", ")}`}.`;
}

/** How often one kind of interval holds what was planted. */
export interface EffectCoverage {
  /** The effect, harshness whatever rater it is measured against. */
  readonly effect: string;
  /** Share of all raters' sessions, 0 … 1. */
  readonly share: number;
  /** Fewest and most sessions of one rater. */
  readonly fewest: number;
  readonly most: number;
}

/** Coverage of every kind of effect, raters together and apart. */
export function coverageByEffect(effects: readonly RepeatedEffect[]): readonly EffectCoverage[] {
  const kind = ({ effect }: RepeatedEffect) => effect.replace(/^points below .*/, "harshness");
  return [...Map.groupBy(effects, kind)].map(([effect, own]) => ({
    effect,
    share: sum(own.map(({ covered }) => covered)) / sum(own.map(({ sessions }) => sessions)),
    fewest: Math.min(...own.map(({ covered }) => covered)),
    most: Math.max(...own.map(({ covered }) => covered)),
  }));
}

/** The same in a sentence. */
export function repeatedSentence(effects: readonly RepeatedEffect[]): string {
  const shares = coverageByEffect(effects).map(({ effect, share, fewest, most }) =>
    `${effect} ${shownNumber(100 * share, 0)} % (${fewest === most ? "" : `${fewest} to `}${most})`
  );
  return "How often a 95 % interval holds what was planted, all raters together and in brackets from " +
    `rater to rater of ${effects[0]?.sessions ?? 0} sessions: ${shares.join(", ")}.`;
}
