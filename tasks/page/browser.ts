import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
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

/** A script for a page before its own: no dialogue of the system can be driven, so files go as in Firefox. */
export const WITHOUT_PICKERS =
  "globalThis.showOpenFilePicker = globalThis.showSaveFilePicker = undefined";

/** The browser that the page is tried in: what `CHROMIUM` names, else one in a usual place. */
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
 * Playwright's types and Chromium, headless. On loading it looks for Windows Subsystem for Linux below
 * /proc, which Deno allows to nobody who may not do everything; the variable tells it not to look.
 */
export async function playwright() {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error("Cannot try the page: there is no Chromium. Set CHROMIUM to a browser's path.");
  }
  process.env["__IS_WSL_TEST__"] = "1";
  const { chromium } = await import("playwright-core");
  return { chromium, options: { executablePath, headless: true, args: [...CHROMIUM_ARGS] } };
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

/** By day on a desk, by night on a telephone. */
const LOOKS = [["light", 1280], ["dark", 400]] as const;

/** axe-core finds nothing, however the page is looked at, and nothing scrolls sideways. Needs `bypassCSP`. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate((await import("axe-core")).default.source);
  for (const [colorScheme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]));
    assert.deepEqual(faults, [], `${page.url()} ${colorScheme}, ${width} wide`);
    const isWide = "((e) => e.scrollWidth > e.clientWidth)(document.documentElement)";
    assert.ok(!await page.evaluate(isWide), `${page.url()} scrolls sideways, ${width} wide`);
  }
}

/** A page where a browser can open it. */
interface Placed {
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
interface Desk {
  /** One rater's browser: its tabs share storage, and nobody else does. */
  readonly context: BrowserContext;
  /** A new tab with the page opened. */
  readonly openTab: () => Promise<Page>;
}

/** Of all tests of a file: it starts with the first, and is closed after the last. */
let started: Promise<Browser> | undefined;

/**
 * Tests of a page, ignored where there is no Chromium, but under CI they then fail. Every test fails
 * if the page says anything on the console, or asks anybody for anything but itself.
 */
export function pageTest(
  build: () => Promise<BuiltPage>,
  place: (page: BuiltPage) => Promise<Placed> = served,
) {
  let placed: Promise<Placed> | undefined;
  Deno.test.afterAll(async () => {
    await (await started?.catch(() => undefined))?.close();
    await (await placed?.catch(() => undefined))?.remove();
  });
  return (
    name: string,
    work: (desk: Desk) => Promise<void>,
    options: BrowserContextOptions = {},
  ) =>
    Deno.test({
      name: `page: ${name}`,
      ignore: chromiumPath() === undefined && Deno.env.get("CI") !== "true",
      // The browser and the server outlive each test.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        started ??= playwright().then(({ chromium, options }) => chromium.launch(options));
        placed ??= build().then(place);
        const [browser, { address }] = await Promise.all([started, placed]);
        await atDesk(await browser.newContext(options), address, work);
      },
    });
}

async function atDesk(
  context: BrowserContext,
  address: string,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  // A machine that does other work too is slow, which is no fault of the page.
  context.setDefaultTimeout(30_000);
  const said: string[] = [];
  context.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => said.push(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    const isOwn = /^(blob|data):/.test(request.url()) || request.url() === address;
    if (!isOwn) said.push(`request: ${request.url()}`);
  });
  await context.addInitScript(WITHOUT_PICKERS);
  const openTab = async () => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  try {
    await work({ context, openTab });
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
