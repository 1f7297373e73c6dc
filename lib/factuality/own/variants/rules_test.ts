import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../../files/json.ts";
import { randomSource } from "../../../stats/random.ts";
import { makeVariant, toolsForUserText } from "./make_variant.ts";
import { peopleIn } from "./perturbations.ts";
import { variantTools } from "./testdata/variant_tools.ts";
import { VARIANT_KINDS, type VariantKind } from "./variant.ts";

/** Possible variants of a text over all seeds; empty where the kind does not apply. */
function outcomes(kind: VariantKind, text: string): readonly string[] {
  const made = Array.from(
    { length: 60 },
    (_, seed) => makeVariant(kind, text, variantTools, randomSource(seed))?.text,
  );
  return [...new Set(made)].filter((one) => one !== undefined).toSorted();
}

/**
 * Kind, text and everything that may come of it. Nothing for texts that must stay as they are, such
 * as "more than 200 ships": with 210 it would be as true of what is 215. Units are worked out by
 * hand: 536 / 1.609344 = 333.05; 580,367 / 1.609344² = 224,080.9; 5 × 3.28084 = 16.4042.
 */
const RULE = z.tuple([z.enum(VARIANT_KINDS), z.string(), z.array(z.string())]);
const FILE = join(import.meta.dirname!, "testdata/rules.jsonl");

Deno.test("Requirement 14.1: makeVariant() by the rule of each kind, and what it leaves alone", () => {
  const { rows, damaged } = readJsonLines(FILE, (line) => RULE.parse(line));
  assert.deepEqual([rows.length, damaged], [67, []]);
  for (const [kind, text, expected] of rows) {
    assert.deepEqual(outcomes(kind, text), expected, `${kind}: ${text}`);
  }
});

Deno.test("Requirement 14.1: in any text people and towns are exchanged, for names that the source has not", () => {
  const source =
    "Station manager Priya Nair said that the warehouse on Harlow Street in Leeds burned. " +
    "Thomas Okoro thanked the Fire Service in March.";
  const tools = toolsForUserText(variantTools, { candidate: "", source });
  const of = (kind: VariantKind, text: string) =>
    new Set(
      Array.from(
        { length: 60 },
        (_, seed) => makeVariant(kind, text, tools, randomSource(seed))?.to,
      ),
    );
  assert.deepEqual(tools.towns, ["Leeds"]);
  const people = of("name", "Priya Nair praised the crews.");
  assert.deepEqual([...people].sort(), [...variantTools.people]);
  const towns = of("place", "The warehouse is in Leeds.");
  assert.ok(towns.size > 10 && !towns.has(undefined) && !towns.has("Leeds"));
  assert.deepEqual([...of("name", "Harlow Street is long.")], [undefined]);
});

Deno.test("a year is moved by five at most, and not beyond 2025; names stand for their like", () => {
  const years = outcomes("date", "It began in 2024.").map((text) => Number(/\d{4}/.exec(text)![0]));
  assert.ok(years.length > 3 && years.every((year) => year >= 2019 && year <= 2025));
  assert.ok(outcomes("name", "It joined NATO.").includes("It joined ASEAN."));
  const text = "Under President Jomo Kenyatta's rule, King Zog fled.";
  assert.deepEqual(peopleIn(text), ["Jomo Kenyatta"]);
});
