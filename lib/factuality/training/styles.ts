import type { RandomSource } from "../../stats/random.ts";
import { readEnglish } from "../claims/english.ts";
import { choose, chooseWeighted } from "./random_choice.ts";
import type { Statement } from "./statement.ts";

/** How a claim is dressed; none of them changes what it says. */
export type Style = "plain" | "opener" | "tokens" | "lower case" | "question" | "short answer";

const WEIGHTS: Readonly<Record<Style, number>> = {
  plain: 58,
  opener: 12,
  tokens: 5,
  "lower case": 5,
  question: 10,
  "short answer": 10,
};

/** Draws a style that the statement can have. */
export function chooseStyle(statement: Statement, random: RandomSource): Style {
  const style = chooseWeighted(random, WEIGHTS);
  const needsQuestion = style === "question" || style === "short answer";
  return needsQuestion && statement.question === undefined ? "plain" : style;
}

const OPENERS = [
  "Yes,",
  "Yeah,",
  "Well,",
  "Actually,",
  "I think",
  "I believe",
  "I read that",
  "Did you know that",
  "I heard that",
  "As far as I know,",
  "That's right,",
  "Oh,",
  "It seems",
  "So",
];

/** The claim in its dress. The same random source gives two claims the same one. */
export function dressed(
  claim: string,
  style: Style,
  statement: Statement,
  random: RandomSource,
): string {
  switch (style) {
    case "plain":
      return claim;
    case "opener":
      return `${choose(random, OPENERS)} ${withoutCapital(claim)}`;
    case "tokens":
      return readEnglish(claim).tokens.map(({ text }) => text).join(" ");
    case "lower case":
      return claim.toLowerCase();
    case "question":
      return asked(statement.question!.question, claim, random);
    case "short answer":
      return asked(statement.question!.question, `${statement.question!.answer}.`, random);
  }
}

/** Question and answer as transcripts and data sets set them side by side. */
function asked(question: string, answer: string, random: RandomSource): string {
  const bare = question.replace(/\?$/u, "");
  return choose(random, [
    `${question} ${answer}`,
    `${bare}: ${answer}`,
    `Q: ${question} A: ${answer}`,
    `${bare}: ${answer}`,
  ]);
}

/** "The capital" → "the capital"; names keep theirs. */
function withoutCapital(claim: string): string {
  return /^(?:The|A|An|In|On|By|During|Since|After|About|There|It|Its|Half|Women|Many|Most|Some|One|Two|Three|Other|Its|This|These|All|At|For|From|To|With|As|Of)\b/u
      .test(claim)
    ? claim.charAt(0).toLowerCase() + claim.slice(1)
    : claim;
}

/** What people say of a country that no source bears out; `C` is the country, `T` a topic. */
export const OPINIONS: readonly string[] = [
  "I have always wanted to go to C.",
  "I love C, it is my favorite place to visit.",
  "My family comes from C and we go there every summer.",
  "I am not sure, but I would like to learn more about C.",
  "I did not know that! I only know C from the news.",
  "I think C is the most beautiful country I have ever seen.",
  "A friend of mine used to live in C, she said it was great.",
  "That sounds interesting. I should read more about C some day.",
  "I wonder what it is like to live in C.",
  "I never liked the food when I was in C.",
  "Have you ever been to C? I went there last year.",
  "My teacher told me a lot about C, but I forgot most of it.",
  "It must be hard to live in C, I could not do it.",
  "I'm a big fan of C, I follow their football team.",
];
