import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { Phenomenon } from "../contrasts/candidate.ts";
import { formatCell } from "../cell.ts";
import { cellsOfRecord, type ContrastRecord } from "../contrasts/contrast_record.ts";
import type { ContrastSets } from "../probes/probe_pairs.ts";
import { transliterated } from "../probes/transliterated.ts";

/** The sets that are set side by side, in the order of the rows; their names in `probe_statistics.csv`. */
export const PROBE_SETS = ["text", "control", "bare", "iast", "istem"] as const;
export type ProbeSet = (typeof PROBE_SETS)[number];

/** What the figures of a probe need to know of a pair. */
export interface ProbeItem {
  readonly id: string;
  readonly phenomenon: Phenomenon;
  /** In Devanagari, the same for a noun in whatever set: what is resampled. */
  readonly stem: string;
  /** Stem, correct cell and wrong cell: what pairs of two sets may have in common. */
  readonly change: string;
}

/** A pair with what a model gave its members. */
export interface ScoredItem extends ProbeItem {
  readonly row: PairLikelihood;
}

/** Every pair of every set. The pairs in IAST have the stems of the pairs that they are. */
export function probeItems(
  { main, controls, bareForms, iStems }: ContrastSets,
): Readonly<Record<ProbeSet, readonly ProbeItem[]>> {
  const text = main.map(({ record }) => itemOf(record));
  const inIast = transliterated(main.map(({ pair }) => pair));
  return {
    text,
    control: controls.map(itemOf),
    bare: bareForms.map(itemOf),
    iast: text.flatMap((item, index) => {
      const id = inIast[index]?.id;
      return id === undefined ? [] : [{ ...item, id }];
    }),
    istem: iStems.map(({ record }) => itemOf(record)),
  };
}

function itemOf(record: ContrastRecord): ProbeItem {
  const { id, phenomenon, stem } = record;
  const { from, to } = cellsOfRecord(record);
  return { id, phenomenon, stem, change: `${stem} ${formatCell(from)} > ${formatCell(to)}` };
}
