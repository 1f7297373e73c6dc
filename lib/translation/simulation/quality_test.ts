import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { QUALITY_BY_DEGRADATION, qualityOfTexts } from "./quality.ts";

const TEXTS = [
  { degradation: "careful", source: "Good evening.", translation: "Guten Abend." },
  { degradation: "fragment", source: "Good evening.", translation: "Guten" },
];

Deno.test("qualityOfTexts() knows a text by its sentence and not by its column", () => {
  const qualityOf = qualityOfTexts(TEXTS, randomSource(1));
  const one = qualityOf({ source: "Good evening.", translations: ["Guten Abend.", "Guten"] });
  const other = qualityOf({ source: "Good evening.", translations: ["Guten", "Guten Abend."] });
  assert.deepEqual([...one].reverse(), other);
  assert.ok(one[0]! > one[1]! + 40, `${one}`);
});

Deno.test("qualityOfTexts() gives a text that belongs to another sentence next to nothing", () => {
  const qualityOf = qualityOfTexts(TEXTS, randomSource(1));
  assert.deepEqual(qualityOf({ source: "Good morning.", translations: ["Guten Abend."] }), [6]);
});

Deno.test("qualityOfTexts() refuses a degradation whose quality nobody has said", () => {
  const texts = [{ ...TEXTS[0]!, degradation: "mumbled" }];
  assert.throws(() => qualityOfTexts(texts, randomSource(1)), /"mumbled" has no quality/);
});

Deno.test("QUALITY_BY_DEGRADATION descends from no fault to a text that breaks off", () => {
  const qualities = Object.values(QUALITY_BY_DEGRADATION);
  assert.deepEqual(qualities, [...qualities].sort((a, b) => b - a));
});
