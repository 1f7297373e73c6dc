import assert from "node:assert/strict";
import { parseRunConfig } from "../../lib/translation/run_config.ts";
import { newWorkbook } from "../../lib/translation/workbook/new_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { builtPage } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { isAtSentence, row } from "./rating_screen.ts";
import { upload } from "./start_screen.ts";

const CONFIG_TEXT = "num_translations: 2\nsource_language: en\ntarget_language: ar\n";
const CONFIG = parseRunConfig(CONFIG_TEXT, "the fixture");
const { test } = pageTests(() => builtPage(CONFIG_TEXT));

test("texts run as their language does: an Arabic one that begins with a Latin name too", async (desk) => {
  const translations = ["هذه جملة قصيرة.", "Altbrück مدينة صغيرة."];
  const inputs = [{ itemId: 1, source: "This is a short sentence.", translations }];
  const runId = crypto.randomUUID();
  const workbook = newWorkbook(inputs, { runId, config: CONFIG, keySha256: "" });
  const page = await desk.openTab();
  await upload(page, await writeWorkbook(workbook, CONFIG));
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
});
