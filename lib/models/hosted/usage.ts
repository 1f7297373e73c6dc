import { createHash } from "node:crypto";
import { z } from "zod";
import { shownPath } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import type { ApiKey } from "./api_keys.ts";
import { LIMIT_KINDS } from "./call_problem.ts";
import type { KeyRing } from "./key_ring.ts";

/** Times when keys return, for later processes: nothing in it is secret. */
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

/** The file's rests; none where it is missing or damaged, for it is only a memory. */
function readRests(path: string): Rests {
  try {
    return MEMORY.safeParse(JSON.parse(Deno.readTextFileSync(path))).data?.rests ?? [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The keys that rest for a model still, first to return first. */
export function restingUntil(path: string, model: string, now: number): Rests {
  return readRests(path).filter((rest) => rest.model === model && Date.parse(rest.until) > now)
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
}

/** Merges two records of rests, the later end of each; past ones are left out. */
function merged(rests: Rests, now: number): Rests {
  const latest = new Map<string, Rests[number]>();
  for (const rest of rests) {
    const name = JSON.stringify([rest.key, rest.fingerprint, rest.model]);
    const before = Date.parse(latest.get(name)?.until ?? "") || 0;
    if (Date.parse(rest.until) > Math.max(now, before)) latest.set(name, rest);
  }
  return [...latest.values()];
}

/** Record of resting keys, kept for later processes. Disposing of it writes it. */
export type RestMemory = ReturnType<typeof openRestMemory>;

/** A new rest longer than this, in milliseconds, is written at once: a later process must not miss it. */
const LONG = 60_000;

/** Opens the record at the path, or one in memory; on writing, the file's content is merged. */
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
    /** Notes the rests of a ring after a limit was met. */
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
