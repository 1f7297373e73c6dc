import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { CANNOT_TELL, type ComponentComparison } from "../../evaluation/component_comparison.ts";
import type { ComponentFigures } from "../../evaluation/component_figures.ts";
import type { HumanLabelledRow } from "./human_labelled.ts";

/** Chance of two labels, whatever their shares. */
const CHANCE = 0.5;

/** What the project set itself: on claims made from the knowledge base, and on sets labelled by people. */
export const TARGETS = { heldOut: 0.9, humanLabelled: 0.7 } as const;

/** How good the verifier is on held-out claims, against the target, in words. */
export function verifierSentence(all: ComponentComparison, verifier: string): string {
  const value = figuresOf(all, verifier)?.balancedAccuracy;
  if (value === undefined || value.kind === "unavailable") return `${verifier}: no figure.`;
  const reached = value.estimate >= TARGETS.heldOut ? "at or above" : "below";
  return `On ${all.claims} held-out claims about ${all.clusters} countries the ${verifier} has a ` +
    `balanced accuracy of ${written(value)}, ${reached} the target of ${
      TARGETS.heldOut.toFixed(2)
    }.`;
}

/** Which components cannot be told from chance on these claims. */
export function chanceSentence({ figures }: ComponentComparison): string {
  const atChance = figures.filter(({ balancedAccuracy }) =>
    balancedAccuracy.kind === "unavailable" || balancedAccuracy.low <= CHANCE
  ).map(({ component }) => component);
  return atChance.length === 0
    ? "Every component is better than chance on these claims."
    : `Not told from chance on these claims: ${listed(atChance)}.`;
}

/** Over whom the verifier is better, who is better than it, and of whom that cannot be told. */
export function rivalsSentence(
  { kind, differences }: ComponentComparison,
  verifier: string,
): string {
  const own = differences.filter(({ first, second }) => first === verifier || second === verifier);
  const rival = (one: (typeof own)[number]) => one.first === verifier ? one.second : one.first;
  const than = (better: (one: (typeof own)[number]) => boolean) => own.filter(better).map(rival);
  const groups = [
    ["better than", than(({ better }) => better === verifier)],
    ["not told apart from", than(({ better }) => better === CANNOT_TELL)],
    ["worse than", than((one) => one.better === rival(one))],
  ] as const;
  const parts = groups.filter(([, names]) => names.length > 0)
    .map(([words, names]) => `${words} ${listed(names)}`);
  const on = kind === "all" ? "all claims" : `${kind} claims`;
  return `On ${on} the ${verifier} is ${parts.join("; ")}.`;
}

/** Set by set, the verifier against the target and against the best of the others. */
export function humanSentences(rows: readonly HumanLabelledRow[], verifier: string): string {
  const sets = Map.groupBy(rows, ({ set }) => set);
  return [...sets].flatMap(([set, own]) => {
    const row = own.find(({ component }) => component === verifier);
    if (row === undefined || row.balanced_accuracy === "") return [];
    const others = own.filter((one) => one !== row && one.balanced_accuracy !== "")
      .toSorted((a, b) => Number(b.balanced_accuracy) - Number(a.balanced_accuracy));
    const [best] = others;
    const reached = row.balanced_accuracy >= TARGETS.humanLabelled ? "at or above" : "below";
    const beside = best === undefined
      ? ""
      : `; the best of the others is ${best.component} with ${
        Number(best.balanced_accuracy).toFixed(2)
      }`;
    return [
      `- ${set} (${row.n} claims): ${row.balanced_accuracy.toFixed(2)} ` +
      `[${Number(row.balanced_accuracy_low).toFixed(2)}, ` +
      `${Number(row.balanced_accuracy_high).toFixed(2)}], ${reached} the target of ` +
      `${TARGETS.humanLabelled.toFixed(2)}${beside}.`,
    ];
  }).join("\n");
}

function figuresOf(
  { figures }: ComponentComparison,
  name: string,
): ComponentFigures | undefined {
  return figures.find(({ component }) => component === name);
}

function written(value: Exclude<BootstrapInterval | Unavailable, Unavailable>): string {
  const { estimate, low, high } = value;
  return `${estimate.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}
