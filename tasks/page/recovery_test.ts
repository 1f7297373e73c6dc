import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { randomSource } from "../../lib/stats/random.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { chromiumPath, kill, pageTest, playwright, served, WITHOUT_PICKERS } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  downloaded,
  freshFile,
  freshWorkbook,
  handsOn,
  isAtSentence,
  keysFor,
  radio,
  scoreBox,
  upload,
  validRatings,
  workbookIn,
} from "./hands.ts";

/** Moments at which a tab is killed; `PAGE_KILLS=30` for as many as the issue asks for. */
const KILLS = Number(Deno.env.get("PAGE_KILLS") ?? 5);
const test = pageTest(builtPage);

/** What the first screen says, one entry for each row: bucket (from 1) and score. */
type Shown = readonly string[];

/** What is on screen after the first `count` keys of {@link keysFor}. */
function shownAfter(keys: readonly string[], count: number): Shown {
  const typed = keys.slice(0, count).join(" ").split("Enter").map((row) => row.replaceAll(" ", ""));
  return Array.from({ length: CONFIG.numTranslations }, (_, position) => typed[position] ?? "");
}

/** Loads the start page until it lists what the button is for. */
async function isListed(page: Page, name: string): Promise<void> {
  for (let attempts = 0; attempts < 10; attempts++) {
    await page.reload();
    const shown = button(page, name).waitFor({ timeout: 2_000 });
    if (await shown.then(() => true, () => false)) return;
  }
  assert.fail(`${name} is not offered`);
}

async function shown(page: Page): Promise<Shown> {
  return await Promise.all(
    validRatings().map(async (_, position) => {
      const chosen = await Promise.all(
        CONFIG.buckets.map((_bucket, index) => radio(page, position, index).isChecked()),
      );
      const bucket = chosen.indexOf(true) + 1;
      return `${bucket || ""}${await scoreBox(page, position).inputValue()}`;
    }),
  );
}

test(`NFR-1: after a tab was killed at ${KILLS} moments at most the last keystroke is lost`, async (desk) => {
  const random = randomSource(31);
  const keys = keysFor(validRatings()).slice(0, -2);
  for (let killed = 0; killed < KILLS; killed++) {
    const fresh = freshWorkbook(2, crypto.randomUUID(), `Wort${killed}`);
    const bytes = await writeWorkbook(fresh, CONFIG);
    const page = await desk.openTab();
    await upload(page, bytes);
    await isAtSentence(page, 1);
    const hands = handsOn(page);
    const until = 1 + Math.floor(random.next() * (keys.length - 1));
    await hands.press(...keys.slice(0, until));
    const last = page.keyboard.press(keys[until]!).catch(() => {});
    await kill(page);
    await last;

    const again = await desk.openTab();
    await upload(again, bytes);
    await button(again, /Go on with this browser’s copy/).click();
    await isAtSentence(again, 1);
    const found = JSON.stringify(await shown(again));
    const possible = [until - 1, until, until + 1].map((count) =>
      JSON.stringify(shownAfter(keys, count))
    );
    assert.ok(possible.includes(found), `${found} after ${until} keys, not ${possible[1]}`);
    await again.close({ runBeforeUnload: false });
  }
});

test("recovery: both times are shown, and the rater chooses the file or the browser's copy", async (desk) => {
  const bytes = await freshFile(2);
  const page = await desk.openTab();
  await upload(page, bytes, "mine.xlsx");
  await isAtSentence(page, 1);
  await handsOn(page).press(...keysFor(validRatings()), "1");
  await kill(page);

  const again = await desk.openTab();
  await upload(again, bytes, "mine.xlsx");
  const copy = button(again, /Go on with this browser’s copy/);
  assert.match(await copy.innerText(), /\d:\d\d.*1 of 2/s);
  const file = button(again, /Go on with the file/);
  assert.match(await file.innerText(), /mine\.xlsx.*\d:\d\d.*0 of 2/s);
  await file.click();
  await isAtSentence(again, 1);
  assert.deepEqual(await shown(again), shownAfter([], 0));
});

test("recovery: an interrupted run goes on without its file", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(2), "lost.xlsx");
  await isAtSentence(page, 1);
  await handsOn(page).press(...keysFor(validRatings()), "1");
  await kill(page);

  const again = await desk.openTab();
  await button(again, "Continue lost.xlsx").click();
  await isAtSentence(again, 2);
  const workbook = await workbookIn(await downloaded(again, /^Save checkpoint/));
  assert.ok(workbook.items[0]!.evaluation.committedAt);
});

