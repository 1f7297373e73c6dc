import { z } from "zod";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { sha256Hex } from "../../files/checksum.ts";
import type { Postings } from "./postings.ts";
import { type TitleIndex, titleIndex } from "./title_index.ts";

/** What is kept of an index beside the file of its passages. */
export interface StoredIndex {
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
export function writeIndexFile(path: string, index: StoredIndex): void {
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
