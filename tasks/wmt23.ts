/**
 * Real ratings through this project's own path: the WMT23 English–German scores, of which only
 * aggregates are kept.
 *
 *     deno task wmt23 [FILE]   FILE: ../shared/data/wmt23_ende_scores.tsv unless told
 *
 * Writes data/translation/wmt23_systems.csv, wmt23_pairs.csv and wmt23_rank_agreement.csv. Source of
 * the scores: ESA by Kocmi et al. 2024 (ErrorSpanAnnotations), DA+SQM and MQM of the WMT23 metrics
 * task.
 */
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { readTextIfThere } from "../lib/files/read_text.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { TRANSLATION_PATHS } from "../lib/translation/paths.ts";
import { TRANSLATION_REPORT_PATHS } from "../lib/translation/report/paths.ts";
import { runCommand } from "./command.ts";
import { wmt23Tables } from "./wmt23/study.ts";

const USAGE =
  "deno task wmt23 [FILE]: tables of systems, pairs and rank agreement from WMT23 scores";

async function main(file: string): Promise<number> {
  const text = readTextIfThere(file);
  if (text === undefined) {
    throw new Error(`Cannot read ${file}: there is no such file. Say which: deno task wmt23 FILE`);
  }
  const { systems, pairs, rankAgreement } = await wmt23Tables(text, shownPath(file));
  const { wmt23Systems, wmt23Pairs, wmt23RankAgreement } = TRANSLATION_REPORT_PATHS;
  writeTextAtomic(wmt23Systems, systems);
  writeTextAtomic(wmt23Pairs, pairs);
  writeTextAtomic(wmt23RankAgreement, rankAgreement);
  const written = [wmt23Systems, wmt23Pairs, wmt23RankAgreement].map((path) => shownPath(path));
  console.log(`Wrote ${written.join(", ")}.`);
  return 0;
}

if (import.meta.main) {
  const [file = TRANSLATION_PATHS.wmt23] = Deno.args;
  Deno.exit(await runCommand(Deno.args, USAGE, () => main(file)));
}
