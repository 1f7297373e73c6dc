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
  isTransient,
  type Judge,
  type Named,
  type SplitResult,
} from "../types.ts";
import type { EvaluationComponents } from "./components.ts";
import { CONTRADICTED_FROM, internalConsistency } from "./consistency.ts";
import { judgeText } from "./judge.ts";
import { groundingMode, retrieve } from "./retrieve.ts";
import { attempt, type EvaluationClock, type EvaluationRun } from "./stage.ts";
import { disagreements, unsupportedClaims } from "./unsupported.ts";
import { expectedTrust, verify } from "./verify.ts";

/**
 * Evaluates one candidate: splits claims, retrieves passages, verifies, and asks the judges, who
 * see the verdicts. A component's failures are unscored and listed as problems. `onStage` receives
 * each stage at its start (`report` last) and its progress. @throws the signal's reason when it
 * aborts.
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

  const foreign = await nonEnglishSentence(request);
  const { claims, dropped } = await stage("splitting", () => split(run));
  const lookedUp = await stage("retrieval", () => retrieve(run, claims));
  const verified = await stage("verification", () => verify(run, lookedUp));
  const mode = groundingMode(request.source, lookedUp);
  const isAlone = mode === "zero retrieval";
  const consistency = await stage(
    "consistency",
    () => internalConsistency(run, verified, isAlone),
  );
  const judged = await stage("judging", () => judgeText(run, verified));
  onStage("report");
  // Answers that a verifier or a judge failed to give, and may give next time.
  const unanswered = answersIn(judged).flatMap((answer) =>
    answer.kind === "unscored" && isTransient(answer.reason) ? [answer.message] : []
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

/** Number of characters used to detect a language. */
const LANGUAGE_SAMPLE_CHARACTERS = 10_000;

/** Names the languages of text and source that are not English, in a sentence. */
export async function nonEnglishSentence(
  { candidate, source }: Pick<EvaluationRequest, "candidate" | "source">,
): Promise<string | undefined> {
  const [text, about] = await Promise.all(
    [candidate, source].map((words) => foreignLanguage(words.slice(0, LANGUAGE_SAMPLE_CHARACTERS))),
  );
  if ((text ?? about) === undefined) return undefined;
  const what = text === undefined
    ? `source text seems to be in ${about}`
    : `text seems to be in ${text}`;
  return `The ${what}. The splitter and the verifier that ship read English only: do not rely on ` +
    "what they say of it.";
}

/** Returns the claims to check, and proposed statements that the candidate does not contain. */
async function split(run: EvaluationRun): Promise<Pick<SplitResult, "claims" | "dropped">> {
  const { request, components: { splitter, retriever }, signal, advance: onProgress } = run;
  const { claims, dropped, cut } = await attempt<SplitResult>(
    run,
    `The splitter ${splitter.name}`,
    () => splitter.split(request.candidate, { signal, onProgress }),
    () => ({ claims: [], dropped: [] }),
  );
  if (cut !== undefined) run.problems.add(cut.message);
  if (cut?.isTransient) run.failed.add(cut.message);
  // Retrieval for "The country has 36 islands." would find any country.
  const resolved = retriever === undefined ? claims : resolveAnaphors(claims);
  return { claims: claimsToCheck(run, resolved), dropped };
}

/** Samples claims at random, in text order, where there are more than the maximum. */
function claimsToCheck(
  { components: { mostClaims = Infinity }, request, problems }: EvaluationRun,
  claims: readonly Claim[],
): readonly Claim[] {
  if (claims.length <= mostClaims) return claims;
  const drawn = new Set(randomSource(`claims of ${request.id}`).sample(claims, mostClaims));
  const [all, some] = [claims.length, mostClaims].map((count) => count.toLocaleString("en"));
  problems.add(`${some} of ${all} claims were sampled at random; the others were not checked.`);
  return claims.filter((claim) => drawn.has(claim));
}

/** Touchstone's version from `deno.json`. */
const TOUCHSTONE: string = JSON.parse(
  Deno.readTextFileSync(new URL("../../../deno.json", import.meta.url)),
).version;

/** Returns the names and settings of all components, as stored in an evaluation. */
export function configurationOf(components: EvaluationComponents): EvaluationConfiguration {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = components;
  const { mostClaims, timeLimits, consistency: { languageModel: _, ...limits } = {} } = components;
  const named = ({ name, settings }: Named, more = {}): Named => (
    { name, settings: { ...settings, ...more } }
  );
  // Without a trusted judge there is no score to weight.
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
