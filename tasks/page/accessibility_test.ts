import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { builtPage, freshFile } from "./fixture.ts";
import { pageTests } from "./page_test_case.ts";
import { button, handsOn, isAtSentence, next, radio, rateAllAndFinish } from "./rating_screen.ts";
import { upload } from "./start_screen.ts";

const { test } = pageTests(builtPage);

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
