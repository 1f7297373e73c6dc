import assert from "node:assert/strict";
import type { ClaimKind } from "./claim.ts";
import { claimKind } from "./claim_kind.ts";

const KINDS: Readonly<Record<ClaimKind, readonly string[]>> = {
  temporal: [
    "Ada Lovelace was born on 10 December 1815.",
    "She died in 1852.",
    "He lived in the 19th century.",
    "He played for the club until 1999.",
    "The war lasted for six years.",
    "The castle was built in the late 1970s.",
    "Rome fell in AD 476.",
    "He served from 1990 to 1999.",
    "The shop opens at 9:30 am.",
    "He was born on May 3, 1946.",
    "The treaty was signed on 2020-05-01.",
    "He has lived there for over a decade.",
  ],
  numerical: [
    "Norway has 5.4 million inhabitants.",
    "The mountain is 2,469 metres high.",
    "Unemployment was 3.5% in 2020.",
    "She has two children.",
    "He won the title twice.",
    "The fee was $100 million.",
    "He sold more than 20 books in 1999.",
    "The area is 1,999 square kilometres.",
    "Half of the land is forest.",
    "There are 1500 people in the town.",
  ],
  factual: [
    "Paris is the capital of France.",
    "She was the first woman in space.",
    "One of his books is a novel.",
    "The virus COVID-19 spread.",
    "He flew a Boeing 747.",
    "May is a name.",
    "He may be a painter.",
    "The G20 met in Rome.",
    "He lives in Prague [3].",
  ],
};

for (const [kind, statements] of Object.entries(KINDS)) {
  for (const statement of statements) {
    Deno.test(`claimKind() calls ${kind}: ${statement}`, () => {
      assert.equal(claimKind(statement), kind);
    });
  }
}
