import { type RandomSource, randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";

/**
 * So many cases by lot, supported and other ones in turn, these shared evenly by their labels as long
 * as there are some of each: whoever is asked about the first hundred alone is asked about a balanced
 * draw, too. Fewer where one side has not enough.
 *
 * @param count Even.
 */
export function drawCases<Case extends LabelledCase>(
  cases: readonly Case[],
  count: number,
  random: RandomSource,
): readonly Case[] {
  const byLabel = Map.groupBy(cases, ({ label }) => label);
  const supported = byLabel.get("supported") ?? [];
  const others = [...byLabel].filter(([label]) => label !== "supported")
    .toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([, own]) => random.shuffle(own));
  return interleaved([random.shuffle(supported), inTurn(others)]).slice(0, count);
}

/** One of each list in turn, as long as there is one. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)))
    .flat();
}

/** In turn as long as each list has one: beyond that a draw would no longer be balanced. */
function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const shortest = Math.min(...lists.map((list) => list.length));
  return inTurn(lists.map((list) => list.slice(0, shortest)));
}

/** The claims about countries on which everyone is compared: one draw, for task and notebook. */
export function heldOutDraw(
  cases: readonly KnowledgeCase[],
  count: number,
): readonly KnowledgeCase[] {
  const heldOut = cases.filter(({ split }) => split === "test");
  return drawCases(heldOut, count, randomSource("compare/held-out claims"));
}
