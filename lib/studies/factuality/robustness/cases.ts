/** The cases of the study: true claims about held-out countries, and what one change made of them. */
import { choose, type RandomSource, randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../../factuality/labelled_case.ts";
import { gazetteerOf } from "../../../factuality/features/words.ts";
import { countryGazetteer, type FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import { countryMaterial, factStatement, usualFamilyNames } from "../claims/statements.ts";
import type { CountryMaterial } from "../claims/statements.ts";
import type { Passage } from "../../../factuality/types.ts";
import * as control from "./controls.ts";
import * as perturbation from "./perturbations.ts";
import type { RobustnessCase } from "./tables.ts";
import { changed, labelOf, VARIANT_KINDS } from "./variant.ts";
import type { VariantKind, VariantRule, VariantTools } from "./variant.ts";

const RULES: Readonly<Record<VariantKind, VariantRule>> = {
  date: perturbation.shiftDate,
  place: perturbation.swapPlace,
  number: perturbation.shiftNumber,
  digits: perturbation.exchangeDigits,
  name: perturbation.swapName,
  negation: perturbation.flipNegation,
  quantifier: perturbation.swapQuantifier,
  roles: perturbation.swapRoles,
  unit: perturbation.swapUnit,
  paraphrase: control.paraphrase,
  synonym: control.useSynonym,
  order: control.reorder,
  "number format": control.reformatNumber,
  "date format": control.reformatDate,
  "unit converted": control.convertUnit,
  spelling: control.respell,
};

/** A text after one change: what stood there, and what stands there now. */
export interface Variant {
  readonly kind: VariantKind;
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

/** The text with one thing of the kind changed; undefined where there is none. Deterministic. */
export function makeVariant(
  kind: VariantKind,
  text: string,
  tools: VariantTools,
  random: RandomSource,
): Variant | undefined {
  const found = RULES[kind](text, tools, random) ?? [];
  const change = "to" in found ? found : found.length === 0 ? undefined : choose(random, found);
  if (change === undefined) return undefined;
  const [from, { to }] = [text.slice(change.start, change.end), change];
  return from === to ? undefined : { kind, text: changed(text, change), from, to };
}

/** Cases a kind: 40 tell a rate to within 15 points, and some are lost with originals not accepted. */
const PER_KIND = 48;
const DRAWN_PER_KIND = 10;
const SEED = 44;

/** The cases of the study and, by id, their passages: the same from the same knowledge base. */
export function knowledgeVariants(fields: readonly FactbookField[]) {
  const claims = heldOut(countryMaterial(fields))
    .flatMap((material) => claimsAbout(material, "phrasing").filter(isGoodCase));
  const tools = knowledgeTools(fields);
  const varied = claims.map((base): VariedClaim => {
    const own = { ...tools, about: base.country, source: base.passage.text };
    const variants = VARIANT_KINDS.flatMap((kind) =>
      makeVariant(kind, base.text, own, randomSource(`${SEED}/${base.id}/${kind}`)) ?? []
    );
    return { base, variants };
  });
  const draw = { perKind: PER_KIND, drawnPerKind: DRAWN_PER_KIND };
  const cases = chooseCases(varied, { ...draw, random: randomSource(`${SEED}/cases`) });
  return { cases, passages: new Map(claims.map(({ passage }) => [passage.id, passage])) };
}

/** Each country's part in training, by its code; nothing was trained on those of the test. */
export const partsOf = (countries: readonly CountryMaterial[]) =>
  splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);

/** Countries that nothing was trained on. */
export function heldOut(countries: readonly CountryMaterial[]): readonly CountryMaterial[] {
  const parts = partsOf(countries);
  return countries.filter(({ code }) => parts.get(code) === "test");
}

/** What texts are changed with, of a knowledge base's names. */
export function knowledgeTools(fields: readonly FactbookField[]) {
  const states = fields.filter(({ field, subfield, text }) =>
    field === "Independence" && subfield === "" && /\d{3}/u.test(text) && !/^none/u.test(text)
  );
  const people = fields.filter(({ field }) => /^(?:Background|Military)/u.test(field))
    .flatMap(({ text }) => perturbation.peopleIn(usualFamilyNames(text)));
  return {
    gazetteer: gazetteerOf(countryGazetteer(fields)),
    states: states.map(({ country, region }) => ({ name: country, region })),
    people: [...new Set(people)].sort(),
  };
}

/** A claim that its passage bears out: `fr/p12` of running text, `fr/f3` of a structured field. */
type BaseClaim = ReturnType<typeof claimsAbout>[number];

/** Sentences of running text, and values of structured fields in a phrasing by that lot. */
export function claimsAbout(
  { code, country, prose, facts, passages }: CountryMaterial,
  lot: string,
) {
  const sentences = prose.map(({ statement: { source: said, claim: text }, passage }, index) => (
    { id: `${code}/p${index}`, country, isProse: true, text, passage, value: "", said }
  ));
  const values = facts.flatMap((fact, index) => {
    const passage = passages.find(({ section, text }) =>
      section === fact.field.field && text.includes(fact.field.text)
    );
    if (passage === undefined) return [];
    const { value, template } = fact;
    const phrasing = choose(randomSource(`${code}/${index}/${lot}`), template.phrasings);
    const { claim: text } = factStatement(fact, value, phrasing);
    return [{ id: `${code}/f${index}`, country, isProse: false, text, passage, value, said: text }];
  });
  return [...sentences, ...values];
}

/** Begins with what only the sentence before it explains. */
const LEANS_BACK =
  /^(?:However|In addition|Additionally|Also|Since then|Moreover|As a result|The latter|Despite|Although|Both|Such|Other|Another|Instead|Nevertheless|Therefore|Thus|One|In response|Afterwards?|Later|Meanwhile)\b|\b(?:the latter|the former|respectively)\b/u;

/** Sentences that stand on their own, as they are, and values that somebody would tell. */
function isGoodCase({ country, isProse, text, value, said }: BaseClaim): boolean {
  // "Gaza, Gaza Strip" fits into no phrasing; "prices rose by -1%", "0 km of coast": nobody says so.
  if (!isProse) return !country.includes(",") && !/^(?:-|0 )/u.test(value);
  const words = text.split(" ").length;
  const isWhole = text.split("(").length === text.split(")").length && text.endsWith(".");
  return isWhole && /^\p{Lu}/u.test(said) && !LEANS_BACK.test(text) && words >= 6 && words <= 40;
}

/** A claim with every variant that could be made of it. */
interface VariedClaim {
  readonly base: BaseClaim;
  readonly variants: readonly Variant[];
}

/**
 * So many cases a kind, about half of them of running text where there are enough; kinds share their
 * original claims as far as they can, so that few have to be asked about. Rare kinds choose first.
 * Of each kind `drawnPerKind` are for language models, too: those whose originals serve most kinds.
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
    // Used whether once or often: else a few claims would carry everything.
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

/** The changed claims and, each once, the originals. @throws {RangeError} for an unknown source. */
export function labelledCases(
  cases: readonly RobustnessCase[],
  passages: ReadonlyMap<string, Passage>,
): readonly LabelledCase[] {
  const asked = (
    { id, country: cluster, source_id }: RobustnessCase,
    own: Pick<LabelledCase, "id" | "claim" | "label">,
  ) => {
    const passage = passages.get(source_id);
    if (passage !== undefined) return { set: ROBUSTNESS_SET, cluster, passages: [passage], ...own };
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

/** Of labelled cases those that language models are asked about: drawn ones and their originals. */
export function drawnOf(labelled: readonly LabelledCase[], cases: readonly RobustnessCase[]) {
  const ids = new Set(cases.filter(({ drawn }) => drawn).flatMap(({ id, base }) => [id, base]));
  return labelled.filter(({ id }) => ids.has(id));
}
