import type { MeasuredRow } from "../../figures/measured_rows.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import { readCsv } from "../../files/csv.ts";
import { TRANSLATION_REPORT_PATHS } from "./paths.ts";
import { shownNumber } from "./shown.ts";

/** A system's mean by one measure, with its bootstrap interval over segments. */
export interface Wmt23System {
  readonly measure: string;
  readonly rank: number;
  readonly system: string;
  readonly segments: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Kendall's τ-b of the systems' means by two measures, interval over segments. */
export interface Wmt23Agreement {
  readonly first: string;
  readonly second: string;
  readonly systems: number;
  readonly segments: number;
  readonly tauB: number;
  readonly low: number;
  readonly high: number;
}

/** Aggregates of real ratings, as `deno task wmt23` wrote them. */
export interface Wmt23 {
  readonly systems: readonly Wmt23System[];
  readonly agreements: readonly Wmt23Agreement[];
}

/** Columns of `wmt23_systems.csv`. */
export const SYSTEM_COLUMNS = [
  "measure",
  "rank",
  "system",
  "segments",
  "mean",
  "low",
  "high",
] as const;

/** Columns of `wmt23_rank_agreement.csv`. */
export const AGREEMENT_COLUMNS = [
  "first",
  "second",
  "systems",
  "segments",
  "kendall_tau_b",
  "low",
  "high",
] as const;

/** How the measures are called. */
const NAMES: Readonly<Record<string, string>> = {
  esa1: "ESA-1",
  esa2: "ESA-2",
  da_sqm: "DA+SQM",
  mqm: "MQM",
};

/** Reads both tables. Throws SyntaxError where a file or a line of it is damaged. */
export function readWmt23(): Wmt23 {
  const { wmt23Systems, wmt23RankAgreement } = TRANSLATION_REPORT_PATHS;
  const systems = readCsv(wmt23Systems, SYSTEM_COLUMNS, (row): Wmt23System => ({
    ...{ measure: nameOf(row.measure), system: row.system },
    ...{ rank: Number(row.rank), segments: Number(row.segments) },
    ...{ mean: Number(row.mean), low: Number(row.low), high: Number(row.high) },
  }));
  const agreements = readCsv(wmt23RankAgreement, AGREEMENT_COLUMNS, (row): Wmt23Agreement => ({
    ...{ first: nameOf(row.first), second: nameOf(row.second), tauB: Number(row.kendall_tau_b) },
    ...{ systems: Number(row.systems), segments: Number(row.segments) },
    ...{ low: Number(row.low), high: Number(row.high) },
  }));
  const [damaged] = [...systems.damaged, ...agreements.damaged];
  if (damaged === undefined) return { systems: systems.rows, agreements: agreements.rows };
  throw new SyntaxError(`Cannot read the WMT23 tables: line ${damaged.line}: ${damaged.reason}`);
}

function nameOf(measure: string): string {
  const name = NAMES[measure];
  if (name === undefined) throw new SyntaxError(`"${measure}" is no measure of WMT23`);
  return name;
}

/** A row a system, a column a measure: mean with its interval, and the rank in brackets. */
export function wmt23Table({ systems }: Wmt23): string {
  const measures = Object.values(NAMES);
  const byName = Map.groupBy(systems, ({ system }) => system);
  const cell = (own: readonly Wmt23System[], measure: string) => {
    const found = own.find((row) => row.measure === measure);
    if (found === undefined) return undefined;
    const { mean, low, high, rank } = found;
    const [shown, from, to] = [mean, low, high].map((value) => shownNumber(value));
    return `${shown} [${from}, ${to}] (${rank})`;
  };
  return markdownTable(
    ["system", ...measures],
    [...byName].map(([system, own]) => [system, ...measures.map((measure) => cell(own, measure))]),
  );
}

/** τ-b of every two measures as rows of a forest plot. */
export function agreementRows({ agreements }: Wmt23): readonly MeasuredRow[] {
  return agreements.map(({ first, second, tauB, low, high }) => ({
    label: `${first}, ${second}`,
    measure: { kind: "interval", estimate: tauB, low, high },
  }));
}

/** The same as a table. */
export function agreementTable({ agreements }: Wmt23): string {
  return markdownTable(
    ["measures", "τ-b", "95 % interval", "systems", "segments"],
    agreements.map(({ first, second, tauB, low, high, systems, segments }) => [
      `${first}, ${second}`,
      shownNumber(tauB, 2),
      `${shownNumber(low, 2)} to ${shownNumber(high, 2)}`,
      systems,
      segments,
    ]),
  );
}
