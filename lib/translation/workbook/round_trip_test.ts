import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRunConfig } from "../configuration.ts";
import { canonicalText } from "../text.ts";
import type { ItemEvaluation, RatingWorkbook } from "../types.ts";
import { MAX_TAGS, readArchive } from "./sheets.ts";
import { maxSentences, readWorkbook } from "./read_workbook.ts";
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
  "'quoted",
  "__proto__",
  "",
  "  leading and trailing  ",
  "\t\n",
  "\n",
  " ",
  "<t>&amp;]]></t>",
  "\u00a0\u2028\u0085",
  "x".repeat(32_767),
];

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.constantFrom("_", "x", "0041", "\r", "\n", "\ufffe", "\ud83d", "\ude00", " "))
    .map((parts) => parts.join("")),
);
const score = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  hostileText,
);
const rating = fc.record({ bucket: optional(hostileText), da: optional(score) });
const time = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());
const tenths = fc.nat(99_999).map((tenths) => tenths / 10);

const rated = fc.record({
  ratings: fc.array(rating, { minLength: 2, maxLength: 2 }),
  comment: hostileText,
  startedAt: optional(time),
  committedAt: optional(time),
  editCount: fc.nat(1000),
  activeSeconds: tenths,
  highlightSeconds: tenths,
  idleSeconds: tenths,
});

/** Returns a workbook of unrated sentences, numbered from 1. */
function fresh(texts: readonly (readonly string[])[] = [["a", "b", "c"]]): RatingWorkbook {
  const items = texts.map(([source = "", ...translations], index) => {
    return { itemId: index + 1, source, translations };
  });
  return newWorkbook(items, { ...OPTIONS, keySha256: "ab".repeat(32) });
}

function withRatings(workbook: RatingWorkbook, ratings: Partial<ItemEvaluation>): RatingWorkbook {
  const items = workbook.items.map(({ input, evaluation }) => {
    return { input, evaluation: { ...evaluation, ...ratings } };
  });
  return { ...workbook, items };
}

/** Writes a workbook and reads it back. */
async function returned(workbook: RatingWorkbook): Promise<RatingWorkbook> {
  const result = await readWorkbook(await checkpoint(workbook, CONFIG), OPTIONS);
  assert.ok(result.kind === "workbook");
  return result.workbook;
}

Deno.test("NFR-1, FR-9: checkpoint() writes any text and rating so that they are read back", async () => {
  const text = fc.tuple(hostileText, hostileText, hostileText);
  const texts = fc.array(text, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(texts, rated, async (texts, ratings) => {
      const { items } = await returned(withRatings(fresh(texts), ratings));
      for (const [index, { input, evaluation }] of items.entries()) {
        assert.deepEqual([input.source, ...input.translations], texts[index]!.map(canonicalText));
        assert.equal(evaluation.comment, canonicalText(ratings.comment));
        assert.equal(evaluation.startedAt, ratings.startedAt);
        assert.equal(evaluation.activeSeconds, ratings.activeSeconds);
      }
    }),
    { numRuns: 60, seed: 6 },
  );
  const hostile = fresh(HOSTILE.map((text) => [text, `${text}a`.slice(-32_767), ""]));
  assert.deepEqual(await returned(hostile), hostile);
});

Deno.test("NFR-1: ratings that break a rule come back, for the banner to show", async () => {
  const ratings = [{ bucket: "superb", da: 140 }, { bucket: "poor", da: "ninety" }];
  const { items } = await returned(withRatings(fresh(), { ratings }));
  assert.deepEqual(items[0]!.evaluation.ratings, ratings);
});

Deno.test("writeWorkbook() gives the same bytes for the same items, in whatever order", async () => {
  const made = (itemId: number) => ({ itemId, source: `${itemId}`, translations: ["b", "c"] });
  const workbook = newWorkbook([made(7), made(10), made(2)], { ...OPTIONS, keySha256: "" });
  assert.deepEqual(workbook.items.map(({ input }) => input.itemId), [2, 7, 10]);
  const turned = { ...workbook, items: workbook.items.toReversed() };
  assert.deepEqual(await writeWorkbook(turned, CONFIG), await writeWorkbook(workbook, CONFIG));
});

