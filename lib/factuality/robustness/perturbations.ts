import { choose, type RandomSource } from "../../stats/random.ts";
import { type EnglishToken, readEnglish } from "../claims/english.ts";
import { type CalendarDate, readDates, readQuantities } from "../features/quantities.ts";

import { NAME_ROWS } from "./tables.ts";
import {
  afterChange,
  capital,
  changeBetween,
  MONTHS,
  numbersIn,
  once,
  oneOf,
  type PlacedCountry,
  type TextChange,
  type VariantRule,
  type WrittenNumber,
} from "./variant.ts";

/** "Before 1990" and "about 1250" may stay true with another year; "(2025)" dates the text itself. */
const OPEN_ENDED =
  /(?:\b(?:by|before|after|until|till|between|following|prior to|to|and|or|about|around|circa|roughly|A\.D\.)\s|[-–(])$/iu;

/** No text of this collection tells of years beyond. */
const LAST_YEAR = 2025;
const DAYS = 28;
/** A year by one to five, another month, or another day of the month. */
export const shiftDate: VariantRule = (text, _tools, random) => {
  const dates = readDates(text).filter(({ start }) => !OPEN_ENDED.test(text.slice(0, start)));
  const changes = dates.flatMap((date) => partsOf(date, random))
    .filter(({ start, end, to }) => to !== text.slice(start, end) && !text.includes(to))
    .filter((change) => {
      const date = dates.find(({ start, end }) => start <= change.start && change.end <= end)!;
      return afterChange(text, change, date) === "different";
    });
  return oneOf(changes, random);
};

function partsOf(date: CalendarDate, random: RandomSource): readonly TextChange[] {
  return [yearOf(date, random), monthOf(date, random), dayOf(date, random)]
    .filter((change) => change !== undefined);
}

function yearOf({ years, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)[12]\d{3}(?![\ds])/u.exec(text);
  if (years === undefined || years[0] !== years[1] || written === null) return undefined;
  const by = choose(random, [-1, 1]) * (1 + random.integer(5));
  const year = years[0] + by > LAST_YEAR ? years[0] - Math.abs(by) : years[0] + by;
  return replaced(start + written.index, written[0], String(year));
}

function monthOf({ month, text, start }: CalendarDate, random: RandomSource) {
  const name = month === undefined ? undefined : MONTHS[month - 1]!;
  if (name === undefined || !text.includes(name)) return undefined;
  const other = choose(random, MONTHS.filter((one) => one !== name));
  return replaced(start + text.indexOf(name), name, other);
}

function dayOf({ day, month, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)\d{1,2}(?!\d|st|nd|rd|th)/u.exec(text);
  if (day === undefined || month === undefined || written === null) return undefined;
  const other = (day + random.integer(DAYS - 1)) % DAYS + 1;
  return replaced(start + written.index, written[0], String(other));
}

function replaced(start: number, from: string, to: string): TextChange {
  return { start, end: start + from.length, to };
}

/** The least and the greatest share by which a number is moved; rounding may add a little. */
const [LEAST, MOST] = [0.05, 0.2];
const ROUNDING = 0.005;

/** A number by 5–20 %, as exactly as it was told. */
export const shiftNumber: VariantRule = (text, _tools, random) => {
  const shares = [1, -1].flatMap((sign) => [
    sign * (LEAST + (MOST - LEAST) * random.next()),
    sign * MOST,
  ]);
  return oneNumber(
    text,
    random,
    (number) => random.shuffle(shares).map((share) => moved(number, share)),
  );
};

/** Two neighbouring digits of a number exchanged. */
export const exchangeDigits: VariantRule = (text, _tools, random) =>
  oneNumber(text, random, ({ digits }) => {
    const places = [...digits].flatMap((_, i) => exchanged(digits, i) ?? []);
    return random.shuffle(places);
  });

/** The first proposal that reads differently, of one number by lot. */
function oneNumber(
  text: string,
  random: Parameters<VariantRule>[2],
  propose: (number: WrittenNumber) => readonly (string | undefined)[],
): TextChange | undefined {
  const changes = numbersIn(text).flatMap((number) => {
    const fitting = propose(number).filter((to) => to !== undefined && fits(number, to))
      .map((to) => ({ start: number.start, end: number.start + number.digits.length, to: to! }));
    return fitting.find((change) => afterChange(text, change, number.amount) === "different") ?? [];
  });
  return oneOf(changes, random);
}

/** Moved by a share, and rounded to the digits that were told, or to one more. */
function moved({ digits, value }: WrittenNumber, share: number): string | undefined {
  const decimals = digits.split(".")[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : /0*$/u.exec(String(value))![0].length;
  const steps = [10 ** (zeros - decimals), 10 ** (Math.max(zeros - 1, 0) - decimals)];
  return steps.map((step) => Math.round(value * (1 + share) / step) * step)
    .filter((other) => {
      const by = Math.abs(other - value) / value;
      return by >= LEAST - ROUNDING && by <= MOST + ROUNDING;
    }).map((other) => writtenAs(digits, other))[0];
}

function writtenAs(digits: string, value: number): string {
  const decimals = digits.split(".")[1]?.length ?? 0;
  const useGrouping = digits.includes(",") || !/\d{4}/u.test(digits);
  return value.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping,
  });
}

