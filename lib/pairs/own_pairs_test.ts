import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { parsePanel } from "../models/panel.ts";
import { openOwnPairs, readOwnPairs } from "./own_pairs.ts";
import { ownResults } from "./own_results.ts";
import { evaluateForcedChoice, scorePairs } from "./ask.ts";
import { fakeLanguage, scoringTexts, scriptedChat } from "./testdata/fake_models.ts";
import { type At, test } from "./testdata/folder.ts";

/** Reads a file of this name and text: id, phenomenon, lemma and both members of each pair. */
async function read(at: At, name: string, text: string) {
  Deno.writeTextFileSync(at(name), text);
  const { pairs, ...rest } = await readOwnPairs(at(name));
  const words = pairs.map(({ pair: { direction: _apart, prefix: _before, ...pair } }) =>
    Object.values(pair)
  );
  return { ...rest, pairs: words.map((row) => row.join(" | ")) };
}

const lines = (...values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

test("readOwnPairs() reads the forms of the field, and names them", async (at) => {
  const csv = 'grammatical,ungrammatical,lemma\n"Ja, er geht.","Ja, er gehen.",gehen\n';
  assert.deepEqual(await read(at, "own.csv", `\ufeff${csv}`), {
    format: "grammatical and ungrammatical",
    leftOut: [],
    warnings: [],
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
  const found = await read(at, "blimp.jsonl", two);
  assert.match(found.format, /sentence_good and sentence_bad \(as BLiMP has them\)/);
  assert.deepEqual(found.leftOut, ["line 3"]);
  assert.deepEqual(found.pairs.map((pair) => pair.split(" | ").slice(0, 3)), [
    ["a_0", "a", "a_0"],
    ["b_0", "b", "b_0"],
  ]);
  const tsv = "\tsen\twrong_sen\tverb_lemma\n0\tÉl come.\tÉl comes.\tcomer\n";
  const multi = await read(at, "spa.tsv", tsv);
  assert.match(multi.format, /MultiBLiMP/);
  assert.deepEqual(multi.pairs, ["spa_0001 | spa | comer | Él come. | Él comes."]);
  const logged = lines({ doc: { choices: ["He go.", "He goes."], label: 1 }, resps: [] });
  assert.match((await read(at, "log.jsonl", logged)).pairs[0]!, /\| He goes\. \| He go\.$/);
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
  const pretty = await read(at, "suite.json", JSON.stringify(suite, null, 2));
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
  const alike = await read(at, "twice.json", JSON.stringify(twice));
  const ids = alike.pairs.map((row) => row.split(" ")[0]);
  assert.deepEqual(ids, ["4_match_clash", "4_match_other"]);
});

test("readOwnPairs() names file, line and column of what is wrong", async (at) => {
  const head = "grammatical,ungrammatical\n";
  const good = { sentence_good: "Ja.", sentence_bad: "Jo." };
  const labelled = (label: unknown) => lines({ choices: ["a", "b"], label });
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["a.csv", "id,good\n1,Ja.\n", /a\.csv: no column is called grammatical or .*has id, good/],
    ["b.csv", `${head}Ja.,Jo.\n,Jo.\n`, /line 3, column grammatical: it is empty/],
    ["c.csv", `${head}Ja.,Jo.,Ju.\n`, /c\.csv: line 2: it has 3 fields, the header 2\.$/],
    ["d.csv", `${head}"a\nb",c\n`, /line 3, column grammatical: it holds a line/],
    ["e.jsonl", `${lines(good)}{"sen":\n`, /e\.jsonl: line 2: it is no JSON \(/],
    ["f.jsonl", labelled(2), /line 1: label must be 0 or 1, not 2\.$/],
    ["g.csv", `${head}a,a\n`, /no pair of two different sentences/],
    ["h.csv", `id,${head}1,a,b\n1,c,d\n`, /the id h_1 occurs twice: line 2, line 3/],
    ["i.csv", " \n", /i\.csv: it is empty/],
    ["j.csv", head, /j\.csv: it has a header and no rows/],
    // Nothing is converted.
    ...["", [], " ", false, null].map((label, at) =>
      [`k${at}.jsonl`, labelled(label), /line 1: label must be 0 or 1, not /] as const
    ),
    [
      "l.csv",
      "grammatical,ungrammatical, grammatical\na,b,c\n",
      /line 1: the column grammatical occurs twice/,
    ],
    ["m.jsonl", lines({ ...good, sentence_bad: ["Jo."] }), /column sentence_bad: it is a list/],
    ["n.jsonl", lines({ ...good, sentence_bad: {} }), /column sentence_bad: it is an object/],
    ["o.jsonl", lines({ ...good, sentence_bad: 7 }), /column sentence_bad: it is a number/],
    ["p.jsonl", lines({ ...good, UID: ["a"] }), /column UID: it is a list/],
    ["q.jsonl", '{"sentence_good": "Ja \\ud83d.", "sentence_bad": "b"}\n', /a lone surrogate/],
    ["r.json", lines([1]), /item 1: it is no object of columns/],
    ["s.csv", `${head}"a" b,c\n`, /line 2: a quotation mark stands where none can/],
    // JSON.parse takes the last of two.
    [
      "v.jsonl",
      `${lines(good)}{"sentence_good": "a", "sentence_bad": "b", "sentence_good ": "c"}\n`,
      /v\.jsonl: line 2: the key sentence_good occurs twice in one object\.$/,
    ],
    [
      "w.json",
      '[{"sentence_good": "a",\n"sentence_bad": "b",\n"doc": {"x": [{"x": 1}], "x": 2}}]',
      /w\.json: line 3: the key x occurs twice in one object\.$/,
    ],
    // All faults at once, twenty of them by name.
    [
      "t.csv",
      `${head}${",b\n".repeat(23)}`,
      /line 2, column.*line 21, column grammatical: it is empty; and 3 more\.$/,
    ],
    [
      "u.jsonl",
      `${lines(good, { ...good, sentence_bad: "" })}{\n`,
      /line 3: it is no JSON .*line 2, column sentence_bad/,
    ],
  ];
  for (const [name, text, pattern] of cases) {
    await assert.rejects(read(at, name, text), { name: "SyntaxError", message: pattern }, name);
  }
  await assert.rejects(readOwnPairs(at("none.csv")), /none\.csv: there is no such file/);
  Deno.writeFileSync(
    at("latin1.csv"),
    new Uint8Array([...head].map((c) => c.charCodeAt(0)).concat(252)),
  );
  await assert.rejects(readOwnPairs(at("latin1.csv")), /latin1\.csv: it is no text in UTF-8/);
  Deno.writeTextFileSync(at("x.csv"), `${head}a,b\n`);
  const inData = new URL("../../data/own", import.meta.url).pathname;
  await assert.rejects(openOwnPairs(at("x.csv"), inData), /Cannot write to .*data\/own/);
  assert.ok(!existsSync(inData));
  await openOwnPairs(at("x.csv"), at("out"));
  Deno.writeTextFileSync(at("more.csv"), `${head}a,b\nc,d\n`);
  await openOwnPairs(at("more.csv"), at("out"));
  Deno.writeTextFileSync(at("other.csv"), `${head}e,f\n`);
  await assert.rejects(
    openOwnPairs(at("other.csv"), at("out")),
    /it holds what models said of other/,
  );
  await assert.rejects(openOwnPairs(at("x.csv"), at("x.csv")), /a file is in the way/);
  await assert.rejects(
    openOwnPairs(at("out/pairs.csv"), at("out")),
    /pairs\.csv would be written over/,
  );
});

test("readOwnPairs() leaves out pairs whose members look the same, and warns of slips", async (at) => {
  const head = "grammatical,ungrammatical\n";
  const nfd = "Le cafe\u0301 ouvre.";
  const { pairs, leftOut, warnings } = await read(
    at,
    "a.csv",
    `${head}${
      nfd.normalize("NFC")
    },${nfd}\nA cat.,A cat. \nA cat.,A  cut.\nA b.,C d.\nA b c.,A b.\n` +
      "A b.,A c.\nA c.,A b.\nA b.,A c.\n",
  );
  assert.deepEqual(leftOut, ["line 2", "line 3"]);
  assert.deepEqual(warnings, [
    "1 with blanks at an edge, or two in a row, which count as tokens: line 4",
    "1 with different numbers of words: line 6",
    "1 without a word in common: line 5",
    "1 equal to an earlier pair: both are one cluster: line 9",
    "3 contradicted by another pair, which calls the other sentence grammatical: line 7, line 8, line 9",
  ]);
  const lemmas = pairs.map((pair) => pair.split(" | ")[2]);
  assert.deepEqual(lemmas, ["a_0003", "a_0004", "a_0005", "a_0006", "a_0007", "a_0006"]);
});

/** Two pairs with a 64-bit id and Snappy-compressed texts, written by hyparquet-writer 0.17. */
const PARQUET =
  "UEFSMRUGFSQVKFwVBBUAFQQVABUEFQAAAAMDEDwHAAAAAAAAAAgAAAAAAAAAFQYVShVOXBUEFQAVBBUAFQQVAAAAAw" +
  "MjiBMAAADDnmF0IGzDrWthciBow6FudW0uCAAAAEhlIGdvZXMuFQYVQhVGXBUEFQAVBBUAFQQVAAAAAwMfeBEAAADD" +
  "nmF0IGzDrWthciBoYW5uLgYAAABIZSBnby4VBBlMSARyb290FQYAFQQlAhgCaWQAFQwlAhgNc2VudGVuY2VfZ29vZC" +
  "UAABUMJQIYDHNlbnRlbmNlX2JhZCUAABYEGRwZPCYIHBUEGRUAGRgCaWQVAhYEFk4WUiYIPDYAKAgIAAAAAAAAABgI" +
  "BwAAAAAAAAAAGRwVBhUAFQIAAAAmWhwVDBkVABkYDXNlbnRlbmNlX2dvb2QVAhYEFnQWeCZaPDYAKBDDnmF0IGzDrW" +
  "thciBow6FvGAhIZSBnb2VzLhIAGRwVBhUAFQIAAAAm0gEcFQwZFQAZGAxzZW50ZW5jZV9iYWQVAhYEFmwWcCbSATw2" +
  "ACgQw55hdCBsw61rYXIgaGFubxgGSGUgZ28uEgAZHBUGFQAVAgAAABauAhYENroCACgJaHlwYXJxdWV0GTwcAAAcAA" +
  "AcAAAAPAEAAFBBUjE=";

test("readOwnPairs() reads arrays, Parquet, folders and lm-eval's tasks", async (at) => {
  const rows = [{ sentence_good: "He goes.", sentence_bad: "He go.", UID: "agr" }];
  const wanted = ["agr | a_0001 | He goes. | He go."];
  const summary = ({ pairs }: { readonly pairs: readonly string[] }) =>
    pairs.map((pair) => pair.split(" | ")).map(([id, uid, , ...members]) =>
      [uid, id, ...members].join(" | ")
    );
  assert.deepEqual(summary(await read(at, "a.json", JSON.stringify(rows, null, 2))), wanted);
  assert.deepEqual(
    summary(await read(at, "a.csv", " sentence_good , sentence_bad,UID \nHe goes.,He go.,agr\n")),
    wanted,
  );
  Deno.writeFileSync(at("a.parquet"), Uint8Array.fromBase64(PARQUET));
  const { pairs } = await readOwnPairs(at("a.parquet"));
  assert.deepEqual(pairs.map(({ pair }) => [pair.id, pair.grammatical, pair.ungrammatical]), [
    ["7", "Þat líkar hánum.", "Þat líkar hann."],
    ["8", "He goes.", "He go."],
  ]);
  Deno.mkdirSync(at("set/data"), { recursive: true });
  Deno.writeTextFileSync(at("set/dataset_infos.json"), "{}");
  Deno.writeTextFileSync(at("set/data/a.jsonl"), lines(...rows));
  Deno.writeTextFileSync(at("set/data/b.jsonl"), lines({ ...rows[0]!, sentence_bad: "He gone." }));
  const folder = await readOwnPairs(at("set"));
  assert.deepEqual(folder.pairs.map(({ pair: { id } }) => id), ["a_0001", "b_0001"]);
  assert.equal(folder.format, "2 files");
  const task = (choice: string, target: string) =>
    `task: agr\ndataset_path: json\ndataset_kwargs: { data_files: set/data/a.jsonl }\n` +
    `doc_to_choice: ${choice}\ndoc_to_target: ${target}\n`;
  for (
    const [choice, target] of [
      ['"{{[sentence_good, sentence_bad]}}"', "0"],
      ['["{{sentence_bad}}", "{{sentence_good}}"]', '"{{ 1 }}"'],
      ["[sentence_good, sentence_bad]", "0"],
    ] as const
  ) {
    const { pairs, format } = await read(at, "t.yaml", task(choice, target));
    assert.deepEqual([format, pairs[0]!.slice(-17)], ["the lm-eval task agr", "He goes. | He go."]);
  }
  await assert.rejects(
    read(at, "n.yaml", "dataset_path: blimp\ndoc_to_choice: x\n"),
    /n\.yaml: its data \(.*blimp\) is not here: nothing is fetched\. Put/,
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
  const own = await openOwnPairs(at("de.csv"), at("out"), { language: "German" });
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

test("ownResults() compares models in pairs, and gives phenomena and directions apart", async (at) => {
  const rows = Array.from(
    { length: 12 },
    (_, n) => `${n % 2 ? "agr" : "case"},${n % 3 ? "to" : "fro"},Er geht ${n}.,Er gehen ${n}.`,
  );
  Deno.writeTextFileSync(
    at("de.csv"),
    `phenomenon,direction,grammatical,ungrammatical\n${rows.join("\n")}\n`,
  );
  const own = await openOwnPairs(at("de.csv"), at("out"));
  // One is always right, the other on half of the pairs, the third as the second.
  const scorer = (name: string, isRight: (n: number) => boolean) =>
    scoringTexts(name, (text) => {
      const good = text.includes("geht");
      const preferred = good === isRight(Number(/\d+/.exec(text)?.[0] ?? 0));
      return { logProbability: preferred ? -1 : -2, tokens: 3, bytes: 9 };
    });
  const { study: { files }, pairs } = own;
  const models = [
    scorer("mine", () => true),
    scorer("half", (n) => n % 2 === 1),
    scorer("also", (n) => n % 2 === 1),
  ];
  for (const model of models) await scorePairs({ pairs, model, files });
  const entries = models.map(({ name }) =>
    `  - { id: ${name}, kind: gguf, path: ${name}.gguf, roles: [likelihood], licence: x }`
  );
  const panel = parsePanel(`name: three\nmodels:\n${entries.join("\n")}\n`, "p.yaml");
  const { comparisons, statistics, table } = ownResults(own, panel);
  const [first] = comparisons;
  assert.deepEqual([first!.first, first!.second, first!.by], [
    "mine",
    "half",
    "total log-probability",
  ]);
  assert.deepEqual([first!.firstBetter, first!.secondBetter, first!.pairs], [6, 0, 12]);
  // Six of six discordant pairs: two-sided 2/64; Holm over three comparisons.
  const rounded = comparisons.flatMap(({ p, pHolm }) => [p.toFixed(9), pHolm.toFixed(9)]);
  const [p, holm] = [2 / 64, 6 / 64].map((one) => one.toFixed(9));
  assert.deepEqual(rounded, [p, holm, p, holm, "1.000000000", "1.000000000"]);
  assert.ok(first!.difference.kind === "interval" && first!.difference.estimate === 0.5);
  assert.equal(Deno.readTextFileSync(at("out/comparison.csv")).trimEnd().split("\n").length, 4);
  const accuracy = (phenomenon: string) =>
    statistics.find((row) =>
      row.model === "half" && row.measure === "likelihood_accuracy_total" &&
      row.phenomenon === phenomenon
    )?.value;
  for (const [group, share] of [["agr", 1], ["case", 0], ["direction to", 0.5]] as const) {
    const value = accuracy(group);
    assert.ok(value && value.kind !== "unavailable" && value.estimate === share, group);
  }
  assert.match(table, /\| agr, direction fro \| .*n = 2/);
  assert.ok(existsSync(at("out/phenomena.png")));
});
