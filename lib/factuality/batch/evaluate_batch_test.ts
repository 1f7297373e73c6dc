import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readJsonLines } from "../../files/json.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import type { EvaluationComponents } from "../evaluate/run.ts";
import {
  components,
  countingClock,
  judgement,
  literalVerifier,
  toldJudge,
} from "../evaluate/testdata/stand_ins.ts";
import {
  BATCH_FILES,
  evaluateBatch,
  keepDiagnosis,
  limiterOf,
  lockFolder,
  openResults,
  readResults,
  sharedComponents,
} from "./evaluate_batch.ts";
import { configurationSha256 } from "./requests.ts";
import { killedRequests } from "./testdata/kill_batch.ts";

const place = { at: new Date("2026-11-22T12:00:00Z"), request: "r1", stage: "judging" };

Deno.test("Requirement 9.4: a diagnosis says what, where and with what, without keys and addresses", () =>
  inFolder((folder) => {
    const error = new Error("Bearer abc123 refused at 10.0.0.1:80\nsecond line");
    const path = join(folder, "diagnosis.json");
    keepDiagnosis(path, error, place, { components: components(), versions: { deno: "2.9.6" } });
    const text = Deno.readTextFileSync(path);
    for (const part of ["judging", "r1", "literal", "2.9.6", "evaluate_batch_test.ts"]) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, /abc123|10\.0\.0\.1/);
    // A disk that fails costs no further error.
    keepDiagnosis(join(path, "x"), error, place, { components: components(), versions: {} });
  }));

Deno.test("Requirement 5.1: whatever waits, no more works are under way than allowed, and each is done once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (turns, limit) => {
        const limited = limiterOf(limit);
        const begun: number[] = [];
        let [now, most] = [0, 0];
        const results = await Promise.allSettled(turns.map((count, index) =>
          limited(async () => {
            begun.push(index);
            most = Math.max(most, ++now);
            for (let turn = 0; turn < count; turn++) await Promise.resolve();
            now -= 1;
            if (count === 3) throw new Error("x");
            return index;
          })
        ));
        assert.deepEqual(begun, [...turns.keys()]);
        assert.equal(most, Math.min(limit, turns.length));
        assert.equal(
          results.filter(({ status }) => status === "rejected").length,
          turns.filter((count) => count === 3).length,
        );
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("sharedComponents() asks a judge no more at once than it bears, the verifier one thing at a time", async () => {
  let [now, most] = [0, 0];
  const counted = async <Result>(result: Result) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now -= 1;
    return result;
  };
  const judge = { ...toldJudge("one", () => counted(judgement(1))), concurrency: 2 };
  const shared = sharedComponents(components({ judges: [judge] }));
  const task = { template: "claim", values: {}, judgedText: "" };
  await Promise.all([1, 2, 3, 4].map(() => shared.judges[0]!.judge(task)));
  assert.equal(most, 2);
  most = 0;
  const verifier = { ...literalVerifier, verify: () => counted([]) };
  const { verifier: one } = sharedComponents(components({ verifier }));
  await Promise.all([1, 2, 3].map(() => one.verify([], [])));
  assert.equal(most, 1);
});

const REQUESTS = ["a", "b", "c"].map((id) => ({
  id,
  source: "Elk swim.",
  candidate: `Elk swim. ${id}.`,
  question: "",
}));

const HASH = configurationSha256(components());

const withResults = (work: (path: string) => Promise<void>) =>
  inFolder((folder) => work(join(folder, "results.jsonl")));

const resultOf = (index: number) =>
  evaluate(REQUESTS[index]!, components(), { clock: countingClock() });

Deno.test("results are appended, known when opened again, and read as they were", () =>
  withResults(async (path) => {
    const file = openResults(path, REQUESTS, HASH);
    assert.equal(file.rows.size, 0);
    file.put(await resultOf(0));
    file.put(await resultOf(1));
    assert.deepEqual([...openResults(path, REQUESTS, HASH).rows.keys()], ["a", "b"]);
    assert.deepEqual(readResults(path)[0], await resultOf(0));
  }));

