/**
 * Rule tables in `data/sanskrit/rules/`, which Sanskritists edit.
 * Each is described here once and read when its module is loaded. Cited in them: Whitney, Sanskrit
 * Grammar; Pāṇini, Aṣṭādhyāyī; Monier-Williams and Apte, dictionaries.
 */
import { z } from "zod";
import {
  type Column,
  field,
  flag,
  name,
  oneOf,
  type RowOf,
  text,
  wholeNumber,
} from "../../files/table.ts";
import { ruleTables, TIER } from "../../pairs/study.ts";

const { files, ruleTable } = ruleTables("sanskrit", 22);

/** Rule tables in the order of their descriptions below, for the manifest. */
export const RULE_TABLES = files;

/** A column of items separated by a sign. An empty field has none. */
const list = <Item extends string>(sign: string, item: z.ZodType<Item, string>, sentence: string) =>
  field(
    z.string().transform((all) => all === "" ? [] : all.split(sign)).pipe(z.array(item)),
    sentence,
    (items: readonly Item[]) => items.join(sign),
  ) as Column<readonly Item[]>;

type Words<List extends string> = List extends `${infer First} ${infer Rest}`
  ? readonly [First, ...Words<Rest>]
  : readonly [List];

/** Returns the words of a list with their literal types. */
function words<const List extends string>(list: List): Words<List> {
  return list.split(" ") as readonly string[] as Words<List>;
}

/** The eight cases in the order of the grammars. */
export const CASES = words(
  "nominative accusative instrumental dative ablative genitive locative vocative",
);
export type Case = (typeof CASES)[number];
export const NUMBERS = ["singular", "dual", "plural"] as const;
export type GrammaticalNumber = (typeof NUMBERS)[number];
export const GENDERS = ["masculine", "feminine", "neuter"] as const;
export type Gender = (typeof GENDERS)[number];

/** Stem ends that the endings replace. */
const STEM_ENDS = ["a", "ā", "i", "ī", "u", "ṛ", "an", "in", "as", "at"] as const;

/** Declensions of the nouns searched for. */
export const NOUN_DECLENSIONS = words(
  "a_masculine a_neuter ā_feminine i_masculine i_feminine i_neuter",
);

/** Stems in u, ṛ, n and other consonants, a separate phenomenon. */
export const OTHER_DECLENSIONS = words(
  "u_masculine u_feminine an_masculine an_neuter in_masculine as_neuter at_masculine ṛ_masculine",
);

/** All declensions with a table. A new one needs its name here and eight rows. */
export const DECLENSION_CLASSES = [
  ...NOUN_DECLENSIONS,
  ...OTHER_DECLENSIONS,
  ...words("ī_feminine u_neuter"),
  ...words("pronominal_masculine pronominal_neuter pronominal_neuter_in_t pronominal_feminine"),
] as const;
export type DeclensionClass = (typeof DECLENSION_CLASSES)[number];

const endings = (number: GrammaticalNumber) =>
  list(
    "/",
    z.string(),
    `${number} endings in IAST that replace the end of the stem, the usual one first`,
  );

export const PARADIGMS = ruleTable("paradigms.csv", "endings in pausa, before retroflexion", {
  declension: oneOf(DECLENSION_CLASSES, "class of nouns or adjectives"),
  gender: oneOf(GENDERS, "gender of the class"),
  stem_end: oneOf(STEM_ENDS, "end of the stem that the endings replace"),
  label: name("name of the class in data files, for example `a-stem`"),
  case: oneOf(CASES, "case of the row"),
  // The bare stem is a form: an empty ending is one ending.
  singular: endings("singular"),
  dual: endings("dual"),
  plural: endings("plural"),
  source: name("grammar and section"),
});

export const LEXICON_TABLE = ruleTable(
  "lexicon.csv",
  "nouns of the Gītā that occur at least once free of sandhi",
  {
    stem: name(
      "stem in IAST, with a hyphen before the last member of a compound where no vowels have merged",
    ),
    declension: oneOf(
      DECLENSION_CLASSES,
      "declension class; where two genders are good Sanskrit, the text's",
    ),
    addressable: flag(
      "True for persons, gods, animals and peoples, whose vocative is a possible reading",
    ),
    source: name("dictionaries that give gender and class"),
  },
);

