import assert from "node:assert/strict";
import { join } from "node:path";
import { openComponents } from "../../lib/factuality/evaluate/open.ts";
import { JUDGE_SCORES } from "../../lib/factuality/training/tables.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import {
  type Behaviour,
  type StandInCall,
  startStandInServer,
} from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { calibrationClaims, TASK } from "./judges.ts";

Deno.test("calibrationClaims() refuses a number that quarters would not be whole of", async () => {
  await assert.rejects(calibrationClaims(10), /Cannot draw 10 claims: .* take a multiple of 4/);
});

/** Measures a judge on a server by claims of a file, both the user's own. */
const measuring = (
  work: (world: {
    readonly measure: () => Promise<number>;
    readonly folder: string;
    readonly say: (behaviour: (call: StandInCall) => Behaviour) => void;
  }) => Promise<void>,
) =>
  inFolder(async (folder) => {
    let plan: (call: StandInCall) => Behaviour = () => ({ kind: "answer", text: "true" });
    await using server = startStandInServer({ plan: (call) => plan(call) });
    const [config, cases, out] = ["own.yaml", "mine.csv", "out"].map((name) => join(folder, name));
    Deno.writeTextFileSync(
      config!,
      "name: own\nverifier: { kind: overlap }\njudgeCalibration: out/judge_calibration.json\n" +
        "judges: [{ id: served, model: host/m, kind: openai-compatible, readout: next-token, " +
        `licence: MIT, baseUrl: "${server.openAiBaseUrl}" }]\n`,
    );
    const rows = Array.from({ length: 12 }, (_, i) => {
      const label = i % 2 === 0 ? "yes" : "no";
      return `Town ${i} has ${
        i % 2 === 0 ? "ten" : "two"
      } mills.,Town ${i} has ten mills.,${label}`;
    });
    Deno.writeTextFileSync(cases!, `claim,source,label\n${rows.join("\n")}\n`);
    const words = ["--config", config!, "--cases", cases!, "--out", out!];
    const measure = () => exitCodeOf(TASK, words);
    await work({ measure, folder, say: (behaviour) => plan = behaviour });
  });

Deno.test("Requirement 1.2: a judge on a server is measured on labelled claims, both of one's own, and a configuration that names the result gives it its weight", () =>
  measuring(async ({ measure, folder, say }) => {
    const scores = JUDGE_SCORES.at(join(folder, "out", "judge_scores.csv"));
    // One that does not answer is measured by nothing, and asked again.
    say(() => ({ kind: "status", status: 400, message: "out of order" }));
    assert.equal(await measure(), EXIT.incomplete);
    assert.deepEqual(scores.readSoFar().rows, []);
    say(({ body }) => {
      const isRight = /Statement: Town \d+ has ten/.test(JSON.stringify(body));
      return { kind: "answer", text: isRight ? "true" : "false" };
    });
    assert.equal(await measure(), EXIT.done);
    assert.equal(scores.read().length, 12);
    const options = { cacheDirectory: join(folder, "cache"), threads: 1 };
    await using components = await openComponents(join(folder, "own.yaml"), options);
    const [judge] = components.judges;
    const { balancedAccuracy, n, on } = judge!.measured!;
    assert.deepEqual([balancedAccuracy, n, on], [1, 12, "claims of mine.csv"]);
    assert.equal(judge?.weight, 1);
  }));
