import { type MiddleVerb, middleVerb, type VerbRow } from "./verb.ts";

const predicate = { frame: { kind: "nominative_predicate" } } as const;
const always = { frame: { kind: "always" } } as const;
const seems = { frame: { kind: "seems" }, takesClause: true } as const;

const ACC = "accusative_object";
const DAT = "dative_object";

const RECIPROCAL: readonly VerbRow[] = [
  ["BERJASK", "berja berr barði bǫrðu barit", "fight", "beat", "reciprocal", ACC],
  ["FINNASK", "finna finnr fann fundu fundit", "meet, be found", "find", "reciprocal", ACC, {
    takesClause: true,
  }],
  ["HITTASK", "hitta hittir hitti hittu hitt", "meet", "hit upon", "reciprocal", ACC],
  ["MOETASK", "mœta mœtir mœtti mœttu mœtt", "meet each other", "meet", "reciprocal", DAT, {
    tier: 2,
  }],
  ["ROEDASK", "rœða rœðir rœddi rœddu rœtt", "talk together", "discuss", "reciprocal", ACC, {
    frame: { kind: "followed_by", words: ["við"] },
    tier: 2,
  }],
  ["TALASK", "tala talar talaði tǫluðu talat", "talk together", "speak", "reciprocal", ACC, {
    frame: { kind: "followed_by", words: ["við"] },
    tier: 2,
  }],
  ["SAETTASK", "sætta sættir sætti sættu sætt", "be reconciled", "reconcile", "reciprocal", ACC],
  ["JAFNASK", "jafna jafnar jafnaði jǫfnuðu jafnat", "vie", "make even", "reciprocal", ACC],
  ["SAKASK", "saka sakar sakaði sǫkuðu sakat", "quarrel", "accuse, harm", "reciprocal", ACC, {
    tier: 2,
  }],
  ["SVERJASK", "sverja sverr sór sóru svarit", "swear to each other", "swear", "reciprocal", ACC, {
    frame: { kind: "followed_by", words: ["brœðralag"] },
    tier: 3,
  }],
  ["YFASK", "ýfa ýfir ýfði ýfðu ýft", "bristle at each other", "ruffle", "reciprocal", ACC, {
    tier: 2,
  }],
];

const REFLEXIVE: readonly VerbRow[] = [
  ["VERJASK", "verja verr varði vǫrðu varit", "defend oneself", "defend", "reflexive", ACC],
  ["SETJASK", "setja setr setti settu sett", "sit down", "set", "reflexive", ACC],
  ["LEGGJASK", "leggja leggr lagði lǫgðu lagit", "lie down", "lay", "reflexive", ACC, {
    frame: { kind: "followed_by", words: ["rekkju"], licensed: ["á", "út"] },
  }],
  ["LEYNASK", "leyna leynir leyndi leyndu leynt", "hide oneself", "hide", "reflexive", DAT],
  ["FLYTJASK", "flytja flytr flutti fluttu flutt", "be carried along", "carry", "reflexive", ACC],
  [
    "FORDASK",
    "forða forðar forðaði forðuðu forðat",
    "escape",
    "save",
    "reflexive",
    "dative_instead_of_accusative",
    always,
  ],
  [
    "FREMJASK",
    "fremja fremr framði frǫmðu framit",
    "advance oneself",
    "further",
    "reflexive",
    ACC,
    {
      tier: 2,
    },
  ],
  ["GIFTASK", "gifta giftir gifti giftu gift", "get married", "give in marriage", "reflexive", ACC],
  [
    "KVANGASK",
    "kvánga kvángar kvángaði kvánguðu kvángat",
    "take a wife",
    "give a wife to",
    "reflexive",
    ACC,
  ],
  [
    "STADFESTASK",
    "staðfesta staðfestir staðfesti staðfestu staðfest",
    "settle down",
    "make firm",
    "reflexive",
    ACC,
    {
      // Written like the present; the saga has the preterite subjunctive.
      extra: [{ middle: "staðfestisk", active: "staðfesti", cell: "pret.3sg" }],
    },
  ],
  ["STELASK", "stela stelr stal stálu stolit", "steal up on", "steal", "reflexive", DAT],
  ["STEYPASK", "steypa steypir steypti steyptu steypt", "tumble", "throw down", "reflexive", DAT],
  ["STYDJASK", "styðja styðr studdi studdu stutt", "lean on", "support", "reflexive", ACC, {
    // What is leaned on, or the hand that leans, can nearly be the object.
    tier: 3,
    extra: [{ middle: "styddumsk", active: "stydda", cell: "pret.subj.1sg" }],
  }],
  [
    "STYRKJASK",
    "styrkja styrkir styrkti styrktu styrkt",
    "grow strong",
    "strengthen",
    "reflexive",
    ACC,
  ],
  ["HOELASK", "hœla hœlir hœldi hœldu hœlt", "boast", "praise", "reflexive", DAT, { tier: 2 }],
  ["REIDASK", "reiða reiðir reiddi reiddu reitt", "grow angry", "anger", "reflexive", ACC],
  ["DYLJASK", "dylja dylr dulði dulðu dulit", "deceive oneself", "hide", "reflexive", ACC, {
    takesClause: true,
    tier: 2,
  }],
  [
    "EIGNASK",
    "eigna eignar eignaði eignuðu eignat",
    "take possession of",
    "attribute",
    "reflexive",
    "object_and_recipient",
    { ...always, tier: 2 },
  ],
  ["HRAEDASK", "hræða hræðir hræddi hræddu hrætt", "be afraid", "frighten", "reflexive", ACC, {
    tier: 2,
  }],
  [
    "NEFNASK",
    "nefna nefnir nefndi nefndu nefnt",
    "call oneself",
    "name",
    "reflexive",
    "accusative_predicate",
  ],
  ["TREYSTASK", "treysta treystir treysti treystu treyst", "dare", "trust", "reflexive", DAT, {
    tier: 2,
    // Written like the present; the saga has the preterite.
    extra: [{ middle: "treystisk", active: "treysti", cell: "pret.3sg" }],
  }],
  ["MINNASK", "minna minnir minnti minntu minnt", "call to mind", "remind", "reflexive", ACC, {
    tier: 2,
    extra: [{ middle: "minnizk", active: "minnið", cell: "imp.2pl" }],
  }],
];

