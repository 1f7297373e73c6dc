import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import {
  hasSha256,
  openTemporary,
  sha256Hex,
  writeBytesAtomic,
  writeWhole,
} from "../../files/atomic.ts";
import type { Passage } from "../types.ts";
import { BM25_CONSTANTS, type Postings, PostingsBuilder, termsOf } from "./index.ts";
import { type TitleAliases, type TitleIndex, titleIndex, TitleIndexBuilder } from "./texts.ts";

/** What is kept of an index beside the file of its passages. */
interface StoredIndex {
  /** SHA-256 of passages, names and settings. */
  readonly sha256: string;
  /** SHA-256 of the file of passages. */
  readonly passagesSha256: string;
  readonly postings: Postings;
  readonly titles: TitleIndex;
  /** Where each passage's line begins; the file's size at the end. */
  readonly lineOffsets: Float64Array<ArrayBuffer>;
}

const SHA256 = z.string().regex(/^[\da-f]{64}$/u);

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

/**
 * Writes an index: the digest, the length of the header in four bytes, the header as JSON, then line
 * offsets, term offsets, passages, shares and numbers of titles as the machine's typed arrays;
 * atomically.
 */
function writeIndexFile(path: string, index: StoredIndex): void {
  const { postings, titles, lineOffsets, sha256, passagesSha256 } = index;
  const { offsets, passages, shares } = postings;
  const arrays = [lineOffsets, offsets, passages, shares, titles.titleOf];
  const body = concatenated(arrays.map((array) => new Uint8Array(array.buffer)));
  const header = new TextEncoder().encode(JSON.stringify({
    sha256,
    passagesSha256,
    count: postings.count,
    terms: [...postings.terms.keys()],
    postings: passages.length,
    titles: titles.titles,
  }));
  const length = new Uint8Array(new Uint32Array([header.length]).buffer);
  const rest = concatenated([length, header, body]);
  writeBytesAtomic(path, concatenated([new TextEncoder().encode(sha256Hex(rest)), rest]));
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}

/** The index in a file; undefined where there is no such file, or it is damaged. */
export function readIndexFile(path: string): StoredIndex | undefined {
  try {
    return parseIndex(Deno.readFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || isDamage(error)) return undefined;
    throw error;
  }
}

/** What reading beyond the end, text that is no JSON and a wrong header throw. */
function isDamage(error: unknown): boolean {
  return error instanceof RangeError || error instanceof SyntaxError || error instanceof z.ZodError;
}

function parseIndex(bytes: Uint8Array): StoredIndex {
  const rest = bytes.slice(DIGEST_BYTES);
  const digest = new TextDecoder().decode(bytes.subarray(0, DIGEST_BYTES));
  if (sha256Hex(rest) !== digest) throw new SyntaxError("the file has been changed");
  const headerEnd = 4 + new DataView(rest.buffer).getUint32(0, true);
  const header = HEADER.parse(JSON.parse(new TextDecoder().decode(rest.slice(4, headerEnd))));
  const body = rest.slice(headerEnd);
  const { count, terms, postings: size } = header;
  let position = 0;
  const next = (length: number) => body.buffer.slice(position, position += length);
  const lineOffsets = new Float64Array(next(8 * (count + 1)));
  const postings = {
    count,
    terms: new Map(terms.map((term, index) => [term, index])),
    offsets: new Uint32Array(next(4 * (terms.length + 1))),
    passages: new Uint32Array(next(4 * size)),
    shares: new Float32Array(next(4 * size)),
  };
  const titles = titleIndex(header.titles, new Uint32Array(next(4 * count)));
  const { sha256, passagesSha256 } = header;
  return { sha256, passagesSha256, postings, titles, lineOffsets };
}

/** Passages by number, in the order of the index. */
interface PassageStore {
  /** @throws {Error} where the file that they are in cannot be read any more. */
  read(numbers: readonly number[]): readonly Passage[];
}

const PASSAGE: z.ZodType<Passage> = z.object({
  id: z.string(),
  text: z.string(),
  collection: z.string(),
  title: z.string(),
  section: z.string(),
});

/** For what fits into memory. */
function passagesInMemory(passages: readonly Passage[]): PassageStore {
  return { read: (numbers) => numbers.map((number) => passages[number]!) };
}

/**
 * Passages that stay in a file, one JSON object a line; `offsets` are the lines' first bytes and,
 * last, the file's size. The file is opened anew for each question, so nothing need be closed.
 */
function passagesInFile(path: string, offsets: Float64Array): PassageStore {
  return {
    read(numbers) {
      try {
        using file = Deno.openSync(path, { read: true });
        return numbers.map((number) => readLine(file, offsets[number]!, offsets[number + 1]!));
      } catch (cause) {
        throw new Error(
          `Cannot read the knowledge base: ${path} cannot be read or has been changed. ` +
            "Open the index again: it is made anew.",
          { cause },
        );
      }
    },
  };
}

