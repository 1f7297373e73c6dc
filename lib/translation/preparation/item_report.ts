import type { RatedItem } from "../item.ts";
import { isEmpty, type Spread, spreadOf } from "./lengths.ts";
import { commonScript, isOtherScript, type Script } from "./script_of.ts";

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

/** The report on one item of a workbook. */
export function itemReport({ input: { itemId, source, translations } }: RatedItem): ItemReport {
  const script = commonScript(translations);
  return {
    itemId,
    sourceCharacters: [...source].length,
    translationCharacters: spreadOf(translations.map((text) => [...text].length)),
    distinct: new Set(translations).size,
    empty: translations.filter(isEmpty).length,
    script,
    otherScript: translations.filter((text) => isOtherScript(text, script)).length,
  };
}
