/** How many checks held and how many did not. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A check that is only good or bad counts as one. */
export function one(success: boolean): Tally {
  return success ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { passed, failed }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
    }),
    { passed: 0, failed: 0 },
  );
}

/**
 * Reads the last summary of `deno test`, e.g. `ok | 12 passed (3 steps) | 0 failed (2s)`. A run
 * that ended badly counts at least one failure, whether or not it came as far as a summary.
 */
export function tallyOfTests(output: string, success: boolean): Tally {
  const summaries = [...output.matchAll(/\| (\d+) passed[^|\n]*\| (\d+) failed/g)];
  const last = summaries.at(-1);
  const passed = Number(last?.[1] ?? 0);
  const failed = Number(last?.[2] ?? 0);
  return { passed, failed: success ? failed : Math.max(failed, 1) };
}

/** The closing line of every task that checks something. */
export function closingLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}
