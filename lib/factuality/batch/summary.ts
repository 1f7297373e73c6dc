import { median, quantile } from "simple-statistics";
import { markdownTable } from "../../figures/table.ts";
import { firstThree } from "../../files/progress.ts";
import { mean as meanMeasure, type Measure, shown, statistic } from "../../stats/measure.ts";
import { agreementBand } from "../../stats/agreement.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { MeasuredVerifier } from "../metrics/profile.ts";
import {
  countedClaims,
  escapedMarkdown,
  percent,
  scoredAccuracy,
  verdictCounts,
} from "../report/words.ts";
import { type Evaluation, VERDICT_LABELS } from "../types.ts";
import type { unsupportedShares } from "./claim_labels.ts";
import {
  accuracyByKind,
  componentsByKind,
  evaluationsBySystem,
  judgeAgreement,
  type LabelLookup,
} from "./systems.ts";

/** Summary of a batch. */
export type BatchSummary = ReturnType<typeof batchSummary>;

const BINS = 10;

/**
 * Summarises a batch; the random source is for the medians' intervals. @param passedOver Number of
 * input lines that were no requests. `truthOf` returns human labels; `corrected` is the share of
 * unsupported claims according to them. `measuredVerifier` looks up a verifier's accuracy, without
 * which κ is undefined.
 */
export function batchSummary(
  evaluations: readonly Evaluation[],
  { requests, passedOver }: { readonly requests: number; readonly passedOver: number },
  random: RandomSource,
  { truthOf = () => undefined, corrected, measuredVerifier }: {
    readonly truthOf?: LabelLookup;
    readonly corrected?: ReturnType<typeof unsupportedShares>;
    readonly measuredVerifier?: MeasuredVerifier | undefined;
  } = {},
) {
  const scores = evaluations.map((one) => scoredAccuracy(one)?.score);
  const shares = evaluations.map(supportedShareOf);
  const named = evaluations.filter(({ request }) => request.system !== undefined);
  const failed = evaluations.filter((one) => one.failed.length > 0);
  return {
    requests,
    passedOver,
    evaluated: evaluations.length - failed.length,
    /** Partly failed requests, which will be retried. */
    incomplete: failed.map(({ request: { id }, failed }) => ({ id, failed })),
    missing: requests - evaluations.length,
    /** Number of requests whose text or source is not English. */
    foreign: evaluations.filter(({ foreign }) => foreign !== undefined).length,
    /** Distribution of the judges' combined score, 0–100. */
    factualAccuracy: distribution(scores, 100, random),
    /**
     * Distribution of the share of supported claims (0–1), among claims with a verdict or
     * unverifiable.
     */
    supportedShare: distribution(shares, 1, random),
    claims: verdictCounts(evaluations.flatMap(({ claims }) => claims)),
    corrected,
    /** Results by system, where the batch names systems. */
    systems: evaluationsBySystem(named, "").map(([system, texts]) => ({
      system,
      texts: texts.length,
      claims: verdictCounts(texts.flatMap(({ claims }) => claims)),
      supportedShare: distribution(texts.map(supportedShareOf), 1, random),
    })),
    components: componentsByKind(evaluations, truthOf, measuredVerifier),
    judges: judgeAgreement(evaluations),
    rightByKind: accuracyByKind(evaluations, truthOf),
  };
}

function supportedShareOf(evaluation: Evaluation): number | undefined {
  const known = countedClaims(evaluation).length;
  return known === 0 ? undefined : verdictCounts(evaluation.claims).supported / known;
}

type Distribution = ReturnType<typeof distribution>;

/**
 * Distribution of values between 0 and `most` over requests. Undefined values are counted and
 * excluded. Mean and median have 95 % intervals by request; deciles are interpolated (R's type 7);
 * ten equal bins, the last including its `high`. @throws {RangeError} for a value outside.
 */