const ANTICAUSATIVE: readonly VerbRow[] = [
  [
    "GERASK",
    "gera gerir gerði gerðu gert",
    "become",
    "make",
    "anticausative",
    "accusative_predicate",
    predicate,
  ],
  ["TAKASK", "taka tekr tók tóku tekit", "begin, take place", "take", "anticausative", ACC],
  ["FAEDASK", "fœða fœðir fœddi fœddu fœtt", "be reared", "rear", "anticausative", ACC, {
    extra: [{ middle: "fœðzk", active: "fœtt", cell: "supine" }],
  }],
  ["FASK", "fá fær fekk fengu fengit", "be found", "get", "anticausative", ACC],
  [
    "FYRNASK",
    "fyrna fyrnir fyrndi fyrndu fyrnt",
    "be forgotten",
    "make old",
    "anticausative",
    ACC,
    {
      tier: 2,
    },
  ],
  ["GEFASK", "gefa gefr gaf gáfu gefit", "turn out", "give", "anticausative", ACC, { tier: 3 }],
  ["HROERASK", "hrœra hrœrir hrœrði hrœrðu hrœrt", "move", "stir", "anticausative", ACC, {
    tier: 2,
  }],
  ["LAEGJASK", "lægja lægir lægði lægðu lægt", "sink", "lower", "anticausative", ACC],
  ["OPNASK", "opna opnar opnaði opnuðu opnat", "open", "open (something)", "anticausative", ACC, {
    tier: 3,
  }],
  ["SEFASK", "sefa sefar sefaði sefuðu sefat", "be soothed", "soothe", "anticausative", ACC],
  [
    "STODVASK",
    "stǫðva stǫðvar stǫðvaði stǫðvuðu stǫðvat",
    "come to a stop",
    "stop",
    "anticausative",
    ACC,
  ],
  [
    "VILLASK",
    "villa villir villti villtu villt",
    "lose one's way",
    "lead astray",
    "anticausative",
    ACC,
  ],
  ["AESASK", "æsa æsir æsti æstu æst", "become violent", "stir up", "anticausative", ACC],
];

const REPORTED_OR_SEEMING: readonly VerbRow[] = [
  [
    "KVEDASK",
    "kveða kveðr kvað kváðu kveðit",
    "say that one …",
    "say",
    "reported",
    "accusative_subject_of_infinitive",
    { frame: { kind: "bare_complement" } },
  ],
  [
    "LATASK",
    "láta lætr lét létu látit",
    "claim to",
    "let, behave",
    "reported",
    "accusative_subject_of_infinitive",
    { frame: { kind: "bare_complement" }, tier: 2 },
  ],
  ["LITASK", "líta lítr leit litu litit", "seem", "look at", "seeming", ACC, always],
  ["SYNASK", "sýna sýnir sýndi sýndu sýnt", "seem", "show", "seeming", ACC, {
    ...seems,
    tier: 2,
  }],
  ["VIRDASK", "virða virðir virði virðu virt", "seem", "value", "seeming", ACC, {
    ...seems,
    tier: 2,
  }],
  [
    "IDRASK",
    "iðra iðrar iðraði iðruðu iðrat",
    "repent",
    "cause to repent",
    "reflexive",
    "accusative_experiencer",
    {
      ...always,
      tier: 2,
      extra: [{ middle: "iðrisk", active: "iðrir", cell: "pres.subj.2sg" }],
    },
  ],
  [
    "GIRNASK",
    "girna girnir girndi girndu girnt",
    "desire",
    "cause to desire",
    "reflexive",
    "accusative_experiencer",
    {
      frame: { kind: "followed_by", words: ["vér"] },
      tier: 2,
      extra: [{ middle: "girnumsk", active: "girnum", cell: "pres.1pl" }],
    },
  ],
];

/**
 * Middle verbs of the saga whose active counterpart exists and needs something the middle does not.
 * Meanings and cases: Zoëga, A Concise Dictionary of Old Icelandic; Cleasby–Vigfusson.
 */
export const MIDDLE_VERBS: readonly MiddleVerb[] = [
  ...RECIPROCAL,
  ...REFLEXIVE,
  ...ANTICAUSATIVE,
  ...REPORTED_OR_SEEMING,
].map(middleVerb);
