import assert from "node:assert/strict";
import { inFolder } from "../../../lib/files/testdata/folder.ts";
import {
  type Behaviour,
  type FaultPlan,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { reliabilityTable } from "../faults.ts";
import { dailyQuota, runFaultMatrix, runWithoutDns } from "./kinds.ts";
import {
  drawn,
  evaluateOnce,
  invalidPath,
  judgeRows,
  KEYS,
  knowingServer,
  knownLetter,
  knownQuestions,
  MODELS,
  ONE_BY_ONE,
  readLines,
  requireNoSecret,
  resultsPath,
  runUntilComplete,
  skippingClock,
} from "./setting.ts";

const REPORT = new URL("../../../docs/reliability.md", import.meta.url);

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
  const rows = questions.map((question) => {
    const letter = knownLetter(question.model, question.prompt);
    return `${question.row(letter)}\n`;
  });
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

/** What a run says of one model and two questions when every request meets the same fault. */
async function alwaysMeeting(behaviour: Behaviour) {
  await using server = knowingServer(() => behaviour);
  return await inFolder(async (folder) => {
    const { now, sleep } = skippingClock();
    const place = { folder, baseUrl: server.baseUrl, pairs: 1 };
    const timeoutSeconds = behaviour.kind.startsWith("hang") ? 0.1 : 30;
    const options = { models: MODELS.slice(0, 1), calls: { now, sleep, timeoutSeconds } };
    const report = await evaluateOnce(place, options);
    requireNoSecret(folder, report);
    assert.deepEqual([report.answered, report.missing], [0, 2], behaviour.kind);
    assert.deepEqual(readLines(resultsPath(folder)), [], "a fault is no row");
    assert.equal(Deno.readTextFileSync(invalidPath(folder)).trimEnd().split("\n").length, 1);
    const [ended, failed] = [report.models[0]?.ended, report.failed];
    return { ended, failed, requests: server.calls.length, now: now() };
  });
}

Deno.test("evaluateForcedChoice() tries network errors, 5xx and broken replies three times, and says what came", async () => {
  const cases: readonly (readonly [Behaviour, RegExp, requests?: number])[] = [
    [{ kind: "status", status: 498 }, /498: Flex tier capacity exceeded/],
    [{ kind: "hang" }, /no whole answer within 0\.1 s/],
    [{ kind: "cut", promised: "length" }, /broke off in the middle/],
    [{ kind: "garbage" }, /the connection failed; check the network/],
    [{ kind: "half JSON" }, /half a reply/],
    [{ kind: "html", status: 200 }, /no usable reply: an HTML page/],
    [{ kind: "no message" }, /no usable reply: choices\.0\.message/],
    // What was refused is never repeated.
    [{ kind: "too large" }, /too large.*shorten the prompt/, 2],
  ];
  for (const [behaviour, message, expected = 6] of cases) {
    const { failed, requests } = await alwaysMeeting(behaviour);
    for (const at of [0, 1]) assert.match(failed[at]?.message ?? "", message);
    assert.equal(requests, expected, JSON.stringify(behaviour));
    if (expected === 6) assert.match(failed[0]!.message, /^Cannot ask stand-in\/one: .*3 tries/);
  }
});

Deno.test("evaluateForcedChoice() ends without keys, model or quota, saying what to do or when it returns", async () => {
  const withdrawn = /stand-in\/one.*openai-compatible.*same id in data\/panels\/groq\.yaml/;
  const noKeys = (message: string) => new RegExp(`no available keys remain.*${message}`);
  const limit = { kind: "rate limit" } as const;
  /** Requests at most, of two callers with three keys; seconds until the quota returns. */
  const cases: readonly (readonly [Behaviour, RegExp, requests: number, seconds?: number])[] = [
    [{ kind: "invalid key" }, noKeys("_1 .*401.*its line of \\.env.*_2 does.*_3 does"), 4],
    [{ kind: "restricted" }, noKeys("_1 .*400.*keys of another organisation.*_3 does"), 4],
    [{ kind: "restricted", status: 403 }, noKeys("restricted its organisation \\(403"), 4],
    [{ kind: "withdrawn" }, withdrawn, 2],
    [{ kind: "unknown model" }, withdrawn, 2],
    [
      { ...limit, quota: "TPM", retryAfter: 400 },
      noKeys("_1 returns .*tokens per minute"),
      99,
      400,
    ],
    [{ ...limit, quota: "TPD", tryAgainIn: "9m38.016s" }, noKeys("tokens per day"), 99, 578],
    [{ ...limit, quota: "RPD", tryAgainIn: "5h2m" }, noKeys("requests per day"), 99, 18120],
  ];
  for (const [behaviour, message, most, seconds] of cases) {
    const { ended, failed, requests, now } = await alwaysMeeting(behaviour);
    assert.match(ended!.message, message);
    assert.doesNotMatch(ended!.message, /https?:/);
    assert.deepEqual([ended!.kind, failed], ["unavailable", []]);
    assert.ok(requests <= most, `${requests} requests: it spins`);
    if (seconds === undefined) assert.equal(ended!.returns, undefined);
    else assert.ok(Math.abs((ended!.returns!.getTime() - now) / 1000 - seconds + 2) <= 3);
  }
});

Deno.test("evaluateForcedChoice() tells a missing network from all else", async () => {
  const ended = await inFolder((folder) => runWithoutDns({ folder, pairs: 3 }));
  assert.equal(ended.length, MODELS.length);
  // Where a resolver is set that does not answer, time is up first.
  const why = /its name cannot be resolved; check that this machine has a network|no whole answer/;
  for (const message of ended) assert.match(message, why);
});

Deno.test("openKeyedCalls() asks nobody before the time that a 429 named", async () => {
  const clock = skippingClock();
  const rests = new Map<string, number>();
  const early: string[] = [];
  const plan: FaultPlan = ({ key, model, prompt, asked }) => {
    const place = `${key} ${model}`;
    if ((rests.get(place) ?? 0) > clock.now()) early.push(place);
    if (asked > 2 || drawn("early", model, prompt) % 3 > 0) return undefined;
    const retryAfter = 1 + drawn("rest", model, prompt, String(asked)) % 40;
    rests.set(place, clock.now() + retryAfter * 1000);
    return { kind: "rate limit", quota: "TPM", retryAfter, organisation: `org_${key.at(-1)}` };
  };
  await using server = knowingServer(plan);
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    await runUntilComplete(place, clock, { calls: ONE_BY_ONE });
  });
  assert.ok(server.faults() > 20, `${server.faults()} limits are too few to tell`);
  assert.deepEqual(early, []);
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

Deno.test("evaluateForcedChoice() keeps as many requests in flight as the keys allow, and no more", async () => {
  await using server = startStandInServer({ delayMs: 15 });
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    await evaluateOnce(place, { calls: { concurrencyPerKey: 3, timeoutSeconds: 30 } });
  });
  assert.equal(server.mostInFlight, 3 * KEYS.length);
});
