/** A profile of what `factcheck` evaluated. */
import { createHash } from "node:crypto";
import { isAccepted } from "../decision.ts";
import type { ClaimResult, Evaluation, EvaluationRequest, Named } from "../types.ts";
import { type ClaimRating, RATING_LABELS } from "./agreement.ts";
import {
  type HallucinationProfile,
  hallucinationProfile,
  type ProfileProvenance,
} from "./profile.ts";
import type { ClassifiedResponse } from "./rates.ts";

/** Whose texts were evaluated, and how intervals are drawn. */
interface EvaluationsProfile {
  /** The model that wrote the candidates, or a name for the batch. */
  readonly model: string;
  readonly madeAt: string;
  readonly seed: number | string;
}

/**
 * The profile of ordinary evaluations: candidates as responses, verdicts as classes, verifier and
 * judges of single claims as raters. Requests with one source text are one cluster. Evaluations do not
 * say whether a candidate declined to answer, have no second model and no samples, so what needs these
 * is unavailable; a candidate without claims lowers the respond ratio.
 *
 * @throws {RangeError} for two evaluations of one request.
 */
export function profileOfEvaluations(
  evaluations: readonly Evaluation[],
  { model, madeAt, seed }: EvaluationsProfile,
): HallucinationProfile {
  const ids = evaluations.map(({ request }) => request.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new RangeError(
      `Cannot profile evaluations: two are of request ${twice}; keep one of them.`,
    );
  }
  return hallucinationProfile({
    model,
    responses: evaluations.map((evaluation) => responseOf(evaluation, model)),
    ratings: evaluations.flatMap(ratingsOf),
    ratingLabels: RATING_LABELS,
    provenance: { madeAt, settings: settingsOf(evaluations) },
    seed,
    consensus: [],
    uncertainties: [],
    refusals: [],
  });
}

function responseOf({ request, claims }: Evaluation, model: string): ClassifiedResponse {
  return {
    model,
    query: request.id,
    cluster: clusterOf(request),
    abstained: false,
    claims: claims.filter(isCheckable).map(({ claim, verdict }) => ({
      id: claim.id,
      text: claim.text,
      label: verdict.kind === "scored" ? verdict.label : undefined,
    })),
  };
}

function ratingsOf({ request, claims }: Evaluation): readonly ClaimRating[] {
  const cluster = clusterOf(request);
  return claims.filter(isCheckable).flatMap(({ claim, verdict, judges }) => {
    const votes = [
      ...verdict.kind === "scored"
        ? [{ rater: "verifier", accepts: verdict.label === "supported" }]
        : [],
      ...judges.flatMap(({ judge, judgement }) =>
        judgement.kind === "scored"
          ? [{ rater: judge, accepts: isAccepted(judgement.score / 100) }]
          : []
      ),
    ];
    return votes.map(({ rater, accepts }) => ({
      query: request.id,
      cluster,
      claimId: claim.id,
      text: claim.text,
      rater,
      label: accepts ? "supported" : "not supported",
    }));
  });
}

const isCheckable = ({ claim }: ClaimResult) => claim.notCheckable === undefined;

/** Candidates written from one source share their luck. */
function clusterOf({ id, source }: EvaluationRequest): string {
  if (source.trim() === "") return id;
  return `source ${createHash("sha256").update(source).digest("hex").slice(0, 16)}`;
}

/** Of every configuration in use, each value once. */
function settingsOf(evaluations: readonly Evaluation[]): ProfileProvenance["settings"] {
  const settings = evaluations.flatMap(({ configuration }) => {
    const { splitter, retriever, verifier, judges, promptsSha256 } = configuration;
    return [
      ["prompts SHA-256", promptsSha256] as const,
      ...settingsOfComponent("splitter", splitter),
      ...retriever === undefined ? [] : settingsOfComponent("retriever", retriever),
      ...settingsOfComponent("verifier", verifier),
      ...judges.flatMap((judge) => settingsOfComponent("judge", judge)),
    ];
  });
  const byKey = Map.groupBy(settings, ([key]) => key);
  const values = (group: typeof settings) => [...new Set(group.map(([, value]) => value))];
  return Object.fromEntries(
    [...byKey].map(([key, group]) => [key, values(group).join("; ")]),
  );
}

function settingsOfComponent(
  role: string,
  { name, settings }: Named,
): readonly (readonly [key: string, value: string])[] {
  return [
    [role, name],
    ...Object.entries(settings).map(([key, value]) =>
      [`${role} ${name}: ${key}`, String(value)] as const
    ),
  ];
}
