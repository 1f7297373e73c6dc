import type { Claim, ClaimSplitter, FlaggedPhrase, Judge, JudgeTask } from "../../types.ts";
import type { Passage, RetrievedPassage, Retriever, ScoredJudgement } from "../../types.ts";
import type { ScoredVerdict, VerdictLabel, Verifier } from "../../types.ts";
import { scoredVerdict } from "../../decision.ts";
import type { EvaluationClock } from "../stage.ts";
import type { EvaluationComponents } from "../components.ts";

/** A clock that advances one millisecond per reading. */
export function countingClock(): EvaluationClock {
  let looks = 0;
  return { now: () => new Date("2026-11-22T12:00:00Z"), milliseconds: () => looks++ };
}

/** A splitter that makes each sentence a claim, with question marks as questions. */
export const sentenceSplitter: ClaimSplitter = {
  name: "sentences",
  settings: { version: 1 },
  split(text) {
    const sentences = [...text.matchAll(/[^.?!\s][^.?!]*[.?!]/g)];
    const claims = sentences.map(([words], index): Claim => {
      const start = sentences[index]!.index;
      const span = { start, end: start + words.length };
      return {
        id: `c${index + 1}`,
        text: words,
        spans: [span],
        sentence: span,
        kind: /\b\d{4}\b/.test(words) ? "temporal" : /\d/.test(words) ? "numerical" : "factual",
        notCheckable: words.endsWith("?") ? "question" : undefined,
        notes: [],
      };
    });
    return Promise.resolve({ claims, dropped: [] });
  },
};

/** A verdict of a verifier. */
export function verdict(label: VerdictLabel, more: Partial<ScoredVerdict> = {}): ScoredVerdict {
  const rest = { supported: 0.1, refuted: 0.1, "not enough info": 0.1 };
  const probabilities = { ...rest, [label]: 0.8 };
  const provenance = { producedBy: "by heart", modelSha256: undefined, promptSha256: undefined };
  return { ...scoredVerdict({ probabilities, evidence: [], provenance }), ...more };
}

/**
 * A verifier by literal match. It answers "supported" where a passage contains the claim without
 * its full stop, "refuted" where one contains it with another number, else "not enough info".
 */
export const literalVerifier: Verifier = {
  name: "literal",
  settings: { version: 1 },
  verify: (claims, passages) =>
    Promise.resolve(claims.map((claim) => isLiteralMatch(claim, passages))),
};

function isLiteralMatch(claim: string, passages: readonly Passage[]): ScoredVerdict {
  const words = claim.replace(/[.?!]$/, "");
  const anyNumber = new RegExp(words.split(/\d+/).map(RegExp.escape).join("\\d+"), "i");
  for (const { id, collection, text } of passages) {
    const match = anyNumber.exec(text);
    if (match === null) continue;
    const span = { start: match.index, end: match.index + match[0].length };
    const evidence = [{ passageId: id, collection, span, text: match[0], relevance: 1 }];
    if (match[0].toLowerCase() === words.toLowerCase()) return verdict("supported", { evidence });
    const feature = /\d{4}/.test(words) ? "quantity.date_contradicted" : "quantity.contradicted";
    const finding = `source says "${match[0]}", claim says "${words}"`;
    const findings = [{ feature, words: finding, speaksFor: "refuted" as const }];
    return verdict("refuted", { evidence, findings });
  }
  return verdict("not enough info");
}

/** An answer of a judge. */
export function judgement(
  score: number,
  flagged: readonly FlaggedPhrase[] = [],
  reasoning = "",
): ScoredJudgement {
  return {
    kind: "scored",
    score,
    reasoning,
    flagged,
    parse: "complete",
    provenance: { producedBy: "judge", modelSha256: undefined, promptSha256: "p".repeat(64) },
  };
}

/** A judge with scripted answers that records its tasks. */
export function scriptedJudge(
  name: string,
  answer: (task: JudgeTask) => ReturnType<Judge["judge"]>,
): Judge & { readonly asked: JudgeTask[] } {
  const asked: JudgeTask[] = [];
  return {
    name,
    settings: { temperature: 0 },
    weight: 1,
    vouched: true,
    measured: undefined,
    concurrency: 1,
    asked,
    judge(task) {
      asked.push(task);
      return answer(task);
    },
  };
}

/** A retriever with scripted results. */
export function scriptedRetriever(
  passagesFor: (claim: string) => readonly RetrievedPassage[],
): Retriever {
  const retrieve = (claim: string) => Promise.resolve(passagesFor(claim));
  return { name: "told", settings: { threshold: 0.3 }, retrieve };
}

/** A passage at rank 1. */
export function retrievedPassage(id: string, text: string): RetrievedPassage {
  const passage = { id, text, collection: "factbook", title: "Norway", section: "People" };
  return { passage, bm25: 7, cosine: 0.7, rank: 1 };
}

/** Components without judges and knowledge base, except those given. */
export function components(given: Partial<EvaluationComponents> = {}): EvaluationComponents {
  return {
    splitter: sentenceSplitter,
    retriever: undefined,
    retrieverProblem: undefined,
    verifier: literalVerifier,
    judges: [],
    judgeClaims: false,
    aggregation: "mean",
    lowConfidenceVariance: 20,
    criteria: [],
    promptsSha256: "0".repeat(64),
    consistency: undefined,
    problems: [],
    batchSize: 8,
    ...given,
  };
}
