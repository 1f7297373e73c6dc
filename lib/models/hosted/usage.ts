import { createHash } from "node:crypto";
import { z } from "zod";
import { shownPath } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import type { ApiKey } from "./api_keys.ts";
import { LIMIT_KINDS } from "./call_problem.ts";
import type { KeyRing } from "./key_ring.ts";

/** Schema of the times when keys may be used again, for later processes. It contains no secrets. */
const MEMORY = z.object({
  rests: z.array(z.strictObject({
    key: z.string(),
    fingerprint: z.string(),
    model: z.string(),
    limit: z.enum(LIMIT_KINDS),
    until: z.iso.datetime(),
  })),
});
type Rests = z.infer<typeof MEMORY>["rests"];

/**
 * Reads the recorded pauses of keys. Empty if the file is missing or damaged, since it is only a
 * cache.
 */
function readRests(path: string): Rests {
  try {
    return MEMORY.safeParse(JSON.parse(Deno.readTextFileSync(path))).data?.rests ?? [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Returns the keys that are still paused for a model, the first available first. */
export function restingUntil(path: string, model: string, now: number): Rests {
  return readRests(path).filter((rest) => rest.model === model && Date.parse(rest.until) > now)
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
}

/** Merges records of pauses, keeping the later end of each. Past ones are removed. */
function merged(rests: Rests, now: number): Rests {
  const latest = new Map<string, Rests[number]>();
  for (const rest of rests) {
    const name = JSON.stringify([rest.key, rest.fingerprint, rest.model]);
    const before = Date.parse(latest.get(name)?.until ?? "") || 0;
    if (Date.parse(rest.until) > Math.max(now, before)) latest.set(name, rest);
  }
  return [...latest.values()];
}

/** Record of paused keys for later processes. Disposing of it writes it. */
export type RestMemory = ReturnType<typeof openRestMemory>;

/** Minimum length in milliseconds of a pause that is written at once, for concurrent processes. */
const LONG = 60_000;

/** Opens the record at a path, or one in memory. Writing merges it with the file's content. */
export function openRestMemory(
  path: string | undefined,
  keys: readonly ApiKey[],
  now: () => number,
) {
  // Eight digits of a hash show whether a key changed, and nothing else about it.
  const fingerprints = new Map(keys.map((key) => [
    key.label,
    createHash("sha256").update(key.reveal()).digest("hex").slice(0, 8),
  ]));
  let own: Rests = [];
  let isWritten = true;
  const write = () => {
    if (path !== undefined && !isWritten) {
      writeJsonAtomic(path, { rests: merged([...readRests(path), ...own], now()) });
    }
    isWritten = true;
  };
  return {
    restore(ring: KeyRing): void {
      if (path === undefined) return;
      for (const { key, fingerprint, model, limit, until: end } of readRests(path)) {
        const until = Date.parse(end);
        if (fingerprints.get(key) !== fingerprint || until <= now()) continue;
        ring.remember(key, model, { limit, until, rememberedIn: shownPath(path) });
      }
    },
    /** Records a ring's pauses after a rate limit was reached. */
    note(ring: KeyRing): void {
      const known = new Set(own.map(({ until }) => until));
      own = ring.keys.flatMap(({ label, rests }) =>
        [...rests].filter(([, { until }]) => until > now()).map(([model, { until, limit }]) => ({
          key: label,
          fingerprint: fingerprints.get(label) ?? "",
          model,
          limit,
          until: new Date(until).toISOString(),
        }))
      );
      isWritten = false;
      if (!own.some(({ until }) => !known.has(until) && Date.parse(until) - now() > LONG)) return;
      try {
        write();
      } catch {
        // An answer must not be lost because a memory cannot be kept: disposing says so in the end.
      }
    },
    [Symbol.dispose]: write,
  };
}
