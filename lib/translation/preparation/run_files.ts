import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readInputText } from "../../files/csv.ts";
import { shownPath, writeBytesAtomic } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { escapeHtml } from "../../files/page.ts";
import { parseConfiguration, type RunConfig, schemaFaults } from "../configuration.ts";
import { canonicalSha256 } from "../hashes.ts";
import { nameAsWord } from "../text.ts";
import type { RatingWorkbook } from "../types.ts";
import { readArchive } from "../workbook/sheets.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { joinFaults, listFaults } from "./read_table.ts";

const ITEM_ID = z.number().int().positive();

/**
 * Role of an item, which only the key reveals.
 * `rated` items count; `practice` items count in no analysis; a `repeat` of the original `of`
 * measures the rater's consistency; an `attention` check repeats it with one translation (0 … N−1)
 * spoiled.
 */
export type ItemRole = z.infer<typeof ROLE>;
const ROLE = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("rated") }),
  z.strictObject({ kind: z.literal("practice") }),
  z.strictObject({ kind: z.literal("repeat"), of: ITEM_ID }),
  z.strictObject({
    kind: z.literal("attention"),
    of: ITEM_ID,
    translation: z.number().int().nonnegative(),
    spoiled_by: z.string(),
  }).transform(({ spoiled_by, ...role }) => ({ ...role, spoiledBy: spoiled_by })),
]);

/** The system behind each translation of one item. */
export type KeyItem = Readonly<z.infer<typeof ITEM>>;
const ITEM = z.strictObject({
  item_id: ITEM_ID,
  /** Identifiers in the researcher's file. */
  segment: z.string(),
  document: z.string(),
  /** Systems in the order t1 … tN; empty for a practice item. */
  systems: z.array(z.string()).readonly(),
  role: ROLE,
}).transform(({ item_id, ...item }) => ({ itemId: item_id, ...item }));

/**
 * The only file that names systems; never given to a rater.
 * Notebook 31 writes it and notebook 32 reads it.
 */
export type SealedKey = Readonly<z.infer<typeof KEY>>;
const KEY = z.strictObject({
  run_id: z.string().min(1),
  /** Prevents guessing the key from its hash: twelve systems have only 479,001,600 orders. */
  secret: z.string().regex(/^(?:[0-9a-f]{2}){16,}$/, "is no secret of 128 bits or more"),
  /** Assignment of systems to t1 … tN: fixed for the run, or random for every item. */
  assignment: z.enum(["per_run", "per_item"]),
  /** Rater and batch. They are absent if several raters share the key, and in older keys. */
  rater: z.string().min(1).optional(),
  batch: z.string().min(1).optional(),
  /** Systems in the order of the researcher's file. */
  systems: z.array(z.string().min(1)).min(2).readonly(),
  items: z.array(ITEM).min(1).readonly(),
}).superRefine(({ systems, items }, context) => {
  const report = (message: string) =>
    context.addIssue({ code: "custom", path: ["items"], message });
  const sorted = JSON.stringify(systems.toSorted());
  const ids = new Set(items.map(({ itemId }) => itemId));
  for (const { itemId, role, systems } of items) {
    const wanted = role.kind === "practice" ? "[]" : sorted;
    if (JSON.stringify(systems.toSorted()) !== wanted) {
      report(`item ${itemId} does not have each of the systems once`);
    }
    if ("of" in role && !ids.has(role.of)) {
      report(`item ${itemId} refers to item ${role.of}, which is not there`);
    }
  }
  if (ids.size !== items.length) report("an item occurs twice");
}).transform(({ run_id, ...key }) => ({ runId: run_id, ...key }));

/** Hash of a sealed key including its secret, which prevents guessing the systems. */
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
      "of" in role ? role.of : null,
      ...role.kind === "attention" ? [role.translation, role.spoiledBy] : [],
    ]),
    // Older keys have neither; their hashes must not change.
    ...key.rater === undefined ? [] : [key.rater, key.batch ?? null],
  ]);
}

/**
 * Writes a key as JSON readable by its owner only.
 * The mode is 0600 on systems with such modes. The folder must not be the one from which raters get
 * workbooks.
 */
export function writeSealedKey(path: string, { runId, rater, batch, items, ...rest }: SealedKey) {
  writeJsonAtomic(path, {
    run_id: runId,
    ...rest,
    ...rater !== undefined && { rater },
    ...batch !== undefined && { batch },
    items: items.map(({ itemId, role, ...item }) => {
      if (role.kind !== "attention") return { item_id: itemId, ...item, role };
      const { spoiledBy: spoiled_by, ...others } = role;
      return { item_id: itemId, ...item, role: { ...others, spoiled_by } };
    }),
  });
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o600);
}

