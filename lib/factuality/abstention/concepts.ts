import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readJsonLines } from "../../files/jsonl.ts";
import { readWhole } from "../../files/whole_table.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import {
  type AbstentionOutcome,
  falseAcceptanceInterval,
  overRefusalInterval,
} from "../metrics/false_acceptance.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";
import type { AbstentionAnswer } from "./answer.ts";
import { ABSTAINS_FROM } from "./classifier.ts";
import { FIGURE_COLUMNS, FIGURE_FIELDS, figureFields } from "./figure_columns.ts";

const LINE = z.object({
  prompt: z.string().min(1),
  exists: z.boolean(),
  category: z.string().min(1),
});

/** A question of a file of concepts that exist or were invented. */
export interface Concept {
  /** `concept-` and the line in the file. */
  readonly id: string;
  readonly question: string;
  /** What of the question is written like a name; empty where nothing is. */
  readonly name: string;
  /**
   * As the file has it, with noise: of 100 lines of nonexistent_concepts.jsonl read by lot, 4 of 47
   * "invented" names are in use (a surname, a kind of race), and 9 of 53 "existing" ones are bare or
   * rare words that no question fits ("recoverer", "oleic", "unburial", the sport "Ball").
   */
  readonly exists: boolean;
  readonly category: string;
}

/**
 * The concepts of a file of `{prompt, exists, category}`, one a line.
 * @throws {SyntaxError} naming the first line that is none.
 */
export function readConcepts(path: string): readonly Concept[] {
  const { rows, damaged } = readJsonLines(path, (line) => LINE.parse(line));
  const [first] = damaged;
  if (first !== undefined) {
    throw new SyntaxError(`Cannot read ${path}: line ${first.line} is damaged (${first.reason}).`);
  }
  return rows.map(({ prompt, exists, category }, i) => ({
    ...{ id: `concept-${i + 1}`, question: prompt, name: nameIn(prompt), exists, category },
  }));
}

/** The longest run of capitalised words after the first word. */
function nameIn(question: string): string {
  const runs = [...question.matchAll(/(?<=\s)\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)*/gu)];
  return runs.map(([run]) => run).reduce((a, b) => (b.length > a.length ? b : a), "");
}

/** So many concepts by lot, as many of those that exist as of the others, where there are enough. */
export function drawConcepts(
  concepts: readonly Concept[],
  count: number,
  random: RandomSource,
): readonly Concept[] {
  const half = Math.floor(count / 2);
  return [true, false].flatMap((exists) => {
    const own = concepts.filter((concept) => concept.exists === exists);
    return random.sample(own, Math.min(half, own.length));
  });
}

const COLUMNS = [
  ...["model", "instruction", "category", "rate"] as const,
  ...FIGURE_COLUMNS,
];

const ROW = z.object({
  model: z.string(),
  instruction: z.string(),
  /** Of the file, or all. */
  category: z.string(),
  rate: z.enum(["false acceptance", "over-refusal"]),
  ...FIGURE_FIELDS,
});

/** One rate on the concepts; no word of them is in it. */
export type ConceptRate = Readonly<z.infer<typeof ROW>>;

/** The table of aggregates. */
export function conceptsCsv(rates: readonly ConceptRate[]): string {
  return formatCsv(COLUMNS, rates);
}

/** The aggregates that ship. Throws as `readWhole` does. */
export function readConceptRates(
  path: string = ABSTENTION_PATHS.concepts,
): readonly ConceptRate[] {
  const parse = (record: unknown) => ROW.parse(record);
  return readWhole(path, COLUMNS, parse, '"deno task abstention --concepts FILE"');
}

/** Rates by model and category, as the classifier has read the answers. */
export function conceptRates(
  answers: readonly AbstentionAnswer[],
  concepts: readonly Concept[],
): readonly ConceptRate[] {
  const byId = new Map(concepts.map((concept) => [concept.id, concept]));
  const conditions = Map.groupBy(
    answers.filter(({ query_id }) => byId.has(query_id)),
    ({ model, instruction }) => `${model}|${instruction}`,
  );
  const categories = ["all", ...new Set(concepts.map(({ category }) => category).toSorted())];
  return [...conditions.values()].flatMap((own) => {
    const { model, instruction } = own[0]!;
    const outcomes = own.map((answer) => outcomeOf(answer, byId.get(answer.query_id)!));
    return categories.flatMap((category) =>
      ratesOf(outcomes.filter((one) => category === "all" || one.category === category))
        .map((rate) => ({ model, instruction, category, ...rate }))
    );
  });
}

interface ConceptOutcome extends AbstentionOutcome {
  readonly category: string;
}

function outcomeOf({ probability }: AbstentionAnswer, concept: Concept): ConceptOutcome {
  const { id, exists, category } = concept;
  const abstained = probability === "" ? undefined : probability >= ABSTAINS_FROM;
  return { query: id, cluster: id, exists, abstained, category };
}

function ratesOf(outcomes: readonly ConceptOutcome[]) {
  // Never drawn from: each concept has one answer, so that the intervals are Wilson's.
  const random = randomSource("abstention/concepts");
  const known = (exists: boolean) =>
    outcomes.filter((one) => one.exists === exists && one.abstained !== undefined).length;
  const accepted = figureFields(falseAcceptanceInterval(outcomes, random), known(false));
  const refused = figureFields(overRefusalInterval(outcomes, random), known(true));
  return [
    { rate: "false acceptance" as const, ...accepted },
    { rate: "over-refusal" as const, ...refused },
  ];
}
