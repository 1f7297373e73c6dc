import assert from "node:assert/strict";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { canonicalText } from "../text.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import type { SystemOutputs } from "./outputs.ts";
import { type PreparationOptions, prepareRun } from "./prepare_run.ts";
import { checkKey, keyHash, namesWithin } from "./run_files.ts";

const RUN_ID = "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11";
const SECRET = "00112233445566778899aabbccddeeff";

/** Returns words unique to a segment. Text from another segment is thus recognised. */
const segmentWords = (document: number, segment: number) =>
  Array.from({ length: 25 }, (_, word) => `${word}w${document}w${segment}`).join(" ");

/** Two to five systems over documents of one to four segments. Segment identifiers restart. */
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
      translations: texts.slice(0, systems).map((text) => `${text} ${segmentWords(d, s)}`),
    }))
  ),
}));

/** A prepared run with known settings. */
const RUNS = fc.record({
  outputs: OUTPUTS,
  secret: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => bytes.toHex()),
  seed: fc.integer(),
  assignment: fc.constantFrom("per_run", "per_item"),
  extras: fc.constantFrom([0, 0], [1, 0], [0, 1]),
  window_length: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  share: fc.double({ min: 0.5, max: 1, noNaN: true }),
}).map(({ outputs, extras, share, ...drawn }) => {
  const options: PreparationOptions = {
    ...drawn,
    runId: RUN_ID,
    repeats: extras[0]!,
    attention_checks: extras[1]!,
    min_distance: 1,
    config: { ...DEFAULT_RUN_CONFIG, numTranslations: outputs.systems.length },
    items: Math.ceil(share * outputs.segments.length),
  };
  return { outputs, options, run: prepareRun(outputs, options) };
});

Deno.test("FR-4: prepareRun() shows what the key says, extras between whole documents, each time the same", () => {
  fc.assert(fc.property(RUNS, ({ outputs, options, run }) => {
    const { items } = run.key;
    checkKey(run.key, run.workbook);
    for (const [index, { itemId, document, segment, systems, role }] of items.entries()) {
      assert.equal(itemId, index + 1);
      const original = outputs.segments
        .find((it) => it.document === document && it.segment === segment)!;
      const wanted = systems
        .map((system) => canonicalText(original.translations[outputs.systems.indexOf(system)]!));
      const { input } = run.workbook.items[index]!;
      for (const [translation, text] of input.translations.entries()) {
        const isSpoiled = role.kind === "attention" && role.translation === translation;
        if (isSpoiled) assert.ok(!wanted.includes(text));
        else assert.equal(text, wanted[translation]);
      }
      if (!("of" in role)) continue;
      const first = items.find((item) => item.itemId === role.of)!;
      assert.ok(itemId > role.of && first.role.kind === "rated");
      if (run.key.assignment === "per_run") assert.deepEqual(systems, first.systems);
    }
    const rated = items.filter(({ role }) => role.kind === "rated");
    for (const group of Map.groupBy(rated, ({ document }) => document).values()) {
      assert.equal(group.at(-1)!.itemId - group[0]!.itemId + 1, group.length);
    }
    assert.deepEqual(prepareRun(outputs, options), run);
  }));
});

Deno.test("namesWithin() finds a name as a workbook writes it", () => {
  const bytes = zipSync({ "a.xml": strToU8("<t>by O&apos;Neil &amp; Sons</t>") });
  assert.deepEqual(namesWithin(bytes, ["O'Neil & Sons", "Neal"]), ["O'Neil & Sons"]);
});