/**
 * Reads a key written by {@link writeSealedKey}.
 * `checkKey` compares it with a workbook.
 *
 * Throws SyntaxError naming the file and all its faults, and NotFound.
 */
export function readSealedKey(path: string): SealedKey {
  const name = `the key ${shownPath(path)}`;
  let content: unknown;
  try {
    content = JSON.parse(readText(path, name));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`Cannot read ${name}: it is no JSON. ${error.message}`);
  }
  const parsed = KEY.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(`Cannot read ${name}: ${joinFaults(schemaFaults(parsed.error))}.`);
}

/** Returns a key's path, or the .json files of a folder. Throws RangeError for an empty folder. */
export function keyPaths(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const paths = [...Deno.readDirSync(path)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort().map((name) => join(path, name));
  if (paths.length > 0) return paths;
  throw new RangeError(
    `Cannot read keys in ${shownPath(path)}: it is a folder without .json files. Name the folder ` +
      "sealed that rate prepare has written, or the keys in it.",
  );
}

/** Reads a whole configuration file. Throws as {@link parseConfiguration} does, and NotFound. */
export function readConfiguration(path: string) {
  return parseConfiguration(readText(path, shownPath(path)), shownPath(path));
}

/** Reads the rater's part of a configuration. Throws as {@link readConfiguration} does. */
export const readRunConfig = (path: string): RunConfig => readConfiguration(path).config;

const readText = (path: string, name: string): string =>
  readInputText(path, (why) => `Cannot read ${name}: ${why}.`);

/**
 * Writes a rater's workbook (`.xlsx`) and, for the researcher only, its key (`.json`).
 * Each is written completely or not at all; the workbook is first read back and compared. Throws
 * Error if another file exists at either path: ratings and keys cannot be recovered.
 */
export async function writeRun(
  { workbook, key }: { readonly workbook: RatingWorkbook; readonly key: SealedKey | undefined },
  config: RunConfig,
  paths: { readonly workbook: string; readonly key: string },
): Promise<void> {
  const bytes = await checkpoint(workbook, config);
  const others = [
    existsSync(paths.key) && (!key || keyHash(readSealedKey(paths.key)) !== keyHash(key)) &&
    `${shownPath(paths.key)}, the key of another run`,
    existsSync(paths.workbook) && Deno.readFileSync(paths.workbook).toHex() !== bytes.toHex() &&
    `${shownPath(paths.workbook)}, another workbook, perhaps a rated one`,
  ].filter((it) => typeof it === "string");
  if (others.length > 0) {
    throw new Error(
      `Cannot write over ${joinFaults(others)}. Move it to a safe place, or name another one.`,
    );
  }
  // Existing files are identical.
  if (key && !existsSync(paths.key)) writeSealedKey(paths.key, key);
  if (!existsSync(paths.workbook)) writeBytesAtomic(paths.workbook, bytes);
}

/**
 * Checks that a key was sealed for a workbook.
 * Throws Error that lists the differences; `what` names both in the message.
 */
export function checkKey(
  key: SealedKey,
  { runId, keySha256, rater, items }: RatingWorkbook,
  what = "the key",
): void {
  const hash = keyHash(key);
  const inKey = new Set(key.items.map(({ itemId }) => itemId));
  const inWorkbook = new Set(items.map(({ input }) => input.itemId));
  const missing = (where: string, ids: ReadonlySet<number>) =>
    ids.size > 0 && `${where} lacks item ${[...ids].join(", ")}`;
  const faults = [
    key.runId !== runId && `the key is of run ${key.runId}, the workbook of run ${runId}`,
    keySha256 !== hash &&
    (keySha256 === ""
      ? "the workbook was made without a sealed key"
      : `the key's SHA-256 is ${hash}, the workbook was sealed with ${keySha256}: the key was ` +
        "changed since, or is another one"),
    key.rater !== rater &&
    `the key is of ${key.rater ?? "no one by name"}, the workbook of ${rater ?? "no one by name"}`,
    missing("the key", inWorkbook.difference(inKey)),
    missing("the workbook", inKey.difference(inWorkbook)),
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new Error(`Cannot use ${what}:${listFaults(faults)}`);
}

/**
 * Returns the names that occur as words within an XLSX file.
 * Case is ignored; names of parts are searched too. Throws SyntaxError or RangeError for an
 * unreadable archive.
 */
export function namesWithin(bytes: Uint8Array, names: readonly string[]): string[] {
  const texts = [...readArchive(bytes)]
    .map(([name, part]) => `${name}\n${new TextDecoder().decode(part)}`);
  const written = (name: string) => escapeHtml(name).replaceAll("&#39;", "&apos;");
  return names.filter((name) =>
    [name, written(name)].some((form) => texts.some((text) => nameAsWord(form).test(text)))
  );
}
