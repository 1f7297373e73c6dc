import assert from "node:assert/strict";
import { join } from "node:path";
import { openComponents } from "../../../lib/factuality/check/components.ts";
import { JUDGE_SCORES } from "../../../lib/factuality/own/training/tables.ts";
import { inFolder } from "../../../lib/files/testdata/folder.ts";
import {
  type Behaviour,
  type StandInCall,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../../command.ts";
import { renewEntries, TASK } from "./judges.ts";

Deno.test("renewEntries() leaves each judge in its place, whichever was measured last", () => {
  type Entries = Parameters<typeof renewEntries>[0];
  const entry = (id: string, unscored: number) => ({ id, prompt: "p", unscored });
  const entries = (...some: ReturnType<typeof entry>[]) => some as unknown as Entries;
  const renewed = renewEntries(entries(entry("a", 0), entry("b", 0)), entries(entry("a", 1)));
  assert.deepEqual(renewed, [entry("a", 1), entry("b", 0)]);
});

Deno.test("Requirement 1.2: a judge on a server is measured on labelled claims, both of one's own, and a configuration that names the result gives it its weight", () =>
  inFolder(async (folder) => {
    // One that does not answer is measured by nothing, and asked again.
    let plan = (_call: StandInCall): Behaviour => ({ kind: "status", status: 400 });
    await using server = startStandInServer({ plan: (call) => plan(call) });
    const at = (name: string) => join(folder, name);
    Deno.writeTextFileSync(
      at("own.yaml"),
      "name: own\nverifier: { kind: overlap }\njudgeCalibration: out/judge_calibration.json\n" +
        "judges: [{ id: served, model: host/m, kind: openai-compatible, readout: next-token, " +
        `licence: MIT, baseUrl: "${server.openAiBaseUrl}" }]\n`,
    );
    const rows = Array.from({ length: 12 }, (_, i) => {
      const [number, label] = i % 2 === 0 ? ["ten", "yes"] : ["two", "no"];
      return `Town ${i} has ${number} mills.,Town ${i} has ten mills.,${label}`;
    });
    Deno.writeTextFileSync(at("mine.csv"), `claim,source,label\n${rows.join("\n")}\n`);
    const words = ["--config", at("own.yaml"), "--cases", at("mine.csv"), "--out", at("out")];
    const scores = JUDGE_SCORES.at(at("out/judge_scores.csv"));
    assert.equal(await exitCodeOf(TASK, words), EXIT.incomplete);
    assert.deepEqual(scores.readSoFar().rows, []);
    plan = ({ body }) => {
      const isRight = /Statement: Town \d+ has ten/.test(JSON.stringify(body));
      return { kind: "answer", text: isRight ? "true" : "false" };
    };
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    assert.equal(scores.read().length, 12);
    const options = { cacheDirectory: at("cache"), threads: 1 };
    await using components = await openComponents(at("own.yaml"), options);
    const [judge] = components.judges;
    const { balancedAccuracy, n, on } = judge!.measured!;
    assert.deepEqual([balancedAccuracy, n, on, judge!.weight], [1, 12, "claims of mine.csv", 1]);
  }));
