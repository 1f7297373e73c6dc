import type { BrowserType } from "playwright-core";
import process from "node:process";

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
 * Playwright's Chromium. It is loaded here because on loading it looks for Windows Subsystem for
 * Linux below /proc, which Deno allows to nobody who may not do everything; the variable tells it
 * not to look.
 */
export async function playwrightChromium(): Promise<BrowserType> {
  process.env["__IS_WSL_TEST__"] = "1";
  return (await import("playwright-core")).chromium;
}

/**
 * A script for a page before its own: a dialogue of the operating system cannot be driven, so files
 * go the way they do in Firefox.
 */
export const WITHOUT_PICKERS =
  "globalThis.showOpenFilePicker = globalThis.showSaveFilePicker = undefined";

/** How Chromium is started, headless. */
export function launchOptions(executablePath: string) {
  return { executablePath, headless: true, args: [...CHROMIUM_ARGS] };
}
