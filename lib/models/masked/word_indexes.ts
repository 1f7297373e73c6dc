/** What a tokeniser makes of a text, special tokens apart. */
export type Encode = (text: string) => readonly number[];

/**
 * The word of each token, counted from 0; words stand between white space. A word's tokens are those
 * by which the text up to its end is longer than up to the word before. So it needs no knowledge of
 * the signs by which tokenisers join pieces (`##` of WordPiece, `▁` of SentencePiece, `Ġ` of GPT-2).
 *
 * @throws {RangeError} where a token reaches over the end of a word.
 */
export function wordIndexes(text: string, encode: Encode): readonly number[] {
  const whole = encode(text);
  const indexes: number[] = [];
  for (const [word, match] of [...text.matchAll(/\S+/gu)].entries()) {
    const upToHere = encode(text.slice(0, match.index + match[0].length));
    if (upToHere.length < indexes.length || upToHere.some((id, at) => id !== whole[at])) {
      throw new RangeError(
        `Cannot tell the words of ${JSON.stringify(text)}: a token reaches over the end of ${
          match[0]
        }`,
      );
    }
    while (indexes.length < upToHere.length) indexes.push(word);
  }
  // What is left belongs to white space at the end.
  return whole.map((_, at) => indexes[at] ?? (indexes.at(-1) ?? -1) + 1);
}
