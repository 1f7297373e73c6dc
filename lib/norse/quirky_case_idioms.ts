import type { QuirkyFrame } from "./quirky_case_frame.ts";

/** A row of the table; the rest of a frame is the same for all idioms. */
type Idiom = Pick<QuirkyFrame, "rule" | "lemma" | "gloss" | "heads" | "gap" | "ground" | "tier"> & {
  readonly companions: readonly (readonly string[])[];
};

const THEME_STAYS = "a nominative theme stays in the clause";
const NEUTER_STAYS = "the predicate stays in the neuter of an impersonal clause";

/** Verb with a fixed complement: the person in the dative, at most a thing in the nominative. */
const IDIOMS: readonly Idiom[] = [
  {
    rule: "QC_IDIOM_VERDA_FYRIR",
    lemma: "verða fyrir",
    gloss: "be the first thing someone does",
    heads: ["varð"],
    companions: [["fyrir"], ["þat"]],
    gap: 0,
    ground: THEME_STAYS,
    tier: 2,
  },
  {
    rule: "QC_IDIOM_VERDA_LITIT",
    lemma: "verða litit",
    gloss: "happen to look",
    heads: ["litit"],
    companions: [["varð", "verðr"]],
    gap: 2,
    ground: NEUTER_STAYS,
    tier: 1,
  },
  {
    rule: "QC_IDIOM_VERDA_VANT",
    lemma: "verða vant",
    gloss: "be short of",
    heads: ["vant"],
    companions: [["varð", "verðr", "mun"]],
    gap: 1,
    ground: NEUTER_STAYS,
    tier: 1,
  },
  {
    rule: "QC_IDIOM_VERDA_VEL",
    lemma: "verða vel",
    gloss: "go well for",
    heads: ["verði"],
    companions: [["vel", "illa"]],
    gap: 0,
    ground: "the verb stands in the third person of an impersonal clause",
    tier: 3,
  },
  {
    rule: "QC_IDIOM_VERDA_NYT",
    lemma: "verða nyt",
    gloss: "have use of",
    heads: ["nyt"],
    companions: [["verði", "verðr"]],
    gap: 1,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_VERDA_AT_ALDRLAGI",
    lemma: "verða at aldrlagi",
    gloss: "be the death of",
    heads: ["aldrlagi"],
    companions: [["varð"], ["þat"]],
    gap: 2,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_FALLA_OR_MINNI",
    lemma: "falla ór minni",
    gloss: "slip someone's mind",
    heads: ["minni"],
    companions: [["fellr"], ["ór"]],
    gap: 2,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_FALLA_HURD",
    lemma: "falla hurð á hæla",
    gloss: "have the door fall on one's heels",
    heads: ["hurð"],
    companions: [["fellr"], ["hœla", "hæla"]],
    gap: 1,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_HVERFA",
    lemma: "hverfa",
    gloss: "be lost to",
    heads: ["hvarf", "horfin"],
    companions: [["skipit", "heill"]],
    gap: 1,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_KOMA_A_OVART",
    lemma: "koma á óvart",
    gloss: "take by surprise",
    heads: ["kómu"],
    companions: [["óvart"]],
    gap: 0,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_KOMA_AT_HENDI",
    lemma: "koma at hendi",
    gloss: "befall",
    heads: ["kómu"],
    companions: [["hendi"]],
    gap: 0,
    ground: THEME_STAYS,
    tier: 3,
  },
  {
    rule: "QC_IDIOM_STANDA_AF",
    lemma: "standa af",
    gloss: "be threatened by",
    heads: ["stendr"],
    companions: [["ófagnaðr", "ótti"]],
    gap: 0,
    ground: THEME_STAYS,
    tier: 3,
  },
];

export const QUIRKY_IDIOMS: readonly QuirkyFrame[] = IDIOMS.map((idiom) => ({
  ...idiom,
  construction: "verbal_idiom",
  case: "dative",
  source: "Cleasby–Vigfusson s.v.; Barðdal 2001 for verbs with dative and nominative",
}));
