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

/** Keeps an initial capital when a spelling is replaced. */
function withCase(original: string, replacement: string): string {
  const first = original.charAt(0);
  return first !== first.toLowerCase()
    ? replacement.charAt(0).toUpperCase() + replacement.slice(1)
    : replacement;
}

function replaceVowel(word: string, pattern: RegExp, from: string, to: string): string {
  return word.replace(
    pattern,
    (match) => match.replace(new RegExp(from, "iu"), (vowel) => withCase(vowel, to)),
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

/** ö for ø: front-rounded by i-umlaut or palatal r, not by u. */
const SLASHED_O: readonly RegExp[] = [
  /^(?:s|hr|st)ökkr$/iu, // 3rd sg. present; the preterite stökk is stǫkk
  /^dökk/iu,
  /glögg/iu,
  /^öx/iu,
  /^ör(?=vita|lög|lag|þrif)/iu, // prefix ør-; not ǫrvar 'arrows', ǫrliga, ǫrn
  /^kör(?:a|inn|it)?$/iu, // 'choose', 'choice'
  /^höggr$/iu, // 3rd sg. present; not hǫggva, hǫggum
];

/** æ for œ: roots in ó with i-umlaut. Where a form could belong to a root in á, it is left alone. */
const OE_LIGATURE: readonly RegExp[] = [
  /bræð(?=r|ur)/iu,
  /^dæt(?=r)/iu,
  /^mæð(?=r|a$|iliga)/iu,
  /^(?:ber)?fæt(?=r|i$|t)/iu,
  /^bæt/iu,
  /(?:^|konungs)bæ(?=$|inn|jar|num$|n$|nar$|ja)/iu,
  /^dæm/iu,
  /^sæm/iu,
  /fæ(?=ða|ðir|ðs|ðz|dd)/iu,
  /(?:^|ó|van|þung)fær(?=a$|ði$|ðr$|ir$|ik$|an$|u$)/iu,
  /^(?:van|þung)fær/iu,
  /^sæk/iu,
  /^ó?hæg/iu,
  /^hlæg/iu, // hlœgja "make laugh"; hlæja "laugh" has æ
  /^hæ(?=ld|fi|vers)/iu, // hæla may be hœla "boast" or the heels, hæla
  /^mæt(?=ir$|tust|tusk)/iu,
  /^(?:við)?ræ(?=ða$|ðu$|ðum$|ður$|dda$|ðast$)/iu,
  /^græ(?=ð|dd)/iu,
  /dægr/iu,
  /^tæk/iu,
  /^dæi/iu,
  /^æp/iu,
  /^æsk/iu,
  /^ær$/iu,
  /^æð(?=i$|ri|st)/iu,
  /^flæj/iu,
  /^þætti/iu,
  /^þættu/iu,
  /frækn/iu,
  /ræk(?=t$|inn|ilig)/iu,
  /^særin$/iu,
  /^hrær/iu,
  /^hæni/iu,
  /stær(?=st|ri)/iu,
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
      SLASHED_O.reduce((form, pattern) => replaceVowel(form, pattern, "ö", "ø"), word),
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
      OE_LIGATURE.reduce((form, pattern) => replaceVowel(form, pattern, "æ", "œ"), word),
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
