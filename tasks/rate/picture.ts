/**
 * The picture of the rating page for the README: the demonstration, the first sentence rated by half
 * and one score out of place.
 *
 *     deno run -A tasks/rate/picture.ts [FILE]
 *
 * Throws Error where there is no Chromium.
 */
import { chromiumPath } from "../page/chromium_path.ts";
import { served } from "../page/placed_page.ts";
import { launchOptions, playwrightChromium } from "../page/playwright.ts";
import { button, type Given, isAtSentence } from "../page/rating_screen.ts";
import { buildPage } from "./build_page.ts";
import { smallerPng } from "./smaller_png.ts";

const PICTURE = "docs/rating_page.png";

/** The fifth, in OK, scores above all three that are Good. */
const RATINGS: readonly Given[] = [
  { bucket: 1, da: 72 },
  { bucket: 0, da: 93 },
  { bucket: 2, da: 48 },
  { bucket: 1, da: 78 },
  { bucket: 2, da: 84 },
  { bucket: 1, da: 70 },
];

async function takePicture(path: string): Promise<void> {
  const chromium = chromiumPath();
  if (chromium === undefined) throw new Error("Cannot take the picture: there is no Chromium.");
  const { address, remove } = await served(
    await buildPage({ config: undefined, workbook: undefined }),
  );
  const browser = await (await playwrightChromium()).launch(launchOptions(chromium));
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    // The time at work is shown: it stands still, so that the picture is the same every time.
    await page.addInitScript("performance.now = () => 0");
    await page.goto(address);
    await button(page, "Try it with a demo file").click();
    await isAtSentence(page, 1);
    for (const { bucket, da } of RATINGS) {
      for (const key of [`${bucket + 1}`, ...`${da}`, "Enter"]) await page.keyboard.press(key);
    }
    await page.locator(".problem").waitFor();
    await page.evaluate("document.querySelector('main').scrollIntoView()");
    const png = await page.screenshot({ animations: "disabled", caret: "hide" });
    await Deno.writeFile(path, smallerPng(png));
  } finally {
    await browser.close();
    await remove();
  }
  console.log(`${path}: ${Math.round((await Deno.stat(path)).size / 1000)} kB.`);
}

if (import.meta.main) await takePicture(Deno.args[0] ?? PICTURE);
