import { readEnglish } from "../claims/english.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { eachInFlight } from "../../models/in_flight.ts";
import {
  decide,
  nestedProbabilities,
  scoredVerdict,
  type UnreadAnswer,
  unscoredWithoutEvidence,
} from "../decision.ts";
import { termsOf } from "../retrieval/index.ts";
import { SOURCE_TEXT } from "../types.ts";
import type { Evidence, Named, Passage, ScoredVerdict, TextSpan, Unscored } from "../types.ts";
import type { Verdict, VerdictProbabilities, Verifier } from "../types.ts";

/** A chunk of a passage that fits a network's input. */
export interface SourceChunk {
  readonly passage: Passage;
  readonly span: TextSpan;
  /** Text shown to the network: the stretch, after title and section of a retrieved passage. */
  readonly premise: string;
}

/** Converts a chunk to evidence. @param relevance Relevance, 0–1. */
export function chunkEvidence(
  { passage, span }: Pick<SourceChunk, "passage" | "span">,
  relevance: number,
): Evidence {
  const text = passage.text.slice(span.start, span.end);
  return { passageId: passage.id, collection: passage.collection, span, text, relevance };
}

/** Greatest share of the network's input for a claim. A longer one leaves no room for a source. */
export const MAX_CLAIM_SHARE = 0.75;

/** Number of claims read concurrently, so that no thread is idle. */
const AT_ONCE = 4;

/** Reads a claim against sources; undefined where these have no sentence. */
export type ReadClaim<Reading> = (claim: string) => Promise<Reading | UnreadAnswer | undefined>;

/**
 * Makes a verifier that analyses sources once for all claims. The analysis is cached while the
 * passages stay the same, since the claims of a text arrive in batches.
 */
export function readingVerifier<Reading extends object>(
  { name, settings, modelSha256 }: Named & { readonly modelSha256: string },
  readerOf: (passages: readonly Passage[]) => ReadClaim<Reading>,
  verdictParts: (reading: Reading) => Omit<Parameters<typeof scoredVerdict>[0], "provenance">,
): Verifier {
  const provenance = { producedBy: name, modelSha256, promptSha256: undefined };
  let last: { readonly passages: readonly Passage[]; readonly read: ReadClaim<Reading> };
  return {
    name,
    settings,
    async verify(claims, passages, { signal } = {}) {
      if (last?.passages !== passages) last = { passages, read: readerOf(passages) };
      const { read } = last;
      const verdicts: Verdict[] = [];
      await eachInFlight(claims.entries(), AT_ONCE, async ([at, claim]) => {
        signal?.throwIfAborted();
        verdicts[at] = verdictOf(
          await read(claim),
          provenance,
          (reading) => scoredVerdict({ ...verdictParts(reading), provenance }),
        );
      });
      return verdicts;
    },
  };
}

const isUnread = (reading: object): reading is UnreadAnswer => "kind" in reading;

/** Returns the verdict from a reading. Unscored where reading failed, or there was no sentence. */
export function verdictOf<Reading extends object>(
  reading: Reading | UnreadAnswer | undefined,
  provenance: Unscored["provenance"],
  scored: (reading: Reading) => Verdict,
): Verdict {
  if (reading === undefined) return unscoredWithoutEvidence(provenance);
  return isUnread(reading) ? { ...reading, provenance } : scored(reading);
}

/** Weights a claim's terms by log inverse frequency among the chunks of its sources. */
export function claimTerms(
  claim: string,
  stretches: number,
  holding: (term: string) => number | undefined,
) {
  const weights = [...new Set(termsOf(claim))].map((term) =>
    [term, Math.log(1 + (stretches + 1) / ((holding(term) ?? 0) + 1))] as const
  );
  return {
    weights,
    /** Total weight of all terms. */
    all: weights.reduce((sum, [, weight]) => sum + weight, 0),
    weightIn: (terms: ReadonlySet<string>) =>
      weights.reduce((sum, [term, weight]) => terms.has(term) ? sum + weight : sum, 0),
  };
}

