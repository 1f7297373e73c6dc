import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256Hex } from "../../files/checksum.ts";
import { formatCsv } from "../../files/csv.ts";
import {
  CERTIFICATE_COLUMNS,
  certificateRow,
  PAIR_COLUMNS,
  pairRow,
  REJECTION_COLUMNS,
  rejectionRow,
} from "../../pairs/pair_files.ts";
import { readRunSettings } from "../../pairs/run_settings.ts";
import { writeNorseDataset } from "../dataset.ts";
import type { Dataset } from "../generation.ts";
import { NORSE_PATHS } from "../paths.ts";
import { PROPOSAL_PATHS } from "./paths.ts";
import {
  describeSettings,
  type GenerationSettings,
  readGenerationSettings,
  writeGenerationSettings,
} from "./settings.ts";

const DATASET = ["rejections", "certificates", "pairs"] as const;

/** What was asked about the pairs and computed from the answers: worth nothing beside others. */
const ANSWERS = [
  "responses",
  "invalidAnswers",
  "responseSettings",
  "likelihoods",
  "likelihoodSettings",
  "metrics",
  "statistics",
  "artefacts",
  "balancedSubset",
  "precision",
] as const;

/** Where the files stand. */
export type ReplacePaths =
  & Readonly<Record<(typeof DATASET)[number] | (typeof ANSWERS)[number], string>>
  & Readonly<Record<"generation" | "setAside", string>>;

/** What writing a data set did to the one that was there. */
export interface Replacement {
  readonly kind: "unchanged" | "written" | "new_certificates" | "new_pairs";
  /** Where the earlier data set went, with its answers where the pairs are others; if anywhere. */
  readonly setAside?: string;
  /** Files that belong to these very pairs and came back from an earlier setting aside. */
  readonly restored: readonly string[];
}

/**
 * Writes a data set. Another one that stands in its place is moved into a folder of its own, with the
 * answers to its pairs where these change; answers to the new pairs that were moved away by an
 * earlier switch come back. Files that are as they should be are not touched. A killed run resumes.
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
    return { kind, restored: [] };
  }
  // The pairs last: a killed run finds them, and moves what is left.
  const moved = kind === "written" ? [] : kind === "new_pairs" ? [...ANSWERS, ...DATASET] : DATASET;
  const setAside = moveAway(moved.map((name) => paths[name]), paths);
  writeGenerationSettings(paths.generation, settings);
  writeNorseDataset(dataset, describeSettings(settings), paths);
  const restored = bringBack(sha256Hex(wanted.pairs), paths);
  return { kind, restored, ...(setAside === undefined ? {} : { setAside }) };
}

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
  const there = (name: (typeof DATASET)[number]) => readIfThere(paths[name]);
  if (DATASET.every((name) => there(name) === wanted[name])) return "unchanged";
  const owners = ownersOfAnswers(paths);
  if (owners.length > 0 && !owners.includes(sha256Hex(wanted.pairs))) return "new_pairs";
  if (!isBegun(there("pairs"), wanted.pairs)) return "new_pairs";
  return isBegun(there("certificates"), wanted.certificates) ? "written" : "new_certificates";
}

/** Hashes of the pairs that the answers belong to, as they say or by what stands beside them. */
function ownersOfAnswers(paths: ReplacePaths): readonly string[] {
  const stated = [paths.responseSettings, paths.likelihoodSettings]
    .flatMap((path) => Object.values(readRunSettings(path)))
    .map(({ task }) => String(task.pairsSha256));
  if (stated.length > 0) return stated;
  const hasAnswers = ANSWERS.some((name) => existsSync(paths[name]));
  return hasAnswers ? [hashOfPairs(paths)] : [];
}

const hashOfPairs = ({ pairs }: ReplacePaths) => sha256Hex(readIfThere(pairs) ?? "");

/** Whether a text holds nothing but lines of the one wanted, the last of them perhaps cut. */
function isBegun(text: string | undefined, wanted: string): boolean {
  if (text === undefined) return true;
  const lines = new Set(wanted.split("\n"));
  return text.split("\n").slice(0, -1).every((line) => lines.has(line));
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? Deno.readTextFileSync(path) : undefined;
}

/** Folders are named after the pairs, so that what belongs to them is found again. */
const folderOf = (hash: string, setAside: string, n = 1) =>
  join(setAside, `norse-${hash.slice(0, 12)}${n === 1 ? "" : `-${n}`}`);

/** Moves what there is of these files; gives the folder, or nothing where there was none. */
function moveAway(files: readonly string[], paths: ReplacePaths): string | undefined {
  const present = files.filter((path) => existsSync(path));
  if (present.length === 0) return undefined;
  const [owner = hashOfPairs(paths)] = ownersOfAnswers(paths);
  const isFree = (folder: string) =>
    present.every((path) => {
      const before = readIfThere(join(folder, basename(path)));
      return before === undefined || before === Deno.readTextFileSync(path);
    });
  let n = 1;
  while (!isFree(folderOf(owner, paths.setAside, n))) n += 1;
  const folder = folderOf(owner, paths.setAside, n);
  Deno.mkdirSync(folder, { recursive: true });
  for (const path of present) Deno.renameSync(path, join(folder, basename(path)));
  return folder;
}

/** Moves answers to pairs of this hash back to where none stand; gives the names of the files. */
function bringBack(hash: string, paths: ReplacePaths): readonly string[] {
  return ANSWERS.map((name) => paths[name]).flatMap((path) => {
    const kept = join(folderOf(hash, paths.setAside), basename(path));
    if (existsSync(path) || !existsSync(kept)) return [];
    Deno.renameSync(kept, path);
    return [basename(path)];
  });
}
