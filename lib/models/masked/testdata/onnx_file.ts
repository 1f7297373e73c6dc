/** The messages of ONNX's protocol buffers that a test needs, as `onnx.proto` (IR 8) has them. */

type Bytes = readonly number[];
const TEXT = new TextEncoder();

/** ONNX's numbers of element types. */
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_IS_INT = 2;

function varint(value: number): Bytes {
  return value < 128 ? [value] : [value % 128 + 128, ...varint(Math.floor(value / 128))];
}

const number = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];

function bytes(field: number, content: Iterable<number>): Bytes {
  const all = [...content];
  return [...varint(field * 8 + 2), ...varint(all.length), ...all];
}

const text = (field: number, content: string): Bytes => bytes(field, TEXT.encode(content));

/** One operation of the graph; attributes are whole numbers. */
export interface Operation {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number>>;
}

/** A constant of the graph; no dimensions make it a scalar. */
export interface Constant {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

export interface Port {
  readonly name: string;
  readonly type: "float" | "int64";
  readonly dimensions: readonly (string | number)[];
}

export interface Graph {
  readonly operations: readonly Operation[];
  readonly constants: readonly Constant[];
  readonly inputs: readonly Port[];
  readonly output: Port;
}

function operation({ type, inputs, output, attributes = {} }: Operation): Bytes {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...text(2, output),
    ...text(4, type),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      bytes(5, [...text(1, name), ...number(3, value), ...number(20, ATTRIBUTE_IS_INT)])
    ),
  ];
}

function constant({ name, dimensions, values }: Constant): Bytes {
  return [
    ...dimensions.flatMap((length) => number(1, length)),
    ...number(2, values instanceof Float32Array ? FLOAT : INT64),
    ...text(8, name),
    ...bytes(9, new Uint8Array(values.buffer)),
  ];
}

function port({ name, type, dimensions }: Port): Bytes {
  const shape = dimensions.flatMap((length) =>
    bytes(1, typeof length === "string" ? text(2, length) : number(1, length))
  );
  const tensor = [...number(1, type === "float" ? FLOAT : INT64), ...bytes(2, shape)];
  return [...text(1, name), ...bytes(2, bytes(1, tensor))];
}

/** The graph as the content of an ONNX file, for operator set 17. */
export function onnxFile({ operations, constants, inputs, output }: Graph): Uint8Array {
  const graph = [
    ...operations.flatMap((each) => bytes(1, operation(each))),
    ...text(2, "graph"),
    ...constants.flatMap((each) => bytes(5, constant(each))),
    ...inputs.flatMap((each) => bytes(11, port(each))),
    ...bytes(12, port(output)),
  ];
  const operatorSet = [...text(1, ""), ...number(2, 17)];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, operatorSet)]);
}
