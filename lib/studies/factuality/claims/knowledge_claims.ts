import { shownPath } from "../../../files/atomic.ts";
import { bernoulli, choose, randomSource, sampleWeighted } from "../../../stats/random.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { ruleSplitter } from "../../../factuality/claims/rule_splitter.ts";
import { evidencePassage, type LabelledCase } from "../../../factuality/labelled_case.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import {
  type FactbookField,
  factbookFields,
  passagesOfFields,
} from "../../../factuality/retrieval/factbook.ts";
import { type ClaimSplitter, type Passage, VERDICT_LABELS } from "../../../factuality/types.ts";
import type { VerdictLabel } from "../../../factuality/types.ts";
import {
  type CaseMaterial,
  composeSources,
  countryContext,
  type Missing,
  randomMissing,
} from "./contexts.ts";
import { otherSources, type SourceForm, tableContext, writtenContext } from "./contexts.ts";
import { factContrast, inEitherOrder, namePool, proseContrast, valuesByQuestion } from "./edits.ts";
import type { TrainingCase } from "../../../factuality/own/training/pairs.ts";
import { type Split } from "../../../factuality/own/training/splits.ts";
import {
  countryMaterial,
  type Fact,
  type PlacedStatement,
  type StatementContrast,
} from "./statements.ts";
import { claimPair, OPINIONS } from "./styles.ts";
import { NATURAL_CONTRADICTIONS, WRITTEN_CLAIMS } from "./tables.ts";

/** Name of the set in every case. */
export const KNOWLEDGE_SET = "factbook claims";

/** A case from the knowledge base with its construction. */
export interface KnowledgeCase extends LabelledCase {
  readonly label: VerdictLabel;
  readonly split: Split;
  readonly kind: "fact" | "prose" | "two statements" | "opinion";
  /** Edit by which claim and source differ; `removed`, `other topic`, … for missing information. */
  readonly edit: string;
  readonly form: SourceForm;
}

/** Seed of the split of countries for training, calibration and measurement. */
export const KNOWLEDGE_SEED = 41;

interface KnowledgeClaimsOptions extends Pick<CaseMaterial, "splitter"> {
  /** Integer seed; equal seeds give equal cases. */
  readonly seed: number;
  /** Number of sentences per country, each giving four or six cases. */
  readonly prosePerCountry: number;
  /** Number of structured values per country, each giving four cases. */
  readonly factsPerCountry: number;
}

/**
 * Makes labelled cases from the knowledge base, split by country. Each statement is paired with a
 * contradictory one, and the source states either at random. The claim that the source states is
 * supported, the other is refuted; with the statement removed there is not enough info. Half the
 * claims are therefore supported whatever their words. Edited sources state falsehoods; they serve
 * training and measurement only.
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
    // The next country of the same split, so that no information crosses splits.
    const turned = [...countries.slice(index + 1), ...countries.slice(0, index + 1)];
    const kin = turned.find(({ code }) => splits.get(code) === split)!;
    const { splitter } = options;
    cases.push(...await casesOfCountry({ split, values, pool, material, kin, splitter }, options));
  }
  return cases;
}

/** Claims of the default verifier: four sentences and two values per country. */
export async function defaultKnowledgeClaims(): Promise<readonly KnowledgeCase[]> {
  const some = { seed: KNOWLEDGE_SEED, prosePerCountry: 4, factsPerCountry: 2 };
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  return await knowledgeClaims(fields, { ...some, splitter: ruleSplitter() });
}

type Cases = readonly KnowledgeCase[];

async function casesOfCountry(
  making: CaseMaterial,
  options: KnowledgeClaimsOptions,
): Promise<Cases> {
  const { seed, prosePerCountry, factsPerCountry } = options;
  const { material } = making;
  const random = (what: string): RandomSource => randomSource(`${seed}/${material.code}/${what}`);
  const drawn = <T>(items: readonly T[], most: number, what: string) =>
    random(what).sample(items, Math.min(items.length, most));
  const made: Cases[] = [];
  for (const [i, placed] of drawn(material.prose, prosePerCountry, "prose").entries()) {
    made.push(await proseCases(making, placed, `p${i}`, random(`prose ${i}`)));
  }
  drawn(material.facts, factsPerCountry, "facts")
    .forEach((fact, i) => made.push(factCases(making, fact, `f${i}`, random(`fact ${i}`))));
  const groups = made.filter((group) => group.length > 0);
  return [
    ...groups.flat(),
    ...combinedCases(groups, random("two statements")),
    ...opinionCases(groups, material.country, random("opinions")),
  ];
}