test("two tabs: the second says that the run is open elsewhere, and changes nothing", async (desk) => {
  const bytes = await freshFile(2);
  const [first, second] = [await desk.openTab(), await desk.openTab()];
  await upload(first, bytes);
  await isAtSentence(first, 1);
  await upload(second, bytes);
  await isAtSentence(second, 1);
  await second.getByText(/another tab/i).first().waitFor();
  await handsOn(second).press("1", "9", "5");
  assert.deepEqual(await shown(second), shownAfter([], 0));
  await second.getByText("Nothing changed: here you can only look.").waitFor();
  await first.bringToFront();
  await handsOn(first).press("1", "9", "5");
  assert.equal((await shown(first))[0], "195");
});

test("two tabs: once the first is closed the second goes on with what the first left", async (desk) => {
  const bytes = await freshFile(2);
  const [first, second] = [await desk.openTab(), await desk.openTab()];
  await upload(first, bytes);
  await isAtSentence(first, 1);
  await upload(second, bytes);
  await isAtSentence(second, 1);
  assert.equal(await button(second, "Rate here now").count(), 0);
  await first.bringToFront();
  await handsOn(first).press("1", "9", "5");
  await first.close({ runBeforeUnload: false });
  await button(second, "Rate here now").click();
  await button(second, /^Save checkpoint/).waitFor();
  await handsOn(second).press("2", "7", "0");
  const expected = validRatings().map((_, position) => ["195", "270"][position] ?? "");
  assert.deepEqual(await shown(second), expected);
  const workbook = await workbookIn(await downloaded(second, /^Save checkpoint/));
  const { displayMap, ratings } = workbook.items[0]!.evaluation;
  assert.deepEqual(displayMap.slice(0, 2).map((translation) => ratings[translation]!.da), [95, 70]);
});

test("two tabs: Continue goes on with what the other tab left, not with what the list was made of", async (desk) => {
  const bytes = await freshFile(2);
  const first = await desk.openTab();
  await upload(first, bytes);
  await isAtSentence(first, 1);
  await handsOn(first).press("1");
  const second = await desk.openTab();
  await button(second, "Continue run.xlsx").waitFor();
  await first.bringToFront();
  await handsOn(first).press("9", "5");
  await first.close({ runBeforeUnload: false });
  await button(second, "Continue run.xlsx").click();
  await isAtSentence(second, 1);
  assert.equal((await shown(second))[0], "195");
});

test("two tabs: what the second discards of a run in hand is kept again as the first goes on", async (desk) => {
  const bytes = await freshFile(2);
  const first = await desk.openTab();
  await upload(first, bytes);
  await isAtSentence(first, 1);
  const second = await desk.openTab();
  second.on("dialog", (dialog) => dialog.accept());
  const discard = button(second, "Discard run.xlsx");
  await discard.click();
  await discard.waitFor({ state: "detached" });
  await first.bringToFront();
  await handsOn(first).press("1", "9", "5", "Enter", "1");
  // The list is made as the page loads, and the database may be behind on a busy machine.
  await isListed(second, "Continue run.xlsx");
  await kill(first);
  await button(second, "Continue run.xlsx").click();
  await isAtSentence(second, 1);
  assert.equal((await shown(second))[0], "195");
});

test("a tab that is ahead of its file warns before it closes, and no more once it is saved", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(2));
  await isAtSentence(page, 1);
  await handsOn(page).press("1", "9", "5");
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await closing;
  await downloaded(page, /^Save checkpoint/);
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
});

/** A browser with a profile on disk, as a rater's. */
async function openBrowser(profile: string): Promise<BrowserContext> {
  const { chromium, options } = await playwright();
  const context = await chromium.launchPersistentContext(profile, options);
  await context.addInitScript(WITHOUT_PICKERS);
  return context;
}

/** Ends all of the browser's processes at once, without a word to any page. */
async function crash(context: BrowserContext): Promise<void> {
  const closed = context.waitForEvent("close");
  const session = await context.browser()!.newBrowserCDPSession();
  session.send("Browser.crash").catch(() => {});
  await closed;
}

Deno.test({
  name: "page: NFR-1: after the whole browser crashed the run goes on where it was",
  ignore: chromiumPath() === undefined,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const profile = await Deno.makeTempDir({ prefix: "rating profile " });
    const { address, remove } = await served(await builtPage());
    const before = await openBrowser(profile);
    const page = await before.newPage();
    await page.goto(address);
    await upload(page, await freshFile(2));
    await isAtSentence(page, 1);
    await handsOn(page).press(...keysFor(validRatings()), "1", "9", "5", "Enter");
    await crash(before);

    const after = await openBrowser(profile);
    const again = await after.newPage();
    await again.goto(address);
    await button(again, "Continue run.xlsx").click();
    await isAtSentence(again, 2);
    assert.equal(await scoreBox(again, 0).inputValue(), "95");
    await after.close();
    await remove();
    await Deno.remove(profile, { recursive: true });
  },
});
