import type { RandomSource } from "../../stats/random.ts";
import type { Fact } from "./fact_statements.ts";
import { factStatement } from "./fact_statements.ts";
import { changeName, type NamePool } from "./name_edits.ts";
import { asSentence } from "./prose_statements.ts";
import { changeNumber, changeUnit } from "./quantity_edits.ts";
import { chance, choose, chooseWeighted } from "./random_choice.ts";
import type { Contrast, Statement } from "./statement.ts";
import { exchangeRoles, negate, useOpposite, useSibling } from "./word_edits.ts";

export type EditName =
  | "number"
  | "unit"
  | "name"
  | "negation"
  | "opposite"
  | "sibling"
  | "role"
  | "value";

/** How often each edit is tried first; rarer chances of use weigh more. */
const WEIGHTS: Readonly<Record<Exclude<EditName, "value">, number>> = {
  number: 20,
  unit: 12,
  name: 18,
  negation: 12,
  opposite: 26,
  sibling: 26,
  role: 30,
};

/** A sentence of the source and one that excludes it; undefined where no edit finds a place. */
export function proseContrast(
  statement: Statement,
  pool: NamePool,
  random: RandomSource,
): Contrast | undefined {
  const open = { ...WEIGHTS } as Record<keyof typeof WEIGHTS, number>;
  while (Object.values(open).some((weight) => weight > 0)) {
    const edit = chooseWeighted(random, open);
    const source = edited(edit, statement.source, pool, random);
    if (source !== undefined && source !== statement.source) {
      return { edit, versions: [statement, { ...statement, source, claim: asSentence(source) }] };
    }
    open[edit] = 0;
  }
  return undefined;
}

function edited(
  edit: keyof typeof WEIGHTS,
  text: string,
  pool: NamePool,
  random: RandomSource,
): string | undefined {
  switch (edit) {
    case "number":
      return changeNumber(text, random);
    case "unit":
      return changeUnit(text, random);
    case "name":
      return changeName(text, pool, random);
    case "negation":
      return negate(text, random);
    case "opposite":
      return useOpposite(text, random);
    case "sibling":
      return useSibling(text, random);
    case "role":
      return exchangeRoles(text, random);
  }
}

/** A fact and the same with another value: a changed number, or what another country has there. */
export function factContrast(
  fact: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): Contrast | undefined {
  const phrasing = choose(random, fact.template.phrasings);
  const [edit, value] = otherValue(fact, values, random);
  if (value === undefined || value === fact.value) return undefined;
  const versions = [fact.value, value].map((told) => factStatement(fact, told, phrasing));
  return { edit, versions: versions as [Statement, Statement] };
}

function otherValue(
  fact: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): [EditName, string | undefined] {
  if (/\d/u.test(fact.value)) {
    const unit = random.next() < 0.3 ? changeUnit(fact.value, random) : undefined;
    if (unit !== undefined) return ["unit", unit];
    return ["number", changeNumber(fact.value, random)];
  }
  const others = (values.get(fact.template.question) ?? []).filter((other) =>
    other !== fact.value && !fact.field.text.includes(other)
  );
  return ["value", others.length > 0 ? choose(random, others) : undefined];
}

/** The values that each question has in any country. */
export function valuesByQuestion(facts: readonly Fact[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(facts, ({ template }) => template.question);
  return new Map(
    [...groups].map(([question, group]) => [
      question,
      [...new Set(group.map(({ value }) => value))].sort(),
    ]),
  );
}

/** The versions in either order, as likely: which of them the source says is drawn by lot. */
export function inEitherOrder(
  { edit, versions: [a, b] }: Contrast,
  random: RandomSource,
): Contrast {
  return { edit, versions: chance(random, 0.5) ? [a, b] : [b, a] };
}
