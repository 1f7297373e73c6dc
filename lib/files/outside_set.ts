/** Sets of data that the studies measure on and that are not part of this repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where a set comes from, and the file that a reader of it puts into a folder. */
export interface OutsideSet {
  readonly name: string;
  readonly file: string;
  /** Of the file. */
  readonly sha256: string;
  readonly licence: string;
  /** What to get: "FILE of OWNER/NAME at commit C"; never an address. */
  readonly origin: string;
  /** How the file is made of it; empty where it is the file itself. */
  readonly made: string;
}

/**
 * Path of a set's file in the folder that `--folder` names. Commands ask for it before anything slow.
 * @throws {Error} saying what to get, where no folder is named or the file is not in it.
 */
export function outsideFile(set: OutsideSet, folder: string | undefined): string {
  const path = join(folder ?? "", set.file);
  if (folder !== undefined && existsSync(path)) return path;
  throw new Error(
    `Cannot read ${path}: the set ${set.name} is not part of this repository. Get ${set.origin} ` +
      `(licence: ${set.licence}), put it into a folder and name that with --folder.` +
      (set.made === "" ? "" : ` data/README.md says how ${set.file} is made of it.`),
  );
}
