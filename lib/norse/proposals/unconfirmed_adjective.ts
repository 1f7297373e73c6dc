import {
  ARTICLE_CELLS,
  COPULAS,
  DEMONSTRATIVE_CELLS,
  ONE_CELLS,
  POSSESSIVES,
  QUANTIFIERS,
} from "../adjective/determiners.ts";
import { adjectivesWithForm } from "../adjective/forms.ts";
import { NOMINATIVE_PRONOUNS, OBLIQUE_PRONOUNS, REFLEXIVES } from "../quirky_case/pronouns.ts";
import { tokenise } from "../tokens.ts";

/** Why a word that the adjective rule passed over makes no pair. */
export interface AdjectiveObjection {
  readonly reason:
    | "not_an_adjective"
    | "pronominal_adjective"
    | "participle"
    | "adjective_unknown_to_the_lexicon"
    | "not_an_adjective_phrase";
  readonly detail: string;
}

/** Numerals, and alls where it is 'in all': the quantifier's table holds them for their syntax. */
const NUMERALS: ReadonlySet<string> = new Set(
  `tveir tvær tvau tvá tvei tveim tveggja þrír þrjár þrjú þrjá þrim þrimr þriggja fjórir fjórar fjǫgur
   fjóra fjórum fjǫgurra fimm sex sjau átta níu tíu ellefu tólf fimmtán alls`.split(/\s+/u),
);

const PRONOUNS: ReadonlySet<string> = new Set([
  ...[ARTICLE_CELLS, DEMONSTRATIVE_CELLS, ONE_CELLS].flatMap((cells) => [...cells.keys()]),
  ...[...POSSESSIVES, ...NOMINATIVE_PRONOUNS, ...REFLEXIVES],
  ...OBLIQUE_PRONOUNS.filter(({ form }) => !QUANTIFIERS.has(form)).map(({ form }) => form),
]);

const AUXILIARIES: ReadonlySet<string> = new Set([
  ...COPULAS,
  ..."hefi hefir hafa hafði hǫfðu hǫfum hafi mun munu mundi skal skulu skyldi fekk".split(" "),
]);

/** Strong participles in -inn (búinn, brugðit), weak ones in a dental (fœdd, gift, send). */
const PARTICIPLE =
  /(?:(?:in|inn|it|nir|nar|num|ins|inni|innar)|(?:dd|[fkp]t|nd|[bgfmrlau]ð)(?:r|ir|ar|a|um|an|s|ri)?)$/u;

/** Why no rule speaks of a word (lower case) that was proposed as an attributive adjective. */
export function whyNoAdjective(lower: string, text: string): AdjectiveObjection {
  if (NUMERALS.has(lower)) return { reason: "not_an_adjective", detail: `${lower}: a numeral` };
  if (PRONOUNS.has(lower)) return { reason: "not_an_adjective", detail: `${lower}: a pronoun` };
  if (QUANTIFIERS.has(lower)) {
    return { reason: "pronominal_adjective", detail: `${lower}: no weak declension` };
  }
  if (adjectivesWithForm(lower).length > 0) {
    return { reason: "not_an_adjective_phrase", detail: lower };
  }
  const auxiliary = tokenise(text).find((token) => AUXILIARIES.has(token.lower))?.lower;
  return auxiliary !== undefined && PARTICIPLE.test(lower)
    ? { reason: "participle", detail: `${lower} with ${auxiliary}, by its ending` }
    : { reason: "adjective_unknown_to_the_lexicon", detail: lower };
}
