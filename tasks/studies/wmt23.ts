import { readTextIfThere, shownPath } from "../../lib/files/atomic.ts";
import { writeWmt23 } from "../../lib/studies/translation/pipeline.ts";
import { TRANSLATION_PATHS } from "../../lib/translation/tables.ts";
import { command, EXIT } from "../command.ts";

const FILE = `
FILE is no part of this project: docs/human_evaluation.md says what it is joined from. UTF-8,
tab-separated, quotation marks are text, one row a segment and system, with the columns seg, doc,
system (as WMT23 names it; refA, the human reference, is left out), source, translation, da_sqm
(0 to 100), mqm (0 or less), esa1 and esa2 (0 to 100). Others may stand there and are not read.`;

/** Real ratings through this project's own path; only aggregates are kept. */
export const TASK = command(
  "study wmt23",
  "Tables of systems, pairs and rank agreement from WMT23 English–German scores",
  (c) =>
    c.argument("[file]", "the scores", shownPath(TRANSLATION_PATHS.wmt23))
      .addHelpText("after", FILE),
  async (_options, { args: [file = TRANSLATION_PATHS.wmt23] }) => {
    const text = readTextIfThere(file);
    if (text === undefined) {
      throw new Error(
        `Cannot read ${file}: there is no such file. Say which: deno task study wmt23 FILE`,
      );
    }
    const written = await writeWmt23(text, shownPath(file));
    console.log(`Wrote ${written.map(({ path }) => shownPath(path)).join(", ")}.`);
    return EXIT.done;
  },
);
