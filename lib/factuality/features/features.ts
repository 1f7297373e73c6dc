/** What features there are, and all of them of a claim against sources that are read once. */
import type { Finding, Passage } from "../types.ts";
import { agreement, compare, exchangedNames, sides, sourceSentences } from "./comparison.ts";
import { strongestOf, strongestRival, surroundings, weightedMean, whole } from "./comparison.ts";
import type { Comparison, Rival } from "./comparison.ts";
import { compareQuantities, madeOf, type Quantity } from "./quantities.ts";
import { areOpposed, nameAround, wordIndex } from "./words.ts";
import type { Gazetteer, Word } from "./words.ts";

/**
 * Every feature of a claim against its sources, in the order of the vector, with what it means; each 0–1.
 * "Weighted" means by how much a word says: by its class, and less the more sentences of the sources have
 * it; "the evidence" is the three sentences with the greatest weighted share of the claim's words;
 * "asserted" are the words outside a question that the claim answers, see `assertedWords()`. None can be
 * computed from the claim alone: with nothing to compare, a feature is 0.
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

/** In the order of a vector. */
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly FeatureName[];

/** Raised whenever a feature could have another value: kept vectors carry it in their settings. */
export const FEATURES_VERSION = 4;

/**
 * Reads the passages once for any number of claims: 20 ms for 1,500 words, then 1 ms a claim. `values` in
 * the order of `FEATURE_NAMES`, each 0–1; `findings` in words, for the report, the strongest first.
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

/** What one family of features saw: a value for each feature of its group, and findings. */
interface FamilyResult {
  readonly values: Partial<Readonly<Record<FeatureName, number>>>;
  readonly findings: readonly WeighedFinding[];
}

/** A finding and how sure it is, 0–1. */
interface WeighedFinding extends Finding {
  readonly strength: number;
}

/** Weaker than this, a feature counts but is not worth a reader's time. */
const WORTH_TELLING = 0.3;

/** A finding against the claim, where it is worth telling. */
const refuting = (
  feature: FeatureName,
  words: string,
  strength: number,
): readonly WeighedFinding[] =>
  strength < WORTH_TELLING ? [] : [{ feature, words, speaksFor: "refuted", strength }];

/** What the sources do not say: told, but no feature, for the network knows it. */
const lacking = (feature: string, words: string, strength: number): WeighedFinding => (
  { feature, words, speaksFor: "not enough info", strength }
);

/** Words of the claim in the evidence. With nothing to find, everything is found. */
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
      // One word of ten that is missing makes a claim as wrong as one of three does, which no mean
      // shows. At half weight: what is not there may be said in other words.
      "overlap.complete": claim.length === 0 ? 0 : Math.exp(-lost / 2),
    },
    // Fewer may well be said in other words.
    findings: share >= WORTH_TELLING
      ? [lacking("overlap.top", `the evidence does not have ${words}`, share)]
      : [],
  };
}

/** Numbers and dates of the claim against those of the evidence. */
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
  // "20 branches" beside 12 here and 8 there: not 12 in place of 20.
  const isPart = (claim: Quantity, source: Quantity) =>
    made.some((one) => one.claim === claim && one.parts.some((part) => part === source));
  // What the sources say elsewhere may well be what the claim means.
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
    // One number of the source is in one place.
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

/** One denies what the other says of the same words. */
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
    // Where both deny, it may be the same in other words: "found no evidence", "did not find evidence".
    if (common.length < 2 || claimDenies === sourceDenies) return [];
    const denied = common.find(({ claim, same }) =>
      same.every(({ negated }) => negated !== claim.negated)
    );
    // Of two sentences that share half their words, most speak of different things.
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

/** A word that excludes the claim's word stands where it should stand. */
function antonymFeatures(comparison: Comparison): FamilyResult {
  // An opposite within a negation says the same: "not safe" is unsafe.
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

/** Named things of the claim: in the sources, or another in their place. */
function nameFeatures(comparison: Comparison): FamilyResult {
  const { claim, claimText, anywhere } = comparison;
  const names = claim.flatMap((word, index) => word.wordClass === "name" ? [index] : []);
  const nowhere = names.filter((index) => !anywhere[index]);
  const absent = nowhere.map((index) => nameAround(claim, index))
    // "Woodrow Wilson" is named where Wilson is.
    .filter(([first, last]) =>
      anywhere.slice(first, last + 1).filter(Boolean).length < (last + 1 - first) / 2
    )
    .filter(([first], place, all) => all[place - 1]?.[0] !== first);
  const rivals = absent.flatMap(([first, last]) => {
    // Of what the claim is about, the sources may go on with "he" and "it".
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

/** Of one type where the gazetteer knows both; a country is no rival of a person. */
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
