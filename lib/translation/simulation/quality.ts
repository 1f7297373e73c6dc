import type { RandomSource } from "../../stats/random.ts";
import { canonicalText } from "../canonical_text.ts";
import type { InputRow } from "../item.ts";
import { normalDeviate } from "./normal_deviate.ts";

/**
 * Quality in points for every way in which a demo translation is spoilt, chosen for this project.
 * The order is that of the texts' design, from no fault to a meaning lost; the distances are made up.
 */
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

/** What a text gets that is no translation of its sentence: a spoilt one of an attention check. */
const NOT_A_TRANSLATION = 6;

/** How far texts of one degradation lie apart for every rater, standard deviation in points. */
const SPREAD_OF_TEXTS = 3;

/** A translation whose degradation is known. */
export interface KnownText {
  readonly degradation: string;
  readonly source: string;
  readonly translation: string;
}

/** True quality, in points, of each translation of an item, in the order t1 … tN. */
export type QualityOf = (row: Pick<InputRow, "source" | "translations">) => readonly number[];

/**
 * Looks quality up by source and translation, as a rater who reads would know it: neither system
 * nor key is asked. Texts that stand under no degradation are no translations of their sentence.
 *
 * Throws RangeError for a degradation that {@link QUALITY_BY_DEGRADATION} does not have.
 */
export function qualityOfTexts(texts: readonly KnownText[], random: RandomSource): QualityOf {
  const known = new Map(texts.map(({ degradation, source, translation }) => {
    const quality = QUALITY_BY_DEGRADATION[degradation];
    if (quality === undefined) {
      throw new RangeError(`Cannot simulate: degradation "${degradation}" has no quality.`);
    }
    return [keyOf(source, translation), quality + SPREAD_OF_TEXTS * normalDeviate(random)];
  }));
  return ({ source, translations }) =>
    translations.map((text) => known.get(keyOf(source, text)) ?? NOT_A_TRANSLATION);
}

const keyOf = (source: string, translation: string) =>
  JSON.stringify([canonicalText(source), canonicalText(translation)]);
