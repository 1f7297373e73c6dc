/** Bias detection by a word list and patterns, which people edit in `data/factuality`. */
import { parse } from "yaml";
import { z } from "zod";
import { field, fileEntry, oneOf, type RowOf, table } from "../../files/table.ts";
import type { StructuredModel } from "../../models/model.ts";
import { readEnglish } from "../claims/english.ts";
import { sentencesOf, type SentenceSpan } from "../claims/sentences.ts";
import { askInJson } from "../judges/generating_judge.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import * as reading from "../judges/read_answer.ts";
import { dataFile } from "../paths.ts";
import { overlaps, type TextSpan } from "../types.ts";

/** Severities in ascending order: a careless word, a stereotype, contempt or a call to harm. */
export const SEVERITIES = ["low", "medium", "high"] as const;
type Severity = typeof SEVERITIES[number];
const WORDS = z.string().regex(/\S/, "is blank");
/** Schema of words or phrases separated by `|`. */
const alternatives = (words: z.ZodType<string, string>, sentence: string) =>
  field<readonly string[]>(
    words.transform((one) => one.split("|").map((word) => word.trim()).filter(Boolean)),
    sentence,
    (all) => all.join("|"),
  );

export const BIAS_LEXICON = table({
  path: dataFile("bias_lexicon.csv"),
  about: "written by hand: flagged words and phrases, from recommendations that style guides share",
  maker: "the project: it is written by hand",
  columns: {
    term: alternatives(WORDS, "flagged words or phrases, with `|` between alternatives"),
    group: field(WORDS, "group concerned"),
    severity: oneOf(SEVERITIES, "severity: low, medium or high"),
    reason: field(WORDS, "reason for the flag"),
    exceptions: alternatives(
      z.string(),
      "phrases in which the term is not flagged, with `|` between them",
    ),
  },
});
/**
 * An entry of the word list: flagged words, and exceptions that indicate another meaning in the
 * same sentence. Words are in lower case unless a capital is meant.
 */
export type BiasTerm = RowOf<typeof BIAS_LEXICON>;

export const STEREOTYPES = fileEntry(
  dataFile("rules/stereotypes.yaml"),
  "written by hand: names of groups and the stereotypes about them",
);

/** A reason for a flag; `by` is `word list`, `stereotype pattern`, or a judge's name. */
interface FlagReason extends Readonly<Record<"by" | "reason", string>> {
  readonly severity: Severity;
  /** Context that reduces the severity; undefined for plain use, and for judges. */
  readonly context: "quoted" | "condemned" | "negated" | undefined;
}

/** A stereotyped or harmful phrase with the reasons against it. */
export interface BiasFlag {
  /** The phrase in the text; the judge's quotation where the text does not contain it. */
  readonly phrase: string;
  /** Undefined where the text does not contain a judge's quotation. */
  readonly span: TextSpan | undefined;
  /** Group concerned, as in the word list; the empty string where unknown. */
  readonly group: string;
  /** Highest severity of the reasons. */
  readonly severity: Severity;
  readonly reasons: readonly FlagReason[];
}

/** Highest severity of the flags; undefined without flags. */
const highestSeverity = (flags: readonly { readonly severity: Severity }[]) =>
  SEVERITIES.findLast((one) => flags.some(({ severity }) => severity === one));

/** Reads the word list, or the user's. @throws {SyntaxError} for an invalid or repeated line. */
export function readLexicon(path: string = BIAS_LEXICON.path): readonly BiasTerm[] {
  const entries = BIAS_LEXICON.at(path).read();
  const terms = entries.flatMap(({ term }) => term.map((one) => one.toLowerCase()));
  const twice = terms.find((term, at) => terms.indexOf(term) !== at);
  if (twice !== undefined) throw new SyntaxError(`Cannot read ${path}: "${twice}" occurs twice`);
  return entries;
}

