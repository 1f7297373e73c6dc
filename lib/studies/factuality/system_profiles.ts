/** Profiles of the study's four systems. */
import type { Settings } from "../../files/asking.ts";
import { z } from "zod";
import { QWEN_CODER } from "../../models/llama/local_models.ts";
import { refusalsOf } from "./generation/abstention_rates.ts";
import { claimKey } from "./generation/response_claims.ts";
import { RESPONDING_SYSTEMS } from "./generation/responses.ts";
import type { AbstentionAnswer, AbstentionQuery, ClaimRatingRow } from "./generation/tables.ts";
import { GENERATION_FILES, type ResponseClaimLabel } from "./generation/tables.ts";
import type { ResponseClaimRow, ResponseRow } from "./generation/tables.ts";
import { consensusOf } from "../../factuality/metrics/agreement.ts";
import type { ClaimMatrix, ClaimRating } from "../../factuality/metrics/agreement.ts";
import { binaryLabel } from "../../factuality/metrics/classification.ts";
import { hallucinationProfile } from "../../factuality/metrics/profile.ts";
import type { QueryUncertainty } from "../../factuality/metrics/profile_metrics.ts";
import type { ClassifiedResponse } from "../../factuality/metrics/rates.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import { componentRuns } from "../../factuality/own/ask_components.ts";
import type { ComponentRun } from "../../factuality/own/compare_components.ts";
import { COMPONENT_ANSWERS } from "../../factuality/own/component_answers.ts";
import { KNOWLEDGE_CASES } from "./tables.ts";
import { binaryBalancedAccuracy, classificationsBy } from "./training.ts";
import type { QuestionUncertainty } from "./uncertainty.ts";

type Answer = Pick<ResponseRow, "system" | "question_id">;
type ClaimCells = Answer & Pick<ResponseClaimRow, "claim_id" | "claim" | "status" | "label">;

/**
 * Returns answers with their classified claims, in order. Uncheckable statements are left out;
 * other claims without a verdict count in no rate. The cluster is the question's country. @throws
 * {RangeError} for a claim of a missing answer.
 */
export function classifiedResponses(answers: readonly Answer[], claims: readonly ClaimCells[]) {
  const keyOf = ({ system, question_id }: Answer) => JSON.stringify([system, question_id]);
  const byAnswer = Map.groupBy(claims, keyOf);
  const known = new Set(answers.map(keyOf));
  const lost = claims.find((claim) => !known.has(keyOf(claim)));
  if (lost !== undefined) {
    throw new RangeError(
      `Cannot classify answers: claim ${lost.claim_id} is of ${lost.system}'s answer to ` +
        `${lost.question_id}, which is not there; run "deno task study respond" again.`,
    );
  }
  return answers.map((answer) => ({
    model: answer.system,
    query: answer.question_id,
    cluster: answer.question_id,
    abstained: false,
    claims: (byAnswer.get(keyOf(answer)) ?? [])
      .filter(({ status }) => status !== "not checkable")
      .map(({ claim_id: id, claim: text, label }) => ({ id, text, label: label || undefined })),
  }));
}

/** Name of the rater who labelled claims by hand. */
export const CAREFUL_READER = "careful reader";

type Ratings = readonly Omit<ClaimRatingRow, "score" | "settings_sha256">[];
type Labels = readonly Omit<ResponseClaimLabel, "reason" | "second_label">[];

/**
 * Raters above chance on other claims (held-out ones from the knowledge base), plus the careful
 * reader. Agreement with the reader on the claims of κ itself would be circular.
 */
export function trustedRaters(
  cases: readonly LabelledCase[] = KNOWLEDGE_CASES.read(),
  runs: readonly ComponentRun[] = componentRuns(COMPONENT_ANSWERS.read(), cases),
): ReadonlySet<string> {
  const above = runs.filter((run) => {
    const accuracy = binaryBalancedAccuracy(classificationsBy(cases, run));
    return accuracy.kind === "interval" && accuracy.low > 0.5;
  });
  // A judge rates by its next word, and has its model's name there.
  const names = above.map(({ component }) => component.replace(/ \(next word\)$/, ""));
  return new Set([CAREFUL_READER, ...names]);
}

