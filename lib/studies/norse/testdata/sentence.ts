import { basename, join } from "node:path";
import type { Finding, PhenomenonRule } from "../candidate.ts";
import type { Table } from "../../../files/table.ts";
import { DATASET, type Sentence, type SetTables } from "../dataset.ts";
import { normaliseText } from "../orthography.ts";

/** A sentence of no saga; its normalised text is given. */
export function sentenceOf(normalised: string, id = "VS_99_001"): Sentence {
  return { id, chapter: 99, position: 1, source: normalised, normalised };
}

/** Sentences of one chapter, in the edition's spelling. */
export function sentencesOf(...texts: readonly string[]): readonly Sentence[] {
  return texts.map((source, index) => {
    const position = index + 1;
    const id = `VS_01_${String(position).padStart(3, "0")}`;
    return { id, chapter: 1, position, source, normalised: normaliseText(source) };
  });
}

/** What a rule finds in a sentence, where no other word of the saga is known unless told. */
export function judged(rule: PhenomenonRule, seen: readonly string[] = []) {
  const find = (text: string, id?: string): Finding => rule(sentenceOf(text, id), new Set(seen));
  return {
    find,
    /** `token>replacement`, the token as it stands. */
    pairs: (text: string, id?: string) =>
      find(text, id).candidates.map(({ token, replacement }) => `${token.form}>${replacement}`),
    /** `candidate reason` */
    refusals: (text: string, id?: string) =>
      find(text, id).rejections.map(({ candidate, reason }) => `${candidate} ${reason}`),
  };
}

/** The tables of a set in a folder of their own. */
export function tablesIn<Tables extends SetTables = typeof DATASET>(
  folder: string,
  of: Tables = DATASET as unknown as Tables,
): Tables {
  const tables = Object.entries(of) as [string, Table<unknown>][];
  const moved = tables.map(([name, table]) => [name, table.at(join(folder, basename(table.path)))]);
  return Object.fromEntries(moved) as Tables;
}

/** What a rule says of a sentence in one line: its pairs, then the reasons of its refusals. */
export function saidOf(rule: PhenomenonRule, text: string, id?: string): string {
  const { candidates, rejections } = rule(sentenceOf(text, id), new Set());
  return [
    ...candidates.map(({ token, replacement }) => `${token.form}>${replacement}`),
    ...rejections.map(({ reason }) => reason),
  ].join(" ");
}
