import type { Browser, Page } from "playwright-core";
import { launchOptions, playwrightChromium, WITHOUT_PICKERS } from "../page/playwright.ts";
import { isAtSentence, keysFor, validRatings } from "../page/rating_screen.ts";

/** How often and how long to measure. */
export interface Effort {
  /** Times that the workbook is loaded and saved. */
  readonly runs: number;
  /** Screens of twelve translations that are rated by keys, in the last run. */
  readonly screens: number;
  /** Milliseconds from key to key. */
  readonly pause: number;
}

/** Milliseconds, one number for each time. */
export interface PageTimes {
  /** From the drop of the file to the first sentence on screen, everything checked. */
  readonly load: readonly number[];
  /** From the click on Save to a file that was read back and compared. */
  readonly save: readonly number[];
  /** From a key's own time stamp to the frame that shows what it did. */
  readonly keystroke: readonly number[];
}

/** Measures the page at an address with one workbook, in the Chromium at `path`. */
export async function measurePage(
  { address, path, workbook }: {
    readonly address: string;
    readonly path: string;
    readonly workbook: Uint8Array;
  },
  effort: Effort,
): Promise<PageTimes> {
  const browser = await (await playwrightChromium()).launch(launchOptions(path));
  const runs: PageTimes[] = [];
  try {
    for (let run = 1; run <= effort.runs; run++) {
      const screens = run === effort.runs ? effort.screens : 0;
      runs.push(await oneRun(browser, address, workbook, { ...effort, screens }));
    }
  } finally {
    await browser.close();
  }
  return {
    load: runs.flatMap((run) => run.load),
    save: runs.flatMap((run) => run.save),
    keystroke: runs.flatMap((run) => run.keystroke),
  };
}

async function oneRun(
  browser: Browser,
  address: string,
  workbook: Uint8Array,
  effort: Effort,
): Promise<PageTimes> {
  const context = await browser.newContext();
  await context.addInitScript(WITHOUT_PICKERS);
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText("Try it with a demo file").waitFor();
  const loaded = await load(page, workbook);
  const keystroke = await keystrokes(page, effort);
  const saved = await save(page);
  await context.close();
  return { load: [loaded], save: [saved], keystroke };
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

async function keystrokes(
  page: Page,
  { screens, pause }: Effort,
): Promise<readonly number[]> {
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
      await page.waitForTimeout(pause);
    }
  }
  await page.evaluate(PAINTED);
  return await page.evaluate<readonly number[]>("taken");
}
