import { shownPath } from "../../lib/files/atomic.ts";
import {
  agreementRows,
  agreementTable,
  compareWords,
  disagreementList,
  GITA_MORPHOLOGY,
  GOLD_AGREEMENT,
  parsedWords,
  readGold,
  wordsOfPairs,
} from "../../lib/studies/sanskrit/gold.ts";
import { readContrastSet } from "../../lib/studies/sanskrit/records.ts";
import { command, EXIT } from "../command.ts";

export const TASK = command(
  "study gold",
  "Agreement of our parses of the Gītā, of every word and of those that pairs change, with an " +
    "independent morphology (gasyoun/kosha, MIT; not part of this repository), and each " +
    "disagreement. Writes data/sanskrit/gold_agreement.csv: counts only.",
  (c) =>
    c.option(
      "--folder <folder>",
      `that holds ${GITA_MORPHOLOGY.file}; data/README.md says where from`,
    ),
  ({ folder }) => {
    const gold = readGold(folder);
    const words = parsedWords();
    const ofPairs = wordsOfPairs(words, readContrastSet());
    const [all, pairs] = [compareWords(words, gold), compareWords(ofPairs, gold)];
    const rows = [
      ...agreementRows("parsed", words, all),
      ...agreementRows("of pairs", ofPairs, pairs),
    ];
    GOLD_AGREEMENT.write(rows);
    console.log(`${agreementTable(rows)}\n\nWhere a word of a pair is parsed otherwise:`);
    for (const line of disagreementList(pairs.differing)) console.log(line);
    console.log(`Wrote ${shownPath(GOLD_AGREEMENT.path)}.`);
    return EXIT.done;
  },
);
