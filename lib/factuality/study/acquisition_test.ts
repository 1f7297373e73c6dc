import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { KNOWLEDGE_SET, type KnowledgeCase } from "../training/knowledge_claims.ts";
import { type Claim, type Retriever, sourcePassage } from "../types.ts";
import {
  claimOnlyTable,
  claimTable,
  exampleTable,
  foundTable,
  sectionTable,
  splitTable,
  tallyTable,
  trainClaimOnly,
} from "./acquisition.ts";
import { KNOWLEDGE_CASES } from "./tables.ts";

const RETRIEVER: Retriever = {
  name: "made",
  settings: {},
  retrieve: (claim) =>
    Promise.resolve(
      claim === "Nothing." ? [] : [{
        passage: { ...sourcePassage("x".repeat(91)), title: "T" },
        bm25: 2,
        cosine: 0.5,
        rank: 1,
      }],
    ),
};

Deno.test("foundTable() cuts long passages and says where nothing was found", async () => {
  const [, , found, nothing] = (await foundTable(RETRIEVER, ["A.", "Nothing."])).split("\n");
  assert.equal(found, `| A. | 1 | **T**: ${"x".repeat(90)} … | 2.0 | 0.50 |`);
  assert.equal(nothing, "| Nothing. | – | nothing over the thresholds |  |  |");
});

Deno.test("sectionTable() counts fields, statements and countries", () => {
  const field = { code: "a", region: "r", section: "S", subfield: "", text: "t" };
  const table = sectionTable([
    { ...field, country: "A", field: "F" },
    { ...field, country: "B", field: "F" },
    { ...field, country: "B", field: "G" },
  ]);
  assert.equal(table.split("\n")[2], "| S | 2 | 3 | 2 |");
});

const CLAIMS: readonly Claim[] = [
  {
    ...{ id: "c1", text: "Ada sang.", kind: "factual", notCheckable: undefined },
    spans: [{ start: 0, end: 3 }, { start: 13, end: 17 }],
    sentence: { start: 0, end: 18 },
    notes: [
      { kind: "pronoun resolved", pronoun: "She", to: "Ada" },
      { kind: "pronoun unresolved", pronoun: "it" },
      { kind: "subject supplied", subject: "Ada" },
    ],
  },
  {
    ...{ id: "c2", text: "Is it late?", kind: "temporal", notCheckable: "question" },
    spans: [{ start: 19, end: 30 }],
    sentence: { start: 19, end: 30 },
    notes: [],
  },
];

Deno.test("claimTable() tells what is to be checked, and what the splitter did", () => {
  assert.deepEqual(claimTable(CLAIMS).split("\n").slice(2), [
    "| c1 | Ada sang. | factual | yes | “She” read as “Ada”; “it” left open; subject “Ada” supplied |",
    "| c2 | Is it late? | temporal | no: question |  |",
  ]);
});

const CASE: KnowledgeCase = {
  id: "a/f0/supported",
  claim: "Ada sang.",
  passages: [sourcePassage("Bo danced."), sourcePassage("Ada sang in Rome.")],
  label: "supported",
  cluster: "A",
  set: KNOWLEDGE_SET,
  split: "test",
  kind: "fact",
  edit: "value",
  form: "web",
};

const CASES: readonly KnowledgeCase[] = [
  CASE,
  { ...CASE, label: "refuted", cluster: "B" },
  { ...CASE, label: "not enough info", kind: "opinion", edit: "opinion", split: "train" },
];

const rows = (table: string) => table.split("\n").slice(2);

Deno.test("splitTable() counts countries, cases and labels", () => {
  assert.deepEqual(rows(splitTable(CASES)), [
    "| train | 1 | 1 | 0 | 0 | 1 |",
    "| development | 0 | 0 | 0 | 0 | 0 |",
    "| test | 2 | 2 | 1 | 1 | 0 |",
  ]);
});

Deno.test("tallyTable() puts the most frequent first", () => {
  assert.deepEqual(rows(tallyTable(CASES, "edit")), [
    "| value | 2 | 1 | 1 | 0 |",
    "| opinion | 1 | 0 | 0 | 1 |",
  ]);
});

Deno.test("exampleTable() shows the part of the sources that is nearest to the claim", () => {
  assert.deepEqual(rows(exampleTable([CASE, CASES[2]!])), [
    "| A | Ada sang. | supported | fact, value | (web) Ada sang in Rome. |",
    "| A | Ada sang. | not enough info | opinion | (web) Ada sang in Rome. |",
  ]);
});

Deno.test("claimOnlyTable() says why there is no figure, rather than give one", () => {
  const table = claimOnlyTable(() => 0.9, [CASE, { ...CASE, cluster: "B" }]);
  assert.match(rows(table)[0]!, /\| 2 \| 2 \| – \(/u);
});

const one = (claim: string, label: LabelledCase["label"], cluster = "a"): LabelledCase => ({
  ...{ id: claim, claim, label, cluster },
  ...{ passages: [], set: "made" },
});

Deno.test("trainClaimOnly() gives the odds of naive Bayes, worked by hand", () => {
  const model = trainClaimOnly([one("Yes", "supported"), one("No no", "refuted")]);
  // Terms known: yes, no, "no no". P(yes | supported) = 2/4, P(yes | others) = 1/6.
  assert.ok(Math.abs(model("yes") - (2 / 4) / (2 / 4 + 1 / 6)) < 1e-12);
  assert.equal(model("maybe"), 0.5);
});

Deno.test("trainClaimOnly() knows a number by its shape", () => {
  const model = trainClaimOnly([one("in 1961", "supported"), one("in 1,961", "refuted")]);
  assert.ok(model("1825") > 0.5);
  assert.ok(model("1,825") < 0.5);
});

Deno.test("claimOnlyTable() finds nothing where each claim is supported as often as not", () => {
  const cases = ["Ada sang.", "Bo sang.", "Cy lived in Oslo."].flatMap((claim) =>
    (["supported", "refuted"] as const).map((label) => ({ ...CASE, claim, label, cluster: claim }))
  );
  assert.match(claimOnlyTable(trainClaimOnly(cases), cases), /\| all \| 6 \| 3 \| 50\.0 \[/);
});

Deno.test("trainClaimOnly() gives a probability for any text", () => {
  const model = trainClaimOnly([one("Ada sang in 1815.", "supported"), one("No.", "refuted")]);
  fc.assert(
    fc.property(fc.string(), (claim) => {
      const probability = model(claim);
      assert.ok(probability >= 0 && probability <= 1);
    }),
    { numRuns: 200 },
  );
});

const MULTILINE: KnowledgeCase = {
  ...CASE,
  label: "refuted",
  passages: [{ ...sourcePassage('It is "Paris",\nsays he.'), id: "source" }],
};

Deno.test("Requirement 13: cases come back from their table as they were, whatever the sources hold", () =>
  inFolder((folder) => {
    const table = KNOWLEDGE_CASES.at(join(folder, "cases.csv"));
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const passages = texts.map((text) => ({ ...MULTILINE.passages[0]!, text }));
        const cases = [{ ...MULTILINE, passages }, MULTILINE];
        table.write(cases);
        assert.deepEqual(table.read(), cases);
      }),
      { numRuns: 100 },
    );
    Deno.writeTextFileSync(table.path, table.format([MULTILINE]).replace(",refuted,", ",perhaps,"));
    assert.throws(() => table.read(), /cases\.csv: line 2 is damaged.*notebooks 41/u);
  }));