const LIST = z.array(z.string().min(1)).min(1);
const RULES = z.strictObject({
  groups: z.record(z.string(), LIST),
  lists: z.record(z.string(), LIST),
  fragments: z.record(z.string(), z.string()),
  patterns: z.array(z.strictObject({
    name: z.string(),
    severity: z.enum(SEVERITIES),
    reason: z.string(),
    expression: z.string(),
  })),
  condemning: LIST,
  negating: LIST,
}).parse(parse(Deno.readTextFileSync(STEREOTYPES.path)));

/**
 * Regular-expression source for any of the words, longest first. A space matches any white space.
 */
function alternationPattern(words: readonly string[]): string {
  const sorted = words.toSorted((one, other) => other.length - one.length);
  const escaped = (word: string) => word.split(" ").map(RegExp.escape).join("\\s+");
  return `(?:${sorted.map(escaped).join("|")})`;
}

/** Expansions of `{…}` in a pattern. Group 1 captures the group's name, where there is one. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  group: `(?<![\\p{L}-])(${alternationPattern(Object.values(RULES.groups).flat())})(?![\\p{L}-])`,
  end: "(?![\\p{L}-])",
  ...Object.fromEntries(
    Object.entries(RULES.lists).map(([name, words]) => [name, alternationPattern(words)]),
  ),
  ...Object.fromEntries(
    Object.entries(RULES.fragments).map(([name, text]) => [name, text.replaceAll(" ", "\\s+")]),
  ),
};

const PATTERNS = RULES.patterns.map(({ expression, ...pattern }) => {
  const text = expression.replaceAll(" ", "\\s+").replace(/\{([a-z]+)\}/g, (whole, name) => {
    if (PLACEHOLDERS[name] !== undefined) return PLACEHOLDERS[name];
    throw new SyntaxError(`Cannot read ${STEREOTYPES.path}: ${pattern.name}: what is ${whole}?`);
  });
  return { ...pattern, expression: new RegExp(text, "giu") };
});

const CONDEMNING = new RegExp(`\\b(?:${RULES.condemning.join("|")})\\b`, "i");
const NEGATING = new RegExp(
  `\\b(?:${RULES.negating.join("|")})\\s*(?:some |most |all )?["“'‘]?$`,
  "i",
);

type Hit = Omit<FlagReason, "context"> & { readonly span: TextSpan; readonly group: string };

/**
 * Flags words and patterns of a text in order. A word whose sentence shows another meaning
 * (`exceptions`) is not flagged. In a negated, condemning or quoting context severity falls by one
 * step (low stays low), and the reason names the context.
 */
export function lexiconFlags(text: string, lexicon: readonly BiasTerm[]): readonly BiasFlag[] {
  const finders = lexicon.map((entry) => ({
    ...entry,
    terms: expressionOf(entry.term),
    // An empty alternative would match everywhere.
    excepted: entry.exceptions.length === 0 ? undefined : expressionOf(entry.exceptions),
  }));
  return sentencesOf(text).flatMap((sentence) => {
    const words = finders.flatMap((finder) => wordHits(text, sentence, finder));
    return [...words, ...patternHits(sentence)].map((hit): BiasFlag & { span: TextSpan } => {
      const { span, group, by, reason } = hit;
      const context = contextOf(text, sentence, span);
      const step = SEVERITIES.indexOf(hit.severity) - (context === undefined ? 0 : 1);
      const severity = SEVERITIES[Math.max(0, step)]!;
      const phrase = text.slice(span.start, span.end);
      return { phrase, span, group, severity, reasons: [{ by, reason, severity, context }] };
    });
  }).toSorted((one, other) => one.span.start - other.span.start);
}

/** Regular expression for whole words; hyphen and space are equivalent. */
function expressionOf(words: readonly string[]): RegExp {
  const spaced = alternationPattern(words.map((word) => word.replace(/[\s-]+/g, " ")));
  const text = spaced.replaceAll("\\s+", "[\\s-]+");
  return new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, "giu");
}

