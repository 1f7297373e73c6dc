/** Why a token in -sk makes no pair. */
export type MiddleRefusal =
  | "active_licensed"
  | "no_active_counterpart"
  | "active_is_another_word"
  | "gap_could_be_object"
  | "object_available"
  | "impersonal_active"
  | "accusative_could_be_subject"
  | "frame_not_found"
  | "not_a_middle"
  | "reading_uncertain"
  | "verb_not_in_table";

type Refusal = readonly [pattern: RegExp, MiddleRefusal, detail: string];

/** Verbs of which no form makes a pair, by the beginnings of their forms. */
export const REFUSED_MIDDLES: readonly Refusal[] = [
  [/^(?:þykk|þótt|þœtt)/u, "active_licensed", "þykkir, þótti 'seems' takes the same complement"],
  [/^kom[ai]|^kæmi/u, "active_licensed", "koma 'come'"],
  [/^skil/u, "active_licensed", "skilja 'part'"],
  [/^dv[ae]l/u, "active_licensed", "dvelja 'stay'"],
  [/^minnisk/u, "active_licensed", "impersonal mik minnir"],
  [/^undru/u, "active_licensed", "undra 'wonder at', also impersonal"],
  [/^undrask/u, "active_licensed", "undra 'wonder at', also impersonal"],
  [/^hvíl/u, "active_licensed", "hvíla 'rest'"],
  [/^hét/u, "active_licensed", "heita 'promise' with a dative"],
  [/^fell/u, "active_licensed", "falla 'fall'"],
  [/^brá/u, "active_licensed", "bregða, also impersonal"],
  [/^vik/u, "active_licensed", "víkja 'turn'"],
  [/^ræð|^réð/u, "active_licensed", "ráða with a preposition"],
  [/^(?:hafask|farask)$/u, "active_licensed", "hafa at 'do', impersonal ferr e-m"],
  [/^varask$/u, "active_licensed", "vara 'warn' with an accusative"],
  [/^sta[ðn][id]zk|^stenzk|^stóðu/u, "active_licensed", "standa 'stand'"],
  [/^mæltu/u, "active_licensed", "mæla við 'speak to'"],
  [/^beidd/u, "active_licensed", "beiða with a genitive"],
  [/^(?:segsk|sǫgðusk)$/u, "active_licensed", "seg! or sǫgðu with an accusative subject"],
  [/^b(?:úask|úizk|jósk|juggusk|ýsk)$/u, "active_licensed", "búa 'dwell', búa til, við 'prepare'"],
  [/^buðumsk$/u, "active_licensed", "bjóða til 'offer'"],
  [/^hjuggusk$/u, "active_licensed", "hǫggva 'strike'"],
  [/^njótask$/u, "active_licensed", "njóta; its genitive can be what at 'that' stands for"],
  [/^lýksk$/u, "active_licensed", "lýkr 'comes to an end'"],
  [/^spyr/u, "active_licensed", "spyrr 'hears of'"],
  [/^standask$/u, "active_licensed", "standa with an accusative"],
  [/^mœt/u, "active_licensed", "mœta 'meet (somebody)', the dative understood"],
  [/^sverjask$/u, "active_licensed", "sverja í brœðralag 'swear'"],
  [/^rœðask$/u, "active_licensed", "rœða við 'speak with'"],
  [/^opnask$/u, "active_licensed", "sárit opnar 'the wound opens', also impersonal"],
  [/^minnizk$/u, "active_licensed", "minna á 'call to mind'"],
  [/^girnisk$/u, "active_licensed", "impersonal hann girnir"],
  [/^eggjask$/u, "reading_uncertain", "láta at eggjask"],
  [/^(?:metask|brýzk)$/u, "object_available", "ekki 'nothing' can be the object"],
  [/^huggask$/u, "object_available", "bað hana hugga 'had her comforted'"],
  [/^ótt/u, "no_active_counterpart", "óttask"],
  [/^feil/u, "no_active_counterpart", "feilask"],
  [/^mæg/u, "no_active_counterpart", "mægjask"],
  [/^hallkvæm/u, "no_active_counterpart", "hallkvæmask"],
  [/^bif/u, "no_active_counterpart", "bifask"],
  [/^bersk$/u, "active_is_another_word", "berr, also of bera 'carry'"],
  [/^skjótask$/u, "not_a_middle", "superlative skjótast 'as quickly as can be'"],
  [/^frjóum/u, "reading_uncertain", "frjóumsk"],
];

