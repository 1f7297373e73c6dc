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
  whole,
} from "../../files/table.ts";
import { ONE_TO_THREE, ruleTables, TIER } from "../../pairs/study.ts";

/** The study's four phenomena; the name is the middle of a pair's id. */
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
const GLOSS = name("what it means in English");
const SOURCE = name("where it is read: a grammar or dictionary, or the saga itself");

const GENDER = oneOf(["masc", "fem", "neut"], "gender");
const forms = (cell: string) => words(`${cell}; by-forms parted by a space, empty if not in use`);

export const MISPRINTS = ruleTable(
  "misprints.csv",
  "what the edition misprints, and what is read for it",
  {
    printed: pattern("as printed, a regular expression", "gu"),
    meant: name("the reading that replaces it, in the edition's spelling"),
  },
);

export const SPELLINGS = ruleTable(
  "spellings.csv",
  "words in which the edition's ö stands for ø, and its æ for œ; every other ö is ǫ, æ stays",
  {
    rule: oneOf(["O_SLASH", "OE_LIGATURE"], "ö → ø, or æ → œ"),
    pattern: pattern("the part of the word that is respelt, a regular expression", "iu"),
    lemma: name("the word, as dictionaries head it, with what it means"),
    before: name("one word of the saga as printed"),
    after: name("the same, normalised"),
    source: SOURCE,
  },
);

export const ADJECTIVES = ruleTable(
  "adjectives.csv",
  "adjectives of the saga that have strong and weak forms in attributive use",
  {
    lemma: LEMMA,
    gloss: GLOSS,
    degree: oneOf(["positive", "superlative"], "degree"),
    stem: text("stem, where all forms follow from it; else empty"),
    umlauted: text("stem before u and without an ending, where it differs (lang, lǫng)"),
    parts: words(
      "where the stem is not enough: nom. sg. masc., fem., neut., acc. sg. masc., the stem before a " +
        "vowel, before u, gen. sg., the stem before an r that was lost",
    ),
    source: SOURCE,
  },
);

