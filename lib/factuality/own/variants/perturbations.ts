/** Perturbation rules, one per kind: changes that make a true text false. */
import { choose, type RandomSource } from "../../../stats/random.ts";
import { type EnglishToken, readEnglish } from "../../claims/english.ts";
import { type CalendarDate, readDates } from "../../features/quantities.ts";
import { readQuantities } from "../../features/quantities.ts";
import { NAME_ROWS } from "./tables.ts";
import {
  afterChange,
  capitalised,
  changeBetween,
  MONTHS,
  numbersIn,
  replacementAt,
  replacements,
  type TextChange,
  UNITS,
  type VariantRule,
  type VariantTools,
  type WrittenNumber,
} from "./variant.ts";

/**
 * Contexts in which another year may stay true ("before 1990", "about 1250") or dates the text
 * itself ("(2025)").
 */
const OPEN_ENDED =
  /(?:\b(?:by|before|after|until|till|between|following|prior to|to|and|or|about|around|circa|roughly|A\.D\.)\s|[-–(])$/iu;
/** Last year that the collection describes. */
const LAST_YEAR = 2025;
const DAYS = 28;

/** Shifts a year by one to five, or changes the month or day. */
export const shiftDate: VariantRule = (text, _tools, random) =>
  readDates(text).filter(({ start }) => !OPEN_ENDED.test(text.slice(0, start))).flatMap((date) =>
    [yearOf(date, random), monthOf(date, random), dayOf(date, random)].filter((change) =>
      change !== undefined && !text.includes(change.to) &&
      afterChange(text, change, date) === "different"
    ) as TextChange[]
  );

function yearOf({ years, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)[12]\d{3}(?![\ds])/u.exec(text);
  if (years === undefined || years[0] !== years[1] || written === null) return undefined;
  const by = choose(random, [-1, 1]) * (1 + random.integer(5));
  const year = years[0] + by > LAST_YEAR ? years[0] - Math.abs(by) : years[0] + by;
  return replacementAt(start + written.index, written[0], String(year));
}

function monthOf({ month, text, start }: CalendarDate, random: RandomSource) {
  const name = MONTHS[(month ?? 0) - 1];
  if (name === undefined || !text.includes(name)) return undefined;
  const other = choose(random, MONTHS.filter((one) => one !== name));
  return replacementAt(start + text.indexOf(name), name, other);
}

function dayOf({ day, month, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)\d{1,2}(?!\d|st|nd|rd|th)/u.exec(text);
  if (day === undefined || month === undefined || written === null) return undefined;
  const other = (day + random.integer(DAYS - 1)) % DAYS + 1;
  return replacementAt(start + written.index, written[0], String(other));
}

/** Minimum and maximum relative shift of a number, and the tolerance for rounding. */
const [LEAST, MOST, ROUNDING] = [0.05, 0.2, 0.005];

/** Shifts a number by 5–20 % at its precision. */
export const shiftNumber: VariantRule = (text, _tools, random) => {
  const drawn = () => LEAST + (MOST - LEAST) * random.next();
  const shares = [drawn(), MOST, -drawn(), -MOST];
  return eachNumber(
    text,
    (number) => random.shuffle(shares).map((share) => shiftedValue(number, share)),
  );
};

/** Exchanges two neighbouring digits of a number. */
export const exchangeDigits: VariantRule = (text, _tools, random) =>
  eachNumber(text, ({ digits }) => {
    return random.shuffle(
      [...digits].flatMap((_, place) => withDigitsExchanged(digits, place) ?? []),
    );
  });

/** Replaces each number by its first proposal that reads differently. */
const eachNumber = (
  text: string,
  propose: (number: WrittenNumber) => readonly (string | undefined)[],
): readonly TextChange[] =>
  numbersIn(text).flatMap((number) =>
    propose(number).filter((to) => to !== undefined && fits(number, to))
      .map((to) => replacementAt(number.start, number.digits, to!))
      .find((change) => afterChange(text, change, number.amount) === "different") ?? []
  );

/** Shifts a value and rounds it to its written digits, or to one more. */
function shiftedValue({ digits, value }: WrittenNumber, share: number): string | undefined {
  const decimals = digits.split(".")[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : /0*$/u.exec(String(value))![0].length;
  const other = [10 ** (zeros - decimals), 10 ** (Math.max(zeros - 1, 0) - decimals)]
    .map((step) => Math.round(value * (1 + share) / step) * step)
    .find((other) => {
      const by = Math.abs(other - value) / value;
      return by >= LEAST - ROUNDING && by <= MOST + ROUNDING;
    });
  return other?.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: digits.includes(",") || !/\d{4}/u.test(digits),
  });
}

