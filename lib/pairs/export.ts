/**
 * A study's pairs in the forms that others load: JSON lines in BLiMP's words, a dataset folder of
 * Hugging Face's form, tasks of the lm-evaluation-harness, and Croissant metadata.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { markdownTable } from "../figures/table.ts";
import { fileProblem, readTextIfThere, sha256Hex, writeTextAtomic } from "../files/atomic.ts";
import type { DatasetItem } from "./dataset.ts";
import { variantForm } from "./pair.ts";

/** A set of pairs: a configuration of the dataset, with a split a phenomenon. */
export interface ExportedSet {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  readonly items: readonly DatasetItem[];
}

/** A study as others meet it. */
export interface ExportedStudy {
  /** Begins the names of its tasks: `norse`. */
  readonly name: string;
  readonly title: string;
  /** What it is, where its sentences come from and what may be done with them, as Markdown. */
  readonly about: string;
  /** ISO 639-3, `non`. */
  readonly language: string;
  /** SPDX. */
  readonly licence: string;
  /** First is what `load_dataset` gives unless told. */
  readonly sets: readonly ExportedSet[];
}

type Field = readonly [
  type: "text" | "number" | "texts",
  of: (item: DatasetItem) => string | number | readonly string[],
  about: string,
];

/** A record's fields in file order: what they hold and what is said of them, in every form. */
const FIELDS: Readonly<Record<string, Field>> = {
  sentence_good: ["text", ({ pair }) => pair.grammatical, "the sentence of the source"],
  sentence_bad: ["text", ({ pair }) => pair.ungrammatical, "the same with one word changed"],
  phenomenon: ["text", ({ pair }) => pair.phenomenon, "what the pair tests"],
  pair_id: ["text", ({ pair }) => pair.id, "the pair"],
  target: ["text", ({ pair }) => pair.target, "the word that was changed"],
  variant: ["text", ({ pair }) => variantForm(pair), "what stands in its place"],
  error_type: ["text", ({ pair }) => pair.errorType, "what was done to it"],
  context: ["text", ({ pair }) => pair.context ?? "", "what surrounds the sentence; may be empty"],
  source: ["text", ({ certificate }) => certificate.source.text, "title of the source"],
  chapter: ["number", ({ certificate }) => certificate.source.chapter, "its chapter"],
  position: ["number", ({ certificate }) => certificate.source.sentence, "sentence or verse in it"],
  source_spelling: [
    "text",
    ({ certificate }) => certificate.sourceSpelling,
    "as the edition has it",
  ],
  rule: ["text", ({ certificate }) => certificate.rule, "the linguistic fact behind the pair"],
  lemma: ["text", ({ certificate }) => certificate.lemma, "word tested: cluster by it"],
  construction: ["text", ({ certificate }) => certificate.construction, "frame of the test"],
  cell_good: ["text", ({ certificate }) => certificate.cellFrom, "paradigm cell of the target"],
  cell_bad: ["text", ({ certificate }) => certificate.cellTo, "paradigm cell of the variant"],
  checks: ["texts", ({ certificate }) => certificate.checks, "checks that passed"],
  marks: ["texts", ({ certificate }) => certificate.marks, "what else it breaks, and caveats"],
  explanation: ["text", ({ certificate }) => certificate.explanation, "why the variant is wrong"],
  proposed_by: ["text", ({ certificate }) => certificate.proposedBy, "`rules`, or a model"],
  sha256: ["text", ({ certificate }) => certificate.sha256, "over phenomenon, sentences and rule"],
};

