import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { batchPage } from "../lib/factuality/batch/report.ts";
import { batchSummary } from "../lib/factuality/batch/summary.ts";
import { NO_MEASUREMENTS, profileInput, ratings } from "../lib/factuality/metrics/testdata/made.ts";
import { compareProfiles, hallucinationProfile } from "../lib/factuality/metrics/profile.ts";
import { profilePage } from "../lib/factuality/metrics/profile_page.ts";
import { evaluationPage } from "../lib/factuality/report/html.ts";
import { sampleEvaluation } from "../lib/factuality/report/testdata/sample.ts";
import { randomSource } from "../lib/stats/random.ts";
import { assertAccessible, browserPath, inChromium } from "./page/browser.ts";

async function assertGood(html: string, tryOut: (page: Page) => Promise<void>): Promise<void> {
  await inChromium(async (browser) => {
    const page = await browser.newPage({ bypassCSP: true });
    await page.setContent(html);
    await tryOut(page);
    await assertAccessible(page);
  });
}

Deno.test({
  name:
    "evaluation, batch and profile pages: axe-core finds nothing, a click on words leads to their claim",
  ignore: browserPath() === undefined,
  fn: async () => {
    await assertGood(evaluationPage(await sampleEvaluation()), async (page) => {
      await page.click('[data-go="claim-2"]');
      assert.equal(await page.evaluate("location.hash"), "#claim-2");
      await page.focus('.tag[href="#claim-3"]');
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate("location.hash"), "#claim-3");
    });
    const sample = await sampleEvaluation();
    const summary = batchSummary([sample], { requests: 1, passedOver: 0 }, randomSource(1));
    await assertGood(batchPage([sample], summary), async (page) => {
      // A link into a folded section unfolds it.
      await page.click('a[href="#text-1"]');
      await page.click('[data-go="text-1-claim-2"]');
      assert.equal(await page.evaluate("location.hash"), "#text-1-claim-2");
    });
    const profiles = ["one", "two"].map((model) =>
      hallucinationProfile(
        profileInput({ ...NO_MEASUREMENTS, model, ratings: ratings("sn", "ss") }),
      )
    );
    await assertGood(profilePage(compareProfiles(profiles, 1)), () => Promise.resolve());
  },
});
