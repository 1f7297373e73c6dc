/**
 * What a Sanskritist would edit: the tables in `data/sanskrit/rules/`, each described here once and read
 * when its module is loaded. Cited in them: Whitney, Sanskrit Grammar; Pāṇini, Aṣṭādhyāyī;
 * Monier-Williams and Apte, dictionaries.
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
  whole,
} from "../../files/table.ts";
import { ruleTables, TIER } from "../../pairs/study.ts";

const { files, ruleTable } = ruleTables("sanskrit", 22);

/** The rule tables in the order in which they are described below, for the manifest. */
export const RULE_TABLES = files;

/** Items parted by a sign; none where the field is empty. */
const list = <Item extends string>(sign: string, item: z.ZodType<Item, string>, sentence: string) =>
  field(
    z.string().transform((all) => all === "" ? [] : all.split(sign)).pipe(z.array(item)),
    sentence,
    (items: readonly Item[]) => items.join(sign),
  ) as Column<readonly Item[]>;

type Words<List extends string> = List extends `${infer First} ${infer Rest}`
  ? readonly [First, ...Words<Rest>]
  : readonly [List];

/** The words of a list, each of its own type. */
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

/** What the endings take the place of. */
const STEM_ENDS = ["a", "ā", "i", "ī", "u", "ṛ", "an", "in", "as", "at"] as const;

/** Declensions whose nouns are looked for. */
export const NOUN_DECLENSIONS = words(
  "a_masculine a_neuter ā_feminine i_masculine i_feminine i_neuter",
);

/** Stems in u, n and other consonants, and in ṛ, whose nouns make a phenomenon of their own. */
export const OTHER_DECLENSIONS = words(
  "u_masculine u_feminine an_masculine an_neuter in_masculine as_neuter at_masculine ṛ_masculine",
);

/** Every declension that there is a table for: to add one, name it here and add its eight rows. */
export const DECLENSION_CLASSES = [
  ...NOUN_DECLENSIONS,
  ...OTHER_DECLENSIONS,
  ...words("ī_feminine u_neuter"),
  ...words("pronominal_masculine pronominal_neuter pronominal_neuter_in_t pronominal_feminine"),
] as const;
export type DeclensionClass = (typeof DECLENSION_CLASSES)[number];

const endings = (number: GrammaticalNumber) =>
  list("/", z.string(), `${number}: IAST endings in place of the stem's end, the usual one first`);

export const PARADIGMS = ruleTable("paradigms.csv", "endings in pausa, before retroflexion", {
  declension: oneOf(DECLENSION_CLASSES, "the class of nouns or adjectives"),
  gender: oneOf(GENDERS, "its gender"),
  stem_end: oneOf(STEM_ENDS, "what the endings take the place of"),
  label: name("as data files name the class, `a-stem`"),
  case: oneOf(CASES, "case of the row"),
  // The bare stem is a form: an empty ending is one ending.
  singular: endings("singular"),
  dual: endings("dual"),
  plural: endings("plural"),
  source: name("grammar and section"),
});

export const LEXICON_TABLE = ruleTable(
  "lexicon.csv",
  "the nouns of the Gītā that stand free of sandhi at least once",
  {
    stem: name("IAST, a hyphen before the last member where no vowel has run together"),
    declension: oneOf(DECLENSION_CLASSES, "where two genders are good Sanskrit, the text's own"),
    addressable: flag("persons, gods, animals, peoples, whose vocative is a reading of its own"),
    source: name("dictionaries that gender and class are taken from"),
  },
);

export const NOUN_GENDERS = ruleTable(
  "noun_genders.csv",
  "the genders of nouns, a language model's, held against Monier-Williams' headwords (a twin in -ā) and a list " +
    "of 5.5 million forms (process_sanskrit 1.5.2)",
  {
    stem: name("IAST, as in `lexicon.csv`"),
    genders: list(" ", z.enum(GENDERS), "every gender in which the dictionary has a form of it"),
    ground: name("why these"),
    source: name("what they were held against, or grammar and section"),
  },
);

/** Why a form that looks like a noun's is none in a place. */
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
  "words that look like a noun of the lexicon and are none",
  {
    form: name("as written"),
    kind: oneOf(STOP_KINDS, "what it is"),
    places: list(" ", z.string(), "tokens that are meant, `BG_05_03.b.4`; all where empty"),
    remark: text("why; may be empty"),
  },
);

/** What ties a noun's case and number to another word of the sentence. */
export const RELATIONS = words(
  "agreement subject predicate object governed adnominal coordinated apposition absolute adjunct",
);
export type Relation = (typeof RELATIONS)[number];

export const FIXING_RELATIONS = ruleTable(
  "fixing_relations.csv",
  "which relation keeps a noun from which cells; a free adjunct fixes nothing and has no row",
  {
    relation: oneOf(RELATIONS, "between the noun and its head"),
    rule: name("its identifier in certificates"),
    breaks_cases: list(" ", z.enum(CASES), "cases that it excludes"),
    fixes_number: flag("whether it fixes the number too"),
    tier: TIER,
    words: name("said of the head word, which stands for `{head}`"),
  },
);

