import assert from "node:assert/strict";
import type { Claim } from "../claims/claim.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import {
  classifiedResponses,
  classifyResponse,
  type ResponseClassifier,
  responseKey,
} from "./classify_response.ts";
import { responseRowOf } from "./testdata/rows.ts";

const SPAN = { start: 0, end: 1 };

function claim(id: string, text: string, more: Partial<Claim> = {}): Claim {
  return {
    ...{ id, text, spans: [SPAN], sentence: SPAN, kind: "factual" },
    ...{ notCheckable: undefined, notes: [] },
    ...more,
  };
}

const CLAIMS = [
  claim("c1", "The country exports tea."),
  claim("c2", "What is tea?", { notCheckable: "question" }),
  claim("c3", "They drink it.", { notes: [{ kind: "pronoun unresolved", pronoun: "They" }] }),
  claim("c4", "It is dry.", { notes: [{ kind: "pronoun unresolved", pronoun: "It" }] }),
];

const VERDICT: Verdict = {
  ...{ kind: "scored", label: "refuted", findings: [], parse: "not parsed", reasoning: "" },
  probabilities: { supported: 0.2, refuted: 0.7, "not enough info": 0.1 },
  evidence: [{
    ...{ passageId: "ke/Exports", collection: "factbook", span: SPAN },
    ...{ text: "= tea", relevance: 1 },
  }],
  provenance: { producedBy: "v", modelSha256: undefined, promptSha256: undefined },
};

const CLASSIFIER: ResponseClassifier = {
  splitter: {
    name: "s",
    settings: {},
    split: () => Promise.resolve({ claims: CLAIMS, dropped: [] }),
  },
  lookup: {
    settings: {},
    claimSettings: {},
    forQuestion: () => Promise.resolve([]),
    forClaim: () => Promise.resolve([sourcePassage("Tea.")]),
  },
  verifier: {
    name: "v",
    settings: {},
    verify: (claims) => Promise.resolve(claims.map(() => VERDICT)),
  },
};

const rowsOf = () =>
  classifyResponse(responseRowOf(), "Kenya", CLASSIFIER, {
    settingsSha256: "h",
    signal: new AbortController().signal,
  });

Deno.test("classifyResponse() has a row a statement, a verdict or why there is none", async () => {
  const rows = await rowsOf();
  assert.deepEqual(rows.map(({ claim, status, label }) => [claim, status, label]), [
    ["Kenya exports tea.", "scored", "refuted"],
    ["What is tea?", "not checkable", ""],
    ["They drink it.", "no evidence", ""],
    ["Kenya is dry.", "scored", "refuted"],
  ]);
  assert.deepEqual([rows[0]!.evidence, rows[0]!.p_refuted], ["'= tea", 0.7]);
});

Deno.test("classifiedResponses() takes a response for done whose claims are all there as they are now", async () => {
  const rows = await rowsOf();
  const done = (kept: typeof rows) =>
    classifiedResponses([responseRowOf()], kept, () => "Kenya", CLASSIFIER.splitter);
  assert.deepEqual([...await done(rows)], [responseKey(responseRowOf())]);
  assert.equal((await done(rows.slice(1))).size, 0);
  assert.equal((await done([{ ...rows[0]!, claim: "other" }, ...rows.slice(1)])).size, 0);
});
