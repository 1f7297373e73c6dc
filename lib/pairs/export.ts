/**
 * Exports a study's pairs: JSON Lines with BLiMP's fields, a Hugging Face dataset, tasks of the
 * lm-evaluation-harness, and Croissant metadata.
 */
import { join } from "node:path";
import { stringify } from "yaml";
import { markdownTable } from "../figures/table.ts";
import type { Citation } from "../files/citation.ts";
import { makeFolder, sha256Hex, writeTextAtomic } from "../files/atomic.ts";
import { certificateRecords, certificatesTable, type DatasetItem } from "./dataset.ts";

/** A study as exported. */
export interface ExportedStudy {
  /** Name in folders and tasks, e.g. `norse`. */
  readonly name: string;
  readonly title: string;
  /** Description of the data set as Markdown: contents, source, licence. */
  readonly about: string;
  /** Language code, ISO 639-3, e.g. `non`. */
  readonly language: string;
  /** SPDX identifier of the licence. */
  readonly licence: string;
  /** Copyright holders of the sentences' sources, under the same licence: `2019 A. Person (corpus)`. */
  readonly holders: readonly string[];
  /** Configurations of the data set. `load_dataset` uses the first by default. */
  readonly sets: readonly ExportedSet[];
}

interface ExportedSet {
  readonly name: string;
  readonly about: string;
  readonly items: readonly DatasetItem[];
}

/** Remark on every exported set of pairs. */
export const EXPORTED_PAIRS =
  "Two sentences differ in one word. Every pair carries a certificate: its source, the " +
  "rule, both paradigm cells and the checks that passed, above all that no other cell or word licenses " +
  "the bad form there. Language models read the pairs blind; no human expert has reviewed them yet.";

/** Text fields of a record in file order, with descriptions. */
const FIELDS: Readonly<Record<string, string>> = {
  sentence_good: "the sentence of the source",
  sentence_bad: "the same sentence with one word changed",
  phenomenon: "what the pair tests",
  target: "the word that was changed, as it stands in the good sentence",
  error_type: "what was done to it",
  context: "what surrounds the sentence; may be empty",
  ...certificatesTable({ path: "certificates.csv" }).sentences,
  sentence: "position in the chapter, or the verse",
  rule: "identifier of the linguistic fact behind the pair",
  pair_id: "identifier of the pair",
};

/** Returns a set's pairs as JSON Lines. */
function linesOf(items: readonly DatasetItem[]): string {
  const certificates = certificateRecords(items.map(({ certificate }) => certificate));
  return items.map(({ pair }, index) => {
    const record = {
      sentence_good: pair.grammatical,
      sentence_bad: pair.ungrammatical,
      phenomenon: pair.phenomenon,
      target: pair.target,
      error_type: pair.errorType,
      context: pair.context ?? "",
      ...certificates[index],
    };
    return `${JSON.stringify(record)}\n`;
  }).join("");
}

/**
 * Metrics: accuracy by log-probability in total, per character and per byte. The harness counts a
 * tie as correct.
 */
const METRICS = ["acc", "acc_norm", "acc_bytes"];

/** Returns the name of a set's group of tasks. Task names add `_` and the phenomenon. */
const taskGroup = (study: string, set: string) => `touchstone_${study}_${set}`;

/**
 * Returns every file of the export by path. The output is deterministic.
 * @param licenceText The project's licence, with a line that begins with "Copyright".
 * @throws {RangeError} for a set without pairs.
 */
export function exportFiles(
  study: ExportedStudy,
  citation: Citation,
  licenceText: string,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const splits = study.sets.flatMap(splitsOf);
  // First, for by it the next export knows the folder for its own.
  files.set(METADATA, `${JSON.stringify(croissant(study, splits, citation), undefined, 2)}\n`);
  for (const { path, text } of splits) files.set(path, text);
  files.set("README.md", card(study, splits, citation));
  const holders = study.holders.map((holder) => `\nCopyright (c) ${holder}`).join("");
  files.set("LICENSE", licenceText.replace(/^Copyright.*$/m, `$&${holders}`));
  files.set("CITATION.cff", citation.text);
  const task = {
    // From the folder above this one, where the harness is started.
    dataset_path: study.name,
    output_type: "multiple_choice",
    doc_to_text: "",
    doc_to_choice: "{{[sentence_good, sentence_bad]}}",
    doc_to_target: 0,
    target_delimiter: "",
    num_fewshot: 0,
    metric_list: METRICS.map((metric) => ({ metric, aggregation: "mean", higher_is_better: true })),
    metadata: { version: 1 },
  };
  files.set("lm_eval/_minimal_pairs", stringify(task));
  for (const [set, own] of Map.groupBy(splits, (split) => split.set)) {
    const group = taskGroup(study.name, set.name);
    const tasks = own.map(({ name }) => `${group}_${name}`);
    for (const [at, { name }] of own.entries()) {
      const place = { task: tasks[at], dataset_name: set.name, test_split: name };
      files.set(`lm_eval/${tasks[at]}.yaml`, stringify({ include: "_minimal_pairs", ...place }));
    }
    // Of all pairs, not of phenomena.
    const means = METRICS.map((metric) => ({ metric, weight_by_size: true }));
    const whole = { group, task: tasks, aggregate_metric_list: means, metadata: { version: 1 } };
    files.set(`lm_eval/${group}.yaml`, stringify(whole));
  }
  return files;
}

