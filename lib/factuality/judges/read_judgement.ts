import type { ParseStatus } from "../verdicts/verdict.ts";
import type { FlaggedPhrase } from "./judgement.ts";
import {
  type Ended,
  type JsonAnswer,
  malformed,
  type MalformedAnswer,
  readJsonAnswer,
  valueUnder,
} from "./read_json_answer.ts";

/** A score with its reasons, out of a model's text. */
export interface ReadScore {
  readonly kind: "read";
  /** 0–100. */
  readonly score: number;
  readonly reasoning: string;
  readonly flagged: readonly Omit<FlaggedPhrase, "span">[];
  readonly parse: Exclude<ParseStatus, "not parsed">;
}

const WRITTEN_SCORE =
  /^(\d{1,3}(?:\.\d{1,6})?)(?:\s*(?:%|points?)|\s*(?:\/|out of)\s*(10|100)(?:\s*points?)?)?$/i;

/**
 * A score on the scale that was asked for, 0–100: a number as it is, and "85/100" or "8 out of 10"
 * as the fraction that they state. A bare 8 is 8 of 100, though a model may have had ten points in
 * mind: who asks for 0–100 cannot know. Undefined for what is no score.
 */
function points(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const match = WRITTEN_SCORE.exec(value.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "10" ? 10 : 1);
}

/** Whether a number of the text is this one, or a tenth of it: mending must not invent a score. */
function standsIn(raw: string, score: number): boolean {
  const numbers = [...raw.matchAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)].map(([text]) => Number(text));
  return numbers.some((number) => number === score || number * 10 === score);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return listed(value).filter((item) => typeof item === "string").join("\n").trim();
}

function isRecord(value: unknown): value is JsonAnswer["value"] {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `<words copied from the text>`: the prompt's own words for what goes there. */
const ECHO = /^<[^<>]*>$/;

function flaggedOf(value: unknown): ReadScore["flagged"] {
  return listed(value).flatMap((item) => {
    if (!isRecord(item)) return [{ phrase: textOf(item), reason: "" }];
    const phrase = textOf(valueUnder(item, ["phrase", "text", "span", "words"]));
    return [{ phrase, reason: textOf(valueUnder(item, ["reason", "explanation"])) }];
  }).filter(({ phrase }) => phrase !== "" && !ECHO.test(phrase));
}

/**
 * Reads a judge's answer: JSON by itself, in prose or a code fence, cut off, with keys in another
 * case or a score in words; see `readJsonAnswer` for which object of several. A score out of 0–100
 * is malformed, never moved to the nearest bound. Never throws.
 */
export function readJudgement(
  text: string,
  ended?: Ended,
  prompt?: string,
): ReadScore | MalformedAnswer {
  const answer = readJsonAnswer(text, ["score"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, raw, before } = answer;
  const written = valueUnder(value, ["score"]);
  const score = points(written);
  if (score === undefined || !standsIn(raw, Math.abs(score))) {
    return malformed(`its score is ${JSON.stringify(written)}`);
  }
  if (score < 0 || score > 100) return malformed(`its score, ${score}, is out of 0 to 100`);
  const reasoning = textOf(valueUnder(value, ["reasoning", "explanation", "rationale"]));
  const flagged = flaggedOf(valueUnder(value, ["flagged", "flaggedphrases", "flags"]));
  const plain = typeof written === "number" && Object.hasOwn(value, "score");
  const parse = answer.parse === "complete" && !plain ? "repaired" : answer.parse;
  return { kind: "read", score, reasoning: reasoning || before, flagged, parse };
}
