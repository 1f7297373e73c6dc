import { randomSource } from "../../stats/random.ts";
import { gazetteerOf } from "../features/gazetteer.ts";
import { countryGazetteer } from "../retrieval/country_gazetteer.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import type { Passage } from "../retrieval/passage.ts";
import { usualFamilyNames } from "../training/family_names.ts";
import { baseClaims } from "./base_claim.ts";
import { chooseCases, type VariedClaim } from "./choose_cases.ts";
import { makeVariant } from "./make_variant.ts";
import { peopleIn } from "./perturbations/name_swap.ts";
import type { RobustnessCase } from "./robustness_case.ts";
import { VARIANT_KINDS, type VariantTools } from "./variant.ts";

/** Cases a kind: 40 tell a rate to within 15 points, and some are lost with originals not accepted. */
const PER_KIND = 48;
const DRAWN_PER_KIND = 10;
const SEED = 44;

/** Claims about held-out countries, perturbed and reworded, with the passages that they rest on. */
export interface KnowledgeVariants {
  readonly cases: readonly RobustnessCase[];
  /** By id. */
  readonly passages: ReadonlyMap<string, Passage>;
}

/** The cases of the study, the same from the same knowledge base. */
export function knowledgeVariants(fields: readonly FactbookField[]): KnowledgeVariants {
  const claims = baseClaims(fields);
  const tools = knowledgeTools(fields);
  const varied = claims.map((base): VariedClaim => {
    const own = { ...tools, about: base.country, source: base.passage.text };
    const variants = VARIANT_KINDS.flatMap((kind) =>
      makeVariant(kind, base.text, own, randomSource(`${SEED}/${base.id}/${kind}`)) ?? []
    );
    return { base, variants };
  });
  const cases = chooseCases(varied, {
    ...{ perKind: PER_KIND, drawnPerKind: DRAWN_PER_KIND, random: randomSource(`${SEED}/cases`) },
  });
  return { cases, passages: new Map(claims.map(({ passage }) => [passage.id, passage])) };
}

/** What texts are changed with, of a knowledge base's names. */
export function knowledgeTools(
  fields: readonly FactbookField[],
): Omit<VariantTools, "about" | "source"> {
  const states = fields.filter(({ field, subfield, text }) =>
    field === "Independence" && subfield === "" && /\d{3}/u.test(text) && !/^none/u.test(text)
  );
  const people = fields.filter(({ field }) => /^(?:Background|Military)/u.test(field))
    .flatMap(({ text }) => peopleIn(usualFamilyNames(text)));
  return {
    gazetteer: gazetteerOf(countryGazetteer(fields)),
    states: states.map(({ country, region }) => ({ name: country, region })),
    people: [...new Set(people)].sort(),
  };
}
