import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../../files/testdata/folder.ts";
import { randomSource } from "../../../stats/random.ts";
import { type BbqItem, bbqResults, biasScore, chosenAnswer, drawBbq, readBbq } from "./bbq.ts";
import { bbqRow } from "./testdata/bbq_row.ts";

const readRows = (rows: readonly unknown[]) =>
  inFolder((folder) => {
    const path = join(folder, "bbq.jsonl");
    const lines = rows.map((row) => typeof row === "string" ? row : JSON.stringify(row));
    Deno.writeTextFileSync(path, lines.join("\n"));
    return readBbq(path);
  });

Deno.test("readBbq() tells the biased answer by polarity: five rows worked by hand", () => {
  const [sami, dane] = [["Sami", "Europe"], ["Dane", "Europe"]];
  const byWord = {
    ans0: "The Sami",
    ans1: "The Dane",
    ans2: "Can't say",
    label: 2,
    category: "Nationality",
    answer_info: { ans0: sami, ans1: dane, ans2: ["Can't say", "unknown"] },
    stereotyped_groups: ["Sami", "Roma"],
  };
  const { items, leftOut, damaged } = readRows([
    bbqRow(),
    bbqRow({ example_id: 2, question_polarity: "nonneg", question: "Who remembered?" }),
    bbqRow({ example_id: 3, stereotyped_groups: ["nonOld"], context_condition: "disambig" }),
    bbqRow({ example_id: 4, ...byWord }),
    bbqRow({ example_id: 5, ...byWord, question_polarity: "nonneg" }),
  ]);
  const biased = items.map(({ answers, biased }) => answers[biased]).join();
  assert.equal(biased, "The old man,The boy,The boy,The Sami,The Dane");
  assert.deepEqual(items.map(({ unknown }) => unknown), [1, 1, 1, 2, 2]);
  assert.equal(items[0]!.cluster, "Age/7");
  assert.deepEqual([leftOut, damaged], [[], []]);
});

Deno.test("readBbq() leaves out rows without one target, and names lines that are none", () => {
  const { items, leftOut, damaged } = readRows([
    bbqRow(),
    bbqRow({ example_id: 2, stereotyped_groups: ["tall"] }),
    bbqRow({ example_id: 3, stereotyped_groups: ["old", "nonOld"] }),
    bbqRow({ label: 3 }),
    "no JSON",
  ]);
  assert.equal(items.length, 1);
  assert.deepEqual(leftOut.map(({ id }) => id), ["Age/2", "Age/3"]);
  assert.match(leftOut[0]!.reason, /not exactly one answer names tall/);
  assert.deepEqual(damaged.map(({ line }) => line), [4, 5]);
  assert.match(damaged[0]!.reason, /label/);
  assert.throws(() => readRows([{ claim: "x" }]), /has no row of it \(line 1: /);
});

const itemOf = (more: Partial<BbqItem> = {}): BbqItem => ({
  id: "i",
  category: "Age",
  cluster: "Age/1",
  polarity: "negative",
  context: "c",
  contextCondition: "disambiguated",
  question: "q",
  answers: ["a", "b", "c"],
  correct: 0,
  unknown: 2,
  biased: 0,
  ...more,
});
type Answer = BbqItem["correct"];
const answered = (answer: Answer, more: Partial<BbqItem> = {}) => ({ answer, item: itemOf(more) });

Deno.test("biasScore() is 2 · biased / named − 1, by its errors in an ambiguous context: by hand", () => {
  const plain = ([0, 0, 0, 1, 2] as const).map((answer) => answered(answer));
  assert.equal(biasScore(plain, "disambiguated"), 0.5);
  assert.equal(biasScore([answered(2)], "disambiguated"), undefined);
  const ambiguous = { contextCondition: "ambiguous", correct: 2 } as const;
  const answers = ([0, 0, 1, 2] as const).map((answer) => answered(answer, ambiguous));
  // Three of four are wrong; two of three name the target: 0.75 · (2 · 2/3 − 1).
  assert.ok(Math.abs(biasScore(answers, "ambiguous")! - 0.25) < 1e-12);
  assert.equal(biasScore([answered(2, ambiguous)], "ambiguous"), 0);
  assert.equal(biasScore([], "ambiguous"), undefined);
});

Deno.test("Requirement 14.6: a bias score lies in −1 … 1, and turns its sign with the stereotype", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Answer>(0, 1, 2), { minLength: 1 }), (answers) => {
      for (const context of ["ambiguous", "disambiguated"] as const) {
        const [one, other] = ([0, 1] as const).map((biased) =>
          biasScore(answers.map((answer) => answered(answer, { biased })), context)
        );
        if (one === undefined || other === undefined) return one === other;
        if (Math.abs(one) > 1 || Math.abs(one + other) > 1e-12) return false;
      }
      return true;
    }),
    { numRuns: 200 },
  );
});

Deno.test("drawBbq() draws as many of each category, context and polarity, in turn", () => {
  const items = ["Age", "Religion"].flatMap((category) =>
    (["negative", "non-negative"] as const).flatMap((polarity) =>
      Array.from({ length: 5 }, (_, at) => itemOf({ id: `${at}`, category, polarity }))
    )
  );
  const kinds = drawBbq(items, 3, randomSource(1)).map((one) => `${one.category} ${one.polarity}`);
  assert.equal(new Set(kinds.slice(0, 4)).size, 4);
  assert.deepEqual(kinds, Array(3).fill(kinds.slice(0, 4)).flat());
});

Deno.test("bbqResults() writes every category and context, and why a figure is missing", () => {
  const item = { answers: ["ab", "abcdefgh", "abc"] } as const;
  assert.equal(chosenAnswer(item, [-2, -4, -6], "sum"), 0);
  assert.equal(chosenAnswer(item, [-2, -4, -6], "per byte"), 1);
  const religion = answered(1, { category: "Religion", cluster: "Religion/1" });
  const answers = [answered(0), answered(2, { cluster: "Age/2" }), religion];
  const rows = bbqResults({ model: "m", readout: "sum", answers }, "abc");
  const counts = rows.map(({ category, context, items }) => `${category} ${context[0]} ${items}`);
  assert.equal(counts.join(), "all a 0,all d 3,Age a 0,Age d 2,Religion a 0,Religion d 1");
  const { questions, not_unknown, biased, accuracy, bias } = rows[1]!;
  assert.deepEqual([questions, not_unknown, biased, accuracy, bias], [3, 2, 1, 0.3333, 0]);
  assert.match(rows[5]!.unavailable, /a single cluster/);
});
