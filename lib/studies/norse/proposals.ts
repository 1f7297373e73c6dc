/** Proposals of pairs by a model (requirement 2.3), verified by the rules. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { addressOf, type Settings } from "../../files/asking.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { appendJsonLine, readJsonLines } from "../../files/json.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { adjectivesWithForm } from "./adjective_forms.ts";
import { type Candidate, type Objection, reject, tokenise } from "./verdicts.ts";
import {
  type Candidates,
  chooseDataset,
  findCandidates,
  type NorsePair,
  type OnRecord,
  openRuleBook,
  type RuleBook,
} from "./selection.ts";
import { DATA, type GenerationSettings, PROPOSER, type Sentence, type Source } from "./dataset.ts";
import { MIDDLE_PARSES } from "./middle_voice.ts";
import { OBLIQUE } from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { UMLAUT_FORMS } from "./umlaut.ts";

/** A prompt template per phenomenon, with its SHA-256 (hex) for certificates. */
export type PromptTemplates = Readonly<
  Record<Phenomenon, { readonly text: string; readonly sha256: string }>
>;

/** Reads `data/norse/prompts/*.md`. @throws SyntaxError unless each contains {sentence} once. */
export function readPromptTemplates(folder: string = join(DATA, "prompts")): PromptTemplates {
  const entries = PHENOMENA.map((phenomenon) => {
    const file = join(folder, `${phenomenon.toLowerCase()}.md`);
    const text = Deno.readTextFileSync(file);
    const places = text.match(/\{\w+\}/gu) ?? [];
    if (places.join() === "{sentence}") return [phenomenon, { text, sha256: sha256Hex(text) }];
    throw new SyntaxError(
      `Cannot read prompt ${file}: its places are ${places.join(", ") || "none"}; write ` +
        "{sentence} once, where the sentence goes.",
    );
  });
  return Object.fromEntries(entries);
}

/** A question to the model: a sentence and a phenomenon that it may show. */
export interface ProposalQuestion {
  readonly phenomenon: Phenomenon;
  readonly sentence: Sentence;
}

/** Returns the prompt of a question. */
export function formatPrompt(templates: PromptTemplates, question: ProposalQuestion): string {
  const { phenomenon, sentence } = question;
  return templates[phenomenon].text.replace("{sentence}", () => sentence.normalised);
}

// Answers on record

const RECORD = z.strictObject({
  model: z.string().min(1),
  promptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  sentenceId: z.string().min(1),
  phenomenon: z.enum(PHENOMENA),
  /** Type of response: an answer, or the host's refusal. */
  kind: z.enum(["answer", "refusal"]),
  /** The text, verbatim. */
  text: z.string(),
  /** Number of prompt tokens; 0 for a refusal, for which hosts report none. */
  promptTokens: z.int().min(0),
  replyTokens: z.int().min(0),
  /** Settings that affect the answer: host, temperature, reasoning effort. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Hash of settings and prompt. Records of earlier versions lack it and are still valid. */
  asked: z.string().optional(),
});

/** One line of `proposals.jsonl`: a model's answer to one question. */
export type ProposalRecord = Readonly<z.infer<typeof RECORD>>;

/** Returns the key of a record: model, prompt, sentence and phenomenon. */
export function proposalKey(
  record: Pick<ProposalRecord, "model" | "promptSha256" | "sentenceId" | "phenomenon">,
): string {
  const { model, promptSha256, sentenceId, phenomenon } = record;
  return JSON.stringify([model, promptSha256, sentenceId, phenomenon]);
}

/** Returns the hash of a prompt and the model's settings. */
export const proposalAddress = (
  templates: PromptTemplates,
  question: ProposalQuestion,
  settings: Settings,
): string => addressOf([settings, formatPrompt(templates, question)]);

/** Reads recorded answers, one per question. Damaged lines are skipped and asked again. */
export function readProposals(path?: string): readonly ProposalRecord[] {
  return [...openProposals(path).rows.values()];
}

/** Opens the recorded answers by key, as a table for `askMissing`. */
export function openProposals(path: string = join(DATA, "proposals.jsonl")) {
  const lines = existsSync(path) ? readJsonLines(path, (value) => RECORD.parse(value)).rows : [];
  const rows = new Map<string, ProposalRecord>();
  for (const line of lines) {
    const before = rows.get(proposalKey(line));
    if (before === undefined || before.asked !== line.asked) rows.set(proposalKey(line), line);
  }
  const put = (record: ProposalRecord) => {
    appendJsonLine(path, record);
    rows.set(proposalKey(record), record);
  };
  return { rows, put };
}

// Parsing of answers

