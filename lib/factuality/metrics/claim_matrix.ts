import type { ClassifiedResponse } from "./classified_response.ts";

/** Whether the first text says what the second does, and perhaps more. */
export type Entails = (premise: string, claim: string) => boolean;

/** What a model's response has to do with a statement: says it, says what entails it, or neither. */
export type Stance = "states" | "entails" | "silent";

/** A claim and the model that makes it. */
export interface MadeClaim {
  readonly model: string;
  readonly claimId: string;
  readonly text: string;
}

/** Claims, of any models, that say the same. */
export interface Statement {
  /** Its first claim's words. */
  readonly text: string;
  /** In the order of models, then of each text. */
  readonly claims: readonly MadeClaim[];
  /** One for each of the matrix's models. */
  readonly stances: readonly Stance[];
}

/** Which model says what about one query. */
export interface ClaimMatrix {
  readonly query: string;
  readonly cluster: string;
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
  const statements = clusters(claims, holds).map((members): Statement => ({
    text: members[0]!.text,
    claims: members,
    stances: models.map((model) => stanceOf(model, members, claims, holds)),
  }));
  const silent = ordered.filter(({ claims }) => claims.length === 0).map(({ model }) => model);
  return { query, cluster, models, silent, statements };
}

function stanceOf(
  model: string,
  members: readonly MadeClaim[],
  claims: readonly MadeClaim[],
  holds: Entails,
): Stance {
  if (members.some((member) => member.model === model)) return "states";
  const own = claims.filter((claim) => claim.model === model);
  const isEntailed = own.some((one) => members.some((member) => holds(one.text, member.text)));
  return isEntailed ? "entails" : "silent";
}

/** Clusters in the order of their first claims. */
function clusters(claims: readonly MadeClaim[], holds: Entails): readonly (readonly MadeClaim[])[] {
  const parents = claims.map((_, index) => index);
  const rootOf = (index: number): number => {
    while (parents[index] !== index) index = parents[index] = parents[parents[index]!]!;
    return index;
  };
  claims.forEach((claim, index) => {
    for (let before = 0; before < index; before++) {
      const [one, other] = [rootOf(before), rootOf(index)];
      const same = one !== other && isSame(claims[before]!, claim, holds);
      // The lower index becomes the root, so that roots keep the order of the texts.
      if (same) parents[Math.max(one, other)] = Math.min(one, other);
    }
  });
  const byRoot = Map.groupBy(claims.keys(), (index) => rootOf(index));
  return [...byRoot.values()].map((members) => members.map((index) => claims[index]!));
}

function isSame({ text }: MadeClaim, { text: other }: MadeClaim, holds: Entails): boolean {
  return holds(text, other) && holds(other, text);
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
