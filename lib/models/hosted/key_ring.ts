import type { LimitKind } from "./rate_limit.ts";

/** A key that rests for one model. */
export interface Cooling {
  /** Milliseconds since 1970, as all times here. */
  readonly until: number;
  readonly limit: LimitKind;
  /** Rests in a row without an answer between: where nobody names a time, the rest doubles. */
  readonly strikes: number;
  /** The file from which it is known, where an earlier process learned it. */
  readonly rememberedIn?: string | undefined;
}

export interface RingKey {
  readonly label: string;
  readonly inFlight: number;
  readonly started: number;
  /** Known from a message of the host's; keys of one organisation share its limits. */
  readonly organisation?: string;
  /** Why the key is of no use any more. */
  readonly ended?: string;
  /** By model. */
  readonly cooling: ReadonlyMap<string, Cooling>;
}

/** What is known of a model beside its keys. */
export interface ModelState {
  /** Why it cannot be had, with whatever key. */
  readonly ended?: string;
  /** First and last 429 since its last answer. */
  readonly limited?: { readonly since: number; readonly last: number };
  /** Calls in a row that failed after all tries. */
  readonly failures: number;
}

export interface RingSettings {
  /** Requests in flight at once with one key. */
  readonly concurrencyPerKey: number;
  /** Milliseconds without any answer of a model that its callers wait at most. */
  readonly longestWait: number;
  /** Milliseconds of the first rest where the host names no time. */
  readonly backoff: number;
  /** Calls in a row that fail after all tries until the model counts as out of reach. */
  readonly failuresInARow: number;
}

/** All that is known of keys and models; key_ring_changes.ts makes a new one of each event. */
export interface KeyRing {
  readonly settings: RingSettings;
  readonly keys: readonly RingKey[];
  readonly models: ReadonlyMap<string, ModelState>;
  /** Whether any call was answered; then a host that is out of reach was there before. */
  readonly reached?: boolean;
  /** Why the host cannot be had, with whatever key and model. */
  readonly ended?: string;
}

/** A key and when it may be used again; never, where it has ended. */
export type KeyReturn =
  | ({ readonly label: string } & Pick<Cooling, "until" | "limit" | "rememberedIn">)
  | { readonly label: string; readonly ended: string };

/** What is to be done about a call now. */
export type NextStep =
  | { readonly kind: "use"; readonly label: string }
  /** All keys that may be used are in use: the end of some request is the time to ask again. */
  | { readonly kind: "busy" }
  | {
    readonly kind: "wait";
    readonly until: number;
    readonly label: string;
    readonly limit: LimitKind;
  }
  | { readonly kind: "exhausted"; readonly returns: readonly KeyReturn[] }
  | { readonly kind: "model ended"; readonly message: string }
  | { readonly kind: "host ended"; readonly message: string };

/** The steps after which nothing of the model is to be had. */
export type LastStep = NextStep & {
  readonly kind: "exhausted" | "model ended" | "host ended";
};

/** A new ring of unused keys. */
export function keyRing(labels: readonly string[], settings: RingSettings): KeyRing {
  const keys = labels.map((label) => ({ label, inFlight: 0, started: 0, cooling: new Map() }));
  // Without any rest a storm of 429s would be answered by a storm of requests.
  const backoff = Math.max(1, settings.backoff);
  return { settings: { ...settings, backoff }, keys, models: new Map() };
}

/** What a call of `model` is to do now: the same ring, model and time give the same step. */
export function next(ring: KeyRing, model: string, now: number): NextStep {
  const { settings, models } = ring;
  if (ring.ended !== undefined) return { kind: "host ended", message: ring.ended };
  const state = models.get(model);
  if (state?.ended !== undefined) return { kind: "model ended", message: state.ended };
  const living = ring.keys.filter(({ ended }) => ended === undefined);
  const rested = living.filter((key) => restsUntil(key, model) <= now);
  const free = rested.filter(({ inFlight }) => inFlight < settings.concurrencyPerKey);
  const [key] = free.toSorted((a, b) => a.inFlight - b.inFlight || a.started - b.started);
  if (key) return { kind: "use", label: key.label };
  if (rested.length > 0) return { kind: "busy" };
  const [first] = living.toSorted((a, b) => restsUntil(a, model) - restsUntil(b, model));
  const cooling = first?.cooling.get(model);
  // A clock set back would make a short rest a long one: who waits must hear of that, too.
  const since = Math.min(state?.limited?.since ?? now, now);
  if (!first || !cooling || cooling.until - since > settings.longestWait) {
    return { kind: "exhausted", returns: keyReturns(ring, model, now) };
  }
  return { kind: "wait", until: cooling.until, label: first.label, limit: cooling.limit };
}

/** When the key may be used for the model again; long ago, where it never rested. */
export function restsUntil({ cooling }: RingKey, model: string): number {
  return cooling.get(model)?.until ?? -Infinity;
}

/** When each key that cannot be used for the model returns. */
export function keyReturns(ring: KeyRing, model: string, now: number): readonly KeyReturn[] {
  return ring.keys.flatMap(({ label, ended, cooling }): readonly KeyReturn[] => {
    if (ended !== undefined) return [{ label, ended }];
    const rest = cooling.get(model);
    if (rest === undefined || rest.until <= now) return [];
    const { until, limit, rememberedIn } = rest;
    return [{ label, until, limit, ...(rememberedIn === undefined ? {} : { rememberedIn }) }];
  });
}
