import type { Artefact } from "../../pairs/artefacts.ts";
import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Rejection } from "../../pairs/pair.ts";
import type { Response } from "../../pairs/responses.ts";
import type { DrawnMeasure } from "../../pairs/statistic_lookup.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import type { Phenomenon } from "../candidate.ts";

/** Everything that the study's part of RESULTS.md is written from. */
export interface Evidence {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly rejections: readonly Rejection[];
  readonly models: readonly string[];
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
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

/** Where an interval lies against a line such as chance, in words that claim no more than it says. */
export function against(measure: DrawnMeasure, line: number): string {
  if (measure.kind === "unavailable") return "not measured";
  if (measure.kind === "value") return "without an interval";
  if (measure.low > line) return "above chance";
  return measure.high < line ? "below chance" : "not told apart from chance";
}
