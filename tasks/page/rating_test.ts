import assert from "node:assert/strict";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { parseRunConfig } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { kill, onDisk, pageTest } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  downloaded,
  freshFile,
  freshWorkbook,
  isAtSentence,
  keysFor,
  opened,
  press,
  rateByMouse,
  row,
  saved,
  upload,
  validRatings,
  workbookIn,
} from "./interaction.ts";

const test = pageTest(builtPage);

/** Returns ratings by display position; the workbook stores them by translation. */
function shownRatings({ items }: RatingWorkbook, index: number) {
  const { displayMap, ratings } = items[index]!.evaluation;
  const keys = CONFIG.buckets.map(({ key }) => key);
  return displayMap.map((translation) => {
    const { bucket, da } = ratings[translation]!;
    return { bucket: keys.indexOf(bucket ?? ""), da };
  });
}

/** Returns the archive with one text of one part replaced. */
function tampered(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const parts = Object.entries(unzipSync(bytes)).map(([name, part]) =>
    [name, strToU8(strFromU8(part).replaceAll(from, to))] as const
  );
  return zipSync(Object.fromEntries(parts));
}

test(
  "FR-1 to FR-10: upload, rate by mouse and by 49 keys, checkpoint, reload, resume, tamper, finish",
  async ({ openTab }) => {
    const page = await openTab();
    const ratings = validRatings();
    await opened(page, 3);
    await rateByMouse(page, ratings);
    await isAtSentence(page, 2);
    assert.equal(keysFor(ratings).length, 49);
    await press(page, ...keysFor(ratings));
    await isAtSentence(page, 3);
    await page.getByRole("textbox", { name: /comment/i }).fill("a remark");
    const checkpoint = await downloaded(page, /^Save checkpoint/);
    const workbook = await workbookIn(checkpoint);
    for (const index of [0, 1]) {
      assert.deepEqual(shownRatings(workbook, index), ratings, `sentence ${index + 1}`);
      assert.ok(workbook.items[index]!.evaluation.committedAt);
    }
    assert.equal(workbook.items[2]!.evaluation.comment, "a remark");

    await page.reload();
    await upload(page, tampered(checkpoint, "a remark", "no remark"));
    await page.getByRole("alert").getByText("cannot be opened").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /eval\s+4\s/);
    assert.equal(await page.getByRole("heading", { name: /^Sentence/ }).count(), 0);

    await upload(page, checkpoint);
    await isAtSentence(page, 3);
    await press(page, ...keysFor(ratings));
    await button(page, "Finish").click();
    await page.getByRole("heading", { name: "All 3 sentences are rated" }).waitFor();
    const buckets = page.getByRole("img", { name: /^Sorted into/ });
    assert.match((await buckets.getAttribute("aria-label"))!, /Best: 9 \(25.0 %\)/);
    const final = await workbookIn(await downloaded(page, "Download final file"));
    assert.ok(final.items.every(({ evaluation }) => evaluation.committedAt));
  },
  { only: "chromium" },
);

const OWN_TEXT = `
num_translations: 3
da_max: 10
buckets:
  - { key: publish, label: Publishable as it stands }
  - { key: edit, label: Needs edits }
  - { key: redo, label: Redo }
`;

pageTest(() => builtPage(OWN_TEXT))(
  "a scale and buckets of one's own: help, faults, summary and file go by them; FR-2: other files are refused in a sentence",
  async ({ openTab }) => {
    const page = await openTab();
    await upload(page, await freshFile(1));
    const refusal = page.getByRole("alert");
    const words = /12 translations a sentence, this page is for 3.*\. Nothing was changed\.$/s;
    assert.match(await refusal.innerText(), words);
    assert.equal(await refusal.getByRole("table").count(), 0);

    const custom = parseRunConfig(OWN_TEXT, "the fixture");
    const bytes = await writeWorkbook(freshWorkbook(1, "Wort", custom), custom);
    await upload(page, bytes, "rater_1.xlsx");
    await isAtSentence(page, 1);
    await press(page, "?");
    await page.getByText("2 7 Enter is “Needs edits, 7”").waitFor();
    await page.getByText("score down, up by 1", { exact: true }).waitFor();
    await press(page, "Escape", "1", "9", "Enter", "2", "6", "Enter", "3", "1", "5", "Enter");
    await page.getByText("Not yet. Row 3 scores 15, which is off the scale").waitFor();
    await press(page, "2", "Enter", "Enter");
    await button(page, "Finish").click();
    await page.getByRole("img", { name: /^Scores\. 10: 0 .*; 9: 1 .*; 8: 0 / }).waitFor();
    const labels = await page.locator(".bar-label").allTextContents();
    assert.ok(labels.includes("Publishable as it stands"));
    const download = page.waitForEvent("download");
    await button(page, "Download final file").click();
    assert.match((await download).suggestedFilename(), /^rater_1-final-\d{8}-\d{6}\.xlsx$/);
  },
  { only: "chromium" },
);

/** Markup that, if interpreted, would write to the console or request something. */
const MARKUP = `<img src="x" onerror="console.log('ran')"><b>bold</b> & &amp; </h3><script>`;

test("a text with markup in it is shown as it is written, with differences and without", async ({ openTab }) => {
  const source = `${MARKUP} source`;
  const translations = Array.from({ length: 12 }, (_, index) => `${MARKUP} ${index + 1}`);
  const run = { runId: crypto.randomUUID(), config: CONFIG, keySha256: "" };
  const workbook = newWorkbook([{ itemId: 1, source, translations }], run);
  const page = await openTab();
  await upload(page, await writeWorkbook(workbook, CONFIG), `${MARKUP.slice(0, 12)}.xlsx`);
  await isAtSentence(page, 1);
  const texts = async () => (await page.locator(".row h3").allTextContents()).sort();
  assert.deepEqual(await texts(), translations.toSorted());
  await page.getByRole("checkbox", { name: "Differences" }).check();
  assert.deepEqual(await texts(), translations.toSorted());
  assert.equal(await page.getByRole("heading", { level: 2 }).textContent(), source);
  assert.equal(await page.locator("#app img, #app b, #app script").count(), 0);
  assert.equal(await row(page, 0).count(), 1);
});

const diskTest = pageTest(builtPage, onDisk);

diskTest(
  "opened from disk: the demo goes on after a crash",
  async ({ openTab }) => {
    const page = await openTab();
    await button(page, /^Start rating: demo/).click();
    await isAtSentence(page, 1);
    await press(page, ...keysFor(), "1");
    await kill(page);

    const again = await openTab();
    await button(again, "Continue demo.xlsx").click();
    await isAtSentence(again, 2);
    assert.ok((await saved(again)).items[0]!.evaluation.committedAt);
  },
  { only: "chromium" },
);
