/** A model proposes pairs (requirement 2.3), the rules verify: prompts, answers, data set. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { addressOf, type Settings } from "../../files/asking.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { appendJsonLine, readJsonLines } from "../../files/json.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { adjectivesWithForm } from "./adjective_forms.ts";
import { type Candidate, type Objection, reject, tokenise } from "./candidate.ts";
import {
  type Candidates,
  chooseDataset,
  findCandidates,
  type NorsePair,
  type OnRecord,
  openRuleBook,
  type RuleBook,
} from "./candidates.ts";
import { DATA, type GenerationSettings, PROPOSER, type Sentence, type Source } from "./dataset.ts";
import { MIDDLE_PARSES } from "./middle_voice.ts";
import { OBLIQUE } from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { UMLAUT_FORMS } from "./umlaut.ts";

/** A prompt with a place for the sentence, for each phenomenon, and its SHA-256 (hex) for certificates. */
export type PromptTemplates = Readonly<
  Record<Phenomenon, { readonly text: string; readonly sha256: string }>
>;

/** `data/norse/prompts/*.md`. @throws SyntaxError unless each has one place {sentence}. */
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

/** One question to the model: can this sentence show this phenomenon? */
export interface Question {
  readonly phenomenon: Phenomenon;
  readonly sentence: Sentence;
}

/** The prompt of a question. */
export function formatPrompt(templates: PromptTemplates, question: Question): string {
  const { phenomenon, sentence } = question;
  return templates[phenomenon].text.replace("{sentence}", () => sentence.normalised);
}

// Answers on record

const RECORD = z.strictObject({
  model: z.string().min(1),
  promptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  sentenceId: z.string().min(1),
  phenomenon: z.enum(PHENOMENA),
  /** What came back: an answer, or the host's refusal to give one. */
  kind: z.enum(["answer", "refusal"]),
  /** To the letter. */
  text: z.string(),
  /** 0 for a refusal, of which hosts do not count them. */
  promptTokens: z.int().min(0),
  replyTokens: z.int().min(0),
  /** What the answer depends on besides the prompt: host, temperature, reasoning effort. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Address of prompt and settings; records of earlier versions have none, and count. */
  asked: z.string().optional(),
});

/** One line of `proposals.jsonl`: what a model answered to one question. */
export type ProposalRecord = Readonly<z.infer<typeof RECORD>>;

/** The same for the same question to the same model. */
export function proposalKey(
  record: Pick<ProposalRecord, "model" | "promptSha256" | "sentenceId" | "phenomenon">,
): string {
  const { model, promptSha256, sentenceId, phenomenon } = record;
  return JSON.stringify([model, promptSha256, sentenceId, phenomenon]);
}

/** Address of a question to a model of these settings. */
export const proposalAddress = (
  templates: PromptTemplates,
  question: Question,
  settings: Settings,
): string => addressOf([settings, formatPrompt(templates, question)]);

/** What is on record, each question once, of one asked twice alike the first; damaged lines are asked again. */
export function readProposals(path?: string): readonly ProposalRecord[] {
  return [...openProposals(path).rows.values()];
}

/** The records by key, and a way to add one as a whole line: what `askMissing` takes for a table. */
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

// What an answer says

/** What an answer says, before anything of it is believed. */
type ParsedAnswer =
  | { readonly kind: "proposal"; readonly target: string; readonly replacement: string }
  | { readonly kind: "none" }
  | { readonly kind: "unparsable"; readonly detail: string };

/**
 * Reads an answer as leniently as its meaning allows: reasoning before it, code fences, prose around
 * the object, single quotes, trailing commas, a missing last brace. Of several objects the last
 * counts, and `none` behind them all is none, because reasoning goes before the answer; but not
 * behind a colon, "Other candidates:". Where no object can be used, a line that begins with none
 * says it, whatever reason is added.
 */
export function parseAnswer(text: string): ParsedAnswer {
  // A server may leave the thought in the text.
  const said = text.split(/<\/(?:think|thinking|reasoning)>/iu).at(-1)!.normalize("NFC");
  const behind = linesOf(said.slice(said.lastIndexOf("}") + 1));
  const isTakenBack = isNone(behind.at(-1)) && !/:[\s*_]*$/u.test(behind.at(-2) ?? "");
  for (const { target, replacement, answer } of isTakenBack ? [] : objectsIn(said).reverse()) {
    const isEmpty = isNone(target) || isNone(answer) || target === "" ||
      (target !== undefined && isNone(replacement));
    if (isEmpty && said.includes("}")) return { kind: "none" };
    if (typeof target === "string" && typeof replacement === "string") {
      return { kind: "proposal", target: bareWord(target), replacement: bareWord(replacement) };
    }
  }
  const lines = linesOf(said);
  if (isNone(lines[0]) || isNone(lines.at(-1))) return { kind: "none" };
  return { kind: "unparsable", detail: oneLine(said) || "the answer is empty" };
}

