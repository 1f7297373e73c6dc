import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { z } from "zod";
import { hasSha256, openTemporary, sha256Hex } from "../../files/atomic.ts";
import { writeBytesAtomic, writeWhole } from "../../files/atomic.ts";
import { PASSAGE, type Passage, SHA256 } from "../types.ts";
import { BM25_CONSTANTS, type Postings, PostingsBuilder, termsOf } from "./index.ts";
import { type TitleAliases, type TitleIndex, titleIndex } from "./texts.ts";

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

/** What lies at a path, hashed at once. @throws {Error} where it cannot be read. */
export function hashedSource(
  path: string,
  passages: KnowledgeSource["passages"],
  hash: () => string,
): KnowledgeSource {
  try {
    return { name: basename(path), sha256: hash(), passages };
  } catch (cause) {
    const why = `${path} cannot be read. Check the path and its permissions.`;
    throw new Error(`Cannot open the knowledge base: ${why}`, { cause });
  }
}

/** Passages and how to find them by their words. */
export interface PassageIndex {
  readonly name: string;
  /** SHA-256 of the passages, in their order, their titles' names and {@link INDEX_SETTINGS}. */
  readonly sha256: string;
  readonly postings: Postings;
  readonly titles: TitleIndex;
  /** Passages by number. `read` throws an Error where the file that they are in cannot be read any more. */
  readonly store: { read(numbers: readonly number[]): readonly Passage[] };
}

/** What is kept of an index beside the file of its passages. */
interface StoredIndex extends Pick<PassageIndex, "sha256" | "postings" | "titles"> {
  /** SHA-256 of the file of passages. */
  readonly passagesSha256: string;
  /** Where each passage's line begins; the file's size at the end. */
  readonly lineOffsets: Float64Array<ArrayBuffer>;
}

const HEADER = z.object({
  sha256: SHA256,
  passagesSha256: SHA256,
  count: z.int().nonnegative(),
  terms: z.array(z.string()),
  postings: z.int().nonnegative(),
  titles: z.array(z.object({ title: z.string(), also: z.array(z.string()) })),
});

/** SHA-256 of all that follows, as hexadecimal digits, stands first. */
const DIGEST_BYTES = 64;

/** Writes a file atomically: digest, length of the header (4 bytes), header as JSON, arrays. */
export function writeArrays(
  path: string,
  told: unknown,
  arrays: readonly ArrayBufferView<ArrayBuffer>[],
): void {
  const header = new TextEncoder().encode(JSON.stringify(told));
  const length = new Uint8Array(new Uint32Array([header.length]).buffer);
  const bytes = arrays.map(({ buffer, byteOffset, byteLength }) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  );
  const rest = Buffer.concat([length, header, ...bytes]);
  writeBytesAtomic(path, Buffer.concat([new TextEncoder().encode(sha256Hex(rest)), rest]));
}

