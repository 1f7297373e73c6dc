import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256Hex } from "../../files/checksum.ts";
import { readTextIfThere } from "../../files/read_text.ts";
import { readRunSettings } from "../../pairs/run_settings.ts";

/** The data set's files, the pairs last: while they stand, a killed move is known to be unfinished. */
export const DATASET = ["rejections", "certificates", "pairs"] as const;

/** What was asked about the pairs and computed from the answers: worth nothing beside others. */
export const ANSWERS = [
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
  "served",
] as const;

/** Where the files stand. */
export type ReplacePaths =
  & Readonly<Record<(typeof DATASET)[number] | (typeof ANSWERS)[number], string>>
  & Readonly<Record<"generation" | "setAside", string>>;

/** Hashes of the pairs that the answers belong to, as they say or by what stands beside them. */
export function ownersOfAnswers(paths: ReplacePaths): readonly string[] {
  const stated = [paths.responseSettings, paths.likelihoodSettings]
    .flatMap((path) => Object.values(readRunSettings(path)))
    .map(({ task }) => String(task.pairsSha256));
  if (stated.length > 0) return stated;
  const hasAnswers = ANSWERS.some((name) => existsSync(paths[name]));
  return hasAnswers ? [hashOfPairs(paths)] : [];
}

const hashOfPairs = ({ pairs }: ReplacePaths) => sha256Hex(readTextIfThere(pairs) ?? "");

/** Folders are named after the pairs, so that what belongs to them is found again. */
const folderOf = (hash: string, setAside: string, n = 1) =>
  join(setAside, `norse-${hash.slice(0, 12)}${n === 1 ? "" : `-${n}`}`);

/** Moves what there is of these files; gives the folder, or nothing where there was none. */
export function moveAway(files: readonly string[], paths: ReplacePaths): string | undefined {
  const present = files.filter((path) => existsSync(path));
  if (present.length === 0) return undefined;
  const [owner = hashOfPairs(paths)] = ownersOfAnswers(paths);
  const isFree = (folder: string) =>
    present.every((path) => {
      const before = readTextIfThere(join(folder, basename(path)));
      return before === undefined || before === Deno.readTextFileSync(path);
    });
  let n = 1;
  while (!isFree(folderOf(owner, paths.setAside, n))) n += 1;
  const folder = folderOf(owner, paths.setAside, n);
  Deno.mkdirSync(folder, { recursive: true });
  for (const path of present) Deno.renameSync(path, join(folder, basename(path)));
  return folder;
}

/**
 * Moves answers to pairs of this hash back to where none stand, the last that were moved away first;
 * gives the names of the files.
 */
export function bringBack(hash: string, paths: ReplacePaths): readonly string[] {
  let n = 1;
  while (existsSync(folderOf(hash, paths.setAside, n + 1))) n += 1;
  const folders = Array.from({ length: n }, (_, k) => folderOf(hash, paths.setAside, n - k));
  return ANSWERS.map((name) => paths[name]).flatMap((path) => {
    const kept = folders.map((folder) => join(folder, basename(path))).find(existsSync);
    if (existsSync(path) || kept === undefined) return [];
    Deno.renameSync(kept, path);
    return [basename(path)];
  });
}

/** The folders of data sets that were set aside, in the order of their names. */
export function foldersSetAside({ setAside }: Pick<ReplacePaths, "setAside">): readonly string[] {
  if (!existsSync(setAside)) return [];
  const folders = [...Deno.readDirSync(setAside)]
    .filter(({ name, isDirectory }) => isDirectory && name.startsWith("norse-"));
  return folders.map(({ name }) => join(setAside, name)).sort();
}
