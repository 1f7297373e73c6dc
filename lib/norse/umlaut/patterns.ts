/**
 * Endings before which Old Icelandic has ǫ for a, as inflection patterns.
 *
 * `kept_u`: the u that turns a to ǫ still stands in the ending (dǫgum); `lost_u`: it was dropped
 * before the first manuscripts and only its effect is left (hǫnd < *handu).
 * Sources: Noreen, Altisländische Grammatik, on u-umlaut; Barnes, A New Introduction to Old Norse I,
 * chapter 3 (nouns, adjectives, verbs).
 */
export type UmlautTrigger = "kept_u" | "lost_u";

export interface UmlautCell {
  readonly ending: string;
  /** Every cell this ending marks, joined by `|`. */
  readonly cell: string;
  readonly trigger: UmlautTrigger;
  /** True where the bare a-form is the singular of the same neuter noun (lǫnd, land). */
  readonly singularHasA?: true;
}

const kept = (ending: string, cell: string): UmlautCell => ({ ending, cell, trigger: "kept_u" });
const lost = (ending: string, cell: string): UmlautCell => ({ ending, cell, trigger: "lost_u" });

/** Dative plurals, with and without the suffixed article; every nominal pattern has them. */
const DATIVE_PLURAL: readonly UmlautCell[] = [kept("um", "dat.pl"), kept("unum", "dat.pl.def")];

/** The patterns by name; each lists only the cells that have ǫ. */
export const UMLAUT_PATTERNS = {
  /** Strong feminines: hǫnd, hǫll, sǫk. */
  strong_feminine: [
    lost("", "nom|acc|dat.sg.fem"),
    lost("in", "nom.sg.fem.def"),
    lost("ina", "acc.sg.fem.def"),
    lost("inni", "dat.sg.fem.def"),
    kept("u", "dat.sg.fem"),
    kept("unni", "dat.sg.fem.def"),
    ...DATIVE_PLURAL,
  ],
  /** Weak feminines: saga, harpa. */
  weak_feminine: [
    kept("u", "acc|gen|dat.sg.fem"),
    kept("una", "acc.sg.fem.def"),
    kept("unni", "dat.sg.fem.def"),
    kept("unnar", "gen.sg.fem.def"),
    kept("ur", "nom|acc.pl.fem"),
    kept("urnar", "nom|acc.pl.fem.def"),
    ...DATIVE_PLURAL,
  ],
  /** u-stem masculines: vǫllr, kǫttr. */
  u_stem_masculine: [
    lost("r", "nom.sg.masc"),
    lost("rinn", "nom.sg.masc.def"),
    lost("", "acc.sg.masc"),
    lost("inn", "acc.sg.masc.def"),
    kept("u", "acc.pl.masc"),
    ...DATIVE_PLURAL,
  ],
  /** u-stem masculines whose -r has been assimilated: ǫrn, bjǫrn. */
  u_stem_masculine_in_n: [
    lost("", "nom|acc.sg.masc"),
    lost("inn", "nom|acc.sg.masc.def"),
    kept("u", "acc.pl.masc"),
    ...DATIVE_PLURAL,
  ],
  /** Other masculines, which show ǫ in the dative plural alone: dagr, maðr. */
  masculine: DATIVE_PLURAL,
  /** Strong neuters: land, barn. */
  neuter: [
    { ending: "", cell: "nom|acc.pl.neut", trigger: "lost_u", singularHasA: true },
    lost("in", "nom|acc.pl.neut.def"),
    ...DATIVE_PLURAL,
  ],
  /** Neuters used in the plural only: skǫp 'fate'. */
  neuter_plural_only: [lost("", "nom|acc.pl.neut"), ...DATIVE_PLURAL],
  /** Weak neuters: hjarta. */
  weak_neuter: [kept("u", "nom|acc.pl.neut"), ...DATIVE_PLURAL],
  adjective: [
    lost("", "nom.sg.fem|nom.acc.pl.neut"),
    kept("u", "dat.sg.neut|weak"),
    kept("um", "dat.sg.masc|dat.pl"),
  ],
  /** Present of strong verbs and of hafa: 1st person plural. */
  present: [kept("um", "pres.1pl")],
  /** Preterite plural of weak verbs with a vowel in the singular (barði, bǫrðu). */
  weak_preterite: [
    kept("u", "pret.3pl"),
    kept("um", "pret.1pl"),
    kept("uð", "pret.2pl"),
    kept("usk", "pret.3pl.middle"),
  ],
  /** Verbs in -a, -aði: kalla, kǫlluðu, kǫlluð. */
  a_verb: [
    kept("uðu", "pret.3pl|1pl"),
    kept("uðum", "pret.1pl"),
    kept("uðuð", "pret.2pl"),
    kept("uðusk", "pret.3pl.middle"),
    kept("uð", "past participle, nom.sg.fem|nom.acc.pl.neut"),
  ],
  /** Singular of faðir outside the nominative. */
  kinship: [kept("ur", "acc|gen|dat.sg.masc")],
  /** -uðr and -un nouns, the suffix always after ǫ. */
  suffix_udr: [kept("uðr", "nom.sg.masc")],
  suffix_un: [kept("un", "nom|acc|dat.sg.fem")],
  /** annarr 'other'. */
  annarr_nn: [kept("ur", "nom.sg.fem|nom.acc.pl.neut")],
  annarr_dh: [kept("rum", "dat.sg.masc|dat.pl"), kept("ru", "dat.sg.neut")],
  /** gamall 'old', uncontracted. */
  gamall_uncontracted: [kept("ul", "nom.sg.fem|nom.acc.pl.neut")],
  /** First element of a compound before u: fǫruneyti. */
  first_element: [kept("u", "first element of a compound")],
} as const satisfies Readonly<Record<string, readonly UmlautCell[]>>;

