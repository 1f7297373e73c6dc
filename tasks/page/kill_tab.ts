import type { Page } from "playwright-core";

/** Ends the tab's process as a crash would: no event, no chance to tidy up. */
export async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}
