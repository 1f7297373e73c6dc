import { markdownTable } from "../figures/table.ts";
import { percentWithInterval, type StatisticLookup } from "../pairs/clustered.ts";
import { emphasised } from "../pairs/evidence.ts";
import { randomSource } from "../stats/random.ts";
import { PHENOMENA } from "./contrasts.ts";
import { type Evidence, type Judge, rightOn } from "./figure_rows.ts";
import { FEWEST_PAIRS } from "./metrics.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import type { Cell } from "./paradigms.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { toIast } from "./sounds.ts";

/** Errors shown, and rows of the tables before them. */
const SHOWN = 10;

export function changeTable({ sets }: Evidence, judge: Judge, found: StatisticLookup): string {
  const cells = sets.main.map(({ record }) => ({ record, ...cellsOfRecord(record) }));
  const changes = [
    ...CASES.flatMap((from) =>
      CASES.map((to) => ({ from, to, of: "case", part: "cells" } as const))
    ),
    ...NUMBERS.flatMap((from) =>
      NUMBERS.map((to) => ({ from, to, of: "number", part: "number" } as const))
    ),
  ];
  const rows = changes.flatMap(({ from, to, of, part }) => {
    const pairs = cells.filter((cell) =>
      cell.record.phenomenon === of && cell.from?.[of] === from && cell.to?.[of] === to
    ).length;
    const drawn = found.measure(judge.model, judge.measure, `${part}_${from}_${to}`);
    if (pairs < FEWEST_PAIRS || drawn.kind === "unavailable") {
      return [];
    }
    return [{ estimate: drawn.estimate, cells: [from, to, pairs, percentWithInterval(drawn)] }];
  });
  return markdownTable(
    ["the line wants", "put in its place", "pairs", "right, %"],
    rows.toSorted((a, b) => a.estimate - b.estimate).slice(0, SHOWN).map(({ cells }) => cells),
  );
}

/** Pairs on which a judge was wrong, case and number by turns, no stem twice; fewer where there are. */
export function errorExamples(
  evidence: Evidence,
  judge: Judge,
  seed: number,
): readonly ContrastItem[] {
  const isRight = rightOn(judge, evidence);
  const random = randomSource(seed);
  const pools = PHENOMENA.map((phenomenon) =>
    random.shuffle(
      evidence.sets.main.filter(({ pair }) =>
        pair.phenomenon === phenomenon && isRight(pair.id) === false
      ),
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

export function exampleTable(examples: readonly ContrastItem[]): string {
  if (examples.length === 0) return "It made none.";
  return markdownTable(
    ["pair", "verse", "line", "form → variant", "cells", "why that is wrong"],
    examples.map(({ pair, record, certificate }) => {
      const { target, variant } = record.metadata;
      const { source: { chapter, sentence }, explanation } = certificate;
      const change = `*${toIast(target)}* → *${toIast(variant)}*`;
      const found = cellsOfRecord(record);
      const cells = found ? `${inWords(found.from)} → ${inWords(found.to)}` : pair.errorType;
      return [pair.id, `${chapter}.${sentence}`, emphasised(pair), change, cells, explanation];
    }),
  );
}

const inWords = ({ case: name, number }: Cell) => `${name} ${number}`;