/** Returns the phenomena of a set, each a file, a split of the dataset and a task. */
function splitsOf(set: ExportedSet) {
  if (set.items.length === 0) throw new RangeError(`Cannot export ${set.name}: it has no pairs.`);
  return [...Map.groupBy(set.items, ({ pair }) => pair.phenomenon)].map(([phenomenon, items]) => {
    const name = phenomenon.toLowerCase();
    const path = `${set.name}/${name}.jsonl`;
    return { set, name, path, pairs: items.length, text: linesOf(items) };
  });
}

type Split = ReturnType<typeof splitsOf>[number];

/** Returns the data card: metadata for the hub and `load_dataset`, then a description. */
function card(study: ExportedStudy, splits: readonly Split[], citation: Citation): string {
  const { name, title, about, language, licence } = study;
  const sets = [...Map.groupBy(splits, ({ set }) => set)];
  const first = study.sets[0]!;
  const group = taskGroup(name, first.name);
  const header = {
    pretty_name: title,
    license: licence.toLowerCase(),
    language: [language],
    tags: ["minimal-pairs", "acceptability", "blimp", "croissant"],
    size_categories: ["n<1K"],
    configs: sets.map(([set, own]) => ({
      config_name: set.name,
      default: set === first,
      data_files: own.map(({ name, path }) => ({ split: name, path })),
    })),
  };
  const counts = sets.map(([set, own]) => {
    const pairs = own.map(({ name, pairs }) => `\`${name}\` ${pairs}`);
    return [`\`${set.name}\``, set.about, pairs.join(", ")];
  });
  const fields = Object.entries(FIELDS).map(([field, words]) => [`\`${field}\``, words]);
  return `---
${stringify(header)}---

# ${title}

${about}

${markdownTable(["configuration", "what it is", "splits and pairs"], counts)}

${markdownTable(["field", "what it holds"], fields)}

From the folder that holds this one, which is called ${name}:

\`\`\`python
from datasets import load_dataset
pairs = load_dataset("${name}", "${first.name}")
\`\`\`

\`\`\`sh
lm-eval run --model hf --model_args pretrained=MODEL --include_path ${name} --tasks ${group}
\`\`\`

\`acc\` compares total log-probabilities, \`acc_norm\` those a character, \`acc_bytes\` those a byte. Pairs of one lemma are alike: intervals should be clustered by \`lemma\`.

## Limits

One text in one edition is a corner of a grammar. Use the pairs to compare models and scoring rules on it, not as a leaderboard of a language. Grammar-free baselines (character n-grams of the text) score above chance: report them with any model.

## Licence and citation

${licence}, text in \`LICENSE\`. How to cite is in \`CITATION.cff\`:

\`\`\`bibtex
${citation.bibtex}
\`\`\`
`;
}

const METADATA = "croissant.json";
const CROISSANT = "http://mlcommons.org/croissant/";

const TERMS = ["citeAs", "column", "extract", "field", "fileObject", "recordSet", "source"];
const CONTEXT = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: CROISSANT,
  conformsTo: "http://purl.org/dc/terms/conformsTo",
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  ...Object.fromEntries(TERMS.map((name) => [name, `cr:${name}`])),
};

/** Returns Croissant 1.0 metadata: files with hashes, and a record set per split. */
function croissant(study: ExportedStudy, splits: readonly Split[], citation: Citation) {
  const { title, about, language, licence } = study;
  const fileOf = ({ path, text }: Split) => ({
    "@type": "cr:FileObject",
    "@id": path,
    name: path,
    contentUrl: path,
    encodingFormat: "application/jsonlines",
    sha256: sha256Hex(text),
  });
  const recordsOf = ({ set, name, path }: Split) => ({
    "@type": "cr:RecordSet",
    "@id": `${set.name}_${name}`,
    name: `${set.name}_${name}`,
    description: set.about,
    field: Object.entries(FIELDS).map(([field, description]) => ({
      "@type": "cr:Field",
      "@id": `${set.name}_${name}/${field}`,
      name: field,
      description,
      dataType: "sc:Text",
      source: { fileObject: { "@id": path }, extract: { column: field } },
    })),
  });
  return {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: `${CROISSANT}1.0`,
    name: title,
    description: about,
    license: licence,
    citeAs: citation.bibtex,
    creator: citation.authors.map(({ name, kind }) => ({ "@type": `sc:${kind}`, name })),
    inLanguage: language,
    // That of the release: the same pairs are the same version, whenever they are written.
    datePublished: citation.date,
    version: `${citation.version}+${
      sha256Hex(splits.map(({ text }) => text).join("")).slice(0, 12)
    }`,
    distribution: splits.map(fileOf),
    recordSet: splits.map(recordsOf),
  };
}

/**
 * Writes an export into a folder, each file atomically, replacing an earlier export. @throws
 * {Error} before writing, where the folder has other contents or is not writable.
 */
export function writeExport(folder: string, files: ReadonlyMap<string, string>): void {
  makeFolder(folder);
  const there = [...Deno.readDirSync(folder)].map(({ name }) => name);
  if (there.length > 0 && !there.includes(METADATA)) {
    const why = `it holds ${there[0]} and is no export; name another folder`;
    throw new RangeError(`Cannot export to ${folder}: ${why}.`);
  }
  for (const [path, text] of files) writeTextAtomic(join(folder, path), text);
}
