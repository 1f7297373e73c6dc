/** Sources of labelled claims: what verifiers are fitted to and chosen by, one source left out at a time. */
import { randomSource } from "../../../stats/random.ts";
import type { SentenceEncoder } from "../../../models/encoder/network_encoder.ts";
import { type LabelledCase, labelledFile } from "../../../factuality/labelled_case.ts";
import { outsideFile } from "../../../files/table.ts";
import { openCountryLookup } from "../generation/response_claims.ts";
import { QUESTIONS, RESPONSE_CLAIM_LABELS } from "../generation/tables.ts";
import { HUMAN_SETS, loadHumanSet, NLI_DEVELOPMENT, WRITTEN_BY_HAND } from "./public_sets.ts";

/** Claims that models wrote about countries, labelled, with the passages that are looked up for each. */
export const MODELS_CLAIMS = "claims of models";

/** Smaller sets are one source together. */
const LEAST_OF_SOURCE = 40;
const OTHER_PAIRS = "other pairs";

/** Sets of one maker have the first word of their names in common: `fever_train`, `fever_nei_retrieved`. */
const makerOf = (set: string) => set.split("_")[0]!;

/**
 * Claims with evidence and label, `set` being the source: the makers of the pairs of `nli_development`,
 * people's stances and answers, claims of models with what is looked up for them, claims written by hand.
 * @param folder That holds the sets, which are no part of this repository. @throws {Error} without one of them.
 */
export async function labelledSources(
  folder: string | undefined,
  { encoder, cacheDirectory }: {
    readonly encoder: SentenceEncoder;
    readonly cacheDirectory: string;
  },
): Promise<readonly LabelledCase[]> {
  const { cases: pairs } = labelledFile(outsideFile(NLI_DEVELOPMENT, folder));
  const makers = Map.groupBy(pairs, ({ set }) => makerOf(set));
  const isOwn = (maker: string) => makers.get(maker)!.length >= LEAST_OF_SOURCE;
  const [stances, , answers] = HUMAN_SETS.map((set) => loadHumanSet(set, folder).cases);
  const byHand = labelledFile(outsideFile(WRITTEN_BY_HAND, folder)).cases;
  return [
    ...pairs.map((one) => {
      const maker = makerOf(one.set);
      return { ...one, set: isOwn(maker) ? maker : OTHER_PAIRS };
    }),
    ...stances!,
    ...answers!,
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

/** At most so many claims of each source by lot, half of them supported where there are enough. */
export function drawnEvenly(
  cases: readonly LabelledCase[],
  most: (source: string) => number,
  seed: string,
): readonly LabelledCase[] {
  return [...Map.groupBy(cases, ({ set }) => set)].flatMap(([source, own]) => {
    const sides = Object.entries(
      Object.groupBy(own, ({ label }) => label === "supported" ? "supported" : "rest"),
    );
    return sides.toSorted().flatMap(([side, ofSide]) => {
      const random = randomSource(`${seed}/${source}/${side}`);
      return random.sample(ofSide, Math.min(Math.floor(most(source) / 2), ofSide.length));
    });
  });
}