function withDigitsExchanged(digits: string, place: number): string | undefined {
  const next = /^[.,]?\d/u.exec(digits.slice(place + 1))?.[0];
  const first = digits[place]!;
  if (next === undefined || !/\d/u.test(first) || next.endsWith(first)) return undefined;
  const result = digits.slice(0, place) + next.at(-1) + next.slice(0, -1) + first +
    digits.slice(place + 1 + next.length);
  return /^0[\d,]/u.test(result) ? undefined : result;
}

/**
 * Tests that the new number contradicts the old: above it after "more than", below it after "less
 * than". A percentage stays at most 100.
 */
function fits({ amount, value }: WrittenNumber, to: string): boolean {
  const other = Number(to.replaceAll(",", ""));
  if (amount.dimension === "percent" && other > 100) return false;
  return amount.bound === "over" ? other > value : amount.bound !== "under" || other < value;
}

/** Negations: what does not hold of one name does not hold of most others either. */
const NEGATIONS = /\b(?:not|never|no|nor|neither|without|except|reject(?:ed|s)?|outside)\b/u;
const COMPASS = "north northeast east southeast south southwest west northwest".split(" ");
const OPPOSITE = new Map(COMPASS.flatMap((word, i) => {
  const other = COMPASS[(i + COMPASS.length / 2) % COMPASS.length]!;
  return [[word, other], [`${word}ern`, `${other}ern`]] as const;
}));

/** Replaces a country by one of its region, a place by one of its kind, or north by south. */
export const swapPlace: VariantRule = (
  text,
  { gazetteer, states, towns = [], about, source },
  random,
) => {
  if (NEGATIONS.test(text)) return undefined;
  const swapped = (start: number, name: string, kin: readonly string[]) => {
    const fitting = kin.filter((other) => !source.includes(other) && !text.includes(other));
    if (fitting.length === 0 || isPartOfName(text, start, start + name.length)) return [];
    return [replacementAt(start, name, choose(random, fitting))];
  };
  const countries = gazetteer.find(text).flatMap(({ start, end, entry: { name } }) =>
    text.slice(start, end) !== name || name === about
      ? []
      : swapped(start, name, replacementPlaces(name, states))
  );
  const others = PLACES.flatMap((row) =>
    row.flatMap((name) =>
      nameIndices(text, name, "(?<![\\p{L}])", "(?![\\p{L}])")
        .flatMap((start) => swapped(start, name, row.filter((other) => other !== name)))
    )
  );
  const named = towns.flatMap((name) =>
    nameIndices(text, name, "(?<![\\p{L}])", "(?![\\p{L}])")
      .flatMap((start) => swapped(start, name, TOWNS))
  );
  // Not where the opposite occurs too: "in the north and south".
  const directions = replacements(text, /(?<![\p{L}-])\p{Ll}+(?![\p{L}-])/gu, (_, word) => {
    const to = OPPOSITE.get(word);
    return to === undefined || text.includes(to.replace(/ern$/u, "")) ? undefined : to;
  });
  return [...countries, ...others, ...named, ...directions];
};

/** Names with "the". */
const WITH_ARTICLE = /^(?:United |Philippines|Netherlands|Maldives|Central African|Dominican Rep)/u;

