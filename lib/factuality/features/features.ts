/** Features of a claim against its sources. The sources are analysed once for all claims. */
import type { Passage, VerdictFinding } from "../types.ts";
import {
  compareWithEvidence,
  exchangedNames,
  sideOverlap,
  sourceSentences,
  weightedAgreement,
} from "./comparison.ts";
import {
  neighbourOverlap,
  strongestOf,
  strongestRival,
  weightedMean,
  wordOrName,
} from "./comparison.ts";
import type { EvidenceComparison, Rival } from "./comparison.ts";
import { amountParts, compareQuantities, type Quantity } from "./quantities.ts";
import { areOpposed, nameAround, wordIndex } from "./words.ts";
import type { ContentWord, Gazetteer } from "./words.ts";

/**
 * Descriptions of the features in the order of the vector; each value is 0–1. "Weighted" means by
 * word class, and less for words that occur in more source sentences. "The evidence" is the three
 * sentences with the greatest weighted share of the claim's words. "Asserted" words are those
 * outside a question that the claim answers; see `assertedWords()`. No feature can be computed from
 * the claim alone: without sources each is 0.
 */
const FEATURES = {
  "overlap.top": "weighted share of the asserted words in the evidence",
  "overlap.complete": "1 where no asserted word is missing, less with each that is",
  "quantity.contradicted": "strongest number of another value in the same place",
  "quantity.date_contradicted": "strongest date of another value in the same place",
  "negation.differs": "claim or evidence denies what the other says, × how well they agree",
  "antonym.opposed": "a word that excludes one of the claim's stands in its place, × agreement",
  "name.swapped": "another name of the same type in the name's place, × agreement",
  "name.exchanged": "two names around the same words, the other way about, × agreement",
} as const;

type FeatureName = keyof typeof FEATURES;

/** Feature names in the order of the vector. */
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly FeatureName[];

/**
 * Version of the features, stored with every cached vector. Raise it whenever a value could change.
 */
export const FEATURES_VERSION = 4;

/**
 * Analyses the passages once: about 20 ms for 1,500 words, then 1 ms for each claim. `values`
 * follow the order of `FEATURE_NAMES`, each 0–1; `findings` are worded for the report, strongest
 * first.
 */
export function sourceReader(passages: readonly Passage[], gazetteer: Gazetteer) {
  const sentences = sourceSentences(passages, gazetteer);
  const holding = wordIndex(sentences.map(({ words }) => words));
  return {
    features(claim: string) {
      const comparison = compareWithEvidence(claim, sentences, holding, gazetteer);
      const families = FAMILIES.map((family) => family(comparison));
      const values: Partial<Record<FeatureName, number>> = Object.assign(
        {},
        ...families.map(({ values }) => values),
      );
      return {
        values: FEATURE_NAMES.map((name) => values[name]!),
        findings: families.flatMap(({ findings }) => findings)
          .toSorted((a, b) => b.strength - a.strength)
          .map(({ strength: _strength, ...finding }): VerdictFinding => finding),
      };
    },
  };
}

/** Values and findings of one family of features. */
interface FamilyResult {
  readonly values: Partial<Readonly<Record<FeatureName, number>>>;
  readonly findings: readonly WeighedFinding[];
}

/** A finding with its strength, 0–1. */
interface WeighedFinding extends VerdictFinding {
  readonly strength: number;
}

/** Minimum strength of a finding that a report states. Weaker ones count as features only. */
const MIN_REPORTED_STRENGTH = 0.3;

/** Returns a finding against the claim, where it is strong enough to be reported. */
const refutingFinding = (
  feature: FeatureName,
  words: string,
  strength: number,
): readonly WeighedFinding[] =>
  strength < MIN_REPORTED_STRENGTH ? [] : [{ feature, words, speaksFor: "refuted", strength }];

/**
 * A finding about something that the sources lack. It is reported and is no feature, since the
 * network detects it.
 */
const absenceFinding = (feature: string, words: string, strength: number): WeighedFinding => (
  { feature, words, speaksFor: "not enough info", strength }
);

