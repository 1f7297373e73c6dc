/**
 * A model proposes pairs (requirement 2.3), the rules verify: prompts, answers on record, what an answer
 * says, and what the rules make of it.
 */
import { join } from "node:path";
import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { sha256Hex } from "../files/atomic.ts";
import { appendJsonLine, readJsonLines } from "../files/json.ts";
import type { CertifiedPair } from "../pairs/certify.ts";
import type { Rejection } from "../pairs/pair.ts";
import {
  adjectivesWithForm,
  ARTICLE_CELLS,
  COPULAS,
  DEFINITE_NOUN_CELLS,
  DEMONSTRATIVE_CELLS,
  NAMES,
  NOUN_CELLS,
  ONE_CELLS,
  POSSESSIVES,
  QUANTIFIERS,
} from "./adjective_forms.ts";
import { type Candidate, type Objection, reject } from "./candidate.ts";
import type { RuleBook } from "./candidates.ts";
import { DATA, type Sentence } from "./dataset_tables.ts";
import { clauseAround, MIDDLE_READINGS, VERBS } from "./middle_voice.ts";
import {
  AGREEMENT,
  followsPreposition,
  FRAMES,
  LURES,
  NOMINATIVE_PRONOUNS,
  OBLIQUE,
  REFLEXIVES,
  stretches,
} from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon, wordLists } from "./rules.ts";
import { type Token, tokenise } from "./tokens.ts";
import { revertUmlaut } from "./umlaut.ts";

// Prompts

/** A prompt with a place for the sentence, for each phenomenon. */
export type PromptTemplates = Readonly<
  Record<Phenomenon, {
    readonly text: string;
    /** SHA-256 (hex) of the text; certificates carry it. */
    readonly sha256: string;
  }>
>;

const PLACE = "{sentence}";

/**
 * `data/norse/prompts/quirky_case.md` and its three neighbours.
 * @throws SyntaxError unless each has the one place {sentence}, once, and no other.
 */
export function readPromptTemplates(folder: string = join(DATA, "prompts")): PromptTemplates {
  const entries = PHENOMENA.map((phenomenon) => {
    const file = join(folder, `${phenomenon.toLowerCase()}.md`);
    const text = Deno.readTextFileSync(file);
    const places = text.match(/\{\w+\}/gu) ?? [];
    if (places.length !== 1 || places[0] !== PLACE) {
      throw new SyntaxError(
        `Cannot read prompt ${file}: its places are ${places.join(", ") || "none"}; write ` +
          `${PLACE} once, where the sentence goes.`,
      );
    }
    return [phenomenon, { text, sha256: sha256Hex(text) }] as const;
  });
  return Object.fromEntries(entries) as PromptTemplates;
}

/** One question to the model: can this sentence show this phenomenon? */
export interface Question {
  readonly phenomenon: Phenomenon;
  readonly sentence: Sentence;
}

