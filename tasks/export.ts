/** The studies' pairs for other harnesses. */
import { join } from "node:path";
import { exportFiles, writeExport } from "../lib/pairs/export.ts";
import { shownPath } from "../lib/files/atomic.ts";
import { readCitation } from "../lib/files/citation.ts";
import { choiceOf, command, EXIT, run } from "./command.ts";
import { exportedStudy, STUDY_NAMES } from "./open_studies.ts";

export const TASK = command(
  "export",
  "The sets of pairs as others load them: BLiMP's JSON lines in a Hugging Face dataset folder a study, " +
    "with data card, licence and citation, tasks for the lm-evaluation-harness, Croissant metadata",
  (c) =>
    c.requiredOption("--out <folder>", "a folder a study is written into it")
      .option(
        "--study <name>",
        `${STUDY_NAMES.join(", ")} or all`,
        choiceOf(...STUDY_NAMES, "all"),
        "all" as const,
      ),
  async ({ out, study }) => {
    const text = (file: string) => Deno.readTextFileSync(new URL(`../${file}`, import.meta.url));
    const citation = readCitation(text("CITATION.cff"), "CITATION.cff");
    for (const name of study === "all" ? STUDY_NAMES : [study]) {
      const files = exportFiles(await exportedStudy(name), citation, text("LICENSE"));
      const folder = join(out, name);
      writeExport(folder, files);
      console.log(`${shownPath(folder)}: ${files.size} files written`);
    }
    return EXIT.done;
  },
);

if (import.meta.main) await run(TASK);
