import assert from "node:assert/strict";
import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { readCsv } from "../lib/files/csv.ts";
import type { ChatModel } from "../lib/models/model.ts";
import {
  DATASET,
  FURTHER,
  readNorseDataset,
  REVERSE,
  settingsOf,
} from "../lib/studies/norse/dataset.ts";
import { normaliseText } from "../lib/studies/norse/orthography.ts";
import { PHENOMENA } from "../lib/studies/norse/rules.ts";
import { furtherSets, NORSE_STUDY } from "../lib/studies/norse/study.ts";
import { SENTENCES } from "../lib/studies/norse/tables.ts";
import { evaluateForcedChoice, scorePairs } from "../lib/pairs/ask.ts";
import { scoringTexts } from "../lib/pairs/testdata/fake_models.ts";
import { accuracyColumn } from "../lib/pairs/panels.ts";
import { runNotebook } from "./notebook/run.ts";

/** Ten sentences of the saga in the edition's spelling; each phenomenon has at least two pairs. */
const CORPUS = [
  "En konunginum sýndist þat ráð at gifta hana.",
  "Henni þótti þetta mikit, ef þeir skulu svá fara allir.",
  "Honum var sagt, at þar var höfðingi Sigurðr.",
  "Nú gerist Sigi gamall maðr at aldri.",
  "Hann var ríkr konungr ok fjölmennr.",
  "Þeir höfðu sverð í höndum.",
  "Konungr sezt hjá henni.",
  "Eigi hræddist Sigurðr við þann gný.",
  "Öllum mönnum fellust kveðjur við þenna mann.",
  "Þær gengu inn í þá ina fögru höll.",
];

const ROOT = join(import.meta.dirname!, "..");

/** A project of its own: the same notebooks, library and packages, ten sentences for data. */
function tenSentenceProject(): string {
  const root = Deno.makeTempDirSync({ prefix: "ten-sentences-" });
  for (const part of ["lib", "notebooks", "deno.json", "deno.lock", "package.json"]) {
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const folder of ["data/norse", "data/panels", "figures/norse"]) {
    Deno.mkdirSync(join(root, folder), { recursive: true });
  }
  SENTENCES.at(join(root, "data/norse/sentences.csv")).write(CORPUS.map((source, i) => {
    const id = `VS_01_${String(i + 1).padStart(3, "0")}`;
    return { id, chapter: 1, position: i + 1, source, normalised: normaliseText(source) };
  }));
  Deno.writeTextFileSync(
    join(root, "data/panels/local.yaml"),
    "name: stand-in\nmodels:\n  - {id: stand-in, kind: gguf, path: none.gguf, " +
      "roles: [chat, likelihood], licence: none}\n",
  );
  for (const panel of ["data/panels/large.yaml", "data/panels/groq.yaml"]) {
    cpSync(join(ROOT, panel), join(root, panel));
  }
  for (const folder of ["data/norse/prompts", "data/norse/rules"]) {
    cpSync(join(ROOT, folder), join(root, folder), { recursive: true });
  }
  const settings = JSON.stringify(settingsOf("rules"));
  Deno.writeTextFileSync(join(root, "data/norse/generation.json"), settings);
  const markers = ["<!-- begin norse (generated, edits are lost) -->", "<!-- end norse -->"];
  Deno.writeTextFileSync(join(root, "RESULTS.md"), `# Results\n\n${markers.join("\n")}\n`);
  return root;
}

/** Says A whatever it is asked: right exactly half the time, in both orders together. */
const alwaysA: ChatModel = {
  name: "stand-in",
  settings: { temperature: 0 },
  ask: () => Promise.resolve({ kind: "answer", text: "A", promptTokens: 1, replyTokens: 1 }),
};

/** Finds every longer text less probable, by one nat a letter. */
const byLength = scoringTexts(
  "stand-in",
  ({ length }) => ({ logProbability: -length, tokens: length, bytes: length }),
);

/** Answers every set of pairs that notebook 12 has written; gives the pairs of the data set. */
async function answer(root: string) {
  const data = (path: string) => join(root, "data/norse", basename(path));
  const [items, beyond, reverse] = [DATASET, FURTHER, REVERSE].map(({ pairs, certificates }) =>
    readNorseDataset({
      pairs: pairs.at(data(pairs.path)),
      certificates: certificates.at(data(certificates.path)),
    })
  );
  const pairs = items!.map(({ pair }) => pair);
  const sets = [{ study: NORSE_STUDY, pairs }, ...furtherSets(items, reverse, beyond)];
  for (const { study: { question: template, ...study }, pairs } of sets) {
    const inRoot = ([name, path]: [string, string]) => [name, data(path)];
    const files = Object.fromEntries(Object.entries(study.files).map(inRoot));
    const models = [alwaysA];
    if (!study.onlyScored) await evaluateForcedChoice({ pairs, models, template, files });
    await scorePairs({ pairs, model: byLength, files });
  }
  return pairs;
}

/** A key in quotation marks, never to be seen anywhere. */
const SECRET = ["gsk", "test", "k".repeat(30)].join("_");

const filesThatHold = (text: string, folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => new TextDecoder("latin1").decode(Deno.readFileSync(path)).includes(text))
    .map((path) => relative(folder, path));

async function run(root: string, name: string): Promise<void> {
  const { signal } = new AbortController();
  const outcome = await runNotebook(name, { root, signal });
  assert.equal(outcome.kind, "passed", JSON.stringify(outcome));
}

Deno.test("notebooks 12 to 15 carry ten sentences from the text to figures and findings", async () => {
  const root = tenSentenceProject();
  Deno.writeTextFileSync(join(root, ".env"), `GROQ_API_KEY_1=“${SECRET}”\n`);
  try {
    await run(root, "12_norse_generation");
    const items = await answer(root);
    for (const phenomenon of PHENOMENA) {
      const own = items.filter((pair) => pair.phenomenon === phenomenon);
      assert.ok(own.length >= 2, `${phenomenon}: ${own.length} pairs`);
    }
    for (const name of ["13_norse_evaluation", "14_norse_metrics", "15_norse_figures"]) {
      await run(root, name);
    }
    const columns = ["model", "overall_accuracy", ...PHENOMENA.map(accuracyColumn)];
    const { rows } = readCsv(join(root, "data/norse/metrics.csv"), columns, (row) => row);
    assert.deepEqual(rows.map((row) => Object.values(row)), [
      ["stand-in", "0.5", "0.5", "0.5", "0.5", "0.5"],
    ]);
    const results = Deno.readTextFileSync(join(root, "RESULTS.md"));
    const asking = Deno.readTextFileSync(join(root, "notebooks/13_norse_evaluation.ipynb"));
    // A notebook reads no key: what it shows is the same with any .env, and with none.
    assert.match(asking, /No hosted model has been asked\./);
    assert.doesNotMatch(asking, /GROQ_API_KEY/);
    assert.deepEqual(filesThatHold(SECRET, root), [".env"]);
    // The hosted panel has not been asked and is said not to have been, the local one stands.
    assert.match(results, /names 4 hosted models\. 0 of them have answered all pairs/);
    assert.match(results, /^\| stand-in \| 50\.0 \| 0\.00 \| 0\.0 /m);
    for (
      const figure of [
        "overall_accuracy",
        "position_bias",
        "accuracy_by_model",
        "model_by_phenomenon",
        "forward_and_reverse",
        "less_baseline",
        "accuracy_by_token_length",
      ]
    ) {
      assert.ok(Deno.statSync(join(root, `figures/norse/${figure}.png`)).size > 1000, figure);
    }
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
