import assert from "node:assert/strict";
import { compareComponents, type ComponentRun } from "../../factuality/own/compare_components.ts";
import { kindFigures } from "../../factuality/own/variants/detection.ts";
import { exampleCase } from "../../factuality/own/testdata/labelled.ts";
import { proportion } from "../../stats/measure.ts";
import { findingSection } from "../../figures/finding.ts";
import type { AbstentionRate } from "./generation/tables.ts";
import { judgesFinding, originsFinding, robustnessFinding } from "./findings.ts";

const VERIFIER = "trained verifier";
const scoreOf = (right: number) => proportion(right, 100);

Deno.test("originsFinding() has one row per origin, verifiers side by side, and the share of refuted claims that pass", () => {
  const finding = originsFinding({
    trust: [
      { claims: "made", verifier: VERIFIER, n: 100, accuracy: scoreOf(90) },
      { claims: "made", verifier: "word overlap", n: 100, accuracy: scoreOf(70) },
      {
        ...{ claims: "written", verifier: VERIFIER, n: 40, accuracy: scoreOf(80) },
        passed: proportion(3, 20),
      },
    ],
    outcomes: [
      { truth: "supported", predicted: "supported" },
      { truth: "refuted", predicted: "supported" },
    ],
    sources: [
      {
        ...{ source: "alone", label: "refuted", n: 10 },
        ...{ supported: 2, refuted: 7, not_enough_info: 1 },
      },
      {
        ...{ source: "alone", label: "supported", n: 10 },
        ...{ supported: 9, refuted: 1, not_enough_info: 0 },
      },
    ],
    made: "made",
    written: "written",
  });
  assert.match(finding.parts[0]!, /scores 0\.90 on claims made by rule and 0\.80 on claims that/);
  assert.match(finding.parts[0]!, /on 1 of 2 claims by models \(0\.50\)\./);
  const [origins, passed] = finding.parts.slice(1).map((table) => table.split("\n").slice(2));
  assert.match(origins![0]!, /^\| made \| 100 \| 0\.90 \[.*\] \| 0\.70 \[.*\] \| – \| – \|$/);
  assert.match(origins![1]!, /^\| written \| 40 \| 0\.80 .* \| – \| – \| 0\.15 \[.*\] of 20 \|$/);
  assert.deepEqual(passed, ["| alone | 10 | 0.20 |"]);
  assert.throws(
    () => originsFinding({ trust: [], outcomes: [], sources: [], made: "made", written: "w" }),
    /a figure of it is missing/,
  );
});

Deno.test("judgesFinding() counts judges whose interval includes 0.5, and gives rates of declining by model", () => {
  const cases = Array.from(
    { length: 40 },
    (_, i) => exampleCase(`${i}`, i % 2 ? "refuted" : "supported"),
  );
  const run = (component: string, supported: (i: number) => number): ComponentRun => ({
    component,
    answers: new Map(cases.map(({ id }, i) => [
      id,
      { supported: supported(i), unscored: undefined, reason: "so", milliseconds: 1 },
    ])),
  });
  const knowing = (i: number) => i % 2 ? 0.1 : 0.9;
  const guessing = (i: number) => i % 3 ? 0.6 : 0.4;
  const [comparison] = compareComponents(cases, [
    run(VERIFIER, knowing),
    run("small (next word)", guessing),
    run("large (next word)", knowing),
  ]);
  const doubt = { n: 60, wrong: 19, byCountry: scoreOf(70), byKind: scoreOf(60) };
  const rate = (name: AbstentionRate["rate"], value: number): AbstentionRate => ({
    ...{ model: "small", instruction: "may decline", temperature: 0, kind: "all" },
    ...{ read_by: "language model", n: 60, low: "", high: "", reason: "" },
    ...{ rate: name, value },
  });
  const { title, parts: [statement, ...tables] } = judgesFinding({
    comparison: comparison!,
    doubts: [{ model: "small", ...doubt }],
    abstention: [rate("false acceptance", 0.93), rate("over-refusal", 0.02)],
  });
  assert.equal(title, "1 of 2 language-model judges score at chance");
  assert.match(statement!, /^On 40 held-out claims the verifier scores 1\.00 /);
  assert.match(
    tables[1]!.split("\n")[2]!,
    /^\| small \| 19 of 60 \| 0\.70 .* \| 0\.60 .* \| 0\.93 \| 0\.02 \|$/,
  );
});

Deno.test("robustnessFinding() names the kind that is noticed least", () => {
  const outcome = (kind: "date" | "name", cluster: string, flagged: boolean) => ({
    ...{ component: VERIFIER, kind, cluster, flagged },
    ...{ originalAccepted: true, verdict: undefined },
  });
  const outcomes = ["A", "B", "C", "D"].flatMap((country) => [
    outcome("date", country, true),
    outcome("name", country, country < "C"),
  ]);
  const natural = (group: string, measure: string, n: number, right: number) => (
    { component: VERIFIER, group, measure, n, value: proportion(right, n) }
  );
  const section = findingSection(robustnessFinding({
    perturbations: kindFigures(outcomes),
    natural: [
      natural("all contradictions", "not accepted", 20, 8),
      natural("contradictions set right", "not accepted", 20, 4),
      natural("all claims", "balanced accuracy, supported or not", 60, 36),
    ],
    swaps: [],
    calibration: [{ claims: "made by rule", error: 0.061 }],
  }));
  assert.match(
    section,
    /^### 10\. The verifier notices 75\.0 % of changes .* 40\.0 % of natural contradictions\n/,
  );
  assert.match(section, /noticed least is name, at 50\.0 \[.*\] % of 4\./);
  assert.match(
    section,
    /\| trained verifier \| 20 \| 40\.0 \[.*\] \| 20\.0 \[.*\] \| – \| 0\.60 \[.*\] \| 60 \|/,
  );
  assert.match(section, /observed shares by 0\.06 \(claims made by rule\)\./);
  assert.match(section, /\*So what:\* .* \(`robustness_report\.json`/);
});
