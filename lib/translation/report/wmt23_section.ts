import { picture } from "./picture.ts";
import type { Wmt23 } from "./wmt23.ts";
import { wmt23Sentences } from "./wmt23_sentences.ts";
import { agreementTable, apartTable, wmt23Table } from "./wmt23_tables.ts";

/** What real ratings gave, as paragraphs of Markdown. */
export function wmt23Section(wmt23: Wmt23): string[] {
  return [
    "### Real ratings: WMT23, English–German",
    `${
      sizeOf(wmt23)
    } Mean of the raw scores (raters are not standardised: the file does not say who ` +
    "rated), 95 % interval by document, rank in brackets (`data/translation/wmt23_systems.csv`, " +
    "`deno task wmt23`). ESA and DA+SQM run from 0 to 100, MQM is a penalty. The ESA scores went " +
    "through preparation, workbook and analysis as a rater's. Source: the ESA ratings of Kocmi et " +
    "al. 2024 (ErrorSpanAnnotations) with the DA+SQM and MQM scores of WMT23; the human reference " +
    "is left out.",
    wmt23Table(wmt23),
    "Every two systems, by paired permutation tests that flip whole documents at α = 0.05, with " +
    "Holm's adjustment over the 66 pairs and without any, as is WMT's custom (`wmt23_pairs.csv`):",
    apartTable(wmt23),
    "Agreement of the rankings (`wmt23_rank_agreement.csv`), intervals by document; the last column " +
    "is on the same resamples:",
    agreementTable(wmt23),
    wmt23Sentences(wmt23),
    picture("wmt23_rank_agreement", "Kendall's tau-b between the rankings of four measures"),
  ];
}

function sizeOf({ agreements: [first] }: Wmt23): string {
  if (first === undefined) return "";
  const { systems, segments, documents } = first;
  return `${systems} systems, ${segments} segments in ${documents} documents.`;
}
