import { markdownTable } from "../../figures/markdown_table.ts";
import { artefactMeasure } from "../../pairs/artefacts.ts";
import { percentWithInterval } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import { type Evidence, GROUP_NAMES } from "./evidence.ts";
import { artefactTable } from "../../pairs/report/metric_tables.ts";

/** A counting rule above this, or as far below a half, has found a cue that needs no grammar. */
const TELLTALE = 0.6;

/** What rules without grammar score. */
export function artefactSection({ artefacts, balanced, items }: Evidence): string {
  const inPhenomena = artefacts.filter(({ phenomenon }) => phenomenon !== ALL);
  const clues = (test: (accuracy: number) => boolean) =>
    inPhenomena.filter(({ accuracy }) => accuracy.kind !== "unavailable" && test(accuracy.estimate))
      .map(({ baseline, phenomenon }) =>
        `${baseline} on ${(GROUP_NAMES[phenomenon] ?? phenomenon).toLowerCase()} ` +
        `(${percentWithInterval(artefactMeasure(artefacts, baseline, phenomenon))} %)`
      );
  const [high, low] = [
    clues((accuracy) => accuracy > TELLTALE),
    clues((accuracy) => accuracy < 1 - TELLTALE),
  ];
  return [
    "### Do the pairs give themselves away?",
    "",
    "Rules that know no grammar, in per cent (ties half; `data/norse/artefacts.csv`, notebook " +
    "14). The counted ones learn from the saga's other chapters.",
    "",
    artefactTable(artefacts, GROUP_NAMES),
    "",
    high.length === 0
      ? "None beats 60 % on any phenomenon."
      : `**Above 60 %:** ${high.join("; ")}. A model that scores so high there may have used the ` +
        "same cue. The variant's form is rare because it is wrong, so counts of forms carry " +
        "grammar with them.",
    "",
    low.length === 0
      ? "None falls below 40 %, where its opposite would be the cue."
      : `**Below 40 %**, so that the opposite rule would win: ${low.join("; ")}. A total ` +
        "log-probability works against the longer, grammatical member there, a preference for " +
        "length for it: read totals beside the values per byte in notebook 14.",
    "",
    `\`data/norse/balanced_subset.csv\` names the ${balanced.length} of ${items.length} pairs on ` +
    "which neither length nor word frequency helps; notebook 14 gives the accuracy on it of models " +
    "asked in both orders. With one order a pair its letters are not balanced.",
  ].join("\n");
}

/** How far the scores depend on engine and precision. */
export function precisionSection({ precision, agreement }: Evidence): string {
  const flips = [...Map.groupBy(precision, ({ model }) => model)].map(([model, rows]) => {
    const turned = rows.filter((row) => Math.sign(row.expanded) !== Math.sign(row.shipped)).length;
    const largest = Math.max(...rows.map((row) => Math.abs(row.expanded - row.shipped)));
    return [model, rows.length, turned, percent(turned, rows.length), largest.toFixed(2)];
  });
  const engines = [...Map.groupBy(agreement, ({ model }) => model)].map(([model, rows]) => {
    const differences = rows.map(({ llama, pytorch }) => Math.abs(llama - pytorch));
    const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
    return [model, rows.length, mean.toFixed(4), Math.max(...differences).toFixed(4)];
  });
  const missing = "Not measured on this machine.";
  return [
    "### Can the scores be trusted to the nat?",
    "",
    "All scores are taken on the shipped weights expanded to 32 bits. PyTorch on the same weights, " +
    "difference of a sentence's log-probability in nats (`data/norse/pytorch_agreement.csv`, " +
    "`deno task bench agreement`):",
    "",
    engines.length === 0
      ? missing
      : markdownTable(["model", "sentences", "mean", "largest"], engines),
    "",
    "The files as shipped, evaluated by their quantised kernels, would have preferred the other " +
    "member this often (`data/norse/precision.csv`, `deno task bench precision`):",
    "",
    flips.length === 0 ? missing : markdownTable(
      ["model", "pairs", "flipped", "share", "largest change of a pair's log-odds, nats"],
      flips,
    ),
  ].join("\n");
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
