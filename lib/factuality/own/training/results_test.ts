import assert from "node:assert/strict";
import {
  answerRows,
  LABELLED,
  MEASURED_ALONE,
  sourceCounts,
  trainingResults,
  VERIFIER,
} from "./results.ts";
import type { NamedVerdict } from "./verifier_fit.ts";

const verdict = (
  id: string,
  label: NamedVerdict["label"],
  supported: number,
  refuted: number,
): NamedVerdict => {
  const probabilities = { supported, refuted, "not enough info": 1 - supported - refuted };
  return { id, source: "s", label, cluster: `c${id}`, probabilities };
};

Deno.test("answerRows() keeps four decimals, and every verdict as it is", () => {
  const rows = answerRows("s", VERIFIER, [
    verdict("1", "supported", 0.49996, 0.3),
    verdict("2", "supported", 0.50004, 0.3),
    // Rounded, both would be as probable, or the less probable one ahead.
    verdict("3", "not enough info", 0.459, 0.27049),
    verdict("4", "refuted", 0.45894, 0.27054),
    { id: "5", source: "s", label: "refuted", cluster: "c", probabilities: undefined },
  ]);
  assert.deepEqual(rows.map(({ supported }) => supported), [0.4999, 0.5, 0.459, 0.4589, ""]);
  const counts = sourceCounts(rows.map((row) => ({ ...row, set: LABELLED })));
  assert.deepEqual(
    counts.map((
      { source, label, n, refuted, not_enough_info },
    ) => [source, label, n, refuted, not_enough_info]),
    [
      ["evidence alone", "supported", 2, 1, 0],
      ["evidence alone", "refuted", 1, 1, 0],
      ["evidence alone", "not enough info", 1, 0, 1],
    ],
  );
});

Deno.test("trainingResults() measures a verifier on each source of claims that were held out, but for small ones", () => {
  const of = (source: string, count: number) =>
    Array.from({ length: count }, (_, i): NamedVerdict => (
      {
        ...verdict(
          `${source}${i}`,
          i % 2 === 0 ? "supported" : "refuted",
          i % 2 === 0 ? 0.9 : 0.2,
          0.1,
        ),
        source,
      }
    ));
  const held = answerRows(LABELLED, VERIFIER, [...of("large", 60), ...of("small", 10)]);
  const alone = answerRows(MEASURED_ALONE, VERIFIER, of("people", 40));
  const rows = trainingResults([...held, ...alone]).filter(({ reading }) => reading === "binary");
  assert.deepEqual(
    rows.map(({ step, set, n, balanced_accuracy }) => [step, set, n, balanced_accuracy]),
    [["result", LABELLED, 70, 1], ["source", "large", 60, 1], ["source", "people", 40, 1]],
  );
});

Deno.test("trainingResults() measures each verifier on each set: worked by hand", () => {
  const verdicts = [1, 2, 3, 4, 5, 6].flatMap((i) => [
    verdict(`${i}a`, "supported", i === 1 ? 0.2 : 0.8, 0.1),
    verdict(`${i}b`, "not supported", 0.1, 0.8),
  ]);
  const silent = answerRows("silent on the claim", VERIFIER, verdicts);
  const rows = trainingResults([...answerRows("s", VERIFIER, verdicts), ...silent]);
  assert.deepEqual(
    rows.map(({ set, verifier, reading, n, accuracy }) => [set, verifier, reading, n, accuracy]),
    [["s", VERIFIER, "binary", 12, 0.9167]],
  );
});
