import { readEnglish } from "../claims/english.ts";
import { sentencesOf } from "../claims/sentences.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Statement } from "./statement.ts";

/** Fields of running text whose sentences say something of their own. */
export const PROSE_FIELDS: readonly string[] = [
  "Background",
  "Military - note",
  "Military equipment inventories and acquisitions",
  "Military deployments",
  "Broadcast media",
  "Population distribution",
  "Geography - note",
  "Terrain",
  "Climate",
  "Economic overview",
  "Transportation - note",
  "Space program overview",
  "National anthem(s)",
  "Flag",
  "National heritage",
  "Environmental issues",
];

const [FEWEST_WORDS, MOST_WORDS] = [5, 45];

/**
 * The full sentences of a passage: each semicolon ends one, as the factbook writes. Left out is what
 * has no finite verb or no subject of its own, because it cannot stand as a claim.
 */
export function proseStatements(passage: Passage): readonly Statement[] {
  if (!PROSE_FIELDS.includes(passage.section)) return [];
  return proseSentences(passage.text).filter(isStatement).map((sentence) => ({
    country: passage.title,
    field: passage.section,
    kind: "prose",
    source: sentence,
    claim: asSentence(sentence),
    question: undefined,
    value: "",
  }));
}

/** Semicolons; and the full stop behind the field's name, with which a passage begins. */
const PARTING = new RegExp(`;\\s+|(?<=^(?:${PROSE_FIELDS.map(literally).join("|")}))\\.\\s+`, "u");

function literally(text: string): string {
  return text.replace(/[()]/gu, "\\$&");
}

/** Sentences of a text, parted at semicolons too; each stands in it as it is. */
export function proseSentences(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) =>
    sentence.text.split(PARTING).map((part) => part.trim()).filter((part) => part !== "")
  );
}

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

/** With a capital and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[\s;,.]+$/u, "");
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}
