import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { evaluate } from "../check/check.ts";
import type { EvaluationComponents } from "../check/components.ts";
import { components, countingClock, judgement } from "../check/testdata/fakes.ts";
import { literalVerifier, scriptedJudge, scriptedRetriever } from "../check/testdata/fakes.ts";
import { BATCH_FILES, evaluateBatch, openResults, sharedComponents } from "./evaluate_batch.ts";
import { configurationSha256, lockFolder, writeDiagnosis } from "../check/stored_answers.ts";
import { killedRequests } from "./testdata/kill_batch.ts";

Deno.test("Requirement 9.4: a diagnosis says what, where and with what, without keys and addresses", () =>
  inFolder((folder) => {
    const place = { at: new Date("2026-11-22T12:00:00Z"), request: "r1", stage: "judging" };
    const error = new Error("Bearer abc123 refused at 10.0.0.1:80\nsecond line");
    const path = join(folder, "diagnosis.json");
    writeDiagnosis(path, error, place, { components: components(), versions: { deno: "2.9.6" } });
    const text = Deno.readTextFileSync(path);
    for (const part of ["judging", "r1", "literal", "2.9.6", "evaluate_batch_test.ts"]) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, /abc123|10\.0\.0\.1/);
    // A disk that fails costs no further error.
    writeDiagnosis(join(path, "x"), error, place, { components: components(), versions: {} });
  }));

Deno.test("Requirement 5.1: whatever waits, no judge is asked more at once than it bears, each once and in order", async () => {
  const counts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(counts, fc.integer({ min: 1, max: 4 }), async (turns, concurrency) => {
      let [now, most] = [0, 0];
      const judge = scriptedJudge("one", async ({ judgedText }) => {
        most = Math.max(most, ++now);
        for (let turn = 0; turn < Number(judgedText); turn++) await Promise.resolve();
        now -= 1;
        if (judgedText === "3") throw new Error("x");
        return judgement(1);
      });
      const shared = sharedComponents(components({ judges: [{ ...judge, concurrency }] }));
      const results = await Promise.allSettled(
        turns.map((count, index) =>
          shared.judges[0]!.judge({ template: `${index}`, values: {}, judgedText: `${count}` })
        ),
      );
      assert.deepEqual(judge.asked.map(({ template }) => template), [...turns.keys()].map(String));
      assert.equal(most, Math.min(concurrency, turns.length));
      const failed = results.filter(({ status }) => status === "rejected").length;
      assert.equal(failed, turns.filter((count) => count === 3).length);
    }),
  );
});

Deno.test("Requirement 9.2: waiting for another text's turn is no part of a time limit", async () => {
  const slow: typeof literalVerifier = {
    ...literalVerifier,
    async verify(...asked) {
      await new Promise((done) => setTimeout(done, 60));
      return await literalVerifier.verify(...asked);
    },
  };
  const limited = components({ verifier: slow, timeLimits: { verifier: 0.15 } });
  const shared = sharedComponents(limited);
  const requests = ["a", "b", "c", "d", "e"].map((id) => (
    { id, source: "Elk swim.", candidate: "Elk swim.", question: "" }
  ));
  const clock = countingClock();
  const results = await Promise.all(requests.map((one) => evaluate(one, shared, { clock })));
  assert.deepEqual(results.flatMap(({ problems }) => problems), []);
});

const REQUESTS = ["a", "b", "c"].map((id) => (
  { id, source: "Elk swim.", candidate: `Elk swim. ${id}.`, question: "" }
));
const HASH = configurationSha256(components());
const [RESULT_A, RESULT_B] = await Promise.all(
  REQUESTS.map((one) => evaluate(one, components(), { clock: countingClock() })),
);

/** Runs with a file that holds the first result, and its text. */
const withResults = (work: (path: string, whole: string) => void | Promise<void>) =>
  inFolder((folder) => {
    const path = join(folder, "results.jsonl");
    openResults(path, REQUESTS, HASH).put(RESULT_A!);
    return work(path, Deno.readTextFileSync(path));
  });

Deno.test("Requirement 9.4: results are read as they were; a line that a kill cut anywhere is set aside and asked for again", () =>
  withResults((path, whole) => {
    openResults(path, REQUESTS, HASH).put(RESULT_B!);
    assert.deepEqual([...openResults(path, REQUESTS, HASH).rows.values()], [RESULT_A, RESULT_B]);
    const both = Deno.readTextFileSync(path);
    for (let length = whole.length + 1; length < both.length - 1; length += 97) {
      Deno.writeTextFileSync(path, both.slice(0, length));
      assert.deepEqual([...openResults(path, REQUESTS, HASH).rows.keys()], ["a"]);
      assert.equal(Deno.readTextFileSync(path), whole);
    }
    assert.match(Deno.readTextFileSync(path.replace(".jsonl", ".damaged.jsonl")), /(?:.+\n){5}/);
    // Edited by hand: no evaluation, or of another text.
    for (const [from, to] of [['"mode":"source"', '"mode":"sauce"'], ["swim. a", "fly. a"]]) {
      Deno.writeTextFileSync(path, whole.replace(from!, to!));
      assert.equal(openResults(path, REQUESTS, HASH).rows.size, 0);
    }
  }));

