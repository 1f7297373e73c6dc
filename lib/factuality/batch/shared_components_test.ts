import assert from "node:assert/strict";
import fc from "fast-check";
import {
  components,
  judgement,
  literalVerifier,
  toldJudge,
} from "../evaluation/testdata/stand_ins.ts";
import { configurationSha256 } from "./request_hash.ts";
import { limiterOf, sharedComponents } from "./shared_components.ts";

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

Deno.test("sharedComponents() changes nothing that a result depends on", () => {
  const given = components();
  assert.equal(configurationSha256(sharedComponents(given)), configurationSha256(given));
});
