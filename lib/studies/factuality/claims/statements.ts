import { choose, type RandomSource } from "../../../stats/random.ts";
import { readEnglish } from "../../../factuality/claims/english.ts";
import { sentencesOf } from "../../../factuality/claims/sentences.ts";
import { usualFamilyNames } from "../../../factuality/own/variants/make_variant.ts";
import { type FactbookField, passagesOfFields } from "../../../factuality/retrieval/factbook.ts";
import type { Passage } from "../../../factuality/types.ts";
import { type FactTemplate, factTemplates } from "./tables.ts";

/** A statement of the knowledge base from which claims are made. */
export interface Statement {
  /** `fact` from a structured field by a template, `prose` from running text. */
  readonly kind: "fact" | "prose";
  /** Wording of the source. */
  readonly source: string;
  /** The statement as an independent sentence. */
  readonly claim: string;
  /** Question answered by the value; undefined for prose. */
  readonly question: string | undefined;
  /** Words of the value in both `source` and `claim`; the empty string for prose. */
  readonly value: string;
}

/** A statement with a contradictory one, both as a source might word them. */
export interface StatementContrast {
  /** Edit that made the second: `number`, `negation`, `name`, …. */
  readonly edit: string;
  readonly versions: readonly [Statement, Statement];
}

/** Fields of running text with informative sentences. */
const PROSE_FIELDS =
  ("Background|Military - note|Military equipment inventories and acquisitions|" +
    "Military deployments|Broadcast media|Population distribution|Geography - note|Terrain|Climate|" +
    "Economic overview|Transportation - note|Space program overview|National anthem(s)|Flag|" +
    "National heritage|Environmental issues").split("|");

const [FEWEST_WORDS, MOST_WORDS] = [5, 45];
const FIELD_NAMES = PROSE_FIELDS.map((field) => RegExp.escape(field)).join("|");
/**
 * Boundaries other than sentence ends: semicolons, and the full stop after a passage's field name.
 */
const PARTING = new RegExp(`;\\s+|(?<=^(?:${FIELD_NAMES}))\\.\\s+`, "u");

/** Tests that a sentence can be a claim: it has a finite verb and its own subject. */
function isStatement(sentence: string): boolean {
  const { tokens } = readEnglish(sentence);
  const words = tokens.filter(({ partOfSpeech }) => partOfSpeech !== "PUNCT");
  if (words.length < FEWEST_WORDS || words.length > MOST_WORDS) return false;
  if (/:|^(?:note|this|these|that|it|he|she|they|his|her|its|their)\b/iu.test(sentence)) {
    return false;
  }
  const verb = words.findIndex(({ partOfSpeech, normal }) =>
    partOfSpeech === "AUX" || (partOfSpeech === "VERB" && !/(?:ing|^to)$/u.test(normal))
  );
  const before = words.slice(0, Math.max(0, verb));
  return !/^\d/u.test(sentence) &&
    before.some(({ partOfSpeech }) => /NOUN|PROPN/u.test(partOfSpeech)) &&
    !/^(?:and|but|or|which|who|also|including|with|has|is|was|are)\b/iu.test(sentence);
}

/** Adds an initial capital and a full stop. */
export function withCapitalAndStop(text: string): string {
  const trimmed = text.trim().replace(/[\s;,.]+$/u, "");
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}

/** A country's material for claims. */
export interface CountryMaterial {
  readonly country: string;
  readonly code: string;
  readonly passages: readonly Passage[];
  readonly prose: readonly PlacedStatement[];
  readonly facts: readonly Fact[];
}

/** A statement with its index among the passage's pieces. */
export interface PlacedStatement {
  readonly statement: Statement;
  readonly passage: Passage;
  /** Sentences of the passage in order, with punctuation. */
  readonly pieces: readonly string[];
  readonly index: number;
}

/** Code of the file of the whole world. It is no country and fits few wordings. */
export const WORLD = "xx";

/** Groups the knowledge base by country, in the order of its fields. */
export function countryMaterial(fields: readonly FactbookField[]): readonly CountryMaterial[] {
  const countries = fields.filter(({ code }) => code !== WORLD);
  return [...Map.groupBy(countries, ({ code }) => code)].map(([code, countryFields]) => {
    const usual = countryFields.map((field) => ({ ...field, text: usualFamilyNames(field.text) }));
    const passages = passagesOfFields(usual);
    const prose = passages.flatMap(placedStatements);
    return { country: usual[0]!.country, code, passages, prose, facts: factsOf(usual) };
  });
}

/**
 * Splits a text into sentences as in the recorded answers, in which "World War I. In 1918, …" was
 * one sentence.
 */
const recordedSentences = (text: string): readonly string[] =>
  sentencesOf(text).reduce<string[]>((all, sentence) => {
    const last = all.at(-1);
    if (last?.endsWith("World War I.")) all[all.length - 1] = `${last} ${sentence.text}`;
    else all.push(sentence.text);
    return all;
  }, []);

/** Complete sentences of a passage that can be claims. */
export function placedStatements(passage: Passage): readonly PlacedStatement[] {
  const { section, text } = passage;
  if (!PROSE_FIELDS.includes(section)) return [];
  const sentences = recordedSentences(text).flatMap((sentence) =>
    sentence.split(PARTING).map((part) => part.trim()).filter((part) => part !== "")
  );
  // Sentences with the text between them, so that joining restores the passage.
  let cursor = 0;
  const starts = sentences.map((sentence) => {
    const start = text.indexOf(sentence, cursor);
    cursor = start + sentence.length;
    return start;
  });
  const pieces = starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length).trim());
  return sentences.filter(isStatement).map((source): PlacedStatement => {
    const claim = withCapitalAndStop(source);
    const index = pieces.findIndex((piece) => piece.includes(source));
    const statement = { kind: "prose", source, claim, question: undefined, value: "" } as const;
    return { statement, passage, pieces, index };
  }).filter(({ index }) => index >= 0);
}

/** A value of a structured field with its wordings. */
export interface Fact {
  readonly template: FactTemplate;
  readonly field: FactbookField;
  /** Spelling of the value in the field's text. */
  readonly value: string;
}

/** Facts that a template reads from the fields. */
export function factsOf(fields: readonly FactbookField[]): readonly Fact[] {
  return factTemplates().flatMap((template) =>
    fields.flatMap((field) => {
      // Some subfields end in a year that differs between countries.
      const isWanted = field.subfield === template.subfield ||
        / 20$/u.test(template.subfield) && field.subfield.startsWith(template.subfield);
      if (field.field !== template.field || !isWanted) return [];
      const value = template.value.exec(field.text)?.[1]?.trim();
      return value ? [{ template, field, value }] : [];
    })
  );
}

/**
 * Makes a statement from a fact: the source in the knowledge base's words, the claim in a given
 * wording.
 */
export function factStatement(fact: Fact, value: string, phrasing: string): Statement {
  const { field: { country, text }, template } = fact;
  const source = text.replace(fact.value, () => value);
  const [claim, question] = [phrasing, template.question].map((words) =>
    worded(words, country, value)
  ) as [string, string];
  return { kind: "fact", source, claim, question, value };
}

/** Words a fact as a sentence of running text. */
export const factSentence = ({ template, field }: Fact, value: string, random: RandomSource) =>
  worded(choose(random, template.phrasings), field.country, value);

function worded(phrasing: string, country: string, value: string): string {
  const text = phrasing.replace(/\b[CV]\b/gu, (letter) => (letter === "C" ? country : value));
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
