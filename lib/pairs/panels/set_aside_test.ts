import assert from "node:assert/strict";
import { join } from "node:path";
import type { AnswerFiles } from "../study.ts";
import { readAnswers } from "./answers.ts";
import { setAnswersAside } from "./set_aside.ts";

const RESPONSES = "model,pair_id,order,response,correct\n" +
  "far/away,ON_UMLAUT_001,A_gram,INVALID,False\nhere,ON_UMLAUT_001,A_gram,A,True\n";
const INVALID = "model,pair_id,order,reason,raw_json\n" +
  'far/away,ON_UMLAUT_001,A_gram,no_letter,"""Nei."""\n';
const record = { model: { temperature: 0 }, task: { pairsSha256: "p" } };

function inFolder(work: (files: AnswerFiles, folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  const at = (name: string) => join(folder, name);
  const files = {
    responses: at("responses.csv"),
    invalidAnswers: at("invalid.csv"),
    responseSettings: at("settings.json"),
    likelihoods: at("likelihoods.csv"),
    likelihoodSettings: at("likelihood_settings.json"),
  };
  try {
    Deno.writeTextFileSync(files.responses, RESPONSES);
    Deno.writeTextFileSync(files.invalidAnswers, INVALID);
    const settings = JSON.stringify({ "far/away": record, here: record });
    Deno.writeTextFileSync(files.responseSettings, settings);
    work(files, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("setAnswersAside() copies the files whole and takes out the rows of the models named", () => {
  inFolder((files, folder) => {
    const aside = join(folder, "aside");
    const names = setAnswersAside(files, ["here"], aside);
    assert.deepEqual([...names].sort(), ["invalid.csv", "responses.csv", "settings.json"]);
    assert.equal(Deno.readTextFileSync(join(aside, "responses.csv")), RESPONSES);
    assert.deepEqual(readAnswers(files).responses.map(({ model }) => model), ["far/away"]);
    // The text of a hosted model's invalid answer stays with its row.
    assert.equal(Deno.readTextFileSync(files.invalidAnswers), INVALID);
    const settings: unknown = JSON.parse(Deno.readTextFileSync(files.responseSettings));
    assert.deepEqual(settings, { "far/away": record });
  });
});

Deno.test("setAnswersAside() removes files that are left without a row", () => {
  inFolder((files, folder) => {
    setAnswersAside(files, ["here", "far/away"], join(folder, "aside"));
    for (const path of [files.responses, files.invalidAnswers, files.responseSettings]) {
      assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
    }
  });
});
