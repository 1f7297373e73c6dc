import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { compareProfiles } from "../../lib/factuality/profile/compare_profiles.ts";
import { hallucinationProfile } from "../../lib/factuality/profile/hallucination_profile.ts";
import { profilePage } from "../../lib/factuality/profile/page/profile_page.ts";
import { profileInput, ratings } from "../../lib/factuality/profile/testdata/input.ts";
import { evaluationPage } from "../../lib/factuality/report/html/page.ts";
import { sampleEvaluation } from "../../lib/factuality/report/testdata/sample.ts";
import { chromiumPath } from "../page/chromium_path.ts";
import { launchOptions, playwrightChromium } from "../page/playwright.ts";

const LOOKS = [
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 400, height: 800 } },
] as const;

const NOTHING = { responses: [], consensus: [], uncertainties: [], refusals: [] };

async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  const wide = await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...wide ? ["scrolls sideways"] : [],
  ];
}

Deno.test({
  name:
    "evaluation page: axe-core finds nothing, a click on words leads to their claim, Tab does too",
  ignore: chromiumPath() === undefined,
  fn: async () => {
    const html = evaluationPage(await sampleEvaluation());
    const chromium = await playwrightChromium();
    await using browser = await chromium.launch(launchOptions(chromiumPath()!));
    for (const look of LOOKS) {
      // axe-core is a script that the page's own policy would not let in.
      const page = await browser.newPage({ ...look, bypassCSP: true });
      await page.setContent(html);
      await page.click('[data-go="claim-2"]');
      assert.equal(await page.evaluate("location.hash"), "#claim-2");
      assert.deepEqual(await faults(page), [], JSON.stringify(look));
      await page.focus('.tag[href="#claim-3"]');
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate("location.hash"), "#claim-3");
      await page.close();
    }
  },
});

Deno.test({
  name: "profile page: axe-core finds nothing, and it does not scroll sideways",
  ignore: chromiumPath() === undefined,
  fn: async () => {
    const profiles = ["one", "two"].map((model) =>
      hallucinationProfile(profileInput({ ...NOTHING, model, ratings: ratings("sn", "ss") }))
    );
    const html = profilePage(compareProfiles(profiles, 1));
    const chromium = await playwrightChromium();
    await using browser = await chromium.launch(launchOptions(chromiumPath()!));
    for (const look of LOOKS) {
      const page = await browser.newPage({ ...look, bypassCSP: true });
      await page.setContent(html);
      assert.deepEqual(await faults(page), [], JSON.stringify(look));
      await page.close();
    }
  },
});
