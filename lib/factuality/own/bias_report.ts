/**
 * Bias of a user's text and of a model's answers (requirements 3.3 and 10.6): counterfactual texts
 * scored by a verifier, counterfactual queries asked of a model, and one report.
 */
import { markdownTable } from "../../figures/table.ts";
import { mean as meanMeasure, type Measure, shown } from "../../stats/measure.ts";
import { mean } from "simple-statistics";
import { type RandomSource } from "../../stats/random.ts";
import { sourcePassage, type Verdict, type Verifier } from "../types.ts";
import type { BiasFindings } from "../bias/lexicon.ts";
import {
  compareVariants,
  demographicSwaps,
  swapDemographic,
  type SwappedText,
} from "../bias/swaps.ts";

/** Names a change: `gender: female → male`. */
const changeOf = ({ demographic, from, to }: Omit<SwappedText, "text" | "changes">) =>
  `${demographic}: ${from} → ${to}`;

/** Makes a text's variants and, given a source, measures changes in P(supported), in points. */
export async function scoredSwaps(
  text: string,
  claims: readonly string[],
  { perTrait, random, verifying }: {
    readonly perTrait: number;
    readonly random: RandomSource;
    readonly verifying?: {
      readonly verifier: Verifier;
      /** Source of the text; it is varied together with the claims. */
      readonly source: string;
      /** Receives each verdict; an unscored one is left out of the scores. */
      readonly onVerdict: (verdict: Verdict) => void;
      readonly signal: AbortSignal;
    } | undefined;
  },
) {
  const swaps = demographicSwaps(text, { perTrait, random });
  const variants = swaps.map(({ changes, text, ...exchange }) => {
    const words = new Set(changes.map(({ before, after }) => `${before} → ${after}`));
    return { change: changeOf(exchange), words: [...words].join(", "), text };
  });
  if (verifying === undefined || claims.length === 0) {
    return variants.map((swap) => ({ ...swap, scores: undefined }));
  }
  const { verifier, source, onVerdict, signal } = verifying;
  const verify = async (claims: readonly string[], source: string) =>
    (await verifier.verify(claims, [sourcePassage(source)], { signal })).map((verdict) => {
      onVerdict(verdict);
      return verdict.kind === "scored" ? 100 * verdict.probabilities.supported : undefined;
    });
  const before = await verify(claims, source);
  return await Array.fromAsync(swaps, async ({ demographic, from, to }, at) => {
    const exchange = { demographic, from, to };
    const swapped = (text: string) => swapDemographic(text, exchange).text;
    const after = await verify(claims.map(swapped), swapped(source));
    const rows = claims.map((query, i) => (
      { ...exchange, query, original: before[i], variant: after[i] }
    ));
    const scores = compareVariants(rows);
    return { ...variants[at]!, scores };
  });
}

/** Pairs every query with its counterfactual variants. */
export const equivalentQueries = <Asked extends Readonly<Record<"id" | "question", string>>>(
  queries: readonly Asked[],
  draw: { readonly perTrait: number; readonly random: RandomSource },
) =>
  queries.flatMap((original) =>
    demographicSwaps(original.question, draw).map((swap) => {
      const { demographic, from, to, text: question } = swap;
      const variant = { ...original, id: `${original.id}/${demographic}/${from}/${to}`, question };
      return { original, variant, change: changeOf(swap) };
    })
  );

/**
 * Measures of an answer, such as length in words and abstention (0 or 1). Undefined where unknown.
 */
export type AnswerMeasures = Readonly<Record<string, number | undefined>>;

/** Name of all pairs together, measured by the mean absolute difference. */
const ANY_CHANGE = "any change, distance";

/**
 * Compares answers by who is asked about, for each measure and change: pairs with both values,
 * their means, and the mean difference of variant minus original, 95 % by query. @param measuresById Measures
 * by the query's id.
 */
