import { join } from "node:path";
import { DATASET } from "../dataset.ts";

/** The tables of a data set in a folder of its own. */
export function tablesIn(folder: string): typeof DATASET {
  return {
    pairs: DATASET.pairs.at(join(folder, "minimal_pairs.csv")),
    certificates: DATASET.certificates.at(join(folder, "certificates.csv")),
    rejections: DATASET.rejections.at(join(folder, "rejections.csv")),
  };
}
