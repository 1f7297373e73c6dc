import { inFolder } from "../../../lib/files/testdata/folder.ts";
import assert from "node:assert/strict";
import { judgeRows } from "./run_scenario.ts";
import { outcomesOf } from "./scenarios.ts";
import { knownQuestions, resultsPath } from "./setting.ts";

const QUESTIONS = knownQuestions(1);
const HEADER = "model,pair_id,order,response,correct\n";

const row = ({ model, pairId, order, letter }: (typeof QUESTIONS)[number]) =>
  `${model},${pairId},${order},${letter},${order.startsWith(letter) ? "True" : "False"}\n`;

const ROWS = QUESTIONS.map(row);
const [FIRST = "", SECOND = ""] = ROWS;

async function judge(text: string) {
  return await inFolder((folder) => {
    Deno.writeTextFileSync(resultsPath(folder), text);
    return Promise.resolve(judgeRows(folder, outcomesOf(QUESTIONS)));
  });
}

Deno.test("judgeRows() sees what is lost, doubled, foreign, half or wrong", async () => {
  const all = ROWS.join("");
  const none = { lost: 0, doubled: 0, wrong: 0 };
  assert.deepEqual(await judge(HEADER + all), none);
  assert.deepEqual(await judge(HEADER + all.replace(FIRST, "")), { ...none, lost: 1 });
  assert.deepEqual(await judge(HEADER + all + SECOND), { ...none, doubled: 1 });
  assert.deepEqual(await judge(HEADER + all.slice(0, -2)), { ...none, lost: 1 });
  const foreign = FIRST.replace("stand-in/one", "somebody");
  assert.deepEqual(await judge(HEADER + all + foreign), { ...none, doubled: 1 });
  const [letter, other] = FIRST.includes(",A,") ? ["A", "B"] : ["B", "A"];
  const flipped = FIRST.replace(`,${letter},`, `,${other},`);
  assert.deepEqual(await judge(HEADER + all.replace(FIRST, flipped)), { ...none, wrong: 1 });
  const miscounted = FIRST.replace(/True|False/, (is) => is === "True" ? "False" : "True");
  assert.deepEqual(await judge(HEADER + all.replace(FIRST, miscounted)), { ...none, wrong: 1 });
  assert.deepEqual(await judge(""), { ...none, lost: QUESTIONS.length });
  await assert.rejects(judge("model,response\n"), /header/);
});
