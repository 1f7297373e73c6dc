import type { Clause } from "./clause.ts";
import {
  ACCUSATIVE_AND_INFINITIVE,
  ACCUSATIVES_BEFORE_INFINITIVE,
  AFTER_STRANDED_PREPOSITION,
  AMBIGUOUS_PRONOUNS,
  type MiddleRefusal,
  NEUTER_SINGULARS,
  NOMINATIVE_PREDICATE_SIGNS,
  OBJECT_PRONOUNS,
  PREPOSITIONS,
} from "./refusals.ts";
import type { MiddleVerb } from "./verb.ts";

/** Whether the clause shuts the active verb out. */
export type FrameVerdict =
  | { readonly kind: "accepted"; readonly check: string; readonly tier: 1 | 2 | 3 }
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

/** A pronoun that the active verb could take as its object. */
function availableObject({ before, after }: Clause): string | undefined {
  const free = (words: readonly string[]) =>
    words.find((word, index) =>
      OBJECT_PRONOUNS.has(word) && !PREPOSITIONS.has(words[index - 1] ?? "")
    );
  const raised = before.find((word, index) =>
    AMBIGUOUS_PRONOUNS.has(word) && ACCUSATIVE_AND_INFINITIVE.has(before[index - 1] ?? "")
  );
  const next = AMBIGUOUS_PRONOUNS.has(after[0] ?? "") ? after[0] : undefined;
  return free(before) ?? free(after) ?? raised ?? next;
}

function judgeNoObject(verb: MiddleVerb, clause: Clause, isInfinitive: boolean): FrameVerdict {
  if (clause.relative === "gap") {
    return refused("gap_could_be_object", "what the relative clause lacks could be the object");
  }
  const object = availableObject(clause);
  return object === undefined
    ? accepted("no object in the clause", later(verb.tier, isInfinitive ? 2 : 1))
    : refused("object_available", object);
}

function judgeFollowedBy(
  verb: MiddleVerb,
  words: readonly string[],
  clause: Clause,
): FrameVerdict {
  const index = clause.after.findIndex((word) => words.includes(word));
  const word = clause.after[index];
  if (word === undefined) return refused("frame_not_found", `${verb.lemma} ${words.join(", ")}`);
  const next = clause.after[index + 1];
  return word === "við" && next !== undefined && !AFTER_STRANDED_PREPOSITION.has(next)
    ? refused("object_available", `við ${next}`)
    : accepted(`${verb.lemma} … ${word}`, verb.tier);
}

function judgeBareComplement(verb: MiddleVerb, clause: Clause): FrameVerdict {
  const accusative = clause.after.find((word, index) =>
    ACCUSATIVES_BEFORE_INFINITIVE.has(word) && !PREPOSITIONS.has(clause.after[index - 1] ?? "")
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
      return neuter === undefined
        ? accepted("the predicate is nominative", verb.tier)
        : refused("impersonal_active", `${verb.active} with ${neuter} is impersonal`);
    }
    case "bare_complement":
      return judgeBareComplement(verb, clause);
    case "followed_by":
      return judgeFollowedBy(verb, frame.words, clause);
    case "always":
      return accepted("the active has another frame", verb.tier);
  }
}
