import { sleep } from "./time_limit.ts";

/** Tokens of one call, as the server counted them. */
export interface TokenCount {
  readonly promptTokens: number;
  readonly replyTokens: number;
}

/** What requests are sent for: their lengths differ, and so what the next will take. */
export const PURPOSES = ["questions", "proposals"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Why everybody waits, for a status line; see `formatWait`. */
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

/** How keyed calls are made; what is left out is as {@link settingsOf} has it. */
export interface KeyedCallsOptions {
  /** Requests in flight at once with one key. */
  readonly concurrencyPerKey?: number;
  /** A longer wait for all keys, counted from a model's last answer, ends in ModelUnavailable. */
  readonly longestWaitSeconds?: number;
  /** For one try, the reading of the body included. */
  readonly timeoutSeconds?: number;
  /** Tries of a call that meets network errors, 5xx and broken replies. */
  readonly tries?: number;
  /** First wait between tries, and after a 429 that names no time; it doubles, the former with jitter. */
  readonly backoffSeconds?: number;
  /**
   * Calls in a row that fail, all tries used, until the model counts as out of reach; left out, four
   * times as many as may be in flight, so that a short outage, which fails all in flight, is outlived.
   */
  readonly failuresInARow?: number;
  /** Who is asked, for messages. */
  readonly host?: string;
  /** What to do where the host does not serve a model. */
  readonly modelRemedy?: string;
  /** The file that remembers usage and returns; nothing does where it is left out. */
  readonly usagePath?: string;
  /** What its requests are counted as; questions where it is left out. */
  readonly purpose?: Purpose;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Resolves after so long; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Hears why all wait: at most once a second, and once a second while they do. */
  readonly onWait?: (status: WaitStatus) => void;
}

/** What holds where nothing else is said. */
const DEFAULTS = {
  concurrencyPerKey: 4,
  longestWaitSeconds: 300,
  timeoutSeconds: 30,
  tries: 3,
  backoffSeconds: 1,
  purpose: "questions",
  host: "Groq",
  modelRemedy: "serve its open weights from a server of your own and put that, as " +
    "kind: openai-compatible, under the same id in data/panels/groq.yaml",
  now: () => Date.now(),
  sleep,
  onWait: () => {},
} as const satisfies KeyedCallsOptions;

/** Options with everything said. */
export type Settings =
  & Required<Omit<KeyedCallsOptions, "usagePath">>
  & Pick<KeyedCallsOptions, "usagePath">;

/** The options for so many keys, with what they leave out. */
export function settingsOf(options: KeyedCallsOptions, keys: number): Settings {
  const settings = { ...DEFAULTS, ...options };
  const failuresInARow = options.failuresInARow ?? 4 * keys * settings.concurrencyPerKey;
  return { ...settings, failuresInARow };
}
