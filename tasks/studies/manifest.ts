/** The generated part of data/README.md: every file's source, licence, hash and columns, from the tables themselves. */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { BIAS_LEXICON, STEREOTYPES } from "../../lib/factuality/bias/lexicon.ts";
import { DEMOGRAPHICS_RULES } from "../../lib/factuality/bias/swaps.ts";
import { TABLES as GENERATION } from "../../lib/studies/factuality/generation/tables.ts";
import { ROBUSTNESS_TABLES } from "../../lib/studies/factuality/robustness/tables.ts";
import { STUDY_TABLES } from "../../lib/studies/factuality/tables.ts";
import { TABLES as TRAINING } from "../../lib/studies/factuality/claims/tables.ts";
import { markdownTable } from "../../lib/figures/table.ts";
import { sha256Hex, writeMarkedSection } from "../../lib/files/atomic.ts";
import { type DataFile, fileEntry, type OutsideSet } from "../../lib/files/table.ts";
import { OUTSIDE_SETS as HUMAN } from "../../lib/studies/factuality/datasets/public_sets.ts";
import { GITA_MORPHOLOGY } from "../../lib/studies/sanskrit/gold.ts";
import { TABLES as NORSE } from "../../lib/studies/norse/tables.ts";
import { TABLES as SANSKRIT } from "../../lib/studies/sanskrit/tables.ts";
import { TABLES as TRANSLATION, WMT23_SCORES } from "../../lib/studies/translation/tables.ts";
import { command, EXIT } from "../command.ts";

const DATA = join(import.meta.dirname!, "..", "..", "data");

/** Every file of `data/`, study by study; each study's list is made of its tables. */
export const DATA_FILES: readonly DataFile[] = [
  ...([
    ["local", "the models that run without a key; add your own here"],
    ["large", "a larger model of this machine, asked once"],
    ["groq", "the specification's four models, asked through Groq"],
  ] as const).map(([name, about]) =>
    fileEntry(join(DATA, "panels", `${name}.yaml`), `written by hand: ${about}`)
  ),
  ...NORSE,
  ...SANSKRIT,
  ...TRANSLATION,
  BIAS_LEXICON,
  STEREOTYPES,
  DEMOGRAPHICS_RULES,
  ...GENERATION,
  ...TRAINING,
  ...ROBUSTNESS_TABLES,
  ...STUDY_TABLES,
];

export const TASK = command(
  "study manifest",
  "Renew data/README.md: every file's columns, source, licence and hash",
  (c) => c,
  () => {
    writeManifest(DATA);
    console.log(`data/README.md describes ${DATA_FILES.length} files`);
    return EXIT.done;
  },
);

/** Writes the manifest of the files below `data`, as they are, and of the sets that are not there. */
export function writeManifest(data: string): void {
  const path = join(data, "README.md");
  writeMarkedSection(path, "outside sets", renderOutsideSets());
  writeMarkedSection(path, "manifest", renderManifest(DATA_FILES, data));
}

/** Every set that a study reads and that is not part of this repository. */
export const OUTSIDE_SETS: readonly OutsideSet[] = [...HUMAN, GITA_MORPHOLOGY, WMT23_SCORES];

/** Where each set comes from and how its file is made. */
export const renderOutsideSets = () =>
  markdownTable(
    ["file", "get", "how the file is made of it", "licence", "SHA-256 of the file"],
    OUTSIDE_SETS.map(({ file, origin, made, licence, sha256 }) => [
      ...[`\`${file}\``, origin, made === "" ? "as it is" : made, licence, `\`${sha256}\``],
    ]),
  );

/**
 * Each file with its hash, then each table's columns; a file that may be missing is left out where it is.
 * @throws RangeError where a table's header is not the columns that describe it.
 */
export function renderManifest(files: readonly DataFile[], data: string): string {
  const present = files.filter(({ path, whenMissing }) =>
    whenMissing === undefined || existsSync(path)
  );
  const rows = present.map(({ path, about, licence, sentences }) => {
    const bytes = Deno.readFileSync(path);
    const [header = ""] = new TextDecoder().decode(bytes).split("\n", 1);
    const described = Object.keys(sentences).join(",");
    if (path.endsWith(".csv") && header !== described) {
      throw new RangeError(
        `Cannot describe ${path}: its columns are ${header}, the manifest describes ${described}.`,
      );
    }
    return [`\`${relative(data, path)}\``, about, licence, `\`${sha256Hex(bytes)}\``];
  });
  const tables = present.filter(({ sentences }) => Object.keys(sentences).length > 0)
    .map(({ path, sentences }) => {
      const columns = Object.entries(sentences).map(([name, meaning]) => [`\`${name}\``, meaning]);
      const table = markdownTable(["column", "what it holds"], columns);
      return `### ${relative(data, path)}\n\n${table}`;
    });
  return [markdownTable(["file", "source", "licence", "SHA-256"], rows), ...tables].join("\n\n");
}
