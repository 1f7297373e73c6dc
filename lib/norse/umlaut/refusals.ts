/** Why a token with ǫ makes no pair. */
export type UmlautRefusal =
  | "no_alternation_with_a"
  | "proper_name"
  | "a_form_is_another_word"
  | "a_form_is_another_cell"
  | "a_form_is_an_attested_variant"
  | "a_form_is_the_singular"
  | "a_form_is_an_intensifier"
  | "a_form_occurs_in_the_saga"
  | "lexicalised_compound"
  | "several_hooked_vowels"
  | "stem_not_in_table";

/** Whole forms of umlauting stems that must not be reverted. */
export const REFUSED_FORMS: ReadonlyMap<string, readonly [UmlautRefusal, string]> = new Map(
  [
    ["vǫr", ["a_form_is_another_word", "var 'was'"]],
    ["fǫr", ["a_form_is_another_word", "far 'passage, vessel' and imperative of fara"]],
    ["fǫnn", ["a_form_is_another_word", "fann 'found'"]],
    ["þǫrf", ["a_form_is_another_word", "þarf 'needs'"]],
    ["hǫfðu", ["a_form_is_another_word", "hafðu, imperative haf with þú"]],
    ["stǫkk", ["a_form_is_another_word", "stakk 'thrust'; the stem has no a"]],
    ["grǫfinni", ["a_form_is_another_word", "grafinni, participle of grafa"]],
    ["grǫfin", ["a_form_is_another_word", "grafin, participle of grafa"]],
    ["hǫllum", ["a_form_is_another_word", "hallum, dative plural of hallr 'slope'"]],
    ["hǫllunum", ["a_form_is_another_word", "hallunum, dative plural of hallr 'slope'"]],
    ["svǫrin", ["a_form_is_another_word", "svarin, participle of sverja"]],
    ["fǫst", ["a_form_is_another_cell", "fast, neuter singular and adverb"]],
    ["fǫgr", ["a_form_is_another_cell", "fagr, nominative singular masculine"]],
    ["hvǫss", ["a_form_is_another_cell", "hvass, nominative singular masculine"]],
    ["ørlǫg", ["a_form_is_the_singular", "ørlag can be read as a singular 'fate'"]],
    ["grǫft", ["a_form_is_an_attested_variant", "graftr beside grǫftr"]],
    ["hǫtt", ["a_form_is_an_attested_variant", "hattr beside hǫttr"]],
    ["fǫðr", ["a_form_is_an_attested_variant", "-faðr beside -fǫðr, -faðir in names of Óðinn"]],
    ["hǫndla", ["a_form_is_an_attested_variant", "handla beside hǫndla"]],
  ] as const,
);

/** Forms that are a name where they have a capital inside a sentence: the island Sǫk. */
export const NAME_WHEN_CAPITAL: ReadonlySet<string> = new Set(["sǫk"]);

/** Beginnings of words whose ǫ is no umlaut of a before u that is seen today. */
export const REFUSED_STEMS: readonly (readonly [start: RegExp, UmlautRefusal, string])[] = [
  [/^(?:all)?mjǫ[kg]$/u, "no_alternation_with_a", "mjǫk: ǫ in every form"],
  [/^(?:lands)?hǫf(?:uð|ði|ðinu|ðing)/u, "no_alternation_with_a", "hǫfuð: ǫ in every form"],
  [/^hǫgg/u, "no_alternation_with_a", "hǫggva: ǫ before v"],
  [/^(?:mann)?fjǫl(?:[dnkm]|$)/u, "no_alternation_with_a", "fjǫl-, fjǫldi: ǫ in every form"],
  [/^fjǫr(?:$|it|br|la|n)/u, "no_alternation_with_a", "fjǫr: ǫ before v"],
  [/^fjǫt/u, "no_alternation_with_a", "fjǫturr: ǫ in every form"],
  [/^mjǫl/u, "no_alternation_with_a", "mjǫl: ǫ before v"],
  [/^hjǫr(?:$|leg)/u, "no_alternation_with_a", "hjǫrr: ǫ before v"],
  [/^f?ǫl(?:$|ker|na)/u, "no_alternation_with_a", "ǫl, fǫlr: ǫ before v"],
  [/^bǫl/u, "no_alternation_with_a", "bǫl: ǫ before v"],
  [/^ǫrv/u, "no_alternation_with_a", "ǫr: ǫ before v"],
  [/^ǫrliga$/u, "no_alternation_with_a", "ǫrr: ǫ before v"],
  [/^gǫf[gu]/u, "no_alternation_with_a", "gǫfugr: ǫ in every form"],
  [/^gǫrótt/u, "no_alternation_with_a", "gǫróttr: ǫ in every form"],
  [/^jǫtun/u, "no_alternation_with_a", "jǫtunn: ǫ in every form"],
  [/^trǫll/u, "no_alternation_with_a", "trǫll: ǫ in every form"],
  [/^skǫrung/u, "no_alternation_with_a", "skǫrungr: ǫ in every form"],
  [/^sǫðul/u, "no_alternation_with_a", "sǫðull: ǫ in every form"],
  [/^stǫðv/u, "no_alternation_with_a", "stǫðva: ǫ before v"],
  [/^vǫl(?:v|u)/u, "no_alternation_with_a", "vǫlva: ǫ before v"],
  [/^ǫfund/u, "no_alternation_with_a", "ǫfund: ǫ in every form"],
  [/gnǫll$/u, "a_form_is_the_singular", "gnǫll: number and gender uncertain"],
  [/^dǫgg/u, "lexicalised_compound", "dǫggskór"],
  [/^ǫndverð/u, "a_form_is_an_attested_variant", "andverðr beside ǫndverðr"],
  [
    /^(?:vǫlsung|sinfjǫtl|hǫgn|hjǫrd|hjǫrv|hǫðbrodd|jǫrmunrek|sǫrl|glaumv|nǫrv|hǫlkv|fjǫln|fjǫrn)/u,
    "proper_name",
    "ǫ belongs to the name",
  ],
  [
    /^(?:busiltjǫrn|sólfjǫll|vínbjǫrg|valbjǫrg)/u,
    "proper_name",
    "place with a broken vowel; its number is not shown",
  ],
  [/^fjǫll$/u, "a_form_is_the_singular", "fjall, singular"],
];

/** Neuter plural forms that agree with their noun and so forbid the singular beside them. */
export const NEUTER_PLURAL_MODIFIERS: ReadonlySet<string> = new Set(
  "ǫll mǫrg tvau þrjú fá stór góð ung sǫnn mín þín sín okkur ykkur yður vár þessi ǫnnur"
    .split(" "),
);

/** Feminine forms that agree with hǫll and so forbid hallr 'slope', whose accusative is hall. */
export const FEMININE_MODIFIERS: ReadonlySet<string> = new Set(
  "eina einni ina inni in sú mína minni þína þinni sína sinni vár vára várri miðri þessi"
    .split(" "),
);

/** What all- can strengthen: "all vel skipuð" would be read allvel. */
export const INTENSIFIABLE: ReadonlySet<string> = new Set(
  "vel illa hrædd mikil góð ung reið glǫð lítil væn full mǫrg saman".split(" "),
);
