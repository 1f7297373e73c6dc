/** Asking models about what may not exist: instructions, prompts, answers, and readers' labels. */
import type { Measure } from "../../figures/theme.ts";
import { type AskingOutcome, askMissing } from "../../files/ask_missing.ts";
import { sha256Hex } from "../../files/atomic.ts";
import { inertText } from "../../files/csv.ts";
import type { LocalSamplingName } from "../../models/llama/local_models.ts";
import type { SamplePrompt, SamplingModel } from "../../models/model.ts";
import { cohenKappa } from "../../stats/agreement.ts";
import { randomSource } from "../../stats/random.ts";
import type { Work } from "./responses.ts";
import {
  ABSTENTION_ANSWERS,
  ABSTENTION_HAND_LABELS,
  ABSTENTION_SECOND_LABELS,
  ABSTENTION_SHARED_LABELS,
  type AbstentionAnswer,
  type AbstentionLabel,
  type AbstentionQuery,
  INSTRUCTIONS,
} from "./tables.ts";

type Instruction = typeof INSTRUCTIONS[number];

/** How a model is asked: instructed ones in their chat template, base models by examples. */
type PromptForm = "chat" | "few-shot";

const FORMS: Readonly<Record<LocalSamplingName, PromptForm>> = {
  "SmolLM2-135M-Instruct": "chat",
  "gemma-3-270m": "few-shot",
};

const MODELS = Object.keys(FORMS) as LocalSamplingName[];
const BRIEFLY = "Answer in one or two sentences.";
const MAY_DECLINE =
  "If you do not know the answer, or if what the question is about does not exist, " +
  `say "I don't know".`;

/** What every base model reads first. */
const ANSWERED = [
  ["Who wrote Hamlet?", "Hamlet was written by William Shakespeare, around the year 1600."],
  ["How high is Mount Everest?", "Mount Everest is about 8,849 metres high."],
  ["What is penicillin used for?", "Penicillin is used to treat infections by bacteria."],
] as const;

/** Between the others where it may decline: nothing here is a kind of thing that queries are about. */
const DECLINED = [
  ["Who wrote the novel Quendaril?", "I don't know of any novel with this title."],
  ["What is dolverazine used for?", "I don't know. I have never heard of dolverazine."],
] as const;

/** "There is no" goes on as "such lake" or as "better place". */
const OPENINGS = [
  "I don't",
  "I'm not",
  "There is no",
  "Unfortunately,",
  "It is not",
  "No",
  "I cannot",
  "The name",
  "It is unknown",
  "Although",
];

/** What is asked. */
type AskedQuery = Pick<AbstentionQuery, "id" | "question" | "exists">;

/** The prompt for a query. */
function abstentionPrompt(
  { id, question }: Pick<AskedQuery, "id" | "question">,
  form: PromptForm,
  instruction: Instruction,
): SamplePrompt {
  const mayDecline = instruction === "may decline";
  const [first, second, third] = ANSWERED;
  const shots = mayDecline ? [first, DECLINED[0], second, DECLINED[1], third] : ANSWERED;
  const text = form === "chat"
    ? [question, BRIEFLY, ...mayDecline ? [MAY_DECLINE] : []].join(" ")
    : shots.map(([asked, said]) => `Question: ${asked}\nAnswer: ${said}\n\n`).join("") +
      `Question: ${question}\nAnswer:`;
  if (instruction !== "opening given") return { text };
  const opening = OPENINGS[randomSource(`abstention/opening/${id}`).integer(OPENINGS.length)]!;
  // After the colon a base model goes on with a space.
  return { text, replySoFar: form === "chat" ? opening : ` ${opening}` };
}

/** One way of asking. */
export interface Way {
  readonly instruction: Instruction;
  readonly temperature: number;
  /** Of the queries, those asked in this way are drawn by lot; 1 for all. */
  readonly share: number;
}

/**
 * With leave to decline about everything, for that is when a model declines if ever; without leave
 * and sampled about some, to see how much hangs on it. 190 answers a model.
 */
export const WAYS: readonly Way[] = [
  { instruction: "may decline", temperature: 0, share: 1 },
  { instruction: "opening given", temperature: 0.8, share: 1 / 6 },
  { instruction: "none", temperature: 0, share: 1 / 3 },
  { instruction: "may decline", temperature: 0.8, share: 1 / 12 },
];

const SEED = 1;
/** A sentence and the beginning of another: enough to see whether it declines. */
const MAX_TOKENS = 36;

/** A query, and the way in which a model is asked about it. */
interface Question {
  readonly model: LocalSamplingName;
  readonly query: AskedQuery;
  readonly way: Way;
  readonly prompt: SamplePrompt;
  /** Of the prompt. */
  readonly sha256: string;
}

/** Every question to a model, in every way it is asked. */
function questionsTo(
  model: LocalSamplingName,
  queries: readonly AskedQuery[],
  ways: readonly Way[],
): readonly Question[] {
  return ways.flatMap((way) =>
    drawnEvenly(queries, way.share).map((query) => {
      const prompt = abstentionPrompt(query, FORMS[model], way.instruction);
      const sha256 = sha256Hex(prompt.text + (prompt.replySoFar ?? ""));
      return { model, query, way, prompt, sha256 };
    })
  );
}

