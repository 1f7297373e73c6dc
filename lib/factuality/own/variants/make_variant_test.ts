import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { compareQuantities, type Quantity, readQuantities } from "../../features/quantities.ts";
import { makeVariant, type Variant } from "./make_variant.ts";
import { TRUE_TEXTS, variantTools } from "./testdata/variant_tools.ts";
import { CONTROLS, VARIANT_KINDS, type VariantKind } from "./variant.ts";

const texts = fc.constantFrom(...TRUE_TEXTS);
const seeds = fc.integer({ min: 0, max: 1_000_000 });

const variantOf = (kind: VariantKind, text: string, seed: number) =>
  makeVariant(kind, text, variantTools, randomSource(seed));

/** Relations between amounts and dates of the variant and the original, in order. */
function relations(before: string, after: string): readonly string[] {
  const [was, is] = [readQuantities(before), readQuantities(after)];
  assert.equal(was.length, is.length, `${before} → ${after}`);
  return is.map((quantity, i) => compareQuantities(quantity, was[i] as Quantity));
}

const amounts = (text: string) => readQuantities(text).map(({ text }) => text).toSorted().join();
const moving: VariantKind[] = ["order", "paraphrase"];

/** Properties of a variant of some kinds and its original text. */
const LAWS: Readonly<
  Record<string, readonly [readonly VariantKind[], (made: Variant, text: string) => boolean]>
> = {
  "one thing is changed, and nothing else": [VARIANT_KINDS, ({ text: changed, from, to }, text) => {
    const places = text.split("").keys().filter((at) => text.startsWith(from, at));
    const made = places.map((at) => text.slice(0, at) + to + text.slice(at + from.length));
    return from !== to && made.some((one) => one === changed);
  }],
  "a changed date, number or digit excludes the original": [
    ["date", "number", "digits"],
    ({ text: changed }, text) =>
      relations(text, changed).filter((one) => one === "different").length === 1,
  ],
  "a number is moved by 5 to 20 %": [["number"], ({ from, to }) => {
    const [was, is] = [from, to].map((text) => Number(text.replaceAll(",", "")));
    const share = Math.abs(is! - was!) / was!;
    return share > 0.044 && share < 0.206;
  }],
  "no control changes what a number or date says": [
    CONTROLS.filter((kind) => !moving.includes(kind)),
    ({ text: changed }, text) => relations(text, changed).every((one) => one === "same"),
  ],
  "a control that reorders keeps every number and date": [
    moving,
    ({ text: changed }, text) => amounts(changed) === amounts(text),
  ],
  "a false name is never in the source, and the country that a text is about stays": [
    ["place", "name"],
    ({ from, to }) => !variantTools.source.includes(to) && from !== "Kenya",
  ],
};

for (const [law, [kinds, holds]] of Object.entries(LAWS)) {
  Deno.test(`Requirement 14.1: ${law}; the same seed gives the same`, () => {
    for (const kind of kinds) assert.ok(TRUE_TEXTS.some((text) => variantOf(kind, text, 1)), kind);
    fc.assert(
      fc.property(fc.constantFrom(...kinds), texts, seeds, (kind, text, seed) => {
        const made = variantOf(kind, text, seed);
        assert.deepEqual(variantOf(kind, text, seed), made);
        assert.ok(made === undefined || holds(made, text), `${text} → ${made?.text}`);
      }),
      { numRuns: 600 },
    );
  });
}
