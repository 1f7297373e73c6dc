import assert from "node:assert/strict";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { outsideFile } from "../../lib/files/table.ts";
import { SETS_FOLDER } from "../../lib/files/testdata/folder.ts";
import { FACTSCORE } from "../../lib/studies/factuality/datasets/public_sets.ts";
import { CLAIM_COVERAGE } from "../../lib/studies/factuality/tables.ts";
import { type AnnotatedResponse, atomicFactCoverage, coverageRows } from "./coverage.ts";
import { readResponses } from "./coverage.ts";

const ADA: AnnotatedResponse = {
  model: "one",
  topic: "Ada",
  output: "Ada sang in Rome, and she danced in Bonn.",
  facts: ["Ada sang.", "Ada danced.", "Ada danced in Bonn."],
};

const BO: AnnotatedResponse = {
  model: "two",
  topic: "Bo",
  output: "Bo lived in Oslo. I think Bo was nice.",
  facts: ["Bo lived in Oslo.", "Bo lived in Paris."],
};

Deno.test("coverageRows() pools claims and facts of all responses, worked by hand", async () => {
  const responses = [ADA, BO, { ...ADA, model: "two" }, { ...BO, model: "one" }];
  const rows = await coverageRows(responses, ruleSplitter());
  const [all, ...others] = rows;
  assert.deepEqual(others.map(({ splitter, model }) => [splitter, model]), [
    ["rules", "one"],
    ["rules", "two"],
    ["whole sentences", "all"],
  ]);
  // Ada: two claims, one of them all in a fact; all three facts. Bo: one claim of two, one fact of two.
  const { claims, facts, not_checkable, facts_covered, claims_covered } = all!;
  assert.deepEqual([claims, facts, not_checkable], [8, 10, 2]);
  assert.deepEqual([facts_covered, claims_covered, others.at(-1)!.claims], [0.8, 0.5, 6]);
  const none = /Cannot measure coverage: .*two responses/;
  await assert.rejects(coverageRows([ADA], ruleSplitter()), none);
});

Deno.test({
  name: "claim_coverage.csv counts the responses and facts that the file holds",
  ignore: SETS_FOLDER === undefined,
  fn: () => {
    const responses = readResponses(outsideFile(FACTSCORE, SETS_FOLDER));
    const [all] = CLAIM_COVERAGE.read();
    assert.equal(all!.responses, responses.length);
    assert.equal(all!.facts, responses.flatMap(({ facts }) => facts).length);
  },
});

Deno.test("atomicFactCoverage() counts what one statement of the other list has the words of", () => {
  const claims = ["Ada Byron was born in London in 1815.", "Ada Byron wrote notes."];
  const facts = ["in 1815", "in London"].map((part) => `Ada was born ${part}.`);
  const found = atomicFactCoverage(
    claims,
    [...facts, "She wrote notes.", "She sang."],
    "Ada Byron",
  );
  assert.deepEqual(found, { claims: 2, facts: 4, factsCovered: 3, claimsCovered: 1 });
});
