/** What several models say alike: statements by models, and each model against the others' consensus. */
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { figureInterval, type QueryResult } from "./intervals.ts";
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
interface MadeClaim {
  readonly model: string;
  readonly claimId: string;
  readonly text: string;
}

/** Claims, of any models, that say the same. */
interface Statement {
  /** Its first claim's words. */
  readonly text: string;
  /** In the order of models, then of each text. */
  readonly claims: readonly MadeClaim[];
  /** One for each of the matrix's models. */
  readonly stances: readonly Stance[];
}

/** Which model says what about one query. */
export interface ClaimMatrix extends QueryResult {
  /** Those that claim something, by name in code-unit order. */
  readonly models: readonly string[];
  /** Those that answered without a claim: they hold no opinion that could be counted. */
  readonly silent: readonly string[];
  readonly statements: readonly Statement[];
}

/**
 * The claims of several models about one query as statements × models. Two claims are one statement
 * where each entails the other, where their texts are the same but for case and closing stop, or
 * where a chain of such pairs joins them (union-find). A model that does not state it supports it
 * where one of its claims entails one of the statement's. The order of responses changes nothing.
 *
 * @throws {RangeError} for responses to different queries, or two of one model.
 */
export function claimMatrix(
  responses: readonly ClassifiedResponse[],
  entails: Entails,
): ClaimMatrix {
  const ordered = responses.toSorted((a, b) => a.model < b.model ? -1 : 1);
  const { query, cluster } = requireOneQuery(ordered);
  const claims = ordered.flatMap(({ model, claims }) =>
    claims.map(({ id, text }): MadeClaim => ({ model, claimId: id, text }))
  );
  const holds: Entails = (premise, claim) =>
    plain(premise) === plain(claim) || entails(premise, claim);
  const models = ordered.filter(({ claims }) => claims.length > 0).map(({ model }) => model);
  const stanceOf = (model: string, members: readonly MadeClaim[]): Stance => {
    if (members.some((member) => member.model === model)) return "states";
    const own = claims.filter((claim) => claim.model === model);
    const isEntailed = own.some((one) => members.some((member) => holds(one.text, member.text)));
    return isEntailed ? "entails" : "silent";
  };
  const statements = clusters(claims, holds).map((members): Statement => ({
    text: members[0]!.text,
    claims: members,
    stances: models.map((model) => stanceOf(model, members)),
  }));
  const silent = ordered.filter(({ claims }) => claims.length === 0).map(({ model }) => model);
  return { query, cluster, models, silent, statements };
}

/** Clusters in the order of their first claims. */
function clusters(claims: readonly MadeClaim[], holds: Entails): readonly (readonly MadeClaim[])[] {
  const parents = claims.map((_, index) => index);
  const rootOf = (index: number): number => {
    while (parents[index] !== index) index = parents[index] = parents[parents[index]!]!;
    return index;
  };
  claims.forEach(({ text }, index) => {
    for (let before = 0; before < index; before++) {
      const [one, other] = [rootOf(before), rootOf(index)];
      const earlier = claims[before]!.text;
      const same = one !== other && holds(earlier, text) && holds(text, earlier);
      // The lower index becomes the root, so that roots keep the order of the texts.
      if (same) parents[Math.max(one, other)] = Math.min(one, other);
    }
  });
  const byRoot = Map.groupBy(claims.keys(), (index) => rootOf(index));
  return [...byRoot.values()].map((members) => members.map((index) => claims[index]!));
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").replace(/[.!]+$/, "").toLowerCase();
}

function requireOneQuery(responses: readonly ClassifiedResponse[]): ClassifiedResponse {
  const [first] = responses;
  if (first === undefined) throw new RangeError("Cannot compare claims: there are no responses.");
  const other = responses.find(({ query }) => query !== first.query);
  if (other !== undefined) {
    throw new RangeError(
      `Cannot compare claims: ${first.query} and ${other.query} are different queries.`,
    );
  }
  const twice = responses.find(({ model }, index) => responses[index + 1]?.model === model);
  if (twice === undefined) return first;
  throw new RangeError(
    `Cannot compare claims: ${twice.model} has two responses to ${first.query}; give one a model.`,
  );
}

/** One model against the consensus of the others about one query. */
export interface ConsensusScore extends QueryResult {
  /** Its statements that another model states or entails / its statements, 0–1. */
  readonly precision: number | Unavailable;
  /** Statements of the others' consensus that it states or entails / all of them, 0–1. */
  readonly recall: number | Unavailable;
  readonly f1: number | Unavailable;
  readonly statements: number;
  readonly supported: number;
  readonly consensus: number;
  readonly included: number;
  /** Other models that claim something. */
  readonly others: number;
}

