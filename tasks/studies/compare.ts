import { join, resolve } from "node:path";
import type { LabelledCase } from "../../lib/factuality/labelled_case.ts";
import {
  CASE_FORMATS,
  caseSource,
  HUMAN_SETS,
  loadHumanSet,
  readLabelledCases,
} from "../../lib/studies/factuality/datasets/public_sets.ts";
import { askGroups, componentRuns, drawCases } from "../../lib/factuality/own/ask_components.ts";
import { heldOutDraw } from "../../lib/studies/factuality/evaluation.ts";
import { COMPONENT_ANSWERS } from "../../lib/factuality/own/component_answers.ts";
import { QUICK_GROUPS, userPanel } from "../../lib/factuality/own/component_groups.ts";
import {
  HUMAN_ANSWERS,
  HUMAN_LABELLED,
  humanAnswers,
  humanFigures,
} from "../../lib/factuality/own/human_labelled.ts";
import { userFolder } from "../../lib/factuality/paths.ts";
import { KNOWLEDGE_CASES } from "../../lib/studies/factuality/tables.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, printRenamed } from "../command.ts";
import {
  checkOnly,
  COMPARE_FOLDER,
  compareCases,
  compareFile,
  type ComparisonOptions,
  even,
  labelledFigures,
} from "../factcheck/compare.ts";
import { largerPanel, studyPanel } from "./components.ts";

const HELP = `
FORMAT is one of ${CASE_FORMATS.join(", ")}.
Claims that you labelled go to deno task factcheck compare. FEVER's pages are looked for in wiki-pages
next to the file, RAGTruth's sources in source_info.jsonl. With --config verifier and judges of yours are
asked as well as the baselines, about all claims unless --draw says about how many language models are.
Answers are kept as they come, and a further run asks what is missing; nothing of --cases or --config is
written into data/, of --human answers without any text, and aggregates.`;

export const TASK = command(
  "study compare",
  "Verifier, baselines and judges on the same labelled claims: held-out claims about countries, and " +
    "people's. Writes component_answers.csv, an answer a row; human_answers.csv and human_labelled.csv.",
  (c) =>
    c.option("--claims <n>", "held-out claims about countries", even, 240)
      .option("--written <n>", "of these, for the judge that writes its answers", even, 40)
      .option("--human", "sets that people labelled, too, from --folder")
      .option("--folder <folder>", "that holds these sets; data/README.md says where from")
      .option("--draw <n>", "of each such set, for language models (40); of --cases (none)", even)
      .option("--only <text>", "only components whose name has this in it", "")
      .option("--large", "the larger judge alone, about the study's claims; downloads 1.1 GB once")
      .option("--threads <n>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--cases <format:file>", "a published set instead of these", caseSource)
      .option("--config <file>", "verifier and judges of your own, as in evaluation.yaml")
      .option("--out <folder>", "for the results of --cases or --config (default: .cache/compare)")
      .addHelpText("after", HELP),
  async ({ cases, config, out, draw, human, folder: sets, large, ...options }, { signal }) => {
    if (cases === undefined && config === undefined && out !== undefined) {
      const why = "--out goes with --cases or --config; the study's tables have places";
      throw new RangeError(`Cannot compare: ${why}.`);
    }
    if (cases !== undefined && human) {
      throw new RangeError("Cannot compare: --human does not go with --cases; leave out one.");
    }
    if (large && (cases ?? config ?? human) !== undefined) {
      throw new RangeError("Cannot compare: --large goes with the study's claims about countries.");
    }
    if (sets !== undefined && !human) {
      throw new RangeError("Cannot compare: --folder goes with --human; name both or neither.");
    }
    // Read before anything is asked: an absent set is reported at once.
    const people = human ? humanSets(draw ?? 40, sets) : undefined;
    if (cases?.format === "file") printRenamed("study compare --cases FILE", "factcheck compare");
    using status = openStatusLine();
    const { only, threads } = options;
    const report = (words: string) => status.show(words);
    const studied = large ? largerPanel() : studyPanel();
    const panel = config === undefined ? studied : userPanel(config);
    if (cases === undefined && config === undefined) checkOnly(panel.groups, only);
    const asking: ComparisonOptions = { ...panel, only, threads, signal, tell: report };
    const folder = out ?? (config === undefined ? COMPARE_FOLDER : userFolder("compare", config));
    const print = (text: string) => console.log(text);
    const own = { ...asking, draw, folder, print };
    const known = KNOWLEDGE_CASES.read();
    const drawn = heldOutDraw(known, options.claims);
    if (config !== undefined) {
      // About as many as there are, unless a draw is wanted: whoever names a model wants it asked.
      const isQuick = draw === undefined ? () => true : panel.isQuick;
      const run = { ...own, isQuick };
      const isDone = cases !== undefined
        ? await compareFile(await readLabelledCases(cases.format, cases.path), cases, run)
        : await compareCases(drawn, "held-out", run);
      if (!isDone || people === undefined) return isDone ? EXIT.done : EXIT.incomplete;
      return await compareHuman(people, folder, asking) ? EXIT.done : EXIT.incomplete;
    }
    if (cases !== undefined) {
      const groups = draw === undefined
        ? QUICK_GROUPS
        : panel.groups.filter(({ names }) => !names.every(panel.isSlow));
      const loaded = await readLabelledCases(cases.format, cases.path);
      return await compareFile(loaded, cases, { ...own, groups }) ? EXIT.done : EXIT.incomplete;
    }
    const few = drawn.slice(0, options.written);
    const casesOf = (component: string) => panel.isSlow(component) ? few : drawn;
    const run = { table: COMPONENT_ANSWERS, known, casesOf };
    if (!await askGroups({ ...asking, ...run })) return EXIT.incomplete;
    console.log(`Answers: ${shownPath(COMPONENT_ANSWERS.path)}`);
    return people === undefined || await compareHuman(people, undefined, asking)
      ? EXIT.done
      : EXIT.incomplete;
  },
);

