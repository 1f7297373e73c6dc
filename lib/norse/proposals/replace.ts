import { existsSync } from "node:fs";
import { sha256Hex } from "../../files/checksum.ts";
import { formatCsv } from "../../files/csv.ts";
import { readTextIfThere } from "../../files/read_text.ts";
import {
  CERTIFICATE_COLUMNS,
  certificateRow,
  PAIR_COLUMNS,
  pairRow,
  REJECTION_COLUMNS,
  rejectionRow,
} from "../../pairs/pair_files.ts";
import { type CarriedRows, carryAnswers } from "../carry_answers.ts";
import { writeNorseDataset } from "../dataset.ts";
import type { Dataset } from "../generation.ts";
import { NORSE_PATHS } from "../paths.ts";
import { PROPOSAL_PATHS } from "./paths.ts";
import {
  ANSWERS,
  bringBack,
  DATASET,
  foldersSetAside,
  moveAway,
  ownersOfAnswers,
  type ReplacePaths,
} from "./set_aside.ts";
import {
  describeSettings,
  type GenerationSettings,
  readGenerationSettings,
  writeGenerationSettings,
} from "./settings.ts";

/** What writing a data set did to the one that was there. */
export interface Replacement {
  readonly kind: "unchanged" | "written" | "new_certificates" | "new_pairs";
  /** Where the earlier data set went, with its answers where the pairs are others; if anywhere. */
  readonly setAside?: string;
  /** Files that belong to these very pairs and came back from an earlier setting aside. */
  readonly restored: readonly string[];
  /** Answers to pairs that are in both data sets, which came over from the earlier one. */
  readonly carried: readonly CarriedRows[];
}

/**
 * Writes a data set. Another one that stands in its place is moved into a folder of its own, with the
 * answers to its pairs where these change; answers to the new pairs that were moved away by an
 * earlier switch come back, and where the pairs are new those to the pairs that both have come over.
 * Files that are as they should be are not touched. A killed run resumes.
 */
export function replaceDataset(
  dataset: Pick<Dataset, "items" | "rejections">,
  settings: GenerationSettings,
  paths: ReplacePaths = { ...NORSE_PATHS, ...PROPOSAL_PATHS },
): Replacement {
  const wanted = textsOf(dataset);
  const kind = compare(wanted, paths);
  if (kind === "unchanged") {
    const before = describeSettings(readGenerationSettings(paths.generation));
    if (!existsSync(paths.generation) || before !== describeSettings(settings)) {
      writeGenerationSettings(paths.generation, settings);
    }
    return { kind, restored: [], carried: carry(dataset, paths) };
  }
  // The pairs last: a killed run finds them, and moves what is left.
  const moved = kind === "written" ? [] : kind === "new_pairs" ? [...ANSWERS, ...DATASET] : DATASET;
  const setAside = moveAway(moved.map((name) => paths[name]), paths);
  writeGenerationSettings(paths.generation, settings);
  writeNorseDataset(dataset, describeSettings(settings), paths);
  const restored = bringBack(sha256Hex(wanted.pairs), paths);
  const carried = carry(dataset, paths);
  return { kind, restored, carried, ...(setAside === undefined ? {} : { setAside }) };
}

const carry = ({ items }: Pick<Dataset, "items">, paths: ReplacePaths) =>
  carryAnswers(items.map(({ pair }) => pair), paths, foldersSetAside(paths));

type Texts = Readonly<Record<(typeof DATASET)[number], string>>;

function textsOf({ items, rejections }: Pick<Dataset, "items" | "rejections">): Texts {
  return {
    pairs: formatCsv(PAIR_COLUMNS, items.map(({ pair }) => pairRow(pair))),
    certificates: formatCsv(
      CERTIFICATE_COLUMNS,
      items.map(({ certificate }) => certificateRow(certificate)),
    ),
    rejections: formatCsv(REJECTION_COLUMNS, rejections.map(rejectionRow)),
  };
}

function compare(wanted: Texts, paths: ReplacePaths): Replacement["kind"] {
  const there = (name: (typeof DATASET)[number]) => readTextIfThere(paths[name]);
  if (DATASET.every((name) => there(name) === wanted[name])) return "unchanged";
  const owners = ownersOfAnswers(paths);
  if (owners.length > 0 && !owners.includes(sha256Hex(wanted.pairs))) return "new_pairs";
  if (!isBegun(there("pairs"), wanted.pairs)) return "new_pairs";
  return isBegun(there("certificates"), wanted.certificates) ? "written" : "new_certificates";
}

/** Whether a text holds nothing but lines of the one wanted, the last of them perhaps cut. */
function isBegun(text: string | undefined, wanted: string): boolean {
  if (text === undefined) return true;
  const lines = new Set(wanted.split("\n"));
  return text.split("\n").slice(0, -1).every((line) => lines.has(line));
}