/** Overlap of the claim's words with the evidence. Complete where there is nothing to match. */
function overlapFeatures(comparison: EvidenceComparison): FamilyResult {
  const { claim, asserted, evidence } = comparison;
  const top = claim.map((_, index) => evidence.some(({ isMatched }) => isMatched[index]));
  const assertedWords = claim.map((word, index) => asserted[index] ? word : { ...word, weight: 0 });
  const lost = assertedWords.reduce((sum, { weight }, index) => top[index] ? sum : sum + weight, 0);
  const missing = assertedWords.filter(({ wordClass, weight }, index) =>
    !top[index] && weight > 0 && /^(?:noun|verb|adjective)$/.test(wordClass)
  );
  const total = (words: readonly ContentWord[]) =>
    words.reduce((sum, { weight }) => sum + weight, 0);
  const share = total(missing) / total(assertedWords);
  const words = [...new Set(missing.map(({ text }) => `“${text}”`))].join(", ");
  return {
    values: {
      "overlap.top": weightedMean(assertedWords, (index) => top[index] ? 1 : 0),
      // One missing word of ten makes a claim as wrong as one of three, which no mean
      // shows. At half weight: the sources may say the same in other words.
      "overlap.complete": claim.length === 0 ? 0 : Math.exp(-lost / 2),
    },
    // A smaller share may well be said in other words.
    findings: share >= MIN_REPORTED_STRENGTH
      ? [absenceFinding("overlap.top", `the evidence does not have ${words}`, share)]
      : [],
  };
}

/** Compares numbers and dates of the claim with those of the evidence. */
function quantityFeatures(comparison: EvidenceComparison): FamilyResult {
  const amounts = quantitiesOfKind(comparison, "amount");
  const dates = quantitiesOfKind(comparison, "date");
  return {
    values: {
      "quantity.contradicted": amounts.contradicted,
      "quantity.date_contradicted": dates.contradicted,
    },
    findings: [
      ...amounts.rivals.flatMap((rival) => rivalFinding("quantity.contradicted", rival)),
      ...dates.rivals.flatMap((rival) => rivalFinding("quantity.date_contradicted", rival)),
      ...amounts.made.map(({ claim, parts }): WeighedFinding => {
        const isSum = parts.reduce((sum, { value }) => sum + value, 0) < 2 * claim.value;
        const [one, other] = parts.toSorted((a, b) => b.value - a.value);
        const words = isSum
          ? `${parts.map(({ text }) => text).join(" and ")} make ${claim.text}`
          : `${one!.text} less ${other!.text} is ${claim.text}`;
        return {
          feature: "quantity.made",
          words,
          speaksFor: "supported",
          strength: MIN_REPORTED_STRENGTH,
        };
      }),
      ...[...amounts.missing, ...dates.missing].map(({ text, quantity }) =>
        absenceFinding(
          quantity!.kind === "date" ? "quantity.date_absent" : "quantity.absent",
          `the evidence does not say ${text}`,
          MIN_REPORTED_STRENGTH,
        )
      ),
    ],
  };
}

function quantitiesOfKind(comparison: EvidenceComparison, kind: Quantity["kind"]) {
  const { claim, claimText, evidence, anywhere } = comparison;
  const amounts = evidence.map(({ sentence }) =>
    sentence.words.flatMap(({ quantity }) => quantity?.kind === "amount" ? [quantity] : [])
  );
  const claimQuantities = claim.flatMap((word, index) =>
    word.quantity?.kind === kind ? [index] : []
  );
  const missing = claimQuantities.filter((index) =>
    !evidence.some(({ isMatched }) => isMatched[index])
  );
  const made = missing.flatMap((index) => {
    const { quantity } = claim[index]!;
    if (quantity?.kind !== "amount") return [];
    const parts = amountParts(quantity, claimText, amounts);
    return parts ? [{ claim: quantity, parts }] : [];
  });
  // "20 branches" against 12 here and 8 there: 12 is an addend and no rival of 20.
  const isPart = (claim: Quantity, source: Quantity) =>
    made.some((one) => one.claim === claim && one.parts.some((part) => part === source));
  // A value found elsewhere in the sources may be what the claim means.
  const rivals = missing.filter((index) => !anywhere[index]).flatMap((index) =>
    strongestRival(
      comparison,
      index,
      ({ quantity }, { quantity: other }) =>
        quantity && other && compareQuantities(quantity, other) === "different" &&
        !isPart(quantity, other),
      neighbourOverlap,
    ) ?? []
  ).toSorted((a, b) => b.strength - a.strength)
    // A number of the source is a rival of one claim number only.
    .filter(({ source }, place, all) => all.findIndex((one) => one.source === source) === place);
  const reported = rivals.filter(({ strength }) => strength >= MIN_REPORTED_STRENGTH);
  return {
    contradicted: Math.max(0, ...rivals.map(({ strength }) => strength)),
    rivals,
    made: made.filter(({ claim }) => !reported.some((rival) => rival.claim === claim.text)),
    missing: missing.map((index) => claim[index]!).filter(({ text, quantity }) =>
      !reported.some((rival) => rival.claim === text) && !made.some((one) => one.claim === quantity)
    ),
  };
}

