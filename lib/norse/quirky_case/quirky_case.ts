import { type Candidate, type PhenomenonRule, reject } from "../candidate.ts";
import type { Rejection } from "../../pairs/pair.ts";
import type { QuirkyFrame } from "./frame.ts";
import { QUIRKY_IDIOMS } from "./idioms.ts";
import { QUIRKY_EXCEPTIONS, QUIRKY_LURES } from "./lures.ts";
import { type Place, placesOf, type Stretch, stretches } from "./match.ts";
import { QUIRKY_PASSIVES, QUIRKY_PREDICATES } from "./phrases.ts";
import { nominativeOf, type Objection, objection } from "./objections.ts";
import { makeCandidate } from "./certificate.ts";
import { QUIRKY_VERBS } from "./verbs.ts";
import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";

/** All frames, in the order in which they claim a token: what is more specific comes first. */
export const QUIRKY_FRAMES: readonly QuirkyFrame[] = [
  ...QUIRKY_PREDICATES,
  ...QUIRKY_IDIOMS,
  ...QUIRKY_PASSIVES,
  ...QUIRKY_VERBS,
];

function exceptionFor(sentence: Sentence, token: Token): Objection | undefined {
  return QUIRKY_EXCEPTIONS.find((exception) =>
    exception.sentence === sentence.id && exception.token === token.lower
  );
}

function judge(
  sentence: Sentence,
  frame: QuirkyFrame,
  place: Place,
): Candidate | Objection {
  const problem = exceptionFor(sentence, place.token) ?? objection(frame, place);
  if (problem) return problem;
  const replacement = nominativeOf(frame, place);
  return makeCandidate(sentence, frame, place, replacement);
}

function rejection(sentence: Sentence, token: Token, { reason, detail }: Objection): Rejection {
  return reject(sentence, "QUIRKY_CASE", token.form, reason, detail);
}

function lured(stretch: Stretch, decided: ReadonlySet<Token>): readonly [Token, Objection][] {
  return QUIRKY_LURES.flatMap((lure) =>
    placesOf(lure, stretch)
      .filter(({ token, oblique }) => oblique !== undefined && !decided.has(token))
      .map(({ token }): [Token, Objection] => [token, lure])
  );
}

/**
 * Dative or accusative subjects and what their nominative would be. A token is decided once: by the
 * first frame that reaches it, or else by the first lure.
 */
export const findQuirkyCase: PhenomenonRule = (sentence) => {
  const candidates: Candidate[] = [];
  const rejections: Rejection[] = [];
  const decided = new Set<Token>();
  for (const stretch of stretches(sentence.normalised, tokenise(sentence.normalised))) {
    for (const frame of QUIRKY_FRAMES) {
      for (const place of placesOf(frame, stretch)) {
        if (decided.has(place.token)) continue;
        decided.add(place.token);
        const verdict = judge(sentence, frame, place);
        if ("reason" in verdict) rejections.push(rejection(sentence, place.token, verdict));
        else candidates.push(verdict);
      }
    }
    for (const [token, lure] of lured(stretch, decided)) {
      if (decided.has(token)) continue;
      decided.add(token);
      rejections.push(rejection(sentence, token, lure));
    }
  }
  return { candidates, rejections };
};
