import assert from "node:assert/strict";
import { ruleSplitter } from "../../../factuality/claims/rule_splitter.ts";
import type { AnswerRow } from "../../../factuality/own/component_answers.ts";
import { kindFigures } from "../../../factuality/own/variants/detection.ts";
import * as reporting from "../../../factuality/own/variants/report.ts";
import { components, literalVerifier } from "../../../factuality/check/testdata/fakes.ts";
import type { Verifier } from "../../../factuality/types.ts";
import * as changes from "./changes.ts";
import { estimateOf } from "./testdata/fake_panel.ts";

Deno.test("Requirement 14.4: a claim and its perturbed twin are both flagged, a reworded one is not", async () => {
  const reading = { languageModel: undefined, mostPairs: 50, mostPairsBeside: 0 };
  const componentOf = (verifier: Verifier) =>
    changes.consistencyComponent(
      components({ splitter: ruleSplitter(), consistency: reading, verifier }),
      { now: () => new Date(0), milliseconds: () => 0 },
    );
  const component = componentOf(literalVerifier);
  const original = "The coastline of Kenya is 536 km long.";
  const pairs = changes.pairCases(
    ([["number", "590 km long."], ["number", "600 km long."], ["spelling", "536 km long"]] as const)
      .map(([kind, end]) => ({
        id: `k/${kind}`,
        base: "k",
        country: "Kenya",
        kind,
        original,
        source_id: "ke/x",
        changed: `The coastline of Kenya is ${end}`,
        from: "",
        to: "",
        drawn: false,
      })),
    1,
  );
  const labels = pairs.map(({ id, label }) => `${id} ${label}`);
  assert.deepEqual(labels, ["k/number not supported", "k/spelling supported"]);
  const [contradicting, same] = await Promise.all(pairs.map((pair) => component.answer(pair)));
  assert.ok(Math.abs(contradicting!.supported! - 0.2) < 1e-9);
  assert.match(contradicting!.reason, /exclude one another/);
  assert.equal(same!.supported, 1);
  // A verifier that is down has not found that there is no contradiction.
  const down = componentOf({ ...literalVerifier, verify: () => Promise.reject(new Error("down")) });
  const { supported, unscored, reason } = await down.answer(pairs[0]!);
  assert.deepEqual([supported, unscored], [undefined, "failure"]);
  assert.match(reason, /literal failed: down/);
});

const COUNTRIES = ["Kenya", "Togo", "Benin", "Ghana"];

/** Four true claims, each with another date and with the same date written otherwise. */
const CASES = COUNTRIES.flatMap((country) =>
  (["date", "date format"] as const)
    .map((kind) => ({ id: `${country}/${kind}`, base: country, country, kind }))
);

/** A set, a case, P(supported), and the label. */
const ROWS = ([
  ...COUNTRIES.map((id) => ["robustness", id, id === "Benin" ? 0.2 : 0.9, "supported"] as const),
  // Benin's original is not accepted; Ghana's other date has no score; one control is taken for false.
  ["robustness", "Kenya/date", 0.1, "refuted"],
  ["robustness", "Togo/date", 0.1, "not enough info"],
  ["robustness", "Benin/date", 0.6, "supported"],
  ["robustness", "Ghana/date", "", "time-out"],
  ["robustness", "Kenya/date format", 0.9, "supported"],
  ["robustness", "Togo/date format", 0.3, "refuted"],
  ["robustness", "Benin/date format", 0.1, "refuted"],
  ["robustness", "Ghana/date format", 0.8, "supported"],
  ["contradictions", "Kenya/date", 0.2, "x"],
  ["contradictions", "Kenya/date format", 1, "x"],
] as const).map(([set, case_id, supported, label]): AnswerRow => ({
  set,
  case_id,
  case_sha256: "0",
  cluster: "",
  claim_kind: "factual",
  label: "",
  component: "verifier",
  status: supported === "" ? "time-out" : "scored",
  supported,
  reason: `${label}: so it is`,
  milliseconds: 1,
  settings_sha256: "0",
}));

const figures = (of: Parameters<typeof changes.detectionOutcomes>[2] = "robustness") =>
  kindFigures(changes.detectionOutcomes(CASES, ROWS, of));

Deno.test("Requirement 14.5: detection and false alarm by kind, worked by hand", () => {
  const date = figures().find(({ kind }) => kind === "date")!;
  assert.deepEqual([date.n, date.unscored, date.countries, date.originalsAccepted], [3, 1, 3, 2]);
  // Of Kenya, Togo and Ghana, whose originals were accepted, Togo's control is a false alarm.
  const { flagged, flaggedGivenAccepted, calledRefuted, falseAlarm, difference } = date;
  const shares = [flagged, flaggedGivenAccepted, calledRefuted, falseAlarm, difference]
    .map(estimateOf);
  assert.deepEqual(shares, [2 / 3, 1, 0.5, 1 / 3, 2 / 3].map((share) => Number(share.toFixed(9))));
  assert.equal(date.against, "date format");
});

Deno.test("Requirement 14.4: a pair is flagged where the text was found to contradict itself", () => {
  const flagged = figures("contradictions").map((one) => estimateOf(one.flagged));
  assert.deepEqual(flagged, [1, 0, 1, 0]);
});

Deno.test("robustnessJson() is read as it was written; robustnessCsv() has a row a figure, or why it is missing", () => {
  const { readRobustnessReport, robustnessJson, sectionOf, sectionRows } = reporting;
  const value = { kind: "value" as const, estimate: 0.123456 };
  const report = reporting.robustnessReport({
    perturbations: sectionOf(figures(), "none"),
    contradictions: sectionOf(figures("contradictions"), "none"),
    natural: sectionOf([], "not run yet"),
    orders: sectionOf([{ component: "=judge", group: "all", measure: "τ-b", n: 4, value }], "none"),
    repetitions: sectionOf([], "not run yet"),
    swaps: sectionOf([], "not run yet"),
  });
  const read = readRobustnessReport(robustnessJson(report), "r.json");
  assert.deepEqual(read, report);
  assert.deepEqual(sectionRows(read.orders)[0]!.value, { kind: "value", estimate: 0.1235 });
  assert.deepEqual(read.swaps, { kind: "unavailable", reason: "not run yet" });
  assert.throws(() => readRobustnessReport("{}", "r.json"), /r\.json: it is no robustness report/);
  const lines = reporting.robustnessCsv(report).trim().split("\n");
  // Five measures of each perturbation, three of each control, in two sections; one row of orders.
  assert.equal(lines.length, 1 + 2 * (2 * 5 + 2 * 3) + 1);
  assert.ok(lines.includes("orders,'=judge,all,τ-b,4,0.1235,,,"));
  assert.match(
    lines.find((line) => /^contradictions.*,date,called refuted/.test(line))!,
    /none flag/,
  );
});
