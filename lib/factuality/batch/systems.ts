/** Comparison of a batch's systems, and of its components by kind of claim. */
import { join } from "node:path";
import { formatCsv, withoutFormulas } from "../../files/csv.ts";
import { writeTextAtomic } from "../../files/atomic.ts";
import { cohenKappa, unorderedPairs } from "../../stats/agreement.ts";
import { mean as meanMeasure } from "../../stats/measure.ts";
import { isAccepted } from "../decision.ts";
import type { matchClaims } from "../own/claim_matching.ts";
import { meanOrUndefined } from "../metrics/classification.ts";
import { claimMatrices, type ClaimMatrix, consensusOf } from "../metrics/agreement.ts";
import { isAboveChance, isEnglish, profileOfEvaluations } from "../metrics/profile.ts";
import { queryOf, responseOf } from "../metrics/profile.ts";
import type { MeasuredVerifier } from "../metrics/profile.ts";
import {
  CLAIM_KINDS,
  type ClaimResult,
  type Evaluation,
  FACTUAL_ACCURACY,
  type JudgeResult,
  type MeasuredAccuracy,
  type Named,
  type VerdictLabel,
} from "../types.ts";

/** Groups evaluations by system, in the order of the batch. Unnamed ones belong to `others`. */
export const evaluationsBySystem = (
  evaluations: readonly Evaluation[],
  others: string,
) => [...Map.groupBy(evaluations, ({ request }) => request.system ?? others)];

type Matching = Pick<Parameters<typeof matchClaims>, 2 | 4>;

/**
 * Builds the claim matrices of queries that several systems answered (requirement 16.2). They are
 * written to `claim_matrix.csv`. Entailments are stored in a second file, so that a query is
 * compared only once. @param open Opens the matcher, if entailments are missing. `by` has the
 * settings of its verifier, by default those of the project's. @throws the signal's reason when it
 * aborts; finished entailments are kept.
 */
export async function systemMatrices(
  folder: string,
  evaluations: readonly Evaluation[],
  open: Matching[2],
  { by, ...options }: Matching[4] & { readonly by?: Named["settings"] } = {},
): Promise<readonly ClaimMatrix[]> {
  const answers = evaluations.filter(isEnglish)
    .filter(({ request }) => request.system !== undefined)
    .map((one) => responseOf(one, one.request.system!));
  const shared = [...Map.groupBy(answers, ({ query }) => query).values()]
    .filter(({ length }) => length > 1).flat()
    // One line per row.
    .map((answer) => ({
      ...answer,
      claims: answer.claims.map((claim) => ({ ...claim, text: withoutFormulas(claim.text) })),
    }));
  if (shared.length === 0) return [];
  const matching = await import("../own/claim_matching.ts");
  const matchTable = matching.claimMatches(join(folder, "claim_matches.csv"));
  const settings = matching.entailmentAddress(by);
  const matcher = await matching.matchClaims(shared, settings, open, matchTable, options);
  const matrices = await claimMatrices(shared, matcher);
  const columns = ["query", "statement", "system", "stance", "systems_that_hold_it", "systems"];
  const rows = matrices.flatMap(({ query, models, statements }) =>
    statements.flatMap(({ text, stances }) =>
      models.map((system, at) => ({
        query: withoutFormulas(query),
        statement: text,
        system: withoutFormulas(system),
        stance: stances[at]!,
        systems_that_hold_it: stances.filter((stance) => stance !== "silent").length,
        systems: models.length,
      }))
    )
  );
  writeTextAtomic(join(folder, "claim_matrix.csv"), formatCsv(columns, rows));
  return matrices;
}

type ProfileOptions = Parameters<typeof profileOfEvaluations>[1];
type Measured = Pick<ProfileOptions, "uncertainties" | "refusals" | "settings">;
type SharedProfileOptions = Omit<ProfileOptions, "model" | "consensus" | keyof Measured>;

/**
 * Makes a profile of each system against the others' consensus. A batch without system names has a
 * single profile.
 */
export const profilesOfBatch = (
  evaluations: readonly Evaluation[],
  matrices: readonly ClaimMatrix[],
  { others, measuredOf = () => ({}), ...made }: SharedProfileOptions & {
    readonly others: string;
    /** Measurements of a system that are not made from its answers. */
    readonly measuredOf?: (system: string) => Measured;
  },
) =>
  evaluationsBySystem(evaluations, others).map(([model, answers]) =>
    profileOfEvaluations(answers, {
      ...{ ...made, ...measuredOf(model) },
      ...{ model, consensus: consensusOf(model, matrices) },
    })
  );

