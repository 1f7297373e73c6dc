/**
 * Our claims against the facts that people took the same texts apart into: FActScore's, of which only
 * aggregates are kept.
 *
 *     deno task coverage [FILE]   FILE: ../shared/data/factscore_labeled.jsonl unless told
 *
 * Writes data/factuality/claim_coverage.csv.
 */
import { join } from "node:path";
import { ruleSplitter } from "../lib/factuality/claims/rule_splitter.ts";
import { SHARED_DATA } from "../lib/factuality/cases/shared_sets.ts";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { COVERAGE_COLUMNS } from "../lib/factuality/study/acquisition/coverage.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { formatCsv } from "../lib/files/csv.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { openStatusLine } from "../lib/files/status_line.ts";
import { runCommand } from "./command.ts";
import { readResponses } from "./coverage/responses.ts";
import { coverageRows } from "./coverage/study.ts";

const USAGE = `deno task coverage [FILE]: our claims against people's atomic facts

FILE, ../shared/data/factscore_labeled.jsonl unless told, is no part of this project: the labelled
responses of FActScore (Min et al. 2023), one JSON object a line with model, topic, output and facts,
pairs of a fact and its label (S, NS or IR).`;

const SEED = "coverage";

async function main(file: string): Promise<number> {
  using status = openStatusLine();
  const responses = readResponses(file);
  const rows = await coverageRows(responses, {
    splitter: ruleSplitter(),
    seed: SEED,
    onResponse: (done) => status.show(`response ${done} of ${responses.length}`),
  });
  writeTextAtomic(FACTUALITY_PATHS.claimCoverage, formatCsv(COVERAGE_COLUMNS, rows));
  status.finish(`Wrote ${shownPath(FACTUALITY_PATHS.claimCoverage)}.`);
  return 0;
}

if (import.meta.main) {
  const [file = join(SHARED_DATA, "factscore_labeled.jsonl")] = Deno.args;
  Deno.exit(await runCommand(Deno.args, USAGE, () => main(file)));
}
