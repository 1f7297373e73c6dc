import { createHash } from "node:crypto";
import { z } from "zod";
import { shownPath } from "../../files/atomic.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import type { ApiKey } from "./api_keys.ts";
import { LIMIT_KINDS } from "./call_problem.ts";
import type { KeyRing } from "./key_ring.ts";

/** Tokens of one call, as the server counted them. */
export interface TokenCount {
  readonly promptTokens: number;
  readonly replyTokens: number;
}

/** What requests are sent for: their lengths differ, and so what the next will take. */
export type Purpose = "questions" | "proposals";
const COUNT = z.int().min(0);

/** What a later process wants to know: nothing in it is secret. */
const USAGE = z.strictObject({
  days: z.array(z.strictObject({
    day: z.iso.date(),
    model: z.string(),
    /** Files that know no purposes counted questions. */
    purpose: z.enum(["questions", "proposals"]).default("questions"),
    requests: COUNT,
    answers: COUNT,
    promptTokens: COUNT,
    replyTokens: COUNT,
  })),
  rests: z.array(z.strictObject({
    key: z.string(),
    fingerprint: z.string(),
    model: z.string(),
    limit: z.enum(LIMIT_KINDS),
    until: z.iso.datetime(),
  })),
});
type Usage = z.infer<typeof USAGE>;

/** The file's usage; none where it is missing or damaged, for it is only a memory. */
export function readUsage(path: string): Usage {
  const none = { days: [], rests: [] };
  try {
    return USAGE.safeParse(JSON.parse(Deno.readTextFileSync(path))).data ?? none;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return none;
    throw error;
  }
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
function meanPerAnswer(
  parts: readonly (TokenCount & { readonly answers: number })[],
): TokenCount | undefined {
  const sum = (of: "answers" | keyof TokenCount) =>
    parts.reduce((total, part) => total + part[of], 0);
  const answers = sum("answers");
  if (answers === 0) return undefined;
  return { promptTokens: sum("promptTokens") / answers, replyTokens: sum("replyTokens") / answers };
}

/** The keys that rest for a model still, first to return first. */
export function restsOf({ rests }: Usage, model: string, now: number): Usage["rests"] {
  return rests.filter((rest) => rest.model === model && Date.parse(rest.until) > now)
    .toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** What both know: 60 days added up, of each rest the later end; what is past is left out. */
function merged(first: Usage, second: Usage, now: number): Usage {
  const oldest = dayOf(now - 60 * 86_400_000);
  const days = new Map<string, Usage["days"][number]>();
  for (const entry of [...first.days, ...second.days].filter(({ day }) => day >= oldest)) {
    const name = JSON.stringify([entry.day, entry.model, entry.purpose]);
    const sum = { ...entry };
    const before = days.get(name);
    for (const count of ["requests", "answers", "promptTokens", "replyTokens"] as const) {
      sum[count] += before?.[count] ?? 0;
    }
    days.set(name, sum);
  }
  const rests = new Map<string, Usage["rests"][number]>();
  for (const rest of [...first.rests, ...second.rests]) {
    const name = JSON.stringify([rest.key, rest.fingerprint, rest.model]);
    const before = Date.parse(rests.get(name)?.until ?? "") || 0;
    if (Date.parse(rest.until) > Math.max(now, before)) rests.set(name, rest);
  }
  return { days: [...days.values()], rests: [...rests.values()] };
}

interface SentRequest {
  readonly model: string;
  readonly purpose: Purpose;
  readonly tokens?: TokenCount | undefined;
}

/** What was used and which keys rest, kept for later processes. Disposing of it writes it. */
export type UsageMemory = ReturnType<typeof openUsageMemory>;

const PAUSE = 2000;

/** A new rest longer than this, in milliseconds, is written at once: a later process must not miss it. */
const LONG = 60_000;

/** The memory at the path, else one that forgets; processes add to what stands there on writing. */
export function openUsageMemory(
  path: string | undefined,
  keys: readonly ApiKey[],
  now: () => number,
) {
  // Eight digits of a hash tell a changed key from the same, and nothing about either.
  const fingerprints = new Map(keys.map((key) => [
    key.label,
    createHash("sha256").update(key.reveal()).digest("hex").slice(0, 8),
  ]));
  let unwritten: Usage = { days: [], rests: [] };
  let isChanged = false;
  let writtenAt = -Infinity;
  const write = () => {
    writtenAt = now();
    if (path !== undefined && isChanged) {
      writeJsonAtomic(path, merged(readUsage(path), unwritten, writtenAt));
    }
    unwritten = { ...unwritten, days: [] };
    isChanged = false;
  };
  /** An answer must not be lost because a memory cannot be kept: disposing says so in the end. */
  const writeSoon = (isUrgent: boolean) => {
    isChanged = true;
    if (!isUrgent && now() - writtenAt < PAUSE) return;
    try {
      write();
    } catch {
      isChanged = true;
    }
  };
  return {
    restore(ring: KeyRing): void {
      if (path === undefined) return;
      for (const { key, fingerprint, model, limit, until: end } of readUsage(path).rests) {
        const until = Date.parse(end);
        if (fingerprints.get(key) !== fingerprint || until <= now()) continue;
        ring.remember(key, model, { limit, until, rememberedIn: shownPath(path) });
      }
    },
    request({ tokens, ...sent }: SentRequest): void {
      const { promptTokens, replyTokens } = tokens ?? { promptTokens: 0, replyTokens: 0 };
      const answers = tokens ? 1 : 0;
      const one = { ...sent, day: dayOf(now()), requests: 1, answers, promptTokens, replyTokens };
      unwritten = merged(unwritten, { days: [one], rests: [] }, now());
      writeSoon(false);
    },
    rests(ring: KeyRing): void {
      const known = new Set(unwritten.rests.map(({ until }) => until));
      const rests = ring.keys.flatMap(({ label, rests }) =>
        [...rests].filter(([, { until }]) => until > now()).map(([model, { until, limit }]) => ({
          key: label,
          fingerprint: fingerprints.get(label) ?? "",
          model,
          limit,
          until: new Date(until).toISOString(),
        }))
      );
      unwritten = { ...unwritten, rests };
      writeSoon(rests.some(({ until }) => !known.has(until) && Date.parse(until) - now() > LONG));
    },
    [Symbol.dispose]: write,
  };
}
