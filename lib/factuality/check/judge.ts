import { eachInFlight } from "../../models/in_flight.ts";
import { unscored } from "../decision.ts";
import { ensembleOf, isTrusted } from "../judges/ensemble.ts";
import {
  CLAIM_TEMPLATE,
  criteriaInOrder,
  type CriterionResult,
  type Evaluation,
} from "../types.ts";
import type { EvaluationRequest, JudgeResult, JudgeTask, Passage } from "../types.ts";
import { passagesForClaim } from "./retrieve.ts";
import { attempt, type EvaluationRun } from "./stage.ts";
import type { VerifiedClaim } from "./verify.ts";

/** Criteria and claims with their judgements. */
export type JudgedEvaluation = Pick<Evaluation, "criteria" | "claims">;

/** Asks the judges about each criterion and, if configured, about each claim. */
export async function judgeText(
  run: EvaluationRun,
  verified: readonly VerifiedClaim[],
): Promise<JudgedEvaluation> {
  const { request, components: { judges, absentJudges = [], criteria: configured, judgeClaims } } =
    run;
  for (const problem of absentJudges) run.failed.add(problem);
  const criteria = judges.length === 0 ? [] : criteriaInOrder(configured);
  const asked = verified.filter((result) =>
    judgeClaims && result.claim.notCheckable === undefined &&
    passagesForClaim(request.source, result).length > 0
  );
  const answers = await answersOf(run, [
    ...criteria.map((criterion) => criterionTask(criterion, request, verified)),
    ...asked.map((result) =>
      claimTask(result.claim.text, passagesForClaim(request.source, result), request.question)
    ),
  ]);
  const ofClaim = new Map(asked.map((result, index) => [result, answers[criteria.length + index]]));
  return {
    criteria: criteria.map((criterion, index) => criterionResult(run, criterion, answers[index]!)),
    claims: verified.map((result) => ({ ...result, judges: ofClaim.get(result) ?? [] })),
  };
}

/** Answers of every judge to every task, `results[task][judge]`, one judge after the other. */
async function answersOf(
  run: EvaluationRun,
  tasks: readonly JudgeTask[],
): Promise<readonly (readonly JudgeResult[])[]> {
  const { clock, signal, components } = run;
  const answers: JudgeResult[][] = tasks.map(() => []);
  let done = 0;
  for (const judge of components.judges) {
    const { name, measured, concurrency } = judge;
    await eachInFlight(tasks.entries(), concurrency, async ([index, task]) => {
      const begun = clock.milliseconds();
      const judgement = await attempt(
        run,
        `The judge ${name}`,
        () => judge.judge(task, { signal }),
        (message) => unscored(name, "failure", message),
      );
      const milliseconds = clock.milliseconds() - begun;
      answers[index]!.push({ judge: name, measured, judgement, milliseconds });
      run.advance(++done, tasks.length * components.judges.length);
    });
  }
  return answers;
}

function criterionResult(
  { components }: EvaluationRun,
  criterion: string,
  judges: readonly JudgeResult[],
): CriterionResult {
  const weighted = components.judges.map((judge, at) => {
    return { weight: isTrusted(judge) ? judge.weight : 0, judgement: judges[at]!.judgement };
  });
  return { criterion, judges, ensemble: ensembleOf(weighted, components) };
}

/** Task for a criterion: the candidate, the verdicts, the source and the retrieved passages. */
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

/** Task for one claim, without its verdict, so that judge and verifier stay independent. */
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