function replacementPlaces(name: string, states: VariantTools["states"]): readonly string[] {
  const region = states.find((state) => state.name === name)?.region;
  return states.filter((other) =>
    other.region === region && other.name !== name && /^(?!The )[\p{L} '-]+$/u.test(other.name) &&
    WITH_ARTICLE.test(other.name) === WITH_ARTICLE.test(name)
  ).map((other) => other.name);
}

/** Detects a country within another name: "South China Sea", "Bank of England". */
function isPartOfName(text: string, start: number, end: number): boolean {
  const before = text.slice(0, start);
  return /\p{Lu}[\p{L}.]* (?:of |and )?$/u.test(before) &&
      !/^(?:In|From|Of|To|With|By|The|At|For|On|Of|And|When|While|After|Since|Like) $/u
        .test(before) ||
    /^[ -]\p{Lu}|^-/u.test(text.slice(end)) || /[-/]$/u.test(before);
}

/** Indices of a name between its allowed contexts. */
function nameIndices(
  text: string,
  name: string,
  before: string,
  behind: string,
): readonly number[] {
  if (!text.includes(name)) return [];
  const matches = text.matchAll(new RegExp(`${before}${RegExp.escape(name)}${behind}`, "gu"));
  return [...matches].map(({ index }) => index);
}

/** Names of a kind in rows. Names of one row replace each other. */
const nameRows = (kind: "place" | "organisation" | "town"): readonly (readonly string[])[] => [
  ...Map.groupBy(NAMES.filter((one) => one.kind === kind), ({ row }) => row).values()
    .map((row) => row.map(({ name }) => name)),
];
const NAMES = NAME_ROWS.read();
const [PLACES, ORGANISATIONS] = [nameRows("place"), nameRows("organisation")];
const TOWNS = nameRows("town").flat();

const TITLE = "(?:President|King|Queen|Prime Minister|General|Emperor|Sultan|Sheikh|Marshal|" +
  "Captain|Chancellor|Prince|explorer|navigator|leader|dictator|strongman)";
const WORD = "\\p{Lu}\\p{Ll}[\\p{L}’-]*";
const NAME = `${WORD}(?: (?:de |al-|bin |van )?${WORD}){1,2}`;
const TITLED = new RegExp(`(?<=\\b${TITLE} )${NAME}(?![\\p{L}])`, "gu");

/** Words tagged as names that are offices or truncated names. */
const NO_PERSON =
  /\b(?:Police|Border|National|General|Directorate|Army|Staff|Department|Sir)\b|\b(?:Ii|Iii|Iv|Vi|De|Al)$/u;

/** People named with title, given name and family name, in order, each once. */
export function peopleIn(text: string): readonly string[] {
  const names = [...text.matchAll(TITLED)].map(([name]) => name.replace(/['’]s$/u, ""));
  return [...new Set(names)].filter((name) => !NO_PERSON.test(name));
}

/** Words that occur in no person's name: of places, firms, months and the like. */
const NO_NAME =
  /\b(?:The|In|On|At|Street|Road|Avenue|Square|River|Lake|Mount|University|College|School|Council|Board|Bank|Company|Club|City|County|North|South|East|West|New|Republic|Kingdom|States|Union|Party|Ltd|Inc|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/u;

const BEHIND_PLACE = new RegExp(
  `(?<=\\b(?:in|near|from|to|at|through) )${WORD}(?: ${WORD})?(?![\\p{L}])`,
  "gu",
);

/**
 * People and towns of a text: two or three capitalised words, and names after "in", "near" and the
 * like.
 */
export function namesOfText(text: string): Readonly<Record<"people" | "towns", readonly string[]>> {
  const towns = new Set([...text.matchAll(BEHIND_PLACE)].map(([name]) => name));
  const names = [...text.matchAll(new RegExp(`(?<![\\p{L}’'-])${NAME}(?![\\p{L}])`, "gu"))]
    .map(([name]) => name);
  const people = new Set(names.filter((name) => !NO_NAME.test(name) && !NO_PERSON.test(name)));
  return {
    people: [...people.difference(towns)],
    towns: [...towns].filter((name) => !NO_NAME.test(name)),
  };
}

/**
 * Replaces a person by a person. Organisations are replaced by ones that the source does not name.
 */
export const swapName: VariantRule = (text, { people, source, about }, random) => {
  if (NEGATIONS.test(text)) return undefined;
  return [people, ...ORGANISATIONS].flatMap((row) => {
    // A title may precede a person's name; "Security UN Council" and "EU-led" are other names.
    const before = `(?<![\\p{L}\\d(-]${row === people ? "" : "|\\p{Lu}\\p{L}* |\\b[Aa]n? "})`;
    return row.filter((name) => name !== about).flatMap((name) => {
      const [start] = nameIndices(text, name, before, "(?![\\p{L}\\d)-]|[ ]\\p{Lu})");
      if (start === undefined) return [];
      const words = name.split(" ");
      const others = row.filter((other) =>
        !source.includes(other) && !other.split(" ").some((word) => words.includes(word))
      );
      return others.length === 0 ? [] : [replacementAt(start, name, choose(random, others))];
    });
  });
};

const DENIED = /(?<=\b(?:is|are|was|were|has|have|had|will|can|could|would|must|does|did) )not /u;

/** Conjunctions that change the scope of a negation. */
const OUTSIDE_REACH =
  /\b(?:not|never|no|nor|neither|without|only|all|every|each|both|some|few|many|most|any|unless|hardly|if|whether)\b/iu;
const AUXILIARY = /^(?:is|are|was|were|has|have|had|will|can|could|would|must|should|does|did)$/u;

/**
 * Past tenses that are never participles, unlike "known" and "led" in "the area known as Bengal".
 */
const PAST =
  /^(?:began|took|rose|fell|grew|became|gave|went|came|saw|chose|drove|broke|withdrew|overthrew|won)$/u;

/** Removes "not", or inserts it at the first verb of the main clause. */
export const flipNegation: VariantRule = (text) => {
  const not = DENIED.exec(text) ?? /\bnever /u.exec(text);
  if (not !== null) {
    return /^(?:not|never) (?:only|yet|necessarily|just|until)/u.test(text.slice(not.index))
      ? undefined
      : replacementAt(not.index, not[0], "");
  }
  const cannot = /\bcannot\b/u.exec(text);
  if (cannot !== null) return replacementAt(cannot.index, "cannot", "can");
  if (OUTSIDE_REACH.test(text)) return undefined;
  const { tokens } = readEnglish(text);
  const place = firstVerb(tokens);
  return place === undefined ? undefined : denied(tokens, place);
};

const CLAUSE =
  /^(?:which|who|that|when|while|although|though|as|because|since|after|before|to|[:;“"])$/u;

/** Index of the first finite verb after a subject that contains no clause. */
function firstVerb(tokens: readonly EnglishToken[]): number | undefined {
  const place = tokens.findIndex(({ normal, partOfSpeech }, i) =>
    i > 0 && tokens[i - 1]!.text !== "-" &&
    (AUXILIARY.test(normal) || partOfSpeech === "VERB" && !normal.endsWith("ing"))
  );
  const before = tokens.slice(0, place);
  const hasSubject = before.some(({ partOfSpeech }) => /NOUN|PROPN|PRON/u.test(partOfSpeech));
  const inClause = before.some(({ normal }) => CLAUSE.test(normal));
  return place > 0 && hasSubject && !inClause ? place : undefined;
}

function denied(tokens: readonly EnglishToken[], place: number): TextChange | undefined {
  const [verb, next] = [tokens[place]!, tokens[place + 1]];
  if (next === undefined || next.partOfSpeech === "PUNCT") return undefined;
  const { start, text, normal, lemma } = verb;
  const to = (words: string) => replacementAt(start, text, words);
  const helper = { has: "does", have: "do", had: "did" }[normal];
  if (helper !== undefined && !isParticiple(tokens, place + 1)) return to(`${helper} not have`);
  if (AUXILIARY.test(normal)) return to(normal === "can" ? "cannot" : `${text} not`);
  if (lemma === normal) return undefined;
  if (/s$/u.test(normal)) return to(`does not ${lemma}`);
  const isPast = PAST.test(normal) ||
    /ed$/u.test(normal) && !/^(?:by|in|on|at|to|from|as|with|of)$/u.test(next.normal);
  return isPast ? to(`did not ${lemma}`) : undefined;
}

function isParticiple(tokens: readonly EnglishToken[], first: number): boolean {
  const next = tokens.slice(first).find(({ partOfSpeech }) => partOfSpeech !== "ADV");
  return next !== undefined &&
    (next.normal === "been" ||
      /(?:AUX|VERB)/u.test(next.partOfSpeech) && !/ing$/u.test(next.normal));
}

/** Pattern of counted things: plurals, and phrases after "of" or "the". */
const COUNTED = "(?= of |(?! (?:two|three|four|five|six|seven|eight|nine|ten)\\b) \\p{Ll}{3,}s\\b)";
/** Pattern of counted things except durations. */
const THINGS = `${COUNTED}(?! (?:days|weeks|months|years|decades|centuries)\\b)`;

/** Quantifiers with replacements that claim more, or the contrary. */
const QUANTIFIERS = [
  [`(?:[Aa]lmost|[Nn]early|[Vv]irtually) all${COUNTED}`, "few"],
  [`(?<!\\b(?:[Aa]lmost|[Nn]early|[Vv]irtually|at|in|after|above|for) )[Aa]ll${COUNTED}`, "few"],
  ["(?<!\\b(?:[Aa]lmost|[Nn]early|[Vv]irtually) )[Aa]ll the", "few of the"],
  ["[Ee]very(?= (?!day|year|other)\\p{Ll}{3,})", "no"],
  [`(?<!\\b(?:the|at|its|their|whose|and|or|,) )[Mm]ost${COUNTED}`, "all", "few"],
  [`(?<!\\b(?:the|its|their|as|so|how|too) )[Mm]any${COUNTED}`, "all", "few"],
  [`(?<!\\b(?:a|the|its|very|next|last|past) )[Ff]ew${COUNTED}`, "most", "all"],
  [`(?<!\\b(?:and|or|,) )[Ss]ome${THINGS}`, "all", "no"],
  [`(?<!\\b(?:first|next|last|past|the) )[Ss]everal${THINGS}`, "no"],
  [`[Nn]umerous${THINGS}`, "no"],
  ["no(?= \\p{Ll}{4,})(?! (?:longer|more|less|fewer))", "some"],
  ["majority", "minority"],
  ["minority(?= of)", "majority"],
  ["[Mm]ostly|[Mm]ainly|[Pp]rimarily|[Pp]redominantly|[Ll]argely", "entirely"],
  ["[Oo]ver half", "less than a quarter"],
  ["[Tt]wo-thirds|[Tt]hree-quarters", "one-third"],
  ["[Uu]sually|[Gg]enerally|[Tt]ypically", "never"],
  ["[Aa]lways", "never"],
  ["[Oo]ften|[Ff]requently", "never", "always"],
  ["[Rr]arely|[Ss]eldom", "often"],
].map(([written, ...others]) => ({
  written: new RegExp(`(?<![\\p{L}“"-])(?:${written})(?![\\p{L}-])`, "gu"),
  others,
}));

/** Replaces a quantifier: "most" by "all" or "few", never by one that it implies. */
export const swapQuantifier: VariantRule = (text, _tools, random) =>
  QUANTIFIERS.flatMap(({ written, others }) =>
    replacements(text, written, (index, word) => {
      // "No of the" is ungrammatical.
      const beforeOf = text.startsWith(" of", index + word.length);
      const other = choose(random, others);
      const to = beforeOf && other === "no" ? "none" : other;
      return /^\p{Lu}/u.test(word) ? capitalised(to) : to;
    })
  );

/** Words of a party to an event: names, with an article or a title. */
const PARTY_WORD = "\\p{Lu}[\\p{L}-]*(?:['’]\\p{Lu}\\p{L}*)?";
const PARTY = `(?:[Tt]he )?${PARTY_WORD}(?: (?:of |and )?${PARTY_WORD})*`;

const BEGINS = "(?<![\\p{L}-])(?<!\\p{Lu}\\p{L}* )";
/** End of a name that does not modify another noun. */
const ENDS =
  "(?=[,.;)]| (?:in|on|during|after|as|for|from|with|by|than|until|at|but|under|to|who|and)\\b)";

/** Verbs of asymmetric relations; "borders", "meets" and "joins" would stay true. */
const ACTS = "defeated|invaded|occupied|annexed|conquered|overthrew|succeeded|replaced|ousted|" +
  "colonized|colonised|ruled|governed|recognized|recognised|controls|controlled|attacked|" +
  "administers|administered|captured|seized|purchased|granted|claimed|claims|owns|owned|" +
  "supplies|supplied|funds|funded|settled|liberated|absorbed|supported|supports|protects|" +
  "protected|bombed|sold|hosts|hosted|leads|led|founded|discovered|ended|acquired";

const BY =
  "(?:was|were|is|are|has been|have been|had been|being|been)? ?\\p{Ll}+(?:ed|en|wn|ld|ght) by";
const BETWEEN = [
  ACTS,
  BY,
  "(?:won|gained|achieved|declared|obtained|regained) (?:its |their )?independence from",
  "(?:seceded|separated|withdrew|broke away) from",
  "(?:is|was|became) (?:a |an |the )?(?:part|capital|province|colony|protectorate|dependency|" +
  "possession|territory|member|subsidiary|city|commonwealth) (?:of|in)",
  "(?:ceded|transferred|lost|leased|returned|sold) \\p{Lu}[\\p{L} ]+? to",
  "exports more to",
  "imports (?:most|more) from",
  "(?:is|are) (?:larger|smaller|older|higher|lower|bigger) than",
];

/** Replacements with the parties exchanged. */
const EXCHANGES = ([
  ...BETWEEN.map((act) => [`${BEGINS}(PARTY) (${act}) (PARTY)${ENDS}`, "$3 $2 $1"]),
  [`from (PARTY) to (PARTY)${ENDS}`, "from $2 to $1"],
  // "C's largest export partner is V."
  ["^(PARTY)['’]s ([\\p{Ll} ]+? partner|main market) is (PARTY)\\.$", "$3's $2 is $1."],
  ...[
    "A is the largest source of imports into B.",
    "A buys the largest share of B's exports.",
    "The capital of A is B.",
    "A is the capital of B.",
    "A's capital city is B.",
  ].map((wording) => [
    `^${wording.replace(/[AB]\b/g, "(PARTY)").replace("'s", "['’]s").replace(".", "\\.$")}`,
    wording.replace(/\bA\b/, "$2").replace(/\bB\b/, "$1"),
  ]),
] as [string, string][]).map(([pattern, exchanged]) =>
  [new RegExp(pattern.replaceAll("PARTY", PARTY), "u"), exchanged] as const
);

/** Lower-case article within a sentence for one from its beginning. */
const ARTICLE_WITHIN = new RegExp(`(?<=\\b(?:${ACTS}|by|from|of|in|to|than) )The(?= )`, "u");

/** Exchanges two names around an asymmetric relation. */
export const swapRoles: VariantRule = (text) =>
  EXCHANGES.flatMap(([pattern, exchanged]) => {
    const after = text.replace(pattern, exchanged);
    return after === text
      ? []
      : [changeBetween(text, capitalised(after).replace(ARTICLE_WITHIN, "the"))];
  });

/** Changes the unit and keeps the number, which changes the dimension or value. */
export const swapUnit: VariantRule = (text) =>
  readQuantities(text).flatMap((quantity) => {
    // "Over 60 months" is true where "over 60 years" is.
    if (quantity.kind !== "amount" || !/^(?:exact|about)$/.test(quantity.bound)) return [];
    const [money] = /^(?:US)?\$/u.exec(quantity.text) ?? [];
    // "About $2 billion" is also about €2 billion.
    if (money !== undefined) {
      return quantity.bound === "about" ? [] : [replacementAt(quantity.start, money, "€")];
    }
    return UNITS.flatMap(([written, to]) => {
      const unit = written.exec(quantity.text);
      if (unit === null) return [];
      const change = replacementAt(quantity.start + unit.index, unit[0], to);
      return afterChange(text, change, quantity) === "different" ? [change] : [];
    }).slice(0, 1);
  });
