import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../stats/random.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { formatRobustnessCases, readRobustnessCases } from "./case_table.ts";
import { chooseCases, type VariedClaim } from "./choose_cases.ts";
import { drawnOf, labelledCases } from "./robustness_case.ts";
import type { Variant, VariantKind } from "./variant.ts";

const variant = (kind: VariantKind): Variant => ({
  ...{ kind, text: `${kind}!`, span: { start: 0, end: 1 }, from: "a", to: "b" },
});

/** Ten claims that can be respelt, half of them of running text; three with a date. */
const CLAIMS: readonly VariedClaim[] = Array.from({ length: 10 }, (_, i) => ({
  base: {
    ...{ id: `k${i}`, country: `C${i}`, isProse: i % 2 === 0, text: "True." },
    passage: { ...sourcePassage("True."), id: `p${i}` },
  },
  variants: [variant("spelling"), ...i < 3 ? [variant("date")] : []],
}));

const OPTIONS = { perKind: 4, drawnPerKind: 2, random: randomSource(5) };
const chosen = () => chooseCases(CLAIMS, { ...OPTIONS, random: randomSource(5) });

test("chooseCases() takes so many a kind, half running text, sharing originals", () => {
  const byKind = Map.groupBy(chosen(), ({ kind }) => kind);
  assert.equal(byKind.get("date")!.length, 3);
  const respelt = byKind.get("spelling")!;
  assert.equal(respelt.length, 4);
  assert.equal(respelt.filter(({ base }) => Number(base.slice(1)) % 2 === 0).length, 2);
  const dated = new Set(byKind.get("date")!.map(({ base }) => base));
  assert.equal(respelt.filter(({ base }) => dated.has(base)).length, 3);
  assert.equal(chosen().filter(({ drawn }) => drawn).length, 4);
  assert.deepEqual(chosen(), chosen());
});

test("labelledCases() has each original once, and says which passage is missing", () => {
  const passages = new Map(CLAIMS.map(({ base: { passage } }) => [passage.id, passage]));
  const labelled = labelledCases(chosen(), passages);
  const originals = new Set(chosen().map(({ base }) => base)).size;
  assert.equal(labelled.length, originals + 7);
  assert.equal(labelled.filter(({ label }) => label === "not supported").length, 3);
  const drawn = drawnOf(labelled, chosen());
  assert.ok(drawn.length >= 6 && drawn.length <= 8);
  assert.throws(() => labelledCases(chosen(), new Map()), /has no passage p\d/);
});

test("readRobustnessCases() reads what formatRobustnessCases() wrote", () => {
  const path = Deno.makeTempFileSync({ suffix: ".csv" });
  try {
    const text = formatRobustnessCases(chosen());
    Deno.writeTextFileSync(path, text);
    assert.deepEqual(readRobustnessCases(path), chosen());
    assert.match(text, /k\d\/date,k\d,C\d,date,perturbation,yes,/);
  } finally {
    Deno.removeSync(path);
  }
});
