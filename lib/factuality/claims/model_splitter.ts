import type { StructuredModel } from "../../models/model.ts";
import { ANSWER_FORMATS, fillTemplate, type PromptTemplate } from "../judges/prompts.ts";
import { readJsonAnswer, valueUnder } from "../judges/read_answer.ts";
import type { Claim, ClaimSplitter, SplitResult, TextSpan } from "../types.ts";
import { contentWords, isNegation, sameWord, type Word, wordsOf } from "./english.ts";
import { claimKind, notCheckable, type Sentence, sentencesOf } from "./sentences.ts";

/**
 * Claims that a language model proposes, each held against the text: what has words, numbers or
 * names that do not stand in one of its sentences is dropped with the reason.
 *
 * @param prompt Of the kind `claims`; its `{{candidate}}` is the text.
 */
export function languageModelSplitter(
  model: StructuredModel,
  prompt: PromptTemplate,
): ClaimSplitter {
  return {
    name: `claims by ${model.name}`,
    settings: { ...model.settings, prompt: prompt.name, promptSha256: prompt.sha256 },
    split: async (text, { signal } = {}) => {
      signal?.throwIfAborted();
      const statements = await asked(model, prompt, text, signal);
      signal?.throwIfAborted();
      return checked(text, statements);
    },
  };
}

/** @throws {Error} where the model refuses, fails, or answers without a single statement. */
async function asked(
  model: StructuredModel,
  prompt: PromptTemplate,
  text: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (sentencesOf(text).length === 0) return [];
  const question = fillTemplate(prompt, { candidate: text });
  const { schema } = ANSWER_FORMATS.claims;
  const reply = await model.ask(question, { schema, ...(signal && { signal }) });
  const written = reply.kind === "failure" ? reply.partialText ?? "" : reply.text;
  const statements = reply.kind === "refusal" ? undefined : proposedClaims(written);
  signal?.throwIfAborted();
  if (statements !== undefined && (statements.length > 0 || reply.kind === "answer")) {
    return statements;
  }
  const why = reply.kind === "refusal"
    ? "it refused"
    : reply.kind === "failure"
    ? reply.message
    : "its answer has no list of statements";
  throw new Error(`Cannot take the text apart: ${model.name}: ${why}; use the splitter by rules`);
}

function checked(text: string, statements: readonly string[]): SplitResult {
  const sentences = sentencesOf(text).map((sentence): ReadSentence => ({
    sentence,
    words: wordsOf(sentence.text, sentence.start),
  }));
  const dropped: { readonly text: string; readonly reason: string }[] = [];
  const kept: Omit<Claim, "id">[] = [];
  for (const statement of statements) {
    const result = attributed(statement, sentences);
    if ("reason" in result) dropped.push({ text: statement, reason: result.reason });
    else if (kept.some(({ text }) => text === result.text)) {
      dropped.push({ text: statement, reason: "it was proposed before" });
    } else kept.push(result);
  }
  const claims = kept.toSorted((one, other) => startOf(one) - startOf(other))
    .map((claim, index) => ({ id: `c${index + 1}`, ...claim }));
  return { claims, dropped };
}

function startOf({ sentence, spans }: Omit<Claim, "id">): number {
  return spans[0]?.start ?? sentence.start;
}

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

type Attributed = Omit<Claim, "id"> | { readonly reason: string };

/** A sentence of the text with its words. */
interface ReadSentence {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
}

/**
 * The claim with the sentence it says again, or why it is of none: every content word and number
 * must stand in that sentence; a name may stand in an earlier one where the sentence has a pronoun.
 */
function attributed(statement: string, sentences: readonly ReadSentence[]): Attributed {
  const said = wordsOf(statement, 0);
  const content = contentWords(said);
  if (content.length === 0) return { reason: "it has no content words" };
  const read = sentences.map(({ words }) => words);
  const missing = read.map((words, index) => missingFrom(content, words, read.slice(0, index)));
  const best = missing.reduce(
    (least, words, index) => words.length < missing[least]!.length ? index : least,
    0,
  );
  if (missing[best] === undefined) return { reason: "the text has no sentence" };
  if (missing[best].length > 0) {
    const lacking = missing[best].map(({ text }) => `“${text}”`).join(", ");
    return { reason: `the nearest sentence does not say ${lacking}` };
  }
  const spans = alignedSpans(content, read[best]!);
  const changed = negationChanged(said, read[best]!, spans);
  if (changed !== undefined) return { reason: changed };
  return claimOf(statement, sentences[best]!, spans, content);
}

function claimOf(
  text: string,
  { sentence, words }: ReadSentence,
  spans: readonly TextSpan[],
  content: readonly Word[],
): Omit<Claim, "id"> {
  const whole = notCheckable(sentence.text);
  const carried = whole === "hedge" || whole === "question" || whole === "opinion"
    ? whole
    : undefined;
  const name = content.filter((word) => !words.some((other) => sameWord(word, other)));
  const pronoun = words.find(({ partOfSpeech }) => partOfSpeech === "PRON");
  const to = name.map((word) => word.text).join(" ");
  return {
    text,
    spans,
    sentence: { start: sentence.start, end: sentence.end },
    kind: claimKind(text),
    notCheckable: carried ?? notCheckable(text),
    notes: to && pronoun ? [{ kind: "pronoun resolved", pronoun: pronoun.text, to }] : [],
  };
}

function missingFrom(
  content: readonly Word[],
  words: readonly Word[],
  earlier: readonly (readonly Word[])[],
): readonly Word[] {
  const hasPronoun = words.some(({ partOfSpeech }) => partOfSpeech === "PRON");
  return content.filter((word) => {
    if (words.some((other) => sameWord(word, other))) return false;
    const mayBeEarlier = hasPronoun && word.partOfSpeech === "PROPN";
    return !(mayBeEarlier &&
      earlier.some((before) => before.some((other) => sameWord(word, other))));
  });
}

/** The words of the sentence that the statement repeats, neighbours together. */
function alignedSpans(content: readonly Word[], words: readonly Word[]): readonly TextSpan[] {
  const taken = new Set<number>();
  let cursor = 0;
  for (const word of content) {
    const free = (from: number) =>
      words.findIndex((other, index) =>
        index >= from && !taken.has(index) && sameWord(word, other)
      );
    const ahead = free(cursor);
    const index = ahead < 0 ? free(0) : ahead;
    if (index < 0) continue;
    taken.add(index);
    cursor = index + 1;
  }
  const spans: TextSpan[] = [];
  let last = -2;
  for (const index of [...taken].sort((one, other) => one - other)) {
    const { start, end } = words[index]!;
    const before = spans.at(-1);
    if (before && index === last + 1) spans[spans.length - 1] = { start: before.start, end };
    else spans.push({ start, end });
    last = index;
  }
  return spans;
}

/** A "not" that was put in, or left out from among the words that are repeated. */
function negationChanged(
  said: readonly Word[],
  words: readonly Word[],
  spans: readonly TextSpan[],
): string | undefined {
  const inside = words.filter(isNegation);
  const denies = said.some(isNegation);
  if (denies && inside.length === 0) return "it denies what the text does not deny";
  const first = spans[0]?.start ?? 0;
  const last = spans.at(-1)?.end ?? 0;
  const isLost = !denies && inside.some(({ start }) => start > first && start < last);
  return isLost ? "it leaves out a negation of the text" : undefined;
}