/** What `parse` makes of such a file; undefined where there is none, or a damaged one. */
export function readArrays<Header, Value>(
  path: string,
  schema: z.ZodType<Header>,
  parse: (header: Header, next: (bytes: number) => ArrayBuffer) => Value,
): Value | undefined {
  try {
    const bytes = Deno.readFileSync(path);
    const rest = bytes.slice(DIGEST_BYTES);
    const digest = new TextDecoder().decode(bytes.subarray(0, DIGEST_BYTES));
    if (sha256Hex(rest) !== digest) return undefined;
    let position = 4 + new DataView(rest.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(rest.slice(4, position)));
    return parse(schema.parse(header), (bytes) => rest.buffer.slice(position, position += bytes));
  } catch (error) {
    // What reading beyond the end, text that is no JSON and a wrong header throw.
    const damage = [RangeError, SyntaxError, z.ZodError, Deno.errors.NotFound];
    if (damage.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function writeIndexFile(path: string, index: StoredIndex): void {
  const { postings, titles, lineOffsets, sha256, passagesSha256 } = index;
  const { offsets, passages, shares, count } = postings;
  const [terms, size] = [[...postings.terms.keys()], passages.length];
  const told = { sha256, passagesSha256, count, terms, postings: size, titles: titles.titles };
  writeArrays(path, told, [lineOffsets, offsets, passages, shares, titles.titleOf]);
}

/** The index in a file; undefined where there is no such file, or it is damaged. */
export function readIndexFile(path: string): StoredIndex | undefined {
  return readArrays(path, HEADER, (header, next) => {
    const { count, terms, postings: size, sha256, passagesSha256 } = header;
    const lineOffsets = new Float64Array(next(8 * (count + 1)));
    const postings = {
      count,
      terms: new Map(terms.map((term, index) => [term, index])),
      offsets: new Uint32Array(next(4 * (terms.length + 1))),
      passages: new Uint32Array(next(4 * size)),
      shares: new Float32Array(next(4 * size)),
    };
    const titles = titleIndex(header.titles, new Uint32Array(next(4 * count)));
    return { sha256, passagesSha256, postings, titles, lineOffsets };
  });
}

/** Passages in a file of JSON lines, opened anew for each question; `offsets` end with its size. */
function passagesInFile(path: string, offsets: Float64Array): PassageIndex["store"] {
  return {
    read(numbers) {
      try {
        using file = Deno.openSync(path, { read: true });
        return numbers.map((number) => {
          const [start, end] = [offsets[number]!, offsets[number + 1]!];
          file.seekSync(start, Deno.SeekMode.Start);
          const bytes = new Uint8Array(end - start);
          for (let read = 0; read < bytes.length;) {
            const more = file.readSync(bytes.subarray(read));
            if (more === null) throw new SyntaxError("it ends too early");
            read += more;
          }
          return PASSAGE.parse(JSON.parse(new TextDecoder().decode(bytes)));
        });
      } catch (cause) {
        const why = `${path} cannot be read or has been changed`;
        const remedy = "Open the index again: it is made anew";
        throw new Error(`Cannot read the knowledge base: ${why}. ${remedy}.`, { cause });
      }
    },
  };
}

/** Whatever decides about scores, beside the passages. */
const INDEX_SETTINGS = {
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

/** What goes over passages once for an index: their terms, titles and hash. */
function indexBuilder() {
  const postings = new PostingsBuilder();
  const numbers = new Map<string, number>();
  const titleOf: number[] = [];
  const hash = createHash("sha256").update(JSON.stringify(INDEX_SETTINGS));
  return {
    /** The next passage; returns its line of JSON. */
    add({ id, text, collection, title, section }: Passage): string {
      const passage = { id, text, collection, title, section };
      const line = `${JSON.stringify(passage)}\n`;
      postings.add(passageTerms(passage));
      titleOf.push(numbers.getOrInsert(title, numbers.size));
      hash.update(line);
      return line;
    },
    /** @param aliases Other names of the titles. */
    finish(aliases?: TitleAliases): Pick<PassageIndex, "postings" | "titles" | "sha256"> {
      const names = [...numbers.keys()]
        .map((title) => ({ title, also: aliases?.get(title) ?? [] }));
      const sha256 = hash.update(JSON.stringify(names)).digest("hex");
      const titles = titleIndex(names, new Uint32Array(titleOf));
      return { postings: postings.finish(), titles, sha256 };
    },
  };
}

/** An index in memory, passages and all. */
export async function buildIndex(
  name: string,
  passages: ReturnType<KnowledgeSource["passages"]>,
  aliases?: TitleAliases,
): Promise<PassageIndex> {
  const builder = indexBuilder();
  const kept: Passage[] = [];
  for await (const passage of passages) {
    builder.add(passage);
    kept.push(passage);
  }
  const read = (numbers: readonly number[]) => numbers.map((number) => kept[number]!);
  return { name, ...builder.finish(aliases), store: { read } };
}

/** A folder that git ignores; `onProgress` is told every thousand passages of an index that is made. */
interface OpenIndexOptions {
  readonly cacheDirectory: string;
  readonly onProgress?: (passages: number) => void;
}

/**
 * The index of a knowledge source: from the cache where it was made of the same files with the same
 * settings and is not damaged, else made now and kept. Passages stay on the disk; terms, titles and
 * postings are in memory. @throws {RangeError} for a source without a passage; the source's own
 * errors.
 */
export async function openIndex(
  source: KnowledgeSource,
  options: OpenIndexOptions,
): Promise<PassageIndex> {
  const key = sha256Hex(`${source.sha256} ${JSON.stringify(INDEX_SETTINGS)}`);
  const stem = join(options.cacheDirectory, key.slice(0, 32));
  const [path, passages] = [`${stem}.index`, `${stem}.passages.jsonl`];
  const kept = readIndexFile(path);
  const isIntact = kept !== undefined && hasSha256(passages, kept.passagesSha256);
  const stored = isIntact ? kept : await makeIndex(source, passages, options);
  if (!isIntact) writeIndexFile(path, stored);
  const { sha256, postings, titles, lineOffsets } = stored;
  const store = passagesInFile(passages, lineOffsets);
  return { name: source.name, sha256, postings, titles, store };
}

/** Writes the file of passages, and gives what is kept beside it. */
async function makeIndex(
  source: KnowledgeSource,
  path: string,
  { onProgress }: OpenIndexOptions,
): Promise<StoredIndex> {
  const temporary = openTemporary(path);
  try {
    const builder = indexBuilder();
    const hash = createHash("sha256");
    const lineOffsets = [0];
    for await (const passage of source.passages()) {
      const line = new TextEncoder().encode(builder.add(passage));
      writeWhole(temporary.file, line);
      hash.update(line);
      const count = lineOffsets.push(lineOffsets.at(-1)! + line.length) - 1;
      if (count % 1000 === 0) onProgress?.(count);
    }
    if (lineOffsets.length === 1) {
      const why = "it holds no passage. Check its path, and that its files are not empty";
      throw new RangeError(`Cannot make a knowledge base of ${source.name}: ${why}.`);
    }
    const found = builder.finish(await source.aliases?.());
    temporary.commit();
    const passagesSha256 = hash.digest("hex");
    return { ...found, passagesSha256, lineOffsets: new Float64Array(lineOffsets) };
  } catch (error) {
    temporary.discard();
    throw error;
  }
}