/** Human label of a claim, where there is one. */
export type LabelLookup = (evaluation: string, claim: string) => VerdictLabel | undefined;

/**
 * Compares verifier and judges, over all claims and by kind (requirements 13.2, 13.4): agreement
 * with the verifier, confidence, and accuracy on human-labelled claims for "supported". Shares are
 * 0–1; undefined without cases. κ is undefined where a rater was not measured above chance, by
 * `measuredVerifier` or a judge's calibration.
 */
export function componentsByKind(
  evaluations: readonly Evaluation[],
  truthOf: LabelLookup,
  measuredVerifier: MeasuredVerifier = () => undefined,
) {
  const votes = evaluations.flatMap(({ request, claims, milliseconds, configuration }) => {
    const measured = measuredVerifier(configuration.verifier);
    const verified = claims.filter(({ verdict }) => verdict.kind === "scored").length;
    return claims.flatMap((result) => {
      const { id, kind } = result.claim;
      const label = truthOf(request.id, id);
      const votes = votesOf(result, milliseconds.verification / 1000 / verified, measured);
      const verifier = votes.find(({ component }) => component === VERIFIER);
      return votes.map((vote) => ({
        ...vote,
        kind,
        verifier,
        truth: label && label === "supported",
      }));
    });
  });
  return [...Map.groupBy(votes, ({ component }) => component)].flatMap(([component, all]) =>
    ["all", ...CLAIM_KINDS].map((kind) => {
      const ofKind = all.filter((vote) => kind === "all" || vote.kind === kind);
      const both = ofKind.flatMap(({ verifier, ...vote }) =>
        component === VERIFIER || verifier === undefined ? [] : [{ ...vote, verifier }]
      );
      const labelled = ofKind.filter(({ truth }) => truth !== undefined);
      const kappa = cohenKappa(
        both.map(({ accepts }) => accepts),
        both.map(({ verifier }) => verifier.accepts),
      );
      const byChance = new Set(
        both.flatMap(({ verifier, ...vote }) => [vote, verifier])
          .flatMap(({ component, aboveChance }) => aboveChance ? [] : [component]),
      );
      return {
        component,
        kind,
        claims: ofKind.length,
        supported: share(ofKind, ({ accepts }) => accepts),
        confidence: meanOrUndefined(ofKind.map(({ confidence }) => confidence)),
        /** Seconds per claim; for the verifier its text's share, including internal consistency. */
        seconds: meanOrUndefined(ofKind.map(({ seconds }) => seconds)),
        comparedWithVerifier: both.length,
        agreement: share(both, ({ accepts, verifier }) => accepts === verifier.accepts),
        /** Chance agreement from the marginal shares. */
        expectedAgreement: kappa.kind === "unavailable" ? undefined : kappa.expected,
        /** Cohen's κ, defined only between raters above chance. */
        kappa: kappa.kind === "unavailable" || byChance.size > 0 ? undefined : kappa.kappa,
        /** Raters of the two that were not measured above chance. */
        byChance: [...byChance],
        labelled: labelled.length,
        right: share(labelled, ({ accepts, truth }) => accepts === truth),
      };
    })
  ).filter(({ claims }) => claims > 0);
}

/** A judge's votes: on claims where it judged claims, else on whole texts. */
function judgeVotes(evaluations: readonly Evaluation[]) {
  const vote = ({ judge, judgement, measured }: JudgeResult) =>
    judgement.kind === "unscored" ? [] : [{
      judge,
      accepts: isAccepted(judgement.score / 100),
      aboveChance: isAboveChance(measured),
    }];
  const claims = evaluations.flatMap(({ claims }) =>
    claims.map(({ judges }) => judges.flatMap(vote))
  );
  if (claims.some(({ length }) => length > 1)) return { of: "claims" as const, votes: claims };
  const texts = evaluations.map(({ criteria }) =>
    (criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? []).flatMap(vote)
  );
  return { of: "texts" as const, votes: texts };
}

/**
 * Agreement of every two judges (requirement 10.4). It covers claims that both judged, or texts
 * where no claim was judged. κ is undefined where a judge was not measured above chance.
 */
