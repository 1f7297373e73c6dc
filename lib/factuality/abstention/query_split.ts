import { randomSource } from "../../stats/random.ts";
import type { AbstentionQuery } from "./query.ts";

/** Of the queries; labelled answers to the others measure the classifier. */
const DEVELOPMENT_SHARE = 1 / 3;

/**
 * Ids of the queries whose labelled answers the classifier may learn from. By query, because a
 * model's answers to one query are much alike; depends on the ids alone.
 */
export function developmentQueries(
  queries: readonly Pick<AbstentionQuery, "id">[],
): ReadonlySet<string> {
  const ids = queries.map(({ id }) => id).sort();
  const count = Math.round(DEVELOPMENT_SHARE * ids.length);
  return new Set(randomSource("abstention/development").sample(ids, count));
}
