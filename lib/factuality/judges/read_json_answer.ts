import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import type { StructuredReply } from "../../models/structured_model.ts";
import type { ParseStatus } from "../verdicts/verdict.ts";
import { type FoundObject, jsonObjects } from "./json_objects.ts";

/** How a model's text came to its end. */
export type Ended = Extract<StructuredReply, { readonly kind: "answer" }>["ended"];

/** An object out of a model's text. */
export interface JsonAnswer {
  readonly kind: "read";
  /** Keys as they stand. A value may be anything. */
  readonly value: Readonly<Record<string, unknown>>;
  /** `complete`: the text is this object; `repaired`: it had to be found or mended; `partial`: cut off. */
  readonly parse: Exclude<ParseStatus, "not parsed">;
  /** The object as written. */
  readonly raw: string;
  /** The text before it. */
  readonly before: string;
}

/** An answer out of which nothing can be read, and why. */
export interface MalformedAnswer {
  readonly kind: "malformed";
  readonly message: string;
}

const OBJECT = z.record(z.string(), z.unknown());

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

/** A key in lower case, without signs and remarks: `Flagged_Phrases`, `Score (0-100)`; not `score2`. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/\([^()]*\)|[^a-z\d]/g, "");
}

/**
 * The value under the first of these keys that is there, or undefined.
 *
 * @param keys In small letters without other signs.
 */
export function valueUnder(value: JsonAnswer["value"], keys: readonly string[]): unknown {
  for (const wanted of keys) {
    const found = Object.keys(value).findLast((key) => plainKey(key) === wanted);
    if (found !== undefined) return value[found];
  }
  return undefined;
}

/**
 * An object without its end. A cut may fall within a value (85 becomes 8), so the wanted one must
 * stand before a comma, or the model must have come to its own end and left out the brace alone.
 * Of the rest, what can be mended is kept.
 */
function unclosed(
  raw: string,
  { lastComma, start }: FoundObject,
  ended: Ended | undefined,
  has: (value: JsonAnswer["value"]) => boolean,
) {
  const whole = ended === "complete" ? parsed(`${raw}}`) : undefined;
  if (whole !== undefined && has(whole)) return { value: whole, parse: "repaired" as const };
  const certain = lastComma === undefined
    ? undefined
    : parsed(`${raw.slice(0, lastComma - start)}}`);
  if (certain === undefined || !has(certain)) return undefined;
  return { value: { ...repaired(raw), ...certain }, parse: "partial" as const };
}

/** Without the thoughts that some models write before they answer. */
function afterThoughts(text: string): string | undefined {
  if (!text.trimStart().startsWith("<think>")) return text;
  const end = text.indexOf("</think>");
  return end === -1 ? undefined : text.slice(end + "</think>".length);
}

/** Whether it ends before thoughts do whose beginning is not in the text, or begins within open ones. */
function isThought(text: string, { start, end }: FoundObject): boolean {
  const [opened, closed] = [text.lastIndexOf("<think>"), text.lastIndexOf("</think>")];
  return end <= closed || (opened > closed && opened < start);
}

/** Whether the prompt holds the object, however it is spaced: then a text under judgement may have said it. */
function isQuoted(raw: string, prompt: string): boolean {
  const [object, asked] = [raw, prompt].map((text) => text.replace(/\s+/g, ""));
  return asked!.includes(object!);
}

/** Whether one of the keys stands twice: which of its values is meant is not known. */
function standsTwice(object: FoundObject, keys: readonly string[]): boolean {
  const found = object.keys.map(plainKey).filter((key) => keys.includes(key));
  return new Set(found).size < found.length;
}

/**
 * The last object of a model's text that has the wanted key, whatever its case: an example that was
 * repeated or a draft stands earlier. Where a later object was begun and cut off before that key,
 * nothing is read: what the model meant to say is not known. Prose without an object is never read,
 * for what it says may be a quotation; nor is an object that stands in the prompt.
 *
 * @param keys In plain letters (see `plainKey`); any of them will do.
 * @param ended How the text ended; without it an object that is not closed counts as cut off.
 * @param prompt What the model was asked.
 */
export function readJsonAnswer(
  text: string,
  keys: readonly string[],
  ended?: Ended,
  prompt = "",
): JsonAnswer | MalformedAnswer {
  const answer = afterThoughts(text);
  if (answer === undefined) return malformed("it was cut off while the model was thinking");
  const has = (value: JsonAnswer["value"]) => valueUnder(value, keys) !== undefined;
  const objects = jsonObjects(answer).filter((object) => !isThought(answer, object));
  for (const object of objects.toReversed()) {
    const raw = answer.slice(object.start, object.end);
    const before = answer.slice(0, object.start).trim();
    if (!object.closed) {
      const part = unclosed(raw, object, ended, has);
      if (part === undefined) return malformed(`it was cut off before its ${keys[0]}`);
      return { kind: "read", ...part, raw, before };
    }
    const strict = parsed(raw);
    const value = strict ?? repaired(raw);
    if (value === undefined || !has(value) || isQuoted(raw, prompt)) continue;
    if (standsTwice(object, keys)) return malformed(`its ${keys[0]} stands twice`);
    const parse = strict !== undefined && raw === text.trim() ? "complete" : "repaired";
    return { kind: "read", value, parse, raw, before };
  }
  return malformed(
    objects.length === 0 ? "it has no JSON object" : `no JSON object of its own has a ${keys[0]}`,
  );
}

/** `why` is a clause without its full stop. */
export function malformed(why: string): MalformedAnswer {
  return { kind: "malformed", message: `The answer cannot be read: ${why}.` };
}
