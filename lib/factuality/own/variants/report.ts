/** The report on changed texts: a user's own, or every experiment of a study, as JSON, CSV and tables. */
import { z } from "zod";
import { markdownTable } from "../../../figures/table.ts";
import { formatCsv, withoutFormulas } from "../../../files/csv.ts";
import { parseJson } from "../../../files/json.ts";
import type { RowOf } from "../../../files/table.ts";
import { type Measure, measureFields, shown } from "../../../stats/measure.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { type Claim, mayPass, type Passage, type Verdict, type Verifier } from "../../types.ts";
import { type DetectionOutcome, KIND_FIGURE, type KindStatistics } from "./detection.ts";
import { kindFigures, MEASURE } from "./detection.ts";
import { makeVariant } from "./make_variant.ts";
import { REPORT_ROWS } from "./tables.ts";
import { roleOf, VARIANT_KINDS, type VariantTools } from "./variant.ts";

/** One figure of how steady a component is: over orders, repetitions or swaps. A row of the report. */
export const CONSISTENCY_FIGURE = z.object({
  component: z.string(),
  /** What was varied, or which cases: `gender`, `k = 0 against 2`, `all`. */
  group: z.string(),
  /** What is measured, with its unit: `position consistency`, `variance of scores (points²)`. */
  measure: z.string(),
  /** What the figure rests on: pairs, texts, portraits; the clusters of its interval. */
  n: z.number().min(0),
  value: MEASURE,
});
export type ConsistencyStatistics = Readonly<z.infer<typeof CONSISTENCY_FIGURE>>;

/** What a section holds, or why it holds nothing. */
type Section<Row> =
  | { readonly kind: "rows"; readonly rows: Row[] }
  | { readonly kind: "unavailable"; readonly reason: string };

const section = <Row extends z.ZodType>(row: Row) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("rows"), rows: z.array(row).min(1) }),
    z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
  ]);

/** Version 1, in the order of the file's keys. */
const REPORT = z.object({
  schemaVersion: z.literal(1),
  /** P(supported) from which on a claim counts as accepted. */
  acceptedFrom: z.literal(0.5),
  /** Of every interval. */
  confidence: z.number(),
  /** Which of one's own texts is not English, as a sentence. */
  foreign: z.string().optional(),
  /** Variants against the source that their originals are true of. */
  perturbations: section(KIND_FIGURE),
  /** Original and variant in one text, read against one another without any source. */
  contradictions: section(KIND_FIGURE),
  orders: section(CONSISTENCY_FIGURE),
  repetitions: section(CONSISTENCY_FIGURE),
  swaps: section(CONSISTENCY_FIGURE),
});

/** The report as it is kept. */
export type RobustnessReport = Readonly<z.infer<typeof REPORT>>;

/** A section of these rows; without any it is unavailable for the reason. */
export const sectionOf = <Row>(rows: readonly Row[], reason: string): Section<Row> =>
  rows.length === 0 ? { kind: "unavailable", reason } : { kind: "rows", rows: [...rows] };

/** What a section holds; none where it is unavailable. */
export const sectionRows = <Row>(section: Section<Row>): readonly Row[] =>
  section.kind === "rows" ? section.rows : [];

/** The parts as one report, figures with four decimals. */
export const robustnessReport = (
  parts: Omit<z.input<typeof REPORT>, "schemaVersion" | "acceptedFrom" | "confidence">,
): RobustnessReport =>
  REPORT.parse({ schemaVersion: 1, acceptedFrom: 0.5, confidence: 0.95, ...parts });

/** The report as JSON text. */
export const robustnessJson = (report: RobustnessReport) => `${JSON.stringify(report, null, 1)}\n`;

/** The report of {@link robustnessJson}. @throws {SyntaxError} for what is none. */
export function readRobustnessReport(text: string, file: string): RobustnessReport {
  const why = "it is no robustness report of version 1. Run deno task study robustness.";
  return parseJson(text, REPORT, () => `Cannot read ${file}: ${why}`);
}

