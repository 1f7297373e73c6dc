import { z } from "zod";

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
