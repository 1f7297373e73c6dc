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
  "all_passed",
  "all_read",
] as const;

/** `repeated_checks.csv`. */
export function repeatedChecksCsv(checks: readonly RepeatedChecks[]): string {
  return formatCsv(
    COLUMNS,
    checks.map((
      { rater, unread, sessions, checks, passed, allPassed, allRead },
    ) => ({
      ...{ rater, unread, sessions, checks, passed },
      ...{ all_passed: allPassed, all_read: tidy(allRead) },
    })),
  );
}

/** What the table of checks has and does not have. */
export const CHECKS_EXPLAINED =
  "Attention checks in the same sessions (`data/translation/repeated_checks.csv`). A check is passed if " +
  "the spoiled translation scored lower than before and stands in the lowest quarter of its item; it " +
  "does not count where the original stood there already. The last column supposes that no unread " +
  "check is passed, which luck sometimes does.";

/** What is not read beside what the checks notice of it, a row a rater. */
export function repeatedChecksTable(checks: readonly RepeatedChecks[]): string {
  return markdownTable(
    [
      "rater",
      "does not read (%)",
      "checks passed",
      "sessions with all passed",
      "if no unread check passed (%)",
    ],
    checks.map((row) => [
      row.rater,
      shownNumber(100 * row.unread, 0),
      `${row.passed} of ${row.checks}`,
      `${row.allPassed} of ${row.sessions}`,
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
