/** Blocks and sentences of Markdown or plain text, checkability, and kinds of claims. */
import type { ClaimKind, NotCheckable, TextSpan } from "../types.ts";
import { wordsText } from "./clauses.ts";
import { hasTag, isFinite, readEnglish, type TaggedWord, wordsOf } from "./english.ts";

/** Marks at the start of a line: bullets, item numbers, headings, quotations. */
const MARK = /^(?:\s*(?:>|[-*•‣◦–—](?=\s)|#{1,6}(?=\s)|\(?(?:\d{1,3}|[a-z])[.)](?=\s)))*\s*/;

/**
 * Maximum length in characters of a short line. It stands alone unless the next line continues it.
 */
const SHORT_LINE = 50;

/** A span of the text with the words it depends on: a list's lead-in, a row's name. */
export interface Part extends TextSpan {
  /** Words read before the span; empty where the span is complete without them. */
  readonly lead: string;
}

/** A span of the text that no sentence crosses. */
interface Block extends TextSpan {
  /** Lead-in or heading of an item's list. Statements of the item without a verb begin with it. */
  readonly lead: string;
  /** Cells of a row after the first, with row and column names. */
  readonly cells?: readonly Part[];
}

interface OpenBlock extends TextSpan {
  readonly isItem: boolean;
  readonly isHeading: boolean;
}

/**
 * Returns paragraphs, items, headings, rows and short lines in order. Marks are removed and wrapped
 * lines joined.
 */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const context: Context = { heading: "", leadIn: "" };
  let open: OpenBlock | undefined;
  const close = () => {
    if (open) blocks.push({ start: open.start, end: open.end, lead: leadOf(text, open, context) });
    open = undefined;
  };
  const lines = linesOf(text);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const rows = tableAt(text, lines, at);
    if (rows.length > 0) {
      close();
      blocks.push(...rowsOf(text, lines[at]!, rows, context));
      at = lines.indexOf(rows.at(-1)!, at);
      continue;
    }
    const words = text.slice(line.start, line.end);
    if (open && words !== "" && isWrapped(text.slice(open.start, open.end), words, open.isItem)) {
      open = { ...open, end: line.end };
      continue;
    }
    close();
    const mark = MARK.exec(words)![0];
    const start = line.start + mark.length;
    const isHeading = /#\s*$/.test(mark) || /^(\*\*|__)[^*_]+\1$/.test(words.trim());
    const isItem = mark.trim() !== "" && !isHeading;
    open = start < line.end ? { start, end: line.end, isItem, isHeading } : undefined;
  }
  close();
  return blocks;
}

/** Lines without line ends and trailing white space. */
const linesOf = (text: string): readonly TextSpan[] =>
  [...text.matchAll(/[^\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029]|$)/g)]
    .map(({ 0: line, index }) => ({ start: index, end: index + line.trimEnd().length }));

function isWrapped(before: string, line: string, isItem: boolean): boolean {
  const mark = MARK.exec(line)![0].trim();
  // "… they were|12. The next": no list leads up to the number, so that it ends a sentence.
  const isNumber = !isItem && /^(?!1[.)])\d+[.)]$/.test(mark);
  if (/^\s{4}/.test(line) || mark !== "" && !isNumber) return false;
  const last = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*\p{Ll}/u.test(line) || /[,;–—-]\s*$/.test(last)) return true;
  return last.trim().length >= SHORT_LINE && !/[.!?:]["”’)\]*_]*\s*$/.test(last);
}

/** Lead-in and heading above the current block; empty where there are none. */
interface Context {
  heading: string;
  leadIn: string;
}

/** Strips emphasis marks and the final stops of headings and lead-ins. */
const withoutEmphasis = (words: string) =>
  words.replace(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)/g, "").trim();

/** An attribute with its value: "Storage: 64 GB". */
const ATTRIBUTE = /^\p{Lu}[^.:!?]{0,40}:\s+\S/u;

/** Returns the lead-in of an item and records it for later items. */
function leadOf(text: string, { start, end, isItem, isHeading }: OpenBlock, context: Context) {
  const words = withoutEmphasis(text.slice(start, end));
  const { heading, leadIn } = context;
  if (isHeading) [context.heading, context.leadIn] = [words.replace(/:$/, ""), ""];
  else if (/:$/.test(words)) context.leadIn = words.slice(0, -1);
  else if (!isItem) context.leadIn = "";
  if (!isItem || /:$/.test(words)) return "";
  if (leadIn !== "") return isOpen(leadIn) ? `${leadIn} ` : `${leadIn}: `;
  return heading !== "" && ATTRIBUTE.test(words) ? `${heading}: ` : "";
}

