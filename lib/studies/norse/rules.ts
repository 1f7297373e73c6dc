/**
 * Rule tables in `data/norse/rules/`, which linguists edit.
 * Each is described here once and read once, by the module of its phenomenon.
 *
 * Cited in the tables: Noreen, Altisländische Grammatik (4th ed.); Barnes, A New Introduction to
 * Old Norse I; Zoëga, A Concise Dictionary of Old Icelandic; Cleasby–Vigfusson, An
 * Icelandic–English Dictionary; Barðdal, "The Perplexity of Dat-Nom Verbs in Icelandic" (2001);
 * Faarlund, The Syntax of Old Norse (2004).
 */

import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import {
  blankOr,
  field,
  fileEntry,
  flag,
  name,
  oneOf,
  type RowOf,
  text,
  wholeNumber,
} from "../../files/table.ts";
import { ONE_TO_THREE, ruleTables, TIER } from "../../pairs/study.ts";

/** The study's four phenomena. The name is the middle of a pair's id. */
export const PHENOMENA = ["QUIRKY_CASE", "ADJECTIVE", "UMLAUT", "MIDDLE_VOICE"] as const;
export type Phenomenon = (typeof PHENOMENA)[number];

/** Phenomena's names in the field, for headings. */
export const PHENOMENON_NAMES: Readonly<Record<Phenomenon, string>> = {
  QUIRKY_CASE: "Quirky case",
  ADJECTIVE: "Strong/weak adjective",
  UMLAUT: "u-umlaut",
  MIDDLE_VOICE: "Middle voice",
};

const { folder, files, ruleTable } = ruleTables("norse", 12);

/** Rule tables in the order of their descriptions below, for the manifest. */
export const RULE_FILES = files;

/** A row of a rule table. */
export type RuleRow<T> = Readonly<RowOf<T>>;

/** A column of space-separated words; an empty field has none. */
const words = (sentence: string) =>
  field(
    z.string().transform((list): readonly string[] => list === "" ? [] : list.split(/ +/u)),
    sentence,
    (list) => list.join(" "),
  );

/** A column with a regular expression over lower-case words. */
const pattern = (sentence: string, flags = "u") =>
  field(
    z.string().min(1).transform((source, context) => {
      try {
        return new RegExp(source, flags);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
        return z.NEVER;
      }
    }),
    sentence,
    ({ source }) => source,
  );

const LEMMA = name("dictionary form");
const GLOSS = name("English meaning");
const SOURCE = name("source of the row: a grammar, a dictionary or the saga");

const GENDER = oneOf(["masc", "fem", "neut"], "gender");
const forms = (cell: string) =>
  words(`${cell}; by-forms separated by a space, empty if not in use`);

export const MISPRINTS = ruleTable(
  "misprints.csv",
  "misprints of the edition with their corrections",
  {
    printed: pattern("printed form, as a regular expression", "gu"),
    meant: name("corrected reading, in the edition's spelling"),
  },
);

export const SPELLINGS = ruleTable(
  "spellings.csv",
  "words in which the edition prints ö for ø, or æ for œ; every other ö becomes ǫ, every other æ stays",
  {
    rule: oneOf(["O_SLASH", "OE_LIGATURE"], "letter that is replaced: ö → ø, or æ → œ"),
    pattern: pattern("part of the word that is respelt, as a regular expression", "iu"),
    lemma: name("dictionary form of the word, with its meaning"),
    before: name("one word of the saga as printed"),
    after: name("the same word, normalised"),
    source: SOURCE,
  },
);

export const ADJECTIVES = ruleTable(
  "adjectives.csv",
  "adjectives of the saga with strong and weak forms in attributive use",
  {
    lemma: LEMMA,
    gloss: GLOSS,
    degree: oneOf(["positive", "superlative"], "degree of the adjective"),
    stem: text("stem, where all forms follow from it; otherwise empty"),
    umlauted: text("stem before u and without an ending, where it differs (lang, lǫng)"),
    parts: words(
      "principal parts, where the stem does not suffice: nom. sg. masc., fem., neut., acc. sg. masc., the stem before a vowel, before u, gen. sg., the stem before a lost r",
    ),
    source: SOURCE,
  },
);

export const NOUNS = ruleTable(
  "nouns.csv",
  "nouns with which adjectives are judged, fully declined so that all readings of a form are known",
  {
    gender: GENDER,
    nom_sg: forms("nominative singular"),
    acc_sg: forms("accusative singular"),
    dat_sg: forms("dative singular"),
    gen_sg: forms("genitive singular"),
    nom_pl: forms("nominative plural"),
    acc_pl: forms("accusative plural"),
    dat_pl: forms("dative plural"),
    gen_pl: forms("genitive plural"),
    source: SOURCE,
  },
);

export const DETERMINERS = ruleTable(
  "determiners.csv",
  "free and suffixed article, the demonstratives sá and þessi, and einn",
  {
    word: oneOf(["article", "suffix", "demonstrative", "one"], "determiner"),
    number: oneOf(["sg", "pl"], "number"),
    gender: GENDER,
    nom: forms("nominative"),
    acc: forms("accusative"),
    dat: forms("dative"),
    gen: forms("genitive"),
    source: SOURCE,
  },
);

