/** Rates of abstention on answerable and on unanswerable queries. */
import { decimalOrBlank, oneOf, table, text, wholeNumber } from "../../files/table.ts";
import { type Measure, measureFields } from "../../stats/measure.ts";
import { type AbstentionOutcome, queriesOf, REFUSAL_RATES } from "../metrics/rates.ts";
import { refusalInterval } from "../metrics/rates.ts";
import { dataFile } from "../paths.ts";
import { ABSTAINS_FROM } from "./abstention_classifier.ts";
import type { Instruction } from "./prompts.ts";

/** Columns of a rate: value, 95 % interval, n, and the reason if the value is missing. */
export const FIGURE = {
  n: wholeNumber("number of answers behind the figure"),
  value: decimalOrBlank("value, 0–1; empty if undefined"),
  low: decimalOrBlank("lower end of the 95 % interval"),
  high: decimalOrBlank("upper end of the 95 % interval"),
  reason: text("reason for a missing value"),
};

/** Fields of a row for a measure. A missing value states its reason. */
export function figureFields(measure: Measure, n: number) {
  const { estimate: value, low, high } = measureFields(measure);
  const reason = "reason" in measure ? measure.reason ?? "" : "";
  return { n, value, low, high, reason };
}

/** Columns of a rate by category. */
export const RATE_COLUMNS = {
  model: text("name of the model"),
  instruction: text("instruction: none, or permission to decline"),
  category: text("category in the collection, or all"),
  rate: oneOf(
    REFUSAL_RATES,
    "measure: false acceptance or over-refusal, labelled by the classifier",
  ),
  ...FIGURE,
};

export const USER_RATES = table({
  path: dataFile("abstention_rates.csv"),
  about: "abstention rates of a model on a user's queries",
  maker: "deno task factcheck abstention",
  columns: RATE_COLUMNS,
  key: ["model", "instruction", "category", "rate"],
});

/** Rates by model and category, from the classifier's labels. */
export function conceptRates(
  answers: readonly ReadAnswer[],
  concepts: readonly Readonly<{ id: string; exists: boolean; category: string }>[],
) {
  const things = concepts.map(({ id, exists, category }) => ({ id, exists, group: category }));
  const categories = [...new Set(concepts.map(({ category }) => category))]
    .filter((category) => category !== "all").toSorted();
  return ratesBy(answers, things, categories, ["classifier"])
    .map(({ group, ...rate }) => ({ ...rate, category: group }));
}

/** An answer with its label; empty where it was not labelled. */
type ReadAnswer = Readonly<{
  model: string;
  instruction: Instruction;
  temperature: number;
  query_id: string;
  label: string;
  probability: number | "";
}>;
/** Sources of the labels. */
export const READERS = ["language model", "classifier"] as const;
type Thing = Readonly<{ id: string; exists: boolean }>;

/** False acceptance and over-refusal by model and instruction, in total and by group. */
export function ratesBy<Group extends string>(
  answers: readonly ReadAnswer[],
  things: readonly (Thing & { readonly group: Group })[],
  groups: readonly Group[],
  readers: readonly typeof READERS[number][],
) {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const known = answers.filter(({ query_id }) => byId.has(query_id));
  const conditions = Map.groupBy(
    known,
    (one) => [one.model, one.instruction, one.temperature].join(),
  );
  return [...conditions.values()].flatMap((ofCondition) =>
    (["all", ...groups] as const).flatMap((group) => {
      const { model, instruction, temperature } = ofCondition[0]!;
      const about = ofCondition.filter(({ query_id }) =>
        group === "all" || byId.get(query_id)!.group === group
      );
      return readers.flatMap((read_by) => {
        const reading = read_by === "classifier" ? byClassifier : byReader;
        const outcomes = about.map((answer) =>
          abstentionOutcome(byId.get(answer.query_id)!, reading(answer))
        );
        return REFUSAL_RATES.map((rate) => {
          const rateOf = refusalInterval(outcomes, rate);
          const fields = figureFields(rateOf, queriesOf(outcomes, rate).length);
          return { model, instruction, temperature, group, read_by, rate, ...fields };
        });
      });
    })
  );
}

export const abstentionOutcome = (
  { id, exists }: Thing,
  abstained: boolean | undefined,
): AbstentionOutcome => {
  return { query: id, cluster: id, exists, abstained };
};

export const byReader = ({ label }: ReadAnswer) => label === "" ? undefined : label === "abstains";
export const byClassifier = ({ probability }: ReadAnswer) =>
  probability === "" ? undefined : probability >= ABSTAINS_FROM;
