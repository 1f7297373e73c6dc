import { resolveAnaphors } from "../claims/anaphors.ts";
import { foreignLanguage } from "../claims/english.ts";
import { ACCEPTED_FROM } from "../decision.ts";
import { isTrusted } from "../judges/ensemble.ts";
import { randomSource } from "../../stats/random.ts";
import {
  answersIn,
  type Claim,
  criteriaInOrder,
  type Evaluation,
  type EvaluationConfiguration,
  type EvaluationRequest,
  type Judge,
  mayPass,
  type Named,
  type SplitResult,
} from "../types.ts";
import type { EvaluationComponents } from "./components.ts";
import { CONTRADICTED_FROM, internalConsistency } from "./consistency.ts";
import { judge } from "./judge.ts";
import { modeOf, retrieve } from "./retrieve.ts";
import { attempt, type EvaluationClock, type EvaluationRun } from "./stage.ts";
import { disagreements, unsupportedClaims } from "./unsupported.ts";
import { expectedTrust, verify } from "./verify.ts";

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
  const [problems, failed] = [new Set(components.problems), new Set<string>()];
  const advance: EvaluationRun["advance"] = (done, total) => onStage(under, done, total);
  const run: EvaluationRun = { request, components, clock, signal, problems, failed, advance };

  const foreign = await foreignWords(request);
  const { claims, dropped } = await stage("splitting", () => split(run));
  const lookedUp = await stage("retrieval", () => retrieve(run, claims));
  const verified = await stage("verification", () => verify(run, lookedUp));
  const mode = modeOf(request.source, lookedUp);
  const isAlone = mode === "zero retrieval";
  const consistency = await stage(
    "consistency",
    () => internalConsistency(run, verified, isAlone),
  );
  const judged = await stage("judging", () => judge(run, verified));
  onStage("report");
  // What a verifier or a judge could not answer, and may answer another time.
  const unanswered = answersIn(judged).flatMap((answer) =>
    answer.kind === "unscored" && mayPass(answer.reason) ? [answer.message] : []
  );
  const contradictions = consistency?.contradictions ?? [];
  const trust = expectedTrust(verified, components.verifier.trust);
  return {
    schemaVersion: 2,
    request,
    ...trust && { trust },
    ...foreign !== undefined && { foreign },
    mode,
    ...judged,
    droppedClaims: dropped,
    unsupported: unsupportedClaims(judged, contradictions, components.judges),
    consistency,
    disagreements: disagreements(judged),
    problems: [...problems],
    failed: [...new Set([...failed, ...unanswered])],
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

/** The claims of the candidate that are to be checked, and what was proposed but is not in it. */
async function split(run: EvaluationRun): Promise<Pick<SplitResult, "claims" | "dropped">> {
  const { request, components: { splitter, retriever }, signal, advance: onProgress } = run;
  const { claims, dropped, cut } = await attempt<SplitResult>(
    run,
    `The splitter ${splitter.name}`,
    () => splitter.split(request.candidate, { signal, onProgress }),
    () => ({ claims: [], dropped: [] }),
  );
  if (cut !== undefined) run.problems.add(cut.message);
  if (cut?.mayPass) run.failed.add(cut.message);
  // Looked up, "The country has 36 islands." would find any country's.
  const resolved = retriever === undefined ? claims : resolveAnaphors(claims);
  return { claims: claimsToCheck(run, resolved), dropped };
}

/** Claims by lot, in their order, where there are more than are to be checked. */
function claimsToCheck(
  { components: { mostClaims = Infinity }, request, problems }: EvaluationRun,
  claims: readonly Claim[],
): readonly Claim[] {
  if (claims.length <= mostClaims) return claims;
  const drawn = new Set(randomSource(`claims of ${request.id}`).sample(claims, mostClaims));
  const [all, some] = [claims.length, mostClaims].map((count) => count.toLocaleString("en"));
  problems.add(`Of ${all} claims ${some} were drawn by lot; the others were not checked.`);
  return claims.filter((claim) => drawn.has(claim));
}

/** The version; it stands in `deno.json` alone. */
const TOUCHSTONE: string = JSON.parse(
  Deno.readTextFileSync(new URL("../../../deno.json", import.meta.url)),
).version;

/** Name and settings of every component, as an evaluation keeps them. */
export function configurationOf(components: EvaluationComponents): EvaluationConfiguration {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = components;
  const { mostClaims, timeLimits, consistency: { languageModel: _, ...limits } = {} } = components;
  const named = ({ name, settings }: Named, more = {}): Named => (
    { name, settings: { ...settings, ...more } }
  );
  // Where nobody is trusted there is no score that a weight could bear on.
  const isCounted = (judge: Judge) => isTrusted(judge) || !judges.some(isTrusted);
  return {
    splitter: named(splitter),
    retriever: retriever && named(retriever),
    verifier: named(verifier),
    judges: judges.map((judge) => named(judge, { weight: isCounted(judge) ? judge.weight : 0 })),
    aggregation,
    promptsSha256,
    touchstone: TOUCHSTONE,
    criteria: judges.length === 0 ? [] : criteriaInOrder(components.criteria),
    parameters: {
      supportedFrom: ACCEPTED_FROM,
      contradictedFrom: CONTRADICTED_FROM,
      lowConfidenceVariance: components.lowConfidenceVariance,
      judgeClaims: components.judgeClaims,
      batchSize: components.batchSize,
      ...limits,
      ...mostClaims && { mostClaims },
      ...timeLimits?.verifier && { verifierTimeoutSeconds: timeLimits.verifier },
      ...timeLimits?.retriever && { retrieverTimeoutSeconds: timeLimits.retriever },
    },
  };
}