/** Passages of a case. */
type Sources = readonly Passage[];

/** Parts of a group of four cases. */
interface GroupParts {
  readonly name: string;
  readonly contrast: StatementContrast;
  readonly form: SourceForm;
  /** Sources with the first version's sentence, and with the second's. */
  readonly sources: readonly [Sources, Sources];
  readonly without: Sources;
  readonly missing: Missing;
}

/**
 * Four cases: supported, refuted, not enough info, and the other version supported by its source.
 */
function fourCases(making: CaseMaterial, parts: GroupParts, random: RandomSource): Cases {
  const { name, contrast: { edit, versions: [{ kind }] }, form, sources, without, missing } = parts;
  const { material: { country: cluster, code }, split } = making;
  const [first, second] = claimPair(parts.contrast, random);
  const made = (
    label: VerdictLabel,
    claim: string,
    passages: Sources,
    { idSuffix = label as string, why = edit } = {},
  ) => {
    const content = { id: `${code}/${name}/${idSuffix}`, claim, passages, label };
    return { ...content, cluster, set: KNOWLEDGE_SET, split, kind, edit: why, form };
  };
  const either = choose(random, [first, second]);
  return [
    made("supported", first, sources[0]),
    made("refuted", second, sources[0]),
    made("not enough info", either, without, { why: missing }),
    made("supported", second, sources[1], { idSuffix: "supported too" }),
  ];
}

const FACT_FORMS = { sentence: 15, passage: 25, passages: 20, web: 15, written: 25 };

/** Four cases of a value, two of them supported; none where no other value can replace it. */
function factCases(making: CaseMaterial, fact: Fact, name: string, random: RandomSource) {
  const factPair = factContrast(fact, making.values, random);
  if (factPair === undefined) return [];
  const contrast = inEitherOrder(factPair, random);
  const form = sampleWeighted(random, FACT_FORMS);
  const inTable = form === "passage" || form === "passages";
  const contextOf = inTable ? tableContext : writtenContext;
  const [one, other] = contrast.versions;
  const first = contextOf(making, fact, one, random);
  const second = contextOf(making, fact, other, random);
  const firstSources = composeSources(form, first, random);
  const sources = [firstSources, composeSources(form, second, random)] as const;
  // If it were removed from a table, its neighbours (men, women) would still be informative.
  const alone = first.before.length + first.after.length === 0;
  const missing = inTable || alone ? randomMissing(random) : "removed";
  const without = missing === "removed"
    ? composeSources(form, { ...first, target: undefined }, random)
    : otherSources(making, missing, form, fact.field.field, random);
  return fourCases(making, { name, contrast, form, sources, missing, without }, random);
}

const PROSE_FORMS = { sentence: 30, passage: 20, passages: 20, web: 30, written: 0 };

/** Share of sentences with additional cases that have a detail absent from the source. */
const DETAILED = 0.5;

/**
 * Four cases of a sentence, two of them supported. Some sentences have two more with an added
 * detail. A claim whose detail the source lacks is not supported; one whose detail it has is. Both
 * occur, so that the detail alone is uninformative; none where the sentence allows no contrast.
 */