function wordHits(
  text: string,
  sentence: SentenceSpan,
  { group, severity, reason, terms, excepted }: Omit<BiasTerm, "term" | "exceptions"> & {
    readonly terms: RegExp;
    readonly excepted: RegExp | undefined;
  },
): readonly Hit[] {
  const matches = [...sentence.text.matchAll(terms)];
  if (matches.length === 0 || excepted && sentence.text.search(excepted) !== -1) return [];
  return matches.map(({ index, 0: term }) => {
    const start = sentence.start + index;
    return { span: { start, end: start + term.length }, by: "word list", group, severity, reason };
  }).filter(({ span }) => !isAdjective(text, span) && !isName(sentence, span, group));
}

/**
 * Tests for an adjective after "the": it is one in "the elderly couple", a noun in "the elderly".
 */
function isAdjective(text: string, { start, end }: TextSpan): boolean {
  if (!/^the\s/i.test(text.slice(start, end))) return false;
  const [next] = readEnglish(text.slice(end, end + 60)).tokens;
  return next !== undefined && /^\s*[-\p{L}]/u.test(text.slice(end)) &&
    ["NOUN", "PROPN", "ADJ"].includes(next.partOfSpeech);
}

/** Groups with capitalised words, whose capital does not indicate a name. */
const CAPITALISED_GROUPS = ["ethnicity", "religion"];

/**
 * Detects a proper name by its capital within a sentence: "Mandarin Oriental", "Dick Van Dyke",
 * "Coalition for the Homeless". A word that is always capitalised needs a second capital next to
 * it. Words in full capitals are emphasis.
 */
