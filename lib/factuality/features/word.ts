import type { TextSpan } from "../text_span.ts";
import type { GazetteerEntry } from "./gazetteer.ts";
import type { Quantity } from "./quantities/quantity.ts";

/** What a word can stand in for; words of different classes are never rivals for one place. */
export type WordClass =
  | "name"
  | "quantity"
  | "noun"
  | "verb"
  | "adjective"
  | "adverb"
  /** All, most, first, before, north: see `opposites.ts`. */
  | "degree";

/** A word that says something, or several that say one thing ("39.2 million people", "United States"). */
export interface Word extends TextSpan {
  readonly text: string;
  /** In lower case; the gazetteer's name for a thing that it knows. */
  readonly lemma: string;
  readonly wordClass: WordClass;
  /** How much it says, > 0. */
  readonly weight: number;
  /** Within reach of "not", "never", "without". */
  readonly negated: boolean;
  readonly quantity: Quantity | undefined;
  readonly entry: GazetteerEntry | undefined;
  /** Other ways to write the name that it is part of: "uk" and "unitedkingdom" for United Kingdom. */
  readonly aliases: readonly string[];
}
