/**
 * Compares the rating analysis with Python. Two rounds of WMT23's ESA are prepared and rated by
 * script as two raters, then analysed here and in Python.
 */
import { sum } from "simple-statistics";
import { z } from "zod";
import { shownPath } from "../../lib/files/atomic.ts";
import { analyseRatings, type RatingAnalysis } from "../../lib/translation/analysis/analyse.ts";
import {
  cellsOf,
  itemKey,
  type ReportedStatistic,
} from "../../lib/translation/analysis/estimate.ts";
import { parseScores, ratedRound } from "../../lib/studies/translation/wmt23.ts";
import { WMT23_PYTHON } from "../../lib/studies/translation/tables.ts";
import { type openPython } from "../python_environment.ts";
import { printMeasurement } from "./harness.ts";

const OPTIONS = { seed: "wmt23", resamples: 2000 } as const;
const LIMIT = 1e-9;
type Figures = ReturnType<typeof figuresOf>;

const middle = (figure: ReportedStatistic) => Number(cellsOf(figure).estimate);
const ends = (figure: ReportedStatistic) => [cellsOf(figure).low, cellsOf(figure).high].map(Number);

/** Returns the compared statistics: names of the computations in metrics.py, with our values. */
function figuresOf({ comparison: { systems, pairs }, together }: RatingAnalysis) {
  const exact = pairs.flatMap(({ test }) =>
    test.kind === "test" && test.method === "exact" ? [test.p] : []
  );
  const { spearman, systemRanking } = together.pairs[0]!;
  return {
    "means of systems": ["numpy", systems.map(({ meanDa }) => middle(meanDa))],
    "means of z": ["numpy", systems.map(({ meanZ }) => middle(meanZ))],
    "ends of means' intervals": ["numpy", systems.flatMap(({ meanDa }) => ends(meanDa))],
    "ends of differences' intervals": ["numpy", pairs.flatMap((pair) => ends(pair.difference))],
    "exact p of pairs": ["numpy, all sign patterns counted", exact],
    "exact p of pairs, 12 documents": ["scipy", exact],
    "Holm's adjusted p": ["statsmodels", pairs.map(({ adjustedP }) => Number(adjustedP))],
    "α of scores": ["krippendorff", [middle(together.alphaDa)]],
    "α of z": ["krippendorff", [middle(together.alphaZ)]],
    "α of buckets": ["krippendorff", [middle(together.alphaBucket)]],
    "ρ of scores": ["scipy", [middle(spearman)]],
    "τ-b of systems": ["scipy", [middle(systemRanking)]],
  } as const satisfies Readonly<Record<string, readonly [string, readonly number[]]>>;
}

/** Converts a study to the input of the Python script. */
function sent({ runs, comparison: { systems } }: RatingAnalysis) {
  const ratings = new Map(
    runs.flatMap(({ rater, ratings }) =>
      ratings.map((it) => [`${rater}|${itemKey(it)}|${it.system}`, it] as const)
    ),
  );
  const items = [...new Map(runs[0]!.ratings.map((it) => [itemKey(it), it.document]))];
  const table = (figure: "da" | "bucket_rank") =>
    runs.map(({ rater }) =>
      items.map(([item]) =>
        systems.map(({ system }) => ratings.get(`${rater}|${item}|${system}`)![figure])
      )
    );
  const names = [...new Set(items.map(([, document]) => document))].sort();
  return {
    scores: table("da"),
    ranks: table("bucket_rank"),
    documents: items.map(([, document]) => names.indexOf(document)),
  };
}

const ANSWER = z.object({ values: z.array(z.array(z.number())) });

/**
 * Compares the analysis with Python and writes wmt23_python.csv.
 * @param path Path of WMT23's scores, which are not part of this repository.
 * @returns true where all figures agree to 10⁻⁹.
 */
export async function studyAgrees(
  child: Awaited<ReturnType<typeof openPython>>,
  path: string,
): Promise<boolean> {
  const scores = parseScores(Deno.readTextFileSync(path), shownPath(path));
  const rounds = ["esa1", "esa2"] as const;
  const runs = await Promise.all(rounds.map((round) => ratedRound(scores, round, shownPath(path))));
  const documents = new Set(scores.map(({ document }) => document)).values().take(12).toArray();
  const few = runs.map((run) => {
    return { ...run, ratings: run.ratings.filter((it) => documents.includes(it.document)) };
  });
  const studies = { whole: analyseRatings(runs, OPTIONS), few: analyseRatings(few, OPTIONS) };
  let kept = true;
  const rows = [];
  for (const figure of Object.keys(figuresOf(studies.whole)) as (keyof Figures)[]) {
    const study = studies[figure.endsWith("12 documents") ? "few" : "whole"];
    const [reference, ours] = figuresOf(study)[figure];
    const { values: [theirs] } = await child.ask({ metric: figure, tables: [sent(study)] }, ANSWER);
    if (ours.length !== theirs!.length) {
      throw new RangeError(
        `Cannot compare ${figure}: ${ours.length} and ${theirs!.length} numbers.`,
      );
    }
    const largest_difference = Math.max(...ours.map((one, at) => Math.abs(one - theirs![at]!)));
    const found = `differ by ${
      largest_difference.toExponential(1)
    } at most in ${ours.length} numbers`;
    kept = printMeasurement(`WMT23, ${figure} / ${reference}`, largest_difference, LIMIT, found) &&
      kept;
    rows.push({ figure, reference, compared: ours.length, largest_difference });
  }
  WMT23_PYTHON.write(rows);
  const narrow = analyseRatings(runs, { ...OPTIONS, cluster: "segment" });
  const widths = ({ comparison: { systems } }: RatingAnalysis) =>
    systems.map(({ meanDa }) => ends(meanDa)[1]! - ends(meanDa)[0]!);
  const narrower = widths(narrow).map((width, at) =>
    100 - 100 * width / widths(studies.whole)[at]!
  );
  const [mean, most] = [sum(narrower) / narrower.length, Math.max(...narrower)]
    .map((share) => share.toFixed(0));
  console.log(
    `WMT23: intervals by segment are ${mean} % narrower than by document, ${most} % at most`,
  );
  return kept;
}
