import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import {
  readRatedRuns,
  readSealedWorkbook,
  unblind,
} from "../../lib/translation/analysis/ratings.ts";
import { practiceItem } from "../../lib/translation/configuration.ts";
import {
  namesWithin,
  readRunConfig,
  readSealedKey,
} from "../../lib/translation/preparation/run_files.ts";
import { writeSheets } from "../../lib/translation/workbook/sheets.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { PREPARE, SEAL } from "./workbook.ts";

const CONFIG = `
num_translations: 2
instructions: { de: "# Hinweise\\n\\n<form action=x><b>fett</b></form>\\n\\n[a](javascript:1) [b](https://c.example)" }
practice:
  - source: It rains.
    translations: [{ text: Es regnet., bucket: best, da: 95 }, { text: Es, bucket: ok, da: 40 }]
preparation:
  outputs: o.csv
  systems: [Cedarwood, Larchwood]
  raters: [anna, ben]
  repeats: 1
  attention_checks: 1
  min_distance: 3
`;

/** Returns a command's output on both streams and its exit code. */
async function outputOf(task: typeof PREPARE, ...args: readonly string[]) {
  const { log, error } = console;
  const lines: unknown[] = [];
  console.log = console.error = (line: unknown) => void lines.push(line);
  try {
    return { code: await exitCodeOf(task, args), text: lines.join("\n") };
  } finally {
    [console.log, console.error] = [log, error];
  }
}

Deno.test("rate prepare gives each rater a workbook and a key, practice first, and writes over nothing", () =>
  inFolder(async (folder) => {
    const at = (...names: readonly string[]) => join(folder, ...names);
    const rows = Array.from({ length: 8 }, (_, n) => {
      const [one, other] = [
        `Der Satz ${n} steht heute wieder hier`,
        `Satz ${n} steht heute nicht hier`,
      ];
      return `d${n >> 2};${n};Source ${n};${one};${other};${n % 3 ? "" : "ja"}`;
    });
    const heading = "document;segment;source;Cedarwood;Larchwood;notes";
    Deno.writeTextFileSync(at("o.csv"), [heading, ...rows, ""].join("\n"));
    Deno.writeTextFileSync(at("run.yaml"), CONFIG);
    const given = ["--config", at("run.yaml"), "--out", at("out")];
    const dry = await outputOf(PREPARE, ...given, "--dry-run");
    assert.deepEqual([...Deno.readDirSync(folder)].length, 2);
    for (const words of [/semicolons/, /not read: notes/, /practice 1, sentences 8/, /checks 1/]) {
      assert.match(dry.text, words);
    }
    assert.equal((await outputOf(PREPARE, ...given)).code, EXIT.done);
    assert.doesNotMatch(Deno.readTextFileSync(at("out", "run.yaml")), /Cedarwood|o\.csv/);
    const config = readRunConfig(at("out", "run.yaml"));
    const runs = await Array.fromAsync(["anna", "ben"], async (rater) => {
      const key = readSealedKey(at("out", "sealed", `${rater}.json`));
      const bytes = Deno.readFileSync(at("out", `${rater}.xlsx`));
      assert.deepEqual(namesWithin(bytes, ["Cedarwood", "Larchwood"]), []);
      const workbook = await readSealedWorkbook(bytes, rater, { key, config });
      return { rater, key, config, workbook };
    });
    const page = Deno.readTextFileSync(at("out", "instructions_de.html"));
    assert.match(page, /lang="de".*default-src 'none'.*form-action 'none'.*<h1>Hinweise<\/h1>/s);
    assert.match(
      page,
      /&lt;form action=x&gt;.*&lt;b&gt;fett.*<p>a <a href="https:\/\/c\.example">b/s,
    );
    assert.doesNotMatch(page, /<form|<b>|javascript/);
    const [anna, ben] = runs;
    assert.notEqual(anna!.key.secret, ben!.key.secret);
    assert.equal(anna!.workbook.items.length, 11);
    assert.equal(practiceItem(config, anna!.workbook.items[0]!.input), config.practice[0]);
    const original = anna!.key.items.find(({ role }) => role.kind === "repeat")!;
    const of = original.role.kind === "repeat" && original.role.of;
    assert.equal(anna!.key.items[Number(of) - 1]!.segment, original.segment);
    // No analysis contains the practice item.
    const items = anna!.workbook.items.map(({ input, evaluation }) => ({
      input,
      evaluation: {
        ...evaluation,
        ratings: [{ bucket: "best", da: 90 }, { bucket: "ok", da: 40 }],
        startedAt: "2026-01-31T09:30:00.000Z",
        committedAt: "2026-01-31T09:31:00.000Z",
      },
    }));
    const { ratings } = unblind({ ...anna!, workbook: { ...anna!.workbook, items } });
    assert.deepEqual([ratings.length, ratings[0]!.item_id], [20, 2]);
    const again = await outputOf(PREPARE, ...given);
    assert.match(again.text, /out: it holds something already/);
    assert.deepEqual(readSealedKey(at("out", "sealed", "anna.json")), anna!.key);
    assert.ok([...Deno.readDirSync(folder)].every(({ name }) => !name.endsWith(".tmp")));
  }));