async function proseCases(
  making: CaseMaterial,
  placed: PlacedStatement,
  name: string,
  random: RandomSource,
): Promise<Cases> {
  const { pool, splitter, material } = making;
  const { statement, pieces, index, passage: { section } } = placed;
  const prosePair = proseContrast(statement, pool, random);
  if (prosePair === undefined) return [];
  const contrast = await atomicContrast(inEitherOrder(prosePair, random), splitter, random);
  const form = sampleWeighted(random, PROSE_FORMS);
  const [before, after] = [pieces.slice(0, index), pieces.slice(index + 1)];
  const compose = (target: string | undefined) =>
    composeSources(form, { before, target, after, ...countryContext(making, section) }, random);
  const [first, second] = contrast.versions.map(({ source }) =>
    pieces[index]!.replace(statement.source, () => source)
  ) as [string, string];
  const sources = [compose(first), compose(second)] as const;
  const missing = pieces.length > 2 && bernoulli(random, 0.6) ? "removed" : randomMissing(random);
  const without = missing === "removed"
    ? compose(undefined)
    : otherSources(making, missing, form, section, random);
  const made = fourCases(making, { name, contrast, form, sources, missing, without }, random);
  if (!bernoulli(random, DETAILED)) return made;
  const details = material.prose.filter(({ passage }) => passage.section !== section)
    .flatMap(({ statement }) => DETAIL.exec(statement.source)?.[1] ?? []);
  if (details.length === 0) return made;
  const detail = choose(random, details);
  const detailedSources = compose(withDetail(first, detail));
  const [supported] = made as [KnowledgeCase];
  const detailed = (label: VerdictLabel, passages: Sources): KnowledgeCase => {
    const claim = withDetail(supported.claim, detail);
    const id = `${supported.id}/detail/${label}`;
    return { ...supported, id, claim, label, passages, edit: "detail" };
  };
  return [
    ...made,
    detailed("not enough info", supported.passages),
    detailed("supported", detailedSources),
  ];
}

/** Details of place and time at the end of a sentence. */
const DETAIL =
  / ((?:in|during|since|after|with|from|near|under|because of|along) [^,;.:()]{6,45})\.?$/u;

/** Inserts the detail before the sentence's full stop. */
function withDetail(sentence: string, detail: string): string {
  const [, text = "", end = ""] = /^(.*?)([\s.;]*)$/su.exec(sentence)!;
  return `${text} ${detail}${end}`;
}

/** Sentences that the splitter now splits, kept whole as in the stored answers. */
const UNSPLIT_SENTENCES =
  /^(?:Population is (?:not )?unevenly distributed and|HADI and his vice-president|Under the Taliban, (?:in)?dependent media|Full version only)/;

/** Reduces a contrast to the claim in which the versions differ. Some sentences stay whole. */
async function atomicContrast(
  contrast: StatementContrast,
  splitter: ClaimSplitter,
  random: RandomSource,
): Promise<StatementContrast> {
  if (bernoulli(random, 0.25)) return contrast;
  const { edit, versions: [first, second] } = contrast;
  const [ofFirst, ofSecond] = UNSPLIT_SENTENCES.test(first.claim)
    ? [[{ text: first.claim }], [{ text: second.claim }]]
    : [(await splitter.split(first.claim)).claims, (await splitter.split(second.claim)).claims];
  if (ofFirst.length !== ofSecond.length) return contrast;
  const differing = ofFirst.map(({ text }, i) => [text, ofSecond[i]!.text] as const)
    .filter(([one, other]) => one !== other);
  if (differing.length === 0) return contrast;
  const [one, other] = choose(random, differing);
  return { edit, versions: [{ ...first, claim: one }, { ...second, claim: other }] };
}

/**
 * Four cases of two joined statements, one set per country: supported where both statements are.
 */
function combinedCases(groups: readonly Cases[], random: RandomSource): Cases {
  const usable = groups.filter(([first]) =>
    first!.claim.length < 140 && first!.claim.endsWith(".")
  );
  if (usable.length < 2) return [];
  const [one, other] = random.sample(usable, 2);
  const turned = bernoulli(random, 0.5);
  return other!.slice(0, 4).map((second) => {
    const [former, latter] = turned ? [second, one![0]!] : [one![0]!, second];
    return {
      ...second,
      id: `${second.id}/two`,
      kind: "two statements" as const,
      claim: `${former.claim.replace(/\.$/u, "")}, and ${latter.claim}`,
      passages: [...former.passages, ...latter.passages],
    };
  });
}

