import {
  type Candidate,
  type CorpusIndex,
  type Finding,
  type PhenomenonRule,
  reject,
} from "../candidate.ts";
import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";
import { UMLAUT_ADJECTIVES, UMLAUT_PRONOUNS, UMLAUT_VERBS } from "./adjectives_verbs.ts";
import { UMLAUT_NOUNS } from "./nouns.ts";
import { UMLAUT_PATTERNS, type UmlautCell, type UmlautStem } from "./patterns.ts";
import {
  FEMININE_MODIFIERS,
  INTENSIFIABLE,
  NAME_WHEN_CAPITAL,
  NEUTER_PLURAL_MODIFIERS,
  REFUSED_FORMS,
  REFUSED_STEMS,
  type UmlautRefusal,
} from "./refusals.ts";

/** A form with ǫ, the stem it belongs to and the cells it fills. */
export interface UmlautForm {
  readonly form: string;
  readonly stem: UmlautStem;
  readonly cell: UmlautCell;
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

type Verdict =
  | { readonly kind: "accepted"; readonly checks: readonly string[] }
  | { readonly kind: "refused"; readonly reason: UmlautRefusal; readonly detail: string };

const refused = (reason: UmlautRefusal, detail: string): Verdict => ({
  kind: "refused",
  reason,
  detail,
});

function formsOf(stem: UmlautStem): readonly UmlautForm[] {
  const prefixes = [...(stem.compoundOnly ? [] : [""]), ...(stem.prefixes ?? [])];
  const suffixes = stem.pattern === "first_element" ? [] : [""];
  return UMLAUT_PATTERNS[stem.pattern].flatMap((cell: UmlautCell) =>
    prefixes.flatMap((prefix) =>
      [...suffixes, ...(stem.suffixes ?? [])].map((suffix) => ({
        form: prefix + stem.stem + cell.ending + suffix,
        stem,
        cell,
      }))
    )
  );
}

/**
 * Every umlauted form of the tables, lower case. Where two stems share a form (skǫmm 'shame' and
 * feminine of skammr 'short'), the first, the noun, is kept: the a-form is wrong for both.
 */
export const UMLAUT_FORMS: ReadonlyMap<string, UmlautForm> = new Map(
  [...UMLAUT_NOUNS, ...UMLAUT_ADJECTIVES, ...UMLAUT_PRONOUNS, ...UMLAUT_VERBS]
    .flatMap(formsOf).map((entry) => [entry.form, entry] as const).reverse(),
);

/** The form with its one ǫ made a, everything else, case and number ending too, as it was. */
export function revertUmlaut(form: string): string {
  return form.replace("ǫ", "a");
}

function refuseForm(token: Token, corpus: CorpusIndex, entry?: UmlautForm): Verdict | undefined {
  const { lower, form, start } = token;
  if (lower.split("ǫ").length > 2) return refused("several_hooked_vowels", "more than one ǫ");
  const whole = REFUSED_FORMS.get(lower);
  if (whole) return refused(...whole);
  if (NAME_WHEN_CAPITAL.has(lower) && start > 0 && form !== lower) {
    return refused("proper_name", "capital inside the sentence");
  }
  const listed = REFUSED_STEMS.find(([pattern]) => pattern.test(lower));
  if (listed) return refused(listed[1], listed[2]);
  // Of lǫnd and bǫrn the a-form is the singular: the context decides, not its being attested.
  if (entry?.cell.singularHasA) return undefined;
  const reverted = revertUmlaut(lower);
  return (corpus.frequency.get(reverted) ?? 0) > 0
    ? refused("a_form_occurs_in_the_saga", reverted)
    : undefined;
}

const neighbours = (tokens: readonly Token[], index: number, before: number, after: number) =>
  [
    ...tokens.slice(Math.max(0, index - before), index),
    ...tokens.slice(index + 1, index + 1 + after),
  ]
    .map((token) => token.lower);

/** What the words around the token must show before the a-form can be called wrong. */
function judgeContext(entry: UmlautForm, tokens: readonly Token[], index: number): Verdict {
  if (entry.cell.singularHasA) {
    return neighbours(tokens, index, 1, 1).some((word) => NEUTER_PLURAL_MODIFIERS.has(word))
      ? { kind: "accepted", checks: ["a neighbouring modifier forces the plural"] }
      : refused("a_form_is_the_singular", `${revertUmlaut(entry.form)} is the singular`);
  }
  if (entry.form === "hǫll") {
    return tokens[index - 1]?.lower === "at" ||
        neighbours(tokens, index, 3, 1).some((word) => FEMININE_MODIFIERS.has(word))
      ? { kind: "accepted", checks: ["case or a feminine modifier excludes hall, from hallr"] }
      : refused("a_form_is_another_word", "hall, accusative of hallr 'slope'");
  }
  if (entry.form === "ǫll" && INTENSIFIABLE.has(tokens[index + 1]?.lower ?? "")) {
    return refused("a_form_is_an_intensifier", `all- before ${tokens[index + 1]?.lower}`);
  }
  return { kind: "accepted", checks: [] };
}

/** Words for the abbreviations of a cell, `nom|acc.sg.fem` → `nominative or accusative singular feminine`. */
function inWords(cell: string): string {
  return cell.replaceAll("|", " or ").replace(/(?<=\p{L})\./gu, " ")
    .replace(/\d?\p{L}+/gu, (part) => ABBREVIATIONS[part] ?? part);
}

function explain({ form, stem, cell }: UmlautForm): string {
  const base = stem.baseForm === stem.lemma ? "" : `, which has a in ${stem.baseForm},`;
  const fact = cell.trigger === "kept_u"
    ? "In Old Icelandic a becomes ǫ before a u in the next syllable"
    : "Old Icelandic keeps the ǫ that a since lost u made of a";
  return `${fact}: the ${inWords(cell.cell)} of ${stem.lemma} '${stem.gloss}'${base} is ${form}, ` +
    `never ${revertUmlaut(form)}.`;
}

function makeCandidate(
  sentence: Sentence,
  token: Token,
  entry: UmlautForm,
  contextChecks: readonly string[],
): Candidate {
  const { stem, cell } = entry;
  return {
    sentence,
    phenomenon: "UMLAUT",
    token,
    replacement: revertUmlaut(token.lower),
    errorType: "umlaut_to_base_vowel",
    rule: `UM_${stem.id}`,
    lemma: stem.lemma,
    construction: stem.vowel === "breaking" ? "breaking" : `${stem.wordClass}_${cell.trigger}`,
    cellFrom: cell.cell,
    cellTo: `${cell.cell}, without umlaut`,
    checks: [
      `${stem.lemma} has a in ${stem.baseForm}`,
      cell.trigger === "kept_u" ? "ǫ stands before a kept u" : "ǫ stands before a lost u",
      ...(cell.singularHasA ? [] : [
        "the a-form is no cell of the paradigm and no other word here",
        "the a-form does not occur in the saga",
      ]),
      ...contextChecks,
    ],
    marks: cell.trigger === "kept_u" ? ["regular_in_old_norwegian"] : [],
    explanation: explain(entry),
    tier: stem.tier,
  };
}

/** Reverts ǫ to a in the forms of the tables; ending, case and number stay. */
export const findUmlaut: PhenomenonRule = (sentence, corpus): Finding => {
  const candidates: Candidate[] = [];
  const rejections: Finding["rejections"][number][] = [];
  const tokens = tokenise(sentence.normalised);
  for (const [index, token] of tokens.entries()) {
    if (!token.lower.includes("ǫ")) continue;
    const entry = UMLAUT_FORMS.get(token.lower);
    const verdict = refuseForm(token, corpus, entry) ??
      (entry ? judgeContext(entry, tokens, index) : refused("stem_not_in_table", ""));
    if (entry && verdict.kind === "accepted") {
      candidates.push(makeCandidate(sentence, token, entry, verdict.checks));
    } else if (verdict.kind === "refused") {
      const proposed = `${token.form}>${revertUmlaut(token.lower)}`;
      rejections.push(reject(sentence, "UMLAUT", proposed, verdict.reason, verdict.detail));
    }
  }
  return { candidates, rejections };
};