export type UmlautPattern = keyof typeof UMLAUT_PATTERNS;

export type UmlautWordClass = "noun" | "adjective" | "pronoun" | "verb";

/** A stem whose ǫ is a before other endings. */
export interface UmlautStem {
  /** Ends the rule's identifier: `UM_` + id. */
  readonly id: string;
  readonly lemma: string;
  readonly gloss: string;
  /** A form of the same word that has a, for the explanation. */
  readonly baseForm: string;
  /** The stem as it stands before the endings of its pattern, with ǫ. */
  readonly stem: string;
  readonly wordClass: UmlautWordClass;
  readonly pattern: UmlautPattern;
  /** First elements of compounds in the saga. */
  readonly prefixes?: readonly string[];
  /** True where only compounds are meant: fǫrum alone is the verb. */
  readonly compoundOnly?: true;
  /** Second elements of compounds in the saga, after a full form of this stem. */
  readonly suffixes?: readonly string[];
  /** `breaking`: jǫ beside ja goes back to a broken e, not to an a (jǫrð, skjǫldr). */
  readonly vowel: "umlaut" | "breaking";
  readonly tier: 1 | 2 | 3;
}

/** What a row of a table of stems may leave out. */
export type UmlautRow = readonly [
  id: string,
  lemma: string,
  gloss: string,
  baseForm: string,
  stem: string,
  pattern: UmlautPattern,
  more?: Partial<Pick<UmlautStem, "prefixes" | "compoundOnly" | "suffixes" | "vowel" | "tier">>,
];

/** Stems of one word class from their rows; broken vowels are tier 3 unless the row says otherwise. */
export function umlautStems(
  wordClass: UmlautWordClass,
  rows: readonly UmlautRow[],
): readonly UmlautStem[] {
  return rows.map(([id, lemma, gloss, baseForm, stem, pattern, more = {}]) => ({
    id,
    lemma,
    gloss,
    baseForm,
    stem,
    wordClass,
    pattern,
    vowel: "umlaut",
    tier: more.vowel === "breaking" ? 3 : 1,
    ...more,
  }));
}
