import assert from "node:assert/strict";
import type { KindFigure } from "../robustness/detection.ts";
import type { RobustnessCase } from "../robustness/tables.ts";
import { detectionByComponentTable, detectionRows, kindsTable } from "./robustness.ts";

const value = (estimate: number) => ({ kind: "value" as const, estimate });

function figure(component: string, kind: KindFigure["kind"], flagged: number): KindFigure {
  const isControl = kind === "date format" || kind === "all controls";
  return {
    ...{ component, kind, role: isControl ? "control" : "perturbation" },
    ...{ seenInTraining: kind === "unit" ? "no" : "yes", n: 4, unscored: 0, countries: 3 },
    ...{ originalsAccepted: 4, flagged: value(flagged), flaggedGivenAccepted: value(flagged) },
    ...{ labelled: 2, calledRefuted: value(0.5), against: isControl ? "" : "date format" },
    ...{ falseAlarm: value(0.25), difference: value(flagged - 0.25), dPrime: value(1) },
  };
}

const FIGURES = [
  figure("verifier", "all perturbations", 0.6),
  figure("verifier", "date", 0.75),
  figure("verifier", "unit", 0.5),
  figure("verifier", "date format", 0.25),
  figure("word overlap", "date", 0.1),
];

Deno.test("kindsTable() counts cases and countries and shows the shortest example", () => {
  const one = (country: string, changed: string): RobustnessCase => ({
    ...{ id: `${country}/date`, base: country, country, kind: "date", original: "In 1963." },
    ...{ changed, from: "1963", to: "1964", source: "x", drawn: false },
  });
  const rows = kindsTable([one("Kenya", "In 1964, say."), one("Togo", "In 1965.")]).split("\n");
  assert.equal(rows[2], "| date | perturbation | yes | 2 | 2 | In 1963. → In 1965. |");
  assert.match(rows[3]!, /^\| place \| perturbation \| yes \| 0 \| 0 \| – \|$/);
});

Deno.test("detectionByComponentTable() has a dash where nobody was asked", () => {
  const rows = detectionByComponentTable(FIGURES).split("\n");
  assert.equal(rows[0], "| kind | role | verifier | word overlap |");
  assert.ok(rows.includes("| date | perturbation | 75 | 10 |"));
  assert.ok(rows.includes("| unit | perturbation | 50 | – |"));
});

Deno.test("detectionRows() stand under their perturbation and its control", () => {
  const rows = detectionRows(FIGURES, "verifier");
  assert.deepEqual(rows.map(({ group, label }) => [group, label]), [
    ["date (control: date format)", "detected"],
    ["date (control: date format)", "false alarm"],
    ["unit (control: date format)", "detected"],
    ["unit (control: date format)", "false alarm"],
  ]);
});
