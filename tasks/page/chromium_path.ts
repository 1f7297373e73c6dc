import { delimiter, join } from "node:path";

/** What Chromium is called on `PATH`, by distribution. */
export const CHROMIUM_NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The browser that the page is tried in: what `CHROMIUM` names, else the first Chromium of `PATH`;
 * undefined where there is none.
 */
export function chromiumPath(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter).filter((folder) => folder !== "");
  const named = Deno.env.get("CHROMIUM");
  const found = CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return (named ? [named] : found).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
