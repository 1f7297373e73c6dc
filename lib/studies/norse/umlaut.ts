/** Pairs of u-umlaut: ǫ reverted to a, or a changed to ǫ, with unchanged endings. */
import {
  type Candidate,
  findingOf,
  type Objection,
  type Opinion,
  type PhenomenonRule,
  type Token,
  tokenise,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import { refusalsOf, type RuleRow, UMLAUT_PATTERNS, UMLAUT_STEMS, wordLists } from "./rules.ts";

/** Reverts ǫ to a in the tables' forms. */
export const findUmlaut: PhenomenonRule = (sentence, forms) => {
  const tokens = tokenise(sentence.normalised);
  const opinions = tokens.flatMap((token, index): readonly Opinion[] => {
    if (!token.lower.includes("ǫ")) return [];
    const entry = UMLAUT_FORMS.get(token.lower);
    const objection = objectionTo(sentence, token, forms, entry);
    const verdict = objection ?? judgeContext(entry, tokens, index);
    if (entry && !("reason" in verdict)) return [candidateOf(sentence, token, entry, verdict)];
    return [{ ...verdict as Objection, candidate: `${token.form}>${revert(token.lower)}` }];
  });
  return findingOf(sentence, "UMLAUT", opinions);
};

/** A form with ǫ, its stem and its cells. */
interface UmlautForm {
  readonly form: string;
  readonly stem: RuleRow<typeof UMLAUT_STEMS>;
  readonly cell: RuleRow<typeof UMLAUT_PATTERNS>;
}

const ENDINGS = Map.groupBy(UMLAUT_PATTERNS.read(), ({ pattern }) => pattern);

const INFLECTED = UMLAUT_STEMS.read().flatMap(formsOf);

/** Returns the tables' forms in lower case. Of two stems with the same form the first is kept. */
const formsWith = (has: (trigger: UmlautForm["cell"]["trigger"]) => boolean) =>
  new Map(
    INFLECTED.filter(({ cell }) => has(cell.trigger)).map((entry) => [entry.form, entry] as const)
      .reverse(),
  );

/** All umlauted forms. Of the two words skǫmm the noun is kept; both have a wrong a-form. */
export const UMLAUT_FORMS: ReadonlyMap<string, UmlautForm> = formsWith((trigger) =>
  trigger !== "none"
);

/** All forms whose a stays because no u follows or followed: handar, compare hǫnd. */
const BASE_FORMS: ReadonlyMap<string, UmlautForm> = formsWith((trigger) => trigger === "none");

function formsOf(stem: UmlautForm["stem"]): readonly UmlautForm[] {
  const cells = ENDINGS.get(stem.pattern);
  if (cells === undefined) {
    throw new SyntaxError(
      `Cannot inflect ${stem.lemma}: umlaut_patterns.csv has no pattern ${stem.pattern}.`,
    );
  }
  const prefixes = [...(stem.compound_only ? [] : [""]), ...stem.prefixes];
  const suffixes = [...(stem.pattern === "first_element" ? [] : [""]), ...stem.suffixes];
  return cells.flatMap((cell) =>
    prefixes.flatMap((prefix) =>
      suffixes.map((suffix) => {
        const inflected = cell.trigger === "none" ? revert(stem.stem) : stem.stem;
        return { form: prefix + inflected + cell.ending + suffix, stem, cell };
      })
    )
  );
}

/** Replaces the form's only ǫ with a. */
function revert(form: string): string {
  return form.replace("ǫ", "a");
}

const refusalOf = refusalsOf("UMLAUT");
const isIn = wordLists("umlaut");

function objectionTo(
  sentence: Sentence,
  { lower, form, start }: Token,
  forms: ReadonlySet<string>,
  entry: UmlautForm | undefined,
): Objection | undefined {
  if (lower.split("ǫ").length > 2) {
    return { reason: "several_hooked_vowels", detail: "more than one ǫ" };
  }
  if (isIn("names_when_capital", lower) && start > 0 && form !== lower) {
    return { reason: "proper_name", detail: "capital inside the sentence" };
  }
  const refusal = refusalOf(lower, sentence.id);
  // Of lǫnd and bǫrn the a-form is the singular: the context decides, not its being attested.
  if (refusal || entry?.cell.singular_has_a) return refusal;
  const reverted = revert(lower);
  return forms.has(reverted)
    ? { reason: "a_form_occurs_in_the_saga", detail: reverted }
    : undefined;
}

/** Returns the contextual checks that make the a-form wrong, or an objection. */
function judgeContext(
  entry: UmlautForm | undefined,
  tokens: readonly Token[],
  index: number,
): Objection | readonly string[] {
  if (!entry) return { reason: "stem_not_in_table", detail: "" };
  const { form, cell } = entry;
  const isNear = (before: number, list: string) =>
    tokens.slice(Math.max(0, index - before), index + 2).some(({ lower }) => isIn(list, lower));
  const next = tokens[index + 1]?.lower ?? "";
  if (cell.singular_has_a) {
    return isNear(1, "neuter_plural_modifiers")
      ? ["a neighbouring modifier forces the plural"]
      : { reason: "a_form_is_the_singular", detail: `${revert(form)} is the singular` };
  }
  if (form === "hǫll") {
    return tokens[index - 1]?.lower === "at" || isNear(3, "feminine_modifiers")
      ? ["case or a feminine modifier excludes hall, from hallr"]
      : { reason: "a_form_is_another_word", detail: "hall, accusative of hallr 'slope'" };
  }
  return form === "ǫll" && isIn("intensifiable", next)
    ? { reason: "a_form_is_an_intensifier", detail: `all- before ${next}` }
    : [];
}

function candidateOf(
  sentence: Sentence,
  token: Token,
  { form, stem, cell }: UmlautForm,
  contextChecks: readonly string[],
): Candidate {
  const isKept = cell.trigger === "kept_u";
  const base = stem.base_form === stem.lemma ? "" : `, which has a in ${stem.base_form},`;
  const fact = isKept
    ? "In Old Icelandic a becomes ǫ before a u in the next syllable"
    : "Old Icelandic keeps the ǫ that a since lost u made of a";
  return {
    sentence,
    phenomenon: "UMLAUT",
    token,
    replacement: revert(token.lower),
    errorType: "umlaut_to_base_vowel",
    rule: `UM_${stem.id}`,
    lemma: stem.lemma,
    construction: stem.vowel === "breaking" ? "breaking" : `${stem.word_class}_${cell.trigger}`,
    cellFrom: cell.cell,
    cellTo: `${cell.cell}, without umlaut`,
    checks: [
      `${stem.lemma} has a in ${stem.base_form}`,
      isKept ? "ǫ stands before a kept u" : "ǫ stands before a lost u",
      ...(cell.singular_has_a ? [] : [
        "the a-form is no cell of the paradigm and no other word here",
        "the a-form does not occur in the saga",
      ]),
      ...contextChecks,
    ],
    marks: isKept ? ["regular_in_old_norwegian"] : [],
    explanation: `${fact}: the ${inWords(cell.cell)} of ${stem.lemma} '${stem.gloss}'${base} is ` +
      `${form}, never ${revert(form)}.`,
    tier: stem.tier,
  };
}

const isInReverse = wordLists("reverse");

/** Adds ǫ to forms in which no u follows or followed (reverse direction). */
export const findBaseVowels: PhenomenonRule = (sentence, forms) => {
  const opinions = tokenise(sentence.normalised).flatMap((token): readonly Opinion[] => {
    const entry = BASE_FORMS.get(token.lower);
    if (!entry) return [];
    const { form, stem: { stem } } = entry;
    const replacement = form.replace(revert(stem), stem);
    const objection = objectionToBase(sentence, token, forms, replacement);
    return objection
      ? [{ ...objection, candidate: `${token.form}>${replacement}` }]
      : [reverseCandidateOf(sentence, token, entry, replacement)];
  });
  return findingOf(sentence, "UMLAUT", opinions);
};

function objectionToBase(
  sentence: Sentence,
  { lower, form, start }: Token,
  forms: ReadonlySet<string>,
  replacement: string,
): Objection | undefined {
  if (isInReverse("umlaut_homographs", lower)) {
    return { reason: "form_of_another_word", detail: `${lower} is another word too` };
  }
  if (start > 0 && form !== lower) {
    return { reason: "proper_name", detail: "capital inside the sentence" };
  }
  if (
    refusalOf(replacement, sentence.id) || UMLAUT_FORMS.has(replacement) ||
    isInReverse("umlaut_words", replacement)
  ) return { reason: "variant_is_another_word", detail: replacement };
  return forms.has(replacement)
    ? { reason: "variant_occurs_in_the_saga", detail: replacement }
    : undefined;
}

function reverseCandidateOf(
  sentence: Sentence,
  token: Token,
  { form, stem, cell: { cell } }: UmlautForm,
  replacement: string,
): Candidate {
  const isBroken = stem.vowel === "breaking";
  return {
    sentence,
    phenomenon: "UMLAUT",
    token,
    replacement,
    errorType: "base_vowel_to_umlaut",
    rule: `UR_${stem.id}`,
    lemma: stem.lemma,
    construction: isBroken ? "breaking" : `${stem.word_class}_no_u`,
    cellFrom: cell,
    cellTo: `${cell}, with umlaut`,
    checks: [
      `${form} is ${inWords(cell)} of ${stem.lemma}`,
      "no u stands in the ending, and none was lost",
      "the ǫ-form is no cell of the paradigm and no other word here",
      "the ǫ-form does not occur in the saga",
    ],
    marks: [],
    explanation: `a becomes ǫ only before a u, kept or lost: the ${inWords(cell)} of ` +
      `${stem.lemma} '${stem.gloss}' has none and is ${form}, never ${replacement}.`,
    tier: isBroken ? 2 : 1,
  };
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  nom: "nominative",
  acc: "accusative",
  gen: "genitive",
  dat: "dative",
  sg: "singular",
  pl: "plural",
  masc: "masculine",
  fem: "feminine",
  neut: "neuter",
  def: "with the article",
  subj: "subjunctive",
  "1sg": "first person singular",
  "2sg": "second person singular",
  "3sg": "third person singular",
  "1pl": "first person plural",
  "2pl": "second person plural",
  "3pl": "third person plural",
  pres: "present",
  pret: "preterite",
};

/**
 * Expands a cell's abbreviations: `nom|acc.sg.fem` → `nominative or accusative singular feminine`.
 */
function inWords(cell: string): string {
  return cell.replaceAll("|", " or ").replace(/(?<=\p{L})\./gu, " ")
    .replace(/\d?\p{L}+/gu, (part) => ABBREVIATIONS[part] ?? part);
}
