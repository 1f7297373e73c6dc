import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { assertAccessible, pageTest } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  downloaded,
  focusedName,
  freshFile,
  isAtSentence,
  keysFor,
  next,
  only,
  opened,
  press,
  radio,
  rateAllAndFinish,
  row,
  saved,
  scoreBox,
  shown,
  slider,
  status,
  upload,
  validRatings,
} from "./interaction.ts";

const test = pageTest(builtPage);

/** Waits until the status line says exactly this. */
async function waitForStatus(page: Page, words: string): Promise<void> {
  await status(page).getByText(words, { exact: true }).waitFor();
}

test("keys: every change is said, names hold what a row was given, arrows reach the source", async ({ openTab }) => {
  const page = await openTab();
  await opened(page, 3);
  await waitForStatus(page, "Sentence 1 of 3.");
  for (
    const [keys, words] of [
      ["2", "Row 1: Good, no score."],
      ["7 1 ArrowRight", "Row 1: Good, 72."],
      ["b Delete", "Row 1: not sorted, 72."],
      ["Control+z", "Undone: row 1, Good, 72."],
      ["Control+y", "Done again: row 1, not sorted, 72."],
      ["Control+y", "Nothing to redo."],
    ] as const
  ) {
    await press(page, ...keys.split(" "));
    await waitForStatus(page, words);
  }
  await press(page, "1", "9", "5", "ArrowDown");
  assert.equal(await focusedName(page), "Row 2 of 12, not rated");
  assert.equal(await row(page, 0).getAttribute("aria-label"), "Row 1 of 12, Best, 95");
  assert.equal(await scoreBox(page, 0).getAttribute("aria-label"), "Row 1, Best, score");
  const text = row(page, 0).getByRole("heading", { level: 3 });
  assert.equal(await text.getAttribute("lang"), "de");
  await press(page, "ArrowUp", "ArrowUp");
  const focused = await page.evaluate<string>("document.activeElement.textContent");
  assert.equal(focused, "This is sentence 1, to be translated.");
  await press(page, "ArrowDown");
  assert.equal(await focusedName(page), "Row 1 of 12, Best, 95");
  for (const key of ["Home", "End", "PageUp", "PageDown"]) {
    await slider(page, 1).focus();
    await press(page, key);
    await waitForStatus(page, "Row 2 has no score to move yet: type one.");
  }
  assert.deepEqual(await shown(page), only("195"));
});

test(
  "keys go on in the row after Save or Undo; saving is said anew; FR-8: Go to opens nothing on the way",
  async ({ openTab }) => {
    const page = await openTab();
    await opened(page, 5);
    await press(page, "1", "9");
    await saved(page);
    await status(page).getByText(/^Downloaded as/).waitFor();
    await press(page, "5", "Enter", "2");
    await button(page, "Undo").click();
    await press(page, "b", "3");
    assert.deepEqual(await shown(page), only("195", "3"));
    await page.evaluate("document.activeElement.blur()");
    await press(page, "4");
    assert.deepEqual(await shown(page), only("195", "4"));
    await saved(page);
    await status(page).getByText(/^Downloaded as/).waitFor();

    const list = page.getByRole("combobox", { name: "Go to" });
    assert.doesNotMatch(await list.innerText(), /sentence 2/);
    await list.focus();
    await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
    await isAtSentence(page, 1);
    await press(page, "Enter");
    await isAtSentence(page, 4);
    const started = (await saved(page)).items.map((item) =>
      item.evaluation.startedAt !== undefined
    );
    assert.deepEqual(started, [true, false, false, true, false]);
  },
  { only: "chromium" },
);

test("faults: judged as the hand leaves the row, no row moves, a refusal is said again", async ({ openTab }) => {
  const page = await openTab();
  await opened(page, 3);
  const tops = () =>
    page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().top)",
    );
  const isFaulty = async () => /faulty/.test(await row(page, 3).getAttribute("class") ?? "");
  const before = await tops();
  await press(page, ...keysFor(validRatings().slice(0, 6)).slice(0, -1));
  await scoreBox(page, 3).fill("97");
  assert.equal(await isFaulty(), false);
  await press(page, "Enter");
  assert.equal(await isFaulty(), true);
  await scoreBox(page, 0).fill("1");
  await page.getByRole("region", { name: /correct/ }).waitFor();
  assert.match(await status(page).innerText(), /^Row/);
  assert.deepEqual(await tops(), before);
  await next(page).click();
  await status(page).getByText(/^Not yet/).waitFor();
  await page.evaluate(`(() => {
    globalThis.heard = 0;
    const line = document.querySelector(".next-bar [role=status]");
    new MutationObserver(() => heard++).observe(line, { childList: true, characterData: true, subtree: true });
  })()`);
  await next(page).click();
  await page.waitForFunction("heard > 0");
  await status(page).getByText(/^Not yet/).waitFor();
});

test("a file with ratings that were not saved is closed only on a second word", async ({ openTab }) => {
  const page = await openTab();
  await opened(page, 1);
  await rateAllAndFinish(page, 1);
  await page.getByText("The final file is not saved yet.").waitFor();
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    dialog.dismiss();
  });
  await button(page, "Close").click();
  assert.deepEqual(asked, ["The final file is not saved yet. Close all the same?"]);
  await page.evaluate(`(() => {
    const create = URL.createObjectURL;
    URL.createObjectURL = () => {
      URL.createObjectURL = create;
      throw new Error("The disk is full.");
    };
  })()`);
  await button(page, "Download final file").click();
  await page.getByText("Not saved. The disk is full.").waitFor();
  await downloaded(page, "Download final file");
  await page.getByText(/^Downloaded as/).waitFor();
  await button(page, "Close").click();
  await button(page, /^Choose (your|another) workbook/).waitFor();
  const start = await page.evaluate("[document.activeElement.textContent, document.title]");
  assert.deepEqual(start, ["Rate translations", "Rate translations"]);
});