export function judgeAgreement(evaluations: readonly Evaluation[]) {
  const { of: unit, votes } = judgeVotes(evaluations);
  const judges = [...new Set(votes.flatMap((itemVotes) => itemVotes.map(({ judge }) => judge)))];
  return unorderedPairs(judges).map(([first, second]) => {
    const both = votes.flatMap((itemVotes) => {
      const [one, other] = [first, second].map((name) =>
        itemVotes.find(({ judge }) => judge === name)
      );
      return one && other ? [[one, other] as const] : [];
    });
    const byChance = [
      ...new Set(
        both.flat().flatMap(({ judge, aboveChance }) => aboveChance ? [] : [judge]),
      ),
    ];
    const kappa = cohenKappa(
      both.map(([one]) => one.accepts),
      both.map(([, other]) => other.accepts),
    );
    const known = kappa.kind === "unavailable" ? undefined : kappa;
    return {
      first,
      second,
      of: unit,
      n: both.length,
      agreement: share(both, ([one, other]) => one.accepts === other.accepts),
      expectedAgreement: known?.expected,
      kappa: byChance.length > 0 ? undefined : known?.kappa,
      byChance,
    };
  }).filter(({ n }) => n > 0);
}

/**
 * Accuracy of the verifier against each judge by kind of claim (requirement 13.4). It uses
 * human-labelled claims that both decided; the difference has its interval by source.
 */
export function accuracyByKind(evaluations: readonly Evaluation[], truthOf: LabelLookup) {
  const rows = evaluations.flatMap((one) =>
    one.claims.flatMap(({ claim, verdict, judges }) => {
      const label = truthOf(one.request.id, claim.id);
      if (label === undefined || verdict.kind === "unscored") return [];
      const isRight = (accepts: boolean) => Number(accepts === (label === "supported"));
      return judges.flatMap(({ judge, judgement }) =>
        judgement.kind === "unscored" ? [] : [{
          cluster: queryOf(one).cluster,
          kind: claim.kind,
          judge,
          verifier: isRight(verdict.label === "supported"),
          judged: isRight(isAccepted(judgement.score / 100)),
        }]
      );
    })
  );
  return [...Map.groupBy(rows, ({ judge }) => judge)].flatMap(([judge, ofJudge]) =>
    CLAIM_KINDS.flatMap((kind) => {
      const ofKind = ofJudge.filter((row) => row.kind === kind);
      if (ofKind.length === 0) return [];
      const items = ofKind.map(({ cluster, verifier, judged }) => ({
        cluster,
        value: verifier - judged,
      }));
      const difference = meanMeasure(items, [-1, 1]);
      const better = difference.kind !== "interval"
        ? undefined
        : difference.low > 0
        ? VERIFIER
        : difference.high < 0
        ? judge
        : undefined;
      return [{
        kind,
        judge,
        n: ofKind.length,
        verifier: share(ofKind, ({ verifier }) => verifier === 1)!,
        judged: share(ofKind, ({ judged }) => judged === 1)!,
        difference,
        /** The more accurate one; undefined where the interval includes 0. */
        better,
      }];
    })
  );
}

const share = <Item>(items: readonly Item[], counts: (item: Item) => boolean) =>
  items.length === 0 ? undefined : items.filter(counts).length / items.length;

const VERIFIER = "verifier";

function votesOf(
  { claim, verdict, judges }: ClaimResult,
  verifierSeconds: number,
  ofVerifier: MeasuredAccuracy | undefined,
) {
  if (claim.notCheckable !== undefined) return [];
  const vote = (
    component: string,
    yes: number,
    seconds: number,
    measured: MeasuredAccuracy | undefined,
  ) => {
    const aboveChance = isAboveChance(measured);
    const confidence = Math.max(yes, 1 - yes);
    return { component, accepts: isAccepted(yes), confidence, seconds, aboveChance };
  };
  return [
    ...verdict.kind === "scored"
      ? [vote(VERIFIER, verdict.probabilities.supported, verifierSeconds, ofVerifier)]
      : [],
    ...judges.flatMap(({ judge, judgement, milliseconds, measured }) =>
      judgement.kind === "scored"
        ? [vote(judge, judgement.score / 100, milliseconds / 1000, measured)]
        : []
    ),
  ];
}
