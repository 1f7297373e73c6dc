/**
 * Generates the file tables of data/README.md and a page of columns per study.
 *
 * Each file has its number of rows, origin, licence and hash, from the descriptions of the tables.
 * @module
 */

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

/** All files of `data/`, by study, in the order of the studies' tables. */
export const DATA_FILES: readonly DataFile[] = [
  ...([
    ["local", "models that run without a key; add yours here"],
    ["large", "a larger local model, evaluated once"],
    ["groq", "the specification's four models, hosted by Groq"],
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
  "Renew data/README.md (files, rows, origin, licence, hash) and the pages of columns next to the data",
  (c) => c,
  () => {
    writeManifest(DATA);
    console.log(`data/README.md describes ${DATA_FILES.length} files`);
    return EXIT.done;
  },
);

/** Headings of the folders of `data/`. */
const HEADINGS: Readonly<Record<string, string>> = {
  panels: "Panels of models",
  norse: "Old Norse minimal pairs",
  sanskrit: "Sanskrit contrast sets",
  translation: "Human evaluation of translation",
  factuality: "Factuality",
};

/** Folders whose tables have a page of columns, `data/FOLDER/README.md`. */
export const COLUMN_PAGES = ["norse", "sanskrit", "translation", "factuality"] as const;

/** Writes the generated sections of `data/README.md` and of each study's page of columns. */
export function writeManifest(data: string): void {
  const path = join(data, "README.md");
  writeMarkedSection(path, "outside sets", renderOutsideSets());
  writeMarkedSection(path, "files", renderFiles(DATA_FILES, data));
  for (const folder of COLUMN_PAGES) {
    const columns = renderColumns(DATA_FILES, folder, data);
    writeMarkedSection(join(data, folder, "README.md"), "columns", columns);
  }
}

/** Data sets read by studies that are not part of this repository. */
export const OUTSIDE_SETS: readonly OutsideSet[] = [...HUMAN, GITA_MORPHOLOGY, WMT23_SCORES];

/** Table of the outside sets: origin, how each file is made, licence and SHA-256. */
export const renderOutsideSets = () =>
  markdownTable(
    ["file", "get", "how the file is made of it", "licence", "SHA-256 of the file"],
    OUTSIDE_SETS.map(({ file, origin, made, licence, sha256 }) => [
      ...[`\`${file}\``, origin, made === "" ? "unchanged" : made, licence, `\`${sha256}\``],
    ]),
  );

const isThere = ({ path, whenMissing }: DataFile) => whenMissing === undefined || existsSync(path);
const folderOf = (path: string, data: string) => relative(data, path).split("/", 1)[0]!;
const isTable = ({ sentences }: DataFile) => Object.keys(sentences).length > 0;

/**
 * Returns a table of files per folder: contents, origin, rows, licence and SHA-256. Missing
 * optional files are left out. @throws RangeError where a header differs from the described
 * columns, or a description has no origin.
 */
export function renderFiles(files: readonly DataFile[], data: string): string {
  const byFolder = Map.groupBy(files.filter(isThere), ({ path }) => folderOf(path, data));
  return [...byFolder].map(([folder, members]) => {
    const pages = new Map(
      tablesOf(files, folder, data).flatMap((tables) => {
        // An anchor as GitHub makes it of the heading over these tables' columns.
        const anchor = headingOf(tables, join(data, folder)).replace(/[^\w -]/g, "");
        const page = `${folder}/README.md#${anchor.replaceAll(" ", "-")}`;
        return tables.map((file) => [file, page] as const);
      }),
    );
    const rows = members.map((file) => {
      const bytes = Deno.readFileSync(file.path);
      const text = new TextDecoder().decode(bytes);
      refuseOtherColumns(file, text);
      const [origin, content] = originAndContent(file);
      const name = relative(join(data, folder), file.path);
      const page = pages.get(file);
      const shown = page === undefined ? `\`${name}\`` : `[\`${name}\`](${page})`;
      return [
        ...[shown, content, origin, rowCount(name, text)],
        ...[file.licence, `\`${sha256Hex(bytes)}\``],
      ];
    });
    const columns = ["file", "what it holds", "written by", "rows", "licence", "SHA-256"];
    return `### ${HEADINGS[folder] ?? folder}\n\n${markdownTable(columns, rows)}`;
  }).join("\n\n");
}

function refuseOtherColumns({ path, sentences }: DataFile, text: string): void {
  const [header = ""] = text.split("\n", 1);
  const described = Object.keys(sentences).join(",");
  if (!path.endsWith(".csv") || header === described) return;
  throw new RangeError(
    `Cannot describe ${path}: its columns are ${header}, the manifest describes ${described}.`,
  );
}

/** Splits a description of the form "origin: content". */
function originAndContent({ path, about }: DataFile): readonly [string, string] {
  const [, origin, content] = /^(.*?): (.*)$/s.exec(about) ?? [];
  if (origin !== undefined && content !== undefined) return [origin, content];
  throw new RangeError(
    `Cannot describe ${path}: "${about}" is not of the form "origin: content".`,
  );
}

/** Returns the number of rows of a table or JSONL file; undefined for other files. */
function rowCount(name: string, text: string): string | undefined {
  const lines = text.split("\n").length - 1;
  if (name.endsWith(".csv")) return (lines - 1).toLocaleString("en-GB");
  return name.endsWith(".jsonl") ? lines.toLocaleString("en-GB") : undefined;
}

/** Returns a folder's tables, grouped by equal columns and meanings. */
const tablesOf = (files: readonly DataFile[], folder: string, data: string) => [
  ...Map.groupBy(
    files.filter((file) => folderOf(file.path, data) === folder && isThere(file) && isTable(file)),
    ({ sentences }) => JSON.stringify(sentences),
  ).values(),
];

const headingOf = (tables: readonly DataFile[], folder: string) =>
  tables.map(({ path }) => relative(folder, path)).join(", ");

/** Returns a table of columns per file of a folder, or per group of files with equal columns. */
export const renderColumns = (files: readonly DataFile[], folder: string, data: string) =>
  tablesOf(files, folder, data).map((tables) => {
    const columns = Object.entries(tables[0]!.sentences);
    const rows = columns.map(([name, meaning]) => [`\`${name}\``, meaning]);
    const heading = `### ${headingOf(tables, join(data, folder))}`;
    return `${heading}\n\n${markdownTable(["column", "what it holds"], rows)}`;
  }).join("\n\n");
