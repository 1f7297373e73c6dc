/**
 * Reads and describes the tables of models' answers and likelihoods of pairs.
 * @module
 */
import { resolve } from "node:path";
import { z } from "zod";
import {
  compareText,
  decimals,
  field,
  flag,
  name,
  oneOf,
  type Table,
  table,
  wholeNumber,
} from "../files/table.ts";
import type { ChatModel, Likelihood, Reply } from "../models/model.ts";
import { type AnswerAddress, promptAddress, sentencesAddress } from "./addresses.ts";
import { camelCase } from "./dataset.ts";
import {
  grammaticalLetter,
  INVALID_REASONS,
  type InvalidReason,
  type Letter,
  type Order,
  ORDERS,
  parseChoice,
} from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import type { AnswerFiles, PairStudy } from "./study.ts";

export interface Question {
  readonly model: string;
  readonly pairId: string;
  readonly order: Order;
}

/**
 * One row of `evaluation_results.csv`. INVALID is an answer without a valid choice; it counts as
 * incorrect.
 */
export interface Response extends Question {
  readonly response: Letter | "INVALID";
  readonly correct: boolean;
}

interface InvalidAnswer extends Question {
  readonly reason: InvalidReason;
  readonly raw: string;
}

/** Likelihoods that a model gives both members of a pair: one row of `likelihoods.csv`. */
export interface PairLikelihood {
  readonly model: string;
  readonly pairId: string;
  /** Log-probabilities in nats, rounded to {@link LOGPROB_DECIMALS} decimals. */
  readonly grammatical: Likelihood;
  readonly ungrammatical: Likelihood;
  /** Likelihoods of the pair's regions, if scored (`measures.ts`). */
  readonly regions?: Readonly<Record<"through" | "alone", Members>>;
}

/** Likelihoods of one region in both members. */
export type Members = Readonly<Record<"grammatical" | "ungrammatical", Likelihood>>;

export type ScoredPair = PairLikelihood & AnswerAddress;

/** Unique key of a question. */
export function questionKey({ model, pairId, order }: Question): string {
  return JSON.stringify([model, pairId, order]);
}

/** Unique key of a row of likelihoods. */
export function likelihoodKey({ model, pairId }: Pick<PairLikelihood, "model" | "pairId">): string {
  return JSON.stringify([model, pairId]);
}

/**
 * Judges the reply to a question. An invalid answer keeps its text.
 *
 * A reasoning model's reply that was cut off may consist of thinking only, even without a `<think>`
 * tag. Letters in it are therefore ignored.
 */
export function judgeReply(
  { model, pairId, order, asked, settings }: Question & AnswerAddress,
  reply: Extract<Reply, { readonly kind: "answer" | "refusal" }>,
  { reasoningEffort = "none" }: ChatModel["settings"],
  thinkingTags?: readonly string[],
): KeptAnswer {
  const question = { model, pairId, order };
  const answered = { ...question, asked, settings };
  const invalid = (reason: InvalidReason) =>
    ({ kind: "invalid", raw: reply.text, reason }) as const;
  const isCut = reply.kind === "answer" && reply.isCut;
  const read = reply.kind === "refusal"
    ? invalid("refusal")
    : isCut && reasoningEffort !== "none"
    ? invalid("cut")
    : parseChoice(reply.text, thinkingTags);
  const choice = read.kind === "invalid" && isCut ? invalid("cut") : read;
  if (choice.kind === "choice") {
    const { letter } = choice;
    return { ...answered, response: letter, correct: letter === grammaticalLetter(order) };
  }
  const { reason, raw } = choice;
  return {
    ...answered,
    response: "INVALID",
    correct: false,
    invalid: { ...question, reason, raw },
  };
}

type AnswerTable = "responses" | "asked" | "invalid" | "likelihoods";

/** Descriptions of a study's tables for the manifest, with the ids of the pairs in row order. */
interface AnswerWords {
  /** Description of each table, or of all of them. */
  readonly about?: string | Readonly<Record<AnswerTable, string>>;
  /** Description of the column `pair_id`, if its ids are from several files of pairs. */
  readonly pairs?: string;
  readonly pairIds?: readonly string[];
}

