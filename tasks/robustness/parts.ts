import { ORDERS } from "./orders.ts";
import type { RobustnessPart } from "./part.ts";
import { REPETITIONS } from "./repetitions.ts";
import { SWAPS } from "./swaps.ts";

export { runBbq } from "./bbq.ts";

/** The parts beside the perturbations, in the order of the report: each in a file of its own here. */
export const PARTS: readonly RobustnessPart[] = [ORDERS, REPETITIONS, SWAPS];
