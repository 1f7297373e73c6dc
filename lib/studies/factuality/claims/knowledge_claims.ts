import { shownPath } from "../../../files/atomic.ts";
import { bernoulli, choose, randomSource, sampleWeighted } from "../../../stats/random.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { ruleSplitter } from "../../../factuality/claims/rule_splitter.ts";
import type { LabelledCase } from "../../../factuality/labelled_case.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import {
  type FactbookField,
  factbookFields,
  passagesOfFields,
} from "../../../factuality/retrieval/factbook.ts";
import { type ClaimSplitter, type Passage, VERDICT_LABELS } from "../../../factuality/types.ts";
import type { VerdictLabel } from "../../../factuality/types.ts";
import { around, composeSources, elsewhere, type Making, type Missing } from "./contexts.ts";
import { otherSources, type SourceForm, tableContext, writtenContext } from "./contexts.ts";
import { factContrast, inEitherOrder, namePool, proseContrast, valuesByQuestion } from "./edits.ts";
import type { TrainingCase } from "../../../factuality/own/training/pairs.ts";
import { type Split } from "../../../factuality/own/training/splits.ts";
import { type Contrast, countryMaterial, type Fact, type PlacedStatement } from "./statements.ts";
import { claimPair, OPINIONS } from "./styles.ts";
import { WRITTEN_CLAIMS } from "./tables.ts";

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

/** Deals the countries, for whatever is trained, calibrated or measured. */
export const KNOWLEDGE_SEED = 41;

interface KnowledgeClaimsOptions extends Pick<Making, "splitter"> {
  /** A whole number; the same gives the same cases. */
  readonly seed: number;
  /** Sentences of running text a country, each giving four cases or six. */
  readonly prosePerCountry: number;
  /** Values of structured fields a country, each giving four cases. */
  readonly factsPerCountry: number;
}

/**
 * Labelled cases made out of the knowledge base, by country into train, development and test. Each
 * statement is paired with one that excludes it, and either may be what the source says, by lot: the
 * claim of what stands there is supported, the other's refuted, and the reverse with the other in its
 * place; with the statement taken out there is not enough info. So half the claims are supported,
 * whatever their words are. Edited sources say what is not so; they are for training and measuring only.
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
    // The next country of the same split: what it says must not cross over.
    const turned = [...countries.slice(index + 1), ...countries.slice(0, index + 1)];
    const kin = turned.find(({ code }) => splits.get(code) === split)!;
    const { splitter } = options;
    cases.push(...await casesOfCountry({ split, values, pool, material, kin, splitter }, options));
  }
  return cases;
}

/** The claims of the verifier that ships: four sentences and two values a country. */
export async function usualKnowledgeClaims(): Promise<readonly KnowledgeCase[]> {
  const some = { seed: KNOWLEDGE_SEED, prosePerCountry: 4, factsPerCountry: 2 };
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  return await knowledgeClaims(fields, { ...some, splitter: ruleSplitter() });
}

type Cases = readonly KnowledgeCase[];

async function casesOfCountry(making: Making, options: KnowledgeClaimsOptions): Promise<Cases> {
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
}

/** Supported, refuted, without enough info, and the other version supported by its own source. */
function fourCases(making: Making, parts: GroupParts, random: RandomSource): Cases {
  const { name, contrast: { edit, versions: [{ kind }] }, form, sources, without, missing } = parts;
  const { material: { country: cluster, code }, split } = making;
  const [first, second] = claimPair(parts.contrast, random);
  const made = (
    label: VerdictLabel,
    claim: string,
    passages: Sources,
    { own = label as string, why = edit } = {},
  ) => {
    const told = { id: `${code}/${name}/${own}`, claim, passages, label };
    return { ...told, cluster, set: KNOWLEDGE_SET, split, kind, edit: why, form };
  };
  const either = choose(random, [first, second]);
  return [
    made("supported", first, sources[0]),
    made("refuted", second, sources[0]),
    made("not enough info", either, without, { why: missing }),
    made("supported", second, sources[1], { own: "supported too" }),
  ];
}

const FACT_FORMS = { sentence: 15, passage: 25, passages: 20, web: 15, written: 25 };

/** Four cases of a value, two of them supported; none where no other can stand in its place. */
function factCases(making: Making, fact: Fact, name: string, random: RandomSource) {
  const found = factContrast(fact, making.values, random);
  if (found === undefined) return [];
  const contrast = inEitherOrder(found, random);
  const form = sampleWeighted(random, FACT_FORMS);
  const inTable = form === "passage" || form === "passages";
  const contextOf = inTable ? tableContext : writtenContext;
  const [one, other] = contrast.versions;
  const first = contextOf(making, fact, one, random);
  const second = contextOf(making, fact, other, random);
  const told = composeSources(form, first, random);
  const sources = [told, composeSources(form, second, random)] as const;
  // Taken out of a table, its neighbours (men, women) would still tell something of it.
  const alone = first.before.length + first.after.length === 0;
  const missing = inTable || alone ? elsewhere(random) : "removed";
  const without = missing === "removed"
    ? composeSources(form, { ...first, target: undefined }, random)
    : otherSources(making, missing, form, fact.field.field, random);
  return fourCases(making, { name, contrast, form, sources, missing, without }, random);
}

const PROSE_FORMS = { sentence: 30, passage: 20, passages: 20, web: 30, written: 0 };

/** Share of sentences that are also claimed with a detail more than the source has. */
const DETAILED = 0.5;

/**
 * Four cases of a sentence, two of them supported, and for some two with a detail more: a claim with a
 * detail that its source has not is not borne out; where the source has the detail too, it is. Both,
 * so that the detail alone tells nothing. None where no contrast can be made of the sentence.
 */
