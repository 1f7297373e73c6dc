import assert from "node:assert/strict";
import { withoutFormulas } from "../../../files/csv.ts";
import { ruleSplitter } from "../../../factuality/claims/rule_splitter.ts";
import { verdict } from "../../../factuality/check/testdata/fakes.ts";
import type { Claim } from "../../../factuality/types.ts";
import {
  checkClaims,
  claimKey,
  copyVerdicts,
  drawClaims,
  judgedClaims,
} from "./response_claims.ts";
import { rateClaims, type ResponseClassifier, standaloneClaim } from "./response_claims.ts";
import { CLAIM_RATINGS, RESPONSE_CLAIM_LABELS, RESPONSE_CLAIMS, RESPONSES } from "./tables.ts";
import type { ResponseClaimRow } from "./tables.ts";
import { claimRow, responseRow, workOnTable } from "./testdata/made.ts";

Deno.test("standaloneClaim() names the country for what stands for it", () => {
  const cases = [
    ["It is home to many birds.", "Kenya is home to many birds."],
    ["The country exports tea.", "Kenya exports tea."],
    ["The country's economy is mixed.", "Kenya's economy is mixed."],
    ["The island nation has a port.", "Kenya has a port."],
    ["The economy rests on tea.", "Kenya's economy rests on tea."],
    ["Its official language is Swahili.", "Kenya's official language is Swahili."],
    // What has the name, or begins otherwise, stays.
    ["The economy of Kenya rests on tea.", "The economy of Kenya rests on tea."],
    ["They export tea.", "They export tea."],
    ["The Indian Ocean lies to the east.", "The Indian Ocean lies to the east."],
    ["Items are exported.", "Items are exported."],
  ];
  for (const [claim, named] of cases) assert.equal(standaloneClaim(claim!, "Kenya"), named);
  const islands = "Falkland Islands (Islas Malvinas)";
  assert.equal(standaloneClaim("They are dry.", islands), "Falkland Islands are dry.");
});

Deno.test("the study's answers still make the claims that are on record, whatever the splitter has learnt", async () => {
  const recorded = RESPONSE_CLAIMS.read();
  const countries = new Map(recorded.map(({ question_id, country }) => [question_id, country]));
  const made = await Array.fromAsync(
    RESPONSES.read(),
    async ({ system, question_id, response }) => {
      const { claims } = await ruleSplitter().split(response);
      return claims.map(({ id, text, kind }) => {
        const claim = withoutFormulas(standaloneClaim(text, countries.get(question_id)!));
        return [claimKey({ system, question_id, claim_id: id }), claim, kind] as const;
      });
    },
  );
  const actual = recorded.map((row) => [claimKey(row), row.claim, row.kind] as const);
  assert.ok(actual.length > 300);
  assert.deepEqual(
    new Map(made.flat().map((one) => [one[0], one])),
    new Map(actual.map((one) => [one[0], one])),
  );
});

const SPAN = { start: 0, end: 1 };
const ANY = { spans: [SPAN], sentence: SPAN, kind: "factual", notCheckable: undefined } as const;

const claim = (id: string, text: string, more: Partial<Claim> = {}): Claim => {
  return { ...ANY, id, text, notes: [], ...more };
};

const CLAIMS = [
  claim("c1", "The country exports tea."),
  claim("c2", "What is tea?", { notCheckable: "question" }),
  claim("c3", "They drink it.", { notes: [{ kind: "pronoun unresolved", pronoun: "They" }] }),
  claim("c4", "It is dry.", { notes: [{ kind: "pronoun unresolved", pronoun: "It" }] }),
];

const VERDICT = verdict("refuted", {
  evidence: [{ passageId: "ke/X", collection: "c", span: SPAN, text: "= tea", relevance: 1 }],
});

function classifier(claims: readonly Claim[], asked: string[] = []): ResponseClassifier {
  const named = { name: "x", settings: {} };
  const verify = (texts: readonly string[]) =>
    Promise.resolve(texts.map((text) => (asked.push(text), VERDICT)));
  return {
    splitter: { ...named, split: () => Promise.resolve({ claims, dropped: [] }) },
    lookup: { claimSettings: {}, forClaim: () => Promise.resolve([]) },
    verifier: { ...named, verify },
  };
}

const QUESTIONS = [{ id: "ke", country: "Kenya", question: "Write." }];

const check = async (
  checking: ResponseClassifier,
  rows: readonly ResponseClaimRow[] = [],
  answers = [responseRow()],
) =>
  (await workOnTable(
    RESPONSE_CLAIMS,
    rows,
    (table) => checkClaims(checking, answers, QUESTIONS, { table }),
  )).rows;

Deno.test("checkClaims() has a row a statement, a verdict or why there is none; only what reads otherwise is checked again", async () => {
  const rows = await check(classifier(CLAIMS));
  assert.deepEqual(rows.map(({ claim, status, label }) => [claim, status, label]), [
    ["Kenya exports tea.", "scored", "refuted"],
    ["What is tea?", "not checkable", ""],
    ["They drink it.", "no evidence", ""],
    ["Kenya is dry.", "scored", "refuted"],
  ]);
  assert.deepEqual([rows[0]!.evidence, rows[0]!.p_refuted], ["'= tea", 0.8]);
  const lost = responseRow({ question_id: "zz" });
  await assert.rejects(check(classifier(CLAIMS), [], [lost]), /question zz is not in the table/);
  // What is no longer claimed is dropped.
  const asked: string[] = [];
  const changed = [claim("c1", "The country exports coffee."), ...CLAIMS.slice(1, 3)];
  const after = await check(classifier(changed, asked), rows);
  assert.deepEqual(asked, ["Kenya exports coffee."]);
  assert.deepEqual(after.map(({ claim_id }) => claim_id), ["c1", "c2", "c3"]);
});

Deno.test("rateClaims() calls supported what is so from one half on, and nothing without a score", async () => {
  const scores = [0.5, 0.49, undefined];
  const claims = scores.map((_, i) => claimRow({ claim_id: `c${i}`, claim: `${i}` }));
  const { rows } = await workOnTable(CLAIM_RATINGS, [], async (table) => {
    const rate = (text: string) => Promise.resolve(scores[Number(text)]);
    const { lookup } = classifier([]);
    await rateClaims({ name: "r", settings: {}, rate }, lookup, { claims, table });
    await copyVerdicts("v", { claims: claims.slice(0, 1), table });
  });
  assert.deepEqual(rows.map(({ rater, label }) => `${rater} ${label}`), [
    "r supported",
    "r not supported",
    "r ",
    "v supported",
  ]);
});

Deno.test("The labels that ship are of the claims that ship: first those of a draw, then all others with a verdict", () => {
  const [labels, claims] = [RESPONSE_CLAIM_LABELS.read(), RESPONSE_CLAIMS.read()];
  const draw = 124;
  assert.deepEqual(labels.slice(0, draw).map(claimKey), drawClaims(claims, draw).map(claimKey));
  const judged = judgedClaims(labels, claims);
  assert.ok(judged.length > draw && judged.every(({ probabilities }) => probabilities));
});
