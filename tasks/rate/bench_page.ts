/**
 * How fast the rating page is in Chromium, with 300 sentences of 12 translations: load and check a
 * workbook, make a checkpoint, and from keystroke to paint. Prints medians; checks nothing.
 *
 *     deno run -A tasks/rate/bench_page.ts
 */
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { chromiumPath } from "../page/chromium_path.ts";
import { builtPage, CONFIG, freshWorkbook } from "../page/fixture.ts";
import { served } from "../page/placed_page.ts";
import { type Effort, measurePage } from "./measure_page.ts";

const SENTENCES = 300;
/** A key comes faster than a rater types, and slowly enough to have a frame of its own. */
const EFFORT: Effort = { runs: 5, screens: 2, pause: 100 };
/** About as long as a news sentence: 25 words. */
const TEXT = "Die Sitzung wurde nach kurzer Beratung auf den folgenden Montag verschoben, " +
  "weil die Unterlagen der Behörde noch nicht vollständig vorlagen und zwei Mitglieder fehlten";

function said(name: string, taken: readonly number[]): string {
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
  return `${name}: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, n ${sorted.length}`;
}

async function bench(): Promise<void> {
  const path = chromiumPath();
  if (path === undefined) throw new Error("Cannot measure the page: there is no Chromium.");
  const fresh = freshWorkbook(SENTENCES, crypto.randomUUID(), TEXT);
  const workbook = await writeWorkbook(fresh, CONFIG);
  const { address, remove } = await served(await builtPage());
  const { load, save, keystroke } = await measurePage({ address, path, workbook }, EFFORT);
  await remove();
  console.log(`${SENTENCES} sentences, ${Math.round(workbook.length / 1000)} kB`);
  console.log(said("load and check", load));
  console.log(said("checkpoint", save));
  console.log(said("keystroke to paint", keystroke));
}

if (import.meta.main) await bench();