/** A parsed answer, not yet verified. */
type ParsedAnswer =
  | { readonly kind: "proposal"; readonly target: string; readonly replacement: string }
  | { readonly kind: "none" }
  | { readonly kind: "unparsable"; readonly detail: string };

/**
 * Parses an answer leniently.
 * It accepts preceding reasoning, code fences, prose around the object, single quotes, trailing
 * commas and a missing last brace. The last of several objects counts, because reasoning comes
 * first. A final `none` means none, except after a colon ("Other candidates:"). Without a usable
 * object, a line that begins with none means none, whatever explanation follows.
 */
export function parseAnswer(text: string): ParsedAnswer {
  // A server may leave the reasoning in the text.
  const reply = text.split(/<\/(?:think|thinking|reasoning)>/iu).at(-1)!.normalize("NFC");
  const behind = linesOf(reply.slice(reply.lastIndexOf("}") + 1));
  const isTakenBack = isNone(behind.at(-1)) && !/:[\s*_]*$/u.test(behind.at(-2) ?? "");
  for (const { target, replacement, answer } of isTakenBack ? [] : objectsIn(reply).reverse()) {
    const isEmpty = isNone(target) || isNone(answer) || target === "" ||
      (target !== undefined && isNone(replacement));
    if (isEmpty && reply.includes("}")) return { kind: "none" };
    if (typeof target === "string" && typeof replacement === "string") {
      return { kind: "proposal", target: bareWord(target), replacement: bareWord(replacement) };
    }
  }
  const lines = linesOf(reply);
  if (isNone(lines[0]) || isNone(lines.at(-1))) return { kind: "none" };
  return { kind: "unparsable", detail: oneLine(reply) || "the answer is empty" };
}

const linesOf = (text: string) => text.split("\n").filter((line) => /\p{L}/u.test(line));

/**
 * Tests for null or a text that means none.
 * Examples: "None. (Its subject is …)", "none — …", "Final answer: none".
 */
