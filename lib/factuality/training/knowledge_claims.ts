import {
  chance,
  choose,
  chooseWeighted,
  type RandomSource,
  randomSource,
} from "../../stats/random.ts";
import { ruleSplitter } from "../claims/rule_splitter.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type FactbookField, factbookFields } from "../retrieval/factbook.ts";
import type { ClaimSplitter, Passage, VerdictLabel } from "../types.ts";
import {
  composeSources,
  type Context,
  elsewhere,
  type Making,
  type Missing,
  otherSources,
  type SourceForm,
  tableContext,
  writtenContext,
} from "./contexts.ts";
import { factContrast, inEitherOrder, namePool, proseContrast, valuesByQuestion } from "./edits.ts";
import { type Split, splitCountries, withoutHeldOutClaims } from "./splits.ts";
import {
  type Contrast,
  type CountryMaterial,
  countryMaterial,
  type Fact,
  type PlacedStatement,
} from "./statements.ts";
import { claimPair, OPINIONS } from "./styles.ts";

/** Name of the set in every case. */
export const KNOWLEDGE_SET = "factbook claims";

/** A case made out of the knowledge base, with how it was made. */
export interface KnowledgeCase extends LabelledCase {
  readonly label: VerdictLabel;
  readonly split: Split;
  readonly kind: "fact" | "prose" | "two statements" | "opinion";
  /** What made the claim or the source differ; `removed`, `other topic`, … where info is missing. */
  readonly edit: string;
  readonly form: SourceForm;
}

/** Deals the countries; the same wherever something is trained, calibrated or measured. */
export const KNOWLEDGE_SEED = 41;

interface KnowledgeClaimsOptions {
  /** A whole number; the same gives the same cases. */
  readonly seed: number;
  /** Sentences of running text a country, each giving four cases or six. */
  readonly prosePerCountry: number;
  /** Values of structured fields a country, each giving four cases. */
  readonly factsPerCountry: number;
  /** Takes long sentences apart into the claims that people are asked about. */
  readonly splitter: ClaimSplitter;
}

/**
 * Labelled cases made out of the knowledge base, by country into train, development and test.
 *
 * Each statement is paired with one that excludes it (another number, name or word, a negation), and
 * either may be what the source says, by lot. The claim of what stands there is supported, the
 * other's is refuted; with the other in its place that is supported too; and with the statement taken
 * out there is not enough info. So half the claims are supported, whatever their words are: from the
 * claim alone next to nothing can be learnt. Edited sources say what is not so; they are for training
 * and measuring only.
 */
export async function knowledgeClaims(
  fields: readonly FactbookField[],
  options: KnowledgeClaimsOptions,
): Promise<readonly KnowledgeCase[]> {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), options.seed);
  const values = valuesByQuestion(countries.flatMap(({ facts }) => facts));
  const pool = namePool(
    countries.flatMap(({ prose }) => prose.map(({ statement }) => statement.source)),
    countries.map(({ country }) => country),
  );
  const cases: KnowledgeCase[] = [];
  for (const [index, material] of countries.entries()) {
    const split = splits.get(material.code)!;
    const making = { split, values, pool, material, kin: kinOf(countries, splits, index) };
    cases.push(...await casesOfCountry(making, options));
  }
  return cases;
}

/**
 * The claims that the verifier that ships was trained on, with the same countries held out; without the
 * few to learn from that stand in the same words for a held-out country ("Defense is the
 * responsibility of the US.").
 */
export async function heldOutKnowledgeClaims(): Promise<readonly KnowledgeCase[]> {
  const cases = await knowledgeClaims(await factbookFields(FACTUALITY_PATHS.cache), {
    seed: KNOWLEDGE_SEED,
    prosePerCountry: 4,
    factsPerCountry: 2,
    splitter: ruleSplitter(),
  });
  return withoutHeldOutClaims(cases);
}

/** Another country of the same split: what it says must not cross over. */
function kinOf(
  countries: readonly CountryMaterial[],
  splits: ReadonlyMap<string, Split>,
  index: number,
): CountryMaterial {
  const split = splits.get(countries[index]!.code);
  const turned = [...countries.slice(index + 1), ...countries.slice(0, index + 1)];
  return turned.find(({ code }) => splits.get(code) === split)!;
}

