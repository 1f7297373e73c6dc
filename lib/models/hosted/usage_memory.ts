import { createHash } from "node:crypto";
import { shownPath } from "../../files/shown_path.ts";
import type { ApiKey } from "./api_keys.ts";
import type { KeyRing } from "./key_ring.ts";
import { resting } from "./key_ring_changes.ts";
import { readUsage, type Rest, type SentRequest } from "./usage.ts";
import { UsageFile } from "./usage_file.ts";

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
  const file = new UsageFile(path, now);
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