/** Detects a lead-in that continues in the item without a colon: "The kit contains". */
const isOpen = (leadIn: string): boolean =>
  hasTag(readEnglish(leadIn).tokens.at(-1), "VERB", "AUX");

/** The line between the header row and the body of a Markdown table. */
const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;

/** A table line in a table written without a delimiter row. */
const ROW = /^\s*\|.*\|$/;

/** Body lines of the table whose header is at a line; none where there is no table. */
function tableAt(text: string, lines: readonly TextSpan[], at: number): readonly TextSpan[] {
  const textOf = (line: TextSpan | undefined) => line ? text.slice(line.start, line.end) : "";
  const [first, second] = [textOf(lines[at]), textOf(lines[at + 1])];
  const isRuled = first.includes("|") && second.includes("|") && RULE.test(second);
  if (!isRuled && !(ROW.test(first) && ROW.test(second))) return [];
  const start = at + (isRuled ? 2 : 1);
  const behind = lines.slice(start).findIndex((line) => !textOf(line).includes("|"));
  return lines.slice(start, behind < 0 ? undefined : start + behind)
    .filter((line) => !RULE.test(textOf(line)));
}

/** Spans between the bars of a line, without white space; an empty cell has an empty span. */
function cellsOf(text: string, { start, end }: TextSpan): readonly TextSpan[] {
  const line = text.slice(start, end);
  const pieces = line.split(/(?<!\\)\|/);
  let cursor = start;
  const cells = pieces.map((piece) => {
    const from = cursor + piece.length - piece.trimStart().length;
    const to = Math.max(from, cursor + piece.trimEnd().length);
    cursor += piece.length + 1;
    return { start: from, end: to };
  });
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  return cells.slice(first.trim() === "" ? 1 : 0, last.trim() === "" ? -1 : undefined);
}

/** Column names that do not describe their cells. */
const UNINFORMATIVE_COLUMNS =
  /^(?:values?|details?|descriptions?|specifications?|specs?|information|info|answers?|data|notes?|facts?)?$/i;

/** Returns a block for the header, which states nothing, and one for each row. */
function rowsOf(
  text: string,
  header: TextSpan,
  rows: readonly TextSpan[],
  { heading }: Context,
): readonly Block[] {
  const cellText = (cell: TextSpan) => withoutEmphasis(text.slice(cell.start, cell.end));
  const names = cellsOf(text, header);
  const columns = names.map(cellText);
  const blockOf = (all: readonly TextSpan[], cells: readonly Part[] | undefined) => {
    const whole = rowSpan(all);
    return whole ? [{ ...whole, lead: "", ...cells && { cells } }] : [];
  };
  return rows.reduce<Block[]>((blocks, row) => {
    const [name, ...others] = cellsOf(text, row);
    if (name === undefined) return blocks;
    const cells = others.map((cell, index): Part => {
      const place = { heading, row: cellText(name), column: columns[index + 1] ?? "" };
      return { ...cell, lead: cellLead(place, cellText(cell)) };
    }).filter((cell) => /[\p{L}\p{N}✓✔✗✘]/u.test(cellText(cell)));
    blocks.push(...blockOf([name, ...others], others.length > 0 ? cells : undefined));
    return blocks;
  }, [...blockOf(names, [])]);
}

/** Lead-in of a cell: "Lumo One: storage " under "Storage" in the row "Lumo One". */
function cellLead(place: Readonly<Record<"heading" | "row" | "column", string>>, cell: string) {
  const { heading, row, column } = place;
  const isUntold = UNINFORMATIVE_COLUMNS.test(column);
  // "Storage | 64 GB" under the heading "Lumo One".
  const [about, what] = !isUntold ? [row, column] : heading === "" ? [row, ""] : [heading, row];
  const isSentence = /\p{L}.*\s.*[.!?]$/u.test(cell);
  const words = [
    ...about === "" ? [] : [`${about}:`],
    ...what === "" || isSentence && !isUntold ? [] : [columnNameInSentence(what)],
  ];
  return words.map((word) => `${word} `).join("");
}

