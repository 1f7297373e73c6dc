/** Questions with four options about countries, asked over and over: what a model is unsure of. */
import { addressOf, askMissing } from "../../../files/asking.ts";
import { withoutFormulas } from "../../../files/csv.ts";
import type { SamplingModel } from "../../../models/model.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import { mean } from "../../../factuality/metrics/classification.ts";
import type { RowOf } from "../../../files/table.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { type Split } from "../../../factuality/own/training/splits.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import type { AnswerSink } from "../../../factuality/own/prompts.ts";
import { CHOICE_QUESTIONS, type ChoiceSampleRow, inPlaces } from "./tables.ts";
import { INTRODUCTION, THOUGHT_END } from "../../../factuality/own/prompts.ts";

/** A question with options, of which models are not shown any: the right one is the first. */
export interface ChoiceQuestion {
  /** `ao/capital`. */
  readonly id: string;
  /** The country's code: what intervals cluster by. */
  readonly cluster: string;
  readonly kind: string;
  readonly question: string;
  readonly options: readonly string[];
}

/** Options of a question, with the right one. */
const OPTIONS = 4;

/** The file of the world as a whole, which the split leaves out; and one that is no country. */
const [WORLD, EUROPEAN_UNION] = ["xx", "ee"];

/** Tells of former rulers and neighbours that the field itself leaves out. */
const HISTORY = "Background";

/** What a text has in place of the option, in lower case. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
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
 * At most `count` questions about countries of one split, kind by kind in turn, each with one right
 * option from the country's own field and three wrong ones from the same field of others, which
 * neither the country's own field nor its history mentions.
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
  return Array.from({ length: rounds }, (_, round) => byKind.flatMap((own) => own[round] ?? []))
    .flat().slice(0, count);
}

function questionsOfKind(
  { kind, field, subfield, question, value }: RowOf<typeof CHOICE_QUESTIONS>,
  fields: readonly FactbookField[],
  isAsked: (field: FactbookField) => boolean,
  random: RandomSource,
): readonly ChoiceQuestion[] {
  // Every match is a right answer, the first group.
  const valuesIn = (text: string) =>
    [...text.matchAll(new RegExp(value, "gu"))].map(([, found]) => found!.trim());
  const own = fields.filter((one) => one.field === field && one.subfield === subfield);
  const values = [...new Set(own.flatMap(({ text }) => valuesIn(text)))].sort();
  return own.filter(isAsked).flatMap(({ code, country, text }) => {
    const name = country.replace(/ \(.*/u, "");
    const told = fields.filter((one) => one.code === code && [field, HISTORY].includes(one.field));
    const said = told.map((one) => one.text).join(" ").toLowerCase();
    const right = random.shuffle(valuesIn(text)).find((one) => !sharesWord(one, name));
    const wrong = values.filter((one) =>
      ![one.toLowerCase(), ...ALSO_CALLED[one] ?? []].some((called) => said.includes(called)) &&
      !sharesWord(one, name)
    );
    // No value, the country's name gives it away, or others' values are too few.
    if (right === undefined || wrong.length < OPTIONS - 1) return [];
    const options = [right, ...random.sample(wrong, OPTIONS - 1)];
    const asked = question.replace(/\bC\b/u, () => name);
    return [{ id: `${code}/${kind}`, cluster: code, kind, question: asked, options }];
  });
}

/** "Panama City" for Panama, "Tajik" for Tajikistan: who reads the question can guess them. */
function sharesWord(value: string, country: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const begins = (one: string, other: string) => one.startsWith(other.slice(0, 4));
  return wordsOf(value).some((own) =>
    wordsOf(country).some((word) => begins(own, word) || begins(word, own))
  );
}

/** How thoughts are drawn. At temperature 0 all would be one. */
const THOUGHT = { temperature: 1, maxTokens: 24 } as const;
/** What is asked, and where the answers go. */
interface AskChoices extends AnswerSink<ChoiceSampleRow> {
  readonly questions: readonly ChoiceQuestion[];
  /** Thoughts a question, each with a seed of its own. */
  readonly samples: number;
  /** Told why a sample has no row; it is drawn again by a further run. */
  readonly onFailure?: (words: string) => void;
}

/** Draws every sample that the table lacks, or has with other settings, question or options. */
export function askChoices(
  model: SamplingModel,
  { questions, samples, onFailure = () => {}, ...work }: AskChoices,
) {
  const settings_sha256 = addressOf({ ...model.settings, ...THOUGHT });
  const draws = questions.flatMap((of) =>
    Array.from({ length: samples }, (_, i) => ({ of, sample: i + 1, seed: `${of.id} ${i + 1}` }))
  );
  return askMissing({
    questions: draws,
    concurrency: model.concurrency,
    inOrder: true,
    keyOf: ({ of, sample }) => JSON.stringify([model.name, of.id, sample]),
    isCurrent: (row, { of }) =>
      row.settings_sha256 === settings_sha256 && row.question === of.question &&
      JSON.stringify(row.options) === JSON.stringify(of.options.map(withoutFormulas)),
    async ask({ of, sample, seed }, signal): Promise<ChoiceSampleRow | undefined> {
      const begun = performance.now();
      const { id, cluster, kind, question } = of;
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
      const texts = of.options.map((option) => ` ${option}`);
      const logProbabilities = (await model.continuations(answer, texts, { signal })).map(rounded);
      const entropy = mean(reply.tokens.map(({ entropy }) => entropy));
      const options = of.options.map(withoutFormulas);
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
