import { assertAnswerable, type MaskedModel, type MaskedQuery } from "../pseudo_likelihood.ts";

const TEXTS = ["000", "001", "010", "011", "100", "101", "110", "111"];

const timesWhere = (agrees: (text: string) => boolean) =>
  TEXTS.reduce((sum, text, at) => sum + (agrees(text) ? at + 1 : 0), 0);

function answer(digits: string, { position, masked }: MaskedQuery): number {
  const seen = (text: string) =>
    [...text].every((digit, at) => masked.includes(at) || digit === digits[at]);
  const same = (text: string) => seen(text) && text[position] === digits[position];
  return Math.log(timesWhere(same) / timesWhere(seen));
}

/** Digits are tokens, words stand between spaces: `01 1` is the text 011 in two words. */
export const JOINT_MODEL: MaskedModel = {
  name: "joint",
  settings: { texts: 36 },
  tokenise(text) {
    const tokens = text.split(" ").flatMap((word, index) =>
      [...word].map((piece) => ({ piece, word: index }))
    );
    const digits = tokens.map(({ piece }) => piece).join("");
    return {
      tokens,
      logProbabilities: (queries) =>
        Promise.try(() => {
          assertAnswerable(queries, tokens.length);
          return queries.map((query) => answer(digits, query));
        }),
    };
  },
};
