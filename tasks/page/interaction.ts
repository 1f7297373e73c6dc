import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { parseRunConfig } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { buildPage, type Page as BuiltPage } from "../rate/build_page.ts";

/** A rating given by a test: the bucket's index from the best (0 …), and the score. */
interface GivenRating {
  readonly bucket: number;
  readonly da: number;
}

/** Bucket labels of the default configuration, from best to worst. */
const LABELS = ["Best", "Good", "OK", "Poor"];

/** Returns twelve valid ratings by position: three per bucket, seven points apart. */
export function validRatings(): readonly GivenRating[] {
  return Array.from({ length: 12 }, (_, position) => ({
    bucket: Math.floor(position / 3),
    da: 95 - 7 * position,
  }));
}

/** Presses keys one after the other. A key with Control counts as one. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

export const row = (page: Page, position: number): Locator =>
  page.getByRole("row", { name: new RegExp(`^Row ${position + 1} of `) });

export const radio = (page: Page, position: number, bucket: number): Locator =>
  page.getByRole("radio", { name: `Row ${position + 1}, ${LABELS[bucket]}`, exact: true });

export const scoreBox = (page: Page, position: number): Locator =>
  page.getByRole("textbox", { name: new RegExp(`^Row ${position + 1}, (.+, )?score$`) });

export const slider = (page: Page, position: number): Locator =>
  page.getByRole("slider", { name: `Row ${position + 1}, score slider`, exact: true });

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name });

export const next = (page: Page): Locator => button(page, /^Next( →)?$/);

/** Returns the footer's status line. */
export const status = (page: Page): Locator => page.getByRole("contentinfo").getByRole("status");

/** Waits until this sentence (from 1) is on screen. */
export async function isAtSentence(page: Page, number: number): Promise<void> {
  await page.getByRole("heading", { name: new RegExp(`^Sentence ${number} of `) }).waitFor();
}

/** Returns the accessible name of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
}

/** Returns the ratings on screen, bucket (from 1) and score, e.g. `195`. */
export function shown(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`[...document.querySelectorAll(".row")].map((row) => {
    const bucket = [...row.querySelectorAll("[type=radio]")].findIndex(({ checked }) => checked);
    return (bucket < 0 ? "" : bucket + 1) + row.querySelector("input.score").value;
  })`);
}

/** Returns {@link shown} if only the first rows have these ratings. */
export function only(...rows: readonly string[]): readonly string[] {
  return Array.from({ length: 12 }, (_, position) => rows[position] ?? "");
}

/** Rates by mouse: buckets by label, scores by slider, then Next. */
export async function rateByMouse(page: Page, ratings: readonly GivenRating[]): Promise<void> {
  for (const [position, { bucket, da }] of ratings.entries()) {
    await radio(page, position, bucket).click();
    const track = slider(page, position);
    const { width, height } = (await track.boundingBox())!;
    // The thumb is 16 pixels wide; its middle points at a score from 0 to 100.
    await track.click({ position: { x: 8 + (width - 16) * da / 100, y: height / 2 } });
  }
  await next(page).click();
}

/** Returns the minimal keys of one screen: four per translation with a two-digit score. */
export function keysFor(ratings: readonly GivenRating[] = validRatings()): readonly string[] {
  const keys = ratings.flatMap(({ bucket, da }) => [`${bucket + 1}`, ...`${da}`, "Enter"]);
  return [...keys, "Control+Enter"];
}

/** Rates the sentences up to `last` validly by keys and finishes. The summary is then on screen. */
export async function rateAllAndFinish(page: Page, last: number): Promise<void> {
  for (let number = 1; number <= last; number++) {
    await isAtSentence(page, number);
    await press(page, ...keysFor());
  }
  await button(page, "Finish").click();
  await page.getByRole("heading", { name: /(is|are) rated$/ }).waitFor();
}

const CONFIG_TEXT = "source_language: en\ntarget_language: de\n";

/** The specification's configuration, with languages. */
export const CONFIG = parseRunConfig(CONFIG_TEXT, "the fixture");

/** Returns an unrated run whose translations all contain `word`. */
export function freshWorkbook(items: number, word = "Wort", config = CONFIG): RatingWorkbook {
  const inputs = Array.from({ length: items }, (_, index) => ({
    itemId: index + 1,
    source: `This is sentence ${index + 1}, to be translated.`,
    translations: Array.from(
      { length: config.numTranslations },
      (_, version) => `${word} ${version + 1} in Satz ${index + 1}.`,
    ),
  }));
  return newWorkbook(inputs, { runId: crypto.randomUUID(), config, keySha256: "" });
}

/** Returns the file of a separate unrated run. */
export async function freshFile(items: number, word?: string): Promise<Uint8Array> {
  return await writeWorkbook(freshWorkbook(items, word), CONFIG);
}

/** Builds the page as `deno task rate page` does. By default its workbook has two sentences. */
export async function builtPage(configText = CONFIG_TEXT, given?: Uint8Array): Promise<BuiltPage> {
  const folder = await Deno.makeTempDir({ prefix: "rating page " });
  try {
    const [configPath, workbook] = [join(folder, "run.yaml"), join(folder, "demo.xlsx")];
    const config = parseRunConfig(configText, configPath);
    await Deno.writeTextFile(configPath, configText);
    const bytes = given ?? await writeWorkbook(freshWorkbook(2, "Probe", config), config);
    await Deno.writeFile(workbook, bytes);
    return await buildPage({ config: configPath, workbook });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Chooses a file in the page's dialogue. */
export async function upload(page: Page, bytes: Uint8Array, name = "run.xlsx"): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button(page, /^Choose (your|another) workbook/).click();
  await (await chooser).setFiles({ name, mimeType: XLSX, buffer: Buffer.from(bytes) });
}

/** Opens a file at its first sentence. It is the given file, or a new one with n sentences. */
export async function opened(page: Page, file: number | Uint8Array = 2): Promise<void> {
  await upload(page, typeof file === "number" ? await freshFile(file) : file);
  await isAtSentence(page, 1);
}

const isFirefox = (page: Page) => page.context().browser()?.browserType().name() === "firefox";

/** Returns the file that a click on a button downloads. */
export async function downloaded(page: Page, name: string | RegExp): Promise<Uint8Array> {
  if (isFirefox(page)) {
    await page.evaluate("globalThis.lastDownload = undefined");
    await button(page, name).click();
    await page.waitForFunction("globalThis.lastDownload");
    const base64 = await page.evaluate<string>("lastDownload.bytes().then((it) => it.toBase64())");
    return Uint8Array.fromBase64(base64);
  }
  const download = page.waitForEvent("download");
  await button(page, name).click();
  return await Deno.readFile(await (await download).path());
}

/** Reads a checkpoint like notebook 32. Throws Error listing its problems. */
export async function workbookIn(bytes: Uint8Array): Promise<RatingWorkbook> {
  const result = await readWorkbook(bytes, { config: CONFIG, runId: crypto.randomUUID() });
  if (result.kind === "workbook") return result.workbook;
  throw new Error(result.problems.map(({ message }) => message).join("\n"));
}

/** Returns the checkpoint that the page saves now. */
export async function saved(page: Page): Promise<RatingWorkbook> {
  return await workbookIn(await downloaded(page, /^Save checkpoint/));
}
