import { randomSource } from "../../stats/random.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { LONGEST_SENTENCE } from "../rule_book.ts";
import { wordsOf } from "../segmentation.ts";
import type { Sentence } from "../sentence.ts";

/** The sentences to ask about, by phenomenon, in the order of asking. */
export type QuestionPlan = Readonly<Record<Phenomenon, readonly Sentence[]>>;

/** Shorter sentences have no room for a noun with its adjective beside a verb. */
const SHORTEST_WITH_ADJECTIVE = 4;

/**
 * What a sentence must have on its surface before a phenomenon can be in it. Deliberately not the
 * rules' tables: a model may find what these do not know.
 */
const SURFACE: Readonly<Record<Phenomenon, (words: readonly string[]) => boolean>> = {
  QUIRKY_CASE: (words) => words.some((word) => OBLIQUE.test(word)),
  ADJECTIVE: (words) => words.length >= SHORTEST_WITH_ADJECTIVE,
  UMLAUT: (words) => words.some((word) => word.includes("ǫ")),
  MIDDLE_VOICE: (words) => words.some((word) => /\p{L}{2}[sz]k$/u.test(word)),
};

/** Oblique pronouns, and endings that mark a dative. */
const OBLIQUE =
  /^(?:mér|þér|honum|henni|oss|okkr|ykkr|yðr|þeim|því|þessu|mik|þik|hann|hana|fám)$|(?:um|inni|unni|inu|konungi|manni)$/u;

/** Whether a sentence is short enough and shows what the phenomenon needs. */
export function mayShow(phenomenon: Phenomenon, { normalised }: Sentence): boolean {
  const words = wordsOf(normalised.toLowerCase());
  return words.length <= LONGEST_SENTENCE && SURFACE[phenomenon](words);
}

/** For each phenomenon the sentences that can show it, any beginning of them spread over the text. */
export function planQuestions(sentences: readonly Sentence[], seed: number): QuestionPlan {
  const entries = PHENOMENA.map((phenomenon) => {
    const eligible = sentences.filter((sentence) => mayShow(phenomenon, sentence));
    return [phenomenon, spreadOut(eligible, `${seed} ${phenomenon}`)] as const;
  });
  return Object.fromEntries(entries) as Record<Phenomenon, readonly Sentence[]>;
}

/**
 * The items in an order of which every beginning covers the whole list evenly: the base-2 van der
 * Corput sequence (0, ½, ¼, ¾ …) over their positions, turned by a seeded number of places. So a run
 * that ends early has asked a fair sample.
 */
export function spreadOut<T>(items: readonly T[], seed: number | string): readonly T[] {
  if (items.length === 0) return [];
  const bits = Math.ceil(Math.log2(items.length));
  const turn = randomSource(seed).integer(items.length);
  return Array.from({ length: 2 ** bits }, (_, n) => reverseBits(n, bits))
    .filter((position) => position < items.length)
    .map((position) => items[(position + turn) % items.length]!);
}

function reverseBits(n: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed = 2 * reversed + ((n >> bit) & 1);
  return reversed;
}