function exchanged(digits: string, place: number): string | undefined {
  const next = /^[.,]?\d/u.exec(digits.slice(place + 1))?.[0];
  const first = digits[place]!;
  if (next === undefined || !/\d/u.test(first) || next.endsWith(first)) return undefined;
  const mark = next.slice(0, -1);
  const result = digits.slice(0, place) + next.at(-1) + mark + first +
    digits.slice(place + 1 + next.length);
  return /^0[\d,]/u.test(result) ? undefined : result;
}

/** "More than 200" is no mistake where it was 180 and less of one; a share is at most the whole. */
function fits({ amount, value }: WrittenNumber, to: string): boolean {
  const other = Number(to.replaceAll(",", ""));
  if (amount.dimension === "percent" && other > 100) return false;
  if (amount.bound === "over") return other > value;
  return amount.bound !== "under" || other < value;
}

/** What is not so of one is not so of most others, either. */
const DENIES = /\b(?:not|never|no|nor|neither|without|except|reject(?:ed|s)?|outside)\b/u;

const COMPASS = ["north", "northeast", "east", "southeast", "south", "southwest", "west"]
  .concat("northwest");

const OPPOSITE = new Map(COMPASS.flatMap((word, i) => {
  const other = COMPASS[(i + COMPASS.length / 2) % COMPASS.length]!;
  return [[word, other], [`${word}ern`, `${other}ern`]] as const;
}));

/** Names that go with "the". */
const WITH_ARTICLE = /^(?:United |Philippines|Netherlands|Maldives|Central African|Dominican Rep)/u;

/** A country by one of the same part of the world, another place by one of its kind, or north by south. */
export const swapPlace: VariantRule = (text, tools, random) => {
  if (DENIES.test(text)) return undefined;
  const countries = tools.gazetteer.find(text).flatMap(({ start, end, entry }) => {
    const name = text.slice(start, end);
    const stays = name !== entry.name || name === tools.about;
    if (stays || isPartOfName(text, start, end)) return [];
    const kin = kinOf(name, tools.states);
    return swapped(text, { start, end, kin, source: tools.source }, random);
  });
  const others = nameRows("place").flatMap((row) =>
    row.flatMap((name) =>
      places(text, name).flatMap((start) => {
        const [end, kin] = [start + name.length, row.filter((other) => other !== name)];
        if (isPartOfName(text, start, end)) return [];
        return swapped(text, { start, end, kin, source: tools.source }, random);
      })
    )
  );
  return oneOf([...countries, ...others, ...directions(text)], random);
};

interface Place {
  readonly start: number;
  readonly end: number;
  /** What could stand in its place. */
  readonly kin: readonly string[];
  readonly source: string;
}

function swapped(
  text: string,
  { start, end, kin, source }: Place,
  random: RandomSource,
): readonly TextChange[] {
  const fitting = kin.filter((name) => !source.includes(name) && !text.includes(name));
  return fitting.length === 0 ? [] : [{ start, end, to: choose(random, fitting) }];
}

