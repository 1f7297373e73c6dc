import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { networkResults } from "../../lib/factuality/fine_tuning/network_results.ts";
import type { FineTuningResult } from "../../lib/factuality/fine_tuning/results_table.ts";
import { openCountryLookup } from "../../lib/factuality/responses/country_lookup.ts";
import { claimKey } from "../../lib/factuality/responses/draw_claims.ts";
import { judgedClaims } from "../../lib/factuality/responses/response_material.ts";
import { CLAIM_LABEL_TABLE, CLAIM_TABLE } from "../../lib/factuality/responses/response_tables.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { readTable } from "../../lib/files/resumable_table.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** As tables name the claims that models made about held-out countries and a reader labelled. */
export const MODEL_CLAIMS = "claims of models, labelled by a reader";

/** The claims with the passages that the verifier was given, looked up again. */
export async function modelClaimCases(
  cacheDirectory: string,
  threads: number,
): Promise<readonly LabelledCase[]> {
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const countries = new Map(readTable(CLAIM_TABLE).map((row) => [claimKey(row), row.country]));
  const rows = readTable(CLAIM_LABEL_TABLE);
  using progress = openProgress("passages for claims of models", rows.length);
  const cases: LabelledCase[] = [];
  for (const row of rows) {
    const { claim, label, question_id: cluster } = row;
    const country = countries.get(claimKey(row));
    if (country === undefined) {
      throw new RangeError(
        `Cannot measure on claims of models: ${
          claimKey(row)
        } is labelled and is no claim by now; ` +
          "run deno task respond and label it again",
      );
    }
    const passages = await lookup.forClaim(claim, country);
    cases.push({ id: claimKey(row), claim, label, cluster, passages, set: MODEL_CLAIMS });
    progress.advance();
  }
  return cases;
}

/** What the verifier that ships said of the same claims. */
export function shippedModelClaims(): readonly FineTuningResult[] {
  const judged = judgedClaims(readTable(CLAIM_LABEL_TABLE), readTable(CLAIM_TABLE));
  return (["three-way", "binary"] as const).flatMap((reading) =>
    networkResults(
      { model: "trained head", set: MODEL_CLAIMS, reading },
      judged,
      randomSource(`trained head/${MODEL_CLAIMS}/${reading}`),
    )
  );
}
