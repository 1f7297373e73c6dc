import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import {
  parseEvaluationConfiguration,
  serverCalibrationPath,
} from "../../../lib/factuality/check/configuration.ts";
import { ComponentsError, openComponents } from "../../../lib/factuality/check/components.ts";
import { sourcePassage } from "../../../lib/factuality/types.ts";
import { calibratedModel } from "../../../lib/factuality/verifiers/prompted.ts";
import { inFolder } from "../../../lib/files/testdata/folder.ts";
import { startStandInServer } from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../../command.ts";
import { fittedWords, TASK } from "./verifier.ts";

Deno.test("Requirement 12.3: the line that train verifier prints names the head wherever it is pasted, and few claims are said to be few", () => {
  const path = resolve("/my heads/verifier_weights.json");
  const said = fittedWords(path, 60);
  const line = said.split("\n").find((one) => one.startsWith("verifier: "));
  const { verifier } = parseEvaluationConfiguration(`name: own\n${line}\n`, "/elsewhere/own.yaml");
  assert.equal("path" in verifier && verifier.path, path);
  assert.match(
    said,
    /^60 labelled claims are few for \d+ inputs: .* factcheck compare --cases FILE$/m,
  );
  for (const enough of [undefined, 300]) assert.doesNotMatch(fittedWords(path, enough), /few/);
});

Deno.test("train verifier takes no set of yours for claims with silent sources", () =>
  inFolder(async (folder) => {
    const cases = join(folder, "own.csv");
    Deno.writeTextFileSync(
      cases,
      "claim,evidence,label,set\nIt rains.,It rains in Oslo.,supported,silent\n",
    );
    const said: string[] = [];
    const before = console.error;
    console.error = (text: string) => void said.push(text);
    try {
      const given = ["--cases", cases, "--no-made", "--folder", folder];
      assert.equal(await exitCodeOf(TASK, given), EXIT.failed);
    } finally {
      console.error = before;
    }
    assert.match(said.at(-1)!, /own\.csv is called “silent”, .* Give it another name\.$/);
  }));

/** Twelve towns with a supported, a refuted and an undecided claim each. */
const ROWS = Array.from({ length: 12 }, (_, i) => [
  `Town ${i} has ten mills.,Town ${i} has ten mills.,supported,town ${i}`,
  `Town ${i} has two mills.,Town ${i} has ten mills.,refuted,town ${i}`,
  `Town ${i} has a harbour.,Town ${i} has ten mills.,not enough info,town ${i}`,
]).flat();

