import type { QuirkyFrame } from "./frame.ts";

const COPULA = ["er", "var", "sé", "væri", "mundi", "mun", "eru", "váru"];
const SEEM = ["þykkir", "þótti", "þœtti"];

interface Passive {
  readonly rule: string;
  readonly lemma: string;
  readonly gloss: string;
  readonly participle: readonly string[];
  readonly gap: number;
  readonly tier: 1 | 2 | 3;
  readonly thing?: boolean;
  readonly nominatives?: ReadonlyMap<string, string>;
}

/** Verbs that govern the dative, in the passive: the dative stays and the participle is neuter. */
const PASSIVES: readonly Passive[] = [
  { rule: "SEGJA", lemma: "segja", gloss: "tell", participle: ["sagt"], gap: 1, tier: 1 },
  { rule: "BJODA", lemma: "bjóða", gloss: "bid", participle: ["boðit"], gap: 1, tier: 1 },
  { rule: "AKA", lemma: "aka", gloss: "drive, convey", participle: ["ekit"], gap: 1, tier: 1 },
  { rule: "AETLA", lemma: "ætla", gloss: "intend for", participle: ["ætlat"], gap: 2, tier: 3 },
  { rule: "BANNA", lemma: "banna", gloss: "forbid", participle: ["bannat"], gap: 0, tier: 2 },
  { rule: "SKIPA", lemma: "skipa", gloss: "arrange for", participle: ["skipat"], gap: 2, tier: 2 },
  { rule: "SETJA", lemma: "setja", gloss: "set up for", participle: ["sett"], gap: 3, tier: 3 },
  { rule: "HEFNA", lemma: "hefna", gloss: "repay", participle: ["hefnt"], gap: 1, tier: 1 },
  { rule: "GEFA", lemma: "gefa", gloss: "give", participle: ["gefit"], gap: 3, tier: 2 },
  {
    rule: "VEITA",
    lemma: "veita",
    gloss: "grant",
    participle: ["veitt"],
    gap: 1,
    tier: 3,
    nominatives: new Map([["þeim", "sá"]]),
  },
  {
    rule: "BOETA",
    lemma: "bœta",
    gloss: "compensate for",
    participle: ["bœttr"],
    gap: 0,
    tier: 3,
  },
  {
    rule: "BREGDA",
    lemma: "bregða",
    gloss: "break",
    participle: ["brugðit"],
    gap: 1,
    tier: 2,
    thing: true,
  },
  {
    rule: "LUKA",
    lemma: "lúka",
    gloss: "end, close",
    participle: ["lokit"],
    gap: 2,
    tier: 1,
    thing: true,
  },
  {
    rule: "HLEYPA",
    lemma: "hleypa",
    gloss: "set galloping",
    participle: ["hleypt"],
    gap: 0,
    tier: 2,
    thing: true,
  },
];

export const QUIRKY_PASSIVES: readonly QuirkyFrame[] = [
  ...PASSIVES.map(({ rule, participle, ...passive }): QuirkyFrame => ({
    ...passive,
    rule: `QC_PASSIVE_${rule}`,
    construction: "passive",
    case: "dative",
    heads: participle,
    companions: [[...COPULA, "vera", "verit"]],
    ground: "the verb governs the dative and its participle agrees with no nominative put there",
    source:
      "Zoëga s.v. for the dative; in IcePaHC 1150–1350 the passive of segja keeps it 31 of 34 times",
  })),
];

type Predicate = readonly [
  rule: string,
  lemma: string,
  gloss: string,
  head: string,
  gap: number,
  tier: 1 | 2 | 3,
  ...more: string[],
];

/** Predicates that are nouns in the nominative. */
const NOUN_PREDICATES: ReadonlySet<string> = new Set(
  ["ván", "skǫmm", "fǫgnuðr", "traust", "harmr", "ofrharmr", "styrkr", "tímadagr"],
);

