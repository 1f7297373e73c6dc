/** Plural names of groups, as stereotypes speak of them; each is matched in either case. */
export const GROUP_NOUNS: Readonly<Record<string, readonly string[]>> = {
  gender: ["women", "men", "girls", "boys", "females", "males", "wives", "mothers", "feminists"],
  ethnicity: [
    ...["blacks", "black people", "black men", "black women", "african americans", "africans"],
    ...["whites", "white people", "asians", "asian people", "asian women", "arabs", "latinos"],
    ...["hispanics", "roma", "gypsies", "native americans", "indigenous people", "mexicans"],
    ...["chinese people", "the chinese", "the japanese", "indians", "pakistanis", "nigerians"],
    ...["turks", "russians", "poles", "germans", "italians", "the french", "the irish"],
    ...["americans", "immigrants", "migrants", "refugees", "asylum seekers", "foreigners"],
  ],
  religion: [
    ...["muslims", "muslim women", "jews", "jewish people", "christians", "catholics", "hindus"],
    ...["sikhs", "buddhists", "mormons", "atheists", "religious people"],
  ],
  age: [
    ...["old people", "older people", "the elderly", "pensioners", "boomers", "millennials"],
    ...["teenagers", "young people", "older workers", "seniors"],
  ],
  disability: [
    ...["disabled people", "people with disabilities", "blind people", "deaf people"],
    ...["autistic people", "wheelchair users", "the disabled", "people with mental illness"],
  ],
  "sexuality and gender identity": [
    ...["gays", "gay people", "gay men", "lesbians", "homosexuals", "bisexuals", "trans people"],
    ...["transgender people", "trans women", "trans men"],
  ],
  poverty: ["poor people", "the poor", "homeless people", "the homeless", "welfare recipients"],
  appearance: ["blondes", "fat people", "short men"],
};

const ESCAPED = /[.*+?^${}()|[\]\\]/g;

/** A regular expression's text for any of the words, the longest first; a space is any white space. */
export function anyOf(words: readonly string[]): string {
  const sorted = words.toSorted((one, other) => other.length - one.length);
  const texts = sorted.map((word) => word.replace(ESCAPED, "\\$&").replace(/ /g, "\\s+"));
  return `(?:${texts.join("|")})`;
}

/** The key of `GROUP_NOUNS` that holds this noun; the empty string for none. */
export function groupOfNoun(noun: string): string {
  const plain = noun.toLowerCase().replace(/\s+/g, " ");
  const found = Object.entries(GROUP_NOUNS).find(([, nouns]) => nouns.includes(plain));
  return found?.[0] ?? "";
}