Deno.test("going on with another text, configuration or version is refused with what to do, and so is a full disk", () =>
  withResults((path, whole) => {
    const other = [{ ...REQUESTS[0]!, candidate: "Elk fly." }];
    assert.throws(() => openResults(path, other, HASH), /"a" was .* with another text\. Choose/);
    assert.throws(() => openResults(path, REQUESTS, "x"), /with another configuration/);
    Deno.writeTextFileSync(path, whole.replace('"schemaVersion":2', '"schemaVersion":3'));
    assert.throws(() => openResults(path, REQUESTS, HASH), /another version of Touchstone/);
    Deno.removeSync(path);
    const file = openResults(path, REQUESTS, HASH);
    Deno.mkdirSync(path);
    assert.throws(() => file.put(RESULT_A!), /the result of "a" in .*results\.jsonl: .*make room/);
  }));

Deno.test("configurationSha256() sees every setting, and not their order", () => {
  const named = (settings: Record<string, number>) =>
    configurationSha256(components({ verifier: { ...literalVerifier, settings } }));
  assert.equal(named({ a: 1, b: 2 }), named({ b: 2, a: 1 }));
  assert.equal(named({ a: 1, threads: 2 }), named({ threads: 4, a: 1 }));
  assert.notEqual(named({ a: 1, b: 2 }), named({ a: 1, b: 3 }));
  assert.notEqual(configurationSha256(components({ judgeClaims: true })), HASH);
});

const batchIn = (folder: string, given: Partial<EvaluationComponents> = {}) => ({
  folder,
  requests: killedRequests(6),
  components: components(given),
  concurrency: 1,
  clock: countingClock(),
  seed: 1,
  versions: { deno: "2.9.6" },
});

Deno.test("Requirement 5: a batch leaves results, summary and tables, a second run does nothing again, and no second process at once", () =>
  inFolder(async (folder) => {
    const read = (name: keyof typeof BATCH_FILES) =>
      Deno.readTextFileSync(join(folder, BATCH_FILES[name]));
    const held = lockFolder(folder);
    await assert.rejects(evaluateBatch(batchIn(folder)), /another process evaluates a batch there/);
    held[Symbol.dispose]();
    const first = await evaluateBatch(batchIn(folder));
    assert.deepEqual([first.evaluated, first.failed, first.resumed], [6, 0, 0]);
    assert.equal(first.summary.claims.supported, 2);
    const results = read("results");
    const second = await evaluateBatch(batchIn(folder));
    assert.deepEqual([second.evaluated, second.resumed], [0, 6]);
    assert.equal(read("results"), results);
    assert.equal(read("claims").trim().split("\n").length, 7);
    assert.match(read("report"), /6 of 6 requests/);
  }));

Deno.test("Requirement 5.2, 5.4: whatever fails and was done before, every request has a result or a failure, never both", async () => {
  // No judge answers so: the evaluation cannot be made.
  const broken = { ...judgement(50), flagged: undefined as never };
  const answer = (text: string) => Promise.resolve(text === "" ? judgement(50) : broken);
  const judge = scriptedJudge("one", ({ judgedText }) => answer(judgedText));
  const kinds = fc.array(fc.constantFrom("good", "bad", "done"), { maxLength: 8 });
  const property = (kinds: readonly string[], concurrency: number) =>
    inFolder(async (folder) => {
      const requests = kinds.map((kind, index) => {
        const candidate = kind === "bad" ? "Elk swim." : "";
        return { id: `${kind} ${index}`, source: "", candidate, question: "" };
      });
      const all = { ...batchIn(folder, { judges: [judge] }), concurrency };
      const of = (kind: string) => requests.filter(({ id }) => id.startsWith(kind));
      await evaluateBatch({ ...all, requests: of("done") });
      const end = await evaluateBatch({ ...all, requests });
      const [good, bad, done] = ["good", "bad", "done"].map((kind) => of(kind).length);
      assert.deepEqual([end.evaluated, end.failed, end.resumed], [good, bad, done]);
      const digest = configurationSha256(all.components);
      const { rows } = openResults(join(folder, BATCH_FILES.results), requests, digest);
      assert.equal(rows.size, good! + done!);
      if (bad === 0) return;
      const log = Deno.readTextFileSync(join(folder, BATCH_FILES.failures));
      assert.match(log, /"request":"bad \d","stage":"report","message":/);
    });
  const atOnce = fc.integer({ min: 1, max: 5 });
  await fc.assert(fc.asyncProperty(kinds, atOnce, property), { numRuns: 30 });
});

