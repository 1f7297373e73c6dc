import type { EnglishToken } from "../claims/english.ts";

/** What begins a noun phrase behind a possessive: "her old house". */
const NOMINAL: ReadonlySet<string> = new Set(["NOUN", "PROPN", "ADJ", "NUM"]);

/** Nouns and adjectives that tell when or how much, as in "saw her yesterday", "saw her last week". */
const ADVERBIAL: ReadonlySet<string> = new Set([
  ...["yesterday", "today", "tomorrow", "tonight", "monday", "tuesday", "wednesday", "thursday"],
  ...["friday", "saturday", "sunday", "last", "next", "much", "more", "less", "most", "enough"],
]);

function isNominal(token: EnglishToken | undefined): boolean {
  return token !== undefined && NOMINAL.has(token.partOfSpeech) && !ADVERBIAL.has(token.normal);
}

/** "her acting degree", "his estranged wife": a participle before a noun. */
function isParticiple({ normal, partOfSpeech }: EnglishToken): boolean {
  return partOfSpeech === "VERB" && /(?:ing|ed)$/.test(normal);
}

/**
 * Whether a noun phrase begins behind the token, so that her is whose and not whom: at once, or after
 * an adverb before an adjective and a noun ("her very old house", but not "likes her very much").
 * "Saw her eating dinner" is taken for such a phrase, too; it is rarer in what is checked for facts.
 */
function isPossessive([next, second, third]: readonly EnglishToken[]): boolean {
  if (next === undefined) return false;
  // "her last book"; "saw her last week" is the exception.
  if (next.normal === "last" || next.normal === "next") return isNominal(second);
  if (isNominal(next) || isParticiple(next) && isNominal(second)) return true;
  return next.partOfSpeech === "ADV" && isNominal(second) && isNominal(third);
}

/**
 * The other gender's form of a pronoun that one gender writes alike in two uses; undefined for other
 * words. `her` is `his` before a noun phrase and else `him`; `his` is `her` before one and else `hers`.
 *
 * @param rest The tokens behind it.
 */
export function otherPronoun(
  { normal }: EnglishToken,
  rest: readonly EnglishToken[],
): string | undefined {
  if (normal === "her") return isPossessive(rest) ? "his" : "him";
  if (normal === "his") return isPossessive(rest) ? "her" : "hers";
  if (normal === "him") return "her";
  return normal === "hers" ? "his" : undefined;
}
