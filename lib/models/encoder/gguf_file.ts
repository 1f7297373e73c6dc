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
