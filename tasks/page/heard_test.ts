import assert from "node:assert/strict";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { pageTest } from "./browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  downloaded,
  focusedName,
  freshFile,
  handsOn,
  isAtSentence,
  keysFor,
  next,
  radio,
  rateAllAndFinish,
  row,
  scoreBox,
  slider,
  upload,
  validRatings,
  workbookIn,
} from "./hands.ts";

const test = pageTest(builtPage);

async function opened(page: Page, items = 3): Promise<void> {
  await upload(page, await freshFile(items));
  await isAtSentence(page, 1);
}

const status = (page: Page) => page.getByRole("contentinfo").getByRole("status");

/** Waits until the status line says exactly this. */
async function hears(page: Page, words: string): Promise<void> {
  await status(page).getByText(words, { exact: true }).waitFor();
}

/** Where the rows stand on screen, in pixels. */
async function tops(page: Page): Promise<readonly number[]> {
  return await page.evaluate<readonly number[]>(
    "[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().top)",
  );
}

test("every key that changes a row without a sound of its own is said", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  const hands = handsOn(page);
  await hands.press("2");
  await hears(page, "Row 1: Good, no score.");
  await hands.press("7", "1", "ArrowRight");
  await hears(page, "Row 1: Good, 72.");
  await hands.press("b", "Delete");
  await hears(page, "Row 1: not sorted, 72.");
  await hands.press("Control+z");
  await hears(page, "Undone: row 1, Good, 72.");
  await hands.press("Control+y");
  await hears(page, "Done again: row 1, not sorted, 72.");
  await hands.press("Control+y");
  await hears(page, "Nothing to redo.");
});

test("where one is, is said when a file opens, and saving each time anew", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  await hears(page, "Sentence 1 of 3.");
  for (const key of ["1", "2"]) {
    await handsOn(page).press("b", key);
    await hears(page, `Row 1: ${key === "1" ? "Best" : "Good"}, no score.`);
    await downloaded(page, /^Save checkpoint/);
    await status(page).getByText(/^Downloaded as/).waitFor();
  }
});

test("what a row was given is part of its name and of its score box's", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  await handsOn(page).press("1", "9", "5", "ArrowDown");
  assert.equal(await focusedName(page), "Row 2 of 12, not rated");
  assert.equal(await row(page, 0).getAttribute("aria-label"), "Row 1 of 12, Best, 95");
  assert.equal(await scoreBox(page, 0).getAttribute("aria-label"), "Row 1, Best, score");
  const text = row(page, 0).getByRole("heading", { level: 3 });
  assert.equal(await text.getAttribute("lang"), "de");
});

test("Up from the first row is the source, Down from there the first row", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  await handsOn(page).press("ArrowUp");
  const focused = () => page.evaluate<string>("document.activeElement.textContent");
  assert.equal(await focused(), "This is sentence 1, to be translated.");
  await handsOn(page).press("ArrowDown");
  assert.equal(await focusedName(page), "Row 1 of 12, not rated");
});

test("FR-8: arrow keys in Go to open no sentence on the way; Enter goes", async (desk) => {
  const page = await desk.openTab();
  await opened(page, 5);
  const list = page.getByRole("combobox", { name: "Go to" });
  assert.doesNotMatch(await list.innerText(), /sentence 2/);
  await list.focus();
  await handsOn(page).press("ArrowDown", "ArrowDown", "ArrowDown");
  await isAtSentence(page, 1);
  await handsOn(page).press("Enter");
  await isAtSentence(page, 4);
  const { items } = await workbookIn(await downloaded(page, /^Save checkpoint/));
  const started = items.map(({ evaluation }) => evaluation.startedAt !== undefined);
  assert.deepEqual(started, [true, false, false, true, false]);
});

test("keys go on in the row after a click on Save or Undo, or beside everything", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  await handsOn(page).press("1", "9");
  await downloaded(page, /^Save checkpoint/);
  await handsOn(page).press("5", "Enter", "2");
  await button(page, "Undo").click();
  await handsOn(page).press("b", "3");
  assert.ok(await radio(page, 1, 2).isChecked());
  assert.equal(await scoreBox(page, 0).inputValue(), "95");
  await page.evaluate("document.activeElement.blur()");
  await handsOn(page).press("4");
  assert.ok(await radio(page, 1, 3).isChecked());
});

test("what is typed is judged at once when the hand leaves the row, and not before", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  await handsOn(page).press("1", "9", "5", "Enter", "2", "9", "7");
  assert.doesNotMatch(await row(page, 1).getAttribute("class") ?? "", /faulty/);
  await handsOn(page).press("Enter");
  assert.match(await row(page, 1).getAttribute("class") ?? "", /faulty/);
});

test("a file with ratings that were not saved is closed only on a second word", async (desk) => {
  const page = await desk.openTab();
  await opened(page, 1);
  await handsOn(page).press(...keysFor(validRatings()));
  await button(page, "Finish").click();
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
  await button(page, /^Choose your workbook/).waitFor();
});

test("no row moves when a fault comes up, nor when a bucket is chosen", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  const before = await tops(page);
  await handsOn(page).press(...keysFor(validRatings().slice(0, 6)).slice(0, -1));
  await scoreBox(page, 0).fill("1");
  await page.getByRole("region", { name: /correct/ }).waitFor();
  assert.match(await status(page).innerText(), /^Row/);
  assert.deepEqual(await tops(page), before);
});

