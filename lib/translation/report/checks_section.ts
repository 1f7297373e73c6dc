import { formatCsv } from "../../files/csv.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import type { RepeatedChecks } from "../simulation/repeated_checks.ts";
import { tidy } from "./long_rows.ts";
import { shownNumber } from "./shown.ts";

const COLUMNS = [
  "rater",
  "unread",
  "sessions",
  "checks",
  "passed",
  "worst_bucket",
  "all_passed",
  "all_worst_bucket",
  "all_read",
] as const;

/** `repeated_checks.csv`. */
export function repeatedChecksCsv(checks: readonly RepeatedChecks[]): string {
  return formatCsv(
    COLUMNS,
    checks.map((
      { rater, unread, sessions, checks, passed, worst, allPassed, allWorst, allRead },
    ) => ({
      ...{ rater, unread, sessions, checks, passed, worst_bucket: worst },
      ...{ all_passed: allPassed, all_worst_bucket: allWorst, all_read: tidy(allRead) },
    })),
  );
}

/** What the table of checks has and does not have. */
export const CHECKS_EXPLAINED =
  "Attention checks in the same sessions (`data/translation/repeated_checks.csv`). A check counts where " +
  "the original was not in the worst bucket already, and is passed if the spoiled translation scored " +
  "lower and is not in the best bucket. What is not read gets a middling score, often lower than a " +
  "good text had: so unread checks may pass, and the last column, which supposes that none does, is " +
  "too hopeful. The worst bucket is where a rater who reads puts these texts.";

/** What is not read beside what the checks notice of it, a row a rater. */
export function repeatedChecksTable(checks: readonly RepeatedChecks[]): string {
  return markdownTable(
    [
      "rater",
      "does not read (%)",
      "checks passed",
      "spoiled in the worst bucket",
      "sessions with all passed",
      "sessions with all in the worst bucket",
      "if no unread check passed (%)",
    ],
    checks.map((row) => [
      row.rater,
      shownNumber(100 * row.unread, 0),
      `${row.passed} of ${row.checks}`,
      `${row.worst} of ${row.checks}`,
      `${row.allPassed} of ${row.sessions}`,
      `${row.allWorst} of ${row.sessions}`,
      shownNumber(100 * row.allRead, 0),
    ]),
  );
}

/** Of every rater who does not read all: how often no check says so. */
export function repeatedChecksSentence(checks: readonly RepeatedChecks[]): string {
  return checks.filter(({ unread }) => unread > 0).map((row) =>
    `${row.rater}, who leaves ${
      shownNumber(100 * row.unread, 0)
    } % unread, passes every attention ` +
    `check in ${row.allPassed} of ${row.sessions} sessions.`
  ).join(" ");
}