test(
  "Finish before the end says what is left, and nothing scrolls; no bar covers the focus",
  async ({ openTab }) => {
    const page = await openTab();
    await opened(page, 20);
    const scrolled = () => page.evaluate<number>("scrollY");
    const before = await scrolled();
    // A locator's own click scrolls to the button first, as no mouse does.
    const { x, y } = (await button(page, "Finish").boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await waitForStatus(page, "Not finished: 20 sentences are incomplete.");
    assert.equal(await scrolled(), before);

    for (const [width, height] of [[1366, 768], [960, 600], [640, 400], [360, 740]] as const) {
      await page.setViewportSize({ width, height });
      await row(page, 0).focus();
      for (let stop = 0; stop < 40; stop++) {
        await page.keyboard.press("Tab");
        const covered = await page.evaluate<string>(`(() => {
        const focused = document.activeElement;
        if (!focused.closest(".row")) return "";
        const { top, bottom } = focused.getBoundingClientRect();
        const foot = document.querySelector(".foot");
        const sticky = getComputedStyle(foot).position === "sticky";
        const low = sticky ? foot.getBoundingClientRect().top : innerHeight;
        const high = document.querySelector(".source").getBoundingClientRect().bottom;
        const seen = Math.min(bottom, low) - Math.max(top, high);
        return seen >= Math.min(24, bottom - top) ? "" : focused.ariaLabel;
      })()`);
        assert.equal(covered, "", `${width} × ${height}`);
      }
    }
  },
  { viewport: { width: 1280, height: 560 } },
);

test(
  "NFR-3: axe-core finds nothing on any screen, light and wide or dark and narrow",
  async ({ openTab }) => {
    const page = await openTab();
    const look = (screen: string) => assertAccessible(page, screen);
    await look("start");
    await upload(page, new TextEncoder().encode("no workbook"), "wrong.xlsx");
    await page.getByRole("alert").waitFor();
    await look("refused");

    const bytes = await freshFile(1);
    await opened(page, bytes);
    await look("rating");
    await page.getByRole("checkbox", { name: "Differences" }).check();
    await button(page, /^Keys/).click();
    await look("keys");
    await page.keyboard.press("Escape");
    await next(page).click();
    await look("blocked");
    await radio(page, 0, 0).click();
    await press(page, "9", "5", "Enter", "2", "9", "6", "Enter");
    await look("invalid");

    await page.reload();
    await upload(page, bytes);
    await button(page, /Go on with the file/).waitFor();
    await look("recovery");
    await button(page, /Go on with the file/).click();
    await rateAllAndFinish(page, 1);
    await look("summary");
  },
  { only: "chromium" },
);
/** Names of systems and other contents of the key, which occur nowhere else. */
const SECRETS = /qz(?:system|segment|document)/;

function prepared() {
  const letters = [..."abcdefghijkl"];
  const segments = [1].map((number) => ({
    document: "qzdocument",
    segment: `qzsegment${number}`,
    source: `Sentence ${number}.`,
    translations: letters.map((version) => `Satz ${number}, Fassung ${version}.`),
  }));
  const systems = letters.map((letter) => `qzsystem${letter}`);
  const [runId, secret] = [crypto.randomUUID(), "0123456789abcdef".repeat(4)];
  return prepareRun({ systems, segments }, { runId, secret, config: CONFIG, seed: 31 });
}

/** Returns everything that the page stores in the browser, as text. */
async function storage(page: Page): Promise<string> {
  return await page.evaluate<string>(`(async () => {
    const stored = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    const result = (request) => new Promise((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    for (const { name } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        stored.push(await result(database.transaction(store).objectStore(store).getAll()));
      }
      database.close();
    }
    return JSON.stringify(stored);
  })()`);
}

/** Returns all strings and names in the page's memory. */
async function memory(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return chunks.join("");
}

test(
  "blindness: no system in DOM, storage or memory, no t# where a rater could see one",
  async ({ context, openTab }) => {
    const { workbook, key } = prepared();
    assert.match(JSON.stringify(key), SECRETS);
    const page = await openTab();
    const look = async (screen: string) => {
      const html = await page.evaluate<string>("document.getElementById('app').outerHTML");
      assert.doesNotMatch(html, SECRETS, screen);
      assert.doesNotMatch(html, /\bt\d{1,2}\b/, screen);
    };
    const bytes = await writeWorkbook(workbook, CONFIG);
    await opened(page, bytes);
    await press(page, "1", "9", "5", "Enter", "2", "9", "9", "Enter", "Control+Enter");
    await page.getByRole("checkbox", { name: "Differences" }).check();
    await look("rating, blocked");
    const stored = await storage(page);
    assert.match(stored, /Fassung/);
    assert.doesNotMatch(stored, SECRETS);
    assert.doesNotMatch(stored, /"t\d{1,2}"/);
    const remembered = await memory(context, page);
    assert.match(remembered, /Fassung/);
    assert.doesNotMatch(remembered, SECRETS);

    await page.reload();
    await upload(page, bytes);
    await button(page, /Go on with the file/).click();
    await rateAllAndFinish(page, 1);
    await look("summary");
    await downloaded(page, "Download final file");
  },
  { only: "chromium" },
);
