import type { Candidate } from "../candidate.ts";
import type { ObliqueForm } from "./pronouns.ts";
import type { QuirkyFrame } from "./frame.ts";
import { finiteVerb, type Place } from "./match.ts";
import { SUBJECT_CHECKS, wordsLeftBehind } from "./objections.ts";
import type { Sentence } from "../sentence.ts";
import { agrees } from "./verb_agreement.ts";

const SHORT_CASE = { dative: "dat", accusative: "acc" } as const;

function cell(name: string, { number, gender, person }: ObliqueForm): string {
  return [name, number, gender, person].filter((part) => part !== undefined).join(".");
}

/** The row as it is once the frame has had its say about the nominative. */
function targetCell(oblique: ObliqueForm, replacement: string): ObliqueForm {
  if (replacement === "sá") return { ...oblique, number: "sg" };
  return replacement === "þau" ? { ...oblique, gender: "neut" } : oblique;
}

function marksOf(place: Place, oblique: ObliqueForm): readonly string[] {
  const marks: string[] = [];
  const verb = finiteVerb(place.stretch, place.head);
  if (verb === undefined || verb === "kvað") marks.push("accusative_with_infinitive");
  else if (!agrees(verb, oblique)) {
    marks.push(oblique.person === 3 ? "verb_number_clash" : "verb_person_clash");
  }
  if (wordsLeftBehind(place).length > 0) marks.push("modifier_keeps_case");
  return marks;
}

function explain(frame: QuirkyFrame, form: string, nominative: string): string {
  const { lemma, gloss } = frame;
  const contrast = `${form} (${frame.case}), never ${nominative} (nominative)`;
  if (frame.construction === "passive") {
    return `${lemma} '${gloss}' governs the dative and its passive keeps it: ${contrast}.`;
  }
  const what = frame.construction === "copular_phrase" ? "the person" : "its subject";
  return `${lemma} '${gloss}' has ${what} in the ${frame.case}: ${contrast}.`;
}

/** The candidate with everything its certificate says. */
export function makeCandidate(
  sentence: Sentence,
  frame: QuirkyFrame,
  place: Place,
  replacement: string,
): Candidate {
  const { token } = place;
  if (!place.oblique) {
    throw new TypeError(
      `Cannot make a pair of ${sentence.id}: ${token.form} is in no paradigm of pronouns.ts or ` +
        "nominative_forms.ts; add it there.",
    );
  }
  const oblique = targetCell(place.oblique, replacement);
  const marks = marksOf(place, oblique);
  const isPhrase = marks.includes("modifier_keeps_case");
  return {
    sentence,
    phenomenon: "QUIRKY_CASE",
    token,
    replacement,
    errorType: frame.case === "dative" ? "dative_to_nominative" : "accusative_to_nominative",
    rule: frame.rule,
    lemma: frame.lemma,
    construction: frame.construction,
    cellFrom: cell(SHORT_CASE[frame.case], oblique),
    cellTo: cell("nom", oblique),
    checks: [...SUBJECT_CHECKS.map(([name]) => name), frame.ground],
    marks,
    explanation: explain(frame, token.lower, replacement),
    tier: isPhrase ? 3 : frame.tier,
  };
}
