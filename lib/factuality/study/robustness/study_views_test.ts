import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import { variantTools } from "../../robustness/testdata/variant_tools.ts";
import { ownVariants } from "../../robustness/own_text.ts";
import { literalVerifier } from "../../evaluation/testdata/stand_ins.ts";
import { sourcePassage } from "../../retrieval/passage.ts";
import type { RobustnessCase } from "../../robustness/robustness_case.ts";
import { VARIANT_KINDS } from "../../robustness/variant.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
import type { OrderRow } from "../../robustness/orders_rows.ts";
import type { SwapRow } from "../../robustness/swap_rows.ts";
import { type CaseLabel, notesTable, readingSentence } from "./case_labels.ts";
import { EXAMPLE_SOURCE, EXAMPLE_TEXT, exampleVariants, missedTable } from "./example_text.ts";
import * as rows from "./figure_rows.ts";
import { keptReport, sectionRows } from "./kept_report.ts";
import * as takeaways from "./takeaways.ts";

const value = (estimate: number) => ({ kind: "value" as const, estimate });
const interval = (estimate: number, low: number, high: number) =>
  ({ kind: "interval", estimate, low, high }) as const;

function figure(kind: KindFigure["kind"], low: number): KindFigure {
  return {
    ...{ component: "verifier", kind, role: "perturbation", seenInTraining: "yes", n: 4 },
    ...{ unscored: 0, countries: 3, originalsAccepted: 4, flagged: value(0.75), labelled: 3 },
    ...{ flaggedGivenAccepted: value(0.75), calledRefuted: value(1), against: "order" },
    ...{ falseAlarm: value(0.25), difference: interval(0.5, low, 0.9), dPrime: value(1) },
  };
}

const FIGURES = [figure("all perturbations", 0.1), figure("date", 0.1), figure("roles", -0.1)];

test("exampleVariants() finds a place for most kinds, and the same seed gives the same", () => {
  const made = exampleVariants(EXAMPLE_TEXT, { ...variantTools, source: EXAMPLE_SOURCE }, 1);
  assert.deepEqual(
    made,
    exampleVariants(EXAMPLE_TEXT, {
      ...{ ...variantTools, source: EXAMPLE_SOURCE },
    }, 1),
  );
  const kinds = made.map(({ kind }) => kind);
  assert.deepEqual(kinds, VARIANT_KINDS.filter((kind) => kinds.includes(kind)));
  assert.ok(kinds.includes("date") && kinds.includes("unit converted"));
});

test("missedTable() lists perturbations that were accepted and controls that were not", async () => {
  const text = "The coastline of Kenya is 536 km long.";
  const span = { start: 0, end: text.length };
  const variants = await ownVariants([
    {
      id: "c1",
      text,
      spans: [],
      sentence: span,
      kind: "factual",
      notCheckable: undefined,
      notes: [],
    },
  ], {
    ...{ verifier: literalVerifier, passages: [sourcePassage(text)], random: randomSource(3) },
    tools: { ...variantTools, source: text },
  });
  const table = missedTable(variants);
  assert.match(table, /\| unit converted \| control \|/);
  assert.doesNotMatch(table, /\| number \| perturbation \|/);
  assert.equal(missedTable([]), "Every perturbation was flagged and every control accepted.");
});

const CASE: RobustnessCase = {
  ...{ id: "ke/f1/date", base: "ke/f1", country: "Kenya", kind: "date", original: "In 1963." },
  ...{ changed: "In 1964.", from: "1963", to: "1964", source: "ke/x", drawn: false },
};
const LABEL: CaseLabel = {
  ...{ id: CASE.id, kind: "date", changed: CASE.changed, as_intended: "True", note: "short" },
};

