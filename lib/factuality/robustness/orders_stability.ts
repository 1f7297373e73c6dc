import { mean } from "simple-statistics";
import { type Estimate, estimated } from "./orders_estimate.ts";
import type { OrderRow } from "./orders_rows.ts";

/** How often a component says the same of the same two texts in the same order. */
export interface StabilitySummary {
  readonly component: string;
  /** Ordered pairs that were answered at least twice at a temperature over 0. */
  readonly queries: number;
  readonly repetitions: number;
  /** Mean share of the most frequent choice, after Shi et al. 2024; 1/3 is the least of three. */
  readonly stability: Estimate;
}

/** Repetition stability of the runs that draw their words, those without chance left out. */
export function orderStability(rows: readonly OrderRow[]): readonly StabilitySummary[] {
  const drawn = rows.filter(({ temperature, winner }) => temperature > 0 && winner !== "");
  return [...Map.groupBy(drawn, ({ component }) => component)].map(([component, own]) => {
    const queries = [...Map.groupBy(own, queryOf).values()].filter(({ length }) => length > 1);
    const items = queries.map((query) => ({ cluster: query[0]!.country, value: steady(query) }));
    return {
      ...{ component, queries: queries.length },
      repetitions: new Set(own.map(({ run }) => run)).size,
      stability: estimated(component, "stability", items, (values) => mean([...values])),
    };
  });
}

const queryOf = ({ country, errors_a, errors_b, first }: OrderRow) =>
  JSON.stringify([country, errors_a, errors_b, first]);

function steady(answers: readonly OrderRow[]): number {
  const counts = Map.groupBy(answers, ({ winner }) => winner).values();
  return Math.max(...[...counts].map(({ length }) => length)) / answers.length;
}