const MAKER = "`deno task evaluate`";
const MODEL = name("name of the model in the panel");
const PAIR = "id of the pair in the set's file of pairs";
const hash = (sentence: string) =>
  field(z.string().regex(/^[0-9a-f]{12}$/, "no digest of 12 digits"), sentence);
const SETTINGS = hash("SHA-256 of the model's settings, a key of `evaluation_settings.json`");

function placeIn(pairIds: readonly string[] = []) {
  const place = new Map(pairIds.map((id, index) => [id, index]));
  return ({ pairId }: { readonly pairId: string }) => place.get(pairId) ?? pairIds.length;
}

/**
 * Tables of models' answers about a study's pairs.
 *
 * The answers have the specification's five columns. Hashes of the questions and texts of invalid
 * answers are in separate tables. Rows are sorted by model, pair and order. A row whose `correct`
 * contradicts its other columns is refused.
 */
export function answerTables(files: AnswerFiles, words: AnswerWords = {}) {
  const { about = "answers of models", pairs = PAIR, pairIds } = words;
  const aboutOf = (which: AnswerTable) => typeof about === "string" ? about : about[which];
  const place = placeIn(pairIds);
  const rest = {
    maker: MAKER,
    key: questionKey,
    order: (a: Question, b: Question) =>
      compareText(a.model, b.model) || place(a) - place(b) ||
      ORDERS.indexOf(a.order) - ORDERS.indexOf(b.order),
  };
  const question = {
    model: MODEL,
    pair_id: name(pairs),
    order: oneOf(ORDERS, "A_gram or B_gram: position of the grammatical sentence"),
  };
  const responses: Table<Response> = table({
    ...rest,
    path: resolve(files.responses),
    about: aboutOf("responses"),
    columns: {
      ...question,
      response: oneOf(["A", "B", "INVALID"], "parsed answer: A, B or INVALID"),
      correct: flag("True if the answer names the grammatical sentence, otherwise False"),
    },
    form: camelCase<Response>(),
    check({ order, response, correct }) {
      if (correct === (response === grammaticalLetter(order))) return;
      throw new SyntaxError(`correct is ${correct}, not what the response says`);
    },
  });
  const asked: Table<Question & AnswerAddress> = table({
    ...rest,
    path: resolve(files.asked),
    about: aboutOf("asked"),
    columns: {
      ...question,
      asked: hash("SHA-256 of the prompt, first 12 digits"),
      settings: SETTINGS,
    },
    form: camelCase<Question & AnswerAddress>(),
  });
  const invalid: Table<InvalidAnswer> = table({
    ...rest,
    path: resolve(files.invalidAnswers),
    about: aboutOf("invalid"),
    columns: {
      ...question,
      reason: oneOf(
        INVALID_REASONS,
        "reason: empty, refusal, both_letters, no_letter or cut (token limit reached)",
      ),
      // It may hold line breaks.
      raw_json: field(
        z.string().transform((text) => z.string().parse(JSON.parse(text))),
        "raw answer as a JSON string",
        oneLineJson,
      ),
    },
    form: {
      read: ({ pair_id, raw_json, ...row }) => ({ ...row, pairId: pair_id, raw: raw_json }),
      write: ({ pairId, raw, ...row }) => ({ ...row, pair_id: pairId, raw_json: raw }),
    },
  });
  const likelihoods = likelihoodTable(files.likelihoods, {
    ...words,
    about: aboutOf("likelihoods"),
  });
  return { responses, asked, invalid, likelihoods };
}

/**
 * Serialises JSON for one CSV line. DEL and C1 controls, which `JSON.stringify` keeps, are escaped.
 */
function oneLineJson(text: string): string {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/\p{Cc}/gu, escaped);
}

/**
 * Number of stored decimals of a log-probability. Members equal to a millionth of a nat are a tie,
 * because smaller differences depend on the processor.
 */
const LOGPROB_DECIMALS = 6;

/** Converts a log-probability to whole millionths of a nat, so that ties are exact. */
export const inMillionths = ({ logProbability }: Likelihood) =>
  Math.round(logProbability * 10 ** LOGPROB_DECIMALS);

/**
 * Rounds a log-probability to the stored precision. Throws RangeError unless it is finite and ≤ 0.
 */
