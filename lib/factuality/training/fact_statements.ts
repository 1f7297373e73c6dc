import type { RandomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { FACT_TEMPLATES, type FactTemplate } from "./fact_templates.ts";
import { choose } from "./random_choice.ts";
import type { Statement } from "./statement.ts";

/** A value in a structured field, and how it may be told. */
export interface Fact {
  readonly template: FactTemplate;
  readonly field: FactbookField;
  /** As it stands in the field's text. */
  readonly value: string;
}

/** Every fact that a template can read from the fields. */
export function factsOf(fields: readonly FactbookField[]): readonly Fact[] {
  return FACT_TEMPLATES.flatMap((template) =>
    fields.flatMap((field) => {
      if (field.field !== template.field || !isSubfield(field.subfield, template.subfield)) {
        return [];
      }
      const value = template.value.exec(field.text)?.[1]?.trim();
      return value === undefined || value.length < 1 ? [] : [{ template, field, value }];
    })
  );
}

/** Some subfields end in a year that differs from country to country. */
function isSubfield(name: string, wanted: string): boolean {
  return name === wanted || (/ 20$/u.test(wanted) && name.startsWith(wanted));
}

/** A fact told as the knowledge base has it, claimed in the words of a phrasing. */
export function factStatement(fact: Fact, value: string, phrasing: string): Statement {
  const { field, template } = fact;
  return {
    country: field.country,
    field: field.field,
    kind: "fact",
    source: field.text.replace(fact.value, () => value),
    claim: worded(phrasing, field.country, value),
    question: {
      question: worded(template.question, field.country, value),
      answer: value,
    },
    value,
  };
}

/** A fact as a sentence of running text, in any phrasing but the given one where there are more. */
export function factSentence(
  fact: Fact,
  value: string,
  random: RandomSource,
  unlike = "",
): string {
  const others = fact.template.phrasings.filter((phrasing) => phrasing !== unlike);
  const phrasing = choose(random, others.length > 0 ? others : fact.template.phrasings);
  return worded(phrasing, fact.field.country, value);
}

function worded(phrasing: string, country: string, value: string): string {
  const text = phrasing.replace(/\b[CV]\b/gu, (letter) => (letter === "C" ? country : value));
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
