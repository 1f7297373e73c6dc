import { join } from "node:path";
import { encoderSettings } from "../../models/encoder/encoder_settings.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { factbookSource } from "../retrieval/factbook_source.ts";
import { openIndex } from "../retrieval/open_index.ts";
import type { Passage } from "../retrieval/passage.ts";
import { retriever } from "../retrieval/retriever.ts";
import { usualName } from "./questions.ts";

/** Looks passages up in the factbook for questions and claims about one country. */
export interface CountryLookup {
  /** Of the index and both ways of looking up: whatever could change what is found. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** What retrieval gives for a question, as it is configured for all evaluations. */
  forQuestion(question: string, signal?: AbortSignal): Promise<readonly Passage[]>;
  /**
   * What a claim of an answer about `country` is checked against: what retrieval gives, where the
   * claim names the country; and the country's own passages that are nearest to it, however far that
   * is, so that "not enough info" means that the base has nothing, rather than that nothing was found.
   */
  forClaim(claim: string, country: string, signal?: AbortSignal): Promise<readonly Passage[]>;
}

/** Passages of one kind that a claim is checked against at most. */
const MOST_PASSAGES = 5;
/** Enough for five of the country's own to be among them. */
const LOOKED_THROUGH = 40;

/** The factbook, its index from the cache or made now. */
export async function openCountryLookup(
  encoder: SentenceEncoder,
  cacheDirectory: string,
): Promise<CountryLookup> {
  const index = await openIndex(factbookSource(cacheDirectory), {
    cacheDirectory: join(cacheDirectory, "retrieval"),
  });
  const usual = retriever(index, encoder, { limit: MOST_PASSAGES });
  const unlimited = retriever(index, encoder, { limit: LOOKED_THROUGH, minimumCosine: -1 });
  const passagesFor = async (text: string, signal: AbortSignal | undefined) => {
    const found = await usual.retrieve(text, signal ? { signal } : {});
    return found.map(({ passage }) => passage);
  };
  return {
    settings: {
      ...encoderSettings(encoder),
      ...usual.settings,
      ownPassages: MOST_PASSAGES,
      lookedThrough: LOOKED_THROUGH,
    },
    forQuestion: passagesFor,
    async forClaim(claim, country, signal) {
      const named = claim.includes(usualName(country));
      const about = named ? claim : `${usualName(country)}: ${claim}`;
      const near = await unlimited.retrieve(about, signal ? { signal } : {});
      const own = near.map(({ passage }) => passage).filter(({ title }) => title === country)
        .slice(0, MOST_PASSAGES);
      // A claim that names no country would be borne out by what is said of any.
      return named ? distinct([...own, ...await passagesFor(claim, signal)]) : own;
    },
  };
}

function distinct(passages: readonly Passage[]): readonly Passage[] {
  return [...new Map(passages.map((passage) => [passage.id, passage])).values()];
}
