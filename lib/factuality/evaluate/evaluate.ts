import { eachInFlight } from "../../models/in_flight.ts";
import { aggregate, isAtChance } from "../judges/ensemble.ts";
import {
  type ClaimResult,
  type CriterionResult,
  type Evaluation,
  type EvaluationMode,
  type EvaluationRequest,
  FACTUAL_ACCURACY,
  type JudgeResult,
  type JudgeTask,
  type Passage,
} from "../types.ts";
import {
  CLAIM_TEMPLATE,
  configurationOf,
  type EvaluationClock,
  type EvaluationComponents,
  orElse,
  type Run,
  unscored,
} from "./run.ts";
import { disagreements, unsupportedClaims } from "./unsupported_claims.ts";
import {
  internalConsistency,
  type Lookup,
  passagesOf,
  retrievePassages,
  verifyClaims,
} from "./verify_claims.ts";

/** Where an evaluation stands. */
type EvaluationStage =
  | "splitting"
  | "retrieval"
  | "verification"
  | "consistency"
  | "judging"
  | "report";

/**
 * Evaluates one candidate: claims, passages, the verifier's verdicts, the judges, shown these, and
 * their scores together. What a component fails at is unscored with the reason, is told among the
 * problems, and stops no other. Without source and knowledge base the claims are read against one
 * another, and nothing external is consulted.
 *
 * @param onStage Told as each stage begins, so that a failure can be placed.
 * @throws the signal's reason when it aborts.
 */
