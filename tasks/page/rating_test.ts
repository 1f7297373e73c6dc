import assert from "node:assert/strict";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { parseRunConfig } from "../../lib/translation/configuration.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { kill, onDisk, pageTest } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  downloaded,
  focusedName,
  freshFile,
  freshWorkbook,
  handsOn,
  isAtSentence,
  keysFor,
  next,
  rateByMouse,
  row,
  upload,
  validRatings,
  workbookIn,
} from "./hands.ts";

const SAVE = /^Save checkpoint/;
const test = pageTest(builtPage);

/** Ratings by display position, as the workbook stores them by translation. */
function shownRatings(
  { items }: Awaited<ReturnType<typeof workbookIn>>,
  index: number,
): readonly { readonly bucket: number; readonly da: number | string | undefined }[] {
  const { displayMap, ratings } = items[index]!.evaluation;
  const keys = CONFIG.buckets.map(({ key }) => key);
  return displayMap.map((translation) => {
    const { bucket, da } = ratings[translation]!;
    return { bucket: keys.indexOf(bucket ?? ""), da };
  });
}

/** The same archive with one text of one part replaced. */
function tampered(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const parts = Object.entries(unzipSync(bytes)).map(([name, part]) =>
    [name, strToU8(strFromU8(part).replaceAll(from, to))] as const
  );
  return zipSync(Object.fromEntries(parts));
}

test("FR-1 to FR-10: upload, rate by mouse and by keys, checkpoint, reload, resume, tamper, finish", async (desk) => {
  const page = await desk.openTab();
  const ratings = validRatings();
  await upload(page, await freshFile(7));
  for (const number of [1, 2, 3]) {
    await isAtSentence(page, number);
    await rateByMouse(page, ratings);
  }
  for (const number of [4, 5, 6]) {
    await isAtSentence(page, number);
    await handsOn(page).press(...keysFor(ratings));
  }
  await isAtSentence(page, 7);
  await page.getByRole("textbox", { name: /comment/i }).fill("a remark");
  const checkpoint = await downloaded(page, SAVE);
  const workbook = await workbookIn(checkpoint);
  for (const index of [0, 1, 2, 3, 4, 5]) {
    assert.deepEqual(shownRatings(workbook, index), ratings, `sentence ${index + 1}`);
    assert.ok(workbook.items[index]!.evaluation.committedAt);
  }
  assert.equal(workbook.items[6]!.evaluation.comment, "a remark");

  await page.reload();
  await upload(page, tampered(checkpoint, "a remark", "no remark"));
  await page.getByRole("alert").getByText("cannot be opened").waitFor();
  assert.match(await page.getByRole("alert").innerText(), /eval\s+8\s/);
  assert.equal(await page.getByRole("heading", { name: /^Sentence/ }).count(), 0);

  await upload(page, checkpoint);
  await isAtSentence(page, 7);
  await handsOn(page).press(...keysFor(ratings));
  await button(page, "Finish").click();
  await page.getByRole("heading", { name: "All 7 sentences are rated" }).waitFor();
  const buckets = page.getByRole("img", { name: /^Sorted into/ });
  assert.match((await buckets.getAttribute("aria-label"))!, /Best: 21 \(25.0 %\)/);
  const final = await workbookIn(await downloaded(page, "Download final file"));
  assert.ok(final.items.every(({ evaluation }) => evaluation.committedAt));
});

test("FR-5: Next that is blocked says why and goes to the place", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(2));
  await isAtSentence(page, 1);
  const ratings = validRatings().map((given, position) =>
    position === 4 ? { ...given, da: 99 } : given
  );
  await handsOn(page).press(...keysFor(ratings).slice(0, -5));
  await next(page).click();
  const status = page.getByRole("contentinfo").getByRole("status");
  await status.getByText(/row 12/i).first().waitFor();
  assert.equal(await focusedName(page), "Row 12 of 12, not rated");
  await handsOn(page).press("4", "1", "8", "Control+Enter");
  await status.getByText(/row 5/i).first().waitFor();
  assert.match(await focusedName(page), /^Row [35], .+, score$/);
  await isAtSentence(page, 1);
});

