import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { canonicalText } from "../text.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import type { SystemOutputs } from "./outputs.ts";
import { type PreparationOptions, type PreparedRun, prepareRun } from "./prepare_run.ts";
import { checkKey, namesWithin } from "./run_files.ts";

const RUN_ID = "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11";
const SECRET = "00112233445566778899aabbccddeeff";

/** Two to five systems over documents of one to four segments; identifiers begin anew in each. */
const OUTPUTS: fc.Arbitrary<SystemOutputs> = fc.record({
  systems: fc.integer({ min: 2, max: 5 }),
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
  texts: fc.array(fc.string({ unit: "binary" }), { minLength: 5, maxLength: 5 }),
}).map(({ systems, lengths, texts }) => ({
  systems: Array.from({ length: systems }, (_, index) => `Systémname-${index}`),
  segments: lengths.flatMap((length, d) =>
    Array.from({ length }, (_, s) => ({
      document: `Dokumentname-${d}`,
      segment: `Segmentname-${s}`,
      source: `Source ${d}.${s}`,
      // Words of the segment's own, so that another segment always has a text to lend.
      translations: texts.slice(0, systems).map((text) => `${text} ${ownWords(d, s)}`),
    }))
  ),
}));

function ownWords(document: number, segment: number): string {
  return Array.from({ length: 25 }, (_, word) => `${word}w${document}w${segment}`).join(" ");
}

const OPTIONS = fc.record({
  secret: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => bytes.toHex()),
  seed: fc.integer(),
  assignment: fc.constantFrom("per_run" as const, "per_item" as const),
  extras: fc.constantFrom([0, 0], [1, 0], [0, 1]),
  windowLength: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  share: fc.double({ min: 0.5, max: 1, noNaN: true }),
});

/** A prepared run for which everything that was drawn is known. */
const RUNS = fc.tuple(OUTPUTS, OPTIONS).map(([outputs, { extras, share, ...drawn }]) => {
  const [repeats, attentionChecks] = extras as [number, number];
  const options: PreparationOptions = {
    runId: RUN_ID,
    repeats,
    attentionChecks,
    minDistance: 1,
    ...drawn,
    config: { ...DEFAULT_RUN_CONFIG, numTranslations: outputs.systems.length },
    items: Math.ceil(share * outputs.segments.length),
  };
  return { outputs, options, run: prepareRun(outputs, options) };
});

const textsOf = ({ workbook }: PreparedRun, itemId: number) =>
  workbook.items.find(({ input }) => input.itemId === itemId)!.input.translations;

