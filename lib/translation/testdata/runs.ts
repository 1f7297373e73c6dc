import { unavailable } from "../../stats/agreement.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RatedRun } from "../analysis/ratings.ts";
import type { RaterReliability } from "../analysis/reliability.ts";
import type { SystemComparison, SystemResult } from "../analysis/systems.ts";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import { configHash, displayOrder, keyHash, rowInputHash } from "../hashes.ts";
import type { ItemRole, KeyItem, RatedItem, SealedKey } from "../types.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";

/** An item as a test wants it rated. Systems are A, B, C …, in the order of the scores. */
export interface MadeItem {
  readonly da: readonly number[];
  /** By system; from 75 best, from 50 good, from 25 ok, else poor unless told. */
  readonly buckets?: readonly string[];
  readonly role?: ItemRole;
  /** `s1`, `s2` … unless told. */
  readonly segment?: string;
  readonly document?: string;
  readonly comment?: string;
  /** Seconds from the beginning of the session. */
  readonly startedAt?: number;
  readonly committedAt?: number | "never";
  readonly activeSeconds?: number;
}

const RUN_ID = "5f0c8f9e-5f6c-4a55-9d0b-8a3a1f0f4e11";

/**
 * A rater's finished workbook with its key. Which t# is which system goes round from item to item,
 * so that whoever mixes them up gets other figures.
 */
export function madeRun(
  rater: string,
  items: readonly MadeItem[],
  config: RunConfig = { ...DEFAULT_RUN_CONFIG, numTranslations: items[0]!.da.length },
): RatedRun {
  const n = config.numTranslations;
  const key: SealedKey = {
    runId: RUN_ID,
    secret: "0123456789abcdef0123456789abcdef",
    assignment: "per_item",
    systems: Array.from({ length: n }, (_, system) => nameOf(system)),
    items: items.map((item, index) => keyItem(item, index + 1, n)),
  };
  const workbook = {
    runId: RUN_ID,
    configSha256: configHash(config),
    keySha256: keyHash(key),
    items: items.map((item, index) => ratedItem(item, index + 1, n)),
  };
  return { rater, workbook, key, config };
}

/** Which system stands behind a translation of an item. */
function systemAt(translation: number, itemId: number, n: number): number {
  return (translation + itemId) % n;
}

function nameOf(system: number): string {
  return String.fromCharCode(65 + system);
}

function keyItem({ segment, document, role }: MadeItem, itemId: number, n: number): KeyItem {
  return {
    itemId,
    segment: segment ?? `s${itemId}`,
    document: document ?? "d1",
    systems: Array.from({ length: n }, (_, t) => nameOf(systemAt(t, itemId, n))),
    role: role ?? { kind: "rated" },
  };
}

function ratedItem(made: MadeItem, itemId: number, n: number): RatedItem {
  const translations = made.da.map((_, t) => `translation ${t + 1} of ${itemId}`);
  const input = { itemId, source: `source ${itemId}`, translations };
  const { startedAt = itemId * 60, committedAt = itemId * 60 + 50 } = made;
  return {
    input: { ...input, rowInputHash: rowInputHash(input) },
    evaluation: {
      itemId,
      displayMap: displayOrder(RUN_ID, itemId, n),
      ratings: translations.map((_, t) => {
        const da = made.da[systemAt(t, itemId, n)]!;
        return { da, bucket: made.buckets?.[systemAt(t, itemId, n)] ?? bucketOf(da) };
      }),
      comment: made.comment ?? "",
      startedAt: stamp(startedAt),
      committedAt: committedAt === "never" ? undefined : stamp(committedAt),
      editCount: 0,
      activeSeconds: made.activeSeconds ?? 40,
      highlightSeconds: 0,
    },
  };
}

function bucketOf(da: number): string {
  return da >= 75 ? "best" : da >= 50 ? "good" : da >= 25 ? "ok" : "poor";
}

function stamp(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 5, 9) + seconds * 1000).toISOString();
}

/** Three translations of each sentence. */
export const config = { ...DEFAULT_RUN_CONFIG, numTranslations: 3 };
const SMALL_RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
const SYSTEMS = ["alder", "birch", "cedar"];

/** Two items, the same system behind t1 in both. */
export const key: SealedKey = {
  runId: SMALL_RUN_ID,
  secret: "ab".repeat(16),
  assignment: "per_run",
  systems: SYSTEMS,
  items: [1, 2].map((itemId) => ({
    itemId,
    segment: `s${itemId}`,
    document: "d",
    systems: SYSTEMS,
    role: { kind: "rated" },
  })),
};

/** The workbook of these two items, as nobody has opened it. */
export const blank = newWorkbook(
  [1, 2].map((itemId) => ({ itemId, source: `Hello ${itemId}.`, translations: ["a", "b", "c"] })),
  { runId: SMALL_RUN_ID, config, keySha256: keyHash(key) },
);

const NONE = unavailable("made by hand");

/** A rater of three rows of the screen of whom nothing else is known. */
export const UNKNOWN: RaterReliability = {
  rater: "",
  items: 0,
  ratings: 0,
  meanDa: NONE,
  buckets: [],
  bucketAndScore: { spearman: NONE, kendall: NONE, etaSquared: NONE },
  heaping: [{ name: "multiples of 5", share: NONE, chance: 21 / 101 }],
  position: {
    positions: [1, 2, 3].map((position) => ({ position, deviation: NONE })),
    slope: NONE,
    slopeTest: NONE,
    spreadTest: NONE,
  },
  repeats: {
    items: 0,
    pairs: 0,
    meanAbsoluteDifference: NONE,
    pearson: NONE,
    spearman: NONE,
    sameBucket: NONE,
    kappa: NONE,
  },
  attention: { checks: [], passed: NONE },
  time: { activeSeconds: NONE, wallClockSeconds: NONE },
  drift: { da: NONE, seconds: NONE },
};

/** An interval as a bootstrap over ten items would give it. */
export const interval = (estimate: number, low: number, high: number): BootstrapInterval => ({
  kind: "interval",
  estimate,
  low,
  high,
  confidence: 0.95,
  n: 10,
  clusters: 10,
  resamples: 2000,
});

const system = (name: string, mean: number, place: number): SystemResult => ({
  system: name,
  items: 10,
  ratings: 10,
  cluster: place,
  meanDa: interval(mean, mean - 2, mean + 2),
  meanZ: unavailable("one score only"),
  rank: place,
  rankInterval: { low: place, high: place },
  buckets: [
    { bucket: "best", count: 7, share: 0.7 },
    { bucket: "poor", count: 3, share: 0.3 },
  ],
});

/** Two systems that are told apart. */
export const TWO_SYSTEMS: SystemComparison = {
  systems: [system("alder", 80, 1), system("birch", 60.1234567, 2)],
  pairs: [{
    first: "alder",
    second: "birch",
    items: 10,
    difference: interval(19.8765433, 15, 25),
    test: {
      kind: "test",
      statistic: 19.9,
      p: 0.001953125,
      method: "exact",
      resolution: 0.002,
      n: 10,
    },
    adjustedP: 0.001953125,
  }],
  alpha: 0.05,
};
