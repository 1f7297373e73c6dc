import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { canonicalText } from "./canonical_text.ts";
import { displayMapJson } from "./order.ts";
import type { Evaluation, InputRow, RatingWorkbook } from "./item.ts";
import type { SealedKey } from "./preparation/key.ts";
import type { RunConfig } from "./run_config.ts";

/**
 * SHA-256 in lower-case hexadecimal over the UTF-8 bytes of a value's canonical JSON (RFC 8785 for
 * the values used here: arrays of strings, finite numbers and null, without white space). Arrays,
 * not objects, so that the order of names never matters; the first element names what is hashed.
 */
export function canonicalSha256(value: CanonicalJson): string {
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(value))));
}

/** JSON without objects: its text form is the same in every implementation. */
export type CanonicalJson = null | string | number | boolean | readonly CanonicalJson[];

/** Hash of a row of `inputs`: number, source and all translations, in canonical text. */
export function rowInputHash(
  { itemId, source, translations }: Omit<InputRow, "rowInputHash">,
): string {
  return canonicalSha256([
    "inputs",
    itemId,
    canonicalText(source),
    translations.map(canonicalText),
  ]);
}

/** Hash of a row of `eval`: all of its columns but the hash itself, and the input's hash. */
export function rowEvalHash(
  run: Pick<RatingWorkbook, "runId" | "configSha256" | "keySha256">,
  evaluation: Evaluation,
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
  ]);
}

/** Hash of a run configuration: everything that bears on how ratings are made. */
export function configHash(config: RunConfig): string {
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
  ]);
}

/** Hash of a sealed key, its secret included: who lacks the secret cannot guess the systems. */
export function keyHash(key: SealedKey): string {
  return canonicalSha256([
    "key",
    key.runId,
    key.secret,
    key.assignment,
    key.systems,
    key.items.map(({ itemId, segment, document, systems, role }) => [
      itemId,
      segment,
      document,
      systems,
      role.kind,
      role.kind === "rated" ? null : role.of,
      ...role.kind === "attention" ? [role.translation, role.spoiledBy] : [],
    ]),
  ]);
}

function canonicalCell(value: string | number | undefined): string | number | null {
  return typeof value === "string" ? canonicalText(value) : value ?? null;
}
