import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { AnswerRow } from "../evaluate/ask_components.ts";
import { contradictionOutcomes, detectionOutcomes, kindFigures } from "./detection.ts";
import {
  controlTable,
  detectionTable,
  overallTable,
  readRobustnessReport,
  robustnessCsv,
  robustnessJson,
  robustnessReport,
  sectionOf,
} from "./report.ts";

const COUNTRIES = ["Kenya", "Togo", "Benin", "Ghana"];

/** Four true claims, each with another date and with the same date written otherwise. */
const CASES = COUNTRIES.flatMap((country) =>
  (["date", "date format"] as const).map((kind) => ({
    ...{ id: `${country}/${kind}`, base: country, country, kind },
  }))
);

function answer(case_id: string, supported: number | "", label: string, set: string): AnswerRow {
  return {
    ...{ set, case_id, case_sha256: "0", cluster: "", claim_kind: "factual", label: "" },
    ...{ component: "verifier", status: supported === "" ? "time-out" : "scored", supported },
    ...{ reason: `${label}: so it is`, milliseconds: 1, settings_sha256: "0" },
  };
}

// Benin's original is not accepted; Ghana's other date has no score; one control is taken for false.
const ROWS = [
  ...COUNTRIES.map((id) => answer(id, id === "Benin" ? 0.2 : 0.9, "supported", "robustness")),
  answer("Kenya/date", 0.1, "refuted", "robustness"),
  answer("Togo/date", 0.1, "not enough info", "robustness"),
  answer("Benin/date", 0.6, "supported", "robustness"),
  answer("Ghana/date", "", "time-out", "robustness"),
  answer("Kenya/date format", 0.9, "supported", "robustness"),
  answer("Togo/date format", 0.3, "refuted", "robustness"),
  answer("Benin/date format", 0.1, "refuted", "robustness"),
  answer("Ghana/date format", 0.8, "supported", "robustness"),
  answer("Kenya/date", 0.2, "x", "contradictions"),
  answer("Kenya/date format", 1, "x", "contradictions"),
];

const figures = () => kindFigures(detectionOutcomes(CASES, ROWS), randomSource(1));

function parts(): Parameters<typeof robustnessReport>[0] {
  const rows = [{
    ...{ component: "=judge", group: "all pairs", measure: "τ-b", n: 4 },
    value: { kind: "value" as const, estimate: 0.123456 },
  }];
  return {
    perturbations: sectionOf(figures(), "none"),
    contradictions: sectionOf(
      kindFigures(contradictionOutcomes(CASES, ROWS), randomSource(1)),
      "none",
    ),
    orders: sectionOf(rows, "none"),
    repetitions: sectionOf([], "not run yet"),
    swaps: sectionOf([], "not run yet"),
  };
}

Deno.test("Requirement 14.5: detection and false alarm by kind, worked by hand", () => {
  const date = figures().find(({ kind }) => kind === "date")!;
  assert.deepEqual(
    [date.n, date.unscored, date.countries, date.originalsAccepted],
    [3, 1, 3, 2],
  );
  assert.ok(date.flagged.kind === "interval" && date.flaggedGivenAccepted.kind === "interval");
  assert.equal(date.flagged.estimate, 2 / 3);
  assert.equal(date.flaggedGivenAccepted.estimate, 1);
  assert.ok(date.calledRefuted.kind === "interval" && date.calledRefuted.estimate === 0.5);
  assert.equal(date.against, "date format");
  // Of Kenya, Togo and Ghana, whose originals were accepted, Togo's control is a false alarm.
  assert.ok(date.falseAlarm.kind === "interval" && date.falseAlarm.estimate === 1 / 3);
  assert.ok(date.difference.kind === "interval");
  assert.ok(Math.abs(date.difference.estimate - 2 / 3) < 1e-12);
  const all = figures().map(({ kind, role }) => [kind, role]);
  assert.deepEqual(all, [
    ["all perturbations", "perturbation"],
    ["all controls", "control"],
    ["date", "perturbation"],
    ["date format", "control"],
  ]);
});

Deno.test("Requirement 14.4: a pair is flagged where the text was found to contradict itself", () => {
  const pairs = kindFigures(contradictionOutcomes(CASES, ROWS), randomSource(1));
  const shares = pairs.map(({ kind, flagged }) => [
    kind,
    flagged.kind === "unavailable" ? flagged.reason : flagged.estimate,
  ]);
  assert.deepEqual(shares, [
    ["all perturbations", 1],
    ["all controls", 0],
    ["date", 1],
    ["date format", 0],
  ]);
});

Deno.test("robustnessJson() is read as it was written, with four decimals", () => {
  const report = robustnessReport(parts());
  const read = readRobustnessReport(robustnessJson(report), "r.json");
  assert.deepEqual(read, report);
  assert.ok(report.orders.kind === "rows");
  assert.deepEqual(report.orders.rows[0]!.value, { kind: "value", estimate: 0.1235 });
  assert.deepEqual(report.swaps, { kind: "unavailable", reason: "not run yet" });
  assert.throws(() => readRobustnessReport("{}", "r.json"), /r\.json: it is no robustness report/);
});

Deno.test("robustnessCsv() has a row a figure, and why one is missing", () => {
  const lines = robustnessCsv(robustnessReport(parts())).trim().split("\n");
  assert.equal(lines[0], "section,component,group,measure,n,estimate,low,high,unavailable");
  // Five measures of each perturbation, three of each control, in two sections; one row of orders.
  assert.equal(lines.length, 1 + 2 * (2 * 5 + 2 * 3) + 1);
  assert.ok(lines.includes("orders,'=judge,all pairs,τ-b,4,0.1235,,,"));
  assert.match(
    lines.find((line) => /^contradictions.*,date,called refuted/.test(line))!,
    /none flag/,
  );
});

Deno.test("the tables show detection beside the false alarm of its control", () => {
  const table = detectionTable(figures(), "verifier").split("\n");
  assert.match(table[3]!, /^\| date \| yes \| 3 \| 2 \| 100\.0 .* \| date format \| 33\.3 /);
  assert.match(controlTable(figures(), "verifier"), /\| date format \| yes \| 4 \| 3 \| 33\.3 /);
  assert.match(overallTable(figures()), /\| verifier \| 3 \| 66\.7 /);
});