/** Span from the first non-empty cell to the last. Undefined where all are empty. */
function rowSpan(cells: readonly TextSpan[]): TextSpan | undefined {
  const filled = cells.filter(({ start, end }) => start < end);
  const [first, last] = [filled[0], filled.at(-1)];
  return first && last && { start: first.start, end: last.end };
}

/** Lower-cases the initial of a column's name within a sentence, except in abbreviations. */
const columnNameInSentence = (name: string) =>
  name.replace(/^\p{Lu}(?=\p{Ll}|\s|$)/u, (first) => first.toLowerCase());

/** Lower-cases the initial of words, except in names and abbreviations. */
function withLowerInitial(words: string): string {
  const [first] = readEnglish(words).tokens;
  const isName = first === undefined || hasTag(first, "PROPN", "X") ||
    !/^\p{Lu}\p{Ll}*$/u.test(first.text);
  return isName ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

/** A sentence, list item, heading or row; `text` is its span without bullets. */
export interface SentenceSpan extends TextSpan {
  readonly text: string;
  /** Its statements: the sentence, an item after its lead-in, or the cells of a row. */
  readonly parts: readonly Part[];
}

/** Returns a part as a statement that can be read alone: "Lumo One: storage 64 GB". */
export function statementOf(text: string, { lead, start, end }: Part): string {
  const words = text.slice(start, end);
  if (lead === "") return words;
  const plain = wordsText(wordsOf(words, start)).replaceAll("\\|", "|")
    .replace(/[✓✔]/g, "yes").replace(/[✗✘]/g, "no");
  return `${lead}${/[^:]\s$/.test(lead) ? withLowerInitial(plain) : plain}`;
}

/** Maximum length in characters of a quotation. Beyond it an unclosed one is ignored. */
const MAX_QUOTATION = 600;

/**
 * Maximum sentence length in characters; longer ones are cut at white space. A transcript of 50,000
 * characters without a full stop would exhaust memory. The knowledge base has no sentence that
 * long.
 */
const MAX_SENTENCE = 8_000;

function* withinLimit(text: string, { start, end }: TextSpan): Generator<TextSpan> {
  for (let from = start; from < end;) {
    const most = from + MAX_SENTENCE;
    const blank = most < end ? text.lastIndexOf(" ", most) : end;
    const to = blank > from ? blank : most;
    yield { start: from, end: to };
    from = to;
    while (from < end && /\s/.test(text[from]!)) from++;
  }
}

/**
 * Splits a text into sentences within its blocks. It corrects wink-nlp's boundaries and cuts
 * sentences of more than 8,000 characters.
 */
export const sentencesOf = (text: string): readonly SentenceSpan[] =>
  blocksOf(text).flatMap((block): readonly SentenceSpan[] => {
    const words = text.slice(block.start, block.end);
    const { start, end, cells } = block;
    if (cells && end - start <= MAX_SENTENCE) {
      return [{ text: words, start, end, parts: cells }];
    }
    const parts: TextSpan[] = [];
    for (const part of readEnglish(words).sentences.flatMap((part) => splitAtUnits(words, part))) {
      const last = parts.at(-1);
      if (last && goesOn(words, last, part)) {
        parts[parts.length - 1] = { start: last.start, end: part.end };
      } else parts.push(part);
    }
    return parts.flatMap((part) => [...withinLimit(words, part)]).map(
      (part, index): SentenceSpan => {
        const [start, end] = [block.start + part.start, block.start + part.end];
        const partText = text.slice(start, end);
        const lead = index === 0 && block.lead !== "" && isIncomplete(partText) ? block.lead : "";
        return { text: partText, start, end, parts: [{ start, end, lead }] };
      },
    );
  }).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));

/** Detects an item that is incomplete without its list's lead-in. */
function isIncomplete(item: string): boolean {
  const words = wordsOf(item, 0);
  return isFragment(words, item) || isImperative(words) || /^\p{Ll}/u.test(item);
}

/**
 * Sentence ends that wink-nlp takes for abbreviations: "25 °C. Snow", "158 g. It", "etc. Prices",
 * "Ramses V. He".
 */