export function distribution(
  values: readonly (number | undefined)[],
  most: number,
  random: RandomSource,
) {
  const known = values.filter((value) => value !== undefined);
  const wrong = known.find((value) => !(value >= 0 && value <= most));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot sum up: ${wrong} is not between 0 and ${most}.`);
  }
  const items = known.map((value, index) => ({ cluster: String(index), value }));
  const bounds = [0, most] as const;
  const tenths = Array.from({ length: 11 }, (_, tenth) => tenth / 10);
  const binOf = (value: number) => Math.min(BINS - 1, Math.floor((value / most) * BINS));
  return {
    scored: known.length,
    unscored: values.length - known.length,
    mean: meanMeasure(items, bounds),
    median: statistic(items, (drawn) => median([...drawn]), { bounds, random }),
    deciles: known.length === 0 ? [] : tenths.map((p) => quantile([...known], p)),
    histogram: Array.from({ length: BINS }, (_, bin) => ({
      low: (bin * most) / BINS,
      high: ((bin + 1) * most) / BINS,
      n: known.filter((value) => binOf(value) === bin).length,
    })),
  };
}

/** Groups failed requests by failure. */
export const failuresByReason = (incomplete: BatchSummary["incomplete"]) =>
  [...Map.groupBy(incomplete, ({ failed }) => failed.join(" "))]
    .map(([words, alike]) => ({ words, ids: alike.map(({ id }) => id) }));

/** Statuses counted among checkable claims. */
const COUNTED_STATUSES = [...VERDICT_LABELS, "disputed", "unverifiable", "unscored"] as const;

/** Sentence on the share of unsupported claims, raw and corrected by human labels. */
export function correctedSentence({ corrected: shares }: BatchSummary): string {
  if (shares === undefined) return "";
  const { claims, labelled, byVerifier, corrected } = shares;
  if (labelled === 0) return "No label is filled in: the rate cannot be corrected.";
  const [raw, correctedShare] = [byVerifier, corrected].map((share) => figureWords(share, 2));
  return `Share of unsupported claims (n = ${claims}): ${raw} by the verifier alone, ` +
    `${correctedShare} corrected by ${labelled} labels.`;
}

/** Summary in sentences, the main result first. */
export function summarySentences(summary: BatchSummary): readonly string[] {
  const { requests, evaluated, missing, incomplete, passedOver, foreign } = summary;
  const { claims, supportedShare } = summary;
  const checkable = Object.values(claims).reduce((sum, n) => sum + n, 0) - claims["not checkable"];
  const counts = COUNTED_STATUSES.map((status) =>
    `${claims[status]} ${status === "unscored" ? "not scored" : status}`
  );
  const { mean, scored, deciles } = supportedShare;
  const share = mean.kind === "interval"
    ? `${shown(mean, "percent")} % on average`
    : scored === 1
    ? `${percent(deciles[0]!)}, of one text`
    : `unknown (${"reason" in mean ? mean.reason : "no interval"})`;
  return [
    `Of ${checkable} checkable claims the verifier finds ${counts.join(", ")}; ` +
    `the share of a text that is supported is ${share}.`,
    ...summary.corrected === undefined ? [] : [correctedSentence(summary)],
    ...foreign === 0 ? [] : [
      `Text or source of ${foreign} are not in English: do not rely on what is said of them; profiles leave them out.`,
    ],
    `${evaluated} of ${requests} requests are evaluated.`,
    ...missing === 0 ? [] : [`${missing} have no result; why, where they failed: failures.jsonl.`],
    ...incomplete.length === 0
      ? []
      : [`Of ${incomplete.length} a part failed: the same command asks them again.`],
    ...passedOver === 0 ? [] : [`Lines of the input that were skipped: ${passedOver}.`],
  ];
}

/** A titled table of a report. */
interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | undefined)[])[];
}

const notMeaningful = (byChance: readonly string[]) =>
  `not meaningful, for not measured above chance: ${byChance.join(", ")}`;

const DIFFERENCE = "verifier less judge [95 %]";
const SHARE_OF_TEXT = "share supported of a text [95 %]";

/** Figures of a batch as tables; empty ones are omitted. */
export function summaryTables(summary: BatchSummary): readonly ReportTable[] {
  const { factualAccuracy, supportedShare, claims, incomplete, systems, components } = summary;
  const rounded = (value: number | undefined, digits: number) => value?.toFixed(digits);
  return [
    {
      title: "What failed",
      columns: ["requests", "n", "what failed"],
      rows: failuresByReason(incomplete).map((
        { ids, words },
      ) => [firstThree(ids), ids.length, words]),
    },
    {
      title: "Systems, by the verifier's word",
      columns: [
        ...["system", "texts", ...VERDICT_LABELS, "disputed", "unverifiable", "not scored"],
        SHARE_OF_TEXT,
      ],
      rows: systems.map(({ system, texts, claims, supportedShare }) => [
        system,
        texts,
        ...COUNTED_STATUSES.map((status) => claims[status]),
        figureWords(supportedShare.mean, 2),
      ]),
    },
    {
      title: "Figures",
      columns: ["figure", "scored", "unscored", "mean [95 %]", "median [95 %]", "deciles"],
      rows: [
        row("factual accuracy by the judges, 0–100", factualAccuracy, 1),
        row("share of claims supported, 0–1", supportedShare, 2),
      ],
    },
    { title: "Distribution of factual accuracy", ...histogram(factualAccuracy, 0) },
    { title: "Distribution of the share supported", ...histogram(supportedShare, 1) },
    { title: "Claims", columns: ["verdict", "claims"], rows: Object.entries(claims) },
    {
      title: "Verifier and judges by kind of claim",
      columns: [
        ...["component", "kind", "claims", "share supported", "mean confidence", "s a claim"],
        ...["agrees with the verifier", "by chance", "Cohen's κ", "labelled", "right of these"],
      ],
      rows: components.map((one) => [
        one.component,
        one.kind,
        one.claims,
        rounded(one.supported, 2),
        rounded(one.confidence, 2),
        rounded(one.seconds, 2),
        one.agreement === undefined
          ? undefined
          : `${rounded(one.agreement, 2)} of ${one.comparedWithVerifier}`,
        rounded(one.expectedAgreement, 2),
        one.byChance.length > 0
          ? notMeaningful(one.byChance)
          : one.kappa?.toFixed(2).concat(` (${agreementBand(one.kappa)})`),
        one.labelled,
        rounded(one.right, 2),
      ]),
    },
    {
      title: "Who is right more often, by kind of claim",
      columns: ["kind", "judge", "labelled", "verifier right", "judge right", DIFFERENCE, "who"],
      rows: summary.rightByKind.map((one) => [
        one.kind,
        one.judge,
        one.n,
        rounded(one.verifier, 2),
        rounded(one.judged, 2),
        figureWords(one.difference, 2),
        one.better ?? "no difference shown",
      ]),
    },
    {
      title: "Judges with each other",
      columns: ["first", "second", "of", "n", "agree", "by chance", "Cohen's κ"],
      rows: summary.judges.map((one) => [
        one.first,
        one.second,
        one.of,
        one.n,
        rounded(one.agreement, 2),
        rounded(one.expectedAgreement, 2),
        one.byChance.length > 0
          ? notMeaningful(one.byChance)
          : one.kappa?.toFixed(2).concat(` (${agreementBand(one.kappa)})`),
      ]),
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** Formats the summary of a batch as a report. */
export const summaryMarkdown = (summary: BatchSummary): string =>
  [
    "# Factuality evaluation: batch",
    summarySentences(summary).join(" "),
    ...summaryTables(summary).map(({ title, columns, rows }) =>
      `## ${title}\n\n${markdownTable(columns, rows.map(plainCells))}`
    ),
  ].join("\n\n") + "\n";

const plainCells = (row: ReportTable["rows"][number]) =>
  row.map((cell) => typeof cell === "string" ? escapedMarkdown(cell) : cell);

const figureWords = (measure: Measure, digits: number) => shown(measure, digits, { reasons: true });

function row(figure: string, distribution: Distribution, digits: number) {
  const deciles = distribution.deciles.map((value) => value.toFixed(digits)).join(" ");
  const [mean, median] = [distribution.mean, distribution.median].map((one) =>
    figureWords(one, digits)
  );
  return [figure, distribution.scored, distribution.unscored, mean, median, deciles];
}

const histogram = ({ histogram, scored }: Distribution, digits: number) => ({
  columns: ["from–to", "requests"],
  rows: scored === 0
    ? []
    : histogram.map(({ low, high, n }) => [`${low.toFixed(digits)}–${high.toFixed(digits)}`, n]),
});