async function casesOfCountry(
  making: Omit<Making, "splitter">,
  { seed, prosePerCountry, factsPerCountry, splitter }: KnowledgeClaimsOptions,
): Promise<readonly KnowledgeCase[]> {
  const { material } = making;
  const random = (what: string): RandomSource => randomSource(`${seed}/${material.code}/${what}`);
  const complete = { ...making, splitter };
  const prose = drawn(material.prose, prosePerCountry, random("prose"));
  const facts = drawn(material.facts, factsPerCountry, random("facts"));
  const made: (readonly KnowledgeCase[])[] = [];
  for (const [i, placed] of prose.entries()) {
    made.push(await proseCases(complete, placed, `p${i}`, random(`prose ${i}`)));
  }
  facts.forEach((fact, i) => made.push(factCases(complete, fact, `f${i}`, random(`fact ${i}`))));
  const groups = made.filter((group) => group.length > 0);
  return [
    ...groups.flat(),
    ...combinedCases(groups, random("two statements")),
    ...opinionCases(groups, material.country, random("opinions")),
  ];
}

function drawn<T>(items: readonly T[], most: number, random: RandomSource): readonly T[] {
  return random.sample(items, Math.min(items.length, most));
}

/** The passages of a case. */
type Sources = readonly Passage[];

/** What four cases are made of. */
interface GroupParts {
  readonly name: string;
  readonly contrast: Contrast;
  readonly form: SourceForm;
  /** With the first version's sentence in them, and with the second's. */
  readonly sources: readonly [Sources, Sources];
  readonly without: Sources;
  readonly missing: Missing;
  readonly random: RandomSource;
}

/** Supported, refuted, without enough info, and the other version supported by its own source. */
function fourCases(making: Making, parts: GroupParts): readonly KnowledgeCase[] {
  const { contrast, form, sources, without, missing, random } = parts;
  const claims = claimPair(contrast, random);
  const made = (
    label: VerdictLabel,
    claim: string,
    passages: Sources,
    edit: string,
    name: string = label,
  ) => ({
    id: `${making.material.code}/${parts.name}/${name}`,
    claim,
    passages,
    label,
    cluster: making.material.country,
    set: KNOWLEDGE_SET,
    split: making.split,
    kind: contrast.versions[0].kind,
    edit,
    form,
  });
  return [
    made("supported", claims[0], sources[0], contrast.edit),
    made("refuted", claims[1], sources[0], contrast.edit),
    made("not enough info", choose(random, claims), without, missing),
    made("supported", claims[1], sources[1], contrast.edit, "supported too"),
  ];
}

const FACT_FORMS = { sentence: 15, passage: 25, passages: 20, web: 15, written: 25 };

