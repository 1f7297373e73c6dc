import { mean } from "simple-statistics";
import { normalQuantile } from "../../../stats/distributions.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { RunConfig } from "../../../translation/configuration.ts";
import { canonicalText } from "../../../translation/text.ts";
import type { InputRow } from "../../../translation/types.ts";

const CAREFUL = {
  /** Points taken off every translation; negative for a lenient rater. */
  harshness: 0,
  /** Standard deviation of perceived quality around the true one, in points. */
  noise: 5,
  /** Chance that a score is rounded to a multiple of 5. */
  heaping: 0.3,
  /** Points added per position down the screen, zero at the middle one. */
  positionEffect: 0,
  /** Points added per item of the session, zero at the middle one. */
  drift: 0,
  /** Chance that a translation is not read and gets what the sentence's others would, 0 … 1. */
  inattention: 0,
  /** Median seconds from one translation to the next at the start of the session. */
  secondsPerTranslation: 9,
  /** Factor on these seconds from one item to the next: below 1 the rater gets faster. */
  pace: 1,
};

/**
 * How a simulated rater departs from the quality put into the text; every effect is known. The name
 * begins so that no table or file can pass its numbers off as a person's.
 */
export type Persona = Readonly<typeof CAREFUL & { name: `simulated_${string}` }>;

const CARELESS = { noise: 8, heaping: 0.85, inattention: 0.35, secondsPerTranslation: 4 };

/** The raters of the demo: each has one or two faults that the others have not. */
export const PERSONAS: readonly Persona[] = [
  { ...CAREFUL, name: "simulated_strict", harshness: 10, heaping: 0 },
  { ...CAREFUL, name: "simulated_lenient", harshness: -4 },
  { ...CAREFUL, name: "simulated_tired", noise: 7, positionEffect: -0.8, drift: -0.5, pace: 0.98 },
  { ...CAREFUL, name: "simulated_careless", ...CARELESS },
];

/** Quality in points for every way in which a demo translation is spoilt; distances are made up. */
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

/** What the spoiled text of an attention check gets: its meaning is turned round, in part or whole. */
const SPOILED = QUALITY_BY_DEGRADATION.negation_or_role!;

/** How far texts of one degradation lie apart for every rater, standard deviation in points. */
const SPREAD_OF_TEXTS = 3;

/** A translation whose degradation is known. */
export type KnownText = Readonly<Record<"degradation" | "source" | "translation", string>>;

/** True quality, in points, of each translation of an item, in the order t1 … tN. */
export type QualityOf = (row: Pick<InputRow, "source" | "translations">) => readonly number[];

/** Quality by source and translation: no system, no key. RangeError for an unknown degradation. */
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

/** A bucket is chosen at a first glance, the score with a closer look: so the two may disagree. */
const GLANCE = 1.5;

/**
 * What a rater makes of an item, the `ordinal`th (0 …) of so many, by translation t1 … tN: true
 * quality (points 0 … 100, by translation) less harshness, with position, fatigue and noise. It is
 * what the rater puts down first; strict ordering may still ask for a change.
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
      bucket: bucketFor(perceived + GLANCE * normalDeviate(random), config),
      da: scoreFor(perceived, random.next() < heaping, config),
    };
  });
  return judged.sort((a, b) => a.translation - b.translation);
}

/** Equal parts of the scale above its lowest third, which is all the worst bucket's. */
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

/** A draw from the standard normal distribution; the quantile of zero is minus infinity. */
export function normalDeviate(random: RandomSource): number {
  return normalQuantile(Math.max(random.next(), 2 ** -53));
}