test("one screen of twelve takes 49 keystrokes", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(2));
  await isAtSentence(page, 1);
  const hands = handsOn(page);
  await hands.press(...keysFor(validRatings()));
  await isAtSentence(page, 2);
  assert.equal(hands.pressed(), 49);
});

const CONFIG_TEXT = `
num_translations: 3
da_max: 10
buckets:
  - { key: publish, label: Publishable as it stands }
  - { key: edit, label: Needs edits }
  - { key: redo, label: Redo }
`;

const OWN = parseRunConfig(CONFIG_TEXT, "the fixture");
const scaleTest = pageTest(() => builtPage(CONFIG_TEXT));

scaleTest(
  "a scale and buckets of one's own: help, faults, summary and file go by them",
  async (desk) => {
    const page = await desk.openTab();
    await upload(
      page,
      await writeWorkbook(freshWorkbook(1, crypto.randomUUID(), "Wort", OWN), OWN),
      "rater_1.xlsx",
    );
    await isAtSentence(page, 1);
    const hands = handsOn(page);
    await hands.press("?");
    await page.getByText("2 7 Enter is “Needs edits, 7”").waitFor();
    await page.getByText("score down, up by 1", { exact: true }).waitFor();
    await hands.press("Escape", "1", "9", "Enter", "2", "6", "Enter", "3", "1", "5", "Enter");
    await page.getByText("Not yet. Row 3 scores 15, which is off the scale").waitFor();
    await hands.press("2", "Enter", "Enter");
    await button(page, "Finish").click();
    await page.getByRole("img", { name: /^Scores\. 10: 0 .*; 9: 1 .*; 8: 0 / }).waitFor();
    const labels = await page.locator(".bar-label").allTextContents();
    assert.ok(labels.includes("Publishable as it stands"));
    const download = page.waitForEvent("download");
    await button(page, "Download final file").click();
    assert.match((await download).suggestedFilename(), /^rater_1-final-\d{8}-\d{6}\.xlsx$/);
  },
);

scaleTest("FR-2: a workbook of another page is told so in a sentence", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(1));
  const refusal = page.getByRole("alert");
  assert.match(
    await refusal.innerText(),
    /12 translations a sentence, this page is for 3.*\. Nothing was changed\.$/s,
  );
  assert.equal(await refusal.getByRole("table").count(), 0);
});

const ARABIC_TEXT = "num_translations: 2\nsource_language: en\ntarget_language: ar\n";
const ARABIC = parseRunConfig(ARABIC_TEXT, "the fixture");
const directionTest = pageTest(() => builtPage(ARABIC_TEXT));

directionTest(
  "texts run as their language does: an Arabic one that begins with a Latin name too",
  async (desk) => {
    const translations = ["هذه جملة قصيرة.", "Altbrück مدينة صغيرة."];
    const inputs = [{ itemId: 1, source: "This is a short sentence.", translations }];
    const runId = crypto.randomUUID();
    const workbook = newWorkbook(inputs, { runId, config: ARABIC, keySha256: "" });
    const page = await desk.openTab();
    await upload(page, await writeWorkbook(workbook, ARABIC));
    await isAtSentence(page, 1);
    const directions = new Map<string, string>();
    for (const position of [0, 1]) {
      const text = row(page, position).getByRole("heading");
      assert.equal(await text.getAttribute("lang"), "ar");
      const direction = await page.evaluate<string>(
        `getComputedStyle(document.getElementById("${await text.getAttribute("id")}")).direction`,
      );
      directions.set(await text.innerText(), direction);
    }
    assert.deepEqual(directions, new Map([[translations[0]!, "rtl"], [translations[1]!, "rtl"]]));
  },
);

