import { canonicalText } from "../canonical_text.ts";
import type { RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import type { SealedKey } from "./key.ts";
import { type ItemReport, itemReport } from "./item_report.ts";
import { lengthsOf, type LengthSummary } from "./lengths.ts";
import { type ScriptCount, scriptsOf } from "./script_of.ts";
import type { Segment, SystemOutputs } from "./system_outputs.ts";
import { type SystemReport, systemReport } from "./system_report.ts";

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
  /** Most texts first. */
  readonly sourceScripts: readonly ScriptCount[];
  readonly translationScripts: readonly ScriptCount[];
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
    sourceScripts: scriptsOf(segments.map(({ source }) => source)),
    translationScripts: scriptsOf(segments.flatMap(({ translations }) => translations)),
    items: items.map(itemReport),
    systems: outputs.systems.map((system, index) => systemReport(system, index, segments)),
    effort: effortOf(items.length, numTranslations),
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