async function proseCases(
  making: Making,
  placed: PlacedStatement,
  name: string,
  random: RandomSource,
): Promise<Cases> {
  const { pool, splitter, material } = making;
  const { statement, pieces, index, passage: { section } } = placed;
  const found = proseContrast(statement, pool, random);
  if (found === undefined) return [];
  const contrast = await atomic(inEitherOrder(found, random), splitter, random);
  const form = sampleWeighted(random, PROSE_FORMS);
  const [before, after] = [pieces.slice(0, index), pieces.slice(index + 1)];
  const compose = (target: string | undefined) =>
    composeSources(form, { before, target, after, ...around(making, section) }, random);
  const [first, second] = contrast.versions.map(({ source }) =>
    pieces[index]!.replace(statement.source, () => source)
  ) as [string, string];
  const sources = [compose(first), compose(second)] as const;
  const missing = pieces.length > 2 && bernoulli(random, 0.6) ? "removed" : elsewhere(random);
  const without = missing === "removed"
    ? compose(undefined)
    : otherSources(making, missing, form, section, random);
  const made = fourCases(making, { name, contrast, form, sources, missing, without }, random);
  if (!bernoulli(random, DETAILED)) return made;
  const details = material.prose.filter(({ passage }) => passage.section !== section)
    .flatMap(({ statement }) => DETAIL.exec(statement.source)?.[1] ?? []);
  if (details.length === 0) return made;
  const detail = choose(random, details);
  const told = compose(withDetail(first, detail));
  const [supported] = made as [KnowledgeCase];
  const detailed = (label: VerdictLabel, passages: Sources): KnowledgeCase => {
    const claim = withDetail(supported.claim, detail);
    const id = `${supported.id}/detail/${label}`;
    return { ...supported, id, claim, label, passages, edit: "detail" };
  };
  return [...made, detailed("not enough info", supported.passages), detailed("supported", told)];
}

/** Where and when a sentence's end says something happened. */
const DETAIL =
  / ((?:in|during|since|after|with|from|near|under|because of|along) [^,;.:()]{6,45})\.?$/u;

/** The sentence with the detail before its full stop. */
function withDetail(sentence: string, detail: string): string {
  const [, text = "", end = ""] = /^(.*?)([\s.;]*)$/su.exec(sentence)!;
  return `${text} ${detail}${end}`;
}

/** Sentences that the splitter has learnt to take apart since models were asked about the cases. */
const LEFT_WHOLE =
  /^(?:Population is (?:not )?unevenly distributed and|HADI and his vice-president|Under the Taliban, (?:in)?dependent media|Full version only)/;

/** One claim of a sentence of several, where the versions differ; the whole sentence for some. */
async function atomic(
  contrast: Contrast,
  splitter: ClaimSplitter,
  random: RandomSource,
): Promise<Contrast> {
  if (bernoulli(random, 0.25)) return contrast;
  const { edit, versions: [first, second] } = contrast;
  const [ofFirst, ofSecond] = LEFT_WHOLE.test(first.claim)
    ? [[{ text: first.claim }], [{ text: second.claim }]]
    : [(await splitter.split(first.claim)).claims, (await splitter.split(second.claim)).claims];
  if (ofFirst.length !== ofSecond.length) return contrast;
  const differing = ofFirst.map(({ text }, i) => [text, ofSecond[i]!.text] as const)
    .filter(([one, other]) => one !== other);
  if (differing.length === 0) return contrast;
  const [one, other] = choose(random, differing);
  return { edit, versions: [{ ...first, claim: one }, { ...second, claim: other }] };
}

/** Four cases of two statements joined, one set a country: borne out when both of them are. */
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

/** What somebody says of themselves, with or without a true statement: no source bears it out. */
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
 * Claims of language models about countries, each with the passages that are looked up for it. The world
 * is dealt among the countries here and nowhere else, so that some are of another split than in claims
 * made by rule: as the network that ships was trained. None is about a test country of those.
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

/** Shares of the countries; what is left over after rounding goes to the test split. */
const SHARES = { train: 0.6, development: 0.15 };

/** Which split each country is in, by the set of names and the seed: claims share its sources. */
export function splitCountries(countries: readonly string[], seed: number) {
  const names = [...new Set(countries)].sort();
  const shuffled = randomSource(`${seed}/split`).shuffle(names);
  const train = Math.round(SHARES.train * names.length);
  const development = train + Math.round(SHARES.development * names.length);
  const splitAt = (i: number): Split =>
    i < train ? "train" : i < development ? "development" : "test";
  return new Map(shuffled.map((name, i) => [name, splitAt(i)]));
}

/** A claim can be a half: as many are supported as not, and of these as many refuted as unsaid. */
const CALIBRATION = { "supported": 0.5, "refuted": 0.25, "not enough info": 0.25 } as const;

/** So many claims of development countries, by lot. @throws {RangeError} if no multiple of 4. */
export async function calibrationClaims(count: number): Promise<readonly KnowledgeCase[]> {
  if (count % 4 !== 0) {
    throw new RangeError(
      `Cannot draw ${count} claims: a quarter of them is to be refuted, so take a multiple of 4.`,
    );
  }
  const plain = (await usualKnowledgeClaims()).filter(({ split, kind }) =>
    split === "development" && (kind === "fact" || kind === "prose")
  );
  const random = randomSource(`${KNOWLEDGE_SEED}/calibration of judges`);
  return random.shuffle(
    VERDICT_LABELS.flatMap((label) =>
      random.sample(plain.filter((one) => one.label === label), count * CALIBRATION[label])
    ),
  );
}