/**
 * Consensus F1, leave-one-out: the consensus is what more than a share of the *other* models hold
 * (state or entail, and one of them states), so that no model is its own witness: with two models it is
 * all that the other says, with three what both others say. Models without a claim hold no opinion and
 * are not counted.
 *
 * F1 = 2PR / (P + R), between P and R; 0 where both are zero, and where one is zero and the other
 * cannot be computed, whatever that would be. Else unavailable: without another model that claims
 * something, without a statement of its own where the others agree on nothing, and where it has
 * supported statements but the others agree on nothing.
 *
 * @throws {RangeError} for a share outside 0 … 1, 1 excluded, or a model without a response.
 */
export function consensusF1(matrix: ClaimMatrix, model: string, share = 0.5): ConsensusScore {
  const { query, cluster, models, silent, statements } = matrix;
  if (!(share >= 0 && share < 1)) {
    throw new RangeError(`Cannot find a consensus: a share of ${share} is not in 0 … 1.`);
  }
  if (!models.includes(model) && !silent.includes(model)) {
    throw new RangeError(`Cannot score ${model}: it has no response to ${query}.`);
  }
  const others = models.filter((other) => other !== model).length;
  const needed = Math.floor(share * others) + 1;
  const column = models.indexOf(model);
  /** How many other models state or entail a statement. */
  const holders = ({ stances }: Statement) =>
    stances.filter((stance, index) => index !== column && stance !== "silent").length;
  const own = statements.filter(({ stances }) => stances[column] === "states");
  const supported = own.filter((one) => holders(one) > 0);
  const consensus = statements.filter((one) =>
    // What only the model states and others entail is no statement of theirs.
    holders(one) >= needed &&
    one.stances.some((stance, index) => index !== column && stance === "states")
  );
  const included = consensus.filter(({ stances }) => (stances[column] ?? "silent") !== "silent");
  const ratio = (part: number, whole: number, none: string) => {
    if (others === 0) return unavailable("no other model claims anything");
    return whole === 0 ? unavailable(none) : part / whole;
  };
  const precision = ratio(supported.length, own.length, "it states nothing");
  const none = "the other models agree on nothing";
  const recall = ratio(included.length, consensus.length, none);
  return {
    query,
    cluster,
    precision,
    recall,
    f1: harmonicMean(precision, recall),
    statements: own.length,
    supported: supported.length,
    consensus: consensus.length,
    included: included.length,
    others,
  };
}

/** Which figure of a query. */
type ConsensusFigure = "precision" | "recall" | "f1";

/** Mean of a figure over the queries that have it, 0–1. Unavailable where none has. */
export function meanConsensus(
  scores: readonly ConsensusScore[],
  figure: ConsensusFigure,
): number | Unavailable {
  const values = scores.map((score) => score[figure]).filter((value) => typeof value === "number");
  if (values.length > 0) return values.reduce((sum, value) => sum + value, 0) / values.length;
  const reasons = new Set(
    scores.flatMap(({ [figure]: value }) => typeof value === "number" ? [] : [value.reason]),
  );
  return unavailable(reasons.size === 0 ? "no queries" : [...reasons].join("; "));
}

/** That mean with its interval, by resampling clusters of whole queries; `n` are those that have it. */
export function consensusInterval(
  scores: readonly ConsensusScore[],
  figure: ConsensusFigure,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const known = scores.filter((score) => typeof score[figure] === "number");
  const mean = meanConsensus(scores, figure);
  if (typeof mean !== "number") return mean;
  return figureInterval(known, (drawn) => meanConsensus(drawn, figure), random);
}

function harmonicMean(
  precision: number | Unavailable,
  recall: number | Unavailable,
): number | Unavailable {
  if (precision === 0 || recall === 0) return 0;
  if (typeof precision !== "number") return precision;
  if (typeof recall !== "number") return recall;
  return (2 * precision * recall) / (precision + recall);
}

/** The claims of every system about each query that several answered, side by side. */
export async function claimMatrices(
  responses: readonly ClassifiedResponse[],
  matcher: ClaimMatcher,
): Promise<readonly ClaimMatrix[]> {
  const shared = [...Map.groupBy(responses, ({ query }) => query).values()]
    .filter(({ length }) => length > 1);
  const matrices: ClaimMatrix[] = [];
  for (const answers of shared) {
    const texts = answers.flatMap(({ claims }) => claims.map(({ text }) => text));
    matrices.push(claimMatrix(answers, await matcher.entailments(texts)));
  }
  return matrices;
}

/** One system against the consensus of the others, a score a query that it answered. */
export function consensusOf(
  system: string,
  matrices: readonly ClaimMatrix[],
): readonly ConsensusScore[] {
  return matrices
    .filter(({ models, silent }) => models.includes(system) || silent.includes(system))
    .map((matrix) => consensusF1(matrix, system));
}