Deno.test("NFR-4: no byte of the workbook names a system, a document or a segment", async () => {
  await fc.assert(
    fc.asyncProperty(RUNS, async ({ options: { config, secret }, run }) => {
      const bytes = await writeWorkbook(run.workbook, config);
      const { systems, items } = run.key;
      const places = items.flatMap(({ document, segment }) => [document, segment]);
      const names = [...systems, ...places, secret, "repeat", "attention"];
      assert.deepEqual(namesWithin(bytes, names), []);
      assert.deepEqual(namesWithin(bytes, ["nowhere", "Source"]), ["Source"]);
    }),
    { numRuns: 50 },
  );
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

Deno.test("prepareRun() draws t1 … tN from the secret alone, by default anew for each item", () => {
  const columns = (options: Partial<PreparationOptions>) =>
    prepareRun(CORPUS, { ...BASE, ...options }).key.items.map(({ systems }) => systems.join(""));
  assert.equal(new Set(columns({})).size, 6);
  assert.equal(new Set(columns({ assignment: "per_run" })).size, 1);
  assert.deepEqual(columns({ seed: 2 }), columns({}));
  assert.notDeepEqual(columns({ secret: [...SECRET].reverse().join("") }), columns({}));
});

Deno.test("prepareRun() reports empty, equal and unblinded outputs, extras and what the run costs", () => {
  const { key, report } = prepareRun(CORPUS, { ...BASE, repeats: 3, attention_checks: 2 });
  assert.deepEqual([report.rated, report.repeats, report.attentionChecks], [30, 3, 2]);
  // 10 items of distance by default.
  assert.ok(key.items.every(({ itemId, role }) => !("of" in role) || itemId - role.of >= 10));
  const { systems, items, effort, documents } = prepareRun(CORPUS, { ...BASE, items: 20 }).report;
  assert.deepEqual(systems.map(({ empty, named }) => [empty, named]), [[0, 20], [20, 0], [0, 0]]);
  assert.ok(items.every(({ distinct, empty }) => distinct === 3 && empty === 1));
  // 20 items: 3 × 4 + 1 keystrokes each; 20 × 3 × 28 s and 42 s.
  const hours = { low: 1680 / 3600, high: 2520 / 3600 };
  assert.deepEqual([documents, effort.keystrokes, effort.hours], [10, 260, hours]);
});

Deno.test("prepareRun() says what does not fit", () => {
  const cases: readonly (readonly [Partial<PreparationOptions>, RegExp])[] = [
    [{ config: DEFAULT_RUN_CONFIG }, /3 systems \(x, y, z\), num_translations is 12/],
    [{ items: 300 }, /300 segments: there are 30/],
    [{ attention_checks: 6, min_distance: 28 }, /only 3 of 30 items have an end of a document 28/],
  ];
  for (const [change, message] of cases) {
    assert.throws(() => prepareRun(CORPUS, { ...BASE, ...change }), message);
  }
});

Deno.test("prepareRun() gives every sentence the context of its document, a repeat or check that of its original", () => {
  fc.assert(fc.property(RUNS, ({ outputs, options }) => {
    const { workbook, key: { items } } = prepareRun(outputs, { ...options, tell_documents: true });
    for (const [index, { role, document, segment }] of items.entries()) {
      const { context } = workbook.items[index]!.input;
      if (context === undefined) return;
      const group = outputs.segments.filter((it) => it.document === document);
      const at = group.findIndex((it) => it.segment === segment);
      assert.deepEqual([context.place, context.of], [at + 1, group.length]);
      const sources = (from: number, to: number) =>
        group.slice(Math.max(0, from), to).map(({ source }) => source).join("\n");
      assert.equal(context.before, sources(at - 2, at));
      assert.equal(context.after, sources(at + 1, at + 3));
      if ("of" in role) assert.deepEqual(context, workbook.items[role.of - 1]!.input.context);
    }
  }));
});

Deno.test("prepareRun() draws the order of documents from the secret, unless all are to have the same", () => {
  const order = (options: Partial<PreparationOptions>) =>
    prepareRun(CORPUS, { ...BASE, ...options }).key.items.map(({ segment }) => segment).join();
  const secret = [...SECRET].reverse().join("");
  assert.notEqual(order({ secret }), order({}));
  assert.equal(order({ secret, order: "same" }), order({ order: "same" }));
  const [different, same] = [order({}), order({ order: "same" })].map((it) =>
    it.split(",").sort().join()
  );
  assert.equal(different, same);
});

Deno.test("prepareRun() puts rater and batch into key and workbook; older ones have neither and hash as they did", () => {
  const who = { rater: "anna", batch: "2" };
  const { workbook, key } = prepareRun(CORPUS, { ...BASE, ...who });
  assert.deepEqual([key.rater, key.batch, workbook.rater, workbook.batch], [
    "anna",
    "2",
    "anna",
    "2",
  ]);
  checkKey(key, workbook);
  const other = prepareRun(CORPUS, { ...BASE, ...who, rater: "ben" });
  assert.throws(() => checkKey(other.key, workbook), /the key is of ben, the workbook of anna/);
  const { rater: _, batch: __, ...older } = key;
  assert.notEqual(keyHash(older), keyHash(key));
  // Written by the version without raters' names.
  const item = { itemId: 1, segment: "1", document: "d", systems: ["y", "x"] };
  const golden = {
    runId: "r",
    secret: SECRET,
    assignment: "per_item" as const,
    systems: ["x", "y"],
  };
  assert.equal(
    keyHash({ ...golden, items: [{ ...item, role: { kind: "rated" } }] }),
    "d1d33dba0715541bbe96acc405dc5ba1d2d4ae8915f6d62c295dd92b73a84c1b",
  );
});

Deno.test("prepareRun() numbers documents where asked, a repeat as one of its own, and none of single sentences", () => {
  fc.assert(fc.property(RUNS, ({ outputs, options }) => {
    const { workbook, key: { items } } = prepareRun(outputs, { ...options, tell_documents: true });
    const numbers = workbook.items.map(({ input }) => input.document);
    const rated = items.filter(({ role }) => role.kind === "rated");
    const isSingle = new Set(rated.map(({ document }) => document)).size === rated.length;
    if (isSingle) return assert.ok(numbers.every((number) => number === undefined));
    items.forEach(({ role, document }, index) => {
      const before = items[index - 1];
      const isContinued = before?.role.kind === "rated" && role.kind === "rated" &&
        before.document === document;
      assert.equal(numbers[index], (numbers[index - 1] ?? 0) + (isContinued ? 0 : 1));
    });
  }));
});
