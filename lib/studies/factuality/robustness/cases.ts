/** Cases of the study: true claims about held-out countries, each with one change. */
import { choose, type RandomSource, randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../../factuality/labelled_case.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED, splitCountries } from "../claims/knowledge_claims.ts";
import { type CountryMaterial, countryMaterial, factStatement } from "../claims/statements.ts";
import type { Passage } from "../../../factuality/types.ts";
import {
  knowledgeTools,
  makeVariant,
  type Variant,
} from "../../../factuality/own/variants/make_variant.ts";
import {
  labelOf,
  VARIANT_KINDS,
  type VariantKind,
} from "../../../factuality/own/variants/variant.ts";
import type { RobustnessCase } from "./tables.ts";

/**
 * Number of cases per kind. 40 give a rate to within 15 points. Some are lost with originals not
 * accepted.
 */
const PER_KIND = 48;
const DRAWN_PER_KIND = 10;
const SEED = 44;

/** Cases of the study, with their passages by id. Deterministic for a knowledge base. */
export function knowledgeVariants(fields: readonly FactbookField[]) {
  const claims = heldOutCountries(countryMaterial(fields))
    .flatMap((material) => claimsAbout(material, "phrasing").filter(isGoodCase));
  const tools = knowledgeTools(fields);
  const varied = claims.map((base): VariedClaim => {
    const claimTools = { ...tools, about: base.country, source: base.passage.text };
    const variants = VARIANT_KINDS.flatMap((kind) =>
      makeVariant(kind, base.text, claimTools, randomSource(`${SEED}/${base.id}/${kind}`)) ?? []
    );
    return { base, variants };
  });
  const draw = { perKind: PER_KIND, drawnPerKind: DRAWN_PER_KIND };
  const cases = chooseCases(varied, { ...draw, random: randomSource(`${SEED}/cases`) });
  return { cases, passages: new Map(claims.map(({ passage }) => [passage.id, passage])) };
}

/** Split of each country by code. Nothing was trained on those of the test split. */
export const splitsOf = (countries: readonly CountryMaterial[]) =>
  splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);

/** Countries outside all training data. */
export function heldOutCountries(
  countries: readonly CountryMaterial[],
): readonly CountryMaterial[] {
  const parts = splitsOf(countries);
  return countries.filter(({ code }) => parts.get(code) === "test");
}

/**
 * A claim supported by its passage: `fr/p12` from running text, `fr/f3` from a structured field.
 */
type BaseClaim = ReturnType<typeof claimsAbout>[number];

/**
 * Makes claims from sentences, and from values of structured fields. The seed `lot` draws the
 * wording of values.
 */
export function claimsAbout(
  { code, country, prose, facts, passages }: CountryMaterial,
  lot: string,
) {
  const sentences = prose.map(({ statement: { source, claim: text }, passage }, index) => (
    { id: `${code}/p${index}`, country, isProse: true, text, passage, value: "", source }
  ));
  const values = facts.flatMap((fact, index) => {
    const passage = passages.find(({ section, text }) =>
      section === fact.field.field && text.includes(fact.field.text)
    );
    if (passage === undefined) return [];
    const { value, template } = fact;
    const phrasing = choose(randomSource(`${code}/${index}/${lot}`), template.phrasings);
    const { claim: text } = factStatement(fact, value, phrasing);
    return [{
      id: `${code}/f${index}`,
      country,
      isProse: false,
      text,
      passage,
      value,
      source: text,
    }];
  });
  return [...sentences, ...values];
}

/** Beginnings that depend on the sentence before. */
const DEPENDENT_BEGINNING =
  /^(?:However|In addition|Additionally|Also|Since then|Moreover|As a result|The latter|Despite|Although|Both|Such|Other|Another|Instead|Nevertheless|Therefore|Thus|One|In response|Afterwards?|Later|Meanwhile)\b|\b(?:the latter|the former|respectively)\b/u;

/** Tests for sentences that are complete alone, and for values that someone would state. */
function isGoodCase({ country, isProse, text, value, source }: BaseClaim): boolean {
  // "Gaza, Gaza Strip" fits no wording; no one says "prices rose by -1%" or "0 km of coast".
  if (!isProse) return !country.includes(",") && !/^(?:-|0 )/u.test(value);
  const words = text.split(" ").length;
  const isWhole = text.split("(").length === text.split(")").length && text.endsWith(".");
  return isWhole && /^\p{Lu}/u.test(source) && !DEPENDENT_BEGINNING.test(text) && words >= 6 &&
    words <= 40;
}

