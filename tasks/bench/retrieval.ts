/** Retrieval: its speed against bm25s, and the trade-off that its thresholds were chosen by. */
import { mean, median, quantile } from "simple-statistics";
import { z } from "zod";
import {
  countryAliases,
  factbookFields,
  factbookPassages,
  passagesOfFields,
} from "../../lib/factuality/retrieval/factbook.ts";
import { highestPossible, searchPostings, termsOf } from "../../lib/factuality/retrieval/index.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";
import { buildIndex, passageTerms } from "../../lib/factuality/retrieval/store.ts";
import { namedTitles } from "../../lib/factuality/retrieval/texts.ts";
import { RETRIEVAL_THRESHOLDS } from "../../lib/studies/factuality/tables.ts";
import {
  type Fact,
  factsOf,
  factStatement,
} from "../../lib/studies/factuality/claims/statements.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { CACHE_DIRECTORY, openPython, pythonWith } from "../python_environment.ts";
import {
  compareAlternating,
  formatComparison,
  measurement,
  milliseconds,
  report,
} from "./harness.ts";

const PASSAGES = 20_000;
const QUERIES = 200;
const QUERY_WORDS = 15;
const TOP = 10;
/** Scores nearer than this are one: bm25s adds in single precision. */
const TIE = 1e-4;
/** Milliseconds a query. */
const LIMIT = 5;

const BEST = z.object({
  milliseconds: z.number(),
  numbers: z.array(z.int()),
  scores: z.array(z.number()),
});

/** Over 20,000 passages of the factbook, with queries made of 200 others; the terms are ours for both. */
export const RETRIEVAL = measurement("Over 20,000 passages, against bm25s", async () => {
  const all = randomSource("retrieval speed").shuffle(await factbookPassages(CACHE_DIRECTORY));
  const passages = all.slice(0, PASSAGES);
  const queries = all.slice(PASSAGES, PASSAGES + QUERIES)
    .map(({ title, text }) => `${title}: ${text}`.split(" ").slice(0, QUERY_WORDS).join(" "));
  const index = await buildIndex("factbook, sampled", passages);
  const search = retriever(index, undefined, { limit: TOP, minimumShare: 0, requireName: false });
  await search.retrieve(queries[0]!);
  const whole: number[] = [];
  for (const query of queries) whole.push(await milliseconds(() => search.retrieve(query)));
  const python = await pythonWith("bm25s", "python-bm25s", "retrieval_bm25s.txt");
  await using bm25s = await openPython("bm25s", python, "retrieval_bm25s.py");
  await bm25s.ask(passages.map(passageTerms), z.null());
  const overlaps: { readonly strict: number; readonly tied: number }[] = [];
  const comparison = await compareAlternating(queries.map(termsOf), (terms) => {
    searchPostings(index.postings, terms, TOP);
    return Promise.resolve();
  }, async (terms) => {
    const { milliseconds, numbers, scores } = await bm25s.ask([...new Set(terms)], BEST);
    const ours = searchPostings(index.postings, terms, TOP);
    const own = new Set(ours.map(({ number }) => number));
    // Ties are cut anyhow: a passage with the score of our tenth is as good as ours.
    const tenth = ours.at(-1)?.score ?? 0;
    const share = (counts: (number: number, rank: number) => boolean) =>
      numbers.filter(counts).length / TOP;
    overlaps.push({
      strict: share((number) => own.has(number)),
      tied: share((number, rank) => own.has(number) || Math.abs(scores[rank]! - tenth) < TIE),
    });
    return milliseconds;
  });
  const [own, withTies] = [overlaps.map(({ strict }) => strict), overlaps.map(({ tied }) => tied)]
    .map((shares) => (100 * mean(shares)).toFixed(1));
  const text = `median ${median(whole).toFixed(2)} ms, 99 in 100 under ` +
    `${quantile(whole, 0.99).toFixed(2)} ms; against bm25s ${formatComparison(comparison)}, ` +
    `of its ten best ${own} % are ours too (${withTies} % with ties)`;
  return report("retrieval over 20,000 passages, ms a query", median(whole), LIMIT, text);
});

const COUNTRIES_TAKEN_OUT = 50;
/** Of each of three kinds; each is held against some hundred passages by their vectors. */
const CLAIMS = 60;
const SHARES = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
const COSINES = [-1, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75];

