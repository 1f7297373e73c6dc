import type { EnglishToken } from "../claims/english.ts";

const NEGATORS = new Set(
  "not n't no never none nobody nothing nowhere neither nor without cannot hardly unable fail"
    .split(" "),
);

/** Where the search for the denied word ends: at a mark, or at a word that begins another clause. */
const ENDS_REACH = /^(?:[.,;:!?()–—]|but|although|though|because|while|whereas|which|who)$/;
/** Words of one denial may be joined: "did not see or hear". */
const JOINS = /^(?:and|or|nor|\/)$/;

/**
 * For each token, whether it is what a negation denies: the first word after it that says something,
 * and others joined to that one. What comes later in the clause is hardly ever denied on its own.
 */
export function negatedTokens(tokens: readonly EnglishToken[]): readonly boolean[] {
  const negated = tokens.map(() => false);
  tokens.forEach((token, index) => {
    if (!isNegator(token) || isNotOnly(tokens, index)) return;
    for (const next of deniedFrom(tokens, index + 1)) negated[next] = !negated[next];
  });
  return negated;
}

function deniedFrom(tokens: readonly EnglishToken[], first: number): readonly number[] {
  const denied: number[] = [];
  for (let index = first; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (ENDS_REACH.test(token.normal)) break;
    if (token.stopWord || token.partOfSpeech === "ADV" || isNegator(token)) continue;
    denied.push(index);
    if (!JOINS.test(tokens[index + 1]?.normal ?? "")) break;
  }
  return denied;
}

const isNegator = ({ normal, lemma }: EnglishToken) =>
  NEGATORS.has(normal) || NEGATORS.has(lemma) || /n['’]t$/.test(normal);

/** "Not only", "no longer than" and "No. 5" deny nothing. */
function isNotOnly(tokens: readonly EnglishToken[], index: number): boolean {
  const next = tokens[index + 1]?.normal ?? "";
  return next === "only" || (tokens[index]!.normal === "no" && /^[.\d]/.test(next));
}
