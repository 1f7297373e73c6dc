/** Sources read once, and every family of features of a claim against them. */
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { Passage } from "../types.ts";
import {
  agreement,
  assertedMean,
  chooseEvidence,
  compare,
  type Comparison,
  completeness,
  type FamilyResult,
  FEATURE_NAMES,
  type FeatureName,
  type FeatureValues,
  type SentenceComparison,
  type SourceReader,
  sourceSentences,
  type WeighedFinding,
  weightedMean,
  WORTH_TELLING,
} from "./features.ts";
import { compareQuantities, type Quantity } from "./quantities.ts";
import { FOUND, isSameWord, opposition, readWords } from "./words.ts";
import type { Opposition, ReadingTools, Word, WordClass } from "./words.ts";

/** What features are made with. */
export interface FeatureTools extends ReadingTools {
  readonly encoder: SentenceEncoder;
}

/** Reads the passages once, for any number of claims. */
export function sourceReader(passages: readonly Passage[], tools: FeatureTools): SourceReader {
  const sentences = sourceSentences(passages, tools);
  return {
    async features(claim) {
      const read = readWords(claim, tools);
      const chosen = await chooseEvidence(claim, read, sentences, tools.encoder);
      const comparison = compare(claim, read, chosen, sentences, tools.wordnet);
      const families = [
        overlapFeatures(comparison),
        alignmentFeatures(comparison),
        quantityFeatures(comparison),
        negationFeatures(comparison),
        antonymFeatures(comparison),
        nameFeatures(comparison),
        roleFeatures(comparison),
        speakerFeatures(comparison),
      ] as const;
      const values: FeatureValues = Object.assign({}, ...families.map(({ values }) => values));
      return {
        values: FEATURE_NAMES.map((name) => values[name]),
        findings: families.flatMap(({ findings }): readonly WeighedFinding[] => findings)
          .toSorted((a, b) => b.strength - a.strength)
          .map(({ feature, words, speaksFor }) => ({ feature, words, speaksFor })),
        evidence: chosen.top.map(({ passage, span, text, relevance }) => ({
          passageId: passage.id,
          collection: passage.collection,
          span,
          text,
          relevance,
        })),
      };
    },
  };
}

/** A finding against the claim, where it is worth telling. */
const refuting = (
  feature: FeatureName,
  words: string,
  strength: number,
): readonly WeighedFinding[] =>
  strength < WORTH_TELLING ? [] : [{ feature, words, speaksFor: "refuted", strength }];

/** What the sources do not say. */
const lacking = (feature: FeatureName, words: string, strength: number): WeighedFinding => (
  { feature, words, speaksFor: "not enough info", strength }
);

/** Words of the claim in the evidence. With nothing to find, everything is found. */
function overlapFeatures(comparison: Comparison): FamilyResult<"overlap"> {
  const { claim, sentences, anywhere } = comparison;
  const top = claim.map((_, index) => Math.max(0, ...sentences.map((one) => one.matches[index]!)));
  const missing = claim.filter(({ wordClass }, index) =>
    top[index]! < FOUND && wordClass !== "quantity" && wordClass !== "name"
  );
  const words = missing.map(({ text }) => `“${text}”`).join(", ");
  const total = (of: readonly Word[]) => of.reduce((sum, { weight }) => sum + weight, 0);
  const share = total(missing) / total(claim);
  return {
    values: {
      "overlap.top": assertedMean(comparison, (index) => top[index]!, 0),
      "overlap.all": weightedMean(
        claim,
        (index) => Math.max(top[index]!, anywhere[index]! ? 1 : 0),
        0,
      ),
      // At half weight: a word that is not there may be said in others.
      "overlap.complete": completeness(comparison, (index) => (1 - top[index]!) / 2),
    },
    findings: missing.length === 0
      ? []
      : [lacking("overlap.top", `the evidence does not speak of ${words}`, share)],
  };
}

/** Below this, a word's nearest in the evidence is not about the same. */
const LOOSE = 0.6;

