import type { Cell } from "./metrics_contestants.ts";

/** Of one table: what Python gave, numbers or in words what came instead. */
export type ReferenceCells = readonly (number | string)[];

/** How far two implementations agree over all tables. */
export interface MetricAgreement {
  /** Cells in which both have a number. */
  readonly compared: number;
  /** Of these; 0 where none was compared. */
  readonly largestDifference: number;
  /** Cells or tables for which one side at least has no number or where both differ in kind. */
  readonly degenerate: ReadonlyMap<string, number>;
}

/**
 * Holds our cells against the reference's, table by table. Numbers are compared, whatever their
 * difference; where a side has none, what each says is counted.
 *
 * @throws {RangeError} where the two have not as many tables.
 */
export function metricAgreement(
  ours: readonly (readonly Cell[])[],
  theirs: readonly ReferenceCells[],
): MetricAgreement {
  if (ours.length !== theirs.length) {
    throw new RangeError(
      `Cannot compare metrics: ${ours.length} tables here, ${theirs.length} there.`,
    );
  }
  const degenerate = new Map<string, number>();
  let [compared, largestDifference] = [0, 0];
  ours.forEach((own, i) => {
    for (const [one, other] of paired(own, theirs[i]!)) {
      if (typeof one === "number" && typeof other === "number") {
        compared++;
        largestDifference = Math.max(largestDifference, Math.abs(one - other));
      } else {
        const words = `${inWords(one)} here, ${inWords(other)} there`;
        degenerate.set(words, (degenerate.get(words) ?? 0) + 1);
      }
    }
  });
  return { compared, largestDifference, degenerate };
}

type Pair = readonly [Cell | undefined, number | string | undefined];

/** Cell by cell; an error there stands for the whole table. */
function paired(ours: readonly Cell[], theirs: ReferenceCells): readonly Pair[] {
  const [only] = theirs;
  if (theirs.length === 1 && typeof only === "string") return ours.map((cell) => [cell, only]);
  const length = Math.max(ours.length, theirs.length);
  return Array.from({ length }, (_, k) => [ours[k], theirs[k]]);
}

function inWords(cell: Cell | string | undefined): string {
  if (cell === undefined) return "no cell";
  if (typeof cell === "object") return `unavailable (${cell.reason.replace(/\d+/gu, "N")})`;
  if (typeof cell === "string") return cell;
  return Number.isInteger(cell) ? `${cell}` : "a number";
}
