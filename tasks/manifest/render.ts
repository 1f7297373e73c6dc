import { sha256Hex } from "../../lib/files/checksum.ts";
import { markdownTable } from "../../lib/figures/markdown_table.ts";
import type { ManifestEntry } from "./entries.ts";

/**
 * The generated part of data/README.md: each file with its hash, then each table's columns.
 * @param read the bytes of a file of `data/`.
 * @throws RangeError where a table's header is not the columns that the entry names.
 */
export function renderManifest(
  entries: readonly ManifestEntry[],
  read: (file: string) => Uint8Array,
): string {
  const files = entries.map((entry) => {
    const bytes = read(entry.file);
    requireColumns(entry, bytes);
    return [`\`${entry.file}\``, entry.source, entry.licence, `\`${sha256Hex(bytes)}\``];
  });
  const tables = entries.filter(({ columns }) => Object.keys(columns).length > 0).map((entry) =>
    `### ${entry.file}\n\n` + markdownTable(
      ["column", "what it holds"],
      Object.entries(entry.columns).map(([name, meaning]) => [`\`${name}\``, meaning]),
    )
  );
  return [markdownTable(["file", "source", "licence", "SHA-256"], files), ...tables].join("\n\n");
}

function requireColumns({ file, columns }: ManifestEntry, bytes: Uint8Array): void {
  if (!file.endsWith(".csv")) return;
  const [header = ""] = new TextDecoder().decode(bytes).split("\n", 1);
  const described = Object.keys(columns).join(",");
  if (header === described) return;
  throw new RangeError(
    `Cannot describe data/${file}: its columns are ${header}, the manifest describes ${described}.`,
  );
}
