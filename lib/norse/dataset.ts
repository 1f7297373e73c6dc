import { writeTextAtomic } from "../files/atomic.ts";
import { formatCsv } from "../files/csv.ts";
import { type DatasetReport, writeDataset } from "../pairs/dataset.ts";
import type { DatasetItem } from "../pairs/number_pairs.ts";
import { parseRejection, REJECTION_COLUMNS, rejectionRow } from "../pairs/pair_files.ts";
import type { Rejection } from "../pairs/pair.ts";
import { readDataset } from "../pairs/read_dataset.ts";
import { PHENOMENA, type Phenomenon } from "./candidate.ts";
import type { Dataset } from "./generation.ts";
import { NORSE_PATHS } from "./paths.ts";
import { readWhole } from "../files/whole_table.ts";

/** Where the three files of the data set stand. */
type DatasetFiles = Pick<typeof NORSE_PATHS, "pairs" | "certificates" | "rejections">;

/**
 * Writes pairs and certificates one by one (a killed run resumes), rejections whole.
 * @throws Error where files of other settings stand in the way, and nothing was changed.
 */
export function writeNorseDataset(
  { items, rejections }: Pick<Dataset, "items" | "rejections">,
  settings: string,
  paths: { readonly [Name in keyof DatasetFiles]: string } = NORSE_PATHS,
): DatasetReport {
  const report = writeDataset({
    pairsPath: paths.pairs,
    certificatesPath: paths.certificates,
    phenomena: PHENOMENA,
    items,
    settings,
  });
  writeTextAtomic(paths.rejections, formatCsv(REJECTION_COLUMNS, rejections.map(rejectionRow)));
  return report;
}

/**
 * The data set as written: every pair with its certificate.
 * @throws SyntaxError for a damaged line or a pair whose certificate is another's.
 */
export function readNorseDataset(
  paths: { readonly [Name in keyof DatasetFiles]: string } = NORSE_PATHS,
): readonly DatasetItem<Phenomenon>[] {
  const { items, damaged } = readDataset(
    { pairsPath: paths.pairs, certificatesPath: paths.certificates },
    PHENOMENA,
  );
  const [first] = damaged;
  if (first) {
    throw new SyntaxError(
      `Cannot read ${first.path}: line ${first.line} is damaged (${first.reason}). ` +
        "Run notebook 12_norse_generation again, or restore the committed file.",
    );
  }
  return items;
}

/** Every refusal with its reason. */
export function readRejections(path: string = NORSE_PATHS.rejections): readonly Rejection[] {
  return readWhole(path, REJECTION_COLUMNS, parseRejection, "12_norse_generation");
}
