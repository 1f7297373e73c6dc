import { matchCapital } from "./tokens.ts";

/**
 * From the edition's spelling to classical normalisation, as a table of rules with their exceptions.
 *
 * The edition writes ö for both ǫ and ø, æ for both æ and œ, and -st/-zt for the middle voice.
 * What the table does not name stays as it is printed; œ is restored only where the root vowel ó
 * makes it sure. Source for the spellings: Noreen, Altisländische Grammatik, §§ 77–82 (umlauts), 544 (middle).
 */
export interface OrthographyRule {
  readonly id: string;
  /** What the rule does, for the table in the notebook. */
  readonly description: string;
  /** One word of the saga before and after. */
  readonly example: readonly [source: string, normalised: string];
  /** Rewrites one word, or returns it as it was. */
  readonly apply: (word: string) => string;
}

function replaceVowel(word: string, pattern: RegExp, from: string, to: string): string {
  return word.replace(
    pattern,
    (match) => match.replace(new RegExp(from, "iu"), (vowel) => matchCapital(vowel, to)),
  );
}

/** One form each for þ, ð, æ, whatever the keyboard that typed them. */
const LETTER_FORMS: ReadonlyMap<string, string> = new Map([
  ["đ", "ð"],
  ["Đ", "Ð"],
  ["ɖ", "ð"],
  ["Ɖ", "Ð"],
  ["ä", "æ"],
  ["Ä", "Æ"],
  ["ǽ", "æ"],
  ["Ǽ", "Æ"],
  ["ӕ", "æ"],
  ["Ӕ", "Æ"],
]);

/** A spelling restored where a word begins or contains what the pattern says. */
export interface RestoredSpelling {
  readonly pattern: RegExp;
  /** The word, as dictionaries head it, with what it means. */
  readonly lemma: string;
  readonly example: readonly [source: string, normalised: string];
}

const row = (
  pattern: RegExp,
  lemma: string,
  source: string,
  normalised: string,
): RestoredSpelling => ({ pattern, lemma, example: [source, normalised] });

/** ö for ø: front-rounded by i-umlaut or palatal r, not by u. Every other ö is ǫ. */
export const SLASHED_O: readonly RestoredSpelling[] = [
  row(
    /^(?:s|hr|st)ökkr$/iu,
    "støkkva 'leap', 3rd sg. present; preterite stǫkk",
    "stökkr",
    "støkkr",
  ),
  row(/^dökk/iu, "døkkr 'dark'", "dökkbrúnaðr", "døkkbrúnaðr"),
  row(/glögg/iu, "gløggr 'clear-sighted'", "óglöggt", "ógløggt"),
  row(/^öx/iu, "øx 'axe'", "öxi", "øxi"),
  row(
    /^ör(?=vita|lög|lag|þrif)/iu,
    "prefix ør- 'out of, without'; not ǫrvar, ǫrn",
    "örvita",
    "ørvita",
  ),
  row(/^kör(?:a|inn|it)?$/iu, "kør 'choice'", "kör", "kør"),
  row(/^höggr$/iu, "hǫggva 'strike', 3rd sg. present", "höggr", "høggr"),
];

