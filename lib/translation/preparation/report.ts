import { canonicalText } from "../canonical_text.ts";
import type { RatedItem, RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import type { SealedKey } from "./key.ts";
import { lengthsOf, type LengthSummary, type Spread, spreadOf } from "./lengths.ts";
import { nameAsWord } from "./name_as_word.ts";
import { type Script, scriptOf } from "./script_of.ts";
import type { Segment, SystemOutputs } from "./system_outputs.ts";

/** What a rater will see in one item. It names neither system nor role, and may be shown to anyone. */
export interface ItemReport {
  readonly itemId: number;
  /** Unicode code points. */
  readonly sourceCharacters: number;
  readonly translationCharacters: Spread;
  /** Different texts among the N. */
  readonly distinct: number;
  /** Translations without any letter, digit or sign. */
  readonly empty: number;
  /** The script of most translations, and how many are in another one. */
  readonly script: Script;
  readonly otherScript: number;
}

/** What stands out about one system, over the sampled segments. */
export interface SystemReport {
  readonly system: string;
  readonly segments: number;
  readonly empty: number;
  /** Outputs that another system gave word for word. */
  readonly shared: number;
  /** Outputs of which {@link canonicalText} changed something, such as a control character. */
  readonly changed: number;
  /** Outputs in another script than most translations of their segment. */
  readonly otherScript: number;
  /** Sources and outputs that hold this system's name as a word: they would break blindness. */
  readonly named: number;
  /** Length in characters over the segment's median; segments whose median is 0 are left out. */
  readonly relativeLength: Spread;
}

/** What the researcher should look at before the workbook goes out. It names systems. */
export interface PreparationReport {
  readonly rated: number;
  readonly repeats: number;
  readonly attentionChecks: number;
  /** Documents with at least one sampled segment, and how many of them are not there as a whole. */
  readonly documents: number;
  readonly partialDocuments: number;
  /** Sources changed by {@link canonicalText}. */
  readonly changedSources: number;
  readonly sources: LengthSummary;
  readonly translations: LengthSummary;
  readonly items: readonly ItemReport[];
  readonly systems: readonly SystemReport[];
  readonly effort: Effort;
}

/** What a run costs its rater at least, and a bound on its time. */
export interface Effort {
  /** By keyboard: bucket, two digits and Enter for each translation, one stroke for Next. */
  readonly keystrokes: number;
  /** By mouse: a bucket and a slider for each translation, and Next. */
  readonly pointing: number;
  /**
   * Hours if each translation took as long as one segment of one system took raters in ESA (medians
   * of 28 and 42 s, error spans marked). Nobody has measured twelve translations of one sentence
   * side by side: the source is read once and no spans are marked, so that it should take less.
   */
  readonly hours: { readonly low: number; readonly high: number };
}

/** The report on a run as prepared. `segments` are the sampled ones, in the order shown. */
export function preparationReport(
  { items }: RatingWorkbook,
  key: SealedKey,
  { numTranslations, sourceLanguage, targetLanguage }: RunConfig,
  segments: readonly Segment[],
  outputs: SystemOutputs,
): PreparationReport {
  const roles = key.items.map(({ role }) => role.kind);
  const sampled = Map.groupBy(segments, ({ document }) => document);
  const whole = Map.groupBy(outputs.segments, ({ document }) => document);
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
    items: items.map(itemReport),
    systems: outputs.systems.map((system, index) => systemReport(system, index, segments)),
    effort: effortOf(items.length, numTranslations),
  };
}

function itemReport({ input: { itemId, source, translations } }: RatedItem): ItemReport {
  const script = commonScript(translations);
  return {
    itemId,
    sourceCharacters: [...source].length,
    translationCharacters: spreadOf(translations.map((text) => [...text].length)),
    distinct: new Set(translations).size,
    empty: translations.filter(isEmpty).length,
    script,
    otherScript: translations.filter((text) => isOther(text, script)).length,
  };
}

function systemReport(
  system: string,
  index: number,
  segments: readonly Segment[],
): SystemReport {
  const count = (holds: (text: string, segment: Segment) => boolean) =>
    segments.filter((segment) => holds(segment.translations[index]!, segment)).length;
  const isName = nameAsWord(system);
  const texts = segments.flatMap(({ source, translations }) => [source, ...translations]);
  return {
    system,
    segments: segments.length,
    empty: count(isEmpty),
    shared: count((text, { translations }) => translations.filter((it) => it === text).length > 1),
    changed: count((text) => canonicalText(text) !== text),
    otherScript: count((text, { translations }) => isOther(text, commonScript(translations))),
    named: texts.filter((text) => isName.test(text)).length,
    relativeLength: spreadOf(segments.flatMap(({ translations }) => {
      const lengths = translations.map((text) => [...text].length);
      const { median } = spreadOf(lengths);
      return median > 0 ? [lengths[index]! / median] : [];
    })),
  };
}

function effortOf(items: number, numTranslations: number): Effort {
  const hours = (seconds: number) => items * numTranslations * seconds / 3600;
  return {
    keystrokes: items * (4 * numTranslations + 1),
    pointing: items * (2 * numTranslations + 1),
    hours: { low: hours(28), high: hours(42) },
  };
}

function commonScript(texts: readonly string[]): Script {
  const scripts = texts.map(scriptOf);
  const counts = scripts.map(({ name }) => scripts.filter((other) => other.name === name).length);
  return scripts[counts.indexOf(Math.max(...counts))]!;
}

/** A text without letters, such as an empty one or a number, is in no other script. */
function isOther(text: string, script: Script): boolean {
  const { name } = scriptOf(text);
  return name !== script.name && name !== "none";
}

function isEmpty(text: string): boolean {
  return canonicalText(text).trim() === "";
}
