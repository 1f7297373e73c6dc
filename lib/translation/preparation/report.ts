import type { RunConfig } from "../configuration.ts";
import { type Quartiles, quartiles } from "../session/summary.ts";
import type { ItemReport } from "../tables.ts";
import {
  canonicalText,
  commonScript,
  isEmpty,
  isOtherScript,
  nameAsWord,
  scriptsOf,
  wordsOf,
} from "../text.ts";
import type { RatedItem, RatingWorkbook } from "../types.ts";
import type { Segment, SystemOutputs } from "./outputs.ts";
import type { SealedKey } from "./run_files.ts";

/**
 * What the researcher should look at before the workbook goes out; it names systems. `segments` are
 * the sampled ones, in the order shown. Hours are a bound: as if each translation took as long as one
 * segment of one system took raters in ESA (medians of 28 and 42 s, error spans marked).
 */
export function preparationReport(
  { items }: RatingWorkbook,
  key: SealedKey,
  { numTranslations, sourceLanguage, targetLanguage }: RunConfig,
  segments: readonly Segment[],
  outputs: SystemOutputs,
) {
  const count = (wanted: string) => key.items.filter(({ role }) => role.kind === wanted).length;
  const sampled = Map.groupBy(segments, ({ document }) => document);
  const whole = Map.groupBy(outputs.segments, ({ document }) => document);
  const hours = (seconds: number) => items.length * numTranslations * seconds / 3600;
  const sources = segments.map(({ source }) => source);
  const translations = segments.flatMap((segment) => segment.translations);
  return {
    rated: count("rated"),
    repeats: count("repeat"),
    attentionChecks: count("attention"),
    documents: sampled.size,
    partialDocuments:
      [...sampled].filter(([name, part]) => part.length < whole.get(name)!.length).length,
    changedSources: sources.filter((source) => source !== canonicalText(source)).length,
    sources: lengthsOf(sources, sourceLanguage),
    translations: lengthsOf(translations, targetLanguage),
    sourceScripts: scriptsOf(sources),
    translationScripts: scriptsOf(translations),
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
  const { min, median, max } = spreadOf(translations.map(lengthOf));
  return {
    item_id: itemId,
    source_characters: lengthOf(source),
    shortest_characters: min,
    median_characters: median,
    longest_characters: max,
    distinct: new Set(translations).size,
    empty: translations.filter(isEmpty).length,
    script: script.name,
    other_script: translations.filter((text) => isOtherScript(text, script)).length,
  };
}

/** What stands out about one system: shared outputs, where its name stands, relative length. */
function systemReport(system: string, index: number, segments: readonly Segment[]) {
  const count = (holds: (text: string, segment: Segment) => boolean) =>
    segments.filter((segment) => holds(segment.translations[index]!, segment)).length;
  const isName = nameAsWord(system);
  const texts = segments.flatMap(({ source, translations }) => [source, ...translations]);
  return {
    system,
    empty: count(isEmpty),
    shared: count((text, { translations }) =>
      translations.filter((it) => canonicalText(it) === canonicalText(text)).length > 1
    ),
    changed: count((text) => canonicalText(text) !== text),
    otherScript: count((text, { translations }) => isOtherScript(text, commonScript(translations))),
    named: texts.filter((text) => isName.test(text)).length,
    relativeLength: spreadOf(segments.flatMap(({ translations }) => {
      const lengths = translations.map(lengthOf);
      const { median } = spreadOf(lengths);
      return median > 0 ? [lengths[index]! / median] : [];
    })),
  };
}

/** Least, quartiles and greatest of numbers; all 0 where there are none (n says so). */
function spreadOf(values: readonly number[]): Omit<Quartiles, "kind"> {
  const { kind: _, ...spread } = quartiles(values.length > 0 ? values : [0], "") as Quartiles;
  return { ...spread, n: values.length };
}

/** In Unicode code points. */
const lengthOf = (text: string) => [...text].length;

/** How long texts are, in code points and in words (UAX #29). */
function lengthsOf(texts: readonly string[], language?: string) {
  return {
    characters: spreadOf(texts.map(lengthOf)),
    words: spreadOf(texts.map((text) => wordsOf(text, language).length)),
  };
}
