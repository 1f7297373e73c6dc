import { readInputText } from "../../lib/files/csv.ts";
import {
  expertForm,
  expertReport,
  isEmptyForm,
  readExpertForm,
  type ReviewSet,
} from "../../lib/pairs/review.ts";
import {
  markAppendable,
  readTextIfThere,
  shownPath,
  writeTextAtomic,
} from "../../lib/files/atomic.ts";
import { readNorseDataset } from "../../lib/studies/norse/dataset.ts";
import { readContrastSet } from "../../lib/studies/sanskrit/records.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";

/** Seed and size of the form in docs/expert_review.md. */
export const FORM = { pairs: 50, seed: 20261123 } as const;

const SETS = {
  norse: (): ReviewSet => ({ language: "Old Norse", items: readNorseDataset() }),
  sanskrit: (): ReviewSet => ({ language: "Sanskrit", items: readContrastSet() }),
} as const;
const STUDIES = ["norse", "sanskrit"] as const;

/** Committed pairs of these studies, of both by default. */
export const reviewSets = (studies: readonly (keyof typeof SETS)[] = STUDIES) =>
  studies.map((study) => SETS[study]());

export const TASK = command(
  "study expert-review",
  "Pairs for a philologist: writes a blind form (--out), or reads a filled one (--read): agreement with " +
    "the intended member, and each doubted pair. docs/expert_review.md is such a form.",
  (c) =>
    c.option("--out <file>", "where the form goes, or with --read the report")
      .option("--read <file>", "a filled form")
      .option("--partial", "with --read: measure the graded pairs of an unfinished form")
      .option("--study <name>", "pairs of one study: norse or sanskrit", choiceOf(...STUDIES))
      .option("--pairs <number>", "pairs of each language", int({ min: 1 }), FORM.pairs)
      .option("--seed <number>", "of draw and order", int({ min: 0 }), FORM.seed),
  ({ out, read, partial, study, pairs, seed }) => {
    if (read !== undefined) {
      const text = readInputText(read, (why) => `Cannot read ${read}: ${why}.`);
      const graded = readExpertForm(text, reviewSets(), { file: shownPath(read), partial });
      if (graded.length === 0) throw new Error(`Cannot measure ${read}: no pair is graded.`);
      const report = expertReport(graded);
      if (out === undefined) console.log(report.trimEnd());
      else write(out, report, () => false);
      return EXIT.done;
    }
    if (out === undefined) {
      throw new Error(
        "Cannot do this: say --out FILE for a form, or --read FILE for a filled one.",
      );
    }
    write(out, expertForm(reviewSets(study && [study]), pairs, seed), isEmptyForm);
    return EXIT.done;
  },
);

/** Writes a file that is absent or may be overwritten. */
function write(path: string, text: string, mayReplace: (before: string) => boolean): void {
  const before = readTextIfThere(path);
  if (before !== undefined && !mayReplace(before)) {
    throw new Error(`Cannot write ${path}: it is there already. Name another file, or remove it.`);
  }
  // A form without grades is ours by what it says.
  if (before !== undefined) markAppendable(path);
  writeTextAtomic(path, text);
  console.log(`Wrote ${shownPath(path)}.`);
}
