import type { RunConfig } from "../configuration.ts";
import type { ItemReport } from "../tables.ts";
import { type Quartiles, quartiles } from "../session/summary.ts";
import {
  canonicalText,
  commonScript,
  isEmpty,
  isOtherScript,
  nameAsWord,
  scriptsOf,
  wordsOf,
} from "../text.ts";
import type { RatedItem, RatingWorkbook, SealedKey } from "../types.ts";
import type { Segment, SystemOutputs } from "./outputs.ts";

/** What the researcher should look at before the workbook goes out. It names systems. */
export type PreparationReport = ReturnType<typeof preparationReport>;

/**
 * The report on a run as prepared. `segments` are the sampled ones, in the order shown; documents are
 * those with at least one of them. What the run costs its rater at least is counted, its hours are a
 * bound: if each translation took as long as one segment of one system took raters in ESA (medians of
 * 28 and 42 s, error spans marked). Nobody has measured twelve translations of one sentence side by
 * side: the source is read once and no spans are marked, so that it should take less.
 */
export function preparationReport(
  { items }: RatingWorkbook,
  key: SealedKey,
  { numTranslations, sourceLanguage, targetLanguage }: RunConfig,
  segments: readonly Segment[],
  outputs: SystemOutputs,
) {
  const roles = key.items.map(({ role }) => role.kind);
  const sampled = Map.groupBy(segments, ({ document }) => document);
  const whole = Map.groupBy(outputs.segments, ({ document }) => document);
  const hours = (seconds: number) => items.length * numTranslations * seconds / 3600;
  const isPartial = ([name, part]: readonly [string, readonly Segment[]]) =>
    part.length < whole.get(name)!.length;
  return {
    rated: roles.filter((kind) => kind === "rated").length,
    repeats: roles.filter((kind) => kind === "repeat").length,
    attentionChecks: roles.filter((kind) => kind === "attention").length,
    documents: sampled.size,
    partialDocuments: [...sampled].filter(isPartial).length,
    changedSources: segments.filter(({ source }) => source !== canonicalText(source)).length,
    sources: lengthsOf(segments.map(({ source }) => source), sourceLanguage),
    translations: lengthsOf(segments.flatMap(({ translations }) => translations), targetLanguage),
    sourceScripts: scriptsOf(segments.map(({ source }) => source)),
    translationScripts: scriptsOf(segments.flatMap(({ translations }) => translations)),
    items: items.map(itemReport),
    systems: outputs.systems.map((system, index) => systemReport(system, index, segments)),
    effort: {
      // Bucket, two digits and Enter for each translation, one stroke for Next; by mouse a bucket and
      // a slider for each, and Next.
      keystrokes: items.length * (4 * numTranslations + 1),
      pointing: items.length * (2 * numTranslations + 1),
      hours: { low: hours(28), high: hours(42) },
    },
  };
}

/** What a rater will see in one item. It names neither system nor role, and may be shown to anyone. */
function itemReport({ input: { itemId, source, translations } }: RatedItem): ItemReport {
  const script = commonScript(translations);
  const { min, median, max } = spreadOf(translations.map((text) => [...text].length));
  return {
    item_id: itemId,
    source_characters: [...source].length,
    shortest_characters: min,
    median_characters: median,
    longest_characters: max,
    distinct: new Set(translations).size,
    empty: translations.filter(isEmpty).length,
    script: script.name,
    other_script: translations.filter((text) => isOtherScript(text, script)).length,
  };
}

/**
 * What stands out about the system whose outputs stand at `index` in every sampled segment. Shared
 * outputs are the same as another system's once canonical; changed ones had something that no
 * workbook can hold; `named` counts sources and outputs that hold the system's name as a word, which
 * would break blindness. Relative length is in characters over the segment's median.
 */
function systemReport(system: string, index: number, segments: readonly Segment[]) {
  const count = (holds: (text: string, segment: Segment) => boolean) =>
    segments.filter((segment) => holds(segment.translations[index]!, segment)).length;
  const isName = nameAsWord(system);
  const texts = segments.flatMap(({ source, translations }) => [source, ...translations]);
  return {
    system,
    segments: segments.length,
    empty: count(isEmpty),
    shared: count((text, { translations }) =>
      translations.filter((it) => canonicalText(it) === canonicalText(text)).length > 1
    ),
    changed: count((text) => canonicalText(text) !== text),
    otherScript: count((text, { translations }) => isOtherScript(text, commonScript(translations))),
    named: texts.filter((text) => isName.test(text)).length,
    relativeLength: spreadOf(segments.flatMap(({ translations }) => {
      const lengths = translations.map((text) => [...text].length);
      const { median } = spreadOf(lengths);
      return median > 0 ? [lengths[index]! / median] : [];
    })),
  };
}

/** How a quantity spreads; all 0 where there is nothing to measure (n says so). */
export type Spread = Omit<Quartiles, "kind">;

/** Lengths of texts. */
interface LengthSummary {
  /** Unicode code points. */
  readonly characters: Spread;
  /** By Unicode's rules (UAX #29). */
  readonly words: Spread;
}

/** Least, quartiles and greatest of numbers. */
export function spreadOf(values: readonly number[]): Spread {
  const found = quartiles(values, "no texts");
  if (found.kind === "unavailable") {
    return { n: 0, min: 0, lowerQuartile: 0, median: 0, upperQuartile: 0, max: 0 };
  }
  const { kind: _, ...spread } = found;
  return spread;
}

/** How long texts are. */
export function lengthsOf(texts: readonly string[], language?: string): LengthSummary {
  return {
    characters: spreadOf(texts.map((text) => [...text].length)),
    words: spreadOf(texts.map((text) => wordsOf(text, language).length)),
  };
}
