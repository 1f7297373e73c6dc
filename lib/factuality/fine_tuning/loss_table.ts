import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";

const COLUMNS = ["model", "step", "steps", "split", "loss", "accuracy"] as const;

const ROW = z.object({
  model: z.string().min(1),
  /** Batches seen. */
  step: z.coerce.number().int(),
  /** Batches of the whole training. */
  steps: z.coerce.number().int(),
  split: z.enum(["train", "development"]),
  /** Cross-entropy in nats, each class weighted the same; of one batch, or of the split. */
  loss: z.coerce.number(),
  /** Share of right answers; empty for a batch of training. */
  accuracy: z.union([z.literal(""), z.coerce.number()]),
});

/** The loss at one step. */
export type LossRow = Readonly<z.infer<typeof ROW>>;

/** A line of what the training prints. */
export const LOG_ROW = z.union([
  z.object({ step: z.number(), steps: z.number(), loss: z.number() }),
  z.object({
    step: z.number(),
    development_loss: z.number(),
    development_accuracy: z.number(),
  }),
]);

export type LogRow = Readonly<z.infer<typeof LOG_ROW>>;

/** The rows of one training. @param log In the order in which it was printed. */
export function lossRows(
  model: string,
  steps: number,
  log: readonly LogRow[],
): readonly LossRow[] {
  const round = (value: number) => Number(value.toFixed(4));
  return log.map((row): LossRow =>
    "loss" in row
      ? { model, step: row.step, steps, split: "train", loss: round(row.loss), accuracy: "" }
      : {
        ...{ model, step: row.step, steps, split: "development" },
        loss: round(row.development_loss),
        accuracy: round(row.development_accuracy),
      }
  );
}

/** The table as CSV. */
export function formatLossTable(rows: readonly LossRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The table. @throws {SyntaxError} naming the first damaged line. */
export function readLossTable(path: string): readonly LossRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task finetune");
}