/**
 * The trade-off behind `RETRIEVER_DEFAULTS`, a table that is kept for notebook 41: facts of the
 * factbook told in the phrasings of the verifier's training claims, with 50 countries taken out of the
 * index. Facts of the others are told as they are and, once more, with the value that another country
 * has in the same field.
 */
export const THRESHOLDS = measurement(
  "Which claims find a passage that have one, and that have none",
  async (threads) => {
    await using encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
    const random = randomSource("retrieval threshold");
    const fields = await factbookFields(CACHE_DIRECTORY);
    const countries = [...new Set(fields.map(({ country }) => country))];
    const out = new Set(random.sample(countries, COUNTRIES_TAKEN_OUT));
    const { postings, titles, ...index } = await buildIndex(
      `factbook without ${out.size} countries`,
      passagesOfFields(fields).filter(({ title }) => !out.has(title)),
      countryAliases(fields.filter(({ country }) => !out.has(country))),
    );
    const open = { minimumShare: 0, minimumCosine: -1, limit: RETRIEVER_DEFAULTS.candidates };
    const search = retriever({ ...index, postings, titles }, encoder, open);
    const lookUp = async ({ country, field }: Fact["field"], claim: string): Promise<Found> => {
      const possible = highestPossible(postings, termsOf(claim));
      const named = new Set(
        namedTitles(titles, claim).map(({ number }) => titles.titles[number]!.title),
      );
      return (await search.retrieve(claim)).map(({ passage: { title, section }, bm25, cosine }) => {
        const allowance = named.has(title) ? RETRIEVER_DEFAULTS.titleAllowance : 0;
        return {
          share: bm25 / possible,
          cosine: cosine === undefined ? undefined : cosine + allowance,
          own: title === country && section === field,
        };
      });
    };
    const facts = factsOf(fields);
    const drawn = (absent: boolean) =>
      random.sample(facts.filter(({ field }) => out.has(field.country) === absent), CLAIMS);
    const [missing, known] = [drawn(true), drawn(false)];
    /** "Farmland makes up 78.9% of Botswana." */
    const told = (some: readonly Fact[], value: (fact: Fact) => string) => {
      const claims = some.map((fact) => {
        const [said, { phrasings }] = [value(fact), fact.template];
        return factStatement(fact, said, phrasings[random.integer(phrasings.length)]!).claim;
      });
      return Array.fromAsync(some, ({ field }, i) => lookUp(field, claims[i]!));
    };
    const elsewhere = ({ template, value }: Fact) => {
      const others = facts.filter((fact) => fact.template === template && fact.value !== value);
      return others[random.integer(others.length)]!.value;
    };
    const found = {
      present: await told(known, ({ value }) => value),
      wrong: await told(known, elsewhere),
      absent: await told(missing, ({ value }) => value),
    };
    const rows = SHARES.flatMap((share) => COSINES.map((at) => thresholdRow(found, share, at)));
    console.log(`${CLAIMS} claims of each kind: shares that are given a passage, or their own`);
    console.table(rows);
    RETRIEVAL_THRESHOLDS.write(rows.map((row) => ({ claims: CLAIMS, ...row })));
    return true;
  },
);

/** What was found for one claim, the best first. */
export type Found = readonly {
  readonly share: number;
  /** Higher by the retriever's allowance where the claim names its title. */
  readonly cosine: number | undefined;
  /** Whether it is of the country and the field that the claim was made from. */
  readonly own: boolean;
}[];

/**
 * What a pair of thresholds leaves of what was found without: shares of the claims of each kind that
 * are given a passage, and that are given the one of the fact itself.
 */
export function thresholdRow(
  found: Readonly<Record<"present" | "wrong" | "absent", readonly Found[]>>,
  minimum_share: number,
  minimum_cosine: number,
) {
  const given = (found: Found) =>
    found.filter(({ share, cosine }) => share >= minimum_share && (cosine ?? 1) >= minimum_cosine)
      .slice(0, RETRIEVER_DEFAULTS.limit);
  const share = (some: readonly Found[], counts: (given: Found) => boolean) =>
    Number((some.filter((found) => counts(given(found))).length / some.length).toFixed(4));
  const any = (some: readonly Found[]) => share(some, (given) => given.length > 0);
  const own = (some: readonly Found[]) => share(some, (given) => given.some(({ own }) => own));
  const { present, wrong, absent } = found;
  return {
    minimum_share,
    minimum_cosine,
    present: any(present),
    present_own: own(present),
    wrong: any(wrong),
    wrong_own: own(wrong),
    absent: any(absent),
  };
}
