import { formatDuration } from "../../files/progress.ts";
import { ModelUnavailable } from "../model.ts";
import { KEYLESS } from "./api_keys.ts";
import type { CallProblem, LimitKind, RateLimit } from "./call_problem.ts";

interface Rest {
  readonly until: number;
  readonly limit: LimitKind;
  /**
   * Number of consecutive rate limits without an answer. Each doubles a pause of unknown length.
   */
  readonly strikes: number;
  readonly rememberedIn?: string;
}

interface RingKey {
  readonly label: string;
  inFlight: number;
  started: number;
  /** Organisation, as named in a message of the host. Its keys share limits. */
  organisation?: string | undefined;
  ended?: string;
  rests: Map<string, Rest>;
}

/** State of a model, independent of keys. */
interface ModelState {
  ended?: string;
  limited?: { readonly since: number; readonly last: number };
  /** Number of consecutive calls that failed in all attempts. */
  failures: number;
}

export interface RingSettings {
  readonly concurrencyPerKey: number;
  /**
   * Maximum seconds of waiting for any key since a model's last answer, before ModelUnavailable.
   */
  readonly longestWaitSeconds: number;
  /**
   * First wait in seconds between attempts, and after a 429 response without a time. It doubles;
   * the former has jitter.
   */
  readonly backoffSeconds: number;
  /** Number of consecutive failed calls after which a model counts as unreachable. */
  readonly failuresInARow: number;
}

type KeyReturn = { readonly label: string } & (Rest | { readonly ended: string });

/** Next step of a call. `busy` means to ask again when a request ends. */
export type NextStep =
  | { readonly kind: "use"; readonly label: string }
  | { readonly kind: "busy" }
  | { readonly kind: "wait"; readonly label: string } & Pick<Rest, "until" | "limit">
  | LastStep;

type LastStep =
  | { readonly kind: "exhausted"; readonly returns: readonly KeyReturn[] }
  | { readonly kind: "model ended"; readonly message: string }
  | { readonly kind: "host ended"; readonly message: string };

/** State of keys and models, updated by events. It has no clock and makes no requests. */
export class KeyRing {
  readonly keys: readonly RingKey[];
  /** True once any call was answered, so that the host was reachable. */
  reached = false;
  readonly #models = new Map<string, ModelState>();
  /** Reason why the host is unavailable for all keys and models. */
  #ended: string | undefined;

  constructor(labels: readonly string[], private readonly settings: RingSettings) {
    this.keys = labels.map((label) => ({ label, inFlight: 0, started: 0, rests: new Map() }));
  }

  next(model: string, now: number): NextStep {
    if (this.#ended !== undefined) return { kind: "host ended", message: this.#ended };
    const state = this.#models.get(model);
    if (state?.ended !== undefined) return { kind: "model ended", message: state.ended };
    const living = this.keys.filter(({ ended }) => ended === undefined);
    const rested = living.filter((key) => restsUntil(key, model) <= now);
    const [free] = rested.filter((key) => key.inFlight < this.settings.concurrencyPerKey)
      .toSorted((a, b) => a.inFlight - b.inFlight || a.started - b.started);
    if (free) return { kind: "use", label: free.label };
    if (rested.length > 0) return { kind: "busy" };
    const [first] = living.toSorted((a, b) => restsUntil(a, model) - restsUntil(b, model));
    const rest = first?.rests.get(model);
    // A clock set back would make a short rest a long one: who waits must hear of that, too.
    const since = Math.min(state?.limited?.since ?? now, now);
    if (first && rest && rest.until - since <= this.settings.longestWaitSeconds * 1000) {
      return { kind: "wait", until: rest.until, label: first.label, limit: rest.limit };
    }
    const returns = this.keys.map(({ label, ended, rests }) =>
      ended === undefined ? { label, ...rests.get(model)! } : { label, ended }
    );
    return { kind: "exhausted", returns };
  }

  #key(label: string): RingKey {
    return this.keys.find((key) => key.label === label)!;
  }

  #model(model: string): ModelState {
    const state = this.#models.get(model) ?? { failures: 0 };
    this.#models.set(model, state);
    return state;
  }

  #members({ label, organisation }: RingKey): readonly RingKey[] {
    return this.keys.filter((key) =>
      key.label === label || (organisation && key.organisation === organisation)
    );
  }

  started(label: string): void {
    const key = this.#key(label);
    key.inFlight += 1;
    key.started += 1;
  }

  settle(
    label: string,
    model: string,
    outcome: { readonly kind: "done" | "aborted" } | CallProblem,
    now: number,
  ): void {
    const key = this.#key(label);
    key.inFlight -= 1;
    if (outcome.kind === "done") {
      // What was counted against model and key is forgotten; a rest still running is not.
      this.reached = true;
      if (this.#models.get(model)?.ended === undefined) this.#models.delete(model);
      if (restsUntil(key, model) <= now) key.rests.delete(model);
    } else if (outcome.kind === "model") {
      this.#model(model).ended = outcome.message;
    } else if (outcome.kind === "key") {
      key.organisation = outcome.organisation ?? key.organisation;
      const members = outcome.wholeOrganisation ? this.#members(key) : [key];
      for (const member of members) member.ended = outcome.message;
    } else if (outcome.kind === "limited") {
      key.organisation = outcome.organisation ?? key.organisation;
      this.#limit(key, model, outcome.rate, now);
    }
  }

  /** Pauses a key and its organisation's other keys for a model. */
  #limit(key: RingKey, model: string, rate: RateLimit, now: number): void {
    const { longestWaitSeconds, backoffSeconds } = this.settings;
    const state = this.#model(model);
    const before = state.limited;
    const isRow = before && now - before.last <= longestWaitSeconds * 1000;
    state.limited = { since: isRow ? before.since : now, last: now };
    // Without any rest a storm of 429s would be answered by a storm of requests.
    const backoff = Math.max(1, backoffSeconds * 1000);
    key.rests.set(model, laterRest(key.rests.get(model), rate, backoff, now));
    const members = this.#members(key);
    const shared = new Map<string, Rest>();
    for (const [model, rest] of members.flatMap(({ rests }) => [...rests])) {
      if (rest.until > (shared.get(model)?.until ?? -Infinity)) shared.set(model, rest);
    }
    for (const member of members) member.rests = new Map(shared);
  }

  /** Records a call that failed in all attempts. After several the model counts as unreachable. */
  failed(model: string, message: string): void {
    const state = this.#model(model);
    state.failures += 1;
    if (state.failures < this.settings.failuresInARow) return;
    state.ended = `${state.failures} calls in a row failed, the last because ${message}`;
  }

  hostEnded(message: string): void {
    this.#ended = message;
  }

  remember(label: string, model: string, rest: Omit<Rest, "strikes">): void {
    this.#key(label).rests.set(model, { ...rest, strikes: 0 });
  }
}

