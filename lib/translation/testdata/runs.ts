import type { RatedRun } from "../analysis/ratings.ts";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import { configHash, displayOrder, rowInputHash } from "../hashes.ts";
import { type ItemRole, keyHash, type KeyItem, type SealedKey } from "../preparation/run_files.ts";
import type { WorkbookItem } from "../types.ts";
import { madeEvaluation, type MadeRating } from "./evaluations.ts";

/** A test item with its ratings. Systems are A, B, C … in the order of the scores. */
export interface MadeItem {
  readonly da: readonly number[];
  /** Buckets by system. By default they are best from 75, good from 50, ok from 25, else poor. */
  readonly buckets?: readonly string[];
  readonly role?: ItemRole;
  /** Segment identifier; by default `s1`, `s2` … */
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
 * Returns a rater's finished workbook with its key.
 * The assignment of systems to t# rotates from item to item, so that confusing them changes the
 * results.
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

/** Returns the index of the system behind a translation of an item. */
const systemAt = (translation: number, itemId: number, n: number) => (translation + itemId) % n;
const nameOf = (system: number) => String.fromCharCode(65 + system);

function keyItem(made: MadeItem, itemId: number, n: number): KeyItem {
  const { segment = `s${itemId}`, document = "d1", role = { kind: "rated" } } = made;
  const systems = Array.from({ length: n }, (_, t) => nameOf(systemAt(t, itemId, n)));
  return { itemId, segment, document, systems, role };
}

function ratedItem(made: MadeItem, itemId: number, n: number): WorkbookItem {
  const translations = made.da.map((_, t) => `translation ${t + 1} of ${itemId}`);
  const input = { itemId, source: `source ${itemId}`, translations };
  const { startedAt = itemId * 60, committedAt = itemId * 60 + 50 } = made;
  const stamp = (at: number) => new Date(Date.UTC(2026, 0, 5, 9) + at * 1000).toISOString();
  const ratings = translations.map((_, t): MadeRating => {
    const system = systemAt(t, itemId, n);
    const da = made.da[system]!;
    return [made.buckets?.[system] ?? ["poor", "ok", "good", "best"][Math.min(3, da / 25 | 0)], da];
  });
  return {
    input: { ...input, rowInputHash: rowInputHash(input) },
    evaluation: madeEvaluation(ratings, {
      itemId,
      displayMap: displayOrder(RUN_ID, itemId, n),
      comment: made.comment ?? "",
      startedAt: stamp(startedAt),
      committedAt: committedAt === "never" ? undefined : stamp(committedAt),
      activeSeconds: made.activeSeconds ?? 40,
    }),
  };
}