/** Four cases of a value, two of them supported; none where no other can stand in its place. */
function factCases(
  making: Making,
  fact: Fact,
  name: string,
  random: RandomSource,
): readonly KnowledgeCase[] {
  const found = factContrast(fact, making.values, random);
  if (found === undefined) return [];
  const contrast = inEitherOrder(found, random);
  const form = chooseWeighted(random, FACT_FORMS);
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

/** Where and when another sentence's end says something happened. */
const DETAIL =
  / ((?:in|during|since|after|with|from|near|under|because of|along) [^,;.:()]{6,45})\.?$/u;

/** A detail out of another passage of the country; undefined where no sentence ends in one. */
function detailFor(
  material: CountryMaterial,
  placed: PlacedStatement,
  random: RandomSource,
): string | undefined {
  const others = material.prose.filter(({ passage }) => passage.section !== placed.passage.section);
  const details = others.flatMap(({ statement }) => DETAIL.exec(statement.source)?.[1] ?? []);
  return details.length > 0 ? choose(random, details) : undefined;
}

/**
 * A claim with a detail that its source has not is not borne out; where the source has the detail
 * too, it is. Both, so that the detail alone tells nothing.
 */
function detailCases(
  supported: KnowledgeCase,
  detail: string,
  told: readonly Passage[],
): readonly KnowledgeCase[] {
  const claim = withDetail(supported.claim, detail);
  const made = (label: VerdictLabel, passages: readonly Passage[]) => ({
    ...supported,
    id: `${supported.id}/detail/${label}`,
    claim,
    label,
    passages,
    edit: "detail",
  });
  return [made("not enough info", supported.passages), made("supported", told)];
}

/** The sentence with the detail before its full stop. */
function withDetail(sentence: string, detail: string): string {
  const [, text = "", end = ""] = /^(.*?)([\s.;]*)$/su.exec(sentence)!;
  return `${text} ${detail}${end}`;
}

const PROSE_FORMS = { sentence: 30, passage: 20, passages: 20, web: 30, written: 0 };

/** Share of sentences that are also claimed with a detail more than the source has. */
const DETAILED = 0.5;

/**
 * Four cases of a sentence, two of them supported, and for some two with a detail more; none where
 * no contrast can be made of it.
 */
async function proseCases(
  making: Making,
  placed: PlacedStatement,
  name: string,
  random: RandomSource,
): Promise<readonly KnowledgeCase[]> {
  const { pool, splitter, material } = making;
  const found = proseContrast(placed.statement, pool, random);
  if (found === undefined) return [];
  const contrast = await atomic(inEitherOrder(found, random), splitter, random);
  const form = chooseWeighted(random, PROSE_FORMS);
  const compose = (target: string | undefined) =>
    composeSources(form, contextOf(making, placed, target), random);
  const [first, second] = contrast.versions.map(({ source }) =>
    placed.pieces[placed.index]!.replace(placed.statement.source, () => source)
  ) as [string, string];
  const sources: [Sources, Sources] = [compose(first), compose(second)];
  const missing = placed.pieces.length > 2 && chance(random, 0.6) ? "removed" : elsewhere(random);
  const without = missing === "removed"
    ? compose(undefined)
    : otherSources(making, missing, form, placed.passage.section, random);
  const made = fourCases(making, { name, contrast, form, sources, missing, without, random });
  const detail = chance(random, DETAILED) ? detailFor(material, placed, random) : undefined;
  if (detail === undefined) return made;
  return [...made, ...detailCases(made[0]!, detail, compose(withDetail(first, detail)))];
}

/** The sentence's place, with `target` or nothing in it. */
function contextOf(
  { material }: Making,
  { pieces, index, passage }: PlacedStatement,
  target: string | undefined,
): Context {
  return {
    before: pieces.slice(0, index),
    target,
    after: pieces.slice(index + 1),
    title: material.country,
    section: passage.section,
    others: material.passages.filter(({ section }) => section !== passage.section),
  };
}

/** One claim of a sentence of several, where the versions differ; the whole sentence for some. */
async function atomic(
  contrast: Contrast,
  splitter: ClaimSplitter,
  random: RandomSource,
): Promise<Contrast> {
  if (chance(random, 0.25)) return contrast;
  const [a, b] = await Promise.all(
    contrast.versions.map(async ({ claim }) => (await splitter.split(claim)).claims),
  );
  if (a!.length !== b!.length) return contrast;
  const differing = a!.keys().filter((i) => a![i]!.text !== b![i]!.text).toArray();
  if (differing.length === 0) return contrast;
  const chosen = choose(random, differing);
  const [first, second] = contrast.versions;
  return {
    edit: contrast.edit,
    versions: [{ ...first, claim: a![chosen]!.text }, { ...second, claim: b![chosen]!.text }],
  };
}

/**
 * Two statements in one claim, from two statements of a country with their cases:
 * borne out when both are; refuted when the second is; not enough when the second is missing. One
 * set of four a country.
 */
function combinedCases(
  groups: readonly (readonly KnowledgeCase[])[],
  random: RandomSource,
): readonly KnowledgeCase[] {
  const usable = groups.filter(([first]) =>
    first!.claim.length < 140 && first!.claim.endsWith(".")
  );
  if (usable.length < 2) return [];
  const [one, other] = random.sample(usable, 2) as [
    readonly KnowledgeCase[],
    readonly KnowledgeCase[],
  ];
  const turned = chance(random, 0.5);
  return other.slice(0, 4).map((second) => {
    const first = one[0]!;
    const claims = turned ? [second.claim, first.claim] : [first.claim, second.claim];
    return {
      ...second,
      id: `${second.id}/two`,
      kind: "two statements" as const,
      claim: `${claims[0]!.replace(/\.$/u, "")}, and ${claims[1]}`,
      passages: turned
        ? [...second.passages, ...first.passages]
        : [...first.passages, ...second.passages],
    };
  });
}

/** What somebody says of themselves, with or without a true statement: no source bears it out. */
function opinionCases(
  groups: readonly (readonly KnowledgeCase[])[],
  country: string,
  random: RandomSource,
): readonly KnowledgeCase[] {
  if (groups.length === 0) return [];
  const supported = choose(random, groups)[0]!;
  const opinion = choose(random, OPINIONS).replaceAll(/\bC\b/gu, () => country);
  return [{
    ...supported,
    id: `${supported.id}/opinion`,
    kind: "opinion",
    label: "not enough info",
    edit: "opinion",
    claim: chance(random, 0.5) ? opinion : `${supported.claim} ${opinion}`,
  }];
}
