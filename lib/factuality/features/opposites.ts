/** Words of degree, quantity, direction, order and kinship: one excludes the others of its row. */
const EXCLUSIVE: readonly string[] = [
  "all none",
  "every no",
  "always never",
  "most few",
  "many few",
  "more less fewer",
  "most least fewest",
  "majority minority",
  "mostly rarely seldom",
  "often rarely seldom",
  "usually rarely seldom",
  "mainly partly",
  "large small",
  "big small",
  "bigger smaller",
  "larger smaller",
  "largest smallest",
  "biggest smallest",
  "high low",
  "higher lower",
  "highest lowest",
  "longest shortest",
  "longer shorter",
  "oldest youngest newest",
  "older younger newer",
  "earliest latest",
  "earlier later",
  "richest poorest",
  "first last",
  "before after",
  "above below",
  "maximum minimum",
  "north south east west",
  "northern southern eastern western",
  "northeast northwest southeast southwest",
  "northeastern northwestern southeastern southwestern",
  "left right",
  "male female",
  "man woman",
  "boy girl",
  "he she",
  "his her",
  "mother father",
  "son daughter",
  "brother sister",
  "husband wife",
  "import export",
  "imports exports",
  "win lose",
  "increase decrease",
  "rise fall",
  "increasing decreasing",
  "summer winter spring autumn",
  "urban rural",
];

const NEGATING_PREFIX = /^(?:un|in|im|il|ir|dis|non-?|a)(?=\p{L}{3})/u;
const ROWS_OF = rowsByWord();

function rowsByWord(): ReadonlyMap<string, ReadonlySet<number>> {
  const rows = new Map<string, Set<number>>();
  EXCLUSIVE.forEach((row, index) => {
    for (const word of row.split(" ")) rows.set(word, (rows.get(word) ?? new Set()).add(index));
  });
  return rows;
}

/** Whether a word is of that table. Lower case. */
export const isDegreeWord = (word: string): boolean => ROWS_OF.has(word);

/** Whether the table has both in one row. Lower case. */
export function areExclusive(a: string, b: string): boolean {
  if (a === b) return false;
  const rows = ROWS_OF.get(b);
  return [...ROWS_OF.get(a) ?? []].some((row) => rows?.has(row) ?? false);
}

/** Whether one word is the other with a negating prefix or suffix: unsafe and safe, useful and useless. */
export function areAffixOpposites(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const prefix = NEGATING_PREFIX.exec(long)?.[0];
  if (prefix !== undefined && prefix !== "a" && long.slice(prefix.length) === short) return true;
  return a.replace(/ful$/, "less") === b && a !== b || b.replace(/ful$/, "less") === a && a !== b;
}
