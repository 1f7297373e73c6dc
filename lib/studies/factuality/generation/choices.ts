/** Questions with four options about countries, sampled repeatedly to measure uncertainty. */
import { addressOf, askMissing } from "../../../files/asking.ts";
import { withoutFormulas } from "../../../files/csv.ts";
import type { SamplingModel } from "../../../models/model.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import { meanOrUndefined } from "../../../factuality/metrics/classification.ts";
import type { RowOf } from "../../../files/table.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { type Split } from "../../../factuality/own/training/splits.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import { WORLD } from "../claims/statements.ts";
import type { AnswerSink } from "../../../factuality/own/prompts.ts";
import { CHOICE_QUESTIONS, type ChoiceSampleRow, inPlaces } from "./tables.ts";
import { INTRODUCTION, THOUGHT_END } from "../../../factuality/own/prompts.ts";

/** A question with hidden options, the right one first. */
export interface ChoiceQuestion {
  /** Id: `ao/capital`. */
  readonly id: string;
  /** Code of the country, the cluster of intervals. */
  readonly cluster: string;
  readonly kind: string;
  readonly question: string;
  readonly options: readonly string[];
}

/** Number of options, the right one included. */
const OPTIONS = 4;

/** Code of the European Union, which is no country. */
const EUROPEAN_UNION = "ee";

/** Field about history, which mentions former rulers and neighbours. */
const HISTORY = "Background";

/** Other spellings of an option in a text, in lower case. */
const OTHER_SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  Belgium: ["belgian"],
  France: ["french"],
  Netherlands: ["dutch"],
  Russia: ["soviet"],
  Portugal: ["portuguese"],
  Spain: ["spanish"],
  UK: ["brit"],
  US: ["american", "united states"],
};

/**
 * Makes at most `count` questions about countries of one split, alternating kinds. Each has one
 * right option from the country's field, and three wrong ones from other countries' fields that
 * neither the country's field nor its history mentions.
 */
export function choiceQuestions(
  fields: readonly FactbookField[],
  { split, count, seed }: Readonly<{ split: Split; count: number; seed: number | string }>,
): readonly ChoiceQuestion[] {
  const countries = fields.filter(({ code }) => code !== WORLD);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  const isAsked = ({ code }: FactbookField) =>
    splits.get(code) === split && code !== EUROPEAN_UNION;
  const byKind = CHOICE_QUESTIONS.read().map((asked) => {
    const random = randomSource(`${seed}/${asked.kind}`);
    return random.shuffle(questionsOfKind(asked, countries, isAsked, random));
  });
  const rounds = Math.max(...byKind.map(({ length }) => length));
  return Array.from(
    { length: rounds },
    (_, round) => byKind.flatMap((ofKind) => ofKind[round] ?? []),
  )
    .flat().slice(0, count);
}

