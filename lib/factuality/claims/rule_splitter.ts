import type { Claim, ClaimSplitter, SplitResult } from "./claim.ts";
import { claimKind } from "./claim_kind.ts";
import { assembled, spansOf } from "./assemble.ts";
import type { Clause } from "./clause.ts";
import { notCheckable } from "./not_checkable.ts";
import { rivalsIn } from "./people.ts";
import { type Focus, resolvePronoun } from "./pronouns.ts";
import type { SplittingRule } from "./rule.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { splitAppositions } from "./split_appositions.ts";
import { splitBirth } from "./split_birth.ts";
import { splitClauses } from "./split_clauses.ts";
import { splitNames } from "./split_names.ts";
import { splitOccupations } from "./split_occupations.ts";
import { splitParticiples } from "./split_participles.ts";
import { splitPredicates } from "./split_predicates.ts";
import { splitPredicateRelatives, splitRelatives } from "./split_relatives.ts";
import { splitSharedVerb } from "./split_shared_verb.ts";
import { isUndivided } from "./undivided.ts";
import { type Word, wordsOf } from "./word.ts";

/** In the order in which they are tried; each sees what the ones before it left. */
const RULES: readonly SplittingRule[] = [
  splitClauses,
  splitRelatives,
  splitPredicateRelatives,
  splitAppositions,
  splitParticiples,
  splitPredicates,
  splitBirth,
  splitSharedVerb,
  splitNames,
  splitOccupations,
];

/** A longer sentence, in words and marks, is left whole: it is a list or no prose at all. */
const LONGEST = 150;

/** Claims by rules alone: no model, the same every time, and never a word that is not in the text. */
export function ruleSplitter(): ClaimSplitter {
  return {
    name: "rules",
    settings: { version: 1, sentences: "wink-nlp 2.4.0", model: "wink-eng-lite-web-model 1.8.1" },
    split: async (text, { signal } = {}) => {
      signal?.throwIfAborted();
      return await Promise.resolve(splitByRules(text));
    },
  };
}

function splitByRules(text: string): SplitResult {
  const claims: Omit<Claim, "id">[] = [];
  let focus: Focus | undefined;
  for (const sentence of sentencesOf(text)) {
    const said = claimsOf(text, sentence, focus);
    claims.push(...said.claims);
    focus = said.focus;
  }
  return { claims: claims.map((claim, index) => ({ id: `c${index + 1}`, ...claim })), dropped: [] };
}

function claimsOf(text: string, sentence: Sentence, before: Focus | undefined) {
  const words = wordsOf(sentence.text, sentence.start);
  const whole: Clause = { words: withoutStop(words), notes: [], aside: false };
  const reason = notCheckable(sentence.text);
  const isWhole = words.length > LONGEST || reason === "question" || reason === "instruction" ||
    reason === "fragment";
  const clauses = isWhole || isUndivided(words) ? [whole] : divided(whole);
  let focus = before;
  const claims = clauses.map((clause) => {
    const resolved = isWhole ? { clause, focus } : resolvePronoun(clause, focus);
    focus = resolved.focus;
    return claimOf(text, sentence, resolved.clause, isWhole ? reason : undefined);
  });
  if (focus && !isWhole) {
    focus = { ...focus, rivals: new Set([...focus.rivals, ...rivalsIn(words)]) };
  }
  return { claims, focus };
}

function claimOf(
  text: string,
  { start, end }: Sentence,
  clause: Clause,
  reason: Claim["notCheckable"],
): Omit<Claim, "id"> {
  const said = assembled(clause.words);
  return {
    text: said,
    spans: spansOf(text, clause.words),
    sentence: { start, end },
    kind: claimKind(said),
    notCheckable: reason ?? notCheckable(said),
    notes: clause.notes,
  };
}

/** The last stop is put back when a claim is written out; rules need not look out for it. */
function withoutStop(words: readonly Word[]): readonly Word[] {
  return words.at(-1)?.text === "." ? words.slice(0, -1) : words;
}

function divided(clause: Clause): readonly Clause[] {
  for (const rule of RULES) {
    const parts = rule(clause);
    if (parts) return parts.flatMap(divided);
  }
  return [clause];
}
