import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { randomSource } from "../../stats/random.ts";
import {
  type AbstentionOutcome,
  falseAcceptanceInterval,
  overRefusalInterval,
} from "../metrics/false_acceptance.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";
import type { AbstentionAnswer } from "./answer.ts";
import { ABSTAINS_FROM } from "./classifier.ts";
import { FIGURE_COLUMNS, FIGURE_FIELDS, figureFields } from "./figure_columns.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { AbstentionQuery } from "./query.ts";
import { QUERY_KINDS } from "./query_kinds.ts";

const RATES = ["false acceptance", "over-refusal"] as const;
const READERS = ["hand", "classifier"] as const;

const COLUMNS = [
  ...["model", "instruction", "temperature", "kind", "read_by", "rate"] as const,
  ...FIGURE_COLUMNS,
];

const ROW = z.object({
  model: z.string(),
  instruction: z.enum(INSTRUCTIONS),
  temperature: z.coerce.number(),
  /** One kind of thing, or all. */
  kind: z.enum(["all", ...QUERY_KINDS]),
  /** Who told abstentions from answers. */
  read_by: z.enum(READERS),
  rate: z.enum(RATES),
  ...FIGURE_FIELDS,
});

/** One rate of one model under one instruction. */
export type AbstentionRate = Readonly<z.infer<typeof ROW>>;

/** The table of rates. */
export function ratesCsv(rates: readonly AbstentionRate[]): string {
  return formatCsv(COLUMNS, rates);
}

/** The rates that ship. Throws as `readWhole` does. */
export function readRates(path: string = ABSTENTION_PATHS.rates): readonly AbstentionRate[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), '"deno task abstention"');
}

type Reader = AbstentionRate["read_by"];

/**
 * False acceptance and over-refusal of each model, instruction and temperature, over all kinds of
 * things and by kind, as the hand labels have it and as the classifier does; answers that were begun
 * for the model are left out. Neither is corrected
 * for the classifier's errors, which are measured apart.
 */
export function abstentionRates(
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
): readonly AbstentionRate[] {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const conditions = Map.groupBy(
    answers.filter(({ query_id, instruction }) =>
      byId.has(query_id) && instruction !== "opening given"
    ),
    ({ model, instruction, temperature }) => [model, instruction, temperature].join("|"),
  );
  return [...conditions.values()].flatMap((own) =>
    (["all", ...QUERY_KINDS] as const).flatMap((kind) =>
      READERS.flatMap((read_by) => {
        const about = own.filter(({ query_id }) =>
          kind === "all" || byId.get(query_id)!.kind === kind
        );
        const { model, instruction, temperature } = own[0]!;
        const outcomes = about.map((answer) => outcomeOf(answer, byId, read_by));
        return RATES.map((rate) => ({
          ...{ model, instruction, temperature, kind, read_by, rate },
          ...rateOf(rate, outcomes),
        }));
      })
    )
  );
}

function outcomeOf(
  answer: AbstentionAnswer,
  queries: ReadonlyMap<string, AbstentionQuery>,
  readBy: Reader,
): AbstentionOutcome {
  const { id, exists } = queries.get(answer.query_id)!;
  return { query: id, cluster: id, exists, abstained: abstained(answer, readBy) };
}

function abstained({ label, probability }: AbstentionAnswer, readBy: Reader): boolean | undefined {
  if (readBy === "hand") return label === "" ? undefined : label === "abstains";
  return probability === "" ? undefined : probability >= ABSTAINS_FROM;
}

function rateOf(rate: AbstentionRate["rate"], outcomes: readonly AbstentionOutcome[]) {
  const exists = rate === "over-refusal";
  const interval = exists ? overRefusalInterval : falseAcceptanceInterval;
  // Never drawn from: each query has one answer a condition, so that the interval is Wilson's.
  const figure = interval(outcomes, randomSource(`abstention/${rate}`));
  const known = outcomes.filter((one) => one.exists === exists && one.abstained !== undefined);
  return figureFields(figure, known.length);
}