/** The prompt of a question. */
export function formatPrompt(
  templates: PromptTemplates,
  { phenomenon, sentence }: Question,
): string {
  return templates[phenomenon].text.replace(PLACE, () => sentence.normalised);
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

/** Every answer of a proposing model; the file is there once a model was asked. */
const PROPOSALS_PATH = join(DATA, "proposals.jsonl");

/** What is on record, each question once, of one asked twice the first; damaged lines are asked again. */
export function readProposals(path: string = PROPOSALS_PATH): readonly ProposalRecord[] {
  return [...openProposals(path).rows.values()];
}

/** The records by key, and a way to add one as a whole line: what `askMissing` takes for a table. */
export function openProposals(path: string) {
  const rows = new Map<string, ProposalRecord>();
  try {
    for (const record of readJsonLines(path, (value) => RECORD.parse(value)).rows) {
      const key = proposalKey(record);
      if (!rows.has(key)) rows.set(key, record);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return {
    rows,
    put(record: ProposalRecord) {
      appendJsonLine(path, record);
      rows.set(proposalKey(record), record);
    },
  };
}

// What an answer says

/** What an answer says, before anything of it is believed. */
type ParsedAnswer =
  | { readonly kind: "proposal"; readonly target: string; readonly replacement: string }
  | { readonly kind: "none" }
  | { readonly kind: "unparsable"; readonly detail: string };

const PROPOSAL = z.object({ target: z.string(), replacement: z.string() });
const NO_WORD = z.union([z.null(), z.string().regex(/^\s*none\s*\.?\s*$/i)]);

/** No target, no replacement, or `none` under the name of answer. */
const NONE = z.union([
  z.object({ target: z.union([NO_WORD, z.string().regex(/^\s*$/)]) }),
  z.object({ target: z.string(), replacement: NO_WORD }),
  z.object({ answer: NO_WORD }),
]);

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
  if (saysNone(said.slice(said.lastIndexOf("}") + 1))) return { kind: "none" };
  for (const value of objectsIn(said).reverse()) {
    const proposal = PROPOSAL.safeParse(value);
    if (NONE.safeParse(value).success && said.includes("}")) return { kind: "none" };
    if (proposal.success) {
      const { target, replacement } = proposal.data;
      return { kind: "proposal", target: bareWord(target), replacement: bareWord(replacement) };
    }
  }
  if (beginsOrEndsWithNone(said)) return { kind: "none" };
  return { kind: "unparsable", detail: oneLine(said) || "the answer is empty" };
}

const linesOf = (text: string) => text.split("\n").filter((line) => /\p{L}/u.test(line));

/** `none` as the whole answer or its last line, quoted, fenced or with a full stop. */
function saysNone(text: string): boolean {
  const lines = linesOf(text);
  const last = (lines.at(-1) ?? "").replace(/[^\p{L}]+/gu, " ").trim();
  return /^none$/iu.test(last) && !/:[\s*_]*$/u.test(lines.at(-2) ?? "");
}

/** "None. (Its subject is …)", "none — …", "Final answer: none", as the first line or the last. */
function beginsOrEndsWithNone(text: string): boolean {
  const none =
    /^(?:(?:the |my )?(?:final )?answer(?: is)?[^\p{L}]*)?none(?=[^\p{L}\p{M}]*$|\s*[.,;:!—–(*"'`-])/iu;
  const lines = linesOf(text).map((line) => line.replace(/^[^\p{L}]+/u, ""));
  return [lines.at(0), lines.at(-1)].some((line) => none.test(line ?? ""));
}

/** Every value that a pair of braces in the text can be read as, in order; the last may lack its end. */
function objectsIn(text: string): unknown[] {
  return text.split(/(?=\{)/u).filter((part) => part.startsWith("{")).flatMap((part) => {
    const end = part.lastIndexOf("}");
    const object = end === -1 ? part.replace(/`{3}[\s\S]*$/u, "") : part.slice(0, end + 1);
    try {
      return [JSON.parse(jsonrepair(object))];
    } catch {
      return []; // What cannot be repaired is prose.
    }
  });
}

/** Without white space, punctuation and emphasis at its edges. */
function bareWord(text: string): string {
  return text.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, "");
}

/** White space folded and shortened: a rejection is one line. */
function oneLine(text: string): string {
  return [...text.replace(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, 80).join("");
}

// What the rules make of it

/** What became of one answer. */
export type Verdict =
  | {
    readonly kind: "confirmed";
    readonly record: ProposalRecord;
    readonly certified: CertifiedPair<Phenomenon>;
  }
  | {
    readonly kind: "rejected";
    readonly record: ProposalRecord;
    readonly rejection: Rejection;
    /** Whether a change was proposed at all: what validity is a share of. */
    readonly proposed: boolean;
  };

/** One verdict a record, in their order; records of unknown sentences have none. */
export function verifyAll(
  records: readonly ProposalRecord[],
  sentences: readonly Sentence[],
  rules: RuleBook,
): readonly Verdict[] {
  const byId = new Map(sentences.map((sentence) => [sentence.id, sentence]));
  return records.flatMap((record) => {
    const sentence = byId.get(record.sentenceId);
    return sentence ? [verifyProposal(record, sentence, rules)] : [];
  });
}

/**
 * Judges an answer by the rules alone: what they would certify of this sentence, on this word, with
 * this form, passes through the same checks as their own finds; everything else is a rejection.
 */
export function verifyProposal(
  record: ProposalRecord,
  sentence: Sentence,
  rules: RuleBook,
): Verdict {
  const { model, promptSha256, phenomenon } = record;
  const rejected = ({ reason, detail }: Objection, name: string, proposed = true): Verdict => {
    const by = detail === "" ? model : `${model}: ${detail}`;
    const rejection = reject(sentence, phenomenon, name, { reason, detail: by });
    return { kind: "rejected", record, rejection, proposed };
  };
  if (record.kind === "refusal") {
    return rejected({ reason: "refused_to_answer", detail: oneLine(record.text) }, "", false);
  }
  const answer = parseAnswer(record.text);
  if (answer.kind === "none") {
    return rejected({ reason: "nothing_proposed", detail: "" }, "", false);
  }
  if (answer.kind === "unparsable") {
    return rejected({ reason: "unparsable_answer", detail: answer.detail }, "", false);
  }
  const replacement = answer.replacement.toLowerCase();
  const name = `${oneLine(answer.target)}>${oneLine(replacement)}`;
  const token = changedToken(sentence, answer.target.toLowerCase(), replacement);
  if ("reason" in token) return rejected(token, name);
  const change = `${token.form}>${replacement}`;
  const found = ruleVerdict(phenomenon, sentence, token, replacement, rules);
  if ("reason" in found) return rejected(found, change);
  const result = rules.certify(found, { name: model, promptSha256 });
  return result.kind === "certified"
    ? { kind: "confirmed", record, certified: result }
    : rejected(result.rejection, change);
}

/** The one word that is to change, all in lower case. */
function changedToken(sentence: Sentence, target: string, replacement: string): Token | Objection {
  const [token, ...more] = tokenise(sentence.normalised).filter(({ lower }) => lower === target);
  if (token === undefined) return { reason: "target_not_in_sentence", detail: "" };
  if (more.length > 0) {
    return { reason: "target_ambiguous", detail: `it stands ${more.length + 1} times` };
  }
  if (tokenise(replacement)[0]?.form !== replacement) {
    return { reason: "replacement_not_one_word", detail: "" };
  }
  return replacement === token.lower ? { reason: "nothing_changed", detail: "" } : token;
}

/** The rules' own candidate for the word with this form, or what they have against it. */
function ruleVerdict(
  phenomenon: Phenomenon,
  sentence: Sentence,
  token: Token,
  replacement: string,
  rules: RuleBook,
): Candidate | Objection {
  const { candidates, rejections } = rules.find(sentence, phenomenon);
  const own = candidates.find((candidate) => candidate.token.start === token.start);
  if (own?.replacement === replacement) return own;
  if (own) {
    return {
      reason: OTHER_FEATURE[phenomenon](token.lower, replacement)
        ? "changes_another_feature"
        : "other_form_expected",
      detail: `the rules expect ${own.replacement}`,
    };
  }
  // The word stands once in the sentence, so its form names it.
  const refusedForm = (candidate: string) => candidate.split(">")[0]?.toLowerCase();
  const refused = rejections.find(({ candidate }) => refusedForm(candidate) === token.lower);
  return refused ?? UNKNOWN[phenomenon](token, sentence.normalised);
}

/**
 * Whether a form that is not the one expected belongs to the same word (or, for pronouns, to another
 * person) in another cell, so that more than the phenomenon would change. Lower-case forms.
 */
const OTHER_FEATURE: Readonly<
  Record<Phenomenon, (target: string, replacement: string) => boolean>
> = {
  QUIRKY_CASE: (_, replacement) => NOMINATIVE_PRONOUNS.has(replacement) || isOblique(replacement),
  ADJECTIVE: (target, replacement) => {
    const lemmas = new Set(adjectivesWithForm(target).map(({ lemma }) => lemma));
    return adjectivesWithForm(replacement).some(({ lemma }) => lemmas.has(lemma));
  },
  // Letters up to and with the vowel that umlaut changes are the same once it is undone.
  UMLAUT: (target, replacement) =>
    !replacement.includes("ǫ") &&
    replacement.startsWith(revertUmlaut(target).slice(0, target.indexOf("ǫ") + 2)),
  MIDDLE_VOICE: (target, replacement) =>
    (MIDDLE_READINGS.get(target) ?? []).some(({ verb }) =>
      verb.forms.some(({ active, middle }) => active === replacement || middle === replacement)
    ),
};

/** Why no rule of the phenomenon has an opinion on a word of a sentence. */
const UNKNOWN: Readonly<Record<Phenomenon, (token: Token, text: string) => Objection>> = {
  QUIRKY_CASE: whyNoSubject,
  ADJECTIVE: whyNoAdjective,
  UMLAUT: ({ lower }) => ({
    reason: "no_umlaut_by_the_tables",
    detail: lower.includes("ǫ") ? lower : `${lower} has no ǫ`,
  }),
  MIDDLE_VOICE: ({ lower }) => ({
    reason: "not_a_middle_verb",
    detail: `${lower} has no -sk`,
  }),
};

const list = wordLists("proposals");
const NUMERALS = list("numerals");
const AUXILIARIES = new Set([...COPULAS, ...list("auxiliaries")]);
const PERSONAL_VERBS = list("personal_verbs");
const OTHER_WORDS = list("other_words");

const PRONOUNS: ReadonlySet<string> = new Set([
  ...[ARTICLE_CELLS, DEMONSTRATIVE_CELLS, ONE_CELLS].flatMap((cells) => [...cells.keys()]),
  ...[...POSSESSIVES, ...NOMINATIVE_PRONOUNS, ...REFLEXIVES],
  ...[...OBLIQUE.values()].filter(({ kind }) => kind === "pronoun").map(({ form }) => form)
    .filter((form) => !QUANTIFIERS.has(form)),
]);

/** Strong participles in -inn (búinn, brugðit), weak ones in a dental (fœdd, gift, send). */
const PARTICIPLE =
  /(?:(?:in|inn|it|nir|nar|num|ins|inni|innar)|(?:dd|[fkp]t|nd|[bgfmrlau]ð)(?:r|ir|ar|a|um|an|s|ri)?)$/u;

/** Why no rule speaks of a word that was proposed as an attributive adjective. */
function whyNoAdjective({ lower }: Token, text: string): Objection {
  if (NUMERALS.has(lower)) return { reason: "not_an_adjective", detail: `${lower}: a numeral` };
  if (PRONOUNS.has(lower)) return { reason: "not_an_adjective", detail: `${lower}: a pronoun` };
  if (QUANTIFIERS.has(lower)) {
    return { reason: "pronominal_adjective", detail: `${lower}: no weak declension` };
  }
  if (adjectivesWithForm(lower).length > 0) {
    return { reason: "not_an_adjective_phrase", detail: lower };
  }
  const auxiliary = tokenise(text).find((token) => AUXILIARIES.has(token.lower))?.lower;
  return auxiliary !== undefined && PARTICIPLE.test(lower)
    ? { reason: "participle", detail: `${lower} with ${auxiliary}, by its ending` }
    : { reason: "adjective_unknown_to_the_lexicon", detail: lower };
}

/** Forms in the dative or accusative that the tables can put into the nominative, or know they cannot. */
const isOblique = (word: string) => OBLIQUE.has(word) || REFLEXIVES.has(word);
const QUIRKY_HEADS = new Set(FRAMES.flatMap(({ heads }) => heads));
const KNOWN_VERBS = new Set([
  ...[...PERSONAL_VERBS, ...COPULAS, ...AGREEMENT.keys(), ...QUIRKY_HEADS],
  ...LURES.flatMap(({ heads }) => heads),
  ...VERBS.flatMap(({ forms }) => forms.flatMap(({ active, middle }) => [active, middle])),
]);

/** Why no rule speaks of a word that was proposed as an oblique subject. */
function whyNoSubject({ lower, start }: Token, text: string): Objection {
  const tokens = tokenise(text);
  const place = (words: readonly Token[]) => words.findIndex((token) => token.start === start);
  const stretch = stretches(text, tokens).find((words) => place(words) >= 0) ?? [];
  if (followsPreposition(stretch, place(stretch))) {
    return { reason: "after_preposition", detail: lower };
  }
  if (REFLEXIVES.has(lower)) return { reason: "reflexive_has_no_nominative", detail: lower };
  const { before, after } = clauseAround(text, tokens, place(tokens));
  const words = [...before, ...after];
  const heads = words.filter((word) => QUIRKY_HEADS.has(word));
  if (heads.length > 0 && !isOblique(lower)) {
    return { reason: "form_unknown_to_the_lexicon", detail: `${lower} is in no oblique table` };
  }
  if (!words.some((word) => KNOWN_VERBS.has(word))) {
    // Words with a capital are names unless they begin the sentence.
    const names = new Set(tokens.slice(1).filter((t) => t.form !== t.lower).map((t) => t.lower));
    const unknown = words.find((word) => !names.has(word) && looksLikeVerb(word));
    if (unknown !== undefined) return { reason: "verb_unknown_to_the_lexicon", detail: unknown };
  }
  const detail = heads.length > 0 ? `${lower} of ${heads.join(", ")}` : lower;
  return { reason: "not_the_subject_by_the_rules", detail };
}

/** Whether a word ends as a finite verb of the 3rd person does (batnaði, batnar, tjóir) and is in no table. */
function looksLikeVerb(word: string): boolean {
  const tables = [NOUN_CELLS, DEFINITE_NOUN_CELLS, NAMES, NOMINATIVE_PRONOUNS, QUANTIFIERS];
  return /(?:[ðtd][iu]|[ai]r|[^aeiouyáéíóúýr]r)$/u.test(word) && !isOblique(word) &&
    ![...tables, POSSESSIVES, OTHER_WORDS].some((table) => table.has(word)) &&
    adjectivesWithForm(word).length === 0;
}
