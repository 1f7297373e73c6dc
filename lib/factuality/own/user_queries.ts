/** The user's queries with their answers, sampled from models or supplied in a file. */
import { z } from "zod";
import { addressOf, askMissing } from "../../files/asking.ts";
import { checkInput, fileProblem, sha256Hex } from "../../files/atomic.ts";
import { withoutFormulas } from "../../files/csv.ts";
import { readJsonLines } from "../../files/json.ts";
import { blankOr, json, name, number, oneOf, table, text, wholeNumber } from "../../files/table.ts";
import type { RowOf } from "../../files/table.ts";
import { type DrawnModel, ModelUnavailable } from "../../models/model.ts";
import type { RandomSource } from "../../stats/random.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { meanOrUndefined } from "../metrics/classification.ts";
import { dataFile } from "../paths.ts";
import { abstentionPrompt, type Instruction } from "./prompts.ts";
import { INTRODUCTION, THOUGHT_END } from "./prompts.ts";
import type { AnswerSink } from "./prompts.ts";

const TEXT = z.string().regex(/\S/, "is blank");
const LOG_PROBABILITY = z.number().max(0);
const LINE = z.object({
  id: z.union([TEXT, z.number().transform(String)]).optional(),
  query: TEXT,
  /** Answer options, whose probabilities are read. */
  options: z.array(TEXT).min(2).optional(),
  /** True where the query can be answered, since its entity exists. Unknown by default. */
  answerable: z.boolean().optional(),
  category: TEXT.default("all"),
  /** Name of the entity; by default the longest run of capitalised words. */
  name: z.string().optional(),
});
const ANSWERED = LINE.extend({
  model: TEXT.default("the model"),
  answers: z.array(z.string()).min(1).optional(),
  /** Log-probabilities of each answer: of every token, or their mean, in nats. */
  logprobs: z.array(z.union([LOG_PROBABILITY, z.array(LOG_PROBABILITY).min(1)])).optional(),
  /** Probabilities of the options, one list per sample. */
  probabilities: z.array(z.array(z.number().min(0).max(1))).min(1).optional(),
}).refine(
  ({ answers, probabilities }) => (answers ?? probabilities) !== undefined,
  "must have answers, or probabilities of its options",
).refine(
  ({ answers, logprobs }) => logprobs === undefined || logprobs.length === answers?.length,
  "must have one of logprobs for each of answers",
).refine(
  ({ options, probabilities = [] }) =>
    probabilities.every((distribution) =>
      distribution.length === options?.length &&
      Math.abs(distribution.reduce((a, b) => a + b, 0) - 1) <= 1e-6
    ),
  "must have one probability for each of options, together 1",
);

/** A query for a model. */
export type UserQuery = ReturnType<typeof queryOf>;

/** Makes a query; its content is the id by default. */
function queryOf(line: z.infer<typeof LINE>) {
  const { id, query: question, options, answerable, category, name = nameIn(question) } = line;
  const digest = sha256Hex(JSON.stringify([question, options ?? []])).slice(0, 16);
  return { id: id ?? digest, question, options, answerable, category, name };
}

/**
 * Reads queries from JSON Lines: {query}, with optional id, options, answerable, category and name,
 * or {prompt, exists, category} as in `readConcepts`. @throws {SyntaxError} naming the first
 * invalid line. @throws {RangeError} for a repeated id.
 */
export function readQueries(path: string): readonly UserQuery[] {
  const queries = linesOf(path, LINE).map(queryOf);
  assertOnce(path, queries.map(({ id }) => id));
  return queries;
}

/** Longest run of capitalised words after the first word; may be empty. */
function nameIn(question: string): string {
  const runs = question.match(/(?<=\s)\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)*/gu) ?? [];
  return runs.reduce((a, b) => (b.length > a.length ? b : a), "");
}

const CONCEPT = z.object({ query: TEXT, answerable: z.boolean(), category: TEXT });

/**
 * Reads concepts from JSON Lines with {prompt, exists, category}. Ids are `concept-` and the line
 * number. `exists` is noisy: in a random sample of 100 lines of nonexistent_concepts.jsonl, 4 of 47
 * "invented" names are in use, and 9 of 53 "existing" ones are words that fit no question. @throws
 * as {@link readQueries}.
 */
export const readConcepts = (path: string) =>
  linesOf(path, CONCEPT).map(({ query: question, answerable: exists, category }, i) => {
    return { id: `concept-${i + 1}`, question, name: nameIn(question), exists, category };
  });

