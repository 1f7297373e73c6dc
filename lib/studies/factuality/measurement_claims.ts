/** Labelled claims on which verifiers are measured and never fitted. */
import { randomSource } from "../../stats/random.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { type LabelledCase, labelledFile } from "../../factuality/labelled_case.ts";
import { outsideFile } from "../../files/table.ts";
import { openCountryLookup } from "./generation/response_claims.ts";
import { QUESTIONS, RESPONSE_CLAIM_LABELS } from "./generation/tables.ts";
import { HUMAN_SETS, loadHumanSet, STANCE_SET, WRITTEN_BY_HAND } from "./datasets/public_sets.ts";

/** Set of labelled claims that models wrote about countries, with retrieved passages. */
export const MODELS_CLAIMS = "claims of models";

const HALUEVAL_QA = "halueval_qa";

/**
 * Reads claims with evidence and label; `set` is the source: stances, answers to questions, models'
 * claims with retrieved passages, handwritten claims. @param folder Folder of the sets, which are
 * not part of this repository. @throws {Error} without one of them.
 */
export async function measurementClaims(
  folder: string | undefined,
  { encoder, cacheDirectory }: {
    readonly encoder: SentenceEncoder;
    readonly cacheDirectory: string;
  },
): Promise<readonly LabelledCase[]> {
  const answers = HUMAN_SETS.find(({ name }) => name === HALUEVAL_QA)!;
  const byHand = labelledFile(outsideFile(WRITTEN_BY_HAND, folder)).cases;
  return [
    ...loadHumanSet(STANCE_SET, folder).cases,
    ...loadHumanSet(answers, folder).cases,
    ...await modelsClaims(encoder, cacheDirectory),
    ...byHand.map((one) => ({ ...one, set: WRITTEN_BY_HAND.name })),
  ];
}

async function modelsClaims(encoder: SentenceEncoder, cacheDirectory: string) {
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const countries = new Map(QUESTIONS.read().map(({ id, country }) => [id, country]));
  return await Array.fromAsync(RESPONSE_CLAIM_LABELS.read(), async (row): Promise<LabelledCase> => {
    const { system, question_id: cluster, claim_id, claim, label } = row;
    const passages = await lookup.forClaim(claim, countries.get(cluster)!);
    const id = `${system}/${cluster}/${claim_id}`;
    return { id, claim, passages, label, cluster, set: MODELS_CLAIMS };
  });
}

/** Draws at most `most` claims of each set at random, half of them supported where possible. */
export function drawnEvenly(
  cases: readonly LabelledCase[],
  most: number,
  seed: string,
): readonly LabelledCase[] {
  return [...Map.groupBy(cases, ({ set }) => set)].flatMap(([set, setCases]) => {
    const sides = Map.groupBy(
      setCases,
      ({ label }) => label === "supported" ? "supported" : "rest",
    );
    return [...sides].toSorted(([one], [other]) => one < other ? -1 : 1).flatMap(([side, ofSide]) =>
      randomSource(`${seed}/${set}/${side}`)
        .sample(ofSide, Math.min(Math.floor(most / 2), ofSide.length))
    );
  });
}
