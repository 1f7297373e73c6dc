import type { LureFrame, QuirkyCaseRejection } from "./frame.ts";
import type { ObliqueCase } from "./pronouns.ts";

type Lure = readonly [
  reason: QuirkyCaseRejection,
  oblique: ObliqueCase,
  heads: string,
  companions: string,
  gap: number,
  detail: string,
];

/**
 * What looks like an oblique subject and is not, or gives no ungrammatical variant. Consulted only
 * for tokens that no quirky frame has claimed. Companions: groups divided by `+`, words by spaces.
 */
const LURES: readonly Lure[] = [
  [
    "personal_reading_possible",
    "dative",
    "gengr gangi ganga",
    "illa vel svá allt til",
    2,
    "a nominative subject of ganga is personal: þú gengr illa 'you walk badly'",
  ],
  [
    "personal_reading_possible",
    "dative",
    "kemr",
    "því",
    0,
    "a nominative subject of koma is personal",
  ],
  ["personal_reading_possible", "dative", "lék", "ýmist", 0, "ek lék 'I played' is grammatical"],
  ["personal_reading_possible", "dative", "varð", "illa", 0, "hann varð illa við is used too"],
  ["personal_reading_possible", "dative", "sneri", "", 0, "intransitive snúa has a nominative"],
  ["personal_reading_possible", "dative", "lysti", "saman", 0, "bjǫrg lysti saman may be read"],
  ["personal_reading_possible", "dative", "kemr", "svá+hans", 2, "hans mál kemr svá may be read"],
  ["personal_reading_possible", "dative", "væri", "vegsemdar", 0, "hann væri til vegsemdar"],
  ["personal_reading_possible", "dative", "sé", "hvat", 0, "hvat hún sé is grammatical"],
  [
    "personal_reading_possible",
    "dative",
    "hlýddi",
    "",
    0,
    "personal hlýða 'listen, obey': eigi hlýddi hann at eta may be read",
  ],
  ["personal_reading_possible", "dative", "tjóar tjóa", "", 2, "ek tjóa 'I am of avail'"],
  ["personal_reading_possible", "dative", "lýkr", "svá", 1, "hér lýkr saga has a nominative too"],
  ["personal_reading_possible", "dative", "sárt", "við", 1, "verða illa, sárt við is personal too"],
  ["personal_reading_possible", "accusative", "minnir", "", 0, "personal minna 'call to mind'"],
  [
    "nominative_subject_attested",
    "accusative",
    "grunar grunat",
    "",
    1,
    "gruna has nominative subjects in this saga: nú grunar konungr",
  ],
  [
    "nominative_subject_attested",
    "accusative",
    "harmar harmaði",
    "",
    1,
    "the variant is personal harma with a wrong ending only",
  ],
  [
    "personal_reading_possible",
    "accusative",
    "nátti",
    "",
    0,
    "personal nátta 'pass the night' would differ in the ending only",
  ],
  ["object_of_active_verb", "accusative", "angrar", "", 0, "object of transitive angra"],
  ["object_of_active_verb", "accusative", "hlœgir", "", 0, "object of causative hlœgja"],
  ["object_of_active_verb", "accusative", "bítr", "", 0, "object of bíta"],
  [
    "nominative_also_attested",
    "dative",
    "ferr",
    "fram",
    1,
    "ferr þetta fram is attested beside ferr þessu fram",
  ],
  [
    "accusative_with_infinitive",
    "dative",
    "mundu",
    "kvað",
    0,
    "after kveða its subject would be an accusative",
  ],
  ["dative_of_comparison", "dative", "finnsk", "", 0, "second term of a comparison"],
  [
    "dative_of_comparison",
    "dative",
    "vitrari betri fegri fegrst verri leiðari huglausari fremri fremra",
    "",
    2,
    "second term of a comparison",
  ],
  [
    "object_of_adjective",
    "dative",
    "ókunnr ókunnigr ókunnig jafnir líkr líkan",
    "",
    1,
    "complement of an adjective or participle whose subject is nominative",
  ],
  [
    "object_of_adjective",
    "dative",
    "gift gefin",
    "er sé sér var vartu mun muntu ek",
    1,
    "the person married to, beside a nominative subject",
  ],
  ["object_of_infinitive", "dative", "þarf", "frýja", 0, "object of at frýja"],
  ["object_of_infinitive", "dative", "skal", "bana kvíða", 0, "object of the infinitive"],
  ["object_of_infinitive", "dative", "er", "leyna hæla", 0, "object of the infinitive"],
  ["nominative_subject_present", "dative", "brásk", "þat", 0, "þat is the subject of bregðask"],
  [
    "nominative_subject_present",
    "dative",
    "bana meini móðtrega liði skaða gagni haldi",
    "verða verðr varð urðu mundu kemr",
    3,
    "the nominative is the subject of verða, vera at e-u",
  ],
  ["nominative_subject_present", "dative", "koma", "hendi", 2, "the nominative theme leads"],
  ["nominative_subject_present", "dative", "standi stendr", "fyrir", 0, "the theme leads"],
  ["free_dative", "dative", "lifa", "gamans", 0, "dative of interest beside a subject"],
  ["free_dative", "dative", "bjó", "brjósti", 0, "dative of the possessor"],
  ["free_dative", "dative", "skǫmm", "er", 2, "dative of interest beside a subject"],
  [
    "object_of_active_verb",
    "dative",
    `segir sagði segja gaf gefr gefa gefi fekk fær fá býðr bjóða bauð veitir veita veittu sendir
     sendi fœrði sýndi sýnir launa bœta fylgir fylgdi fylgja þjónuðu fagnar fagnaði þakkar leynir
     hlífðu hlífði duga unna unni ann kenndi kenndu ráðit heitit kennt launat svarar trúir trú
     vægir gerða selda`,
    "",
    0,
    "object of an active verb, whose subject is in the nominative",
  ],
];

const words = (list: string): readonly string[] => list.split(/\s+/u).filter((word) => word !== "");

export const QUIRKY_LURES: readonly LureFrame[] = LURES.map(
  ([reason, oblique, heads, companions, gap, detail]) => ({
    reason,
    detail,
    case: oblique,
    heads: words(heads),
    companions: companions === "" ? [] : companions.split("+").map(words),
    gap,
    thing: reason === "nominative_also_attested" || reason === "personal_reading_possible" ||
      reason === "object_of_infinitive",
  }),
);

/** Sentences in which no rule can know; token and reason. Kept short on purpose. */
export const QUIRKY_EXCEPTIONS: readonly {
  readonly sentence: string;
  readonly token: string;
  readonly reason: QuirkyCaseRejection;
  readonly detail: string;
}[] = [
  {
    sentence: "VS_02_008",
    token: "honum",
    reason: "excluded_sentence",
    detail: "konu þá, er hann þótti við sitt hœfi: er can be a dative gap, 'to whom he seemed'",
  },
  {
    sentence: "VS_34_010",
    token: "mér",
    reason: "excluded_sentence",
    detail: "the nominative theme á 'river' can be read as the preposition",
  },
  {
    sentence: "VS_06_014",
    token: "manni",
    reason: "dative_of_comparison",
    detail: "dative of measure: ekki manni at nær 'not a man the nearer'",
  },
];
