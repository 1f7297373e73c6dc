import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { compareQuantities, type Quantity, readQuantities } from "../features/quantities.ts";
import { sourcePassage } from "../types.ts";
import { chooseCases, drawnOf, labelledCases, makeVariant, type Variant } from "./cases.ts";
import { TRUE_TEXTS, variantTools } from "./testdata/variant_tools.ts";
import { CASES } from "./tables.ts";
import { CONTROLS, VARIANT_KINDS, type VariantKind } from "./variant.ts";

const texts = fc.constantFrom(...TRUE_TEXTS);
const seeds = fc.integer({ min: 0, max: 1_000_000 });

const variantOf = (kind: VariantKind, text: string, seed: number) =>
  makeVariant(kind, text, variantTools, randomSource(seed));

/** Runs on texts in which the kind finds something to change. */
function onVariants(
  kindsOf: fc.Arbitrary<VariantKind>,
  holds: (variant: Variant, text: string) => void,
): void {
  let made = 0;
  fc.assert(
    fc.property(kindsOf, texts, seeds, (kind, text, seed) => {
      const variant = variantOf(kind, text, seed);
      if (variant === undefined) return;
      made++;
      assert.deepEqual(variantOf(kind, text, seed), variant);
      holds(variant, text);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(made >= 100, `only ${made} variants were made`);
}

Deno.test("Requirement 14.1: every kind finds a place in one of the texts", () => {
  const found = VARIANT_KINDS.filter((kind) =>
    TRUE_TEXTS.some((text) => variantOf(kind, text, 1) !== undefined)
  );
  assert.deepEqual(found, VARIANT_KINDS);
});

Deno.test("Requirement 14.1: the same seed gives the same variant, one thing in it changed", () => {
  onVariants(fc.constantFrom(...VARIANT_KINDS), ({ text: changed, from, to }, text) => {
    assert.notEqual(from, to);
    const places = text.split("").keys().filter((at) => text.startsWith(from, at));
    const made = places.map((at) => text.slice(0, at) + to + text.slice(at + from.length));
    assert.ok(made.some((one) => one === changed), `${text} → ${changed}`);
  });
});

/** Amounts and dates of the variant against those of the original, place by place. */
function relations(before: string, after: string): readonly string[] {
  const [was, is] = [readQuantities(before), readQuantities(after)];
  assert.equal(was.length, is.length, `${before} → ${after}`);
  return is.map((quantity, i) => compareQuantities(quantity, was[i] as Quantity));
}

Deno.test("Requirement 14.1: a changed date, number or digit reads as one that excludes the original", () => {
  onVariants(fc.constantFrom("date", "number", "digits"), ({ text: changed }, text) => {
    assert.equal(relations(text, changed).filter((one) => one === "different").length, 1);
  });
});

Deno.test("Requirement 14.1: a number is moved by 5 to 20 %", () => {
  onVariants(fc.constant("number"), ({ from, to }) => {
    const [was, is] = [from, to].map((text) => Number(text.replaceAll(",", "")));
    const share = Math.abs(is! - was!) / was!;
    assert.ok(share > 0.044 && share < 0.206, `${from} → ${to}`);
  });
});

Deno.test("Requirement 14.1: no control changes what a number or date says", () => {
  const controls = CONTROLS.filter((kind) => !["order", "paraphrase"].includes(kind));
  onVariants(fc.constantFrom(...controls), ({ text: changed }, text) => {
    assert.ok(relations(text, changed).every((one) => one === "same"), `${text} → ${changed}`);
  });
});

Deno.test("Requirement 14.1: a control that reorders keeps every number and date", () => {
  onVariants(fc.constantFrom("order", "paraphrase"), ({ text: changed }, text) => {
    const values = (whole: string) => readQuantities(whole).map(({ text }) => text).toSorted();
    assert.deepEqual(values(changed), values(text));
  });
});

Deno.test("a false name never stands in the source, and the country that a text is about stays", () => {
  onVariants(fc.constantFrom("place", "name"), ({ from, to }) => {
    assert.ok(!variantTools.source.includes(to), to);
    assert.notEqual(from, "Kenya");
  });
});

const variant = (kind: VariantKind): Variant => ({ kind, text: `${kind}!`, from: "a", to: "b" });

/** Ten claims that can be respelt, half of them of running text; three with a date. */
const CLAIMS = Array.from({ length: 10 }, (_, i) => {
  const passage = { ...sourcePassage("True."), id: `p${i}` };
  const base = { id: `k${i}`, country: `C${i}`, isProse: i % 2 === 0, text: "True.", passage };
  return { base, variants: [...i < 3 ? [variant("date")] : [], variant("spelling")] };
});

const chosen = () => chooseCases(CLAIMS, { perKind: 4, drawnPerKind: 2, random: randomSource(5) });

Deno.test("chooseCases() takes so many a kind, half running text, sharing originals", () => {
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

Deno.test("labelledCases() has each original once, and says which passage is missing", () => {
  const passages = new Map(CLAIMS.map(({ base: { passage } }) => [passage.id, passage]));
  const labelled = labelledCases(chosen(), passages);
  const originals = new Set(chosen().map(({ base }) => base)).size;
  assert.equal(labelled.length, originals + 7);
  assert.equal(labelled.filter(({ label }) => label === "not supported").length, 3);
  const drawn = drawnOf(labelled, chosen());
  assert.ok(drawn.length >= 6 && drawn.length <= 8);
  assert.throws(() => labelledCases(chosen(), new Map()), /has no passage p\d/);
});

Deno.test("CASES is read as it was written, with what follows from a kind beside it", () =>
  inFolder((folder) => {
    const table = CASES.at(join(folder, "cases.csv"));
    table.write(chosen());
    assert.deepEqual(table.read(), chosen());
    assert.match(Deno.readTextFileSync(table.path), /k\d\/date,k\d,C\d,date,perturbation,yes,/);
  }));
