import { join } from "node:path";
import { encoderSettings } from "../../models/encoder/encoder_settings.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { factbookSource } from "../retrieval/factbook_source.ts";
import { openIndex } from "../retrieval/open_index.ts";
import type { Passage, RetrievedPassage } from "../retrieval/passage.ts";
import { retriever, RETRIEVER_DEFAULTS } from "../retrieval/retriever.ts";
import { usualName } from "./questions.ts";

/** Looks passages up in the factbook for questions and claims about one country. */
export interface CountryLookup {
  /** Whatever could change what is found for a question. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** The same for a claim. */
  readonly claimSettings: Readonly<Record<string, string | number | boolean>>;
  /** What retrieval gives for a question, as it is configured for all evaluations. */
  forQuestion(question: string, signal?: AbortSignal): Promise<readonly Passage[]>;
  /**
   * What a claim of an answer about `country` is checked against: the country's own passages that are
   * nearest to it, however far that is, so that "not enough info" means that the base has nothing,
   * rather than that nothing was found; and, where the claim names the country, what else is among the
   * nearest of all and near enough.
   */
  forClaim(claim: string, country: string, signal?: AbortSignal): Promise<readonly Passage[]>;
}

/** Passages that a question is given, and passages of its own country that a claim is. */
const MOST_PASSAGES = 5;
/** The nearest of all that were looked at, the country's own among them: they have its name. */
const NEAREST = 30;

/** The factbook, its index from the cache or made now. */
export async function openCountryLookup(
  encoder: SentenceEncoder,
  cacheDirectory: string,
): Promise<CountryLookup> {
  const index = await openIndex(factbookSource(cacheDirectory), {
    cacheDirectory: join(cacheDirectory, "retrieval"),
  });
  const usual = retriever(index, encoder, { limit: MOST_PASSAGES });
  const unlimited = retriever(index, encoder, {
    limit: NEAREST,
    candidates: NEAREST,
    minimumCosine: -1,
  });
  const settings = { ...encoderSettings(encoder), ...usual.settings };
  return {
    settings,
    claimSettings: { ...settings, ...unlimited.settings, ownPassages: MOST_PASSAGES },
    async forQuestion(question, signal) {
      const found = await usual.retrieve(question, signal ? { signal } : {});
      return found.map(({ passage }) => passage);
    },
    async forClaim(claim, country, signal) {
      const isNamed = claim.includes(usualName(country));
      const about = isNamed ? claim : `${usualName(country)}: ${claim}`;
      return ownAndNear(
        await unlimited.retrieve(about, signal ? { signal } : {}),
        country,
        isNamed,
      );
    },
  };
}

/** A claim that names no country would be borne out by what is said of any other. */
function ownAndNear(
  found: readonly RetrievedPassage[],
  country: string,
  isNamed: boolean,
): readonly Passage[] {
  const own = found.filter(({ passage }) => passage.title === country).slice(0, MOST_PASSAGES);
  const near = found.slice(0, MOST_PASSAGES).filter(({ passage, cosine = 0 }) =>
    isNamed && passage.title !== country && cosine >= RETRIEVER_DEFAULTS.minimumCosine
  );
  return [...own, ...near].map(({ passage }) => passage);
}
