import { COPULAS, POSSESSIVES, QUANTIFIERS } from "../adjective/determiners.ts";
import { adjectivesWithForm } from "../adjective/forms.ts";
import { DEFINITE_NOUN_CELLS, NAMES, NOUN_CELLS } from "../adjective/nouns.ts";
import { clauseAround } from "../middle_voice/clause.ts";
import { MIDDLE_VERBS } from "../middle_voice/verbs.ts";
import { QUIRKY_LURES } from "../quirky_case/lures.ts";
import { followsPreposition, stretches } from "../quirky_case/match.ts";
import { OBLIQUE_NOUNS } from "../quirky_case/nominative_forms.ts";
import { NOMINATIVE_PRONOUNS, OBLIQUE_PRONOUNS, REFLEXIVES } from "../quirky_case/pronouns.ts";
import { QUIRKY_FRAMES } from "../quirky_case/quirky_case.ts";
import { FINITE_FORMS } from "../quirky_case/verb_agreement.ts";
import { type Token, tokenise } from "../tokens.ts";

/** Why a word that the quirky-case rule passed over makes no pair. */
export interface SubjectObjection {
  readonly reason:
    | "after_preposition"
    | "reflexive_has_no_nominative"
    | "form_unknown_to_the_lexicon"
    | "verb_unknown_to_the_lexicon"
    | "not_the_subject_by_the_rules";
  readonly detail: string;
}

/** Forms in the dative or accusative that the tables can put into the nominative, or know they cannot. */
export const OBLIQUE_FORMS: ReadonlySet<string> = new Set([
  ...[...OBLIQUE_NOUNS, ...OBLIQUE_PRONOUNS].map(({ form }) => form),
  ...REFLEXIVES,
]);

const QUIRKY_HEADS: ReadonlySet<string> = new Set(QUIRKY_FRAMES.flatMap(({ heads }) => heads));

/** Personal verbs that are common in the saga, beside those of the tables. */
const PERSONAL = `
  á átti áttu bað biðr báðu bauð býðr bera berr bar báru brá bregðr drap drepr drápu eiga eigu etr
  fagnaði fagna fagnar fann fara ferr fór fóru fylgði fylgir fylgdi fylgdu fylla gaf gefr gáfu ganga
  gekk gengr gengu gera gerði gerir gerðu gerðum hafa hafði hefi hefir hefr hét heitir hǫfum hjó
  hleypr hlaupa hratt hygg hyggr hugði kallar kallaði kemr kom kómu koma kveðr kvað kváðu kyssti
  lagði leggr lét lætr létu leiddi liggr lá lézk má máttu mátti mega mæla mælir mælti mæltu mun munu
  mundi mundu muntu ráða reð ríðr reið riðu rís reis sá sér sáu segir segja sagði sǫgðu sendi sendir
  senda sitr sat sátu setja setr skal skulu skyldi skyldu skaltu snýr sneri sœkja sótti spurði spyrr
  stendr stóð stóðu sverr svarar svaraði tekr tók tóku tǫkum veit vil vill vilja vildi vildu vilt
  bjóðir bryti drekkr dregr eggjar felldi fellir getr hefði hefðir heitr heyrir hǫfðu hirði høggr
  hverfr kastar léztu leitar lifir líðr mætti riði rekr sáttu selr siti stefnir stýrir unir vaknar
  veldr verðu viti þorði ætti viljum vinna þiggja þigg þjónuðu þjóna þorir þarf ætlar ætlaði`;

const KNOWN_VERBS: ReadonlySet<string> = new Set([
  ...PERSONAL.trim().split(/\s+/u),
  ...COPULAS,
  ...FINITE_FORMS.keys(),
  ...QUIRKY_LURES.flatMap(({ heads }) => heads),
  ...MIDDLE_VERBS.flatMap(({ forms }) => forms.flatMap(({ active, middle }) => [active, middle])),
]);

/** How a finite verb of the 3rd person ends: batnaði, batnar, tjóir. */
const FINITE_ENDING = /(?:[ðtd][iu]|[ai]r|[^aeiouyáéíóúýr]r)$/u;

/** Words that end as verbs do and are none, beside those of the tables. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  `þar fyrir eptir undir yfir áðr heldr betr þegar niðr sundr síðar síðir aptr hvar móti meðr verr
   okkar ykkar yðar hennar sinnar brœðr bróðir frændr dóttir móðir faðir systir konar fœtr hǫfði
   landi blóði`.split(/\s+/u),
);

const TABLES = [
  ...[NOUN_CELLS, DEFINITE_NOUN_CELLS, NAMES, OBLIQUE_FORMS, NOMINATIVE_PRONOUNS],
  ...[QUANTIFIERS, POSSESSIVES, OTHER_WORDS],
];

function looksLikeVerb(word: string): boolean {
  return FINITE_ENDING.test(word) && !TABLES.some((table) => table.has(word)) &&
    adjectivesWithForm(word).length === 0;
}

/** The words of a sentence with a capital, which are names unless they begin the sentence. */
function namesIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.slice(1).filter(({ form, lower }) => form !== lower).map((t) => t.lower));
}

/** Why no rule speaks of a word that was proposed as an oblique subject. */
export function whyNoSubject(token: Token, text: string): SubjectObjection {
  const { lower } = token;
  const tokens = tokenise(text);
  const same = ({ start }: Token) => start === token.start;
  const stretch = stretches(text, tokens).find((found) => found.tokens.some(same));
  if (stretch && followsPreposition(stretch, stretch.tokens.findIndex(same))) {
    return { reason: "after_preposition", detail: lower };
  }
  if (REFLEXIVES.has(lower)) return { reason: "reflexive_has_no_nominative", detail: lower };
  const { before, after } = clauseAround(text, tokens, tokens.findIndex(same));
  const words = [...before, ...after];
  const heads = words.filter((word) => QUIRKY_HEADS.has(word));
  if (heads.length > 0 && !OBLIQUE_FORMS.has(lower)) {
    return { reason: "form_unknown_to_the_lexicon", detail: `${lower} is in no oblique table` };
  }
  const known = words.some((word) => KNOWN_VERBS.has(word) || QUIRKY_HEADS.has(word));
  const names = namesIn(tokens);
  const unknown = known ? undefined : words.find((word) => !names.has(word) && looksLikeVerb(word));
  if (unknown !== undefined) return { reason: "verb_unknown_to_the_lexicon", detail: unknown };
  const detail = heads.length > 0 ? `${lower} of ${heads.join(", ")}` : lower;
  return { reason: "not_the_subject_by_the_rules", detail };
}
