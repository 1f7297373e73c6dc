/**
 * Agreement between models and between raters: shared statements, consensus F1, κ of claim ratings.
 */
import { cohenKappa, connectedComponents, unavailable } from "../../stats/agreement.ts";
import type { Measure } from "../../stats/measure.ts";
import { meanOrUndefined, type PointEstimate, type QueryResult } from "./classification.ts";
import type { ClassifiedResponse } from "./rates.ts";

/** Tests whether the premise entails the claim. */
export type Entails = (premise: string, claim: string) => boolean;

/**
 * Decides which claims of a list entail one another. The returned function covers these texts only.
 */
export interface ClaimMatcher {
  readonly name: string;
  entailments(claims: readonly string[]): Promise<Entails>;
}

/** Relation of a model's response to a statement: it states it, entails it, or neither. */
type Stance = "states" | "entails" | "silent";

/** A claim with the name of its model. */
type MadeClaim = Readonly<Record<"model" | "text", string>>;

/** Statements × models for one query. */
export type ClaimMatrix = ReturnType<typeof claimMatrix>;
type Statement = ClaimMatrix["statements"][number];

/**
 * Builds the matrix of statements × models for one query. Two claims are one statement where each
 * entails the other, where they differ only in case, final stop or inversion, or where a chain of
 * such pairs links them. The result does not depend on the order of responses. @param responses
 * Responses to one query, one per model, at least one.
 */
export function claimMatrix(responses: readonly ClassifiedResponse[], entails: Entails) {
  const ordered = responses.toSorted((a, b) => a.model < b.model ? -1 : 1);
  const { query, cluster } = ordered[0]!;
  const claims = ordered.flatMap(({ model, claims }) =>
    claims.map(({ text }): MadeClaim => ({ model, text }))
  );
  const holds = entailsOrEquals(entails);
  const [models, silent] = [true, false].map((claiming) =>
    ordered.filter(({ claims }) => claims.length > 0 === claiming).map(({ model }) => model)
  ) as [string[], string[]];
  const stanceOf = (model: string, members: readonly MadeClaim[]): Stance => {
    if (members.some((member) => member.model === model)) return "states";
    const modelClaims = claims.filter((claim) => claim.model === model);
    const isEntailed = modelClaims.some((one) =>
      members.some((member) => holds(one.text, member.text))
    );
    return isEntailed ? "entails" : "silent";
  };
  const statements = equivalenceClasses(claims, entails).map((members) => {
    const stances = models.map((model) => stanceOf(model, members));
    return { text: members[0]!.text, claims: members, stances };
  });
  // `models` make claims, by name in code-unit order; the `silent` answered without a claim.
  return { query, cluster, models, silent, statements };
}

/**
 * Groups equivalent texts into connected components. Two texts are equivalent by mutual entailment,
 * or if they differ only in case, final stop or inversion.
 */
export function equivalenceClasses<Made extends Pick<MadeClaim, "text">>(
  claims: readonly Made[],
  entails: Entails,
): readonly (readonly Made[])[] {
  const holds = entailsOrEquals(entails);
  const same = ({ text: one }: Made, { text: other }: Made) =>
    holds(one, other) && holds(other, one);
  const pairs = claims.flatMap((claim, at) =>
    claims.slice(0, at).flatMap((other, before) =>
      same(other, claim) ? [[before, at] as const] : []
    )
  );
  const groups = connectedComponents(claims.length, pairs);
  return [...Map.groupBy(claims, (_, index) => groups[index]!).values()];
}

const entailsOrEquals = (entails: Entails): Entails => (premise, claim) =>
  plainStatement(premise) === plainStatement(claim) || entails(premise, claim);

const plainStatement = (text: string) =>
  canonicalStatement(text.trim().replace(/\s+/g, " ").replace(/[.!]+$/, ""));

/**
 * Patterns of inverted identity statements, such as "Tokyo is the capital of Japan" and "Japan's
 * capital is Tokyo".
 */