Deno.test("Requirement 9.4: a line that a kill cut anywhere is set aside and asked for again", () =>
  withResults(async (path) => {
    openResults(path, REQUESTS, HASH).put(await resultOf(0));
    const whole = Deno.readTextFileSync(path);
    openResults(path, REQUESTS, HASH).put(await resultOf(1));
    const both = Deno.readTextFileSync(path);
    for (let length = whole.length + 1; length < both.length - 1; length += 97) {
      Deno.writeTextFileSync(path, both.slice(0, length));
      const { rows, damaged } = openResults(path, REQUESTS, HASH);
      assert.deepEqual([[...rows.keys()], damaged.length], [["a"], 1]);
      assert.equal(Deno.readTextFileSync(path), whole);
    }
    const beside = readJsonLines(path.replace(".jsonl", ".damaged.jsonl"), (value) => value);
    assert.ok(beside.rows.length > 5);
  }));

Deno.test("a result that was edited by hand is evaluated again where it is no evaluation or of another text", () =>
  withResults(async (path) => {
    openResults(path, REQUESTS, HASH).put(await resultOf(0));
    const whole = Deno.readTextFileSync(path);
    for (const [from, to] of [['"mode":"source"', '"mode":"sauce"'], ["swim. a", "fly. a"]]) {
      Deno.writeTextFileSync(path, whole.replace(from!, to!));
      const { rows, damaged } = openResults(path, REQUESTS, HASH);
      assert.deepEqual([[...rows.keys()], damaged.length], [[], 1]);
    }
  }));

Deno.test("where a result cannot be written, file and request are named", () =>
  withResults(async (path) => {
    const file = openResults(path, REQUESTS, HASH);
    Deno.mkdirSync(path);
    const evaluation = await resultOf(0);
    assert.throws(
      () => file.put(evaluation),
      /the result of "a" in .*results\.jsonl: .*make room/,
    );
  }));

Deno.test("going on with another text, configuration or version is refused with what to do", () =>
  withResults(async (path) => {
    openResults(path, REQUESTS, HASH).put(await resultOf(0));
    const other = [{ ...REQUESTS[0]!, candidate: "Elk fly." }];
    assert.throws(
      () => openResults(path, other, HASH),
      /"a" was evaluated with another text\. Choose/,
    );
    assert.throws(() => openResults(path, REQUESTS, "x"), /with another configuration/);
    const newer = Deno.readTextFileSync(path).replace('"schemaVersion":1', '"schemaVersion":2');
    Deno.writeTextFileSync(path, newer);
    assert.throws(() => openResults(path, REQUESTS, HASH), /another version of Touchstone/);
  }));

Deno.test("configurationSha256() sees every setting, and not their order", () => {
  const { verifier } = components();
  const named = (settings: Record<string, number>) =>
    configurationSha256(components({ verifier: { ...verifier, settings } }));
  assert.equal(named({ a: 1, b: 2 }), named({ b: 2, a: 1 }));
  assert.notEqual(named({ a: 1, b: 2 }), named({ a: 1, b: 3 }));
  assert.notEqual(configurationSha256(components({ judgeClaims: true })), HASH);
});

function batchIn(folder: string, given: Partial<EvaluationComponents> = {}) {
  return {
    folder,
    requests: killedRequests(6),
    components: components(given),
    concurrency: 1,
    clock: countingClock(),
    seed: 1,
    versions: { deno: "2.9.6" },
  };
}

Deno.test("Requirement 5: a batch leaves results, summary and tables, and a second run does nothing again", () =>
  inFolder(async (folder) => {
    const first = await evaluateBatch(batchIn(folder));
    assert.deepEqual([first.evaluated, first.failed, first.resumed], [6, 0, 0]);
    assert.equal(first.summary.claims.supported, 2);
    const results = Deno.readTextFileSync(join(folder, BATCH_FILES.results));
    const second = await evaluateBatch(batchIn(folder));
    assert.deepEqual([second.evaluated, second.resumed], [0, 6]);
    assert.equal(Deno.readTextFileSync(join(folder, BATCH_FILES.results)), results);
    const claims = Deno.readTextFileSync(join(folder, BATCH_FILES.claims));
    assert.equal(claims.trim().split("\n").length, 7);
    assert.match(Deno.readTextFileSync(join(folder, BATCH_FILES.report)), /6 of 6 requests/);
  }));

