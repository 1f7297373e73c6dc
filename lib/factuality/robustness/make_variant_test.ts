import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { compareQuantities, type Quantity } from "../features/quantities/quantity.ts";
import { readQuantities } from "../features/quantities/read_quantities.ts";
import { makeVariant } from "./make_variant.ts";
import { TRUE_TEXTS, variantTools } from "./testdata/variant_tools.ts";
import {
  CONTROLS,
  isPerturbation,
  type Variant,
  VARIANT_KINDS,
  type VariantKind,
} from "./variant.ts";

const kinds = fc.constantFrom(...VARIANT_KINDS);
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
      holds(variant, text);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(made >= 100, `only ${made} variants were made`);
}

test("Requirement 14.1: every kind finds a place in one of the texts", () => {
  const found = VARIANT_KINDS.filter((kind) =>
    TRUE_TEXTS.some((text) => variantOf(kind, text, 1) !== undefined)
  );
  assert.deepEqual(found, VARIANT_KINDS);
});

test("Requirement 14.1: the same seed gives the same variant", () => {
  fc.assert(
    fc.property(kinds, texts, seeds, (kind, text, seed) => {
      assert.deepEqual(variantOf(kind, text, seed), variantOf(kind, text, seed));
    }),
    { numRuns: 300 },
  );
});

test("Requirement 14.1: span, from and to are where the texts differ, and nowhere else", () => {
  onVariants(kinds, ({ text: changed, span, from, to }, text) => {
    assert.notEqual(changed, text);
    assert.equal(text.slice(span.start, span.end), from);
    assert.equal(text.slice(0, span.start) + to + text.slice(span.end), changed);
    assert.notEqual(from, to);
  });
});

/** Amounts and dates of the variant against those of the original, place by place. */
function relations(before: string, after: string): readonly string[] {
  const [was, is] = [readQuantities(before), readQuantities(after)];
  assert.equal(was.length, is.length, `${before} → ${after}`);
  return is.map((quantity, i) => compareQuantities(quantity, was[i] as Quantity));
}

test("Requirement 14.1: a changed date, number or digit reads as one that excludes the original", () => {
  onVariants(fc.constantFrom("date", "number", "digits"), ({ text: changed }, text) => {
    assert.equal(relations(text, changed).filter((one) => one === "different").length, 1);
  });
});

test("Requirement 14.1: a number is moved by 5 to 20 %", () => {
  onVariants(fc.constant("number"), ({ from, to }) => {
    const [was, is] = [from, to].map((text) => Number(text.replaceAll(",", ""))) as [
      number,
      number,
    ];
    const share = Math.abs(is - was) / was;
    assert.ok(share > 0.044 && share < 0.206, `${from} → ${to}`);
  });
});

test("Requirement 14.1: no control changes what a number or date says", () => {
  const controls = CONTROLS.filter((kind) => !["order", "paraphrase"].includes(kind));
  onVariants(fc.constantFrom(...controls), ({ text: changed }, text) => {
    assert.ok(relations(text, changed).every((one) => one === "same"), `${text} → ${changed}`);
  });
});

test("Requirement 14.1: a control that reorders keeps every number and date", () => {
  onVariants(fc.constantFrom("order", "paraphrase"), ({ text: changed }, text) => {
    const values = (whole: string) => readQuantities(whole).map(({ text }) => text).toSorted();
    assert.deepEqual(values(changed), values(text));
  });
});

test("a false name never stands in the source, and the country that a text is about stays", () => {
  onVariants(fc.constantFrom("place", "name"), ({ from, to }) => {
    assert.ok(!variantTools.source.includes(to), to);
    assert.notEqual(from, "Kenya");
  });
});

test("isPerturbation() parts the kinds", () => {
  assert.equal(VARIANT_KINDS.filter(isPerturbation).length, 9);
  assert.ok(CONTROLS.every((kind) => !isPerturbation(kind)));
});
