import type { Artefact } from "../../pairs/artefacts.ts";
import type { ReviewRow } from "../../pairs/blind_review.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Rejection } from "../../pairs/pair.ts";
import type { PanelEvidence } from "../../pairs/report/panel_evidence.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import type { Phenomenon } from "../candidate.ts";

/** Everything that the study's part of RESULTS.md is written from. */
export interface Evidence extends PanelEvidence {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly rejections: readonly Rejection[];
  /** What readers without a key said of the pairs; empty where none was asked. */
  readonly review: readonly ReviewRow[];
  readonly statistics: readonly Statistic[];
  readonly artefacts: readonly Artefact[];
  /** Ids of the pairs on which the simplest baselines are at chance. */
  readonly balanced: readonly string[];
  /** Pairs scored on the weights as shipped; empty where that was not measured. */
  readonly precision: readonly PrecisionRow[];
  /** Sentences scored by PyTorch on the same weights; empty where that was not measured. */
  readonly agreement: readonly AgreementRow[];
}

/** A pair's log-odds, log P(grammatical) − log P(ungrammatical), in nats at two precisions. */
export interface PrecisionRow {
  readonly model: string;
  readonly expanded: number;
  readonly shipped: number;
}

/** A sentence's log-probability in nats by two engines. */
export interface AgreementRow {
  readonly model: string;
  readonly llama: number;
  readonly pytorch: number;
}

/** The field's names of the phenomena, for headings and tables. */
export const PHENOMENON_NAMES: Readonly<Record<Phenomenon, string>> = {
  QUIRKY_CASE: "Quirky case",
  ADJECTIVE: "Strong/weak adjective",
  UMLAUT: "u-umlaut",
  MIDDLE_VOICE: "Middle voice",
};

/** The same with all pairs together, as tables head their columns. */
export const GROUP_NAMES: Readonly<Record<string, string>> = { ALL: "All", ...PHENOMENON_NAMES };

/** A figure of the study as RESULTS.md shows it. */
export function figure(file: string, alt: string): string {
  return `<img src="figures/norse/${file}.png" alt="${alt}" width="540">`;
}
