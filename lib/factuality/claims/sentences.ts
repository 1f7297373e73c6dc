import type { ClaimKind, NotCheckable, TextSpan } from "../types.ts";
import { is, isFinite, readEnglish, type Word, wordsOf } from "./english.ts";

/** Bullets, numbers of list items, headings' and quotations' marks at the start of a line. */
const MARK = /^(?:\s*(?:>|[-*•‣◦–—](?=\s)|#{1,6}(?=\s)|\(?(?:\d{1,3}|[a-z])[.)](?=\s)))*\s*/;

/** A line shorter than this (in characters) that the next one does not go on from stands alone. */
const SHORT_LINE = 50;

/** Paragraphs, items, headings and short lines in order, without marks; wrapped lines joined. */
function blocksOf(text: string): readonly TextSpan[] {
  const blocks: TextSpan[] = [];
  let open: (TextSpan & { readonly isItem: boolean }) | undefined;
  for (
    const { 0: line, index } of text.matchAll(/[^\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029]|$)/g)
  ) {
    const end = index + line.trimEnd().length;
    const words = text.slice(index, end);
    if (open && words !== "" && isWrapped(text.slice(open.start, open.end), words, open.isItem)) {
      open = { ...open, end };
      continue;
    }
    if (open) blocks.push(open);
    const mark = MARK.exec(words)![0];
    const start = index + mark.length;
    open = start < end ? { start, end, isItem: mark.trim() !== "" } : undefined;
  }
  return blocks;
}

function isWrapped(before: string, line: string, isItem: boolean): boolean {
  const mark = MARK.exec(line)![0].trim();
  // "… they were|12. The next": no list leads up to the number, so that it ends a sentence.
  const isNumber = !isItem && /^(?!1[.)])\d+[.)]$/.test(mark);
  if (/^\s{4}/.test(line) || mark !== "" && !isNumber) return false;
  const last = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*\p{Ll}/u.test(line) || /[,;–—-]\s*$/.test(last)) return true;
  return last.trim().length >= SHORT_LINE && !/[.!?:]["”’)\]]*\s*$/.test(last);
}

/** A sentence, list item or heading; `text` is what stands at its span, bullets excluded. */
export interface Sentence extends TextSpan {
  readonly text: string;
}

/** An unclosed quotation is waited for over so many characters, then given up. */
const LONGEST_QUOTATION = 600;

/**
 * A longer sentence is cut at white space: of a transcript without a full stop, 50,000 characters in one,
 * comparing words takes more memory than there is. The knowledge base has none so long.
 */
const LONGEST_SENTENCE = 8_000;

function* withinLimit(text: string, { start, end }: TextSpan): Generator<TextSpan> {
  for (let from = start; from < end;) {
    const most = from + LONGEST_SENTENCE;
    const blank = most < end ? text.lastIndexOf(" ", most) : end;
    const to = blank > from ? blank : most;
    yield { start: from, end: to };
    from = to;
    while (from < end && /\s/.test(text[from]!)) from++;
  }
}

/**
 * wink-nlp's sentences within the paragraphs, put together again where it parts them wrongly, and
 * cut where they are longer than 8,000 characters.
 */
export const sentencesOf = (text: string): readonly Sentence[] =>
  blocksOf(text).flatMap((block) => {
    const words = text.slice(block.start, block.end);
    const parts: TextSpan[] = [];
    for (const part of readEnglish(words).sentences) {
      const last = parts.at(-1);
      if (last && goesOn(words, last, part)) {
        parts[parts.length - 1] = { start: last.start, end: part.end };
      } else parts.push(part);
    }
    return parts.flatMap((part) => [...withinLimit(words, part)]).map((part): Sentence => {
      const [start, end] = [block.start + part.start, block.start + part.end];
      return { text: text.slice(start, end), start, end };
    });
  }).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));

