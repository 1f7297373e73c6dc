/**
 * Networks as ONNX files: the few messages of its protocol buffers (`onnx.proto`, IR 8) that state
 * operations, constants, inputs and one output; and the one place that opens them.
 * @module
 */
import { env, InferenceSession } from "onnxruntime-node";

/** The runtime's name and version, for settings. */
export const ONNX_ENGINE = `onnxruntime ${env.versions.node}`;

/** Opens a network, a path or a file's content, under onnxruntime on the processor. */
export const openOnnx = (network: string | Uint8Array, threads: number) =>
  // The library declares the two kinds apart.
  InferenceSession.create(network as string, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads that spin while they wait take the processor from whatever else runs.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });

type Bytes = readonly number[] | Uint8Array;

/** ONNX's numbers of element types, and of kinds of attributes. */
const ELEMENTS = { float: 1, int64: 7 } as const;
const ATTRIBUTES = { float: 1, integer: 2 } as const;

/** Of ONNX's own operations, and of onnxruntime's (`com.microsoft`). */
const OPERATOR_SETS = [["", 17], ["com.microsoft", 1]] as const;

/** One operation of the graph. */
export interface Operation {
  readonly type: string;
  /** Names of constants, inputs and earlier outputs; an optional one that is left out is "". */
  readonly inputs: readonly string[];
  readonly output: string;
  /** Whole numbers; `epsilon` is a float. */
  readonly attributes?: Readonly<Record<string, number>>;
  /** One of onnxruntime's own. */
  readonly isFused?: boolean;
}

/** A constant of the graph; no dimensions make it a scalar. */
export interface Constant {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

interface Port {
  readonly name: string;
  readonly type: keyof typeof ELEMENTS;
  /** A name stands for a length that differs from run to run. */
  readonly dimensions: readonly (string | number)[];
}

export interface Graph {
  readonly operations: readonly Operation[];
  readonly constants: readonly Constant[];
  readonly inputs: readonly Port[];
  readonly output: Port;
}

/** A message in pieces, so that weights are copied once. */
type Pieces = readonly Bytes[];

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [value % 128 + 128, ...varint(Math.floor(value / 128))];

const lengthOf = (pieces: Pieces) => pieces.reduce((sum, { length }) => sum + length, 0);

const number = (field: number, value: number): Pieces => [varint(field * 8), varint(value)];

function bytes(field: number, ...content: readonly Pieces[]): Pieces {
  const pieces = content.flat();
  return [varint(field * 8 + 2), varint(lengthOf(pieces)), ...pieces];
}

const text = (field: number, content: string) => bytes(field, [new TextEncoder().encode(content)]);

function attribute(name: string, value: number): Pieces {
  const FIXED_32_BITS = 5;
  const float = new Uint8Array(Float32Array.of(value).buffer);
  const content = name === "epsilon"
    ? [[2 * 8 + FIXED_32_BITS], float, ...number(20, ATTRIBUTES.float)]
    : [...number(3, value), ...number(20, ATTRIBUTES.integer)];
  return bytes(5, text(1, name), content);
}

function operation({ type, inputs, output, attributes = {}, isFused = false }: Operation): Pieces {
  return bytes(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    text(7, OPERATOR_SETS[isFused ? 1 : 0][0]),
  );
}

function constant({ name, dimensions, values }: Constant): Pieces {
  return bytes(
    5,
    ...dimensions.map((length) => number(1, length)),
    number(2, values instanceof Float32Array ? ELEMENTS.float : ELEMENTS.int64),
    text(8, name),
    bytes(9, [new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]),
  );
}

function port(field: number, { name, type, dimensions }: Port): Pieces {
  const shape = dimensions.map((length) =>
    bytes(1, typeof length === "string" ? text(2, length) : number(1, length))
  );
  const tensor = bytes(1, number(1, ELEMENTS[type]), bytes(2, ...shape));
  return bytes(field, text(1, name), bytes(2, tensor));
}

/** The graph as the content of an ONNX file. */
export function onnxFile(
  { operations, constants, inputs, output }: Graph,
): Uint8Array<ArrayBuffer> {
  const pieces = [
    ...number(1, 8),
    ...bytes(
      7,
      ...operations.map(operation),
      text(2, "graph"),
      ...constants.map(constant),
      ...inputs.map((each) => port(11, each)),
      port(12, output),
    ),
    ...OPERATOR_SETS.flatMap(([domain, version]) => bytes(8, text(1, domain), number(2, version))),
  ];
  const file = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}