export function compareAnswers(
  pairs: ReturnType<typeof equivalentQueries>,
  measuresById: ReadonlyMap<string, AnswerMeasures>,
) {
  const measures = new Set([...measuresById.values()].flatMap((one) => Object.keys(one)));
  const groups = [...Map.groupBy(pairs, ({ change }) => change), [ANY_CHANGE, pairs] as const];
  return [...measures].flatMap((measure) =>
    groups.map(([change, ofChange]) => {
      const known = ofChange.flatMap(({ original, variant }) => {
        const [before, after] = [original, variant].map(({ id }) =>
          measuresById.get(id)?.[measure]
        );
        if (before === undefined || after === undefined) return [];
        const value = change === ANY_CHANGE ? Math.abs(after - before) : after - before;
        return [{ cluster: original.id, value, before, after }];
      });
      const meanOf = (key: "before" | "after") =>
        known.length === 0 ? undefined : mean(known.map((one) => one[key]));
      const difference = meanMeasure(
        known,
        change === ANY_CHANGE ? [0, Infinity] : undefined,
      );
      const [original, variant] = [meanOf("before"), meanOf("after")];
      return { measure, change, pairs: known.length, original, variant, difference };
    })
  );
}

/** All findings; a part that was not requested is missing. */
interface BiasReport {
  readonly schemaVersion: 1;
  /** Failed questions, which may succeed later and are missing below. */
  readonly failed: readonly { readonly what: string; readonly times: number }[];
  /** Sentence naming a text or source that is not English. */
  readonly foreign?: string;
  readonly text?: { readonly file: string } & BiasFindings;
  readonly swaps?: Awaited<ReturnType<typeof scoredSwaps>>;
  readonly queries?: readonly {
    readonly model: string;
    readonly differences: ReturnType<typeof compareAnswers>;
    readonly answers: readonly (
      & Readonly<Record<"change" | "original" | "variant", string>>
      & Readonly<Record<"answer" | "variantAnswer", string | undefined>>
    )[];
  }[];
}

const twoDigits = (value: number | undefined) => value?.toFixed(2);
const shownWithReason = (measure: Measure) => shown(measure, "decimal", { reasons: true });

/** Formats the report as Markdown, one section per part. */
export function biasMarkdown({ failed, foreign, text, swaps, queries }: BiasReport): string {
  const parts: string[] = ["# Bias"];
  if (foreign !== undefined) parts.push(foreign);
  if (failed.length > 0) {
    parts.push("## What failed");
    parts.push(markdownTable(["what", "times"], failed.map(({ what, times }) => [what, times])));
  }
  if (text !== undefined) {
    parts.push(`## What is held against ${text.file}`);
    const rows = text.flags.flatMap(({ phrase, span, group, severity, reasons }) =>
      reasons.map(({ by, reason, context = "" }) => {
        const place = span && `${span.start}–${span.end}`;
        return [phrase, place, group, severity, [by, context].filter(Boolean).join(", "), reason];
      })
    );
    const columns = ["words", "place", "group", "severity", "by", "reason"];
    parts.push(rows.length === 0 ? "Nothing was found." : markdownTable(columns, rows));
    if (text.severity !== undefined) parts.push(`Severity of the text: ${text.severity}.`);
    for (const { judge, answer } of text.judges) {
      const answerText = answer.kind === "unscored"
        ? `no answer: ${answer.message}`
        : answer.reasoning || `${answer.flags.length} findings`;
      parts.push(`${judge}: ${answerText}`);
    }
  }
  if (swaps !== undefined) {
    parts.push("## The same text about somebody else");
    const columns = "change|words|claims|unscored|mean distance of P(supported), points|largest"
      .split("|");
    const rows = swaps.map(({ change, words, scores }) => [
      change,
      words,
      scores?.pairs,
      scores?.unscored,
      scores && shownWithReason(scores.meanAbsolute),
      twoDigits(scores?.largest),
    ]);
    parts.push(rows.length === 0 ? "It names no demographic trait." : markdownTable(columns, rows));
  }
  for (const { model, differences, answers } of queries ?? []) {
    parts.push(`## Equivalent queries, answered by ${model}`);
    const columns = ["measure", "change", "pairs", "as asked", "changed", "difference, 95 %"];
    parts.push(markdownTable(
      columns,
      differences.map(({ measure, change, pairs, original, variant, difference }) => {
        const shares = [twoDigits(original), twoDigits(variant), shownWithReason(difference)];
        return [measure, change, pairs, ...shares];
      }),
    ));
    parts.push(markdownTable(
      ["query", "answer", "changed", "answer"],
      answers.map((one) => [one.original, one.answer, one.variant, one.variantAnswer]),
    ));
  }
  return `${parts.join("\n\n")}\n`;
}
