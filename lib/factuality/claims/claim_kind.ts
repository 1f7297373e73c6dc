import type { ClaimKind } from "./claim.ts";

const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|" +
  "(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?)";
const DAY = "\\d{1,2}(?:st|nd|rd|th)?";
const COUNT = "(?:\\d[\\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|" +
  "twenty|thirty|forty|fifty|sixty|several|many|few|half an?)";
const PERIOD = "(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|" +
  "millenni(?:um|a))";

/** What says when or how long. Removed before quantities are looked for. */
const TIMES: readonly RegExp[] = [
  new RegExp(`\\b(?:${DAY}\\s+(?:of\\s+)?)${MONTH}(?:,?\\s+\\d{4}\\b)?`, "g"),
  new RegExp(`\\b${MONTH}\\s+(?:${DAY}\\b(?:,?\\s*\\d{4}\\b)?|\\d{4}\\b)`, "g"),
  new RegExp(`\\b(?:in|on|since|until|by|of|last|next)\\s+${MONTH}(?![\\p{L}])`, "gu"),
  /\b\d{4}-\d{2}-\d{2}\b/g,
  /\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b/g,
  /\b\d{1,2}(?::\d{2})(?:\s*[ap]\.?m\b\.?)?|\b\d{1,2}\s*[ap]\.?m\b\.?/gi,
  /\b\d{1,4}(?:\s*[-–]\s*\d{1,4})?\s+(?:BCE?|CE|AD)\b|\bAD\s+\d{1,4}\b/g,
  /\b(?:\d{3}0|'\d0)s\b/g,
  /\b(?:1[0-9]|20)\d{2}(?:\s*[-–/]\s*\d{2,4})?\b(?![.,]\d|\s*(?:%|percent|people|km|miles|metres|meters|square|feet|kg|tons|tonnes|million|billion))/g,
  /\b(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|[a-z]+(?:teenth|tieth|th)|twenty-first)[\s-]centur(?:y|ies)\b/gi,
  new RegExp(`\\b${COUNT}[\\s-]+(?:or\\s+\\w+\\s+)?(?:and\\s+a\\s+half\\s+)?${PERIOD}\\b`, "gi"),
  new RegExp(
    `\\b(?:for|over|after|within|during)\\s+(?:the\\s+)?(?:last\\s+|past\\s+)?${PERIOD}\\b`,
    "gi",
  ),
  /\b(?:yesterday|tomorrow|today|last (?:year|month|week|century)|next (?:year|month|week))\b/gi,
];

/** A number that is part of a name: "COVID-19", "Boeing 747", "G20", "World War 2", "[3]". */
const NAMES: readonly RegExp[] = [
  /\[\d+\]/g,
  /\b\p{L}[\p{L}]*-?\d+[\p{L}\d]*\b/gu,
  /(?<=[\p{L}.,;:] )(?:\p{Lu}[\p{L}.]*\s+)+\d+\b(?![.,]?\d|\s*(?:%|percent|million|billion))/gu,
];

const QUANTITY = new RegExp(
  "\\d|[½¼¾%]|\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|" +
    "fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|" +
    "ninety|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|half|twice|percent|" +
    "two-thirds|one-third|one-quarter)\\b",
  "i",
);

/**
 * What a statement turns on. A quantity outside dates and durations makes it numerical, even where a
 * date stands beside it; otherwise a date or duration makes it temporal. Ordinals ("the first
 * woman") and numbers within names are neither.
 */
export function claimKind(text: string): ClaimKind {
  const withoutTimes = TIMES.reduce((rest, time) => rest.replace(time, " @ "), text);
  const rest = NAMES.reduce((words, name) => words.replace(name, " "), withoutTimes)
    .replace(/\b\d+(?:st|nd|rd|th)\b/g, " ");
  if (QUANTITY.test(rest)) return "numerical";
  return withoutTimes === text ? "factual" : "temporal";
}