const rivalFinding = (feature: FeatureName, { claim, source, strength }: Rival, mark = ["", ""]) =>
  refutingFinding(
    feature,
    `source says ${mark[0]}${source}${mark[1]}, claim says ${mark[0]}${claim}${mark[1]}`,
    strength,
  );

/** Negation of the same words on one side only. */
function negationFeatures(comparison: EvidenceComparison): FamilyResult {
  const differences = comparison.evidence.flatMap((one) => {
    const common = comparison.claim.flatMap((claim, index) => {
      const same = one.sentence.words.filter(({ wordClass }, column) =>
        one.pairs[index]![column] && wordClass === claim.wordClass
      );
      return same.length > 0 ? [{ claim, same }] : [];
    });
    const claimDenies = common.some(({ claim }) => claim.negated);
    const sourceDenies = common.some(({ same }) => same.some(({ negated }) => negated));
    // Where both are negated they may agree: "found no evidence", "did not find evidence".
    if (common.length < 2 || claimDenies === sourceDenies) return [];
    const denied = common.find(({ claim, same }) =>
      same.every(({ negated }) => negated !== claim.negated)
    );
    // Two sentences that share only half their words usually have different subjects.
    return denied
      ? [{ claim: denied.claim, strength: weightedAgreement(comparison, one) ** 2 }]
      : [];
  });
  const strongest = strongestOf(differences);
  if (strongest === undefined) return { values: { "negation.differs": 0 }, findings: [] };
  const { claim, strength } = strongest;
  const [one, other] = claim.negated ? ["claim", "source"] : ["source", "claim"];
  const words = `${one} denies “${claim.text}”, ${other} does not`;
  return {
    values: { "negation.differs": strength },
    findings: refutingFinding("negation.differs", words, strength),
  };
}

/** Opposition between a word of the claim and a rival in its position. */
function antonymFeatures(comparison: EvidenceComparison): FamilyResult {
  // Opposites of which one is negated agree: "not safe" is unsafe.
  const isOpposed = (claim: ContentWord, source: ContentWord) =>
    claim.negated === source.negated && areOpposed(claim, source);
  const strongest = strongestOf(
    comparison.claim.flatMap((_, index) =>
      strongestRival(comparison, index, isOpposed, sideOverlap) ?? []
    ),
  );
  return {
    values: { "antonym.opposed": strongest?.strength ?? 0 },
    findings: strongest ? rivalFinding("antonym.opposed", strongest, ["“", "”"]) : [],
  };
}

/** Names of the claim: absent from the sources, or replaced by others. */
function nameFeatures(comparison: EvidenceComparison): FamilyResult {
  const { claim, claimText, anywhere } = comparison;
  const names = claim.flatMap((word, index) => word.wordClass === "name" ? [index] : []);
  const nowhere = names.filter((index) => !anywhere[index]);
  const absent = nowhere.map((index) => nameAround(claim, index))
    // "Woodrow Wilson" counts as named where Wilson is.
    .filter(([first, last]) =>
      anywhere.slice(first, last + 1).filter(Boolean).length < (last + 1 - first) / 2
    )
    .filter(([first], place, all) => all[place - 1]?.[0] !== first);
  const rivals = absent.flatMap(([first, last]) => {
    // Sources may continue about the claim's topic with "he" and "it".
    const isTopic = first === 0 && claim[0]!.entry === undefined;
    return !isTopic && !anywhere.slice(first, last + 1).includes(true)
      ? strongestRival(comparison, last, isOtherName, sideOverlap) ?? []
      : [];
  });
  const swap = strongestOf(rivals);
  const exchange = exchangedNames(comparison);
  const share = names.length === 0 ? 0 : nowhere.length / names.length;
  const words = absent.map(([, last]) => wordOrName(claim, last, claimText))
    .filter((name) => !(swap && swap.strength >= MIN_REPORTED_STRENGTH && name === swap.claim));
  return {
    values: {
      "name.swapped": swap?.strength ?? 0,
      "name.exchanged": exchange?.strength ?? 0,
    },
    findings: [
      ...swap ? rivalFinding("name.swapped", swap) : [],
      ...exchange ? rivalFinding("name.exchanged", exchange, ["“", "”"]) : [],
      ...words.length === 0
        ? []
        : [absenceFinding("name.absent", `the sources do not name ${words.join(", ")}`, share)],
    ],
  };
}

/** Tests for two names of one type. A country is no rival of a person. */
const isOtherName = (claim: ContentWord, source: ContentWord) =>
  claim.wordClass === "name" && source.wordClass === "name" &&
  claim.entry?.type === source.entry?.type;

const FAMILIES = [
  overlapFeatures,
  quantityFeatures,
  negationFeatures,
  antonymFeatures,
  nameFeatures,
];