Deno.test("rate prepare deals documents out with an overlap, adds a rater later, and workbooks say whose they are", () =>
  inFolder(async (folder) => {
    const at = (...names: readonly string[]) => join(folder, ...names);
    const rows = Array.from(
      { length: 40 },
      (_, n) =>
        `d${n >> 1};${n};Source ${n};Der Satz ${n} steht heute hier;Satz ${n} steht nicht hier`,
    );
    Deno.writeTextFileSync(at("o.csv"), ["document;id;source;A;B", ...rows, ""].join("\n"));
    const text = "num_translations: 2\ntarget_language: de\npreparation:\n  outputs: o.csv\n" +
      "  raters: [anna, ben]\n  overlap: 0.2\n  batch: 7\n  repeats: 2\n  attention_checks: 2\n";
    Deno.writeTextFileSync(at("run.yaml"), text);
    const given = ["--config", at("run.yaml"), "--out", at("out")];
    const first = await outputOf(PREPARE, ...given);
    assert.match(
      first.text,
      /dealt out: anna 24, ben 24; of 40 sentences 8 have more than one rater/,
    );
    const before = Deno.readFileSync(at("out", "anna.xlsx"));
    const later = await outputOf(PREPARE, ...given, "--add", "carl");
    assert.equal(later.code, EXIT.done, later.text);
    assert.deepEqual(Deno.readFileSync(at("out", "anna.xlsx")), before);
    const documents = ["anna", "ben", "carl"].map((rater) => {
      const key = readSealedKey(at("out", "sealed", `${rater}.json`));
      assert.deepEqual([key.rater, key.batch], [rater, "7"]);
      return new Set(key.items.map(({ document }) => document));
    });
    assert.deepEqual(documents.map(({ size }) => size), [12, 12, 12]);
    assert.equal(documents[0]!.intersection(documents[1]!).intersection(documents[2]!).size, 4);
    // A file is whose it says inside, whatever it is called.
    const config = readRunConfig(at("out", "run.yaml"));
    const keys = ["anna", "ben", "carl"].map((rater) => at("out", "sealed", `${rater}.json`));
    const files = [{ rater: "final v2", path: at("out", "carl.xlsx") }];
    const [run] = await readRatedRuns(files, keys, config);
    assert.deepEqual([run!.rater, run!.workbook.batch], ["carl", "7"]);

    const refused = async (...more: readonly string[]) =>
      (await outputOf(PREPARE, ...given, ...more)).text;
    assert.match(await refused("--add", "carl"), /carl is there already/);
    assert.match(await refused("--add", "a/b"), /letters, digits/);
    Deno.writeTextFileSync(at("run.yaml"), text.replace("  overlap", "  items: 4\n  overlap"));
    assert.match(await refused("--add", "dora"), /the others rate segment \d+ of document d\d+/);
    Deno.writeTextFileSync(at("run.yaml"), text.replace("preparation", "da_max: 50\npreparation"));
    assert.match(await refused("--add", "dora"), /asks something else of raters/);
  }));

type Rows = readonly (readonly (string | number | undefined)[])[];

/** Writes a workbook that follows the specification only. */
const byHand = (inputs: Rows, more: Readonly<Record<string, Rows>> = {}) =>
  writeSheets(
    Object.entries({ Sheet: [], inputs, ...more }).map(([name, [headings = [], ...rows]]) => {
      const columns = headings.map((heading) => ({ heading: String(heading), width: 9 }));
      return { name, columns, rows, isProtected: false };
    }),
  );

