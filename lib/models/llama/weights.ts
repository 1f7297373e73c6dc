import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { sha256OfFile, temporaryName } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { cString, openLlamaLibrary, QUANTIZE_PARAMS, writeField } from "./library.ts";

/** A GGUF file and what it holds, as hexadecimal SHA-256. */
export interface Weights {
  readonly path: string;
  readonly sha256: string;
}

/** Weight formats a file can be rewritten in; the numbers are llama.cpp's `llama_ftype`. */
const FILE_TYPES = { F32: 0, F16: 1, Q8_0: 7 } as const;

/** `Q8_0`: 8 bits a weight and one scale for 32 of them, a quarter of F32's memory. */
export type WeightPrecision = keyof typeof FILE_TYPES;

interface ExpansionOptions {
  readonly precision: WeightPrecision;
  readonly threads: number;
  /** Bytes written so far; the caller knows what it expects. */
  readonly onProgress?: (bytesWritten: number) => void;
}

/**
 * The same weights in another format, made once in `directory`: plain floats to score with, or
 * 8 bits a weight where memory is short.
 *
 * @throws {Deno.errors.InvalidData} where llama.cpp cannot convert the file.
 */
export async function expandedWeights(
  source: Weights,
  options: ExpansionOptions & { readonly directory: string },
): Promise<Weights> {
  const stem = basename(source.path).replace(/\.gguf$/, "");
  const name = `${stem}.${source.sha256.slice(0, 8)}.${options.precision}.gguf`;
  const path = join(options.directory, name);
  return await madeOnce(path, source.sha256, () => expandWeights(source.path, path, options));
}

const NOTE = z.strictObject({ sourceSha256: z.string(), sha256: z.string(), bytes: z.number() });

/**
 * A file that is made from another once, with a note of its SHA-256 beside it (reading a gigabyte
 * again at each start would cost seconds). A file without a fitting note is made anew.
 *
 * @param make Writes the file at `path`, so that it appears only when whole.
 */
export async function madeOnce(
  path: string,
  sourceSha256: string,
  make: () => Promise<void>,
): Promise<Weights> {
  const known = await noted(path, sourceSha256);
  if (known !== undefined) return known;
  await make();
  const sha256 = sha256OfFile(path);
  const { size: bytes } = await Deno.stat(path);
  writeJsonAtomic(`${path}.json`, { sourceSha256, sha256, bytes });
  return { path, sha256 };
}

/** What the note beside a file says, where it is there and speaks of this source and file. */
async function noted(path: string, sourceSha256: string): Promise<Weights | undefined> {
  try {
    const { size } = await Deno.stat(path);
    const { data: note } = NOTE.safeParse(JSON.parse(await Deno.readTextFile(`${path}.json`)));
    const fits = note?.bytes === size && note.sourceSha256 === sourceSha256;
    return fits ? { path, sha256: note.sha256 } : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Writes a GGUF file with the same weights in another format. Quantised kernels (Q8_0 among them)
 * round their inputs too, which moves a sentence by 0.9 nats on average and by up to 6; on weights
 * expanded to plain floats it agrees with PyTorch.
 * The file appears under its name only when whole; it replaces an older one.
 *
 * @throws {Deno.errors.InvalidData} where llama.cpp cannot convert: a damaged file or a full disk.
 */
export async function expandWeights(
  source: string,
  target: string,
  { precision, threads, onProgress }: ExpansionOptions,
): Promise<void> {
  await Deno.mkdir(dirname(target), { recursive: true });
  const partial = temporaryName(target);
  const { symbols } = openLlamaLibrary();
  const params = Uint8Array.from(symbols.llama_model_quantize_default_params());
  const { fields } = QUANTIZE_PARAMS;
  writeField(params, fields.threads, threads);
  writeField(params, fields.fileType, FILE_TYPES[precision]);
  writeField(params, fields.allowRequantize, 1);
  // Without `pure` llama.cpp keeps some tensors in another format, token embeddings among them.
  writeField(params, fields.pure, 1);
  const tick = onProgress && setInterval(() => {
    Deno.stat(partial).then(({ size }) => onProgress(size), () => undefined);
  }, 200);
  const status = await symbols.llama_model_quantize(cString(source), cString(partial), params)
    .finally(() => clearInterval(tick));
  if (status !== 0) {
    await Deno.remove(partial).catch(() => undefined);
    throw new Deno.errors.InvalidData(
      `Cannot convert ${source} to ${precision}: llama.cpp failed; ` +
        `is the file whole, and is there room beside ${target}?`,
    );
  }
  await Deno.rename(partial, target);
}

/** One tensor of a safetensors file. */
export interface Tensor {
  readonly name: string;
  readonly type: string;
  /** Outermost dimension first. */
  readonly shape: readonly number[];
  /** Little-endian, a view of the file's bytes. */
  readonly bytes: Uint8Array;
}

const LENGTH_BYTES = 8;

const ENTRY = z.object({
  dtype: z.string(),
  shape: z.array(z.number().int().nonnegative()),
  data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
});

const HEADER = z.record(z.string(), z.unknown());

function damaged(name: string, what: string): SyntaxError {
  return new SyntaxError(`Cannot read ${name}: ${what}; it is damaged or no safetensors file`);
}

function readHeader(name: string, bytes: Uint8Array, end: number): Record<string, unknown> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      bytes.subarray(LENGTH_BYTES, end),
    );
    return HEADER.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(damaged(name, "its header is not a JSON object").message, { cause });
  }
}

