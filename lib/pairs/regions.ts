/**
 * The regions of a pair: where in the sentence a model finds one member the more probable, at the word that
 * differs or in what follows, and whether it would without the sentence.
 */
import { inMillionths, likelihoodKey, type Members, type PairLikelihood } from "./answers.ts";
import type { DatasetItem } from "./dataset.ts";
import { differingRegion, stripPunctuation, whitespaceTokens } from "./pair.ts";

/**
 * What is scored of a pair besides its sentences: both members `through` the word that differs, the words
 * `alone`, and the grammatical sentence with its word in the `source`'s spelling against the normalised.
 */
type Region = "through" | "alone" | "source";

/** What one of these is scored under, beside its pair's own id. */
export const regionId = (pairId: string, region: Region) => `${pairId} ${region}`;

/**
 * The texts of the regions as pairs with their certificates, so that they are scored, kept and addressed as pairs are. With what
 * both members begin with taken from both, log P(word | what precedes) differs between them as the
 * log-probabilities through the word do, and log P(what follows) by the rest of the difference. The word
 * alone follows a space, as in the sentence; one at the beginning does not. `source` is left out
 * where the spelling is the same or the word is not in the source's place. Where several words differ they
 * are one region; a pair whose one member only lacks words of the other has none.
 */
export function regionItems(items: readonly DatasetItem[]): readonly DatasetItem[] {
  return items.flatMap(({ pair, certificate }) => {
    const { grammatical } = pair;
    const { index, before, from, to, after } = differingRegion(grammatical, pair.ungrammatical);
    if (from === "" || to === "") return [];
    const space = index === 0 ? "" : " ";
    const written = whitespaceTokens(certificate.sourceSpelling);
    const source = stripPunctuation(written[index] ?? "").core;
    const isInPlace = written.length === whitespaceTokens(grammatical).length;
    const of = (region: Region, grammatical: string, ungrammatical: string): DatasetItem => (
      { certificate, pair: { ...pair, id: regionId(pair.id, region), grammatical, ungrammatical } }
    );
    const parts = [
      of("through", before + from, before + to),
      of("alone", space + from, space + to),
    ];
    if (!isInPlace || source === "" || source === from) return parts;
    return [...parts, of("source", before + source + after, grammatical)];
  });
}

/** Likelihoods with the regions of their pairs, where the same model has scored those. */
export function withRegions(
  likelihoods: readonly PairLikelihood[],
  scored: readonly PairLikelihood[],
): readonly PairLikelihood[] {
  const found = new Map(scored.map((row) => [likelihoodKey(row), row]));
  return likelihoods.map((row) => {
    const [through, alone] = (["through", "alone"] as const).map((region) =>
      found.get(likelihoodKey({ ...row, pairId: regionId(row.pairId, region) }))
    );
    return through && alone ? { ...row, regions: { through, alone } } : row;
  });
}

/** By which part of a pair its members are compared, and in words what the difference is of. */
export const REGION_WORDS = {
  word: "log-probability of the word that differs, given what precedes it",
  rest: "log-probability of what follows that word, given all before",
  alone: "log-probability of the word alone, without a sentence",
  in_context:
    "gain of the word by what precedes it: log P(word | what precedes) − log P(word alone)",
} as const;

export type RegionComparison = keyof typeof REGION_WORDS;

/**
 * By how much the grammatical member is the more probable, in millionths of a nat, region by region; nothing
 * where the regions were not scored. `in_context` is what precedes the word without the model's
 * liking for the word itself (pointwise mutual information; Holtzman et al. 2021, EMNLP, on the
 * competition of surface forms).
 */
export function regionDifferences(
  row: PairLikelihood,
): Readonly<Record<RegionComparison | "total", number>> | undefined {
  if (!row.regions) return undefined;
  const lead = ({ grammatical, ungrammatical }: Members) =>
    inMillionths(grammatical) - inMillionths(ungrammatical);
  const [total, word, alone] = [lead(row), lead(row.regions.through), lead(row.regions.alone)];
  return { total, word, rest: total - word, alone, in_context: word - alone };
}
