import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import type { Claim } from "../types.ts";
import { RULES_VERSION, ruleSplitter } from "./rule_splitter.ts";

function linesOf(name: string): unknown[] {
  const text = Deno.readTextFileSync(new URL(`testdata/${name}`, import.meta.url));
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** Sentences with their claims, judged by hand. Marks like `[question]` come first. */
const SENTENCES = z.array(z.tuple([z.string(), z.array(z.string())]))
  .parse(linesOf("sentences.jsonl"));

const splitter = ruleSplitter();

async function claimsOf(text: string): Promise<readonly Claim[]> {
  return (await splitter.split(text)).claims;
}

function shown({ notCheckable, text }: Claim): string {
  return notCheckable ? `[${notCheckable}] ${text}` : text;
}

Deno.test("ruleSplitter() takes sentences apart as a reader would", async () => {
  for (const [sentence, expected] of SENTENCES) {
    assert.deepEqual((await claimsOf(sentence)).map(shown), expected, sentence);
  }
});

const GOLDEN = z.object({ text: z.string(), claims: z.array(z.array(z.string())) });

Deno.test("RULES_VERSION stands for the golden claims: whoever changes a rule raises it", async () => {
  const [head, ...lines] = linesOf("golden_claims.jsonl");
  assert.deepEqual(head, { version: RULES_VERSION });
  assert.ok(lines.length >= 30);
  for (const { text, claims } of z.array(GOLDEN).parse(lines)) {
    const now = (await claimsOf(text)).map(({ text, kind, notCheckable, spans, notes }) => [
      text,
      kind,
      notCheckable ?? "",
      spans.map(({ start, end }) => `${start}-${end}`).join(" "),
      notes.map(({ kind }) => kind).join(" "),
    ]);
    assert.deepEqual(now, claims, "Claims differ: raise RULES_VERSION, renew the golden ones.");
  }
});

Deno.test("ruleSplitter() leaves its own claims whole, and a sentence of many hundred words", async () => {
  for (const claim of SENTENCES.flatMap(([, claims]) => claims)) {
    const plain = claim.replace(/^\[\w+\] /, "");
    assert.deepEqual((await claimsOf(plain)).map(({ text }) => text), [plain]);
  }
  const long = `Ada ${"sang and ".repeat(600)}died.`;
  assert.deepEqual((await claimsOf(long)).map(({ text }) => text), [long]);
});

Deno.test("ruleSplitter() says where the own words of a claim stand", async () => {
  const text = "- Ada [1] was born in Kent and moved to Rome.";
  const claims = await claimsOf(text);
  const actual = claims.map(({ id, text: claim, spans }) => {
    return [id, claim, spans.map(({ start, end }) => text.slice(start, end)).join("|")];
  });
  assert.deepEqual(actual, [
    ["c1", "Ada was born in Kent.", "Ada|was born in Kent"],
    ["c2", "Ada moved to Rome.", "moved to Rome"],
  ]);
  assert.deepEqual(claims[1]!.notes, [{ kind: "subject supplied", subject: "Ada" }]);
  assert.deepEqual(claims[0]!.sentence, { start: 2, end: text.length });
});

/** Texts and their claims, judged by hand. A question mark before a pronoun that is left. */
const PRONOUNS = z.array(z.tuple([z.string(), z.array(z.string())]))
  .parse(linesOf("pronouns.jsonl"));

Deno.test("ruleSplitter() reads she and it as the person and the thing that are spoken of, never as a place that is left", async () => {
  assert.equal(PRONOUNS.length, 41);
  for (const [text, expected] of PRONOUNS) {
    const found = (await claimsOf(text)).map(({ text, notes }) =>
      notes.some(({ kind }) => kind === "pronoun unresolved") ? `? ${text}` : text
    );
    assert.deepEqual(found, expected, text);
  }
});

const UNSAFE: readonly (readonly [string, string])[] = [
  ["no one was named", "He was born in 1900."],
  ["another person was named", "Ada Byron married William King. He was born in 1805."],
  ["the text calls the last one otherwise", "Ada King was an actress. He was born in 1805."],
  ["a thing stands between", "Oslo has a castle. The castle is old. It is large."],
  [
    "no subject can be found",
    'Oslo is old. The oldest engine, "Ida", was built in 1881. It is red.',
  ],
  ["there are several", "Ada Byron was a poet. They lived in London."],
];

Deno.test("ruleSplitter() marks a pronoun that could mean another, or no one", async () => {
  for (const [why, text] of UNSAFE) {
    const last = (await claimsOf(text)).at(-1)!;
    assert.deepEqual(last.notes.map(({ kind }) => kind), ["pronoun unresolved"], why);
    assert.match(last.text, /^(?:He|It|They) /);
  }
});

const WORD = fc.constantFrom(
  ...('Ada Oslo he she it which who and but , . ; ( ) " “ ” sang was is born in 1905 the a poet ' +
    "known for 's - not [1] \n é 😀 of May may").split(" "),
  "\n",
  "|",
  "\n- ",
  ":\n",
  "|-|-|\n",
);

Deno.test("Requirement 2.2: claims of any text have spans in order in their sentence, and no word that it has not, but for copula and article", async () => {
  const texts = fc.oneof(
    fc.array(WORD, { maxLength: 30 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  const made = new Set("IS WAS ARE WERE A AN S".split(" "));
  const wordsOf = (text: string) => text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const there = new Set(wordsOf(text));
      for (const { spans, sentence, text: said } of await claimsOf(text)) {
        assert.notEqual(said.trim(), "");
        let cursor = sentence.start;
        for (const { start, end } of spans) {
          assert.ok(start >= cursor && end > start && end <= sentence.end);
          cursor = end;
        }
        for (const word of wordsOf(said)) assert.ok(there.has(word) || made.has(word), word);
      }
    }),
    { numRuns: 240 },
  );
});

Deno.test("a book's splitting reports its progress, and can be stopped", async () => {
  const book = "Elk swim. ".repeat(250);
  const actual: string[] = [];
  const onProgress = (done: number, total: number) => void actual.push(`${done}/${total}`);
  await ruleSplitter().split(book, { onProgress });
  assert.deepEqual(actual, ["100/250", "200/250"]);
  const stop = new AbortController();
  const split = ruleSplitter().split(book, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("Ctrl-C")),
  });
  await assert.rejects(split, /Ctrl-C/);
});