/**
 * The tensors of a safetensors file: a length, a JSON header, then the numbers
 * (the format's own documentation, version 0.4).
 *
 * @param name Of the file, for errors.
 * @throws {SyntaxError} where the bytes are not of that format or are cut short.
 */
export function readSafetensors(name: string, bytes: Uint8Array): ReadonlyMap<string, Tensor> {
  if (bytes.length < LENGTH_BYTES) throw damaged(name, `it has ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = LENGTH_BYTES + Number(view.getBigUint64(0, true));
  if (begin > bytes.length) throw damaged(name, "its header is longer than the file");
  const tensors = new Map<string, Tensor>();
  for (const [key, value] of Object.entries(readHeader(name, bytes, begin))) {
    if (key === "__metadata__") continue;
    const entry = ENTRY.safeParse(value);
    if (!entry.success) throw damaged(name, `tensor ${key} is not described`);
    const { dtype: type, shape, data_offsets: [from, to] } = entry.data;
    if (from > to || begin + to > bytes.length) throw damaged(name, `tensor ${key} is cut short`);
    tensors.set(key, { name: key, type, shape, bytes: bytes.subarray(begin + from, begin + to) });
  }
  return tensors;
}

/** A value of a GGUF file's metadata, with the type it is stored in. */
export type GgufValue =
  | { readonly type: "u32" | "f32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "texts"; readonly value: readonly string[] };

/** A tensor of 32-bit floats. */
export interface GgufTensor {
  readonly name: string;
  /** Outermost dimension first, as safetensors and PyTorch count; GGUF stores them the other way. */
  readonly shape: readonly number[];
  /** Little-endian. */
  readonly bytes: Uint8Array;
}

/** Numbers of `gguf_metadata_value_type`. */
const TYPES = { u32: 4, f32: 6, bool: 7, text: 8, texts: 9 } as const;
const VERSION = 3;

/** `ggml_type` of 32-bit floats. */
const F32 = 0;

/** Bytes to a multiple of which the tensors are moved, unless the file says otherwise. */
const ALIGNMENT = 32;

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function f32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return bytes;
}

function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

function text(value: string): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(value);
  return [u64(bytes.length), bytes];
}

function metadataValue(entry: GgufValue): readonly Uint8Array[] {
  switch (entry.type) {
    case "u32":
      return [u32(entry.value)];
    case "f32":
      return [f32(entry.value)];
    case "bool":
      return [Uint8Array.of(entry.value ? 1 : 0)];
    case "text":
      return text(entry.value);
    case "texts":
      return [u32(TYPES.text), u64(entry.value.length), ...entry.value.flatMap(text)];
  }
}

function padding(length: number): Uint8Array {
  return new Uint8Array((ALIGNMENT - length % ALIGNMENT) % ALIGNMENT);
}

function tensorInfos(tensors: readonly GgufTensor[]): readonly Uint8Array[] {
  let offset = 0;
  return tensors.flatMap(({ name, shape, bytes }) => {
    const at = u64(offset);
    offset += bytes.length + padding(bytes.length).length;
    return [...text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(F32), at];
  });
}

/**
 * The bytes of a GGUF file (version 3), in pieces to be written one after the other; the tensors'
 * are views of what was given.
 */
export function* ggufBytes(
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): Generator<Uint8Array> {
  const entries = Object.entries(metadata);
  const head = [
    new TextEncoder().encode("GGUF"),
    ...[u32(VERSION), u64(tensors.length), u64(entries.length)],
    ...entries.flatMap(([key, entry]) => [
      ...text(key),
      u32(TYPES[entry.type]),
      ...metadataValue(entry),
    ]),
    ...tensorInfos(tensors),
  ];
  const length = head.reduce((sum, piece) => sum + piece.length, 0);
  const joined = new Uint8Array(length + padding(length).length);
  let at = 0;
  for (const piece of head) {
    joined.set(piece, at);
    at += piece.length;
  }
  yield joined;
  for (const { bytes } of tensors) {
    yield bytes;
    yield padding(bytes.length);
  }
}
