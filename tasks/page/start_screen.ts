import type { Download, Page } from "playwright-core";
import type { RatingWorkbook } from "../../lib/translation/item.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { CONFIG } from "./fixture.ts";
import { button } from "./rating_screen.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Chooses a file in the dialogue that the page opens. */
export async function upload(page: Page, bytes: Uint8Array, name = "run.xlsx"): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button(page, /^Choose your workbook/).click();
  await (await chooser).setFiles({ name, mimeType: XLSX, buffer: Buffer.from(bytes) });
}

/** What a click on a button downloads. */
export async function downloaded(page: Page, name: string | RegExp): Promise<Uint8Array> {
  const download = page.waitForEvent("download");
  await button(page, name).click();
  return await bytesOf(await download);
}

async function bytesOf(download: Download): Promise<Uint8Array> {
  return await Deno.readFile(await download.path());
}

/** A checkpoint as notebook 32 would read it. Throws Error that lists what is wrong with it. */
export async function workbookIn(bytes: Uint8Array): Promise<RatingWorkbook> {
  const result = await readWorkbook(bytes, { config: CONFIG, runId: crypto.randomUUID() });
  if (result.kind === "workbook") return result.workbook;
  throw new Error(result.problems.map(({ message }) => message).join("\n"));
}
