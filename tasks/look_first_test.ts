/** Commands read all their inputs before anything is fetched, installed, loaded or made. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { exitCodeOf, type Runnable } from "./command.ts";
import { TASK as SPEED } from "./bench/speed.ts";
import { TASK as ABSTENTION } from "./studies/abstention.ts";
import { TASK as COMPARE } from "./studies/compare.ts";
import { TASK as RESPOND } from "./studies/respond.ts";
import { TASK as ROBUSTNESS } from "./studies/robustness.ts";
import { TASK as UNCERTAINTY } from "./studies/uncertainty.ts";
import { TASK as OWN_ROBUSTNESS } from "./factcheck/robustness.ts";
import { TASK as JUDGES } from "./factcheck/train/judges.ts";
import { TASK as NETWORK } from "./factcheck/train/network.ts";
import { TASK as VERIFIER } from "./factcheck/train/verifier.ts";

const ROOT = join(import.meta.dirname!, "..");
const CASES = join(import.meta.dirname!, "testdata", "labelled_claims.csv");

const LINES: readonly (readonly [Runnable, string])[] = [
  [NETWORK, "--cases nosuch"],
  [NETWORK, `--cases ${CASES} --development nosuch`],
  [NETWORK, `--cases ${CASES} --development ${CASES} --rates nosuch`],
  [NETWORK, `--cases ${CASES} --development ${CASES} --from nosuch`],
  [VERIFIER, "--cases nosuch"],
  [VERIFIER, "--config nosuch --cases nosuch"],
  [JUDGES, "--config nosuch"],
  [JUDGES, "--cases nosuch"],
  [COMPARE, "--human --folder nosuch"],
  [COMPARE, "--cases file:nosuch"],
  [COMPARE, "--config nosuch"],
  [COMPARE, "--only nosuch"],
  [RESPOND, "--config nosuch"],
  [ROBUSTNESS, "--config nosuch"],
  [OWN_ROBUSTNESS, `--candidate ${CASES} --source ${CASES} --config nosuch`],
  [UNCERTAINTY, "--only nosuch"],
  [ABSTENTION, "--only nosuch"],
  [ABSTENTION, "--concepts nosuch"],
  [SPEED, "--pairs nosuch"],
  [SPEED, "--model nosuch"],
];

for (const [command, line] of LINES) {
  Deno.test({
    name: `${command.name()} ${line.replaceAll(CASES, "FILE")} is refused before anything slow`,
    // The cache with packages, models and environments of Python is out of reach, as are Python and hosts.
    permissions: { read: [join(ROOT, "data"), join(ROOT, "tasks"), "nosuch"], env: true },
    async fn() {
      const { error } = console;
      const said: unknown[] = [];
      console.error = (...words) => said.push(...words);
      const code = await exitCodeOf(command, line.split(" ")).finally(() => console.error = error);
      assert.equal(code, 1);
      assert.match(said.join("\n"), /nosuch/);
    },
  });
}
