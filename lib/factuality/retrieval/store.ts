import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { z } from "zod";
import { hasSha256, openTemporary, sha256Hex } from "../../files/atomic.ts";
import { writeBytesAtomic, writeWhole } from "../../files/atomic.ts";
import { PASSAGE, type Passage, SHA256 } from "../types.ts";
import { BM25_CONSTANTS, type Postings, PostingsBuilder, termsOf } from "./index.ts";
import { type TitleAliases, type TitleIndex, titleIndex } from "./texts.ts";

/** A source of passages with a hash that detects changes. */
export interface KnowledgeSource {
  readonly name: string;
  /** SHA-256 of the files read, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Yields all passages from the start, one by one if memory requires. */
  passages(): AsyncIterable<Passage> | Iterable<Passage>;
  /** Other names of its titles, where it has any. */
  aliases?(): Promise<TitleAliases>;
}

/**
 * Makes a source from a path; its hash is computed at once. @throws {Error} where it cannot be
 * read.
 */
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

/** Passages with their search index. */
export interface PassageIndex {
  readonly name: string;
  /** SHA-256 of the passages in order, of their titles' names and of {@link INDEX_SETTINGS}. */
  readonly sha256: string;
  readonly postings: Postings;
  readonly titles: TitleIndex;
  /** Passages by number. `read` throws an Error where their file has become unreadable. */
  readonly store: { read(numbers: readonly number[]): readonly Passage[] };
}

/** The part of an index stored next to the file of passages. */
interface StoredIndex extends Pick<PassageIndex, "sha256" | "postings" | "titles"> {
  /** SHA-256 of the file of passages. */
  readonly passagesSha256: string;
  /** Byte offset of each passage's line, and the file's size. */
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

/** Length of the leading SHA-256, in hexadecimal digits, of the rest of the file. */
const DIGEST_BYTES = 64;

/** Writes a file atomically: digest, header length (4 bytes), header as JSON, arrays. */
export function writeArrays(
  path: string,
  headerValue: unknown,
  arrays: readonly ArrayBufferView<ArrayBuffer>[],
): void {
  const header = new TextEncoder().encode(JSON.stringify(headerValue));
  const length = new Uint8Array(new Uint32Array([header.length]).buffer);
  const bytes = arrays.map(({ buffer, byteOffset, byteLength }) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  );
  const rest = Buffer.concat([length, header, ...bytes]);
  writeBytesAtomic(path, Buffer.concat([new TextEncoder().encode(sha256Hex(rest)), rest]));
}

/** Reads such a file with `parse`. Undefined where it is missing or damaged. */
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
    // Errors from reading past the end, invalid JSON and a wrong header.
    const damage = [RangeError, SyntaxError, z.ZodError, Deno.errors.NotFound];
    if (damage.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

function writeIndexFile(path: string, index: StoredIndex): void {
  const { postings, titles, lineOffsets, sha256, passagesSha256 } = index;
  const { offsets, passages, shares, count } = postings;
  const [terms, size] = [[...postings.terms.keys()], passages.length];
  const header = { sha256, passagesSha256, count, terms, postings: size, titles: titles.titles };
  writeArrays(path, header, [lineOffsets, offsets, passages, shares, titles.titleOf]);
}

/** Reads an index file; undefined where it is missing or damaged. */
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

/** Reads passages from a JSON Lines file, opened for each query; `offsets` end with its size. */
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

/** Settings other than the passages that determine scores. */
const INDEX_SETTINGS = {
  ...BM25_CONSTANTS,
  /** Factor for words of the title: a claim that names a country needs its passages. */
  titleWeight: 3,
  /** Version of the terms and of the readers' passages, raised with every change. */
  version: 2,
} as const;

/** Index terms of a passage: title, section and text together. */
export function passageTerms({ title, section, text }: Passage): readonly string[] {
  const titleTerms = termsOf(title);
  const repeated = Array.from({ length: INDEX_SETTINGS.titleWeight }, () => titleTerms).flat();
  return [...repeated, ...termsOf(section), ...termsOf(text)];
}

/** Collects terms, titles and hash in one pass over the passages. */
function indexBuilder() {
  const postings = new PostingsBuilder();
  const numbers = new Map<string, number>();
  const titleOf: number[] = [];
  const hash = createHash("sha256").update(JSON.stringify(INDEX_SETTINGS));
  return {
    /** Adds the next passage and returns its line of JSON. */
    add({ id, text, collection, title, section }: Passage): string {
      const passage = { id, text, collection, title, section };
      const line = `${JSON.stringify(passage)}\n`;
      postings.add(passageTerms(passage));
      titleOf.push(numbers.getOrInsert(title, numbers.size));
      hash.update(line);
      return line;
    },
    /** Completes the index. @param aliases Other names of the titles. */
    finish(aliases?: TitleAliases): Pick<PassageIndex, "postings" | "titles" | "sha256"> {
      const names = [...numbers.keys()]
        .map((title) => ({ title, also: aliases?.get(title) ?? [] }));
      const sha256 = hash.update(JSON.stringify(names)).digest("hex");
      const titles = titleIndex(names, new Uint32Array(titleOf));
      return { postings: postings.finish(), titles, sha256 };
    },
  };
}

/** Builds an index in memory, passages included. */
export async function buildIndex(
  name: string,
  passages: ReturnType<KnowledgeSource["passages"]>,
  aliases?: TitleAliases,
): Promise<PassageIndex> {
  const builder = indexBuilder();
  const stored: Passage[] = [];
  for await (const passage of passages) {
    builder.add(passage);
    stored.push(passage);
  }
  const read = (numbers: readonly number[]) => numbers.map((number) => stored[number]!);
  return { name, ...builder.finish(aliases), store: { read } };
}

/**
 * Options of an index: a git-ignored folder, and `onProgress` for every thousand passages while
 * building.
 */
interface OpenIndexOptions {
  readonly cacheDirectory: string;
  readonly onProgress?: (passages: number) => void;
}

/**
 * Opens the index of a knowledge source. An undamaged index of the same files and settings comes
 * from the cache, otherwise it is built and cached. Passages stay on disk; terms, titles and
 * postings are in memory. @throws {RangeError} for a source without passages, and the source's
 * errors.
 */
export async function openIndex(
  source: KnowledgeSource,
  options: OpenIndexOptions,
): Promise<PassageIndex> {
  const key = sha256Hex(`${source.sha256} ${JSON.stringify(INDEX_SETTINGS)}`);
  const stem = join(options.cacheDirectory, key.slice(0, 32));
  const [path, passages] = [`${stem}.index`, `${stem}.passages.jsonl`];
  const cachedIndex = readIndexFile(path);
  const isIntact = cachedIndex !== undefined && hasSha256(passages, cachedIndex.passagesSha256);
  const stored = isIntact ? cachedIndex : await makeIndex(source, passages, options);
  if (!isIntact) writeIndexFile(path, stored);
  const { sha256, postings, titles, lineOffsets } = stored;
  const store = passagesInFile(passages, lineOffsets);
  return { name: source.name, sha256, postings, titles, store };
}

/** Builds an index: writes the file of passages and returns the rest. */
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
    const index = builder.finish(await source.aliases?.());
    temporary.commit();
    const passagesSha256 = hash.digest("hex");
    return { ...index, passagesSha256, lineOffsets: new Float64Array(lineOffsets) };
  } catch (error) {
    temporary.discard();
    throw error;
  }
}
