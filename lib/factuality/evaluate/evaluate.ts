import { eachInFlight } from "../../models/in_flight.ts";
import { resolveAnaphors } from "../claims/anaphors.ts";
import { foreignLanguage } from "../claims/english.ts";
import { ensembleOf, isTrusted, isVoteFor } from "../judges/ensemble.ts";
import {
  answersIn,
  type Claim,
  type ClaimKind,
  type ClaimResult,
  type Contradiction,
  type CriterionResult,
  type Evaluation,
  type EvaluationMode,
  type EvaluationRequest,
  FACTUAL_ACCURACY,
  type FlaggedPhrase,
  type HallucinationKind,
  type JudgeResult,
  type JudgeTask,
  mayPass,
  overlaps,
  type Passage,
  type ScoredJudgement,
  type SplitResult,
  type UnsupportedClaim,
  type Verdict,
} from "../types.ts";
import {
  CLAIM_TEMPLATE,
  claimsToCheck,
  configurationOf,
  criteriaInOrder,
  flagWords,
  internalConsistency,
  judgementReason,
  orElse,
  passagesOf,
  retrievePassages,
  unscored,
  verdictReason,
  verifyClaims,
} from "./run.ts";
import type { EvaluationClock, EvaluationComponents, Lookup, Run } from "./run.ts";

/**
 * Evaluates one candidate: claims, passages, verdicts, the judges, shown these, and their scores
 * together. What a component fails at is unscored and told among the problems. `onStage` is told as
 * each stage begins, `report` the last, and how many claims or answers of how many are done. @throws the signal's reason when it aborts.
 */
export async function evaluate(
  request: EvaluationRequest,
  components: EvaluationComponents,
  { clock, signal, onStage = () => {} }: {
    readonly clock: EvaluationClock;
    readonly signal?: AbortSignal;
    readonly onStage?: (stage: string, done?: number, total?: number) => void;
  },
): Promise<Evaluation> {
  const startedAt = clock.now().toISOString();
  const begun = clock.milliseconds();
  const took = { splitting: 0, retrieval: 0, verification: 0, consistency: 0, judging: 0 };
  let under = "";
  const stage = async <Result>(name: keyof typeof took, work: () => Promise<Result>) => {
    signal?.throwIfAborted();
    onStage(under = name);
    const started = clock.milliseconds();
    const result = await work();
    took[name] = clock.milliseconds() - started;
    return result;
  };
  const { splitter, judges, consistency: byItself } = components;
  const told = { problems: new Set(components.problems), failed: new Set<string>() };
  const advance: Run["advance"] = (done, total) => onStage(under, done, total);
  const run: Run = { request, components, clock, signal, advance, ...told };

  const foreign = await foreignWords(request);
  const split = () => splitter.split(request.candidate, { signal, onProgress: advance });
  const none = (): SplitResult => ({ claims: [], dropped: [] });
  const { claims: stated, dropped, cut } = await stage(
    "splitting",
    () => orElse(run, `The splitter ${splitter.name}`, split, none),
  );
  if (cut !== undefined) run.problems.add(cut.message);
  if (cut?.mayPass) run.failed.add(cut.message);
  // Looked up, "The country has 36 islands." would find any country's.
  const resolved = components.retriever === undefined ? stated : resolveAnaphors(stated);
  const claims = claimsToCheck(run, resolved);
  const lookups = await stage("retrieval", () => retrievePassages(run, claims));
  const verdicts = await stage("verification", () => verifyClaims(run, claims, lookups));
  const isOpen = (verdict: Verdict) =>
    verdict.kind === "scored"
      ? verdict.label === "not enough info"
      : verdict.reason === "no evidence";
  const verified = claims.map((claim, index): VerifiedClaim => {
    const [lookup, verdict] = [lookups[index]!, verdicts[index]!];
    // Nothing in the knowledge base, and the source text does not decide it either.
    const isVain = /^(?:nothing found|not looked up)$/.test(lookup.retrieval.status);
    const unverifiable = isVain && isOpen(verdict);
    return { claim, ...lookup, verdict, unverifiable };
  });
  const mode = modeOf(request.source, lookups);
  const consistency = await stage("consistency", async () => {
    if (byItself === undefined) return undefined;
    const open = claims.filter((_, index) => isOpen(verdicts[index]!));
    const undecided = mode === "zero retrieval" ? undefined : new Set(open);
    return await internalConsistency(run, byItself, claims, undecided);
  });
  const judged = await stage("judging", () => askJudges(run, verified));
  const untrusted = new Set(judges.filter((judge) => !isTrusted(judge)).map(({ name }) => name));
  onStage("report");
  return {
    schemaVersion: 2,
    request,
    ...foreign !== undefined && { foreign },
    mode,
    ...judged,
    droppedClaims: dropped,
    unsupported: unsupportedClaims(judged, consistency?.contradictions ?? [], untrusted),
    consistency,
    disagreements: disagreements(judged.claims, judged.criteria),
    problems: [...run.problems],
    failed: [...new Set([...run.failed, ...unanswered(judged)])],
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

/** Characters from which a language is told. */
const ENOUGH_TO_TELL = 10_000;

/** What is not English among text and source, as a sentence. */
export async function foreignWords(
  { candidate, source }: Pick<EvaluationRequest, "candidate" | "source">,
): Promise<string | undefined> {
  const [text, about] = await Promise.all(
    [candidate, source].map((words) => foreignLanguage(words.slice(0, ENOUGH_TO_TELL))),
  );
  if ((text ?? about) === undefined) return undefined;
  const what = text === undefined
    ? `source text seems to be in ${about}`
    : `text seems to be in ${text}`;
  return `The ${what}. The splitter and the verifier that ship read English only: do not rely on ` +
    "what they say of it.";
}

/** What a verifier or a judge could not answer, and may answer another time. */
const unanswered = (judged: Judged) =>
  answersIn(judged).flatMap((answer) =>
    answer.kind === "unscored" && mayPass(answer.reason) ? [answer.message] : []
  );

/** The knowledge base counts where it has answered, if only that it has nothing. */
function modeOf(source: string, lookups: readonly Lookup[]): EvaluationMode {
  const answered = lookups.some(({ retrieval: { status } }) =>
    status === "found" || status === "nothing found"
  );
  if (source.trim() === "") return answered ? "retrieval" : "zero retrieval";
  return answered ? "source and retrieval" : "source";
}

type VerifiedClaim = Omit<ClaimResult, "judges">;

type Judged = Pick<Evaluation, "criteria" | "claims">;

/** What the judges say of each criterion of the whole text, then of each claim where wanted. */
async function askJudges(run: Run, verified: readonly VerifiedClaim[]): Promise<Judged> {
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

/** Every judge's answer to every task, `results[task][judge]`; one judge after the other. */
async function answersOf(
  run: Run,
  tasks: readonly JudgeTask[],
): Promise<readonly (readonly JudgeResult[])[]> {
  const { clock, signal, components } = run;
  const answers: JudgeResult[][] = tasks.map(() => []);
  let done = 0;
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
      run.advance(++done, tasks.length * components.judges.length);
    });
  }
  return answers;
}

