import { z } from "zod";
import type { LimitKind } from "./rate_limit.ts";
import type { TokenCount } from "./keyed_calls_options.ts";

const DAY = z.strictObject({
  /** UTC, `2026-11-22`. */
  day: z.iso.date(),
  model: z.string(),
  /** Requests sent, whatever came of them. */
  requests: z.int().min(0),
  /** Those that were answered; the tokens are theirs. */
  answers: z.int().min(0),
  promptTokens: z.int().min(0),
  replyTokens: z.int().min(0),
});

const LIMITS = [
  "requests per minute",
  "tokens per minute",
  "requests per day",
  "tokens per day",
  "rate limit",
] as const satisfies readonly LimitKind[];

const REST = z.strictObject({
  /** The key's label. */
  key: z.string(),
  /** Tells whether it is the same key still; a few digits of its hash. */
  fingerprint: z.string(),
  model: z.string(),
  limit: z.enum(LIMITS),
  until: z.iso.datetime(),
});

const USAGE = z.strictObject({ days: z.array(DAY), rests: z.array(REST) });

/** What a model used on one day. */
export type DayOfUse = Readonly<z.infer<typeof DAY>>;
/** A key that rests for a model. */
export type Rest = Readonly<z.infer<typeof REST>>;

/** What a later process wants to know: nothing in it is secret. */
export interface Usage {
  readonly days: readonly DayOfUse[];
  readonly rests: readonly Rest[];
}

export const NO_USAGE: Usage = { days: [], rests: [] };

/** Days kept. */
const REMEMBERED_DAYS = 60;

/** The day of a time, in UTC, as hosts count. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Usage with one request more, and what it used where it was answered. */
export function withRequest(
  { days, rests }: Usage,
  model: string,
  now: number,
  tokens?: TokenCount,
): Usage {
  const day = dayOf(now);
  const isToday = (entry: DayOfUse) => entry.day === day && entry.model === model;
  const zero = { day, model, requests: 0, answers: 0, promptTokens: 0, replyTokens: 0 };
  const { requests, answers, promptTokens, replyTokens } = days.find(isToday) ?? zero;
  const today: DayOfUse = {
    day,
    model,
    requests: requests + 1,
    answers: answers + (tokens ? 1 : 0),
    promptTokens: promptTokens + (tokens?.promptTokens ?? 0),
    replyTokens: replyTokens + (tokens?.replyTokens ?? 0),
  };
  const oldest = dayOf(now - REMEMBERED_DAYS * 86_400_000);
  const others = days.filter((entry) => !isToday(entry) && entry.day >= oldest);
  return { days: [...others, today], rests };
}

/** Mean tokens of a model's answers on record; undefined where it has none. */
export function meanTokens({ days }: Usage, model: string): TokenCount | undefined {
  return meanPerAnswer(days.filter((entry) => entry.model === model));
}

/** Mean tokens over answers that were counted in parts; undefined where there are none. */
export function meanPerAnswer(
  parts: readonly (TokenCount & { readonly answers: number })[],
): TokenCount | undefined {
  const sum = (of: (part: typeof parts[number]) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const answers = sum((part) => part.answers);
  if (answers === 0) return undefined;
  return {
    promptTokens: sum((part) => part.promptTokens) / answers,
    replyTokens: sum((part) => part.replyTokens) / answers,
  };
}

/** The keys that rest for a model still, first to return first. */
export function restsOf({ rests }: Usage, model: string, now: number): readonly Rest[] {
  return rests.filter((rest) => rest.model === model && Date.parse(rest.until) > now)
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
}

/** The file's usage; none where it is missing or damaged, for it is only a memory. */
export function readUsage(path: string): Usage {
  try {
    const result = USAGE.safeParse(JSON.parse(Deno.readTextFileSync(path)));
    return result.success ? result.data : NO_USAGE;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return NO_USAGE;
    throw error;
  }
}