Deno.test("Requirement 5.4: requests that fail are logged with stage and message, and have no result", () =>
  inFolder(async (folder) => {
    const misweighed = { ...toldJudge("one", () => Promise.resolve(judgement(50))), weight: NaN };
    const requests = killedRequests(2);
    const end = await evaluateBatch({ ...batchIn(folder, { judges: [misweighed] }), requests });
    assert.deepEqual([end.evaluated, end.failed, end.summary.missing], [0, 2, 2]);
    const log = Deno.readTextFileSync(join(folder, BATCH_FILES.failures));
    assert.match(log, /"request":"r1","stage":"judging","message":"Cannot aggregate/);
  }));

Deno.test("Requirement 5.2: whatever fails and was done before, every request has a result or a failure, never both", async () => {
  const kinds = fc.array(fc.constantFrom("good", "bad", "done"), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      kinds,
      fc.integer({ min: 1, max: 5 }),
      (kinds, concurrency) =>
        inFolder(async (folder) => {
          const requests = kinds.map((kind, index) => ({
            id: `${kind} ${index}`,
            source: "",
            candidate: kind === "bad" ? "Elk swim." : "",
            question: "",
          }));
          // No judge answers so: the evaluation cannot be made.
          const broken = { ...judgement(50), flagged: undefined as never };
          const judge = toldJudge(
            "one",
            ({ judgedText }) => Promise.resolve(judgedText === "" ? judgement(50) : broken),
          );
          const all = { ...batchIn(folder, { judges: [judge] }), concurrency };
          const done = requests.filter(({ id }) => id.startsWith("done"));
          await evaluateBatch({ ...all, requests: done });
          const end = await evaluateBatch({ ...all, requests });
          const results = readResults(join(folder, BATCH_FILES.results));
          const ids = (kind: string) => requests.filter(({ id }) => id.startsWith(kind)).length;
          assert.deepEqual([end.evaluated, end.failed, end.resumed], [
            ids("good"),
            ids("bad"),
            ids("done"),
          ]);
          assert.equal(results.length, ids("good") + ids("done"));
        }),
    ),
    { numRuns: 30 },
  );
});

Deno.test("evaluateBatch() begins nothing more when it is stopped, and that is no failure", () =>
  inFolder(async (folder) => {
    const stop = new AbortController();
    const judge = toldJudge("one", () => {
      stop.abort(new Error("stopped"));
      return Promise.reject(stop.signal.reason);
    });
    const batch = { ...batchIn(folder, { judges: [judge] }), signal: stop.signal };
    const end = await evaluateBatch(batch);
    assert.deepEqual([end.evaluated, end.failed, judge.asked.length], [0, 0, 1]);
  }));

Deno.test("Requirement 9.4: what ends a batch leaves a diagnosis with the configuration, and the next run goes on", () =>
  inFolder(async (folder) => {
    await evaluateBatch({ ...batchIn(folder), requests: killedRequests(2) });
    const other = batchIn(folder, { criteria: ["style"] });
    await assert.rejects(evaluateBatch(other), /with another configuration/);
    const found = JSON.parse(Deno.readTextFileSync(join(folder, BATCH_FILES.diagnosis)));
    assert.equal(found.versions.deno, "2.9.6");
    assert.equal(found.configuration.verifier.name, "literal");
    const end = await evaluateBatch(batchIn(folder));
    assert.deepEqual([end.evaluated, end.resumed], [4, 2]);
  }));

Deno.test("Requirement 5.2: a second process in the same folder is refused, so that nothing is done twice", () =>
  inFolder(async (folder) => {
    const held = lockFolder(folder);
    await assert.rejects(evaluateBatch(batchIn(folder)), /another process evaluates a batch there/);
    held[Symbol.dispose]();
    assert.equal((await evaluateBatch(batchIn(folder))).evaluated, 6);
  }));
