import { z } from "zod";

/** How much is asked of the client. */
export interface LoadShape {
  readonly models: number;
  /** Of each model. */
  readonly prompts: number;
  /** In all. */
  readonly inFlight: number;
  /** Milliseconds that the server takes for an answer. */
  readonly delayMs: number;
}

/** The load of the specification: four models, a thousand prompts each. */
export const LOAD: LoadShape = { models: 4, prompts: 1000, inFlight: 32, delayMs: 50 };

const MEASURED = z.array(z.object({
  calls: z.number().positive(),
  wallMs: z.number(),
  cpuMs: z.number(),
})).min(1);

/** What a client process prints: every turn of both contestants. */
export const LOAD_REPORT = z.object({ ours: MEASURED, bare: MEASURED });

/** One turn: so many calls, from the first to the last, and the processor's time for them. */
export type Measured = Readonly<z.infer<typeof MEASURED>[number]>;

/** Milliseconds a call. */
export interface LoadCost {
  /** Beyond what the server's delay alone would take. */
  readonly overhead: number;
  /** Of the client's process, all its threads. */
  readonly cpu: number;
}

/** Costs of a call over all turns. */
export function costOf(turns: readonly Measured[], { delayMs, inFlight }: LoadShape): LoadCost {
  const sum = (of: (turn: Measured) => number) =>
    turns.reduce((total, turn) => total + of(turn), 0);
  const calls = sum((turn) => turn.calls);
  const ideal = (calls / inFlight) * delayMs;
  return {
    overhead: (sum((turn) => turn.wallMs) - ideal) / calls,
    cpu: sum((turn) => turn.cpuMs) / calls,
  };
}
