import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Page as BuiltPage } from "../rate/build_page.ts";

/**
 * Usual paths of browsers.
 * `PATH` is not used, since the gate may read files but no environment.
 */
const PLACES = {
  chromium: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
    "/opt/homebrew/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  firefox: ["/usr/bin/firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
};

/** Browsers in which the page is tested. */
type BrowserName = keyof typeof PLACES;

/** Switches off Chromium's background activity and features that a container lacks. */
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
 * Script that removes file pickers.
 * System dialogues cannot be driven, so files go as in Firefox.
 */
const WITHOUT_PICKERS = "globalThis.showOpenFilePicker = globalThis.showSaveFilePicker = undefined";

/**
 * Script for Firefox, which lacks download events and would ask before leaving a page.
 * WebDriver BiDi does not report downloads, so the page keeps the last one.
 */
const KEEPING_DOWNLOADS = `{
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true });
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => create.call(URL, globalThis.lastDownload = blob);
}`;

/** Returns a browser's path: from `CHROMIUM` or `FIREFOX`, else a usual one. */
export function browserPath(name: BrowserName = "chromium"): string | undefined {
  const variable = name.toUpperCase();
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  const named = state === "granted" ? Deno.env.get(variable) : undefined;
  return (named ? [named] : PLACES[name]).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Starts a headless browser; a released Firefox through WebDriver BiDi.
 * On loading, Playwright looks for Windows Subsystem for Linux below /proc, for which Deno requires
 * all permissions; the variable prevents that.
 */
async function launch(name: BrowserName): Promise<Browser> {
  const executablePath = browserPath(name);
  if (executablePath === undefined) {
    throw new Error(
      `Cannot try the page: there is no ${name}. Set ${name.toUpperCase()} to a browser's path.`,
    );
  }
  process.env["__IS_WSL_TEST__"] = "1";
  const { chromium, firefox } = await import("playwright-core");
  if (name === "chromium") {
    return await chromium.launch({ executablePath, headless: true, args: CHROMIUM_ARGS });
  }
  // As root in a container Firefox cannot build its sandbox and would end its tabs.
  const env = { ...process.env as Record<string, string>, MOZ_DISABLE_CONTENT_SANDBOX: "1" };
  const browser = await firefox.launch({
    executablePath,
    headless: true,
    env,
    channel: "moz-firefox",
  });
  // Firefox 153 ESR does not know this command, which every new context sends: colour schemes are
  // then as the browser has them.
  type Session = { send(method: string, params: unknown): Promise<unknown> };
  type Inside = { _connection: { toImpl(browser: Browser): { _browserSession: Session } } };
  const { _browserSession } = (browser as unknown as Inside)._connection.toImpl(browser);
  const prototype: Session = Object.getPrototypeOf(_browserSession);
  const { send } = prototype;
  prototype.send = function (method, params) {
    const isUnknown = method === "emulation.setMediaFeaturesOverride";
    return isUnknown ? Promise.resolve({}) : send.call(this, method, params);
  };
  return browser;
}

/** Runs a function with a separate Chromium, which is closed afterwards. */
export async function inChromium(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launch("chromium");
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Asserts that axe-core finds no fault and nothing scrolls sideways.
 * It checks the page in light colours on a desktop and in dark ones on a phone.
 */
export async function assertAccessible(page: Page, screen = page.url()): Promise<void> {
  // The check would be the same in Firefox, where it takes minutes.
  if (page.context().browser()?.browserType().name() === "firefox") return;
  // Loaded here, since the gate imports this file without permission to read the environment.
  const { default: { source } } = await import("axe-core");
  await page.evaluate(`globalThis.axe || (() => { ${source} })()`);
  for (const [colorScheme, width] of [["light", 1280], ["dark", 360]] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
    );
    assert.deepEqual(faults, [], `${screen}: ${colorScheme}, ${width} wide`);
    const isWide = "((e) => e.scrollWidth > e.clientWidth)(document.documentElement)";
    assert.ok(!await page.evaluate(isWide), `${screen} scrolls sideways, ${width} wide`);
  }
}

/** A page at an address that a browser can open. */
interface Placed {
  readonly address: string;
  readonly remove: () => Promise<void>;
}

/** Serves a page as `deno task rate page` does. */
async function served(page: BuiltPage): Promise<Placed> {
  // Loaded here, since the gate imports this file without loading the workbook reader.
  const { servePage } = await import("../rate/page.ts");
  const stop = new AbortController();
  const { address, finished } = servePage(page, 0, stop.signal);
  const remove = async () => {
    stop.abort();
    await finished;
  };
  return { address, remove };
}

/** Writes a page to disk as `deno task rate build` does. */
export async function onDisk(page: BuiltPage): Promise<Placed> {
  const folder = await Deno.makeTempDir({ prefix: "rating page " });
  const path = join(folder, "rate.html");
  await Deno.writeTextFile(path, page.html);
  const remove = async () => await Deno.remove(folder, { recursive: true });
  return { address: pathToFileURL(path).href, remove };
}

/** Environment of a page test, removed after the test. */
interface Desk {
  /** One rater's browser, whose tabs share storage with each other only. */
  readonly context: BrowserContext;
  /** Opens the page in a new tab. */
  readonly openTab: () => Promise<Page>;
  readonly browser: BrowserName;
}

/** Browsers of a test file. The first test starts each, and the last closes it. */
const started = new Map<BrowserName, Promise<Browser>>();

/**
 * Registers page tests in Chromium, and in the Firefox that `FIREFOX` names.
 * Without Chromium they are ignored, but under CI they fail; a test that needs Chromium's features
 * skips Firefox. Every test fails if the page writes to the console or requests anything but
 * itself.
 */
export function pageTest(
  build: () => Promise<BuiltPage>,
  place: (page: BuiltPage) => Promise<Placed> = served,
) {
  let placed: Promise<Placed> | undefined;
  Deno.test.afterAll(async () => {
    for (const browser of started.values()) await (await browser.catch(() => undefined))?.close();
    await (await placed?.catch(() => undefined))?.remove();
  });
  return (
    name: string,
    work: (desk: Desk) => Promise<void>,
    { only, ...options }: BrowserContextOptions & { readonly only?: BrowserName } = {},
  ) => {
    for (const browser of only ? [only] : ["chromium", "firefox"] as const) {
      Deno.test({
        name: `page in ${browser}: ${name}`,
        ignore: browser === "firefox"
          ? Deno.env.get("FIREFOX") === undefined
          : browserPath(browser) === undefined && Deno.env.get("CI") !== "true",
        // The browser and the server outlive each test.
        sanitizeOps: false,
        sanitizeResources: false,
        fn: async () => {
          if (!started.has(browser)) started.set(browser, launch(browser));
          placed ??= build().then(place);
          const [running, { address }] = await Promise.all([started.get(browser)!, placed]);
          await atDesk(await running.newContext(options), address, browser, work);
        },
      });
    }
  };
}

async function atDesk(
  context: BrowserContext,
  address: string,
  browser: BrowserName,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  // A busy machine is slow, which is no fault of the page.
  context.setDefaultTimeout(30_000);
  const messages: string[] = [];
  context.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => {
    const { message } = error.error();
    // Firefox reports Playwright's scripts to the page, whose policy rightly blocks them.
    if (!/blocked.* eval|eval\(\) blocked/.test(message)) messages.push(`uncaught: ${message}`);
  });
  context.on("request", (request) => {
    const isOwn = /^(blob|data):/.test(request.url()) || request.url() === address;
    if (!isOwn) messages.push(`request: ${request.url()}`);
  });
  await context.addInitScript(WITHOUT_PICKERS);
  if (browser === "firefox") await context.addInitScript(KEEPING_DOWNLOADS);
  const openTab = async () => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  try {
    await work({ context, openTab, browser });
    assert.deepEqual(messages, []);
  } finally {
    await context.close();
  }
}

/** Kills the tab's process like a crash: no event, no cleanup. */
export async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}
