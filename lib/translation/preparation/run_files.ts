import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readInputText } from "../../files/csv.ts";
import { shownPath, writeBytesAtomic } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { escaped } from "../../files/page.ts";
import { parseConfiguration, type RunConfig, schemaFaults } from "../configuration.ts";
import { canonicalSha256 } from "../hashes.ts";
import { nameAsWord } from "../text.ts";
import type { RatingWorkbook } from "../types.ts";
import { readArchive } from "../workbook/sheets.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { faultLines, inOneLine } from "./read_table.ts";

const ITEM_ID = z.number().int().positive();

/**
 * Why an item stands in the workbook, where nothing says it: for itself; to practise on, which no
 * analysis counts; again (`of` the original's number), to see whether the rater says the same; or
 * again with one translation (0 … N−1) spoiled.
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

/** Which system stands behind each translation of one item. */
export type KeyItem = Readonly<z.infer<typeof ITEM>>;
const ITEM = z.strictObject({
  item_id: ITEM_ID,
  /** Identifiers in the researcher's file. */
  segment: z.string(),
  document: z.string(),
  /** By translation, t1 … tN; none for a practice item. */
  systems: z.array(z.string()).readonly(),
  role: ROLE,
}).transform(({ item_id, ...item }) => ({ itemId: item_id, ...item }));

/** The only file that names systems. Notebook 31 writes it, notebook 32 reads it, no rater has it. */
export type SealedKey = Readonly<z.infer<typeof KEY>>;
const KEY = z.strictObject({
  run_id: z.string().min(1),
  /**
   * Keeps the key from being guessed from its hash. A short one can be found by trying: twelve systems
   * have but 479,001,600 orders.
   */
  secret: z.string().regex(/^(?:[0-9a-f]{2}){16,}$/, "is no secret of 128 bits or more"),
  /** Whether t1 is one system throughout, or drawn anew for every item. */
  assignment: z.enum(["per_run", "per_item"]),
  /** Whose workbook it is, and which of theirs; absent where many have the same, and in older keys. */
  rater: z.string().min(1).optional(),
  batch: z.string().min(1).optional(),
  /** In the order of the researcher's file. */
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
  if (ids.size !== items.length) report("an item stands twice");
}).transform(({ run_id, ...key }) => ({ runId: run_id, ...key }));

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
      "of" in role ? role.of : null,
      ...role.kind === "attention" ? [role.translation, role.spoiledBy] : [],
    ]),
    // Older keys have neither, and hash as they did.
    ...key.rater === undefined ? [] : [key.rater, key.batch ?? null],
  ]);
}

/**
 * Writes a key as JSON that only its owner may read (0600, where the system knows such modes). It must not
 * lie where a rater gets the workbook from.
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
 * Reads a key as {@link writeSealedKey} wrote it; `checkKey` compares it with a workbook.
 *
 * Throws SyntaxError naming the file and everything wrong in it, and NotFound if there is none.
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
  throw new SyntaxError(`Cannot read ${name}: ${inOneLine(schemaFaults(parsed.error))}.`);
}

/** The keys that a path names: itself, or of a folder the .json files in it. Throws RangeError for none. */
export function keyPaths(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const found = [...Deno.readDirSync(path)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort().map((name) => join(path, name));
  if (found.length > 0) return found;
  throw new RangeError(
    `Cannot read keys in ${shownPath(path)}: it is a folder without .json files. Name the folder ` +
      "sealed that rate prepare has written, or the keys in it.",
  );
}

/** Reads a run configuration's whole file. Throws as {@link parseConfiguration} does, and NotFound. */
export function readConfiguration(path: string) {
  return parseConfiguration(readText(path, shownPath(path)), shownPath(path));
}

/** What a run asks of its rater; as {@link readConfiguration}. */
export const readRunConfig = (path: string): RunConfig => readConfiguration(path).config;

const readText = (path: string, name: string): string =>
  readInputText(path, (why) => `Cannot read ${name}: ${why}.`);

/**
 * Writes a workbook (`.xlsx`) for the rater and a key (`.json`), if it has one, for nobody but the
 * researcher, each at once or not at all; the workbook is read back and compared first. Throws Error
 * where another file stands in the place of either: ratings and keys are not to be had again.
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
      `Cannot write over ${inOneLine(others)}. Move it to a safe place, or name another one.`,
    );
  }
  // Those that are there are the same.
  if (key && !existsSync(paths.key)) writeSealedKey(paths.key, key);
  if (!existsSync(paths.workbook)) writeBytesAtomic(paths.workbook, bytes);
}

/** Throws Error that says in which ways a key is not the one sealed for a workbook, `what` of both. */
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
  if (faults.length > 0) throw new Error(`Cannot use ${what}:${faultLines(faults)}`);
}

/**
 * Which of the names stand, as words and in any case, in any inflated part of an XLSX file or in a
 * part's name. Throws SyntaxError or RangeError for a file that is no sound archive.
 */
export function namesWithin(bytes: Uint8Array, names: readonly string[]): string[] {
  const texts = [...readArchive(bytes)]
    .map(([name, part]) => `${name}\n${new TextDecoder().decode(part)}`);
  const written = (name: string) => escaped(name).replaceAll("&#39;", "&apos;");
  return names.filter((name) =>
    [name, written(name)].some((form) => texts.some((text) => nameAsWord(form).test(text)))
  );
}
