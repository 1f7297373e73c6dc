import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mean, median, quantile } from "simple-statistics";
import { z } from "zod";
import {
  countryAliases,
  type FactbookField,
  factbookFields,
  factbookPassages,
  passagesOfFields,
} from "../../lib/factuality/retrieval/factbook.ts";
import {
  highestPossible,
  type Hit,
  searchPostings,
  termsOf,
} from "../../lib/factuality/retrieval/index.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";
import {
  buildIndex,
  type PassageIndex,
  passageTerms,
} from "../../lib/factuality/retrieval/store.ts";
import { namedTitles } from "../../lib/factuality/retrieval/texts.ts";
import { type Fact, factsOf, factStatement } from "../../lib/factuality/training/statements.ts";
import type { Passage } from "../../lib/factuality/types.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";
import { pythonWith } from "../python/environment.ts";
import { compareAlternating, type Comparison, openLineProcess } from "./speed.ts";

const REQUIREMENTS = new URL("retrieval_bm25s.txt", import.meta.url);

const SCRIPT = fileURLToPath(new URL("retrieval_bm25s.py", import.meta.url));

const SEED = "retrieval speed";

const PASSAGES = 20_000;

const QUERIES = 200;

const QUERY_WORDS = 15;

const TOP = 10;

/** Scores nearer than this are one: bm25s adds in single precision. */
const TIE = 1e-4;

const ANSWER = z.object({
  milliseconds: z.number(),
  numbers: z.array(z.int()),
  scores: z.array(z.number()),
});

/** Retrieval over 20,000 passages of the factbook, with queries made of 200 others. */
interface RetrievalSpeed {
  /** Our search against bm25s's on the same terms, in milliseconds a query. */
  readonly comparison: Comparison;
  /** Mean share of bm25s's ten best that are among ours, 0–1. */
  readonly overlap: number;
  /** The same where passages with the score of our tenth count as ours: ties are cut anyhow. */
  readonly overlapWithTies: number;
  /** Milliseconds of `retrieve` from the claim's text, without re-ranking. */
  readonly median: number;
  readonly ninetyNinth: number;
}

/**
 * Measures both in one run, taking turns; the terms are ours for both.
 * @throws {Error} where Python is missing, pip fails, or the factbook cannot be had.
 */
export async function retrievalSpeed(cacheDirectory: string): Promise<RetrievalSpeed> {
  const { passages, queries } = await sampled(cacheDirectory);
  const index = await buildIndex("factbook, sampled", passages);
  const whole = await timesOfRetrieve(index, queries);
  await using bm25s = await openBm25s(cacheDirectory, passages.map(passageTerms));
  const overlaps: { readonly strict: number; readonly tied: number }[] = [];
  const comparison = await compareAlternating(queries.map(termsOf), (terms) => {
    searchPostings(index.postings, terms, TOP);
    return Promise.resolve();
  }, async (terms) => {
    const { milliseconds, ...theirs } = await bm25s.ask([...new Set(terms)]);
    overlaps.push(overlapOf(searchPostings(index.postings, terms, TOP), theirs));
    return milliseconds;
  });
  return {
    comparison,
    overlap: mean(overlaps.map(({ strict }) => strict)),
    overlapWithTies: mean(overlaps.map(({ tied }) => tied)),
    median: median(whole),
    ninetyNinth: quantile(whole, 0.99),
  };
}

function overlapOf(
  ours: readonly Hit[],
  theirs: { readonly numbers: readonly number[]; readonly scores: readonly number[] },
) {
  const own = new Set(ours.map(({ number }) => number));
  const tenth = ours.at(-1)?.score ?? 0;
  const strict = theirs.numbers.filter((number) => own.has(number));
  const tied = theirs.numbers.filter((number, rank) =>
    own.has(number) || Math.abs(theirs.scores[rank]! - tenth) < TIE
  );
  return { strict: strict.length / TOP, tied: tied.length / TOP };
}

async function sampled(cacheDirectory: string) {
  const all = randomSource(SEED).shuffle(await factbookPassages(cacheDirectory));
  const query = ({ title, text }: Passage) =>
    `${title}: ${text}`.split(" ").slice(0, QUERY_WORDS).join(" ");
  return {
    passages: all.slice(0, PASSAGES),
    queries: all.slice(PASSAGES, PASSAGES + QUERIES).map(query),
  };
}

async function timesOfRetrieve(
  index: PassageIndex,
  queries: readonly string[],
): Promise<number[]> {
  const search = retriever(index, undefined, { limit: TOP, minimumShare: 0, requireName: false });
  await search.retrieve(queries[0]!);
  const times: number[] = [];
  for (const query of queries) {
    const begun = performance.now();
    await search.retrieve(query);
    times.push(performance.now() - begun);
  }
  return times;
}

