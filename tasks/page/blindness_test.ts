import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { builtPage, CONFIG } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { button, handsOn, isAtSentence, rateAllAndFinish } from "./rating_screen.ts";
import { downloaded, upload } from "./start_screen.ts";

const { test } = pageTests(builtPage);

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
    ...{ runId: crypto.randomUUID(), secret: "0123456789abcdef".repeat(4), config: CONFIG },
    ...{ items: 2, seed: 31 },
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
