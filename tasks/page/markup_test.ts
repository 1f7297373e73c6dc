import assert from "node:assert/strict";
import { newWorkbook } from "../../lib/translation/workbook/new_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { builtPage, CONFIG } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { isAtSentence, row } from "./rating_screen.ts";
import { upload } from "./start_screen.ts";

const { test } = pageTests(builtPage);

/** Markup that would say so on the console, or ask for something, if it were taken for any. */
const MARKUP = `<img src="x" onerror="console.log('ran')"><b>bold</b> & &amp; </h3><script>`;

test("a text with markup in it is shown as it is written, with differences and without", async (desk) => {
  const source = `${MARKUP} source`;
  const translations = Array.from({ length: 12 }, (_, index) => `${MARKUP} ${index + 1}`);
  const workbook = newWorkbook([{ itemId: 1, source, translations }], {
    ...{ runId: crypto.randomUUID(), config: CONFIG, keySha256: "" },
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
