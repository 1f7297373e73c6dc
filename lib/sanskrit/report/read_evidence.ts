import { readWhole } from "../../files/whole_table.ts";
import { ARTEFACT_COLUMNS, parseArtefact } from "../../pairs/artefacts.ts";
import { readBlindReview } from "../../pairs/blind_review.ts";
import { panelEvidence } from "../../pairs/report/panel_evidence.ts";
import { type Statistic, STATISTIC_TABLE } from "../../pairs/statistics_row.ts";
import { readRejections } from "../contrasts/dataset.ts";
import { readVariantReadings } from "../contrasts/variant_reading.ts";
import { maskedModels } from "../metrics/scored_models.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import { readContrastSets } from "../probes/probe_pairs.ts";
import { SANSKRIT_STUDY } from "../study.ts";
import { readTreebank } from "../treebank/treebank_file.ts";
import type { Evidence } from "./evidence.ts";

/** What writes the tables of metrics. */
const MAKER = "24_sanskrit_metrics";

/**
 * Everything in data/sanskrit that the findings are written from; throws where a file is missing or
 * damaged, where answers belong to other pairs, and where no panel is complete.
 */
export function readEvidence(): Evidence {
  const sets = readContrastSets();
  const treebank = readTreebank(SANSKRIT_PATHS.treebank);
  const panels = panelEvidence(SANSKRIT_STUDY, sets.main.map(({ pair }) => pair));
  const statistics = readStatistics(SANSKRIT_PATHS.statistics);
  const measured = new Set(statistics.map(({ model }) => model));
  return {
    ...panels,
    sets,
    treebank: {
      nouns: treebank.length,
      doubtful: treebank.filter(({ isDoubtful }) => isDoubtful).length,
    },
    ratings: readVariantReadings(SANSKRIT_PATHS.readings).map(({ rating }) => rating),
    review: readBlindReview(SANSKRIT_PATHS.blindReview, [...sets.main, ...sets.iStems]),
    rejections: readRejections(SANSKRIT_PATHS.rejections),
    masked: maskedModels(panels.likelihoods).filter((model) => measured.has(model)),
    statistics,
    probes: readStatistics(SANSKRIT_PATHS.probeStatistics),
    artefacts: readWhole(SANSKRIT_PATHS.artefacts, ARTEFACT_COLUMNS, parseArtefact, MAKER),
  };
}

function readStatistics(path: string): readonly Statistic[] {
  return readWhole(path, STATISTIC_TABLE.columns, STATISTIC_TABLE.parse, MAKER);
}