/** Halves a sentence that is too long at white space until each part fits. */
function halvedSpans(text: string, span: TextSpan, fits: (span: TextSpan) => boolean): TextSpan[] {
  if (fits(span)) return [span];
  const middle = Math.floor((span.start + span.end) / 2);
  const space = text.lastIndexOf(" ", middle);
  const cut = space > span.start ? space : middle;
  if (cut <= span.start) return [span];
  return [
    ...halvedSpans(text, { start: span.start, end: cut }, fits),
    ...halvedSpans(text, { start: cut, end: span.end }, fits),
  ];
}

/**
 * Detects a field of a knowledge base, which opens with its name: "Capital. name: Ottawa;
 * geographic coordinates: …".
 */
const isField = ({ collection, section, text }: Passage) =>
  collection !== SOURCE_TEXT && section !== "" && text.startsWith(`${section}. `);

/** Name of an attribute before its value: `border countries: `. */
const ATTRIBUTE = /^([^:;.]{1,60}): (?=\S)/u;

/**
 * Cache: whether a part of a field has a verb. Each is analysed again with the parts joined to it.
 */
const VERBS = new Map<string, boolean>();
const MOST_VERBS = 10_000;

function hasVerb(text: string): boolean {
  if (VERBS.size > MOST_VERBS) VERBS.clear();
  return VERBS.getOrInsertComputed(
    text,
    () => readEnglish(text).tokens.some(({ partOfSpeech }) => /^(?:VERB|AUX)$/.test(partOfSpeech)),
  );
}

/** Returns true for prose: attributes have no verb. */
const isProse = (text: string) => !ATTRIBUTE.test(text) && hasVerb(text);

/** A sentence, with its cells where it is a table row. */
interface Statement extends TextSpan {
  readonly parts?: readonly TextSpan[];
}

/** Returns the sentences of a passage, or its attributes one by one. */
function statementsOf(passage: Passage): readonly Statement[] {
  const { text, section } = passage;
  const sentences = sentencesOf(text).map(({ start, end, parts }) => ({ start, end, parts }));
  if (sentences.length === 0) return [{ start: 0, end: text.length }];
  if (!isField(passage)) return sentences;
  const heading = section.length + ". ".length;
  return sentences.filter(({ end }) => end > heading).flatMap((sentence) => {
    const [start, end] = [Math.max(sentence.start, heading), sentence.end];
    if (isProse(text.slice(start, end))) return [{ start, end }];
    const parts = [...text.slice(start, end).matchAll(/\S.*?(?:;(?=\s)|$)/gsu)];
    return parts.map(({ index, 0: part }) => (
      { start: start + index, end: start + index + part.length }
    ));
  });
}

/**
 * Rewords a field's chunk as sentences: "The capital of Canada is Ottawa." for "name: Ottawa", "The
 * coastline of Bolivia is 0 km." for "0 km". A value with several parts extends to the next
 * attribute. Prose, and the rest of a cut part, follow the title and field name.
 */
function sentencesOfField({ title, section }: Passage, text: string, isWhole: boolean): string {
  const statements: { readonly head: string; readonly values: string[] }[] = [];
  const parts = text.split(/;\s+|;$/u).filter((part) => /\S/.test(part));
  for (const [at, part] of parts.entries()) {
    const [label = "", name = ""] = ATTRIBUTE.exec(part) ?? [];
    const value = part.slice(label.length).trim().replace(/\.$/, "");
    const last = statements.at(-1);
    if (at === 0 && !isWhole) {
      statements.push({ head: `${title}, ${section}:`, values: [part.trim()] });
    } else if (hasVerb(value)) {
      const subject = name === "" || isNote(name) ? section : `${section} (${name})`;
      statements.push({ head: `${title}, ${subject}:`, values: [value] });
    } else if (name === "" && last !== undefined) last.values.push(value);
    else statements.push({ head: attributeHead(title, section, name), values: [value] });
  }
  return statements.map(({ head, values }) => `${head} ${values.join("; ")}`.replace(/\.?$/, "."))
    .join(" ");
}

const isNote = (name: string) => /\bnote\b/iu.test(name);

