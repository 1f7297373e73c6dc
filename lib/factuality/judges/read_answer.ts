import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import type { StructuredReply } from "../../models/model.ts";
import type { FlaggedPhrase, ParseStatus, TextSpan } from "../types.ts";

/** Reason why a model's text ended. */
export type EndReason = Extract<StructuredReply, { readonly kind: "answer" }>["ended"];

/** An unreadable answer with its reason. */
export interface MalformedAnswer {
  readonly kind: "malformed";
  readonly message: string;
}

/** Makes a malformed answer; `why` is a clause without its full stop. */
export function malformed(why: string): MalformedAnswer {
  return { kind: "malformed", message: `The answer cannot be read: ${why}.` };
}

/** A score with reasons, parsed from a model's text. */
interface ReadScore {
  readonly kind: "read";
  /** Score, 0–100. */
  readonly score: number;
  readonly reasoning: string;
  readonly flagged: readonly Omit<FlaggedPhrase, "span">[];
  readonly parse: JsonAnswer["parse"];
}

/**
 * Parses a judge's answer. It accepts JSON alone, in prose or in a code fence, truncated, with keys
 * in other case, or with a score in words. `readJsonAnswer` chooses among several objects. A score
 * outside 0–100 is malformed and never clipped. Never throws.
 */
export function readJudgement(
  text: string,
  ended?: EndReason,
  prompt?: string,
): ReadScore | MalformedAnswer {
  const answer = readJsonAnswer(text, ["score"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, raw, before } = answer;
  const written = valueUnder(value, ["score"]);
  const score = scoreFromValue(written);
  if (score === undefined || !isStatedIn(raw, Math.abs(score))) {
    return malformed(`its score is ${JSON.stringify(written)}`);
  }
  if (score < 0 || score > 100) return malformed(`its score, ${score}, is out of 0 to 100`);
  const reasoning = textUnder(value, ["reasoning", "explanation", "rationale"]) || before;
  const flagged = flaggedOf(valueUnder(value, ["flagged", "flaggedphrases", "flags"]));
  const plain = typeof written === "number" && Object.hasOwn(value, "score");
  const parse = answer.parse === "complete" && !plain ? "repaired" : answer.parse;
  return { kind: "read", score, reasoning, flagged, parse };
}

const WRITTEN_SCORE =
  /^(\d{1,3}(?:\.\d{1,6})?)(?:\s*(?:%|points?)|\s*(?:\/|out of)\s*(10|100)(?:\s*points?)?)?$/i;

/**
 * Converts a score to 0–100. Numbers stay unchanged; "85/100" and "8 out of 10" are read as
 * fractions. A bare 8 is 8 of 100, even if the model meant 8 of 10. Undefined for other values.
 */
function scoreFromValue(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const match = typeof value === "string" ? WRITTEN_SCORE.exec(value.trim()) : null;
  return match === null ? undefined : Number(match[1]) * (match[2] === "10" ? 10 : 1);
}

/** Tests whether the text states this number or a tenth of it. A repair must not invent a score. */
function isStatedIn(raw: string, score: number): boolean {
  const numbers = [...raw.matchAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)].map(([text]) => Number(text));
  return numbers.some((number) => number === score || number * 10 === score);
}

/** Returns the text under a key; a list becomes lines. */
function textUnder(value: JsonAnswer["value"], keys: readonly string[]): string {
  return [valueUnder(value, keys)].flat().filter((item) => typeof item === "string").join("\n")
    .trim();
}

function flaggedOf(value: unknown): ReadScore["flagged"] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map((item) => {
    const record = OBJECT.safeParse(item).data ?? { phrase: item };
    return {
      phrase: textUnder(record, ["phrase", "text", "span", "words"]),
      reason: textUnder(record, ["reason", "explanation"]),
    };
  }).filter(({ phrase }) => phrase !== "" && !isEchoed(phrase));
}

/** Detects an echo of the prompt's placeholder: `<words copied from the text>`. */
export const isEchoed = (phrase: string): boolean => /^<[^<>]*>$/.test(phrase);

const OBJECT = z.record(z.string(), z.unknown());

