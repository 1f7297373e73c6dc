import type { Clause } from "./clause.ts";
import { availableObject, conceivableObject, neuterSubject } from "./objects.ts";
import {
  ACCUSATIVES_BEFORE_INFINITIVE,
  AFTER_STRANDED_PREPOSITION,
  type MiddleRefusal,
  NEUTER_SINGULARS,
  NOMINATIVE_PREDICATE_SIGNS,
  OBJECTS_OF_INFINITIVE,
  PREPOSITIONS,
  TRANSITIVE_INFINITIVES,
} from "./refusals.ts";
import type { FrameTest, MiddleVerb } from "./verb.ts";

/** Whether the clause shuts the active verb out. */
export type FrameVerdict =
  | {
    readonly kind: "accepted";
    readonly check: string;
    readonly tier: 1 | 2 | 3;
    readonly mark?: "object_possible";
  }
  | { readonly kind: "refused"; readonly reason: MiddleRefusal; readonly detail: string };

const refused = (reason: MiddleRefusal, detail: string): FrameVerdict => ({
  kind: "refused",
  reason,
  detail,
});

const accepted = (check: string, tier: 1 | 2 | 3): FrameVerdict => ({
  kind: "accepted",
  check,
  tier,
});

const later = (a: 1 | 2 | 3, b: 1 | 2 | 3) => (a > b ? a : b);

/** A pair, but of the last tier: a reader who tries finds an object. */
export const doubtful = (object: string): FrameVerdict => ({
  kind: "accepted",
  check: `${object} as the object is far-fetched`,
  tier: 3,
  mark: "object_possible",
});

function judgeNoObject(verb: MiddleVerb, clause: Clause, isInfinitive: boolean): FrameVerdict {
  if (clause.relative === "gap") {
    return refused("gap_could_be_object", "what the relative clause lacks could be the object");
  }
  if (verb.takesClause && clause.beforeThat) return refused("object_available", "the at-clause");
  const object = availableObject(clause);
  if (object !== undefined) return refused("object_available", object);
  const conceivable = verb.missing === "dative_object" ? undefined : conceivableObject(clause);
  return conceivable === undefined
    ? accepted("no object in the clause", later(verb.tier, isInfinitive ? 2 : 1))
    : doubtful(conceivable);
}

/** sýna, virða: a dative beside the object is what they take, so all but the object is there. */
function judgeSeems(verb: MiddleVerb, clause: Clause): FrameVerdict {
  if (verb.takesClause && clause.beforeThat) return refused("object_available", "the at-clause");
  const neuter = neuterSubject(clause);
  if (neuter !== undefined) {
    return refused("object_available", `${neuter}, nominative and accusative`);
  }
  const conceivable = conceivableObject(clause);
  return conceivable === undefined
    ? accepted("nothing that could be the object", verb.tier)
    : doubtful(conceivable);
}

function judgeFollowedBy(
  verb: MiddleVerb,
  { words, licensed = [] }: Extract<FrameTest, { kind: "followed_by" }>,
  clause: Clause,
): FrameVerdict {
  const index = clause.after.findIndex((word) => words.includes(word));
  const word = clause.after[index];
  // "leggjask þeir ok á merkr": that ok is 'also', and no clause begins there.
  const within = [...clause.before, ...clause.after, ...clause.coordinates.map(([first]) => first)];
  const licence = within.find((other) => other !== undefined && licensed.includes(other));
  if (word === undefined && licence !== undefined) {
    return refused("active_licensed", `${verb.active} ${licence}`);
  }
  if (word === undefined) return refused("frame_not_found", `${verb.lemma} ${words.join(", ")}`);
  const next = clause.after[index + 1];
  return word === "við" && next !== undefined && !AFTER_STRANDED_PREPOSITION.has(next)
    ? refused("object_available", `við ${next}`)
    : accepted(`${verb.lemma} … ${word}`, verb.tier);
}

function judgeBareComplement(verb: MiddleVerb, clause: Clause): FrameVerdict {
  const { after } = clause;
  const isObject = (word: string, index: number) =>
    OBJECTS_OF_INFINITIVE.has(word) &&
    after.slice(index).some((later) => TRANSITIVE_INFINITIVES.has(later));
  const accusative = after.find((word, index) =>
    ACCUSATIVES_BEFORE_INFINITIVE.has(word) && !PREPOSITIONS.has(after[index - 1] ?? "") &&
    !isObject(word, index)
  );
  if (accusative !== undefined) return refused("accusative_could_be_subject", accusative);
  return NOMINATIVE_PREDICATE_SIGNS.has(clause.after[0] ?? "")
    ? accepted("the predicate is nominative", verb.tier)
    : accepted("no accusative subject of the infinitive", later(verb.tier, 2));
}

/** Applies the verb's frame to the clause it stands in. */
export function judgeFrame(
  verb: MiddleVerb,
  clause: Clause,
  isInfinitive: boolean,
): FrameVerdict {
  const { frame } = verb;
  switch (frame.kind) {
    case "no_object":
      return judgeNoObject(verb, clause, isInfinitive);
    case "nominative_predicate": {
      const close = [...clause.before.slice(-2), ...clause.after.slice(0, 2)];
      const neuter = close.find((word) => NEUTER_SINGULARS.has(word));
      if (neuter !== undefined) {
        return refused("impersonal_active", `${verb.active} with ${neuter} is impersonal`);
      }
      const object = neuterSubject(clause);
      return object === undefined
        ? accepted("the predicate is nominative", verb.tier)
        : doubtful(object);
    }
    case "bare_complement":
      return judgeBareComplement(verb, clause);
    case "followed_by":
      return judgeFollowedBy(verb, frame, clause);
    case "seems":
      return judgeSeems(verb, clause);
    case "always":
      return accepted("the active has another frame", verb.tier);
  }
}
