import assert from "node:assert/strict";
import { join } from "node:path";
import { beginCases, loadSharedSet, presentSets } from "./open_cases.ts";
import {
  factcheckgptCases,
  factscoreCases,
  haluevalDialogues,
  haluevalQuestions,
  haluevalSummaries,
  ragtruthCases,
} from "./public_sets.ts";
import { withFiles } from "./testdata/case_files.ts";

const stance = (stance: string) => ({ claim: "C is D.", evidence: "E.", stance });

Deno.test("factcheckgptCases() reads partial support both ways and passes damaged lines over", () =>
  withFiles({
    "f.jsonl": `${JSON.stringify(stance("refute"))}\n{"claim": "half\n` +
      `${JSON.stringify(stance("unclear"))}\n${JSON.stringify(stance("partially-support"))}\n`,
  }, (folder) => {
    const path = join(folder, "f.jsonl");
    const strict = factcheckgptCases(path, "left out");
    assert.deepEqual(strict.cases.map(({ id, label }) => [id, label]), [["stance-1", "refuted"]]);
    assert.deepEqual(strict.damaged.map(({ line }) => line), [2, 3]);
    assert.deepEqual(strict.leftOut.map(({ id }) => id), ["stance-4"]);
    const wide = factcheckgptCases(path, "not supported");
    assert.deepEqual(wide.cases.map(({ label }) => label), ["refuted", "not supported"]);
    assert.notEqual(wide.cases[0]?.set, strict.cases[0]?.set);
  }));

Deno.test("beginCases() clusters by knowledge, and takes a generic reply for not attributable", () => {
  const row = (begin_label: string) => ({
    model_name: "t5",
    knowledge: "K.",
    response: "R.",
    begin_label,
  });
  const rows = [row("Fully attributable"), row("Generic")];
  return withFiles({ "b.jsonl": rows }, (folder) => {
    const { cases } = beginCases(join(folder, "b.jsonl"));
    assert.deepEqual(cases.map(({ label }) => label), ["supported", "not supported"]);
    assert.deepEqual(new Set(cases.map(({ cluster }) => cluster)), new Set(["K."]));
    assert.equal(cases[0]?.passages[0]?.text, "K.");
  });
});

Deno.test("factscoreCases() gives claims without passages and leaves irrelevant ones out", () => {
  const facts = [["A is B.", "S"], ["A is C.", "NS"], ["I am sorry.", "IR"]];
  return withFiles({ "f.jsonl": [{ model: "M", topic: "A", facts }] }, (folder) => {
    const { cases, leftOut } = factscoreCases(join(folder, "f.jsonl"));
    assert.deepEqual(cases.map(({ id, label, passages }) => [id, label, passages.length]), [
      ["M/A/1", "supported", 0],
      ["M/A/2", "not supported", 0],
    ]);
    assert.equal(leftOut[0]?.id, "M/A/3");
  });
});

Deno.test("haluevalQuestions() puts both answers into one form", () => {
  const row = {
    knowledge: "K.",
    question: "Which is older ?",
    right_answer: "Aa",
    hallucinated_answer: "Bb is older.",
  };
  return withFiles({ "q.json": [row] }, (folder) => {
    const { cases } = haluevalQuestions(join(folder, "q.json"));
    assert.deepEqual(cases.map(({ id, claim, label }) => [id, claim, label]), [
      ["qa-1/right", "Which is older: Aa.", "supported"],
      ["qa-1/hallucinated", "Which is older: Bb is older.", "not supported"],
    ]);
  });
});

Deno.test("haluevalDialogues() and haluevalSummaries() give a right and a made-up case", () =>
  withFiles({
    "d.json": [{
      knowledge: "K.",
      dialogue_history: "H",
      right_response: "R",
      hallucinated_response: "X",
    }],
    "s.json": [{ document: "D.", right_summary: "R", hallucinated_summary: "X" }],
  }, (folder) => {
    for (
      const { cases } of [
        haluevalDialogues(join(folder, "d.json")),
        haluevalSummaries(join(folder, "s.json")),
      ]
    ) {
      assert.deepEqual(cases.map(({ claim }) => claim), ["R", "X"]);
      assert.deepEqual(cases.map(({ label }) => label), ["supported", "not supported"]);
    }
  }));

Deno.test("ragtruthCases() labels each sentence by the marks that reach into it", () => {
  const response = "Anna is tall. She lives in Rome. She is 30. It rains.";
  const mark = (text: string, label_type: string) => ({
    start: response.indexOf(text),
    end: response.indexOf(text) + text.length,
    label_type,
  });
  const row = (id: string, more: object) => ({
    id,
    source_id: "s1",
    quality: "good",
    labels: [mark("Rome", "Evident Conflict"), mark("30", "Subtle Baseless Info")],
    response,
    ...more,
  });
  const rows = [row("r1", {}), row("r2", { source_id: "s9" }), row("r3", { quality: "truncated" })];
  const sources = [{ source_id: "s1", source_info: { city: "Oslo" } }];
  return withFiles({ "r.jsonl": rows, "s.jsonl": sources }, (folder) => {
    const { cases, leftOut } = ragtruthCases({
      responses: join(folder, "r.jsonl"),
      sources: join(folder, "s.jsonl"),
    });
    assert.deepEqual(cases.map(({ label }) => label), [
      "supported",
      "refuted",
      "not enough info",
      "supported",
    ]);
    assert.equal(cases[0]?.passages[0]?.text, '{"city":"Oslo"}');
    assert.deepEqual(leftOut.map(({ id }) => id), ["r2", "r3"]);
  });
});

Deno.test({
  name: "the sets beside the project are read whole, ids unique, no line damaged",
  ignore: presentSets().length === 0,
  fn() {
    const sizes: Record<string, number> = {
      factcheckgpt_stance: 1061,
      "factcheckgpt_stance with partial": 1452,
      begin_wow: 1200,
      halueval_qa: 2000,
      factscore_labeled: 14525,
    };
    for (const set of presentSets()) {
      const { cases, damaged } = loadSharedSet(set);
      assert.equal(cases.length, sizes[set.name]);
      assert.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
      assert.ok(cases.every((one) => one.set === set.name));
      assert.deepEqual(damaged, []);
    }
  },
});