async function openBm25s(cacheDirectory: string, passages: readonly (readonly string[])[]) {
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  const python = await pythonWith({
    folder: join(cacheDirectory, "python-bm25s"),
    requirements,
    what: "bm25s",
    installs: [requirements.trim().split("\n")],
  });
  const child = openLineProcess(python, [SCRIPT], { what: "bm25s" });
  await child.ask(JSON.stringify(passages));
  return {
    ask: async (terms: readonly string[]) =>
      ANSWER.parse(JSON.parse(await child.ask(JSON.stringify(terms)))),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

const THRESHOLD_SEED = "retrieval threshold";

const COUNTRIES_TAKEN_OUT = 50;

const SHARES = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];

const COSINES = [-1, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75];

export interface Thresholds {
  /** Claims of each kind. */
  readonly claims: number;
  /** Without thresholds: shares of true and of false claims whose own passage is among the five. */
  readonly recall: number;
  readonly wrongRecall: number;
  readonly rows: readonly ThresholdRow[];
}

/**
 * The trade-off behind `RETRIEVER_DEFAULTS`: facts of the factbook told in the phrasings of the
 * verifier's training claims, with 50 countries taken out of the index. Facts of the others are told
 * as they are and, once more, with the value that another country has in the same field.
 */
export async function retrievalThresholds(
  cacheDirectory: string,
  encoder: SentenceEncoder | undefined,
  claims: number,
): Promise<Thresholds> {
  const random = randomSource(THRESHOLD_SEED);
  const fields = await factbookFields(cacheDirectory);
  const countries = [...new Set(fields.map(({ country }) => country))];
  const out = new Set(random.sample(countries, COUNTRIES_TAKEN_OUT));
  const index = await indexWithout(out, fields);
  const facts = factsOf(fields);
  const drawn = (absent: boolean) =>
    random.sample(facts.filter(({ field }) => out.has(field.country) === absent), claims);
  const [missing, known] = [drawn(true), drawn(false)];
  const told = (some: readonly Fact[], value: (fact: Fact) => string) =>
    lookUp(index, encoder, some.map((fact) => claimOf(fact, value(fact), random)));
  const found = {
    present: await told(known, ({ value }) => value),
    wrong: await told(known, (fact) => valueElsewhere(fact, facts, random)),
    absent: await told(missing, ({ value }) => value),
  };
  const rows = SHARES.flatMap((share) =>
    (encoder ? COSINES : [-1]).map((cosine) => thresholdRow(found, share, cosine))
  );
  const [open] = rows as [ThresholdRow];
  return { claims, recall: open.presentOwn, wrongRecall: open.wrongOwn, rows };
}

function indexWithout(
  out: ReadonlySet<string>,
  fields: readonly FactbookField[],
): Promise<PassageIndex> {
  const passages = passagesOfFields(fields).filter(({ title }) => !out.has(title));
  const aliases = countryAliases(fields.filter(({ country }) => !out.has(country)));
  return buildIndex(`factbook without ${out.size} countries`, passages, aliases);
}

/** What another country has in the field of the fact. */
function valueElsewhere({ template, value }: Fact, facts: readonly Fact[], random: RandomSource) {
  const others = facts.filter((fact) => fact.template === template && fact.value !== value);
  return others[random.integer(others.length)]!.value;
}

/** "Farmland makes up 78.9% of Botswana." */
function claimOf(fact: Fact, value: string, random: RandomSource): Told {
  const { phrasings } = fact.template;
  const { claim } = factStatement(fact, value, phrasings[random.integer(phrasings.length)]!);
  return { ...fact.field, claim };
}

interface Told extends FactbookField {
  readonly claim: string;
}

async function lookUp(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  told: readonly Told[],
): Promise<readonly Found[]> {
  const open = { minimumShare: 0, minimumCosine: -1, limit: RETRIEVER_DEFAULTS.candidates };
  const search = retriever(index, encoder, open);
  const found: Found[] = [];
  for (const { claim, country, field } of told) {
    const possible = highestPossible(index.postings, termsOf(claim));
    const titles = new Set(
      namedTitles(index.titles, claim).map(({ number }) => index.titles.titles[number]!.title),
    );
    const allowance = (title: string) => titles.has(title) ? RETRIEVER_DEFAULTS.titleAllowance : 0;
    const passages = await search.retrieve(claim);
    found.push(passages.map(({ passage: { title, section }, bm25, cosine }) => ({
      share: bm25 / possible,
      cosine: cosine === undefined ? undefined : cosine + allowance(title),
      own: title === country && section === field,
    })));
  }
  return found;
}

/** What a pair of thresholds does to claims whose passage is in the base, or cannot be. */
export interface ThresholdRow {
  readonly minimumShare: number;
  readonly minimumCosine: number;
  /** Share of true claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of them that are given the passage of the fact itself: its country and field. */
  readonly presentOwn: number;
  /** Share of claims about countries in the base with another country's value that are given one. */
  readonly wrong: number;
  /** Share of them that are given the passage of the fact itself, which refutes them. */
  readonly wrongOwn: number;
  /** Share of claims about countries taken out of the base that are given one all the same. */
  readonly absent: number;
}

/** A passage that was found. */
interface FoundPassage {
  readonly share: number;
  /** Higher by the retriever's allowance where the claim names its title. */
  readonly cosine: number | undefined;
  /** Whether it is of the country and the field that the claim was made from. */
  readonly own: boolean;
}

/** What was found for one claim, the best first. */
export type Found = readonly FoundPassage[];

/** What was found for claims of each kind, without thresholds. */
type FoundByKind = Readonly<Record<"present" | "wrong" | "absent", readonly Found[]>>;

/** What a pair of thresholds leaves of it. */
export function thresholdRow(
  { present, wrong, absent }: FoundByKind,
  minimumShare: number,
  minimumCosine: number,
): ThresholdRow {
  const given = (found: Found) =>
    found.filter(({ share, cosine }) => share >= minimumShare && (cosine ?? 1) >= minimumCosine)
      .slice(0, RETRIEVER_DEFAULTS.limit);
  const share = (some: readonly Found[], counts: (given: Found) => boolean) =>
    some.filter((found) => counts(given(found))).length / some.length;
  const any = (found: Found) => found.length > 0;
  const own = (found: Found) => found.some((passage) => passage.own);
  return {
    minimumShare,
    minimumCosine,
    present: share(present, any),
    presentOwn: share(present, own),
    wrong: share(wrong, any),
    wrongOwn: share(wrong, own),
    absent: share(absent, any),
  };
}