function isName(sentence: SentenceSpan, { start, end }: TextSpan, group: string): boolean {
  const before = sentence.text.slice(0, start - sentence.start);
  const word = sentence.text.slice(start - sentence.start, end - sentence.start)
    .replace(/^the\s+/i, "");
  const after = sentence.text.slice(end - sentence.start);
  if (!/\p{L}/u.test(before) || !/^\p{Lu}/u.test(word) || word === word.toUpperCase()) return false;
  // The first word of a sentence is always capitalised.
  return !CAPITALISED_GROUPS.includes(group) || /\p{L}.*\P{L}\p{Lu}[\p{L}.’']*\s$/su.test(before) ||
    /^\s\p{Lu}/u.test(after);
}

const patternHits = (sentence: SentenceSpan): readonly Hit[] =>
  PATTERNS.flatMap(({ expression, severity, reason }) =>
    [...sentence.text.matchAll(expression)].map(({ index, 0: match, 1: noun = "" }) => {
      const start = sentence.start + index;
      const plain = noun.toLowerCase().replace(/\s+/g, " ");
      const groups = Object.keys(RULES.groups);
      const group = groups.find((name) => RULES.groups[name]!.includes(plain)) ?? "";
      const span = { start, end: start + match.length };
      return { span, by: "stereotype pattern", group, severity, reason };
    })
  );

/** Context of a phrase in its sentence; undefined for plain use. */
function contextOf(text: string, sentence: TextSpan, span: TextSpan): FlagReason["context"] {
  const before = text.slice(sentence.start, span.start);
  const after = text.slice(span.end, sentence.end);
  if (NEGATING.test(before)) return "negated";
  if (CONDEMNING.test(before) || CONDEMNING.test(after)) return "condemned";
  return isQuoted(before, after) ? "quoted" : undefined;
}

/** Detects a phrase between quotation marks of its sentence, apostrophes excluded. */
function isQuoted(before: string, after: string): boolean {
  const straight = (before.match(/"/g)?.length ?? 0) % 2 === 1 && after.includes('"');
  const opened = before.lastIndexOf("“") > before.lastIndexOf("”");
  const single = /(?:^|[\s(])[‘'](?!\s)[^’']*$/.test(before) && /['’](?![\p{L}])/u.test(after);
  return straight || (opened && after.includes("”")) || single;
}

/** Merges overlapping flags of all sources in text order. Flags outside the text come last. */
export function mergeFlags(text: string, flags: readonly BiasFlag[]): readonly BiasFlag[] {
  const place = ({ span }: BiasFlag) => span?.start ?? Infinity;
  const merged: BiasFlag[] = [];
  for (const flag of flags.toSorted((one, other) => place(one) - place(other) || 0)) {
    const at = merged.findIndex(({ span, phrase }) =>
      span && flag.span ? overlaps(span, flag.span) : span === flag.span && phrase === flag.phrase
    );
    const one = merged[at];
    if (one === undefined) {
      merged.push(flag);
      continue;
    }
    const span = one.span && flag.span && {
      start: Math.min(one.span.start, flag.span.start),
      end: Math.max(one.span.end, flag.span.end),
    };
    merged[at] = {
      phrase: span ? text.slice(span.start, span.end) : one.phrase,
      span,
      group: one.group || flag.group,
      severity: highestSeverity([one, flag])!,
      reasons: [...one.reasons, ...flag.reasons],
    };
  }
  return merged;
}

type BiasJudge = ReturnType<typeof biasJudge>;

/** A judge of bias that generates its answer. Without a list it is unscored, never "no bias". */
export function biasJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
) {
  const template = prompts.template("bias");
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256: template.sha256, timeoutSeconds },
    /**
     * Asks for biased phrases. Never throws for the model's answer. @throws the signal's reason
     * when it aborts.
     */
    async findBias(text: string, { signal }: { readonly signal?: AbortSignal } = {}) {
      const question = { template, values: { candidate: text }, timeoutSeconds, signal };
      const answer = await askInJson(model, question, readFindings);
      if (answer.kind === "unscored") return answer;
      const { items, reasoning, parse, provenance } = answer;
      const flags = items.flatMap((item) => flagOf(text, item, model.name) ?? []);
      // Items without a phrase or one of the three severities are dropped.
      const unreadable = items.length - flags.length;
      return { kind: "answer", flags, reasoning, unreadable, parse, provenance } as const;
    },
  };
}

/** Parses the list of an answer, whatever its items. */
function readFindings(text: string, ended: reading.EndReason, prompt: string) {
  const answer = reading.readJsonAnswer(text, ["flagged"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, before, parse } = answer;
  const items: unknown = reading.valueUnder(value, ["flagged"]);
  if (!Array.isArray(items)) return reading.malformed("its flagged is no list");
  const reasoning = textUnder(value, "reasoning") || before;
  return { kind: "read", items: items as readonly unknown[], reasoning, parse } as const;
}

function textUnder(item: reading.JsonAnswer["value"], key: string): string {
  const value = reading.valueUnder(item, [key]);
  return typeof value === "string" ? value.trim() : "";
}

function flagOf(text: string, item: unknown, by: string): BiasFlag | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const [phrase, reason, words] = ["phrase", "reason", "severity"]
    .map((key) => textUnder(item as reading.JsonAnswer["value"], key)) as [string, string, string];
  const severity = SEVERITIES.find((one) => words.toLowerCase() === one);
  if (phrase === "" || reading.isEchoed(phrase) || severity === undefined) return undefined;
  const span = reading.locatePhrase(text, phrase);
  const reasons = [{ by, reason, severity, context: undefined }];
  const wording = span ? text.slice(span.start, span.end) : phrase;
  return { phrase: wording, span, group: "", severity, reasons };
}

type BiasAnswer = Awaited<ReturnType<BiasJudge["findBias"]>>;

/** All findings of bias in a text. */
export type BiasFindings = Awaited<ReturnType<typeof findBias>>;

/**
 * Runs word list, patterns and judges on a text. It returns the flags in text order, the highest
 * severity (undefined without flags) and each judge's answer. @throws the signal's reason when it
 * aborts.
 */
export async function findBias(
  text: string,
  lexicon: readonly BiasTerm[],
  judges: readonly BiasJudge[],
  options: { readonly signal?: AbortSignal } = {},
) {
  const answers: { judge: string; answer: BiasAnswer }[] = [];
  for (const judge of judges) {
    options.signal?.throwIfAborted();
    answers.push({ judge: judge.name, answer: await judge.findBias(text, options) });
  }
  const judged = answers.flatMap(({ answer }) => answer.kind === "answer" ? answer.flags : []);
  const flags = mergeFlags(text, [...lexiconFlags(text, lexicon), ...judged]);
  return { flags, severity: highestSeverity(flags), judges: answers };
}