Deno.test("prepareRun() shows what the key says, extras between whole documents", () => {
  const property = fc.property(RUNS, ({ outputs, run }) => {
    const { items } = run.key;
    checkKey(run.key, run.workbook);
    for (const [index, { itemId, document, segment, systems, role }] of items.entries()) {
      assert.equal(itemId, index + 1);
      const original = outputs.segments
        .find((it) => it.document === document && it.segment === segment)!;
      const wanted = systems
        .map((system) => canonicalText(original.translations[outputs.systems.indexOf(system)]!));
      for (const [translation, text] of textsOf(run, itemId).entries()) {
        const isSpoiled = role.kind === "attention" && role.translation === translation;
        if (isSpoiled) assert.ok(!wanted.includes(text));
        else assert.equal(text, wanted[translation]);
      }
      if (role.kind === "rated") continue;
      const first = items.find((item) => item.itemId === role.of)!;
      assert.ok(itemId > role.of && first.role.kind === "rated");
      if (run.key.assignment === "per_run") assert.deepEqual(systems, first.systems);
    }
    const rated = items.flatMap(({ role, document }, index) =>
      role.kind === "rated" ? [{ document, index }] : []
    );
    for (const places of Map.groupBy(rated, ({ document }) => document).values()) {
      assert.equal(places.at(-1)!.index - places[0]!.index + 1, places.length);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

Deno.test("FR-4: prepareRun() gives the same workbook and key for the same arguments", () => {
  const property = fc.property(RUNS, ({ outputs, options, run }) => {
    assert.deepEqual(prepareRun(outputs, options), run);
  });
  fc.assert(property, { numRuns: 100 });
});

Deno.test("NFR-4: no byte of the workbook names a system, a document or a segment", async () => {
  const property = fc.asyncProperty(RUNS, async ({ options: { config, secret }, run }) => {
    const bytes = await writeWorkbook(run.workbook, config);
    const { systems, items } = run.key;
    const places = items.flatMap(({ document, segment }) => [document, segment]);
    assert.deepEqual(
      namesWithin(bytes, [...systems, ...places, secret, "repeat", "attention"]),
      [],
    );
    const [text] = run.workbook.items[0]!.input.source.split(" ");
    assert.deepEqual(namesWithin(bytes, ["nowhere", text!]), [text]);
  });
  await fc.assert(property, { numRuns: 100 });
});

const CORPUS: SystemOutputs = {
  systems: ["x", "y", "z"],
  segments: Array.from({ length: 30 }, (_, n) => ({
    document: `d${n >> 1}`,
    segment: String(n),
    source: `Source ${n}`,
    translations: [`Ein Satz mit der Zahl ${n}`, "", `Die Zahl ${n} im Satz von x`],
  })),
};

const BASE: PreparationOptions = {
  runId: RUN_ID,
  secret: SECRET,
  seed: 1,
  config: { ...DEFAULT_RUN_CONFIG, numTranslations: 3 },
};

Deno.test("prepareRun() draws t1 … tN from the secret alone, anew for each item unless told", () => {
  const columns = (options: Partial<PreparationOptions>) =>
    prepareRun(CORPUS, { ...BASE, ...options }).key.items.map(({ systems }) => systems.join(""));
  assert.equal(new Set(columns({})).size, 6);
  assert.equal(new Set(columns({ assignment: "per_run" })).size, 1);
  assert.deepEqual(columns({ seed: 2 }), columns({}));
  assert.notDeepEqual(columns({ secret: [...SECRET].reverse().join("") }), columns({}));
});

Deno.test("prepareRun() takes repeats as a share, and 10 items of distance unless told", () => {
  const { key, report } = prepareRun(CORPUS, {
    ...BASE,
    repeats: { share: 0.1 },
    attentionChecks: 2,
  });
  const extras = key.items.flatMap(({ itemId, role }) =>
    role.kind === "rated" ? [] : [itemId - role.of]
  );
  assert.equal(extras.length, 5);
  assert.ok(extras.every((distance) => distance >= 10));
  assert.deepEqual([report.rated, report.repeats, report.attentionChecks], [30, 3, 2]);
});

Deno.test("prepareRun() reports empty, equal and unblinded outputs and what the run costs", () => {
  const { report } = prepareRun(CORPUS, { ...BASE, items: 20 });
  const [x, y, z] = report.systems;
  assert.deepEqual([x!.empty, y!.empty, z!.empty], [0, 20, 0]);
  assert.deepEqual([x!.named, y!.named, z!.named], [20, 0, 0]);
  assert.equal(y!.relativeLength.max, 0);
  assert.deepEqual(
    new Set(report.items.map(({ distinct, empty }) => `${distinct} ${empty}`)),
    new Set(["3 1"]),
  );
  // 20 items: 3 × 4 + 1 keystrokes each; 20 × 3 × 28 s and 42 s.
  assert.equal(report.effort.keystrokes, 260);
  assert.deepEqual(report.effort.hours, { low: 1680 / 3600, high: 2520 / 3600 });
  assert.deepEqual([report.documents, report.partialDocuments], [10, 0]);
  assert.deepEqual(report.sourceScripts, [{ name: "Latin", rightToLeft: false, texts: 20 }]);
  assert.deepEqual(report.translationScripts.map(({ name, texts }) => [name, texts]), [
    ...[["Latin", 40], ["none", 20]],
  ]);
});

Deno.test("prepareRun() refuses a weak secret and another number of systems than configured", () => {
  assert.throws(() => prepareRun(CORPUS, { ...BASE, secret: "1234" }), /32 or more/);
  assert.throws(() => prepareRun(CORPUS, { ...BASE, config: DEFAULT_RUN_CONFIG }), {
    name: "RangeError",
    message: "Cannot prepare the run: there are 3 systems (x, y, z), num_translations is 12. " +
      "Exclude systems, or change num_translations.",
  });
  assert.throws(() => prepareRun(CORPUS, { ...BASE, repeats: { share: 2 } }), RangeError);
  assert.throws(
    () => prepareRun(CORPUS, { ...BASE, repeats: { share: 0.01 } }),
    /a share of 0\.01: of 30 items that rounds to none/,
  );
});

Deno.test("prepareRun() lists every fault of its options at once", () => {
  const options = {
    ...BASE,
    runId: "run 1",
    secret: "1234",
    items: 300,
    repeats: { share: 0.01 },
    attentionChecks: 6,
    minDistance: 28,
    config: DEFAULT_RUN_CONFIG,
  };
  assert.throws(() => prepareRun(CORPUS, options), (error) => {
    assert.ok(error instanceof RangeError);
    const [heading, ...faults] = error.message.split("\n  ");
    assert.equal(heading, "Cannot prepare the run:");
    const expected = [/run 1 is no UUID/, /32 or more/, /3 systems/, /300 segments: there are 30/];
    for (const [index, pattern] of expected.entries()) assert.match(faults[index]!, pattern);
    assert.match(faults[4]!, /rounds to none/);
    assert.match(faults[5]!, /only 3 of 30 items have an end of a document 28/);
    assert.equal(faults.length, 6);
    return true;
  });
});
