import { markdownTable } from "../figures/table.ts";
import {
  type DrawnMeasure,
  percentWithInterval,
  type StatisticLookup,
} from "../pairs/clustered.ts";
import { emphasised } from "../pairs/evidence.ts";
import { randomSource } from "../stats/random.ts";
import { PHENOMENA } from "./contrasts.ts";
import { type Evidence, FEWEST_PAIRS, type Judge, rightOn, stemCounts } from "./figure_rows.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import type { Cell } from "./paradigms.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { toIast } from "./sounds.ts";

/** Errors shown, and rows of the tables before them. */
const SHOWN = 10;

/** The changes of case and number with the lowest accuracy, with their intervals. */
export function changeTable({ sets }: Evidence, judge: Judge, found: StatisticLookup): string {
  const cells = sets.main.map(({ record }) => ({ record, ...cellsOfRecord(record) }));
  const changes = [
    ...pairsOf(CASES).map(([from, to]) => ({ from, to, part: `cells_${from}_${to}`, of: "case" })),
    ...pairsOf(NUMBERS).map(([from, to]) => ({
      ...{ from, to, part: `number_${from}_${to}`, of: "number" },
    })),
  ] as const;
  const rows = changes.flatMap(({ from, to, part, of }) => {
    const kind = of as "case" | "number";
    const pairs = cells.filter((cell) =>
      cell.record.phenomenon === kind && cell.from[kind] === from && cell.to[kind] === to
    ).length;
    const drawn = found.measure(judge.model, judge.measure, part);
    if (pairs < FEWEST_PAIRS || drawn.kind === "unavailable") {
      return [];
    }
    return [{ from, to, drawn, pairs }];
  }).toSorted((a, b) => estimate(a.drawn) - estimate(b.drawn));
  return markdownTable(
    ["the line wants", "put in its place", "pairs", "right, %"],
    rows.slice(0, SHOWN).map(({ from, to, drawn, pairs }) => [
      ...[from, to, pairs, percentWithInterval(drawn)],
    ]),
  );
}

const estimate = (drawn: DrawnMeasure) => drawn.kind === "unavailable" ? 1 : drawn.estimate;

function pairsOf<Name extends string>(names: readonly Name[]): readonly (readonly [Name, Name])[] {
  return names.flatMap((from) =>
    names.filter((to) => to !== from).map((to) => [from, to] as const)
  );
}

/** The stems with most pairs; a stem has too few pairs for an interval. */
export function stemTable(evidence: Evidence, judge: Judge): string {
  return markdownTable(
    ["stem", "", "pairs", "right", "right, %"],
    stemCounts(evidence, judge).slice(0, SHOWN).map(({ lemma, stem, pairs, right }) => [
      lemma.replaceAll("-", ""),
      stem,
      pairs,
      right,
      (100 * right / pairs).toFixed(1),
    ]),
  );
}

/** Pairs on which a judge was wrong, case and number by turns, no stem twice; fewer where there are. */
export function errorExamples(
  { sets, responses, likelihoods }: Evidence,
  judge: Judge,
  seed: number,
): readonly ContrastItem[] {
  const isRight = rightOn(judge, { responses, likelihoods });
  const random = randomSource(seed);
  const pools = PHENOMENA.map((phenomenon) =>
    random.shuffle(
      sets.main.filter(({ pair }) => pair.phenomenon === phenomenon && isRight(pair.id) === false),
    )
  );
  const examples: ContrastItem[] = [];
  const used = new Set<string>();
  for (let turn = 0; pools.some((pool) => turn < pool.length); turn++) {
    for (const pool of pools) {
      const next = pool[turn];
      if (!next || used.has(next.certificate.lemma) || examples.length === SHOWN) continue;
      used.add(next.certificate.lemma);
      examples.push(next);
    }
  }
  return examples;
}

/** Errors with their certificates' explanations. */
export function exampleTable(examples: readonly ContrastItem[]): string {
  if (examples.length === 0) return "It made none.";
  return markdownTable(
    ["pair", "verse", "line", "form → variant", "cells", "why that is wrong"],
    examples.map(({ pair, record, certificate }) => {
      const { from, to } = cellsOfRecord(record);
      const { target, variant } = record.metadata;
      return [
        pair.id,
        `${certificate.source.chapter}.${certificate.source.sentence}`,
        emphasised(pair),
        `*${toIast(target)}* → *${toIast(variant)}*`,
        `${inWords(from)} → ${inWords(to)}`,
        certificate.explanation,
      ];
    }),
  );
}

const inWords = ({ case: name, number }: Cell) => `${name} ${number}`;
