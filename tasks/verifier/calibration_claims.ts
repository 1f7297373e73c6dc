import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** A claim can be a half: as many are supported as not, and of these as many refuted as unsaid. */
const SHARES = { "supported": 0.5, "refuted": 0.25, "not enough info": 0.25 } as const;

/**
 * So many claims about the development countries, which no verifier was trained on, drawn by lot.
 * @throws {RangeError} for a count that is no multiple of 4, or more than there are.
 */
export async function calibrationClaims(
  { cacheDirectory, count, seed }: {
    readonly cacheDirectory: string;
    readonly count: number;
    readonly seed: number;
  },
): Promise<readonly KnowledgeCase[]> {
  if (count % 4 !== 0) {
    throw new RangeError(
      `Cannot draw ${count} claims: a quarter of them is to be refuted, so take a multiple of 4`,
    );
  }
  const cases = await knowledgeClaims(await factbookFields(cacheDirectory), {
    seed,
    prosePerCountry: 4,
    factsPerCountry: 2,
    splitter: ruleSplitter(),
  });
  const plain = cases.filter(({ split, kind }) =>
    split === "development" && (kind === "fact" || kind === "prose")
  );
  const random = randomSource(`${seed}/calibration of judges`);
  const drawn = Object.entries(SHARES).flatMap(([label, share]) =>
    random.sample(plain.filter((one) => one.label === label), count * share)
  );
  return random.shuffle(drawn);
}
