/** Why a token was looked at and no pair was made of it. */
export const ADJECTIVE_REJECTION_REASONS = [
  "comparative",
  "ordinal",
  "same_sami",
  "pronominal_adjective",
  "present_participle",
  "contracted_stem",
  "adverb_homograph",
  "word_homograph",
  "no_head_noun",
  "possibly_predicative",
  "vocative",
  "articleless_superlative",
  "epithet_without_article",
  "substantivised",
  "dative_plural",
  "syncretic_in_phrase",
  "suffixed_article_noun",
  "possessive_determiner",
  "after_demonstrative",
  "bare_demonstrative",
  "not_this_sentence",
] as const;
export type AdjectiveRejectionReason = (typeof ADJECTIVE_REJECTION_REASONS)[number];

function words(list: string): readonly string[] {
  return list.trim().split(/\s+/u);
}

/** Forms that belong to words without the strong/weak contrast, whatever the phrase. */
const CLASSES: readonly (readonly [AdjectiveRejectionReason, string])[] = [
  [
    "comparative", // declined weak in definite and indefinite phrases alike
    `ríkari ríkara ættstœrri meiri meira betra betri verra verri fegri vitrari ellri yngri yngra
     fremri hæra hæri sterkari grimmari lengri lengra œðri efri efra neðra fyrri fyrra fyrrum sannara
     leiðari gǫfgari gǫfgara huglausari makligri fríðari blíðara torveldra vegligri vitrligra
     ástsælli fúsari fleiri fleira færi færum hœgri`,
  ],
  ["ordinal", "þriði þriðja þriðju fimmti fimmta tíundi tíunda"], // weak only
  ["same_sami", "sami sama sams samr"], // weak forms stand without article
  [
    "present_participle",
    `brennanda sofandi blundandi hlæjandi loganda dugandi fýsandi ráðandi
     vitandi grœðandi uppstandanda`,
  ],
  // Vowel stems: the ending contracts (blá + u > blá), and the forms are not secure.
  ["contracted_stem", "blár blán grár grán smár smáir smáar"],
];

/** What is said of a word of such a class beside its reason. */
export const CLASS_DETAILS: ReadonlyMap<AdjectiveRejectionReason, string> = new Map([
  ["same_sami", "weak without the article too, and its strong forms are too rare to be sure of"],
]);

/** Form → why it is never a target. */
export const EXCLUDED_FORMS: ReadonlyMap<string, AdjectiveRejectionReason> = new Map(
  CLASSES.flatMap(([reason, forms]) =>
    words(forms).map((form): [string, AdjectiveRejectionReason] => [form, reason])
  ),
);

/** Forms of the lexicon that are oftener adverbs; attributive only where a determiner says so. */
export const ADVERBS: ReadonlySet<string> = new Set(words("síðan síðar illa næst mest síð lítt"));

/**
 * Replacements that are adverbs in their own right: "var búin ágætliga veizla" is good Norse, a feast
 * splendidly prepared, and so may "ríðr nú lǫngu leiðir" be. Only right after a preposition or einn
 * can they be nothing but a misdeclined adjective.
 */
export const ADVERBIAL_REPLACEMENT = /(?:liga|^lǫngu|^skǫmmu|^litlu|^illa)$/u;

/** Forms of the lexicon that are also nouns or verbs (ríki 'realm', reið 'rode', hár 'hair'). */
export const HOMOGRAPHS: ReadonlySet<string> = new Set(
  words(`ríki dauða sár sárs reið reiði síðu skamma sanna hár dýr dýrum skǫmm skammir ágæti
    vitru myrkva bitr reitt laust drukkit drukkna`),
);

/** Adjectives of state: after their noun they are as a rule predicative ("fann hann sáran"). */
export const STATE_ADJECTIVES: ReadonlySet<string> = new Set(
  words("sárr dauðr feigr kátr reiðr lauss fullr blóðugr drukkinn"),
);

/** Replacements whose spelling the handbooks do not settle. */
export const UNSURE_FORMS: ReadonlySet<string> = new Set(words("hávu hávum"));

/** Sentence and word where no rule can know, each with the linguistic reason. */
export const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["VS_18_031 gǫfugt", "a riddling name, and names may keep a weak adjective without article"],
  ["VS_21_006 langæligt", "þar við is one adverb here, so langæliga could go with the verb"],
  ["VS_36_026 frítt", "fríða can go with stóra kappa, the champions of the next phrase"],
  ["VS_32_001 þýðverskri", "þýðversku tungu can be the tongue of (the) þýðverska, as latínutunga"],
  ["VS_14_017 rauðu", "rauðagull is a compound too"],
  ["VS_22_002 rauðu", "rauðagull is a compound too"],
  ["VS_31_034 rauðu", "af rauða + matter is a standing epithet, as in af rauða gulli"],
  ["VS_09_066 gamla", "inum gǫmlum can be the plural, of both kings"],
  ["VS_35_033 myrkvan", "myrkva skóg can be read as the place-name Myrkvaskógr"],
]);
