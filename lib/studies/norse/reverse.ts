/**
 * The reverse set: the changes of minimal_pairs.csv in the opposite direction.
 * A preference for ǫ, -sk or an oblique subject is thus right in one half and wrong in the other. a
 * becomes ǫ where no u follows or followed (umlaut.ts); an active becomes a middle if the middle
 * leaves no room for its object or the verb has none; a nominative becomes oblique with a verb that
 * never has such a subject. Adjectives are in minimal_pairs.csv in both directions already.
 *
 * Sources: Noreen, Altisländische Grammatik, §§ 77–82 (u-umlaut), 544 (middle); Zoëga and
 * Cleasby–Vigfusson for a verb's government and the existence of its middle.
 */
import { CASES_OF } from "./adjective_forms.ts";
import {
  canBe,
  findActives,
  isSingular,
  type Oblique,
  OBLIQUES,
  type OrdinaryVerb,
  VERB_FORMS,
} from "./actives.ts";
import {
  type Candidate,
  citedForm,
  findingOf,
  type Opinion,
  type PhenomenonRule,
  type Token,
} from "./verdicts.ts";
import {
  type Candidates,
  choosePairs,
  findCandidates,
  type NorsePair,
  openRuleBook,
} from "./selection.ts";
import { type MinimalPair, type Rejection, variantForm } from "../../pairs/pair.ts";
import type { Sentence } from "./dataset.ts";
import { ONLY_CASE, type Stretch, stretches } from "./quirky_case.ts";
import { type Phenomenon, wordLists } from "./rules.ts";
import { findBaseVowels } from "./umlaut.ts";

/**
 * Number of pairs per phenomenon.
 * Actives with an attested middle are in minimal_pairs.csv; the remaining middles are unattested,
 * so that they test spelling more than voice.
 */
const TARGET = { UMLAUT: 125, MIDDLE_VOICE: 60, QUIRKY_CASE: 125 };

/** Shares: as in minimal_pairs.csv datives dominate; actives with an object come first. */
const SHARES = {
  QUIRKY_CASE: {
    of: ({ pair }: NorsePair) => pair.errorType,
    shares: { nominative_to_dative: 0.7, nominative_to_accusative: 0.3 },
  },
  MIDDLE_VOICE: {
    of: ({ certificate }: NorsePair) => certificate.construction,
    shares: { accusative_object: 0, unrecorded_middle: 0.25, no_middle: 0.75 },
  },
};

/** Number of pairs per lemma before another lemma is preferred. */
const PER_LEMMA = 10;

/**
 * Finds reverse pairs and samples by seed those in no other set.
 * Pure; nothing is written.
 * @param used pairs of the other sets
 * @param onRecord pairs whose numbers stay
 */
export function makeReverseSet(
  sentences: readonly Sentence[],
  seed: number,
  used: readonly MinimalPair<Phenomenon>[] = [],
  onRecord: readonly MinimalPair<Phenomenon>[] = [],
) {
  const rules = openRuleBook(sentences, {
    UMLAUT: findBaseVowels,
    MIDDLE_VOICE: findActives,
    QUIRKY_CASE: findNominatives,
  });
  const candidates = withoutUsed(findCandidates(sentences, rules), used);
  const chosen = choosePairs<keyof typeof TARGET>("ONR", candidates, {
    quota: TARGET,
    seed,
    onRecord,
    perLemma: PER_LEMMA,
    strata: SHARES,
  });
  return { candidates, ...chosen };
}

/** Moves pairs that are in another set to the rejections. */
function withoutUsed(
  { certified, rejections }: Candidates,
  used: readonly MinimalPair<Phenomenon>[],
): Candidates {
  const variants = new Map(used.map(({ id, ungrammatical }) => [ungrammatical, id]));
  const [mine, others] = [true, false].map((isMine) =>
    certified.filter(({ pair }) => variants.has(pair.ungrammatical) !== isMine)
  );
  const elsewhere = others!.map(({ pair, certificate: { source } }): Rejection => ({
    source,
    phenomenon: pair.phenomenon,
    candidate: `${pair.target}>${variantForm(pair)}`,
    reason: "in_another_set",
    detail: variants.get(pair.ungrammatical)!,
  }));
  return { certified: mine!, rejections: [...rejections, ...elsewhere] };
}

const isIn = wordLists("reverse");

/** Tests whether a word can only be nominative. */
const isNominative = (word: string) =>
  isIn("nominatives", word) || OBLIQUES.has(word) ||
  (canBe(word, "nom") && CASES_OF.get(word)!.size === 1);

/** Makes the nominative subject of an ordinary verb oblique. */
const findNominatives: PhenomenonRule = (sentence) => {
  const opinions = stretches(sentence.normalised).flatMap((stretch) =>
    stretch.flatMap((token, subject): readonly Opinion[] => {
      const head = [subject + 1, subject - 1].find((index) => finiteAt(stretch, index));
      if (head === undefined) return [];
      const clause = { stretch, subject, head, verb: finiteAt(stretch, head)! };
      const governor = governorOf(clause);
      return (OBLIQUES.get(token.lower) ?? []).map((oblique): Opinion => {
        const candidate = `${token.form}>${oblique.form}`;
        if (governor === undefined) {
          const detail = `what depends on ${clause.verb.infinitive} is in no table`;
          return { reason: "infinitive_not_in_table", detail, candidate };
        }
        const place = { ...clause, governor, oblique };
        for (const [, check] of SUBJECT_CHECKS) {
          const objection = check(place);
          if (objection) return { reason: objection[0], detail: objection[1], candidate };
        }
        return nominativeToOblique(sentence, token, place);
      });
    })
  );
  return findingOf(sentence, "QUIRKY_CASE", opinions);
};

