const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/** Shorter words are within one letter of almost anything. */
const SHORTEST_NEAR = 4;

/** Whether a word, in lower case, is one that somebody uses, or one letter away from such. */
export type KnownWord = (word: string) => boolean;

/**
 * Knows the words of texts (without their accents) and those of a dictionary. A word one letter off
 * a word of the texts counts as known, too: "Frnace" is no invented country but a slip of the pen.
 * @param inDictionary Of a word in lower case.
 */
export function knownWords(
  texts: Iterable<string>,
  inDictionary: (word: string) => boolean,
): KnownWord {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of plainLetters(text).matchAll(/[a-z]+/g)) words.add(word);
  }
  return (word) => {
    const plain = plainLetters(word);
    return words.has(plain) || inDictionary(plain) || oneEditAway(plain).some(hasLong(words));
  };
}

const hasLong = (words: ReadonlySet<string>) => (word: string) =>
  word.length >= SHORTEST_NEAR && words.has(word);

/** Lower case, accents off: "São" is "sao". */
function plainLetters(text: string): string {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
}

/** Every word that a letter left out, put in, changed or swapped with the next makes of one. */
function oneEditAway(word: string): readonly string[] {
  const cuts = Array.from({ length: word.length + 1 }, (_, i) => [word.slice(0, i), word.slice(i)]);
  return cuts.flatMap(([before, after]) => [
    ...after === "" ? [] : [before + after!.slice(1)],
    ...after!.length < 2 ? [] : [`${before}${after![1]}${after![0]}${after!.slice(2)}`],
    ...LETTERS.map((letter) => before + letter + after),
    ...after === "" ? [] : LETTERS.map((letter) => before + letter + after!.slice(1)),
  ]);
}
