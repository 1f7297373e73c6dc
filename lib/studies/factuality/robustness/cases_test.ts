import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import type { Variant } from "../../../factuality/own/variants/make_variant.ts";
import type { VariantKind } from "../../../factuality/own/variants/variant.ts";
import { sourcePassage } from "../../../factuality/types.ts";
import { chooseCases, drawnOf, labelledCases } from "./cases.ts";

const variant = (kind: VariantKind): Variant => ({ kind, text: `${kind}!`, from: "a", to: "b" });

/** Ten claims that can be respelt, half of them of running text. Three with a date. */
const CLAIMS = Array.from({ length: 10 }, (_, i) => {
  const passage = { ...sourcePassage("True."), id: `p${i}` };
  const given = { text: "True.", source: "True.", value: "", passage };
  const base = { id: `k${i}`, country: `C${i}`, isProse: i % 2 === 0, ...given };
  return { base, variants: [...i < 3 ? [variant("date")] : [], variant("spelling")] };
});

const chosen = () => chooseCases(CLAIMS, { perKind: 4, drawnPerKind: 2, random: randomSource(5) });

Deno.test("chooseCases() takes n of each kind, half running text, sharing originals", () => {
  const { date, spelling } = Object.groupBy(chosen(), ({ kind }) => kind);
  assert.deepEqual([date!.length, spelling!.length], [3, 4]);
  assert.equal(spelling!.filter(({ base }) => Number(base.slice(1)) % 2 === 0).length, 2);
  const dated = new Set(date!.map(({ base }) => base));
  assert.equal(spelling!.filter(({ base }) => dated.has(base)).length, 3);
  assert.equal(chosen().filter(({ drawn }) => drawn).length, 4);
  assert.deepEqual(chosen(), chosen());
  const passages = new Map(CLAIMS.map(({ base: { passage } }) => [passage.id, passage]));
  const labelled = labelledCases(chosen(), passages);
  // Each original once.
  assert.equal(labelled.length, new Set(chosen().map(({ base }) => base)).size + 7);
  assert.equal(labelled.filter(({ label }) => label === "not supported").length, 3);
  assert.throws(() => labelledCases(chosen(), new Map()), /has no passage p\d/);
  const drawn = drawnOf(labelled, chosen());
  assert.ok(drawn.length >= 6 && drawn.length <= 8);
});