/** Draws `count` queries at random, half of them about existing entities where possible. */
export const drawConcepts = <Concept extends { readonly exists: boolean }>(
  concepts: readonly Concept[],
  count: number,
  random: RandomSource,
) =>
  [true, false].flatMap((exists) => {
    const ofExistence = concepts.filter((concept) => concept.exists === exists);
    return random.sample(ofExistence, Math.min(Math.floor(count / 2), ofExistence.length));
  });

/** Reads supplied answers, one line per model and query. @throws as {@link readQueries}. */
export function readGivenAnswers(path: string) {
  const lines = linesOf(path, ANSWERED).map((line) => ({ ...line, asked: queryOf(line) }));
  assertOnce(path, lines.map(({ model, asked }) => `${model}: ${asked.id}`));
  const answers = lines.flatMap(({ model, answers, logprobs, probabilities, asked }) =>
    (answers ?? probabilities!).map((_, i): UserAnswer => ({
      model: withoutFormulas(model),
      query_id: asked.id,
      query: withoutFormulas(asked.question),
      sample: i + 1,
      answer: oneLine(answers?.[i] ?? ""),
      mean_log_probability: meanOrUndefined([logprobs?.[i] ?? []].flat()) ?? "",
      probabilities: probabilities?.[i] ?? [],
      ended: "given",
      asked_sha256: "",
    }))
  );
  const queries = new Map(lines.map(({ asked }) => [asked.id, asked]));
  return { queries: [...queries.values()], answers };
}

/** Returns the result of `read`. @throws {RangeError} naming a missing file, or a folder. */
export function readUserFile<Read>(path: string, read: () => Read): Read {
  checkInput(path, (why) => `Cannot read ${path}: ${why}.`);
  try {
    return read();
  } catch (cause) {
    // Errors in the file have been reported.
    if (cause instanceof SyntaxError || cause instanceof RangeError) throw cause;
    throw new RangeError(`Cannot read ${path}: ${fileProblem(cause)}.`, { cause });
  }
}

function linesOf<Line>(path: string, shape: z.ZodType<Line>): readonly Line[] {
  const parse = (line: unknown) => {
    const { prompt: query, exists: answerable, ...rest } = line as Record<string, unknown>;
    return shape.parse({ query, answerable, ...rest });
  };
  const { rows, damaged: [first] } = readUserFile(path, () => readJsonLines(path, parse));
  if (first !== undefined) {
    throw new SyntaxError(`Cannot read ${path}: line ${first.line} is damaged (${first.reason}).`);
  }
  if (rows.length === 0) throw new SyntaxError(`Cannot read ${path}: there is no query in it.`);
  return rows;
}

function assertOnce(path: string, ids: readonly string[]): void {
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice === undefined) return;
  throw new RangeError(`Cannot read ${path}: "${twice}" occurs twice; give each query an id.`);
}

const oneLine = (text: string) => withoutFormulas(text.replace(/\s+/gu, " ").trim());

/**
 * Answers of a user's run, one per row; for options, the thoughts before them. They are never part
 * of the project.
 */
export const USER_ANSWERS = table({
  path: dataFile("own_answers.csv"),
  about: "answers to a user's queries",
  maker: "deno task factcheck uncertainty",
  columns: {
    model: name("id of the model in the configuration or in the file of answers"),
    query_id: name("id of the query"),
    query: name("question as put to the model"),
    sample: wholeNumber("number of the answer", { min: 1 }),
    answer: text("text of the answer on one line"),
    mean_log_probability: blankOr(
      number("mean log-probability per token in nats, where the model reports it", { max: 0 }),
    ),
    probabilities: json(z.array(z.number()), "probabilities of the options; empty without options"),
    ended: oneOf(
      ["complete", "length", "refusal", "given"],
      "end of the answer: complete, cut off, refused by the host, or given in a file",
    ),
    asked_sha256: text("SHA-256 of settings and prompt; empty for given answers"),
  },
  key: ["model", "query_id", "sample"],
});
export type UserAnswer = RowOf<typeof USER_ANSWERS>;

/** Number of answers per query, and the form of the question. */
export interface SampleAnswersOptions extends AnswerSink<UserAnswer> {
  readonly queries: readonly UserQuery[];
  readonly samples: number;
  readonly instruction: Exclude<Instruction, "opening given">;
  /** Receives the reason for a missing answer; another run asks again. */
  readonly onFailure: (answer: string, why: string) => void;
}

