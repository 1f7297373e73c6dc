import { factbookFields, passagesOfFields } from "../../lib/factuality/retrieval/factbook.ts";
import { countryAliases } from "../../lib/factuality/retrieval/factbook_source.ts";
import type { FactbookField } from "../../lib/factuality/retrieval/factbook_fields.ts";
import { buildIndex, type PassageIndex } from "../../lib/factuality/retrieval/passage_index.ts";
import { highestPossible } from "../../lib/factuality/retrieval/postings.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";
import { termsOf } from "../../lib/factuality/retrieval/terms.ts";
import { namedTitles } from "../../lib/factuality/retrieval/title_index.ts";
import {
  type Fact,
  factsOf,
  factStatement,
} from "../../lib/factuality/training/fact_statements.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/sentence_encoder.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";
import { type Found, type ThresholdRow, thresholdRow } from "./threshold_row.ts";

const SEED = "retrieval threshold";
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
  const random = randomSource(SEED);
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