function readLine(file: Deno.FsFile, start: number, end: number): Passage {
  file.seekSync(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - start);
  for (let read = 0; read < bytes.length;) {
    const more = file.readSync(bytes.subarray(read));
    if (more === null) throw new SyntaxError("it ends too early");
    read += more;
  }
  return PASSAGE.parse(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Passages and how to find them by their words. */
export interface PassageIndex {
  readonly name: string;
  /** SHA-256 of the passages, in their order, their titles' names and {@link INDEX_SETTINGS}. */
  readonly sha256: string;
  readonly postings: Postings;
  readonly titles: TitleIndex;
  readonly store: PassageStore;
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

/** What goes over passages once for an index: their terms, and their hash. */
class IndexBuilder {
  readonly #postings = new PostingsBuilder();
  readonly #titles = new TitleIndexBuilder();
  readonly #hash = createHash("sha256").update(JSON.stringify(INDEX_SETTINGS));

  /** The next passage; returns its line of JSON. */
  add({ id, text, collection, title, section }: Passage): string {
    const passage = { id, text, collection, title, section };
    const line = `${JSON.stringify(passage)}\n`;
    this.#postings.add(passageTerms(passage));
    this.#titles.add(title);
    this.#hash.update(line);
    return line;
  }

  /** @param aliases Other names of the titles. */
  finish(aliases?: TitleAliases): Pick<PassageIndex, "postings" | "titles" | "sha256"> {
    const titles = this.#titles.finish(aliases);
    const sha256 = this.#hash.update(JSON.stringify(titles.titles)).digest("hex");
    return { postings: this.#postings.finish(INDEX_SETTINGS), titles, sha256 };
  }
}

/** An index in memory, passages and all. */
export async function buildIndex(
  name: string,
  passages: ReturnType<KnowledgeSource["passages"]>,
  aliases?: TitleAliases,
): Promise<PassageIndex> {
  const builder = new IndexBuilder();
  const kept: Passage[] = [];
  for await (const passage of passages) {
    builder.add(passage);
    kept.push(passage);
  }
  return { name, ...builder.finish(aliases), store: passagesInMemory(kept) };
}

/** Where an index is kept, and what is told about it. */
interface OpenIndexOptions {
  /** A folder that git ignores, `.cache/retrieval` here; created where it is missing. */
  readonly cacheDirectory: string;
  /** Called every thousand passages while an index is made; never for one from the cache. */
  readonly onProgress?: (passages: number) => void;
  readonly signal?: AbortSignal;
}

const PROGRESS_EVERY = 1000;

/**
 * The index of a knowledge source: from the cache where it was made before from the same files
 * with the same settings, else made now, passage by passage, and kept. What is found damaged in
 * the cache is made anew. Passages stay on the disk; terms, titles and postings are in memory, about
 * eight bytes for each different word of each passage, and four times that while it is made.
 * @throws {RangeError} for a source without a passage; the source's own errors.
 */
export async function openIndex(
  source: KnowledgeSource,
  options: OpenIndexOptions,
): Promise<PassageIndex> {
  const key = sha256Hex(`${source.sha256} ${JSON.stringify(INDEX_SETTINGS)}`);
  const stem = join(options.cacheDirectory, key.slice(0, 32));
  const files = { index: `${stem}.index`, passages: `${stem}.passages.jsonl` };
  const stored = intactIndex(files) ?? await makeIndex(source, files, options);
  const { sha256, postings, titles, lineOffsets } = stored;
  return {
    name: source.name,
    sha256,
    postings,
    titles,
    store: passagesInFile(files.passages, lineOffsets),
  };
}

interface IndexFiles {
  readonly index: string;
  readonly passages: string;
}

function intactIndex(files: IndexFiles): StoredIndex | undefined {
  const stored = readIndexFile(files.index);
  const intact = stored !== undefined && hasSha256(files.passages, stored.passagesSha256);
  return intact ? stored : undefined;
}

async function makeIndex(
  source: KnowledgeSource,
  files: IndexFiles,
  options: OpenIndexOptions,
): Promise<StoredIndex> {
  const temporary = openTemporary(files.passages);
  try {
    const write = (bytes: Uint8Array) => writeWhole(temporary.file, bytes);
    const made = await readThrough(source, write, options);
    temporary.commit();
    writeIndexFile(files.index, made);
    return made;
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

async function readThrough(
  source: KnowledgeSource,
  write: (bytes: Uint8Array) => void,
  { onProgress, signal }: OpenIndexOptions,
): Promise<StoredIndex> {
  const builder = new IndexBuilder();
  const hash = createHash("sha256");
  const lineOffsets = [0];
  for await (const passage of source.passages()) {
    signal?.throwIfAborted();
    const line = new TextEncoder().encode(builder.add(passage));
    write(line);
    hash.update(line);
    lineOffsets.push(lineOffsets.at(-1)! + line.length);
    if ((lineOffsets.length - 1) % PROGRESS_EVERY === 0) onProgress?.(lineOffsets.length - 1);
  }
  if (lineOffsets.length === 1) {
    throw new RangeError(
      `Cannot make a knowledge base of ${source.name}: it holds no passage. ` +
        "Check that the path is the right one and that its files are not empty.",
    );
  }
  return {
    ...builder.finish(await source.aliases?.()),
    passagesSha256: hash.digest("hex"),
    lineOffsets: new Float64Array(lineOffsets),
  };
}

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
