import type { EnglishToken } from "../claims/english.ts";

const NEGATORS = new Set(
  ("not n't no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely " +
    "unable fail lack refuse deny false untrue").split(" "),
);

/** Where the reach of a negation ends: at a mark, or at a word that begins another clause. */
const ENDS_REACH = /^(?:[.,;:!?()–—]|but|although|though|because|while|whereas|and|which|who)$/;
/** A negation reaches so many tokens, counted from it. */
const REACH = 6;

/** For each token, whether it stands within reach of a negation; two of them cancel out. */
export function negatedTokens(tokens: readonly EnglishToken[]): readonly boolean[] {
  const negated = tokens.map(() => false);
  tokens.forEach(({ normal, lemma }, index) => {
    if (!isNegator(normal, lemma) || isNotOnly(tokens, index)) return;
    for (let next = index + 1; next < Math.min(tokens.length, index + 1 + REACH); next++) {
      if (ENDS_REACH.test(tokens[next]!.normal)) break;
      negated[next] = !negated[next];
    }
  });
  return negated;
}

const isNegator = (normal: string, lemma: string) =>
  NEGATORS.has(normal) || NEGATORS.has(lemma) || /n['’]t$/.test(normal);

/** "Not only", "no longer than" and "No. 5" deny nothing. */
function isNotOnly(tokens: readonly EnglishToken[], index: number): boolean {
  const next = tokens[index + 1]?.normal ?? "";
  return next === "only" || (tokens[index]!.normal === "no" && /^[.\d]/.test(next));
}
