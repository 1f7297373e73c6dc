import type { Artefact } from "../../pairs/artefacts.ts";
import type { ReviewRow } from "../../pairs/blind_review.ts";
import type { Rejection } from "../../pairs/pair.ts";
import type { PanelEvidence } from "../../pairs/report/panel_evidence.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import type { Rating } from "../contrasts/variant_reading.ts";
import type { ContrastSets } from "../probes/probe_pairs.ts";

/** Everything that the study's part of RESULTS.md is written from. */
export interface Evidence extends PanelEvidence {
  readonly sets: ContrastSets;
  /** Nouns of the treebank, and how many of them the reader doubted. */
  readonly treebank: { readonly nouns: number; readonly doubtful: number };
  /** How the variants that were read were rated. */
  readonly ratings: readonly Rating[];
  /** What readers without a key said of the pairs of both sets as they stand. */
  readonly review: readonly ReviewRow[];
  readonly rejections: readonly Rejection[];
  /** Masked models of which there are figures; they are of no panel. */
  readonly masked: readonly string[];
  /** Rows of `statistics.csv`. */
  readonly statistics: readonly Statistic[];
  /** Rows of `probe_statistics.csv`: the pairs beside control sentences, bare forms, IAST, i-stems. */
  readonly probes: readonly Statistic[];
  readonly artefacts: readonly Artefact[];
}

/** All pairs and each phenomenon, as tables and figures head them. */
export const GROUP_NAMES = { ALL: "All", case: "Case", number: "Number" } as const;

/** The same without all of them. */
export const PHENOMENON_NAMES = { case: GROUP_NAMES.case, number: GROUP_NAMES.number } as const;

/** A figure of the study as RESULTS.md shows it. */
export function figure(file: string, alt: string): string {
  return `<img src="figures/sanskrit/${file}.png" alt="${alt}" width="540">`;
}
