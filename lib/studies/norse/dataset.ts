/** Tables from the saga to the pairs, and the recorded data set. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../files/json.ts";
import { name, oneOf, type RowOf, table, text, wholeNumber } from "../../files/table.ts";
import {
  certificatesTable,
  type DatasetItem,
  pairsTable,
  rejectionsTable,
  withCertificate,
  writeDataset,
} from "../../pairs/dataset.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { inProject } from "../../pairs/study.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";

export const DATA = inProject("data/norse/");

/** Seed of the selection; another seed gives another valid data set. */
export const PAIR_SEED = 20261121;

const OF_THE_SAGA = {
  licence: "Völsunga saga, public domain; edition from norsecorpus 1.0.2 (MIT)",
  maker: "11_norse_acquisition",
};

export const SENTENCES = table({
  path: join(DATA, "sentences.csv"),
  about: "notebook 11: prose sentences of the saga, from the package norsecorpus 1.0.2",
  ...OF_THE_SAGA,
  columns: {
    id: name("identifier of the sentence, `VS_{chapter}_{position}`"),
    chapter: wholeNumber("chapter of the saga, 1–42", { min: 1 }),
    position: wholeNumber("position among all units of the chapter, excluded ones included", {
      min: 1,
    }),
    source: name("sentence in the edition's spelling, without quotation marks"),
    normalised: name(
      "sentence in classical normalisation with misprints corrected (lib/studies/norse/orthography.ts)",
    ),
  },
  key: ["id"],
});

/** One prose sentence of the saga. Pairs are made from its normalised text. */
export type Sentence = Readonly<RowOf<typeof SENTENCES>>;

export const EXCLUSIONS = table({
  path: join(DATA, "exclusions.csv"),
  about: "notebook 11: units of the edition that are not among the sentences",
  ...OF_THE_SAGA,
  columns: {
    chapter: wholeNumber("chapter of the saga, 1–42", { min: 1 }),
    position: wholeNumber("position among all units of the chapter", { min: 1 }),
    reason: oneOf(
      ["verse", "speech_tag", "fragment", "editorial_mark"],
      "reason for the exclusion: verse, speech_tag, fragment or editorial_mark",
    ),
    detail: text("details of the reason"),
    text: text("text of the unit in the edition's spelling"),
  },
});

/** An excluded unit with its location. Counts can thus be checked against the edition. */
export type Exclusion = Readonly<RowOf<typeof EXCLUSIONS>>;

const OURS = {
  licence: "MIT; sentences of the saga in the public domain",
  maker: "12_norse_generation",
};

/** Returns a set's tables from its file prefix and column descriptions. */
function setTables(
  prefix: "" | "reverse_" | "further_",
  { about, rule, ...sentences }: Readonly<
    Record<"about" | "rule" | "id" | "phenomenon" | "error_type", string>
  >,
) {
  const pairs = `${prefix || "minimal_"}pairs.csv`;
  const grammatical = "sentence of the saga, normalised";
  const at = (file: string) => ({ ...OURS, path: join(DATA, prefix + file) });
  return {
    pairs: pairsTable(
      { ...OURS, path: join(DATA, pairs), about, sentences: { ...sentences, grammatical } },
      PHENOMENA,
    ),
    certificates: certificatesTable({
      ...at("certificates.csv"),
      about: "notebook 12: one certificate per pair",
    }),
    rejections: rejectionsTable({
      ...at("rejections.csv"),
      about: `notebook 12: words that a ${rule} examined and rejected, with the reasons`,
    }),
  } as const;
}

/** The three tables of the data set. */
export const DATASET = setTables("", {
  about: "notebook 12: the 500 pairs, from `sentences.csv` with the settings of `generation.json`",
  rule: "rule",
  id: "identifier of the pair, `ON_{PHENOMENON}_{NNN}`",
  phenomenon: "QUIRKY_CASE, ADJECTIVE, UMLAUT or MIDDLE_VOICE",
  error_type:
    "type of change: dative_to_nominative, accusative_to_nominative, strong_to_weak, weak_to_strong, umlaut_to_base_vowel, middle_to_active or active_to_middle",
});

/** Certified pairs beyond the 500. Their refusals are among the data set's rejections. */
const { rejections: _none, ...FURTHER_TABLES } = setTables("further_", {
  about: "notebook 12: further certified pairs, made by the same rules with the same caps",
  rule: "rule",
  id: "identifier of the pair, `ONF_{PHENOMENON}_{NNN}`",
  phenomenon: "ADJECTIVE or UMLAUT",
  error_type: "type of change: strong_to_weak, weak_to_strong or umlaut_to_base_vowel",
});
export const FURTHER = FURTHER_TABLES;