/** Samples every answer that the table lacks. @returns the number missing, and the answers. */
export async function sampleAnswers(
  model: DrawnModel,
  { queries, samples, instruction, onFailure, ...work }: SampleAnswersOptions,
) {
  const questions = queries.flatMap((query) => {
    const prompt = query.options === undefined
      ? abstentionPrompt(query, model.isChat ? "chat" : "few-shot", instruction)
      : { text: `${INTRODUCTION}Question: ${query.question}\n`, replySoFar: "Thought:" };
    const asked = addressOf([model.settings, prompt, query.options ?? []]);
    return Array.from({ length: samples }, (_, i) => ({ query, prompt, asked, sample: i + 1 }));
  });
  const { missing, rows: answers } = await askMissing({
    questions,
    keyOf: ({ query, sample }) => JSON.stringify([model.name, query.id, sample]),
    isCurrent: (row, { asked }) => row.asked_sha256 === asked,
    concurrency: model.concurrency,
    // Only for a local model; a server's paid answers are saved at once.
    inOrder: model.continuations !== undefined,
    async ask({ query, prompt, asked, sample }, signal): Promise<UserAnswer | undefined> {
      const fail = (why: string): undefined => {
        onFailure(`${model.name}, ${query.id}, answer ${sample}`, why);
      };
      try {
        const isWeighed = query.options !== undefined;
        const stop = isWeighed || !model.isChat ? THOUGHT_END : [];
        const reply = await model.draw(prompt, { seed: `${query.id} ${sample}`, stop, signal });
        if (reply.kind === "failure") return fail(reply.message);
        const ended = reply.kind === "refusal" ? reply.kind : reply.ended;
        if (ended === "stopped") return undefined;
        // A server accepts neither the beginning of a reply nor a stop after a thought.
        const thought = reply.text.trim().replace(/^Thought:\s*/u, "").replace(/\n.*$/su, "");
        const answer = oneLine(isWeighed ? thought : reply.text);
        if (answer === "" && !isWeighed && ended !== "refusal") {
          return fail("it is empty; more --tokens may let it come to an answer");
        }
        const probabilities = await optionsAfter(model, query, answer, signal);
        if (typeof probabilities === "string") return fail(probabilities);
        const meanLogProbability = reply.kind === "drawn" ? reply.meanLogProbability : undefined;
        return {
          model: model.name,
          query_id: query.id,
          query: withoutFormulas(query.question),
          sample,
          answer,
          probabilities: [...probabilities],
          ended,
          asked_sha256: asked,
          mean_log_probability: meanLogProbability === undefined
            ? ""
            : Math.min(0, Number(meanLogProbability.toFixed(6))),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelUnavailable) return fail(error.message);
        throw error;
      }
    },
    ...work,
  });
  return { missing, answers };
}

/**
 * Probabilities of a query's options after a thought, with sum 1: of their texts, or of their
 * letters on a server. Otherwise it states the reason for none. @throws {RangeError} where the
 * model can never give them.
 */
async function optionsAfter(
  { name, continuations, answer: choose }: DrawnModel,
  { id, question, options }: UserQuery,
  thought: string,
  signal: AbortSignal,
): Promise<readonly number[] | string> {
  if (options === undefined) return [];
  const asked = `Question: ${question}\n`;
  if (continuations !== undefined) {
    const prompt = { text: INTRODUCTION + asked, replySoFar: `Thought: ${thought}\nAnswer:` };
    const texts = options.map((option) => ` ${option}`);
    return rounded(softmax(await continuations(prompt, texts, { signal })));
  }
  if (choose === undefined || options.length > LETTERS.length) {
    const why = choose === undefined ? "its host tells no probabilities" : "there are over 26";
    throw new RangeError(`Cannot weigh the options of ${id} with ${name}: ${why}.`);
  }
  const listed = options.map((option, i) => `${LETTERS[i]}. ${option}\n`).join("");
  const prompt = `${asked}Thought: ${thought}\n${listed}Answer with the letter alone.`;
  const reply = await choose(prompt, LETTERS.slice(0, options.length), { signal });
  if (reply.kind !== "mass") return reply.kind === "failure" ? reply.message : reply.text;
  const sum = reply.answers.reduce((a, b) => a + b, 0);
  if (sum === 0) return "it names none of the options";
  return rounded(reply.answers.map((mass) => mass / sum));
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Rounds probabilities; their sum stays within the tolerance of a distribution. */
const rounded = (probabilities: readonly number[]) =>
  probabilities.map((value) => Number(value.toFixed(8)));