/** A JSON object parsed from a model's text. */
export interface JsonAnswer {
  readonly kind: "read";
  /** Values of any type by original key. */
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * `complete`: the text is this object; `repaired`: it was extracted or repaired; `partial`:
   * truncated.
   */
  readonly parse: Exclude<ParseStatus, "not parsed">;
  /** The object's source text. */
  readonly raw: string;
  /** The text before it. */
  readonly before: string;
}

/**
 * Finds the last object in a model's text with one of the keys. Keys are plain (see `plainKey`);
 * examples and drafts come earlier. Prose and text of the prompt are never read. Nothing is read
 * where a later object was truncated before that key. Without `ended` an unclosed object counts as
 * truncated.
 */
export function readJsonAnswer(
  text: string,
  keys: readonly string[],
  ended?: EndReason,
  prompt = "",
): JsonAnswer | MalformedAnswer {
  const answer = afterThoughts(text);
  if (answer === undefined) return malformed("it was cut off while the model was thinking");
  const hasWantedKey = (value: JsonAnswer["value"]) => valueUnder(value, keys) !== undefined;
  const objects = jsonObjects(answer).filter((object) => !isThought(answer, object));
  for (const object of objects.toReversed()) {
    const raw = answer.slice(object.start, object.end);
    const before = answer.slice(0, object.start).trim();
    if (!object.closed) {
      const part = unclosed(raw, object, ended, hasWantedKey);
      if (part === undefined) return malformed(`it was cut off before its ${keys[0]}`);
      return { kind: "read", ...part, raw, before };
    }
    const strict = parsed(raw);
    const value = strict ?? repaired(raw);
    if (value === undefined || !hasWantedKey(value) || isQuoted(raw, prompt)) continue;
    // It is unknown which of two values is meant.
    const wantedKeys = object.keys.map(plainKey).filter((key) => keys.includes(key));
    if (new Set(wantedKeys).size < wantedKeys.length) {
      return malformed(`its ${keys[0]} occurs twice`);
    }
    const parse = strict !== undefined && raw === text.trim() ? "complete" : "repaired";
    return { kind: "read", value, parse, raw, before };
  }
  return malformed(
    objects.length === 0 ? "it has no JSON object" : `no JSON object of its own has a ${keys[0]}`,
  );
}

/** Returns the value of the first key present. Keys are lower case without punctuation. */
export function valueUnder(value: JsonAnswer["value"], keys: readonly string[]): unknown {
  for (const wanted of keys) {
    const matchingKey = Object.keys(value).findLast((key) => plainKey(key) === wanted);
    if (matchingKey !== undefined) return value[matchingKey];
  }
  return undefined;
}

/**
 * Normalises a key to lower case without punctuation and remarks. `Flagged_Phrases` and `Score
 * (0-100)` are recognised, `score2` is not.
 */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/\([^()]*\)|[^a-z\d]/g, "");
}

function parsed(json: string): JsonAnswer["value"] | undefined {
  try {
    return OBJECT.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function repaired(json: string): JsonAnswer["value"] | undefined {
  try {
    return parsed(jsonrepair(json));
  } catch {
    return undefined;
  }
}

/**
 * Parses an object without its end. Truncation may fall within a value (85 becomes 8). The wanted
 * value must therefore precede a comma, or the model must have stopped by itself and omitted only
 * the brace. The remaining values are kept as far as they can be repaired.
 */
function unclosed(
  raw: string,
  { lastComma, start }: FoundObject,
  ended: EndReason | undefined,
  has: (value: JsonAnswer["value"]) => boolean,
) {
  const whole = ended === "complete" ? parsed(`${raw}}`) : undefined;
  if (whole !== undefined && has(whole)) return { value: whole, parse: "repaired" as const };
  const certain = lastComma && parsed(`${raw.slice(0, lastComma - start)}}`);
  if (!certain || !has(certain)) return undefined;
  return { value: { ...repaired(raw), ...certain }, parse: "partial" as const };
}

/** Removes a reasoning model's thoughts before its answer. */
function afterThoughts(text: string): string | undefined {
  if (!text.trimStart().startsWith("<think>")) return text;
  const end = text.indexOf("</think>");
  return end === -1 ? undefined : text.slice(end + "</think>".length);
}

/** Detects an object within thoughts, whether their start or their end is missing. */
function isThought(text: string, { start, end }: FoundObject): boolean {
  const [opened, closed] = [text.lastIndexOf("<think>"), text.lastIndexOf("</think>")];
  return end <= closed || (opened > closed && opened < start);
}

/**
 * Detects an object quoted from the prompt, whatever its spacing: the judged text may contain it.
 */
function isQuoted(raw: string, prompt: string): boolean {
  return prompt.replace(/\s+/g, "").includes(raw.replace(/\s+/g, ""));
}

/** Position of a JSON object, complete or truncated, in a text. */
interface FoundObject {
  readonly start: number;
  /** Index after its closing brace; the text's length if unclosed. */
  readonly end: number;
  readonly closed: boolean;
  /**
   * Index of its last top-level comma, before which all entries are complete. Undefined without
   * one.
   */
  readonly lastComma: number | undefined;
  /** Its top-level keys in double quotes, in order, duplicates included. */
  readonly keys: readonly string[];
}

/** A brace followed by a key or by nothing. Other braces are prose. */
const OBJECT_START =
  /\{\s*(?:$|\}|"[^"]{0,80}$|(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_]\w{0,80})\s*(?::|$))/y;