Deno.test("Requirement 2.2: a language model on a server is calibrated on claims of one's own; a configuration that names the result uses and tells it, and one of another prompt or other weights does not", () =>
  inFolder(async (folder) => {
    let isDown = true;
    await using server = startStandInServer({
      plan: ({ body }) =>
        isDown && /Town 7/.test(JSON.stringify(body)) ? { kind: "status", status: 400 } : undefined,
      answer({ body }) {
        const prompt = JSON.stringify(body);
        // It is wrong of two towns, so that it is not certain of any.
        if (/Town (?:3|8) has two/.test(prompt)) return "True";
        if (/has two|12,000/.test(prompt)) return "False";
        return /harbour/.test(prompt) ? "Unknown" : "True";
      },
    });
    const [config, cases, out] = ["own.yaml", "mine.csv", "out"].map((name) =>
      join(folder, name)
    ) as [string, string, string];
    const configure = (more: string) =>
      Deno.writeTextFileSync(
        config,
        `name: own\nverifier: { kind: prompted-server, id: mine, model: host/m, licence: MIT, ` +
          `baseUrl: "${server.openAiBaseUrl}"${more} }\n`,
      );
    configure("");
    // As a spreadsheet saves it where the comma is in numbers.
    const table = ["claim,source,label,cluster", ...ROWS].join("\n").replaceAll(",", ";");
    Deno.writeTextFileSync(cases, table);
    const words = ["--config", config, "--cases", cases, "--out", out];
    assert.equal(await exitCodeOf(TASK, words), EXIT.incomplete);
    isDown = false;
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    const asked = server.calls.length;
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    assert.equal(server.calls.length, asked);

    const options = { cacheDirectory: join(folder, "cache"), threads: 1 };
    const file = "calibration: out/verifier_calibration.json";
    configure(`, ${file}`);
    {
      await using components = await openComponents(config, options);
      const { verifier, problems } = components;
      const message =
        /was calibrated on 36 of claims of mine\.csv: balanced accuracy 0\.9\d \(0\.\d\d to/;
      assert.match(problems.join("\n"), message);
      const claim = "Town 1 has ten mills.";
      const [verdict] = await verifier.verify([claim], [sourcePassage(claim)]);
      assert.ok(verdict?.kind === "scored");
      // Of fourteen claims that it calls supported twelve are: not the certainty that its word has.
      const { supported } = verdict.probabilities;
      assert.ok(supported > 0.75 && supported < 0.95, `${supported}`);
      assert.equal(verifier.settings["calibrated"], true);
    }
    const refusal = async () => {
      const error = await openComponents(config, options).catch((error) => error);
      assert.ok(error instanceof ComponentsError);
      return error.problems[0]!;
    };
    configure(`, ${file}, prompt: verdict_letters`);
    assert.match(await refusal(), /with prompt verdict_words, and verdict_letters is asked\. Run /);
    configure(`, ${file}`);
    const path = join(out, "verifier_calibration.json");
    const { weights, ...older } = JSON.parse(Deno.readTextFileSync(path));
    assert.equal(weights, "host/m");
    Deno.writeTextFileSync(path, JSON.stringify({ ...older, weights: "Q8_0" }));
    assert.match(
      await refusal(),
      /fitted with weights Q8_0, and host\/m is asked\. Run "deno task/,
    );
    Deno.writeTextFileSync(path, JSON.stringify(older));
    assert.match(
      await refusal(),
      /does not name the weights\. Run "deno task factcheck train verifier/,
    );
    const model = { fileSha256: "ab", precision: "shipped", contextTokens: 2048 };
    assert.deepEqual(calibratedModel(model), { model: "ab", weights: "shipped" });
    Deno.writeTextFileSync(config, "name: own\nverifier: default\n");
    assert.equal(await exitCodeOf(TASK, words), EXIT.failed);
  }));

Deno.test("Requirement 2.2: a server's model that one line names is calibrated on claims of one's own, and that is found again by the line", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer({ body }) {
        const prompt = JSON.stringify(body);
        if (!prompt.includes("Answer with JSON")) return "True";
        const answer = /harbour/.test(prompt) ? "Unknown" : /two/.test(prompt) ? "False" : "True";
        const confidence = /Town (?:3|8) /.test(prompt) ? 50 : 90;
        return JSON.stringify({ answer, confidence });
      },
    });
    const cases = join(folder, "mine.csv");
    Deno.writeTextFileSync(cases, ["claim,source,label,cluster", ...ROWS].join("\n"));
    const [address, model] = [server.openAiBaseUrl, "host/m"];
    const kept = serverCalibrationPath(`${address} ${model}`);
    try {
      const words = ["--verifier", address, "--model", model, "--cases", cases];
      assert.equal(await exitCodeOf(TASK, words), EXIT.done);
      const line = `${address} ${model}`;
      const { verifier } = parseEvaluationConfiguration("name: own\n", "own.yaml", line);
      assert.equal(verifier.kind === "prompted-server" && verifier.calibration, kept);
      const { measured } = JSON.parse(Deno.readTextFileSync(kept));
      assert.deepEqual([measured.n, measured.balancedAccuracy], [36, 1]);
    } finally {
      Deno.removeSync(dirname(kept), { recursive: true });
    }
    assert.equal(await exitCodeOf(TASK, ["--verifier", address, "--cases", cases]), EXIT.failed);
    assert.equal(await exitCodeOf(TASK, ["--model", model, "--cases", cases]), EXIT.failed);
  }));