/** @param folder Of a user's own run; undefined for the study's. */
async function compareHuman(
  sets: ReturnType<typeof humanSets>,
  folder: string | undefined,
  asking: ComparisonOptions,
) {
  const { isQuick, isSlow } = asking;
  const figures = folder === undefined
    ? HUMAN_LABELLED
    : HUMAN_LABELLED.at(resolve(folder, "human_labelled.csv"));
  const known = sets.flatMap(({ all }) => all);
  const drawn = sets.flatMap((set) => set.draw);
  const casesOf = (component: string) =>
    isSlow(component) ? [] : isQuick(component) ? known : drawn;
  const table = COMPONENT_ANSWERS.at(join(folder ?? COMPARE_FOLDER, "human_answers.csv"));
  const done = await askGroups({ ...asking, table, known, casesOf });
  const rows = table.read();
  // The study's figures are of everybody.
  const names = asking.groups.flatMap(({ names }) => names).filter((name) => !isSlow(name));
  const isWhole = done && names.every((name) => rows.some(({ component }) => component === name));
  if (folder === undefined && !isWhole) return false;
  const answered = sets.map((set) => (
    { ...set, runs: componentRuns(rows.filter((row) => row.set === set.name), set.all) }
  ));
  if (folder === undefined) {
    HUMAN_ANSWERS.write(answered.flatMap(({ name, all, runs }) => humanAnswers(name, all, runs)));
    figures.write(humanFigures(HUMAN_ANSWERS.read()));
    console.log(`Answers: ${shownPath(HUMAN_ANSWERS.path)}`);
  } else {
    figures.write(answered.flatMap(({ runs, ...set }) => labelledFigures(set, runs, isQuick)));
  }
  console.log(`Wrote ${shownPath(figures.path)}.`);
  return done;
}

/** Set with the same cases under other labels; it is not sampled again, so no case is asked twice. */
const SECOND_READING = "factcheckgpt_stance with partial";

/** Reads the sets of a folder with their samples. @throws {Error} naming a missing set and its origin. */
function humanSets(count: number, folder: string | undefined) {
  return HUMAN_SETS.map((set) => {
    const { name } = set;
    const all: readonly LabelledCase[] = loadHumanSet(set, folder).cases;
    const isDrawn = name !== SECOND_READING;
    const draw = isDrawn ? drawCases(all, count, randomSource(`compare/${name}`)) : [];
    return { name, all, draw };
  });
}
