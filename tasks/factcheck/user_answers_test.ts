import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { USER_ANSWERS } from "../../lib/factuality/own/user_queries.ts";
import { USER_OUTCOMES, USER_UNCERTAINTIES } from "../../lib/factuality/own/query_measures.ts";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { exitCodeOf } from "../command.ts";
import { TASK as ABSTENTION } from "./abstention.ts";
import { TASK } from "./uncertainty.ts";

Deno.test("factcheck uncertainty asks a user's own server, keeps what came, and is incomplete until all did", () =>
  inFolder(async (folder) => {
    let isDown = true;
    await using server = startStandInServer({
      answer: ({ prompt, asked }) => prompt.startsWith("Who") ? "It is Ann." : `It is ${asked}.`,
      plan: ({ prompt }) =>
        isDown && prompt.startsWith("How") ? { kind: "status", status: 400 } : undefined,
    });
    const write = (name: string, text: string) => {
      Deno.writeTextFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const config = write(
      "own.yaml",
      `name: own\nverifier: { kind: overlap }\nmodels:\n- { id: mine, kind: openai-compatible, ` +
        `baseUrl: "${server.openAiBaseUrl}", licence: MIT }\n`,
    );
    const queries = write(
      "mine.jsonl",
      '{"id":"w","query":"Who?"}\n{"id":"h","query":"How many?"}\n',
    );
    const out = join(folder, "out");
    const run = (...more: readonly string[]) =>
      exitCodeOf(TASK, [
        "--config",
        config,
        "--queries",
        queries,
        "--out",
        out,
        "--samples",
        "3",
        ...more,
      ]);
    const rows = () => USER_UNCERTAINTIES.at(join(out, "uncertainty.csv")).read();
    assert.equal(await run(), 3);
    assert.deepEqual(rows().map((row) => [row.query_id, row.uncertainty]), [["w", 0]]);
    const { length: before } = server.calls;
    isDown = false;
    assert.equal(await run(), 0);
    // Requests with log-probabilities, which this server refuses, are not among its calls.
    assert.equal(server.calls.length - before, 3);
    assert.deepEqual(rows().map((row) => [row.query_id, row.high]), [["w", false], ["h", true]]);
    assert.equal(USER_ANSWERS.at(join(out, "answers.csv")).read().length, 6);
    assert.equal(await run("--only", "nobody"), 1);
    assert.equal(await run("--large"), 1);
    assert.equal(await exitCodeOf(TASK, ["--config", config]), 1);
    assert.equal(await run("--answers", queries), 1);
  }));

Deno.test("factcheck abstention --concepts asks the models of --config, n of each kind at random", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer: ({ prompt }) => /Lake Ann/.test(prompt) ? "It is in Norway." : "I do not know of it.",
    });
    const [config, concepts, out] = ["own.yaml", "concepts.jsonl", "out"]
      .map((name) => join(folder, name)) as [string, string, string];
    Deno.writeTextFileSync(
      config,
      `name: own\nverifier: { kind: overlap }\nmodels:\n- { id: mine, kind: openai-compatible, ` +
        `baseUrl: "${server.openAiBaseUrl}", licence: MIT }\n`,
    );
    const lines = [["Lake Ann", true], ["Lake Bodor", false], ["Lake Curr", false]].map((
      [name, exists],
    ) => JSON.stringify({ prompt: `Where is ${name}?`, exists, category: "lakes" }));
    Deno.writeTextFileSync(concepts, lines.join("\n"));
    const words = ["--config", config, "--concepts", concepts, "--out", out, "--draw", "2"];
    assert.equal(await exitCodeOf(ABSTENTION, words), 0);
    const outcomes = USER_OUTCOMES.at(join(out, "abstention.csv")).read();
    assert.deepEqual(
      outcomes.map(({ model, outcome }) => [model, outcome]),
      [["mine", "answer"], ["mine", "correct refusal"]],
    );
    assert.ok(server.calls.every(({ prompt }) => /you do not know|decline|not sure/i.test(prompt)));
    assert.equal(await exitCodeOf(ABSTENTION, [...words, "--train"]), 1);
  }));
