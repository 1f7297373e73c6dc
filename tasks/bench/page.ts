import type { Page } from "playwright-core";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { command, EXIT } from "../command.ts";
import { inChromium, served, WITHOUT_PICKERS } from "../page/browser.ts";
import {
  builtPage,
  button,
  CONFIG,
  freshWorkbook,
  type Given,
  isAtSentence,
  keysFor,
  validRatings,
} from "../page/hands.ts";
import { buildPage } from "../rate/build_page.ts";

const SENTENCES = 300;
/** Times that the workbook is loaded and saved, and screens rated by keys in the last run. */
const EFFORT = { runs: 5, screens: 2 };
/** Milliseconds from key to key: faster than a rater types, and a frame of its own for each. */
const PAUSE = 100;
/** About as long as a news sentence: 25 words. */
const TEXT = "Die Sitzung wurde nach kurzer Beratung auf den folgenden Montag verschoben, " +
  "weil die Unterlagen der Behörde noch nicht vollständig vorlagen und zwei Mitglieder fehlten";

/** Prints medians; checks nothing. */
export const TASK = command(
  "bench page",
  "How fast the rating page is in Chromium, with 300 sentences of 12 translations: load and check a " +
    "workbook, make a checkpoint, and from keystroke to paint",
  (c) => c.option("--picture <file>", "take the README's picture of the page instead"),
  async ({ picture }) => {
    if (picture !== undefined) await takePicture(picture);
    else await bench();
    return EXIT.done;
  },
);

async function bench(): Promise<void> {
  const fresh = freshWorkbook(SENTENCES, TEXT);
  const workbook = await writeWorkbook(fresh, CONFIG);
  const { address, remove } = await served(await builtPage());
  const { load, save, keystroke } = await measurePage(address, workbook, EFFORT);
  await remove();
  console.log(`${SENTENCES} sentences, ${Math.round(workbook.length / 1000)} kB`);
  const times = { "load and check": load, "checkpoint": save, "keystroke to paint": keystroke };
  for (const [name, taken] of Object.entries(times)) {
    const sorted = taken.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
    console.log(
      `${name}: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, n ${sorted.length}`,
    );
  }
}

/** The fifth, in OK, scores above all three that are Good. */
const RATINGS: readonly Given[] = [[1, 72], [0, 93], [2, 48], [1, 78], [2, 84], [1, 70]]
  .map(([bucket, da]) => ({ bucket: bucket!, da: da! }));

/** The demonstration, its first sentence rated by half and one score out of place. */
async function takePicture(path: string): Promise<void> {
  const built = await buildPage({ config: undefined, workbook: undefined });
  const { address, remove } = await served(built);
  await inChromium(async (browser) => {
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
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
  });
  await remove();
}

/**
 * Milliseconds, one number for each time: from the drop of the file to the first sentence on screen,
 * everything checked; from the click on Save to a file that was read back and compared; from a key's
 * own time stamp to the frame that shows what it did.
 */
export async function measurePage(
  address: string,
  workbook: Uint8Array,
  { runs, screens }: typeof EFFORT,
) {
  const times = { load: [] as number[], save: [] as number[], keystroke: [] as number[] };
  await inChromium(async (browser) => {
    for (let run = 1; run <= runs; run++) {
      const context = await browser.newContext();
      await context.addInitScript(WITHOUT_PICKERS);
      const page = await context.newPage();
      await page.goto(address);
      await page.getByText(/^Start rating: demo/).waitFor();
      times.load.push(await load(page, workbook));
      if (run === runs) times.keystroke.push(...await keystrokes(page, screens));
      times.save.push(await save(page));
      await context.close();
    }
  });
  return times;
}

/** Drops a file on the page; milliseconds until its first sentence has been painted. */
async function load(page: Page, bytes: Uint8Array): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.fromBase64("${bytes.toBase64()}")], "run.xlsx"));
    const place = document.querySelector("section");
    const begin = performance.now();
    place.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
    await new Promise((resolve) => {
      const look = () => document.querySelector("#row-12") ? resolve() : requestAnimationFrame(look);
      look();
    });
    await ${PAINTED};
    return performance.now() - begin;
  })()`);
}

/** Milliseconds from the click on Save until the checked file is handed to the browser. */
async function save(page: Page): Promise<number> {
  const download = page.waitForEvent("download");
  const taken = await page.evaluate<number>(`(async () => {
    const button = [...document.querySelectorAll("button")]
      .find(({ textContent }) => textContent.startsWith("Save checkpoint"));
    const begin = performance.now();
    const made = new Promise((resolve) => {
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = create;
        resolve(performance.now());
        return create.call(URL, blob);
      };
    });
    button.click();
    return await made - begin;
  })()`);
  await (await download).cancel();
  return taken;
}

/** Settles in the task after the next frame was drawn. */
const PAINTED = `new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve();
  port2.postMessage(undefined);
}))`;

async function keystrokes(page: Page, screens: number): Promise<readonly number[]> {
  await page.evaluate(`(() => {
    globalThis.taken = [];
    addEventListener("keydown", async ({ key, timeStamp }) => {
      if (key === "Control") return;
      await ${PAINTED};
      taken.push(performance.now() - timeStamp);
    }, { capture: true });
  })()`);
  for (let screen = 0; screen < screens; screen++) {
    await isAtSentence(page, screen + 1);
    for (const key of keysFor(validRatings())) {
      await page.keyboard.press(key);
      await page.waitForTimeout(PAUSE);
    }
  }
  await page.evaluate(PAINTED);
  return await page.evaluate<readonly number[]>("taken");
}
