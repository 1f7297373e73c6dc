import assert from "node:assert/strict";
import type { NotCheckable } from "./claim.ts";
import { notCheckable } from "./not_checkable.ts";

const STATEMENTS: Readonly<Record<NotCheckable | "checkable", readonly string[]>> = {
  question: ["Where is Oslo?", '"Who are you?"'],
  opinion: [
    "I think it is old.",
    "Oslo is beautiful.",
    "Everyone should visit Oslo.",
    "In my opinion, it is old.",
    "The film is a must-see.",
  ],
  hedge: [
    "He may have been a spy.",
    "It might rain.",
    "She was probably ill.",
    "He is believed to have died.",
    "It is unclear where he lived.",
    "As an AI language model, I am not a person.",
    "I'm sorry, but I cannot find him.",
  ],
  instruction: ["Please see the list.", "Visit the museum.", "Don't go there."],
  fragment: ["The history of Norway", "Population: 5 million", "born in 1900"],
  checkable: [
    "In May 2020, he left.",
    "She was born on May 3, 1946.",
    "He is better known as Scientist.",
    'He wrote "Where Are You?".',
    "She is one of the best-known singers.",
    "The book details her life in the city.",
    "Carlos should not be confused with his brother.",
    "She believed that people should vote.",
    "He lived on Great Portland Street.",
  ],
};

for (const [reason, statements] of Object.entries(STATEMENTS)) {
  for (const statement of statements) {
    Deno.test(`notCheckable() calls ${reason}: ${statement}`, () => {
      assert.equal(notCheckable(statement), reason === "checkable" ? undefined : reason);
    });
  }
}
