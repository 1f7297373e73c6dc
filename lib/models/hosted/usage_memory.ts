import { createHash } from "node:crypto";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { ApiKey } from "./api_keys.ts";
import type { TokenCount } from "./keyed_calls_options.ts";
import type { KeyRing } from "./key_ring.ts";
import { resting } from "./key_ring_changes.ts";
import { NO_USAGE, readUsage, type Rest, type Usage, withRequest } from "./usage.ts";

/** Milliseconds between two writings of what was used; rests are written at once. */
const PAUSE = 2000;

/** What was used and which keys rest, kept for later processes. Disposing of it writes it. */
export interface UsageMemory extends Disposable {
  /** The ring with the rests that earlier processes learned of the same keys. */
  restore(ring: KeyRing): KeyRing;
  /** One request was sent; with its tokens, where it was answered. */
  request(model: string, tokens?: TokenCount): void;
  /** Notes which keys rest. */
  rests(ring: KeyRing): void;
}

/** Eight digits of a hash tell a changed key from the same, and nothing about either. */
function fingerprint(key: ApiKey): string {
  return createHash("sha256").update(key.reveal()).digest("hex").slice(0, 8);
}

/** Opens the memory at the path; without one it forgets. */
export function openUsageMemory(
  path: string | undefined,
  keys: readonly ApiKey[],
  now: () => number,
): UsageMemory {
  const prints = new Map(keys.map((key) => [key.label, fingerprint(key)]));
  let usage: Usage = path === undefined ? NO_USAGE : readUsage(path);
  let written = -Infinity;
  let changed = false;
  const write = () => {
    written = now();
    if (path !== undefined && changed) writeJsonAtomic(path, { ...usage });
    changed = false;
  };
  /** An answer must not be lost because a memory cannot be kept: disposing says so in the end. */
  const tryToWrite = () => {
    try {
      write();
    } catch {
      changed = true;
    }
  };
  const isOwn = (rest: Rest) => prints.get(rest.key) === rest.fingerprint;
  return {
    restore(ring) {
      const own = usage.rests.filter((rest) => isOwn(rest) && Date.parse(rest.until) > now())
        .map(({ key, until, ...rest }) => ({ ...rest, label: key, until: Date.parse(until) }));
      return path === undefined ? ring : resting(ring, own, shownPath(path));
    },
    request(model, tokens) {
      usage = withRequest(usage, model, now(), tokens);
      changed = true;
      if (now() - written >= PAUSE) tryToWrite();
    },
    rests(ring) {
      const others = usage.rests.filter((rest) => !isOwn(rest) && Date.parse(rest.until) > now());
      usage = { ...usage, rests: [...others, ...restsIn(ring, prints, now())] };
      changed = true;
      tryToWrite();
    },
    [Symbol.dispose]: write,
  };
}

function restsIn(
  ring: KeyRing,
  prints: ReadonlyMap<string, string>,
  now: number,
): readonly Rest[] {
  return ring.keys.flatMap(({ label, cooling }) =>
    [...cooling].filter(([, { until }]) => until > now).map(([model, { until, limit }]) => ({
      key: label,
      fingerprint: prints.get(label) ?? "",
      model,
      limit,
      until: new Date(until).toISOString(),
    }))
  );
}
