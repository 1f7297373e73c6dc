import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { PAIRWISE_TESTS, RELIABILITY, SYSTEM_RATINGS, systemMeans } from "../tables.ts";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import { readSheets } from "../workbook/sheets.ts";
import { analyseRatings } from "./analyse.ts";
import { unblind } from "./ratings.ts";
import { ratingAnswers, ratingFigures, ratingTables, reportPage } from "./report.ts";
import { writeStudy, writeTables } from "./rows.ts";

const OPTIONS = { seed: 1, resamples: 100, permutations: 100 };
const RUN = madeRun("=rater", [
  { da: [90, 10], comment: '=HYPERLINK("x")\nsecond, line' },
  { da: [50, 30] },
  { da: [80, 60], segment: "s1", role: { kind: "repeat", of: 1 } },
  { da: [50, 30], segment: "s2", role: { kind: "repeat", of: 2 } },
]);
const STUDY = analyseRatings([unblind(RUN)], OPTIONS);

Deno.test("writeTables() writes a row a rating, texts inert in CSV and as they are in XLSX", () =>
  inFolder(async (folder) => {
    await writeTables(STUDY, folder);
    const rows = SYSTEM_RATINGS.at(join(folder, "system_ratings.csv")).read();
    assert.equal(rows.length, 8);
    const { rater, comment, run_id, source, text, edit_count, highlight_seconds } = rows[0]!;
    assert.deepEqual([rater, comment], ["'=rater", `'=HYPERLINK("x") second, line`]);
    const { input, evaluation: { editCount, highlightSeconds } } = RUN.workbook.items[0]!;
    assert.deepEqual([run_id, source], [RUN.workbook.runId, input.source]);
    const [translation] = input.translations;
    const expected = [translation, editCount, highlightSeconds];
    assert.deepEqual([text, edit_count, highlight_seconds], expected);
    const first = rows.slice(0, 2).map(({ system, da }) => `${system} ${da}`).sort();
    assert.deepEqual(first, ["A 90", "B 10"]);
    assert.deepEqual([rows[4]!.role, rows[4]!.role_of], ["repeat", 1]);
    const file = Deno.readFileSync(join(folder, "system_ratings.xlsx"));
    const [sheet] = await readSheets(file);
    const [headings, row] = sheet!.rows.map(({ cells }) => cells.map(({ value }) => value));
    assert.deepEqual(headings, SYSTEM_RATINGS.columns);
    assert.deepEqual([row![0], row!.at(-3)], ["=rater", '=HYPERLINK("x")\nsecond, line']);
  }));

Deno.test("tables of systems and raters leave cells empty where there is no figure, and say why", () =>
  inFolder(async (folder) => {
    const constant = unblind(madeRun("one score", [{ da: [50, 50] }, { da: [50, 50] }]));
    await writeTables(analyseRatings([constant], OPTIONS), folder);
    const [first] = systemMeans(RUN.config.buckets).at(join(folder, "system_means.csv")).read();
    assert.deepEqual([first!.mean_da, first!.mean_z, first!.share_good], [50, "", 1]);
    await writeTables(STUDY, folder);
    const [pair] = PAIRWISE_TESTS.at(join(folder, "pairwise_tests.csv")).read();
    // Differences 80 and 20: two of four sign patterns are as extreme.
    assert.deepEqual([pair!.difference, pair!.p, pair!.different], [50, 0.5, false]);
    assert.deepEqual([pair!.unit, pair!.units], ["segment", 2]);
    const path = join(folder, "reliability.csv");
    const rows = new Map(RELIABILITY.at(path).read().map((row) => [row.measure, row]));
    assert.equal(rows.get("alpha_da")!.unavailable, "no item has two raters");
    const { estimate, rater, unit, units } = rows.get("mean_da")!;
    assert.deepEqual([estimate, rater, unit, units], [45, "'=rater", "segment", 2]);
    // 10, 50, 0 and 0 points off: of two items next to nothing is known.
    const repeats = rows.get("repeat_mean_absolute_difference")!;
    assert.deepEqual([repeats.estimate, repeats.n], [15, 4]);
    assert.ok(Number(repeats.low) < 1 && Number(repeats.high) > 90);
  }));

Deno.test("what has to be known of a rater stands on top of the report and in reliability.csv", () =>
  inFolder(async (folder) => {
    const role = { kind: "attention", of: 1, translation: 0, spoiledBy: "negated" } as const;
    const lazy = madeRun("<lazy>", [{ da: [80, 80] }, { da: [80, 80], segment: "s1", role }]);
    const study = analyseRatings([unblind(lazy)], OPTIONS);
    await writeTables(study, folder);
    const rows = RELIABILITY.at(join(folder, "reliability.csv")).read();
    const warned = new Map(rows.filter(({ warning }) => warning).map((it) => [it.measure, it]));
    assert.deepEqual([...warned.keys()], ["distinct_scores", "attention_passed"]);
    assert.deepEqual([
      warned.get("attention_passed")!.estimate,
      warned.get("distinct_scores")!.estimate,
    ], [0, 1]);
    const page = reportPage(study);
    const at = (text: string) => page.indexOf(text);
    assert.ok(at("<h2>Warnings</h2>") > 0 && at("<h2>Warnings</h2>") < at("<main>"));
    assert.ok(at("&lt;lazy&gt; failed 1 of 1 attention checks") < at("<main>"));
    assert.doesNotMatch(reportPage(STUDY), /Warnings/);
  }));