test("readingSentence() counts, and refuses labels of a case that reads differently by now", () => {
  assert.match(readingSentence([LABEL], [CASE]), /^1 of 1 cases .* \(1 perturbed, 0 controls\)/);
  const other = { ...CASE, changed: "In 1965." };
  assert.throws(() => readingSentence([LABEL], [other]), /Cannot use the label of ke\/f1\/date/);
  assert.match(notesTable([LABEL]), /\| date \| In 1964\. \| yes \| short \|/);
});

test("keptReport() of nothing says how to make each part", () => {
  const report = keptReport((path) => `${path}.not_there`);
  assert.deepEqual(sectionRows(report.swaps), []);
  assert.ok(report.orders.kind === "unavailable");
  assert.match(report.orders.reason, /deno task robustness --only orders/);
  assert.match(rows.sectionsTable(report), /\| repetitions \| 0 \| 0 \| nothing is kept yet/);
});

test("rows and tables of figures", () => {
  assert.match(rows.refutedTable(FIGURES, "verifier"), /\| date \| 3 \| 100\.0 \|/);
  assert.match(rows.flaggedTable(FIGURES), /\| date \| perturbation \| 4 \| 0 \| 3 \| 75\.0 \|/);
  const overall = rows.overallRows(FIGURES);
  assert.deepEqual(overall.map(({ label }) => label), ["verifier"]);
  assert.deepEqual(rows.domainOf(overall), [-1, 1]);
  assert.deepEqual(rows.domainOf([{ label: "x", measure: interval(2, -3.2, 5.5) }]), [-4, 6]);
});

test("takeaways name what cannot be seen", () => {
  const sentence = takeaways.detectionSentence(FIGURES, "verifier");
  assert.match(sentence, /flags 75\.0 % of 4 perturbed .* cannot be shown to see: roles\.$/);
  assert.equal(takeaways.detectionSentence([], "verifier"), "verifier was asked about nothing.");
  assert.match(
    takeaways.othersSentence(FIGURES, "judge"),
    /verifier 50\.0 \[10\.0, 90\.0\] \(4 cases/,
  );
  assert.equal(takeaways.contradictionSentence(FIGURES), "No pair was read.");
  assert.match(takeaways.repetitionSentence([]), /under 5 points²: \.$/);
});

test("ladderScoresTable() and orderSentence() of two countries by hand", () => {
  const orders = ["A", "B"].flatMap((country) =>
    (["a", "b"] as const).map((first): OrderRow => ({
      ...{ country, errors_a: 0, errors_b: 1, first, component: "judge", run: 0, temperature: 0 },
      ...{ winner: first === "a" ? "first" : "second", status: "scored", score_a: 60 },
      ...{ score_b: 50, settings_sha256: "s" },
    }))
  );
  assert.match(rows.ladderScoresTable(orders), /\| judge \| 2 \| 60\.0 \| 50\.0 \|/);
  const said = takeaways.orderSentence(orders);
  assert.match(said, /in both orders: none\. .* judge 100\.0 \[100\.0, 100\.0\] %\.$/);
});

test("swapSentence() tells a trait beyond its control, and a gap the wrong way round", () => {
  const row = (portrait: string, change: SwapRow["change"], score: number): SwapRow[] =>
    (["right", "wrong"] as const).map((claim) => ({
      ...{ portrait, claim, change, from: "female", to: "male", component: "judge" },
      ...{ status: "scored", score: claim === "right" ? score : score + 10, settings_sha256: "s" },
    }));
  const swaps = ["p01", "p02"].flatMap((portrait) => [
    ...[...row(portrait, "none", 60), ...row(portrait, "gender", 64)],
    ...row(portrait, "other name", 61),
  ]);
  const sentence = takeaways.swapSentence(swaps);
  assert.match(sentence, /gender with the judge \(3\.00 \[3\.00, 3\.00\]\)/);
  assert.match(sentence, /judge −10\.00 \[−10\.00, −10\.00\], the wrong way round\.$/);
  assert.equal(rows.beyondRows(swaps)[0]!.label, "gender");
});