Deno.test("rate seal makes workbooks of others' making open on the page, or says what is wrong", () =>
  inFolder(async (folder) => {
    const at = (name: string) => join(folder, name);
    const heading = ["item_id", "source", "t1", "t2"];
    const blind = [heading, [2, "Two", "Zwei", undefined], [1, "One", "Eins", "Ein"]];
    const ratings = "item_id run_id display_map_json bucket_1 bucket_2 da_1 da_2".split(" ");
    Deno.writeTextFileSync(at("run.yaml"), "num_translations: 2\n");
    const config = readRunConfig(at("run.yaml"));
    const runId = crypto.randomUUID();
    const open = (bytes: Uint8Array) => readWorkbook(bytes, { config, runId });
    const seal = async (bytes: Uint8Array, out: string) => {
      Deno.writeFileSync(at("w.xlsx"), bytes);
      return await outputOf(SEAL, at("w.xlsx"), "--config", at("run.yaml"), "--out", at(out));
    };
    const made = await byHand(blind, { eval: [ratings, [1], [2]] });
    const refused = await open(made);
    assert.ok(refused.kind === "refused" && refused.problems.length === 1);
    assert.match(refused.problems[0]!.message, /rate seal/);
    assert.match((await seal(made, "a.xlsx")).text, /not taken over: Sheet\n.*t2 of item 2\n/);
    const read = await open(Deno.readFileSync(at("a.xlsx")));
    assert.ok(read.kind === "workbook" && read.workbook.keySha256 === "");
    const texts = read.workbook.items.map(({ input }) => [input.source, ...input.translations]);
    assert.deepEqual(texts, [["One", "Eins", "Ein"], ["Two", "Zwei", ""]]);

    Deno.writeTextFileSync(
      at("named.yaml"),
      "num_translations: 2\npreparation: { systems: [Elm, Ash] }\n",
    );
    const args = [at("w.xlsx"), "--config", at("named.yaml"), "--out", at("n.xlsx")];
    assert.equal((await outputOf(SEAL, ...args)).code, EXIT.done);
    const keptOrder = readSealedKey(join(folder, "sealed", "n.json"));
    assert.deepEqual(keptOrder.items.map(({ systems }) => systems), [["Elm", "Ash"], [
      "Elm",
      "Ash",
    ]]);
    await readSealedWorkbook(Deno.readFileSync(at("n.xlsx")), "n", { key: keptOrder, config });

    // What the page shows reference ratings of must not count as rated.
    const practice = (source: string) => {
      const rated = ["Eins", "Ein"].map((text) => `{ text: ${text}, bucket: best, da: 90 }`).join(
        ", ",
      );
      Deno.writeTextFileSync(
        at("p.yaml"),
        `num_translations: 2\npractice: [{ source: ${source}, translations: [${rated}] }]\n`,
      );
      return outputOf(SEAL, at("w.xlsx"), "--config", at("p.yaml"), "--out", at("p.xlsx"));
    };
    const shown = await practice("One");
    assert.equal(shown.code, EXIT.failed);
    assert.match(shown.text, /item 1: a practice sentence of the configuration/);
    assert.match((await practice("Other")).text, /practice sentences are not put in/);

    const rows = [[7, "d", "One", "Eins", "Ein"], [8, "d", "Two", "Zwei", "Zwo"]];
    const named = [["item_id", "document", "source", "Fir", "Oak"], ...rows];
    assert.equal((await seal(await byHand(named), "b.xlsx")).code, EXIT.done);
    const key = readSealedKey(join(folder, "sealed", "b.json"));
    const bytes = Deno.readFileSync(at("b.xlsx"));
    const { items } = await readSealedWorkbook(bytes, "b", { key, config });
    for (const { input } of items) {
      const { systems } = key.items.find(({ itemId }) => itemId === input.itemId)!;
      const row = named.find(([id]) => id === input.itemId)!;
      assert.deepEqual(input.translations, systems.map((it) => row[it === "Fir" ? 3 : 4]));
    }
    assert.deepEqual(items.map(({ input }) => input.document), [1, 1]);

    const rated = [ratings, [1, undefined, undefined, "best"], [2]];
    const three = [[...heading, "t3"], [1, "A", "B", "C", "D"]];
    const notes = [["item_id", "source", "Fir", "notes"], [1, "A", "B", "C"]];
    const cases: readonly (readonly [Uint8Array, RegExp])[] = [
      [bytes, /it has hashes: if it was sealed, open it on the page/],
      [await byHand(blind, { eval: rated }), /eval has something in bucket_1: only what was rated/],
      [await byHand(blind, { eval: [ratings, [1], [3]] }), /item 3 is in one of the sheets only/],
      [await byHand([heading, ["x", "A", "B", "C"]]), /item_id x is no whole number/],
      [await byHand(three), /has 3 translations a sentence, num_translations is 2/],
      [await byHand(notes), /notes may be no system: its name/],
      [new TextEncoder().encode("item_id,source"), /it is no XLSX workbook/],
    ];
    for (const [bytes, message] of cases) {
      const { code, text } = await seal(bytes, "c.xlsx");
      assert.equal(code, EXIT.failed);
      assert.match(text, message);
    }
    assert.match((await seal(made, "a.xlsx")).text, /a\.xlsx, another workbook, perhaps a rated/);
  }));

Deno.test("thirteen systems go from outputs to a workbook like twelve", () =>
  inFolder(async (folder) => {
    const names = Array.from({ length: 13 }, (_, index) => `System ${index + 1}`);
    const rows = [["source", ...names], ["One", ...names.map((name) => `Eins ${name}`)]];
    Deno.writeTextFileSync(join(folder, "o.tsv"), rows.map((row) => row.join("\t")).join("\n"));
    const given = ["--config", join(folder, "run.yaml"), "--out", join(folder, "out")];
    const prepared = async (config: string) => {
      Deno.writeTextFileSync(join(folder, "run.yaml"), `${config}preparation: { outputs: o.tsv }`);
      return await outputOf(PREPARE, ...given);
    };
    assert.match((await prepared("")).text, /13 systems.* num_translations is 12\./);
    assert.equal((await prepared("num_translations: 13\n")).code, EXIT.done);
  }));
