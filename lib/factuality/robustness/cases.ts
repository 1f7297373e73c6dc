/** The cases of the study: true claims about held-out countries, and what one change made of them. */
import { choose, type RandomSource, randomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { gazetteerOf } from "../features/words.ts";
import { countryGazetteer, type FactbookField } from "../retrieval/factbook.ts";

import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { splitCountries } from "../training/splits.ts";
import {
  type CountryMaterial,
  countryMaterial,
  factStatement,
  usualFamilyNames,
} from "../training/statements.ts";
import type { Passage, TextSpan } from "../types.ts";
import {
  convertUnit,
  paraphrase,
  reformatDate,
  reformatNumber,
  reorder,
  respell,
  useSynonym,
} from "./controls.ts";
import {
  exchangeDigits,
  flipNegation,
  peopleIn,
  shiftDate,
  shiftNumber,
  swapName,
  swapPlace,
  swapQuantifier,
  swapRoles,
  swapUnit,
} from "./perturbations.ts";
import type { RobustnessCase } from "./tables.ts";
import {
  changed,
  labelOf,
  VARIANT_KINDS,
  type VariantKind,
  type VariantRule,
  type VariantTools,
} from "./variant.ts";

const RULES: Readonly<Record<VariantKind, VariantRule>> = {
  date: shiftDate,
  place: swapPlace,
  number: shiftNumber,
  digits: exchangeDigits,
  name: swapName,
  negation: flipNegation,
  quantifier: swapQuantifier,
  roles: swapRoles,
  unit: swapUnit,
  paraphrase,
  synonym: useSynonym,
  order: reorder,
  "number format": reformatNumber,
  "date format": reformatDate,
  "unit converted": convertUnit,
  spelling: respell,
};

/** A text after one change. */
export interface Variant {
  readonly kind: VariantKind;
  readonly text: string;
  /** Where in the original; `from` is what stood there, `to` what stands there now. */
  readonly span: TextSpan;
  readonly from: string;
  readonly to: string;
}

/**
 * The text with one thing of the kind changed; undefined where nothing of the kind stands in it. The
 * same text, tools and random source give the same variant.
 */
export function makeVariant(
  kind: VariantKind,
  text: string,
  tools: VariantTools,
  random: RandomSource,
): Variant | undefined {
  const change = RULES[kind](text, tools, random);
  if (change === undefined) return undefined;
  const { start, end, to } = change;
  const from = text.slice(start, end);
  if (from === to) return undefined;
  return { kind, text: changed(text, change), span: { start, end }, from, to };
}

/** Cases a kind: 40 tell a rate to within 15 points, and some are lost with originals not accepted. */
const PER_KIND = 48;
const DRAWN_PER_KIND = 10;
const SEED = 44;

/** The cases of the study and, by id, their passages: the same from the same knowledge base. */
export function knowledgeVariants(fields: readonly FactbookField[]): {
  readonly cases: readonly RobustnessCase[];
  readonly passages: ReadonlyMap<string, Passage>;
} {
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
    perKind: PER_KIND,
    drawnPerKind: DRAWN_PER_KIND,
    random: randomSource(`${SEED}/cases`),
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

/** A claim that its source bears out, about a country that nothing was trained on. */
interface BaseClaim {
  /** `fr/p12` for running text, `fr/f3` for a value of a structured field. */
  readonly id: string;
  readonly country: string;
  /** Whether it is a sentence of running text, and not a value of a structured field. */
  readonly isProse: boolean;
  readonly text: string;
  /** The passage of the knowledge base that says so, as it stands there. */
  readonly passage: Passage;
}

/** All claims about held-out countries that stand on their own: sentences as they are, values in a phrasing by lot. */
function baseClaims(fields: readonly FactbookField[]): readonly BaseClaim[] {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  return countries.filter(({ code }) => splits.get(code) === "test")
    .flatMap((material) => [...proseClaims(material), ...factClaims(material)]);
}

/** Begins with what only the sentence before it explains. */
const LEANS_BACK =
  /^(?:However|In addition|Additionally|Also|Since then|Moreover|As a result|The latter|Despite|Although|Both|Such|Other|Another|Instead|Nevertheless|Therefore|Thus|One|In response|Afterwards?|Later|Meanwhile)\b|\b(?:the latter|the former|respectively)\b/u;

const [FEWEST_WORDS, MOST_WORDS] = [6, 40];

function proseClaims({ code, country, prose }: CountryMaterial): readonly BaseClaim[] {
  return prose.flatMap(({ statement, passage }, index) => {
    const words = statement.claim.split(" ").length;
    const standsAlone = /^\p{Lu}/u.test(statement.source) && !LEANS_BACK.test(statement.claim) &&
      words >= FEWEST_WORDS && words <= MOST_WORDS && /[.]$/u.test(statement.claim);
    const isWhole = statement.claim.split("(").length === statement.claim.split(")").length;
    if (!standsAlone || !isWhole) return [];
    return [{ id: `${code}/p${index}`, country, isProse: true, text: statement.claim, passage }];
  });
}

/** "Prices rose by -1%", "0 km of coast": true, but nobody says so. */
const ODD_VALUE = /^(?:-|0 )/u;

function factClaims({ code, country, facts, passages }: CountryMaterial): readonly BaseClaim[] {
  // "Gaza, Gaza Strip" fits into no phrasing.
  if (country.includes(",")) return [];
  return facts.flatMap((fact, index) => {
    const passage = passages.find(({ section, text }) =>
      section === fact.field.field && text.includes(fact.field.text)
    );
    if (passage === undefined || ODD_VALUE.test(fact.value)) return [];
    const phrasing = choose(randomSource(`${code}/${index}/phrasing`), fact.template.phrasings);
    const { claim } = factStatement(fact, fact.value, phrasing);
    return [{ id: `${code}/f${index}`, country, isProse: false, text: claim, passage }];
  });
}

/** A claim with every variant that could be made of it. */
export interface VariedClaim {
  readonly base: BaseClaim;
  readonly variants: readonly Variant[];
}

/**
 * So many cases a kind, about half of them of running text where there are enough; kinds share their
 * original claims as far as they can, so that few have to be asked about. Rare kinds choose first.
 * Of each kind `drawnPerKind` are for language models, too.
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
  // Whether, no matter how often: else a few claims would carry everything.
  const isUsed = (claim: VariedClaim) => Number(used.has(claim));
  for (const kind of rarestFirst) {
    const inOrder = having(kind).toSorted((a, b) => isUsed(b) - isUsed(a));
    for (const claim of halfProse(inOrder, perKind)) {
      used.set(claim, [...used.get(claim) ?? [], kind]);
    }
  }
  return drawn([...used].flatMap(([claim, kinds]) => rows(claim, kinds)), drawnPerKind);
}

function halfProse(claims: readonly VariedClaim[], count: number): readonly VariedClaim[] {
  const prose = claims.filter(({ base }) => base.isProse);
  const facts = claims.filter(({ base }) => !base.isProse);
  const ofProse = Math.min(prose.length, Math.max(Math.ceil(count / 2), count - facts.length));
  return [...prose.slice(0, ofProse), ...facts.slice(0, count - ofProse)];
}

function rows({ base, variants }: VariedClaim, kinds: readonly VariantKind[]) {
  return VARIANT_KINDS.filter((kind) => kinds.includes(kind)).map((kind): RobustnessCase => {
    const { text, from, to } = variants.find((variant) => variant.kind === kind)!;
    const { id, country, passage: { id: source } } = base;
    const original = base.text;
    return {
      id: `${id}/${kind}`,
      base: id,
      country,
      kind,
      original,
      changed: text,
      from,
      to,
      source,
      drawn: false,
    };
  });
}

/** Of each kind those whose originals serve the most kinds. */
function drawn(cases: readonly RobustnessCase[], count: number): readonly RobustnessCase[] {
  const serves = Map.groupBy(cases, ({ base }) => base);
  const byUse = cases.toSorted((a, b) => serves.get(b.base)!.length - serves.get(a.base)!.length);
  const chosen = new Set(
    VARIANT_KINDS.flatMap((kind) => byUse.filter((one) => one.kind === kind).slice(0, count)),
  );
  return cases.map((one) => ({ ...one, drawn: chosen.has(one) }));
}

/** Name of the set in every answer. */
export const ROBUSTNESS_SET = "robustness";

/**
 * The changed claims and, each once, the originals, as cases that components are asked about.
 * @throws {RangeError} naming the case whose source is not among the passages.
 */
export function labelledCases(
  cases: readonly RobustnessCase[],
  passages: ReadonlyMap<string, Passage>,
): readonly LabelledCase[] {
  const originals = [...Map.groupBy(cases, ({ base }) => base).values()].map(([first]) => first!);
  const common = ({ id, country: cluster, source }: RobustnessCase) => {
    const passage = passages.get(source);
    if (passage !== undefined) return { set: ROBUSTNESS_SET, cluster, passages: [passage] };
    throw new RangeError(`Cannot ask about ${id}: the knowledge base has no passage ${source}.`);
  };
  return [
    ...originals.map((one) => ({
      ...common(one),
      id: one.base,
      claim: one.original,
      label: "supported" as const,
    })),
    ...cases.map((one) => ({
      ...common(one),
      id: one.id,
      claim: one.changed,
      label: labelOf(one.kind),
    })),
  ];
}

/** Of labelled cases those that language models are asked about: drawn ones and their originals. */
export function drawnOf(
  labelled: readonly LabelledCase[],
  cases: readonly RobustnessCase[],
): readonly LabelledCase[] {
  const ids = new Set(cases.filter(({ drawn }) => drawn).flatMap(({ id, base }) => [id, base]));
  return labelled.filter(({ id }) => ids.has(id));
}