/** How near in meaning the evidence comes to each word, by vectors in context. */
function alignmentFeatures(comparison: Comparison): FamilyResult<"alignment"> {
  const { claim, asserted, sentences } = comparison;
  const best = claim.map((_, index) => Math.max(0, ...sentences.map((one) => nearest(one, index))));
  const matched = claim.map((_, index) =>
    sentences.reduce((most, { matches }) => Math.max(most, matches[index]!), 0)
  );
  const own = best.filter((_, index) => asserted[index]);
  const worst = (...classes: readonly WordClass[]) =>
    Math.min(
      1,
      ...best.filter((_, index) => asserted[index] && classes.includes(claim[index]!.wordClass)),
    );
  const cosines = sentences.map(({ sentence }) => sentence.cosine);
  return {
    values: {
      "alignment.mean": assertedMean(comparison, (index) => best[index]!, 0),
      "alignment.min": sentences.length === 0 ? 0 : Math.min(1, ...own),
      "alignment.low_tenth": lowTenth(own),
      "alignment.under_half": assertedMean(comparison, (index) => best[index]! < 0.5 ? 1 : 0, 1),
      "alignment.loose": assertedMean(
        comparison,
        (index) => best[index]! < LOOSE && matched[index]! < FOUND ? 1 : 0,
        1,
      ),
      "alignment.complete": completeness(
        comparison,
        (index) => (1 - Math.min(1, Math.max(best[index]!, matched[index]!))) ** 2,
      ),
      "alignment.names": worst("name"),
      "alignment.nouns": worst("noun"),
      "alignment.verbs": worst("verb"),
      "alignment.adjectives": worst("adjective", "adverb"),
      "alignment.sentence": cosines.length === 0 ? 0 : Math.max(...cosines),
    },
    findings: [],
  };
}

const nearest = ({ pairs }: SentenceComparison, index: number) =>
  pairs[index]!.reduce((best, { cosine }) => Math.max(best, cosine), 0);

/** The value that a tenth of the words are at or under, interpolated; 0 without words. */
function lowTenth(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const place = 0.1 * (sorted.length - 1);
  const below = Math.floor(place);
  const above = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return sorted[below]! + (place - below) * (above - sorted[below]!);
}

/** Another word where the claim's should be. */
interface Rival {
  readonly claim: Word;
  readonly source: Word;
  /** How sure it is that both speak of the same, 0–1: the rest of the sentence agrees, and so does the place. */
  readonly strength: number;
}

/** Cosine in context from which two words begin to stand in one place, and where it is certain. */
const PLACE = { from: 0.25, to: 0.75 };

/** How much a sentence that has the claim's word, and agrees with it, speaks against rivals elsewhere. */
const WORD_ELSEWHERE = 0.8;

/**
 * The strongest rival of one of the claim's words in the evidence: a word that no word of the claim
 * accounts for, in a sentence without the claim's word that agrees with the rest of the claim, and
 * more than any sentence does that has the word. Undefined where there is none.
 */
function strongestRival(
  comparison: Comparison,
  index: number,
  isRival: (claim: Word, source: Word) => boolean | undefined,
): Rival | undefined {
  const claim = comparison.claim[index]!;
  const sentences = comparison.sentences.map((one) => ({
    one,
    hasWord: one.matches[index]! >= FOUND,
    agreed: agreement(comparison, one, (_, other) => other === index),
  }));
  const elsewhere = Math.max(0, ...sentences.map(({ hasWord, agreed }) => hasWord ? agreed : 0));
  const rivals = sentences.filter(({ hasWord }) => !hasWord).flatMap(({ one, agreed }) =>
    one.sentence.words.flatMap((source, column): readonly Rival[] => {
      if (!isRival(claim, source) || isAccountedFor(one, column)) return [];
      const near = (place(one.pairs[index]![column]!.cosine) +
        surroundings(comparison.claim, one, index, column)) / 2;
      const strength = Math.max(0, agreed - WORD_ELSEWHERE * elsewhere) * near;
      return [{ claim, source, strength }];
    })
  );
  return strongestOf(rivals);
}