export const OBLIQUE_FORMS = ruleTable(
  "oblique_forms.csv",
  "oblique forms of pronouns, names and nouns with the nominative of the same person, number and gender",
  {
    kind: oneOf(["pronoun", "noun"], "word class; names count as nouns"),
    form: name("oblique form in lower case"),
    cases: words("dative, accusative or both; the two coincide in oss, okkr, ykkr and yðr"),
    nominative: name("corresponding nominative"),
    person: field(ONE_TO_THREE, "grammatical person"),
    number: oneOf(["sg", "du", "pl"], "number"),
    gender: blankOr(oneOf(["masc", "fem", "neut"], "gender; empty for the 1st and 2nd person")),
    thing: flag("True for an inanimate noun, which can only be the retained object of a passive"),
    source: SOURCE,
  },
);

export const FINITE_FORMS = ruleTable(
  "finite_forms.csv",
  "finite forms in quirky-case clauses and the subjects that they agree with",
  {
    form: name("finite form"),
    agrees: words("person and number of the subject, for example 3sg"),
    source: SOURCE,
  },
);

const CASE = oneOf(["dative", "accusative"], "case of the subject");

/** Roles of a frame's oblique noun phrase in its clause. */
export const ROLES = ["subject", "experiencer", "benefactive"] as const;

/** Columns for the position of a frame's noun phrase. */
const PLACE = {
  heads: words("forms of the head word of the frame"),
  companions: text(
    "groups of words separated by +; one word of each group must stand between the same punctuation marks. @ names a list of word_lists.yaml",
  ),
  gap: wholeNumber("maximum number of words between the noun phrase and the head"),
};
const THING = flag("True where the noun phrase may denote a thing");

export const QUIRKY_FRAMES = ruleTable(
  "quirky_frames.csv",
  "verbs, passives and phrases with an oblique subject; the first matching row applies",
  {
    rule: name("identifier of the rule, as in certificates.csv"),
    lemma: LEMMA,
    gloss: GLOSS,
    construction: oneOf(
      ["impersonal_verb", "middle_verb", "passive", "copular_phrase", "verbal_idiom"],
      "type of frame",
    ),
    case: CASE,
    role: oneOf(
      ROLES,
      "role of the noun phrase. subject: no nominative in the clause; experiencer: with a nominative or clausal theme; benefactive: with a nominative that controls agreement",
    ),
    ...PLACE,
    theme: words(
      "words that exclude a personal reading; without one of them the clause is refused",
    ),
    personal_use: flag("True where the verb also has a personal use: ek þykki 'I seem'"),
    agreement_only: flag(
      "True where the verb also takes nominative subjects, so that only failed agreement is an error: ek dreymdi",
    ),
    noun_predicate: flag(
      "True where the predicate is a noun, so that a copula could equate two nominatives",
    ),
    thing: THING,
    nominatives: words("exceptions to the general table of nominatives, as form>nominative"),
    ground: name("reason why the nominative is ungrammatical here, as the certificate states it"),
    tier: TIER,
    source: SOURCE,
  },
);

export const QUIRKY_LURES = ruleTable(
  "quirky_lures.csv",
  "phrases that resemble an oblique subject but are none, or give no ungrammatical variant",
  {
    reason: name("reason code of the rejection"),
    case: CASE,
    ...PLACE,
    thing: THING,
    detail: name("grounds for the rejection"),
  },
);

export const UMLAUT_PATTERNS = ruleTable(
  "umlaut_patterns.csv",
  "endings with and without u-umlaut, by inflection pattern",
  {
    pattern: name("inflection pattern"),
    ending: text("ending after the stem; may be empty"),
    cell: name("paradigm cells that the ending marks, separated by |"),
    trigger: oneOf(
      ["kept_u", "lost_u", "none"],
      "state of the u that turns a to ǫ: present (dǫgum), lost (hǫnd < *handu) or never present (handar)",
    ),
    singular_has_a: flag("True where the a-form is the singular of the same neuter (lǫnd, land)"),
    source: SOURCE,
  },
);

export const UMLAUT_STEMS = ruleTable(
  "umlaut_stems.csv",
  "stems of the saga with ǫ that alternates with a; of two stems with one form the first applies",
  {
    id: name("suffix of the rule's identifier, UM_ + id"),
    lemma: LEMMA,
    gloss: GLOSS,
    base_form: name("form of the same word that has a"),
    stem: name("stem with ǫ, before the endings of its pattern"),
    word_class: oneOf(["noun", "adjective", "pronoun", "verb"], "word class"),
    pattern: name("inflection pattern, as in umlaut_patterns.csv"),
    prefixes: words("first elements of compounds attested in the saga"),
    compound_only: flag("True where only compounds are meant: fǫrum alone is a verb"),
    suffixes: words("second elements of compounds attested in the saga"),
    vowel: oneOf(
      ["umlaut", "breaking"],
      "breaking, where jǫ alternates with ja and both go back to e",
    ),
    tier: TIER,
    source: SOURCE,
  },
);

