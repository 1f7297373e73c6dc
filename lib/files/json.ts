import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";
import { explainingWriteErrors, requireAppendable, writeTextAtomic, writeWhole } from "./atomic.ts";
import {
  type DamagedLine,
  damageReason,
  decodeUtf8,
  escapeLine,
  type ParsedCsv,
  splitLines,
  utf16Problem,
} from "./csv.ts";

/** Any value in JSON. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Writes a value as JSON atomically; equal values give equal bytes.
 *
 * Keys are sorted by code unit, the indent is two spaces, and the file ends with a line break.
 * @throws {RangeError} for NaN and infinities, which JSON would silently convert to null.
 */
export function writeJsonAtomic(path: string, value: Json): void {
  writeTextAtomic(path, `${JSON.stringify(sorted(value, "value"), null, 2)}\n`);
}

function sorted(value: Json, where: string): Json {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Cannot write ${where} as JSON: ${value} is no finite number.`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item, index) => sorted(item, `${where}[${index}]`));
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, sorted(item ?? null, `${where}.${key}`)]),
  );
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Yields the complete lines of a stream. An incomplete last line is dropped. */
export async function* streamLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** A duplicate key of an object, with its position. */
interface DoubledKey {
  readonly key: string;
  /** Line of the second occurrence, from 1. */
  readonly line: number;
}

/**
 * Finds duplicate keys within objects of a JSON text, ignoring white space around them.
 *
 * `JSON.parse` silently keeps the last one. @param text Valid JSON.
 */
export function doubledKeys(text: string): readonly DoubledKey[] {
  const doubled: DoubledKey[] = [];
  const objects: (Set<string> | undefined)[] = [];
  let line = 1;
  for (
    const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]\n]/g)
  ) {
    if (token === "\n") line++;
    else if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (name !== undefined) {
      const key = String(JSON.parse(name)).trim();
      const keys = objects.at(-1);
      if (keys?.has(key)) doubled.push({ key, line });
      keys?.add(key);
      line += token.split("\n").length - 1; // Between a key and its colon.
    }
  }
  return doubled;
}

/** Parses a JSON text. @throws {SyntaxError} with the message that `refuse` returns. */
export function parseJson<Value>(
  text: string,
  schema: z.ZodType<Value>,
  refuse: (why: string) => string,
): Value {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(refuse(damageReason(cause)), { cause });
  }
}

/** Formats values as JSON Lines. */
export const jsonLines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/**
 * Appends an object as one line in one write, and creates the file and its folder. An incomplete
 * last line of a killed process is ended first. @throws {TypeError} for a value that JSON cannot
 * represent.
 */
export function appendJsonLine(path: string, value: object): void {
  const line = `${JSON.stringify(value)}\n`;
  explainingWriteErrors(path, () => {
    requireAppendable(path);
    Deno.mkdirSync(dirname(path), { recursive: true });
    using file = Deno.openSync(path, { read: true, append: true, create: true });
    writeWhole(file, new TextEncoder().encode(endsMidLine(file) ? `\n${line}` : line));
  });
}

function endsMidLine(file: Deno.FsFile): boolean {
  if (file.statSync().size === 0) return false;
  file.seekSync(-1, Deno.SeekMode.End);
  const last = new Uint8Array(1);
  file.readSync(last);
  return last[0] !== 0x0a;
}

/**
 * Reads a file of JSON objects, one per line.
 *
 * Invalid lines, and lines that `parseRow` refuses, are reported and do not affect others. An
 * incomplete last line is accepted if it is valid JSON. @throws {Deno.errors.NotFound} without the
 * file; {SyntaxError} for UTF-16.
 */
export function readJsonLines<Row>(
  path: string,
  parseRow: (value: unknown) => Row,
): ParsedCsv<Row> {
  const rows: Row[] = [];
  const damaged: DamagedLine[] = [];
  const whole = readPlain(path);
  const utf16 = utf16Problem(whole);
  if (utf16 !== undefined) throw new SyntaxError(`Cannot read ${path}: ${utf16}.`);
  for (const [index, { bytes }] of splitLines(whole).entries()) {
    try {
      const text = decodeUtf8(bytes);
      if (text === undefined) throw new SyntaxError("broken UTF-8");
      const value: unknown = JSON.parse(text);
      if (typeof value !== "object" || value === null) throw new SyntaxError("no JSON object");
      rows.push(parseRow(value));
    } catch (error) {
      damaged.push({ line: index + 1, text: escapeLine(bytes), reason: damageReason(error) });
    }
  }
  return { rows, damaged };
}

/** Reads a file's bytes, decompressed for `.gz`. */
function readPlain(path: string): Uint8Array {
  const bytes = Deno.readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}