Deno.test("labels of another batch are refused after the reports are written", () =>
  inFolder(async (folder) => {
    const row = { evaluation: "r9", claim: "c1", text: "Elk ski.", source: "" };
    const labels = [{ ...row, label: "refuted" } as const];
    const batch = { ...batchIn(folder), labels };
    await assert.rejects(evaluateBatch(batch), /no claim c1 of r9/);
    assert.match(Deno.readTextFileSync(join(folder, BATCH_FILES.report)), /6 of 6 requests/);
  }));

Deno.test("Requirement 9.4: what a judge that died left out is asked again, and is not done before", () =>
  inFolder(async (folder) => {
    let answers = 4;
    const down = () => Promise.reject(new Error("it is down"));
    const judge = scriptedJudge(
      "one",
      () => answers-- > 0 ? Promise.resolve(judgement(50)) : down(),
    );
    const run = () => evaluateBatch(batchIn(folder, { judges: [judge] }));
    const first = await run();
    assert.deepEqual([first.evaluated, first.summary.evaluated, first.summary.missing], [6, 4, 0]);
    const failed = ["The judge one failed: it is down"];
    assert.deepEqual(first.summary.incomplete, ["r4", "r5"].map((id) => ({ id, failed })));
    answers = 9;
    const second = await run();
    assert.deepEqual([second.evaluated, second.resumed], [2, 4]);
    assert.deepEqual([second.summary.evaluated, second.summary.incomplete], [6, []]);
    assert.equal(second.summary.factualAccuracy.scored, 6);
  }));

Deno.test("Requirement 9.4: without a configured judge or knowledge base a batch is incomplete, and goes on once they are there", () =>
  inFolder(async (folder) => {
    const judge = scriptedJudge("one", () => Promise.resolve(judgement(50)));
    const retriever = scriptedRetriever(() => []);
    const whole = { judges: [judge], retriever };
    const lacks: readonly (readonly [Partial<EvaluationComponents>, string])[] = [
      [{ ...whole, judges: [], absentJudges: ["Judge (one): no key."] }, "Judge (one): no key."],
      [{ ...whole, retriever: undefined, retrieverProblem: "Gone." }, "Gone."],
    ];
    const lines = () =>
      Deno.readTextFileSync(join(folder, BATCH_FILES.results)).match(/\n/g)?.length;
    for (const [lacking, problem] of lacks) {
      const { summary } = await evaluateBatch(batchIn(folder, lacking));
      assert.deepEqual(summary.incomplete.map(({ failed }) => failed), Array(6).fill([problem]));
      assert.match(
        Deno.readTextFileSync(join(folder, BATCH_FILES.readable)),
        new RegExp(`\\| r0, r1, r2 and 3 others \\| 6 \\| ${problem.replace(/[().]/g, ".?.")} \\|`),
      );
      // As long as it is lacking nothing is done again.
      const { evaluated, summary: same } = await evaluateBatch(batchIn(folder, lacking));
      assert.deepEqual([evaluated, same.incomplete], [0, summary.incomplete]);
      // One line a request, the newest, whatever configuration wrote the others.
      assert.equal(lines(), 6);
    }
    const end = await evaluateBatch(batchIn(folder, whole));
    assert.deepEqual([end.evaluated, end.summary.incomplete, lines()], [6, [], 6]);
    // What is whole is not replaced by less, and is not called another configuration.
    const lacking = evaluateBatch(batchIn(folder, lacks[0]![0]));
    await assert.rejects(lacking, /that are missing now\. Judge \(one\): no key\. Run the same/);
    // A judge that was opened and does not answer is known: nothing is asked for it.
    const known = {
      judges: [],
      absentJudges: ["It is down."],
      configuredJudges: [judge],
      retriever,
    };
    const resumed = await evaluateBatch(batchIn(folder, known));
    assert.deepEqual([resumed.evaluated, resumed.resumed], [0, 6]);
  }));

Deno.test("Requirement 9.4: a stop is no failure; what ends a batch leaves a diagnosis with the configuration, and the next run goes on", () =>
  inFolder(async (folder) => {
    const stop = new AbortController();
    const judge = scriptedJudge("one", () => {
      stop.abort(new Error("stopped"));
      return Promise.reject(stop.signal.reason);
    });
    const batch = { ...batchIn(folder, { judges: [judge] }), signal: stop.signal };
    const stopped = await evaluateBatch(batch);
    assert.deepEqual([stopped.evaluated, stopped.failed, judge.asked.length], [0, 0, 1]);
    await evaluateBatch({ ...batchIn(folder), requests: killedRequests(2) });
    const other = batchIn(folder, { criteria: ["style"] });
    await assert.rejects(evaluateBatch(other), /with another configuration/);
    const found = JSON.parse(Deno.readTextFileSync(join(folder, BATCH_FILES.diagnosis)));
    assert.equal(found.versions.deno, "2.9.6");
    assert.equal(found.configuration.verifier.name, "literal");
    const end = await evaluateBatch(batchIn(folder));
    assert.deepEqual([end.evaluated, end.resumed], [4, 2]);
  }));
