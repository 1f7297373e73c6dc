import type { RowOf } from "../files/table.ts";
import {
  type Candidate,
  type CorpusIndex,
  type Objection,
  type PhenomenonRule,
  reject,
} from "./candidate.ts";
import type { Sentence } from "./dataset_tables.ts";
import { refusalsOf, UMLAUT_PATTERNS, UMLAUT_STEMS, wordLists } from "./rules.ts";
import { type Token, tokenise } from "./tokens.ts";

/** Reverts ǫ to a in the forms of the tables; ending, case and number stay. */
export const findUmlaut: PhenomenonRule = (sentence, corpus) => {
  const candidates: Candidate[] = [];
  const rejections: ReturnType<typeof reject>[] = [];
  const tokens = tokenise(sentence.normalised);
  for (const [index, token] of tokens.entries()) {
    if (!token.lower.includes("ǫ")) continue;
    const entry = UMLAUT_FORMS.get(token.lower);
    const verdict = objectionTo(sentence, token, corpus, entry) ??
      (entry ? judgeContext(entry, tokens, index) : { reason: "stem_not_in_table", detail: "" });
    if ("reason" in verdict) {
      const proposed = `${token.form}>${revertUmlaut(token.lower)}`;
      rejections.push(reject(sentence, "UMLAUT", proposed, verdict));
    } else if (entry) candidates.push(candidateOf(sentence, token, entry, verdict.checks));
  }
  return { candidates, rejections };
};

/** A form with ǫ, the stem it belongs to and the cells it fills. */
interface UmlautForm {
  readonly form: string;
  readonly stem: Readonly<RowOf<typeof UMLAUT_STEMS>>;
  readonly cell: Readonly<RowOf<typeof UMLAUT_PATTERNS>>;
}

/** Stems whose ǫ is a before other endings. */
export const STEMS = UMLAUT_STEMS.read();
const ENDINGS = Map.groupBy(UMLAUT_PATTERNS.read(), ({ pattern }) => pattern);

/**
 * Every umlauted form of the tables, lower case. Where two stems share a form (skǫmm 'shame' and
 * feminine of skammr 'short'), the first, the noun, is kept: the a-form is wrong for both.
 */
export const UMLAUT_FORMS: ReadonlyMap<string, UmlautForm> = new Map(
  STEMS.flatMap(formsOf).map((entry) => [entry.form, entry] as const).reverse(),
);

function formsOf(stem: UmlautForm["stem"]): readonly UmlautForm[] {
  const cells = ENDINGS.get(stem.pattern);
  if (cells === undefined) {
    throw new SyntaxError(
      `Cannot inflect ${stem.lemma}: umlaut_patterns.csv has no pattern ${stem.pattern}.`,
    );
  }
  const prefixes = [...(stem.compound_only ? [] : [""]), ...stem.prefixes];
  const suffixes = [...(stem.pattern === "first_element" ? [] : [""]), ...stem.suffixes];
  return cells.flatMap((cell) =>
    prefixes.flatMap((prefix) =>
      suffixes.map((suffix) => ({
        form: prefix + stem.stem + cell.ending + suffix,
        stem,
        cell,
      }))
    )
  );
}

/** The form with its one ǫ made a, everything else, case and number ending too, as it was. */
export function revertUmlaut(form: string): string {
  return form.replace("ǫ", "a");
}

const refusalOf = refusalsOf("UMLAUT");
const list = wordLists("umlaut");
const NAMES_WHEN_CAPITAL = list("names_when_capital");
const NEUTER_PLURAL_MODIFIERS = list("neuter_plural_modifiers");
const FEMININE_MODIFIERS = list("feminine_modifiers");
const INTENSIFIABLE = list("intensifiable");

function objectionTo(
  sentence: Sentence,
  { lower, form, start }: Token,
  corpus: CorpusIndex,
  entry: UmlautForm | undefined,
): Objection | undefined {
  if (lower.split("ǫ").length > 2) {
    return { reason: "several_hooked_vowels", detail: "more than one ǫ" };
  }
  if (NAMES_WHEN_CAPITAL.has(lower) && start > 0 && form !== lower) {
    return { reason: "proper_name", detail: "capital inside the sentence" };
  }
  const refusal = refusalOf(lower, sentence.id);
  if (refusal) return refusal;
  // Of lǫnd and bǫrn the a-form is the singular: the context decides, not its being attested.
  if (entry?.cell.singular_has_a) return undefined;
  const reverted = revertUmlaut(lower);
  return (corpus.frequency.get(reverted) ?? 0) > 0
    ? { reason: "a_form_occurs_in_the_saga", detail: reverted }
    : undefined;
}

