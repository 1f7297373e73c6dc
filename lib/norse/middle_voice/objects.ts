import type { Clause } from "./clause.ts";
import {
  ACCUSATIVE_AND_INFINITIVE,
  ACTIONS_ON_OBJECTS,
  AMBIGUOUS_PRONOUNS,
  DATIVE_OR_ACCUSATIVE,
  NEUTER_PHRASES,
  NEUTER_PRONOUNS,
  NOMINATIVES,
  OBJECT_PRONOUNS,
  POSSESSIONS,
  PREPOSITIONS,
} from "./refusals.ts";

/** The first of some words that no preposition governs. */
export function free(
  words: readonly string[],
  wanted: ReadonlySet<string>,
): string | undefined {
  return words.find((word, index) => wanted.has(word) && !PREPOSITIONS.has(words[index - 1] ?? ""));
}

/** A member behind `ok` that begins with one of these verbs and goes on with its object. */
function sharing({ coordinates }: Clause, verbs: ReadonlySet<string>): string | undefined {
  return coordinates.find(([verb = "", next]) => verbs.has(verb) && next !== undefined)?.join(" ");
}

/** What the active verb could take as its object. */
export function availableObject(clause: Clause): string | undefined {
  const { before, after } = clause;
  const raised = before.find((word, index) =>
    AMBIGUOUS_PRONOUNS.has(word) && ACCUSATIVE_AND_INFINITIVE.has(before[index - 1] ?? "")
  );
  const next = AMBIGUOUS_PRONOUNS.has(after[0] ?? "") ? after[0] : undefined;
  const last = NEUTER_PRONOUNS.has(before.at(-1) ?? "") && free(before, NEUTER_PRONOUNS);
  return free(before, OBJECT_PRONOUNS) ?? free(after, OBJECT_PRONOUNS) ?? raised ?? next ??
    (last || sharing(clause, ACTIONS_ON_OBJECTS));
}

/** The only subject, where it is neuter: nominative and accusative are one, so it could be the object. */
export function neuterSubject({ before, after }: Clause): string | undefined {
  const infinitive = before.at(-1) === "at";
  if (infinitive || [...before, ...after].some((word) => NOMINATIVES.has(word))) return undefined;
  return free(before, NEUTER_PHRASES) ?? free(after, NEUTER_PHRASES);
}

/** What could be the object only by a far-fetched reading. */
export function conceivableObject(clause: Clause): string | undefined {
  const lacking = clause.relative === "far_fetched" ? "what the relative clause lacks" : undefined;
  return neuterSubject(clause) ?? lacking ?? free(clause.before, DATIVE_OR_ACCUSATIVE) ??
    free(clause.after, DATIVE_OR_ACCUSATIVE) ?? sharing(clause, POSSESSIONS);
}