test("a second Next that is refused for the same reason is said again", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
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

test("Home and PageUp give no score to a slider that has none", async (desk) => {
  const page = await desk.openTab();
  await opened(page);
  for (const key of ["Home", "End", "PageUp", "PageDown"]) {
    await slider(page, 0).focus();
    await handsOn(page).press(key);
    await hears(page, "Row 1 has no score to move yet: type one.");
  }
  assert.equal(await scoreBox(page, 0).inputValue(), "");
});

test("Finish before the end says what is left, and nothing scrolls", async (desk) => {
  const page = await desk.openTab();
  await opened(page, 20);
  const scrolled = () => page.evaluate<number>("scrollY");
  const before = await scrolled();
  // A locator's own click scrolls to the button first, as no mouse does.
  const { x, y } = (await button(page, "Finish").boundingBox())!;
  await page.mouse.click(x + 5, y + 5);
  await hears(page, "Not finished: 20 sentences are incomplete.");
  assert.equal(await scrolled(), before);
}, { viewport: { width: 1280, height: 560 } });

for (const [width, height] of [[1366, 768], [960, 600], [640, 400], [360, 740]] as const) {
  test(`nothing that has the focus is covered by a bar (${width} × ${height})`, async (desk) => {
    const page = await desk.openTab();
    await opened(page);
    const covered: string[] = [];
    for (let stop = 0; stop < 60; stop++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate<string>(`(() => {
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
      if (found) covered.push(found);
    }
    assert.deepEqual(covered, []);
  }, { viewport: { width, height } });
}

const LOOKS = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "light, 360 pixels wide", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "dark, 360 pixels wide", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;

/** What axe-core finds on a screen, and whether the screen scrolls sideways; nothing is good. */
async function faults(page: Page, screen: string): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  const wide = await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${screen}: ${id}: ${html} ${failureSummary}`)
    ),
    ...wide ? [`${screen}: scrolls sideways`] : [],
  ];
}

for (const { name, ...look } of LOOKS) {
  test(`NFR-3: axe-core finds nothing on any screen (${name})`, async (desk) => {
    const page = await desk.openTab();
    const found = [...await faults(page, "start")];
    const look = async (screen: string) => void found.push(...await faults(page, screen));
    await upload(page, new TextEncoder().encode("no workbook"), "wrong.xlsx");
    await page.getByRole("alert").waitFor();
    await look("refused");

    const bytes = await freshFile(2);
    await upload(page, bytes);
    await isAtSentence(page, 1);
    await look("rating");
    await page.getByRole("checkbox", { name: "Show differences" }).check();
    await button(page, /^Keys/).click();
    await look("keys");
    await page.keyboard.press("Escape");
    await next(page).click();
    await look("blocked");
    await radio(page, 0, 0).click();
    await handsOn(page).press("9", "5", "Enter", "2", "9", "6", "Enter");
    await look("invalid");

    await page.reload();
    await upload(page, bytes);
    await button(page, /Go on with the file/).waitFor();
    await look("recovery");
    await button(page, /Go on with the file/).click();
    await rateAllAndFinish(page, 2);
    await look("summary");
    assert.deepEqual(found, []);
  }, look);
}

/** Names of systems and of what else the key knows; they occur nowhere else. */
const SECRETS = /qz(?:system|segment|document)/;

function prepared() {
  const segments = [1, 2].map((number) => ({
    document: "qzdocument",
    segment: `qzsegment${number}`,
    source: `Sentence ${number}.`,
    translations: [..."abcdefghijkl"].map((version) => `Satz ${number}, Fassung ${version}.`),
  }));
  const systems = [..."abcdefghijkl"].map((letter) => `qzsystem${letter}`);
  return prepareRun({ systems, segments }, {
    runId: crypto.randomUUID(),
    secret: "0123456789abcdef".repeat(4),
    config: CONFIG,
    items: 2,
    seed: 31,
  });
}

/** Everything that the page keeps in the browser, as text. */
async function storage(page: Page): Promise<string> {
  return await page.evaluate<string>(`(async () => {
    const kept = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
      });
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store).getAll();
        kept.push(await new Promise((resolve) => {
          rows.onsuccess = () => resolve(rows.result);
        }));
      }
      database.close();
    }
    return JSON.stringify(kept);
  })()`);
}

/** All strings and names of the page's memory. */
async function memory(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return chunks.join("");
}

test("blindness: no system in DOM, storage or memory, no t# where a rater could see one", async (desk) => {
  const { workbook, key } = prepared();
  assert.match(JSON.stringify(key), SECRETS);
  const page = await desk.openTab();
  await upload(page, await writeWorkbook(workbook, CONFIG));
  const look = async (screen: string) => {
    const html = await page.evaluate<string>("document.getElementById('app').outerHTML");
    assert.doesNotMatch(html, SECRETS, screen);
    assert.doesNotMatch(html, /\bt\d{1,2}\b/, screen);
  };
  await isAtSentence(page, 1);
  await handsOn(page).press("1", "9", "5", "Enter", "2", "9", "9", "Enter", "Control+Enter");
  await page.getByRole("checkbox", { name: "Show differences" }).check();
  await look("rating, blocked");
  const kept = await storage(page);
  assert.match(kept, /Fassung/);
  assert.doesNotMatch(kept, SECRETS);
  assert.doesNotMatch(kept, /"t\d{1,2}"/);
  const remembered = await memory(desk.context, page);
  assert.match(remembered, /Fassung/);
  assert.doesNotMatch(remembered, SECRETS);

  await page.reload();
  await upload(page, await writeWorkbook(workbook, CONFIG));
  await button(page, /Go on with the file/).click();
  await rateAllAndFinish(page, 2);
  await look("summary");
  await downloaded(page, "Download final file");
});
