import type { Passage } from "./passage.ts";
import type { TitleAliases } from "./title_index.ts";

/** Where passages come from, and what tells that it has changed. */
export interface KnowledgeSource {
  readonly name: string;
  /** SHA-256 of the files that are read, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** From the beginning each time; one by one where there are too many to hold. */
  passages(): AsyncIterable<Passage> | Iterable<Passage>;
  /** Other names that its titles go by; none where it cannot tell. */
  aliases?(): Promise<TitleAliases>;
}