function kinOf(name: string, states: readonly PlacedCountry[]): readonly string[] {
  const region = states.find((state) => state.name === name)?.region;
  return states.filter((other) =>
    other.region === region && other.name !== name && /^(?!The )[\p{L} '-]+$/u.test(other.name) &&
    WITH_ARTICLE.test(other.name) === WITH_ARTICLE.test(name)
  ).map((other) => other.name);
}

/** "South China Sea" and "Bank of England" are no countries. */
function isPartOfName(text: string, start: number, end: number): boolean {
  return /\p{Lu}[\p{L}.]* (?:of |and )?$/u.test(text.slice(0, start)) &&
      !/^(?:In|From|Of|To|With|By|The|At|For|On|Of|And|When|While|After|Since|Like) $/u
        .test(text.slice(0, start)) ||
    /^[ -]\p{Lu}|^-/u.test(text.slice(end)) || /[-/]$/u.test(text.slice(0, start));
}

function places(text: string, name: string): readonly number[] {
  if (!text.includes(name)) return [];
  const found = text.matchAll(new RegExp(`(?<![\\p{L}])${RegExp.escape(name)}(?![\\p{L}])`, "gu"));
  return [...found].map(({ index }) => index);
}

/** Only where the opposite does not stand there, too: "in the north and south". */
function directions(text: string): readonly TextChange[] {
  return [...text.matchAll(/(?<![\p{L}-])\p{Ll}+(?![\p{L}-])/gu)].flatMap(({ 0: word, index }) => {
    const to = OPPOSITE.get(word);
    if (to === undefined || text.includes(to.replace(/ern$/u, ""))) return [];
    return [{ start: index, end: index + word.length, to }];
  });
}

/** Names of one kind in rows; one of a row stands for another of it. */
function nameRows(kind: "place" | "organisation"): readonly (readonly string[])[] {
  const own = names().filter((one) => one.kind === kind);
  return [...Map.groupBy(own, ({ row }) => row).values()].map((row) => row.map(({ name }) => name));
}

const names = once(() => NAME_ROWS.read());
const TITLE = "(?:President|King|Queen|Prime Minister|General|Emperor|Sultan|Sheikh|Marshal|" +
  "Captain|Chancellor|Prince|explorer|navigator|leader|dictator|strongman)";

const WORD = "\\p{Lu}\\p{Ll}[\\p{L}’-]*";
const NAME = `${WORD}(?: (?:de |al-|bin |van )?${WORD}){1,2}`;
const TITLED = new RegExp(`(?<=\\b${TITLE} )${NAME}(?![\\p{L}])`, "gu");

/** Read as a name, but an office, or a name cut short. */
const NO_PERSON =
  /\b(?:Police|Border|National|General|Directorate|Army|Staff|Department|Sir)\b|\b(?:Ii|Iii|Iv|Vi|De|Al)$/u;

/** People whom a text names with title, given name and family name, in order, each once. */
export function peopleIn(text: string): readonly string[] {
  const names = [...text.matchAll(TITLED)].map(([name]) => name.replace(/['’]s$/u, ""));
  return [...new Set(names)].filter((name) => !NO_PERSON.test(name));
}

/** A person by a person, an organisation by one that the source does not name. */
export const swapName: VariantRule = (text, { people, source, about }, random) => {
  if (DENIES.test(text)) return undefined;
  const changes = [people, ...nameRows("organisation")].flatMap((row) =>
    row.flatMap((name) => {
      const start = name === about ? undefined : placeOf(text, name, row === people);
      if (start === undefined) return [];
      const others = row.filter((other) => !source.includes(other) && !sharesWord(other, name));
      if (others.length === 0) return [];
      return [{ start, end: start + name.length, to: choose(random, others) }];
    })
  );
  return oneOf(changes, random);
};

/** A person may have a title before the name; "Security UN Council" and "EU-led" are other names. */
function placeOf(text: string, name: string, isPerson: boolean): number | undefined {
  if (!text.includes(name)) return undefined;
  const begins = isPerson ? "" : "|\\p{Lu}\\p{L}* |\\b[Aa]n? ";
  const ends = "(?![\\p{L}\\d)-]|[ ]\\p{Lu})";
  return new RegExp(`(?<![\\p{L}\\d(-]${begins})${RegExp.escape(name)}${ends}`, "u").exec(text)
    ?.index;
}

const sharesWord = (a: string, b: string) => {
  const words = new Set(a.split(" "));
  return b.split(" ").some((word) => words.has(word));
};

const DENIED = /(?<=\b(?:is|are|was|were|has|have|had|will|can|could|would|must|does|did) )not /u;
const CANNOT = /\bcannot\b/u;
const NEVER = /\bnever /u;

/** Joined to what is denied, these change what the denial reaches. */
const OUTSIDE_REACH =
  /\b(?:not|never|no|nor|neither|without|only|all|every|each|both|some|few|many|most|any|unless|hardly|if|whether)\b/iu;

const AUXILIARY = /^(?:is|are|was|were|has|have|had|will|can|could|would|must|should|does|did)$/u;

/** Never participles, unlike "known" and "led" in "the area known as Bengal". */
const PAST =
  /^(?:began|took|rose|fell|grew|became|gave|went|came|saw|chose|drove|broke|withdrew|overthrew|won)$/u;

/** "Not" taken out, or else put in at the first verb of the main clause. */
export const flipNegation: VariantRule = (text) => takenOut(text) ?? putIn(text);

function takenOut(text: string): TextChange | undefined {
  const not = DENIED.exec(text) ?? NEVER.exec(text);
  if (not !== null) {
    if (/^(?:not|never) (?:only|yet|necessarily|just|until)/u.test(text.slice(not.index))) {
      return undefined;
    }
    return { start: not.index, end: not.index + not[0].length, to: "" };
  }
  const cannot = CANNOT.exec(text);
  return cannot === null
    ? undefined
    : { start: cannot.index, end: cannot.index + cannot[0].length, to: "can" };
}

function putIn(text: string): TextChange | undefined {
  if (OUTSIDE_REACH.test(text)) return undefined;
  const { tokens } = readEnglish(text);
  const place = firstVerb(tokens);
  return place === undefined ? undefined : denied(tokens, place);
}

/** The first finite verb behind a subject, where no clause has begun within it. */
function firstVerb(tokens: readonly EnglishToken[]): number | undefined {
  const place = tokens.findIndex(({ normal, partOfSpeech }, i) =>
    i > 0 && tokens[i - 1]!.text !== "-" &&
    (AUXILIARY.test(normal) || partOfSpeech === "VERB" && !normal.endsWith("ing"))
  );
  const before = tokens.slice(0, place);
  const hasSubject = before.some(({ partOfSpeech }) => /NOUN|PROPN|PRON/u.test(partOfSpeech));
  const inClause = before.some(({ normal }) =>
    /^(?:which|who|that|when|while|although|though|as|because|since|after|before|to|[:;“"])$/u
      .test(normal)
  );
  return place > 0 && hasSubject && !inClause ? place : undefined;
}

function denied(tokens: readonly EnglishToken[], place: number): TextChange | undefined {
  const [verb, next] = [tokens[place]!, tokens[place + 1]];
  if (next === undefined || next.partOfSpeech === "PUNCT") return undefined;
  const { start, end, text, normal, lemma } = verb;
  if (/^(?:has|have|had)$/u.test(normal) && !isParticiple(tokens, place + 1)) {
    return { start, end, to: `${helper(normal)} not have` };
  }
  if (AUXILIARY.test(normal)) {
    return { start, end, to: normal === "can" ? "cannot" : `${text} not` };
  }
  if (lemma === normal) return undefined;
  if (/s$/u.test(normal)) return { start, end, to: `does not ${lemma}` };
  const isPast = PAST.test(normal) ||
    /ed$/u.test(normal) && !/^(?:by|in|on|at|to|from|as|with|of)$/u.test(next.normal);
  return isPast ? { start, end, to: `did not ${lemma}` } : undefined;
}

const helper = (normal: string) => ({ has: "does", have: "do", had: "did" })[normal]!;

function isParticiple(tokens: readonly EnglishToken[], first: number): boolean {
  const next = tokens.slice(first).find(({ partOfSpeech }) => partOfSpeech !== "ADV");
  return next !== undefined &&
    (next.normal === "been" ||
      /(?:AUX|VERB)/u.test(next.partOfSpeech) && !/ing$/u.test(next.normal));
}

interface Quantifier {
  readonly written: RegExp;
  /** Each says more than the quantifier, or the contrary: none follows from it. */
  readonly others: readonly string[];
}

/** Whatever is counted: plurals, and what "of" or "the" leads to. */
const COUNTED = "(?= of |(?! (?:two|three|four|five|six|seven|eight|nine|ten)\\b) \\p{Ll}{3,}s\\b)";

/** How long something lasts is no number of things. */
const THINGS = `${COUNTED}(?! (?:days|weeks|months|years|decades|centuries)\\b)`;
const row = (written: string, ...others: string[]): Quantifier => ({
  written: new RegExp(`(?<![\\p{L}“"-])(?:${written})(?![\\p{L}-])`, "gu"),
  others,
});

const QUANTIFIERS: readonly Quantifier[] = [
  row(`(?:[Aa]lmost|[Nn]early|[Vv]irtually) all${COUNTED}`, "few"),
  row(`(?<!\\b(?:[Aa]lmost|[Nn]early|[Vv]irtually|at|in|after|above|for) )[Aa]ll${COUNTED}`, "few"),
  row("(?<!\\b(?:[Aa]lmost|[Nn]early|[Vv]irtually) )[Aa]ll the", "few of the"),
  row("[Ee]very(?= (?!day|year|other)\\p{Ll}{3,})", "no"),
  row(`(?<!\\b(?:the|at|its|their|whose|and|or|,) )[Mm]ost${COUNTED}`, "all", "few"),
  row(`(?<!\\b(?:the|its|their|as|so|how|too) )[Mm]any${COUNTED}`, "all", "few"),
  row(`(?<!\\b(?:a|the|its|very|next|last|past) )[Ff]ew${COUNTED}`, "most", "all"),
  row(`(?<!\\b(?:and|or|,) )[Ss]ome${THINGS}`, "all", "no"),
  row(`(?<!\\b(?:first|next|last|past|the) )[Ss]everal${THINGS}`, "no"),
  row(`[Nn]umerous${THINGS}`, "no"),
  row("no(?= \\p{Ll}{4,})(?! (?:longer|more|less|fewer))", "some"),
  row("majority", "minority"),
  row("minority(?= of)", "majority"),
  row("[Mm]ostly|[Mm]ainly|[Pp]rimarily|[Pp]redominantly|[Ll]argely", "entirely"),
  row("[Oo]ver half", "less than a quarter"),
  row("[Tt]wo-thirds|[Tt]hree-quarters", "one-third"),
  row("[Uu]sually|[Gg]enerally|[Tt]ypically", "never"),
  row("[Aa]lways", "never"),
  row("[Oo]ften|[Ff]requently", "never", "always"),
  row("[Rr]arely|[Ss]eldom", "often"),
];

/** How many or how often: "most" by "all" or "few". Never by what follows from it. */
export const swapQuantifier: VariantRule = (text, _tools, random) =>
  oneOf(
    QUANTIFIERS.flatMap(({ written, others }) =>
      [...text.matchAll(written)].flatMap(({ 0: word, index }) => {
        const end = index + word.length;
        // "No of the" is no English.
        const fitting = text.startsWith(" of", end)
          ? others.map((other) => other === "no" ? "none" : other)
          : others;
        const to = choose(random, fitting);
        return [{ start: index, end, to: /^\p{Lu}/u.test(word) ? capital(to) : to }];
      })
    ),
    random,
  );

/** A party to what happens: names, with an article or a title. */
const PARTY_WORD = "\\p{Lu}[\\p{L}-]*(?:['’]\\p{Lu}\\p{L}*)?";
const PARTY = `(?:[Tt]he )?${PARTY_WORD}(?: (?:of |and )?${PARTY_WORD})*`;

/** A name, not an adjective before another noun. */
const ENDS =
  "(?=[,.;)]| (?:in|on|during|after|as|for|from|with|by|than|until|at|but|under|to|who|and)\\b)";

/** What one does to the other and not the other to it. "Borders", "meets" and "joins" would stay true. */
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

/** Two names exchanged around what only one of them can do to the other. */
export const swapRoles: VariantRule = (text, _tools, random) =>
  oneOf(
    EXCHANGES.flatMap(([pattern, exchanged]) => {
      const after = text.replace(pattern, exchanged);
      return after === text ? [] : [changeBetween(text, withArticles(after))];
    }),
    random,
  );

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  ...BETWEEN.map((act) =>
    [
      new RegExp(`(?<![\\p{L}-])(?<!\\p{Lu}\\p{L}* )(${PARTY}) (${act}) (${PARTY})${ENDS}`, "u"),
      "$3 $2 $1",
    ] as const
  ),
  [new RegExp(`from (${PARTY}) to (${PARTY})${ENDS}`, "u"), "from $2 to $1"],
  // "C's largest export partner is V."
  [
    new RegExp(`^(${PARTY})['’]s ([\\p{Ll} ]+? partner|main market) is (${PARTY})\\.$`, "u"),
    "$3's $2 is $1.",
  ],
  [
    new RegExp(`^(${PARTY}) is the largest source of imports into (${PARTY})\\.$`, "u"),
    "$2 is the largest source of imports into $1.",
  ],
  [
    new RegExp(`^(${PARTY}) buys the largest share of (${PARTY})['’]s exports\\.$`, "u"),
    "$2 buys the largest share of $1's exports.",
  ],
  [new RegExp(`^The capital of (${PARTY}) is (${PARTY})\\.$`, "u"), "The capital of $2 is $1."],
  [new RegExp(`^(${PARTY}) is the capital of (${PARTY})\\.$`, "u"), "$2 is the capital of $1."],
  [new RegExp(`^(${PARTY})['’]s capital city is (${PARTY})\\.$`, "u"), "$2's capital city is $1."],
];

/** A capital at the beginning, and a small article within. */
const withArticles = (text: string) =>
  capital(text).replace(
    new RegExp(`(?<=\\b(?:${ACTS}|by|from|of|in|to|than) )The(?= )`, "u"),
    "the",
  );

/** How a unit is written, and what else measures the same kind of thing. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(?:square kilomet(?:re|er)s|sq km|km²)$/u, "sq miles"],
  [/(?<!square )kilomet(?:re|er)s$/u, "miles"],
  [/(?<!sq )km$/u, "miles"],
  [/(?:sq(?:uare)? miles)$/u, "sq km"],
  [/(?<!sq |square |nautical )miles$/u, "km"],
  [/nautical miles$|\bnm$/u, "km"],
  [/(?<!square )met(?:re|er)s$/u, "feet"],
  [/(?<=\d )m$/u, "feet"],
  [/feet$|\bft$/u, "meters"],
  [/hectares$/u, "acres"],
  [/acres$/u, "hectares"],
  [/kilograms$|\bkg$/u, "pounds"],
  [/(?:metric )?tons$|tonnes$/u, "kg"],
  [/°C$/u, "°F"],
  [/years$/u, "months"],
  [/(?<=\d )months$/u, "weeks"],
  [/(?<=\d )days$/u, "weeks"],
  [/(?<=\d )hours$/u, "days"],
];

/** Another unit behind the same number, so that it measures something else. */
export const swapUnit: VariantRule = (text, _tools, random) => {
  const changes = readQuantities(text).flatMap((quantity) => {
    // "Over 60 months" is true where "over 60 years" is.
    if (quantity.kind !== "amount" || !/^(?:exact|about)$/.test(quantity.bound)) return [];
    const money = /^(?:US)?\$/u.exec(quantity.text);
    // "About $2 billion" is about €2 billion, too.
    if (money !== null && quantity.bound === "about") return [];
    if (money !== null) {
      const { start } = quantity;
      return [{ start, end: start + money[0].length, to: "€" }];
    }
    return UNITS.flatMap(([written, to]) => {
      const unit = written.exec(quantity.text);
      if (unit === null) return [];
      const start = quantity.start + unit.index;
      const change = { start, end: start + unit[0].length, to };
      return afterChange(text, change, quantity) === "different" ? [change] : [];
    }).slice(0, 1);
  });
  return oneOf(changes, random);
};
