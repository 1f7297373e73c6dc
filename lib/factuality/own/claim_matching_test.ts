import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { gazetteer } from "../features/testdata/gazetteer.ts";
import type { ClaimMatcher } from "../metrics/agreement.ts";
import { response } from "../metrics/testdata/made.ts";
import { scoredVerdict } from "../decision.ts";
import type { Verifier } from "../types.ts";
import { claimMatches, matchClaims, mayEntail, verifierMatcher } from "./claim_matching.ts";

Deno.test("mayEntail() keeps apart what differs in numbers, names, degree or denial", () => {
  const may = (premise: string, claim: string) => mayEntail(premise, claim, gazetteer);
  const apart = [
    ["France left in 1975.", "France left in 1976."],
    ["France has 67 million people.", "France has 76 million people."],
    ["France borders the sea.", "Germany borders the sea."],
    ["The hills lie in the north.", "The hills lie in the south."],
    ["The river is long.", "The river is not long."],
    ["The town is old.", "The town, founded in 1200, is old."],
  ];
  for (const [premise, claim] of apart) assert.equal(may(premise!, claim!), false, premise);
  assert.ok(may("France has 67,000,000 people.", "The French are 67 million."));
  assert.ok(may("The town, founded in 1200, is old.", "The town is old."));
});

Deno.test("verifierMatcher() reads claims of the same words in both directions, from 0.5; others from 0.7", async () => {
  const supported = new Map([
    ["Tokyo hosts the games.", 0.4],
    ["The games Tokyo hosts.", 0.6],
    ["Tokyo hosts games each year.", 0.6],
  ]);
  const verifier: Verifier = {
    name: "told",
    settings: {},
    verify: (claims) =>
      Promise.resolve(claims.map((claim) => {
        const share = supported.get(claim)!;
        const probabilities = { supported: share, refuted: 0, "not enough info": 1 - share };
        const provenance = { producedBy: "", modelSha256: undefined, promptSha256: undefined };
        return scoredVerdict({ probabilities, evidence: [], provenance });
      })),
  };
  const [one, turned, more] = [...supported.keys()] as [string, string, string];
  const entails = await verifierMatcher(verifier, gazetteer).entailments([one, turned, more]);
  assert.ok(entails(one, turned) && entails(turned, one));
  assert.ok(!entails(one, more) && !entails(more, one));
});

Deno.test("matchClaims() asks once, again where a query's claims or the settings change", async () => {
  await inFolder(async (folder) => {
    const table = claimMatches(join(folder, "matches.csv"));
    const asked: (readonly string[])[] = [];
    const entailments: ClaimMatcher["entailments"] = (claims) => {
      asked.push(claims);
      return Promise.resolve((_, claim) => claim === claims[0]);
    };
    // Any claim entails the first in code-unit order.
    const open = () => Promise.resolve({ name: "first", entailments });
    const responses = [response("a", "ss"), response("b", "ss")];
    await matchClaims(responses, "1", open, table);
    const kept = await matchClaims(responses, "1", open, table);
    assert.equal(asked.length, 2);
    const entails = await kept.entailments([]);
    assert.ok(entails("a says 2.", "a says 1.") && !entails("a says 1.", "a says 2."));
    await matchClaims([response("a", "sss"), responses[1]!], "1", open, table);
    assert.deepEqual(asked[2], ["a says 1.", "a says 2.", "a says 3."]);
    await matchClaims(responses, "2", open, table);
    assert.deepEqual([asked.length, table.read().length], [5, 4]);
  });
});