/**
 * Finds the outermost JSON objects of a text in order. Only the last may be unclosed. Linear time.
 */
function jsonObjects(text: string): readonly FoundObject[] {
  const objects: FoundObject[] = [];
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
    OBJECT_START.lastIndex = at;
    const object = OBJECT_START.test(text) ? objectAt(text, at) : undefined;
    if (object !== undefined) objects.push(object);
    at = object?.end ?? at + 1;
  }
  return objects;
}

/** A colon after a string, which marks it as a key. */
const COLON = /\s*:/y;

/** Scans from a brace to its closing brace, ignoring braces and commas within strings. */
function objectAt(text: string, start: number): FoundObject {
  let [depth, inString, opened] = [0, false, 0];
  let lastComma: number | undefined;
  const keys: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') {
        inString = false;
        COLON.lastIndex = at + 1;
        if (depth === 1 && COLON.test(text)) keys.push(text.slice(opened + 1, at));
      }
    } else if (character === '"') [inString, opened] = [true, at];
    else if (character === "{" || character === "[") depth++;
    else if (character === "," && depth === 1) lastComma = at;
    else if ((character === "}" || character === "]") && --depth === 0) {
      return { start, end: at + 1, closed: true, lastComma, keys };
    }
  }
  return { start, end: text.length, closed: false, lastComma, keys };
}

const WORD = /[\p{L}\p{N}]/u;

/**
 * Finds the first occurrence of a phrase. If needed it ignores case, white space and punctuation.
 */
export function locatePhrase(text: string, phrase: string): TextSpan | undefined {
  const trimmed = phrase.trim();
  if (!WORD.test(trimmed)) return undefined;
  const exact = wholeWords(text, trimmed);
  if (exact !== -1) return { start: exact, end: exact + trimmed.length };
  const wanted = normalised(trimmed).text.replace(/^[\s'".,;:!?]+|[\s'".,;:!?]+$/g, "");
  const { text: plain, starts } = normalised(text);
  const index = wholeWords(plain, wanted);
  if (index === -1) return undefined;
  return { start: starts[index]!, end: starts[index + wanted.length - 1]! + 1 };
}

/** Normalises case, quotes, dashes and spaces of a text, and maps its offsets. */
function normalised(text: string): { readonly text: string; readonly starts: readonly number[] } {
  let plain = "";
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!;
    const character = unit.replace(/[‘’]/, "'").replace(/[“”«»]/, '"').replace(/[‐‑–—−]/, "-")
      .replace(/\s/, " ").toLowerCase();
    // A letter that grows in lower case stays unchanged, so that offsets stay valid.
    const lowered = character.length === 1 ? character : unit;
    if (lowered === " " && plain.endsWith(" ")) continue;
    plain += lowered;
    starts.push(at);
  }
  return { text: plain, starts };
}

/** Index of the phrase at word boundaries; −1 where it does not occur. */
function wholeWords(text: string, phrase: string): number {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const cutsBefore = WORD.test(phrase[0]!) && WORD.test(text[at - 1] ?? "");
    const cutsAfter = WORD.test(phrase.at(-1)!) && WORD.test(text[end] ?? "");
    if (!cutsBefore && !cutsAfter) return at;
  }
  return -1;
}
