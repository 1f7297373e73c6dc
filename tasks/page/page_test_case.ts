import assert from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Page as BuiltPage } from "../rate/assemble_page.ts";
import { chromiumPath } from "./chromium_path.ts";
import { type Placed, served } from "./placed_page.ts";
import { launchOptions, playwrightChromium, WITHOUT_PICKERS } from "./playwright.ts";

/** What a test of the page works with; all of it is gone after the test. */
export interface Desk {
  /** One rater's browser: its tabs share storage, and nobody else does. */
  readonly context: BrowserContext;
  /** A new tab with the page opened. */
  readonly openTab: () => Promise<Page>;
  /** What the page said on the console, errors that nobody caught, and requests to anywhere. */
  readonly said: readonly string[];
}

interface Setting {
  readonly browser: Browser;
  readonly address: string;
}

/** A test in a browser, ignored where there is none; under CI it then fails. */
export interface PageTests {
  readonly test: (
    name: string,
    work: (desk: Desk) => Promise<void>,
    options?: BrowserContextOptions,
  ) => void;
}

/**
 * Tests of a page in one Chromium, which is started with the first and closed after the last test
 * of the file. Every test fails if the page says anything on the console, or asks anybody for
 * anything but itself.
 */
export function pageTests(
  build: () => Promise<BuiltPage>,
  place: (page: BuiltPage) => Promise<Placed> = served,
): PageTests {
  const setting = startedOnce(async () => await place(await build()));
  Deno.test.afterAll(setting.stop);
  return {
    test: (name, work, options = {}) =>
      Deno.test({
        name: `page: ${name}`,
        ignore: chromiumPath() === undefined && Deno.env.get("CI") !== "true",
        // The browser and the server outlive each test.
        ...{ sanitizeOps: false, sanitizeResources: false },
        fn: async () => await atDesk(await setting.start(), options, work),
      }),
  };
}

function startedOnce(place: () => Promise<Placed>) {
  let started: Promise<Setting & { stop: () => Promise<void> }> | undefined;
  return {
    start: (): Promise<Setting> => started ??= start(place),
    stop: async () => await (await started?.catch(() => undefined))?.stop(),
  };
}

async function start(place: () => Promise<Placed>) {
  const path = chromiumPath();
  if (path === undefined) {
    throw new Error("Cannot try the page: there is no Chromium. Set CHROMIUM to a browser's path.");
  }
  const { address, remove } = await place();
  const browser = await (await playwrightChromium()).launch(launchOptions(path));
  const stop = async () => {
    await browser.close();
    await remove();
  };
  return { browser, address, stop };
}

async function atDesk(
  { browser, address }: Setting,
  options: BrowserContextOptions,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  // A machine that does other work too is slow, which is no fault of the page.
  context.setDefaultTimeout(30_000);
  const said: string[] = [];
  context.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => said.push(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && request.url() !== address) {
      said.push(`request: ${request.url()}`);
    }
  });
  await context.addInitScript(WITHOUT_PICKERS);
  const openTab = async () => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  try {
    await work({ context, openTab, said });
    assert.deepEqual(said, []);
  } finally {
    await context.close();
  }
}
