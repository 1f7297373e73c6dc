/** Tables of the surprisal of every token and word of the pairs: `tokens.csv` and `words.csv`. */
import { resolve } from "node:path";
import { z } from "zod";
import {
  decimals,
  field,
  name,
  oneOf,
  type Table,
  table,
  text,
  wholeNumber,
} from "../files/table.ts";
import type { TextScore } from "../models/model.ts";
import { sentencesAddress } from "./addresses.ts";
import { differingRegion, type MinimalPair } from "./pair.ts";

const MEMBERS = ["grammatical", "ungrammatical"] as const;
const REGIONS = ["before", "word", "after"] as const;

/** One token or word of one member. */
export interface PieceRow {
  readonly model: string;
  readonly pairId: string;
  readonly member: (typeof MEMBERS)[number];
  /** Position of the piece in the member, from 1. */
  readonly position: number;
  /** Number of pieces of the member. */
  readonly of: number;
  readonly text: string;
  /** Position of the piece's word in the sentence, from 1. */
  readonly word: number;
  /** Position relative to the differing words: before, in or after them. */
  readonly region: (typeof REGIONS)[number];
  readonly tokens: number;
  /** Surprisal −log P in nats. */
  readonly surprisal: number;
  readonly asked: string;
  readonly settings: string;
}

const hash = (sentence: string) => field(z.string().regex(/^[0-9a-f]{12}$/), sentence);

/** Defines a table of tokens or words, one per row. */
export const pieceTable = (path: string, kind: "token" | "word"): Table<PieceRow> =>
  table({
    path: resolve(path),
    about: `the surprisal of every ${kind}`,
    maker: "`deno task evaluate --pairs`",
    columns: {
      model: name("name of the model in the panel"),
      pair_id: name("id of the pair in `pairs.csv`"),
      member: oneOf(MEMBERS, "grammatical or ungrammatical"),
      position: wholeNumber(`position of the ${kind} in its sentence, from 1`, { min: 1 }),
      of: wholeNumber(`number of ${kind}s in the sentence`, { min: 1 }),
      [kind]: text(`text of the ${kind} with its space; empty for a part of a character`),
      word_position: wholeNumber("position of its word in the sentence, from 1", { min: 1 }),
      region: oneOf(REGIONS, "region: before, in or after the words that differ"),
      tokens: wholeNumber("number of its tokens"),
      surprisal_nats: decimals(
        6,
        "surprisal in nats given the preceding text; for a word with the end-of-word correction",
      ),
      surprisal_bits: decimals(6, "surprisal in bits"),
      asked: hash("SHA-256 of both sentences, first 12 digits"),
      settings: hash("SHA-256 of the model's settings, a key of `evaluation_settings.json`"),
    },
    form: {
      read: ({ pair_id, word_position, surprisal_nats, surprisal_bits: _alike, ...row }) => {
        const { [kind]: text, ...rest } = row as typeof row & Record<typeof kind, string>;
        return { ...rest, text, pairId: pair_id, word: word_position, surprisal: surprisal_nats };
      },
      write: ({ pairId, word, surprisal, text, ...row }) => ({
        ...row,
        [kind]: text,
        word_position: word,
        pair_id: pairId,
        surprisal_nats: surprisal,
        surprisal_bits: surprisal / Math.LN2,
      }),
    },
    key: ({ model, pairId, member, position }) => JSON.stringify([model, pairId, member, position]),
  });

/** Paths of the tables; undefined for a kind that is not requested. */
export interface PieceFiles {
  readonly tokens?: string | undefined;
  readonly words?: string | undefined;
}

const tablesOf = ({ tokens, words }: PieceFiles) => [
  ...tokens ? [{ kind: "tokens", table: pieceTable(tokens, "token") } as const] : [],
  ...words ? [{ kind: "words", table: pieceTable(words, "word") } as const] : [],
];

/**
 * Tests whether every requested table has all rows of a pair, for this model and these settings.
 */
export type HasPieces = (model: string, pair: MinimalPair, settings: string) => boolean;

/** Counts the missing rows of each recorded member. */
const membersOf = (rows: Iterable<PieceRow>) => {
  const found = new Map<string, number>();
  for (const { model, pairId, member, asked, settings, of } of rows) {
    const key = JSON.stringify([model, pairId, member, asked, settings]);
    found.set(key, (found.get(key) ?? of) - 1);
  }
  return found;
};

/** Reads the tables and returns a test for complete pairs. */
export function readPieces(files: PieceFiles): HasPieces {
  const found = tablesOf(files).map(({ table }) => membersOf(table.readSoFar().rows));
  return (model, pair, settings) =>
    found.every((counts) =>
      MEMBERS.every((member) =>
        counts.get(
          JSON.stringify([model, pair.id, member, sentencesAddress(pair), settings]),
        ) === 0
      )
    );
}

/** Opens the tables. New rows of a pair replace older ones. */
export function openPieces(files: PieceFiles, pairs: readonly MinimalPair[]) {
  using opened = new DisposableStack();
  const tables = tablesOf(files).map(({ kind, table }) => ({
    kind,
    open: opened.use(table.open()),
  }));
  const ids = new Map(pairs.map((pair) => [pair.id, sentencesAddress(pair)]));
  const stack = opened.move();
  return {
    put(model: string, pair: MinimalPair, settings: string, scores: readonly TextScore[]): void {
      const asked = sentencesAddress(pair);
      const shared = { model, pairId: pair.id, asked, settings };
      for (const { kind, open } of tables) {
        MEMBERS.forEach((member, at) => {
          const pieces = scores[at]?.[kind] ?? [];
          const region = regionOf(pair, member);
          pieces.forEach((piece, index) => {
            const { text, tokens, logProbability, word, end } = piece;
            open.put({
              ...shared,
              ...{ member, text, tokens, position: index + 1, of: pieces.length, word: word + 1 },
              region: region(end),
              // Adding 0 turns −0 into 0; an end of a word can only add to a surprisal's sum.
              surprisal: 0 - logProbability,
            });
          });
        });
      }
    },
    finish(): void {
      // Rows of a sentence that a pair has no more.
      for (const { open } of tables) {
        open.finish(({ pairId, asked }) =>
          ids.get(pairId) === undefined || ids.get(pairId) === asked
        );
      }
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Returns the region of a piece by its end. */
function regionOf(pair: MinimalPair, member: (typeof MEMBERS)[number]) {
  const other = member === "grammatical" ? "ungrammatical" : "grammatical";
  const { before, from } = differingRegion(pair[member], pair[other]);
  return (end: number): PieceRow["region"] =>
    end <= before.length ? "before" : end <= before.length + from.length ? "word" : "after";
}