export const NOUNS = ruleTable(
  "nouns.csv",
  "nouns beside which an adjective is judged, declined in full, so that every reading of a form is known",
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
  "free and suffixed article, demonstratives sá and þessi, and einn",
  {
    word: oneOf(["article", "suffix", "demonstrative", "one"], "which of them"),
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
  "pronouns, names and nouns in an oblique case with the nominative of the same person, number, gender",
  {
    kind: oneOf(["pronoun", "noun"], "word class; names are nouns"),
    form: name("the oblique form, lower case"),
    cases: words("dative, accusative or both: they coincide in oss, okkr, ykkr, yðr"),
    nominative: name("the nominative that belongs to it"),
    person: field(ONE_TO_THREE, "person"),
    number: oneOf(["sg", "du", "pl"], "number"),
    gender: blankOr(oneOf(["masc", "fem", "neut"], "gender; empty for the 1st and 2nd person")),
    thing: flag("True for what cannot experience: only the object that a passive keeps"),
    source: SOURCE,
  },
);

export const FINITE_FORMS = ruleTable(
  "finite_forms.csv",
  "finite forms of quirky-case clauses and the subjects with which they agree",
  { form: name("finite form"), agrees: words("person and number, such as 3sg"), source: SOURCE },
);

const CASE = oneOf(["dative", "accusative"], "case of the subject");

/** Roles of a frame's oblique noun phrase in its clause. */
export const ROLES = ["subject", "experiencer", "benefactive"] as const;

/** Columns for the position of a frame's noun phrase. */
const PLACE = {
  heads: words("forms of the word that carries the frame"),
  companions: text(
    "groups parted by +, of each of which one word stands between the same punctuation marks; @ " +
      "names a list of word_lists.yaml",
  ),
  gap: whole("most words between the noun phrase and the head"),
};
const THING = flag("True where the noun phrase may be a thing");

export const QUIRKY_FRAMES = ruleTable(
  "quirky_frames.csv",
  "verbs, passives and phrases whose subject is not in the nominative; the first that fits decides",
  {
    rule: name("identifier, as in certificates.csv"),
    lemma: LEMMA,
    gloss: GLOSS,
    construction: oneOf(
      ["impersonal_verb", "middle_verb", "passive", "copular_phrase", "verbal_idiom"],
      "kind of frame",
    ),
    case: CASE,
    role: oneOf(
      ROLES,
      "subject: nothing in the clause is nominative; experiencer: beside a nominative or clausal theme " +
        "of seeming or pleasing; benefactive: beside a nominative with which the verb agrees",
    ),
    ...PLACE,
    theme: words("any of these keeps a personal reading out; without one the clause is refused"),
    personal_use: flag("True where the verb is personal too: ek þykki 'I seem'"),
    agreement_only: flag(
      "True where the verb has nominative subjects too: only one with which this form does not agree is " +
        "an error, ek dreymdi",
    ),
    noun_predicate: flag(
      "True where the predicate is a noun: a copula could equate two nominatives",
    ),
    thing: THING,
    nominatives: words("form>nominative where the general table's is not the one"),
    ground: name("what makes the nominative ungrammatical here, for the certificate"),
    tier: TIER,
    source: SOURCE,
  },
);

export const QUIRKY_LURES = ruleTable(
  "quirky_lures.csv",
  "what looks like an oblique subject and is not, or gives no ungrammatical variant",
  {
    reason: name("reason of the rejection"),
    case: CASE,
    ...PLACE,
    thing: THING,
    detail: name("on what ground"),
  },
);

export const UMLAUT_PATTERNS = ruleTable(
  "umlaut_patterns.csv",
  "endings before which Old Icelandic has ǫ for a, and those before which a stays, by inflection pattern",
  {
    pattern: name("inflection pattern"),
    ending: text("ending after the stem; may be empty"),
    cell: name("every cell that the ending marks, parted by |"),
    trigger: oneOf(
      ["kept_u", "lost_u", "none"],
      "whether the u that turns a to ǫ still stands (dǫgum), was dropped (hǫnd < *handu) or never " +
        "was there (handar)",
    ),
    singular_has_a: flag("True where the a-form is the singular of the same neuter (lǫnd, land)"),
    source: SOURCE,
  },
);

export const UMLAUT_STEMS = ruleTable(
  "umlaut_stems.csv",
  "stems of the saga whose ǫ is a before other endings; of two with one form the first counts",
  {
    id: name("ends the rule's identifier: UM_ + id"),
    lemma: LEMMA,
    gloss: GLOSS,
    base_form: name("a form of the same word that has a"),
    stem: name("the stem with ǫ, before the endings of its pattern"),
    word_class: oneOf(["noun", "adjective", "pronoun", "verb"], "word class"),
    pattern: name("as in umlaut_patterns.csv"),
    prefixes: words("first elements of compounds in the saga"),
    compound_only: flag("True where only compounds are meant: fǫrum alone is the verb"),
    suffixes: words("second elements of compounds in the saga"),
    vowel: oneOf(["umlaut", "breaking"], "breaking: jǫ beside ja goes back to a broken e"),
    tier: TIER,
    source: SOURCE,
  },
);

export const MIDDLE_VERBS = ruleTable(
  "middle_verbs.csv",
  "middle verbs of the saga whose active exists and needs something that the middle does not",
  {
    id: name("ends the rule's identifier: MV_ + id"),
    infinitive: name("active infinitive"),
    present: name("3rd person singular present"),
    preterite: name("3rd person singular preterite"),
    preterite_plural: name("3rd person plural preterite"),
    supine: name("supine"),
    middle_gloss: GLOSS,
    active_gloss: name("what the active means"),
    function: oneOf(
      ["reciprocal", "reflexive", "anticausative", "reported", "seeming"],
      "what -sk does to the verb",
    ),
    missing: oneOf(
      [
        "accusative_object",
        "dative_object",
        "dative_instead_of_accusative",
        "accusative_predicate",
        "accusative_subject_of_infinitive",
      ],
      "what the active would need and the clause with -sk does not have",
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
      "where in the clause that is seen",
    ),
    words: words("of followed_by: one of these follows within the clause"),
    licensed: words("of followed_by: these license the active"),
    takes_clause: flag("True where the active can have a clause with at as its object"),
    tier: TIER,
    extra: words("a form the parts do not give: middle, active, cell"),
    source: SOURCE,
  },
);

export const ORDINARY_VERBS = ruleTable(
  "ordinary_verbs.csv",
  "verbs of the other direction: those whose -sk leaves no place for an object, that have no -sk, or that " +
    "never have an oblique subject",
  {
    infinitive: LEMMA,
    gloss: GLOSS,
    present: name("3rd person singular present"),
    preterite: name("3rd person singular preterite"),
    preterite_plural: name("3rd person plural preterite"),
    supine: name("supine"),
    middle: blankOr(oneOf(
      ["object", "object_of_one", "never"],
      "object: an accusative object excludes -sk, be it reflexive, reciprocal or dative; " +
        "object_of_one: so beside a singular, several can send one another something; never: no -sk is " +
        "recorded of the 3rd person singular; empty: not used so (leiðask 'loathe' has an accusative)",
    )),
    middle_source: text(
      "where a middle of the verb is read; empty where none was found: such a pair tests spelling, and " +
        "stands in the reverse set alone",
    ),
    oblique: words("cases that the verb has neither as subject nor beside it; empty: not used so"),
    source: SOURCE,
  },
);

export const SUBJECTS = ruleTable(
  "subjects.csv",
  "persons whose nominative the reverse set makes oblique: pronouns of the 3rd person, names, nouns",
  {
    nominative: name("nominative singular, lower case"),
    accusative: name("accusative"),
    dative: name("dative"),
    genitive: name("genitive"),
    gender: GENDER,
    source: SOURCE,
  },
);

export const REFUSALS = ruleTable(
  "refusals.csv",
  "words of which a rule makes no pair, everywhere or in one sentence that no rule can judge; the " +
    "first that fits decides",
  {
    phenomenon: oneOf(PHENOMENA, "whose rule it is"),
    sentence: text("id as in sentences.csv; empty where it holds everywhere"),
    pattern: pattern("the word, lower case, a regular expression for the whole of it"),
    reason: name("reason of the rejection"),
    detail: text("on what ground; may be empty"),
  },
);

const REFUSED = REFUSALS.read()
  .map((row) => ({ ...row, whole: new RegExp(`^(?:${row.pattern.source})$`, "u") }));

/** Returns a function that finds a phenomenon's refusal of a lower-case word in a sentence. */
export function refusalsOf(phenomenon: Phenomenon) {
  const refused = REFUSED.filter((row) => row.phenomenon === phenomenon);
  return (word: string, sentenceId: string) =>
    refused.find((row) =>
      (row.sentence === "" || row.sentence === sentenceId) && row.whole.test(word)
    );
}

const LISTS_PATH = join(folder, "word_lists.yaml");
RULE_FILES.push(
  fileEntry(LISTS_PATH, "written by hand: word lists of the rules, each with what it is for"),
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

/**
 * Returns a list of one part of `word_lists.yaml`.
 * @throws RangeError for an unknown one.
 */
export function wordList(part: string, list: string): ReadonlySet<string> {
  const entry = lists[part]?.[list];
  if (entry) return entry.words;
  throw new RangeError(`Cannot find the words: ${LISTS_PATH} has no list ${part}.${list}.`);
}

/** Returns a test for membership in this part's lists; the empty word is in none. */
export const wordLists = (part: string) => (list: string, word = "") =>
  wordList(part, list).has(word);