Deno.test("reportPage() answers first, in sentences; the figure of p has stars and no digits", () => {
  const items = Array.from({ length: 40 }, (_, n) => ({
    da: [90 + n % 5, 60 + n % 7, 59 + n % 9],
    document: `d${n}`,
  }));
  const study = analyseRatings([unblind(madeRun("r", items))], OPTIONS);
  assert.deepEqual(ratingAnswers(study), [
    "A is significantly better than B and C (Holm, segments).",
    "B is significantly better than no other system (Holm, segments); C does not differ significantly from B.",
    "C is significantly better than no other system (Holm, segments); B does not differ significantly from C.",
  ]);
  const page = reportPage(study);
  const first = page.indexOf("<h2>");
  assert.ok(page.slice(first).startsWith("<h2>Answer</h2>"));
  const { svg } = ratingFigures(study).pairwise_tests;
  assert.equal(svg.match(/>\*\*\*</g)?.length, 2);
  assert.doesNotMatch(svg, />0\.\d/);
  const level = analyseRatings([unblind(madeRun("r", items.slice(0, 2)))], OPTIONS);
  assert.deepEqual(ratingAnswers(level), [
    "No system is significantly better than another (Holm, segments).",
  ]);
});

Deno.test("two batches of one rater are one rater, with two rows that say which batch", () =>
  inFolder(async (folder) => {
    const batch = (name: string, from: number) => {
      const items = [0, 1, 2].map((n) => ({ da: [80 + n, 40], segment: `s${from + n}` }));
      return { ...unblind(madeRun("anna", items)), batch: name };
    };
    const ben = unblind(madeRun("ben", [{ da: [70, 30] }, { da: [90, 10] }]));
    const study = analyseRatings([batch("first", 1), ben, batch("second", 4)], OPTIONS);
    assert.match(study.title, /2 raters$/);
    assert.deepEqual([study.together.raters, study.items], [["anna", "ben"], 6]);
    await writeTables(study, folder);
    const rows = RELIABILITY.at(join(folder, "reliability.csv")).read()
      .filter(({ measure }) => measure === "mean_da");
    const who = rows.map(({ rater, batch, n }) => [rater, batch, n]);
    assert.deepEqual(who, [["anna", "first", 6], ["ben", "", 4], ["anna", "second", 6]]);
    const labels = ratingTables(study).time.rows.map(([rater]) => rater);
    assert.deepEqual(labels, ["anna, batch first", "ben", "anna, batch second"]);
    // Keys of earlier versions name no batch.
    const older = analyseRatings(
      [1, 4].map((from) => ({ ...batch("", from), batch: undefined! })),
      OPTIONS,
    );
    assert.deepEqual(older.raters.map(({ label }) => label), ["anna, batch 1", "anna, batch 2"]);
  }));

/** Four segments in two documents of two. */
const DOCUMENTS: readonly MadeItem[] = ["x", "x", "y", "y"]
  .map((document, index) => ({ da: [60 + index, 50], document }));

Deno.test("analyseRatings() takes whole documents for units wherever they are real, and names them", () => {
  const study = (items: readonly MadeItem[]) =>
    analyseRatings([unblind(madeRun("r", items))], OPTIONS);
  const { unit, units, comparison: { pairs: [pair] }, leastP } = study(DOCUMENTS);
  assert.ok(pair!.test.kind === "test");
  // Two documents' sums have one sign: 2 of 4 patterns, the smallest p that a test can give.
  assert.deepEqual([unit, units, pair!.test.p, leastP], ["document", 2, 0.5, 0.5]);
  const of = (document: (index: number) => string) =>
    study(DOCUMENTS.map(({ da }, index) => ({ da, document: document(index) }))).unit;
  assert.deepEqual([of(() => "one"), of(String)], ["segment", "segment"]);
  const options = { ...OPTIONS, cluster: "segment" } as const;
  const analysis = analyseRatings([unblind(madeRun("r", DOCUMENTS))], options);
  assert.deepEqual([analysis.unit, analysis.units], ["segment", 4]);
});

Deno.test("analyseRatings() takes no two sentences for one, whose number they have in two files", () => {
  const run = (rater: string) => unblind(madeRun(rater, DOCUMENTS));
  const [one, two] = [run("anna"), run("ben")];
  assert.equal(analyseRatings([one, two], OPTIONS).items, 4);
  assert.match(analyseRatings([one, one], OPTIONS).title, /systems, 1 rater$/);
  for (const [what, said] of [["source", "source"], ["text", "translation by"]] as const) {
    const other = two.ratings.map((rating, at) =>
      at > 0 ? rating : { ...rating, [what]: "Other." }
    );
    assert.throws(
      () => analyseRatings([one, { ...two, ratings: other }], OPTIONS),
      new RegExp(`another ${said}.* with ben than with anna`),
    );
  }
});

