import type { Evidence, Finding } from "../types.ts";

/** What kind of thing a feature looks at. */
export type FeatureGroup =
  | "overlap"
  | "alignment"
  | "quantity"
  | "negation"
  | "antonym"
  | "name"
  | "role"
  | "speaker";

interface FeatureRow {
  readonly name: string;
  readonly group: FeatureGroup;
  /** For the reader of a report; the range is always 0–1 unless it says otherwise. */
  readonly means: string;
}

/**
 * Every feature of a claim against its sources, in the order of the vector. "Weighted" means by how
 * much a word says (`word_weight.ts`); "the evidence" is the best sentences, see `choose_evidence.ts`;
 * "asserted" are the words outside a question that the claim answers, see `asserted_words.ts`.
 * None can be computed from the claim alone: with nothing to compare, a feature has its neutral value.
 */
export const FEATURES = [
  row("overlap", "top", "weighted share of the asserted words in the best three sentences"),
  row("overlap", "all", "weighted share anywhere in the sources"),
  row("overlap", "complete", "1 where no asserted word is missing, less with each that is"),
  row(
    "alignment",
    "mean",
    "weighted mean over the asserted words of the best cosine in the evidence",
  ),
  row("alignment", "min", "the worst aligned asserted word"),
  row("alignment", "low_tenth", "10 % quantile of the asserted words' best cosines"),
  row("alignment", "under_half", "weighted share of asserted words whose best cosine is under 0.5"),
  row(
    "alignment",
    "loose",
    "weighted share of asserted words under 0.6 that no synonym accounts for",
  ),
  row("alignment", "complete", "1 where each asserted word is aligned, less with each that is not"),
  row("alignment", "names", "worst aligned asserted name; 1 without names"),
  row("alignment", "nouns", "worst aligned asserted noun; 1 without nouns"),
  row("alignment", "verbs", "worst aligned asserted verb; 1 without verbs"),
  row("alignment", "adjectives", "worst aligned asserted adjective or adverb; 1 without any"),
  row("alignment", "sentence", "cosine of claim and nearest sentence of the evidence, −1 to 1"),
  row("quantity", "contradicted", "strongest number of another value in the same place"),
  row("quantity", "absent", "share of the claim's numbers that the evidence does not have"),
  row("quantity", "date_contradicted", "strongest date of another value in the same place"),
  row("quantity", "date_absent", "share of the claim's dates that the evidence does not have"),
  row("negation", "differs", "claim or evidence denies what the other says, × how well they agree"),
  row("antonym", "opposite", "a word of the claim stands opposed in the evidence, × agreement"),
  row("antonym", "degree", "the same for degree, quantity, direction and order words"),
  row(
    "antonym",
    "sibling",
    "another member of the same class stands in the word's place, × agreement",
  ),
  row("name", "absent", "share of the claim's names nowhere in the sources"),
  row("name", "absent_here", "share of the claim's names not in the evidence"),
  row("name", "swapped", "another name of the same type in the name's place, × agreement"),
  row("role", "swapped", "names before and after the verb exchanged, × agreement"),
  row("speaker", "alone", "1 where the claim speaks of I or we and no source does, else 0"),
] as const satisfies readonly FeatureRow[];

function row<G extends FeatureGroup, N extends string>(group: G, short: N, means: string) {
  return { name: `${group}.${short}` as `${G}.${N}`, group, means } as const;
}

export type FeatureName = (typeof FEATURES)[number]["name"];

/** One value for each feature. */
export type FeatureValues = Readonly<Record<FeatureName, number>>;

/** In the order of `ClaimFeatures.values`. */
export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);

/** What was seen when a claim was held against its sources. */
export interface ClaimFeatures {
  /** In the order of `FEATURE_NAMES`; all finite. */
  readonly values: readonly number[];
  /** In words, for the report; the strongest first. */
  readonly findings: readonly Finding[];
  /** The best sentences, best first; none where the sources have no sentence. */
  readonly evidence: readonly Evidence[];
}

/** Sources read once, for any number of claims. */
export interface SourceReader {
  features(claim: string): Promise<ClaimFeatures>;
}

/** The features of one group by name: what one family computes. */
type GroupValues<G extends FeatureGroup> = {
  readonly [Name in FeatureName as Name extends `${G}.${string}` ? Name : never]: number;
};

/** What one family of features saw. */
export interface FamilyResult<G extends FeatureGroup> {
  readonly values: GroupValues<G>;
  /** With how sure each is, 0–1, for their order. */
  readonly findings: readonly WeighedFinding[];
}

/** A finding and how sure it is, 0–1. */
export interface WeighedFinding extends Finding {
  readonly strength: number;
}

/** Weaker than this, a feature counts but is not worth a reader's time. */
export const WORTH_TELLING = 0.3;

/**
 * Raised whenever a feature of a claim could have another value than before: kept vectors and answers
 * carry it in their settings. The golden vectors in `testdata/` hold it to that.
 */
export const FEATURES_VERSION = 1;
