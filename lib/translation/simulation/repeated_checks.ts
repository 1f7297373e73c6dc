import { sum } from "simple-statistics";
import type { RaterReliability } from "../analysis/results.ts";
import type { SimulatedSession } from "./repeated_sessions.ts";

/** What attention checks say of one rater over many sessions. */
export interface RepeatedChecks {
  readonly rater: string;
  /** Planted: chance that a translation is not read, 0 … 1. */
  readonly unread: number;
  readonly sessions: number;
  /** Checks over all sessions. */
  readonly checks: number;
  readonly passed: number;
  /** Sessions in which every check was passed: there the checks say nothing against the rater. */
  readonly allPassed: number;
  /** Share of sessions in which every spoiled translation was read, 0 … 1, as far as chance tells. */
  readonly allRead: number;
}

/** Every rater's attention checks. Sessions without any are left out. */
export function repeatedChecks(sessions: readonly SimulatedSession[]): readonly RepeatedChecks[] {
  const runs = Map.groupBy(sessions.flatMap(({ runs }) => runs), ({ persona }) => persona);
  return [...runs].flatMap(([{ name, inattention }, own]) => {
    const counts = own.map(({ reliability }) => countsOf(reliability))
      .filter(({ checks }) => checks > 0);
    if (counts.length === 0) return [];
    const total = (count: (session: Counts) => number) => sum(counts.map(count));
    return [{
      ...{ rater: name, unread: inattention, sessions: counts.length },
      checks: total(({ checks }) => checks),
      passed: total(({ passed }) => passed),
      allPassed: counts.filter(({ checks, passed }) => checks === passed).length,
      allRead: total(({ checks }) => (1 - inattention) ** checks) / counts.length,
    }];
  });
}

/** One session's checks. */
type Counts = Readonly<Record<"checks" | "passed", number>>;

function countsOf({ attention: { checks } }: RaterReliability): Counts {
  return { checks: checks.length, passed: checks.filter(({ passed }) => passed).length };
}