/** Beginning of a sentence for an attribute's value: "The population of Finland (total) is". */
function attributeHead(title: string, section: string, name: string): string {
  if (isNote(section) || isNote(name)) return `${title}, ${section}:`;
  const small = (word: string) =>
    word.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
  const [field, attribute] = [small(section), small(name)];
  const isField = attribute === "" || attribute === "name";
  const whole = isField || !attribute.includes(field) ? field : attribute;
  const remainder = isField || whole === attribute ? "" : ` (${attribute})`;
  return `The ${whole} of ${title}${remainder} ${/[^s]s$/u.test(whole) ? "are" : "is"}`;
}

/**
 * Splits a passage into chunks of sentences within a limit of tokens. A longer sentence is halved.
 */
export function chunksOf(
  passage: Passage,
  limit: number,
  countTokens: (text: string) => number,
): readonly SourceChunk[] {
  const { text, collection, title, section } = passage;
  // A knowledge base's passage does not repeat its subject: `France, Population: `.
  const about = collection === SOURCE_TEXT ? "" : [title, section].filter(Boolean).join(", ");
  const statements = statementsOf(passage);
  const starts = new Set(statements.map(({ start }) => start));
  const premise = ({ start, end }: TextSpan) => {
    const stretch = text.slice(start, end);
    return isField(passage)
      ? sentencesOfField(passage, stretch, starts.has(start))
      : `${about && `${about}: `}${stretch}`;
  };
  const fits = (span: TextSpan) => countTokens(premise(span)) <= limit;
  const spans: TextSpan[] = [];
  // A row that is too long is split between its cells.
  const whole = statements.flatMap((one) =>
    fits(one) || one.parts === undefined || one.parts.length < 2 ? [one] : one.parts
  ).map(({ start, end }): TextSpan => ({ start, end }));
  for (const statement of whole) {
    for (const span of halvedSpans(text, statement, fits)) {
      const joined = { start: spans.at(-1)?.start ?? 0, end: span.end };
      if (spans.length > 0 && fits(joined)) spans[spans.length - 1] = joined;
      else spans.push(span);
    }
  }
  return spans.map((span) => ({ passage, span, premise: premise(span) }));
}

/**
 * Splits passages into chunks for a language model. @param limit Maximum number of words with the
 * heading, ≥ 1.
 */
export function wordChunks(passages: readonly Passage[], limit: number): readonly SourceChunk[] {
  return passages
    .filter(({ text }) => text.trim() !== "")
    .flatMap((passage) => chunksOf(passage, limit, (text) => text.trim().split(/\s+/).length));
}

/** Answer of a model about a claim and one stretch of the source. */
export interface ChunkAnswer {
  readonly chunk: SourceChunk;
  readonly probabilities: VerdictProbabilities;
}

/**
 * Combines the answers for all chunks. P(supported) is the maximum, since one chunk suffices to
 * support a claim. The rest is divided as in the most contradictory chunk, which silence elsewhere
 * does not outweigh. `deciding` is the answer that determines the label.
 */
export function combineAnswers<Answer extends ChunkAnswer>(
  answers: readonly Answer[],
): Pick<ScoredVerdict, "probabilities" | "evidence"> & { readonly deciding: Answer } {
  const [best, worst] = [greatest(answers, "supported"), greatest(answers, "refuted")];
  const supported = best.probabilities.supported;
  const against = worst.probabilities;
  const others = against.refuted + against["not enough info"];
  const share = others === 0 ? 0 : against.refuted / others;
  const probabilities = nestedProbabilities(supported, share);
  const shown = [[best.chunk, supported], [worst.chunk, against.refuted]] as const;
  const evidence = shown.map(([chunk, relevance]) => chunkEvidence(chunk, relevance));
  const isRefuted = decide(probabilities) === "refuted";
  if (isRefuted) evidence.reverse();
  return {
    probabilities,
    evidence: best === worst ? evidence.slice(0, 1) : evidence,
    deciding: isRefuted ? worst : best,
  };
}

const greatest = <Answer extends ChunkAnswer>(
  answers: readonly Answer[],
  label: "supported" | "refuted",
) =>
  answers.reduce((best, answer) =>
    answer.probabilities[label] > best.probabilities[label] ? answer : best
  );
