import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { formatCaptionedTable } from "../../lib/translation/analysis/estimate.ts";
import { raterStatuses, statusTable } from "../../lib/translation/analysis/status.ts";
import { keyPaths, readRunConfig } from "../../lib/translation/preparation/run_files.ts";
import { command, EXIT } from "../command.ts";

/** Reports the raters' progress; reads only. */
export const STATUS = command(
  "rate status",
  "Reports each rater's progress: sentences done, seconds, checks passed and rows that break a rule, " +
    "practice, repeats and checks not counted as sentences. It reads checkpoints and finished " +
    "workbooks and writes nothing. A file that cannot be read is named, and stops no other (exit 3).",
  (c) =>
    c.argument("<workbook...>", "workbooks saved by raters")
      .option(
        "--key <file...>",
        "the sealed keys, or their folder; by default sealed/ next to rated/",
      )
      .option("--config <file>", "the run configuration; by default run.yaml next to rated/"),
  async ({ key, config }, { args: workbooks }) => {
    const prepared = join(dirname(workbooks[0]!), "..");
    const sealed = join(prepared, "sealed");
    if (key === undefined && !existsSync(sealed)) {
      throw new Error(
        `Cannot find the keys: there is no folder ${sealed}. Name the keys, or their folder: --key FOLDER.`,
      );
    }
    const keys = (key ?? [sealed]).flatMap(keyPaths);
    const files = workbooks.map((path) => ({ rater: basename(path, ".xlsx"), path }));
    const statuses = await raterStatuses(
      files,
      keys,
      readRunConfig(config ?? join(prepared, "run.yaml")),
    );
    const problems = statuses.flatMap((it) => "problem" in it ? [it.problem] : []);
    if (problems.length < statuses.length) console.log(formatCaptionedTable(statusTable(statuses)));
    for (const problem of problems) console.error(problem);
    return problems.length === 0 ? EXIT.done : EXIT.incomplete;
  },
);
