/**
 * Where llama.cpp v0.4.0 keeps the fields of the structs that cross the FFI boundary, in bytes.
 *
 * The C header is not part of the shipped package, so the offsets are written here and proved at
 * load: a struct whose defaults do not stand where they should belongs to another version.
 */

type FieldKind = "i32" | "f32" | "bool";

interface Field {
  readonly offset: number;
  readonly kind: FieldKind;
  /** What the library's own `…_default_params()` puts there. */
  readonly expected?: number;
}

export interface StructLayout {
  readonly name: string;
  /** Size in bytes, a multiple of 8. */
  readonly size: number;
  readonly fields: Readonly<Record<string, Field>>;
}

export const MODEL_PARAMS = {
  name: "llama_model_params",
  size: 80,
  fields: {
    gpuLayers: { offset: 16, kind: "i32", expected: -1 },
    splitMode: { offset: 20, kind: "i32", expected: 1 },
    loadMode: { offset: 24, kind: "i32", expected: -1 },
    lazyMode: { offset: 28, kind: "i32", expected: 1 },
    mainGpu: { offset: 32, kind: "i32", expected: 0 },
    vocabularyOnly: { offset: 72, kind: "bool", expected: 0 },
    checkTensors: { offset: 73, kind: "bool", expected: 0 },
    extraBuffers: { offset: 74, kind: "bool", expected: 1 },
    noHost: { offset: 75, kind: "bool", expected: 0 },
  },
} as const satisfies StructLayout;

export const CONTEXT_PARAMS = {
  name: "llama_context_params",
  size: 160,
  fields: {
    contextTokens: { offset: 0, kind: "i32", expected: 512 },
    batchTokens: { offset: 4, kind: "i32", expected: 2048 },
    microBatchTokens: { offset: 8, kind: "i32", expected: 512 },
    sequences: { offset: 12, kind: "i32", expected: 1 },
    outputsMax: { offset: 20, kind: "i32", expected: 0 },
    outputsMaxPerSequence: { offset: 24, kind: "i32", expected: 1 },
    threads: { offset: 28, kind: "i32", expected: 4 },
    threadsBatch: { offset: 32, kind: "i32", expected: 4 },
    ropeScaling: { offset: 40, kind: "i32", expected: -1 },
    pooling: { offset: 44, kind: "i32", expected: -1 },
    attention: { offset: 48, kind: "i32", expected: -1 },
    flashAttention: { offset: 52, kind: "i32", expected: -1 },
    yarnExtFactor: { offset: 64, kind: "f32", expected: -1 },
    yarnBetaSlow: { offset: 76, kind: "f32", expected: -1 },
    defragThreshold: { offset: 84, kind: "f32", expected: -1 },
    typeK: { offset: 104, kind: "i32", expected: 1 },
    typeV: { offset: 108, kind: "i32", expected: 1 },
    embeddings: { offset: 128, kind: "bool", expected: 0 },
    offloadKqv: { offset: 129, kind: "bool", expected: 1 },
    noPerf: { offset: 130, kind: "bool", expected: 1 },
    opOffload: { offset: 131, kind: "bool", expected: 1 },
    swaFull: { offset: 132, kind: "bool", expected: 1 },
    kvUnified: { offset: 133, kind: "bool", expected: 0 },
  },
} as const satisfies StructLayout;

export const QUANTIZE_PARAMS = {
  name: "llama_model_quantize_params",
  size: 64,
  fields: {
    threads: { offset: 0, kind: "i32", expected: 0 },
    fileType: { offset: 4, kind: "i32", expected: 7 },
    allowRequantize: { offset: 16, kind: "bool", expected: 0 },
    quantizeOutput: { offset: 17, kind: "bool", expected: 1 },
    onlyCopy: { offset: 18, kind: "bool", expected: 0 },
    pure: { offset: 19, kind: "bool", expected: 0 },
  },
} as const satisfies StructLayout;

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The field's value; booleans read as 0 or 1. All supported platforms are little-endian. */
export function readField(bytes: Uint8Array, { offset, kind }: Field): number {
  if (kind === "i32") return view(bytes).getInt32(offset, true);
  if (kind === "f32") return view(bytes).getFloat32(offset, true);
  return view(bytes).getUint8(offset);
}

export function writeField(bytes: Uint8Array, { offset, kind }: Field, value: number): void {
  if (kind === "i32") view(bytes).setInt32(offset, value, true);
  else if (kind === "f32") view(bytes).setFloat32(offset, value, true);
  else view(bytes).setUint8(offset, value);
}

/**
 * Throws where a struct filled by the library's defaults is not laid out as this module says.
 *
 * @throws {TypeError} naming the struct and the first field that does not hold its default.
 */
export function assertLayout(layout: StructLayout, defaults: Uint8Array): void {
  for (const [name, field] of Object.entries(layout.fields)) {
    const found = readField(defaults, field);
    if (field.expected !== undefined && found !== field.expected) {
      throw new TypeError(
        `Cannot use llama.cpp through FFI: ${layout.name}.${name} at byte ${field.offset} is ` +
          `${found}, expected ${field.expected}: the library is not version v0.4.0`,
      );
    }
  }
}
