import { formatCells, type NounToken } from "./extract_nouns.ts";
import type { LexiconEntry } from "./lexicon_entry.ts";

/**
 * What speaks for a stem beside its entry in the lexicon: forms of several cells, or one that its
 * paradigm, the gender being known, has in one cell only, vocatives aside.
 */
export type Evidence = "several cells" | "one unambiguous ending";

/** A stem of the lexicon as the text attests it. */
export interface AttestedNoun {
  readonly entry: LexiconEntry;
  readonly tokens: readonly NounToken[];
  readonly evidence: Evidence;
}

export interface AttestedNouns {
  /** Most frequent first; equally frequent ones by stem. */
  readonly nouns: readonly AttestedNoun[];
  /** Stems attested in one form only, which their paradigm has in several cells. */
  readonly withoutEvidence: readonly LexiconEntry[];
}

/** Stems with their evidence, the `maxStems` most frequent of them. */
export function attestedNouns(tokens: readonly NounToken[], maxStems: number): AttestedNouns {
  const nouns: AttestedNoun[] = [];
  const withoutEvidence: LexiconEntry[] = [];
  for (const [entry, own] of Map.groupBy(tokens, (token) => token.entry)) {
    const evidence = evidenceOf(own);
    if (evidence === undefined) withoutEvidence.push(entry);
    else nouns.push({ entry, tokens: own, evidence });
  }
  const byFrequency = nouns.toSorted((a, b) =>
    b.tokens.length - a.tokens.length || (a.entry.stem < b.entry.stem ? -1 : 1)
  );
  return { nouns: byFrequency.slice(0, maxStems), withoutEvidence };
}

function evidenceOf(tokens: readonly NounToken[]): Evidence | undefined {
  const cells = new Set(tokens.map((token) => formatCells(token.cells)));
  if (cells.size > 1) return "several cells";
  return tokens.some((token) => token.cells.length === 1) ? "one unambiguous ending" : undefined;
}
