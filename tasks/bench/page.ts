import type { Page } from "playwright-core";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { command, EXIT } from "../command.ts";
import { inChromium, served, WITHOUT_PICKERS } from "../page/browser.ts";
import {
  builtPage,
  CONFIG,
  freshWorkbook,
  isAtSentence,
  keysFor,
  validRatings,
} from "../page/hands.ts";

const SENTENCES = 300;
/** Times that the workbook is loaded and saved; in the last run sentences gone to, screens rated by keys. */
const EFFORT = { runs: 5, switches: 20, screens: 2 };
/** Characters of a text: a sentence of news, and a long paragraph. */
const LENGTHS = [120, 2000];
/** Milliseconds from key to key: faster than a rater types, and a frame of its own for each. */
const PAUSE = 100;
/** About as long as a news sentence. */
const TEXT =
  "Die Sitzung wurde nach kurzer Beratung auf den folgenden Montag verschoben, weil die " +
  "Unterlagen der Behörde noch fehlten. ";

/** Prints medians; checks nothing. */
export const TASK = command(
  "bench page",
  "How fast the rating page is in Chromium, with 300 sentences of 12 translations of 120 and of 2,000 " +
    "characters: load and check a workbook, make a checkpoint, go to a sentence, and from keystroke to " +
    "paint",
  (c) => c,
  async () => {
    const { address, remove } = await served(await builtPage());
    for (const length of LENGTHS) {
      // What tells the texts apart, some twenty characters, stands at their ends.
      const start = TEXT.repeat(length).slice(0, length - 18).trim();
      const workbook = await writeWorkbook(freshWorkbook(SENTENCES, start), CONFIG);
      const times = await measurePage(address, workbook);
      const kilobytes = Math.round(workbook.length / 1000);
      console.log(`${SENTENCES} sentences, texts of ${length} characters, ${kilobytes} kB`);
      for (const [name, taken] of Object.entries(times)) {
        const sorted = taken.toSorted((one, other) => one - other);
        const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(0);
        console.log(`${name}: median ${at(0.5)} ms, 95 % below ${at(0.95)} ms, n ${sorted.length}`);
      }
    }
    await remove();
    return EXIT.done;
  },
);

/**
 * Milliseconds, one number for each time: from the drop of the file to the first sentence on screen,
 * everything checked; from the click on Save to a file that was read back and compared; from the
 * choice of another sentence to the frame that shows it; from a key's own time stamp to the frame
 * that shows what it did.
 */
async function measurePage(
  address: string,
  workbook: Uint8Array,
) {
  const { runs, switches, screens } = EFFORT;
  const times: Record<"load" | "save" | "switch" | "key", number[]> = {
    load: [],
    save: [],
    switch: [],
    key: [],
  };
  await inChromium(async (browser) => {
    for (let run = 1; run <= runs; run++) {
      const context = await browser.newContext();
      await context.addInitScript(WITHOUT_PICKERS);
      const page = await context.newPage();
      await page.goto(address);
      await page.getByText(/^Start rating: demo/).waitFor();
      times.load.push(await load(page, workbook));
      if (run === runs) {
        times.key.push(...await keystrokes(page, screens));
        times.switch.push(...await switched(page, switches));
      }
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

/** Chooses the next sentences in the list, one after the other. */
async function switched(page: Page, times: number): Promise<readonly number[]> {
  return await page.evaluate<readonly number[]>(`(async () => {
    const [list, taken] = [document.querySelector("#jump-to"), []];
    for (let time = 0; time < ${times}; time++) {
      list.value = String((Number(list.value) + 1) % list.options.length);
      const wanted = list.value;
      const begin = performance.now();
      list.dispatchEvent(new PointerEvent("pointerdown"));
      list.dispatchEvent(new Event("change", { bubbles: true }));
      await ${PAINTED};
      const shown = document.querySelector("h1").textContent;
      if (!shown.includes(" " + (Number(wanted) + 1) + " ")) throw new Error(shown + ", not " + wanted);
      taken.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, ${PAUSE}));
    }
    return taken;
  })()`);
}

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
