import assert from "node:assert/strict";
import { parseRunConfig } from "../../lib/translation/run_config.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { builtPage, freshFile, freshWorkbook } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { button, handsOn, isAtSentence } from "./rating_screen.ts";
import { upload } from "./start_screen.ts";

const CONFIG_TEXT = `
num_translations: 3
da_max: 10
buckets:
  - { key: publish, label: Publishable as it stands }
  - { key: edit, label: Needs edits }
  - { key: redo, label: Redo }
`;
const OWN = parseRunConfig(CONFIG_TEXT, "the fixture");
const { test } = pageTests(() => builtPage(CONFIG_TEXT));

test("a scale and buckets of one's own: help, faults, summary and file go by them", async (desk) => {
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
});

test("FR-2: a workbook of another page is told so in a sentence", async (desk) => {
  const page = await desk.openTab();
  await upload(page, await freshFile(1));
  const refusal = page.getByRole("alert");
  assert.match(
    await refusal.innerText(),
    /12 translations a sentence, this page is for 3.*\. Nothing was changed\.$/s,
  );
  assert.equal(await refusal.getByRole("table").count(), 0);
});