/** The tables of the reverse set. */
export const REVERSE = setTables("reverse_", {
  about:
    "notebook 12: pairs with the changes of `minimal_pairs.csv` in the reverse direction; for the middle voice, forms that no handbook records",
  rule: "reverse rule",
  id: "identifier of the pair, `ONR_{PHENOMENON}_{NNN}`",
  phenomenon: "QUIRKY_CASE, UMLAUT or MIDDLE_VOICE",
  error_type:
    "type of change: nominative_to_dative, nominative_to_accusative, base_vowel_to_umlaut or active_to_middle",
});

/** Pairs with certificates, and rejections (none for further pairs). */
interface Dataset {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly rejections?: readonly Rejection[];
}

/** The tables of a set; tests pass tables in a temporary folder. */
export type SetTables =
  & Pick<typeof DATASET, "pairs" | "certificates">
  & Partial<Pick<typeof DATASET, "rejections">>;

/**
 * Writes pairs one by one and rejections at once. A killed run can thus resume.
 * @throws if recorded rows differ.
 */
export function writeNorseDataset(
  { items, rejections = [] }: Dataset,
  settings: string,
  tables: SetTables = DATASET,
) {
  const report = writeDataset(tables, items, settings);
  tables.rejections?.write(rejections);
  return report;
}

/** Replaces pairs, certificates and rejections completely. */
export function replaceNorseDataset(
  { items, rejections = [] }: Dataset,
  tables: SetTables,
): void {
  tables.certificates.write(items.map(({ certificate }) => certificate));
  tables.rejections?.write(rejections);
  tables.pairs.write(items.map(({ pair }) => pair));
}

/** Reads the data set. @throws SyntaxError for a damaged line or a certificate of another pair. */
export function readNorseDataset(
  { pairs, certificates }: SetTables = DATASET,
): readonly DatasetItem<Phenomenon>[] {
  const byId = new Map(certificates.read().map((row) => [row.pairId, row]));
  const remedy = "Run notebook 12_norse_generation again.";
  const files = { pairsPath: pairs.path, certificatesPath: certificates.path, remedy };
  return pairs.read().map((pair) => withCertificate(pair, byId.get(pair.id), files));
}

/** Reads the reverse set. @throws SyntaxError as {@link readNorseDataset} does. */
export function readReverseSet(): readonly DatasetItem<Phenomenon>[] {
  return readNorseDataset(REVERSE);
}

/** Reads the further pairs. @throws SyntaxError as {@link readNorseDataset} does. */
export function readFurtherSet(): readonly DatasetItem<Phenomenon>[] {
  return readNorseDataset(FURTHER);
}

/** Sources of pairs: rules alone, a model's proposals alone, or proposals first. */
export const SOURCES = ["rules", "llm", "both"] as const;
export type Source = (typeof SOURCES)[number];

/** The model of requirement 2.3. */
export const PROPOSER = "openai/gpt-oss-120b";

const SETTINGS = z.strictObject({
  source: z.enum(SOURCES),
  /** Seed of the selection. */
  seed: z.int(),
  /** The proposing model; null if the source is rules. */
  proposer: z.string().min(1).nullable(),
  /** Number of first answers in `proposals.jsonl` used by the data set. Asking may continue. */
  answers: z.int().min(0),
}).refine(({ source, proposer }) => (source === "rules") === (proposer === null), {
  message: "a proposer belongs to the sources llm and both, and to these only",
});

/** Settings of the recorded data set, kept in `generation.json`. */
export type GenerationSettings = Readonly<z.infer<typeof SETTINGS>>;

/** Returns the settings of a source with a number of recorded answers. */
export function settingsOf(source: Source, answers = 0): GenerationSettings {
  return source === "rules"
    ? { source, seed: PAIR_SEED, proposer: null, answers: 0 }
    : { source, seed: PAIR_SEED, proposer: PROPOSER, answers };
}

/**
 * Reads the recorded settings; without a file, those of the rules.
 * @throws SyntaxError for an invalid file.
 */
export function readGenerationSettings(path = join(DATA, "generation.json")): GenerationSettings {
  if (!existsSync(path)) return settingsOf("rules");
  const remedy = "Run `deno task generate` or restore the committed file.";
  const refuse = (why: string) => `Cannot read ${path}: ${why}. ${remedy}`;
  return parseJson(Deno.readTextFileSync(path), SETTINGS, refuse);
}

/** Describes settings: `seed 20261121, source both with 812 answers of openai/gpt-oss-120b`. */
export function describeSettings({ source, seed, proposer, answers }: GenerationSettings): string {
  const asked = proposer === null ? "" : ` with ${answers} answers of ${proposer}`;
  return `seed ${seed}, source ${source}${asked}`;
}
