import { mean } from "simple-statistics";
import { normalQuantile } from "../../../stats/distributions.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { RunConfig } from "../../../translation/configuration.ts";
import { canonicalText } from "../../../translation/text.ts";
import type { InputRow } from "../../../translation/types.ts";

const CAREFUL = {
  /** Points subtracted from every translation; negative for a lenient rater. */
  harshness: 0,
  /** Standard deviation of perceived quality around true quality, in points. */
  noise: 5,
  /** Probability that a score is rounded to a multiple of 5. */
  heaping: 0.3,
  /** Points added per row down the screen, zero at the middle. */
  positionEffect: 0,
  /** Points added per item of the session, zero at the middle. */
  drift: 0,
  /**
   * Probability (0–1) that a translation is rated unread.
   * It then gets the sentence's mean quality.
   */
  inattention: 0,
  /** Median seconds per translation at the start of the session. */
  secondsPerTranslation: 9,
  /** Factor on these seconds from item to item. Below 1 the rater speeds up. */
  pace: 1,
};

/**
 * A simulated rater's known deviations from true quality.
 * The name's prefix prevents any table or file from passing its numbers off as a person's.
 */
export type Persona = Readonly<typeof CAREFUL & { name: `simulated_${string}` }>;

const CARELESS = { noise: 8, heaping: 0.85, inattention: 0.35, secondsPerTranslation: 4 };

/** Raters of the demonstration, each with one or two distinct faults. */
export const PERSONAS: readonly Persona[] = [
  { ...CAREFUL, name: "simulated_strict", harshness: 10, heaping: 0 },
  { ...CAREFUL, name: "simulated_lenient", harshness: -4 },
  { ...CAREFUL, name: "simulated_tired", noise: 7, positionEffect: -0.8, drift: -0.5, pace: 0.98 },
  { ...CAREFUL, name: "simulated_careless", ...CARELESS },
];

/** Quality in points for each degradation of demo translations. The differences are invented. */
export const QUALITY_BY_DEGRADATION: Readonly<Record<string, number>> = {
  careful: 88,
  fluent_free: 86,
  slight_style: 80,
  register: 76,
  word_order: 70,
  agreement: 67,
  literal: 58,
  untranslated: 52,
  omission: 42,
  wrong_number_or_name: 36,
  negation_or_role: 24,
  fragment: 14,
};

/** Quality of an attention check's spoiled text. Its meaning is partly or wholly reversed. */
const SPOILED = QUALITY_BY_DEGRADATION.negation_or_role!;

/**
 * Standard deviation between texts of one degradation, in points.
 * It is the same for all raters.
 */
const SPREAD_OF_TEXTS = 3;

/** A translation with known degradation. */
export type KnownText = Readonly<Record<"degradation" | "source" | "translation", string>>;

/** Returns the true quality, in points, of an item's translations t1 … tN. */
export type QualityOf = (row: Pick<InputRow, "source" | "translations">) => readonly number[];

/**
 * Returns true quality by source and translation, without system or key.
 * Throws RangeError for an unknown degradation.
 */
export function qualityOfTexts(texts: readonly KnownText[], random: RandomSource): QualityOf {
  const keyOf = (source: string, text: string) =>
    JSON.stringify([canonicalText(source), canonicalText(text)]);
  const known = new Map(texts.map(({ degradation, source, translation }) => {
    const quality = QUALITY_BY_DEGRADATION[degradation];
    if (quality === undefined) {
      throw new RangeError(`Cannot simulate: degradation "${degradation}" has no quality.`);
    }
    return [keyOf(source, translation), quality + SPREAD_OF_TEXTS * normalDeviate(random)];
  }));
  return ({ source, translations }) =>
    translations.map((text) => known.get(keyOf(source, text)) ?? SPOILED);
}

/**
 * Noise of the bucket relative to that of the score.
 * The bucket is chosen at first glance, the score more carefully, so that they may disagree.
 */
const GLANCE_NOISE = 1.5;

/**
 * Returns a rater's first judgement of an item, by translation t1 … tN.
 * `ordinal` is the item's index among `items`. The score is true quality (0 … 100 points) minus
 * harshness, plus effects of position, fatigue and noise. Strict ordering may still require a
 * change.
 */
export function judge(
  { harshness, noise, heaping, positionEffect, drift, inattention }: Persona,
  { displayMap, quality }: Readonly<Record<"displayMap" | "quality", readonly number[]>>,
  { ordinal, items }: Readonly<Record<"ordinal" | "items", number>>,
  config: RunConfig,
  random: RandomSource,
) {
  const typical = mean([...quality]);
  const fatigue = drift * (ordinal - (items - 1) / 2);
  const judged = displayMap.map((translation, position) => {
    const read = random.next() >= inattention;
    const place = positionEffect * (position - (displayMap.length - 1) / 2);
    const perceived = (read ? quality[translation]! : typical) - harshness + fatigue + place +
      noise * normalDeviate(random);
    return {
      translation,
      bucket: bucketFor(perceived + GLANCE_NOISE * normalDeviate(random), config),
      da: scoreFor(perceived, random.next() < heaping, config),
    };
  });
  return judged.sort((a, b) => a.translation - b.translation);
}

/**
 * Returns the bucket of a quality.
 * The lowest third of the scale is the worst bucket; the others share the rest equally.
 */
function bucketFor(quality: number, { buckets }: RunConfig): string {
  const step = (100 - 100 / 3) / (buckets.length - 1);
  const index = Math.floor((100 - quality) / step);
  return buckets[Math.max(0, Math.min(buckets.length - 1, index))]!.key;
}

function scoreFor(quality: number, rounded: boolean, { daMin, daMax }: RunConfig): number {
  const points = daMin + quality / 100 * (daMax - daMin);
  const score = rounded ? 5 * Math.round(points / 5) : Math.round(points);
  return Math.max(Math.ceil(daMin), Math.min(Math.floor(daMax), score));
}

/** Draws from the standard normal distribution. A zero is avoided, whose quantile is −∞. */
export function normalDeviate(random: RandomSource): number {
  return normalQuantile(Math.max(random.next(), 2 ** -53));
}
