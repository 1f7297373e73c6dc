/** A profile of what `factcheck` evaluated. */
import { sha256Hex } from "../../files/atomic.ts";
import { isAccepted } from "../decision.ts";
import { weightFromAccuracy } from "../judges/ensemble.ts";
import type { ClaimResult, Evaluation, MeasuredAccuracy, Named } from "../types.ts";
import type { ClaimRating } from "./agreement.ts";
import { sideOf } from "./intervals.ts";
import { hallucinationProfile, type ProfileInput } from "./profile.ts";
import type { ClassifiedResponse } from "./rates.ts";

/**
 * The profile of ordinary evaluations: candidates as responses, verdicts as classes, verifier and
 * judges as raters; requests with one source text are one cluster. A claim that was looked up and of
 * which nothing was found is not borne out: it counts as unverifiable. Samples and refusals are those of
 * the model that wrote the candidates, where there are any; `settings` tell whence. `measuredVerifier`
 * knows how good a verifier of these settings is.
 */
export function profileOfEvaluations(
  evaluations: readonly Evaluation[],
  { model, madeAt, seed, measuredVerifier, settings, ...more }:
    & Pick<ProfileInput, "model" | "seed">
    & Partial<Pick<ProfileInput, "consensus" | "uncertainties" | "refusals">>
    & {
      readonly madeAt: string;
      readonly measuredVerifier: MeasuredVerifier;
      readonly settings?: Readonly<Record<string, string>>;
    },
) {
  return hallucinationProfile({
    model,
    responses: evaluations.map((one) => responseOf(one, model)),
    ratings: evaluations.flatMap((one) => ratingsOf(one, measuredVerifier)),
    provenance: { madeAt, settings: { ...settingsOf(evaluations), ...settings } },
    seed,
    consensus: [],
    uncertainties: [],
    refusals: [],
    ...more,
  });
}

/** A candidate as the response of a model, with its claims that can be checked. */
export const responseOf = (one: Evaluation, model: string): ClassifiedResponse => ({
  model,
  ...queryOf(one),
  abstained: false,
  claims: one.claims.filter(isCheckable).map(({ claim: { id, text }, verdict, unverifiable }) => {
    const without = unverifiable ? "not enough info" : undefined;
    return { id, text, label: verdict.kind === "scored" ? verdict.label : without };
  }),
});

const isCheckable = ({ claim }: ClaimResult) => claim.notCheckable === undefined;

/** Candidates written from one source, or to one query, share their luck. */
export function queryOf({ request: { id, source, query = id } }: Evaluation) {
  const cluster = source.trim() === "" ? query : `source ${sha256Hex(source).slice(0, 16)}`;
  return { query, cluster };
}

/** What was measured of a verifier; undefined where nobody has measured one of these settings. */
export type MeasuredVerifier = (verifier: Named) => MeasuredAccuracy | undefined;

export const isAboveChance = (measured: MeasuredAccuracy | undefined) =>
  measured !== undefined && weightFromAccuracy(measured) > 0;

function ratingsOf(evaluation: Evaluation, measuredVerifier: MeasuredVerifier) {
  const ofVerifier = isAboveChance(measuredVerifier(evaluation.configuration.verifier));
  return evaluation.claims.filter(isCheckable).flatMap(
    ({ claim, verdict, judges }): ClaimRating[] => {
      const of = { ...queryOf(evaluation), claimId: claim.id, text: claim.text };
      const vote = (rater: string, accepts: boolean, aboveChance: boolean) => {
        return { ...of, rater, label: sideOf(accepts), aboveChance };
      };
      return [
        ...verdict.kind === "scored"
          ? [vote("verifier", verdict.label === "supported", ofVerifier)]
          : [],
        ...judges.flatMap(({ judge, judgement, measured }) =>
          judgement.kind === "scored"
            ? [vote(judge, isAccepted(judgement.score / 100), isAboveChance(measured))]
            : []
        ),
      ];
    },
  );
}

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
