import assert from "node:assert/strict";
import fc from "fast-check";
import type { Evaluation, EvaluationRequest } from "../evaluation/evaluation.ts";
import { type BatchRun, runBatch } from "./run_batch.ts";

const requestOf = (id: string): EvaluationRequest => ({
  id,
  source: "",
  candidate: id,
  question: "",
});

/** The batch only hands an evaluation on. */
const evaluationOf = (request: EvaluationRequest) => ({ request }) as Evaluation;

function batch(ids: readonly string[], given: Partial<BatchRun> = {}) {
  const [results, failures]: [string[], string[]] = [[], []];
  const run: BatchRun = {
    requests: ids.map(requestOf),
    done: new Set(),
    concurrency: 1,
    evaluate: (request) => Promise.resolve(evaluationOf(request)),
    onResult: ({ request }) => results.push(request.id),
    onFailure: ({ id }) => failures.push(id),
    ...given,
  };
  return { run, results, failures };
}

Deno.test("Requirement 5.1, 5.4: requests are done one after another; one that fails is logged, the rest go on", async () => {
  const { run, results, failures } = batch(["a", "b", "c"], {
    evaluate: (request) =>
      request.id === "b" ? Promise.reject(new Error("x")) : Promise.resolve(evaluationOf(request)),
  });
  const end = await runBatch(run);
  assert.deepEqual([results, failures], [["a", "c"], ["b"]]);
  assert.deepEqual(end, { evaluated: 2, failed: 1, resumed: 0, stopped: false });
});

Deno.test("runBatch() keeps what was under way when it is stopped, and begins nothing more", async () => {
  const stop = new AbortController();
  const { run, results, failures } = batch(["a", "b", "c"], {
    signal: stop.signal,
    evaluate: (request) => {
      if (request.id === "b") stop.abort();
      return Promise.resolve(evaluationOf(request));
    },
  });
  assert.deepEqual(await runBatch(run), { evaluated: 2, failed: 0, resumed: 0, stopped: true });
  assert.deepEqual([results, failures], [["a", "b"], []]);
});

Deno.test("runBatch() takes an evaluation that the signal ended for no failure", async () => {
  const stop = new AbortController();
  const { run, failures } = batch(["a", "b"], {
    signal: stop.signal,
    evaluate: () => {
      stop.abort();
      return Promise.reject(stop.signal.reason);
    },
  });
  assert.deepEqual(await runBatch(run), { evaluated: 0, failed: 0, resumed: 0, stopped: true });
  assert.deepEqual(failures, []);
});

Deno.test("runBatch() ends where a result cannot be kept", async () => {
  const { run } = batch(["a", "b"], {
    onResult: () => {
      throw new Error("disk full");
    },
  });
  await assert.rejects(runBatch(run), /disk full/);
});

Deno.test("Requirement 5.2: whatever fails and was done before, every request has a result or a failure, never both", async () => {
  const kinds = fc.array(fc.constantFrom("good", "bad", "done"), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(kinds, fc.integer({ min: 1, max: 5 }), async (kinds, concurrency) => {
      const ids = kinds.map((kind, index) => `${kind} ${index}`);
      const { run, results, failures } = batch(ids, {
        concurrency,
        done: new Set(ids.filter((id) => id.startsWith("done"))),
        evaluate: async (request) => {
          for (let turn = request.id.length % 3; turn > 0; turn--) await Promise.resolve();
          if (request.id.startsWith("bad")) throw new Error("bad");
          return evaluationOf(request);
        },
      });
      await runBatch(run);
      const of = (kind: string) => ids.filter((id) => id.startsWith(kind));
      assert.deepEqual([results.sort(), failures.sort()], [of("good").sort(), of("bad").sort()]);
    }),
    { numRuns: 100 },
  );
});