Deno.test("items are counted as the CSV writes them", () => {
  const again = (segment: string, da: number[]) => unblind(madeRun(segment, [{ da, segment }]));
  // A line break in a name becomes a space.
  assert.equal(analyseRatings([again("a\nb", [9, 1]), again("a b", [8, 2])], OPTIONS).items, 1);
});

Deno.test("reportPage() holds every table and figure, reaches nothing and escapes every text", () => {
  const runs = ["<b>r</b>", "other"].map((rater) => unblind(madeRun(rater, DOCUMENTS)));
  const study = analyseRatings(runs, { ...OPTIONS, title: "A & <i>B</i>", note: "simulated" });
  const page = reportPage(study);
  assert.match(page, /<h1>A &amp; &lt;i&gt;B&lt;\/i&gt;<\/h1>/);
  assert.doesNotMatch(page, /<b>r|https?:|<script/);
  assert.match(page, /default-src 'none'/);
  const figures = Object.values(ratingFigures(study));
  assert.equal(page.split("data:image/png;base64,iVBOR").length - 1, figures.length);
  for (const { svg } of figures) assert.match(svg, /2 raters \(simulated\)/);
  for (const { caption } of Object.values(ratingTables(study))) {
    assert.match(caption, /by document \(n = 2\)/);
  }
  assert.match(page, /No pair of systems can differ significantly: with 2 documents/);
});

Deno.test("writeStudy() writes what mt-metrics-eval and Appraise read, None for an unrated segment", () =>
  inFolder(async (folder) => {
    const role = { kind: "attention", of: 1, translation: 0, spoiledBy: "shuffled" } as const;
    const check: MadeItem = { da: [0, 50], segment: "s1", document: "x", role };
    const first = madeRun("one", [...DOCUMENTS.slice(0, 3), check]);
    const unrated: MadeItem = { ...DOCUMENTS[2]!, segment: "s9", committedAt: "never" };
    const [second, third] = [[81, 20], [9, 8]].map((da) => ({ da, document: "x" }));
    const other = madeRun("two", [second!, third!, unrated]);
    const runs = [unblind(first), unblind(other, { partial: true })];
    await writeStudy(analyseRatings(runs, OPTIONS), folder);
    const text = (path: string) => Deno.readTextFileSync(join(folder, path));
    const scores = text("mt-metrics-eval/human-scores/src-tgt.da.seg.score");
    // Means of 60 and 81, 61 and 9; only one rated the third.
    assert.equal(scores, "A\t70.5\nA\t35\nA\t62\nB\t35\nB\t29\nB\t50\n");
    assert.equal(text("mt-metrics-eval/documents/src-tgt.docs"), "all\tx\nall\tx\nall\ty\n");
    // Means of these: the result of `Scores("sys", "da")`.
    assert.equal(
      text("mt-metrics-eval/human-scores/src-tgt.da.sys.score"),
      `A\t${(70.5 + 35 + 62) / 3}\nB\t38\n`,
    );
    const lines = (path: string) =>
      text(path).trimEnd().split("\n").map((line) => line.split("\t"));
    for (const name of ["da", "z"]) {
      const segments = Map.groupBy(
        lines(`mt-metrics-eval/human-scores/src-tgt.${name}.seg.score`),
        ([system]) => system!,
      );
      for (
        const [system, score] of lines(`mt-metrics-eval/human-scores/src-tgt.${name}.sys.score`)
      ) {
        const segmentScores = segments.get(system!)!.map(([, it]) => Number(it));
        const mean = segmentScores.reduce((sum, it) => sum + it, 0) / segmentScores.length;
        assert.ok(Math.abs(Number(score) - mean) < 1e-12, `${name} ${system}`);
      }
    }
    assert.equal(text("mt-metrics-eval/system-outputs/src-tgt/A.txt").split("\n").length, 4);
    const rows = text("appraise.csv").trimEnd().split("\n").map((row) => row.split(","));
    assert.equal(rows.length, 12);
    const { startedAt, committedAt } = first.workbook.items[0]!.evaluation;
    const stamps = [startedAt, committedAt].map((time) => String(Date.parse(time!) / 1000));
    const [row] = rows.filter(([rater, system]) => rater === "one" && system === "A");
    assert.deepEqual(row, ["one", "A", "s1", "TGT", "src", "tgt", "60", "x", "False", ...stamps]);
    const alike = madeRun("r", [{ da: [60, 50], document: "a b" }, {
      da: [6, 5],
      document: "a/b",
    }]);
    await assert.rejects(
      writeStudy(analyseRatings([unblind(alike)], OPTIONS), join(folder, "alike")),
      /two documents have one name but for spaces and slashes/,
    );
    const kinds = rows.map((row) => row[3]).filter((kind) => kind !== "TGT");
    assert.deepEqual(kinds, ["BAD", "CHK"]);
  }));
