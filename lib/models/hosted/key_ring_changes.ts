import {
  type Cooling,
  type KeyRing,
  type ModelState,
  restsUntil,
  type RingKey,
} from "./key_ring.ts";
import { laterRest } from "./later_rest.ts";
import type { LimitKind, RateLimit } from "./rate_limit.ts";

function withKey(ring: KeyRing, label: string, change: (key: RingKey) => RingKey): KeyRing {
  return { ...ring, keys: ring.keys.map((key) => key.label === label ? change(key) : key) };
}

function withModel(ring: KeyRing, model: string, change: Partial<ModelState>): KeyRing {
  const state = { failures: 0, ...ring.models.get(model), ...change };
  return { ...ring, models: new Map(ring.models).set(model, state) };
}

/** A request goes out with the key. */
export function started(ring: KeyRing, label: string): KeyRing {
  return withKey(ring, label, (key) => ({
    ...key,
    inFlight: key.inFlight + 1,
    started: key.started + 1,
  }));
}

/** A request with the key has ended, however it did. */
export function finished(ring: KeyRing, label: string): KeyRing {
  return withKey(ring, label, (key) => ({ ...key, inFlight: key.inFlight - 1 }));
}

/** The model answered: what was counted against it and the key is forgotten, a rest still running is not. */
export function answered(ring: KeyRing, label: string, model: string, now: number): KeyRing {
  const fresh = { ...ring, reached: true, models: new Map(ring.models) };
  const ended = ring.models.get(model)?.ended;
  if (ended === undefined) fresh.models.delete(model);
  return withKey(fresh, label, (key) => {
    if (!key.cooling.has(model) || restsUntil(key, model) > now) return key;
    const cooling = new Map(key.cooling);
    cooling.delete(model);
    return { ...key, cooling };
  });
}

/** A call failed after all its tries; many in a row and the model counts as out of reach. */
export function failed(ring: KeyRing, model: string, message: string): KeyRing {
  const failures = (ring.models.get(model)?.failures ?? 0) + 1;
  const ended = failures < ring.settings.failuresInARow
    ? {}
    : { ended: `${failures} calls in a row failed, the last because ${message}` };
  return withModel(ring, model, { failures, ...ended });
}

/** The host is out of reach, and was never within it: no model there need be tried. */
export function hostEnded(ring: KeyRing, message: string): KeyRing {
  return { ...ring, ended: message };
}

/** The host does not serve the model. */
export function modelEnded(ring: KeyRing, model: string, message: string): KeyRing {
  return withModel(ring, model, { ended: message });
}

/** The key is of no use any more; nor are, for a whole organisation, its other keys as far as known. */
export function keyEnded(
  ring: KeyRing,
  label: string,
  { message, organisation, wholeOrganisation }: {
    readonly message: string;
    readonly organisation?: string;
    readonly wholeOrganisation: boolean;
  },
): KeyRing {
  const learned = withOrganisation(ring, label, organisation);
  const own = learned.keys.find((key) => key.label === label)?.organisation;
  const ends = (key: RingKey) =>
    key.label === label ||
    (wholeOrganisation && own !== undefined && key.organisation === own);
  const keys = learned.keys.map((key) => ends(key) ? { ...key, ended: message } : key);
  return { ...learned, keys };
}

function withOrganisation(ring: KeyRing, label: string, organisation?: string): KeyRing {
  return organisation === undefined
    ? ring
    : withKey(ring, label, (key) => ({ ...key, organisation }));
}

/** The key ran into a limit: it rests for the model, and with it all keys of its organisation. */
export function limited(
  ring: KeyRing,
  label: string,
  model: string,
  { rate, organisation }: { readonly rate: RateLimit; readonly organisation?: string },
  now: number,
): KeyRing {
  const { longestWait, backoff } = ring.settings;
  const before = ring.models.get(model)?.limited;
  const since = before && now - before.last <= longestWait ? before.since : now;
  const noted = withModel(ring, model, { limited: { since, last: now } });
  const cooled = withKey(noted, label, (key) => ({
    ...key,
    cooling: new Map(key.cooling).set(model, laterRest(key.cooling.get(model), rate, backoff, now)),
  }));
  const learned = withOrganisation(cooled, label, organisation);
  return sharedRests(learned, label);
}

/** Gives all keys of the key's organisation the longest of their rests, model by model. */
function sharedRests(ring: KeyRing, label: string): KeyRing {
  const organisation = ring.keys.find((key) => key.label === label)?.organisation;
  if (organisation === undefined) return ring;
  const members = ring.keys.filter((key) => key.organisation === organisation);
  const shared = new Map<string, Cooling>();
  for (const [model, rest] of members.flatMap(({ cooling }) => [...cooling])) {
    if (rest.until > (shared.get(model)?.until ?? -Infinity)) shared.set(model, rest);
  }
  const keys = ring.keys.map((key) =>
    key.organisation === organisation ? { ...key, cooling: shared } : key
  );
  return { ...ring, keys };
}

/** Rests that an earlier process learned, and wrote to a file. */
export function resting(
  ring: KeyRing,
  rests: readonly {
    readonly label: string;
    readonly model: string;
    readonly until: number;
    readonly limit: LimitKind;
  }[],
  rememberedIn: string,
): KeyRing {
  return rests.reduce((state, { label, model, until, limit }) => {
    const rest: Cooling = { until, limit, strikes: 0, rememberedIn };
    return withKey(state, label, (key) => ({
      ...key,
      cooling: new Map(key.cooling).set(model, rest),
    }));
  }, ring);
}