/**
 * Sentences that a rule on their words cannot judge. Each would be grammatical, or nearly, with the
 * active: read once by hand, kept few.
 */
export const REFUSED_IN_SENTENCE: ReadonlyMap<string, readonly [MiddleRefusal, string]> = new Map(
  [
    ["VS_38_071 finnsk", ["impersonal_active", "svá finnr 'so one finds'"]],
    ["VS_17_031 finnisk", ["impersonal_active", "en dœmi finni til 'than one finds examples for'"]],
    ["VS_24_059 fœðzk", ["object_available", "'has borne (one) fairer than you'"]],
    ["VS_18_005 sezk", ["object_available", "imperative; grǫf of the clause before"]],
    ["VS_36_020 barðisk", ["object_available", "sverð of the clause before"]],
    ["VS_12_045 tóksk", ["active_licensed", "tók henni vel 'received her well'"]],
    ["VS_08_034 takask", ["impersonal_active", "ef svá vildi taka"]],
    ["VS_28_064 dyljumsk", ["object_available", "the clause with at is an object of dyljum"]],
    ["VS_18_066 hræddumsk", ["object_available", "engi vápn can be the object of hrædda"]],
    ["VS_17_032 hræðask", ["object_available", "Vǫlsunga can be the object of hræða"]],
    ["VS_05_006 hræðisk", ["object_available", "bana sinn can be the object of hræði"]],
    ["VS_32_011 huggaðisk", ["object_available", "nokkut harms síns can be the object of huggaði"]],
    ["VS_06_001 hefsk", ["object_available", "við can be the accusative of viðr 'wood'"]],
    ["VS_40_017 treystask", ["object_available", "hamingjunni is the dative that treysta takes"]],
    ["VS_09_011 nefnisk", ["object_available", "Sigrún can be accusative"]],
    ["VS_12_045 fundumsk", [
      "object_available",
      "'when we met (her)', spoken of in the clause before",
    ]],
    ["VS_12_058 leynzk", ["object_available", "þér can be the dative object: 'hidden you'"]],
    ["VS_08_049 leynzk", ["gap_could_be_object", "'those whom they had hidden'"]],
    ["VS_27_045 nefndisk", ["object_available", "hann can be the object, Gunnarr the subject"]],
  ] as const,
);

/** The same, where the active is only far-fetched: a pair of the last tier. */
export const DOUBTFUL_IN_SENTENCE: ReadonlyMap<string, string> = new Map([
  ["VS_09_068 fundusk", "þar, er heitir Frekasteinn,"],
  ["VS_15_024 sýndisk", "the sword of the clause before"],
]);

/** Pronouns that, outside a prepositional phrase, can be the object of the active. */
export const OBJECT_PRONOUNS: ReadonlySet<string> = new Set(["mik", "þik", "sik", "hana", "ekki"]);

/** Pronouns that can be its object only right behind it or behind a verb that takes an infinitive. */
export const AMBIGUOUS_PRONOUNS: ReadonlySet<string> = new Set(["hann", "þat", "þau"]);

/** Neuter pronouns, nominative and accusative: right before the verb they can be its object. */
export const NEUTER_PRONOUNS: ReadonlySet<string> = new Set(["þat", "þau"]);

/** Pronouns and nouns whose nominative is their accusative too. */
export const NEUTER_PHRASES: ReadonlySet<string> = new Set(
  `þat þau þetta hvat nafn mál ráð vápn systkin tíðendi stórtíðendi stórverk skip sverð
   bǫrn`.split(/\s+/u),
);

/** Dative and accusative in one: as a dative beside the middle, as an accusative its object. */
export const DATIVE_OR_ACCUSATIVE: ReadonlySet<string> = new Set(["oss", "okkr", "ykkr", "yðr"]);