const INVERSIONS: readonly RegExp[] = [
  /^the (?<noun>[^,]+?) of (?<owner>[^,]+?) (?<verb>is|was) (?<value>[^,]+)$/,
  /^(?<value>[^,]+?) (?<verb>is|was) the (?<noun>[^,]+?) of (?<owner>[^,]+)$/,
  /^(?<owner>[^,]+?)['’]s? (?<noun>[^,]+?) (?<verb>is|was) (?<value>[^,]+)$/,
  /^(?<value>[^,]+?) (?<verb>is|was) (?<owner>[^,]+?)['’]s? (?<noun>[^,]+)$/,
];

/** Patterns of symmetric relations: "France borders Spain". */
const SYMMETRIC =
  /^(?<one>[^,]+?) (?<verb>borders|(?:is|was) (?:married to|adjacent to|next to|twinned with)|shares a border with) (?<other>[^,]+)$/;

/** Canonical form of identity statements and symmetric relations, in lower case. */
function canonicalStatement(text: string): string {
  const small = text.toLowerCase();
  const { one, verb: both, other } = SYMMETRIC.exec(small)?.groups ?? {};
  if (one !== undefined && other !== undefined) return [both, ...[one, other].sort()].join("|");
  for (const turn of INVERSIONS) {
    const { noun, owner, verb, value } = turn.exec(small)?.groups ?? {};
    if (noun === undefined || owner === undefined || value === undefined) continue;
    return [noun, owner.replace(/^the /, ""), verb, value.replace(/^the /, "")].join("|");
  }
  return small;
}

/** Score of one model against the others' consensus on one query. */
export type ConsensusScore = ReturnType<typeof consensusF1>;

/**
 * Consensus F1, leave-one-out. The consensus is what more than half of the *other* claiming models
 * state or entail, stated by at least one of them; no model supports itself. F1 = 2PR / (P + R). It
 * is 0 where P or R is 0, and otherwise unavailable where one of them is. The model must have
 * answered the query.
 */
export function consensusF1(matrix: ClaimMatrix, model: string) {
  const { query, cluster, models, statements } = matrix;
  const others = models.filter((other) => other !== model).length;
  const column = models.indexOf(model);
  /** Stances of the other models towards a statement. */
  const stancesOf = ({ stances }: Statement) => stances.filter((_, index) => index !== column);
  const holders = (one: Statement) => stancesOf(one).filter((stance) => stance !== "silent").length;
  const stated = statements.filter(({ stances }) => stances[column] === "states");
  const supported = stated.filter((one) => holders(one) > 0);
  // A statement made by this model alone is not the others', even if they entail it.
  const consensus = statements.filter((one) =>
    holders(one) > others / 2 && stancesOf(one).includes("states")
  );
  const included = consensus.filter(({ stances }) => (stances[column] ?? "silent") !== "silent");
  const ratio = (part: number, whole: number, none: string): PointEstimate => {
    if (others === 0) return unavailable("no other model claims anything");
    return whole === 0 ? unavailable(none) : part / whole;
  };
  const precision = ratio(supported.length, stated.length, "it states nothing");
  const none = "the other models agree on nothing";
  const recall = ratio(included.length, consensus.length, none);
  const f1 = (): PointEstimate => {
    if (precision === 0 || recall === 0) return 0;
    if (typeof precision !== "number") return precision;
    return typeof recall === "number" ? (2 * precision * recall) / (precision + recall) : recall;
  };
  return {
    query,
    cluster,
    /** Precision, 0–1: share of its statements that another model states or entails. */
    precision,
    /** Recall, 0–1: share of the consensus that it states or entails. */
    recall,
    f1: f1(),
    statements: stated.length,
    supported: supported.length,
    consensus: consensus.length,
    included: included.length,
    /** Other models that make claims. */
    others,
  };
}

/** Mean of a score over the queries that have it, 0–1. Unavailable without any. */
export function meanConsensus(
  scores: readonly ConsensusScore[],
  figure: "precision" | "recall" | "f1",
) {
  const values = scores.map((score) => score[figure]);
  const average = meanOrUndefined(values.filter((value) => typeof value === "number"));
  if (average !== undefined) return average;
  const reasons = new Set(values.map((value) => typeof value === "number" ? "" : value.reason));
  return unavailable(reasons.size === 0 ? "no queries" : [...reasons].join("; "));
}

/** Builds the claim matrix of each query that several systems answered. */
export async function claimMatrices(
  responses: readonly ClassifiedResponse[],
  matcher: ClaimMatcher,
): Promise<readonly ClaimMatrix[]> {
  const shared = [...Map.groupBy(responses, ({ query }) => query).values()]
    .filter(({ length }) => length > 1);
  return await Array.fromAsync(shared, async (answers) => {
    const texts = answers.flatMap(({ claims }) => claims.map(({ text }) => text));
    return claimMatrix(answers, await matcher.entailments(texts));
  });
}

/** Scores one system against the others' consensus, once per query it answered. */
export const consensusOf = (system: string, matrices: readonly ClaimMatrix[]) =>
  matrices.filter(({ models, silent }) => models.includes(system) || silent.includes(system))
    .map((matrix) => consensusF1(matrix, system));

/** One rater's label of a claim; query and `claimId` identify the claim. */
export interface ClaimRating extends QueryResult {
  readonly claimId: string;
  readonly text: string;
  readonly rater: string;
  /** Label, one of `SIDES`. */
  readonly label: string;
  /** True for a rater measured above chance; κ uses only these. */
  readonly aboveChance: boolean;
}

/**
 * Groups ratings by claim, in their order. @throws {RangeError} for two ratings of one claim by one
 * rater.
 */
function ratedClaims(ratings: readonly ClaimRating[]) {
  const byClaim = Map.groupBy(ratings, ({ query, claimId }) => JSON.stringify([query, claimId]));
  return [...byClaim.values()].map((group) => {
    const { query, cluster, claimId, text } = group[0]!;
    const votes = group.map(({ rater, label }) => ({ rater, label }));
    if (new Set(votes.map(({ rater }) => rater)).size === votes.length) {
      return { query, cluster, claimId, text, votes };
    }
    throw new RangeError(
      `Cannot compare raters: one has two ratings of claim ${claimId} of ${query}; keep one.`,
    );
  });
}

/**
 * Sorts claims into disputed ones (most evenly divided first), agreed ones, and those rated once.
 */
export function claimAgreement(ratings: readonly ClaimRating[]) {
  const claims = ratedClaims(ratings);
  const rated = claims.filter(({ votes }) => votes.length > 1);
  const largestShare = ({ votes }: typeof claims[number]) => {
    const byLabel = Map.groupBy(votes, ({ label }) => label);
    return Math.max(...[...byLabel.values()].map(({ length }) => length)) / votes.length;
  };
  return {
    disputed: rated.filter((claim) => largestShare(claim) < 1)
      .toSorted((a, b) => largestShare(a) - largestShare(b)),
    consensus: rated.filter((claim) => largestShare(claim) === 1),
    ratedOnce: claims.length - rated.length,
  };
}

/** Returns the rated claims for agreement statistics, and those rated by every rater. */
export function ratedItems(ratings: readonly ClaimRating[]) {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const items = ratedClaims(ratings).map(({ query, cluster, claimId, votes }) => {
    const labels: readonly string[] = votes.map(({ label }) => label);
    return { id: JSON.stringify([query, claimId]), cluster, labels };
  });
  return { raters, items, whole: items.filter(({ labels }) => labels.length === raters.length) };
}

/** Cohen's κ for each pair of raters above chance, over claims both rated; `cells[row][column]`. */
export function agreementOfPairs(ratings: readonly ClaimRating[]) {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const claims = ratedClaims(ratings).map(({ votes }) =>
    new Map(votes.map(({ rater, label }) => [rater, label]))
  );
  const byChance = new Set(
    ratings.filter(({ aboveChance }) => !aboveChance).map(({ rater }) => rater),
  );
  const kappaOf = (one: string, other: string): Measure => {
    if (one === other) return unavailable("the same rater");
    if (byChance.has(one) || byChance.has(other)) return unavailable("not measured above chance");
    const shared = claims.filter((votes) => votes.has(one) && votes.has(other));
    const [first, second] = [one, other].map((rater) => shared.map((votes) => votes.get(rater)!));
    const kappa = cohenKappa(first!, second!);
    return kappa.kind === "unavailable" ? kappa : { kind: "value", estimate: kappa.kappa };
  };
  return { raters, cells: raters.map((one) => raters.map((other) => kappaOf(one, other))) };
}
