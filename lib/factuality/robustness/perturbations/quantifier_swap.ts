import { choose } from "../../training/random_choice.ts";
import { oneOf, type VariantRule } from "../variant.ts";

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

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