/**
 * Ratings of one system's claims by several raters, the careful reader included. Missing ratings
 * are left out. Raters above chance are determined on all systems' claims. The larger verifier is
 * left out: its odds include the trained verifier's, so that it would agree with itself.
 */
export function claimRatings(
  system: string,
  ratings: Ratings,
  labels: Labels,
  trusted: ReadonlySet<string>,
): readonly ClaimRating[] {
  const independent = ratings.filter(({ rater }) => rater !== QWEN_CODER.id);
  const rated = new Set(ratings.map(claimKey));
  const byHand = labels.filter((row) => rated.has(claimKey(row))).map((row) => {
    return { ...row, rater: CAREFUL_READER, label: binaryLabel(row.label === "supported") };
  });
  return [...independent, ...byHand].filter((row) => row.system === system && row.label !== "")
    .map(({ question_id: query, claim_id: claimId, claim: text, rater, label }) => {
      const aboveChance = trusted.has(rater);
      return { query, cluster: query, claimId, text, rater, label, aboveChance };
    });
}

/** Combines the ratings of every system; claims of different systems are distinct. */
export const ratingsOfSystems = (ratingsOf: (system: string) => readonly ClaimRating[]) =>
  RESPONDING_SYSTEMS.flatMap(({ name }) =>
    ratingsOf(name).map((rating) => ({ ...rating, claimId: `${name} ${rating.claimId}` }))
  );

/** A model's uncertainty about each question, as a share of the maximum. */
const uncertaintiesOf = (model: string, questions: readonly QuestionUncertainty[]) =>
  questions.filter((one) => one.model === model).flatMap(
    ({ questionId: query, cluster, byEntropy }): QueryUncertainty[] =>
      byEntropy.kind === "uncertainty" ? [{ query, cluster, parts: byEntropy.normalised }] : [],
  );

/**
 * Makes a profile of each system. Uncertainty and false acceptance were measured without passages,
 * so they belong to the closed book and are unavailable for the open book.
 */
export function systemProfiles(measured: {
  readonly responses: readonly ClassifiedResponse[];
  readonly matrices: readonly ClaimMatrix[];
  readonly ratings: readonly ClaimRatingRow[];
  readonly labels: readonly ResponseClaimLabel[];
  readonly trusted: ReadonlySet<string>;
  readonly questions: readonly QuestionUncertainty[];
  readonly abstentionAnswers: readonly AbstentionAnswer[];
  readonly abstentionQueries: readonly AbstentionQuery[];
}, { madeAt, settingsOf, seed }: {
  readonly madeAt: string;
  /** Returns the settings of each system's metrics. */
  readonly settingsOf: (system: string) => Settings;
  readonly seed: number | string;
}) {
  const { responses, matrices, ratings, labels, trusted } = measured;
  const { abstentionAnswers, abstentionQueries } = measured;
  return RESPONDING_SYSTEMS.map(({ name, model, openBook }) =>
    hallucinationProfile({
      model: name,
      responses: responses.filter((response) => response.model === name),
      consensus: consensusOf(name, matrices),
      ratings: claimRatings(name, ratings, labels, trusted),
      uncertainties: openBook ? [] : uncertaintiesOf(model, measured.questions),
      refusals: openBook ? [] : refusalsOf(model, abstentionAnswers, abstentionQueries),
      provenance: { madeAt, settings: settingsOf(name) },
      seed,
    })
  );
}

/**
 * Reads the settings of each system's answers, as `deno task study respond` saves them. The
 * returned function throws a RangeError for an unknown system.
 */
export function readResponseSettings(): (system: string) => Settings {
  const path = GENERATION_FILES.responseSettings;
  const settings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
  const settingsBySystem = z.record(z.string(), settings).parse(
    JSON.parse(Deno.readTextFileSync(path)),
  );
  return (system) => {
    if (settingsBySystem[system] !== undefined) return settingsBySystem[system];
    throw new RangeError(
      `Cannot find the settings of ${system} in ${path}; run deno task study respond.`,
    );
  };
}