function goesOn(text: string, before: TextSpan, after: TextSpan): boolean {
  const first = text.slice(before.start, before.end);
  const next = text.slice(after.start, after.end);
  if (/^[\p{Ll}\])]/u.test(next) && !/^(?:i\)|[a-z][.)])/.test(next)) return true;
  // "am 14.|März 1931".
  if (/(?:^|[\s(])\d{1,2}\.$/.test(first) && startsWithMonth(next)) return true;
  if (/^["”’'][\s.,;:]*$/.test(next)) return true;
  if (/^(?:\[\d+\]|[,;:)]|\(\d{4}\))/.test(next)) return true;
  // "Ph.|D. from", "U.|S. Army".
  if (/(?:^|[\s(.])\p{Lu}\p{Ll}?\.$/u.test(first) && /^\p{Lu}\.(?:\s|$)/u.test(next)) return true;
  // A quotation mark or bracket without its partner; apostrophes do not count.
  const count = (mark: RegExp) => first.match(mark)?.length ?? 0;
  const isOpen = count(/"/g) % 2 === 1 || count(/“/g) > count(/”/g) || count(/\(/g) > count(/\)/g);
  return first.length < LONGEST_QUOTATION && isOpen &&
    /["”)]/.test(text.slice(after.start, after.start + LONGEST_QUOTATION));
}

/** Names of the twelve months as they stand behind a day, long and short. */
const monthsIn = (...languages: readonly string[]): ReadonlySet<string> =>
  new Set(languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      const written = new Intl.DateTimeFormat(language, { day: "numeric", month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, at) => {
        const parts = written.formatToParts(new Date(Date.UTC(2000, at, 14)));
        const { value = "" } = parts.find(({ type }) => type === "month") ?? {};
        return value.replace(/\.$/, "").toLowerCase();
      });
    })
  ));

/** Of languages that write a full stop behind the day; in English "It sold 12. May was worse." is meant. */
const MONTHS = { dotted: monthsIn("de", "da", "nb", "cs", "hr"), english: monthsIn("en") };

function startsWithMonth(sentence: string): boolean {
  const [, word = "", year] = /^(\p{L}+)\.?(\s+\d{4}\b)?/u.exec(sentence) ?? [];
  const month = word.toLowerCase();
  return MONTHS.english.has(month) ? year !== undefined : MONTHS.dotted.has(month);
}

/** Words that say that something is not certain: what a second verb shares with them is not, either. */
const HEDGES: readonly RegExp[] = [
  /\b(?:may|might)(?:\s+(?:not|also|well|even|still|have|be))?\s+[a-z]+\b/,
  /\b(?:could|must|should|would)\s+(?:possibly|perhaps|probably|conceivably)\b/i,
  /\b(?:perhaps|possibly|arguably)\b(?! (?:best|most|better) )/i,
  /\b(?:probably|presumably|allegedly|reportedly|supposedly|apparently|maybe|purportedly)\b/i,
  /\b(?:is|are|was|were|been) (?:\w+ly |also |often |sometimes )?(?:believed|thought|rumou?red|assumed|speculated|presumed|alleged|said) (?:to|that)\b/i,
  /\b[Ii]t (?:is|was) (?:un)?(?:likely|possible|unclear|unknown|believed|thought)\b/,
  /\b(?:is|are|was|were) (?:most |very |more )?(?:un)?likely\b/,
  /\b(?:seems?|seemed|appears?|appeared) (?:to|that|as if|like)\b/,
];

/** Where words say that something is not certain; undefined where none do. */
export function hedgeIn(words: string): TextSpan | undefined {
  for (const hedge of HEDGES) {
    const found = hedge.exec(words);
    if (found) return { start: found.index, end: found.index + found[0].length };
  }
  return undefined;
}

/** What a writer says of what he or she does not know. */
const DISCLAIMERS: readonly RegExp[] = [
  /\bI (?:do not|don't|cannot|can't|could not|couldn't|am not|am unable|was unable|have no|apologi[sz]e|am sorry)\b|\bI'm (?:not|sorry|unable)\b/,
  /\b[Ww]e (?:do not|don't|cannot|can't|could not|couldn't)(?: yet| \w+ly)? (?:know|say|tell|find|confirm|verify|determine|pinpoint|be (?:sure|certain))\b|\b[Ww]e (?:are|were) (?:not (?:sure|certain)|unable|sorry)\b/,
  /\b[Aa]s an AI\b|\b[Aa]s far as (?:I|we) know\b|\b[Tt]o (?:my|the best of my) knowledge\b/,
];

const OPINIONS: readonly RegExp[] = [
  /\b(?:(?<!\b(?:War|Part|Act|Book|Volume|Phase|Charles|James|Elizabeth|Napoleon) )I|[Ww]e) (?:\w+ly )?(?:think|believe|feel|hope|guess|suppose|love|like|enjoy|prefer|recommend|would|wish|agree)\b/,
  /\b[Ii]n (?:my|our) (?:opinion|view|experience)\b|\b[Pp]ersonally,/,
];

/** Said to the reader about the text itself, or by way of talk; "See a doctor" is a claim. */
const TO_READER =
  /^(?:please )?(?:(?:let's|let us|let me know|feel free|note that you)\b|see also\b|see .*(?:\bfor (?:more|further|details|information)\b|\b(?:above|below)\b)|see (?:the )?entry\b)/i;

/**
 * Why a statement cannot be checked; undefined for one that can. Instructions, permissions, prohibitions
 * and guesses of others are claims: a source can say the same, or the opposite.
 */
export function notCheckable(text: string): NotCheckable | undefined {
  const words = wordsOf(text, 0);
  // A title with a question mark at the end of a statement is none.
  if (/\?\s*$/.test(text) || /^["“(].*\?["”)]\s*$/.test(text)) return "question";
  if (TO_READER.test(text)) return "instruction";
  const isTitle = is(words[1], "PROPN") && words.some((_, at) => at > 1 && isFinite(words, at));
  if (isFragment(words, text) && (isTitle || !isImperative(words))) return "fragment";
  const plain = text.replace(/["“][^"”]*["”]/g, " ");
  if (OPINIONS.some((opinion) => opinion.test(plain))) return "opinion";
  return DISCLAIMERS.some((disclaimer) => disclaimer.test(plain)) ? "hedge" : undefined;
}

const IMPERATIVES = new Set(
  ("add ask avoid bake boil call check choose click come consider consult contact copy cook do " +
    "don't download drink eat enter fill find follow get give go help imagine keep leave look make " +
    "mix never open pick place please pour preheat press put read remember remove see select serve " +
    "share sign start stir stop store swallow take tell think try turn use visit wait wash watch wear " +
    "write").split(" "),
);

/** Whether words tell the reader what to do: "Take one tablet daily" has a verb, if no subject. */
export const isImperative = ([first, second]: readonly Word[]): boolean =>
  first !== undefined && IMPERATIVES.has(first.normal) &&
  (is(first, "VERB", "AUX", "PART", "INTJ") || is(second, "DET", "VERB", "PART"));

/**
 * No verb that could carry a statement. A whole sentence with a nominal at its start passes, for its
 * verb may have been taken for a noun ("The book details her life."), but for "In addition to his
 * work": a preposition, and no comma behind which a clause could stand.
 */
function isFragment(words: readonly Word[], text: string): boolean {
  const nominal = words.findIndex((word) =>
    is(word, "NOUN", "PROPN", "PRON", "NUM", "DET", "X", "ADJ")
  );
  const isQuotation = words.every(({ enclosed }) => enclosed);
  const hasVerb = nominal >= 0 &&
    words.some((word, index) =>
      index > nominal && isFinite(words, index) && (isQuotation || !word.enclosed)
    );
  const isPhrase = is(words[0], "ADP") && !words.some(({ text }) => text === ",");
  const looksWhole = words.length > 4 && /[.!]["”’)\]]*$/.test(text.trimEnd()) &&
    !/^\p{Lu}\.|^["“‘']?\P{Lu}/u.test(text) && !isPhrase;
  return !hasVerb && !looksWhole;
}

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
  /(?<![$€£¥]\s?)\b(?:1[0-9]|20)\d{2}(?:\s*[-–/]\s*\d{2,4})?\b(?![.,]\d|\s*(?:%|percent|people|km|miles|metres|meters|square|feet|kg|tons|tonnes|million|billion))/g,
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
