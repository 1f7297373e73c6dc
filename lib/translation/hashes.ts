import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { RunConfig } from "./configuration.ts";
import { canonicalText } from "./text.ts";
import type { InputRow, ItemEvaluation, RatingWorkbook } from "./types.ts";

/** JSON without objects, whose serialisation is the same in every implementation. */
type CanonicalJson = null | string | number | boolean | readonly CanonicalJson[];

/**
 * Returns the SHA-256 of a value's canonical JSON, in lower-case hexadecimal.
 * Canonical JSON is RFC 8785 for arrays of strings, finite numbers and null, in UTF-8. The first
 * element names the kind of value that is hashed.
 */
export function canonicalSha256(value: CanonicalJson): string {
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(value))));
}

/** Hash of a row of `inputs`: number, source, translations, and document and context if present. */
export function rowInputHash(row: Omit<InputRow, "rowInputHash">): string {
  const texts = row.translations.map(canonicalText);
  const document = row.document === undefined ? [] : [row.document];
  const { context } = row;
  const around = context === undefined ? [] : [
    [context.place, context.of, canonicalText(context.before), canonicalText(context.after)],
  ];
  const source = canonicalText(row.source);
  return canonicalSha256(["inputs", row.itemId, source, texts, ...document, ...around]);
}

/** Hash of a row of `eval` and of its input's hash. It covers all columns except the hash. */
export function rowEvalHash(
  run: Omit<RatingWorkbook, "items">,
  evaluation: ItemEvaluation,
  inputHash: string,
): string {
  return canonicalSha256([
    "eval",
    run.runId,
    run.configSha256,
    run.keySha256,
    evaluation.itemId,
    inputHash,
    displayMapJson(evaluation.displayMap),
    evaluation.ratings.map(({ bucket, da }) => [canonicalCell(bucket), canonicalCell(da)]),
    canonicalText(evaluation.comment),
    evaluation.startedAt ?? null,
    evaluation.committedAt ?? null,
    evaluation.editCount,
    evaluation.activeSeconds,
    evaluation.highlightSeconds,
    ...run.rater === undefined ? [] : [run.rater, run.batch ?? null],
    // Rows of earlier versions have none; their hashes must not change.
    ...evaluation.idleSeconds === 0 ? [] : ["idle", evaluation.idleSeconds],
  ]);
}

/**
 * Hash of a run configuration: everything that affects how ratings are made.
 * Instructions and practice items are included if there are any.
 */
export function configHash(config: RunConfig): string {
  const { instructions, practice } = config;
  const instructionTexts = Object.entries(instructions).sort(([a], [b]) => (a < b ? -1 : 1));
  const practised = practice.map(({ source, translations }) => [
    source,
    translations.map(({ text, bucket, da, why }) => [text, bucket, da, why]),
  ]);
  return canonicalSha256([
    "config",
    config.numTranslations,
    config.daMin,
    config.daMax,
    config.integerOnly,
    config.buckets.map(({ key, label }) => [key, label]),
    config.strictOrdering,
    config.allowEmptyBuckets,
    config.sourceLanguage ?? null,
    config.targetLanguage ?? null,
    ...instructionTexts.length + practised.length > 0 ? [instructionTexts, practised] : [],
    ...config.practicePass === undefined ? [] : [config.practicePass],
  ]);
}

/** Returns a cell's canonical value; an empty text is an empty cell. */
function canonicalCell(value: string | number | undefined): string | number | null {
  return typeof value === "string" ? canonicalText(value) || null : value ?? null;
}

/**
 * Returns an item's display order: position p shows translation order[p] (both 0 … N−1).
 * Fisher–Yates shuffle (Durstenfeld 1964) with numbers from SHA-256 in counter mode over run and
 * item.
 */
export function displayOrder(runId: string, itemId: number, n: number): number[] {
  const next = randomWords(`${runId}:${itemId}`);
  const order = Array.from({ length: n }, (_, index) => index);
  for (let last = n - 1; last > 0; last--) {
    const other = uniformInteger(last + 1, next);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Serialises a display map for `display_map_json`: `{"1":"t7","2":"t3",…}`, both from 1. */
export function displayMapJson(displayMap: readonly number[]): string {
  return `{${displayMap.map((shown, index) => `"${index + 1}":"t${shown + 1}"`).join(",")}}`;
}

/** Returns a generator of unsigned 32-bit words: SHA-256 of seed:0, seed:1, …, big-endian. */
function randomWords(seed: string): () => number {
  let [block, offset, view] = [0, 32, new DataView(new ArrayBuffer(0))];
  return () => {
    if (offset === 32) {
      view = new DataView(sha256(new TextEncoder().encode(`${seed}:${block++}`)).slice().buffer);
      offset = 0;
    }
    offset += 4;
    return view.getUint32(offset - 4);
  };
}

/** Returns an unbiased integer in [0, bound) by rejection sampling. */
function uniformInteger(bound: number, next: () => number): number {
  const limit = 0x100000000 - 0x100000000 % bound;
  for (;;) {
    const word = next();
    if (word < limit) return word % bound;
  }
}
