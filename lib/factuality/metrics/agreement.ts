/**
 * What several models say alike, each model against the others' consensus, and how far raters of claims
 * (verifier, judges, readers) agree.
 */
import { cohenKappa, connectedComponents, unavailable } from "../../stats/agreement.ts";
import type { Measure } from "../../stats/measure.ts";
import { mean, type PointEstimate, type QueryResult } from "./classification.ts";
import type { ClassifiedResponse } from "./rates.ts";

/** Whether the first text says what the second does, and perhaps more. */
export type Entails = (premise: string, claim: string) => boolean;

/** What tells which of some claims say what others say. The function knows these texts only. */
export interface ClaimMatcher {
  readonly name: string;
  entailments(claims: readonly string[]): Promise<Entails>;
}

/** What a model's response has to do with a statement: says it, says what entails it, or neither. */
type Stance = "states" | "entails" | "silent";

/** A claim and the model that makes it. */
type MadeClaim = Readonly<Record<"model" | "text", string>>;

/** Which model says what about one query. */
export type ClaimMatrix = ReturnType<typeof claimMatrix>;
type Statement = ClaimMatrix["statements"][number];

/**
 * The claims of several models about one query as statements × models. Two claims are one statement
 * where each entails the other, where they differ in case, closing stop or turn alone, or where a chain
 * of such pairs joins them. The order of responses changes nothing.
 * @param responses to one query, one a model and at least one.
 */
export function claimMatrix(responses: readonly ClassifiedResponse[], entails: Entails) {
  const ordered = responses.toSorted((a, b) => a.model < b.model ? -1 : 1);
  const { query, cluster } = ordered[0]!;
  const claims = ordered.flatMap(({ model, claims }) =>
    claims.map(({ text }): MadeClaim => ({ model, text }))
  );
  const holds = orAlike(entails);
  const [models, silent] = [true, false].map((claiming) =>
    ordered.filter(({ claims }) => claims.length > 0 === claiming).map(({ model }) => model)
  ) as [string[], string[]];
  const stanceOf = (model: string, members: readonly MadeClaim[]): Stance => {
    if (members.some((member) => member.model === model)) return "states";
    const own = claims.filter((claim) => claim.model === model);
    const isEntailed = own.some((one) => members.some((member) => holds(one.text, member.text)));
    return isEntailed ? "entails" : "silent";
  };
  const statements = clusters(claims, entails).map((members) => {
    const stances = models.map((model) => stanceOf(model, members));
    return { text: members[0]!.text, claims: members, stances };
  });
  // `models` claim something, by name in code-unit order; the `silent` answered without a claim.
  return { query, cluster, models, silent, statements };
}

