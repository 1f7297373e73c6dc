import { canonicalText } from "../canonical_text.ts";
import { isEmpty, type Spread, spreadOf } from "./lengths.ts";
import { nameAsWord } from "./name_as_word.ts";
import { commonScript, isOtherScript } from "./script_of.ts";
import type { Segment } from "./system_outputs.ts";

/** What stands out about one system, over the sampled segments. */
export interface SystemReport {
  readonly system: string;
  readonly segments: number;
  readonly empty: number;
  /** Outputs that a rater cannot tell from another system's: the same once canonical. */
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

/** The report on the system whose outputs stand at `index` in every segment. */
export function systemReport(
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
