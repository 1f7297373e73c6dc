import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import type { ComponentAnswer, ComponentRun } from "../../evaluation/component_answer.ts";
import { compareComponents } from "../../evaluation/component_comparison.ts";
import { componentDisagreements } from "../../evaluation/component_disagreements.ts";
import {
  figuresTable,
  heldOutRows,
  rivalsTable,
  shortName,
  unscoredTable,
} from "./comparison_views.ts";
import { disagreementsCsv, disagreementsTable } from "./disagreement_views.ts";
import { chanceSentence, rivalsSentence, verifierSentence } from "./takeaways.ts";
import { caseOf } from "./testdata/cases.ts";

const CASES = Array.from(
  { length: 40 },
  (_, i) => caseOf(`${i}`, i % 2 === 0 ? "supported" : "refuted"),
);

function run(component: string, supported: (i: number) => number | undefined): ComponentRun {
  const answer = (i: number): ComponentAnswer => {
    const value = supported(i);
    const unscored = value === undefined ? "malformed answer" : undefined;
    return { supported: value, unscored, reason: `because ${i}`, milliseconds: 2 };
  };
  return { component, answers: new Map(CASES.map(({ id }, i) => [id, answer(i)])) };
}

// The one is always right, the other says yes to everything and once nothing.
const KNOWING = run("knowing", (i) => i % 2 === 0 ? 0.9 : 0.1);
const YEA_SAYER = run("yea-sayer", (i) => i === 3 ? undefined : 0.6);
const RUNS = [KNOWING, YEA_SAYER];
const [ALL] = compareComponents(CASES, RUNS, randomSource(1));

test("figuresTable() shows figures with intervals, and how many claims have no score", () => {
  const table = figuresTable(ALL!);
  assert.match(table, /\| knowing \| 40 \| 0 \| 1\.00 \[1\.00, 1\.00\]/);
  assert.match(table, /\| yea-sayer \| 39 \| 1 \| 0\.50 \[0\.50, 0\.50\]/);
});

test("rivalsTable() turns a difference round where the component stands second", () => {
  assert.match(rivalsTable([ALL!], "knowing"), /\| yea-sayer \| 39 \| 0\.50 \[0\.50, 0\.50\] \|/);
  assert.match(
    rivalsTable([ALL!], "yea-sayer"),
    /\| knowing \| 39 \| −0\.50 \[−0\.50, −0\.50\] \|/,
  );
});

test("Requirement 13.4: the sentences name the better component and who is at chance", () => {
  assert.equal(
    rivalsSentence(ALL!, "knowing"),
    "On all claims the knowing is better than yea-sayer.",
  );
  assert.equal(
    rivalsSentence(ALL!, "yea-sayer"),
    "On all claims the yea-sayer is worse than knowing.",
  );
  assert.match(chanceSentence(ALL!), /Not told from chance on these claims: yea-sayer\./);
  assert.match(verifierSentence(ALL!, "knowing"), /1\.00 \[1\.00, 1\.00\], at or above the target/);
});

test("unscoredTable() counts why claims have no score", () => {
  assert.match(unscoredTable(RUNS), /\| yea-sayer \| malformed answer \| 1 \|/);
  assert.match(unscoredTable([KNOWING]), /gave a score on every claim/);
});

test("Requirement 13.3: disagreements are written with both reasons", () => {
  const disagreements = componentDisagreements(CASES, RUNS);
  assert.equal(disagreements.length, 19);
  const [header, first] = disagreementsCsv(disagreements).split("\n");
  assert.equal(header!.split(",").at(-1), "second_reason");
  assert.match(first!, /knowing,yea-sayer,knowing,because 1,because 1/);
  assert.match(disagreementsTable(disagreements.slice(0, 1)), /yea-sayer: because 1/);
});

test("heldOutRows() has one row a component", () => {
  assert.deepEqual(heldOutRows(ALL!).map(({ label }) => label), ["knowing", "yea-sayer"]);
});

test("shortName() leaves out how large a model is, and nothing else", () => {
  assert.equal(shortName("SmolLM2-135M-Instruct (next word)"), "SmolLM2 (next word)");
  assert.equal(shortName("gemma-3-270m (next word)"), "gemma-3 (next word)");
  assert.equal(shortName("trained verifier"), "trained verifier");
});
