import { z } from "zod";
import { LIMIT_KINDS } from "./rate_limit.ts";
import { type Purpose, PURPOSES, type TokenCount } from "./keyed_calls_options.ts";

const DAY = z.strictObject({
  /** UTC, `2026-11-22`. */
  day: z.iso.date(),
  model: z.string(),
  /** Files that know no purposes counted questions. */
  purpose: z.enum(PURPOSES).default("questions"),
  /** Requests sent, whatever came of them. */
  requests: z.int().min(0),
  /** Those that were answered; the tokens are theirs. */
  answers: z.int().min(0),
  promptTokens: z.int().min(0),
  replyTokens: z.int().min(0),
});

const REST = z.strictObject({
  /** The key's label. */
  key: z.string(),
  /** Tells whether it is the same key still; a few digits of its hash. */
  fingerprint: z.string(),
  model: z.string(),
  limit: z.enum(LIMIT_KINDS),
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

/** A request that went out. */
export interface SentRequest {
  readonly model: string;
  readonly purpose: Purpose;
  /** What it used, where it was answered. */
  readonly tokens?: TokenCount | undefined;
}

export const NO_USAGE: Usage = { days: [], rests: [] };

/** Days kept. */
const REMEMBERED_DAYS = 60;

/** The day of a time, in UTC, as hosts count. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Usage with one request more, and what it used where it was answered. */
export function withRequest(
  usage: Usage,
  { model, purpose, tokens }: SentRequest,
  now: number,
): Usage {
  const used = tokens ?? { promptTokens: 0, replyTokens: 0 };
  const { promptTokens, replyTokens } = used;
  const answers = tokens ? 1 : 0;
  const one = { day: dayOf(now), model, purpose, requests: 1, answers, promptTokens, replyTokens };
  return mergedUsage(usage, { days: [one], rests: [] }, now);
}

/** What both know: days added up, of each rest the later end; what is long past is left out. */
export function mergedUsage(first: Usage, second: Usage, now: number): Usage {
  const oldest = dayOf(now - REMEMBERED_DAYS * 86_400_000);
  const days = new Map<string, DayOfUse>();
  for (const entry of [...first.days, ...second.days].filter(({ day }) => day >= oldest)) {
    const name = JSON.stringify([entry.day, entry.model, entry.purpose]);
    const before = days.get(name);
    days.set(name, before ? sumOf(before, entry) : entry);
  }
  const rests = new Map<string, Rest>();
  for (const rest of [...first.rests, ...second.rests]) {
    const name = JSON.stringify([rest.key, rest.fingerprint, rest.model]);
    const before = rests.get(name);
    const isLater = Date.parse(rest.until) > Math.max(now, Date.parse(before?.until ?? "") || 0);
    if (isLater) rests.set(name, rest);
  }
  return { days: [...days.values()], rests: [...rests.values()] };
}

function sumOf(a: DayOfUse, b: DayOfUse): DayOfUse {
  return {
    ...a,
    requests: a.requests + b.requests,
    answers: a.answers + b.answers,
    promptTokens: a.promptTokens + b.promptTokens,
    replyTokens: a.replyTokens + b.replyTokens,
  };
}

/** Mean tokens of a model's answers to one purpose on record; undefined where it has none. */
export function meanTokens(
  { days }: Usage,
  model: string,
  purpose: Purpose,
): TokenCount | undefined {
  return meanPerAnswer(days.filter((entry) => entry.model === model && entry.purpose === purpose));
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
