/** Two rounds of WMT23's ESA as two raters: prepared, rated by script, analysed here and in Python. */
import { sampleWithReplacement } from "simple-statistics";
import { z } from "zod";
import { readTextIfThere, shownPath } from "../../lib/files/atomic.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { analyseRatings, type RatingAnalysis } from "../../lib/translation/analysis/analyse.ts";
import { cellsOf, type Figure } from "../../lib/translation/analysis/views.ts";
import { parseScores, ratedRound } from "../../lib/translation/analysis/wmt23.ts";
import { TRANSLATION_PATHS, WMT23_PYTHON } from "../../lib/translation/tables.ts";
import { type openPython, report } from "./harness.ts";

const [SEED, RESAMPLES] = ["wmt23", 2000];
const LIMIT = 1e-9;

/** What is compared: its name in metrics.py, whose computation that is, and ours. */
const FIGURES: readonly (readonly [
  figure: string,
  reference: string,
  ours: (study: RatingAnalysis) => readonly number[],
])[] = [
  ["means of systems", "numpy", (study) => middles(study.comparison.systems, "meanDa")],
  ["means of z", "numpy", (study) => middles(study.comparison.systems, "meanZ")],
  [
    "ends of means' intervals",
    "numpy",
    ({ comparison: { systems } }) => systems.flatMap(({ meanDa }) => ends(meanDa)),
  ],
  [
    "ends of differences' intervals",
    "numpy",
    ({ comparison: { pairs } }) => pairs.flatMap(({ difference }) => ends(difference)),
  ],
  ["exact p of pairs", "numpy, all sign patterns counted", exactP],
  ["exact p of pairs, 12 documents", "scipy", exactP],
  [
    "Holm's adjusted p",
    "statsmodels",
    ({ comparison: { pairs } }) => pairs.map(({ adjustedP }) => Number(adjustedP)),
  ],
  ["α of scores", "krippendorff", ({ together }) => [middle(together.alphaDa)]],
  ["α of z", "krippendorff", ({ together }) => [middle(together.alphaZ)]],
  ["α of buckets", "krippendorff", ({ together }) => [middle(together.alphaBucket)]],
  ["ρ of scores", "scipy", ({ together }) => [middle(together.pairs[0]!.spearman)]],
  ["τ-b of systems", "scipy", ({ together }) => [middle(together.pairs[0]!.systemRanking)]],
];

const middle = (figure: Figure) => Number(cellsOf(figure).estimate);
const ends = (figure: Figure) => [cellsOf(figure).low, cellsOf(figure).high].map(Number);
const middles = (systems: RatingAnalysis["comparison"]["systems"], of: "meanDa" | "meanZ") =>
  systems.map((system) => middle(system[of]));

/** Throws RangeError for one that was not exact. */
function exactP({ comparison: { pairs } }: RatingAnalysis): readonly number[] {
  return pairs.map(({ test, first, second }) => {
    if (test.kind === "test" && test.method === "exact") return test.p;
    throw new RangeError(`Cannot compare ${first} and ${second}: the test was not exact.`);
  });
}

/** A study as Python gets it, with the documents that our resamples drew, by number. */
function sent({ runs, comparison }: RatingAnalysis) {
  const order = comparison.systems.map(({ system }) => system);
  const ratings = runs.map((run) =>
    Map.groupBy(run.ratings, ({ document, segment }) => JSON.stringify([document, segment]))
  );
  const items = [...ratings[0]!.keys()];
  const table = (figure: "da" | "bucketRank") =>
    ratings.map((own) =>
      items.map((item) =>
        order.map((name) => own.get(item)!.find(({ system }) => system === name)![figure])
      )
    );
  const documents = items.map((item) => ratings[0]!.get(item)![0]!.document);
  const names = [...new Set(documents)].sort();
  const numbers = [...names.keys()];
  const drawn = (name: string) => {
    const random = randomSource(`${SEED}|${name}`);
    return Array.from(
      { length: RESAMPLES },
      () => sampleWithReplacement(numbers, numbers.length, random.next),
    );
  };
  return {
    scores: table("da"),
    ranks: table("bucketRank"),
    documents: documents.map((name) => names.indexOf(name)),
    draws: Object.fromEntries(["systems", "pairs of systems"].map((name) => [name, drawn(name)])),
  };
}

const ANSWER = z.object({ values: z.array(z.array(z.number())) });

/**
 * Writes wmt23_python.csv and says whether all figures agree to 10⁻⁹; true where the file of scores,
 * which is no part of the project, is not there.
 */
export async function studyAgrees(
  child: Awaited<ReturnType<typeof openPython>>,
): Promise<boolean> {
  const path = TRANSLATION_PATHS.wmt23;
  const text = readTextIfThere(path);
  if (text === undefined) {
    console.log(`left out: WMT23's ratings, for ${shownPath(path)} is not there`);
    return true;
  }
  const scores = parseScores(text, shownPath(path));
  const rounds = ["esa1", "esa2"] as const;
  const runs = await Promise.all(rounds.map((round) => ratedRound(scores, round, shownPath(path))));
  const options = { seed: SEED, resamples: RESAMPLES };
  const whole = analyseRatings(runs, options);
  const twelve = new Set([...new Set(scores.map(({ document }) => document))].slice(0, 12));
  const few = analyseRatings(
    runs.map((run) => {
      return { ...run, ratings: run.ratings.filter(({ document }) => twelve.has(document)) };
    }),
    options,
  );
  let kept = true;
  const rows = [];
  for (const [figure, reference, ours] of FIGURES) {
    const study = figure.endsWith("12 documents") ? few : whole;
    const { values: [theirs] } = await child.ask({ metric: figure, tables: [sent(study)] }, ANSWER);
    const own = ours(study);
    if (own.length !== theirs!.length) {
      throw new RangeError(
        `Cannot compare ${figure}: ${own.length} and ${theirs!.length} numbers.`,
      );
    }
    const largest_difference = Math.max(...own.map((value, at) => Math.abs(value - theirs![at]!)));
    const found = `differ by ${
      largest_difference.toExponential(1)
    } at most in ${own.length} numbers`;
    kept = report(`WMT23, ${figure} / ${reference}`, largest_difference, LIMIT, found) && kept;
    rows.push({ figure, reference, compared: own.length, largest_difference });
  }
  WMT23_PYTHON.write(rows);
  const narrow = analyseRatings(runs, { ...options, cluster: "segment" });
  const widths = ({ comparison: { systems } }: RatingAnalysis) =>
    systems.map(({ meanDa }) => ends(meanDa)[1]! - ends(meanDa)[0]!);
  const ratios = widths(narrow).map((width, at) => width / widths(whole)[at]!);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  console.log(
    `WMT23: by segment intervals are ${
      (100 * (1 - mean)).toFixed(0)
    } % narrower than by document ` +
      `on average, ${(100 * (1 - Math.min(...ratios))).toFixed(0)} % at most`,
  );
  return kept;
}
