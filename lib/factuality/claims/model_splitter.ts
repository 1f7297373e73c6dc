import { z } from "zod";
import type { StructuredModel } from "../../models/model.ts";
import { type Component, IDENTIFIER } from "../component.ts";
import {
  ANSWER_FORMATS,
  fillTemplate,
  MAX_CLAIMS,
  type PromptTemplate,
} from "../judges/prompts.ts";
import { readJsonAnswer, valueUnder } from "../judges/read_answer.ts";
import type { Claim, ClaimSplitter, SplitResult, TextSpan } from "../types.ts";
import { spansOf } from "./clauses.ts";
import {
  contentWords,
  hasTag,
  isNegation,
  isSameLemma,
  type TaggedWord,
  wordsOf,
} from "./english.ts";
import type { Words } from "./english.ts";
import { claimKind, hedgeIn, notCheckable, sentencesOf } from "./sentences.ts";

const ENTRY = z.strictObject({ kind: z.literal("language-model"), judge: IDENTIFIER });

/** A claim splitter that asks one of the configured judges' language models. */
export const modelSplitter: Component<typeof ENTRY, ClaimSplitter> = {
  schema: ENTRY,
  open({ judge }, { prompts, writerOf }) {
    const writer = writerOf?.(judge);
    if (writer === undefined) {
      const remedy = "name a judge with readout: generation, or write kind: rules";
      throw new Error(`${judge} is not there, or does not write; ${remedy}`);
    }
    return languageModelSplitter(writer, prompts.template(SPLITTING_TEMPLATE));
  },
};

/** Name of the prompt template for splitting. */
export const SPLITTING_TEMPLATE = "claim_splitting";

/**
 * Claims proposed by a language model and checked against the text. A claim with content words,
 * numbers or names missing from its sentence is dropped with the reason.  @param prompt A template
 * of kind `claims`; its `{{candidate}}` is the text.
 */
export const languageModelSplitter = (
  model: StructuredModel,
  prompt: PromptTemplate,
): ClaimSplitter => ({
  name: `claims by ${model.name}`,
  settings: { ...model.settings, prompt: prompt.name, promptSha256: prompt.sha256 },
  split: async (text, { signal } = {}) => {
    signal?.throwIfAborted();
    const { statements, cut } = await askForStatements(model, prompt, text, signal);
    return { ...checkedStatements(text, statements), cut };
  },
});

/**
 * Asks the model for statements. @throws {Error} where the model refuses, fails, or answers without
 * a single statement.
 */
async function askForStatements(
  model: StructuredModel,
  prompt: PromptTemplate,
  text: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly statements: readonly string[]; readonly cut?: SplitResult["cut"] }> {
  if (sentencesOf(text).length === 0) return { statements: [] };
  const question = fillTemplate(prompt, { candidate: text });
  const { schema } = ANSWER_FORMATS.claims;
  const reply = await model.ask(question, { schema, signal });
  signal?.throwIfAborted();
  const whyNot = { refusal: "it refused", answer: "its answer has no list of statements" };
  const why = reply.kind === "failure" ? reply.message : whyNot[reply.kind];
  const written = reply.kind === "failure" ? reply.partialText ?? "" : reply.text;
  const statements = reply.kind === "refusal" ? undefined : proposedClaims(written);
  if (statements && (statements.length > 0 || reply.kind === "answer")) {
    const isWhole = reply.kind === "answer" && reply.ended === "complete" &&
      statements.length < MAX_CLAIMS;
    if (isWhole) return { statements };
    const how = reply.kind === "failure" ? reply.message : "its answer was as long as it may be";
    const message = `${model.name} named ${statements.length} claims, and perhaps not all: ${how}.`;
    return { statements, cut: { message, isTransient: reply.kind === "failure" } };
  }
  throw new Error(`Cannot take the text apart: ${model.name}: ${why}; use the splitter by rules`);
}

function checkedStatements(text: string, statements: readonly string[]): SplitResult {
  const sentences = sentencesOf(text).flatMap(({ parts }) =>
    parts.map(({ lead, start, end }): ReadSentence => {
      const spanText = text.slice(start, end);
      return {
        text: spanText,
        start,
        end,
        words: wordsOf(spanText, start),
        lead: wordsOf(lead, 0),
      };
    })
  );
  const dropped: { readonly text: string; readonly reason: string }[] = [];
  const accepted: Omit<Claim, "id">[] = [];
  for (const statement of statements) {
    const claim = attributeStatement(text, statement, sentences);
    if (typeof claim === "string") dropped.push({ text: statement, reason: claim });
    else if (accepted.some(({ text }) => text === claim.text)) {
      dropped.push({ text: statement, reason: "it was proposed before" });
    } else accepted.push(claim);
  }
  const startOf = ({ sentence, spans }: Omit<Claim, "id">) => spans[0]?.start ?? sentence.start;
  const claims = accepted.toSorted((one, other) => startOf(one) - startOf(other))
    .map((claim, index) => ({ id: `c${index + 1}`, ...claim }));
  return { claims, dropped };
}

