const SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen").split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** What a word behind a number multiplies it by. */
export const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
  dozen: 12,
};

const FRACTIONS: Readonly<Record<string, number>> = {
  "half": 1 / 2,
  "one-half": 1 / 2,
  "one-third": 1 / 3,
  "a third": 1 / 3,
  "two-thirds": 2 / 3,
  "one-quarter": 1 / 4,
  "a quarter": 1 / 4,
  "three-quarters": 3 / 4,
  "one-fifth": 1 / 5,
};

const ORDINALS = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh " +
  "twelfth").split(" ");

/** Sources of regular expressions, the longer first. "One" counts only before a scale or a unit. */
export const NUMBER_WORD = `(?:(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?|${
  SMALL.slice(2).toReversed().join("|")
}|zero)`;
export const FRACTION_WORD = Object.keys(FRACTIONS).toSorted((a, b) => b.length - a.length)
  .join("|");
export const ORDINAL_WORD = ORDINALS.join("|");

/** 21 for "twenty-one"; undefined for another word. */
export function numberOfWord(word: string): number | undefined {
  const [tens, unit] = word.toLowerCase().split("-");
  const small = SMALL.indexOf(tens!);
  if (small >= 0) return small;
  const ten = TENS.indexOf(tens!);
  if (ten < 0) return undefined;
  return 20 + 10 * ten + (unit === undefined ? 0 : SMALL.indexOf(unit));
}

/** 2/3 for "two-thirds"; undefined for another word. */
export const fractionOfWord = (word: string): number | undefined => FRACTIONS[word.toLowerCase()];

/** 3 for "third" and "3rd"; undefined for another word. */
export function ordinalOfWord(word: string): number | undefined {
  const place = ORDINALS.indexOf(word.toLowerCase()) + 1;
  return place || (/^\d+(?:st|nd|rd|th)$/i.test(word) ? parseInt(word) : undefined);
}