/** Undefined where none has any strength. */
function strongestOf<Of extends { readonly strength: number }>(all: readonly Of[]): Of | undefined {
  return all.reduce<Of | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );
}

/** Whether some word of the claim is that very word. */
const isAccountedFor = ({ pairs }: SentenceComparison, column: number) =>
  pairs.some((row) => row[column]!.match >= FOUND);

/** Words of the claim on either side of the word, and words of the source on either side of its rival. */
const REACH = { claim: 2, source: 5 };

/** Weighted share of the word's neighbours in the claim that stand near the rival too; 0–1. */
function surroundings(
  claim: readonly Word[],
  { pairs }: SentenceComparison,
  index: number,
  column: number,
): number {
  let [found, all] = [0, 0];
  const from = Math.max(0, index - REACH.claim);
  claim.slice(from, index + REACH.claim + 1).forEach(({ weight }, offset) => {
    if (from + offset === index) return;
    const around = pairs[from + offset]!.slice(
      Math.max(0, column - REACH.source),
      column + REACH.source + 1,
    );
    all += weight;
    found += weight * Math.max(0, ...around.map(({ match }) => match));
  });
  return all === 0 ? 0 : found / all;
}

const place = (cosine: number) =>
  Math.min(1, Math.max(0, (cosine - PLACE.from) / (PLACE.to - PLACE.from)));

/** Numbers and dates of the claim against those of the evidence. */
function quantityFeatures(comparison: Comparison): FamilyResult<"quantity"> {
  const amounts = standing(comparison, "amount");
  const dates = standing(comparison, "date");
  return {
    values: {
      "quantity.contradicted": amounts.contradicted,
      "quantity.absent": amounts.absent,
      "quantity.date_contradicted": dates.contradicted,
      "quantity.date_absent": dates.absent,
    },
    findings: [
      ...amounts.rivals.flatMap((rival) => differing("quantity.contradicted", rival)),
      ...dates.rivals.flatMap((rival) => differing("quantity.date_contradicted", rival)),
      ...[...amounts.missing, ...dates.missing].map(({ text, quantity }) =>
        lacking(
          quantity!.kind === "date" ? "quantity.date_absent" : "quantity.absent",
          `the evidence does not say ${text}`,
          WORTH_TELLING,
        )
      ),
    ],
  };
}

function standing(comparison: Comparison, kind: Quantity["kind"]) {
  const { claim, sentences } = comparison;
  const own = claim.flatMap((word, index) => word.quantity?.kind === kind ? [index] : []);
  const missing = own.filter((index) => !sentences.some((one) => one.matches[index]! >= FOUND));
  const rivals = missing.flatMap((index) =>
    strongestRival(
      comparison,
      index,
      ({ quantity }, { quantity: other }) =>
        quantity && other && compareQuantities(quantity, other) === "different",
    ) ?? []
  );
  const told = rivals.filter(({ strength }) => strength >= WORTH_TELLING);
  return {
    contradicted: Math.max(0, ...rivals.map(({ strength }) => strength)),
    absent: own.length === 0 ? 0 : missing.length / own.length,
    rivals,
    missing: missing.map((index) => claim[index]!)
      .filter((word) => !told.some((rival) => rival.claim === word)),
  };
}

const differing = (feature: FeatureName, { claim, source, strength }: Rival, mark = ["", ""]) =>
  refuting(
    feature,
    `source says ${mark[0]}${source.text}${mark[1]}, claim says ${mark[0]}${claim.text}${mark[1]}`,
    strength,
  );

interface Difference {
  readonly claim: Word;
  readonly strength: number;
}

