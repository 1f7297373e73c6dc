/** The tables from the saga to the pairs, each described once. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { name, oneOf, type RowOf, table, text, whole } from "../files/table.ts";
import { certificatesTable, pairsTable, rejectionsTable } from "../pairs/dataset.ts";
import { PHENOMENA } from "./rules.ts";

const SAGA = "Völsunga saga, public domain; edition from norsecorpus 1.0.2 (MIT)";

/** `data/norse`, wherever the notebook or task was started from. */
export const DATA = fileURLToPath(new URL("../../data/norse/", import.meta.url));

/** Seed of the selection of pairs: every other choice among ties gives another valid data set. */
export const PAIR_SEED = 20261121;

/** Why a unit of the edition is not among the sentences. */
const EXCLUSION_REASONS = [
  "verse",
  "speech_tag",
  "fragment",
  "editorial_mark",
  "printing_error",
] as const;

export const SENTENCES = table({
  path: join(DATA, "sentences.csv"),
  about: "notebook 11, from the package norsecorpus 1.0.2",
  licence: SAGA,
  maker: "11_norse_acquisition",
  columns: {
    id: name("`VS_{chapter}_{position}`"),
    chapter: whole("1–42", { min: 1 }),
    position: whole("among all units of the chapter, those left out counted", { min: 1 }),
    source: name("the edition's spelling, quotation marks removed"),
    normalised: name("classical normalisation (lib/norse/orthography.ts)"),
  },
  key: ["id"],
});

/** One prose sentence of the saga; every pair is made from its normalised text. */
export type Sentence = Readonly<RowOf<typeof SENTENCES>>;

export const EXCLUSIONS = table({
  path: join(DATA, "exclusions.csv"),
  about: "notebook 11: what of the edition is not among the sentences",
  licence: SAGA,
  maker: "11_norse_acquisition",
  columns: {
    chapter: whole("1–42", { min: 1 }),
    position: whole("among all units of the chapter", { min: 1 }),
    reason: oneOf(
      EXCLUSION_REASONS,
      "verse, speech_tag, fragment, editorial_mark or printing_error",
    ),
    detail: text("one line more; for a misprint the reading meant"),
    text: text("the unit in the edition's spelling"),
  },
});

/** A unit left out, with its place, so that the tally can be checked against the edition. */
export type Exclusion = Readonly<RowOf<typeof EXCLUSIONS>>;
const OURS = "MIT; sentences of the saga in the public domain";
const GENERATION = "12_norse_generation";

export const PAIRS = pairsTable({
  path: join(DATA, "minimal_pairs.csv"),
  about: "notebook 12, from `sentences.csv` as `generation.json` says",
  licence: OURS,
  maker: GENERATION,
  sentences: {
    id: "`ON_{PHENOMENON}_{NNN}`",
    phenomenon: "QUIRKY_CASE, ADJECTIVE, UMLAUT or MIDDLE_VOICE",
    grammatical: "the saga's sentence, normalised",
    error_type: "dative_to_nominative, accusative_to_nominative, strong_to_weak, weak_to_strong, " +
      "umlaut_to_base_vowel or middle_to_active",
  },
}, PHENOMENA);

export const CERTIFICATES = certificatesTable({
  path: join(DATA, "certificates.csv"),
  about: "notebook 12, one a pair",
  licence: OURS,
  maker: GENERATION,
});

export const REJECTIONS = rejectionsTable({
  path: join(DATA, "rejections.csv"),
  about: "notebook 12: words a rule looked at, and why they make no pair",
  licence: OURS,
  maker: GENERATION,
});
