import type { ManifestEntry } from "./entries.ts";

/** A file of data/factuality. */
export function factualityFile(
  name: string,
  source: string,
  columns: ManifestEntry["columns"] = {},
  licence = "MIT",
): ManifestEntry {
  return { file: `factuality/${name}`, source, licence, columns };
}
