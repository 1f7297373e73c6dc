import assert from "node:assert/strict";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { largerJudges } from "../../lib/studies/factuality/robustness/panel.ts";
import { trustedJudges } from "../../lib/studies/factuality/evaluation.ts";
import { exitCodeOf } from "../command.ts";
import { TASK } from "./compare.ts";
import { largerPanel, studyPanel } from "./components.ts";
import { TASK as ROBUSTNESS } from "./robustness.ts";

Deno.test("--large asks a judge that was measured above chance, under names that are unique in the study", async () => {
  const names = largerPanel().groups.flatMap((group) => group.names);
  assert.deepEqual(names, largerJudges());
  const others = studyPanel().groups.flatMap((group) => group.names);
  assert.ok(names.length > 0 && names.every((name) => !others.includes(name)));
  assert.ok(names.every((name) => trustedJudges().has(name)));
  assert.ok(others.every((name) => !trustedJudges().has(name)));
  // Its answers come as they do by the word `large` in anybody's configuration.
  const { judges } = readConfiguration(FACTUALITY_PATHS.largerJudge);
  assert.deepEqual(judges.map(({ kind, weight }) => [kind, weight]), [["gguf", undefined]]);
  for (const words of [["--human"], ["--cases", "file:x.csv"], ["--config", "x.yaml"]]) {
    assert.equal(await exitCodeOf(TASK, ["--large", ...words]), 1);
  }
  assert.equal(await exitCodeOf(ROBUSTNESS, ["--large", "--config", "x.yaml"]), 1);
});