/** By lot, as many of what exists as of what does not; in their order. */
function drawnEvenly(queries: readonly AskedQuery[], share: number): readonly AskedQuery[] {
  const random = randomSource("abstention/drawn");
  const drawn = new Set([true, false].flatMap((exists) => {
    const own = queries.filter((query) => query.exists === exists);
    return random.sample(own, Math.round(share * own.length));
  }));
  return queries.filter((query) => drawn.has(query));
}

const keyOf = ({ model, query, way }: Question) =>
  [model, way.instruction, way.temperature, SEED, query.id].join("|");

/** What is asked, and where the answers go. */
export interface AskQueries extends Work<AbstentionAnswer> {
  readonly queries: readonly AskedQuery[];
  readonly ways: readonly Way[];
}

/**
 * Asks a model what the table lacks; a changed prompt or model file makes it another question. Answers
 * are not yet classified.
 * @throws {Error} naming the query, where the model cannot answer.
 */
export function askQueries(
  model: SamplingModel,
  { queries, ways, ...work }: AskQueries,
): Promise<AskingOutcome> {
  const name = model.name as LocalSamplingName;
  const modelSha256 = String(model.settings.fileSha256);
  return askMissing({
    questions: questionsTo(name, queries, ways),
    keyOf,
    isCurrent: (row, { sha256 }) =>
      row.prompt_sha256 === sha256 && row.model_sha256 === modelSha256,
    async ask({ query, way, prompt, sha256 }, signal): Promise<AbstentionAnswer | undefined> {
      const { instruction, temperature } = way;
      const reply = await model.sample(prompt, {
        temperature,
        signal,
        maxTokens: MAX_TOKENS,
        seed: `${SEED}/${query.id}`,
        // A base model goes on to a question of its own.
        ...FORMS[name] === "few-shot" ? { stop: ["\n"] } : {},
      });
      if (reply.kind === "failure") throw new Error(`${query.id}: ${reply.message}`);
      if (reply.ended === "stopped") return undefined; // Half an answer is none.
      const text = `${prompt.replySoFar ?? ""}${reply.text}`;
      return {
        model: name,
        instruction,
        temperature,
        seed: SEED,
        query_id: query.id,
        model_sha256: modelSha256,
        prompt_sha256: sha256,
        answer: inertText(text.replace(/\s+/gu, " ").trim()),
        tokens: reply.tokens.length,
        ended: reply.ended,
        label: "",
        probability: "",
      };
    },
    ...work,
  });
}

/** The rows that are answers to what is asked now, model by model in the order of asking. */
export function currentAnswers(
  rows: ReadonlyMap<string, AbstentionAnswer>,
  queries: readonly AskedQuery[],
  ways: readonly Way[] = WAYS,
): readonly AbstentionAnswer[] {
  return MODELS.flatMap((name) => questionsTo(name, queries, ways))
    .flatMap((question) => {
      const row = rows.get(keyOf(question));
      return row?.prompt_sha256 === question.sha256 ? [row] : [];
    });
}

/** The first sixteen digits identify an answer's text in the table of labels. */
export const answerDigest = (answer: string) => sha256Hex(answer).slice(0, 16);

/** Looks an answer's label by hand up; undefined for one that nobody has read as it stands. */
export function handLabels(
  rows: ReturnType<typeof ABSTENTION_HAND_LABELS.read> = ABSTENTION_HAND_LABELS.read(),
): (answer: AbstentionAnswer) => AbstentionLabel | undefined {
  const labels = new Map(rows.map((row) => [`${row.key} ${row.answer_sha256}`, row.label]));
  return (answer) =>
    labels.get(`${ABSTENTION_ANSWERS.keyOf(answer)} ${answerDigest(answer.answer)}`);
}

/**
 * How far a second reader agrees with the first about abstentions.
 * @throws {RangeError} for an answer that the first reader did not label.
 */
export function readersOfAbstentions(
  second: readonly { readonly key: string; readonly label: AbstentionLabel }[] =
    ABSTENTION_SECOND_LABELS.read(),
  first: ReadonlyMap<string, AbstentionLabel> = firstLabels(),
) {
  const pairs = second.map(({ key, label }) => {
    const other = first.get(key);
    if (other !== undefined) return [other, label] as const;
    throw new RangeError(`Cannot compare readers: the first did not label ${key}.`);
  });
  const found = cohenKappa(pairs.map(([one]) => one), pairs.map(([, other]) => other));
  const kappa: Measure = found.kind === "unavailable"
    ? found
    : { kind: "value", estimate: found.kappa };
  const same = pairs.filter(([one, other]) => one === other).length;
  return { same, answers: pairs.length, kappa };
}

function firstLabels(): ReadonlyMap<string, AbstentionLabel> {
  const own = ABSTENTION_HAND_LABELS.read().map(({ key, label }) => [key, label] as const);
  const shared = ABSTENTION_SHARED_LABELS.read()
    .map(({ set, id, label }) => [`${set}/${id}`, label] as const);
  return new Map([...own, ...shared]);
}