/** Where a dictionary has the predicate with a person in the dative. */
const IN_DICTIONARY: ReadonlyMap<string, string> = new Map([
  ["grunlaust", "Cleasby–Vigfusson s.v. grunlauss, with this passage"],
  ["líft", "Cleasby–Vigfusson s.v. líft: erat vinum líft"],
  ["leitt", "Cleasby–Vigfusson s.v. leiðr: mér er leitt at segja"],
  ["heimilt", "Cleasby–Vigfusson s.v. heimoll: ef honum var heimilt selt"],
  ["lítit", "as in Cleasby–Vigfusson s.v. þykkja: þér þykkir mikit fyrir"],
  ["títt", "Cleasby–Vigfusson s.v. barnakarl: sem þá var víkingum títt"],
  ["ván", "Cleasby–Vigfusson s.v. ljúga: þess er mér ván"],
  ["ávant", "Zoëga s.v.: einnar mér Freyju ávant þykkir"],
  ["vert", "Zoëga s.v. verðr: svá þótti honum mikils um vert"],
]);

/** Impersonal predicates: neuter adjective or noun with the person in the dative. */
const PREDICATES: readonly Predicate[] = [
  ["GRUNLAUST", "vera grunlaust", "be without suspicion", "grunlaust", 0, 1],
  ["LIFT", "vera líft", "be able to live", "líft", 4, 1],
  ["LEITT", "vera leitt", "be loath", "leitt", 0, 1],
  ["HEIMILT", "vera heimilt", "be free to have", "heimilt", 1, 1],
  ["GLATT", "vera glatt", "feel glad", "glatt", 1, 1],
  ["LITIT_FYRIR", "vera lítit fyrir", "find easy", "lítit", 1, 1, "fyrir"],
  ["SARAST", "vera sárast", "be most bitter for", "sárast", 1, 1],
  ["GRIMMAST", "vera grimmast", "be most cruel for", "grimmast", 0, 1],
  ["TITT", "vera títt", "be customary for", "títt", 1, 2],
  ["BETRA", "vera betra", "be better for", "betra", 1, 3],
  ["TORVELDRA", "vera torveldra", "be harder for", "torveldra", 1, 2],
  ["VAN", "vera ván", "have an expectation of", "ván", 2, 2],
  ["AVANT", "vera ávant", "be lacking to", "ávant", 0, 1],
  ["UM_VERT", "þykkja um vert", "find remarkable", "vert", 2, 1, "um"],
  ["SKOMM", "vera skǫmm", "be a disgrace for", "skǫmm", 1, 3],
  ["FOGNUDR", "vera fǫgnuðr", "have joy of", "fǫgnuðr", 1, 3],
  ["TRAUST", "vera traust", "have support in", "traust", 2, 3],
  ["HARMR", "vera harmr", "be a grief to", "harmr", 3, 3, "þat"],
  ["OFRHARMR", "vera harmr", "be a grief to", "ofrharmr", 1, 3, "þat"],
  ["STYRKR", "vera styrkr", "be a support to", "styrkr", 2, 3, "þat"],
  ["TIMADAGR", "vera tímadagr", "be a lucky day for", "tímadagr", 2, 3, "þetta"],
];

export const QUIRKY_PREDICATES: readonly QuirkyFrame[] = [
  ...PREDICATES.map(([rule, lemma, gloss, head, gap, tier, ...more]): QuirkyFrame => ({
    rule: `QC_PHRASE_${rule}`,
    lemma,
    gloss,
    construction: "copular_phrase",
    case: "dative",
    heads: [head],
    companions: [[...COPULA, ...SEEM], ...more.map((word) => [word])],
    gap,
    nounPredicate: NOUN_PREDICATES.has(head),
    ground: "the predicate agrees with no nominative put there, or has its nominative already",
    tier,
    source: IN_DICTIONARY.get(head) ?? "the saga; no dictionary example with a person found",
  })),
  {
    rule: "QC_PHRASE_SKYLT",
    lemma: "vera skylt",
    gloss: "be bound to",
    construction: "copular_phrase",
    case: "dative",
    heads: ["skylt"],
    companions: [["kvað", ...COPULA]],
    gap: 1,
    ground: "the predicate stays neuter, and after kveða no nominative is possible",
    tier: 3,
    source: "Cleasby–Vigfusson s.v. -a: erat manni skylt at taka búfé",
  },
];
