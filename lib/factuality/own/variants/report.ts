/** Robustness report on a user's text or a study, as JSON, CSV and tables. */
import { z } from "zod";
import { markdownTable } from "../../../figures/table.ts";
import { formatCsv, withoutFormulas } from "../../../files/csv.ts";
import { parseJson } from "../../../files/json.ts";
import type { RowOf } from "../../../files/table.ts";
import { type Measure, measureFields, shown } from "../../../stats/measure.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { type Claim, isTransient, type Passage, type Verdict, type Verifier } from "../../types.ts";
import { type DetectionOutcome, KIND_FIGURE, type KindStatistics } from "./detection.ts";
import { kindFigures, MEASURE } from "./detection.ts";
import { makeVariant } from "./make_variant.ts";
import { REPORT_ROWS } from "./tables.ts";
import { roleOf, VARIANT_KINDS, type VariantTools } from "./variant.ts";

/** A consistency figure over orders, repetitions or swaps, a row of the report. */
export const CONSISTENCY_FIGURE = z.object({
  component: z.string(),
  /** Group of cases, or the varied factor: `gender`, `k = 0 against 2`, `all`. */
  group: z.string(),
  /** Measure with its unit: `position consistency`, `variance of scores (points²)`. */
  measure: z.string(),
  /** Number of pairs, texts or portraits, the clusters of the interval. */
  n: z.number().min(0),
  value: MEASURE,
});
export type ConsistencyStatistics = Readonly<z.infer<typeof CONSISTENCY_FIGURE>>;

/** Rows of a section, or the reason for none. */
type Section<Row> =
  | { readonly kind: "rows"; readonly rows: Row[] }
  | { readonly kind: "unavailable"; readonly reason: string };

const section = <Row extends z.ZodType>(row: Row) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("rows"), rows: z.array(row).min(1) }),
    z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
  ]);

/** Schema of the report, version 1, in the order of the file's keys. */
const REPORT = z.object({
  schemaVersion: z.literal(1),
  /** Threshold of P(supported) for acceptance. */
  acceptedFrom: z.literal(0.5),
  /** Confidence level of every interval. */
  confidence: z.number(),
  /** Sentence naming a user's text that is not English. */
  foreign: z.string().optional(),
  /** Variants checked against the source of their originals. */
  perturbations: section(KIND_FIGURE),
  /** Original and variant in one text, checked against each other without a source. */
  contradictions: section(KIND_FIGURE),
  /** Contradictions as writers make them, by kind; none is made by rule or was learnt from. */
  natural: section(CONSISTENCY_FIGURE),
  orders: section(CONSISTENCY_FIGURE),
  repetitions: section(CONSISTENCY_FIGURE),
  swaps: section(CONSISTENCY_FIGURE),
});

/** The robustness report. */
export type RobustnessReport = Readonly<z.infer<typeof REPORT>>;

/** Makes a section of rows. Unavailable with the reason where there are none. */
export const sectionOf = <Row>(rows: readonly Row[], reason: string): Section<Row> =>
  rows.length === 0 ? { kind: "unavailable", reason } : { kind: "rows", rows: [...rows] };

/** Rows of a section; none where it is unavailable. */
export const sectionRows = <Row>(section: Section<Row>): readonly Row[] =>
  section.kind === "rows" ? section.rows : [];

/** Assembles the report, with figures to four decimals. */
export const robustnessReport = (
  parts: Omit<z.input<typeof REPORT>, "schemaVersion" | "acceptedFrom" | "confidence">,
): RobustnessReport =>
  REPORT.parse({ schemaVersion: 1, acceptedFrom: 0.5, confidence: 0.95, ...parts });

/** Formats the report as JSON. */
export const robustnessJson = (report: RobustnessReport) => `${JSON.stringify(report, null, 1)}\n`;

/** Parses the report from {@link robustnessJson}. @throws {SyntaxError} for other content. */
export function readRobustnessReport(text: string, file: string): RobustnessReport {
  const why = "it is no robustness report of version 1. Run deno task study robustness.";
  return parseJson(text, REPORT, () => `Cannot read ${file}: ${why}`);
}

/** Formats every figure as a CSV row. A missing value states its reason. */
export function robustnessCsv(report: RobustnessReport): string {
  const kinds = (["perturbations", "contradictions"] as const).flatMap((section) =>
    sectionRows(report[section]).flatMap((row) =>
      // A control has no matched control.
      (row.role === "control" ? OF_KIND.slice(0, 3) : OF_KIND).map(([name, measure, count]) => {
        const { component, kind: group, [name]: value, [count]: n } = row;
        return reportRow(section, { component, group, measure, n, value });
      })
    )
  );
  const others = (["natural", "orders", "repetitions", "swaps"] as const)
    .flatMap((section) => sectionRows(report[section]).map((row) => reportRow(section, row)));
  return REPORT_ROWS.format([...kinds, ...others]);
}

/** Measures of a kind as in the CSV, with the cases behind them. */
const OF_KIND = [
  ["flagged", "not accepted", "n"],
  ["flaggedGivenAccepted", "not accepted given that the original was", "originalsAccepted"],
  ["calledRefuted", "called refuted of those not accepted", "labelled"],
  ["difference", "detection minus false alarm", "originalsAccepted"],
  ["dPrime", "d′", "originalsAccepted"],
] as const;

function reportRow(
  section: string,
  { value, ...row }: ConsistencyStatistics,
): RowOf<typeof REPORT_ROWS> {
  const [component, group, measure] = [row.component, row.group, row.measure].map(withoutFormulas);
  const named = { section, component: component!, group: group!, measure: measure!, n: row.n };
  const unavailable = "reason" in value ? value.reason ?? "" : "";
  return { ...named, ...measureFields(value), unavailable };
}

