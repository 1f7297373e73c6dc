/** A profile of what `factcheck` evaluated. */
import { sha256Hex } from "../../files/atomic.ts";
import { isAccepted } from "../decision.ts";
import type { ClaimResult, Evaluation, Named } from "../types.ts";
import { type ClaimRating, RATING_LABELS } from "./agreement.ts";
import { hallucinationProfile, type ProfileInput } from "./profile.ts";
import type { ClassifiedResponse } from "./rates.ts";

/**
 * The profile of ordinary evaluations: candidates as responses, verdicts as classes, verifier and
 * judges as raters; requests with one source text are one cluster. A claim that was looked up and of
 * which nothing was found is not borne out: it counts as unverifiable. What needs abstentions, a second
 * model or samples is unavailable.
 * @throws {RangeError} for two evaluations of one request.
 */
export function profileOfEvaluations(
  evaluations: readonly Evaluation[],
  { model, madeAt, seed }: Pick<ProfileInput, "model" | "seed"> & { readonly madeAt: string },
) {
  const ids = evaluations.map(({ request }) => request.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot profile evaluations: two are of request ${twice}; keep one.`);
  }
  return hallucinationProfile({
    model,
    responses: evaluations.map((one): ClassifiedResponse => ({
      model,
      ...queryOf(one),
      abstained: false,
      claims: one.claims.filter(isCheckable).map(
        ({ claim: { id, text }, verdict, unverifiable }) => {
          const without = unverifiable ? "not enough info" : undefined;
          return { id, text, label: verdict.kind === "scored" ? verdict.label : without };
        },
      ),
    })),
    ratings: evaluations.flatMap(ratingsOf),
    provenance: { madeAt, settings: settingsOf(evaluations) },
    seed,
    consensus: [],
    uncertainties: [],
    refusals: [],
  });
}

const isCheckable = ({ claim }: ClaimResult) => claim.notCheckable === undefined;

/** Candidates written from one source share their luck. */
export function queryOf({ request: { id, source } }: Evaluation) {
  const cluster = source.trim() === "" ? id : `source ${sha256Hex(source).slice(0, 16)}`;
  return { query: id, cluster };
}

const ratingsOf = (evaluation: Evaluation) =>
  evaluation.claims.filter(isCheckable).flatMap(({ claim, verdict, judges }): ClaimRating[] => {
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
    const of = { ...queryOf(evaluation), claimId: claim.id, text: claim.text };
    return votes.map(({ rater, accepts }) => {
      return { ...of, rater, label: RATING_LABELS[accepts ? 0 : 1] };
    });
  });

/** Of every configuration in use, each value once. */
function settingsOf(evaluations: readonly Evaluation[]) {
  const of = (role: string, { name, settings }: Named) => [
    [role, name] as const,
    ...Object.entries(settings).map(([key, value]) =>
      [`${role} ${name}: ${key}`, `${value}`] as const
    ),
  ];
  const settings = evaluations.flatMap(({ configuration }) => {
    const { splitter, retriever, verifier, judges, promptsSha256 } = configuration;
    return [
      ["prompts SHA-256", promptsSha256] as const,
      ...of("splitter", splitter),
      ...retriever === undefined ? [] : of("retriever", retriever),
      ...of("verifier", verifier),
      ...judges.flatMap((judge) => of("judge", judge)),
    ];
  });
  const byKey = [...Map.groupBy(settings, ([key]) => key)];
  const distinct = (own: typeof settings) => [...new Set(own.map(([, value]) => value))].join("; ");
  return Object.fromEntries(byKey.map(([key, own]) => [key, distinct(own)]));
}
