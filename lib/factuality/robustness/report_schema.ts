import { z } from "zod";

const MEASURE = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("interval"),
    estimate: z.number(),
    low: z.number(),
    high: z.number(),
  }),
  z.object({ kind: z.literal("value"), estimate: z.number() }),
  z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
]);

const KIND_FIGURE = z.object({
  component: z.string(),
  kind: z.string(),
  role: z.enum(["perturbation", "control"]),
  seenInTraining: z.enum(["yes", "partly", "no", "mixed"]),
  n: z.int().min(0),
  unscored: z.int().min(0),
  countries: z.int().min(0),
  originalsAccepted: z.int().min(0),
  flagged: MEASURE,
  flaggedGivenAccepted: MEASURE,
  labelled: z.int().min(0),
  calledRefuted: MEASURE,
  against: z.string(),
  falseAlarm: MEASURE,
  difference: MEASURE,
  dPrime: MEASURE,
});

const CONSISTENCY_FIGURE = z.object({
  component: z.string(),
  group: z.string(),
  measure: z.string(),
  n: z.number().min(0),
  value: MEASURE,
});

const section = <Row extends z.ZodType>(row: Row) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("rows"), rows: z.array(row).min(1) }),
    z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
  ]);

/** What is kept of a robustness report, version 1; see `RobustnessReport`. */
export const REPORT = z.object({
  schemaVersion: z.literal(1),
  acceptedFrom: z.literal(0.5),
  confidence: z.number(),
  perturbations: section(KIND_FIGURE),
  contradictions: section(KIND_FIGURE),
  orders: section(CONSISTENCY_FIGURE),
  repetitions: section(CONSISTENCY_FIGURE),
  swaps: section(CONSISTENCY_FIGURE),
});
