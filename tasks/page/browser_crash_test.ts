import assert from "node:assert/strict";
import type { BrowserContext } from "playwright-core";
import { chromiumPath } from "./chromium_path.ts";
import { builtPage, freshFile } from "./fixture.ts";
import { served } from "./placed_page.ts";
import { launchOptions, playwrightChromium, WITHOUT_PICKERS } from "./playwright.ts";
import { button, handsOn, isAtSentence, keysFor, scoreBox, validRatings } from "./rating_screen.ts";
import { upload } from "./start_screen.ts";

const path = chromiumPath();

/** A browser with a profile on disk, as a rater's. */
async function openBrowser(profile: string): Promise<BrowserContext> {
  const chromium = await playwrightChromium();
  const context = await chromium.launchPersistentContext(profile, launchOptions(path!));
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
  ignore: path === undefined,
  ...{ sanitizeOps: false, sanitizeResources: false },
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