/** Markup that would say so on the console, or ask for something, if it were taken for any. */
const MARKUP = `<img src="x" onerror="console.log('ran')"><b>bold</b> & &amp; </h3><script>`;

test("a text with markup in it is shown as it is written, with differences and without", async (desk) => {
  const source = `${MARKUP} source`;
  const translations = Array.from({ length: 12 }, (_, index) => `${MARKUP} ${index + 1}`);
  const workbook = newWorkbook([{ itemId: 1, source, translations }], {
    runId: crypto.randomUUID(),
    config: CONFIG,
    keySha256: "",
  });
  const page = await desk.openTab();
  await upload(page, await writeWorkbook(workbook, CONFIG), `${MARKUP.slice(0, 12)}.xlsx`);
  await isAtSentence(page, 1);
  const shown = async () =>
    await Promise.all(
      translations.map((_, position) => row(page, position).getByRole("heading").textContent()),
    );
  assert.deepEqual((await shown()).toSorted(), translations.toSorted());
  await page.getByRole("checkbox", { name: "Show differences" }).check();
  assert.deepEqual((await shown()).toSorted(), translations.toSorted());
  assert.equal(await page.getByRole("heading", { level: 2 }).textContent(), source);
  assert.equal(await page.locator("#app img, #app b, #app script").count(), 0);
});

const diskTest = pageTest(builtPage, onDisk);

diskTest(
  "opened from disk: the demo is rated, and after a crash goes on where it was",
  async (desk) => {
    const page = await desk.openTab();
    await button(page, "Try it with a demo file").click();
    await isAtSentence(page, 1);
    await handsOn(page).press(...keysFor(validRatings()), "1");
    await kill(page);

    const again = await desk.openTab();
    await button(again, "Continue demo.xlsx").click();
    await isAtSentence(again, 2);
    const { items } = await workbookIn(await downloaded(again, /^Save checkpoint/));
    assert.ok(items[0]!.evaluation.committedAt);
  },
);

diskTest("opened from disk: of two tabs with one run the second only looks", async (desk) => {
  const bytes = await freshFile(2);
  const [first, second] = [await desk.openTab(), await desk.openTab()];
  for (const page of [first, second]) {
    await upload(page, bytes);
    await isAtSentence(page, 1);
  }
  await second.getByText(/another tab/i).first().waitFor();
  assert.equal(await first.getByText(/another tab/i).count(), 0);
});

/** Puts a file where pages have files of their own, and the page's dialogue then gives its handle. */
async function putBehindDialogue(page: Page, bytes: Uint8Array): Promise<void> {
  await page.evaluate(`(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("mine.xlsx", { create: true });
    const stream = await handle.createWritable();
    await stream.write(Uint8Array.fromBase64("${bytes.toBase64()}"));
    await stream.close();
    globalThis.showOpenFilePicker = () => Promise.resolve([handle]);
    globalThis.showSaveFilePicker = () => { throw new Error("There is a file already."); };
  })()`);
}

async function fileBehindDialogue(page: Page): Promise<Uint8Array> {
  return Uint8Array.fromBase64(
    await page.evaluate<string>(`(async () => {
      const [handle] = await showOpenFilePicker();
      return (await (await handle.getFile()).bytes()).toBase64();
    })()`),
  );
}

test("saving in place: the file that was opened holds the work, and nothing is downloaded", async (desk) => {
  const page = await desk.openTab();
  const fresh = await freshFile(2);
  await putBehindDialogue(page, fresh);
  page.on("download", () => assert.fail("downloaded"));
  await button(page, /^Choose your workbook/).click();
  await isAtSentence(page, 1);
  await handsOn(page).press(...keysFor(validRatings()));
  await isAtSentence(page, 2);
  await button(page, /^Save checkpoint/).click();
  await page.getByText(/Saved to mine\.xlsx/).first().waitFor();
  const { items } = await workbookIn(await fileBehindDialogue(page));
  assert.ok(items[0]!.evaluation.committedAt);
});