function criterionResult(
  { components }: Run,
  criterion: string,
  judges: readonly JudgeResult[],
): CriterionResult {
  const said = components.judges.map((judge, at) => {
    return { weight: isTrusted(judge) ? judge.weight : 0, judgement: judges[at]!.judgement };
  });
  return { criterion, judges, ensemble: ensembleOf(said, components) };
}

/** What a judge is shown: the candidate, the verdicts, and the source with what was looked up. */
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

type Flag = FlaggedPhrase & { readonly judge: string };

/** What judges flagged when they were asked about the factual accuracy of the whole text. */
function accuracyFlags(criteria: readonly CriterionResult[]): readonly Flag[] {
  const judges = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? [];
  return judges.flatMap(({ judge, judgement }) =>
    judgement.kind === "scored" ? judgement.flagged.map((flag) => ({ ...flag, judge })) : []
  );
}

/**
 * Everything that the sources do not bear out: claims in order, phrases flagged that belong to no claim
 * (with an empty id), claims that contradict one another. A judge that is `untrusted` (its name, see
 * `isTrusted()`) can second a charge and bring none.
 */
function unsupportedClaims(
  { claims, criteria }: Judged,
  contradictions: readonly Contradiction[],
  untrusted: ReadonlySet<string>,
): readonly UnsupportedClaim[] {
  const flags = accuracyFlags(criteria);
  const entry = (
    { id, text, spans }: Pick<Claim, "id" | "text" | "spans">,
    kind: HallucinationKind,
    detectedBy: readonly string[],
    reasons: readonly string[],
    evidence: UnsupportedClaim["evidence"] = [],
  ): UnsupportedClaim => ({ claimId: id, text, spans, kind, detectedBy, evidence, reasons });
  const charged = claims.flatMap((result) => {
    const { claim, verdict } = result;
    const flagged = flags.filter((flag) => concerns(flag, result))
      .map((flag) => ({ by: flag.judge, words: flagWords(flag) }));
    const charges = [...chargesOf(result), ...flagged];
    const isCharged = charges.some(({ by }) => !untrusted.has(by));
    if (claim.notCheckable !== undefined || !isCharged) return [];
    const detectedBy = [...new Set(charges.map(({ by }) => by))];
    const reasons = charges.map(({ by, words }) => `${by}: ${words}`);
    const evidence = verdict.kind === "scored" ? verdict.evidence : [];
    return [entry(claim, hallucinationKind(verdict, claim.kind), detectedBy, reasons, evidence)];
  });
  const strays = flags.filter((flag) =>
    !untrusted.has(flag.judge) &&
    !claims.some((result) => result.claim.notCheckable === undefined && concerns(flag, result))
  ).map(({ judge, phrase: text, span, reason }) => {
    const phrase = { id: "", text, spans: span === undefined ? [] : [span] };
    return entry(phrase, "unsupported claim", [judge], [`${judge}: ${reason}`]);
  });
  // Both claims are named: which of them is wrong the text itself cannot tell.
  const contradicted = contradictions.flatMap(({ claimIds, words }) =>
    claimIds.flatMap((id) => claims.find(({ claim }) => claim.id === id)?.claim ?? [])
      .map((claim) => entry(claim, "internal contradiction", ["internal consistency"], [words]))
  );
  return [...charged, ...strays, ...contradicted];
}