function isNone(value: unknown): boolean {
  const none =
    /^[^\p{L}]*(?:(?:the |my )?(?:final )?answer(?: is)?[^\p{L}]*)?none(?=[^\p{L}\p{M}]*$|\s*[.,;:!—–(*"'`-])/iu;
  return value === null || (typeof value === "string" && none.test(value));
}

/** Returns all objects that pairs of braces can delimit, in order. The last may lack its end. */
function objectsIn(text: string): Readonly<Record<string, unknown>>[] {
  return text.split(/(?=\{)/u).filter((part) => part.startsWith("{")).flatMap((part) => {
    const end = part.lastIndexOf("}");
    const object = end === -1 ? part.replace(/`{3}[\s\S]*$/u, "") : part.slice(0, end + 1);
    try {
      return [Object(JSON.parse(jsonrepair(object)))];
    } catch {
      return []; // What cannot be repaired is prose.
    }
  });
}

/** Removes white space, punctuation and emphasis at the ends. */
const bareWord = (text: string) => text.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, "");

/** Collapses white space and truncates, so that a rejection is one line. */
const oneLine = (text: string) =>
  [...text.replace(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, 80).join("");

// Verification by the rules

/** The result of verifying one answer. */
type Verdict =
  & { readonly record: ProposalRecord }
  & (
    | { readonly kind: "confirmed"; readonly certified: NorsePair }
    | { readonly kind: "rejected"; readonly rejection: Rejection }
  );

/** Verifies an answer: only pairs that the rules certify pass. */
export function verifyProposal(
  record: ProposalRecord,
  sentence: Sentence,
  rules: RuleBook,
): Verdict {
  const { kind, model, promptSha256, phenomenon, text } = record;
  const rejected = (reason: string, detail: string, name = ""): Verdict => {
    const by = detail === "" ? model : `${model}: ${detail}`;
    const rejection = reject(sentence, phenomenon, name, { reason, detail: by });
    return { kind: "rejected", record, rejection };
  };
  if (kind === "refusal") return rejected("refused_to_answer", oneLine(text));
  const answer = parseAnswer(text);
  if (answer.kind === "none") return rejected("nothing_proposed", "");
  if (answer.kind === "unparsable") return rejected("unparsable_answer", answer.detail);
  const replacement = answer.replacement.toLowerCase();
  const name = `${oneLine(answer.target)}>${oneLine(replacement)}`;
  const verdict = ruleVerdict(
    phenomenon,
    sentence,
    answer.target.toLowerCase(),
    replacement,
    rules,
  );
  if ("reason" in verdict) return rejected(verdict.reason, verdict.detail, name);
  const result = rules.certify(verdict, { proposedBy: model, promptSha256 });
  return result.kind === "certified"
    ? { kind: "confirmed", record, certified: result }
    : rejected(result.rejection.reason, result.rejection.detail, name);
}

/** Tests, by phenomenon, whether the rule tables contain a word's form. */
const IN_TABLES: Readonly<Record<Phenomenon, (word: string) => boolean>> = {
  QUIRKY_CASE: (word) => OBLIQUE.has(word),
  ADJECTIVE: (word) => adjectivesWithForm(word).length > 0,
  UMLAUT: (word) => UMLAUT_FORMS.has(word),
  MIDDLE_VOICE: (word) => MIDDLE_PARSES.has(word),
};

/** Returns the rules' candidate for this target in lower case, or their objection. */
function ruleVerdict(
  phenomenon: Phenomenon,
  sentence: Sentence,
  target: string,
  replacement: string,
  rules: RuleBook,
): Candidate | Objection {
  const because = (reason: string, detail = ""): Objection => ({ reason, detail });
  const tokens = tokenise(sentence.normalised).filter(({ lower }) => lower === target);
  if (tokens.length === 0) return because("target_not_in_sentence");
  if (tokens.length > 1) return because("target_ambiguous", `it stands ${tokens.length} times`);
  if (tokenise(replacement)[0]?.form !== replacement) return because("replacement_not_one_word");
  if (replacement === target) return because("nothing_changed");
  const { candidates, rejections } = rules.find(sentence, phenomenon);
  const candidate = candidates.find(({ token }) => token.lower === target);
  if (candidate?.replacement === replacement) return candidate;
  if (candidate) return because("other_form_expected", `the rules expect ${candidate.replacement}`);
  const refused = rejections.find(({ candidate }) =>
    candidate.split(">")[0]?.toLowerCase() === target
  );
  return refused ??
    because(IN_TABLES[phenomenon](target) ? "not_its_frame" : "unknown_to_the_tables", target);
}

// The data set

/**
 * Generates the data set of a source, with all its candidates. The order of answers has no effect.
 */
export function generate(
  { sentences, records, templates, settings, rules, ...onRecord }: OnRecord & {
    readonly sentences: readonly Sentence[];
    /** Records in the order of the file. */
    readonly records: readonly ProposalRecord[];
    readonly templates: PromptTemplates;
    readonly settings: GenerationSettings;
    /** Rules; by default opened over the sentences. */
    readonly rules?: RuleBook;
  },
) {
  const book = rules ?? openRuleBook(sentences);
  // The proposer's answers to the current templates.
  const current = Map.groupBy(
    records.filter(({ model, promptSha256, phenomenon }) =>
      model === PROPOSER && promptSha256 === templates[phenomenon].sha256
    ),
    ({ sentenceId, phenomenon }) => `${sentenceId} ${phenomenon}`,
  );
  /** One verdict per counted answer, in text order. */
  const verdicts = sentences.flatMap((sentence) =>
    PHENOMENA.flatMap((phenomenon) => current.get(`${sentence.id} ${phenomenon}`) ?? [])
      .map((record) => verifyProposal(record, sentence, book))
  );
  const counted = new Set(records.slice(0, settings.answers));
  const used = verdicts.filter(({ record }) => counted.has(record));
  const candidates = gatherCandidates(settings.source, findCandidates(sentences, book), used);
  return { verdicts, candidates, dataset: chooseDataset(candidates, settings.seed, onRecord) };
}

/**
 * Gathers the candidates of a source.
 * - `rules`: the candidates found by the rules;
 * - `llm`: the confirmed proposals;
 * - `both`: the rules' candidates, credited to the model if it proposed them too, with the
 * rejections of both except for answers without a proposal.
 */
function gatherCandidates(
  source: Source,
  candidates: Candidates,
  verdicts: readonly Verdict[],
): Candidates {
  if (source === "rules") return candidates;
  const placeOf = ({ certificate: { source, sha256 } }: NorsePair) =>
    `${source.chapter} ${source.sentence} ${sha256}`;
  const confirmed = new Map<string, NorsePair>();
  const refused: Rejection[] = [];
  for (const verdict of verdicts) {
    if (verdict.kind === "confirmed") confirmed.set(placeOf(verdict.certified), verdict.certified);
    else if (verdict.rejection.reason !== "nothing_proposed") refused.push(verdict.rejection);
  }
  const proposed = (pair: NorsePair) => confirmed.get(placeOf(pair));
  return source === "llm"
    ? {
      certified: candidates.certified.flatMap((pair) => proposed(pair) ?? []),
      rejections: refused,
    }
    : {
      certified: candidates.certified.map((pair) => proposed(pair) ?? pair),
      rejections: [...candidates.rejections, ...refused],
    };
}
