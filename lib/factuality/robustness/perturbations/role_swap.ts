import { changeBetween, oneOf, type VariantRule } from "../variant.ts";

/** A party to what happens: names, with an article or a title. */
const WORD = "\\p{Lu}[\\p{L}-]*(?:['’]\\p{Lu}\\p{L}*)?";
const PARTY = `(?:[Tt]he )?${WORD}(?: (?:of |and )?${WORD})*`;
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

const around = BETWEEN.map((act) =>
  [
    new RegExp(`(?<![\\p{L}-])(?<!\\p{Lu}\\p{L}* )(${PARTY}) (${act}) (${PARTY})${ENDS}`, "u"),
    "$3 $2 $1",
  ] as const
);

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  ...around,
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
  text.charAt(0).toUpperCase() +
  text.slice(1).replace(
    new RegExp(`(?<=\\b(?:${ACTS}|by|from|of|in|to|than) )The(?= )`, "u"),
    "the",
  );
