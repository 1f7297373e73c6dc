/** What small changes of a text do to what verifier and judges say of it (requirement 14). */
import { basename, join } from "node:path";
import { foreignWords } from "../../lib/factuality/check/check.ts";
import { openComponents } from "../../lib/factuality/check/components.ts";
import type { EvaluationComponents } from "../../lib/factuality/check/components.ts";
import { FACTUALITY_PATHS, ownFolder } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { knowledgeTools } from "../../lib/studies/factuality/robustness/cases.ts";
import { askPerturbations } from "../../lib/studies/factuality/robustness/detection.ts";
import { askOrders } from "../../lib/studies/factuality/robustness/orders.ts";
import {
  type ExperimentRun,
  largerJudges,
  openingOf,
} from "../../lib/studies/factuality/robustness/panel.ts";
import { askRepetitions } from "../../lib/studies/factuality/robustness/repetitions.ts";
import * as reporting from "../../lib/studies/factuality/robustness/report.ts";
import { askSwaps } from "../../lib/studies/factuality/robustness/swaps.ts";
import { REPORT_JSON, REPORT_ROWS } from "../../lib/studies/factuality/robustness/tables.ts";
import type { VariantTools } from "../../lib/studies/factuality/robustness/variant.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import { shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { inputText } from "../factcheck/opening.ts";
import { BASELINE_GROUP } from "./components.ts";

const names = ["word overlap", "sentence cosine"];
const baselines = [{ ...BASELINE_GROUP, names }];
const PARTS = {
  perturbations: (run: ExperimentRun) => askPerturbations(run, baselines),
  orders: askOrders,
  repetitions: askRepetitions,
  swaps: askSwaps,
};
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

const MORE = `
Answers are kept as they come, in data/factuality; a further run asks what is missing. The report
robustness_report.json, .csv is of everything that is kept by then; notebook 44 reads all of it. With a
configuration of your own the tables go to --out or below .cache/robustness/, and nothing in data/
changes; so does what comes of --candidate. --large asks the judge of
data/factuality/larger_judge.yaml what its rows lack (1.1 GB once, seconds a question) and nobody else;
without it that judge is not asked, and its rows stay.`;

export const TASK = command(
  "study robustness",
  "What do small changes of a text do to what is said of it?",
  (c) =>
    c.option("--only <part>", `one of ${PART_NAMES.join(", ")}`, oneOf(...PART_NAMES))
      .option("--config <file>", "verifier, judges, who writes", FACTUALITY_PATHS.configuration)
      .option("--large", "the larger judge alone, in the study's tables; downloads 1.1 GB once")
      .option("--threads <number>", "of evaluation", int({ min: 1 }), 2)
      .option("--candidate <file>", "a text of yours instead: its claims are changed and checked")
      .option("--source <file>", "what that text was written from")
      .option("--out <folder>", "of what comes of a text or configuration of yours")
      .addHelpText("after", MORE),
  async (
    { only, config, large = false, threads, candidate, source, out },
    { signal },
  ) => {
    if (only !== undefined && candidate !== undefined) {
      throw new RangeError("Cannot run: of --only and --candidate name at most one.");
    }
    if ((candidate === undefined) !== (source === undefined)) {
      throw new RangeError("Cannot run: --candidate and --source go together; name both.");
    }
    const isStudy = config === FACTUALITY_PATHS.configuration;
    if (large && !(isStudy && candidate === undefined)) {
      throw new RangeError("Cannot run: --large goes with the study's own experiments alone.");
    }
    if (out !== undefined && isStudy && candidate === undefined) {
      throw new RangeError("Cannot run: --out goes with --candidate or a --config of yours.");
    }
    using status = openStatusLine();
    const tell = (words: string) => status.show(words);
    const larger = largerJudges();
    const run: ExperimentRun = {
      configuration: large ? FACTUALITY_PATHS.largerJudge : config,
      place: placeOf({ config, out }),
      isOwn: (component) => !isStudy || larger.includes(component) === large,
      threads,
      signal,
      tell,
    };
    if (candidate !== undefined) {
      const folder = out ?? ownFolder("robustness", candidate, ...isStudy ? [] : [config]);
      const texts = { candidate: inputText(candidate), source: inputText(source!) };
      const tools = knowledgeTools(await factbookFields(FACTUALITY_PATHS.cache));
      const alone = { ...openingOf(run), knowledge: false, judges: false };
      await using opened = await openComponents(config, alone);
      return await checkOwnText(texts, opened, tools, { folder, signal });
    }
    for (const part of only === undefined ? PART_NAMES : [only]) {
      if (signal.aborted || !await PARTS[part](run)) return tellReport(run, EXIT.incomplete);
    }
    return tellReport(run, EXIT.done);
  },
);

/** What comes of one's own configuration does not belong into the study's tables. */
export function placeOf({ config, out }: {
  readonly config: string;
  readonly out?: string | undefined;
}): ExperimentRun["place"] {
  if (config === FACTUALITY_PATHS.configuration) return (path) => path;
  const folder = out ?? ownFolder("robustness", config);
  return (path) => {
    Deno.mkdirSync(folder, { recursive: true });
    return join(folder, basename(path));
  };
}

function tellReport({ place }: ExperimentRun, code: number): number {
  const report = reporting.keptReport(place);
  writeTextAtomic(place(REPORT_JSON), reporting.robustnessJson(report));
  writeTextAtomic(place(REPORT_ROWS.path), reporting.robustnessCsv(report));
  console.log(`Report of what is kept by now: ${shownPath(place(REPORT_JSON))}, .csv`);
  return code;
}

/**
 * Perturbs and rewords the claims of a text that the verifier accepts, checks each variant against
 * the same source, and writes variants and report into a folder. @returns the exit code.
 */
export async function checkOwnText(
  texts: { readonly candidate: string; readonly source: string },
  { verifier, splitter, problems }: EvaluationComponents,
  tools: Omit<VariantTools, "about" | "source">,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  const { candidate, source } = texts;
  const foreign = await foreignWords(texts);
  for (const words of [...problems, ...foreign === undefined ? [] : [foreign]]) console.log(words);
  const { claims } = await splitter.split(candidate, { signal });
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  const { variants, accepted, lost } = await reporting.ownVariants(checkable, {
    verifier,
    passages: [sourcePassage(source)],
    tools: { ...tools, about: "", source },
    random: randomSource(source),
    signal,
  });
  const report = reporting.ownTextReport(verifier.name, variants, foreign);
  writeTextAtomic(join(folder, "variants.csv"), reporting.ownVariantsCsv(variants));
  writeTextAtomic(join(folder, "report.json"), reporting.robustnessJson(report));
  writeTextAtomic(join(folder, "report.csv"), reporting.robustnessCsv(report));
  console.log(`${accepted} of ${checkable.length} claims accepted; ${variants.length} variants.`);
  const rows = reporting.sectionRows(report.perturbations);
  if (rows.length > 0) console.log(reporting.detectionTable(rows, verifier.name));
  console.log(`Variants and report: ${shownPath(folder)}`);
  if (lost.length === 0) return EXIT.done;
  console.log(
    `${lost.length} verdicts are missing, so the figures are of fewer claims or variants: ` +
      `${[...new Set(lost)].join(" ")} The same command asks for all of them again.`,
  );
  return EXIT.incomplete;
}
