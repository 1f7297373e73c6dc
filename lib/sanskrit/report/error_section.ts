import { markdownTable } from "../../figures/markdown_table.ts";
import { emphasised } from "../../pairs/report/model_errors.ts";
import {
  type DrawnMeasure,
  percentWithInterval,
  type StatisticLookup,
} from "../../pairs/statistic_lookup.ts";
import { randomSource } from "../../stats/random.ts";
import { CASES, type Cell, NUMBERS } from "../cell.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";
import { cellsOfRecord } from "../contrasts/contrast_record.ts";
import type { ContrastItem } from "../contrasts/dataset.ts";
import { toIast } from "../devanagari.ts";
import { type Evidence, figure } from "./evidence.ts";
import { FEWEST_PAIRS, stemCounts } from "./figure_rows.ts";
import { type Judge, rightOn, strongestJudge } from "./judge.ts";

/** Errors shown, and rows of the tables before them. */
const SHOWN = 10;

/** Where the strongest model errs, by cell and by stem, and ten of its errors. */
export function errorSection(evidence: Evidence, found: StatisticLookup, seed: number): string {
  const judge = strongestJudge(evidence);
  return [
    "### Errors of the strongest model",
    "",
    `Of the models that were not trained here ${judge.label} has the highest estimate, ` +
    `${
      percentWithInterval(judge.overall)
    } % right over all pairs. The changes it is least often right on, of those with at least ` +
    `${FEWEST_PAIRS} pairs; n as above:`,
    "",
    changeTable(evidence, judge, found),
    "",
    "By stem, those with most pairs; a stem has too few pairs for an interval " +
    "(from `evaluation_results.csv`, `likelihoods.csv`, `morph_contrast_sets.jsonl`):",
    "",
    stemTable(evidence, judge),
    "",
    figure("stems", "Share of right ones of the strongest model on the stems with most pairs"),
    "",
    `#### ${Math.min(SHOWN, errorExamples(evidence, judge, seed).length)} of its errors`,
    "",
    "Drawn by seed, turn by turn from case and number, no stem twice. The explanation is the " +
    "certificate's.",
    "",
    exampleTable(errorExamples(evidence, judge, seed)),
  ].join("\n");
}

/** The changes of case and number with the lowest accuracy, with their intervals. */
function changeTable({ sets }: Evidence, judge: Judge, found: StatisticLookup): string {
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

function stemTable(evidence: Evidence, judge: Judge): string {
  const counts = stemCounts(evidence, judge);
  const never = counts.filter(({ pairs, right }) => right === 0 && pairs >= FEWEST_PAIRS);
  const table = markdownTable(
    ["stem", "", "pairs", "right", "right, %"],
    counts.slice(0, SHOWN).map(({ lemma, stem, pairs, right }) => [
      ...[lemma.replaceAll("-", ""), stem, pairs, right, (100 * right / pairs).toFixed(1)],
    ]),
  );
  const words = never.length === 0
    ? `No stem with at least ${FEWEST_PAIRS} pairs is always missed.`
    : `Always missed, of stems with at least ${FEWEST_PAIRS} pairs: ` +
      `${never.map(({ lemma }) => lemma.replaceAll("-", "")).join(", ")}.`;
  return `${table}\n\n${words}`;
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

function exampleTable(examples: readonly ContrastItem[]): string {
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