export const NOUN_GENDERS = ruleTable(
  "noun_genders.csv",
  "genders of nouns from a language model, checked against Monier-Williams' headwords (for a twin in -ā) and a list of 5.5 million forms (process_sanskrit 1.5.2)",
  {
    stem: name("stem in IAST, as in `lexicon.csv`"),
    genders: list(" ", z.enum(GENDERS), "genders in which the dictionary attests a form"),
    ground: name("grounds for these genders"),
    source: name("dictionary or list used for checking, or grammar and section"),
  },
);

/** Reasons why a form that looks like a noun is not a noun. */
const STOP_KINDS = [
  "verb",
  "pronoun",
  "indeclinable",
  "adjective",
  "participle",
  "other stem class",
  "compound's last member",
] as const;
export type StopKind = (typeof STOP_KINDS)[number];

export const STOP_WORDS = ruleTable(
  "stop_words.csv",
  "words that look like a noun of the lexicon but are none",
  {
    form: name("form as written"),
    kind: oneOf(STOP_KINDS, "type of word"),
    places: list(" ", z.string(), "tokens concerned, for example `BG_05_03.b.4`; empty: all"),
    remark: text("explanation; may be empty"),
  },
);

/** Relations that tie a noun's case and number to another word. */
export const RELATIONS = words(
  "agreement subject predicate object governed adnominal coordinated apposition absolute adjunct",
);
export type Relation = (typeof RELATIONS)[number];

export const FIXING_RELATIONS = ruleTable(
  "fixing_relations.csv",
  "cells that each syntactic relation excludes; a free adjunct excludes none and has no row",
  {
    relation: oneOf(RELATIONS, "relation between the noun and its head"),
    rule: name("identifier of the rule in certificates"),
    breaks_cases: list(" ", z.enum(CASES), "cases that the relation excludes"),
    fixes_number: flag("True where the relation also fixes the number"),
    tier: TIER,
    words: name("wording for explanations, with `{head}` for the head word"),
  },
);

const FUNCTION_WORDS = ruleTable(
  "function_words.csv",
  "pronouns and particles that rules refer to by form",
  {
    word: name("word in IAST, as written"),
    use: oneOf(
      [
        ...["speaker", "stands_alone", "object", "no_locative", "plural_too", "pronoun"] as const,
        ...["opens_a_clause", "told", "subject"] as const,
      ],
      "use of the word: named in another number, without its noun, as an object; no locative for its ending; a singular that is also a plural; a substitute for a noun in any case; a possible start of a nominal clause; a passive that keeps an accusative; a subject of its clause",
    ),
    why: name("grounds for the rejection"),
  },
);

const BY_USE = Map.groupBy(FUNCTION_WORDS.read(), ({ use }) => use);

/** Returns the function words of one use. */
export const functionWords = (use: RowOf<typeof FUNCTION_WORDS>["use"]): ReadonlySet<string> =>
  new Set(BY_USE.get(use)?.map(({ word }) => word));

export const CONTROL_FRAMES = ruleTable(
  "control_frames.csv",
  "frames for new sentences; the noun precedes them, and the next word begins with k, p or s",
  {
    tests: oneOf(["case", "number"], "error of the wrong member"),
    case: oneOf(CASES, "case that the frame requires"),
    of: oneOf(
      ["person", "thing"],
      "type of noun that gives a sensible sentence: a person or a thing",
    ),
    rest: name(
      "text after the noun in IAST; {some}, {sleep}, {proceed} and {subject} agree with the noun or differ from it",
    ),
    breaks: list(" ", z.enum(CASES), "cases excluded by the frame, the likeliest mistake first"),
    ground: name("rule in words, with its sūtra"),
  },
);

