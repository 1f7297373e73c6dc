import assert from "node:assert/strict";
import type { RepeatedEffect } from "../simulation/repeated_sessions.ts";
import {
  biasSentence,
  coverageByEffect,
  repeatedSentence,
  repeatedTable,
} from "./repeated_section.ts";

const row = (
  rater: string,
  effect: string,
  found: number,
  standardError: number | undefined,
  covered: number,
): RepeatedEffect => ({ rater, effect, planted: 0, found, standardError, covered, sessions: 40 });

const EFFECTS = [
  row("a", "points per ten items", 0.41, 0.19, 35),
  row("b", "points per ten items", -0.05, 0.07, 40),
  row("b", "points below a", 0.1, undefined, 38),
  row("b", "share of multiples of 5", 0.0214, 0.0031, 33),
];

Deno.test("repeatedTable() puts the Monte-Carlo error beside the mean, of shares with three places", () => {
  const table = repeatedTable(EFFECTS);
  assert.match(table, /\| a \| points per ten items \| 0\.00 \| 0\.41 ± 0\.19 \| 35 of 40 \|/);
  assert.match(table, /\| 0\.000 \| 0\.021 ± 0\.003 \|/);
  assert.match(table, /\| 0\.00 \| 0\.10 \| 38 of 40 \|/);
});

Deno.test("biasSentence() names the means that their own error does not explain", () => {
  const text = biasSentence(EFFECTS);
  assert.match(text, /^Of 3 means 1 lie within two standard errors .* leave about 3;/);
  assert.match(text, /points per ten items of a \(0\.41 ± 0\.19, planted 0\.00\), share of/);
  assert.match(biasSentence([EFFECTS[1]!]), /^Of 1 means 1 lie within .* about 1\.$/);
});

Deno.test("coverageByEffect() keeps what pooling hides", () => {
  assert.deepEqual(coverageByEffect(EFFECTS)[0], {
    ...{ effect: "points per ten items", share: 75 / 80, fewest: 35, most: 40 },
  });
  assert.match(repeatedSentence(EFFECTS), /ten items 94 % \(35 to 40\), harshness 95 % \(38\)/);
});
