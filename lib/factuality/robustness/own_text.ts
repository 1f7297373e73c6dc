/** Every kind of change made to the claims of somebody's own text, each variant checked. */
import { formatCsv, inertText } from "../../files/csv.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Claim, Passage, Verdict, Verifier } from "../types.ts";
import { makeVariant } from "./cases.ts";
import { type DetectionOutcome, kindFigures } from "./detection.ts";
import { type RobustnessReport, robustnessReport, sectionOf } from "./report.ts";
import { roleOf, VARIANT_KINDS, type VariantKind, type VariantTools } from "./variant.ts";

/** A variant of a claim of somebody's own text, with the verdicts before and after. */
export interface OwnVariant {
  readonly id: string;
  /** Id of the claim that was changed. */
  readonly base: string;
  readonly kind: VariantKind;
  readonly original: string;
  readonly changed: string;
  readonly from: string;
  readonly to: string;
  readonly before: Verdict;
  readonly after: Verdict;
}

/**
 * Every kind's variant of every claim that the verifier finds supported: of others nobody knows
 * whether they are true.
 * @throws the signal's reason when it aborts.
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
): Promise<readonly OwnVariant[]> {
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
  return made.map((one, index) => ({ ...one, after: after[index]! }));
}

const labelIn = (verdict: Verdict) => verdict.kind === "scored" ? verdict.label : verdict.reason;
const supportIn = (verdict: Verdict) =>
  verdict.kind === "scored" ? Number(verdict.probabilities.supported.toFixed(4)) : "";

const COLUMNS: Readonly<Record<string, (variant: OwnVariant) => string | number>> = {
  id: ({ id }) => inertText(id),
  kind: ({ kind }) => kind,
  role: ({ kind }) => roleOf(kind),
  original: ({ original }) => inertText(original),
  changed: ({ changed }) => inertText(changed),
  from: ({ from }) => inertText(from),
  to: ({ to }) => inertText(to),
  verdict_before: ({ before }) => labelIn(before),
  supported_before: ({ before }) => supportIn(before),
  verdict_after: ({ after }) => labelIn(after),
  supported_after: ({ after }) => supportIn(after),
};

/** The variants with their verdicts as CSV; a probability is empty where there is none. */
export function ownVariantsCsv(variants: readonly OwnVariant[]): string {
  const columns = Object.entries(COLUMNS);
  return formatCsv(
    Object.keys(COLUMNS),
    variants.map((one) => Object.fromEntries(columns.map(([name, value]) => [name, value(one)]))),
  );
}

/** Detection and false alarm on the text; intervals resample its claims. */
export function ownTextReport(
  component: string,
  variants: readonly OwnVariant[],
  random: RandomSource,
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
    perturbations: sectionOf(kindFigures(outcomes, random), "no claim was accepted and changed"),
    contradictions: ofStudy,
    orders: ofStudy,
    repetitions: ofStudy,
    swaps: ofStudy,
  });
}
