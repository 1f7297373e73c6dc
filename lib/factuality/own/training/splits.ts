import { randomSource } from "../../../stats/random.ts";
import {
  type CaseSplit as Split,
  claimWords,
  entityGroups,
  type LabelledCase,
} from "../../labelled_case.ts";

export type { Split };
export const SPLITS: readonly Split[] = ["train", "development", "test"];

/** Seed of every random draw of a training. The default weights used it. */
export const TRAINING_SEED = 41;

/** Drops a case if its claim also occurs in a later split (train, development, test). */
export function withoutHeldOutClaims<
  Case extends { readonly claim: string; readonly split: Split },
>(
  cases: readonly Case[],
): readonly Case[] {
  const furthest = new Map<string, number>();
  for (const { claim, split } of cases) {
    const key = claimWords(claim);
    furthest.set(key, Math.max(furthest.get(key) ?? 0, SPLITS.indexOf(split)));
  }
  return cases.filter(({ claim, split }) =>
    furthest.get(claimWords(claim)) === SPLITS.indexOf(split)
  );
}

/** One in this many unrelated groups moves to development. */
const DEVELOPMENT_INTERVAL = 10;

/** Moves a random tenth of the unrelated groups into development. @throws {RangeError} */
export function developmentSplit<Case extends LabelledCase & { readonly split: Split }>(
  cases: readonly Case[],
  seed: number,
): Case[] {
  const groups = entityGroups(cases);
  const names = [...new Set(groups)];
  if (names.length < DEVELOPMENT_INTERVAL) {
    throw new RangeError(
      `Cannot hold back a tenth of the cases: they are ${names.length} unrelated groups.`,
    );
  }
  const shuffled = randomSource(`${seed}/split`).shuffle(names);
  const heldBack = new Set(shuffled.filter((_, i) => i % DEVELOPMENT_INTERVAL === 0));
  return cases.map((one, i) =>
    one.split === "train" && heldBack.has(groups[i]!)
      ? { ...one, split: "development" as const }
      : one
  );
}
