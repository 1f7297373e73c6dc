import { factbookFields, passagesOfFields } from "../../lib/factuality/retrieval/factbook.ts";
import type { FactbookField } from "../../lib/factuality/retrieval/factbook_fields.ts";
import type { Passage, RetrievedPassage } from "../../lib/factuality/retrieval/passage.ts";
import { buildIndex, type PassageIndex } from "../../lib/factuality/retrieval/passage_index.ts";
import { highestPossible } from "../../lib/factuality/retrieval/postings.ts";
import { retriever, type RetrieverOptions } from "../../lib/factuality/retrieval/retriever.ts";
import { termsOf } from "../../lib/factuality/retrieval/terms.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/sentence_encoder.ts";
import { randomSource } from "../../lib/stats/random.ts";

const SEED = "retrieval threshold";
const COUNTRIES_TAKEN_OUT = 50;
const LONGEST_STATEMENT = 25;
const LONGEST_VALUE = 12;
const SHARES = [0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];
const COSINES = [-1, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75];

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
 * The trade-off behind `RETRIEVER_DEFAULTS`: claims made of short statements of the factbook, every
 * digit changed so that no number gives them away, with 50 countries taken out of the index.
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
  const usable = fields.filter(({ subfield, text }) =>
    subfield !== "note" && text.split(" ").length <= LONGEST_STATEMENT
  );
  const about = (out: boolean) =>
    random.sample(usable.filter(({ country }) => absent.has(country) === out), claims);
  const open = { minimumShare: 0, minimumCosine: -1, limit: 20 };
  const present = await lookUp(index, encoder, open, about(false));
  const missing = await lookUp(index, encoder, open, about(true));
  const given = (found: readonly Found[], share: number, cosine: number) =>
    found.filter(({ best }) =>
      best.some((one) => one.share >= share && (one.cosine ?? 1) >= cosine)
    ).length / claims;
  const cosines = encoder ? COSINES : [-1];
  return {
    claims,
    recall: present.filter(({ rank }) => rank < 5).length / claims,
    rows: SHARES.flatMap((minimumShare) =>
      cosines.map((minimumCosine) => ({
        minimumShare,
        minimumCosine,
        present: given(present, minimumShare, minimumCosine),
        absent: given(missing, minimumShare, minimumCosine),
      }))
    ),
  };
}

interface Found {
  readonly best: readonly { readonly share: number; readonly cosine: number | undefined }[];
  /** From 0; Infinity where its own passage was not found. */
  readonly rank: number;
}

async function lookUp(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  options: RetrieverOptions,
  fields: readonly FactbookField[],
): Promise<readonly Found[]> {
  const search = retriever(index, encoder, options);
  const found: Found[] = [];
  for (const field of fields) {
    const claim = claimOf(field);
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

/** "The land use, agricultural land of Poland is 70.9%." */
function claimOf({ country, field, subfield, text }: FactbookField): string {
  const what = [field.toLowerCase(), subfield].filter((part) => part !== "").join(", ");
  const value = text.replace(/\(.*?\)/gu, "").split(/[;,] /u)[0]!.trim()
    .replace(/\d/gu, (digit) => String((Number(digit) + 3) % 10))
    .split(" ").slice(0, LONGEST_VALUE).join(" ");
  return `The ${what} of ${country} is ${value}.`;
}
