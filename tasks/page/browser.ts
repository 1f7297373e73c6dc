import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Page as BuiltPage } from "../rate/build_page.ts";
import { servePage } from "../rate/serve_page.ts";

/** Where systems put a Chromium. Not `PATH`: the gate may read files but no environment. */
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/opt/homebrew/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Everything that a browser does of its own accord, and what a container cannot give it. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A script for a page before its own: a dialogue of the operating system cannot be driven, so files
 * go the way they do in Firefox.
 */
export const WITHOUT_PICKERS =
  "globalThis.showOpenFilePicker = globalThis.showSaveFilePicker = undefined";

/**
 * The browser that the page is tried in: what `CHROMIUM` names, where that may be read, else one in
 * a usual place; undefined where there is none.
 */
export function chromiumPath(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "CHROMIUM" });
  const named = state === "granted" ? Deno.env.get("CHROMIUM") : undefined;
  return (named ? [named] : PLACES).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Playwright's types and Chromium, headless. It is loaded here because on loading it looks for
 * Windows Subsystem for Linux below /proc, which Deno allows to nobody who may not do everything;
 * the variable tells it not to look. With a folder the browser keeps what it stores there.
 */
export async function playwright() {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error("Cannot try the page: there is no Chromium. Set CHROMIUM to a browser's path.");
  }
  process.env["__IS_WSL_TEST__"] = "1";
  const { chromium } = await import("playwright-core");
  const options = { executablePath, headless: true, args: [...CHROMIUM_ARGS] };
  return { chromium, options };
}

/** Works in a Chromium of its own, which is gone afterwards. */
export async function inChromium(work: (browser: Browser) => Promise<void>): Promise<void> {
  const { chromium, options } = await playwright();
  const browser = await chromium.launch(options);
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** A page where a browser can open it. */
export interface Placed {
  readonly address: string;
  readonly remove: () => Promise<void>;
}

/** As `deno task rate page` does it. */
export function served(page: BuiltPage): Promise<Placed> {
  const stop = new AbortController();
  const { address, finished } = servePage(page, 0, stop.signal);
  const remove = async () => {
    stop.abort();
    await finished;
  };
  return Promise.resolve({ address, remove });
}

/** As a rater opens what `deno task rate build` wrote. */
export async function onDisk(page: BuiltPage): Promise<Placed> {
  const folder = await Deno.makeTempDir({ prefix: "rating page " });
  const path = join(folder, "rate.html");
  await Deno.writeTextFile(path, page.html);
  const remove = async () => await Deno.remove(folder, { recursive: true });
  return { address: pathToFileURL(path).href, remove };
}

/** What a test of the page works with; all of it is gone after the test. */
export interface Desk {
  /** One rater's browser: its tabs share storage, and nobody else does. */
  readonly context: BrowserContext;
  /** A new tab with the page opened. */
  readonly openTab: () => Promise<Page>;
  /** What the page said on the console, errors that nobody caught, and requests to anywhere. */
  readonly said: readonly string[];
}

/** Says how a test goes in a browser; ignored where there is none, but under CI it then fails. */
type PageTest = (
  name: string,
  work: (desk: Desk) => Promise<void>,
  options?: BrowserContextOptions,
) => void;

/**
 * Tests of a page in one Chromium, which is started with the first and closed after the last test
 * of the file. Every test fails if the page says anything on the console, or asks anybody for
 * anything but itself.
 */
export function pageTest(
  build: () => Promise<BuiltPage>,
  place: (page: BuiltPage) => Promise<Placed> = served,
): PageTest {
  let started: ReturnType<typeof start> | undefined;
  Deno.test.afterAll(async () => await (await started?.catch(() => undefined))?.stop());
  return (name, work, options = {}) =>
    Deno.test({
      name: `page: ${name}`,
      ignore: chromiumPath() === undefined && Deno.env.get("CI") !== "true",
      // The browser and the server outlive each test.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        const { browser, address } = await (started ??= start(build, place));
        await atDesk(browser, address, options, work);
      },
    });
}

async function start(
  build: () => Promise<BuiltPage>,
  place: (page: BuiltPage) => Promise<Placed>,
) {
  const { chromium, options } = await playwright();
  const { address, remove } = await place(await build());
  const browser = await chromium.launch(options);
  const stop = async () => {
    await browser.close();
    await remove();
  };
  return { browser, address, stop };
}

async function atDesk(
  browser: Browser,
  address: string,
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

/** Ends the tab's process as a crash would: no event, no chance to tidy up. */
export async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}