export function roundLogProbability(nats: number): number {
  if (!(Number.isFinite(nats) && nats <= 0)) {
    throw new RangeError(`Cannot record a log-probability of ${nats}: it is not finite and ≤ 0.`);
  }
  // 0 + x turns the -0 of "-0.000000" into 0.
  return 0 + Number(nats.toFixed(LOGPROB_DECIMALS));
}

/** Defines `likelihoods.csv` of a study, or of pairs that are only scored. */
export function likelihoodTable(
  path: string,
  { about = "likelihoods", pairs = PAIR, pairIds }: AnswerWords & { readonly about?: string } = {},
): Table<ScoredPair> {
  const nats = (sentence: string) => decimals(LOGPROB_DECIMALS, sentence, { max: 0 });
  const same = "the same for the ungrammatical sentence";
  const place = placeIn(pairIds);
  return table({
    path: resolve(path),
    about,
    maker: MAKER,
    columns: {
      model: MODEL,
      pair_id: name(pairs),
      grammatical_logprob: nats(
        "total log-probability of the grammatical sentence in nats, 6 decimals",
      ),
      ungrammatical_logprob: nats(same),
      grammatical_tokens: wholeNumber(
        "number of tokens scored in the grammatical sentence, start token excluded",
        { min: 1 },
      ),
      ungrammatical_tokens: wholeNumber(same, { min: 1 }),
      grammatical_bytes: wholeNumber("length of the grammatical sentence in UTF-8 bytes", {
        min: 1,
      }),
      ungrammatical_bytes: wholeNumber(same, { min: 1 }),
      asked: hash("SHA-256 of both sentences, first 12 digits"),
      settings: SETTINGS,
    },
    form: {
      read: ({ model, pair_id, asked, settings, ...row }): ScoredPair => ({
        model,
        pairId: pair_id,
        grammatical: member(row, "grammatical"),
        ungrammatical: member(row, "ungrammatical"),
        asked,
        settings,
      }),
      write: ({ pairId, grammatical, ungrammatical, ...row }) => ({
        ...row,
        pair_id: pairId,
        ...fieldsOf("grammatical", grammatical),
        ...fieldsOf("ungrammatical", ungrammatical),
      }),
    },
    key: likelihoodKey,
    order: (a, b) => compareText(a.model, b.model) || place(a) - place(b),
  });
}

/** A question of forced choice without an answer, or a pair without scores. */
export interface FailedItem {
  readonly model: string;
  readonly pairId: string;
  readonly way: Order | "likelihood";
  /** Hash of the prompt, or of the scored sentences. */
  readonly asked: string;
  /** True if a later run may get an answer. */
  readonly mayPass: boolean;
  readonly reason: string;
}

/** Unique key of a failed item. */
export const failedKey = ({ model, pairId, way }: Pick<FailedItem, "model" | "pairId" | "way">) =>
  JSON.stringify([model, pairId, way]);

/** Defines `failed.csv` for a user's pairs. */
export const failedTable = (path: string): Table<FailedItem> =>
  table({
    path: resolve(path),
    about: "what got no answer, and why",
    maker: MAKER,
    columns: {
      model: MODEL,
      pair_id: name(PAIR),
      way: oneOf([...ORDERS, "likelihood"], "A_gram or B_gram: a choice; likelihood: a score"),
      asked: hash("of the prompt, or of both sentences: SHA-256, 12 digits"),
      may_pass: flag("True where the next run asks again"),
      reason: name("why, in one line"),
    },
    form: camelCase<FailedItem>(),
    key: failedKey,
    order: (a, b) => compareText(failedKey(a), failedKey(b)),
  });

type MemberFields<Side extends string> = Readonly<
  Record<`${Side}_logprob` | `${Side}_tokens` | `${Side}_bytes`, number>
>;

function member<S extends string>(row: MemberFields<S>, side: S): Likelihood {
  const [logProbability, tokens] = [row[`${side}_logprob`], row[`${side}_tokens`]];
  return { logProbability, tokens, bytes: row[`${side}_bytes`] };
}

function fieldsOf<S extends string>(side: S, { logProbability, tokens, bytes }: Likelihood) {
  return {
    [`${side}_logprob`]: roundLogProbability(logProbability),
    [`${side}_tokens`]: tokens,
    [`${side}_bytes`]: bytes,
  } as MemberFields<S>;
}

