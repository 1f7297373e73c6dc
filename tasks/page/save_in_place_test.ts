import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { builtPage, freshFile } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { button, handsOn, isAtSentence, keysFor, validRatings } from "./rating_screen.ts";
import { workbookIn } from "./start_screen.ts";

const { test } = pageTests(builtPage);

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
