import assert from "node:assert/strict";
import { join } from "node:path";
import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import { response } from "../../metrics/testdata/responses.ts";
import { CLAIM_MATCH_TABLE, matchClaims, readClaimMatches } from "./claim_matches.ts";

/** Any claim entails the first in code-unit order. */
function countingMatcher() {
  const asked: string[][] = [];
  const matcher: ClaimMatcher = {
    name: "first",
    settings: {},
    entailments(claims) {
      asked.push([...claims]);
      return Promise.resolve((_, claim) => claim === claims[0]);
    },
  };
  return { asked, open: () => Promise.resolve(matcher) };
}

Deno.test("matchClaims() asks once, again where a query's claims or the settings change, and reads back", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const shape = { ...CLAIM_MATCH_TABLE, path: join(folder, "matches.csv") };
    const { asked, open } = countingMatcher();
    const responses = [response("a", "ss"), response("b", "ss")];
    const matching = { responses, settingsSha256: "1", open };
    await matchClaims(matching, shape);
    await matchClaims(matching, shape);
    assert.equal(asked.length, 2);
    await matchClaims({ ...matching, responses: [response("a", "sss"), responses[1]!] }, shape);
    assert.deepEqual(asked[2], ["a says 1.", "a says 2.", "a says 3."]);
    await matchClaims({ ...matching, settingsSha256: "2" }, shape);
    assert.equal(asked.length, 5);
    const entails = await readClaimMatches(shape).entailments(["a says 1.", "a says 2."]);
    assert.ok(entails("a says 2.", "a says 1.") && !entails("a says 1.", "a says 2."));
    await assert.rejects(
      readClaimMatches(shape).entailments(["c says 1."]),
      /Cannot match "c says 1\.": it is not in .*matches\.csv; run notebook 43 again/,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