/** One denies what the other says of the same words. */
function negationFeatures(comparison: Comparison): FamilyResult<"negation"> {
  const strongest = strongestOf(
    comparison.sentences.flatMap((sentence) => difference(comparison, sentence) ?? []),
  );
  if (strongest === undefined) return { values: { "negation.differs": 0 }, findings: [] };
  const { claim, strength } = strongest;
  const [one, other] = claim.negated ? ["claim", "source"] : ["source", "claim"];
  return {
    values: { "negation.differs": strength },
    findings: refuting(
      "negation.differs",
      `${one} denies “${claim.text}”, ${other} does not`,
      strength,
    ),
  };
}

/** Among the words that both have: where any of them is denied on one side only. */
function difference(comparison: Comparison, sentence: SentenceComparison): Difference | undefined {
  const common = comparison.claim.flatMap((claim, index) => {
    const column = bestColumn(sentence, index);
    return column === undefined ? [] : [{ claim, source: sentence.sentence.words[column]! }];
  });
  const differing = common.filter(({ claim, source }) => claim.negated !== source.negated);
  if (differing.length === 0) return undefined;
  // Of two sentences that share half their words, most speak of different things.
  const strength = agreement(comparison, sentence, () => false) ** 2;
  return { claim: differing[0]!.claim, strength };
}

/** The place that accounts for a word best; undefined where none does. */
function bestColumn({ pairs }: SentenceComparison, index: number): number | undefined {
  let best: number | undefined;
  pairs[index]!.forEach(({ match, cosine }, column) => {
    const former = best === undefined ? undefined : pairs[index]![best]!;
    if (match >= FOUND && (former === undefined || match + cosine > former.match + former.cosine)) {
      best = column;
    }
  });
  return best;
}

/** A word that excludes the claim's word stands where it should stand. */
function antonymFeatures(comparison: Comparison): FamilyResult<"antonym"> {
  const opposite = strongest(comparison, "opposite");
  const degree = strongest(comparison, "degree");
  const sibling = strongest(comparison, "sibling");
  const told = {
    "antonym.opposite": opposite,
    "antonym.degree": degree,
    "antonym.sibling": sibling,
  };
  return {
    values: {
      "antonym.opposite": opposite?.strength ?? 0,
      "antonym.degree": degree?.strength ?? 0,
      "antonym.sibling": sibling?.strength ?? 0,
    },
    findings: Object.entries(told).flatMap(([feature, rival]) =>
      rival ? differing(feature as FeatureName, rival, ["“", "”"]) : []
    ),
  };
}

/** An opposite within a negation says the same: "not safe" is unsafe. */
function strongest(comparison: Comparison, wanted: Opposition): Rival | undefined {
  const rivals = comparison.claim.flatMap((_, index) =>
    strongestRival(comparison, index, (claim, source) =>
      claim.negated === source.negated &&
      opposition(claim, source, comparison.wordnet) === wanted) ?? []
  );
  return strongestOf(rivals);
}

/** Named things of the claim: in the evidence, in the sources, or another in their place. */
function nameFeatures(comparison: Comparison): FamilyResult<"name"> {
  const { claim, sentences, anywhere } = comparison;
  const names = claim.flatMap((word, index) => word.wordClass === "name" ? [index] : []);
  const notHere = names.filter((index) => !sentences.some((one) => one.matches[index]! >= FOUND));
  const nowhere = notHere.filter((index) => !anywhere[index]);
  const share = (some: readonly number[]) => names.length === 0 ? 0 : some.length / names.length;
  const rivals = nowhere.flatMap((index) => strongestRival(comparison, index, isOtherName) ?? []);
  const swap = strongestOf(rivals);
  const absent = nowhere.map((index) => claim[index]!.text).join(", ");
  return {
    values: {
      "name.absent": share(nowhere),
      "name.absent_here": share(notHere),
      "name.swapped": swap?.strength ?? 0,
    },
    findings: [
      ...swap ? differing("name.swapped", swap) : [],
      ...nowhere.length === 0
        ? []
        : [lacking("name.absent", `the sources do not name ${absent}`, share(nowhere))],
    ],
  };
}