/** æ for œ: roots in ó with i-umlaut. Where a form could belong to a root in á, it is left alone. */
export const OE_LIGATURE: readonly RestoredSpelling[] = [
  row(/bræð(?=r|ur)/iu, "bróðir 'brother', plural", "bræðr", "brœðr"),
  row(/^dæt(?=r)/iu, "dóttir 'daughter', plural", "dætr", "dœtr"),
  row(/^mæð(?=r)/iu, "móðir 'mother', plural", "mæðrum", "mœðrum"),
  row(/^mæð(?=a$|iliga)/iu, "mœða 'to weary'", "mæða", "mœða"),
  row(/^(?:ber)?fæt(?=r|i$|t)/iu, "fótr 'foot'", "fætr", "fœtr"),
  row(/^bæt/iu, "bœta 'make amends'", "bæta", "bœta"),
  row(
    /(?:^|konungs)bæ(?=$|inn|jar|num$|n$|nar$|ja)/iu,
    "bœr 'farm', bœn 'prayer'",
    "bæinn",
    "bœinn",
  ),
  row(/^dæm/iu, "dœmi 'example'", "dæmi", "dœmi"),
  row(/^sæm/iu, "sóma 'befit', sœmd 'honour'", "sæmd", "sœmd"),
  row(/fæ(?=ða|ðir|ðs|ðz|dd)/iu, "fœða 'feed, bear'; not fæð 'coldness'", "fæða", "fœða"),
  row(
    /(?:^|ó|van|þung)fær(?=a$|ði$|ðr$|ir$|ik$|an$|u$)/iu,
    "fœra 'bring', fœrr 'able'",
    "færa",
    "fœra",
  ),
  row(/^(?:van|þung)fær/iu, "vanfœrr 'feeble'", "þungfærr", "þungfœrr"),
  row(/^sæk/iu, "sœkja 'seek'", "sækja", "sœkja"),
  row(/^ó?hæg/iu, "hœgr 'easy'", "óhæg", "óhœg"),
  row(/^hlæg/iu, "hlœgja 'make laugh'; hlæja 'laugh' has æ", "hlægir", "hlœgir"),
  row(/^hæ(?=ld)/iu, "hœla 'boast'; hæla may also be 'heels'", "hældist", "hœldisk"),
  row(/^hæ(?=fi)/iu, "hœfi 'fitness'", "hæfi", "hœfi"),
  row(/^hæ(?=vers)/iu, "hœverska 'courtesy'", "hæversku", "hœversku"),
  row(/^mæt(?=ir$|tust$)/iu, "mœta 'meet'; not mæti from meta", "mætir", "mœtir"),
  row(/^(?:við)?ræ(?=ða$|ðu$|ðum$|ður$|dda$|ðast$)/iu, "rœða 'talk'", "viðræða", "viðrœða"),
  row(/^græ(?=ð|dd)/iu, "grœða 'heal'; not grætr from gráta", "græddr", "grœddr"),
  row(/dægr/iu, "dœgr 'half a day'", "dægr", "dœgr"),
  row(/^tæk/iu, "taka 'take', preterite subjunctive", "tæki", "tœki"),
  row(/^dæi/iu, "deyja 'die', preterite subjunctive", "dæi", "dœi"),
  row(/^æp/iu, "œpa 'shout'", "æpir", "œpir"),
  row(/^æsk/iu, "œska 'youth'", "æsku", "œsku"),
  row(/^ær$/iu, "œrr 'mad'", "ær", "œr"),
  row(/^æð(?=i$|ri|st)/iu, "œði 'nature', œðri 'higher'", "æðri", "œðri"),
  row(/^flæj/iu, "flœja 'flee'", "flæja", "flœja"),
  row(/^þætt(?=i|u)/iu, "þykkja 'seem', preterite subjunctive", "þætti", "þœtti"),
  row(/frækn/iu, "frœkn 'brave'", "frækna", "frœkna"),
  row(/ræk(?=t$|inn|ilig)/iu, "rœkja 'care for'", "rækt", "rœkt"),
  row(/^særin$/iu, "sœri 'oaths'", "særin", "sœrin"),
  row(/^hrær/iu, "hrœra 'stir'", "hrærðar", "hrœrðar"),
  row(/^hæni/iu, "Hœnir, a god", "Hænir", "Hœnir"),
  row(/stær(?=st|ri)/iu, "stœrri 'greater'", "stærstu", "stœrstu"),
];

/** Words in -st/-zt that are not middle verbs; `lézt` and `helzt` can be both and stay as printed. */
const NOT_MIDDLE: ReadonlySet<string> = new Set(
  `ázt ást bezt brast brjóst fast fremst fríðust frægst fyrst föst grimmast grunlaust göfgast
   hagast harðast harðligast helzt hest hreystiligast hvassast hvasst hérvist kaust kost laust lengst
   list líkast lézt mest misst næst reist sízt skjótast sárast traust veizt verst vitrust vænst víst ágætast
   óvíst ýmist`.split(/\s+/),
);

/** The rules in the order of their application. */
export const ORTHOGRAPHY: readonly OrthographyRule[] = [
  {
    id: "LETTER_FORMS",
    description: "þ, ð and æ each in one form; letters composed (Unicode NFC)",
    example: ["gođin", "goðin"],
    apply: (word) =>
      [...word.normalize("NFC")].map((letter) => LETTER_FORMS.get(letter) ?? letter).join(""),
  },
  {
    id: "O_SLASH",
    description:
      "ö → ø in søkkr, hrøkkr, støkkr, døkk-, gløgg-, øx-, ør- (prefix), køra, kør, høggr",
    example: ["örlög", "ørlǫg"],
    apply: (word) =>
      SLASHED_O.reduce((form, { pattern }) => replaceVowel(form, pattern, "ö", "ø"), word),
  },
  {
    id: "O_HOOK",
    description: "every other ö → ǫ",
    example: ["höfðingi", "hǫfðingi"],
    apply: (word) => word.replaceAll("ö", "ǫ").replaceAll("Ö", "Ǫ"),
  },
  {
    id: "OE_LIGATURE",
    description: "æ → œ where the root has ó (brœðr, sœkja, bœta, …); unsure words keep æ",
    example: ["bræðr", "brœðr"],
    apply: (word) =>
      OE_LIGATURE.reduce((form, { pattern }) => replaceVowel(form, pattern, "æ", "œ"), word),
  },
  {
    id: "MIDDLE_SK",
    description: "-st, -zt of the middle voice → -sk, -zk; nouns, superlatives, 2nd sg. -st stay",
    example: ["gerðist", "gerðisk"],
    apply: (word) =>
      /\p{L}{2}[sz]t$/u.test(word) && !NOT_MIDDLE.has(word.replaceAll("ǫ", "ö").toLowerCase())
        ? word.slice(0, -1) + "k"
        : word,
  },
];

/** One word of the edition in classical normalisation. */
export function normaliseWord(word: string): string {
  return ORTHOGRAPHY.reduce((form, rule) => rule.apply(form), word);
}

/** A whole sentence; whatever is not a word (spaces, punctuation) stays where it stood. */
export function normaliseText(text: string): string {
  return text.normalize("NFC").replace(/[\p{L}\p{M}]+/gu, normaliseWord);
}
