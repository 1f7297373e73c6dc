import { factbookFields, passagesOfFields } from "../../lib/factuality/retrieval/factbook.ts";
import type { FactbookField } from "../../lib/factuality/retrieval/factbook_fields.ts";
import type { Passage, RetrievedPassage } from "../../lib/factuality/retrieval/passage.ts";
import { buildIndex, type PassageIndex } from "../../lib/factuality/retrieval/passage_index.ts";
import { highestPossible } from "../../lib/factuality/retrieval/postings.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";
import { termsOf } from "../../lib/factuality/retrieval/terms.ts";
import {
  type Fact,
  factsOf,
  factStatement,
} from "../../lib/factuality/training/fact_statements.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/sentence_encoder.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";

const SEED = "retrieval threshold";
const COUNTRIES_TAKEN_OUT = 50;
const SHARES = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
const COSINES = [-1, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75];

/** What a pair of thresholds does to claims whose passage is in the base, or cannot be. */
export interface ThresholdRow {
  readonly minimumShare: number;
  readonly minimumCosine: number;
  /** Share of claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of claims about countries taken out of it that are given one all the same. */
  readonly absent: number;
}

export interface Thresholds {
  /** Claims of each kind. */
  readonly claims: number;
  /** Share of present claims whose own passage is among the five given, without thresholds. */
  readonly recall: number;
  readonly rows: readonly ThresholdRow[];
}

/**
 * The trade-off behind `RETRIEVER_DEFAULTS`: facts of the factbook told in the phrasings of the
 * verifier's training claims, every digit changed so that no number gives them away, with 50
 * countries taken out of the index.
 */
export async function retrievalThresholds(
  cacheDirectory: string,
  encoder: SentenceEncoder | undefined,
  claims: number,
): Promise<Thresholds> {
  const random = randomSource(SEED);
  const fields = await factbookFields(cacheDirectory);
  const countries = [...new Set(fields.map(({ country }) => country))];
  const absent = new Set(random.sample(countries, COUNTRIES_TAKEN_OUT));
  const passages = passagesOfFields(fields).filter(({ title }) => !absent.has(title));
  const index = await buildIndex("factbook without 50 countries", passages);
  const facts = factsOf(fields);
  const about = (out: boolean) =>
    random.sample(facts.filter(({ field }) => absent.has(field.country) === out), claims)
      .map((fact) => ({ ...fact.field, claim: claimOf(fact, random) }));
  const present = await lookUp(index, encoder, about(false));
  const missing = await lookUp(index, encoder, about(true));
  const rows = SHARES.flatMap((minimumShare) =>
    (encoder ? COSINES : [-1]).map((minimumCosine) => ({
      minimumShare,
      minimumCosine,
      present: given(present, minimumShare, minimumCosine),
      absent: given(missing, minimumShare, minimumCosine),
    }))
  );
  return { claims, recall: present.filter(({ rank }) => rank < 5).length / claims, rows };
}

/** Share of the claims that are given a passage. */
function given(found: readonly Found[], share: number, cosine: number): number {
  const over = found.filter(({ best }) =>
    best.some((one) => one.share >= share && (one.cosine ?? 1) >= cosine)
  );
  return over.length / found.length;
}

interface Told extends FactbookField {
  readonly claim: string;
}

interface Found {
  readonly best: readonly { readonly share: number; readonly cosine: number | undefined }[];
  /** From 0; Infinity where its own passage was not found. */
  readonly rank: number;
}

async function lookUp(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  told: readonly Told[],
): Promise<readonly Found[]> {
  const open = { minimumShare: 0, minimumCosine: -1, limit: RETRIEVER_DEFAULTS.candidates };
  const search = retriever(index, encoder, open);
  const found: Found[] = [];
  for (const { claim, ...field } of told) {
    const possible = highestPossible(index.postings, termsOf(claim));
    const passages = await search.retrieve(claim);
    found.push({
      best: passages.map(({ bm25, cosine }) => ({ share: bm25 / possible, cosine })),
      rank: rankOf(field, passages),
    });
  }
  return found;
}

function rankOf({ country, field }: FactbookField, found: readonly RetrievedPassage[]): number {
  const own = ({ title, section }: Passage) => title === country && section === field;
  const rank = found.findIndex(({ passage }) => own(passage));
  return rank < 0 ? Infinity : rank;
}

/** "Farmland makes up 78.9% of Botswana." */
function claimOf(fact: Fact, random: RandomSource): string {
  const { phrasings } = fact.template;
  const value = fact.value.replace(/\d/gu, (digit) => String((Number(digit) + 3) % 10));
  return factStatement(fact, value, phrasings[random.integer(phrasings.length)]!).claim;
}