export async function evaluate(
  request: EvaluationRequest,
  components: EvaluationComponents,
  { clock, signal, onStage = () => {} }: {
    readonly clock: EvaluationClock;
    readonly signal?: AbortSignal;
    readonly onStage?: (stage: EvaluationStage) => void;
  },
): Promise<Evaluation> {
  const startedAt = clock.now().toISOString();
  const begun = clock.milliseconds();
  const took = { splitting: 0, retrieval: 0, verification: 0, consistency: 0, judging: 0 };
  const stage = async <Result>(name: keyof typeof took, work: () => Promise<Result>) => {
    signal?.throwIfAborted();
    onStage(name);
    const started = clock.milliseconds();
    const result = await work();
    took[name] = clock.milliseconds() - started;
    return result;
  };
  const { splitter, judges, retrieverProblem, consistency: byItself } = components;
  const known = [...components.problems, retrieverProblem ?? ""].filter(Boolean);
  const run: Run = { request, components, clock, signal, problems: new Set(known) };

  const { claims, dropped } = await stage("splitting", () =>
    orElse(
      run,
      `The splitter ${splitter.name}`,
      () => splitter.split(request.candidate, { signal }),
      () => ({ claims: [], dropped: [] }),
    ));
  const lookups = await stage("retrieval", () => retrievePassages(run, claims));
  const verdicts = await stage("verification", () => verifyClaims(run, claims, lookups));
  const verified = claims.map((claim, index): VerifiedClaim => {
    const [lookup, verdict] = [lookups[index]!, verdicts[index]!];
    // Nothing in the knowledge base, and the source text does not decide it either.
    const undecided = verdict.kind === "scored"
      ? verdict.label === "not enough info"
      : verdict.reason === "no evidence";
    const unverifiable = lookup.retrieval.status === "nothing found" && undecided;
    return { claim, ...lookup, verdict, unverifiable };
  });
  const mode = modeOf(request, lookups, components);
  const consistency = await stage("consistency", async () => {
    const wanted = byItself && (mode === "zero retrieval" || byItself.alsoWithSources);
    return wanted ? await internalConsistency(run, byItself, claims) : undefined;
  });
  const judged = await stage("judging", () => askJudges(run, verified));
  const contradictions = consistency?.contradictions ?? [];
  // Judges that can second a charge but bring none: without a weight, or measured at chance.
  const weightless = new Set(
    judges.filter((judge) => judge.weight === 0 || isAtChance(judge)).map(({ name }) => name),
  );
  onStage("report");
  return {
    schemaVersion: 1,
    request,
    mode,
    ...judged,
    droppedClaims: dropped,
    unsupported: unsupportedClaims({ ...judged, contradictions, weightless }),
    consistency,
    disagreements: disagreements(judged.claims, judged.criteria),
    problems: [...run.problems],
    configuration: configurationOf(components),
    startedAt,
    milliseconds: {
      total: clock.milliseconds() - begun,
      splitting: took.splitting,
      retrieval: took.retrieval,
      verification: took.verification + took.consistency,
      judging: took.judging,
    },
  };
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

/** A claim before judges were asked. */
type VerifiedClaim = Omit<ClaimResult, "judges">;

/** The criteria in the order they are judged in: factual accuracy first, each once. */
export function criteriaInOrder(configured: readonly string[]): readonly string[] {
  return [...new Set([FACTUAL_ACCURACY, ...configured])];
}

/**
 * What the judges say of a candidate: of each criterion of the whole text (factual accuracy first;
 * none without judges) and then, where that is wanted, of each claim by itself that can be checked
 * and has something to be checked against.
 */
async function askJudges(run: Run, verified: readonly VerifiedClaim[]): Promise<{
  readonly criteria: readonly CriterionResult[];
  readonly claims: readonly ClaimResult[];
}> {
  const { request, components: { judges, criteria: configured, judgeClaims } } = run;
  const criteria = judges.length === 0 ? [] : criteriaInOrder(configured);
  const asked = verified.filter((result) =>
    judgeClaims && result.claim.notCheckable === undefined &&
    passagesOf(request.source, result).length > 0
  );
  const answers = await answersOf(run, [
    ...criteria.map((criterion) => criterionTask(criterion, request, verified)),
    ...asked.map((result) =>
      claimTask(result.claim.text, passagesOf(request.source, result), request.question)
    ),
  ]);
  const ofClaim = new Map(asked.map((result, index) => [result, answers[criteria.length + index]]));
  return {
    criteria: criteria.map((criterion, index) => criterionResult(run, criterion, answers[index]!)),
    claims: verified.map((result) => ({ ...result, judges: ofClaim.get(result) ?? [] })),
  };
}

/**
 * Every judge's answer to every task: `results[task][judge]`, both in the order given. One judge is
 * asked after the other, for models in this process share its cores; of one judge as many answers
 * are awaited at once as it bears.
 */
async function answersOf(
  run: Run,
  tasks: readonly JudgeTask[],
): Promise<readonly (readonly JudgeResult[])[]> {
  const { clock, signal, components } = run;
  const answers: JudgeResult[][] = tasks.map(() => []);
  for (const judge of components.judges) {
    const { name, measured, concurrency } = judge;
    await eachInFlight(tasks.entries(), concurrency, async ([index, task]) => {
      const begun = clock.milliseconds();
      const judgement = await orElse(
        run,
        `The judge ${name}`,
        () => judge.judge(task, { signal }),
        (message) => unscored(name, "failure", message),
      );
      const milliseconds = clock.milliseconds() - begun;
      answers[index]!.push({ judge: name, measured, judgement, milliseconds });
      return true;
    });
  }
  return answers;
}

function criterionResult(
  { components: { judges: asked, aggregation, lowConfidenceVariance } }: Run,
  criterion: string,
  judges: readonly JudgeResult[],
): CriterionResult {
  const judgements = judges.map(({ judgement }) => judgement);
  const weights = asked.map(({ weight }) => weight);
  const ensemble = aggregate(judgements, aggregation, weights, lowConfidenceVariance);
  if (ensemble.kind === "unscored" || !asked.every(isAtChance)) {
    return { criterion, judges, ensemble };
  }
  // The score is shown, and nothing rests on it.
  const reasons = ["no judge was measured to be better than chance", ...ensemble.reasons];
  return { criterion, judges, ensemble: { ...ensemble, lowConfidence: true, reasons } };
}

/**
 * A judge is shown the candidate, the verifier's verdicts, and as the source what there is to check
 * against: the source text and what was looked up.
 */
export function criterionTask(
  criterion: string,
  { source, candidate, question }: EvaluationRequest,
  claims: readonly VerifiedClaim[],
): JudgeTask {
  const looked = new Map(
    claims.flatMap(({ passages }) => passages)
      .map(({ passage }) => [`${passage.collection}\n${passage.id}`, passage]),
  );
  const context = [source, numbered([...looked.values()])].filter((text) => text.trim() !== "");
  const verdicts = claims.map(({ claim: { text }, verdict }) => {
    if (verdict.kind === "unscored") return `- ${text}: not scored (${verdict.reason})`;
    const percent = Math.round(100 * verdict.probabilities[verdict.label]);
    const words = verdict.findings.map((finding) => finding.words).join("; ");
    return `- ${text}: ${verdict.label} (${percent} %)${words && `; ${words}`}`;
  }).join("\n");
  const values = { source: context.join("\n\n"), candidate, question, verdicts };
  return { template: criterion, values, judgedText: candidate };
}

/** About one claim, a judge is not shown the verdict: the two are to be compared. */
export function claimTask(
  claim: string,
  passages: readonly Passage[],
  question: string,
): JudgeTask {
  const values = { claim, passages: numbered(passages), question };
  return { template: CLAIM_TEMPLATE, values, judgedText: claim };
}

function numbered(passages: readonly Passage[]): string {
  return passages.map(({ title, section, text }, index) => {
    const from = [title, section].filter(Boolean).join(", ");
    return `[${index + 1}] ${from && `(${from}) `}${text}`;
  }).join("\n");
}