const percent = (measure: Measure) => shown(measure, "percent", { reasons: true });

/** Table of detection, false alarm and their difference by kind, for one component. */
export function detectionTable(figures: readonly KindStatistics[], component: string): string {
  const rows = figures.filter((one) => one.component === component && one.role === "perturbation");
  const columns = "perturbation|seen in training|original accepted|detected (%)|control|" +
    "false alarm (%)|difference (points)";
  return markdownTable(
    columns.split("|"),
    rows.map(({ kind, seenInTraining, n, originalsAccepted, against, ...one }) => {
      const shares = [percent(one.falseAlarm), percent(one.difference)];
      const detected = percent(one.flaggedGivenAccepted);
      return [kind, seenInTraining, `${originalsAccepted} of ${n}`, detected, against, ...shares];
    }),
  );
}

/** Table of false alarms by kind of control, for one component. */
export function controlTable(figures: readonly KindStatistics[], component: string): string {
  const rows = figures.filter((one) => one.component === component && one.role === "control");
  return markdownTable(
    ["control", "seen in training", "cases", "original accepted", "false alarm (%)"],
    rows.map((
      { kind, seenInTraining, n, originalsAccepted, flaggedGivenAccepted },
    ) => [kind, seenInTraining, n, originalsAccepted, percent(flaggedGivenAccepted)]),
  );
}

/** Table of all perturbations against all controls, one component per row. */
export function overallTable(figures: readonly KindStatistics[]): string {
  const columns = "component|detected, all (%)|original accepted|detected (%)|" +
    "false alarm (%)|difference (points)|d′";
  return markdownTable(
    columns.split("|"),
    figures.filter(({ kind }) => kind === "all perturbations").map((one) => {
      const shares = [one.flaggedGivenAccepted, one.falseAlarm, one.difference].map(percent);
      const dPrime = shown(one.dPrime, "decimal", { reasons: true });
      const { component, n, originalsAccepted } = one;
      const accepted = `${originalsAccepted} of ${n}`;
      return [component, percent(one.flagged), accepted, ...shares, dPrime];
    }),
  );
}

/** A variant of a claim in a user's text, with both verdicts. */
type UserVariant = Awaited<ReturnType<typeof userVariants>>["variants"][number];

/**
 * Makes every kind of variant of every supported claim. The truth of others is unknown. `accepted`
 * counts these claims; `lost` states failures of the verifier that may pass.
 */
export async function userVariants(
  claims: readonly Claim[],
  { verifier, passages, tools, random, signal }: {
    readonly verifier: Verifier;
    readonly passages: readonly Passage[];
    readonly tools: VariantTools;
    readonly random: RandomSource;
    readonly signal?: AbortSignal;
  },
) {
  const options = signal ? { signal } : {};
  const verdicts = await verifier.verify(claims.map(({ text }) => text), passages, options);
  const made = claims.flatMap(({ id: base, text: original }, index) => {
    const before = verdicts[index]!;
    if (before.kind !== "scored" || before.label !== "supported") return [];
    return VARIANT_KINDS.flatMap((kind) => {
      const variant = makeVariant(kind, original, tools, random);
      if (variant === undefined) return [];
      const { text: changed, from, to } = variant;
      return [{ id: `${base}/${kind}`, base, kind, original, changed, from, to, before }];
    });
  });
  const after = await verifier.verify(made.map(({ changed }) => changed), passages, options);
  const lost = [...verdicts, ...after].flatMap((verdict) =>
    verdict.kind === "unscored" && isTransient(verdict.reason) ? [verdict.message] : []
  );
  const accepted = verdicts.filter((one) => one.kind === "scored" && one.label === "supported");
  const variants = made.map((one, index) => ({ ...one, after: after[index]! }));
  return { variants, accepted: accepted.length, lost };
}

const verdictOf = (verdict: Verdict) =>
  verdict.kind === "scored"
    ? [verdict.label, Number(verdict.probabilities.supported.toFixed(4))]
    : [verdict.reason, ""];

/** Formats the variants with their verdicts as CSV. A missing probability is empty. */
export function userVariantsCsv(variants: readonly UserVariant[]): string {
  const columns = ("id kind role original changed from to verdict_before supported_before " +
    "verdict_after supported_after").split(" ");
  const rows = variants.map(({ id, kind, before, after, ...one }) => {
    const texts = [one.original, one.changed, one.from, one.to].map(withoutFormulas);
    return [
      withoutFormulas(id),
      kind,
      roleOf(kind),
      ...texts,
      ...verdictOf(before),
      ...verdictOf(after),
    ];
  });
  return formatCsv(
    columns,
    rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!]))),
  );
}

/** Detection and false alarm on a user's text, with intervals by claim. */
export function userTextReport(
  component: string,
  variants: readonly UserVariant[],
  foreign?: string,
): RobustnessReport {
  const outcomes = variants.map(({ kind, base, after }): DetectionOutcome => ({
    component,
    kind,
    cluster: base,
    originalAccepted: true,
    flagged: after.kind === "scored" ? after.probabilities.supported < 0.5 : undefined,
    verdict: after.kind === "scored" ? after.label : undefined,
  }));
  const ofStudy = sectionOf([], "measured on the study's texts; run deno task study robustness");
  return robustnessReport({
    ...foreign !== undefined && { foreign },
    perturbations: sectionOf(kindFigures(outcomes), "no claim was accepted and changed"),
    contradictions: ofStudy,
    natural: ofStudy,
    orders: ofStudy,
    repetitions: ofStudy,
    swaps: ofStudy,
  });
}
