import { type Candidate, type Finding, type PhenomenonRule, reject } from "../candidate.ts";
import { type Clause, clauseAround } from "./clause.ts";
import type { MiddleForm } from "./forms.ts";
import { doubtful, type FrameVerdict, judgeFrame } from "./frame.ts";
import {
  DOUBTFUL_IN_SENTENCE,
  INFINITIVE_GOVERNORS,
  REFUSED_IN_SENTENCE,
  REFUSED_MIDDLES,
} from "./refusals.ts";
import type { MiddleVerb, MissingPiece } from "./verb.ts";
import { MIDDLE_VERBS } from "./verbs.ts";
import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";

/** A middle form with its verb. */
export interface MiddleReading {
  readonly verb: MiddleVerb;
  readonly form: MiddleForm;
}

/** Every reading of every middle form of the table. */
export const MIDDLE_READINGS: ReadonlyMap<string, readonly MiddleReading[]> = MIDDLE_VERBS
  .flatMap((verb) => verb.forms.map((form) => ({ verb, form })))
  .reduce(
    (readings, reading) =>
      readings.set(reading.form.middle, [...(readings.get(reading.form.middle) ?? []), reading]),
    new Map<string, readonly MiddleReading[]>(),
  );

const PLURAL_FIRST = ["vér", "vit"];

/** Whether a cell agrees with what stands around the verb. */
function fits({ verb, form }: MiddleReading, words: readonly string[]): boolean {
  const governed = words.some((word) => INFINITIVE_GOVERNORS.has(word));
  switch (form.cell) {
    case "infinitive":
      return governed;
    case "pres.3pl":
      return !governed &&
        (verb.function === "reciprocal" ||
          !verb.forms.some((other) => other.middle === form.middle && other.cell === "pres.2|3sg"));
    case "pret.1pl":
      return words.some((word) => PLURAL_FIRST.includes(word));
    case "pret.1sg":
      return words.includes("ek");
    default:
      return true;
  }
}

/** The reading that fits the clause. */
function chooseReading(lower: string, clause: Clause): MiddleReading | undefined {
  const words = [...clause.before, ...clause.after];
  return MIDDLE_READINGS.get(lower)?.find((reading) => fits(reading, words));
}

const MISSING: Readonly<Record<MissingPiece, string>> = {
  accusative_object: "needs an accusative object, and the clause has none",
  dative_object: "needs a dative object, and the clause has none",
  object_and_recipient: "needs a receiver in the dative besides what is given, and there is none",
  dative_instead_of_accusative: "takes the dative, and what follows here is accusative",
  accusative_predicate: "needs an accusative object, but what stands here is nominative",
  accusative_subject_of_infinitive:
    "needs an accusative subject for what is said, and none follows",
  accusative_experiencer: "puts the person in the accusative, but here the person is nominative",
};

function explain({ verb, form }: MiddleReading): string {
  return `The -sk of ${verb.lemma} '${verb.middleGloss}' turns the action back on its subject or ` +
    `leaves the doer out; the active ${verb.active} '${verb.activeGloss}' ` +
    `${MISSING[verb.missing]}: ${form.middle}, not ${form.active}.`;
}

function makeCandidate(
  sentence: Sentence,
  token: Token,
  reading: MiddleReading,
  verdict: Extract<FrameVerdict, { kind: "accepted" }>,
): Candidate {
  const { verb, form } = reading;
  const stripped = token.lower.replace(/[sz]k$/u, "");
  return {
    sentence,
    phenomenon: "MIDDLE_VOICE",
    token,
    replacement: form.active,
    errorType: "middle_to_active",
    rule: `MV_${verb.id}`,
    lemma: verb.lemma,
    construction: `${verb.function}_${verb.missing}`,
    cellFrom: `${form.cell}.middle`,
    cellTo: `${form.cell}.active`,
    checks: [
      "the form ends in -sk",
      `${form.active} is the active in the same cell`,
      `the active ${MISSING[verb.missing].split(",")[0]}`,
      form.active === stripped ? "-sk is all that goes" : "the ending of the active is restored",
      verdict.check,
    ],
    marks: verdict.mark === undefined ? [] : [verdict.mark],
    explanation: explain(reading),
    tier: verdict.tier,
  };
}

/** What the lists say of the form, in every sentence or in this one. */
function listed(sentence: Sentence, lower: string): FrameVerdict | undefined {
  const verb = REFUSED_MIDDLES.find(([pattern]) => pattern.test(lower));
  if (verb) return { kind: "refused", reason: verb[1], detail: verb[2] };
  const here = REFUSED_IN_SENTENCE.get(`${sentence.id} ${lower}`);
  if (here) return { kind: "refused", reason: here[0], detail: here[1] };
  const object = DOUBTFUL_IN_SENTENCE.get(`${sentence.id} ${lower}`);
  return object === undefined ? undefined : doubtful(object);
}

function judge(
  sentence: Sentence,
  tokens: readonly Token[],
  index: number,
): { readonly reading: MiddleReading | undefined; readonly verdict: FrameVerdict } {
  const lower = tokens[index]?.lower ?? "";
  const clause = clauseAround(sentence.normalised, tokens, index);
  const reading = chooseReading(lower, clause);
  const known = listed(sentence, lower);
  if (known) return { reading, verdict: known };
  const verdict: FrameVerdict = reading
    ? judgeFrame(reading.verb, clause, reading.form.cell === "infinitive")
    : { kind: "refused", reason: "verb_not_in_table", detail: "" };
  return { reading, verdict };
}

/** Restores the active of middle verbs (-sk) where the clause has no room for it. */
export const findMiddleVoice: PhenomenonRule = (sentence): Finding => {
  const candidates: Candidate[] = [];
  const rejections: Finding["rejections"][number][] = [];
  const tokens = tokenise(sentence.normalised);
  for (const [index, token] of tokens.entries()) {
    if (!/\p{L}{2}[sz]k$/u.test(token.lower)) continue;
    const { reading, verdict } = judge(sentence, tokens, index);
    if (reading && verdict.kind === "accepted") {
      candidates.push(makeCandidate(sentence, token, reading, verdict));
    } else if (verdict.kind === "refused") {
      const proposed = reading ? `${token.form}>${reading.form.active}` : token.form;
      rejections.push(reject(sentence, "MIDDLE_VOICE", proposed, verdict.reason, verdict.detail));
    }
  }
  return { candidates, rejections };
};