/** Of one type where the gazetteer knows both; a country is no rival of a person. */
const isOtherName = (claim: Word, source: Word) =>
  claim.wordClass === "name" && source.wordClass === "name" &&
  claim.entry?.type === source.entry?.type;

/** The same words in another order: who did what to whom. */
function roleFeatures(comparison: Comparison): FamilyResult<"role"> {
  const best = comparison.sentences[0];
  if (best === undefined || !exchanged(comparison, best)) {
    return { values: { "role.swapped": 0 }, findings: [] };
  }
  const strength = agreement(comparison, best, () => false);
  const words = `claim and source name the same in another order: “${best.sentence.text}”`;
  return {
    values: { "role.swapped": strength },
    findings: refuting("role.swapped", words, strength),
  };
}

/**
 * Whether the claim's subject and object stand around the source's verb the other way round: in
 * another order with both active, or in the same order with one of the two passive.
 */
function exchanged({ claim, claimText }: Comparison, { sentence }: SentenceComparison): boolean {
  const roles = rolesOf(claim);
  if (roles === undefined) return false;
  const place = sentence.words.findIndex((word) =>
    word.wordClass === "verb" && isSameWord(roles.verb, word)
  );
  if (place < 0) return false;
  const before = sentence.words.slice(0, place);
  const after = sentence.words.slice(place + 1);
  const find = (side: readonly Word[], word: Word) => side.find((other) => isSameWord(word, other));
  const stands = (first: Word, second: Word) =>
    find(before, first) && find(after, second) && !find(before, second) && !find(after, first);
  const verb = sentence.words[place]!;
  const isPassive = (last: Word) => saysBy(sentence.read, verb, find(after, last));
  const claimIsPassive = saysBy(claimText, roles.verb, roles.object);
  if (stands(roles.subject, roles.object)) return isPassive(roles.object) !== claimIsPassive;
  if (stands(roles.object, roles.subject)) return isPassive(roles.subject) === claimIsPassive;
  return false;
}

const saysBy = (text: string, verb: Word, last: Word | undefined) =>
  last !== undefined && /\bby\b/.test(text.slice(verb.end, last.start));

/** Doer, what happens, and to whom, around the first verb that has a name or noun on both sides. */
function rolesOf(claim: readonly Word[]) {
  const isThing = ({ wordClass }: Word) => wordClass === "name" || wordClass === "noun";
  for (const [index, verb] of claim.entries()) {
    if (verb.wordClass !== "verb") continue;
    const subject = claim.slice(0, index).findLast(isThing);
    const object = claim.slice(index + 1).find(isThing);
    if (subject && object) return { subject, verb, object };
  }
  return undefined;
}

/** "Yes, I think that …", "As far as I know, …": what follows is the claim. */
const OPENING =
  /^(?:\s*(?:yes|yeah|no|well|oh|so|ok|okay|actually|right|sure|and|but)\b[,.!]*)*(?:\s*(?:i (?:think|believe|guess|suppose|heard|read|know|understand)(?: that)?|as far as i know|in my opinion|from what i know)\b)?/i;

/** Not "us" and "mine", which are the country and the pit in small letters, nor the I of "World War I". */
const SPEAKER = /(?<!\p{Lu}[\p{L}.]*\s)\bI\b|\b(?:i|me|[Mm]y|[Ww]e|[Oo]ur)\b/u;

/** What people say of themselves is in no source that does not quote them. */
function speakerFeatures({ claimText, all }: Comparison): FamilyResult<"speaker"> {
  const own = claimText.replace(OPENING, "").replace(/"[^"]*"|“[^”]*”/g, "");
  const isAlone = SPEAKER.test(own) && !all.some(({ text }) => SPEAKER.test(text));
  const words = "the claim speaks of who says it, the sources do not";
  return {
    values: { "speaker.alone": isAlone ? 1 : 0 },
    findings: isAlone ? [lacking("speaker.alone", words, 1)] : [],
  };
}
