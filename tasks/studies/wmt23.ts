import { shownPath } from "../../lib/files/atomic.ts";
import { outsideFile } from "../../lib/files/table.ts";
import { writeWmt23 } from "../../lib/studies/translation/pipeline.ts";
import { WMT23_SCORES } from "../../lib/studies/translation/tables.ts";
import { command, EXIT } from "../command.ts";

const FILE = `
${WMT23_SCORES.file} is not part of this repository: data/README.md says what it is joined from. UTF-8,
tab-separated, quotation marks are text, one row a segment and system, with the columns seg, doc,
system (as WMT23 names it; refA, the human reference, is left out), source, translation, da_sqm
(0 to 100), mqm (0 or less), esa1 and esa2 (0 to 100). Others may stand there and are not read.`;

/** Real ratings through this project's own path; only aggregates are kept. */
export const TASK = command(
  "study wmt23",
  "Tables of systems, pairs and rank agreement from WMT23 English–German scores",
  (c) =>
    c.option("--folder <folder>", `that holds ${WMT23_SCORES.file}`)
      .addHelpText("after", FILE),
  async ({ folder }) => {
    const file = outsideFile(WMT23_SCORES, folder);
    const written = await writeWmt23(Deno.readTextFileSync(file), shownPath(file));
    console.log(`Wrote ${written.map(({ path }) => shownPath(path)).join(", ")}.`);
    return EXIT.done;
  },
);
