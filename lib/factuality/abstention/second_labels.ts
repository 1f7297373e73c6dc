import { z } from "zod";
import { readWhole } from "../../files/whole_table.ts";
import { cohenKappa } from "../../stats/agreement.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";
import { ABSTENTION_LABELS, type AbstentionLabel } from "./answer.ts";
import { readLabelsByKey, readSharedLabels } from "./hand_labels.ts";

const COLUMNS = ["key", "label"] as const;

const ROW = z.object({
  /** Of an answer that ships, or the set and id of one that does not: `factscore_labeled/17`. */
  key: z.string().min(1),
  label: z.enum(ABSTENTION_LABELS),
});

/** Labels of a second reader, blind to the first one's. Throws as `readWhole` does. */
export function readSecondLabels(path: string = ABSTENTION_PATHS.secondLabels) {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "the reading by hand");
}

/**
 * How far two readers agree about abstentions, in a sentence.
 *
 * @throws {RangeError} for an answer that the first reader did not label.
 */
export function abstentionReadersSentence(
  second: readonly z.infer<typeof ROW>[] = readSecondLabels(),
  first: ReadonlyMap<string, AbstentionLabel> = firstLabels(),
): string {
  const pairs = second.map(({ key, label }) => {
    const other = first.get(key);
    if (other !== undefined) return [other, label] as const;
    throw new RangeError(`Cannot compare readers: the first did not label ${key}.`);
  });
  const same = pairs.filter(([one, other]) => one === other).length;
  const found = cohenKappa(pairs.map(([one]) => one), pairs.map(([, other]) => other));
  const kappa = found.kind === "unavailable" ? `unknown (${found.reason})` : found.kappa.toFixed(2);
  return `A second reader, blind to the first one's labels, gave the same label to ${same} of ` +
    `${pairs.length} answers, chosen to hold many abstentions and hard cases (κ ${kappa}).`;
}

function firstLabels(): ReadonlyMap<string, AbstentionLabel> {
  const shared = readSharedLabels().map(({ set, id, label }) => [`${set}/${id}`, label] as const);
  return new Map([...readLabelsByKey(), ...shared]);
}