const ENDS =
  /(?<=°\s?[CF]\.|\d\s?(?:\p{Lu}|[kMG]W|[kMGT]B|[km]?g|[kcm]?m|m?l|[kMG]?Hz|h|min|s|ha|t|lb|oz|ft)\.|\betc\.)\s+(?=["“(]?\p{Lu}(?:\p{Ll}|\s))|(?<=\p{Ll} [IVX]{1,5}\.)\s+(?=(?:He|She|It|They|The|In|His|Her|This)\b)/gu;

/** Splits one of wink-nlp's sentences at units and similar endings. */
function splitAtUnits(text: string, { start, end }: TextSpan): readonly TextSpan[] {
  const parts: TextSpan[] = [];
  let from = start;
  for (const { index, 0: blank } of text.slice(start, end).matchAll(ENDS)) {
    parts.push({ start: from, end: start + index });
    from = start + index + blank.length;
  }
  return [...parts, { start: from, end }];
}

function goesOn(text: string, before: TextSpan, after: TextSpan): boolean {
  const first = text.slice(before.start, before.end);
  const next = text.slice(after.start, after.end);
  if (/^[\p{Ll}\])]/u.test(next) && !/^(?:i\)|[a-z][.)])/.test(next)) return true;
  // "am 14.|März 1931".
  if (/(?:^|[\s(])\d{1,2}\.$/.test(first) && startsWithMonth(next)) return true;
  if (/^["”’'][\s.,;:]*$/.test(next)) return true;
  if (/^(?:\[\d+\]|[,;:)]|\(\d{4}\))/.test(next)) return true;
  // "Ph.|D. from", "U.|S. Army".
  if (/(?:^|[\s(.])\p{Lu}\p{Ll}?\.$/u.test(first) && /^\p{Lu}\.(?:[\s,;:)]|$)/u.test(next)) {
    return true;
  }
  // "Fig.|3", "ca.|3.7 million".
  if (/(?:^|[\s(])(?:figs?|nos?|pp?|ca?|approx|vol|chap|sect?|art|eq|est)\.$/i.test(first)) {
    if (/^\d/.test(next)) return true;
  }
  // A quotation mark or bracket without its partner; apostrophes do not count.
  const count = (mark: RegExp) => first.match(mark)?.length ?? 0;
  const isOpen = count(/"/g) % 2 === 1 || count(/“/g) > count(/”/g) || count(/\(/g) > count(/\)/g);
  return first.length < MAX_QUOTATION && isOpen &&
    /["”)]/.test(text.slice(after.start, after.start + MAX_QUOTATION));
}

/** Month names, long and short, as they follow a day in the given languages. */
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

/**
 * Month names of languages that write a full stop after the day. In English "It sold 12. May was
 * worse." is two sentences.
 */
const MONTHS = { dotted: monthsIn("de", "da", "nb", "cs", "hr"), english: monthsIn("en") };

function startsWithMonth(sentence: string): boolean {
  const [, word = "", year] = /^(\p{L}+)\.?(\s+\d{4}\b)?/u.exec(sentence) ?? [];
  const month = word.toLowerCase();
  return MONTHS.english.has(month) ? year !== undefined : MONTHS.dotted.has(month);
}

/** Expressions of uncertainty (hedges). They extend to a second verb that shares them. */
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

/** Span of the first hedge; undefined where there is none. */
export function hedgeIn(words: string): TextSpan | undefined {
  for (const hedge of HEDGES) {
    const match = hedge.exec(words);
    if (match) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** Statements of a writer's ignorance. */
const DISCLAIMERS: readonly RegExp[] = [
  /\bI (?:do not|don't|cannot|can't|could not|couldn't|am not|am unable|was unable|have no|apologi[sz]e|am sorry)\b|\bI'm (?:not|sorry|unable)\b/,
  /\b[Ww]e (?:do not|don't|cannot|can't|could not|couldn't)(?: yet| \w+ly)? (?:know|say|tell|find|confirm|verify|determine|pinpoint|be (?:sure|certain))\b|\b[Ww]e (?:are|were) (?:not (?:sure|certain)|unable|sorry)\b/,
  /\b[Aa]s an AI\b|\b[Aa]s far as (?:I|we) know\b|\b[Tt]o (?:my|the best of my) knowledge\b/,
];

const OPINIONS: readonly RegExp[] = [
  /\b(?:(?<!\b(?:War|Part|Act|Book|Volume|Phase|Charles|James|Elizabeth|Napoleon) )I|[Ww]e) (?:\w+ly )?(?:think|believe|feel|hope|guess|suppose|love|like|enjoy|prefer|recommend|would|wish|agree)\b/,
  /\b[Ii]n (?:my|our) (?:opinion|view|experience)\b|\b[Pp]ersonally,|\b[Mm]y favou?rite\b/,
];

/** Address to the reader about the text, or small talk; "See a doctor" is a claim. */
const TO_READER =
  /^(?:please )?(?:(?:let's|let us|let me know|feel free|note that you)\b|see also\b|see .*(?:\bfor (?:more|further|details|information)\b|\b(?:above|below)\b)|see (?:the )?entry\b)/i;

/**
 * Reason why a statement cannot be checked; undefined for one that can. Instructions, permissions,
 * prohibitions and other people's guesses are claims: a source can confirm or contradict them.
 */
export function notCheckable(text: string): NotCheckable | undefined {
  const words = wordsOf(text, 0);
  // A title with a question mark at the end of a statement is none.
  if (/\?\s*$/.test(text) || /^["“(].*\?["”)]\s*$/.test(text)) return "question";
  if (TO_READER.test(text)) return "instruction";
  const isTitle = hasTag(words[1], "PROPN") && words.some((_, at) => at > 1 && isFinite(words, at));
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

/** Detects an imperative: "Take one tablet daily" has a verb and no subject. */
export const isImperative = ([first, second]: readonly TaggedWord[]): boolean =>
  first !== undefined &&
  (IMPERATIVES.has(first.normal)
    ? hasTag(first, "VERB", "AUX", "PART", "INTJ") || hasTag(second, "DET", "VERB", "PART")
    : hasTag(first, "VERB") && first.normal === first.lemma &&
      hasTag(second, "DET", "NUM", "PRON"));

/**
 * Detects a fragment without a verb that could carry a statement. A whole sentence that begins with
 * a nominal passes, since its verb may be tagged as a noun ("The book details her life."). "In
 * addition to his work" does not: it begins with a preposition, and no clause follows a comma.
 */
function isFragment(words: readonly TaggedWord[], text: string): boolean {
  const nominal = words.findIndex((word) =>
    hasTag(word, "NOUN", "PROPN", "PRON", "NUM", "DET", "X", "ADJ")
  );
  const isQuotation = words.every(({ enclosed }) => enclosed);
  const hasVerb = nominal >= 0 &&
    words.some((word, index) =>
      index > nominal && isFinite(words, index) && (isQuotation || !word.enclosed)
    );
  const isPhrase = hasTag(words[0], "ADP") && !words.some(({ text }) => text === ",");
  const looksWhole = words.length > 4 && /[.!]["”’)\]]*$/.test(text.trimEnd()) &&
    !/^\p{Lu}\.|^["“‘']?\P{Lu}/u.test(text) && !isPhrase;
  // "The kit contains:", which its list goes on with.
  const isLeadIn = /:\W*$/.test(text) &&
    hasTag(words.findLast((word) => !hasTag(word, "PUNCT", "SYM")), "VERB", "AUX");
  return isLeadIn || !hasVerb && !looksWhole;
}

const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|" +
  "(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?)";

const DAY = "\\d{1,2}(?:st|nd|rd|th)?";

const COUNT = "(?:\\d[\\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|" +
  "twenty|thirty|forty|fifty|sixty|several|many|few|half an?)";

const PERIOD = "(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|" +
  "millenni(?:um|a))";

/** Expressions of time and duration, removed before quantities are searched. */
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

/** Numbers within names: "COVID-19", "Boeing 747", "G20", "World War 2", "[3]". */
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
 * Kind of a claim by its quantities and times. A quantity outside dates and durations makes it
 * numerical, even with a date in the same claim. Otherwise a date or duration makes it temporal.
 * Ordinals ("the first woman") and numbers within names count as neither.
 */
export function claimKind(text: string): ClaimKind {
  const withoutTimes = TIMES.reduce((rest, time) => rest.replace(time, " @ "), text);
  const rest = NAMES.reduce((words, name) => words.replace(name, " "), withoutTimes)
    .replace(/\b\d+(?:st|nd|rd|th)\b/g, " ");
  if (QUANTITY.test(rest)) return "numerical";
  return withoutTimes === text ? "factual" : "temporal";
}