interface SubjectWithVerb {
  readonly stretch: Stretch;
  readonly subject: number;
  /** Index of the finite verb, and the verb. */
  readonly head: number;
  readonly verb: OrdinaryVerb;
  /** The verb that determines the subject's case: the finite one, or its auxiliary's complement. */
  readonly governor: OrdinaryVerb;
  readonly oblique: Oblique;
}

/** Returns the verb of a 3rd person singular at this index. */
const finiteAt = (stretch: Stretch, index: number) =>
  VERB_FORMS.get(stretch[index]?.lower ?? "")
    ?.find(({ verb, cell }) => verb.oblique.length > 0 && isSingular(cell))?.verb;

/**
 * Returns the verb that governs the subject: an auxiliary's infinitive or supine, else the verb.
 */
function governorOf(
  { stretch, subject, head, verb }: Omit<SubjectWithVerb, "governor" | "oblique">,
) {
  if (!isIn("auxiliaries", verb.infinitive)) return verb;
  const wanted = verb.infinitive === "hafa" ? "supine" : "infinitive";
  const last = Math.max(subject, head);
  const behind = stretch.slice(last + 1, last + 5).map(({ lower }) => lower);
  const governed = behind.flatMap((word) => VERB_FORMS.get(word) ?? [])
    .find(({ cell }) => cell === wanted)?.verb;
  // Without a supine hafa is 'have'; any word in -t could be one.
  const isMain = verb.infinitive === "hafa" && !behind.some((word) => word.endsWith("t"));
  return governed ?? (isMain ? verb : undefined);
}

/** Checks after which an oblique subject is certainly wrong, in order. */
const SUBJECT_CHECKS: readonly (readonly [
  name: string,
  objection: (place: SubjectWithVerb) => readonly [reason: string, detail: string] | false,
])[] = [
  ["the finite verb is a form of no other word", ({ stretch, head, subject }) => {
    const { lower } = stretch[head]!;
    // "sér hann" 'sees he'; behind its subject it can be the reflexive.
    return (isIn("verb_homographs", lower) || (lower === "sér" && head > subject)) &&
      ["form_of_another_word", `${lower} is another word too`];
  }],
  [
    "no verb here has its subject in such a case, or anything in that case beside it",
    ({ governor: { infinitive, oblique: excluded }, oblique }) => {
      const possible = oblique.cases.find((kase) => !excluded.includes(kase));
      return possible !== undefined && ["oblique_licensed", `${possible} beside ${infinitive}`];
    },
  ],
  [
    "no other nominative that could be the subject or would be left behind",
    ({ stretch, subject }) => {
      const other = stretch.find(({ lower }, i) => i !== subject && isNominative(lower));
      return other !== undefined && ["another_nominative", other.lower];
    },
  ],
  [
    "no preposition without its noun that could govern it", // sveininum hleypr eptir at leita
    ({ stretch, subject, governor, verb }) => {
      const bare = stretch.findIndex(({ lower }, i) => {
        const next = stretch[i + 1]?.lower;
        return isIn("prepositions", lower) && lower !== "at" &&
          (next === undefined || isIn("no_complements", next) ||
            // "skal Sigurð fyrir ganga"
            (i === subject + 1 && governor !== verb));
      });
      return bare >= 0 && ["preposition_possible", stretch[bare]!.lower];
    },
  ],
  [
    "no comparative of which it could be the second term", // hafði Sigmundi lið miklu minna
    ({ stretch }) => {
      const comparative = stretch.find(({ lower }) => isIn("comparatives", lower));
      return comparative !== undefined && ["dative_of_comparison", comparative.lower];
    },
  ],
  [
    "the subject is not the object", // hitti hann: 'met him'
    ({ stretch, subject, head, verb }) =>
      stretch[subject]!.lower === "hann" && head < subject &&
      !verb.oblique.includes("accusative") &&
      !canBe(stretch[subject + 1]?.lower ?? "", "acc") &&
      ["object_possible", "hann can be the object"],
  ],
];

function nominativeToOblique(
  sentence: Sentence,
  token: Token,
  { verb, governor: { infinitive, gloss }, oblique: { form, cases, gender } }: SubjectWithVerb,
): Candidate {
  const [kase = ""] = cases;
  const cell = `sg.${gender}.3`;
  return {
    sentence,
    token,
    replacement: form,
    phenomenon: "QUIRKY_CASE",
    errorType: kase === "dative" ? "nominative_to_dative" : "nominative_to_accusative",
    rule: `QR_${infinitive.toUpperCase()}`,
    lemma: infinitive,
    construction: verb.infinitive === infinitive ? "finite_verb" : "under_auxiliary",
    cellFrom: `nom.${cell}`,
    cellTo: `${cases.map((name) => name.slice(0, 3)).join("|")}.${cell}`,
    checks: SUBJECT_CHECKS.map(([name]) => name),
    // A predicate stays nominative and thus violates agreement as well.
    marks: infinitive === "vera" ? [] : [ONLY_CASE],
    explanation: `${infinitive} '${gloss}' has its subject in the nominative, like all verbs but ` +
      `a closed list: ${citedForm(token.lower)}, never ${citedForm(form)} (${cases.join(" or ")}).`,
    tier: verb.infinitive === infinitive ? 1 : 2,
  };
}
