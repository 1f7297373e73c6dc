import { createHash } from "node:crypto";
import type { KnowledgeSource } from "./knowledge_source.ts";
import type { Passage } from "./passage.ts";
import { passagesInMemory, type PassageStore } from "./passage_store.ts";
import type { Postings } from "./postings.ts";
import { BM25_CONSTANTS, PostingsBuilder } from "./postings_builder.ts";
import { termsOf } from "./terms.ts";
import { type TitleAliases, type TitleIndex, TitleIndexBuilder } from "./title_index.ts";

/** Passages and how to find them by their words. */
export interface PassageIndex {
  readonly name: string;
  /** SHA-256 of the passages, in their order, their titles' names and {@link INDEX_SETTINGS}. */
  readonly sha256: string;
  readonly postings: Postings;
  readonly titles: TitleIndex;
  readonly store: PassageStore;
}

/** Whatever decides about scores, beside the passages. */
export const INDEX_SETTINGS = {
  ...BM25_CONSTANTS,
  /** A word of the title counts as often: a claim that names a country wants its passages. */
  titleWeight: 3,
  /** Raised whenever the terms of a text, or a reader's passages, become others. */
  version: 2,
} as const;

/** The terms that a passage is found by: title, section and text as one. */
export function passageTerms({ title, section, text }: Passage): readonly string[] {
  const titleTerms = termsOf(title);
  const repeated = Array.from({ length: INDEX_SETTINGS.titleWeight }, () => titleTerms).flat();
  return [...repeated, ...termsOf(section), ...termsOf(text)];
}

/** What goes over passages once for an index: their terms, and their hash. */
export class IndexBuilder {
  readonly #postings = new PostingsBuilder();
  readonly #titles = new TitleIndexBuilder();
  readonly #hash = createHash("sha256").update(JSON.stringify(INDEX_SETTINGS));

  /** The next passage; returns its line of JSON. */
  add({ id, text, collection, title, section }: Passage): string {
    const passage = { id, text, collection, title, section };
    const line = `${JSON.stringify(passage)}\n`;
    this.#postings.add(passageTerms(passage));
    this.#titles.add(title);
    this.#hash.update(line);
    return line;
  }

  /** @param aliases Other names of the titles. */
  finish(aliases?: TitleAliases): Pick<PassageIndex, "postings" | "titles" | "sha256"> {
    const titles = this.#titles.finish(aliases);
    const sha256 = this.#hash.update(JSON.stringify(titles.titles)).digest("hex");
    return { postings: this.#postings.finish(INDEX_SETTINGS), titles, sha256 };
  }
}

/** An index in memory, passages and all. */
export async function buildIndex(
  name: string,
  passages: ReturnType<KnowledgeSource["passages"]>,
  aliases?: TitleAliases,
): Promise<PassageIndex> {
  const builder = new IndexBuilder();
  const kept: Passage[] = [];
  for await (const passage of passages) {
    builder.add(passage);
    kept.push(passage);
  }
  return { name, ...builder.finish(aliases), store: passagesInMemory(kept) };
}
