/** Measures the trade-off by which the retriever's thresholds were chosen. */
import {
  countryAliases,
  factbookFields,
  passagesOfFields,
} from "../../lib/factuality/retrieval/factbook.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { maximumScore, termsOf } from "../../lib/factuality/retrieval/index.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";
import { buildIndex } from "../../lib/factuality/retrieval/store.ts";
import { namedTitles } from "../../lib/factuality/retrieval/texts.ts";
import { RETRIEVAL_THRESHOLDS } from "../../lib/studies/factuality/tables.ts";
import {
  type Fact,
  factsOf,
  factStatement,
} from "../../lib/studies/factuality/claims/statements.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";

const COUNTRIES_TAKEN_OUT = 50;
/** Number of claims of each of three kinds. Each is compared with about 100 passages by vectors. */
const CLAIMS = 60;
const SHARES = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
const COSINES = [-1, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75];

/**
 * Measures the trade-off behind `RETRIEVER_DEFAULTS` and writes its table for notebook 41.
 *
 * Claims are facts of the factbook, worded like the verifier's training claims. Facts about 50
 * countries are absent: those countries are removed from the index. Facts about the other countries
 * are stated twice: correctly, and with another country's value of the same field.
 */
export const TASK = command(
  "study thresholds",
  "Which claims find a passage that have one, and that have none",
  (c) => c.option("--threads <number>", "threads of the encoder", int({ min: 1, max: 1024 }), 2),
  async ({ threads }) => {
    const cacheDirectory = FACTUALITY_PATHS.cache;
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const random = randomSource("retrieval threshold");
    const fields = await factbookFields(cacheDirectory);
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
      const possible = maximumScore(postings, termsOf(claim));
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
    /** Retrieves passages for facts worded as claims ("Farmland makes up 78.9% of Botswana."). */
    const stated = (some: readonly Fact[], value: (fact: Fact) => string) => {
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
      present: await stated(known, ({ value }) => value),
      wrong: await stated(known, elsewhere),
      absent: await stated(missing, ({ value }) => value),
    };
    const rows = SHARES.flatMap((share) => COSINES.map((at) => thresholdRow(found, share, at)));
    console.log(`${CLAIMS} claims of each kind: shares that are given a passage, or their own`);
    console.table(rows);
    RETRIEVAL_THRESHOLDS.write(rows.map((row) => ({ claims: CLAIMS, ...row })));
    return EXIT.done;
  },
);

/** Passages retrieved for one claim without thresholds, best first. */
export type Found = readonly {
  readonly share: number;
  /** Cosine similarity, plus the title allowance if the claim names the passage's title. */
  readonly cosine: number | undefined;
  /** True if the passage is the country's field from which the claim was made. */
  readonly own: boolean;
}[];

/**
 * Computes the shares of claims with passages above a pair of thresholds.
 *
 * For each kind of claim it is the share with any passage. `present_own` and `wrong_own` are the
 * shares with the passage that states the fact.
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
