import type { RandomSource } from "../../stats/random.ts";
import { type Fact, factSentence } from "./fact_statements.ts";
import type { Making } from "./making.ts";
import type { Context } from "./sources.ts";
import type { Statement } from "./statement.ts";

/** The field as the knowledge base has it, with the version's value. */
export function tableContext({ material }: Making, fact: Fact, version: Statement): Context {
  const { field } = fact;
  const passage = material.passages.find(({ section, text }) =>
    section === field.field && text.includes(field.text)
  );
  const text = passage?.text ?? field.text;
  const start = text.indexOf(field.text);
  // "total: 643,801 sq km" goes as a whole, where it is taken out.
  const label = text.slice(0, start).endsWith(`${field.subfield}: `) ? `${field.subfield}: ` : "";
  const ends = [start - label.length, start + field.text.length] as const;
  const texts = [text.slice(0, ends[0]), text.slice(ends[1])].map((part) =>
    part.trim() === "" ? [] : [part.trim()]
  );
  return {
    before: texts[0]!,
    target: `${label}${version.source}`,
    after: texts[1]!,
    title: field.country,
    section: field.field,
    others: material.passages.filter(({ section }) => section !== field.field),
  };
}

/** The value in running text, in other words than the claim's, among other values. */
export function writtenContext(
  { material }: Making,
  fact: Fact,
  version: Statement,
  random: RandomSource,
): Context {
  const rest = material.facts.filter(({ template }) => template.field !== fact.template.field);
  const others = random.sample(rest, Math.min(rest.length, random.integer(8)))
    .map((other) => factSentence(other, other.value, random));
  const cut = random.integer(others.length + 1);
  const told = Array.from(
    { length: 4 },
    () => factSentence(fact, version.value, random),
  );
  return {
    before: others.slice(0, cut),
    target: told.find((sentence) => sentence !== version.claim) ?? told[0],
    after: others.slice(cut),
    title: fact.field.country,
    section: fact.field.field,
    others: material.passages.filter(({ section }) => section !== fact.field.field),
  };
}
