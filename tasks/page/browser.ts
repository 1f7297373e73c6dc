import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Page as BuiltPage } from "../rate/build_page.ts";

/** Where systems put the browsers. Not `PATH`: the gate may read files but no environment. */
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

/** The browsers that the page is tried in. */
type BrowserName = keyof typeof PLACES;

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
const WITHOUT_PICKERS = "globalThis.showOpenFilePicker = globalThis.showSaveFilePicker = undefined";

/**
 * A script for Firefox, of whose downloads WebDriver BiDi does not tell, so that the page keeps the
 * last, and where nobody answers the question before a page is left.
 */
const KEEPING_DOWNLOADS = `{
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true });
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => create.call(URL, globalThis.lastDownload = blob);
}`;

/** Where a browser is: what `CHROMIUM` or `FIREFOX` names, else one in a usual place. */
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
 * Starts a browser, headless; a Firefox as Mozilla or Debian ship it, over WebDriver BiDi. On loading
 * Playwright looks for Windows Subsystem for Linux below /proc, which Deno allows to nobody who may
 * not do everything; the variable tells it not to look.
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
  // As root in a container it has no sandbox to build, which ends its tabs.
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

/** Works in a Chromium of its own, which is gone afterwards. */
export async function inChromium(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launch("chromium");
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** axe-core finds nothing, by day on a desk and by night on a telephone, and nothing scrolls sideways. */
export async function assertAccessible(page: Page, screen = page.url()): Promise<void> {
  // What it looks at is the same in Firefox, and takes minutes there.
  if (page.context().browser()?.browserType().name() === "firefox") return;
  // Loaded here, for the gate imports this file and may read no environment.
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

/** A page where a browser can open it. */
interface Placed {
  readonly address: string;
  readonly remove: () => Promise<void>;
}

/** As `deno task rate page` does it. */
async function served(page: BuiltPage): Promise<Placed> {
  // Loaded here, for the gate imports this file and may load no reader of workbooks.
  const { servePage } = await import("../rate/page.ts");
  const stop = new AbortController();
  const { address, finished } = servePage(page, 0, stop.signal);
  const remove = async () => {
    stop.abort();
    await finished;
  };
  return { address, remove };
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
  readonly browser: BrowserName;
}

/** Of all tests of a file: each starts with the first test, and is closed after the last. */
const started = new Map<BrowserName, Promise<Browser>>();

/**
 * Tests of a page in Chromium, ignored where there is none, but under CI they then fail; and, unless
 * a test takes what only Chromium has, in the Firefox that `FIREFOX` names. Every test fails if the
 * page says anything on the console, or asks anybody for anything but itself.
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
  // A machine that does other work too is slow, which is no fault of the page.
  context.setDefaultTimeout(30_000);
  const said: string[] = [];
  context.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => {
    const { message } = error.error();
    // Firefox tells the page of Playwright's own scripts, which the policy stops there as it should.
    if (!/blocked.* eval|eval\(\) blocked/.test(message)) said.push(`uncaught: ${message}`);
  });
  context.on("request", (request) => {
    const isOwn = /^(blob|data):/.test(request.url()) || request.url() === address;
    if (!isOwn) said.push(`request: ${request.url()}`);
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