const linesOf = (text: string) => text.split("\n").filter((line) => /\p{L}/u.test(line));

/** null, or a text that begins so: "None. (Its subject is …)", "none — …", "Final answer: none". */
function isNone(value: unknown): boolean {
  const none =
    /^[^\p{L}]*(?:(?:the |my )?(?:final )?answer(?: is)?[^\p{L}]*)?none(?=[^\p{L}\p{M}]*$|\s*[.,;:!—–(*"'`-])/iu;
  return value === null || (typeof value === "string" && none.test(value));
}

/** Every object that a pair of braces in the text can be read as, in order; the last may lack its end. */
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

/** Without white space, punctuation and emphasis at its edges. */
const bareWord = (text: string) => text.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, "");

/** White space folded and shortened: a rejection is one line. */
const oneLine = (text: string) =>
  [...text.replace(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, 80).join("");

// What the rules make of it

/** What became of one answer. */
type Verdict =
  & { readonly record: ProposalRecord }
  & (
    | { readonly kind: "confirmed"; readonly certified: NorsePair }
    | { readonly kind: "rejected"; readonly rejection: Rejection }
  );

/** Judges an answer by the rules alone: what they would certify passes; all else is rejected. */
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
  const found = ruleVerdict(phenomenon, sentence, answer.target.toLowerCase(), replacement, rules);
  if ("reason" in found) return rejected(found.reason, found.detail, name);
  const result = rules.certify(found, { proposedBy: model, promptSha256 });
  return result.kind === "certified"
    ? { kind: "confirmed", record, certified: result }
    : rejected(result.rejection.reason, result.rejection.detail, name);
}

/** The words of whose form a phenomenon's tables have a reading. */
const IN_TABLES: Readonly<Record<Phenomenon, (word: string) => boolean>> = {
  QUIRKY_CASE: (word) => OBLIQUE.has(word),
  ADJECTIVE: (word) => adjectivesWithForm(word).length > 0,
  UMLAUT: (word) => UMLAUT_FORMS.has(word),
  MIDDLE_VOICE: (word) => MIDDLE_PARSES.has(word),
};

/** The rules' own candidate for the target with this form, or what they have against it; in lower case. */
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
  const own = candidates.find(({ token }) => token.lower === target);
  if (own?.replacement === replacement) return own;
  if (own) return because("other_form_expected", `the rules expect ${own.replacement}`);
  const refused = rejections.find(({ candidate }) =>
    candidate.split(">")[0]?.toLowerCase() === target
  );
  return refused ??
    because(IN_TABLES[phenomenon](target) ? "not_its_frame" : "unknown_to_the_tables", target);
}

// The data set

/** The data set of a source with all it was chosen from, whatever order its answers came in. */
export function generate(
  { sentences, records, templates, settings, rules, ...onRecord }: OnRecord & {
    readonly sentences: readonly Sentence[];
    /** In the order of the file. */
    readonly records: readonly ProposalRecord[];
    readonly templates: PromptTemplates;
    readonly settings: GenerationSettings;
    /** Opened over the sentences unless given. */
    readonly rules?: RuleBook;
  },
) {
  const book = rules ?? openRuleBook(sentences);
  // Those of the proposer that were asked with the templates as they are now.
  const current = Map.groupBy(
    records.filter(({ model, promptSha256, phenomenon }) =>
      model === PROPOSER && promptSha256 === templates[phenomenon].sha256
    ),
    ({ sentenceId, phenomenon }) => `${sentenceId} ${phenomenon}`,
  );
  /** One an answer that counts, in the order of the text, used or not. */
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
 * What a data set is chosen from. `rules`: their own finds. `llm`: the confirmed proposals. `both`:
 * the rules' finds, those that were proposed too under the model's name; refusals of both, but for
 * answers that proposed nothing.
 */
function gatherCandidates(
  source: Source,
  found: Candidates,
  verdicts: readonly Verdict[],
): Candidates {
  if (source === "rules") return found;
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
    ? { certified: found.certified.flatMap((pair) => proposed(pair) ?? []), rejections: refused }
    : {
      certified: found.certified.map((pair) => proposed(pair) ?? pair),
      rejections: [...found.rejections, ...refused],
    };
}
