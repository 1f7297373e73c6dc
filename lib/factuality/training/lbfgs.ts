/** A smooth function of many variables: its value, with the gradient written into `gradient`. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimiseOptions {
  /** It has arrived when no component of the gradient is larger than this. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Shown each point it steps to, with its value and number from 1; ends it by giving true. */
  readonly observe?: (point: Float64Array, value: number, iteration: number) => boolean;
}

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
  readonly iterations: number;
  /** Whether the tolerance was reached, rather than the last iteration. */
  readonly converged: boolean;
}

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
 */
export function minimise(
  objective: Objective,
  start: Float64Array,
  { tolerance, maxIterations, observe }: MinimiseOptions,
): Minimum {
  let point = Float64Array.from(start);
  let gradient = new Float64Array(start.length);
  let value = objective(point, gradient);
  const memory: Correction[] = [];
  for (let iterations = 0; iterations < maxIterations; iterations++) {
    if (largest(gradient) <= tolerance) return { point, value, iterations, converged: true };
    const direction = descentDirection(gradient, memory);
    const next = search(objective, point, value, gradient, direction);
    if (next === undefined) return { point, value, iterations, converged: false };
    remember(memory, difference(next.point, point), difference(next.gradient, gradient));
    ({ point, value, gradient } = next);
    if (observe?.(point, value, iterations + 1)) {
      return { point, value, iterations: iterations + 1, converged: false };
    }
  }
  return { point, value, iterations: maxIterations, converged: largest(gradient) <= tolerance };
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
  const scale = last === undefined ? 1 / Math.max(1, norm(gradient)) : last.product /
    dot(last.change, last.change);
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

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}

function largest(a: Float64Array): number {
  return a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((x, i) => x - b[i]!);
}

function addScaled(target: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i]! += factor * other[i]!;
}