const FUNCTION_WORDS = ruleTable(
  "function_words.csv",
  "pronouns and particles that a rule looks at as words",
  {
    word: name("IAST, as written"),
    use: oneOf(
      [
        ...["speaker", "stands_alone", "object", "no_locative", "plural_too", "pronoun"] as const,
        ...["opens_a_clause", "told", "subject"] as const,
      ],
      "named in another number, without its noun, as an object of its own; no locative for its end; a singular that is also a plural; it stands for a noun in whatever case; a nominal clause may begin after it; its passive keeps an accusative; a subject of its own",
    ),
    why: name("on what ground"),
  },
);

const BY_USE = Map.groupBy(FUNCTION_WORDS.read(), ({ use }) => use);

/** The words of one use. */
export const functionWords = (use: RowOf<typeof FUNCTION_WORDS>["use"]): ReadonlySet<string> =>
  new Set(BY_USE.get(use)?.map(({ word }) => word));

export const CONTROL_FRAMES = ruleTable(
  "control_frames.csv",
  "frames for new sentences; the noun stands before them, and what follows begins with k, p or s",
  {
    tests: oneOf(["case", "number"], "what is wrong in the wrong member"),
    case: oneOf(CASES, "the case that the frame wants"),
    of: oneOf(
      ["person", "thing"],
      "what can be said so and makes sense: of somebody, of something",
    ),
    rest: name(
      "what follows the noun, IAST; {some}, {sleep}, {proceed} and {subject} agree with it or differ",
    ),
    breaks: list(" ", z.enum(CASES), "cases that cannot stand there, the likeliest mistake first"),
    ground: name("the rule in words, with its sūtra"),
  },
);

export const CONTROL_WORDS = ruleTable(
  "control_words.csv",
  "words of the frames that go with the noun's number and gender",
  {
    word: oneOf(["some", "sleep", "proceed", "subject"], "as the frames name it"),
    number: oneOf(NUMBERS, "of the noun"),
    masculine: name("beside a masculine, IAST"),
    feminine: name("beside a feminine"),
    neuter: name("beside a neuter"),
    source: name("grammar and section, or ground"),
  },
);

export const UNTESTABLE_NOUNS = ruleTable(
  "untestable_nouns.csv",
  "nouns with a form that can be something besides: it saves the wrong member, in whatever frame or line",
  {
    stem: name("IAST"),
    cells: list(" ", z.string(), "the cells whose form it is, `acc.sg`"),
    why: name("the other reading"),
  },
);

export const VERB_ENDS = ruleTable(
  "verb_ends.csv",
  "how verbs of the Gītā end as they are written, and nouns that end alike; the longest end decides",
  {
    end: name("IAST; … where more may follow (bhavatyuta)"),
    kind: oneOf(
      ["3.sg", "3.du", "3.pl", "naming", "finite", "nonfinite", "none"],
      "third person with its number, “they call it”, other finite forms, converb or infinitive; no verb",
    ),
    object: flag("whether an accusative may belong to it"),
  },
);

export const RUNNING_SENTENCES = ruleTable(
  "running_sentences.csv",
  "lists that run over many verses, any member of which may belong to a verb of another",
  {
    chapter: whole("chapter", { min: 1, max: 18 }),
    first: whole("verse", { min: 1 }),
    last: whole("verse", { min: 1 }),
    verb: name("IAST, as written"),
    why: name("what may be understood"),
  },
);

export const MISPRINTS_TABLE = ruleTable(
  "misprints.csv",
  "what the edition misprints, with the reading meant",
  { printed: name("as printed"), meant: name("the reading"), verse: name("where, `8.12`") },
);

const verbEnding = (number: GrammaticalNumber) =>
  text(`${number}: what follows the stem, IAST and pausal; empty where the tense has no such form`);

export const CONJUGATIONS = ruleTable("conjugations.csv", "endings of the finite verb", {
  conjugation: name("tense and class"),
  person: whole("1, 2 or 3", { min: 1, max: 3 }),
  singular: verbEnding("singular"),
  dual: verbEnding("dual"),
  plural: verbEnding("plural"),
  source: name("grammar and section"),
});

export const VERBS = ruleTable("verbs.csv", "finite stems of the Gītā", {
  stem: text("IAST, with its preverbs, without the thematic vowel; may be empty"),
  conjugation: name("as in `conjugations.csv`"),
  takes: oneOf(
    ["object", "none", "copula", "naming"],
    "an object or goal; nothing (passives too); a predicate noun; a name (ucyate)",
  ),
  root: name("IAST"),
  source: name("dictionary of roots"),
});

export const MODIFIERS = ruleTable("modifiers.csv", "adjectives, participles, pronouns", {
  stem: name("IAST, of masculine and neuter; in -a but for demonstratives and numerals"),
  feminine: name("stem of the feminine, in -ā or -ī"),
  kind: oneOf(
    ["adjective", "participle", "pronominal", "demonstrative", "numeral"],
    "pronominal ones are declined as sarva",
  ),
  source: name("grammar and section, or dictionary"),
});

export const DEMONSTRATIVES = ruleTable(
  "demonstratives.csv",
  "forms of demonstratives and numerals",
  {
    stem: name("as in `modifiers.csv`"),
    case: oneOf(CASES, "case"),
    number: oneOf(NUMBERS, "number"),
    masculine: name("IAST and pausal"),
    neuter: name("IAST and pausal"),
    feminine: name("IAST and pausal"),
    source: name("grammar and section"),
  },
);
