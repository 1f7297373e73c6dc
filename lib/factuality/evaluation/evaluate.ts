import type { Claim } from "../claims/claim.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import { isAtChance } from "../judges/aggregate.ts";
import type { EvaluationComponents } from "./components.ts";
import { configurationOf } from "./configuration_of.ts";
import { disagreements } from "./disagreements.ts";
import type { Evaluation, EvaluationMode, EvaluationRequest } from "./evaluation.ts";
import { judgeCandidate } from "./judge_candidate.ts";
import type { VerifiedClaim } from "./judge_tasks.ts";
import { openProblemLog } from "./problem_log.ts";
import { type Lookup, retrievePassages } from "./retrieve_passages.ts";
import { type EvaluationClock, orElse, type Run } from "./run.ts";
import { type EvaluationStage, openStages, type Stages } from "./stages.ts";
import { unsupportedClaims } from "./unsupported_claims.ts";
import { verifyClaims } from "./verify_claims.ts";
import { internalConsistency } from "./zero_retrieval.ts";

export type { EvaluationComponents } from "./components.ts";

/** What an evaluation is given beside its components. */
export interface EvaluateOptions {
  readonly clock: EvaluationClock;
  readonly signal?: AbortSignal;
  /** Told as each stage begins. */
  readonly onStage?: (stage: EvaluationStage) => void;
}

/**
 * Evaluates one candidate: claims, passages, the verifier's verdicts, the judges, shown these, and
 * their scores together. What a component fails at is unscored with the reason, is told among the
 * problems, and stops no other. Without source and knowledge base the claims are read against one
 * another, and nothing external is consulted.
 * @throws the signal's reason when it aborts.
 */
export async function evaluate(
  request: EvaluationRequest,
  components: EvaluationComponents,
  { clock, signal, onStage = () => {} }: EvaluateOptions,
): Promise<Evaluation> {
  const startedAt = clock.now().toISOString();
  const stages = openStages(clock, signal, onStage);
  const run = openRun(request, components, { clock, signal });
  const { claims, dropped } = await stages.run("splitting", () => splitCandidate(run));
  const verified = await lookedUpAndVerified(run, stages, claims);
  const mode = modeOf(request, verified, components);
  const consistency = await stages.run("consistency", () => readByItself(run, mode, claims));
  const judged = await stages.run("judging", () => judgeCandidate(run, verified));
  const contradictions = consistency?.contradictions ?? [];
  const detected = { ...judged, contradictions, weightless: weightless(components) };
  onStage("report");
  return {
    schemaVersion: 1,
    request,
    mode,
    ...judged,
    droppedClaims: dropped,
    unsupported: unsupportedClaims(detected),
    consistency,
    disagreements: disagreements(judged.claims, judged.criteria),
    problems: run.problems.sentences,
    configuration: configurationOf(components),
    startedAt,
    milliseconds: timesOf(stages),
  };
}

/** The run begins with the problems that are known of its components. */
function openRun(
  request: EvaluationRequest,
  components: EvaluationComponents,
  { clock, signal }: Pick<EvaluateOptions, "clock" | "signal">,
): Run {
  const known = [...components.problems, components.retrieverProblem ?? ""].filter(Boolean);
  return { request, components, clock, signal, problems: openProblemLog(known) };
}

function splitCandidate(run: Run) {
  const { components: { splitter }, request, signal } = run;
  return orElse(
    run,
    `The splitter ${splitter.name}`,
    () => splitter.split(request.candidate, { signal }),
    () => ({ claims: [], dropped: [] }),
  );
}

async function lookedUpAndVerified(
  run: Run,
  stages: Stages,
  claims: readonly Claim[],
): Promise<readonly VerifiedClaim[]> {
  const lookups = await stages.run("retrieval", () => retrievePassages(run, claims));
  const verdicts = await stages.run("verification", () => verifyClaims(run, claims, lookups));
  return claims.map((claim, index) => verifiedClaim(claim, lookups[index]!, verdicts[index]!));
}

function verifiedClaim(claim: Claim, lookup: Lookup, verdict: Verdict): VerifiedClaim {
  return { claim, ...lookup, verdict, unverifiable: isUnverifiable(lookup, verdict) };
}

/** Nothing in the knowledge base, and the source text does not decide it either. */
function isUnverifiable({ retrieval }: Lookup, verdict: Verdict): boolean {
  if (retrieval.status !== "nothing found") return false;
  return verdict.kind === "scored"
    ? verdict.label === "not enough info"
    : verdict.reason === "no evidence";
}

/** The knowledge base counts where it has answered, if only that it has nothing. */
function modeOf(
  { source }: EvaluationRequest,
  lookups: readonly Lookup[],
  { retriever }: EvaluationComponents,
): EvaluationMode {
  const answered = retriever !== undefined &&
    lookups.some(({ retrieval: { status } }) => status === "found" || status === "nothing found");
  if (source.trim() === "") return answered ? "retrieval" : "zero retrieval";
  return answered ? "source and retrieval" : "source";
}

async function readByItself(run: Run, mode: EvaluationMode, claims: readonly Claim[]) {
  const { consistency } = run.components;
  if (consistency === undefined) return undefined;
  if (mode !== "zero retrieval" && !consistency.alsoWithSources) return undefined;
  return await internalConsistency(run, consistency, claims);
}

/** Judges that can second a charge but bring none: without a weight, or measured at chance. */
function weightless({ judges }: EvaluationComponents): ReadonlySet<string> {
  const without = judges.filter((judge) => judge.weight === 0 || isAtChance(judge));
  return new Set(without.map(({ name }) => name));
}

function timesOf(stages: Stages): Evaluation["milliseconds"] {
  return {
    total: stages.total(),
    splitting: stages.milliseconds("splitting"),
    retrieval: stages.milliseconds("retrieval"),
    verification: stages.milliseconds("verification") + stages.milliseconds("consistency"),
    judging: stages.milliseconds("judging"),
  };
}
