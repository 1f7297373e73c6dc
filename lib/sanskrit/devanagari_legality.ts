import { LETTERS } from "./devanagari.ts";

interface Illegal {
  readonly what: string;
  readonly pattern: RegExp;
}

const { consonant, vowel, sign, virama, modifier } = LETTERS;
const AVAGRAHA = "ऽ";
const letters = consonant + vowel + sign + virama + modifier + AVAGRAHA + "ॐ";

/** What no Sanskrit word is written with. Each pattern matches the sequence and no more. */
const ILLEGAL: readonly Illegal[] = [
  {
    what: "an independent vowel inside a word",
    pattern: new RegExp(`[${letters}][${vowel}]`, "u"),
  },
  {
    what: "two vowel signs",
    pattern: new RegExp(`[${sign}][${sign}]`, "u"),
  },
  {
    what: "a virāma without a consonant",
    pattern: new RegExp(`(?:^|[^${consonant}])${virama}`, "u"),
  },
  {
    what: "a vowel sign without a consonant",
    pattern: new RegExp(`(?:^|[^${consonant}${sign}])[${sign}]`, "u"),
  },
  {
    what: "a candrabindu, anusvāra or visarga without a vowel",
    pattern: new RegExp(`(?:^|[^${consonant}${vowel}${sign}])[${modifier}]`, "u"),
  },
  {
    what: "an avagraha after a virāma",
    pattern: new RegExp(`${virama}${AVAGRAHA}`, "u"),
  },
  {
    what: "a character that is no letter of Sanskrit",
    pattern: new RegExp(`[^${letters}\\s]`, "u"),
  },
];

/**
 * The first sequence in `text` that no Sanskrit is written with and what it is, e.g. `"जअ": an
 * independent vowel inside a word`; undefined for legal text. Words are parted by white space.
 */
export function illegalSequence(text: string): string | undefined {
  const found = ILLEGAL.flatMap(({ what, pattern }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ what, sequence: match[0], index: match.index }];
  });
  const [first] = found.sort((one, other) => one.index - other.index);
  return first && `"${first.sequence}": ${first.what}`;
}
