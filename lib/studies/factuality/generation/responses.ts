/** Answers of four systems about held-out countries: questions, prompts, generation. */
import { addressOf, askMissing, type Settings } from "../../../files/asking.ts";
import { sha256Hex } from "../../../files/atomic.ts";
import { withoutFormulas } from "../../../files/csv.ts";
import type { SamplePrompt, SamplingModel } from "../../../models/model.ts";
import { randomSource } from "../../../stats/random.ts";
import { sentencesOf } from "../../../factuality/claims/sentences.ts";
import { meanOrUndefined } from "../../../factuality/metrics/classification.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import { WORLD } from "../claims/statements.ts";
import type { Passage } from "../../../factuality/types.ts";
import type { CountryQuestion, ResponseRow } from "./tables.ts";
import { AnswerSink } from "../../../factuality/own/prompts.ts";

/** Required fields; uninhabited islands and the European Union lack them and cannot be checked. */
const REQUIRED_FIELDS = ["Location", "Government type", "Economic overview"];

/**
 * Draws countries of the test split at random. A larger count extends a smaller one. @throws
 * {RangeError}
 */
export function countryQuestions(fields: readonly FactbookField[], count: number) {
  const byCode = Map.groupBy(fields.filter(({ code }) => code !== WORLD), ({ code }) => code);
  const splits = splitCountries([...byCode.keys()], KNOWLEDGE_SEED);
  const heldOut = [...byCode].filter(([code, countryFields]) =>
    splits.get(code) === "test" &&
    REQUIRED_FIELDS.every((name) => countryFields.some(({ field }) => field === name))
  ).toSorted(([one], [other]) => one < other ? -1 : 1);
  const { length } = heldOut;
  if (count > length) {
    throw new RangeError(
      `Cannot ask about ${count} countries: ${length} are held out and described`,
    );
  }
  return randomSource(`${KNOWLEDGE_SEED}/questions`).shuffle(heldOut).slice(0, count)
    .map(([id, countryFields]) => {
      const country = countryFields[0]!.country;
      return { id, country, question: `Write ${taskOf(country)}.` };
    });
}

/** Name of a country before its bracket: "Falkland Islands (Islas Malvinas)". */
export const usualName = (country: string) => country.replace(/ \([^()]*\)$/u, "");

/** Task without its beginning, identical in both prompts. */
const taskOf = (country: string) =>
  `three sentences about the geography, government and economy of ${usualName(country)}`;

/** Makes a prompt from a question and, for open book, its retrieved passages. */
type ResponsePrompt = (question: CountryQuestion, passages?: readonly Passage[]) => SamplePrompt;

/** Few-shot examples for base models: answers about two training countries, with notes. */
const EXAMPLES = [
  [
    "Zambia",
    "Zambia is a landlocked country in southern Africa, east of Angola. It is a presidential republic, and its capital is Lusaka. Its economy depends on the mining of copper.",
    "Location. Southern Africa, east of Angola, south of the Democratic Republic of the Congo",
    "Government type. presidential republic",
    "Economic overview. lower middle-income economy; copper mining; high public debt",
  ],
  [
    "Ireland",
    "Ireland lies in western Europe and occupies most of the island of Ireland, west of Great Britain. It is a parliamentary republic, and its capital is Dublin. Its economy rests on exports, above all of medicines and computer services.",
    "Location. Western Europe, occupying most of the island of Ireland west of Great Britain",
    "Government type. parliamentary republic",
    "Economic overview. strong, export-led economy; pharmaceuticals and computer services",
  ],
] as const;

const heading = (country: string) => `T${taskOf(country).slice(1)}:`;
const noted = (country: string, notes: readonly string[]) =>
  [`Notes about ${usualName(country)}:`, ...notes.map((note) => `- ${note}`)].join("\n");

/** Maximum length of a shown passage in characters, since some lists run for pages. */
const MAX_NOTE = 300;

/** Formats a passage as one line of notes, truncated where long. */
export function noteOf({ section, text }: Passage): string {
  const whole = text.startsWith(section) ? text : `${section}. ${text}`;
  if (whole.length <= MAX_NOTE) return whole;
  return `${whole.slice(0, MAX_NOTE).replace(/\s+\S*$/u, "")} …`;
}

/** Chat prompt: the passages, if any, then the question to be answered from them alone. */
const asked: ResponsePrompt = ({ question, country }, passages) => {
  if (passages === undefined) return { text: question };
  const notes = noted(country, passages.map(noteOf));
  return { text: `${notes}\n\nUsing only these notes, write ${taskOf(country)}.` };
};