/** A phrase that stands nowhere in the text may still be quoted from the claim's wording. */
function concerns({ span, phrase }: Flag, { claim }: ClaimResult): boolean {
  return span === undefined
    ? phrase !== "" && claim.text.toLowerCase().includes(phrase.toLowerCase())
    : claim.spans.some((own) => overlaps(own, span));
}

/** What the verifier, and judges who were asked about it, hold against a claim. */
function chargesOf({ verdict, unverifiable, retrieval, judges }: ClaimResult) {
  const charges = judges.flatMap(({ judge: by, judgement: said }) =>
    said.kind === "unscored" || isVoteFor(said.score)
      ? []
      : [{ by, words: `${scoreWords(said)}, ${judgementReason(said)}` }]
  );
  if (verdict.kind === "scored" && verdict.label !== "supported") {
    charges.unshift({ by: "verifier", words: `${verdict.label}, ${verdictReason(verdict)}` });
  } else if (verdict.kind === "unscored" && unverifiable) {
    charges.unshift({ by: "verifier", words: retrieval.message });
  }
  return charges;
}

const KIND_OF_CLAIM: Readonly<Record<ClaimKind, HallucinationKind>> = {
  factual: "factual error",
  temporal: "temporal inconsistency",
  numerical: "numerical error",
};

/**
 * What kind of mistake a claim is that is not borne out. Of a refuted one the findings that speak
 * against it tell: a date, a quantity, or something else; a verifier without findings leaves only
 * the claim's own kind to go by. What is not refuted is unsupported.
 */
export function hallucinationKind(verdict: Verdict, kind: ClaimKind): HallucinationKind {
  if (verdict.kind === "unscored" || verdict.label !== "refuted") return "unsupported claim";
  const against = verdict.findings.find(({ speaksFor }) => speaksFor === "refuted");
  if (against === undefined) return KIND_OF_CLAIM[kind];
  // Features are named `group.feature`; dates are a part of the quantities.
  if (against.feature.startsWith("quantity.date")) return "temporal inconsistency";
  return against.feature.startsWith("quantity.") ? "numerical error" : "factual error";
}

/** Where a judge and the verifier differ about a claim; flagged words of a claim reject it. */
function disagreements(
  claims: readonly ClaimResult[],
  criteria: readonly CriterionResult[],
): Evaluation["disagreements"] {
  const byJudge = Map.groupBy(accuracyFlags(criteria), ({ judge }) => judge);
  return claims.flatMap(({ claim, verdict, judges }) => {
    if (verdict.kind === "unscored") return [];
    const accepted = verdict.label === "supported";
    const asked = judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || isVoteFor(judgement.score) === accepted) return [];
      return [[judge, `gives it ${scoreWords(judgement)} (${judgementReason(judgement)})`]];
    });
    const flagged = !accepted ? [] : [...byJudge].flatMap(([judge, flags]) => {
      const own = flags.filter(({ span }) =>
        span && claim.spans.some((one) => overlaps(one, span))
      );
      if (own.length === 0 || judges.some((other) => other.judge === judge)) return [];
      return [[judge, `flagged ${own.map(flagWords).join("; ")}`]];
    });
    return [...asked, ...flagged].map(([judge, what]) => ({
      claimId: claim.id,
      judge: judge!,
      words: `the verifier says ${verdict.label} (${verdictReason(verdict)}); ${judge} ${what}`,
    }));
  });
}

/** A judge's score as it stands in a sentence. */
const scoreWords = ({ score }: ScoredJudgement) => `${Math.round(10 * score) / 10} of 100`;
