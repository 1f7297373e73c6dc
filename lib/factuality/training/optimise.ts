import { softmax } from "../../stats/uncertainty.ts";

/** A smooth function of many variables: its value, with the gradient written into `gradient`. */
type Objective = (point: Float64Array, gradient: Float64Array) => number;

/** Pairs of steps and gradient changes that stand for the curvature; 5–20 is usual. */
const MEMORY = 10;
const ARMIJO = 1e-4;
const SMALLEST_STEP = 1e-12;

interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  /** step · change, > 0. */
  readonly product: number;
}

/**
 * Minimises a convex function by limited-memory BFGS with a backtracking line search (Nocedal &
 * Wright 2006, algorithms 7.4 and 3.1). Without chance: the same input gives the same point.
 * @param tolerance It has arrived when no component of the gradient is larger than this.
 * @param observe Shown each point it steps to, with its value and number from 1; ends it by giving true.
 */
export function minimise(
  objective: Objective,
  start: Float64Array,
  { tolerance, maxIterations, observe }: {
    readonly tolerance: number;
    readonly maxIterations: number;
    readonly observe?: (point: Float64Array, value: number, iteration: number) => boolean;
  },
): { readonly point: Float64Array; readonly value: number } {
  let point = Float64Array.from(start);
  let gradient = new Float64Array(start.length);
  let value = objective(point, gradient);
  const memory: Correction[] = [];
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    if (gradient.every((x) => Math.abs(x) <= tolerance)) break;
    const next = search(objective, point, value, gradient, descentDirection(gradient, memory));
    if (next === undefined) break;
    remember(memory, difference(next.point, point), difference(next.gradient, gradient));
    ({ point, value, gradient } = next);
    if (observe?.(point, value, iteration)) break;
  }
  return { point, value };
}

/** The two-loop recursion: minus the inverse Hessian's estimate times the gradient. */
function descentDirection(gradient: Float64Array, memory: readonly Correction[]): Float64Array {
  const direction = gradient.map((x) => -x);
  const shares = memory.map(() => 0);
  for (let k = memory.length - 1; k >= 0; k--) {
    const { step, change, product } = memory[k]!;
    shares[k] = dot(step, direction) / product;
    addScaled(direction, change, -shares[k]!);
  }
  const last = memory.at(-1);
  const scale = last
    ? last.product / dot(last.change, last.change)
    : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)));
  for (let i = 0; i < direction.length; i++) direction[i]! *= scale;
  memory.forEach(({ step, change, product }, k) => {
    addScaled(direction, step, shares[k]! - dot(change, direction) / product);
  });
  return direction;
}

/** Halves the step until the value falls enough; undefined where no step lets it fall. */
function search(
  objective: Objective,
  point: Float64Array,
  value: number,
  gradient: Float64Array,
  direction: Float64Array,
) {
  const slope = dot(gradient, direction);
  for (let size = 1; size > SMALLEST_STEP; size /= 2) {
    const candidate = Float64Array.from(point);
    addScaled(candidate, direction, size);
    const there = new Float64Array(point.length);
    const reached = objective(candidate, there);
    if (reached <= value + ARMIJO * size * slope) {
      return { point: candidate, value: reached, gradient: there };
    }
  }
  return undefined;
}

/** A pair without positive curvature says nothing and would turn the direction uphill. */
function remember(memory: Correction[], step: Float64Array, change: Float64Array): void {
  const product = dot(step, change);
  if (product <= 1e-12 * dot(change, change)) return;
  memory.push({ step, change, product });
  if (memory.length > MEMORY) memory.shift();
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((x, i) => x - b[i]!);
}

function addScaled(target: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i]! += factor * other[i]!;
}

const [FIRST_DECAY, SECOND_DECAY, EPSILON] = [0.9, 0.999, 1e-8];

/**
 * Adam with the authors' own constants (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1): steps by the
 * running mean of the gradient over the root of that of its square, the point changed in place.
 * @param learningRate Largest usual change of a parameter in one step, > 0.
 */
export function adam(size: number, learningRate: number) {
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  let step = 0;
  return (point: Float64Array, gradient: Float64Array): void => {
    step++;
    const [bias1, bias2] = [1 - FIRST_DECAY ** step, 1 - SECOND_DECAY ** step];
    for (let i = 0; i < size; i++) {
      const g = gradient[i]!;
      const mean = first[i] = FIRST_DECAY * first[i]! + (1 - FIRST_DECAY) * g;
      const square = second[i] = SECOND_DECAY * second[i]! + (1 - SECOND_DECAY) * g * g;
      point[i]! -= learningRate * (mean / bias1) / (Math.sqrt(square / bias2) + EPSILON);
    }
  };
}

/** Logits of the classes and the index of the true one. */
interface ScoredRow {
  readonly logits: readonly number[];
  readonly label: number;
  /** How much the row counts, > 0. */
  readonly weight: number;
}

/** Beyond these a temperature says that the logits mean nothing, or that all rows are right. */
const [COLDEST, HOTTEST] = [0.05, 20];
const STEPS = 80;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The temperature T by which logits are divided so that their softmax loses least on rows that the
 * weights were not fitted on (Guo et al. 2017, arXiv 1706.04599, §4.2): T > 1 where the model was
 * too sure. Between 0.05 and 20, by golden-section search over log T; the loss is convex in 1/T,
 * so that there is one minimum.
 * @throws {RangeError} without rows.
 */
export function fitTemperature(rows: readonly ScoredRow[]): number {
  if (rows.length === 0) throw new RangeError("Cannot fit a temperature: there are no rows.");
  let [low, high] = [Math.log(COLDEST), Math.log(HOTTEST)];
  for (let step = 0; step < STEPS; step++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (temperatureLoss(rows, Math.exp(left)) <= temperatureLoss(rows, Math.exp(right))) {
      high = right;
    } else low = left;
  }
  return Math.exp((low + high) / 2);
}

/** Weighted mean negative log-likelihood in nats at a temperature. */
export function temperatureLoss(rows: readonly ScoredRow[], temperature: number): number {
  const losses = rows.map(({ logits, label, weight }) => {
    const probability = softmax(logits.map((logit) => logit / temperature))[label]!;
    return -weight * Math.log(Math.max(probability, Number.MIN_VALUE));
  });
  return losses.reduce((a, b) => a + b, 0) /
    rows.reduce((sum, { weight }) => sum + weight, 0);
}