/** Every figure of the report, one a row; what could not be computed says why. */
export function robustnessCsv(report: RobustnessReport): string {
  const kinds = (["perturbations", "contradictions"] as const).flatMap((section) =>
    sectionRows(report[section]).flatMap((row) =>
      // A control has nothing to be compared with.
      (row.role === "control" ? OF_KIND.slice(0, 3) : OF_KIND).map(([name, measure, count]) => {
        const { component, kind: group, [name]: value, [count]: n } = row;
        return reportRow(section, { component, group, measure, n, value });
      })
    )
  );
  const others = (["orders", "repetitions", "swaps"] as const)
    .flatMap((section) => sectionRows(report[section]).map((row) => reportRow(section, row)));
  return REPORT_ROWS.format([...kinds, ...others]);
}

/** Measures of a kind as they are named in the CSV, and the cases that each rests on. */
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

/** Detection, false alarm and their difference by kind of perturbation, for one component. */
export function detectionTable(figures: readonly KindStatistics[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "perturbation");
  const columns = "perturbation|seen in training|cases|original accepted|detected (%)|control|" +
    "false alarm (%)|difference (points)|d′";
  return markdownTable(
    columns.split("|"),
    own.map(({ kind, seenInTraining, n, originalsAccepted, against, ...one }) => {
      const shares = [percent(one.falseAlarm), percent(one.difference)];
      const detected = percent(one.flaggedGivenAccepted);
      const dPrime = shown(one.dPrime, "decimal", { reasons: true });
      return [kind, seenInTraining, n, originalsAccepted, detected, against, ...shares, dPrime];
    }),
  );
}

/** False alarms by kind of control, for one component. */
export function controlTable(figures: readonly KindStatistics[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "control");
  return markdownTable(
    ["control", "seen in training", "cases", "original accepted", "false alarm (%)"],
    own.map((
      { kind, seenInTraining, n, originalsAccepted, flaggedGivenAccepted },
    ) => [kind, seenInTraining, n, originalsAccepted, percent(flaggedGivenAccepted)]),
  );
}

/** All perturbations against all controls, a component a row. */
export function overallTable(figures: readonly KindStatistics[]): string {
  const columns = "component|perturbed|detected, all (%)|original accepted|detected (%)|" +
    "false alarm (%)|difference (points)|d′";
  return markdownTable(
    columns.split("|"),
    figures.filter(({ kind }) => kind === "all perturbations").map((one) => {
      const shares = [one.flaggedGivenAccepted, one.falseAlarm, one.difference].map(percent);
      const dPrime = shown(one.dPrime, "decimal", { reasons: true });
      const { component, n, originalsAccepted } = one;
      return [component, n, percent(one.flagged), originalsAccepted, ...shares, dPrime];
    }),
  );
}

/** A variant of a claim of somebody's own text, with the verdicts before and after. */
type OwnVariant = Awaited<ReturnType<typeof ownVariants>>["variants"][number];

/**
 * Every kind's variant of every claim found supported: of others nobody knows if they are true. `accepted`
 * counts these claims; `lost` says what kept the verifier from a verdict that may come another time.
 */
export async function ownVariants(
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
    verdict.kind === "unscored" && mayPass(verdict.reason) ? [verdict.message] : []
  );
  const accepted = verdicts.filter((one) => one.kind === "scored" && one.label === "supported");
  const variants = made.map((one, index) => ({ ...one, after: after[index]! }));
  return { variants, accepted: accepted.length, lost };
}

const verdictOf = (verdict: Verdict) =>
  verdict.kind === "scored"
    ? [verdict.label, Number(verdict.probabilities.supported.toFixed(4))]
    : [verdict.reason, ""];

/** The variants with their verdicts as CSV; a probability is empty where there is none. */
export function ownVariantsCsv(variants: readonly OwnVariant[]): string {
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

/** Detection and false alarm on the text; intervals are by claim. */
export function ownTextReport(
  component: string,
  variants: readonly OwnVariant[],
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
    orders: ofStudy,
    repetitions: ofStudy,
    swaps: ofStudy,
  });
}
