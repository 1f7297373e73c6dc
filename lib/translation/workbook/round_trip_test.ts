import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRunConfig } from "../configuration.ts";
import { canonicalText } from "../text.ts";
import type { Evaluation, RatingWorkbook } from "../types.ts";
import { readWorkbook } from "./read_workbook.ts";
import { checkpoint, newWorkbook, writeWorkbook } from "./write_workbook.ts";

const RUN_ID = "6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11";
const CONFIG = parseRunConfig("num_translations: 2", "test");
const OPTIONS = { config: CONFIG, runId: RUN_ID };

const HOSTILE = [
  "line\r\nend\rand\nagain",
  "\0\x01\x08\x0b\x1f\x7f",
  "_x0041_",
  "_x0041_x0042_",
  "__x000D__",
  "_x00e9_ _x005F_x0041_",
  "\ufffe\uffff",
  "\ud800 alone \udc00",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "e\u0301 NFD, é NFC",
  "مرحبا بالعالم \u202e",
  "नमस्ते दुनिया",
  "=1+1",
  "007",
  "1e5",
  "TRUE",
  "2026-01-31",
  "  leading and trailing  ",
  "\t\n",
  "\n",
  " ",
  "'quoted",
  "<t>&amp;]]></t>",
  "\u00a0\u2028\u0085",
  "x".repeat(32_767),
  "__proto__",
  "",
];

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.constantFrom("_", "x", "0041", "\r", "\n", "\ufffe", "\ud83d", "\ude00", " "))
    .map((parts) => parts.join("")),
);

const score = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    hostileText,
  ),
  { nil: undefined },
);

const time = fc.option(
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString()),
  { nil: undefined },
);

const rated = fc.record({
  ratings: fc.array(
    fc.record({ bucket: fc.option(hostileText, { nil: undefined }), da: score }),
    { minLength: 2, maxLength: 2 },
  ),
  comment: hostileText,
  startedAt: time,
  committedAt: time,
  editCount: fc.nat(1000),
  activeSeconds: fc.nat(99_999).map((tenths) => tenths / 10),
  highlightSeconds: fc.nat(99_999).map((tenths) => tenths / 10),
});

const items = fc.array(fc.tuple(hostileText, hostileText, hostileText), {
  minLength: 1,
  maxLength: 3,
}).map((texts) =>
  texts.map(([source, ...translations], index) => ({ itemId: index + 1, source, translations }))
);

function withRatings(workbook: RatingWorkbook, ratings: Partial<Evaluation>): RatingWorkbook {
  const items = workbook.items.map(({ input, evaluation }) => ({
    input,
    evaluation: { ...evaluation, ...ratings },
  }));
  return { ...workbook, items };
}

Deno.test("NFR-1, FR-9: checkpoint() writes any text and rating so that they are read back", async () => {
  await fc.assert(
    fc.asyncProperty(items, rated, async (texts, ratings) => {
      const fresh = newWorkbook(texts, { ...OPTIONS, keySha256: "ab".repeat(32) });
      const result = await readWorkbook(
        await checkpoint(withRatings(fresh, ratings), CONFIG),
        OPTIONS,
      );
      assert.ok(result.kind === "workbook");
      for (const [index, { input, evaluation }] of result.workbook.items.entries()) {
        const { source, translations } = texts[index]!;
        assert.equal(input.source, canonicalText(source));
        assert.deepEqual(input.translations, translations.map(canonicalText));
        assert.equal(evaluation.comment, canonicalText(ratings.comment));
        assert.equal(evaluation.startedAt, ratings.startedAt);
        assert.equal(evaluation.activeSeconds, ratings.activeSeconds);
      }
    }),
    { numRuns: 100, seed: 6 },
  );
});

Deno.test("checkpoint() writes each hostile text as it stands", async () => {
  const texts = HOSTILE.map((text, index) => ({
    itemId: index + 1,
    source: text,
    translations: [`${text}a`.slice(-32_767), ""],
  }));
  const fresh = newWorkbook(texts, { ...OPTIONS, keySha256: "" });
  const result = await readWorkbook(await checkpoint(fresh, CONFIG), OPTIONS);
  assert.deepEqual(result, { kind: "workbook", workbook: fresh });
});

Deno.test("writeWorkbook() gives the same bytes for the same workbook", async () => {
  const fresh = newWorkbook([{ itemId: 1, source: "a", translations: ["b", "c"] }], {
    ...OPTIONS,
    keySha256: "",
  });
  assert.deepEqual(await writeWorkbook(fresh, CONFIG), await writeWorkbook(fresh, CONFIG));
});

Deno.test("NFR-1: readWorkbook() takes ratings that break a rule, for the banner to show", async () => {
  const fresh = newWorkbook([{ itemId: 7, source: "a", translations: ["b", "c"] }], {
    ...OPTIONS,
    keySha256: "",
  });
  const ratings = [{ bucket: "superb", da: 140 }, { bucket: "poor", da: "ninety" }];
  const result = await readWorkbook(
    await checkpoint(withRatings(fresh, { ratings }), CONFIG),
    OPTIONS,
  );
  assert.ok(result.kind === "workbook");
  assert.deepEqual(result.workbook.items[0]!.evaluation.ratings, ratings);
});

Deno.test("checkpoint() writes items in the order of their numbers", async () => {
  const made = (itemId: number) => ({ itemId, source: `${itemId}`, translations: ["b", "c"] });
  const fresh = newWorkbook([made(7), made(10), made(2)], { ...OPTIONS, keySha256: "" });
  assert.deepEqual(fresh.items.map(({ input }) => input.itemId), [2, 7, 10]);
  const turned = { ...fresh, items: fresh.items.toReversed() };
  assert.deepEqual(await checkpoint(turned, CONFIG), await checkpoint(fresh, CONFIG));
});

Deno.test("writeWorkbook() names the cell that a text is too long for", async () => {
  const long = "x".repeat(32_768);
  const options = { ...OPTIONS, keySha256: "" };
  assert.throws(
    () => newWorkbook([{ itemId: 1, source: "a", translations: ["b", long] }], options),
    /Cannot write inputs row 2, t2: it has 32,768 characters/,
  );
  const fresh = newWorkbook([{ itemId: 1, source: "a", translations: ["b", "c"] }], options);
  await assert.rejects(
    () => writeWorkbook(withRatings(fresh, { comment: long }), CONFIG),
    /Cannot write eval row 2, comment/,
  );
});

Deno.test("checkpoint() throws where a text no longer fits its hash", async () => {
  const fresh = newWorkbook([{ itemId: 1, source: "a", translations: ["b", "c"] }], {
    ...OPTIONS,
    keySha256: "",
  });
  const items = fresh.items.map((item) => ({ ...item, input: { ...item.input, source: "z" } }));
  await assert.rejects(checkpoint({ ...fresh, items }, CONFIG), /would be refused.*was changed/);
});
