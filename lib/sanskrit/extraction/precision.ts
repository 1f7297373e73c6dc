import { formatCell } from "../cell.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import { tokenKey } from "../treebank/treebank_file.ts";
import type { NounToken } from "./extract_nouns.ts";

/** How far the extractor and the treebank say the same. */
export interface ExtractionPrecision {
  readonly extracted: number;
  /** Tokens with the treebank's stem and declension, whose cells have the treebank's among them. */
  readonly agreeing: number;
  /** The other tokens. */
  readonly otherwise: readonly NounToken[];
  /** Nouns of the treebank that the extractor passed over. */
  readonly missed: readonly AnnotatedNoun[];
}

/**
 * Precision of the extractor against the treebank. The study's lexicon was made from the treebank's
 * stems: on the Gītā itself this is measured in-sample and says only that the rules add no error.
 */
export function extractionPrecision(
  tokens: readonly NounToken[],
  treebank: readonly AnnotatedNoun[],
): ExtractionPrecision {
  const nouns = new Map(treebank.map((noun) => [tokenKey(noun), noun]));
  const found = new Set(tokens.map(tokenKey));
  const otherwise = tokens.filter((token) => {
    const noun = nouns.get(tokenKey(token));
    return noun === undefined || !saysTheSame(token, noun);
  });
  return {
    extracted: tokens.length,
    agreeing: tokens.length - otherwise.length,
    otherwise,
    missed: treebank.filter((noun) => !found.has(tokenKey(noun))),
  };
}

/** Whether extractor and treebank have one stem and declension, and a cell of the one is the other's. */
export function saysTheSame({ entry, cells }: NounToken, noun: AnnotatedNoun): boolean {
  return entry.stem === noun.stem && entry.declension === noun.declension &&
    cells.some((cell) => formatCell(cell) === formatCell(noun.cell));
}