/**
 * A recorded answer with its question. Invalid answers without their text are excluded, because
 * they cannot be checked.
 */
export interface KeptAnswer extends Response, AnswerAddress {
  readonly invalid?: InvalidAnswer;
}

export function keptAnswers(
  responses: Iterable<Response>,
  asked: ReadonlyMap<string, AnswerAddress>,
  texts: ReadonlyMap<string, InvalidAnswer>,
): Map<string, KeptAnswer> {
  const kept = new Map<string, KeptAnswer>();
  for (const response of responses) {
    const key = questionKey(response);
    const [own, invalid] = [asked.get(key), texts.get(key)];
    if (own === undefined || (response.response === "INVALID" && !invalid)) continue;
    const { asked: prompt, settings } = own;
    kept.set(key, { ...response, asked: prompt, settings, ...(invalid ? { invalid } : {}) });
  }
  return kept;
}

type Sentences = Pick<MinimalPair, "id" | "grammatical" | "ungrammatical" | "through" | "prefix">;

/**
 * Returns the answers to these pairs, under the pairs' current ids.
 *
 * Answers are matched by the hash of their prompt, because pair numbers change. Answers to other
 * pairs are left out.
 */
export function answersTo(
  kept: Iterable<KeptAnswer>,
  pairs: readonly Sentences[],
  template: string,
): readonly KeptAnswer[] {
  const wanted = pairs.flatMap((pair) =>
    ORDERS.map((order) => {
      return { asked: promptAddress(template, pair, order), pairId: pair.id, order };
    })
  );
  return underPresentIds(kept, wanted).map(({ invalid, ...answer }) => {
    const { model, pairId, order, response } = answer;
    const correct = response === grammaticalLetter(order);
    const text = invalid && { invalid: { ...invalid, model, pairId, order } };
    return { ...answer, correct, ...text };
  });
}

/**
 * Returns the likelihoods of these pairs under their current ids, matched as in {@link answersTo}.
 */
export function likelihoodsOf(
  scored: Iterable<ScoredPair>,
  pairs: readonly Sentences[],
): readonly ScoredPair[] {
  const wanted = pairs.map((pair) => ({ asked: sentencesAddress(pair), pairId: pair.id }));
  return underPresentIds(scored, wanted);
}

interface QuestionKey {
  readonly asked: string;
  readonly pairId: string;
  readonly order?: Order;
}

/** Returns one row per model and question, under the pairs' current ids. */
function underPresentIds<Row extends QuestionKey & { readonly model: string }>(
  rows: Iterable<Row>,
  wanted: readonly QuestionKey[],
): readonly Row[] {
  const placeKey = ({ pairId, order }: Omit<QuestionKey, "asked">) => `${pairId} ${order}`;
  return [...Map.groupBy(rows, ({ model }) => model).values()].flatMap((own) => {
    const byPlace = new Map(own.map((row) => [placeKey(row), row]));
    const byContent = new Map(own.map((row) => [row.asked, row]));
    return wanted.flatMap((place) => {
      const there = byPlace.get(placeKey(place));
      const row = there?.asked === place.asked ? there : byContent.get(place.asked);
      return row ? [{ ...row, ...place }] : [];
    });
  });
}

export interface Answers {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
}

/**
 * Reads models' answers about these pairs. Damaged lines are skipped; the evaluation repairs them.
 */
export function readAnswers(
  { files, question }: Pick<PairStudy, "files" | "question">,
  pairs: readonly MinimalPair[],
) {
  const { responses, asked, invalid, likelihoods } = answerTables(files);
  const byKey = <Row extends Question>(table: Table<Row>) =>
    new Map(table.readSoFar().rows.map((row) => [questionKey(row), row]));
  const kept = keptAnswers(responses.readSoFar().rows, byKey(asked), byKey(invalid));
  return {
    responses: answersTo(kept.values(), pairs, question)
      .map(({ invalid: _text, ...response }): Response & AnswerAddress => response),
    likelihoods: likelihoodsOf(likelihoods.readSoFar().rows, pairs),
  };
}

export type RecordedAnswers = ReturnType<typeof readAnswers>;