/** Texts that say the same, by entailment both ways or but for case, stop and turn, joined in chains. */
export function clusters<Made extends Pick<MadeClaim, "text">>(
  claims: readonly Made[],
  entails: Entails,
): readonly (readonly Made[])[] {
  const holds = orAlike(entails);
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

const orAlike = (entails: Entails): Entails => (premise, claim) =>
  plain(premise) === plain(claim) || entails(premise, claim);

const plain = (text: string) => turned(text.trim().replace(/\s+/g, " ").replace(/[.!]+$/, ""));

/** "Tokyo is the capital of Japan", "The capital of Japan is Tokyo", "Japan's capital is Tokyo", "Tokyo is Japan's capital". */
const TURNS: readonly RegExp[] = [
  /^the (?<noun>[^,]+?) of (?<owner>[^,]+?) (?<verb>is|was) (?<value>[^,]+)$/,
  /^(?<value>[^,]+?) (?<verb>is|was) the (?<noun>[^,]+?) of (?<owner>[^,]+)$/,
  /^(?<owner>[^,]+?)['’]s? (?<noun>[^,]+?) (?<verb>is|was) (?<value>[^,]+)$/,
  /^(?<value>[^,]+?) (?<verb>is|was) (?<owner>[^,]+?)['’]s? (?<noun>[^,]+)$/,
];

/** What holds of two as of two the other way about: "France borders Spain". */
const EVEN =
  /^(?<one>[^,]+?) (?<verb>borders|(?:is|was) (?:married to|adjacent to|next to|twinned with)|shares a border with) (?<other>[^,]+)$/;

/** One form for all that say what something's only one is, and for what holds both ways; small letters. */
function turned(text: string): string {
  const small = text.toLowerCase();
  const { one, verb: both, other } = EVEN.exec(small)?.groups ?? {};
  if (one !== undefined && other !== undefined) return [both, ...[one, other].sort()].join("|");
  for (const turn of TURNS) {
    const { noun, owner, verb, value } = turn.exec(small)?.groups ?? {};
    if (noun === undefined || owner === undefined || value === undefined) continue;
    return [noun, owner.replace(/^the /, ""), verb, value.replace(/^the /, "")].join("|");
  }
  return small;
}

/** One model against the consensus of the others about one query. */
export type ConsensusScore = ReturnType<typeof consensusF1>;

/**
 * Consensus F1, leave-one-out: the consensus is what more than half of the *other* models that
 * claim something hold (state or entail, and one of them states), so that no model is its own
 * witness. F1 = 2PR / (P + R); 0 where one is zero, whatever the other would be, else unavailable
 * where one of them cannot be computed. The model has answered.
 */
export function consensusF1(matrix: ClaimMatrix, model: string) {
  const { query, cluster, models, statements } = matrix;
  const others = models.filter((other) => other !== model).length;
  const column = models.indexOf(model);
  /** What the other models have to do with a statement. */
  const stancesOf = ({ stances }: Statement) => stances.filter((_, index) => index !== column);
  const holders = (one: Statement) => stancesOf(one).filter((stance) => stance !== "silent").length;
  const own = statements.filter(({ stances }) => stances[column] === "states");
  const supported = own.filter((one) => holders(one) > 0);
  // What only the model states and others entail is no statement of theirs.
  const consensus = statements.filter((one) =>
    holders(one) > others / 2 && stancesOf(one).includes("states")
  );
  const included = consensus.filter(({ stances }) => (stances[column] ?? "silent") !== "silent");
  const ratio = (part: number, whole: number, none: string): PointEstimate => {
    if (others === 0) return unavailable("no other model claims anything");
    return whole === 0 ? unavailable(none) : part / whole;
  };
  const precision = ratio(supported.length, own.length, "it states nothing");
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
    /** Its statements that another model states or entails / its statements, 0–1. */
    precision,
    /** Statements of the others' consensus that it states or entails / all of them, 0–1. */
    recall,
    f1: f1(),
    statements: own.length,
    supported: supported.length,
    consensus: consensus.length,
    included: included.length,
    /** Other models that claim something. */
    others,
  };
}

/** Mean of a figure over the queries that have it, 0–1. Unavailable where none has. */
export function meanConsensus(
  scores: readonly ConsensusScore[],
  figure: "precision" | "recall" | "f1",
) {
  const values = scores.map((score) => score[figure]);
  const found = mean(values.filter((value) => typeof value === "number"));
  if (found !== undefined) return found;
  const reasons = new Set(values.map((value) => typeof value === "number" ? "" : value.reason));
  return unavailable(reasons.size === 0 ? "no queries" : [...reasons].join("; "));
}

/** The claims of every system about each query that several answered, side by side. */
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

/** One system against the consensus of the others, a score a query that it answered. */
export const consensusOf = (system: string, matrices: readonly ClaimMatrix[]) =>
  matrices.filter(({ models, silent }) => models.includes(system) || silent.includes(system))
    .map((matrix) => consensusF1(matrix, system));

/** What one rater called a claim, which the query and `claimId` name together. */
export interface ClaimRating extends QueryResult {
  readonly claimId: string;
  readonly text: string;
  readonly rater: string;
  /** One of `SIDES`. */
  readonly label: string;
  /** Whether the rater was measured to be better than chance: κ is over these alone. */
  readonly aboveChance: boolean;
}

/** Ratings by claim, in their order. @throws {RangeError} for two of one claim by one rater. */
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

/** Claims on which raters differ, most evenly divided first; on which they agree; rated once. */
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

/** The rated claims as statistics take them, and those of them that every rater rated. */
export function ratedItems(ratings: readonly ClaimRating[]) {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const items = ratedClaims(ratings).map(({ query, cluster, claimId, votes }) => {
    const labels: readonly string[] = votes.map(({ label }) => label);
    return { id: JSON.stringify([query, claimId]), cluster, labels };
  });
  return { raters, items, whole: items.filter(({ labels }) => labels.length === raters.length) };
}

/** Cohen's κ of every two raters above chance, `cells[row][column]`, over claims both rated. */
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
    const found = cohenKappa(first!, second!);
    return found.kind === "unavailable" ? found : { kind: "value", estimate: found.kappa };
  };
  return { raters, cells: raters.map((one) => raters.map((other) => kappaOf(one, other))) };
}
