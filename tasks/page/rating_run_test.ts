import assert from "node:assert/strict";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { builtPage, CONFIG, freshFile } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import {
  button,
  focusedName,
  handsOn,
  isAtSentence,
  keysFor,
  next,
  rateByMouse,
  validRatings,
} from "./rating_screen.ts";
import { downloaded, upload, workbookIn } from "./start_screen.ts";

const SAVE = /^Save checkpoint/;
const { test } = pageTests(builtPage);

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