/** What the words around the token must show before the a-form can be called wrong. */
function judgeContext(
  { form, cell }: UmlautForm,
  tokens: readonly Token[],
  index: number,
): Objection | { readonly checks: readonly string[] } {
  const near = (before: number, after: number) =>
    tokens.slice(Math.max(0, index - before), index + 1 + after).map(({ lower }) => lower);
  const next = tokens[index + 1]?.lower ?? "";
  if (cell.singular_has_a) {
    return near(1, 1).some((word) => NEUTER_PLURAL_MODIFIERS.has(word))
      ? { checks: ["a neighbouring modifier forces the plural"] }
      : { reason: "a_form_is_the_singular", detail: `${revertUmlaut(form)} is the singular` };
  }
  if (form === "hǫll") {
    return tokens[index - 1]?.lower === "at" ||
        near(3, 1).some((word) => FEMININE_MODIFIERS.has(word))
      ? { checks: ["case or a feminine modifier excludes hall, from hallr"] }
      : { reason: "a_form_is_another_word", detail: "hall, accusative of hallr 'slope'" };
  }
  return form === "ǫll" && INTENSIFIABLE.has(next)
    ? { reason: "a_form_is_an_intensifier", detail: `all- before ${next}` }
    : { checks: [] };
}

function candidateOf(
  sentence: Sentence,
  token: Token,
  entry: UmlautForm,
  contextChecks: readonly string[],
): Candidate {
  const { stem, cell } = entry;
  const isKept = cell.trigger === "kept_u";
  return {
    sentence,
    phenomenon: "UMLAUT",
    token,
    replacement: revertUmlaut(token.lower),
    errorType: "umlaut_to_base_vowel",
    rule: `UM_${stem.id}`,
    lemma: stem.lemma,
    construction: stem.vowel === "breaking" ? "breaking" : `${stem.word_class}_${cell.trigger}`,
    cellFrom: cell.cell,
    cellTo: `${cell.cell}, without umlaut`,
    checks: [
      `${stem.lemma} has a in ${stem.base_form}`,
      isKept ? "ǫ stands before a kept u" : "ǫ stands before a lost u",
      ...(cell.singular_has_a ? [] : [
        "the a-form is no cell of the paradigm and no other word here",
        "the a-form does not occur in the saga",
      ]),
      ...contextChecks,
    ],
    marks: isKept ? ["regular_in_old_norwegian"] : [],
    explanation: explain(entry),
    tier: stem.tier,
  };
}

function explain({ form, stem, cell }: UmlautForm): string {
  const base = stem.base_form === stem.lemma ? "" : `, which has a in ${stem.base_form},`;
  const fact = cell.trigger === "kept_u"
    ? "In Old Icelandic a becomes ǫ before a u in the next syllable"
    : "Old Icelandic keeps the ǫ that a since lost u made of a";
  return `${fact}: the ${inWords(cell.cell)} of ${stem.lemma} '${stem.gloss}'${base} is ${form}, ` +
    `never ${revertUmlaut(form)}.`;
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  nom: "nominative",
  acc: "accusative",
  gen: "genitive",
  dat: "dative",
  sg: "singular",
  pl: "plural",
  masc: "masculine",
  fem: "feminine",
  neut: "neuter",
  def: "with the article",
  "1pl": "first person plural",
  "2pl": "second person plural",
  "3pl": "third person plural",
  pres: "present",
  pret: "preterite",
};

/** Words for the abbreviations of a cell, `nom|acc.sg.fem` → `nominative or accusative singular feminine`. */
function inWords(cell: string): string {
  return cell.replaceAll("|", " or ").replace(/(?<=\p{L})\./gu, " ")
    .replace(/\d?\p{L}+/gu, (part) => ABBREVIATIONS[part] ?? part);
}
