import type { Comparison } from "./comparison.ts";
import { type FamilyResult, type WeighedFinding, WORTH_TELLING } from "./features.ts";
import { compareQuantities, type Quantity } from "./quantities/quantity.ts";
import { type Rival, strongestRival } from "./rival.ts";
import type { Word } from "./word.ts";
import { FOUND } from "./word_match.ts";

/** Numbers and dates of the claim against those of the evidence. */
export function quantityFeatures(comparison: Comparison): FamilyResult<"quantity"> {
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
      ...amounts.rivals.map((rival) => told("quantity.contradicted", rival)),
      ...dates.rivals.map((rival) => told("quantity.date_contradicted", rival)),
      ...[...amounts.missing, ...dates.missing].map(notFound),
    ],
  };
}

function standing(comparison: Comparison, kind: Quantity["kind"]) {
  const { claim, sentences } = comparison;
  const own = claim.flatMap((word, index) => word.quantity?.kind === kind ? [index] : []);
  const missing = own.filter((index) => !sentences.some((one) => one.matches[index]! >= FOUND));
  const rivals = missing.flatMap((index) => strongestRival(comparison, index, isOtherValue) ?? []);
  const told = rivals.filter(({ strength }) => strength >= WORTH_TELLING);
  return {
    contradicted: Math.max(0, ...rivals.map(({ strength }) => strength)),
    absent: own.length === 0 ? 0 : missing.length / own.length,
    rivals: told,
    missing: missing.map((index) => claim[index]!)
      .filter((word) => !told.some((rival) => rival.claim === word)),
  };
}

const isOtherValue = ({ quantity: claim }: Word, { quantity: source }: Word) =>
  claim !== undefined && source !== undefined && compareQuantities(claim, source) === "different";

const told = (feature: string, { claim, source, strength }: Rival): WeighedFinding => ({
  feature,
  words: `source says ${source.text}, claim says ${claim.text}`,
  speaksFor: "refuted",
  strength,
});

const notFound = ({ text, quantity }: Word): WeighedFinding => ({
  feature: quantity!.kind === "date" ? "quantity.date_absent" : "quantity.absent",
  words: `the evidence does not say ${text}`,
  speaksFor: "not enough info",
  strength: WORTH_TELLING,
});