/** A phenomenon of a set: one file, one split, one task. */
interface Split {
  readonly set: ExportedSet;
  /** As the hub allows: letters, digits and underscores. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Measures of a task; the harness counts a tie as right, its argmax being the first. */
const METRICS = ["acc", "acc_norm", "acc_bytes"];

/** The name of a set's group of tasks. */
export const taskGroup = (study: { readonly name: string }, set: { readonly name: string }) =>
  `touchstone_${study.name}_${set.name}`;

/**
 * Every file of the export, by its path in the folder; the same study gives the same bytes.
 * @throws {RangeError} for a set without pairs.
 */
export function exportFiles(study: ExportedStudy): ReadonlyMap<string, string> {
  const splits = study.sets.flatMap((set) => splitsOf(set));
  const files = new Map(splits.map(({ path, text }) => [path, text]));
  files.set("README.md", card(study, splits));
  files.set("croissant.json", `${JSON.stringify(croissant(study, splits), undefined, 2)}\n`);
  files.set("lm_eval/_minimal_pairs", stringify({ dataset_path: study.name, ...TASK }));
  for (const set of study.sets) {
    const group = taskGroup(study, set);
    const own = splits.filter((split) => split.set === set);
    for (const { name } of own) {
      const task = `${group}_${name}`;
      const place = { dataset_name: set.name, test_split: name };
      files.set(`lm_eval/${task}.yaml`, stringify({ include: "_minimal_pairs", task, ...place }));
    }
    files.set(
      `lm_eval/${group}.yaml`,
      stringify({
        group,
        task: own.map(({ name }) => `${group}_${name}`),
        // Of all pairs, not of phenomena.
        aggregate_metric_list: METRICS.map((metric) => ({ metric, weight_by_size: true })),
        metadata: { version: 1 },
      }),
    );
  }
  return files;
}

function splitsOf(set: ExportedSet): readonly Split[] {
  if (set.items.length === 0) throw new RangeError(`Cannot export ${set.name}: it has no pairs.`);
  const groups = Map.groupBy(set.items, ({ pair }) => pair.phenomenon);
  return [...groups].map(([phenomenon, items]) => {
    const name = phenomenon.toLowerCase();
    const text = items.map((item) => {
      const fields = Object.entries(FIELDS).map(([field, [, of]]) => [field, of(item)]);
      return `${JSON.stringify(Object.fromEntries(fields))}\n`;
    }).join("");
    return { set, name, path: `${set.name}/${name}.jsonl`, text };
  });
}

/** What all tasks share but the dataset, which is found from the folder beside it: both sentences whole, no prompt. */
const TASK = {
  output_type: "multiple_choice",
  doc_to_text: "",
  doc_to_choice: "{{[sentence_good, sentence_bad]}}",
  doc_to_target: 0,
  target_delimiter: "",
  num_fewshot: 0,
  metric_list: METRICS.map((metric) => ({ metric, aggregation: "mean", higher_is_better: true })),
  metadata: { version: 1 },
};

/** The dataset card: what the hub and `load_dataset` read, then what people do. */
function card(
  { name, title, about, language, licence, sets }: ExportedStudy,
  splits: readonly Split[],
) {
  const features = Object.entries(FIELDS).map(([name, [type]]) =>
    type === "texts"
      ? { name, sequence: "string" }
      : { name, dtype: type === "text" ? "string" : "int64" }
  );
  const header = {
    pretty_name: title,
    license: licence.toLowerCase(),
    language: [language],
    tags: ["minimal-pairs", "acceptability", "blimp", "croissant"],
    size_categories: ["n<1K"],
    configs: sets.map((set, index) => ({
      config_name: set.name,
      ...(index === 0 ? { default: true } : {}),
      data_files: splits.filter((split) => split.set === set)
        .map(({ name, path }) => ({ split: name, path })),
    })),
    dataset_info: sets.map(({ name }) => ({ config_name: name, features })),
  };
  const counts = sets.map((set) => [
    `\`${set.name}\``,
    set.about,
    splits.filter((split) => split.set === set)
      .map(({ name, text }) => `\`${name}\` ${text.split("\n").length - 1}`).join(", "),
  ]);
  const fields = Object.entries(FIELDS).map(([field, [, , words]]) => [`\`${field}\``, words]);
  return `---
${stringify(header, { aliasDuplicateObjects: false })}---

# ${title}

${about}

${markdownTable(["configuration", "what it is", "splits and pairs"], counts)}

${markdownTable(["field", "what it holds"], fields)}

\`\`\`python
from datasets import load_dataset
pairs = load_dataset("${name}", "${sets[0]!.name}")
\`\`\`

\`\`\`sh
# in the folder that holds this one, which is called ${name}
lm-eval run --model hf --model_args pretrained=MODEL --include_path ${name} --tasks ${
    taskGroup({ name }, sets[0]!)
  }
\`\`\`

\`acc\` compares total log-probabilities, \`acc_norm\` those a character, \`acc_bytes\` those a byte. Pairs of one lemma are alike: intervals should be clustered by \`lemma\`.
`;
}

const CONTEXT = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  dct: "http://purl.org/dc/terms/",
  conformsTo: "dct:conformsTo",
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  ...Object.fromEntries(
    ["citeAs", "column", "extract", "field", "fileObject", "recordSet", "repeated", "source"]
      .map((name) => [name, `cr:${name}`]),
  ),
};

