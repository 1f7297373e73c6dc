import { writeTextAtomic } from "../../files/atomic.ts";
import { formatCsv } from "../../files/csv.ts";
import { fromIast } from "../devanagari.ts";
import { DECLENSIONS } from "../declension.ts";
import { verseNumbers } from "../verses.ts";
import type { AttestedNoun } from "./attested_nouns.ts";
import { formatCells, type NounToken } from "./extract_nouns.ts";

const NOUN_COLUMNS = [
  "stem",
  "devanagari",
  "gender",
  "stem_class",
  "tokens",
  "attested_cells",
  "evidence",
  "confidence",
] as const;

const TOKEN_COLUMNS = [
  "verse",
  "line",
  "token",
  "form",
  "stem",
  "gender",
  "stem_class",
  "cells",
] as const;

/** Writes `nouns.csv`: one stem a row, with its cells and where each is attested. */
export function writeNouns(path: string, nouns: readonly AttestedNoun[]): void {
  writeTextAtomic(
    path,
    formatCsv(
      NOUN_COLUMNS,
      nouns.map(({ entry, tokens, evidence }) => ({
        stem: entry.stem,
        devanagari: fromIast(entry.stem.replaceAll("-", "")),
        gender: DECLENSIONS[entry.declension].gender,
        stem_class: DECLENSIONS[entry.declension].label,
        tokens: tokens.length,
        attested_cells: attestedCells(tokens),
        evidence,
        confidence: evidence === "several cells" ? "high" : "medium",
      })),
    ),
  );
}

/** `acc.sg 1.15 2.3; gen.sg 4.7`: each cell with the verses it stands in. */
export function attestedCells(tokens: readonly NounToken[]): string {
  return [...Map.groupBy(tokens, ({ cells }) => formatCells(cells))]
    .map(([cell, own]) => [cell, ...new Set(own.map(placeOf))].join(" ")).join("; ");
}

function placeOf({ line }: NounToken): string {
  const { chapter, verse } = verseNumbers(line.verse);
  return `${chapter}.${verse}`;
}

/** Writes `noun_tokens.csv`: every noun form found, with what it may be. */
export function writeNounTokens(path: string, tokens: readonly NounToken[]): void {
  writeTextAtomic(
    path,
    formatCsv(
      TOKEN_COLUMNS,
      tokens.map(({ line, token, form, entry, cells }) => ({
        verse: line.verse,
        line: line.label,
        token,
        form,
        stem: entry.stem,
        gender: DECLENSIONS[entry.declension].gender,
        stem_class: DECLENSIONS[entry.declension].label,
        cells: formatCells(cells),
      })),
    ),
  );
}
