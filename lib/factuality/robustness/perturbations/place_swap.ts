import type { RandomSource } from "../../../stats/random.ts";
import { choose } from "../../training/random_choice.ts";
import { DENIES } from "./denies.ts";
import { oneOf, type PlacedCountry, type TextChange, type VariantRule } from "../variant.ts";

/** Places of one kind; one of a row stands for another of it. */
const KINDS: readonly (readonly string[])[] = [
  ["Atlantic Ocean", "Pacific Ocean", "Indian Ocean", "Arctic Ocean"],
  ["Mediterranean Sea", "Black Sea", "Red Sea", "Baltic Sea", "North Sea", "Caspian Sea"],
  ["Africa", "Asia", "Europe", "South America", "North America", "Oceania"],
  ["West Africa", "East Africa", "Central Africa", "Southern Africa", "North Africa"],
  ["Southeast Asia", "Central Asia", "South Asia", "East Asia"],
  ["Persian Gulf", "Gulf of Aden", "Gulf of Guinea", "Gulf of Mexico", "Bay of Bengal"],
  ["Nile", "Danube", "Rhine", "Congo River", "Mekong", "Niger River"],
  ["US", "UK", "UAE"],
  ["London", "Paris", "Madrid", "Lisbon", "Brussels", "Moscow", "Beijing", "Cairo"],
];

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
  const others = KINDS.flatMap((row) =>
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