const KEYS = ["claims", "statements", "facts"];

/**
 * Returns the statements in a model's answer as far as it is complete. Undefined without a list.
 */
export function proposedClaims(answer: string): readonly string[] | undefined {
  const read = readJsonAnswer(answer, KEYS);
  const value = read.kind === "read" ? valueUnder(read.value, KEYS) : undefined;
  const listed = Array.isArray(value) ? value.flatMap(stringsOf) : wholeStrings(answer);
  return listed?.map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

/** Returns the statements of a string, or of an object that holds one. */
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
  for (let match = next.exec(answer); match; match = next.exec(answer)) {
    try {
      strings.push(JSON.parse(match[1]!));
    } catch {
      // A line break in it, or an escape that is none: no whole statement.
    }
  }
  return strings;
}

/** A sentence or cell with its words and those of its lead-in. */
type ReadSentence = TextSpan & {
  readonly text: string;
  readonly words: Words;
  readonly lead: Words;
};

const stands = (word: TaggedWord, words: Words) => words.some((other) => isSameLemma(word, other));

/**
 * Attributes a statement to a sentence, or returns the reason for none. Every content word and
 * number must be in that sentence. A name may be in an earlier one where the sentence has a
 * pronoun.
 */
function attributeStatement(
  whole: string,
  statement: string,
  sentences: readonly ReadSentence[],
): Omit<Claim, "id"> | string {
  const statementWords = wordsOf(statement, 0);
  const content = contentWords(statementWords);
  if (content.length === 0) return "it has no content words";
  const missing = sentences.map(({ words, lead }, index) => {
    const hasPronoun = words.some((word) => hasTag(word, "PRON"));
    return content.filter((word) => {
      const mayBeEarlier = hasPronoun && hasTag(word, "PROPN");
      const earlier = mayBeEarlier ? sentences.slice(0, index) : [];
      return !stands(word, words) && !stands(word, lead) &&
        !earlier.some((before) => stands(word, before.words));
    });
  });
  const least = Math.min(...missing.map(({ length }) => length));
  const best = missing.findIndex(({ length }) => length === least);
  if (best < 0) return "the text has no sentence";
  if (least > 0) {
    const lacking = missing[best]!.map(({ text }) => `“${text}”`).join(", ");
    return `the nearest sentence does not say ${lacking}`;
  }
  const { words, text, start, end, lead } = sentences[best]!;
  const spans = spansOf(whole, repeatedWords(content, words));
  const changed = negationChanged(statementWords, words, spans) ??
    hedgeLost(statement, sentences[best]!, spans);
  if (changed !== undefined) return changed;
  const reason = notCheckable(text);
  const isCarried = ["hedge", "question", "opinion", "instruction"].includes(reason ?? "");
  const pronoun = words.find((word) => hasTag(word, "PRON"));
  const to = content.filter((word) => !stands(word, words) && !stands(word, lead)).map(({ text }) =>
    text
  ).join(" ");
  return {
    text: statement,
    spans,
    sentence: { start, end },
    kind: claimKind(statement),
    notCheckable: isCarried ? reason : notCheckable(statement),
    notes: to && pronoun ? [{ kind: "pronoun resolved", pronoun: pronoun.text, to }] : [],
  };
}

/** Words of the sentence that the statement repeats. */
function repeatedWords(content: Words, words: Words): Words {
  const taken = new Set<number>();
  let cursor = 0;
  for (const word of content) {
    const free = (from: number) =>
      words.findIndex((other, at) => at >= from && !taken.has(at) && isSameLemma(word, other));
    const ahead = free(cursor);
    const index = ahead < 0 ? free(0) : ahead;
    if (index < 0) continue;
    taken.add(index);
    cursor = index + 1;
  }
  return words.filter((_, index) => taken.has(index));
}

/** Reports a negation that the statement adds, or omits from among the repeated words. */
function negationChanged(
  statementWords: Words,
  words: Words,
  spans: readonly TextSpan[],
): string | undefined {
  const inside = words.filter(isNegation);
  const denies = statementWords.some(isNegation);
  if (denies && inside.length === 0) return "it denies what the text does not deny";
  const [first, last] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const isLost = !denies && inside.some(({ start }) => start > first && start < last);
  return isLost ? "it leaves out a negation of the text" : undefined;
}

/** Reports an omitted hedge: "Ada met the king" from "Ada may have met the king". */
function hedgeLost(
  statement: string,
  { text, start }: ReadSentence,
  spans: readonly TextSpan[],
): string | undefined {
  const hedge = hedgeIn(text);
  if (hedge === undefined || hedgeIn(statement) !== undefined) return undefined;
  const isLost = start + hedge.start < (spans.at(-1)?.end ?? 0);
  const words = text.slice(hedge.start, hedge.end);
  return isLost ? `it leaves out that the text says “${words}”` : undefined;
}