export const CONTROL_WORDS = ruleTable(
  "control_words.csv",
  "words of the frames that agree with the noun",
  {
    word: oneOf(["some", "sleep", "proceed", "subject"], "name of the word in the frames"),
    number: oneOf(NUMBERS, "number of the noun"),
    masculine: name("form with a masculine noun, IAST"),
    feminine: name("form with a feminine noun, IAST"),
    neuter: name("form with a neuter noun, IAST"),
    source: name("grammar and section, or the grounds"),
  },
);

export const UNTESTABLE_NOUNS = ruleTable(
  "untestable_nouns.csv",
  "nouns with an ambiguous form that makes the wrong sentence acceptable in any frame or line",
  {
    stem: name("stem in IAST"),
    cells: list(" ", z.string(), "cells that have this form, for example `acc.sg`"),
    why: name("competing reading"),
  },
);

export const VERB_ENDS = ruleTable(
  "verb_ends.csv",
  "endings of written verbs in the Gītā, and nouns with the same endings; the longest match applies",
  {
    end: name("ending of the written verb in IAST; … where more may follow (bhavatyuta)"),
    kind: oneOf(
      ["3.sg", "3.du", "3.pl", "naming", "finite", "nonfinite", "none"],
      "type of form: third person with its number, “they call it”, other finite form, converb, infinitive or no verb",
    ),
    object: flag("True where an accusative may belong to it"),
  },
);

export const RUNNING_SENTENCES = ruleTable(
  "running_sentences.csv",
  "lists over many verses, whose members may belong to a verb of another verse",
  {
    chapter: wholeNumber("number of the chapter", { min: 1, max: 18 }),
    first: wholeNumber("number of the verse", { min: 1 }),
    last: wholeNumber("number of the verse", { min: 1 }),
    verb: name("word in IAST, as written"),
    why: name("word that may be understood"),
  },
);

export const MISPRINTS_TABLE = ruleTable(
  "misprints.csv",
  "misprints of the edition with their corrections",
  {
    printed: name("printed form"),
    meant: name("corrected reading"),
    verse: name("chapter and verse, for example `8.12`"),
  },
);

const verbEnding = (number: GrammaticalNumber) =>
  text(`${number} ending after the stem, IAST in pausa; empty if the tense has no such form`);

export const CONJUGATIONS = ruleTable("conjugations.csv", "endings of the finite verb", {
  conjugation: name("tense and class"),
  person: wholeNumber("grammatical person: 1, 2 or 3", { min: 1, max: 3 }),
  singular: verbEnding("singular"),
  dual: verbEnding("dual"),
  plural: verbEnding("plural"),
  source: name("grammar and section"),
});

export const VERBS = ruleTable("verbs.csv", "finite stems of the Gītā", {
  stem: text("stem in IAST with its preverbs, without the thematic vowel; may be empty"),
  conjugation: name("tense and class, as in `conjugations.csv`"),
  takes: oneOf(
    ["object", "none", "copula", "naming"],
    "complement: an object or goal; none (passives included); a predicate noun; a name (ucyate)",
  ),
  root: name("stem in IAST"),
  source: name("dictionary of roots that attests the verb"),
});

export const MODIFIERS = ruleTable("modifiers.csv", "adjectives, participles and pronouns", {
  stem: name("masculine and neuter stem in IAST; in -a except for demonstratives and numerals"),
  feminine: name("feminine stem, in -ā or -ī"),
  kind: oneOf(
    ["adjective", "participle", "pronominal", "demonstrative", "numeral"],
    "word class; pronominal ones are declined like sarva",
  ),
  source: name("grammar and section, or dictionary"),
});

export const DEMONSTRATIVES = ruleTable(
  "demonstratives.csv",
  "forms of demonstratives and numerals",
  {
    stem: name("stem, as in `modifiers.csv`"),
    case: oneOf(CASES, "case"),
    number: oneOf(NUMBERS, "number"),
    masculine: name("form in IAST, in pausa"),
    neuter: name("form in IAST, in pausa"),
    feminine: name("form in IAST, in pausa"),
    source: name("grammar and section"),
  },
);
