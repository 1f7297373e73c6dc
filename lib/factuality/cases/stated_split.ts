import type { CaseSplit } from "./labelled_case.ts";

/** What files call a split, in lower case. */
const SPLITS: Readonly<Record<CaseSplit, readonly string[]>> = {
  train: ["train", "training"],
  development: ["development", "dev", "validation", "valid", "val"],
  test: ["test", "testing"],
};

/** The words that {@link statedSplit} understands, for messages. */
export const SPLITS_UNDERSTOOD = Object.values(SPLITS).flat().join(", ");

/** What a file's word for a split means, in capitals or not; undefined for any other word. */
export function statedSplit(text: string): CaseSplit | undefined {
  const word = text.trim().toLowerCase();
  return (Object.keys(SPLITS) as CaseSplit[]).find((split) => SPLITS[split].includes(word));
}