/** A claim with all its possible variants. */
interface VariedClaim {
  readonly base: BaseClaim;
  readonly variants: readonly Variant[];
}

/**
 * Chooses a number of cases per kind, half of them from running text where possible. Kinds share
 * originals as far as possible, so that few need to be verified; rare kinds choose first.
 * `drawnPerKind` of each kind, those with the most shared originals, are also for language models.
 */
export function chooseCases(
  claims: readonly VariedClaim[],
  { perKind, drawnPerKind, random }: {
    readonly perKind: number;
    readonly drawnPerKind: number;
    readonly random: RandomSource;
  },
): readonly RobustnessCase[] {
  const shuffled = random.shuffle(claims);
  const having = (kind: VariantKind) =>
    shuffled.filter(({ variants }) => variants.some((variant) => variant.kind === kind));
  const rarestFirst = VARIANT_KINDS.toSorted((a, b) => having(a).length - having(b).length);
  const used = new Map<VariedClaim, VariantKind[]>();
  for (const kind of rarestFirst) {
    // Whether used before, not how often: otherwise a few claims would dominate.
    const inOrder = having(kind).toSorted((a, b) => Number(used.has(b)) - Number(used.has(a)));
    const prose = inOrder.filter(({ base }) => base.isProse);
    const facts = inOrder.filter(({ base }) => !base.isProse);
    const most = Math.max(Math.ceil(perKind / 2), perKind - facts.length);
    const ofProse = Math.min(prose.length, most);
    for (const claim of [...prose.slice(0, ofProse), ...facts.slice(0, perKind - ofProse)]) {
      used.set(claim, [...used.get(claim) ?? [], kind]);
    }
  }
  const cases = [...used].flatMap(([{ base, variants }, kinds]) =>
    variants.filter(({ kind }) => kinds.includes(kind)).map(({ kind, text, from, to }) => ({
      id: `${base.id}/${kind}`,
      base: base.id,
      country: base.country,
      kind,
      original: base.text,
      changed: text,
      from,
      to,
      source_id: base.passage.id,
    }))
  );
  const serves = Map.groupBy(cases, ({ base }) => base);
  const byUse = cases.toSorted((a, b) => serves.get(b.base)!.length - serves.get(a.base)!.length);
  const drawn = new Set(
    VARIANT_KINDS.flatMap((kind) =>
      byUse.filter((one) => one.kind === kind).slice(0, drawnPerKind)
    ),
  );
  return cases.map((one) => ({ ...one, drawn: drawn.has(one) }));
}

/** Name of the set in every answer. */
export const ROBUSTNESS_SET = "robustness";

/**
 * Returns the changed claims and their originals, each once. @throws {RangeError} for an unknown
 * source.
 */
export function labelledCases(
  cases: readonly RobustnessCase[],
  passages: ReadonlyMap<string, Passage>,
): readonly LabelledCase[] {
  const asked = (
    { id, country: cluster, source_id }: RobustnessCase,
    content: Pick<LabelledCase, "id" | "claim" | "label">,
  ) => {
    const passage = passages.get(source_id);
    if (passage !== undefined) {
      return { set: ROBUSTNESS_SET, cluster, passages: [passage], ...content };
    }
    throw new RangeError(`Cannot ask about ${id}: the knowledge base has no passage ${source_id}`);
  };
  const originals = Map.groupBy(cases, ({ base }) => base).values().map(([first]) => first!);
  return [
    ...originals.map((one) =>
      asked(one, { id: one.base, claim: one.original, label: "supported" })
    ),
    ...cases.map((one) => asked(one, { id: one.id, claim: one.changed, label: labelOf(one.kind) })),
  ];
}

/** Cases for language models: the drawn ones with their originals. */
export function drawnOf(labelled: readonly LabelledCase[], cases: readonly RobustnessCase[]) {
  const ids = new Set(cases.filter(({ drawn }) => drawn).flatMap(({ id, base }) => [id, base]));
  return labelled.filter(({ id }) => ids.has(id));
}