function restsUntil({ rests }: RingKey, model: string): number {
  return rests.get(model)?.until ?? -Infinity;
}

/**
 * Returns the pause of a key after a 429 response. Concurrent refusals count once. The host's time
 * is used if it is given. If it was too short, the next pause is at least as long as without it. A
 * daily quota without a time ends at midnight UTC.
 * @param backoff Milliseconds of the first pause. Each strike doubles it, up to a minute.
 */
function laterRest(
  before: Rest | undefined,
  { limit, waitSeconds }: RateLimit,
  backoff: number,
  now: number,
): Rest {
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

/** Formats a time, rounded up to seconds: `2026-11-23 01:00:05 here, 2026-11-23 00:00:05 UTC`. */
export function formatReturn(until: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const time = new Date(Math.ceil(until / 1000) * 1000);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join("-");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${day} ${clock} here, ${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Adds a full stop unless the text ends in punctuation. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export function modelUnavailable(model: string, step: LastStep): ModelUnavailable {
  const again = "run the same command again";
  const later = `What is answered is kept: ${again} afterwards.`;
  // The same for every model there, so that it is reported once.
  if (step.kind === "host ended") return new ModelUnavailable(`${step.message}. ${later}`, model);
  if (step.kind === "model ended") {
    return new ModelUnavailable(withFullStop(`Cannot ask ${model}: ${step.message}`), model);
  }
  const { returns: [only], returns } = step;
  const times = returns.flatMap((key) => "until" in key ? [key.until] : []);
  const first = times.length > 0 ? new Date(Math.min(...times)) : undefined;
  const refusal = (why: string) =>
    new ModelUnavailable(`Cannot ask ${model}: ${why}`, model, first);
  if (only?.label === KEYLESS) {
    const back = (rest: Rest) =>
      `its server takes questions again ${formatReturn(rest.until)} (${rest.limit})`;
    return refusal(`${"ended" in only ? only.ended : back(only)}. ${later}`);
  }
  const keys = [...restingKeys(returns), ...endedKeys(returns)].join("; ");
  const remedy = first
    ? `${again} then, or add a key of another organisation`
    : `put a valid key in .env and ${again}`;
  return refusal(`no available keys remain: ${keys}. What is answered is kept: ${remedy}.`);
}

/** Formats when keys are available again: both of two, the first and last of more. */
function restingKeys(returns: readonly KeyReturn[]): readonly string[] {
  const resting = returns.filter((key) => "until" in key).sort((a, b) => a.until - b.until);
  const shown = resting.length <= 2 ? resting : [resting[0]!, resting.at(-1)!];
  const words = shown.map(({ label, until, limit, rememberedIn: file }, at) => {
    const which = shown === resting ? "" : at === 0 ? "first " : "last ";
    const remembered = file === undefined
      ? ""
      : `, as ${file} remembers: delete it where the limit was raised since`;
    return `${label} returns ${which}${formatReturn(until)} (${limit}${remembered})`;
  });
  return shown === resting ? words : [`${resting.length} keys rest, ${words.join(", ")}`];
}

/** Formats permanently unusable keys, grouped by reason. */
const endedKeys = (returns: readonly KeyReturn[]): readonly string[] =>
  [...Map.groupBy(returns.filter((key) => "ended" in key), ({ ended }) => ended)]
    .map(([why, keys]) => {
      const labels = keys.map(({ label }) => label).join(", ");
      return `${labels} ${keys[1] === undefined ? "does" : "do"} not return: ${why}`;
    });

export interface WaitStatus {
  readonly model: string;
  readonly key: string;
  readonly limit: string;
  readonly seconds: number;
}

/** Formats a wait: `waiting 0:43 for GROQ_API_KEY_1, openai/gpt-oss-120b (tokens per minute)`. */
export function formatWait({ seconds, key, model, limit }: WaitStatus): string {
  const whom = key === KEYLESS ? model : `${key}, ${model}`;
  return `waiting ${formatDuration(Math.ceil(seconds))} for ${whom} (${limit})`;
}
