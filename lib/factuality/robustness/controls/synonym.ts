import { choose } from "../../training/random_choice.ts";
import { oneOf, type VariantRule } from "../variant.ts";

/**
 * Words that WordNet gives one meaning, and words of that meaning which can stand in their place in any
 * sentence; chosen by hand, for WordNet's synonyms of one sense are often rare or stilted.
 */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  also: ["likewise"],
  almost: ["nearly"],
  approximately: ["roughly", "about"],
  relatively: ["comparatively"],
  subsequently: ["later", "afterwards"],
  eventually: ["finally"],
  soon: ["shortly"],
  again: ["once again"],
  newly: ["freshly"],
  located: ["situated"],
  larger: ["bigger"],
  vast: ["huge", "immense"],
  surrounded: ["encircled"],
  additional: ["extra"],
  neighboring: ["adjacent"],
  multinational: ["transnational"],
  treaty: ["pact"],
  uprising: ["rebellion", "revolt"],
  insurgency: ["insurgence"],
  legislature: ["legislative assembly"],
  petroleum: ["oil"],
  poverty: ["impoverishment"],
  infant: ["baby"],
  rainfall: ["rain"],
  motto: ["slogan"],
  democratization: ["democratisation"],
  frequently: ["often"],
  mainly: ["chiefly", "primarily"],
  currently: ["presently"],
  rapidly: ["quickly", "speedily"],
};

const WORDS = new RegExp(
  `(?<![\\p{L}-])(?:${Object.keys(SYNONYMS).join("|")})(?![\\p{L}-])`,
  "gu",
);

/** A word of one meaning by another word for it. */
export const useSynonym: VariantRule = (text, _tools, random) =>
  oneOf(
    [...text.matchAll(WORDS)].flatMap(({ 0: word, index }) => {
      const fitting = SYNONYMS[word]!.filter((other) =>
        !text.includes(other) && fitsArticle(text.slice(0, index), other)
      );
      if (fitting.length === 0) return [];
      return [{ start: index, end: index + word.length, to: choose(random, fitting) }];
    }),
    random,
  );

const fitsArticle = (before: string, word: string) =>
  (!/\ba $/u.test(before) || !/^[aeiou]/u.test(word)) &&
  (!/\ban $/u.test(before) || /^[aeiou]/u.test(word));