/** First-person opinions, with or without a true statement, which no source supports. */
function opinionCases(groups: readonly Cases[], country: string, random: RandomSource): Cases {
  if (groups.length === 0) return [];
  const supported = choose(random, groups)[0]!;
  const opinion = choose(random, OPINIONS).replaceAll(/\bC\b/gu, () => country);
  return [{
    ...supported,
    id: `${supported.id}/opinion`,
    kind: "opinion",
    label: "not enough info",
    edit: "opinion",
    claim: bernoulli(random, 0.5) ? opinion : `${supported.claim} ${opinion}`,
  }];
}

/**
 * Claims of language models about countries, with their retrieved passages. Only here does the
 * split of countries include the world, so that some are in other splits than in rule-made claims,
 * as when the default network was trained. None is about a test country.
 */
export function writtenCases(fields: readonly FactbookField[]): readonly TrainingCase[] {
  const names = new Map(fields.map(({ code, country }) => [code, country]));
  const splits = splitCountries([...names.keys()], KNOWLEDGE_SEED);
  const known = new Map(passagesOfFields(fields).map((passage) => [passage.id, passage]));
  return WRITTEN_CLAIMS.read().map(({ code, writer, claim, label, passages }, index) => {
    const lacks = (what: string) =>
      new RangeError(
        `Cannot train on ${shownPath(WRITTEN_CLAIMS.path)}, row ${index + 1}: the knowledge base ` +
          `has no ${what}.`,
      );
    const [country, split] = [names.get(code), splits.get(code)];
    if (country === undefined || split === undefined) throw lacks(`country ${code}`);
    const read = passages.split("; ").map((id) => {
      const passage = known.get(id);
      if (passage === undefined) throw lacks(`passage ${id}`);
      return passage;
    });
    const set = writer === "reader" ? "written claims" : "answered claims";
    const id = `${code}/written ${index + 1}`;
    return { id, claim, passages: read, label, cluster: country, set, split };
  });
}

/** Name of the set in every case of {@link naturalClaims}. */
export const NATURAL_SET = "natural contradictions";

/** Labelled claims on invented passages, with the kind of each, of the split that their row names. */
export const naturalClaims = (): readonly (TrainingCase & { readonly kind: string })[] =>
  NATURAL_CONTRADICTIONS.read().map(({ id, cluster, split, label, kind, claim, evidence }) => {
    const passages = [evidencePassage(NATURAL_SET, id, evidence)];
    return { id, claim, passages, label, kind, cluster, set: NATURAL_SET, split };
  });

/** Shares of countries by split. The remainder after rounding goes to the test split. */
const SHARES = { train: 0.6, development: 0.15 };

/**
 * Assigns each country a split by the set of names and the seed. A country's claims share sources.
 */
export function splitCountries(countries: readonly string[], seed: number) {
  const names = [...new Set(countries)].sort();
  const shuffled = randomSource(`${seed}/split`).shuffle(names);
  const train = Math.round(SHARES.train * names.length);
  const development = train + Math.round(SHARES.development * names.length);
  const splitAt = (i: number): Split =>
    i < train ? "train" : i < development ? "development" : "test";
  return new Map(shuffled.map((name, i) => [name, splitAt(i)]));
}

/**
 * Class shares for calibration: half supported, and the rest half refuted, half not enough info.
 */
const CALIBRATION = { "supported": 0.5, "refuted": 0.25, "not enough info": 0.25 } as const;

/**
 * Draws claims about development countries at random. @throws {RangeError} unless `count` is a
 * multiple of 4.
 */
export async function calibrationClaims(count: number): Promise<readonly KnowledgeCase[]> {
  if (count % 4 !== 0) {
    throw new RangeError(
      `Cannot draw ${count} claims: a quarter of them is to be refuted, so take a multiple of 4.`,
    );
  }
  const plain = (await defaultKnowledgeClaims()).filter(({ split, kind }) =>
    split === "development" && (kind === "fact" || kind === "prose")
  );
  const random = randomSource(`${KNOWLEDGE_SEED}/calibration of judges`);
  return random.shuffle(
    VERDICT_LABELS.flatMap((label) =>
      random.sample(plain.filter((one) => one.label === label), count * CALIBRATION[label])
    ),
  );
}
