import { z } from "zod";
import { readWhole } from "../../files/whole_table.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { ABSTENTION_LABELS } from "./answer.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";

const COLUMNS = ["label", "style", "name", "question", "answer"] as const;

const ROW = z.object({
  label: z.enum(ABSTENTION_LABELS),
  /** How it is said: "denial", "hedged"… */
  style: z.string().min(1),
  /** What the question is about; answers about one thing stay together in cross-validation. */
  name: z.string().min(1),
  question: z.string().min(1),
  answer: z.string().min(1),
});

/** An answer that was written to learn from. */
export type TrainingAnswer = Readonly<z.infer<typeof ROW>>;

/** The written answers that ship. Throws as `readWhole` does. */
export function readTrainingAnswers(
  path: string = ABSTENTION_PATHS.training,
): readonly TrainingAnswer[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "git checkout");
}

/** As long as answers are. */
const [SHORTEST, LONGEST] = [40, 240];
const DENYING = /\b(?:no|not|none|unknown|never|cannot|without)\b/iu;

/**
 * Statements of the factbook as answers: whatever they say, they decline nothing. Half of them have a
 * word of denial, so that the word alone gives no answer away.
 * @param countries whose statements may be taken.
 */
export function factbookAnswers(
  fields: readonly FactbookField[],
  countries: ReadonlySet<string>,
  count: number,
  random: RandomSource,
): readonly TrainingAnswer[] {
  const own = fields.filter(({ country }) => countries.has(country));
  // Notes are the same in many countries.
  const long = [...new Map(own.map((one) => [one.text, one])).values()].filter(({ text }) =>
    text.length >= SHORTEST && text.length <= LONGEST &&
    /[a-z]{3}.*\s.*[a-z]{3}/u.test(text)
  );
  const [denying, other] = [true, false].map((denies) =>
    long.filter(({ text }) => DENYING.test(text) === denies)
  );
  const half = Math.floor(count / 2);
  const drawn = [...random.sample(denying!, half), ...random.sample(other!, count - half)];
  return drawn.map(({ country, field, text }) => ({
    ...{ label: "answers", style: "factbook", name: country },
    question: `What is there to say about ${country}: ${field.toLowerCase()}?`,
    answer: text,
  }));
}
