import type { CertifiedPair } from "../../pairs/certify.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { type SelectionReport, selectPairs } from "../../pairs/selection.ts";
import type { Phenomenon, RejectionReason } from "./candidate.ts";

/** Pairs of the whole set, and the share of case contrasts: 333 and 167 of 500. */
export const TARGET_PAIRS = 500;
const CASE_SHARE = 2 / 3;

/** Pairs of one stem that a phenomenon takes before the others are asked for more. */
const PER_STEM = 8;

/** Pairs of one verse: verses list things, and each noun of a list has its own fixing word. */
const PER_VERSE = 3;

export interface GenerationOptions {
  readonly seed: number;
  /** Pairs wanted in all; 500 unless told. */
  readonly targetSize?: number;
  /** First word of the ids; `morph` unless told. */
  readonly prefix?: string;
}

export interface ContrastSet {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Certified ones that the quota had no room for. */
  readonly notSelected: readonly Rejection[];
  readonly report: Readonly<Record<Phenomenon, SelectionReport>>;
}

/**
 * The set: two thirds contrasts of case, one third of number, spread over stems, chapters and
 * combinations of relation and cells; vocative homonyms come last. The same candidates and seed
 * give the same set. Where the text gives fewer than wanted, the report says so.
 */
export function chooseContrasts(
  certified: readonly CertifiedPair<Phenomenon>[],
  { seed, targetSize = TARGET_PAIRS, prefix = "morph" }: GenerationOptions,
): ContrastSet {
  const cases = Math.round(targetSize * CASE_SHARE);
  const { chosen, report } = selectPairs(certified, {
    quota: { case: cases, number: targetSize - cases },
    seed,
    perLemma: PER_STEM,
    perSentence: PER_VERSE,
    // The vocative of a thing is a reading, if a far one.
    penalty: ({ certificate }) => Number(certificate.marks.includes("vocative_homonym")),
  });
  const kept = new Set(chosen);
  return {
    items: chosen.map((pair, index) => numbered(prefix, pair, index + 1)),
    notSelected: certified.filter((pair) => !kept.has(pair)).map((pair) =>
      notSelected(pair, chosen.some((other) => isOfSameNoun(pair, other)))
    ),
    report,
  };
}

/** The specification numbers all pairs together: `morph_0001`. */
function numbered(
  prefix: string,
  { pair, certificate }: CertifiedPair<Phenomenon>,
  n: number,
): DatasetItem<Phenomenon> {
  const id = `${prefix}_${String(n).padStart(4, "0")}`;
  return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
}

/** Whether two pairs change the same word of a line in the same dimension: only one of them is taken. */
function isOfSameNoun(a: CertifiedPair<Phenomenon>, b: CertifiedPair<Phenomenon>): boolean {
  return a.pair.grammatical === b.pair.grammatical && a.tokenIndex === b.tokenIndex &&
    a.pair.phenomenon === b.pair.phenomenon;
}

function notSelected(
  { pair, certificate }: CertifiedPair<Phenomenon>,
  hasOther: boolean,
): Rejection<RejectionReason> {
  const change = `${certificate.lemma}, ${certificate.cellFrom} > ${certificate.cellTo}`;
  const why = hasOther
    ? "another form of this noun was chosen"
    : "the caps on verses and stems, or the number wanted, were reached";
  return {
    source: certificate.source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: hasOther ? "other_form_chosen" : "not_selected",
    detail: `certified (${change}), but ${why}`,
  };
}
