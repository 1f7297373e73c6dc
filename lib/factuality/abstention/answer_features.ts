import { cosine } from "../../models/encoder/cosine.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { sentencesOf } from "../claims/sentences.ts";

/** An answer with what it answers. */
export interface QuestionAndAnswer {
  /** What the question is about: hidden from the encoder, so that no name decides; may be empty. */
  readonly name: string;
  readonly question: string;
  readonly answer: string;
}

/** Groups of features, in the order in which they stand. */
export const FEATURE_GROUPS = ["first", "mean", "form"] as const;
export type AnswerFeatureGroup = typeof FEATURE_GROUPS[number];

/** Numbers of each group. */
export type AnswerFeatures = Readonly<Record<AnswerFeatureGroup, readonly number[]>>;

/** Stands for the thing in question; the encoder has seen it as a name of anything. */
const MASK = "X";

/** Features of each answer, in order; undefined for one without a word. */
export async function answerFeatures(
  answers: readonly QuestionAndAnswer[],
  encoder: SentenceEncoder,
): Promise<readonly (AnswerFeatures | undefined)[]> {
  const masked = answers.map((one) => ({
    question: withoutName(one.question, one.name),
    sentences: sentencesOf(withoutName(one.answer, one.name)).map(({ text }) => text),
  }));
  const texts = masked.flatMap(({ question, sentences }) => [question, ...sentences]);
  const encoded = await encoder.encode(texts);
  let next = 0;
  return masked.map(({ question, sentences }) => {
    const [asked, ...said] = encoded.slice(next, next += sentences.length + 1)
      .map(({ sentence }) => sentence);
    return said.length === 0 ? undefined : {
      first: [...said[0]!],
      mean: meanOf(said),
      form: formOf(question, sentences, cosine(asked!, said[0]!)),
    };
  });
}

/** Words of a name that tell what kind of thing it is; with the mask they read naturally: "Lake X". */
const KIND_WORDS = /^(?:Lake|River|Treaty|Battle|The)$/u;

/** Every word of the name that is written with a capital, alone or in a row; "the Treaty of X". */
function withoutName(text: string, name: string): string {
  const words = [...name.replace(/\(.*\)/u, "").matchAll(/\p{Lu}[\p{L}\p{M}]+/gu)]
    .map(([word]) => word).filter((word) => !KIND_WORDS.test(word));
  if (name === "") return text;
  const any = (words.length > 0 ? words : [name]).map(RegExp.escape).join("|");
  return text.replace(new RegExp(`\\b(?:${any})\\b(?:\\s(?:${any})\\b)*`, "giu"), MASK);
}

function meanOf(vectors: readonly Float32Array[]): readonly number[] {
  return Array.from(
    vectors[0]!,
    (_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0) / vectors.length,
  );
}

const FIRST_PERSON = /\b(?:I|I'm|I've|I'd|my|me)\b/u;
const DENIAL =
  /\b(?:no|not|never|nothing|none|nobody|unable|cannot|without|un(?:known|aware|sure))\b|n[’']t\b/iu;

/**
 * How it is said rather than what: a speaker who denies speaks of knowledge, a third person of facts.
 * Lengths are logarithms; all others are 0 or 1, and the cosine of question and first sentence.
 */
function formOf(question: string, sentences: readonly string[], likeness: number) {
  const [first] = sentences as readonly [string, ...string[]];
  const answer = sentences.join(" ");
  const words = answer.split(/\s+/u).length;
  const yes = (...tests: readonly boolean[]) => (tests.every(Boolean) ? 1 : 0);
  const [speaks, denies] = [FIRST_PERSON.test(first), DENIAL.test(first)];
  return [
    ...[likeness, Math.log(words), Math.log(sentences.length)],
    ...[yes(speaks), yes(denies), yes(speaks, denies), yes(denies, first.includes(MASK))],
    yes(/\d/u.test(answer)),
    // Names that neither question nor mask brought in: something was said about something.
    Math.log(1 + newNames(answer, question)),
    yes(/\?\s*$/u.test(answer)),
  ];
}

function newNames(answer: string, question: string): number {
  const names = [...answer.matchAll(/(?<=[\p{Ll},;:]\s)\p{Lu}\p{L}+/gu)].map(([name]) => name);
  return names.filter((name) => !question.includes(name)).length;
}
