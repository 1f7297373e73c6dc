import { usualName } from "./questions.ts";

/** What stands for the country that a text is about; `own` where something of it is meant. */
const STANDS_FOR =
  /^(?:It|(?:The|This) (?:small |island |landlocked )*(?:country|nation|territory|state|island|islands|archipelago))(?<own>['’]s)?(?= )/u;

/** A text about islands goes on with "They". */
const ISLANDS = /^They(?= )/u;

/** What a country has one of: in a text about it, its own. */
const PART =
  /^(?:Its|The) (?=(?:(?:main|official|political|national|current|local) )*(?:economy|government|population|capital|climate|terrain|landscape|geography|currency|language|languages|system|president|parliament|constitution|coastline)\b)/u;

/**
 * A claim of a text about a country, with the country's name for "It", "The country" or, before
 * "economy" and the like, "The": by itself it would be true of any country. One that has the name
 * already, or begins otherwise, stays as it is.
 */
export function standaloneClaim(claim: string, country: string): string {
  const name = usualName(country);
  if (claim.includes(name)) return claim;
  const stands = STANDS_FOR.exec(claim) ?? (/Islands$/u.test(name) ? ISLANDS.exec(claim) : null);
  if (stands) {
    return `${name}${stands.groups?.own === undefined ? "" : "'s"}${claim.slice(stands[0].length)}`;
  }
  return claim.replace(PART, `${name}'s `);
}