/** Pronouns that are nothing but a subject. */
export const NOMINATIVES: ReadonlySet<string> = new Set(
  "ek þú hann hún vit vér þit þeir þær menn maðr".split(" "),
);

/** Behind `ok` these do something to an object that the verb before can share. */
export const ACTIONS_ON_OBJECTS: ReadonlySet<string> = new Set(
  "drepit drepr drap drápu fellt fellir felldi felldu slegit slær sló slógu hjó hǫggr tekit tekr tók"
    .split(" "),
);

/** Behind `ok` these have an object, but hardly one that another verb shares. */
export const POSSESSIONS: ReadonlySet<string> = new Set(
  "hafði hefir hǫfðu átti ætti á".split(" "),
);

/** Verbs behind which accusative and infinitive stand. */
export const ACCUSATIVE_AND_INFINITIVE: ReadonlySet<string> = new Set(
  "bað biðr báðu kvað kvaðsk kveðr kváðu lét lætr létu".split(" "),
);

export const PREPOSITIONS: ReadonlySet<string> = new Set(
  "á af at eptir fyrir frá hjá í með mót of ór til um und undir við yfir".split(" "),
);

/** Words that begin a clause. */
export const CLAUSE_OPENERS: ReadonlySet<string> = new Set(
  "ok en eða né at er sem ef meðan unz því þótt nema hvárt".split(" "),
);

/** Before `er` these make a clause of time or place; any other word makes it a relative clause. */
export const TIME_AND_PLACE: ReadonlySet<string> = new Set(
  "ok en nú þá þar þegar síðan til áðr eptir meðan brátt svá".split(" "),
);

/** Finite verb forms that show a plural subject. */
export const PLURAL_AUXILIARIES: ReadonlySet<string> = new Set(
  "munu mundu skulu skyldu vilja vildu hafa hǫfðu máttu megu".split(" "),
);

/** Finite verbs that want a named subject: "er berja vill" is not 'whom one wants to beat'. */
export const AGENTIVE_AUXILIARIES: ReadonlySet<string> = new Set(
  "vill vildi hefir hafði".split(" "),
);

/** Subjects: a relative clause that has one can only lack an object. */
export const SUBJECT_PRONOUNS: ReadonlySet<string> = new Set(
  "ek þú hann hún þat vit vér þit þér þeir þær þau menn".split(" "),
);

/** What an infinitive depends on; before -ask they show that it is one. */
export const INFINITIVE_GOVERNORS: ReadonlySet<string> = new Set(
  `at mun munu muntu munda mundi mundu skal skalt skaltu skulu skyldi skyldu má mátti máttu megi
   mætti mættim vill vilt vilja vildi bað lét kann kunni`.split(/\s+/u),
);

/** Neuter singulars: with them gera is impersonal, "gerir vant" 'it becomes difficult'. */
export const NEUTER_SINGULARS: ReadonlySet<string> = new Set(
  "vant mikit lítit illt gott kalt myrkt hart fátt margt".split(" "),
);

/** Accusatives that could be read as the subject of an infinitive behind kveða. */
export const ACCUSATIVES_BEFORE_INFINITIVE: ReadonlySet<string> = new Set(
  "allt illt mann mik þik sik hana þá menn".split(" "),
);

/** Neuter accusatives that are the object of one of the infinitives below, where one follows. */
export const OBJECTS_OF_INFINITIVE: ReadonlySet<string> = new Set(["allt", "illt"]);

/** Infinitives that must have an object: "illt hljóta", "allt vilja til fá". */
export const TRANSITIVE_INFINITIVES: ReadonlySet<string> = new Set(
  "hljóta fá gera vinna hafa eiga taka".split(" "),
);

/** Right behind kveðask these show a nominative predicate, which the active could not have. */
export const NOMINATIVE_PREDICATE_SIGNS: ReadonlySet<string> = new Set("vera kominn of".split(" "));

/** What may follow a við that has lost its noun: "talask nú við ok drekka". */
export const AFTER_STRANDED_PREPOSITION: ReadonlySet<string> = new Set(
  "í á ok en er at".split(" "),
);
