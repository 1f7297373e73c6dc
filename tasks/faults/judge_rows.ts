import { RESPONSE_COLUMNS } from "../../lib/pairs/responses.ts";
import { grammaticalLetter, ORDERS } from "../../lib/pairs/forced_choice.ts";
import { questionKey } from "../../lib/pairs/responses.ts";
import { resultsPath } from "./evaluate_once.ts";
import type { Outcome } from "./scenario.ts";

/** What is wrong with the rows of a results file. */
export interface RowFaults {
  /** Questions without a row. */
  readonly lost: number;
  /** Rows beyond the first of a question, and rows of no question. */
  readonly doubled: number;
  /** Rows that do not say what the server answered. */
  readonly wrong: number;
}

/**
 * Reads the file line by line, not with the code that wrote it, and holds every line against what
 * is known. Half a line at the end counts as no row: a killed process may leave one.
 */
export function judgeRows(folder: string, outcomes: ReadonlyMap<string, Outcome>): RowFaults {
  const lines = readLines(resultsPath(folder));
  const seen = new Set<string>();
  let [doubled, wrong] = [0, 0];
  for (const line of lines) {
    const [model = "", pairId = "", order = "", response, correct] = line.split(",");
    const known = ORDERS.find((name) => name === order) ?? "A_gram";
    const key = questionKey({ model, pairId, order: known });
    const outcome = outcomes.get(key);
    if (outcome === undefined || seen.has(key) || known !== order) {
      doubled += 1;
      continue;
    }
    seen.add(key);
    const isCorrect = outcome === grammaticalLetter(known) ? "True" : "False";
    if (response !== outcome || correct !== isCorrect) wrong += 1;
  }
  return { lost: outcomes.size - seen.size, doubled, wrong };
}

/** Whole lines below the header. */
export function readLines(path: string): readonly string[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  const [header, ...lines] = text.split("\n").slice(0, -1);
  if (header !== undefined && header !== RESPONSE_COLUMNS.join(",")) {
    throw new SyntaxError(`Cannot judge ${path}: its header is "${header}"`);
  }
  return lines;
}