export const MIDDLE_VERBS = ruleTable(
  "middle_verbs.csv",
  "middle verbs of the saga with an active that needs an argument that the middle lacks",
  {
    id: name("suffix of the rule's identifier, MV_ + id"),
    infinitive: name("active infinitive"),
    present: name("3rd person singular present"),
    preterite: name("3rd person singular preterite"),
    preterite_plural: name("3rd person plural preterite"),
    supine: name("supine"),
    middle_gloss: name("English meaning of the middle"),
    active_gloss: name("meaning of the active"),
    function: oneOf(
      ["reciprocal", "reflexive", "anticausative", "reported", "seeming"],
      "effect of -sk on the verb",
    ),
    missing: oneOf(
      [
        "accusative_object",
        "dative_object",
        "dative_instead_of_accusative",
        "accusative_predicate",
        "accusative_subject_of_infinitive",
      ],
      "argument that the active needs and the clause with -sk lacks",
    ),
    frame: oneOf(
      [
        "no_object",
        "nominative_predicate",
        "reported",
        "followed_by",
        "plural_subject",
        "always",
      ],
      "position in the clause where the missing argument shows",
    ),
    words: words("words of which one must follow within the clause (frame followed_by)"),
    licensed: words("words that license the active (frame followed_by)"),
    takes_clause: flag("True where the active can take a clause with at as its object"),
    tier: TIER,
    extra: words("form that does not follow from the parts: middle, active, cell"),
    source: SOURCE,
  },
);

export const ORDINARY_VERBS = ruleTable(
  "ordinary_verbs.csv",
  "verbs of the reverse pairs: they take no object with -sk, have no -sk, or have no oblique subject",
  {
    infinitive: LEMMA,
    gloss: GLOSS,
    present: name("3rd person singular present"),
    preterite: name("3rd person singular preterite"),
    preterite_plural: name("3rd person plural preterite"),
    supine: name("supine"),
    middle: blankOr(oneOf(
      ["object", "object_of_one", "never"],
      "restriction on -sk. object: excluded by an accusative object; object_of_one: excluded with a singular subject only; never: no -sk recorded in the 3rd person singular; empty: not used",
    )),
    middle_source: text(
      "source that attests a middle of the verb; empty if none was found, and such pairs are in the reverse set only",
    ),
    oblique: words(
      "cases that the verb never takes as subject or with its subject; empty: not used",
    ),
    source: SOURCE,
  },
);

export const SUBJECTS = ruleTable(
  "subjects.csv",
  "3rd-person pronouns, names and nouns for persons, whose nominative the reverse set makes oblique",
  {
    nominative: name("nominative singular in lower case"),
    accusative: name("accusative"),
    dative: name("dative"),
    genitive: name("genitive"),
    gender: GENDER,
    source: SOURCE,
  },
);

export const REFUSALS = ruleTable(
  "refusals.csv",
  "words that a rule must skip, everywhere or in one sentence; the first matching row applies",
  {
    phenomenon: oneOf(PHENOMENA, "phenomenon of the rule"),
    sentence: text("id of the sentence in sentences.csv; empty if the row holds everywhere"),
    pattern: pattern("whole word in lower case, as a regular expression"),
    reason: name("reason code of the rejection"),
    detail: text("grounds for the refusal; may be empty"),
  },
);

const REFUSED = REFUSALS.read()
  .map((row) => ({ ...row, whole: new RegExp(`^(?:${row.pattern.source})$`, "u") }));

/** Returns a function that finds a phenomenon's refusal of a word. The word is in lower case. */
export function refusalsOf(phenomenon: Phenomenon) {
  const refused = REFUSED.filter((row) => row.phenomenon === phenomenon);
  return (word: string, sentenceId: string) =>
    refused.find((row) =>
      (row.sentence === "" || row.sentence === sentenceId) && row.whole.test(word)
    );
}

const LISTS_PATH = join(folder, "word_lists.yaml");
RULE_FILES.push(
  fileEntry(LISTS_PATH, "written by hand: word lists of the rules with their purposes"),
);

const WORDS = z.strictObject({
  about: z.string().min(1),
  words: z.string().min(1).transform((words): ReadonlySet<string> => new Set(words.split(/\s+/u))),
});
const LISTS = z.record(z.string(), z.record(z.string(), WORDS))
  .safeParse(parse(Deno.readTextFileSync(LISTS_PATH)));
if (!LISTS.success) {
  throw new SyntaxError(`Cannot read ${LISTS_PATH}: ${z.prettifyError(LISTS.error)}`);
}
const lists = LISTS.data;

/** Returns a list of one part of `word_lists.yaml`. @throws RangeError for an unknown one. */
export function wordList(part: string, list: string): ReadonlySet<string> {
  const entry = lists[part]?.[list];
  if (entry) return entry.words;
  throw new RangeError(`Cannot find the words: ${LISTS_PATH} has no list ${part}.${list}.`);
}

/** Returns a test for membership in this part's lists. The empty word is in none. */
export const wordLists = (part: string) => (list: string, word = "") =>
  wordList(part, list).has(word);
