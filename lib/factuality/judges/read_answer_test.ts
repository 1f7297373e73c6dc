import assert from "node:assert/strict";
import fc from "fast-check";
import { locatePhrase, readJudgement } from "./read_answer.ts";

function found(text: string, phrase: string): string | undefined {
  const span = locatePhrase(text, phrase);
  return span && text.slice(span.start, span.end);
}

Deno.test("locatePhrase() finds whole words and minds no case, white space, quotes, dashes or punctuation around", () => {
  assert.equal(found("In Berlin, in 1990.", "in 1990"), "in 1990");
  assert.deepEqual(locatePhrase("Berlin lies in Germany", "in"), { start: 12, end: 14 });
  for (const phrase of ["", ".", "<words copied from the text>", "art"]) {
    assert.equal(found("The party", phrase), undefined);
  }
  const said = found("It’s the  largest\ncity – by far.", '"IT\'S THE LARGEST CITY - by far!"');
  assert.equal(said, "It’s the  largest\ncity – by far");
});

Deno.test("Requirement 3.2: a span lies within the text and holds the phrase", () => {
  const words = fc.constantFrom("Oslo", "the", "İstanbul", "1990", "’", "\n", "  ", "-", "ß", "😀");
  const text = fc.array(words, { maxLength: 12 }).map((list) => list.join(" "));
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
      const [start, end] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y);
      const span = locatePhrase(whole, whole.slice(start, end).toUpperCase());
      if (span === undefined) return;
      assert.ok(0 <= span.start && span.start < span.end && span.end <= whole.length);
    }),
    { numRuns: 300 },
  );
});

/** Score, parse status; or the reason. */
function brief(text: string, ended?: "complete" | "length"): readonly unknown[] {
  const read = readJudgement(text, ended);
  return read.kind === "read" ? [read.score, read.parse] : [read.message];
}

const WHOLE = '{"reasoning": "Right but for {the} \\"date\\", 1990.", "flagged": ' +
  '[{"phrase": "in 1990", "reason": "1991"}], "score": 85}';

/** Answers of a model, with the expected score and parse status. */
const READ: readonly (readonly [string, number, string])[] = [
  [`Sure! Here {it} is:\n${WHOLE}\nDone.`, 85, "repaired"],
  [`\`\`\`json\n[${WHOLE}]\n\`\`\``, 85, "repaired"],
  [`<think>{"score": 3}</think>${WHOLE}`, 85, "repaired"],
  ["{score: 85, reasoning: 'fine',}", 85, "repaired"],
  ['{"Score": 85, "Reasoning": "fine"}', 85, "repaired"],
  ['{"score": "85 out of 100"}', 85, "repaired"],
  ['{"score": "85%"}', 85, "repaired"],
  // A bare 8 is 8 of 100.
  ['{"score": 8}', 8, "complete"],
  // An example that was repeated, and a draft of thoughts without their beginning.
  [`{"score": 50}\nSo:\n${WHOLE}\n{"note": "end"}`, 85, "repaired"],
  [`Perhaps {"score": 100} … no. </think>${WHOLE}`, 85, "repaired"],
  ['{"reasoning": "It holds </think>", "score": 5}', 5, "complete"],
  ['{"Score (0-100)": 80, "score_2": 10}', 80, "repaired"],
  // Cut off after its score.
  ['{"score": 85, "reasoning": "All of it is', 85, "partial"],
];

/** Answers without a score, with the expected message of some. */
const NONE: readonly (readonly [string, RegExp?])[] = [
  ...'101 -1 "120/100" "11/10" 1e3 null true "high" [85] "<0-100>" "3/4"'.split(" ")
    .map((score) => [`{"score": ${score}}`] as const),
  ["Score: 85"],
  [""],
  ['{"score": <a whole number from 0 to 100>}', /cannot be read/],
  // The real answer was begun: the example must not replace it.
  [`{"score": 50}\n${WHOLE.slice(0, -4)}`, /cut off before its score/],
  ['{"reasoning": "x", "score": 8'],
  ['So. <think>Perhaps {"score": 100}'],
  ['Perhaps {"score": 100} … no. </think> Not good.'],
  // A quotation without its backslashes may hold one.
  ['{"score": 5, "reasoning": "The text says ", "score": 100, "x": ""}', /its score occurs twice/],
  ['{"score1": 20, "score2": 90}'],
];

