import assert from "node:assert/strict";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { dailyQuota, reliabilityTable, runFaultMatrix } from "./faults.ts";
import {
  evaluateOnce,
  judgeRows,
  KEYS,
  knowingServer,
  knownLetter,
  knownQuestions,
  ONE_BY_ONE,
  resultsPath,
  skippingClock,
} from "./faults/setting.ts";

const REPORT = new URL("../../docs/reliability.md", import.meta.url);

/** A Markdown table without what a formatter may change: padding, and the length of rules. */
const unpadded = (markdown: string) => markdown.replace(/ +/g, " ").replace(/-+/g, "-").trim();

Deno.test("runFaultMatrix() finds what docs/reliability.md says: faults injected, rows lost, doubled, wrong", async () => {
  const figures = await runFaultMatrix();
  for (const { kind, faults, questions, lost, doubled, wrong } of figures) {
    assert.deepEqual({ kind, lost, doubled, wrong }, { kind, lost: 0, doubled: 0, wrong: 0 });
    assert.ok(faults > 0 && questions > 0, kind);
  }
  const marked = Deno.readTextFileSync(REPORT).split(/<!-- (?:begin|end) reliability[^>]*-->/)[1];
  const found = unpadded(reliabilityTable(figures));
  assert.equal(unpadded(marked!), found, "renew it with: deno task bench faults");
});

Deno.test("judgeRows() sees what is lost, doubled, foreign, half or wrong", () => {
  const questions = knownQuestions(1);
  const rows = questions.map((question) => `${question.row(knownLetter(question))}\n`);
  const [all, first = "", second = ""] = [rows.join(""), ...rows];
  const judge = (text: string, header = "model,pair_id,order,response,correct\n") =>
    inFolder((folder) => {
      Deno.writeTextFileSync(resultsPath(folder), header + text);
      const { lost, doubled, wrong } = judgeRows(folder, questions);
      return [lost, doubled, wrong];
    });
  assert.deepEqual(judge(all), [0, 0, 0]);
  assert.deepEqual(judge(all.replace(first, "")), [1, 0, 0]);
  assert.deepEqual(judge(all + second), [0, 1, 0]);
  assert.deepEqual(judge(all.slice(0, -2)), [1, 0, 0]);
  assert.deepEqual(judge(all + first.replace("stand-in/one", "somebody")), [0, 1, 0]);
  const [letter, other] = first.includes(",A,") ? ["A", "B"] : ["B", "A"];
  const miscounted = first.replace(/True|False/, (is) => is === "True" ? "False" : "True");
  for (const wrong of [first.replace(`,${letter},`, `,${other},`), miscounted]) {
    assert.deepEqual(judge(all.replace(first, wrong)), [0, 0, 1]);
  }
  assert.deepEqual(judge("", ""), [questions.length, 0, 0]);
  assert.throws(() => judge("", "model,response\n"), /header/);
});

Deno.test("openKeyedCalls() asks nothing in a new process before the quota returns", async () => {
  const { now, sleep, skipTo } = skippingClock();
  await using server = knowingServer(dailyQuota(now));
  const options = { keys: KEYS.slice(0, 1), calls: { ...ONE_BY_ONE, now, sleep } };
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    const first = await evaluateOnce(place, options);
    const requests = server.calls.length;
    const again = await evaluateOnce(place, options);
    assert.deepEqual([server.calls.length, again.answered], [requests, 0]);
    assert.match(again.models[0]?.ended?.message ?? "", /GROQ_API_KEY_1 returns 2026-11-23 .* UTC/);
    skipTo(first.models[0]?.ended?.returns?.getTime() ?? NaN);
    assert.ok((await evaluateOnce(place, options)).answered > 0);
  });
});
