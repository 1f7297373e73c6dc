import assert from "node:assert/strict";
import { join } from "node:path";
import { readProfileJson } from "../../lib/factuality/metrics/profile.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { FACTCHECK } from "../factcheck.ts";
import { TASK as ABSTENTION } from "./abstention.ts";
import { TASK as UNCERTAINTY } from "./uncertainty.ts";
import { TASK as JUDGES } from "./train/judges.ts";

const jsonl = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const TOWNS = ["Harrow", "Tarn", "Bodor", "Curr", "Elm", "Farn", "Gorse", "Holt", "Inch", "Jarl"];
const source = (town: string) => `The library of ${town} opened in 1911. It holds 84,000 volumes.`;

/** Commands of docs/fact_checking_rates.md, "A profile with all parts", one after the other. */
Deno.test("Requirement 19.2: a judge measured, a model asked and its answers checked make a profile of high reliability", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer({ prompt }) {
        // Examples stand before the statement that is asked about.
        const [, ...statements] = prompt.split("Statement:");
        const last = statements.at(-1);
        if (last !== undefined) return /12,000|in 1950/.test(last) ? "false" : "true";
        return /Lake Vorn/.test(prompt) ? "I do not know of it." : "It is in Harrow.";
      },
    });
    const path = (name: string) => join(folder, name);
    const write = (name: string, text: string) => Deno.writeTextFileSync(path(name), text);
    const served = `kind: openai-compatible, licence: MIT, baseUrl: "${server.openAiBaseUrl}"`;
    const configure = (more = "") =>
      write(
        "own.yaml",
        `name: own\nverifier: default\njudgeClaims: true\n${more}` +
          `judges: [{ id: judge, readout: next-token, ${served} }]\nmodels: [{ id: mine, ${served} }]\n`,
      );
    configure();
    const cases = TOWNS.flatMap((town) => [
      { claim: `The library of ${town} opened in 1911.`, source: source(town), label: "supported" },
      { claim: `The library of ${town} opened in 1950.`, source: source(town), label: "refuted" },
    ]);
    write("cases.jsonl", jsonl(cases));
    write(
      "queries.jsonl",
      jsonl([
        { query: "Where is the library of 1911?", answerable: true },
        { query: "Where is Lake Vorn?", answerable: false },
      ]),
    );
    write(
      "answers.jsonl",
      jsonl(TOWNS.map((town, at) => ({
        system: "mine",
        id: town,
        source: source(town),
        candidate: `The library of ${town} opened in 1911. The library of ${town} holds ${
          at === 3 ? "12,000" : "84,000"
        } volumes.`,
      }))),
    );
    const own = ["--config", path("own.yaml")];
    const run = async (task: Parameters<typeof exitCodeOf>[0], ...words: readonly string[]) =>
      assert.equal(await exitCodeOf(task, [...own, ...words]), EXIT.done, words.join(" "));
    await run(JUDGES, "--cases", path("cases.jsonl"), "--out", path("judges"));
    configure("judgeCalibration: judges/judge_calibration.json\n");
    const queries = ["--queries", path("queries.jsonl")];
    await run(UNCERTAINTY, ...queries, "--out", path("unsure"));
    await run(ABSTENTION, ...queries, "--out", path("declined"));
    const batch = ["--batch", path("answers.jsonl"), "--out", path("out")];
    await run(FACTCHECK, ...batch);
    const profile = () => readProfileJson(Deno.readTextFileSync(path("out/profile.json")), "x")[0]!;
    const level = () => {
      const { reliability } = profile();
      return reliability.kind === "reliability"
        ? [reliability.level, reliability.reasons]
        : [reliability.reason];
    };
    assert.deepEqual(level(), ["medium", ["Uncertainty is not known"]]);
    const more = ["--uncertainty", path("unsure/uncertainty.csv")];
    await run(FACTCHECK, ...batch, ...more, "--abstention", path("declined/abstention.csv"));
    assert.deepEqual(level(), ["high", []]);
    const { mihr, fleissKappa, uncertainty, falseAcceptance } = profile().metrics;
    const found = [mihr, fleissKappa, uncertainty, falseAcceptance]
      .map((metric) => metric.kind === "measured" ? metric.estimate : metric.reason);
    assert.deepEqual(found, [0.05, 1, 0, 0]);
  }));
