/** Example of notebook 42, and storage of the answers to it. */
import { parse } from "yaml";
import { addressOf } from "../../files/asking.ts";
import { type OpenComponents, openComponents } from "../../factuality/check/components.ts";
import type { EvaluationClock } from "../../factuality/check/stage.ts";
import { FACTUALITY_PATHS } from "../../factuality/paths.ts";
import {
  evaluationJson,
  readEvaluation,
  roundedEvaluation,
} from "../../factuality/report/formats.ts";
import type { Evaluation, EvaluationRequest, Passage } from "../../factuality/types.ts";
import { EXAMPLE_ANSWERS } from "./tables.ts";

/** Files that could change an answer, without the question. */
const SETTINGS = ["configuration", "prompts", "verifierWeights", "judgeCalibration"] as const;

/**
 * Returns the stored answer under a name, or asks and stores a new one. A stored answer holds while
 * question, configuration, prompts and weights are unchanged.
 */
export async function onRecord<Answer>(
  name: string,
  question: unknown,
  ask: () => Promise<Answer>,
  answers = EXAMPLE_ANSWERS,
): Promise<Answer> {
  // Parsed content, so that a comment changes no answer.
  const settings = SETTINGS.map((path) => parse(Deno.readTextFileSync(FACTUALITY_PATHS[path])));
  const asked = addressOf([question, ...settings]);
  using table = answers.open();
  const storedRow = table.rows.get(JSON.stringify([name]));
  if (storedRow?.asked === asked) return JSON.parse(storedRow.answer) as Answer;
  const answer = JSON.stringify(await ask());
  table.put({ name, asked, answer });
  table.finish();
  return JSON.parse(answer) as Answer;
}

/** Returns a stored evaluation, or a new one; see {@link onRecord}. */
export async function evaluationOnRecord(
  name: string,
  question: unknown,
  evaluate: () => Promise<Evaluation>,
): Promise<Evaluation> {
  const ask = async () => JSON.parse(evaluationJson(roundedEvaluation(await evaluate())));
  return readEvaluation(await onRecord<unknown>(name, question, ask), EXAMPLE_ANSWERS.path);
}

/** Components of a configuration, opened only where an answer is not stored. */
export function lazyComponents(configuration: string) {
  const { cache: cacheDirectory } = FACTUALITY_PATHS;
  let opening: Promise<OpenComponents> | undefined;
  return {
    open: () => opening ??= openComponents(configuration, { cacheDirectory }),
    [Symbol.asyncDispose]: async () => await (await opening)?.[Symbol.asyncDispose](),
  };
}

/** Splits lines into fields at bars. */
const fieldsOf = (lines: string) => lines.split("\n").map((line) => line.split(" | "));

/** A text with planted errors about a held-out country: no verifier was trained on Panama. */
export const EXAMPLE_SENTENCES = fieldsOf(
  `Panama seceded from Colombia in 1903 with US backing.
The US Army Corps of Engineers built the Panama Canal between 1904 and 1924. | wrong date: 1914
Panama has a total area of 57,420 sq km. | wrong number: 75,420
The eastern third of the country is not sparsely inhabited. | negated
Panama sells most of its bananas to Sweden. | not in the source
In my opinion it is the most beautiful country of Central America. | opinion
The remaining US military bases were transferred to Panama by the end of 1999.`,
).map(([text, planted]) => ({ text: text!, planted }));

/** One sentence of the example; `planted` names its error, if any. */
export type ExampleSentence = typeof EXAMPLE_SENTENCES[number];

/**
 * Makes the request of the example. Its source is the knowledge base's text under three headings.
 * @throws {RangeError} where the knowledge base lacks one of them.
 */
export function exampleRequest(passages: readonly Passage[]): EvaluationRequest {
  const texts = ["pm/Background", "pm/Area", "pm/Population distribution"].map((id) => {
    const match = passages.find((passage) => passage.id === id);
    if (match !== undefined) return match.text;
    throw new RangeError(`Cannot make the example: the knowledge base has no passage ${id}`);
  });
  return {
    id: "Panama",
    source: texts.join("\n\n"),
    candidate: EXAMPLE_SENTENCES.map(({ text }) => text).join(" "),
    question: "What should one know about Panama?",
  };
}

/** A clock without progress: times would change a report's bytes. */
export const STOPPED_CLOCK: EvaluationClock = {
  now: () => new Date("2026-01-01T00:00:00Z"),
  milliseconds: () => 0,
};

/** Configuration of the study's verifier without judges, for a file in `.cache/…/`. */
export const VERIFIER_ALONE = `name: the verifier alone
retrieval: { kind: none }
verifier: { kind: trained, path: ../../data/factuality/verifier_weights.json }
judges: []
prompts: ../../data/factuality/prompts.yaml
`;
