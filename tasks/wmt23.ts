/**
 * Real ratings through this project's own path: the WMT23 English–German scores, of which only
 * aggregates are kept.
 *
 *     deno task wmt23 [FILE]   FILE: ../shared/data/wmt23_ende_scores.tsv unless told
 *
 * Writes data/translation/wmt23_systems.csv, wmt23_pairs.csv and wmt23_rank_agreement.csv. What FILE
 * is, and where it comes from, says --help.
 */
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { readTextIfThere } from "../lib/files/read_text.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { TRANSLATION_PATHS, TRANSLATION_REPORT_PATHS } from "../lib/translation/paths.ts";
import { runCommand } from "./command.ts";
import { wmt23Tables } from "./wmt23/study.ts";

const USAGE = `deno task wmt23 [FILE]: tables of systems, pairs and rank agreement from WMT23 scores

FILE, ../shared/data/wmt23_ende_scores.tsv unless told, is no part of this project. It is joined, by
segment and system, from the ESA ratings that Kocmi et al. published in 2024 with "Error Span
Annotation" (repository ErrorSpanAnnotations: two rounds, English–German) and from the DA+SQM and MQM
scores of WMT23. UTF-8, tab-separated, quotation marks are text, one row a segment and system:

  seg          number of the segment
  doc          document that the segment is part of
  system       as WMT23 names it; refA, the human reference, is left out
  source       English
  translation  German
  da_sqm       DA+SQM, 0 to 100
  mqm          MQM, a penalty of 0 or less
  esa1, esa2   ESA, first and second round, 0 to 100

Other columns (domain, reference) may stand there and are not read.`;

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
