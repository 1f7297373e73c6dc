/** Ratings in the forms that other tools of the field read. */
import { formatCsvRow, inertText } from "../../files/csv.ts";
import type { RatingAnalysis } from "./analyse.ts";
import { average, groupedBy, itemKey, standardised } from "./estimate.ts";
import type { SystemRating } from "./ratings.ts";

/** A name as one word: white space and slashes would part a line or a path. */
const word = (name: string) => name.trim().replace(/[\s/\\]+/gu, "_");
const line = (text: string) => `${text.replace(/\s+/gu, " ")}\n`;

/**
 * Texts by path: an evaluation set of mt-metrics-eval (version 2, "File organization and naming
 * convention" of its README). `human-scores/SRC-TGT.da.seg.score` has a block a system, a line a
 * segment, `system<TAB>score`: the mean over raters, `None` where nobody rated; `z` of scores
 * standardised per rater. Segments of a document stand together. Throws RangeError where two systems'
 * names are one word.
 */
export function metricsEvalFiles(
  { runs, config, comparison }: Pick<RatingAnalysis, "runs" | "config" | "comparison">,
): ReadonlyMap<string, string> {
  const { sourceLanguage = "src", targetLanguage = "tgt" } = config;
  const pair = `${sourceLanguage}-${targetLanguage}`;
  const items = groupedBy(standardised(runs), itemKey);
  const ordered = [...Map.groupBy(items, ({ document }) => document).values()].flat();
  const systems = comparison.systems.map(({ system }) => system).sort();
  if (new Set(systems.map(word)).size < systems.length) {
    throw new RangeError("Cannot export: two systems have one name but for spaces and slashes.");
  }
  type Rating = typeof items[number]["value"][number];
  const scores = (figure: (rating: Rating) => number | undefined) =>
    systems.flatMap((system) =>
      ordered.map(({ value }) => {
        const own = value.filter((rating) => rating.system === system).map(figure);
        return `${word(system)}\t${average(own.filter((it) => it !== undefined)) ?? "None"}\n`;
      })
    ).join("");
  const texts = (of: (own: readonly Rating[]) => string | undefined) =>
    ordered.map(({ value }) => line(of(value) ?? "")).join("");
  return new Map([
    [`sources/${pair}.txt`, texts(([first]) => first!.source)],
    [`documents/${pair}.docs`, ordered.map(({ document }) => `all\t${word(document)}\n`).join("")],
    ...systems.map((system) =>
      [
        `system-outputs/${pair}/${word(system)}.txt`,
        texts((own) => own.find((rating) => rating.system === system)?.text),
      ] as const
    ),
    [`human-scores/${pair}.da.seg.score`, scores(({ da }) => da)],
    [`human-scores/${pair}.z.seg.score`, scores(({ z }) => z)],
  ].map(([path, text]) => [`mt-metrics-eval/${path}`, text!]));
}

/**
 * The CSV of Appraise's document tasks (`ExportSystemScoresToCSV`), which has no headings: annotator,
 * system, segment, kind, source and target language, score, document, whether the score is the
 * document's, and when the item was opened and confirmed, in seconds of Unix time. A repeat is `CHK`,
 * as is an attention check but for its spoiled text, `BAD`; all else is `TGT`.
 */
export function appraiseCsv({ runs, config }: Pick<RatingAnalysis, "runs" | "config">): string {
  const { sourceLanguage = "src", targetLanguage = "tgt" } = config;
  const kindOf = ({ role, spoiled_by }: SystemRating) =>
    role === "rated" ? "TGT" : spoiled_by === undefined ? "CHK" : "BAD";
  const seconds = (time: string) => time === "" ? "" : Date.parse(time) / 1000;
  return runs.flatMap(({ ratings }) => ratings).map((rating) => {
    const cells = {
      annotator: inertText(rating.rater),
      system: inertText(rating.system),
      segment: inertText(rating.segment),
      kind: kindOf(rating),
      source: sourceLanguage,
      target: targetLanguage,
      score: rating.da,
      document: inertText(rating.document),
      isDocument: false,
      opened: seconds(rating.started_at),
      confirmed: seconds(rating.committed_at),
    };
    return formatCsvRow(Object.keys(cells) as (keyof typeof cells)[], cells);
  }).join("");
}
