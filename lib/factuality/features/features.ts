/** Features of a claim against its sources. The sources are analysed once for all claims. */
import type { Finding, Passage } from "../types.ts";
import { agreement, compare, exchangedNames, sides, sourceSentences } from "./comparison.ts";
import { strongestOf, strongestRival, surroundings, weightedMean, whole } from "./comparison.ts";
import type { Comparison, Rival } from "./comparison.ts";
import { compareQuantities, madeOf, type Quantity } from "./quantities.ts";
import { areOpposed, nameAround, wordIndex } from "./words.ts";
import type { Gazetteer, Word } from "./words.ts";

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
      const comparison = compare(claim, sentences, holding, gazetteer);
      const families = FAMILIES.map((family) => family(comparison));
      const values: Partial<Record<FeatureName, number>> = Object.assign(
        {},
        ...families.map(({ values }) => values),
      );
      return {
        values: FEATURE_NAMES.map((name) => values[name]!),
        findings: families.flatMap(({ findings }) => findings)
          .toSorted((a, b) => b.strength - a.strength)
          .map(({ strength: _strength, ...finding }): Finding => finding),
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
interface WeighedFinding extends Finding {
  readonly strength: number;
}

/** Minimum strength of a finding that a report states; weaker ones count as features only. */
const WORTH_TELLING = 0.3;

/** Returns a finding against the claim, where it is strong enough to be reported. */
const refuting = (
  feature: FeatureName,
  words: string,
  strength: number,
): readonly WeighedFinding[] =>
  strength < WORTH_TELLING ? [] : [{ feature, words, speaksFor: "refuted", strength }];

/**
 * A finding about something that the sources lack. It is reported and is no feature, since the
 * network detects it.
 */
const lacking = (feature: string, words: string, strength: number): WeighedFinding => (
  { feature, words, speaksFor: "not enough info", strength }
);

/** Overlap of the claim's words with the evidence; complete where there is nothing to match. */
function overlapFeatures(comparison: Comparison): FamilyResult {
  const { claim, asserted, evidence } = comparison;
  const top = claim.map((_, index) => evidence.some(({ has }) => has[index]));
  const own = claim.map((word, index) => asserted[index] ? word : { ...word, weight: 0 });
  const lost = own.reduce((sum, { weight }, index) => top[index] ? sum : sum + weight, 0);
  const missing = own.filter(({ wordClass, weight }, index) =>
    !top[index] && weight > 0 && /^(?:noun|verb|adjective)$/.test(wordClass)
  );
  const total = (of: readonly Word[]) => of.reduce((sum, { weight }) => sum + weight, 0);
  const share = total(missing) / total(own);
  const words = [...new Set(missing.map(({ text }) => `“${text}”`))].join(", ");
  return {
    values: {
      "overlap.top": weightedMean(own, (index) => top[index] ? 1 : 0),
      // One missing word of ten makes a claim as wrong as one of three, which no mean
      // shows. At half weight: the sources may say the same in other words.
      "overlap.complete": claim.length === 0 ? 0 : Math.exp(-lost / 2),
    },
    // A smaller share may well be said in other words.
    findings: share >= WORTH_TELLING
      ? [lacking("overlap.top", `the evidence does not have ${words}`, share)]
      : [],
  };
}

/** Compares numbers and dates of the claim with those of the evidence. */
function quantityFeatures(comparison: Comparison): FamilyResult {
  const amounts = standing(comparison, "amount");
  const dates = standing(comparison, "date");
  return {
    values: {
      "quantity.contradicted": amounts.contradicted,
      "quantity.date_contradicted": dates.contradicted,
    },
    findings: [
      ...amounts.rivals.flatMap((rival) => differing("quantity.contradicted", rival)),
      ...dates.rivals.flatMap((rival) => differing("quantity.date_contradicted", rival)),
      ...amounts.made.map(({ claim, parts }): WeighedFinding => {
        const isSum = parts.reduce((sum, { value }) => sum + value, 0) < 2 * claim.value;
        const [one, other] = parts.toSorted((a, b) => b.value - a.value);
        const words = isSum
          ? `${parts.map(({ text }) => text).join(" and ")} make ${claim.text}`
          : `${one!.text} less ${other!.text} is ${claim.text}`;
        return { feature: "quantity.made", words, speaksFor: "supported", strength: WORTH_TELLING };
      }),
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
  const { claim, claimText, evidence, anywhere } = comparison;
  const amounts = evidence.map(({ sentence }) =>
    sentence.words.flatMap(({ quantity }) => quantity?.kind === "amount" ? [quantity] : [])
  );
  const own = claim.flatMap((word, index) => word.quantity?.kind === kind ? [index] : []);
  const missing = own.filter((index) => !evidence.some(({ has }) => has[index]));
  const made = missing.flatMap((index) => {
    const { quantity } = claim[index]!;
    if (quantity?.kind !== "amount") return [];
    const parts = madeOf(quantity, claimText, amounts);
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
      surroundings,
    ) ?? []
  ).toSorted((a, b) => b.strength - a.strength)
    // A number of the source is a rival of one claim number only.
    .filter(({ source }, place, all) => all.findIndex((one) => one.source === source) === place);
  const told = rivals.filter(({ strength }) => strength >= WORTH_TELLING);
  return {
    contradicted: Math.max(0, ...rivals.map(({ strength }) => strength)),
    rivals,
    made: made.filter(({ claim }) => !told.some((rival) => rival.claim === claim.text)),
    missing: missing.map((index) => claim[index]!).filter(({ text, quantity }) =>
      !told.some((rival) => rival.claim === text) && !made.some((one) => one.claim === quantity)
    ),
  };
}

const differing = (feature: FeatureName, { claim, source, strength }: Rival, mark = ["", ""]) =>
  refuting(
    feature,
    `source says ${mark[0]}${source}${mark[1]}, claim says ${mark[0]}${claim}${mark[1]}`,
    strength,
  );

/** Negation of the same words on one side only. */
function negationFeatures(comparison: Comparison): FamilyResult {
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
    return denied ? [{ claim: denied.claim, strength: agreement(comparison, one) ** 2 }] : [];
  });
  const strongest = strongestOf(differences);
  if (strongest === undefined) return { values: { "negation.differs": 0 }, findings: [] };
  const { claim, strength } = strongest;
  const [one, other] = claim.negated ? ["claim", "source"] : ["source", "claim"];
  const words = `${one} denies “${claim.text}”, ${other} does not`;
  return {
    values: { "negation.differs": strength },
    findings: refuting("negation.differs", words, strength),
  };
}

/** Opposition between a word of the claim and a rival in its position. */
function antonymFeatures(comparison: Comparison): FamilyResult {
  // Opposites of which one is negated agree: "not safe" is unsafe.
  const isOpposed = (claim: Word, source: Word) =>
    claim.negated === source.negated && areOpposed(claim, source);
  const strongest = strongestOf(
    comparison.claim.flatMap((_, index) =>
      strongestRival(comparison, index, isOpposed, sides) ?? []
    ),
  );
  return {
    values: { "antonym.opposed": strongest?.strength ?? 0 },
    findings: strongest ? differing("antonym.opposed", strongest, ["“", "”"]) : [],
  };
}

/** Names of the claim: absent from the sources, or replaced by others. */
function nameFeatures(comparison: Comparison): FamilyResult {
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
      ? strongestRival(comparison, last, isOtherName, sides) ?? []
      : [];
  });
  const swap = strongestOf(rivals);
  const exchange = exchangedNames(comparison);
  const share = names.length === 0 ? 0 : nowhere.length / names.length;
  const words = absent.map(([, last]) => whole(claim, last, claimText))
    .filter((name) => !(swap && swap.strength >= WORTH_TELLING && name === swap.claim));
  return {
    values: {
      "name.swapped": swap?.strength ?? 0,
      "name.exchanged": exchange?.strength ?? 0,
    },
    findings: [
      ...swap ? differing("name.swapped", swap) : [],
      ...exchange ? differing("name.exchanged", exchange, ["“", "”"]) : [],
      ...words.length === 0
        ? []
        : [lacking("name.absent", `the sources do not name ${words.join(", ")}`, share)],
    ],
  };
}

/** Tests for two names of one type. A country is no rival of a person. */
const isOtherName = (claim: Word, source: Word) =>
  claim.wordClass === "name" && source.wordClass === "name" &&
  claim.entry?.type === source.entry?.type;

const FAMILIES = [
  overlapFeatures,
  quantityFeatures,
  negationFeatures,
  antonymFeatures,
  nameFeatures,
];