Deno.test("writeWorkbook() names the cell that a text is too long for, checkpoint() a hash that does not fit", async () => {
  const long = "x".repeat(32_768);
  const write = (workbook: RatingWorkbook) => writeWorkbook(workbook, CONFIG);
  await assert.rejects(write(fresh([["a", "b", long]])), /inputs row 2, t2: it has 32,768 char/);
  const commented = withRatings(fresh(), { comment: long });
  await assert.rejects(write(commented), /Cannot write eval row 2, comment/);
  // A document's number is sealed like the texts.
  for (const change of [{ source: "z" }, { document: 2 }]) {
    const items = fresh().items.map(({ input, evaluation }) => {
      return { input: { ...input, ...change }, evaluation };
    });
    await assert.rejects(
      checkpoint({ ...fresh(), items }, CONFIG),
      /would be refused.*was changed/,
    );
  }
});

Deno.test("a workbook that numbers its documents comes back with them", async () => {
  const inputs = [1, 2].map((itemId) => {
    return { itemId, source: "a", translations: ["b", "c"], document: 1 };
  });
  const workbook = newWorkbook(inputs, { ...OPTIONS, keySha256: "" });
  assert.deepEqual(await returned(workbook), workbook);
});

Deno.test("readWorkbook() refuses what could be rated and not saved: too many sentences, too much text", async () => {
  const sized = (n: number, items: number, more: Partial<ItemEvaluation> = {}, text = "") => {
    const config = parseRunConfig(`num_translations: ${n}`, "test");
    const inputs = Array.from({ length: items }, (_, index) => ({
      itemId: index + 1,
      document: index + 1,
      source: `source ${index}`,
      translations: Array.from({ length: n }, (_, t) => text || `translation ${t} of ${index}`),
    }));
    const fresh = newWorkbook(inputs, { config, runId: RUN_ID, keySha256: "ab".repeat(32) });
    const rated = fresh.items.map(({ input, evaluation }, index) => {
      const ratings = input.translations.map((_, t) => ({
        bucket: "best",
        da: `${t} of ${index}`,
      }));
      const [startedAt, committedAt] = [0, 1].map((ms) => new Date(2 * index + ms).toISOString());
      const changes = { ratings, startedAt, committedAt, comment: `comment ${index}` };
      return {
        input,
        evaluation: { ...evaluation, ...changes, editCount: 1, activeSeconds: 1, ...more },
      };
    });
    return { workbook: { ...fresh, items: rated }, config };
  };
  const tagsOf = async (n: number, items: number) => {
    const { workbook, config } = sized(n, items);
    const parts = readArchive(await writeWorkbook(workbook, config));
    return [...parts.values()].reduce(
      (sum, part) => sum + part.filter((it) => it === 0x3c).length,
      0,
    );
  };
  for (const n of [2, 12, 40]) {
    const [ten, twenty] = [await tagsOf(n, 10), await tagsOf(n, 20)];
    // The more sentences, the more of them share a bucket's text.
    const most = ten + (maxSentences(n) - 10) * (twenty - ten) / 10;
    assert.ok(most <= MAX_TAGS && most > 0.9 * MAX_TAGS, `${n}: ${most}`);
  }
  const refusal = async ({ workbook, config }: ReturnType<typeof sized>) => {
    const bytes = await writeWorkbook(workbook, config);
    const read = await readWorkbook(bytes, { config, runId: RUN_ID });
    return read.kind === "workbook" ? "" : read.problems.map(({ message }) => message).join("\n");
  };
  const unrated = { ratings: Array(40).fill({ bucket: undefined, da: undefined }) };
  const many = await refusal(sized(40, maxSentences(40) + 1, unrated));
  assert.match(
    many,
    /^The workbook has 553 sentences, and one of 40 translations each can have 552 if/,
  );
  const long = await refusal(sized(40, 24, unrated, "x".repeat(32_767)));
  assert.match(long, /^The workbook has 32 MB of texts, and can have 30 if it is to be saved/);
});
