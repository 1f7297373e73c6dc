import type { RandomSource } from "../../stats/random.ts";
import { fourCases, type Sources } from "./case_group.ts";
import { factContrast, inEitherOrder } from "./contrasts.ts";
import { tableContext, writtenContext } from "./fact_contexts.ts";
import type { Fact } from "./fact_statements.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import type { Making } from "./making.ts";
import { elsewhere, otherSources } from "./missing_sources.ts";
import { chooseWeighted } from "./random_choice.ts";
import { composeSources } from "./sources.ts";

const FORMS = { sentence: 15, passage: 25, passages: 20, web: 15, written: 25 };

/** Four cases of a value, two of them supported; none where no other can stand in its place. */
export function factCases(
  making: Making,
  fact: Fact,
  name: string,
  random: RandomSource,
): readonly KnowledgeCase[] {
  const found = factContrast(fact, making.values, random);
  if (found === undefined) return [];
  const contrast = inEitherOrder(found, random);
  const form = chooseWeighted(random, FORMS);
  const inTable = form === "passage" || form === "passages";
  const contextOf = inTable ? tableContext : writtenContext;
  const contexts = contrast.versions.map((version) => contextOf(making, fact, version, random));
  const [first, second] = contexts as [typeof contexts[0], typeof contexts[0]];
  const sources: [Sources, Sources] = [
    composeSources(form, first, random),
    composeSources(form, second, random),
  ];
  // Taken out of a table, its neighbours (men, women) would still tell something of it.
  const alone = first.before.length + first.after.length === 0;
  const missing = inTable || alone ? elsewhere(random) : "removed";
  const without = missing === "removed"
    ? composeSources(form, { ...first, target: undefined }, random)
    : otherSources(making, missing, form, fact.field.field, random);
  return fourCases(making, { name, contrast, form, sources, missing, without, random });
}