/** Few-shot prompt: the same task for two other countries, with notes where there are any. */
const continued: ResponsePrompt = ({ country }, passages) => {
  const section = (name: string, notes: readonly string[]) =>
    `${passages ? `${noted(name, notes)}\n` : ""}${heading(name)}`;
  const done = EXAMPLES.map(([name, text, ...notes]) => `${section(name, notes)} ${text}\n\n`);
  return { text: `${done.join("")}${section(country, (passages ?? []).map(noteOf))}` };
};

type RespondingSystem = typeof RESPONDING_SYSTEMS[number];

const INSTRUCTED = { model: "SmolLM2-135M-Instruct", prompt: asked, stop: [] } as const;
// The model continues with the next country.
const NEXT = ["\n\n", "\nNotes about", "\nThree sentences"] as const;
const BASE = { model: "gemma-3-270m", prompt: continued, stop: NEXT } as const;

/** The four systems: a model with a prompt, in table order. */
export const RESPONDING_SYSTEMS = [INSTRUCTED, BASE].flatMap((one) =>
  [false, true].map((openBook) => {
    return { ...one, openBook, name: `${one.model}, ${openBook ? "open" : "closed"} book` };
  })
);

/** Sampling parameters, the same for all systems. */
const RESPONSE_SAMPLING = { seed: 0, temperature: 0, maxTokens: 80 } as const;

/** Number of passages per question, for open book. */
const OPEN_BOOK_PASSAGES = 5;
const SAMPLE_QUESTION = { id: "zz", country: "COUNTRY", question: "QUESTION" };
const SAMPLE_PASSAGE = { id: "zz/S", text: "TEXT", collection: "C", title: "T", section: "S" };

/**
 * Settings that could change a system's answers. @param retrieval Settings of the open-book
 * retrieval.
 */
export function systemSettings(
  { prompt, stop, openBook }: RespondingSystem,
  model: Pick<SamplingModel, "settings">,
  retrieval: Settings,
): Settings {
  return {
    ...model.settings,
    ...RESPONSE_SAMPLING,
    promptSha256: sha256Hex(prompt(SAMPLE_QUESTION, openBook ? [SAMPLE_PASSAGE] : undefined).text),
    stop: JSON.stringify(stop),
    openBook,
    ...openBook ? { ...retrieval, shown: OPEN_BOOK_PASSAGES } : {},
  };
}

/** Asks a system for missing answers. @throws {Error} where the model cannot answer. */
export function askSystem(
  system: RespondingSystem,
  model: SamplingModel,
  questions: readonly CountryQuestion[],
  { settings, passagesFor, ...work }: AnswerSink<ResponseRow> & {
    readonly settings: Settings;
    readonly passagesFor: (question: string) => Promise<readonly Passage[]>;
  },
) {
  const { name, stop, prompt, openBook } = system;
  const addressTo = ({ country, question }: CountryQuestion) =>
    addressOf([settings, country, question]);
  return askMissing({
    questions,
    keyOf: ({ id }) => JSON.stringify([name, id]),
    concurrency: model.concurrency,
    inOrder: true,
    isCurrent: (row, question) => row.settings_sha256 === addressTo(question),
    async ask(question, signal) {
      const passages = openBook ? await passagesFor(question.question) : undefined;
      const how = { ...RESPONSE_SAMPLING, stop, signal };
      const reply = await model.sample(prompt(question, passages), how);
      if (reply.kind === "failure") throw new Error(`${name}: ${reply.message}`);
      const { seed, temperature } = RESPONSE_SAMPLING;
      return {
        system: name,
        question_id: question.id,
        seed,
        temperature,
        response: withoutFormulas(wholeSentences(reply.text)),
        tokens: reply.tokens.length,
        ended: reply.ended,
        // Over all tokens, including those of a truncated sentence.
        mean_token_entropy: meanOf(reply.tokens.map(({ entropy }) => entropy)),
        mean_log_probability: meanOf(reply.tokens.map(({ logProbability }) => logProbability)),
        settings_sha256: addressTo(question),
      };
    },
    ...work,
  });
}

const meanOf = (values: readonly number[]): number | "" =>
  values.length === 0 ? "" : Number(meanOrUndefined(values)!.toFixed(6));

/**
 * Joins a model's text into one line without a truncated last sentence. A single sentence is kept.
 */
function wholeSentences(text: string): string {
  const sentences = sentencesOf(text);
  const last = sentences.findLastIndex((sentence) => /[.!?]["”')\]]*$/u.test(sentence.text));
  const end = last < 0 ? text.length : sentences[last]!.end;
  return text.slice(0, end).replace(/\s+/gu, " ").trim();
}
