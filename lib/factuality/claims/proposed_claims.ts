import { readJsonAnswer, valueUnder } from "../judges/read_json_answer.ts";

const KEYS = ["claims", "statements", "facts"];

/**
 * The statements in a model's answer: of its JSON object, or else of the first list of strings, as
 * far as it goes, so that a list that was cut off keeps those that are whole. Undefined where there
 * is no list.
 */
export function proposedClaims(answer: string): readonly string[] | undefined {
  const read = readJsonAnswer(answer, KEYS);
  const value = read.kind === "read" ? valueUnder(read.value, KEYS) : undefined;
  const listed = Array.isArray(value) ? value.flatMap(stringsOf) : wholeStrings(answer);
  return listed?.map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

/** A statement, or an object that holds one. */
function stringsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter((entry) => typeof entry === "string").slice(0, 1);
}

function wholeStrings(answer: string): readonly string[] | undefined {
  const start = answer.search(/\[\s*(?:"|\])/);
  if (start < 0) return undefined;
  const strings: string[] = [];
  const next = /\s*,?\s*("(?:[^"\\]|\\.)*")/y;
  next.lastIndex = start + 1;
  for (let found = next.exec(answer); found; found = next.exec(answer)) {
    const text = parsedString(found[1]!);
    if (text !== undefined) strings.push(text);
  }
  return strings;
}

function parsedString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
