import { formatDuration } from "../../files/progress.ts";
import { KEYLESS } from "./api_keys.ts";
import type { LimitKind, RateLimit } from "./call_problem.ts";

/** A key that rests for one model. */
interface Cooling {
  /** Milliseconds since 1970, as all times here. */
  readonly until: number;
  readonly limit: LimitKind;
  /** Rests in a row without an answer between: where nobody names a time, the rest doubles. */
  readonly strikes: number;
  /** The file from which it is known, where an earlier process learned it. */
  readonly rememberedIn?: string | undefined;
}

interface RingKey {
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
interface ModelState {
  /** Why it cannot be had, with whatever key. */
  readonly ended?: string;
  /** First and last 429 since its last answer. */
  readonly limited?: { readonly since: number; readonly last: number };
  /** Calls in a row that failed after all tries. */
  readonly failures: number;
}

interface RingSettings {
  /** Requests in flight at once with one key. */
  readonly concurrencyPerKey: number;
  /** Milliseconds without any answer of a model that its callers wait at most. */
  readonly longestWait: number;
  /** Milliseconds of the first rest where the host names no time. */
  readonly backoff: number;
  /** Calls in a row that fail after all tries until the model counts as out of reach. */
  readonly failuresInARow: number;
}

/** All that is known of keys and models; each event below makes a new one. */
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
function keyReturns(ring: KeyRing, model: string, now: number): readonly KeyReturn[] {
  return ring.keys.flatMap(({ label, ended, cooling }): readonly KeyReturn[] => {
    if (ended !== undefined) return [{ label, ended }];
    const rest = cooling.get(model);
    if (rest === undefined || rest.until <= now) return [];
    const { until, limit, rememberedIn } = rest;
    return [{ label, until, limit, ...(rememberedIn && { rememberedIn }) }];
  });
}

function withKey(ring: KeyRing, label: string, change: (key: RingKey) => RingKey): KeyRing {
  return { ...ring, keys: ring.keys.map((key) => key.label === label ? change(key) : key) };
}

function withModel(ring: KeyRing, model: string, change: Partial<ModelState>): KeyRing {
  const state = { failures: 0, ...ring.models.get(model), ...change };
  return { ...ring, models: new Map(ring.models).set(model, state) };
}

function withOrganisation(ring: KeyRing, label: string, organisation?: string): KeyRing {
  return organisation === undefined
    ? ring
    : withKey(ring, label, (key) => ({ ...key, organisation }));
}

function organisationOf(ring: KeyRing, label: string): string | undefined {
  return ring.keys.find((key) => key.label === label)?.organisation;
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
  const models = new Map(ring.models);
  if (models.get(model)?.ended === undefined) models.delete(model);
  return withKey({ ...ring, reached: true, models }, label, (key) => {
    if (!key.cooling.has(model) || restsUntil(key, model) > now) return key;
    const cooling = new Map(key.cooling);
    cooling.delete(model);
    return { ...key, cooling };
  });
}

/** A call failed after all its tries; many in a row and the model counts as out of reach. */
export function failed(ring: KeyRing, model: string, message: string): KeyRing {
  const failures = (ring.models.get(model)?.failures ?? 0) + 1;
  if (failures < ring.settings.failuresInARow) return withModel(ring, model, { failures });
  const ended = `${failures} calls in a row failed, the last because ${message}`;
  return withModel(ring, model, { failures, ended });
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
  const own = organisationOf(learned, label);
  const keys = learned.keys.map((key) => {
    const isSame = wholeOrganisation && own !== undefined && key.organisation === own;
    return key.label === label || isSame ? { ...key, ended: message } : key;
  });
  return { ...learned, keys };
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
  return sharedRests(withOrganisation(cooled, label, organisation), label);
}

/**
 * The rest after one more 429. Requests that were in flight together are refused together: that is
 * one strike. A time that the host names is kept to; where it proved too short, the next rest is
 * no shorter than if none were named. A daily quota without a time returns at midnight UTC.
 *
 * @param backoff Milliseconds of the first guess; it doubles with every strike, up to a minute.
 */
function laterRest(
  before: Cooling | undefined,
  { limit, waitSeconds }: RateLimit,
  backoff: number,
  now: number,
): Cooling {
  const grown = (strikes: number) =>
    strikes < 1 ? 0 : Math.min(backoff * 2 ** (strikes - 1), Math.max(60_000, backoff));
  const running = before !== undefined && before.until > now;
  const strikes = running ? before.strikes : (before?.strikes ?? 0) + 1;
  const until = waitSeconds !== undefined
    ? now + Math.max(waitSeconds * 1000, grown(strikes - 1))
    : limit.endsWith("per day")
    ? (Math.floor(now / 86_400_000) + 1) * 86_400_000
    : now + grown(strikes);
  return running && before.until >= until ? before : { until, limit, strikes };
}

/** Gives all keys of the key's organisation the longest of their rests, model by model. */
function sharedRests(ring: KeyRing, label: string): KeyRing {
  const organisation = organisationOf(ring, label);
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
  rests: readonly (Pick<Cooling, "until" | "limit"> & {
    readonly label: string;
    readonly model: string;
  })[],
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

/** `2026-11-23 01:00:05 here, 2026-11-23 00:00:05 UTC`; seconds rounded up, never too early. */
export function formatReturn(until: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const time = new Date(Math.ceil(until / 1000) * 1000);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join("-");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  const utc = time.toISOString().slice(0, 19).replace("T", " ");
  return `${day} ${clock} here, ${utc} UTC`;
}

/** The text with a full stop, where it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const KEPT = "What is answered is kept";

/** Why a model cannot be asked now, and when to try again. */
export function unavailableMessage(model: string, step: LastStep): string {
  // The same for every model there, so that it is told once.
  if (step.kind === "host ended") {
    return `${step.message}. ${KEPT}: run the same command again afterwards.`;
  }
  if (step.kind === "model ended") return sentence(`Cannot ask ${model}: ${step.message}`);
  const [only] = step.returns;
  if (only?.label === KEYLESS) {
    const why = "ended" in only
      ? only.ended
      : `its server takes questions again ${formatReturn(only.until)} (${only.limit})`;
    return `Cannot ask ${model}: ${why}. ${KEPT}: run the same command again afterwards.`;
  }
  const remedy = step.returns.some((key) => "until" in key)
    ? "run the same command again then, or add a key of another organisation"
    : "put a valid key in .env and run the same command again";
  const keys = step.returns.map(describeReturn).join("; ");
  return `Cannot ask ${model}: no available keys remain: ${keys}. ${KEPT}: ${remedy}.`;
}

function describeReturn(key: KeyReturn): string {
  if ("ended" in key) return `${key.label} does not return: ${key.ended}`;
  const remembered = key.rememberedIn === undefined
    ? ""
    : `, as ${key.rememberedIn} remembers: delete it where the limit was raised since`;
  return `${key.label} returns ${formatReturn(key.until)} (${key.limit}${remembered})`;
}

/** Why everybody waits, for a status line; see {@link formatWait}. */
export interface WaitStatus {
  readonly model: string;
  /** The label of the key that returns first. */
  readonly key: string;
  /** What it ran into: `tokens per minute`. */
  readonly limit: string;
  readonly until: Date;
  /** From now on. */
  readonly seconds: number;
}

/** `waiting 0:43 for GROQ_API_KEY_1, openai/gpt-oss-120b (tokens per minute)` */
export function formatWait({ seconds, key, model, limit }: WaitStatus): string {
  const whom = key === KEYLESS ? model : `${key}, ${model}`;
  return `waiting ${formatDuration(Math.ceil(seconds))} for ${whom} (${limit})`;
}