function questionsOfKind(
  { kind, field, subfield, question, value }: RowOf<typeof CHOICE_QUESTIONS>,
  fields: readonly FactbookField[],
  isAsked: (field: FactbookField) => boolean,
  random: RandomSource,
): readonly ChoiceQuestion[] {
  // Every match of the first group is a right answer.
  const valuesIn = (text: string) =>
    [...text.matchAll(new RegExp(value, "gu"))].map(([, match]) => match!.trim());
  const kindFields = fields.filter((one) => one.field === field && one.subfield === subfield);
  const values = [...new Set(kindFields.flatMap(({ text }) => valuesIn(text)))].sort();
  return kindFields.filter(isAsked).flatMap(({ code, country, text }) => {
    const name = country.replace(/ \(.*/u, "");
    const mentioning = fields.filter((one) =>
      one.code === code && [field, HISTORY].includes(one.field)
    );
    const mentioned = mentioning.map((one) => one.text).join(" ").toLowerCase();
    const right = random.shuffle(valuesIn(text)).find((one) => !sharesWord(one, name));
    const wrong = values.filter((one) =>
      ![one.toLowerCase(), ...OTHER_SPELLINGS[one] ?? []].some((called) =>
        mentioned.includes(called)
      ) &&
      !sharesWord(one, name)
    );
    // Without a value, where the country's name reveals it, or with too few values of others.
    if (right === undefined || wrong.length < OPTIONS - 1) return [];
    const options = [right, ...random.sample(wrong, OPTIONS - 1)];
    const asked = question.replace(/\bC\b/u, () => name);
    return [{ id: `${code}/${kind}`, cluster: code, kind, question: asked, options }];
  });
}

/**
 * Tests whether the question reveals the option: "Panama City" for Panama, "Tajik" for Tajikistan.
 */
function sharesWord(value: string, country: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const begins = (one: string, other: string) => one.startsWith(other.slice(0, 4));
  return wordsOf(value).some((word) =>
    wordsOf(country).some((other) => begins(word, other) || begins(other, word))
  );
}

/** Sampling of thoughts; at temperature 0 all would be equal. */
const THOUGHT = { temperature: 1, maxTokens: 24 } as const;
/** Questions and the destination of the answers. */
interface AskChoices extends AnswerSink<ChoiceSampleRow> {
  readonly questions: readonly ChoiceQuestion[];
  /** Number of thoughts per question, each with its own seed. */
  readonly samples: number;
  /** Receives the reason for a missing row; another run samples it again. */
  readonly onFailure?: (words: string) => void;
}

/** Samples what the table lacks, or has for other settings, questions or options. */
export function askChoices(
  model: SamplingModel,
  { questions, samples, onFailure = () => {}, ...work }: AskChoices,
) {
  const settings_sha256 = addressOf({ ...model.settings, ...THOUGHT });
  const draws = questions.flatMap((question) =>
    Array.from(
      { length: samples },
      (_, i) => ({ choice: question, sample: i + 1, seed: `${question.id} ${i + 1}` }),
    )
  );
  return askMissing({
    questions: draws,
    concurrency: model.concurrency,
    inOrder: true,
    keyOf: ({ choice, sample }) => JSON.stringify([model.name, choice.id, sample]),
    isCurrent: (row, { choice }) =>
      row.settings_sha256 === settings_sha256 && row.question === choice.question &&
      JSON.stringify(row.options) === JSON.stringify(choice.options.map(withoutFormulas)),
    async ask({ choice, sample, seed }, signal): Promise<ChoiceSampleRow | undefined> {
      const begun = performance.now();
      const { id, cluster, kind, question } = choice;
      const text = `${INTRODUCTION}Question: ${question}\n`;
      const how = { ...THOUGHT, seed, stop: THOUGHT_END, signal };
      const reply = await model.sample({ text, replySoFar: "Thought:" }, how);
      if (reply.kind === "failure") {
        onFailure(`${id}, sample ${sample}: ${reply.message}`);
        return undefined;
      }
      signal.throwIfAborted();
      const thought = reply.text.trim();
      const answer = { text, replySoFar: `Thought: ${thought}\nAnswer:` };
      const texts = choice.options.map((option) => ` ${option}`);
      const logProbabilities = (await model.continuations(answer, texts, { signal })).map(rounded);
      const entropy = meanOrUndefined(reply.tokens.map(({ entropy }) => entropy));
      const options = choice.options.map(withoutFormulas);
      const asked = { model: model.name, question_id: id, cluster, kind, question, sample, seed };
      return {
        ...asked,
        ...inPlaces("option", options),
        ...inPlaces("log_probability", logProbabilities),
        options,
        logProbabilities,
        thought: withoutFormulas(thought),
        thought_tokens: reply.tokens.length,
        token_entropy: entropy === undefined ? "" : rounded(entropy),
        milliseconds: Math.round(performance.now() - begun),
        settings_sha256,
      };
    },
    ...work,
  });
}

const rounded = (value: number) => Number(value.toFixed(4));
