import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "../rate/assemble_page.ts";
import { servePage } from "../rate/serve_page.ts";

/** A page where a browser can open it. */
export interface Placed {
  readonly address: string;
  readonly remove: () => Promise<void>;
}

/** As `deno task rate` does it. */
export function served(page: Page): Promise<Placed> {
  const stop = new AbortController();
  const { address, finished } = servePage(page, 0, stop.signal);
  const remove = async () => {
    stop.abort();
    await finished;
  };
  return Promise.resolve({ address, remove });
}

/** As a rater opens what `deno task rate:build` wrote. */
export async function onDisk(page: Page): Promise<Placed> {
  const folder = await Deno.makeTempDir({ prefix: "rating page " });
  const path = join(folder, "rate.html");
  await Deno.writeTextFile(path, page.html);
  const remove = async () => await Deno.remove(folder, { recursive: true });
  return { address: pathToFileURL(path).href, remove };
}