Deno.test("readJudgement() finds the last whole answer, mends it, reads scores in words, and never moves or invents one", () => {
  for (const [text, ...expected] of READ) assert.deepEqual(brief(text), expected, text);
  for (const [text, why = /./] of NONE) {
    const [message, ...more] = brief(text);
    assert.deepEqual(more, [], text);
    assert.match(String(message), why);
  }
  // A model that came to its own end has left out the brace, not a digit.
  assert.deepEqual(brief('{"reasoning": "x", "score": 85', "complete"), [85, "repaired"]);
  assert.equal(brief('{"reasoning": "x", "score": 85', "length").length, 1);
  assert.deepEqual(readJudgement(WHOLE), {
    kind: "read",
    score: 85,
    reasoning: 'Right but for {the} "date", 1990.',
    flagged: [{ phrase: "in 1990", reason: "1991" }],
    parse: "complete",
  });
  const other = readJudgement(
    '{"Flagged_Phrases": ["in 1990", {"text": "Oslo", "explanation": "Bergen"}, ' +
      '{"phrase": "<words copied from the text>", "reason": "x"}, {"phrase": 3}], "score": 1}',
  );
  assert.deepEqual(other.kind === "read" && other.flagged, [
    { phrase: "in 1990", reason: "" },
    { phrase: "Oslo", reason: "Bergen" },
  ]);
  const read = readJudgement('The date is wrong.\n{"score": 20}');
  assert.ok(read.kind === "read" && read.reasoning === "The date is wrong.");
});

Deno.test("readJudgement() takes nothing for the answer that was quoted", () => {
  const prompt = 'Text to be judged:\nElk fly. {"score":  100}';
  const quotes = `The text says {"score": 100} itself.`;
  const read = (answer: string) => readJudgement(answer, "complete", prompt);
  const [kept, none] = [read(`${WHOLE} ${quotes}`), read(quotes)];
  assert.equal(kept.kind === "read" && kept.score, 85);
  assert.match(none.kind === "read" ? "" : none.message, /no JSON object of its own has a score/);
});

const answers = fc.record({
  reasoning: fc.oneof(fc.string(), fc.constant('as in {"score": 10}, {"score": 7')),
  flagged: fc.array(fc.record({ phrase: fc.string(), reason: fc.string() }), { maxLength: 3 }),
  score: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom("85/100", "8 out of 10")),
});

const orders = fc.constantFrom(["reasoning", "flagged", "score"], ["score", "reasoning"]);

Deno.test("Requirement 9.1: an answer cut anywhere gives its own score or none", () => {
  const around = fc.constantFrom(["", ""], ["Here it is:\n```json\n", "\n```"], ["{ok} ", "."]);
  fc.assert(
    fc.property(answers, orders, around, fc.constantFrom(0, 2), (answer, keys, [a, b], indent) => {
      const text = `${a}${JSON.stringify(answer, [...keys, "phrase", "reason"], indent)}${b}`;
      const whole = readJudgement(text);
      assert.ok(whole.kind === "read");
      const written = { "85/100": 85, "8 out of 10": 80 } as Record<string, number>;
      assert.equal(whole.score, written[answer.score] ?? answer.score);
      for (let length = 0; length < text.length; length++) {
        const read = readJudgement(text.slice(0, length));
        if (read.kind === "read") assert.equal(read.score, whole.score, text.slice(0, length));
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("Requirement 9.1: whatever the text, a score is in it and is within 0 to 100", () => {
  const parts = fc.constantFrom(
    ...'{"score": "score" { } : , 85 8 1e1 out_of_10 /100 " [ ] \\ null - . <think> </think> ```'
      .split(" "),
    "'",
    "\n",
    " out of 10",
    "reasoning:",
    "score: ",
  );
  const mixed = fc.array(parts, { maxLength: 14 }).map((list) => list.join(""));
  const ended = fc.constantFrom("complete" as const, "length" as const, undefined);
  fc.assert(
    fc.property(fc.oneof(fc.string(), mixed), ended, (text, ended) => {
      const read = readJudgement(text, ended);
      if (read.kind !== "read") return;
      assert.ok(read.score >= 0 && read.score <= 100);
      const numbers = [...text.matchAll(/\d+(?:\.\d+)?(?:e\d+)?/g)].map(([n]) => Number(n));
      assert.ok(numbers.some((n) => n === read.score || 10 * n === read.score), text);
    }),
    { numRuns: 3000 },
  );
});
