import assert from "node:assert/strict";
import type { Claim } from "../claims/claim.ts";
import { openProblemLog } from "./problem_log.ts";
import { retrievePassages } from "./retrieve_passages.ts";
import {
  components,
  countingClock,
  foundPassage,
  sentenceSplitter,
  toldRetriever,
} from "./testdata/stand_ins.ts";

const retriever = toldRetriever(() => [foundPassage("p1", "Elk swim.")]);

async function statuses(given: Parameters<typeof components>[0], change: Partial<Claim> = {}) {
  const { claims } = await sentenceSplitter.split("Elk swim. They fly?");
  const run = {
    request: { id: "r", source: "", candidate: "", question: "" },
    components: components(given),
    clock: countingClock(),
    signal: undefined,
    problems: openProblemLog(),
  };
  const lookups = await retrievePassages(run, claims.map((claim) => ({ ...claim, ...change })));
  return lookups.map(({ retrieval }) => retrieval.status);
}

Deno.test("Requirement 6.3: each claim that can be checked is looked up", async () => {
  assert.deepEqual(await statuses({ retriever }), ["found", "disabled"]);
});

Deno.test("Requirement 6.6: without a knowledge base, or where it could not be opened, each claim says so", async () => {
  assert.deepEqual(await statuses({}), ["disabled", "disabled"]);
  assert.deepEqual(await statuses({ retrieverProblem: "no index" }), ["failed", "failed"]);
});

Deno.test("a claim whose pronoun is open is not looked up: a passage about something else would seem to bear it out", async () => {
  const notes = [{ kind: "pronoun unresolved", pronoun: "They" }] as const;
  const notCheckable = undefined;
  assert.deepEqual(await statuses({ retriever }, { notes, notCheckable }), [
    "nothing found",
    "nothing found",
  ]);
});
