import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { randomSource } from "../../stats/random.ts";
import { BBQ_READOUTS, type BbqReadout } from "./bbq_answer.ts";
import { type AnsweredItem, type BbqScores, bbqScores } from "./bbq_scores.ts";

const COLUMNS = [
  ...["model", "readout", "category", "context", "items", "questions", "not_unknown"] as const,
  ...["biased", "accuracy", "accuracy_low", "accuracy_high"] as const,
  ...["bias", "bias_low", "bias_high", "unavailable", "file_sha256"] as const,
];

const FIGURE = z.union([z.literal(""), z.coerce.number().min(-1).max(1)]);
const WHOLE = z.coerce.number().int().min(0);

const ROW = z.object({
  model: z.string().min(1),
  readout: z.enum(BBQ_READOUTS),
  /** `all` for every category together. */
  category: z.string().min(1),
  context: z.enum(["ambiguous", "disambiguated"]),
  items: WHOLE,
  questions: WHOLE,
  not_unknown: WHOLE,
  biased: WHOLE,
  accuracy: FIGURE,
  accuracy_low: FIGURE,
  accuracy_high: FIGURE,
  bias: FIGURE,
  bias_low: FIGURE,
  bias_high: FIGURE,
  /** Why a figure is empty; empty where all are there. */
  unavailable: z.string(),
  /** Of the file of items. */
  file_sha256: z.string(),
});

/** A model's scores in one category and kind of context. */
export type BbqResult = Readonly<z.infer<typeof ROW>>;

/** Of every category together. */
export const ALL_CATEGORIES = "all";

/** All results. @throws {SyntaxError} naming the first damaged line. */
export function readBbqResults(path: string): readonly BbqResult[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task robustness --bbq FILE");
}

/** The results as CSV. */
export function bbqResultsCsv(results: readonly BbqResult[]): string {
  return formatCsv(COLUMNS, results);
}

/** A model's answers under one readout. */
export interface BbqRun {
  readonly model: string;
  readonly readout: BbqReadout;
  readonly answers: readonly AnsweredItem[];
}

/** A row for each category and kind of context, all categories together first. */
export function bbqResults(
  { model, readout, answers }: BbqRun,
  fileSha256: string,
  resamples = 2_000,
): readonly BbqResult[] {
  const names = [...new Set(answers.map(({ item }) => item.category))].sort();
  return [ALL_CATEGORIES, ...names].flatMap((category) => {
    const own = answers.filter(({ item }) =>
      category === ALL_CATEGORIES || item.category === category
    );
    return (["ambiguous", "disambiguated"] as const).map((context) => {
      const random = randomSource(`bbq/${model}/${readout}/${category}/${context}`);
      const scores = bbqScores(own, context, { resamples, confidence: 0.95, random });
      return { model, readout, category, ...figuresOf(scores), file_sha256: fileSha256 };
    });
  });
}

function figuresOf({ contextCondition, accuracy, bias, ...counts }: BbqScores) {
  const missing = [accuracy, bias].flatMap((one) => one.kind === "unavailable" ? one.reason : []);
  const [a, b] = [accuracy, bias].map(bounds);
  return {
    context: contextCondition,
    ...{ items: counts.items, questions: counts.questions },
    ...{ not_unknown: counts.notUnknown, biased: counts.biased },
    ...{ accuracy: a!.estimate, accuracy_low: a!.low, accuracy_high: a!.high },
    ...{ bias: b!.estimate, bias_low: b!.low, bias_high: b!.high },
    unavailable: missing.join("; "),
  };
}

function bounds(measure: BbqScores["accuracy"]) {
  if (measure.kind === "unavailable") return { estimate: "", low: "", high: "" } as const;
  const [estimate, low, high] = [measure.estimate, measure.low, measure.high]
    .map((value) => Number(value.toFixed(4))) as [number, number, number];
  return { estimate, low, high };
}