/** Croissant 1.0: every file with its hash, every split a record set. */
function croissant({ title, about, language, licence }: ExportedStudy, splits: readonly Split[]) {
  const hash = sha256Hex(splits.map(({ text }) => text).join(""));
  return {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.0",
    name: title,
    description: about,
    license: licence,
    citeAs: `@misc{touchstone, title={${title}}, author={The Touchstone authors}}`,
    inLanguage: language,
    // No date: the same pairs are the same version, whenever they are written.
    version: `1.0.0+${hash.slice(0, 12)}`,
    distribution: splits.map(({ path, text }) => ({
      "@type": "cr:FileObject",
      "@id": path,
      name: path,
      contentUrl: path,
      contentSize: `${new TextEncoder().encode(text).length} B`,
      encodingFormat: "application/jsonlines",
      sha256: sha256Hex(text),
    })),
    recordSet: splits.map(({ set, name, path }) => {
      const id = `${set.name}_${name}`;
      return {
        "@type": "cr:RecordSet",
        "@id": id,
        name: id,
        description: set.about,
        field: Object.entries(FIELDS).map(([field, [type, , words]]) => ({
          "@type": "cr:Field",
          "@id": `${id}/${field}`,
          name: field,
          description: words,
          dataType: type === "number" ? "sc:Integer" : "sc:Text",
          ...(type === "texts" ? { repeated: true } : {}),
          source: { fileObject: { "@id": path }, extract: { column: field } },
        })),
      };
    }),
  };
}

/** What an export wrote, as `sha256sum --check` reads it: so the next one knows its own files. */
const SUMS = "touchstone_export.sha256";

/**
 * Writes an export into a folder, each file whole or not at all, and removes files of an earlier
 * export that it has no more. A run that was killed is completed by the next.
 * @returns the files written, those that stood there already, and those removed.
 * @throws {Error} before anything is written, where a file in the way was not written by an export,
 * or was changed since; or where the folder cannot be written.
 */
export function writeExport(folder: string, files: ReadonlyMap<string, string>) {
  const refuse = (path: string, why: string, cause?: unknown): never => {
    throw new Error(`Cannot export to ${join(folder, path)}: ${why}.`, { cause });
  };
  const read = (path: string) => {
    try {
      return readTextIfThere(join(folder, path));
    } catch (error) {
      return refuse(path, fileProblem(error), error);
    }
  };
  const sums = (read(SUMS) ?? "").matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm);
  const earlier = new Map([...sums].map(([, hash, path]) => [path!, hash!]));
  const [changed, stale]: [string[], string[]] = [[], []];
  for (const path of new Set([...files.keys(), ...earlier.keys()])) {
    const [there, wanted] = [read(path), files.get(path)];
    if (there === wanted) continue;
    if (there !== undefined && sha256Hex(there) !== earlier.get(path)) {
      refuse(
        path,
        "the file there was not written by an export, or was changed since. Move it away, or name " +
          "another folder",
      );
    }
    (wanted === undefined ? stale : changed).push(path);
  }
  for (const path of changed) writeTextAtomic(join(folder, path), files.get(path)!);
  for (const path of stale) rmSync(join(folder, path));
  const lines = [...files].map(([path, text]) => `${sha256Hex(text)}  ${path}\n`);
  writeTextAtomic(join(folder, SUMS), lines.sort().join(""));
  return { written: changed.length, kept: files.size - changed.length, removed: stale.length };
}
