import { createHash } from "node:crypto";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { ApiKey } from "./api_keys.ts";
import type { KeyRing } from "./key_ring.ts";
import { resting } from "./key_ring_changes.ts";
import {
  mergedUsage,
  NO_USAGE,
  readUsage,
  type Rest,
  type SentRequest,
  withRequest,
} from "./usage.ts";

/** Milliseconds between two writings. */
const PAUSE = 2000;

/** A new rest longer than this, in milliseconds, is written at once: a later process must not miss it. */
const LONG = 60_000;

/** What was used and which keys rest, kept for later processes. Disposing of it writes it. */
export interface UsageMemory extends Disposable {
  /** The ring with the rests that earlier processes learned of the same keys. */
  restore(ring: KeyRing): KeyRing;
  /** One request was sent. */
  request(sent: SentRequest): void;
  /** Notes which keys rest. */
  rests(ring: KeyRing): void;
}

/** Eight digits of a hash tell a changed key from the same, and nothing about either. */
function fingerprint(key: ApiKey): string {
  return createHash("sha256").update(key.reveal()).digest("hex").slice(0, 8);
}

/**
 * Opens the memory at the path; without one it forgets. Several processes may share the file: each
 * adds what it learned to what stands there when it writes.
 */
export function openUsageMemory(
  path: string | undefined,
  keys: readonly ApiKey[],
  now: () => number,
): UsageMemory {
  const prints = new Map(keys.map((key) => [key.label, fingerprint(key)]));
  const file = openUsageFile(path, now);
  const isOwn = (rest: Rest) => prints.get(rest.key) === rest.fingerprint;
  return {
    restore(ring) {
      if (path === undefined) return ring;
      const own = readUsage(path).rests.filter((rest) => isOwn(rest) && isRunning(rest, now()))
        .map(({ key, until, ...rest }) => ({ ...rest, label: key, until: Date.parse(until) }));
      return resting(ring, own, shownPath(path));
    },
    request: (sent) => file.add(sent),
    rests: (ring) => file.rest(restsIn(ring, prints, now())),
    [Symbol.dispose]: () => file.write(),
  };
}

const isRunning = ({ until }: Rest, now: number) => Date.parse(until) > now;

/** What this process learned and has not written, and when it writes. */
function openUsageFile(path: string | undefined, now: () => number) {
  let unwritten = NO_USAGE;
  let changed = false;
  let written = -Infinity;
  const write = () => {
    written = now();
    if (path !== undefined && changed) {
      writeJsonAtomic(path, { ...mergedUsage(readUsage(path), unwritten, now()) });
    }
    unwritten = { ...unwritten, days: [] };
    changed = false;
  };
  /** An answer must not be lost because a memory cannot be kept: disposing says so in the end. */
  const writeSoon = (atOnce = false) => {
    changed = true;
    if (!atOnce && now() - written < PAUSE) return;
    try {
      write();
    } catch {
      changed = true;
    }
  };
  return {
    write,
    add(sent: SentRequest) {
      unwritten = withRequest(unwritten, sent, now());
      writeSoon();
    },
    rest(rests: readonly Rest[]) {
      const known = new Set(unwritten.rests.map(({ until }) => until));
      const isUrgent = rests.some(({ until }) =>
        !known.has(until) && Date.parse(until) - now() > LONG
      );
      unwritten = { ...unwritten, rests };
      writeSoon(isUrgent);
    },
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
