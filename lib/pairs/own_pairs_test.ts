import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { parsePanel } from "../models/panel.ts";
import { openOwnPairs, readOwnPairs } from "./own_pairs.ts";
import { ownResults } from "./own_results.ts";
import { evaluateForcedChoice, scorePairs } from "./ask.ts";
import { fakeLanguage, scoringTexts, scriptedChat } from "./testdata/fake_models.ts";
import { type At, test } from "./testdata/folder.ts";

/** What is read of a file of this name and text: id, phenomenon, lemma and both members of each pair. */
function read(at: At, name: string, text: string) {
  Deno.writeTextFileSync(at(name), text);
  const { pairs, ...rest } = readOwnPairs(at(name));
  return { ...rest, pairs: pairs.map(({ pair }) => Object.values(pair).join(" | ")) };
}

const lines = (...values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

test("readOwnPairs() reads the forms of the field, and names them", (at) => {
  const csv = 'grammatical,ungrammatical,lemma\n"Ja, er geht.","Ja, er gehen.",gehen\n';
  assert.deepEqual(read(at, "own.csv", `\ufeff${csv}`), {
    format: "grammatical and ungrammatical",
    leftOut: [],
    pairs: ["own_0001 | own | gehen | Ja, er geht. | Ja, er gehen."],
  });
  // BLiMP counts from 0 in each paradigm; seven of its pairs are two times the same sentence.
  const blimp = (UID: string, pair_id: number, sentence_bad: string) => (
    { sentence_good: "Who left?", sentence_bad, UID, pair_id, field: "syntax" }
  );
  const two = lines(
    blimp("a", 0, "Who leave?"),
    blimp("b", 0, "Who lefted?"),
    blimp("b", 1, "Who left?"),
  );
  const found = read(at, "blimp.jsonl", two);
  assert.match(found.format, /sentence_good and sentence_bad \(as BLiMP has them\)/);
  assert.deepEqual(found.leftOut, ["line 3"]);
  assert.deepEqual(found.pairs.map((pair) => pair.split(" | ").slice(0, 3)), [
    ["a_0", "a", "a_0"],
    ["b_0", "b", "b_0"],
  ]);
  const tsv = "\tsen\twrong_sen\tverb_lemma\n0\tÉl come.\tÉl comes.\tcomer\n";
  const multi = read(at, "spa.tsv", tsv);
  assert.match(multi.format, /MultiBLiMP/);
  assert.deepEqual(multi.pairs, ["spa_0001 | spa | comer | Él come. | Él comes."]);
  const logged = lines({ doc: { choices: ["He go.", "He goes."], label: 1 }, resps: [] });
  assert.match(read(at, "log.jsonl", logged).pairs[0]!, /\| He goes\. \| He go\.$/);
  const regions = (verb: string) =>
    ["The keys", verb, "", "here", "."].map((content) => ({ content }));
  const suite = {
    meta: { name: "number" },
    predictions: [{ formula: "(2;%match%) < (2;%clash%)" }],
    items: [{
      item_number: 4,
      conditions: [
        { condition_name: "clash", regions: regions("is") },
        { condition_name: "match", regions: regions("are") },
      ],
    }],
  };
  const pretty = read(at, "suite.json", JSON.stringify(suite, null, 2));
  assert.equal(pretty.format, "a SyntaxGym suite");
  assert.deepEqual(pretty.pairs, [
    "4_match | number | 4_match | The keys are here. | The keys is here.",
  ]);
  const [first] = suite.predictions;
  const predictions = [first!, { formula: "(2;%match%) < (2;%other%)" }];
  const conditions = [
    ...suite.items[0]!.conditions,
    { condition_name: "other", regions: regions("be") },
  ];
  const twice = { ...suite, predictions, items: [{ item_number: 4, conditions }] };
  const ids = read(at, "twice.json", JSON.stringify(twice)).pairs.map((row) => row.split(" ")[0]);
  assert.deepEqual(ids, ["4_match_clash", "4_match_other"]);
});

test("readOwnPairs() names file, line and column of what is wrong", (at) => {
  const head = "grammatical,ungrammatical\n";
  const cases = [
    ["a.csv", "id,good\n1,Ja.\n", /a\.csv: no column is called grammatical or .*has id, good\.$/],
    ["b.csv", `${head}Ja.,Jo.\n,Jo.\n`, /line 3, column grammatical: it is empty/],
    ["c.csv", `${head}Ja.,Jo.,Ju.\n`, /c\.csv: .*line 2/],
    ["d.csv", `${head}"a\nb",c\n`, /line 3, column grammatical: it holds a line/],
    ["e.jsonl", `${lines({ sen: "a", wrong_sen: "b" })}{"sen":\n`, /e\.jsonl: line 2: /],
    ["f.jsonl", lines({ choices: ["a", "b"], label: 2 }), /line 1: label must be 0 or 1/],
    ["g.csv", `${head}a,a\n`, /no pair of two different sentences/],
    ["h.csv", `id,${head}1,a,b\n1,c,d\n`, /the id h_1 stands twice: line 2, 3/],
    ["i.csv", " \n", /i\.csv: it is empty/],
    ["j.csv", head, /j\.csv: it has a header and no rows/],
  ] as const;
  for (const [name, text, pattern] of cases) assert.throws(() => read(at, name, text), pattern);
  assert.throws(() => readOwnPairs(at("none.csv")), /none\.csv: there is no such file/);
  Deno.writeFileSync(
    at("latin1.csv"),
    new Uint8Array([...head].map((c) => c.charCodeAt(0)).concat(252)),
  );
  assert.throws(() => readOwnPairs(at("latin1.csv")), /latin1\.csv: it is no text in UTF-8/);
  Deno.writeTextFileSync(at("x.csv"), `${head}a,b\n`);
  const inData = new URL("../../data/own", import.meta.url).pathname;
  assert.throws(() => openOwnPairs(at("x.csv"), inData), /Cannot write to .*data\/own/);
  assert.ok(!existsSync(inData));
  openOwnPairs(at("x.csv"), at("out"));
  Deno.writeTextFileSync(at("more.csv"), `${head}a,b\nc,d\n`);
  openOwnPairs(at("more.csv"), at("out"));
  Deno.writeTextFileSync(at("other.csv"), `${head}e,f\n`);
  assert.throws(
    () => openOwnPairs(at("other.csv"), at("out")),
    /it holds what models said of other/,
  );
  assert.throws(() => openOwnPairs(at("x.csv"), at("x.csv")), /a file is in the way/);
  assert.throws(
    () => openOwnPairs(at("out/pairs.csv"), at("out")),
    /pairs\.csv would be written over/,
  );
});

const PANEL = parsePanel(
  `name: mine
generation: { temperature: 0, maxReplyTokens: 9 }
models:
  - { baseUrl: "http://127.0.0.1:1/v1", model: mine }
  - { baseUrl: "http://127.0.0.1:1/v1", model: absent }
`,
  "mine.yaml",
);

test("ownResults() measures what is complete, models of this panel alone, in every way", async (at) => {
  const rows = Array.from({ length: 8 }, (_, n) => `l${n % 4},Er geht ${n}.,Er gehen ${n}.`);
  Deno.writeTextFileSync(at("de.csv"), `lemma,grammatical,ungrammatical\n${rows.join("\n")}\n`);
  const own = openOwnPairs(at("de.csv"), at("out"), { language: "German" });
  assert.throws(() => ownResults(own, PANEL), /no model of mine has answered or scored all pairs/);
  // The model chooses the sentence with "geht", and finds it more probable.
  const chat = scriptedChat("mine", (_, prompt) => prompt.includes("A: Er geht ") ? "A" : "B");
  const score = (text: string) => (
    { logProbability: -text.replace("gehen", "unlikely").length, tokens: 3, bytes: text.length }
  );
  const scorers = [scoringTexts("mine", score), fakeLanguage("of another panel")];
  const { study: { files, question: template }, pairs, regions } = own;
  assert.match(template, /^Which of the following German sentences is/);
  await evaluateForcedChoice({ pairs, models: [chat], template, files });
  for (const model of scorers) {
    await scorePairs({ pairs, model, files });
    await scorePairs({ pairs: regions.pairs, model, files: regions.study.files });
  }
  const { statistics, finding, figure } = ownResults(own, PANEL);
  assert.equal(finding, "mine prefers the grammatical sentence in 100 % of 8 pairs");
  assert.deepEqual(Deno.readFileSync(at("out/accuracy.png")), figure.png);
  const models = new Set(statistics.map(({ model }) => model));
  assert.deepEqual([...models], ["mine", "(design)"]);
  for (const name of ["accuracy", ..."total per_token per_byte word".split(" ")]) {
    const measure = name === "accuracy" ? name : `likelihood_accuracy_${name}`;
    const row = statistics.find((own) => own.measure === measure && own.phenomenon === "ALL");
    assert.ok(row?.value.kind === "interval", measure);
    // Of four lemmas: Wilson's interval of 4 of 4.
    assert.deepEqual([row.value.estimate, row.value.low.toFixed(3), row.clusters], [1, "0.510", 4]);
  }
});
