import type { ReviewRow } from "../../pairs/blind_review.ts";
import type { PairPart } from "../../pairs/statistics.ts";
import { CASES, NUMBERS } from "../cell.ts";
import { PHENOMENA, type Phenomenon } from "../contrasts/candidate.ts";
import { cellsOfRecord } from "../contrasts/contrast_record.ts";
import type { ContrastItem } from "../contrasts/dataset.ts";
import { FIXING_RULES } from "../contrasts/fixing_rules.ts";
import { foldOfSource, verseFolds } from "../evaluation/folds.ts";
import type { Verse } from "../verses.ts";
import { countForms } from "./form_counts.ts";

/** Parts by how often the attested form stands in the text outside its fold: name, and from how often. */
const FORM_CLASSES = [
  ["form_unseen", 0],
  ["form_rare", 1],
  ["form_frequent", 3],
] as const;

/** Every part that pairs can belong to, in the order of the rows. */
const NAMES: readonly string[] = [
  ...CASES.map((name) => `from_${name}`),
  ...CASES.map((name) => `to_${name}`),
  ...CASES.flatMap((from) => CASES.map((to) => `cells_${from}_${to}`)),
  ...NUMBERS.flatMap((from) => NUMBERS.map((to) => `number_${from}_${to}`)),
  ...FORM_CLASSES.map(([name]) => name),
  ...Object.keys(FIXING_RULES).map((name) => `relation_${name}`),
  ...["metre_kept", "metre_changed"],
  ...["vocative_excluded", "vocative_homonym"],
];

/**
 * The parts of a contrast set by which its figures are told apart, those that have a pair: pairs of
 * case by the correct case, by the one put in its place and by both, pairs of number by both numbers,
 * and all pairs by how often the form is written elsewhere, by what fixes the cell, by whether the
 * variant keeps the number of syllables and by whether it is also the vocative of a thing.
 */
export function contrastParts(
  items: readonly ContrastItem[],
  verses: readonly Verse[],
): readonly PairPart<Phenomenon>[] {
  const foldOf = verseFolds(verses);
  const count = countForms(verses, foldOf);
  const countOf = ({ pair, certificate }: ContrastItem) =>
    count(pair.target, foldOfSource(certificate, foldOf));
  const namesOf = new Map(items.map((item) => [item.pair.id, partsOf(item, countOf(item))]));
  const used = new Set([...namesOf.values()].flat());
  return NAMES.filter((name) => used.has(name)).map((name) => ({
    name,
    has: ({ pair }) => namesOf.get(pair.id)?.includes(name) ?? false,
  }));
}

/** The parts of one pair whose form is written so many times elsewhere. */
export function partsOf(
  { record, certificate }: ContrastItem,
  count: number,
): readonly string[] {
  const { from, to } = cellsOfRecord(record);
  const cells = record.phenomenon === "case"
    ? [`from_${from.case}`, `to_${to.case}`, `cells_${from.case}_${to.case}`]
    : [`number_${from.number}_${to.number}`];
  const [form] = FORM_CLASSES.findLast(([, least]) => count >= least) ?? FORM_CLASSES[0];
  const [relation] = certificate.construction.split(" ");
  const metre = certificate.marks.includes("metre_changed") ? "metre_changed" : "metre_kept";
  const isVocative = certificate.marks.includes("vocative_homonym");
  const vocative = isVocative ? "vocative_homonym" : "vocative_excluded";
  return [...cells, form, `relation_${relation}`, metre, vocative];
}

/** A part that is a list of pairs, such as the balanced ones. */
export function listedPart(name: string, ids: readonly string[]): PairPart<Phenomenon> {
  const listed = new Set(ids);
  return { name, has: ({ pair }) => listed.has(pair.id) };
}

/**
 * Pairs whose variant a blind reader found clearly wrong, and those where one had a doubt; a part
 * without pairs is left out.
 */
export function reviewParts(review: readonly ReviewRow[]): readonly PairPart<Phenomenon>[] {
  const rated = (rating: number) =>
    review.filter((row) => row.rating === rating).map(({ pairId }) => pairId);
  const parts = [["blind_wrong", rated(0)], ["blind_doubtful", rated(1)]] as const;
  return parts.filter(([, ids]) => ids.length > 0).map(([name, ids]) => listedPart(name, ids));
}

/** All pairs and the two phenomena, as tables head their columns. */
export const GROUP_NAMES: Readonly<Record<string, string>> = {
  ALL: "All",
  ...Object.fromEntries(PHENOMENA.map((name) => [name, name])),
};

/** The parts whose names begin so, with what follows as their heading: `from_` → nominative … */
export function partNames(
  parts: readonly { readonly name: string }[],
  prefix: string,
): Readonly<Record<string, string>> {
  const own = parts.filter(({ name }) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(({ name }) => [name, name.slice(prefix.length).replace("_", " → ")]),
  );
}
