import { basename, join } from "node:path";
import type { PhenomenonRule, RuleVerdicts } from "../verdicts.ts";
import type { Table } from "../../../files/table.ts";
import { DATASET, type Sentence, type SetTables } from "../dataset.ts";
import { normaliseText } from "../orthography.ts";

/** Returns an invented sentence with the given normalised text. */
export function sentenceOf(normalised: string, id = "VS_99_001"): Sentence {
  return { id, chapter: 99, position: 1, source: normalised, normalised };
}

/** Returns sentences of one chapter from the edition's spelling. */
export function sentencesOf(...texts: readonly string[]): readonly Sentence[] {
  return texts.map((source, index) => {
    const position = index + 1;
    const id = `VS_01_${String(position).padStart(3, "0")}`;
    return { id, chapter: 1, position, source, normalised: normaliseText(source) };
  });
}

/**
 * Applies a rule to sentences of an imaginary saga.
 * Its only word forms are the given ones, by default none.
 */
export function judged(rule: PhenomenonRule, seen: readonly string[] = []) {
  const find = (text: string, id?: string): RuleVerdicts =>
    rule(sentenceOf(text, id), new Set(seen));
  return {
    find,
    /** Pairs as `token>replacement`, the token unchanged. */
    pairs: (text: string, id?: string) =>
      find(text, id).candidates.map(({ token, replacement }) => `${token.form}>${replacement}`),
    /** Refusals as `candidate reason`. */
    refusals: (text: string, id?: string) =>
      find(text, id).rejections.map(({ candidate, reason }) => `${candidate} ${reason}`),
  };
}

/** Returns the tables of a set in a separate folder. */
export function tablesIn<Tables extends SetTables = typeof DATASET>(
  folder: string,
  of: Tables = DATASET as unknown as Tables,
): Tables {
  const tables = Object.entries(of) as [string, Table<unknown>][];
  const moved = tables.map(([name, table]) => [name, table.at(join(folder, basename(table.path)))]);
  return Object.fromEntries(moved) as Tables;
}

/** Returns a rule's verdict on a sentence in one line: pairs, then reasons of refusals. */
export function verdictLine(rule: PhenomenonRule, text: string, id?: string): string {
  const { candidates, rejections } = rule(sentenceOf(text, id), new Set());
  return [
    ...candidates.map(({ token, replacement }) => `${token.form}>${replacement}`),
    ...rejections.map(({ reason }) => reason),
  ].join(" ");
}
